/* The same filter over the same rows gives the same intents, whichever way it is asked: by a walk of the service, out
 * of the cache, in the cache's order and in a sort's, in counts, in CSV, in the console's list and in its export.
 * Random filters over generated rows and odd ones, over a service that filters, and one that does not. BURSAR_FILTERS
 * is how many (default 24), BURSAR_FILTERS_SEED where they begin. */
#include "support/filters.h"
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE = 20, TEXT_CAP = 8 << 20, QUIET_MS = 60, SAID_MAX = 60, PROGRESS = 100 };

struct ids {
    char **items;
    size_t n, cap;
    size_t nameless; /* rows without an id, which no cache keeps */
};

static void ids_clear(struct ids *ids) {
    for (size_t i = 0; i < ids->n; i++)
        free(ids->items[i]);
    free(ids->items);
    *ids = (struct ids){0};
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* One that formats write differently counts as odd: how many there are is compared then. */
static char *plain_id(const char *id, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", id[i]))
            return mem_dup("?");
    return mem_dup_n(id, len);
}

static void take_id(struct ids *ids, const char *id, size_t len) {
    if (len == 0)
        ids->nameless++;
    else
        *vec_add(ids) = plain_id(id, len);
}

/* A row is a line, and its id comes first. */
static void take_lines(struct ids *ids, const char *text) {
    static const char open[] = "{\"id\":";
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        bool named = strncmp(line, open, sizeof open - 1) == 0;
        const char *id = named ? line + sizeof open - 1 : line;
        bool quoted = *id == '"', number = *id >= '0' && *id <= '9';
        take_id(ids, id + quoted, named && (quoted || number) ? strcspn(id + quoted, "\",") : 0);
    }
    if (ids->n > 0)
        qsort(ids->items, ids->n, sizeof *ids->items, compare);
}

static void take_csv(struct ids *ids, const char *text) {
    for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        size_t len = strcspn(line, "\r\n");
        take_id(ids, line, strncmp(line, "\"\"", len) == 0 ? 0 : len);
    }
    if (ids->n > 0)
        qsort(ids->items, ids->n, sizeof *ids->items, compare);
}

/* The second column of each record; the first may be in quotes. */
static size_t take_counts(const char *text) {
    size_t n = 0;
    for (const char *at = strchr(text, '\n') + 1; *at; at = strchr(at, '\n') + 1) {
        if (*at == '"')
            for (at++; at[0] != '"' || at[1] == '"'; at += at[0] == '"' ? 2 : 1) {
            }
        at = strchr(at, ',') + 1;
        n += strtoul(at, NULL, 10);
    }
    return n;
}

static struct { size_t tried, faulty, empty, wrong; } tally;

static void differ(const char *filter, const char *way, const char *format, ...) PRINTF_LIKE(3, 4);

static void differ(const char *filter, const char *way, const char *format, ...) {
    va_list args;
    tally.wrong++;
    (void)fprintf(stderr, "differs: %s: `%s`: ", way, filter);
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fputc('\n', stderr);
}

static void must_agree(const char *filter, const char *way, const struct ids *walk, const struct ids *other) {
    size_t i = 0, j = 0;
    while (i < walk->n && j < other->n && strcmp(walk->items[i], other->items[j]) == 0) {
        i++;
        j++;
    }
    if (i < walk->n || j < other->n)
        differ(filter, way, "%zu of the walk's %zu; first %s and %s", other->n, walk->n,
               i < walk->n ? walk->items[i] : "none", j < other->n ? other->items[j] : "none");
}

/* Gives the exit status; out is text on the heap. */
static int ask(const char *const args[], char **out, char **err) {
    struct proc proc;
    int status = console_run(&service, args, &proc);
    *out = mem_dup(proc.out.s ? proc.out.s : "");
    *err = mem_dup(proc.err.s ? proc.err.s : "");
    (void)proc_end(&proc);
    return status;
}

typedef void reader_fn(struct ids *ids, const char *text);

/* One way of asking; true where the filter could be read and all was had. */
static bool ask_ids(const char *filter, const char *way, const char *const args[], reader_fn *read, struct ids *ids) {
    char *out, *err;
    int status = ask(args, &out, &err);
    if (status == 0)
        read(ids, out);
    else if (strcmp(way, "walk") != 0 || status != 2)
        differ(filter, way, "exit %d: %s", status, err);
    free(out);
    free(err);
    return status == 0;
}

static void ask_counts(const char *filter, size_t turn, const struct ids *walk) {
    static const char *const FIELDS[] = {"status", "currency", "type", "rail", "direction", "bank", "decline"};
    const char *field = FIELDS[turn % COUNT_OF(FIELDS)];
    char *out, *err;
    int status = ask((const char *const[]){"intents", "stats", "--by", field, "--format", "csv", "--", filter, NULL},
                     &out, &err);
    bool sums_fit = !strstr(err, "beyond 64 bits"); /* some of the odd rows have very great amounts */
    if (status != (sums_fit ? 0 : 8))
        differ(filter, field, "exit %d: %s", status, err);
    else if (take_counts(out) != walk->n)
        differ(filter, field, "counts %zu, not %zu", take_counts(out), walk->n);
    free(out);
    free(err);
}

/* The ways of the command line; false: the filter has a fault, which each says. */
static bool by_command(const char *filter, size_t turn, struct ids *walk) {
    static const char *const SORTS[] = {"--sort=created", "--sort=-amount", "--sort=status,-amount", "--sort=bank"};
    const char *sort = SORTS[turn / 2 % COUNT_OF(SORTS)], *from = turn % 4 < 2 ? "--cached" : "--verbose";
    const struct {
        const char *name, *args[12];
        reader_fn *read;
    } ways[] = {
        {"walk", {"intents", "list", "--all", "--format", "ndjson", "--", filter}, take_lines},
        {"cached", {"intents", "list", "--all", "--cached", "--format", "ndjson", "--", filter}, take_lines},
        {"sorted", {"intents", "list", "--all", from, sort, "--format", "ndjson", "--", filter}, take_lines},
        {"csv", {"intents", "list", "--all", from, "--format", "csv", "--columns", "id", "--", filter}, take_csv},
    };
    if (!ask_ids(filter, ways[0].name, ways[0].args, ways[0].read, walk))
        return false;
    ask_counts(filter, turn, walk);
    for (size_t i = 1; i < COUNT_OF(ways); i++) {
        struct ids other = {0};
        if (i > 1 && turn % 2 != i % 2) /* the last two in turns */
            continue;
        if (ask_ids(filter, ways[i].name, ways[i].args, ways[i].read, &other))
            must_agree(filter, ways[i].name, walk, &other);
        ids_clear(&other);
    }
    return true;
}

/* ---- The console ---- */

static struct pty *open_console(void) {
    const struct pty_options options = {.rows = 30, .cols = 200, .folder = service.folder};
    struct pty *pty = console_open_args(&service, NULL, &options);
    assert_true(pty_expect(pty, "online", PATIENCE));
    pty_feed(pty, "R");
    assert_true(pty_expect(pty, "end of the list seen", PATIENCE));
    return pty;
}

static void type_filter(struct pty *pty, const char *filter) {
    pty_feed(pty, "/");
    assert_true(pty_expect(pty, "Enter apply", PATIENCE));
    pty_feed(pty, "\x15");
    pty_feed(pty, filter);
    pty_feed(pty, "\x1b[F\r"); /* End: no suggestion is taken */
    if (!pty_expect_gone(pty, "Enter apply", PATIENCE))
        fail_msg("the console does not take: %s", filter);
    pty_settle(pty, QUIET_MS);
}

/* All that the list holds, written to a file; false: there is nothing in it. */
static bool export_list(struct pty *pty, const char *name, bool first) {
    struct str keys, said;
    pty_feed(pty, "x");
    pty_settle(pty, QUIET_MS);
    if (pty_shows(pty, "there are no rows to export"))
        return false;
    assert_true(pty_expect(pty, "write the file", PATIENCE));
    str_init(&keys, 256);
    str_init(&said, 256);
    str_addf(&keys, "%sGk\r\025%s\r\r", first ? "lll" : "", name);
    str_addf(&said, " in ~/%s", name);
    pty_feed(pty, keys.s);
    assert_true(pty_expect(pty, said.s, PATIENCE));
    str_clear(&keys);
    str_clear(&said);
    return true;
}

/* A long filter leaves room for the short words only. */
static bool is_whole(struct pty *pty) {
    const char *all = strstr(pty_row(pty, 1), " all ");
    return (all && ((all[5] >= '0' && all[5] <= '9') || strncmp(all + 5, "there are", 9) == 0)) ||
           pty_shows(pty, "end of the list seen");
}

/* N of "1 of N"; 0: none. */
static size_t shown_count(struct pty *pty) {
    const char *place = strstr(pty_screen(pty), " of ");
    size_t n = 0;
    for (; place && n == 0; place = strstr(place + 1, " of "))
        if (place[-1] >= '0' && place[-1] <= '9')
            for (const char *at = place + 4; (*at >= '0' && *at <= '9') || *at == ','; at++)
                n = *at == ',' ? n : n * 10 + (size_t)(*at - '0');
    return n;
}

static bool shows_right(struct pty *pty, const struct ids *walk) {
    size_t shown = shown_count(pty);
    /* Rows without an id are known once they were read by this console: no cache keeps them. */
    return is_whole(pty) && (shown == walk->n || shown == walk->n + walk->nameless);
}

/* The list comes to rest on the right number; on a busy machine later than others. */
static bool comes_to_show(struct pty *pty, const struct ids *walk) {
    double until = pty_now() + PATIENCE;
    if (!is_whole(pty))
        pty_feed(pty, "R");
    while (!shows_right(pty, walk) && pty_now() < until)
        pty_settle(pty, QUIET_MS);
    return shows_right(pty, walk);
}

static void read_export(const char *name, struct ids *ids) {
    struct str path;
    str_init(&path, 4096);
    str_addf(&path, "%s/%s", service.folder, name);
    char *text = proc_read_file(path.s);
    take_lines(ids, text ? text : "");
    (void)unlink(path.s);
    str_add(&path, ".about");
    (void)unlink(path.s);
    free(text);
    str_clear(&path);
}

static void by_console(struct pty *pty, const char *filter, size_t turn, bool first, const struct ids *walk) {
    char name[32];
    struct ids ids = {0};
    (void)snprintf(name, sizeof name, "export%zu", turn);
    type_filter(pty, filter);
    if (!comes_to_show(pty, walk))
        differ(filter, "console's list", "%zu, not %zu:\n%s", shown_count(pty), walk->n, pty_screen(pty));
    if (walk->n + shown_count(pty) > 0) { /* of nothing there is no export */
        if (export_list(pty, name, first))
            read_export(name, &ids);
        must_agree(filter, "console's export", walk, &ids);
    }
    ids_clear(&ids);
}

/* ---- Rows ---- */

static void control(const char *method, const char *target, const char *body) {
    struct http_reply reply;
    if (!service_control(&service, method, target, body, &reply) || reply.status >= 300)
        fail_msg("%s %s: %s", target, body, reply.body);
    http_reply_clear(&reply);
}

static void put_odd_rows(void) {
    const char *row;
    bool whole;
    for (size_t i = 0; (row = odd_row(i, &whole)); i++)
        control("POST", whole ? "/control/intents?raw=1" : "/control/intents", row);
}

/* Everything once, so that the cache is whole; its ids are what filters are made of. */
static void read_all(struct ids *ids) {
    char *out, *err;
    assert_int_equal(ask((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, &out, &err), 0);
    take_lines(ids, out);
    free(out);
    free(err);
}

static size_t number_of(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

static void say_tally(void) {
    (void)fprintf(stderr, "filters: %zu tried, %zu with a fault, %zu that found nothing, %zu differences\n",
                  tally.tried, tally.faulty, tally.empty, tally.wrong);
}

static void run_filters(size_t n, uint64_t seed) {
    struct ids all = {0};
    struct str filter;
    read_all(&all);
    struct filters filters = {.state = seed, .ids = (const char *const *)all.items, .n_ids = all.n};
    struct pty *pty = open_console();
    size_t often = number_of("BURSAR_FILTERS_SCREEN", 1);
    bool first = true;
    str_init(&filter, 1 << 16);
    memset(&tally, 0, sizeof tally);
    for (size_t i = 0; i < n && tally.wrong < SAID_MAX; i++) {
        struct ids walk = {0};
        filters_next(&filters, &filter);
        tally.tried++;
        if (!by_command(filter.s, i, &walk)) {
            tally.faulty++;
        } else {
            tally.empty += walk.n == 0;
            if (i % often == 0) {
                by_console(pty, filter.s, i, first, &walk);
                first = first && walk.n == 0;
            }
        }
        ids_clear(&walk);
        if (tally.tried % PROGRESS == 0)
            say_tally();
    }
    say_tally();
    console_leave(pty);
    str_clear(&filter);
    ids_clear(&all);
    assert_int_equal(tally.wrong, 0);
}

static int start(void **state) {
    (void)state;
    if (!console_serve(&service, (const char *const[]){"--intents", "150", "--style", "unknown=empty", NULL},
                       "  amount_unit = minor\n  exponents = {\"USDC=6\"}\n"))
        return -1;
    put_odd_rows();
    return 0;
}

/* The texts differ, the ways they take do not: a slow build takes fewer. */
static size_t filters_wanted(void) {
    return number_of("BURSAR_FILTERS", (size_t)proc_starts(24, 9));
}

static void every_way_finds_the_same(void **state) {
    (void)state;
    run_filters(filters_wanted(), number_of("BURSAR_FILTERS_SEED", 1));
}

/* What does not match is left out by the console itself (variations B5). */
static void every_way_finds_the_same_where_the_service_does_not_filter(void **state) {
    (void)state;
    control("POST", "/control/rules", "path=/intent/list ignore_filter=1");
    run_filters(filters_wanted() / 3, number_of("BURSAR_FILTERS_SEED", 1) + 1000);
    control("DELETE", "/control/rules", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_way_finds_the_same, start, stop_service),
        cmocka_unit_test_setup_teardown(every_way_finds_the_same_where_the_service_does_not_filter, start,
                                        stop_service),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
