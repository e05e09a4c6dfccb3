/* Schema watch: what the service sends beyond the interface document is counted per profile and listed. */
#include "base/mem.h"
#include "support/console.h"
#include "support/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct service service;

static int start(void **state) {
    (void)state;
    return console_serve(&service, (const char *const[]){"--intents", "20", NULL}, "") ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    (void)service_stop(&service);
    return 0;
}

static void post(const char *target, const char *body) {
    struct http_reply reply;
    assert_true(service_control(&service, "POST", target, body, &reply));
    assert_int_equal(reply.status, 201);
    http_reply_clear(&reply);
}

static char *run(const char *const args[]) {
    struct proc proc;
    int status = console_run(&service, args, &proc);
    if (status != 0)
        print_error("exit %d, said: %s\n", status, proc.err.s);
    assert_int_equal(status, 0);
    char *text = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    return text;
}

static char *unknown(void) {
    return run((const char *const[]){"cache", "stats", "--unknown", NULL});
}

static void read_all(void) {
    free(run((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}));
}

/* How often a line of the list says that this was seen; -1: not in it. */
static int seen(const char *text, const char *kind, const char *name) {
    for (const char *line = text; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        size_t kind_len = strlen(kind), name_len = strlen(name);
        const char *at = line + kind_len + strspn(line + kind_len, " ");
        if (strncmp(line, kind, kind_len) == 0 && at > line + kind_len && strncmp(at, name, name_len) == 0 &&
            at[name_len] == ' ')
            return (int)strtol(at + name_len, NULL, 10);
    }
    return -1;
}

static void nothing_is_listed_of_a_service_as_documented(void **state) {
    (void)state;
    read_all();
    char *text = unknown();
    assert_string_equal(text, "nothing beyond the interface was seen\n");
    free(text);
}

static void variation_f2_f3_unknown_fields_and_values_are_counted_and_listed(void **state) {
    (void)state;
    post("/control/intents", "{\"fee\":12,\"merchant\":{\"name\":\"x\",\"city\":\"y\"}}");
    post("/control/intents", "{\"fee\":13,\"status\":\"frozen\"}");
    post("/control/intents", "{\"type\":\"wallet\",\"dispute\":{\"anything\":1}}");
    post("/control/intents?raw=1", "{\"id\":\"raw-1\",\"status\":\"pending\",\"transactions\":[{\"id\":\"t\",\"fx\":1},"
                                   "{\"fx\":2,\"status\":\"reversed\"}],\"a\\u001b[2Jb\":1}");
    read_all();
    char *text = unknown();
    assert_int_equal(seen(text, "field", "fee"), 2);
    assert_int_equal(seen(text, "field", "merchant"), 1);
    assert_int_equal(seen(text, "field", "merchant.name"), -1);
    assert_int_equal(seen(text, "field", "transactions[].fx"), 2);
    assert_int_equal(seen(text, "field", "a<1B>[2Jb"), 1);
    assert_int_equal(seen(text, "status", "frozen"), 1);
    assert_int_equal(seen(text, "type", "wallet"), 1);
    assert_int_equal(text_count(text, "\n"), 6);
    assert_null(strchr(text, '\x1b'));
    free(text);
    read_all();
    text = unknown();
    assert_int_equal(seen(text, "field", "fee"), 4);
    assert_int_equal(seen(text, "status", "frozen"), 2);
    free(text);
}

static void a_flood_of_names_is_bounded_and_counted_as_others(void **state) {
    (void)state;
    struct str body;
    str_init(&body, 1 << 20);
    for (int i = 0; i < 6; i++) {
        str_reset(&body);
        str_add(&body, "{\"zz\":0");
        for (int j = 0; j < 150; j++)
            str_addf(&body, ",\"k%d\":%d", i * 150 + j, j);
        str_add_char(&body, '}');
        post("/control/intents", body.s);
    }
    read_all();
    char *text = unknown();
    assert_in_range(text_count(text, "\nfield "), 400, 520);
    assert_true(seen(text, "field", "(others)") > 300);
    free(text);
    str_clear(&body);
}

static void purged_it_is_empty_again(void **state) {
    (void)state;
    free(run((const char *const[]){"cache", "purge", NULL}));
    char *text = unknown();
    assert_string_equal(text, "nothing beyond the interface was seen\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_listed_of_a_service_as_documented),
        cmocka_unit_test(variation_f2_f3_unknown_fields_and_values_are_counted_and_listed),
        cmocka_unit_test(a_flood_of_names_is_bounded_and_counted_as_others),
        cmocka_unit_test(purged_it_is_empty_again),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
