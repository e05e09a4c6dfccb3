#include "base/mem.h"
#include "base/utf8.h"
#include "unit/base_corpora.h"

#include <locale.h>
#include <string.h>
#include <utf8proc.h>
#include <wchar.h>

static void assert_sanitised(const char *text, size_t len, const char *expected) {
    struct str out;
    str_init(&out, 4096);
    utf8_sanitise(&out, text, len);
    assert_string_equal(out.s, expected);
    assert_int_equal(utf8_is_clean(text, len), out.len == len && memcmp(out.s, text, len) == 0);
    str_clear(&out);
}

#define assert_clean_form(text, expected) assert_sanitised(text, sizeof(text) - 1, expected)

/* cases K1 to K8, without what the screen adds. */
static void hostile_fields_become_visible_tokens(void **state) {
    (void)state;
    assert_clean_form("First\x1b[2J\x1b[1;1HBank", "First<1B>[2J<1B>[1;1HBank");
    assert_clean_form("none\rapproved", "none<0D>approved");
    assert_clean_form("\x1b]52;c;QUJD\a\x1b]0;x\a", "<1B>]52;c;QUJD<07><1B>]0;x<07>");
    assert_clean_form("North\xE2\x80\xAEknab", "North<202E>knab");
    assert_clean_form("Al\xE2\x81\xA0pha", "Al<2060>pha");
    assert_clean_form("%s%s%s%n%p", "%s%s%s%n%p");
    assert_clean_form("https://ok.example/\x1b]8;;https://evil.example\x1b\\x",
                      "https://ok.example/<1B>]8;;https://evil.example<1B>\\x");
    assert_clean_form("[bold]x[/bold]", "[bold]x[/bold]");
}

static void every_control_is_a_token(void **state) {
    (void)state;
    for (int32_t cp = 0; cp < 0xA0; cp++) {
        char bytes[4], expected[8];
        if (cp >= 0x20 && cp < 0x7F)
            continue;
        size_t n = utf8_encode(cp, bytes);
        snprintf(expected, sizeof expected, "<%02X>", (unsigned)cp);
        assert_sanitised(bytes, n, expected);
    }
}

/* Over all of Unicode, by libc's and utf8proc's tables: what stays can be shown and formats nothing. */
static void no_format_character_stays(void **state) {
    (void)state;
    size_t kept = 0;
    for (int32_t cp = 0x20; cp < 0x110000; cp++) {
        char text[8] = "a";
        struct str out;
        if (cp >= 0xD800 && cp <= 0xDFFF)
            continue;
        size_t n = 1 + utf8_encode(cp, text + 1);
        utf8proc_category_t category = utf8proc_category(cp);
        bool harmless = wcwidth((wchar_t)cp) >= 0 && category != UTF8PROC_CATEGORY_CC &&
                        category != UTF8PROC_CATEGORY_CF && category != UTF8PROC_CATEGORY_ZL &&
                        category != UTF8PROC_CATEGORY_ZP && category != UTF8PROC_CATEGORY_CN && cp != 0xFE0F;
        str_init(&out, 64);
        utf8_sanitise(&out, text, n);
        if (harmless != (out.len == n && memcmp(out.s, text, n) == 0))
            fail_msg("U+%04X became %s", (unsigned)cp, out.s);
        kept += harmless;
        str_clear(&out);
    }
    assert_true(kept > 200000);
}

static void letters_of_any_script_stay(void **state) {
    (void)state;
    assert_clean_form("Žižková Ångström", "Žižková Ångström");
    assert_clean_form("e\xCC\x81", "e\xCC\x81");
    assert_clean_form("שלום مرحبا", "שלום مرحبا");
    assert_clean_form("नमस्ते 世界 한국어", "नमस्ते 世界 한국어");
    assert_clean_form("🇩🇪 😀", "🇩🇪 😀");
}

static void joiners_and_tags_are_tokens(void **state) {
    (void)state;
    assert_clean_form("👩\xE2\x80\x8D👧", "👩<200D>👧");
    assert_clean_form("\xF3\xA0\x81\x81", "<E0041>");
    assert_clean_form("\xC2\xAD\xEF\xBB\xBF", "<AD><FEFF>");
    assert_clean_form("\xEF\xBF\xBF", "<FFFF>");
}

static void a_mark_never_joins_the_cell_before_the_field(void **state) {
    (void)state;
    assert_clean_form("\xCC\x81x", "<301>x");
    assert_clean_form(" \xCC\x81", " \xCC\x81");
    struct str out;
    str_init(&out, 64);
    utf8_sanitise_lines(&out, "a\n\xCC\x81", 4);
    assert_string_equal(out.s, "a\n<301>");
    str_clear(&out);
}

static void a_selector_that_would_change_the_width_is_a_token(void **state) {
    (void)state;
    assert_clean_form("\xE2\x9D\xA4\xEF\xB8\x8F", "\xE2\x9D\xA4<FE0F>");
    assert_clean_form("1\xEF\xB8\x8F", "1<FE0F>");
    assert_clean_form("😀\xEF\xB8\x8F", "😀\xEF\xB8\x8F");
    assert_clean_form("😀\xEF\xB8\x8E", "😀<FE0E>");
    assert_clean_form("\xE2\x9D\xA4\xEF\xB8\x8E", "\xE2\x9D\xA4\xEF\xB8\x8E");
}

static void marks_beyond_the_limit_are_cut(void **state) {
    (void)state;
    struct str text, out;
    str_init(&text, 1 << 20);
    str_init(&out, 1 << 20);
    str_add(&text, "Z");
    for (int i = 0; i < 5000; i++)
        str_add(&text, "\xCC\x81");
    str_add(&text, "o\xCC\x81");
    utf8_sanitise(&out, text.s, text.len);
    assert_int_equal(out.len, 1 + UTF8_MARKS_MAX * 2 + 5 + 3);
    assert_non_null(strstr(out.s, "\xCC\x81<...>o\xCC\x81"));
    assert_int_equal(utf8_cells(out.s, out.len), 7);
    assert_true(utf8_is_clean(out.s, out.len));
    str_clear(&text);
    str_clear(&out);
}

static void lines_stay_lines(void **state) {
    (void)state;
    struct str out;
    str_init(&out, 64);
    const char text[] = "one\r\ntwo\n\rthree\r";
    utf8_sanitise_lines(&out, text, sizeof text - 1);
    assert_string_equal(out.s, "one\ntwo\n<0D>three<0D>");
    str_clear(&out);
}

static uint32_t next_random(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Half raw bytes, half code points from the ranges where the rules are. */
static void add_random(struct str *text, uint32_t *seed) {
    static const int32_t blocks[] = {0x00, 0x300, 0x600, 0x1100, 0x1F1E6, 0x1F3F0, 0x2000, 0xFE00, 0xE0000, 0x900};
    uint32_t pick = next_random(seed);
    char bytes[4];
    if (pick % 2)
        str_add_char(text, (char)(pick >> 8));
    else
        str_add_n(text, bytes,
                  utf8_encode(blocks[(pick >> 4) % COUNT_OF(blocks)] + (int32_t)((pick >> 12) % 0x80), bytes));
}

static void sanitising_is_idempotent_over_random_text(void **state) {
    (void)state;
    uint32_t seed = 20261128;
    struct str text, once, twice;
    str_init(&text, 200);
    str_init(&once, 4096);
    str_init(&twice, 4096);
    for (int round = 0; round < 20000; round++) {
        str_reset(&text);
        str_reset(&once);
        str_reset(&twice);
        for (uint32_t n = next_random(&seed) % 40; n > 0; n--)
            add_random(&text, &seed);
        once.max = round % 3 == 0 ? next_random(&seed) % 30 : 4096;
        utf8_sanitise(&once, text.s, text.len);
        assert_true(utf8_is_clean(once.s, once.len));
        utf8_sanitise(&twice, once.s, once.len);
        assert_int_equal(twice.len, once.len);
        assert_memory_equal(twice.s, once.s, once.len);
        once.max = 4096;
    }
    str_clear(&text);
    str_clear(&once);
    str_clear(&twice);
}

static void the_corpus_of_nasty_strings_comes_out_clean(void **state) {
    (void)state;
    struct str text, out;
    corpora_read("text/naughty-strings.json", &text);
    str_init(&out, text.len * 8);
    utf8_sanitise(&out, text.s, text.len);
    assert_true(utf8_is_clean(out.s, out.len));
    assert_null(memchr(out.s, 0x1B, out.len));
    str_reset(&out);
    utf8_sanitise_lines(&out, text.s, text.len);
    for (const char *line = out.s, *end; (end = strchr(line, '\n')); line = end + 1)
        assert_true(utf8_is_clean(line, (size_t)(end - line)));
    str_clear(&out);
    str_clear(&text);
}

/* The middle of `number:kind:text` of one line, in both forms. */
static bool take_case(const char **at, const char *end, const char **text, size_t *len) {
    const char *line_end = memchr(*at, '\n', (size_t)(end - *at));
    if (!line_end)
        return false;
    const char *colon = memchr(*at, ':', (size_t)(line_end - *at));
    colon = colon ? memchr(colon + 1, ':', (size_t)(line_end - colon - 1)) : NULL;
    *text = colon ? colon + 1 : line_end;
    *len = (size_t)(line_end - *text);
    *at = line_end + 1;
    return true;
}

static void malformed_text_is_replaced_as_the_reference_does(void **state) {
    (void)state;
    struct str input, expected, out;
    corpora_read("text/utf8tests.bin", &input);
    corpora_read("text/utf8tests.replace.txt", &expected);
    str_init(&out, 4096);
    const char *a = input.s, *b = expected.s, *text, *wanted;
    size_t len, wanted_len, cases = 0, malformed = 0;
    while (take_case(&a, input.s + input.len, &text, &len) &&
           take_case(&b, expected.s + expected.len, &wanted, &wanted_len)) {
        str_reset(&out);
        for (size_t at = 0; at < len;) {
            int32_t cp;
            char bytes[4];
            at += utf8_decode(text + at, len - at, &cp);
            str_add_n(&out, bytes, utf8_encode(cp, bytes));
        }
        assert_int_equal(out.len, wanted_len);
        assert_memory_equal(out.s, wanted, wanted_len);
        bool same = len == wanted_len && memcmp(text, wanted, len) == 0;
        assert_int_equal(utf8_is_valid(text, len), same);
        malformed += !same;
        cases++;
    }
    assert_true(cases > 60 && malformed > 20);
    str_clear(&input);
    str_clear(&expected);
    str_clear(&out);
}

static void one_mark_stands_for_each_maximal_subpart(void **state) {
    (void)state;
    assert_clean_form("\xFF\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_clean_form("a\xE2\x82", "a\xEF\xBF\xBD");
    assert_clean_form("\xF0\x9F\x98X", "\xEF\xBF\xBDX");
    assert_clean_form("\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_clean_form("\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_true(utf8_is_clean("\xEF\xBF\xBD", 3));
}

static void encoding_and_decoding_agree(void **state) {
    (void)state;
    for (int32_t cp = 0; cp < 0x110000; cp += cp < 0x3000 ? 1 : 37) {
        char bytes[4];
        int32_t back;
        size_t n = utf8_encode(cp, bytes);
        bool surrogate = cp >= 0xD800 && cp <= 0xDFFF;
        assert_int_equal(utf8_decode(bytes, n, &back), n);
        assert_int_equal(back, surrogate ? UTF8_REPLACEMENT : cp);
        assert_int_equal(utf8_count(bytes, n), 1);
    }
    char bytes[4];
    assert_int_equal(utf8_encode(-1, bytes), 3);
    assert_int_equal(utf8_encode(0x110000, bytes), 3);
}

static void assert_ascii(const char *text, const char *expected) {
    struct str out;
    str_init(&out, 256);
    utf8_to_ascii(&out, text, strlen(text));
    assert_string_equal(out.s, expected);
    assert_int_equal(utf8_cells(text, strlen(text)), (int)out.len);
    str_clear(&out);
}

static void ascii_keeps_the_cells(void **state) {
    (void)state;
    assert_ascii("plain", "plain");
    assert_ascii("Žižka", "?i?ka");
    assert_ascii("世界", "????");
    assert_ascii("e\xCC\x81", "e");
    assert_ascii("a…–→←↑↓×│─┌█", "a~-><^vx|-+#");
    assert_ascii("≥ ≤", "? ?");
}

static void f47_letters_are_found_by_what_people_type(void **state) {
    static const struct {
        const char *text, *fold;
    } table[] = {
        {"\xC5\x81\xC3\xB3"
         "dzki",
         "lodzki"},
        {"S\xC3\xB8ren \xC3\x98rsted", "soren orsted"},
        {"\xC4\x90\xE1\xBB\x93ng \xC4\x91", "dong d"},
        {"\xC3\x9Eing \xC3\xB0", "thing d"},
        {"\xC3\x86ther \xC5\x93uvre", "aether oeuvre"},
        {"Stra\xC3\x9F"
         "e",
         "strasse"},
        {"d\xC4\xB1\xC5\x9F", "dis"},
        {"a\xE2\x80\x8D"
         "b\xE2\x80\x8C"
         "c\xC2\xAD"
         "d",
         "abcd"},
        {"O\xE2\x80\x99Wren", "o'wren"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct str out;
        str_init(&out, 256);
        utf8_fold(&out, table[i].text, strlen(table[i].text));
        assert_string_equal(out.s, table[i].fold);
        str_clear(&out);
    }
}

static void nfc_and_fold_find_what_looks_alike(void **state) {
    (void)state;
    static const struct {
        const char *text, *nfc, *fold;
    } table[] = {
        {"ABC xyz-1", "ABC xyz-1", "abc xyz-1"},
        {"e\xCC\x81", "é", "e"},
        {"É", "É", "e"},
        {"Straße", "Straße", "strasse"},
        {"ｆｕｌｌ", "ｆｕｌｌ", "full"},
        {"ﬁn", "ﬁn", "fin"},
        {"Ωmega", "Ωmega", "ωmega"},
        {"x\xFFy", "x\xEF\xBF\xBDy", "x\xEF\xBF\xBDy"},
        {"", "", ""},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct str out;
        str_init(&out, 64);
        utf8_nfc(&out, table[i].text, strlen(table[i].text));
        assert_string_equal(out.s, table[i].nfc);
        str_reset(&out);
        utf8_fold(&out, table[i].text, strlen(table[i].text));
        assert_string_equal(out.s, table[i].fold);
        str_clear(&out);
    }
}

static int utf8_everywhere(void **state) {
    (void)state;
    return setlocale(LC_CTYPE, "C.UTF-8") && utf8_locale() ? 0 : -1;
}

static void assert_revealed(const char *text, const char *expected) {
    struct str out;
    str_init(&out, 256);
    utf8_reveal(&out, text, strlen(text));
    assert_string_equal(out.s, expected);
    str_clear(&out);
}

static void f79_what_the_terminal_cannot_show_is_marked(void **state) {
    (void)state;
    assert_revealed("Zo\xC3\xAB \xE6\x97\xA5", "Zo\xC3\xAB \xE6\x97\xA5");
    assert_non_null(setlocale(LC_ALL, "C"));
    assert_revealed("Zo\xC3\xAB \xE6\x97\xA5", "Zo<EB> <65E5>");
    assert_revealed("a\tb", "a<09>b");
    assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
}

static void assert_folds_alike(const char *a, const char *b) {
    struct str x, y;
    str_init(&x, 256);
    str_init(&y, 256);
    utf8_fold(&x, a, strlen(a));
    utf8_fold(&y, b, strlen(b));
    assert_string_equal(x.s, y.s);
    str_clear(&x);
    str_clear(&y);
}

static void f58_joiners_pass_where_the_script_needs_them_alone(void **state) {
    (void)state;
    assert_clean_form("\u0DC1\u0DCA\u200D\u0DBB\u0DD3", "\u0DC1\u0DCA\u200D\u0DBB\u0DD3");             /* Sinhala */
    assert_clean_form("\u0915\u094D\u200D\u0937", "\u0915\u094D\u200D\u0937");                         /* Devanagari */
    assert_clean_form("\u0C95\u0CCD\u200C\u0C95", "\u0C95\u0CCD\u200C\u0C95");                         /* Kannada */
    assert_clean_form("\u0645\u06CC\u200C\u0631\u0648\u062F", "\u0645\u06CC\u200C\u0631\u0648\u062F"); /* Persian */
    assert_clean_form("\u0645\u064E\u200C\u0631", "\u0645\u064E\u200C\u0631"); /* a vowel mark between */
    assert_clean_form("\u0DC1\u0DCA\u200D\u200D\u0DBB", "\u0DC1\u0DCA<200D><200D>\u0DBB");
    assert_clean_form("\u0DC1\u0DCA\u200D", "\u0DC1\u0DCA<200D>");
    assert_clean_form("\u0DC1\u200D\u0DBB", "\u0DC1<200D>\u0DBB");
    assert_clean_form("\u0915\u094D\u200DA", "\u0915\u094D<200D>A");
    assert_clean_form("\u0631\u200C\u0645", "\u0631<200C>\u0645"); /* reh joins nothing after it */
    assert_clean_form("\u0645\u200D\u0631", "\u0645<200D>\u0631");
    assert_clean_form("\u0645\u200C\u200C\u0631", "\u0645<200C><200C>\u0631");
    assert_clean_form("\u0645\u200C\u202E\u0631", "\u0645<200C><202E>\u0631");
    assert_clean_form("A\u200CB", "A<200C>B");
    assert_folds_alike("\u0DC1\u0DCA\u200D\u0DBB\u0DD3", "\u0DC1\u0DCA\u0DBB\u0DD3");
    assert_folds_alike("\u0645\u06CC\u200C\u0631", "\u0645\u06CC\u0631");
    assert_folds_alike("Fake<200D>J\u00F6in<200c>", "fakejoin");
}

/* Before a virama, and at the end of a syllable. */
static void f58_joiners_pass_where_they_make_or_keep_a_letter(void **state) {
    static const char *const SPELT[] = {
        "\u0D05\u0D35\u0D28\u0D4D\u200D",                          /* Malayalam, na as a chillu at the end */
        "\u0D05\u0D35\u0D30\u0D4D\u200D \u0D35\u0D28\u0D4D\u0D28", /* ra, before a blank */
        "(\u0D2A\u0D3E\u0D32\u0D4D\u200D)",                        /* la, before a bracket */
        "\u09B0\u200D\u09CD\u09AF\u09BE\u09AE",                    /* Bengali, ra before ya */
        "\u09F0\u200D\u09CD\u09AF",                                /* Assamese */
        "\u0CB0\u200D\u0CCD\u0C95",                                /* Kannada */
        "\u0D9A\u200D\u0DCA\u0DC0",                                /* Sinhala, touching letters */
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SPELT); i++)
        assert_sanitised(SPELT[i], strlen(SPELT[i]), SPELT[i]);
    assert_clean_form("\u0D28\u0D4D\u200C", "\u0D28\u0D4D<200C>");
    assert_clean_form("\u0D28\u0D4D\u200D\u200D", "\u0D28\u0D4D<200D><200D>");
    assert_clean_form("\u0D28\u0D4D\u200D\u0D3E", "\u0D28\u0D4D<200D>\u0D3E");
    assert_clean_form("\u0D2E\u0D4D\u200D", "\u0D2E\u0D4D<200D>"); /* ma has no such form */
    assert_clean_form("\u09B0\u200D\u09AF", "\u09B0<200D>\u09AF");
    assert_clean_form("\u09B0\u200D\u09CD", "\u09B0<200D>\u09CD");
    assert_clean_form("\u0995\u200D\u09CD\u09AF", "\u0995<200D>\u09CD\u09AF");
    assert_folds_alike("\u09B0\u200D\u09CD\u09AF", "\u09B0\u09CD\u09AF");
}

static void assert_fold(const struct str *text, const char *right) {
    struct str folded;
    str_init(&folded, text->len + 2);
    str_add(&folded, "D>"); /* what is there before is no part of a token */
    utf8_fold(&folded, text->s, text->len);
    assert_memory_equal(folded.s, "D>", 2);
    assert_string_equal(folded.s + 2, right);
    str_clear(&folded);
}

static void tokens_around_tokens_all_go(void **state) {
    enum { LEVELS = 10000 };
    struct str text;
    (void)state;
    str_init(&text, 1 << 20);
    str_add(&text, "A");
    for (int i = 0; i < LEVELS; i++)
        str_add(&text, "<200");
    for (int i = 0; i < LEVELS; i++)
        str_add(&text, i % 2 ? "D>" : "c>");
    str_add(&text, "Z");
    assert_fold(&text, "az");
    str_reset(&text);
    str_add_n(&text, "<200\0>", 6);
    struct str folded;
    str_init(&folded, 64);
    utf8_fold(&folded, text.s, text.len);
    assert_int_equal(folded.len, 6); /* a NUL is no letter of a token */
    str_clear(&folded);
    str_clear(&text);
}

/* The slow way: the first token goes, until there is none. */
static void drop_tokens_one_by_one(struct str *text) {
    static const char *const TOKENS[] = {"<200c>", "<200d>"};
    for (size_t i = 0; i < COUNT_OF(TOKENS); i++) {
        const char *at = strstr(text->s, TOKENS[i]);
        if (at) {
            str_delete(text, (size_t)(at - text->s), strlen(TOKENS[i]));
            i = SIZE_MAX; /* from the start */
        }
    }
}

static void random_tokens_go_as_if_one_by_one(void **state) {
    static const char *const PARTS[] = {"<200", "<200", "C>", "d>", "<200D>", "<200c>", "<", "20", "0", "D", ">", "x"};
    uint32_t seed = 16;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct str text, slow;
        str_init(&text, 1024);
        str_init(&slow, 1024);
        for (uint32_t n = next_random(&seed) % 24; n > 0; n--)
            str_add(&text, PARTS[next_random(&seed) % COUNT_OF(PARTS)]);
        for (size_t i = 0; i < text.len; i++)
            str_add_char(&slow, text.s[i] == 'C' ? 'c' : text.s[i] == 'D' ? 'd' : text.s[i]);
        drop_tokens_one_by_one(&slow);
        assert_fold(&text, slow.s);
        str_clear(&text);
        str_clear(&slow);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f79_what_the_terminal_cannot_show_is_marked),
        cmocka_unit_test(f58_joiners_pass_where_the_script_needs_them_alone),
        cmocka_unit_test(f58_joiners_pass_where_they_make_or_keep_a_letter),
        cmocka_unit_test(hostile_fields_become_visible_tokens),
        cmocka_unit_test(every_control_is_a_token),
        cmocka_unit_test(no_format_character_stays),
        cmocka_unit_test(letters_of_any_script_stay),
        cmocka_unit_test(joiners_and_tags_are_tokens),
        cmocka_unit_test(a_mark_never_joins_the_cell_before_the_field),
        cmocka_unit_test(a_selector_that_would_change_the_width_is_a_token),
        cmocka_unit_test(marks_beyond_the_limit_are_cut),
        cmocka_unit_test(lines_stay_lines),
        cmocka_unit_test(sanitising_is_idempotent_over_random_text),
        cmocka_unit_test(the_corpus_of_nasty_strings_comes_out_clean),
        cmocka_unit_test(malformed_text_is_replaced_as_the_reference_does),
        cmocka_unit_test(one_mark_stands_for_each_maximal_subpart),
        cmocka_unit_test(encoding_and_decoding_agree),
        cmocka_unit_test(ascii_keeps_the_cells),
        cmocka_unit_test(f47_letters_are_found_by_what_people_type),
        cmocka_unit_test(nfc_and_fold_find_what_looks_alike),
        cmocka_unit_test(tokens_around_tokens_all_go),
        cmocka_unit_test(random_tokens_go_as_if_one_by_one),
    };
    return cmocka_run_group_tests(tests, utf8_everywhere, NULL);
}
