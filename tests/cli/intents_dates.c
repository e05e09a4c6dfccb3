/* Where the profile names parameters for times, a window goes to the service, a little wider than asked, and is looked
 * at again here; where it names none, all of it is done here. Both give the same intents. */
#include "base/mem.h"
#include "support/listing.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static const char NAMED[] = "api { filter_after = \"from\" filter_before = \"until\" }";

static int start(void **state) {
    (void)state;
    return service_start(&service, (const char *const[]){"--intents", "400", "--style", "after_param=from", "--style",
                                                         "before_param=until", NULL})
               ? 0
               : -1;
}

static char *list(const char *more, const char *filter) {
    struct proc proc;
    assert_true(console_configure(&service, service.url, more));
    int code = console_run(
        &service, (const char *const[]){"intents", "list", filter, "--all", "--format", "ndjson", NULL}, &proc);
    if (code != 0)
        fail_msg("exit %d: %s", code, proc.err.s);
    char *text = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    return text;
}

static void a_window_sent_gives_what_a_window_kept_gives(void **state) {
    static const char *const FILTERS[] = {"created>=2026-06-01", "created:2026-05-01..2026-05-31 status:approved",
                                          "created<2026-06-02T10:00Z amount>=1000"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(FILTERS); i++) {
        char *kept = list("", FILTERS[i]), *sent = list(NAMED, FILTERS[i]);
        assert_true(strlen(kept) > 0);
        assert_string_equal(kept, sent);
        free(kept);
        free(sent);
    }
}

static void the_window_is_sent_only_where_it_is_named(void **state) {
    (void)state;
    int before = service_journal_count(&service, "from=", "");
    free(list("", "created>=2026-06-10"));
    assert_int_equal(service_journal_count(&service, "from=", ""), before);
    free(list(NAMED, "created>=2026-06-10"));
    assert_true(service_journal_count(&service, "from=2026-06-09T23%3A59%3A59.999Z", "") > 0);
}

static void the_console_says_who_does_which_part(void **state) {
    int status;
    (void)state;
    assert_true(console_configure(&service, service.url, NAMED));
    struct pty *pty = console_open(&service, 24, 160);
    assert_true(pty_expect(pty, "read so far", 20));
    pty_feed(pty, "/created>=2026-06-10 amount>0\r");
    assert_true(pty_expect(pty, "server[created>=2026-06-10] local[created>=2026-06-10 amount>0]", 20));
    assert_true(pty_expect(pty, "all there are", 20));
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, 20, &status));
    pty_free(pty);
}

/* ---- Business days ---- */

#define ZURICH "CET-1CEST,M3.5.0,M10.5.0/3"

static char *run_for(int status, const char *const args[]) {
    struct proc proc;
    int code = console_run(&service, args, &proc);
    if (code != status)
        fail_msg("exit %d: %s", code, proc.err.s);
    char *text = mem_dup(status == 0 ? proc.out.s : proc.err.s);
    (void)proc_end(&proc);
    return text;
}

/* Column, filter and count mean the same day. */
static void a_business_day_is_one_day_everywhere(void **state) {
    enum { DATE = 10, DAYS = 12 };
    char filter[64], line[128];
    (void)state;
    assert_true(console_configure(&service, service.url, "timezone = '" ZURICH "'\n day_ends = '17:00'"));
    char *rows = run_for(0, (const char *const[]){"intents", "list", "--all", "--columns", "business_date,id,created",
                                                  "--format", "csv", NULL});
    char *counts = run_for(0, (const char *const[]){"intents", "stats", "--over", "day", "--format", "csv", NULL});
    size_t days = 0, before_17 = 0, after_17 = 0;
    for (const char *at = strchr(counts, '\n') + 1; strlen(at) > DATE && days < DAYS; at = strchr(at, '\n') + 1) {
        (void)snprintf(filter, sizeof filter, "created:%.10s", at);
        char *found = run_for(0, (const char *const[]){"intents", "list", "--cached", "--all", filter, "--columns",
                                                       "id", "--format", "csv", NULL});
        (void)snprintf(line, sizeof line, "\r\n%.10s,", at);
        assert_int_equal(text_count(rows, line), text_count(found, "\n") - 1);
        assert_int_equal(atoi(at + DATE + 1), text_count(rows, line));
        free(found);
        days++;
    }
    assert_int_equal(days, DAYS);
    for (const char *at = strstr(rows, "\r\n"); at && at[2]; at = strstr(at + 2, "\r\n")) {
        const char *created = strchr(strchr(at, ',') + 1, ',') + 1;
        bool same = strncmp(at + 2, created, DATE) == 0;
        int hour = atoi(created + DATE + 1);
        before_17 += same && hour < 15; /* UTC; in summer two hours behind */
        after_17 += !same && hour >= 15;
        if (strncmp(created, "2026-06", 7) == 0 || strncmp(created, "2026-05", 7) == 0)
            assert_int_equal(same, hour < 15);
    }
    assert_true(before_17 > 0 && after_17 > 0);
    free(rows);
    free(counts);
}

static void times_of_a_table_are_in_the_zone_that_its_heading_names(void **state) {
    (void)state;
    assert_true(console_configure(&service, service.url, ""));
    char *utc = run_for(0, (const char *const[]){"intents", "list", "--cached", "--limit", "1", NULL});
    char *zone = run_for(0, (const char *const[]){"--tz", ZURICH, "intents", "list", "--cached", "--limit", "1", NULL});
    assert_non_null(strstr(utc, "created (UTC)"));
    assert_non_null(strstr(zone, "created (" ZURICH ")"));
    assert_null(strstr(utc, "+02:00"));
    assert_non_null(strstr(zone, "+02:00"));
    free(utc);
    free(zone);
}

static void a_zone_that_nobody_knows_is_refused(void **state) {
    (void)state;
    assert_true(console_configure(&service, service.url, ""));
    char *text = run_for(2, (const char *const[]){"--tz", "Atlantis/Nowhere", "intents", "list", "--cached", NULL});
    assert_non_null(strstr(text, "this machine knows no zone \"Atlantis/Nowhere\""));
    free(text);
    free(run_for(2, (const char *const[]){"--tz", "", "intents", "list", "--cached", NULL}));
    assert_true(console_configure(&service, service.url, "timezone = 'Atlantis/Nowhere'"));
    text = run_for(2, (const char *const[]){"intents", "list", "--cached", NULL});
    assert_non_null(strstr(text, "timezone"));
    free(text);
    assert_true(console_configure(&service, service.url, "day_ends = '24:00'"));
    text = run_for(2, (const char *const[]){"intents", "list", "--cached", NULL});
    assert_non_null(strstr(text, "no time from 00:00 to 23:59"));
    free(text);
}

/* A file of ids and business dates matches as a whole in the zone that gave the dates, and in no other. */
static void a_day_of_a_matched_file_is_a_business_day(void **state) {
    static const char HEAD[] = "id,created\r\n";
    char path[4096 + 16];
    (void)state;
    assert_true(console_configure(&service, service.url, "timezone = '" ZURICH "'\n day_ends = '17:00'"));
    char *rows = run_for(0, (const char *const[]){"intents", "list", "--cached", "--all", "--columns",
                                                  "id,business_date", "--format", "csv", NULL});
    assert_memory_equal(rows, "id,business_date", 16);
    char *from = strchr(rows, '\n') + 1 - (sizeof HEAD - 1);
    memcpy(from, HEAD, sizeof HEAD - 1);
    (void)snprintf(path, sizeof path, "%s/days.csv", service.folder);
    assert_true(proc_write_file(path, from));
    free(rows);
    free(run_for(0, (const char *const[]){"intents", "match", path, "--on", "id", NULL}));
    char *said = run_for(9, (const char *const[]){"--tz", "UTC", "intents", "match", path, "--on", "id", NULL});
    assert_non_null(strstr(said, "a day of the file is one of UTC, days end at 17:00, and so is a time"));
    free(said);
    assert_true(console_configure(&service, service.url, "day_ends = '17:00'"));
    free(run_for(0, (const char *const[]){"--tz", ZURICH, "intents", "match", path, "--on", "id", NULL}));
    assert_true(console_configure(&service, service.url, ""));
}

/* Times shown in UTC leave the days to the zone of --tz, as to that of a profile. */
static void in_the_console_tz_takes_the_place_of_the_profiles_zone(void **state) {
    static const char *const ways[] = {"timezone = '" ZURICH "'", ""};
    enum { LAST_BUT_ONE = 22 };
    char *shown[COUNT_OF(ways)];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        assert_true(console_configure(&service, service.url, ways[i]));
        const char *const args[] = {i == 0 ? NULL : "--tz", ZURICH, NULL};
        const struct pty_options options = {.rows = 24, .cols = 160};
        struct pty *pty = console_open_args(&service, args, &options);
        assert_true(pty_expect(pty, "read so far", 20));
        pty_feed(pty, "tt");
        assert_true(pty_expect(pty, "times UTC", 20));
        pty_feed(pty, "/created:2026-05-31\r");
        assert_true(pty_expect(pty, "filter: local[created:2026-05-31]", 20));
        assert_true(pty_expect(pty, " of 2 ", 20));
        pty_settle(pty, 100);
        shown[i] = mem_dup(pty_row(pty, LAST_BUT_ONE));
        console_leave(pty);
    }
    assert_non_null(strstr(shown[0], "1 of 2 ")); /* one of them on the day before by UTC */
    assert_string_equal(shown[0], shown[1]);
    free(shown[0]);
    free(shown[1]);
    assert_true(console_configure(&service, service.url, ""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_sent_gives_what_a_window_kept_gives),
        cmocka_unit_test(the_window_is_sent_only_where_it_is_named),
        cmocka_unit_test(the_console_says_who_does_which_part),
        cmocka_unit_test(a_business_day_is_one_day_everywhere),
        cmocka_unit_test(times_of_a_table_are_in_the_zone_that_its_heading_names),
        cmocka_unit_test(a_zone_that_nobody_knows_is_refused),
        cmocka_unit_test(a_day_of_a_matched_file_is_a_business_day),
        cmocka_unit_test(in_the_console_tz_takes_the_place_of_the_profiles_zone),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
