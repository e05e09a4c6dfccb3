/* The command line through a web server of the usual kind: TLS versions, HTTP versions, compression, and certificates
 * that must be refused before anything is sent. */
#include "base/mem.h"
#include "support/console.h"
#include "support/listing.h"
#include "support/tls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_MAX = 64 << 10 };

static struct service service;
static struct certs certs;

static int start(void **state) {
    (void)state;
    static const struct certs_leaf leaves[] = {
        {"good", "DNS:localhost,IP:127.0.0.1", CERTS_ROOT, NULL, NULL},
        {"chain", "DNS:localhost,IP:127.0.0.1", CERTS_INTERMEDIATE, NULL, NULL},
        {"expired", "DNS:localhost", CERTS_ROOT, "20220101000000Z", "20230101000000Z"},
        {"name", "DNS:elsewhere.test", CERTS_ROOT, NULL, NULL},
        {"foreign", "DNS:localhost", CERTS_OTHER_ROOT, NULL, NULL},
    };
    bool ok = nginx_is_there() && certs_new(&certs);
    for (size_t i = 0; ok && i < COUNT_OF(leaves); i++)
        ok = certs_leaf(&certs, &leaves[i]);
    return ok && service_start(&service, (const char *const[]){"--intents", "700", NULL}) ? 0 : -1;
}

static int stop(void **state) {
    (void)state;
    certs_free(&certs);
    return service_stop(&service);
}

/* nginx before the sandbox; `settings` go into its server block. The sandbox's journal gets what nginx saw. */
static void open_front(struct nginx *nginx, const char *leaf, const char *listen, const char *settings) {
    struct str block;
    str_init(&block, TEXT_MAX);
    str_addf(&block,
             "%s\nlocation / {\nproxy_pass %s;\nproxy_http_version 1.1;\nproxy_set_header Accept-Encoding \"\";\n"
             "proxy_set_header X-Seen \"$ssl_protocol $server_protocol\";\n}",
             settings, service.url);
    assert_true(nginx_start(nginx, &certs, leaf, listen, block.s));
    str_clear(&block);
}

static void configure(int port, const char *ca_file) {
    struct str url, more;
    str_init(&url, TEXT_MAX);
    str_addf(&url, "https://localhost:%d", port);
    str_init(&more, TEXT_MAX);
    if (ca_file)
        str_addf(&more, "  ca_file = '%s'\n", ca_file);
    assert_true(console_configure(&service, url.s, more.s));
    str_clear(&url);
    str_clear(&more);
}

static const char *const list_all[] = {"intents", "list", "--all", "--format", "ndjson", NULL};

static char *direct_rows(void) {
    struct proc proc;
    assert_true(console_configure(&service, service.url, ""));
    assert_int_equal(console_run(&service, list_all, &proc), 0);
    assert_int_equal(text_count(proc.out.s, "\n"), 700);
    char *rows = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    return rows;
}

static void same_rows_through(const char *leaf, const char *listen, const char *settings, const char *seen) {
    struct nginx nginx;
    struct proc proc;
    char *rows = direct_rows();
    open_front(&nginx, leaf, listen, settings);
    configure(nginx.port, certs.root);
    int before = service_journal_count(&service, seen, "/intent/list");
    int status = console_run(&service, list_all, &proc);
    if (status != 0)
        print_error("%s: exit %d: %s\n", seen, status, proc.err.s);
    assert_int_equal(status, 0);
    assert_string_equal(proc.out.s, rows);
    assert_int_equal(service_journal_count(&service, seen, "/intent/list"), before + 7);
    (void)proc_end(&proc);
    nginx_stop(&nginx);
    free(rows);
}

static void both_versions_of_tls_and_http_give_the_same_rows(void **state) {
    (void)state;
    same_rows_through("good", "ssl", "ssl_protocols TLSv1.2;", "TLSv1.2 HTTP/1.1");
    same_rows_through("good", "ssl", "ssl_protocols TLSv1.3;", "TLSv1.3 HTTP/1.1");
    same_rows_through("good", "ssl http2", "ssl_protocols TLSv1.2;", "TLSv1.2 HTTP/2.0");
    same_rows_through("good", "ssl http2", "ssl_protocols TLSv1.3;", "TLSv1.3 HTTP/2.0");
}

static void an_intermediate_authority_that_is_sent_along_is_enough(void **state) {
    (void)state;
    same_rows_through("chain", "ssl http2", "ssl_protocols TLSv1.3;", "TLSv1.3 HTTP/2.0");
}

/* Bytes of all answers' bodies by nginx's own account. */
static long bytes_sent(const struct nginx *nginx) {
    struct str path;
    long sum = 0;
    str_init(&path, TEXT_MAX);
    str_addf(&path, "%s/access.log", nginx->folder);
    char *text = proc_read_file(path.s);
    assert_non_null(text);
    for (const char *at = text; (at = strstr(at, "\" 200 ")); at += 6)
        sum += strtol(at + 6, NULL, 10);
    free(text);
    str_clear(&path);
    return sum;
}

static long bytes_of_listing(const char *settings) {
    struct nginx nginx;
    struct proc proc;
    char *rows = direct_rows();
    open_front(&nginx, "good", "ssl http2", settings);
    configure(nginx.port, certs.root);
    assert_int_equal(console_run(&service, list_all, &proc), 0);
    assert_string_equal(proc.out.s, rows);
    (void)proc_end(&proc);
    (void)proc_end(&nginx.proc);
    long bytes = bytes_sent(&nginx);
    nginx_stop(&nginx);
    free(rows);
    return bytes;
}

static void compressed_answers_give_the_same_rows(void **state) {
    (void)state;
    long plain = bytes_of_listing("");
    long packed = bytes_of_listing("gzip on;\ngzip_types application/json;\ngzip_min_length 1;");
    assert_true(packed > 0);
    assert_true(packed < plain / 3);
}

static void refused(const char *leaf, const char *ca_file, const char *words) {
    struct nginx nginx;
    struct proc proc;
    open_front(&nginx, leaf, "ssl http2", "");
    configure(nginx.port, ca_file);
    int before = service_journal_count(&service, "", "");
    int status = console_run(&service, list_all, &proc);
    if (status != 5 || !strstr(proc.err.s, words))
        print_error("%s: exit %d: %s\n", leaf, status, proc.err.s);
    assert_int_equal(status, 5);
    assert_non_null(strstr(proc.err.s, words));
    assert_string_equal(proc.out.s, "");
    assert_int_equal(service_journal_count(&service, "", ""), before);
    (void)proc_end(&proc);
    (void)proc_end(&nginx.proc);
    struct str path;
    str_init(&path, TEXT_MAX);
    str_addf(&path, "%s/access.log", nginx.folder);
    char *seen = proc_read_file(path.s);
    assert_true(!seen || !strstr(seen, "GET "));
    free(seen);
    str_clear(&path);
    nginx_stop(&nginx);
}

static void bad_certificates_are_refused_by_their_cause_and_nothing_is_sent(void **state) {
    (void)state;
    refused("expired", certs.root, "the certificate has expired");
    refused("name", certs.root, "the certificate is for another name");
    refused("foreign", certs.root, "an authority that is not known here");
    refused("good", NULL, "not known here");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_versions_of_tls_and_http_give_the_same_rows),
        cmocka_unit_test(an_intermediate_authority_that_is_sent_along_is_enough),
        cmocka_unit_test(compressed_answers_give_the_same_rows),
        cmocka_unit_test(bad_certificates_are_refused_by_their_cause_and_nothing_is_sent),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
