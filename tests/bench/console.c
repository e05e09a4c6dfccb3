/* How fast the console starts and answers over a cache of 100,000 intents, at a pseudo-terminal of 200x50, beside the
 * plainest list that ncurses can draw (list.c), both in the same run and key by key in turn. A key's time runs from its
 * writing to the last byte that it made change; the rows it may show were read before. A second console writes to the
 * cache all the while: once at the pace of a service that is 50 ms away, where the goals apply, and once as fast as the
 * service on this machine serves it, so that the two of them hold every core: a key then waits for its turn on one, as
 * the plain list's times tell. What is held to a limit are ratios of medians within the run; times are printed beside
 * their goals. Exit status 1: a ratio is beyond its limit. Usage: console [alone]; alone: no second console writes to
 * the cache. */
#include "support/console.h"
#include "base/clock.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    ROWS = 50,
    COLS = 200,
    WAIT = 60,
    STARTS = 15,
    TIMES_MAX = 256,
    QUIET_MS = 40,
    ROUNDS = 4, /* down and up again: a few slow keys are not to be the figure */
    STEPS = 60,
    PAGES = 30,
    LAST_ROW = 47, /* of the list's rows in sight */
    TIME_LEN = 19,
    CHANGES = 10000, /* ticks of the service before each walk of the second console */
};

#define PAGE_DOWN "\x06"

/* How fast the second console gets its pages. */
struct pace {
    const char *name;
    const char *rule; /* of the service; NULL: as it comes */
    bool judged;      /* by the goals */
};

struct series {
    double times[TIMES_MAX];
    size_t n;
};

struct bench {
    struct service small, big;
    struct proc writer;
    bool writing, alone;
    struct pty *console, *list;
    bool beyond;
};

static void stop_here(const char *what) {
    (void)fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

/* ---- Figures ---- */

static void add(struct series *series, double ms) {
    if (series->n < TIMES_MAX)
        series->times[series->n++] = ms;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* share 0.5: the median. */
static double quantile(struct series *series, double share) {
    qsort(series->times, series->n, sizeof *series->times, by_value);
    return series->n == 0 ? 0 : series->times[(size_t)((double)(series->n - 1) * share + 0.5)];
}

static void print_times(const char *name, struct series *series, double goal) {
    double p95 = quantile(series, 0.95);
    printf("%-34s %4zu times: median %7.2f  p95 %7.2f ms", name, series->n, quantile(series, 0.5), p95);
    if (goal > 0)
        printf("  goal %5.1f %s", goal, p95 <= goal ? "reached" : "BEHIND");
    printf("\n");
}

/* The best of each side beside the medians: on a machine with other work the median may be the other work's. */
static void hold(struct bench *bench, const char *name, struct series *of, struct series *to, double limit) {
    double ratio = quantile(of, 0.5) / quantile(to, 0.5), best = quantile(of, 0) / quantile(to, 0);
    bool beyond = ratio > limit && best > limit;
    printf("%-34s ratio %5.2f (of the best ones %5.2f), limit %5.2f %s\n", name, ratio, best, limit,
           beyond ? "BEYOND" : "held");
    bench->beyond = bench->beyond || beyond;
}

/* ---- Services and caches ---- */

static void fill(struct service *service, const char *intents) {
    struct proc proc;
    if (!console_serve(service, (const char *const[]){"--intents", intents, NULL}, ""))
        stop_here("the sandbox did not start");
    const char *const args[] = {"intents", "list", "--all", "--format", "ndjson", NULL};
    char *program = proc_program("bursar");
    const char *argv[] = {program, args[0], args[1], args[2], args[3], args[4], NULL};
    if (proc_run(&proc, argv, console_env(service), WAIT * 4000) != 0)
        stop_here("the cache could not be filled");
    (void)proc_end(&proc);
    free(program);
}

static void control(struct bench *bench, const char *method, const char *target, const char *body) {
    struct http_reply reply;
    if (!service_control(&bench->big, method, target, body, &reply) || reply.status >= 300)
        stop_here("the service does not obey");
    http_reply_clear(&reply);
}

/* The second console: a walk over everything, begun again when it is through. Its rows go nowhere. */
static void keep_writing(struct bench *bench) {
    if (bench->alone || (bench->writing && !proc_wait(&bench->writer, 0)))
        return;
    if (bench->writing)
        (void)proc_end(&bench->writer);
    char target[64];
    (void)snprintf(target, sizeof target, "/control/tick?count=%d", CHANGES);
    control(bench, "POST", target, NULL);
    char *program = proc_program("bursar");
    const char *argv[] = {"/bin/sh", "-c", "exec \"$0\" intents list --all --format ndjson >/dev/null 2>&1", program,
                          NULL};
    bench->writing = proc_start(&bench->writer, argv, console_env(&bench->big));
    free(program);
}

/* ---- Start ---- */

static void leave(struct pty *pty) {
    int status;
    pty_feed(pty, "Q");
    if (!pty_wait(pty, WAIT, &status))
        stop_here("it does not leave");
    pty_free(pty);
}

static struct pty *open_console(const struct service *service, const char *needle) {
    struct pty *pty = console_open(service, ROWS, COLS);
    if (!pty_expect(pty, needle, WAIT))
        stop_here("no first screen");
    return pty;
}

/* What the last row of the first screen begins with. */
static void learn(const struct service *service, char needle[TIME_LEN + 1]) {
    struct pty *pty = open_console(service, "1 of ");
    pty_settle(pty, 500);
    (void)snprintf(needle, TIME_LEN + 1, "%s", pty_row(pty, LAST_ROW) + 2);
    leave(pty);
}

static double start_ms(const struct service *service, const char *needle) {
    double began = pty_now();
    struct pty *pty = open_console(service, needle);
    double ms = (pty_heard(pty) - began) * 1000;
    leave(pty);
    return ms;
}

static void measure_starts(struct bench *bench) {
    char small[TIME_LEN + 1], big[TIME_LEN + 1];
    struct series of_small = {0}, of_big = {0};
    learn(&bench->small, small);
    learn(&bench->big, big);
    for (int i = 0; i < STARTS; i++) {
        add(&of_small, start_ms(&bench->small, small));
        add(&of_big, start_ms(&bench->big, big));
    }
    print_times("first screen, 1,000 cached", &of_small, 0);
    print_times("first screen, 100,000 cached", &of_big, 0);
    hold(bench, "100,000 to 1,000", &of_big, &of_small, 1.3);
}

/* ---- Keys ---- */

/* 0 where the key changed nothing. */
static double press(struct pty *pty, const char *key) {
    size_t len;
    pty_mark(pty);
    double began = pty_now();
    pty_feed(pty, key);
    pty_settle(pty, QUIET_MS);
    (void)pty_bytes_since(pty, &len);
    return len > 0 ? (pty_heard(pty) - began) * 1000 : 0;
}

static void open_both(struct bench *bench) {
    char path[4096];
    struct pty_options options = {.rows = ROWS, .cols = COLS};
    const char *out = getenv("BURSAR_OUT");
    (void)snprintf(path, sizeof path, "%s/tests/bench/list", out ? out : "build/release");
    bench->list = pty_spawn((const char *const[]){path, NULL}, &options);
    if (!pty_expect(bench->list, "1 of 100000", WAIT))
        stop_here("no list to compare with");
    bench->console = open_console(&bench->big, "1 of ");
    pty_feed(bench->console, "d");
    if (!pty_expect(bench->console, "flag  decline", WAIT))
        stop_here("the detail does not close");
    /* The column index is there once a filter answers for all rows. */
    pty_feed(bench->console, "/status:declined\r");
    for (int64_t end = clock_mono() + WAIT * 1000; clock_mono() < end && pty_shows(bench->console, "so far");)
        pty_settle(bench->console, 100);
    pty_feed(bench->console, "u");
    pty_settle(bench->console, 300);
}

/* So that no key is charged with what the service's answer changes. */
static void read_ahead(struct bench *bench) {
    for (int i = 0; i < PAGES + 5; i++)
        (void)press(bench->console, PAGE_DOWN);
    pty_settle(bench->console, 1000);
    (void)press(bench->console, "g");
}

static void in_turn(struct bench *bench, const char *key, int times, struct series *of, struct series *to) {
    for (int i = 0; i < times; i++) {
        keep_writing(bench);
        double ours = press(bench->console, key), plain = press(bench->list, key);
        if (ours > 0 && plain > 0) {
            add(of, ours);
            add(to, plain);
        }
    }
}

static void type_filter(struct bench *bench, const char *text, struct series *series) {
    (void)press(bench->console, "/");
    for (; *text; text++) {
        keep_writing(bench);
        double ms = press(bench->console, (const char[]){*text, '\0'});
        if (ms > 0)
            add(series, ms);
    }
    (void)press(bench->console, "\x1b");
    pty_settle(bench->console, 300);
}

static void set_pace(struct bench *bench, const struct pace *pace) {
    if (bench->writing)
        (void)proc_end(&bench->writer);
    bench->writing = false;
    control(bench, "DELETE", "/control/rules", NULL);
    if (pace->rule)
        control(bench, "POST", "/control/rules", pace->rule);
    printf("%s\n", bench->alone ? "no second console" : pace->name);
}

static void measure_keys(struct bench *bench, const struct pace *pace) {
    static const char *const FILTERS[] = {"status:declined type:card_only amount>=5000", "bank:fox !rail:card", "abcd"};
    struct series filter = {0}, sort = {0}, cursor = {0}, page = {0}, plain_cursor = {0}, plain_page = {0};
    set_pace(bench, pace);
    open_both(bench);
    read_ahead(bench);
    for (int i = 0; i < ROUNDS; i++) {
        in_turn(bench, "j", STEPS, &cursor, &plain_cursor);
        in_turn(bench, PAGE_DOWN, PAGES, &page, &plain_page);
        (void)press(bench->console, "g");
        (void)press(bench->list, "g");
    }
    for (size_t i = 0; i < COUNT_OF(FILTERS); i++)
        type_filter(bench, FILTERS[i], &filter);
    for (int i = 0; i < 24; i++) { /* up, down, off, then the next column */
        keep_writing(bench);
        if (i % 3 == 0)
            (void)press(bench->console, "l");
        double ms = press(bench->console, "s");
        if (ms > 0)
            add(&sort, ms);
    }
    print_times("cursor", &cursor, pace->judged ? 2 : 0);
    print_times("  the plain list's", &plain_cursor, 0);
    print_times("page", &page, pace->judged ? 5 : 0);
    print_times("  the plain list's", &plain_page, 0);
    print_times("a key in /", &filter, pace->judged ? 16 : 0);
    print_times("a sort", &sort, pace->judged ? 16 : 0);
    hold(bench, "cursor to the plain list's", &cursor, &plain_cursor, 6);
    hold(bench, "page to the plain list's", &page, &plain_page, 2.5);
    hold(bench, "a key in / to the plain page", &filter, &plain_page, 8);
    hold(bench, "a sort to the plain page", &sort, &plain_page, 8);
    leave(bench->console);
    leave(bench->list);
}

int main(int argc, char **argv) {
    struct bench bench = {.alone = argc > 1 && !strcmp(argv[1], "alone")};
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    fill(&bench.small, "1000");
    fill(&bench.big, "100000");
    measure_starts(&bench);
    static const struct pace PACES[] = {
        {"a second console writes, its service 50 ms away:", "path=/intent/list delay=50", true},
        {"a second console writes as fast as this machine's own service serves it:", NULL, false},
    };
    for (size_t i = 0; i < (bench.alone ? 1 : COUNT_OF(PACES)); i++)
        measure_keys(&bench, &PACES[i]);
    if (bench.writing)
        (void)proc_end(&bench.writer);
    (void)service_stop(&bench.small);
    (void)service_stop(&bench.big);
    printf("bench-small: %s\n", bench.beyond ? "a ratio is beyond its limit" : "every ratio is held");
    return bench.beyond;
}
