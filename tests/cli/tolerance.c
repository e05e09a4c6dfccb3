/* The real program before every other kind of service that the sandbox can play (variations A to D): told by the
 * profile where it must be, tolerant where it need not. What is listed equals what the plain service lists, byte for
 * byte. */
#include "base/mem.h"
#include "support/console.h"
#include "support/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ALL_MAX = 64 << 20, ARGS_MAX = 24, INTENTS = 230 };

static const char *const LIST_ALL[] = {"intents", "list", "--all", "--format", "ndjson", NULL};
static const char *const LIST_SOME[] = {"intents",  "list",     "--all",   "--format", "ndjson",    "--status",
                                        "declined", "--status", "pending", "--type",   "card_only", NULL};

/* What the plain service lists. */
static char *all, *some;

/* A service of these words, `--style` or `--fault` before each as it holds a blank or not, and a profile for it. */
static void play(struct service *service, const char *const styles[], const char *api) {
    const char *args[ARGS_MAX] = {"--intents", "230", "--page-size", "100"};
    size_t n = 4;
    struct str more;
    str_init(&more, 64 << 10);
    for (size_t i = 0; styles[i] && n + 2 < ARGS_MAX; i++) {
        args[n++] = strchr(styles[i], ' ') ? "--fault" : "--style";
        args[n++] = styles[i];
    }
    assert_true(service_start(service, args));
    str_addf(&more, "  api {\n%s\n  }\n", api);
    assert_true(console_configure(service, service->url, more.s));
    str_clear(&more);
}

static void start_bursar(const struct service *service, const char *const args[], struct proc *proc) {
    const char *argv[ARGS_MAX];
    char *program = proc_program("bursar");
    size_t n = 0;
    argv[n++] = program;
    for (size_t i = 0; args[i] && n + 1 < ARGS_MAX; i++)
        argv[n++] = args[i];
    argv[n] = NULL;
    assert_true(proc_start(proc, argv, console_env(service)));
    free(program);
}

static char *list(const struct service *service, const char *const args[], char **said) {
    struct proc proc;
    int status = console_run(service, args, &proc);
    if (status != 0)
        print_error("exit %d, said: %s\n", status, proc.err.s);
    assert_int_equal(status, 0);
    char *rows = mem_dup(proc.out.s);
    if (said)
        *said = mem_dup(proc.err.s);
    (void)proc_end(&proc);
    return rows;
}

static int start(void **state) {
    (void)state;
    struct service service;
    play(&service, (const char *const[]){NULL}, "");
    all = list(&service, LIST_ALL, NULL);
    some = list(&service, LIST_SOME, NULL);
    assert_int_equal(text_count(all, "\n"), INTENTS);
    assert_in_range(text_count(some, "\n"), 2, INTENTS / 4);
    return service_stop(&service);
}

static int stop(void **state) {
    (void)state;
    free(all);
    free(some);
    return 0;
}

/* Last line first. */
static char *turned(const char *lines) {
    struct str out;
    str_init(&out, ALL_MAX);
    for (size_t end = strlen(lines); end > 0;) {
        size_t begin = end - 1;
        while (begin > 0 && lines[begin - 1] != '\n')
            begin--;
        str_add_n(&out, lines + begin, end - begin);
        end = begin;
    }
    return str_take(&out);
}

struct kind {
    const char *styles[6];
    const char *api;             /* lines of the profile's api block */
    const char *sent, *sent_too; /* both in one line of the journal; NULL: not looked at */
    bool oldest_first;
};

static void lists_as_the_plain_one(const struct kind *kind) {
    struct service service;
    char *said;
    play(&service, kind->styles, kind->api);
    char *expected = kind->oldest_first ? turned(all) : mem_dup(all);
    char *expected_some = kind->oldest_first ? turned(some) : mem_dup(some);
    char *rows = list(&service, LIST_ALL, &said);
    if (strcmp(rows, expected) != 0)
        print_error("%s: %zu rows of %d, said: %s\n", kind->styles[0], text_count(rows, "\n"), INTENTS, said);
    assert_string_equal(rows, expected);
    assert_non_null(strstr(said, "230 intents; end of the list"));
    free(rows);
    free(said);
    rows = list(&service, LIST_SOME, &said);
    if (strcmp(rows, expected_some) != 0 || strstr(said, "did not apply"))
        print_error("%s: filtered %zu rows, said: %s\n", kind->styles[0], text_count(rows, "\n"), said);
    assert_string_equal(rows, expected_some);
    assert_null(strstr(said, "did not apply"));
    if (kind->sent && service_journal_count(&service, kind->sent, kind->sent_too) == 0)
        fail_msg("%s: no request with %s and %s", kind->styles[0], kind->sent, kind->sent_too);
    free(rows);
    free(said);
    free(expected);
    free(expected_some);
    assert_int_equal(service_stop(&service), 0);
}

static void walk(const struct kind *kinds, size_t n) {
    for (size_t i = 0; i < n; i++)
        lists_as_the_plain_one(&kinds[i]);
}

static void b1_b2_every_filter_style_gives_exactly_the_matching_ones(void **state) {
    (void)state;
    static const struct kind KINDS[] = {
        {{"filter=brackets"},
         "filter_status_style = brackets",
         "status%5B%5D=declined&status%5B%5D=pending",
         "",
         false},
        {{"filter=indexed"},
         "filter_status_style = indexed",
         "status%5B0%5D=declined&status%5B1%5D=pending",
         "",
         false},
        {{"filter=comma"}, "filter_status_style = comma", "status=declined,pending", "", false},
        {{"filter=json"}, "filter_status_style = json", "status=%5B%22declined%22%2C%22pending%22%5D", "", false},
        {{"status_param=filter.state", "type_param=filter[flow]", "list_path=/v2/intents"},
         "filter_status = 'filter.state'\nfilter_type = 'filter[flow]'\nlist_path = '/v2/intents'",
         "filter.state=declined&filter.state=pending",
         "filter%5Bflow%5D=card_only",
         false},
    };
    walk(KINDS, COUNT_OF(KINDS));
}

static void b6_a16_parameters_and_a_body_of_the_profile_go_along(void **state) {
    (void)state;
    static const struct kind KINDS[] = {
        {{"limit_param=limit"}, "list_extra = {'limit=17'}", "limit=17", "&cursor=", false},
        {{"end=null"}, "list_body = empty_object", "\"body_bytes\":2", "", false},
    };
    walk(KINDS, COUNT_OF(KINDS));
}

static void a1_a6_every_end_of_the_list_is_one(void **state) {
    (void)state;
    static const struct kind KINDS[] = {
        {{"end=absent"}, "", NULL, NULL, false},
        {{"end=empty"}, "", NULL, NULL, false},
        {{"end=false"}, "", NULL, NULL, false},
        {{"end=extra"}, "", NULL, NULL, false},
    };
    walk(KINDS, COUNT_OF(KINDS));
    struct service service;
    play(&service, (const char *const[]){"end=empty", NULL}, "");
    free(list(&service, LIST_ALL, NULL));
    assert_int_equal(service_journal_count(&service, "cursor=\"", ""), 0);
    assert_int_equal(service_journal_count(&service, "cursor=&", ""), 0);
    assert_int_equal(service_journal_count(&service, "\"path\":\"/intent/list\"", ""), 3);
    assert_int_equal(service_stop(&service), 0);
}

static void a2_has_more_false_ends_a_list_that_still_has_a_cursor(void **state) {
    (void)state;
    static const struct kind KINDS[] = {
        {{"has_more=has_more", "end=extra"}, "", NULL, NULL, false},
        {{"has_more=page.more", "end=extra"}, "list_has_more = 'page.more'", NULL, NULL, false},
    };
    walk(KINDS, COUNT_OF(KINDS));
    struct service service;
    play(&service, (const char *const[]){"has_more=page.more", "end=extra", NULL}, "list_has_more = 'page.more'");
    free(list(&service, LIST_ALL, NULL));
    assert_int_equal(service_journal_count(&service, "\"path\":\"/intent/list\"", ""), 3);
    assert_int_equal(service_stop(&service), 0);
}

static void a7_a8_cursors_come_back_as_they_were_served(void **state) {
    (void)state;
    static const struct kind KINDS[] = {
        {{"cursor=special"}, "", "%253D%26%20%23%C3%A9", "", false},
        {{"path=/intent/list cursor=odd count=2"}, "", "%253D%26cursor%3Dx%23%1B%5B2J%20%C3%A9%E2%80%AE", "", false},
        {{"cursor=long"}, "", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "", false},
        {{"cursor=number"}, "", NULL, NULL, false},
        {{"cursor_param=page[after]"}, "cursor_param = 'page[after]'", "page%5Bafter%5D=", "", false},
    };
    walk(KINDS, COUNT_OF(KINDS));
}

static void a9_a_link_to_the_next_page_is_followed_at_home(void **state) {
    (void)state;
    static const struct kind KINDS[] = {
        {{"cursor=url"}, "", NULL, NULL, false},
        {{"cursor=relative"}, "", NULL, NULL, false},
        {{"next=link"}, "list_next = 'header:Link'", NULL, NULL, false},
        {{"next=header:X-Next", "cursor=url"}, "list_next = 'header:x-next'", NULL, NULL, false},
        {{"path=/intent/list cursor=foreign count=2"}, "", NULL, NULL, false},
    };
    walk(KINDS, COUNT_OF(KINDS));
}

static void a10_rows_and_cursor_stand_where_the_profile_says(void **state) {
    (void)state;
    static const struct kind KINDS[] = {
        {{"data=result.items", "next=result.page.after", "has_more=result.page.more"},
         "list_data = 'result.items'\nlist_next = 'result.page.after'\nlist_has_more = 'result.page.more'",
         NULL,
         NULL,
         false},
        {{"data=", "next=header:X-Next"}, "list_data = ''\nlist_next = 'header:X-Next'", NULL, NULL, false},
        {{"data=", "next=link"}, "list_data = ''\nlist_next = 'header:Link'", NULL, NULL, false},
    };
    walk(KINDS, COUNT_OF(KINDS));
}

static void a15_the_services_order_is_kept(void **state) {
    (void)state;
    static const struct kind KINDS[] = {{{"order=oldest"}, "", NULL, NULL, true}};
    walk(KINDS, COUNT_OF(KINDS));
}

static void a3_a4_a5_a_walk_that_leads_nowhere_ends_by_itself(void **state) {
    (void)state;
    static const struct {
        const char *rule, *says;
        size_t rows;
    } WALKS[] = {
        {"path=/intent/list cursor=repeat", "the service repeats a cursor", 200},
        {"path=/intent/list cursor=cycle", "the service repeats a cursor", 200},
        {"path=/intent/list cursor=fresh", "pages bring nothing new", 100},
        {"path=/intent/list cursor=blank", "pages bring nothing new", 0},
    };
    for (size_t i = 0; i < COUNT_OF(WALKS); i++) {
        struct service service;
        struct proc proc;
        play(&service, (const char *const[]){WALKS[i].rule, NULL}, "");
        int status = console_run(&service, LIST_ALL, &proc);
        if (status != 8 || !strstr(proc.err.s, WALKS[i].says) || text_count(proc.out.s, "\n") != WALKS[i].rows) {
            print_error("%s: exit %d, %zu rows, said: %s\n", WALKS[i].rule, status, text_count(proc.out.s, "\n"),
                        proc.err.s);
        }
        assert_int_equal(status, 8);
        assert_non_null(strstr(proc.err.s, WALKS[i].says));
        assert_int_equal(text_count(proc.out.s, "\n"), WALKS[i].rows);
        assert_true(service_journal_count(&service, "\"path\":\"/intent/list\"", "") <= 5);
        (void)proc_end(&proc);
        assert_int_equal(service_stop(&service), 0);
    }
}

static void a4_rows_of_a_walk_cut_short_are_not_put_in_order(void **state) {
    static const char *const SORTED[] = {"intents", "list", "--all", "--sort=amount", "--format", "ndjson", NULL};
    (void)state;
    struct service service;
    struct proc proc;
    play(&service, (const char *const[]){"path=/intent/list cursor=cycle", NULL}, "");
    assert_int_equal(console_run(&service, SORTED, &proc), 8);
    assert_string_equal(proc.out.s, "");
    assert_non_null(strstr(proc.err.s, "the service repeats a cursor; nothing is printed"));
    (void)proc_end(&proc);
    assert_int_equal(service_stop(&service), 0);
}

static void variation_f6_cached_rows_stand_by_instant_and_not_by_text(void **state) {
    (void)state;
    static const char *const POSTED[] = {
        "{\"id\":\"third\",\"created_at\":\"2026-01-02T02:00:00+05:00\"}",
        "{\"id\":\"first\",\"created_at\":\"2026-01-01T23:30:00-01:00\"}",
        "{\"id\":\"fourth\",\"created_at\":1767300000}",
        "{\"id\":\"second\",\"created_at\":\"2026-01-02 00:00:00.5Z\"}",
    };
    struct service service;
    play(&service, (const char *const[]){NULL}, "");
    assert_true(service_restart(&service, (const char *const[]){"--intents", "0", NULL}));
    assert_true(console_configure(&service, service.url, ""));
    for (size_t i = 0; i < COUNT_OF(POSTED); i++) {
        struct http_reply reply;
        assert_true(service_control(&service, "POST", "/control/intents?raw=1", POSTED[i], &reply));
        assert_int_equal(reply.status, 201);
        http_reply_clear(&reply);
    }
    char *rows = list(&service, LIST_ALL, NULL);
    const char *const cached_all[] = {"intents", "list", "--all", "--cached", "--format", "ndjson", NULL};
    char *cached = list(&service, cached_all, NULL);
    assert_int_equal(text_count(rows, "\n"), 4);
    assert_int_equal(text_count(cached, "\n"), 4);
    const char *first = strstr(cached, "first"), *second = strstr(cached, "second"), *third = strstr(cached, "third"),
               *fourth = strstr(cached, "fourth");
    assert_true(first && second && third && fourth);
    assert_true(first < second && second < third && third < fourth);
    free(rows);
    free(cached);
    assert_int_equal(service_stop(&service), 0);
}

/* ---- filters that do nothing ---- */

static void b5_a_service_that_does_not_know_the_style_is_caught(void **state) {
    (void)state;
    struct service service;
    char *said;
    play(&service, (const char *const[]){"filter=brackets", "unknown=ignore", NULL}, "");
    char *rows = list(&service, LIST_SOME, &said);
    assert_string_equal(rows, some);
    assert_non_null(strstr(said, "the service did not apply the filter; "));
    assert_non_null(strstr(said, " rows that do not match were left out"));
    free(rows);
    free(said);
    assert_int_equal(service_stop(&service), 0);
}

static void b5_on_no_rows_the_query_is_said(void **state) {
    (void)state;
    struct service service;
    char *said;
    play(&service, (const char *const[]){"unknown=empty", NULL}, "");
    char *rows = list(
        &service,
        (const char *const[]){"intents", "list", "--status", "frozen", "--type", "primary", "--format", "ndjson", NULL},
        &said);
    assert_string_equal(rows, "");
    assert_non_null(strstr(said, "0 intents; end of the list"));
    assert_non_null(strstr(said, "status:frozen type:primary"));
    free(rows);
    free(said);
    rows = list(&service, LIST_SOME, &said);
    assert_null(strstr(said, "status:declined"));
    free(rows);
    free(said);
    assert_int_equal(service_stop(&service), 0);
}

static void b4_a_value_that_the_service_refuses_is_said_in_its_words(void **state) {
    (void)state;
    struct service service;
    struct proc proc;
    play(&service, (const char *const[]){NULL}, "");
    assert_int_equal(console_run(&service, (const char *const[]){"intents", "list", "--status", "frozen", NULL}, &proc),
                     4);
    assert_non_null(strstr(proc.err.s, "400"));
    assert_non_null(strstr(proc.err.s, "The value of this parameter is not known"));
    (void)proc_end(&proc);
    assert_int_equal(service_stop(&service), 0);
}

/* ---- errors ---- */

static void c1_c2_c3_c4_c7_every_shape_of_error_is_read(void **state) {
    (void)state;
    static const char words[] = "The value of this parameter is not known";
    static const struct {
        const char *styles[3];
        const char *says[3];
    } SHAPES[] = {
        {{"error=nested"}, {words, "invalid_parameter"}},
        {{"error=message"}, {words}},
        {{"error=error_message"}, {words}},
        {{"error=detail"}, {words}},
        {{"error=oauth"}, {words}},
        {{"error=problem"}, {words}},
        {{"error=errors"}, {words, "status"}},
        {{"error=embedded"}, {words, "status"}},
        {{"error=details"}, {words, "status"}},
        {{"error=fields"}, {words, "status"}},
        {{"error=loc"}, {words, "status"}},
        {{"error=code"}, {"invalid_parameter"}},
        {{"error=null"}, {"the request was not valid"}},
        {{"error=text"}, {words, "not JSON"}},
        {{"error=html"}, {"not JSON"}},
        {{"error=empty"}, {"the request was not valid"}},
        {{"error=bom"}, {words}},
        {{"error=echo"}, {words}},
        {{"request_id=X-Request-Id"}, {"req_00000001"}},
        {{"request_id=body:meta.supportId"}, {"req_00000001"}},
    };
    for (size_t i = 0; i < COUNT_OF(SHAPES); i++) {
        struct service service;
        struct proc proc;
        play(&service, SHAPES[i].styles, "");
        int status = console_run(&service, (const char *const[]){"intents", "list", "--status", "frozen", NULL}, &proc);
        for (size_t j = 0; j < COUNT_OF(SHAPES[i].says) && SHAPES[i].says[j]; j++)
            if (!strstr(proc.err.s, SHAPES[i].says[j]))
                fail_msg("%s: does not say %s: %s", SHAPES[i].styles[0], SHAPES[i].says[j], proc.err.s);
        assert_int_equal(status, 4);
        assert_non_null(strstr(proc.err.s, "400"));
        assert_null(strstr(proc.err.s, service.token));
        (void)proc_end(&proc);
        assert_int_equal(service_stop(&service), 0);
    }
}

/* ---- rate limits ---- */

/* Services of all kinds and a walk before each, waiting side by side. */
static void walks_wait_and_go_on(const char *const kinds[][4], size_t n) {
    struct service *services = mem_new_array(n, sizeof *services);
    struct proc *procs = mem_new_array(n, sizeof *procs);
    for (size_t i = 0; i < n; i++)
        play(&services[i], kinds[i], "");
    for (size_t i = 0; i < n; i++)
        start_bursar(&services[i], LIST_ALL, &procs[i]);
    for (size_t i = 0; i < n; i++) {
        assert_true(proc_wait(&procs[i], PROC_DEADLINE));
        if (procs[i].status != 0 || !strstr(procs[i].err.s, "the service asks to wait; going on in "))
            print_error("%s: exit %d, said: %s\n", kinds[i][0], procs[i].status, procs[i].err.s);
        assert_int_equal(procs[i].status, 0);
        assert_non_null(strstr(procs[i].err.s, "the service asks to wait; going on in "));
        assert_string_equal(procs[i].out.s, all);
        assert_true(service_journal_count(&services[i], "\"status\":429", "") > 0);
        assert_true(service_journal_count(&services[i], "\"status\":429", "") < 7);
        (void)proc_end(&procs[i]);
        (void)service_stop(&services[i]);
    }
    free(services);
    free(procs);
}

static void variation_d1_d2_d3_d4_d6_a_throttled_walk_waits_and_goes_on(void **state) {
    (void)state;
    static const char *const KINDS[][4] = {
        {"rate_style=seconds", "rate=1", "rate_window=2"},
        {"rate_style=decimal", "rate=1", "rate_window=2"},
        {"rate_style=date", "rate=1", "rate_window=2"},
        {"rate_style=rfc850", "rate=1", "rate_window=2"},
        {"rate_style=asctime", "rate=1", "rate_window=2"},
        {"rate_style=reset_seconds", "rate=1", "rate_window=2"},
        {"rate_style=reset_epoch", "rate=1", "rate_window=2"},
        {"rate_style=reset_ms", "rate=1", "rate_window=2"},
        {"rate_style=reset_iso", "rate=1", "rate_window=2"},
        {"rate_style=reset_date", "rate=1", "rate_window=2"},
        {"rate_style=structured", "rate=1", "rate_window=2"},
        {"rate_style=none", "rate=1", "rate_window=2"},
        {"path=/intent/list nth=2 retry_after=0"},
        {"path=/intent/list nth=2 retry_after=0.2"},
        {"path=/intent/list nth=2 retry_after=-5"},
        {"path=/intent/list nth=2 retry_after=soon"},
        {"path=/intent/list nth=2 retry_after=\"Sun, 06 Nov 1994 08:49:37 GMT\""},
    };
    walks_wait_and_go_on(KINDS, COUNT_OF(KINDS));
}

static void variation_d5_a_wait_of_an_hour_is_said_and_not_waited_for(void **state) {
    (void)state;
    struct service service;
    struct proc proc;
    play(&service, (const char *const[]){"rate=2", "rate_window=3600", NULL}, "");
    assert_int_equal(console_run(&service, LIST_ALL, &proc), 5);
    assert_int_equal(text_count(proc.out.s, "\n"), 200);
    assert_non_null(strstr(proc.err.s, "429"));
    assert_non_null(strstr(proc.err.s, "Ask again in 60 min"));
    assert_int_equal(service_journal_count(&service, "\"status\":429", ""), 1);
    (void)proc_end(&proc);
    assert_int_equal(service_stop(&service), 0);
}

/* A wait beyond any sense is neither waited for nor taken for none. */
static void f63_a_wait_beyond_sense_is_said_and_ends(void **state) {
    (void)state;
    static const char *const VALUES[] = {"9999999999", "99999999999999999999"};
    for (size_t i = 0; i < COUNT_OF(VALUES); i++) {
        struct service service;
        struct proc proc;
        char rule[128];
        (void)snprintf(rule, sizeof rule, "path=/intent/list nth=2 retry_after=%s", VALUES[i]);
        play(&service, (const char *const[]){rule, NULL}, "");
        assert_int_equal(console_run(&service, LIST_ALL, &proc), 5);
        assert_non_null(strstr(proc.err.s, "It asks for a wait of more than a day"));
        assert_int_equal(service_journal_count(&service, "\"status\":429", ""), 1);
        (void)proc_end(&proc);
        assert_int_equal(service_stop(&service), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(b1_b2_every_filter_style_gives_exactly_the_matching_ones),
        cmocka_unit_test(b6_a16_parameters_and_a_body_of_the_profile_go_along),
        cmocka_unit_test(a1_a6_every_end_of_the_list_is_one),
        cmocka_unit_test(a2_has_more_false_ends_a_list_that_still_has_a_cursor),
        cmocka_unit_test(a7_a8_cursors_come_back_as_they_were_served),
        cmocka_unit_test(a9_a_link_to_the_next_page_is_followed_at_home),
        cmocka_unit_test(a10_rows_and_cursor_stand_where_the_profile_says),
        cmocka_unit_test(a3_a4_a5_a_walk_that_leads_nowhere_ends_by_itself),
        cmocka_unit_test(a4_rows_of_a_walk_cut_short_are_not_put_in_order),
        cmocka_unit_test(variation_f6_cached_rows_stand_by_instant_and_not_by_text),
        cmocka_unit_test(a15_the_services_order_is_kept),
        cmocka_unit_test(b4_a_value_that_the_service_refuses_is_said_in_its_words),
        cmocka_unit_test(b5_a_service_that_does_not_know_the_style_is_caught),
        cmocka_unit_test(b5_on_no_rows_the_query_is_said),
        cmocka_unit_test(c1_c2_c3_c4_c7_every_shape_of_error_is_read),
        cmocka_unit_test(variation_d1_d2_d3_d4_d6_a_throttled_walk_waits_and_goes_on),
        cmocka_unit_test(variation_d5_a_wait_of_an_hour_is_said_and_not_waited_for),
        cmocka_unit_test(f63_a_wait_beyond_sense_is_said_and_ends),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
