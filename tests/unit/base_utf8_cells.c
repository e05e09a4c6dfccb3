#include "base/mem.h"
#include "base/utf8.h"
#include "unit/base_corpora.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

static void widths_are_those_of_libc(void **state) {
    (void)state;
    for (int32_t cp = 0x20; cp < 0x20000; cp++) {
        char bytes[4];
        if (wcwidth((wchar_t)cp) < 0)
            continue;
        size_t n = utf8_encode(cp, bytes);
        assert_int_equal(utf8_cells(bytes, n), wcwidth((wchar_t)cp));
    }
}

static void widths_do_not_depend_on_the_locale(void **state) {
    (void)state;
    const char *text = "aé世😀e\xCC\x81";
    assert_int_equal(utf8_cells(text, strlen(text)), 7);
    assert_non_null(setlocale(LC_CTYPE, "C"));
    assert_false(utf8_locale());
    int cells = utf8_cells(text, strlen(text));
    bool clean = utf8_is_clean(text, strlen(text));
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    assert_int_equal(cells, 7);
    assert_true(clean);
}

/* `4E00..9FFF;W` */
static void wide_characters_of_the_unicode_table_take_two_cells(void **state) {
    (void)state;
    struct str text;
    corpora_read("text/EastAsianWidth.txt", &text);
    size_t seen = 0, other = 0;
    for (char *line = text.s, *end; (end = strchr(line, '\n')); line = end + 1) {
        char *rest;
        unsigned long first = strtoul(line, &rest, 16), last = first;
        if (*line == '#' || rest == line)
            continue;
        if (rest[0] == '.')
            last = strtoul(rest + 2, &rest, 16);
        if (rest[0] != ';' || (rest[1] != 'W' && rest[1] != 'F') || last > first + 30000)
            continue;
        for (unsigned long cp = first; cp <= last; cp++) {
            char bytes[4];
            size_t n = utf8_encode((int32_t)cp, bytes);
            if (wcwidth((wchar_t)cp) < 0)
                continue;
            seen++;
            other += utf8_cells(bytes, n) != 2;
        }
    }
    /* libc's table is a Unicode version older, and ours follows libc: a few may differ, not many. */
    assert_true(seen > 50000);
    assert_true(other < seen / 200);
    str_clear(&text);
}

/* Reads one line of GraphemeBreakTest.txt: the text, and the byte offsets of its breaks. */
static size_t read_case(const char *line, struct str *text, size_t *breaks, size_t *n) {
    *n = 0;
    str_reset(text);
    while (*line && *line != '#' && *line != '\n') {
        if (strncmp(line, "÷", 2) == 0) {
            breaks[(*n)++] = text->len;
            line += 2;
        } else if (strncmp(line, "×", 2) == 0) {
            line += 2;
        } else if (*line == ' ' || *line == '\t') {
            line++;
        } else {
            char bytes[4], *rest;
            int32_t cp = (int32_t)strtol(line, &rest, 16);
            str_add_n(text, bytes, utf8_encode(cp, bytes));
            line = rest;
        }
    }
    return text->len;
}

static void graphemes_break_where_unicode_says(void **state) {
    (void)state;
    struct str corpus, text;
    corpora_read("text/GraphemeBreakTest.txt", &corpus);
    str_init(&text, 256);
    size_t cases = 0, breaks[64], n;
    for (const char *line = corpus.s, *end; (end = strchr(line, '\n')); line = end + 1) {
        if (*line == '#' || read_case(line, &text, breaks, &n) == 0 || text.len == 0)
            continue;
        for (size_t i = 0; i + 1 < n; i++) {
            assert_int_equal(utf8_next(text.s, text.len, breaks[i]), breaks[i + 1]);
            assert_int_equal(utf8_prev(text.s, text.len, breaks[i + 1]), breaks[i]);
        }
        cases++;
    }
    assert_true(cases > 500);
    str_clear(&text);
    str_clear(&corpus);
}

/* Fields of 1 to 12 cells over every line of the corpus: the column after the field never moves (faults T4). */
static void a_field_is_as_wide_as_it_says(void **state) {
    (void)state;
    struct str corpus, text, clean, field;
    size_t breaks[64], n, cases = 0;
    corpora_read("text/GraphemeBreakTest.txt", &corpus);
    str_init(&text, 256);
    str_init(&clean, 1024);
    str_init(&field, 1024);
    for (const char *line = corpus.s, *end; (end = strchr(line, '\n')); line = end + 1) {
        if (*line == '#' || read_case(line, &text, breaks, &n) == 0)
            continue;
        str_reset(&clean);
        str_add(&clean, "ab世");
        utf8_sanitise(&clean, text.s, text.len);
        for (int cells = 1; cells <= 12; cells++)
            for (int right = 0; right < 2; right++) {
                str_reset(&field);
                utf8_fit(&field, clean.s, clean.len, cells, right, "…");
                assert_int_equal(utf8_cells(field.s, field.len), cells);
                assert_true(utf8_is_valid(field.s, field.len));
            }
        cases++;
    }
    assert_true(cases > 500);
    str_clear(&corpus);
    str_clear(&text);
    str_clear(&clean);
    str_clear(&field);
}

static void assert_fit(const char *text, int cells, bool right, const char *ellipsis, const char *expected) {
    struct str out;
    str_init(&out, 256);
    utf8_fit(&out, text, strlen(text), cells, right, ellipsis);
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void fields_are_cut_and_padded(void **state) {
    (void)state;
    assert_fit("abc", 5, false, "…", "abc  ");
    assert_fit("abc", 5, true, "…", "  abc");
    assert_fit("abcde", 5, false, "…", "abcde");
    assert_fit("abcdef", 5, false, "…", "abcd…");
    assert_fit("abcdef", 5, false, "", "abcde");
    assert_fit("世界世界", 5, false, "…", "世界…");
    assert_fit("世界世界", 4, false, "…", "世… ");
    assert_fit("世界世界", 4, true, "…", " 世…");
    assert_fit("世", 1, false, "", " ");
    assert_fit("世", 1, false, "…", "…");
    assert_fit("abc", 2, false, "...", "..");
    assert_fit("abc", 0, false, "…", "");
    assert_fit("abc", -3, false, "…", "");
    assert_fit("", 2, false, "…", "  ");
}

static void no_cut_goes_through_a_grapheme(void **state) {
    (void)state;
    const char *text = "ae\xCC\x81🇩🇪z";
    static const struct {
        int cells, used;
        size_t bytes;
    } table[] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 4}, {3, 2, 4}, {4, 4, 12}, {5, 5, 13}, {99, 5, 13}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        int used;
        assert_int_equal(utf8_cut(text, strlen(text), table[i].cells, &used), table[i].bytes);
        assert_int_equal(used, table[i].used);
    }
    assert_int_equal(utf8_cut(text, strlen(text), 2, NULL), 4);
}

static void stepping_back_undoes_stepping_on(void **state) {
    (void)state;
    const char *text = "ab e\xCC\x81 🇩🇪🇫🇷🇮 👩\xE2\x80\x8D👧x\xFF\xE2\x82 한국\r\nq";
    size_t len = strlen(text), at = 0, steps = 0;
    while (at < len) {
        size_t next = utf8_next(text, len, at);
        assert_true(next > at);
        assert_int_equal(utf8_prev(text, len, next), at);
        at = next;
        steps++;
    }
    assert_int_equal(steps, 18);
    assert_int_equal(utf8_next(text, len, len), len);
    assert_int_equal(utf8_next(text, len, len + 9), len);
    assert_int_equal(utf8_prev(text, len, 0), 0);
    assert_int_equal(utf8_prev("", 0, 0), 0);
}

static int utf8_everywhere(void **state) {
    (void)state;
    return setlocale(LC_CTYPE, "C.UTF-8") && utf8_locale() ? 0 : -1;
}

static void the_middle_is_cut_where_both_ends_tell(void **state) {
    static const struct {
        const char *text, *wanted;
        int cells;
    } CASES[] = {{"~/a/long/way/file", "~/a/long/way/file", 17},
                 {"~/a/long/way/file", "~/a/long…ay/file", 16},
                 {"~/a/long/way/file", "~/a…le", 6},
                 {"北京北京北京", "北…北京", 7},
                 {"", "", 5}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct str out;
        str_init(&out, 64);
        utf8_ends(&out, CASES[i].text, strlen(CASES[i].text), CASES[i].cells, "…");
        assert_string_equal(out.s, CASES[i].wanted);
        assert_true(utf8_cells(out.s, out.len) <= CASES[i].cells);
        str_clear(&out);
    }
}

static void f77_the_end_of_a_mask_is_what_is_kept(void **state) {
    static const struct {
        const char *mask, *expected;
        int cells;
    } CASES[] = {{"**** 0042", "0042", 4},
                 {"**** 0042", " 0042", 5},
                 {"**** 0042", "**** 0042", 9},
                 {"**** 0042", "42", 2},
                 {"\xE6\x97\xA5x", "x", 2}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct str out;
        str_init(&out, 64);
        utf8_last(&out, CASES[i].mask, strlen(CASES[i].mask), CASES[i].cells);
        assert_string_equal(out.s, CASES[i].expected);
        str_clear(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f77_the_end_of_a_mask_is_what_is_kept),
        cmocka_unit_test(the_middle_is_cut_where_both_ends_tell),
        cmocka_unit_test(widths_are_those_of_libc),
        cmocka_unit_test(widths_do_not_depend_on_the_locale),
        cmocka_unit_test(wide_characters_of_the_unicode_table_take_two_cells),
        cmocka_unit_test(graphemes_break_where_unicode_says),
        cmocka_unit_test(a_field_is_as_wide_as_it_says),
        cmocka_unit_test(fields_are_cut_and_padded),
        cmocka_unit_test(no_cut_goes_through_a_grapheme),
        cmocka_unit_test(stepping_back_undoes_stepping_on),
    };
    return cmocka_run_group_tests(tests, utf8_everywhere, NULL);
}
