/* What a webhook URL may be: the classes of addresses, RFC 3986, and the slips of real tools (K43, K44, K74 to K80). */
#include "base/mem.h"
#include "model/endpoint.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BIT(finding) (1u << ENDPOINT_##finding)

static const struct {
    const char *text;
    unsigned findings;
} rows[] = {
    {"https://hook.example.com/in", 0},
    {"https://hook.example.com", 0},
    {"https://hook.example.com/", 0},
    {"https://hook.example.com:443/in", 0},
    {"HTTPS://HOOK.EXAMPLE.COM/In", 0},
    {"https://hook.example.com./in", 0},
    {"https://a.b.c.d.example.com/x/y/z", 0},
    {"https://hook.example.com/a//b/../c/./d", 0},
    {"https://hook.example.com/%2F%41%zz", 0},
    {"https://hook.example.com/in;v=1,2", 0},
    {"https://hook.example.com/(a)'b*!$&", 0},
    {"https://hook-1.example.com/_~.-", 0},
    {"https://93.184.215.14/in", 0},
    {"https://[2606:4700::1111]/in", 0},
    {"https://hook.example.com/in?a=1&b=%20", BIT(QUERY)},
    {"https://hook.example.com/in?", BIT(QUERY)},
    {"https://hook.example.com:8443/in", BIT(PORT)},
    {"https://hook.example.com:65535/in", BIT(PORT)},
    {"https://hook.example.com:0/in", BIT(PORT_ZERO)},
    {"https://hook.example.com:65536/in", BIT(MALFORMED)},
    {"https://hook.example.com:x/in", BIT(MALFORMED)},
    {"https://hook.example.com:-1/in", BIT(MALFORMED)},
    {"https://intranet/in", BIT(SINGLE_LABEL)},
    {"https://printer.local/in", BIT(LOCAL_NAME)},
    {"https://db.internal/in", BIT(LOCAL_NAME)},
    {"https://b\xC3\xBC"
     "cher.example.com/in",
     BIT(IDN)},
    {"https://xn--bcher-kva.example.com/in", BIT(PUNYCODE)},
    {"https://\xD0\xB0pple.example.com/", BIT(IDN)},
    {"http://hook.example.com/in", BIT(NOT_HTTPS)},
    {"ftp://hook.example.com/in", BIT(NOT_HTTPS)},
    {"wss://hook.example.com/in", BIT(NOT_HTTPS)},
    {"wss://https://http://a:b@c", BIT(NOT_HTTPS) | BIT(SINGLE_LABEL)},
    {"hook.example.com/in", BIT(MALFORMED)},
    {"//hook.example.com/in", BIT(MALFORMED)},
    {"https:/hook.example.com/in", BIT(MALFORMED)},
    {"https:///hook.example.com/in", BIT(MALFORMED)},
    {"https://", BIT(MALFORMED)},
    {"https:///", BIT(MALFORMED)},
    {"", BIT(MALFORMED)},
    {" https://hook.example.com/", BIT(MALFORMED)},
    {"https://hook.example.com/ ", BIT(MALFORMED)},
    {"https://hook.example.com/in\n", BIT(MALFORMED)},
    {"https://hook.example.com/a b", BIT(MALFORMED)},
    {"https://hook.example.com/\t", BIT(MALFORMED)},
    {"https://hook.example.com/\x1b[2J", BIT(MALFORMED)},
    {"https://hook.example.com/\xE2\x80\xAE", BIT(MALFORMED)},
    {"https://hook.exa\xE2\x80\x8Bmple.com/", BIT(MALFORMED)},
    {"https://hook.example.com/\xFF", BIT(MALFORMED)},
    {"https://hook.example.com\\@evil.example.com/", BIT(MALFORMED)},
    {"https://hook example.com/", BIT(MALFORMED)},
    {"https://hook..example.com/", BIT(MALFORMED)},
    {"https://.example.com/", BIT(MALFORMED)},
    {"https://hook!.example.com/", BIT(MALFORMED)},
    {"https://[::1", BIT(MALFORMED)},
    {"https://[::1%25eth0]/", BIT(MALFORMED)},
    {"https://[::ffff:1.2.3.4.5]/", BIT(MALFORMED)},
    {"javascript:alert(1)", BIT(MALFORMED)},
    {"https://user@hook.example.com/", BIT(USER)},
    {"https://user:word@hook.example.com/", BIT(USER)},
    {"https://:word@hook.example.com/", BIT(USER)},
    {"https://hook.example.com@93.184.215.14/", BIT(USER)},
    {"https://hook.example.com/#part", BIT(FRAGMENT)},
    {"https://hook.example.com/#", BIT(FRAGMENT)},
    {"https://localhost/in", BIT(ADDRESS)},
    {"https://LOCALHOST:8443/in", BIT(ADDRESS) | BIT(PORT)},
    {"https://x.localhost/in", BIT(ADDRESS)},
    {"https://127.0.0.1/in", BIT(ADDRESS)},
    {"https://127.1/in", BIT(ADDRESS)},
    {"https://0177.0.0.1/in", BIT(ADDRESS)},
    {"https://0x7f.0.0.1/in", BIT(ADDRESS)},
    {"https://2130706433/in", BIT(ADDRESS)},
    {"https://0x7f000001/in", BIT(ADDRESS)},
    {"https://127.0.0.1./in", BIT(ADDRESS)},
    {"https://%31%32%37.0.0.1/in", BIT(ADDRESS)},
    {"https://10.1.2.3/in", BIT(ADDRESS)},
    {"https://172.16.0.1/in", BIT(ADDRESS)},
    {"https://172.15.0.1/in", 0},
    {"https://172.32.0.1/in", 0},
    {"https://192.168.1.1/in", BIT(ADDRESS)},
    {"https://169.254.169.254/latest", BIT(ADDRESS)},
    {"https://100.64.0.1/in", BIT(ADDRESS)},
    {"https://100.63.255.255/in", 0},
    {"https://0.0.0.0/in", BIT(ADDRESS)},
    {"https://224.0.0.1/in", BIT(ADDRESS)},
    {"https://255.255.255.255/in", BIT(ADDRESS)},
    {"https://192.0.2.1/in", BIT(ADDRESS)},
    {"https://198.18.0.1/in", BIT(ADDRESS)},
    {"https://[::1]/in", BIT(ADDRESS)},
    {"https://[::]/in", BIT(ADDRESS)},
    {"https://[fe80::1]/in", BIT(ADDRESS)},
    {"https://[fd12:3456::1]/in", BIT(ADDRESS)},
    {"https://[2001:db8::1]/in", BIT(ADDRESS)},
    {"https://[::ffff:10.0.0.1]/in", BIT(ADDRESS)},
    {"https://[::ffff:93.184.215.14]/in", 0},
    {"https://[2002:7f00:1::]/in", BIT(ADDRESS)},
    {"https://[64:ff9b::7f00:1]/in", BIT(ADDRESS)},
    {"https://[ff02::1]/in", BIT(ADDRESS)},
};

static void every_row_has_its_findings(void **state) {
    (void)state;
    assert_true(COUNT_OF(rows) >= 60);
    int wrong = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct endpoint endpoint;
        endpoint_read(rows[i].text, &endpoint);
        if (endpoint.findings != rows[i].findings) {
            wrong++;
            print_error("row %zu, \"%s\": findings %x, not %x (%s)\n", i, rows[i].text, endpoint.findings,
                        rows[i].findings, endpoint.error.text);
        }
        endpoint_clear(&endpoint);
    }
    assert_int_equal(wrong, 0);
}

static void local_addresses_pass_only_where_they_may(void **state) {
    (void)state;
    struct error error = {0};
    assert_int_equal(endpoint_check("https://localhost:8443/in", true, &error), ERR_OK);
    assert_int_equal(endpoint_check("https://localhost:8443/in", false, &error), ERR_INVALID);
    assert_non_null(strstr(error.text, "loopback"));
    error_clear(&error);
    assert_int_equal(endpoint_check("http://localhost:8443/in", true, &error), ERR_INVALID);
    assert_int_equal(endpoint_check("https://hook.example.com:8443/in?x", false, NULL), ERR_OK);
}

static void every_class_of_addresses_is_known(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum address_class class;
    } addresses[] = {
        {"8.8.8.8", ADDRESS_PUBLIC},
        {"1.1.1.1", ADDRESS_PUBLIC},
        {"126.255.255.255", ADDRESS_PUBLIC},
        {"127.0.0.1", ADDRESS_LOOPBACK},
        {"127.255.255.255", ADDRESS_LOOPBACK},
        {"128.0.0.0", ADDRESS_PUBLIC},
        {"10.0.0.0", ADDRESS_PRIVATE},
        {"11.0.0.0", ADDRESS_PUBLIC},
        {"172.31.255.255", ADDRESS_PRIVATE},
        {"192.168.255.255", ADDRESS_PRIVATE},
        {"169.254.1.1", ADDRESS_LINK_LOCAL},
        {"169.254.169.254", ADDRESS_METADATA},
        {"100.127.255.255", ADDRESS_SHARED},
        {"100.128.0.0", ADDRESS_PUBLIC},
        {"100.100.100.200", ADDRESS_METADATA},
        {"0.1.2.3", ADDRESS_THIS_NETWORK},
        {"239.255.255.255", ADDRESS_MULTICAST},
        {"240.0.0.1", ADDRESS_RESERVED},
        {"198.19.255.255", ADDRESS_BENCHMARKING},
        {"198.20.0.0", ADDRESS_PUBLIC},
        {"203.0.113.9", ADDRESS_DOCUMENTATION},
        {"198.51.100.9", ADDRESS_DOCUMENTATION},
        {"192.0.0.8", ADDRESS_RESERVED},
        {"2606:4700::1111", ADDRESS_PUBLIC},
        {"::1", ADDRESS_LOOPBACK},
        {"::", ADDRESS_THIS_NETWORK},
        {"::127.0.0.1", ADDRESS_LOOPBACK},
        {"::ffff:192.168.0.1", ADDRESS_PRIVATE},
        {"64:ff9b::a00:1", ADDRESS_PRIVATE},
        {"64:ff9b:1::1", ADDRESS_PRIVATE},
        {"2002:a00:1::1", ADDRESS_PRIVATE},
        {"fd00:ec2::254", ADDRESS_METADATA},
        {"fd00::1", ADDRESS_UNIQUE_LOCAL},
        {"fe80::1", ADDRESS_LINK_LOCAL},
        {"fec0::1", ADDRESS_PRIVATE},
        {"ff02::1", ADDRESS_MULTICAST},
        {"2001:db8::1", ADDRESS_DOCUMENTATION},
        {"3fff:fff::1", ADDRESS_DOCUMENTATION},
        {"2001:2::1", ADDRESS_BENCHMARKING},
        {"2001::1", ADDRESS_RESERVED},
        {"100::1", ADDRESS_RESERVED},
        {"4000::1", ADDRESS_RESERVED},
        {"none", ADDRESS_RESERVED},
    };
    for (size_t i = 0; i < COUNT_OF(addresses); i++) {
        enum address_class class = address_class(addresses[i].text);
        if (class != addresses[i].class)
            fail_msg("%s is %s", addresses[i].text, address_class_words(class));
    }
}

static void an_international_name_is_told_in_both_forms(void **state) {
    (void)state;
    struct endpoint endpoint;
    struct str out;
    str_init(&out, 500);
    endpoint_read("https://b\xC3\xBC"
                  "cher.example.com/in",
                  &endpoint);
    endpoint_tell(&endpoint, ENDPOINT_IDN, &out);
    assert_non_null(strstr(out.s, "xn--bcher-kva.example.com"));
    endpoint_clear(&endpoint);
    str_clear(&out);
}

int main(void) {
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_its_findings),
        cmocka_unit_test(local_addresses_pass_only_where_they_may),
        cmocka_unit_test(every_class_of_addresses_is_known),
        cmocka_unit_test(an_international_name_is_told_in_both_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
