#include "base/ascii.h"
#include "base/mem.h"
#include "base/paste.h"
#include "base/str.h"

#include <limits.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_words_are_words(void) {
    assert_int_equal(ascii_compare("FIRST NAME", "first name"), 0);
    assert_int_equal(ascii_compare_n("ID:x", "id:y", 3), 0);
    assert_true(ascii_compare("i", "J") < 0 && ascii_compare("J", "i") > 0 && ascii_compare("id", "i") > 0);
    assert_int_not_equal(ascii_compare("\xC4\xB0", "i\xCC\x87"), 0); /* a capital I with its dot is no ASCII letter */
    assert_string_equal(ascii_find("TEXT/HTML; CHARSET=X", "html"), "HTML; CHARSET=X");
    assert_string_equal(ascii_find("abc", ""), "abc");
    assert_null(ascii_find("htm", "html"));
    assert_int_equal(ascii_lower('I'), 'i');
    assert_int_equal(ascii_upper('i'), 'I');
    for (int c = 0x80; c < 0x100; c++)
        assert_false(ascii_is_word(c) || ascii_is_blank(c) || ascii_is_upper(c));
}

/* Case of ours in a Turkish locale of one byte a letter, where the C library's i and I are no pair. */
static void f53_letters_of_ours_do_not_ask_the_locale(void **state) {
    (void)state;
    static const char *const locales[] = {"tr_TR.UTF-8", "tr_TR.ISO-8859-9", "tr_TR"};
    assert_words_are_words();
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        if (!setlocale(LC_ALL, locales[i])) {
            print_message("%s is not installed: not tried\n", locales[i]);
            continue;
        }
        assert_words_are_words();
        setlocale(LC_ALL, "C");
    }
}

static void an_empty_string_can_be_read_and_cleared(void **state) {
    (void)state;
    struct str str, zero = {0};
    str_init(&str, 10);
    assert_string_equal(str.s, "");
    str_reset(&str);
    str_clear(&str);
    str_clear(&str);
    str_clear(&zero);
    assert_string_equal(zero.s, "");
    char *text = str_take(&str);
    assert_string_equal(text, "");
    free(text);
}

static void what_does_not_fit_is_cut_and_said(void **state) {
    (void)state;
    struct str str;
    str_init(&str, 5);
    str_add(&str, "abc");
    assert_false(str.truncated);
    str_add(&str, "def");
    assert_true(str.truncated);
    assert_string_equal(str.s, "abcde");
    str_add_char(&str, 'x');
    str_addf(&str, "%d", 12345);
    str_add_repeat(&str, 'y', 100);
    assert_string_equal(str.s, "abcde");
    assert_int_equal(str.len, 5);
    str_reset(&str);
    assert_false(str.truncated);
    str_addf(&str, "%s-%d", "ab", 12345);
    assert_string_equal(str.s, "ab-12");
    assert_true(str.truncated);
    str_clear(&str);
}

static void exactly_the_maximum_is_not_full(void **state) {
    (void)state;
    struct str str;
    str_init(&str, 4);
    str_addf(&str, "%s", "abcd");
    assert_false(str.truncated);
    assert_int_equal(str.len, 4);
    str_clear(&str);
}

static void growth_keeps_all_bytes(void **state) {
    (void)state;
    struct str str;
    str_init(&str, 100000);
    for (int i = 0; i < 20000; i++)
        str_addf(&str, "%04d,", i % 10000);
    assert_int_equal(str.len, 100000);
    assert_false(str.truncated);
    for (int i = 0; i < 20000; i++) {
        long long number;
        assert_true(str_to_int64(str.s + i * 5, 4, &number));
        assert_int_equal(number, i % 10000);
    }
    str_clear(&str);
}

static void inserting_and_deleting_move_the_rest(void **state) {
    (void)state;
    struct str str;
    str_init(&str, 12);
    str_insert(&str, 99, "held", 4);
    str_insert(&str, 2, "--", 2);
    assert_string_equal(str.s, "he--ld");
    str_insert(&str, 0, ">", 1);
    str_insert(&str, 7, "<", 1);
    assert_string_equal(str.s, ">he--ld<");
    str_insert(&str, 1, "123456", 6);
    assert_string_equal(str.s, ">1234he--ld<");
    assert_true(str.truncated);
    str_delete(&str, 1, 4);
    str_delete(&str, 6, 99);
    str_delete(&str, 50, 1);
    assert_string_equal(str.s, ">he--l");
    assert_int_equal(str.len, 6);
    str_clear(&str);
}

static void taking_hands_over_the_text(void **state) {
    (void)state;
    struct str str;
    str_init(&str, 100);
    str_add(&str, "mine");
    char *text = str_take(&str);
    assert_string_equal(text, "mine");
    assert_string_equal(str.s, "");
    str_add(&str, "again");
    assert_string_equal(str.s, "again");
    free(text);
    str_clear(&str);
}

static void bytes_may_be_nul(void **state) {
    (void)state;
    struct str str;
    str_init(&str, 100);
    str_add_n(&str, "a\0b", 3);
    str_add_char(&str, '\0');
    assert_int_equal(str.len, 4);
    assert_memory_equal(str.s, "a\0b\0", 5);
    str_clear(&str);
}

static void comparing_knows_null(void **state) {
    (void)state;
    assert_true(str_equal(NULL, NULL));
    assert_false(str_equal(NULL, ""));
    assert_true(str_equal("a", "a"));
    assert_false(str_equal("a", "A"));
    assert_true(str_starts("prefix", "pre"));
    assert_true(str_starts("prefix", ""));
    assert_false(str_starts("pre", "prefix"));
    assert_false(str_starts(NULL, "a"));
}

static void only_whole_decimal_integers_are_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is_number;
        long long value;
    } table[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"0012", true, 12},
        {"9007199254740993", true, 9007199254740993},
        {"9223372036854775807", true, LLONG_MAX},
        {"-9223372036854775808", true, LLONG_MIN},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"99999999999999999999999", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"+1", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
        {"1.0", false, 0},
        {"1e3", false, 0},
        {"0x10", false, 0},
        {"--1", false, 0},
        {"\xD9\xA1", false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        long long value = 77;
        assert_int_equal(str_to_int64(table[i].text, strlen(table[i].text), &value), table[i].is_number);
        assert_true(value == (table[i].is_number ? table[i].value : 77));
    }
    long long value;
    assert_true(str_to_int64("123junk", 3, &value));
    assert_int_equal(value, 123);
}

/* What a shell makes of the printed word is the text, byte for byte. */
static bool comes_back(const char *text) {
    struct str command;
    char back[256] = "";
    str_init(&command, 1024);
    str_add(&command, "printf %s ");
    bool offered = paste_add_word(&command, text);
    FILE *shell = offered ? popen(command.s, "r") : NULL;
    size_t n = shell ? fread(back, 1, sizeof back - 1, shell) : 0;
    bool same = shell && pclose(shell) == 0 && n == strlen(text) && strcmp(back, text) == 0;
    str_clear(&command);
    return same;
}

static void f20_what_is_printed_to_be_pasted_is_one_word_of_a_shell(void **state) {
    (void)state;
    static const char *const words[] = {"https://localhost/x';touch${IFS}PWNED;'",
                                        "$(id)",
                                        "`id`",
                                        "a\\b",
                                        "'",
                                        "''",
                                        "!!",
                                        "-x",
                                        "~",
                                        "a b*?[c]",
                                        "\"",
                                        "x;#&|<>(){}",
                                        ""};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        print_message("%s\n", words[i]);
        assert_true(comes_back(words[i]));
    }
    static const char *const refused[] = {"a\nid",
                                          "a\rid",
                                          "\x1b[201~id\n",
                                          "\xc2\x9bx",
                                          "a\xe2\x80\xae"
                                          "b",
                                          "\xff"};
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        struct str out;
        str_init(&out, 64);
        assert_false(paste_add_word(&out, refused[i]));
        assert_int_equal(out.len, 0);
        str_clear(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_string_can_be_read_and_cleared),
        cmocka_unit_test(what_does_not_fit_is_cut_and_said),
        cmocka_unit_test(exactly_the_maximum_is_not_full),
        cmocka_unit_test(growth_keeps_all_bytes),
        cmocka_unit_test(inserting_and_deleting_move_the_rest),
        cmocka_unit_test(taking_hands_over_the_text),
        cmocka_unit_test(bytes_may_be_nul),
        cmocka_unit_test(f53_letters_of_ours_do_not_ask_the_locale),
        cmocka_unit_test(comparing_knows_null),
        cmocka_unit_test(only_whole_decimal_integers_are_numbers),
        cmocka_unit_test(f20_what_is_printed_to_be_pasted_is_one_word_of_a_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
