#include "base/digest.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_hex(const unsigned char digest[DIGEST_LEN], const char *expected) {
    struct str out;
    str_init(&out, 128);
    digest_hex(&out, digest, DIGEST_LEN);
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

/* FIPS 180-4 examples, RFC 4231 test case 2, RFC 7693's BLAKE2b at 32 bytes (as b2sum -l 256 prints it). */
static void digests_agree_with_published_values(void **state) {
    (void)state;
    unsigned char digest[DIGEST_LEN];
    digest_sha256(digest, "abc", 3);
    assert_hex(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    digest_sha256(digest, "", 0);
    assert_hex(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    digest_hmac_sha256(digest, "Jefe", 4, "what do ya want for nothing?", 28);
    assert_hex(digest, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    digest_keyed(digest, NULL, 0, "abc", 3);
    assert_hex(digest, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

static void a_key_changes_the_digest(void **state) {
    (void)state;
    unsigned char plain[DIGEST_LEN], one[DIGEST_LEN], other[DIGEST_LEN], key[64] = {1};
    digest_keyed(plain, NULL, 0, "data", 4);
    digest_keyed(one, key, 32, "data", 4);
    digest_keyed(other, key, 64, "data", 4);
    assert_memory_not_equal(plain, one, DIGEST_LEN);
    assert_memory_not_equal(one, other, DIGEST_LEN);
}

static void the_short_digest_is_the_first_eight_bytes(void **state) {
    (void)state;
    assert_true(digest_short("abc", 3) == UINT64_C(0x723942633c81ddbd));
    assert_true(digest_short("", 0) != digest_short("\0", 1));
}

static void base64_goes_both_ways(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"\xFB\xFF\xFE", "+//+"}};
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        struct str out;
        str_init(&out, 64);
        digest_base64(&out, pairs[i][0], strlen(pairs[i][0]));
        assert_string_equal(out.s, pairs[i][1]);
        str_reset(&out);
        assert_true(digest_from_base64(&out, pairs[i][1], strlen(pairs[i][1])));
        assert_string_equal(out.s, pairs[i][0]);
        str_clear(&out);
    }
}

static void what_is_no_base64_adds_nothing(void **state) {
    (void)state;
    static const char *const bad[] = {"Zg", "Zg=", "Z", "Zg==x", "Zm9v!", "Zm9v\n", "-_-_", " Zm9v", "=", "Zh=="};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct str out;
        str_init(&out, 64);
        if (digest_from_base64(&out, bad[i], strlen(bad[i])))
            fail_msg("accepted: %s", bad[i]);
        assert_int_equal(out.len, 0);
        str_clear(&out);
    }
}

static void base64_of_any_kind_is_read(void **state) {
    (void)state;
    static const char *const good[][2] = {
        {"Zm8=", "fo"}, {"Zm8", "fo"}, {"Zg", "f"}, {"-__-", "\xFB\xFF\xFE"}, {"+//+", "\xFB\xFF\xFE"}};
    static const char *const bad[] = {"", "=", "Z", "Zh==", "Zm9v!", "Zg==x", " Zm9v"};
    struct str out;
    str_init(&out, 64);
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        str_reset(&out);
        assert_true(digest_from_base64_any(&out, good[i][0], strlen(good[i][0])));
        assert_string_equal(out.s, good[i][1]);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_false(digest_from_base64_any(&out, bad[i], strlen(bad[i])));
    str_reset(&out);
    assert_true(digest_from_hex(&out, "6f6B", 4));
    assert_string_equal(out.s, "ok");
    assert_false(digest_from_hex(&out, "6f6", 3) || digest_from_hex(&out, "6g", 2) || digest_from_hex(&out, "", 0));
    str_clear(&out);
}

static void that_of_a_run_tells_texts_apart_and_is_none_that_is_stored(void **state) {
    (void)state;
    assert_true(digest_of_run("abc", 3) == digest_of_run("abcd", 3));
    assert_true(digest_of_run("abc", 3) != digest_of_run("abd", 3));
    assert_true(digest_of_run("abc", 3) != digest_short("abc", 3));
    assert_true(digest_of_run("", 0) == digest_of_run("x", 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_agree_with_published_values),
        cmocka_unit_test(a_key_changes_the_digest),
        cmocka_unit_test(the_short_digest_is_the_first_eight_bytes),
        cmocka_unit_test(base64_goes_both_ways),
        cmocka_unit_test(what_is_no_base64_adds_nothing),
        cmocka_unit_test(base64_of_any_kind_is_read),
        cmocka_unit_test(that_of_a_run_tells_texts_apart_and_is_none_that_is_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
