#include "sandbox/place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const int64_t places[] = {0, 1, -1, 5000, -9999999, INT64_C(1) << 40};

static struct str cursor(uint64_t seed, int64_t place, uint32_t salt) {
    struct str text;
    str_init(&text, 20000);
    place_encode(&text, seed, place, salt);
    return text;
}

static void what_goes_in_comes_out(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct str text = cursor(7, places[i], (uint32_t)i * 77777777u);
        int64_t place = 99;
        assert_true(place_decode(text.s, text.len, 7, &place));
        assert_int_equal(place, places[i]);
        str_clear(&text);
    }
}

static void salts_give_other_texts_for_one_place(void **state) {
    (void)state;
    struct str a = cursor(7, 3, 1);
    struct str b = cursor(7, 3, 2);
    assert_string_not_equal(a.s, b.s);
    str_clear(&a);
    str_clear(&b);
}

static void a_changed_character_is_noticed(void **state) {
    (void)state;
    struct str text = cursor(7, -12, 0);
    int64_t place = 0;
    for (size_t i = 0; i + 1 < text.len; i++) {
        char was = text.s[i];
        text.s[i] = was == 'Q' ? 'R' : 'Q';
        assert_false(place_decode(text.s, text.len, 7, &place));
        text.s[i] = was;
    }
    str_clear(&text);
}

static void another_services_cursor_is_refused(void **state) {
    (void)state;
    struct str text = cursor(7, -12, 0);
    int64_t place = 0;
    assert_false(place_decode(text.s, text.len, 8, &place));
    assert_false(place_decode("", 0, 7, &place));
    assert_false(place_decode(text.s, text.len - 1, 7, &place));
    str_clear(&text);
}

static void filler_after_a_tilde_is_ignored(void **state) {
    (void)state;
    struct str text = cursor(7, -12, 0);
    int64_t place = 0;
    str_add(&text, "~");
    str_add_repeat(&text, 'x', 9000);
    assert_true(place_decode(text.s, text.len, 7, &place));
    assert_int_equal(place, -12);
    str_clear(&text);
}

static void numbers_go_both_ways(void **state) {
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        struct str text;
        int64_t place = 99;
        str_init(&text, 64);
        place_encode_number(&text, places[i]);
        assert_true(text.s[0] != '-');
        assert_true(place_decode_number(text.s, text.len, &place));
        assert_int_equal(place, places[i]);
        str_clear(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out),          cmocka_unit_test(salts_give_other_texts_for_one_place),
        cmocka_unit_test(a_changed_character_is_noticed),  cmocka_unit_test(another_services_cursor_is_refused),
        cmocka_unit_test(filler_after_a_tilde_is_ignored), cmocka_unit_test(numbers_go_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
