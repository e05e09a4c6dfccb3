/* URLs of an endpoint over the wire (faults W8, cases K43, K44, RFC 3986, the address classes): what is taken arrives
 * byte for byte, what is refused causes no connection. */
#include "base/mem.h"
#include "support/console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum taken { YES, IN_A_SANDBOX, NO };

static const struct {
    const char *url;
    enum taken taken;
} rows[] = {
    {"https://hook.example.com", YES},
    {"https://hook.example.com/", YES},
    {"https://hook.example.com/in", YES},
    {"https://hook.example.com/in/", YES},
    {"https://HOOK.Example.COM/In", YES},
    {"HTTPS://hook.example.com/in", YES},
    {"https://hook.example.com:443/in", YES},
    {"https://hook.example.com:8443/in", YES},
    {"https://hook.example.com:65535/in", YES},
    {"https://hook.example.com/a//b/../c/./d", YES},
    {"https://hook.example.com/%2F%41%7e", YES},
    {"https://hook.example.com/in?x=%20&y=", YES},
    {"https://hook.example.com/in?", YES},
    {"https://hook.example.com/in?next=https://other.example/a?b", YES},
    {"https://hook.example.com/in;v=1,2(a)'b*!$&", YES},
    {"https://hook.example.com/@user/x:y", YES},
    {"https://hook.example.com/in?mail=a@b.example", YES},
    {"https://hook.example.com/~tilde_-.", YES},
    {"https://xn--bcher-kva.example/in", YES},
    {"https://a.b.c.d.e.f.example.com/", YES},
    {"https://hook.example.com./in", YES},
    {"https://hook-1.example.com/in", YES},
    {"https://hook/in", YES},
    {"https://hook.internal/in", YES},
    {"https://8.8.8.8/in", YES},
    {"https://[2606:4700:4700::1111]/in", YES},
    {"https://localhost/in", IN_A_SANDBOX},
    {"https://127.0.0.1/in", IN_A_SANDBOX},
    {"https://127.1/in", IN_A_SANDBOX},
    {"https://0177.0.0.1/in", IN_A_SANDBOX},
    {"https://0x7f000001/in", IN_A_SANDBOX},
    {"https://2130706433/in", IN_A_SANDBOX},
    {"https://10.0.0.1/in", IN_A_SANDBOX},
    {"https://172.16.0.1/in", IN_A_SANDBOX},
    {"https://192.168.1.1:8443/in", IN_A_SANDBOX},
    {"https://169.254.1.1/in", IN_A_SANDBOX},
    {"https://169.254.169.254/latest", IN_A_SANDBOX},
    {"https://100.64.0.1/in", IN_A_SANDBOX},
    {"https://0.0.0.0/in", IN_A_SANDBOX},
    {"https://224.0.0.1/in", IN_A_SANDBOX},
    {"https://192.0.2.1/in", IN_A_SANDBOX},
    {"https://198.18.0.1/in", IN_A_SANDBOX},
    {"https://240.0.0.1/in", IN_A_SANDBOX},
    {"https://[::1]/in", IN_A_SANDBOX},
    {"https://[fe80::1]/in", IN_A_SANDBOX},
    {"https://[fc00::1]/in", IN_A_SANDBOX},
    {"https://[2001:db8::1]/in", IN_A_SANDBOX},
    {"https://[::ffff:127.0.0.1]/in", IN_A_SANDBOX},
    {"https://[64:ff9b::a00:1]/in", IN_A_SANDBOX},
    {"https://[2002:7f00:1::]/in", IN_A_SANDBOX},
    {"", NO},
    {"nonsense", NO},
    {"hook.example.com/in", NO},
    {"//hook.example.com/in", NO},
    {"/in", NO},
    {"https:", NO},
    {"https://", NO},
    {"https:///in", NO},
    {"http://hook.example.com/in", NO},
    {"ftp://hook.example.com/in", NO},
    {"file:///etc/passwd", NO},
    {"javascript:alert(1)", NO},
    {"wss://https://http://a:b@c", NO},
    {"https://user@hook.example.com/in", NO},
    {"https://user:pass@hook.example.com/in", NO},
    {"https://@hook.example.com/in", NO},
    {"https://hook.example.com/in#part", NO},
    {"https://hook.example.com/in#", NO},
    {"https://hook.example.com/in ", NO},
    {" https://hook.example.com/in", NO},
    {"https://hook.example.com/a b", NO},
    {"https://hook.example.com/in\n", NO},
    {"https://hook.example.com/\tin", NO},
    {"https://hook.example.com/\x1b[31m", NO},
    {"https://hook.example.com/\x7f", NO},
    {"https://hook.example.com:0/in", NO},
    {"https://hook.example.com:65536/in", NO},
    {"https://hook.example.com:x/in", NO},
    {"https://hook.example.com:-1/in", NO},
    {"https://ho ok.example.com/in", NO},
    {"https://[::1/in", NO},
    {"https://[zz::1]/in", NO},
    {"https://hook.exa%00mple.com/in", NO},
};

static struct service service;
static char *elsewhere; /* a configuration whose profile is no sandbox */

static int start(void **state) {
    (void)state;
    struct str text;
    if (!console_serve(&service, NULL, ""))
        return -1;
    str_init(&text, 8192);
    str_addf(&text, "%s/elsewhere", service.folder);
    elsewhere = str_take(&text);
    str_init(&text, 8192);
    str_addf(&text,
             "profile test {\n  environment = staging\n  base_url = 'https://127.0.0.1:%d'\n  token_file = '%s'\n"
             "  read_only = false\n}\n",
             service.port, service.token_file);
    bool made = proc_write_file(elsewhere, text.s) && chmod(elsewhere, S_IRUSR | S_IWUSR) == 0;
    str_clear(&text);
    return made ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    free(elsewhere);
    return service_stop(&service);
}

static int run(const char *url, bool sandbox) {
    struct proc proc = {0};
    const char *const here[] = {"webhook", "register", "--url", url, "--unsigned", "--yes", NULL};
    const char *const there[] = {"--config", elsewhere,    "webhook",       "register", "--url",
                                 url,        "--unsigned", "--yes=staging", NULL};
    int status = console_run(&service, sandbox ? here : there, &proc);
    assert_int_equal(proc.out.len, 0);
    assert_null(strchr(proc.err.s, '\x1b'));
    (void)proc_end(&proc);
    return status;
}

static bool is_registered(const char *url) {
    struct http_reply reply;
    struct str wanted;
    assert_true(service_control(&service, "GET", "/control/registration", NULL, &reply));
    str_init(&wanted, 8192);
    str_addf(&wanted, "\"url\":\"%s\"", url);
    bool found = strstr(reply.body.s, wanted.s) != NULL;
    str_clear(&wanted);
    http_reply_clear(&reply);
    return found;
}

static int requests(void) {
    return service_journal_count(&service, "/webhook/register", "");
}

static void taken_ones_arrive_byte_for_byte(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int before = requests();
        if (rows[i].taken == NO)
            continue;
        int status = run(rows[i].url, true);
        if (status != 0 || !is_registered(rows[i].url) || requests() != before + 1)
            fail_msg("%s: status %d, %d requests", rows[i].url, status, requests() - before);
    }
}

static void refused_ones_cause_no_request(void **state) {
    (void)state;
    int before = requests();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int status = rows[i].taken == NO ? run(rows[i].url, true) : 2;
        if (status != 2 || requests() != before)
            fail_msg("%s: status %d", rows[i].url, status);
    }
}

/* Where the service cannot be spoken to (it does not speak TLS), 3 or 6 would say that it was tried. */
static void local_addresses_are_refused_outside_a_sandbox(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int status = rows[i].taken == IN_A_SANDBOX ? run(rows[i].url, false) : 2;
        if (status != 2)
            fail_msg("%s: status %d", rows[i].url, status);
    }
    assert_int_not_equal(run("https://hook.example.com/in", false), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_ones_arrive_byte_for_byte),
        cmocka_unit_test(refused_ones_cause_no_request),
        cmocka_unit_test(local_addresses_are_refused_outside_a_sandbox),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
