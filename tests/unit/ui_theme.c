#include "ui/canvas.h"
#include "ui/theme.h"

#include "base/mem.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct str report;

static int set_up(void **state) {
    (void)state;
    (void)setlocale(LC_ALL, "C.UTF-8");
    str_init(&report, 64 * 1024);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    str_clear(&report);
    return 0;
}

static bool find_file(void *context, const char *name, struct str *text) {
    const char *tests = getenv("BURSAR_TESTS");
    char path[512], bytes[16384];
    FILE *file;

    (void)context;
    (void)snprintf(path, sizeof path, "%s/../themes/%s.theme", !tests ? "tests" : tests, name);
    file = fopen(path, "r");
    if (!file)
        return false;
    str_add_n(text, bytes, fread(bytes, 1, sizeof bytes, file));
    return fclose(file) == 0;
}

static bool find_parent(void *context, const char *name, struct str *text) {
    (void)context;
    if (strcmp(name, "parent") == 0) {
        str_add(text, "palette.tone = #000001\ntext = $tone\ntitle = bold blue\n");
        return true;
    }
    if (strcmp(name, "circle") == 0) {
        str_add(text, "inherit = own\n");
        return true;
    }
    return false;
}

static struct theme *load(const char *text) {
    struct theme_source source = {.name = "own", .text = text, .len = strlen(text), .find = find_parent};

    str_reset(&report);
    return theme_load(&source, &report);
}

static struct theme_style style_of(const char *text, enum role role, enum theme_depth depth) {
    struct theme *theme = load(text);
    struct theme_style style = theme_style(theme, role, depth);

    theme_free(theme);
    return style;
}

static void alternatives_go_from_rich_to_poor(void **state) {
    const char *text = "error = bold #d70000 | color160 | red\n";
    struct theme_style style = style_of(text, ROLE_ERROR, THEME_TRUE);

    (void)state;
    assert_int_equal(style.fg.kind, COLOUR_RGB);
    assert_int_equal(style.fg.value, 0xd70000);
    assert_int_equal(style_of(text, ROLE_ERROR, THEME_256).fg.value, 160);
    assert_int_equal(style_of(text, ROLE_ERROR, THEME_16).fg.value, 1);
    style = style_of(text, ROLE_ERROR, THEME_MONO);
    assert_int_equal(style.fg.kind, COLOUR_DEFAULT);
    assert_int_equal(style.attributes, THEME_BOLD);
    assert_string_equal(report.s, "");
}

static void a_single_rich_colour_becomes_the_nearest(void **state) {
    (void)state;
    assert_int_equal(style_of("error = #d70000", ROLE_ERROR, THEME_256).fg.value, 160);
    assert_int_equal(style_of("error = #fd0101", ROLE_ERROR, THEME_16).fg.value, 9);
    assert_int_equal(style_of("error = #d70000", ROLE_ERROR, THEME_MONO).fg.kind, COLOUR_DEFAULT);
    assert_int_equal(style_of("error = color231", ROLE_ERROR, THEME_16).fg.value, 15);
    assert_int_equal(style_of("error = #ffffff", ROLE_ERROR, THEME_256).fg.value, 231);
    assert_int_equal(style_of("error = #080808", ROLE_ERROR, THEME_256).fg.value, 232);
}

static void attributes_background_and_plain_are_read(void **state) {
    struct theme_style style =
        style_of("error = bold underline italic reverse white on bright-blue | plain", ROLE_ERROR, THEME_16);

    (void)state;
    assert_int_equal(style.attributes, THEME_BOLD | THEME_UNDERLINE | THEME_ITALIC | THEME_REVERSE);
    assert_int_equal(style.fg.value, 7);
    assert_int_equal(style.bg.value, 12);
    assert_int_equal(style_of("error = bold underline white on blue | plain", ROLE_ERROR, THEME_MONO).attributes, 0);
}

static void dim_is_a_grey_and_goes_with_the_colours(void **state) {
    (void)state;
    assert_int_equal(style_of("dim = dim | italic", ROLE_DIM, THEME_16).attributes, THEME_DIM);
    assert_int_equal(style_of("dim = dim | italic", ROLE_DIM, THEME_MONO).attributes, THEME_ITALIC);
    assert_int_equal(style_of("dim = dim", ROLE_DIM, THEME_MONO).attributes, 0);
}

static void faults_name_file_line_and_reason_and_the_rest_applies(void **state) {
    static const char text[] = "# comment\n"
                               "\n"
                               "nonsense = red\n"
                               "error = purple-ish\n"
                               "warn = red on\n"
                               "info = color256\n"
                               "no equals here\n"
                               "ok = $missing\n"
                               "title = red blue\n"
                               "dim = #12345\n"
                               "mark =\n"
                               "background = blue\n"
                               "sym.nosuch = x\n"
                               "sym.mark = xx\n"
                               "palette.p = mauve\n"
                               "inherit = nowhere\n"
                               "hit = magenta\n";
    static const char *const wanted[] = {
        "own:3: unknown role: nonsense",     "own:4: neither an attribute nor a colour: purple-ish",
        "own:5: no colour after \"on\"",     "own:6: neither an attribute nor a colour: color256",
        "own:7: no \"=\" in this line",      "own:8: no such palette name: $missing",
        "own:9: more than one colour: blue", "own:10: neither an attribute nor a colour: #12345",
        "own:11: empty alternative",         "own:12: background is dark, light or any: blue",
        "own:13: unknown symbol: nosuch",    "own:14: a symbol is one character of one cell: xx",
        "own:15: no such colour: mauve",     "own:16: no such theme: nowhere",
    };
    struct theme *theme = load(text);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        if (!strstr(report.s, wanted[i]))
            fail_msg("no \"%s\" in:\n%s", wanted[i], report.s);
    assert_int_equal(theme_style(theme, ROLE_HIT, THEME_16).fg.value, 5);
    assert_int_equal(theme_style(theme, ROLE_ERROR, THEME_16).fg.value, 1); /* the built-in one's */
    theme_free(theme);
}

static void text_from_a_file_is_sanitised_in_messages(void **state) {
    (void)state;
    theme_free(load("a\033[2Jb = red\n"));
    assert_null(strchr(report.s, '\033'));
    assert_non_null(strstr(report.s, "a<1B>[2Jb"));
    theme_free(load("inherit = a\033c\n"));
    assert_non_null(strstr(report.s, "own:1: no such theme: a<1B>c"));
}

static void a_symbol_cannot_be_a_control_character(void **state) {
    (void)state;
    struct theme *theme = load("sym.mark = \u2605 \033\nsym.bullet = o \177\n");
    assert_non_null(strstr(report.s, "own:1: the second form of a symbol is one ASCII character: <1B>"));
    assert_null(theme_symbol(theme, "mark", true));
    assert_null(theme_symbol(theme, "bullet", true));
    theme_free(theme);
}

static void missing_roles_come_from_the_inherited_then_from_the_builtin(void **state) {
    struct theme *theme = load("inherit = parent\nerror = magenta\n");

    (void)state;
    assert_string_equal(report.s, "");
    assert_int_equal(theme_style(theme, ROLE_ERROR, THEME_16).fg.value, 5);
    assert_int_equal(theme_style(theme, ROLE_TITLE, THEME_16).fg.value, 4);
    assert_int_equal(theme_style(theme, ROLE_CURSOR, THEME_16).attributes, THEME_REVERSE);
    theme_free(theme);
}

static void a_palette_change_reaches_inherited_roles(void **state) {
    (void)state;
    assert_int_equal(style_of("inherit = parent\n", ROLE_TEXT, THEME_TRUE).fg.value, 1);
    assert_int_equal(style_of("inherit = parent\npalette.tone = #000002\n", ROLE_TEXT, THEME_TRUE).fg.value, 2);
}

static void palette_alternatives_spread_over_the_role(void **state) {
    const char *text = "palette.p = #010203 | color99 | magenta\nerror = bold $p on black\n";

    (void)state;
    assert_int_equal(style_of(text, ROLE_ERROR, THEME_TRUE).fg.value, 0x010203);
    assert_int_equal(style_of(text, ROLE_ERROR, THEME_256).fg.value, 99);
    assert_int_equal(style_of(text, ROLE_ERROR, THEME_16).fg.value, 5);
    assert_int_equal(style_of(text, ROLE_ERROR, THEME_16).attributes, THEME_BOLD);
}

static void a_circle_of_themes_ends_and_is_named(void **state) {
    (void)state;
    theme_free(load("inherit = circle\n"));
    assert_non_null(strstr(report.s, "circle:1: themes inherit in a circle: own"));
}

static void a_second_inherit_is_named_and_the_first_holds(void **state) {
    struct theme *theme = load("inherit = parent\nerror = bold\ninherit = circle\n");

    (void)state;
    assert_string_equal(report.s, "own:3: a second inherit line; the first holds: circle\n");
    assert_int_equal(theme_style(theme, ROLE_TITLE, THEME_16).fg.value, 4); /* as the parent has it */
    theme_free(theme);
}

static void symbols_are_set_in_both_forms(void **state) {
    struct theme *theme = load("sym.mark = \u2605 @\nsym.bullet = o\n");

    (void)state;
    assert_string_equal(report.s, "");
    assert_string_equal(theme_symbol(theme, "mark", false), "\u2605");
    assert_string_equal(theme_symbol(theme, "mark", true), "@");
    assert_string_equal(theme_symbol(theme, "bullet", true), "o");
    assert_null(theme_symbol(theme, "new", false));
    assert_null(theme_symbol(theme, "nosuch", false));
    theme_use_symbols(theme, false);
    assert_string_equal(symbol(SYMBOL_MARK), "\u2605");
    theme_use_symbols(NULL, false);
    assert_string_equal(symbol(SYMBOL_MARK), "*");
    theme_free(theme);
}

static void the_builtin_theme_gives_every_role_a_style_without_faults(void **state) {
    struct theme_source source = {.name = "terminal", .text = theme_builtin, .len = strlen(theme_builtin)};
    struct theme *theme = theme_load(&source, &report);

    (void)state;
    assert_string_equal(report.s, "");
    for (int role = 0; role < ROLE_COUNT; role++) {
        char line[64];
        (void)snprintf(line, sizeof line, "\n%s = ", role_name((enum role)role));
        if (!strstr(theme_builtin, line))
            fail_msg("%s is missing", role_name((enum role)role));
        for (int depth = THEME_16; depth <= THEME_TRUE; depth++) { /* the terminal's own colours only */
            struct theme_style style = theme_style(theme, (enum role)role, (enum theme_depth)depth);
            assert_true(style.fg.kind == COLOUR_DEFAULT || (style.fg.kind == COLOUR_INDEX && style.fg.value < 16));
            assert_int_equal(style.bg.kind, COLOUR_DEFAULT);
        }
    }
    theme_free(theme);
}

static void shipped_themes_are_without_faults_and_readable(void **state) {
    static const char *const names[] = {"terminal", "dark", "light", "high-contrast", "mono", "cvd"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct str text;
        struct theme_source source = {.name = names[i], .find = find_file};
        struct theme *theme;
        str_init(&text, 64 * 1024);
        assert_true(find_file(NULL, names[i], &text));
        source.text = text.s;
        source.len = text.len;
        str_reset(&report);
        theme = theme_load(&source, &report);
        if (!theme_check(theme, &report) || report.len > 0)
            fail_msg("%s:\n%s", names[i], report.s);
        theme_free(theme);
        str_clear(&text);
    }
}

static void poor_contrast_and_statuses_alike_are_found(void **state) {
    struct theme *theme = load("background = dark\ntext = #404040\nstatus.pending = bold\nstatus.approved = bold\n"
                               "ok = #ff8080\ncursor = default on #ff8080\n");

    (void)state;
    assert_false(theme_check(theme, &report));
    assert_non_null(strstr(report.s, "text: contrast 1."));
    assert_non_null(strstr(report.s, "ok under the cursor: contrast 1.00:1"));
    assert_non_null(strstr(report.s, "status.approved and status.pending look alike without colour"));
    assert_null(strstr(report.s, "ok: contrast"));
    theme_free(theme);
}

static void noise_is_survived(void **state) {
    unsigned seed = 12345;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        static const char *const pieces[] = {"text", " = ",       "bold ", "#ff00",    "00 ",     "|",
                                             "$a",   "palette.a", "on ",   "red ",     "\n",      "=",
                                             "sym.", "mark",      "\xff",  "\xe2\x98", "inherit", "parent"};
        char text[256] = "";
        for (int i = 0; i < 20; i++) {
            size_t len = strlen(text);
            seed = seed * 1103515245 + 12345;
            (void)snprintf(text + len, sizeof text - len, "%s", pieces[seed / 65536 % COUNT_OF(pieces)]);
        }
        theme_free(load(text));
    }
}

static void role_names_and_letters_are_unique(void **state) {
    (void)state;
    for (int a = 0; a < ROLE_COUNT; a++) {
        assert_int_equal(role_find(role_name((enum role)a)), a);
        for (int b = a + 1; b < ROLE_COUNT; b++)
            assert_int_not_equal(role_letter((enum role)a), role_letter((enum role)b));
    }
    assert_int_equal(role_find("nosuch"), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alternatives_go_from_rich_to_poor),
        cmocka_unit_test(a_single_rich_colour_becomes_the_nearest),
        cmocka_unit_test(attributes_background_and_plain_are_read),
        cmocka_unit_test(dim_is_a_grey_and_goes_with_the_colours),
        cmocka_unit_test(faults_name_file_line_and_reason_and_the_rest_applies),
        cmocka_unit_test(text_from_a_file_is_sanitised_in_messages),
        cmocka_unit_test(missing_roles_come_from_the_inherited_then_from_the_builtin),
        cmocka_unit_test(a_palette_change_reaches_inherited_roles),
        cmocka_unit_test(palette_alternatives_spread_over_the_role),
        cmocka_unit_test(a_symbol_cannot_be_a_control_character),
        cmocka_unit_test(a_circle_of_themes_ends_and_is_named),
        cmocka_unit_test(a_second_inherit_is_named_and_the_first_holds),
        cmocka_unit_test(symbols_are_set_in_both_forms),
        cmocka_unit_test(the_builtin_theme_gives_every_role_a_style_without_faults),
        cmocka_unit_test(shipped_themes_are_without_faults_and_readable),
        cmocka_unit_test(poor_contrast_and_statuses_alike_are_found),
        cmocka_unit_test(noise_is_survived),
        cmocka_unit_test(role_names_and_letters_are_unique),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
