#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"
#include "model/webhook.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char secret[] = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
static const char body[] = "{\"id\":\"evt_1\",\"type\":\"intent.updated\",\"data\":{\"amount\":100,\"tags\":[]}}";
static const int64_t now = 1790000000000;

static struct headers headers;

static int clear(void **state) {
    (void)state;
    headers_clear(&headers);
    return 0;
}

/* Puts the headers that a sender of this scheme puts. */
static void signed_by(enum webhook_scheme scheme, const char *key, const char *text) {
    struct str value;
    str_init(&value, 1000);
    const struct webhook_message message = {"evt_1", "1790000000", text, strlen(text)};
    webhook_sign(scheme, key, strlen(key), &message, &value);
    if (scheme == WEBHOOK_STANDARD) {
        headers_add(&headers, "Webhook-Id", "evt_1");
        headers_add(&headers, "Webhook-Timestamp", "1790000000");
    }
    headers_add(&headers, scheme == WEBHOOK_STANDARD ? WEBHOOK_STANDARD_SIGNATURE : WEBHOOK_SIGNATURE, value.s);
    str_clear(&value);
}

static struct webhook_verdict explain(const char *key, const char *text, int64_t at) {
    const struct webhook_received received = {&headers, text, strlen(text)};
    struct webhook_verdict verdict;
    webhook_explain(key, strlen(key), &received, at, &verdict);
    return verdict;
}

/* Values made with openssl: printf '%s' TEXT | openssl dgst -sha256 -hmac KEY. */
static void signatures_are_those_of_another_program(void **state) {
    (void)state;
    struct str out;
    str_init(&out, 1000);
    const struct webhook_message message = {"msg_1", "1700000000", "{\"a\":1}", 7};
    const char key[] = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    webhook_sign(WEBHOOK_HMAC_HEX, key, strlen(key), &message, &out);
    assert_string_equal(out.s, "0644de49523cf2c6c385a72deab74a857df1aa5a4539f5b8fceeab5813730bc7");
    str_reset(&out);
    webhook_sign(WEBHOOK_HMAC_BASE64, key, strlen(key), &message, &out);
    assert_string_equal(out.s, "BkTeSVI88sbDhact6rdKhX3xqlpFOfW4/O6rWBNzC8c=");
    str_reset(&out);
    webhook_sign(WEBHOOK_STANDARD, key, strlen(key), &message, &out);
    assert_string_equal(out.s, "v1,rkwp5YuvdrMkcu0ZhuMsXoTg44mHAr1Q0+FFgFpXsjY=");
    str_clear(&out);
}

static void the_scheme_that_matches_is_named(void **state) {
    (void)state;
    for (int i = 0; i < WEBHOOK_SCHEME_COUNT; i++) {
        signed_by((enum webhook_scheme)i, secret, body);
        struct webhook_verdict verdict = explain(secret, body, now);
        assert_int_equal(verdict.result, WEBHOOK_VERIFIED);
        assert_int_equal(verdict.scheme, i);
        headers_clear(&headers);
    }
}

static void a_bare_value_and_named_parts_are_understood(void **state) {
    (void)state;
    struct str value;
    struct str sent;
    str_init(&value, 1000);
    str_init(&sent, 1000);
    const struct webhook_message message = {NULL, NULL, body, strlen(body)};
    webhook_sign(WEBHOOK_HMAC_HEX, secret, strlen(secret), &message, &value);
    static const char *const forms[] = {"%s", "sha256=%s", "t=1,v1=%s", "old, v1=%s"};
    for (size_t i = 0; i < 4; i++) {
        const char *mark = strstr(forms[i], "%s");
        str_reset(&sent);
        str_add_n(&sent, forms[i], (size_t)(mark - forms[i]));
        str_add(&sent, value.s);
        headers_add(&headers, "", sent.s);
        assert_int_equal(explain(secret, body, now).result, WEBHOOK_VERIFIED);
        headers_clear(&headers);
    }
    str_clear(&value);
    str_clear(&sent);
}

static void slips_with_the_secret_are_named(void **state) {
    (void)state;
    static const struct {
        const char *signing, *given, *says;
    } slips[] = {
        {"0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef\n", "line end"},
        {"0123456789abcdef0123456789abcdef\n", "0123456789abcdef0123456789abcdef", "line end"},
        {"0123456789abcdef0123456789abcdef", " 0123456789abcdef0123456789abcdef ", "blanks"},
        {"0123456789abcdef0123456789abcdef", "v1,0123456789abcdef0123456789abcdef", "v1,"},
    };
    for (size_t i = 0; i < 4; i++) {
        for (int scheme = 0; scheme < WEBHOOK_SCHEME_COUNT; scheme++) {
            signed_by((enum webhook_scheme)scheme, slips[i].signing, body);
            struct webhook_verdict verdict = explain(slips[i].given, body, now);
            assert_int_equal(verdict.result, WEBHOOK_SLIP);
            assert_non_null(strstr(verdict.secret_slip, slips[i].says));
            assert_null(verdict.body_slip);
            headers_clear(&headers);
        }
    }
}

static void a_body_written_anew_is_recognised(void **state) {
    (void)state;
    static const struct {
        const char *given, *says;
    } slips[] = {
        {"{\"id\": \"evt_1\", \"type\": \"intent.updated\", \"data\": {\"amount\": 100, \"tags\": []}}", "blanks"},
        {"{\n  \"id\": \"evt_1\",\n  \"type\": \"intent.updated\",\n  \"data\": {\n    \"amount\": 100,\n    "
         "\"tags\": []\n  }\n}\n",
         "blanks"},
        {"{\"id\":\"evt_1\",\"type\":\"intent.updated\",\"data\":{\"amount\":100,\"tags\":[]}}\n", "line end"},
    };
    for (size_t i = 0; i < 3; i++) {
        signed_by(WEBHOOK_HMAC_HEX, secret, body);
        struct webhook_verdict verdict = explain(secret, slips[i].given, now);
        assert_int_equal(verdict.result, WEBHOOK_SLIP);
        assert_null(verdict.secret_slip);
        assert_non_null(strstr(verdict.body_slip, slips[i].says));
        headers_clear(&headers);
    }
    for (size_t i = 0; i < 2; i++) {
        /* The other way round: sent with blanks, given without. */
        char *sent = strndup(slips[i].given, strlen(slips[i].given) - (i == 1));
        signed_by(WEBHOOK_STANDARD, secret, sent);
        assert_int_equal(explain(secret, body, now).result, WEBHOOK_SLIP);
        headers_clear(&headers);
        free(sent);
    }
}

static void a_stale_time_is_told_in_seconds(void **state) {
    (void)state;
    signed_by(WEBHOOK_STANDARD, secret, body);
    assert_int_equal(explain(secret, body, now + 300000).result, WEBHOOK_VERIFIED);
    struct webhook_verdict verdict = explain(secret, body, now + 301000);
    assert_int_equal(verdict.result, WEBHOOK_STALE);
    assert_int_equal(verdict.off_s, 301);
    assert_int_equal(explain(secret, body, now - 301000).off_s, -301);
    assert_int_equal(explain(secret, body, CLOCK_NONE).result, WEBHOOK_VERIFIED);
}

static void what_cannot_be_explained_is_said_so(void **state) {
    (void)state;
    signed_by(WEBHOOK_HMAC_BASE64, secret, body);
    assert_int_equal(explain("another-secret-of-thirty-two-chars", body, now).result, WEBHOOK_MISMATCH);
    headers_clear(&headers);
    headers_add(&headers, "X-Webhook-Signature", "hello");
    assert_int_equal(explain(secret, body, now).result, WEBHOOK_NO_SIGNATURE);
    headers_clear(&headers);
    headers_add(&headers, "webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    assert_int_equal(explain(secret, body, now).result, WEBHOOK_INCOMPLETE);
}

#define HEX64 "0644de49523cf2c6c385a72deab74a857df1aa5a4539f5b8fceeab5813730bc7"
#define HEX40 "0644de49523cf2c6c385a72deab74a857df1aa5a"
#define BASE43 "BkTeSVI88sbDhact6rdKhX3xqlpFOfW4/O6rWBNzC8c="

/* A form that no scheme here has says nothing of the secret, right or wrong. */
static void f73_a_form_that_is_not_known_is_said_to_be_so(void **state) {
    (void)state;
    static const char *const other[][2] = {
        {"X-Hub-Signature", "sha1=" HEX40},
        {"X-Signature", HEX40},
        {"X-Signature", "sha512=" HEX64 HEX64},
        {"X-Signature-512", HEX64 HEX64},
        {"Stripe-Like-Signature", "t=1492774577,v1=" HEX64},
        {"X-Slack-Like-Signature", "v0=" HEX64},
        {"webhook-signature", "v1a," BASE43 BASE43},
        {"webhook-signature", "v2," BASE43},
        {"Signature", "keyId=\"k\",algorithm=\"hmac-sha256\",signature=\"" BASE43 "\""},
        {"Signature", "sig1=:" BASE43 ":"},
        {"X-Jws-Signature", "eyJhbGciOiJIUzI1NiJ9..dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk"},
        {"", "md5=" HEX40},
        {"X-Signature", "sha1:" HEX40},
        {"X-Signature", "0x" HEX64},
    };
    static const char *const known[][2] = {
        {"X-Signature", HEX64},           {"X-Signature", "sha256=" HEX64}, {"X-Signature", BASE43},
        {"X-Signature", "SHA256=" HEX64}, {"X-Signature", "sha256:" HEX64}, {"", HEX64},
    };
    static const char key[] = "another-secret-of-thirty-two-chars";
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        headers_add(&headers, "X-Request-Id", "0644de49523cf2c6c385a72deab74a85");
        headers_add(&headers, other[i][0], other[i][1]);
        struct webhook_verdict verdict = explain(key, body, now);
        if (verdict.result != WEBHOOK_OTHER_FORM)
            fail_msg("%s: %s: %d", other[i][0], other[i][1], (int)verdict.result);
        assert_string_equal(verdict.header, other[i][0]);
        headers_clear(&headers);
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        headers_add(&headers, "X-Other-Signature", "sha1=" HEX40);
        headers_add(&headers, known[i][0], known[i][1]);
        if (explain(key, body, now).result != WEBHOOK_MISMATCH)
            fail_msg("%s: %s", known[i][0], known[i][1]);
        headers_clear(&headers);
    }
    headers_add(&headers, "webhook-id", "1");
    headers_add(&headers, "webhook-timestamp", "1790000000");
    headers_add(&headers, "webhook-signature", "v1a," BASE43 BASE43 " v1," BASE43);
    assert_int_equal(explain(key, body, now).result, WEBHOOK_MISMATCH);
}

/* What a delivery carries besides: names, times and addresses, too short for a signature or of another kind. */
static void f73_headers_that_are_no_signature_are_none(void **state) {
    (void)state;
    static const char *const beside[][2] = {
        {"Cache-Control", "max-age=0, no-cache"},
        {"Keep-Alive", "timeout=5, max=100"},
        {"Priority", "u=1, i"},
        {"X-Sent-At", "2026-11-28T12:00:00.000000+00:00"},
        {"Origin", "https://events.example.com/outgoing/version-2/deliveries"},
    };
    for (size_t i = 0; i < COUNT_OF(beside); i++) {
        headers_add(&headers, beside[i][0], beside[i][1]);
        if (explain(secret, body, now).result != WEBHOOK_NO_SIGNATURE)
            fail_msg("%s: %s", beside[i][0], beside[i][1]);
        headers_clear(&headers);
    }
}

static void f73_a_name_may_end_with_a_colon(void **state) {
    (void)state;
    char value[256];
    signed_by(WEBHOOK_HMAC_HEX, secret, body);
    (void)snprintf(value, sizeof value, "sha256:%s", headers.items[0].value);
    headers_clear(&headers);
    headers_add(&headers, "X-Signature", value);
    assert_int_equal(explain(secret, body, now).result, WEBHOOK_VERIFIED);
}

/* A receiver would look for no HMAC there: v1a is a signature of another kind, v2 is none that is known. */
static void f73_our_signature_under_another_version_does_not_verify(void **state) {
    (void)state;
    static const char *const versions[] = {"v1a,", "v2,", "v0=", "sha512="};
    signed_by(WEBHOOK_STANDARD, secret, body);
    assert_int_equal(explain(secret, body, now).result, WEBHOOK_VERIFIED);
    char mac[128];
    (void)snprintf(mac, sizeof mac, "%s", headers_find(&headers, WEBHOOK_STANDARD_SIGNATURE) + strlen("v1,"));
    for (size_t i = 0; i < COUNT_OF(versions); i++) {
        char value[256];
        (void)snprintf(value, sizeof value, "%s%s", versions[i], mac);
        headers_clear(&headers);
        headers_add(&headers, "Webhook-Id", "evt_1");
        headers_add(&headers, "Webhook-Timestamp", "1790000000");
        headers_add(&headers, WEBHOOK_STANDARD_SIGNATURE, value);
        if (explain(secret, body, now).result == WEBHOOK_VERIFIED)
            fail_msg("%s verifies", versions[i]);
    }
    headers_clear(&headers);
}

/* The bytes 0xFB.. are "-_" in the one alphabet and "+/" in the other. */
static void f73_a_url_safe_secret_is_tried(void **state) {
    (void)state;
    static const char standard[] = "whsec_+/vv7/+/vv7/+/vv7/+/vv7/+/vv7/+/vv7/+/vv7/8=";
    static const char *const given[] = {
        "whsec_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_8=", "whsec_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_8",
        "whsec_+/vv7/+/vv7/+/vv7/+/vv7/+/vv7/+/vv7/+/vv7/8"};
    static const char *const bare[] = {
        "-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_8",
        "-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_8=", "v1,whsec_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_8"};
    signed_by(WEBHOOK_STANDARD, standard, body);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        assert_int_equal(explain(given[i], body, now).result, WEBHOOK_VERIFIED);
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        struct webhook_verdict verdict = explain(bare[i], body, now);
        assert_int_equal(verdict.result, WEBHOOK_SLIP);
        assert_non_null(verdict.secret_slip);
    }
    headers_clear(&headers);
    struct str key; /* a plain scheme over the bytes */
    const struct webhook_message message = {NULL, NULL, body, strlen(body)};
    static const char *const texts[] = {"-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_-_vv7_8",
                                        "fbfbefeffbfbefeffbfbefeffbfbefeffbfbefeffbfbefeffbfbefeffbfbefef"};
    for (size_t i = 0; i < 2; i++) {
        struct str value;
        str_init(&key, 64);
        str_init(&value, 1000);
        assert_true(i == 0 ? digest_from_base64_any(&key, texts[i], strlen(texts[i]))
                           : digest_from_hex(&key, texts[i], strlen(texts[i])));
        webhook_sign(WEBHOOK_HMAC_HEX, key.s, key.len, &message, &value);
        headers_add(&headers, "X-Signature", value.s);
        struct webhook_verdict verdict = explain(texts[i], body, now);
        assert_int_equal(verdict.result, WEBHOOK_SLIP);
        assert_non_null(strstr(verdict.secret_slip, i == 0 ? "base64" : "hexadecimal"));
        headers_clear(&headers);
        str_clear(&key);
        str_clear(&value);
    }
}

static void secrets_are_checked_at_their_limits(void **state) {
    (void)state;
    static const struct {
        const char *start;
        size_t len;
        enum webhook_secret_state expected;
    } rows[] = {
        {"", 31, WEBHOOK_SECRET_SHORT},
        {"", 32, WEBHOOK_SECRET_FINE},
        {"", 4096, WEBHOOK_SECRET_FINE},
        {"", 4097, WEBHOOK_SECRET_LONG},
        {"with blank ", 40, WEBHOOK_SECRET_CHARACTERS},
        {"\xC3\xA9", 40, WEBHOOK_SECRET_CHARACTERS},
        {"\t", 40, WEBHOOK_SECRET_CHARACTERS},
        {"v1,whsec_", 50, WEBHOOK_SECRET_PREFIX},
        {"whsec_", 50, WEBHOOK_SECRET_FINE},
        {"", 0, WEBHOOK_SECRET_SHORT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str text;
        str_init(&text, 5000);
        str_add(&text, rows[i].start);
        while (text.len < rows[i].len)
            str_add_char(&text, (char)('a' + text.len % 26));
        assert_int_equal(webhook_secret_check(text.s, text.len, NULL), rows[i].expected);
        str_clear(&text);
    }
    static const char line[] = "0123456789abcdefghijklmnopqrstuvwxyz\n";
    assert_int_equal(webhook_secret_check(line, sizeof line - 1, NULL), WEBHOOK_SECRET_LINE_END);
    static const char poor[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbb";
    assert_int_equal(webhook_secret_check(poor, sizeof poor - 1, NULL), WEBHOOK_SECRET_POOR);
    assert_false(webhook_secret_blocks(WEBHOOK_SECRET_POOR));
}

static void the_token_is_no_secret(void **state) {
    (void)state;
    static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    struct secret *token = secret_new(text, sizeof text - 1);
    assert_int_equal(webhook_secret_check(text, sizeof text - 1, token), WEBHOOK_SECRET_SAME_AS_TOKEN);
    secret_free(token);
}

static void made_secrets_are_good_and_differ(void **state) {
    (void)state;
    static const size_t lengths[] = {50, 64, 43};
    unsigned char bytes[32];
    for (int i = 0; i < WEBHOOK_FORMAT_COUNT; i++) {
        struct str text;
        str_init(&text, 100);
        secret_random(bytes, sizeof bytes);
        webhook_secret_make((enum webhook_format)i, bytes, &text);
        assert_int_equal(text.len, lengths[i]);
        assert_int_equal(webhook_secret_check(text.s, text.len, NULL), WEBHOOK_SECRET_FINE);
        assert_int_equal(webhook_format_find(webhook_format_name((enum webhook_format)i)), i);
        str_clear(&text);
    }
    memset(bytes, 0xFF, sizeof bytes);
    struct str text;
    str_init(&text, 100);
    webhook_secret_make(WEBHOOK_FORMAT_URLSAFE, bytes, &text);
    assert_null(strpbrk(text.s, "+/="));
    str_clear(&text);
}

int main(void) {
    if (secret_init(NULL) != ERR_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(signatures_are_those_of_another_program, clear),
        cmocka_unit_test_teardown(the_scheme_that_matches_is_named, clear),
        cmocka_unit_test_teardown(a_bare_value_and_named_parts_are_understood, clear),
        cmocka_unit_test_teardown(slips_with_the_secret_are_named, clear),
        cmocka_unit_test_teardown(a_body_written_anew_is_recognised, clear),
        cmocka_unit_test_teardown(a_stale_time_is_told_in_seconds, clear),
        cmocka_unit_test_teardown(what_cannot_be_explained_is_said_so, clear),
        cmocka_unit_test_teardown(f73_a_form_that_is_not_known_is_said_to_be_so, clear),
        cmocka_unit_test_teardown(f73_headers_that_are_no_signature_are_none, clear),
        cmocka_unit_test_teardown(f73_a_name_may_end_with_a_colon, clear),
        cmocka_unit_test_teardown(f73_our_signature_under_another_version_does_not_verify, clear),
        cmocka_unit_test_teardown(f73_a_url_safe_secret_is_tried, clear),
        cmocka_unit_test_teardown(secrets_are_checked_at_their_limits, clear),
        cmocka_unit_test_teardown(the_token_is_no_secret, clear),
        cmocka_unit_test_teardown(made_secrets_are_good_and_differ, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
