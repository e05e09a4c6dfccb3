/* A bank's list against what is cached, with the real program: files made from the sandbox's intents, with every kind
 * of difference put in by hand; and sums made a second time from the listing. */
#include "base/mem.h"
#include "support/listing.h"
#include "support/one_service.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INTENTS = 1200, PATH_BYTES = 4096, LINE_MAX_BYTES = 4096 };

static struct made {
    char id[64], created[32], currency[8], status[16];
    long long amount;
} intents[INTENTS];
static size_t n_intents;
static char table[PATH_BYTES];

static int run(const char *const args[], struct proc *proc) {
    return console_run(&service, args, proc);
}

static void expect(const char *const args[], int status, struct proc *proc) {
    int got = run(args, proc);
    if (got != status)
        fail_msg("exit %d, not %d: %s", got, status, proc->err.s);
}

static const char FILTER[] = "currency:EUR,JPY,KWD amount<100000000";
enum { STRANGERS = 7, OUTCOMES = 5, CODES = 3 };
static const char *const NAMES[OUTCOMES] = {"matched", "differing", "ambiguous", "only-file", "only-here"};
static const struct {
    const char *code;
    int exponent;
} CURRENCIES[CODES] = {{"EUR", 2}, {"JPY", 0}, {"KWD", 3}};
/* What the file was made to come to. */
static struct expected {
    size_t rows[OUTCOMES], intents[OUTCOMES];
    long long sums[OUTCOMES][CODES][2]; /* in the file, here */
} expected;

static size_t currency_of(const struct made *made) {
    size_t i = 0;
    while (i < CODES - 1 && strcmp(CURRENCIES[i].code, made->currency) != 0)
        i++;
    return i;
}

static void count_row(int outcome, const struct made *made, long long amount) {
    expected.rows[outcome]++;
    expected.sums[outcome][currency_of(made)][0] += amount;
}

static void count_intent(int outcome, const struct made *made) {
    expected.intents[outcome]++;
    expected.sums[outcome][currency_of(made)][1] += made->amount;
}

static void write_row(FILE *to, const struct made *made, const char *id, long long amount, const char *status) {
    int exponent = CURRENCIES[currency_of(made)].exponent;
    long long scale = 1;
    for (int i = 0; i < exponent; i++)
        scale *= 10;
    (void)fprintf(to, "%s;%.10s;%lld", id, made->created, amount / scale);
    if (exponent > 0)
        (void)fprintf(to, ",%0*lld", exponent, amount % scale);
    (void)fprintf(to, ";%s;%s;note\r\n", made->currency, status);
}

enum { MATCHED, DIFFERING, AMBIGUOUS, ONLY_FILE, ONLY_HERE, KINDS = 10 };

static void write_made(FILE *to, const struct made *made, size_t kind) {
    static const int OUTCOME[KINDS] = {ONLY_HERE, DIFFERING, DIFFERING, AMBIGUOUS};
    int outcome = kind < 4 ? OUTCOME[kind] : MATCHED;
    count_intent(outcome, made);
    if (outcome == ONLY_HERE)
        return;
    long long amount = made->amount + (kind == 1);
    for (int i = 0; i <= (outcome == AMBIGUOUS); i++) {
        count_row(outcome, made, amount);
        write_row(to, made, made->id, amount, kind == 2 ? "settled" : made->status);
    }
}

/* With semicolons and decimal commas, as a bank of such a country sends it. */
static bool write_table(void) {
    (void)snprintf(table, sizeof table, "%s/bank.csv", service.folder);
    FILE *to = fopen(table, "w");
    if (!to)
        return false;
    (void)fprintf(to, "Payment ID;Booking date;Amount;Currency;Status;Purpose\r\n");
    for (size_t i = 0; i < n_intents; i++)
        write_made(to, &intents[i], i % KINDS);
    for (int i = 0; i < STRANGERS; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "stranger%d", i);
        count_row(ONLY_FILE, &intents[i], 500);
        write_row(to, &intents[i], id, 500, "approved");
    }
    return fclose(to) == 0;
}

/* The listing of ids, times, amounts, currencies and statuses: none of these needs quotes. */
static void take_listing(char *text) {
    for (char *line = strsep(&text, "\n"); line && n_intents < INTENTS; line = strsep(&text, "\n")) {
        struct made *made = &intents[n_intents];
        n_intents += sscanf(line, "%63[^,],%31[^,],%lld,%*[^,],%7[^,],%15[a-z]", made->id, made->created, &made->amount,
                            made->currency, made->status) == 5;
    }
}

static int start(void **state) {
    (void)state;
    struct proc proc;
    if (!console_serve(&service, (const char *const[]){"--intents", "1200", NULL}, "  amount_unit = minor\n") ||
        run((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, &proc) != 0)
        return -1;
    (void)proc_end(&proc);
    if (run((const char *const[]){"intents", "list", FILTER, "--cached", "--all", "--format", "csv", "--columns",
                                  "id,created,amount,currency,status", NULL},
            &proc) != 0)
        return -1;
    take_listing(proc.out.s);
    (void)proc_end(&proc);
    return n_intents > 100 && write_table() ? 0 : -1;
}

static void every_kind_of_difference_is_found_and_counted(void **state) {
    (void)state;
    struct proc proc;
    size_t lines[OUTCOMES] = {0};
    expect((const char *const[]){"intents", "match", table, FILTER, "--on", "id", "--format", "csv", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "can be read two ways"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "match", table, FILTER, "--on", "id", "--amounts", "major", "--decimal",
                                 "comma", "--format", "csv", NULL},
           9, &proc);
    for (char *text = proc.out.s, *line; (line = strsep(&text, "\n"));)
        for (int i = 0; i < OUTCOMES; i++)
            lines[i] += strncmp(line, NAMES[i], strlen(NAMES[i])) == 0;
    for (int i = 0; i < OUTCOMES; i++) {
        size_t intents_alone = i == AMBIGUOUS || i == ONLY_HERE ? expected.intents[i] : 0;
        assert_int_equal(lines[i], expected.rows[i] + intents_alone);
    }
    assert_non_null(strstr(proc.err.s, "columns that are not compared: Purpose"));
    assert_non_null(strstr(proc.err.s, "separated by semicolons"));
    assert_non_null(strstr(proc.err.s, "1,200 cached intents; that is all of them"));
    (void)proc_end(&proc);
}

static void assert_said(const char *text, const char *format, ...) {
    char part[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(part, sizeof part, format, args);
    va_end(args);
    if (!strstr(text, part))
        fail_msg("no %s in\n%s", part, text);
}

static void the_sums_equal_a_second_computation(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"intents", "match", table, FILTER, "--on", "id", "--amounts", "major", "--decimal",
                                 "comma", "--format", "json", NULL},
           9, &proc);
    for (int i = 0; i < OUTCOMES; i++) {
        assert_said(proc.out.s, "{\"outcome\":\"%s\",\"rows\":%zu,\"intents\":%zu,\"sums\":[", NAMES[i],
                    expected.rows[i], expected.intents[i]);
        const char *sums = strstr(strstr(proc.out.s, "\"summary\""), NAMES[i]);
        for (int code = 0; code < CODES; code++) {
            for (int here = 0; here < 2; here++) {
                if (expected.sums[i][code][here] == 0)
                    continue;
                char side[64];
                (void)snprintf(side, sizeof side, "{\"side\":\"%s\",\"currency\":\"%s\"", here ? "here" : "file",
                               CURRENCIES[code].code);
                const char *at = strstr(sums, side);
                assert_non_null(at);
                assert_int_equal(strtoll(strstr(at, "\"sum\":") + strlen("\"sum\":"), NULL, 10),
                                 expected.sums[i][code][here]);
            }
        }
    }
    (void)proc_end(&proc);
}

static void assert_each_line_is_an_object(const char *lines) {
    for (const char *end; *lines; lines = end + 1) {
        end = strchr(lines, '\n');
        assert_non_null(end);
        if (*lines != '{' || end[-1] != '}')
            fail_msg("not an object by itself: %.*s", (int)(end - lines), lines);
    }
}

/* The same unit on either side of a line. */
static void a_line_has_one_unit(void **state) {
    (void)state;
    struct proc proc;
    char path[PATH_BYTES + 16], row[256];
    const struct made *made = intents;
    while (currency_of(made) != 0)
        made++;
    (void)snprintf(row, sizeof row, "id,amount,currency\n%s,7,EUR\n", made->id);
    (void)snprintf(path, sizeof path, "%s/one.csv", service.folder);
    assert_true(proc_write_file(path, row));
    expect((const char *const[]){"intents", "match", path, FILTER, "--on", "id", "--amounts", "raw", NULL}, 9, &proc);
    assert_said(proc.out.s, "line 2  0.07 EUR  %s", made->id);
    assert_said(proc.out.s, "amount 0.07 in the file, ");
    (void)proc_end(&proc);
}

/* Partners by what both sides know, where there is no id of ours. */
static void partners_are_found_without_an_id(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"intents", "match", table, FILTER, "--on", "amount,currency,created~1d", "--amounts",
                                 "major", "--decimal", "comma", "--format", "ndjson", NULL},
           9, &proc);
    assert_each_line_is_an_object(proc.out.s);
    assert_true(text_count(proc.out.s, "{\"outcome\":\"only-file\",\"line\":") >= STRANGERS);
    assert_true(text_count(proc.out.s, "{\"outcome\":\"matched\",\"line\":") > n_intents / 10);
    (void)proc_end(&proc);
}

static void what_matches_whole_ends_with_0(void **state) {
    (void)state;
    struct proc proc;
    char all[PATH_BYTES + 16];
    expect((const char *const[]){"intents", "list", "--cached", "--all", "--format", "csv", NULL}, 0, &proc);
    (void)snprintf(all, sizeof all, "%s/all.csv", service.folder);
    assert_true(proc_write_file(all, proc.out.s));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "match", all, "--on", "id", "--amounts", "raw", NULL}, 0, &proc);
    assert_said(proc.out.s, "matched                 1200      1200  ");
    assert_non_null(strstr(proc.out.s, "differing                  0         0"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "match", all, "status:declined", "--on", "id", "--amounts", "raw",
                                 "--limit", "3", NULL},
           9, &proc);
    assert_non_null(strstr(proc.out.s, "more; --limit N or --all prints them"));
    (void)proc_end(&proc);
}

static void expect_said(const char *const args[], int status, const char *said) {
    struct proc proc;
    expect(args, status, &proc);
    assert_said(proc.err.s, "%s", said);
    assert_int_equal(proc.out.len, 0);
    (void)proc_end(&proc);
}

static void what_cannot_be_used_is_said(void **state) {
    (void)state;
    char path[PATH_BYTES + 16];
    (void)snprintf(path, sizeof path, "%s/odd.csv", service.folder);
    expect_said((const char *const[]){"intents", "match", table, NULL}, 2, "--on FIELDS is needed");
    expect_said((const char *const[]){"intents", "match", "/nowhere.csv", "--on", "id", NULL}, 1, "/nowhere.csv");
    assert_true(proc_write_file(path, ""));
    expect_said((const char *const[]){"intents", "match", path, "--on", "id", NULL}, 2, "odd.csv: the file is empty");
    assert_true(proc_write_file(path, "who,what\nme,that\n"));
    expect_said((const char *const[]){"intents", "match", path, "--on", "id", NULL}, 2, "no column is id");
    assert_true(proc_write_file(path, "id\nx\n"));
    expect_said((const char *const[]){"intents", "match", path, "no:such", "--on", "id", NULL}, 2,
                "no field is called");
}

/* Without anything read, all of the file is only in the file; that intents were never read is said. */
static void without_intents_it_says_that_nothing_was_read(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"cache", "purge", NULL}, 0, &proc);
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "match", table, "--on", "id", "--amounts", "major", "--decimal", "comma",
                                 NULL},
           9, &proc);
    assert_non_null(strstr(proc.err.s, "may be among intents that were not read; bursar intents list --all"));
    assert_non_null(strstr(proc.err.s, "in 0 cached intents; nothing was read yet"));
    (void)proc_end(&proc);
}

/* An id that ends in what nobody sees is another intent's than the one without it. */
static void f104_an_id_is_matched_with_what_nobody_sees_of_it(void **state) {
    (void)state;
    static const char BODY[] = "{\"data\":[{\"id\":\"pay_1\\u200f\"},{\"id\":\"pay_1\"},{\"id\":\"pay_2\\u200b\"}],"
                               "\"next_cursor\":null}";
    struct proc proc;
    char path[PATH_BYTES], rule[2 * PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/odd.json", service.folder);
    (void)snprintf(rule, sizeof rule, "path=/intent/list status=200 body_file=%s", path);
    assert_true(proc_write_file(path, BODY));
    service_rule(&service, rule);
    expect((const char *const[]){"intents", "list", NULL}, 0, &proc);
    (void)proc_end(&proc);
    service_rule(&service, NULL);
    (void)snprintf(path, sizeof path, "%s/odd.csv", service.folder);
    assert_true(proc_write_file(path, "id\n pay_1\u200f\u00a0\npay_2\u200b\n"));
    expect((const char *const[]){"intents", "match", path, "id:pay_", "--on", "id", "--format", "ndjson", NULL}, 9,
           &proc);
    assert_int_equal(text_count(proc.out.s, "\"outcome\":\"matched\",\"line\""), 2);
    assert_int_equal(text_count(proc.out.s, "\"outcome\":\"only-here\",\"line\""), 1);
    (void)proc_end(&proc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_difference_is_found_and_counted),
        cmocka_unit_test(the_sums_equal_a_second_computation),
        cmocka_unit_test(a_line_has_one_unit),
        cmocka_unit_test(partners_are_found_without_an_id),
        cmocka_unit_test(what_matches_whole_ends_with_0),
        cmocka_unit_test(what_cannot_be_used_is_said),
        cmocka_unit_test(without_intents_it_says_that_nothing_was_read),
        cmocka_unit_test(f104_an_id_is_matched_with_what_nobody_sees_of_it),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
