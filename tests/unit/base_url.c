#include "base/mem.h"
#include "base/url.h"
#include "support/proc.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void an_address_comes_apart_as_written(void **state) {
    (void)state;
    struct url url;
    struct error error = {0};
    assert_int_equal(url_parse("https://op@API.Example.com:8443/a/../b%2F?x=1&y=%3D#frag", &url, &error), ERR_OK);
    assert_string_equal(url.scheme, "https");
    assert_string_equal(url.user, "op");
    assert_string_equal(url.host, "api.example.com");
    assert_string_equal(url.port, "8443");
    assert_string_equal(url.path, "/a/../b%2F");
    assert_string_equal(url.query, "x=1&y=%3D");
    assert_string_equal(url.fragment, "frag");
    assert_string_equal(url.origin, "https://api.example.com:8443");
    url_clear(&url);
    assert_int_equal(url_parse("http://h", &url, &error), ERR_OK);
    assert_null(url.user);
    assert_null(url.query);
    assert_null(url.fragment);
    url_clear(&url);
    url_clear(&url);
}

static void one_origin_has_one_spelling(void **state) {
    (void)state;
    static const struct {
        const char *text, *origin;
    } table[] = {
        {"HTTPS://H.example/x", "https://h.example:443"},
        {"https://h.example:443/", "https://h.example:443"},
        {"https://h.example:0443/", "https://h.example:443"},
        {"https://u:p@h.example", "https://h.example:443"},
        {"http://h.example", "http://h.example:80"},
        {"http://0177.0.0.1:8080", "http://127.0.0.1:8080"},
        {"http://[::1]", "http://[::1]:80"},
        {"https://bücher.example/", "https://xn--bcher-kva.example:443"},
        {"https://ＯＫ.example", "https://ok.example:443"},
        {"https://\u0430pple.example", "https://xn--pple-43d.example:443"},
        {"wss://h.example/", "wss://h.example"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct url url;
        struct error error = {0};
        if (url_parse(table[i].text, &url, &error) != ERR_OK)
            fail_msg("%s: %s", table[i].text, error.text);
        assert_string_equal(url.origin, table[i].origin);
        url_clear(&url);
    }
}

/* faults W8: refused before anything is sent, and the reason quotes nothing of it. */
static void assert_same_parts(const char *text, const struct url *a, const struct url *b) {
    const char *const parts[][2] = {{a->scheme, b->scheme},     {a->user, b->user},    {a->host, b->host},
                                    {a->port, b->port},         {a->path, b->path},    {a->query, b->query},
                                    {a->fragment, b->fragment}, {a->origin, b->origin}};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (!str_equal(parts[i][0], parts[i][1]))
            fail_msg("%s: part %zu is %s and %s", text, i, parts[i][0], parts[i][1]);
}

static bool is_loaded(const char *library) {
    char *maps = proc_read_file("/proc/self/maps");
    assert_non_null(maps);
    bool there = strstr(maps, library);
    free(maps);
    return there;
}

/* A scheme in capitals is libcurl's to read; what is in its normal form is read without it, and to the same parts. The
 * first test of this file: nothing has needed libcurl before. */
static void a_normal_address_is_what_libcurl_makes_of_it(void **state) {
    (void)state;
    static const char *const TEXTS[] = {
        "s://api.example.com", "://api.example.com/", "://127.0.0.1:8731", "s://127.0.0.1:443/v1",
        "s://h.example:65535/a/../b//c?cursor=a%2Fb%3D&x=&=y", "s://localhost/intent/list?status=a&status=b",
        "s://a-b.c-d.example:1/~x_y.z-/%00", "s://10.in-addr.example", "s://h/?/",
        /* and what is near it */
        "s://127.1/", "s://0177.0.0.1/", "s://127.0.0.1./", "s://1.2.3.256/", "s://h.example./", "s://h..example/",
        "s://.example/", "s://xn--bcher-kva.example/", "s://h.1x/", "s://h:0/", "s://h:080/", "s://h:65536/", "s://h:/",
        "s://h?x=1", "s://h/?", "s://h/%2f%2", "s://h/a?b?c#d", "s:///x", "s://u@h/", "s://h/a;b,c:d+e!'()*"};
    struct url url;
    assert_int_equal(url_parse("https://api.example.com:8443/v1/intent/list?cursor=c2%3D", &url, NULL), ERR_OK);
    url_clear(&url);
    assert_false(is_loaded("libcurl"));
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        struct url ours, theirs;
        char text[128], capitals[128];
        (void)snprintf(text, sizeof text, "http%s", TEXTS[i]);
        (void)snprintf(capitals, sizeof capitals, "HTTP%s", TEXTS[i]);
        assert_int_equal(url_parse(text, &ours, NULL), url_parse(capitals, &theirs, NULL));
        assert_same_parts(text, &ours, &theirs);
        url_clear(&ours);
        url_clear(&theirs);
    }
    assert_true(is_loaded("libcurl"));
}

static void what_is_no_address_is_refused_with_a_reason(void **state) {
    (void)state;
    static const char *const table[] = {
        "",
        "example.com/marker",
        "/marker",
        "https:",
        "https://",
        "https:/marker.example",
        "https:///marker.example",
        "https://?marker",
        "https://marker.example:99999/",
        "https://marker.example:12a/",
        "https://marker example/",
        "https://marker.example/a b",
        "https://marker.example/ ",
        " https://marker.example/",
        "https://marker.example/\n",
        "https://marker.example/\x1b[2J",
        "https://marker.example/\xE2\x80\xAE",
        "https://mar\xE2\x80\x8Bker.example/",
        "https://\xFF\xFE.example/marker",
        "https://marker.example\\@evil.example/",
        "https://%399/",
        "http://%31%32%37.1/",
        "https://0%78a/marker",
        "https://mark%2Fer.example/",
        "https://marker.example／evil.example/",
        "https://marker.example＠evil.example/",
        "https://marker.example？evil",
        "https://marker.example：80/",
        "https://mark℀er.example/",
        "https://marker..example/",
        "https://%2e%2e/marker",
        "https://[::marker]/",
        "https://[fe80::1%25eth0]/",
        "file:///marker",
        "javascript:marker",
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct url url;
        struct error error = {0};
        if (url_parse(table[i], &url, &error) != ERR_INVALID)
            fail_msg("accepted: %s", table[i]);
        assert_null(url.host);
        assert_null(url.origin);
        assert_true(strlen(error.text) > 20);
        assert_null(strstr(error.text, "marker"));
        url_clear(&url);
    }
}

static void a_host_and_a_port_alone_lack_the_scheme(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } table[] = {
        {"127.0.0.1:9443/hook", "no scheme such as https://"},
        {"hook.example.com:9443", "no scheme such as https://"},
        {"localhost:80?x", "no scheme such as https://"},
        {"hook.example.com/in", "no scheme such as https://"},
        {"https:/hook.example.com/in", "two slashes must follow the scheme"},
        {"https:1x", "two slashes must follow the scheme"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct url url;
        struct error error = {0};
        assert_int_equal(url_parse(table[i].text, &url, &error), ERR_INVALID);
        if (!strstr(error.text, table[i].says))
            fail_msg("%s: %s", table[i].text, error.text);
        url_clear(&url);
    }
}

static void credentials_are_seen_and_never_quoted(void **state) {
    (void)state;
    struct url url;
    struct error error = {0};
    assert_int_equal(url_parse("https://:hunter22@h.example/", &url, &error), ERR_OK);
    assert_string_equal(url.user, "");
    assert_null(strstr(url.origin, "hunter22"));
    url_clear(&url);
    assert_int_equal(url_parse("https://u:hunter22@h.example:x/", &url, &error), ERR_INVALID);
    assert_null(strstr(error.text, "hunter22"));
    url_clear(&url);
}

static void an_over_long_address_is_refused(void **state) {
    (void)state;
    struct str text;
    struct url url;
    struct error error = {0};
    str_init(&text, 100000);
    str_add(&text, "https://h.example/");
    str_add_repeat(&text, 'a', 4000);
    assert_int_equal(url_parse(text.s, &url, &error), ERR_OK);
    url_clear(&url);
    str_add_repeat(&text, 'a', 70000);
    assert_int_equal(url_parse(text.s, &url, &error), ERR_INVALID);
    url_clear(&url);
    str_clear(&text);
}

static void only_this_machine_is_loopback(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool loopback;
    } table[] = {
        {"http://127.0.0.1", true},
        {"http://127.255.3.9:1", true},
        {"http://127.1", true},
        {"http://0177.0.0.1", true},
        {"http://0x7f.1", true},
        {"http://2130706433", true},
        {"http://１２７.0.0.1", true},
        {"http://localhost:8080/x", true},
        {"http://LOCALHOST", true},
        {"http://[::1]:80", true},
        {"http://[0:0:0:0:0:0:0:1]", true},
        {"http://user@127.0.0.1", true},
        {"http://126.0.0.1", false},
        {"http://128.0.0.1", false},
        {"http://0.0.0.0", false},
        {"http://10.0.0.1", false},
        {"http://127.0.0.1.example.com", false},
        {"http://localhost.example.com", false},
        {"http://notlocalhost", false},
        {"http://127.0.0.1@evil.example", false},
        {"http://[::2]", false},
        {"http://[::]", false},
        {"http://[fe80::1]", false},
        {"http://[2001:db8::127.0.0.1]", false},
        {"http://example.com/127.0.0.1", false},
        {"http://example.com?localhost", false},
        {"http://example.com#@localhost", false},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct url url;
        struct error error = {0};
        if (url_parse(table[i].text, &url, &error) != ERR_OK)
            fail_msg("%s: %s", table[i].text, error.text);
        if (url_is_loopback(&url) != table[i].loopback)
            fail_msg("%s is%s loopback", table[i].text, table[i].loopback ? "" : " no");
        url_clear(&url);
    }
    struct url none = {0};
    assert_false(url_is_loopback(&none));
}

/* variations A7 */
static void a_value_is_encoded_exactly_once(void **state) {
    (void)state;
    struct str out;
    str_init(&out, 256);
    url_encode(&out, "aZ09-._~+/=&#% é%3D\0\n", 22);
    assert_string_equal(out.s, "aZ09-._~%2B%2F%3D%26%23%25%20%C3%A9%253D%00%0A");
    str_clear(&out);
}

static void joining_leaves_one_slash(void **state) {
    (void)state;
    static const struct {
        const char *base, *path, *expected;
    } table[] = {
        {"https://h", "/intent/list", "https://h/intent/list"},
        {"https://h/", "/intent/list", "https://h/intent/list"},
        {"https://h/v1//", "/intent/list", "https://h/v1/intent/list"},
        {"https://h/v1", "intent", "https://h/v1/intent"},
        {"https://h", "/", "https://h/"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct str out;
        str_init(&out, 256);
        url_join(&out, table[i].base, table[i].path);
        assert_string_equal(out.s, table[i].expected);
        str_clear(&out);
    }
}

/* variations A9 */
static void a_query_value_is_decoded_once(void **state) {
    (void)state;
    static const struct {
        const char *query, *name, *expected;
    } table[] = {
        {"cursor=abc", "cursor", "abc"},
        {"a=1&cursor=ab%253D%2Bc+d&b=2", "cursor", "ab%3D+c+d"},
        {"a=1&cursor=&b=2", "cursor", ""},
        {"a=1&cursor&b=2", "cursor", ""},
        {"cursor=x=y", "cursor", "x=y"},
        {"c%75rsor=1", "cursor", "1"},
        {"cursor=%zz%4", "cursor", "%zz%4"},
        {"cursor=%", "cursor", "%"},
        {"cursors=1&xcursor=2", "cursor", NULL},
        {"cursor=1&cursor=2", "cursor", "1"},
        {"cursor=a%00b", "cursor", NULL},
        {"&&cursor=1", "cursor", "1"},
        {"page%5Bafter%5D=9", "page[after]", "9"},
        {"", "cursor", NULL},
        {NULL, "cursor", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        char *value = url_query_value(table[i].query, table[i].name);
        if (!str_equal(value, table[i].expected))
            fail_msg("%s gave %s", table[i].query, value ? value : "(none)");
        free(value);
    }
}

static int utf8_everywhere(void **state) {
    (void)state;
    return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_normal_address_is_what_libcurl_makes_of_it),
        cmocka_unit_test(an_address_comes_apart_as_written),
        cmocka_unit_test(one_origin_has_one_spelling),
        cmocka_unit_test(what_is_no_address_is_refused_with_a_reason),
        cmocka_unit_test(a_host_and_a_port_alone_lack_the_scheme),
        cmocka_unit_test(credentials_are_seen_and_never_quoted),
        cmocka_unit_test(an_over_long_address_is_refused),
        cmocka_unit_test(only_this_machine_is_loopback),
        cmocka_unit_test(a_value_is_encoded_exactly_once),
        cmocka_unit_test(joining_leaves_one_slash),
        cmocka_unit_test(a_query_value_is_decoded_once),
    };
    return cmocka_run_group_tests(tests, utf8_everywhere, NULL);
}
