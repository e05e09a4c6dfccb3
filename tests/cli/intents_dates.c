/* Where the profile names parameters for times, a window goes to the service, a little wider than asked, and is looked
 * at again here; where it names none, all of it is done here. Both give the same intents. */
#include "base/mem.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_sent_gives_what_a_window_kept_gives),
        cmocka_unit_test(the_window_is_sent_only_where_it_is_named),
        cmocka_unit_test(the_console_says_who_does_which_part),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
