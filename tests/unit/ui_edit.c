#include "ui/edit.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct edit edit;
    struct canvas *canvas;
};

static int set_up(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);

    assert_non_null(fixture);
    symbols_ascii(false);
    edit_init(&fixture->edit, 64);
    fixture->canvas = canvas_new(1, 10);
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *fixture = *state;

    edit_clear(&fixture->edit);
    canvas_free(fixture->canvas);
    free(fixture);
    return 0;
}

static void type(struct edit *edit, const char *text) {
    int32_t code;

    for (size_t at = 0, len = strlen(text); at < len;) {
        at += utf8_decode(text + at, len - at, &code);
        (void)edit_key(edit, code);
    }
}

static void typed_text_goes_in_at_the_caret(void **state) {
    struct edit *edit = &((struct fixture *)*state)->edit;

    type(edit, "acd");
    (void)edit_key(edit, INPUT_LEFT);
    (void)edit_key(edit, INPUT_LEFT);
    assert_int_equal(edit_key(edit, 'b'), EDIT_CHANGED);
    assert_string_equal(edit->text.s, "abcd");
    assert_int_equal(edit_key(edit, INPUT_HOME), EDIT_MOVED);
    type(edit, "<");
    assert_int_equal(edit_key(edit, KEY_CTRL('E')), EDIT_MOVED);
    type(edit, ">");
    assert_string_equal(edit->text.s, "<abcd>");
    assert_int_equal(edit_key(edit, INPUT_UP), EDIT_IGNORED);
    assert_int_equal(edit_key(edit, INPUT_ENTER), EDIT_IGNORED);
}

static void deleting_takes_whole_graphemes(void **state) {
    struct edit *edit = &((struct fixture *)*state)->edit;

    edit_set(edit, "ae\u0301\u65e5");
    assert_int_equal(edit_key(edit, INPUT_BACKSPACE), EDIT_CHANGED);
    assert_string_equal(edit->text.s, "ae\u0301");
    (void)edit_key(edit, INPUT_BACKSPACE);
    assert_string_equal(edit->text.s, "a");
    (void)edit_key(edit, INPUT_HOME);
    assert_int_equal(edit_key(edit, INPUT_BACKSPACE), EDIT_MOVED);
    assert_int_equal(edit_key(edit, INPUT_DELETE), EDIT_CHANGED);
    assert_string_equal(edit->text.s, "");
    assert_int_equal(edit_key(edit, INPUT_DELETE), EDIT_MOVED);
}

static void a_word_a_line_and_the_rest_are_cut_and_put_back(void **state) {
    struct edit *edit = &((struct fixture *)*state)->edit;

    edit_set(edit, "one two  three");
    (void)edit_key(edit, KEY_CTRL('W'));
    assert_string_equal(edit->text.s, "one two  ");
    (void)edit_key(edit, KEY_CTRL('W'));
    assert_string_equal(edit->text.s, "one ");
    (void)edit_key(edit, KEY_CTRL('Y'));
    assert_string_equal(edit->text.s, "one two  ");
    (void)edit_key(edit, INPUT_HOME);
    (void)edit_key(edit, INPUT_RIGHT);
    (void)edit_key(edit, KEY_CTRL('K'));
    assert_string_equal(edit->text.s, "o");
    (void)edit_key(edit, KEY_CTRL('U'));
    assert_string_equal(edit->text.s, "");
}

static void undo_takes_back_words_not_letters(void **state) {
    struct edit *edit = &((struct fixture *)*state)->edit;

    type(edit, "abc");
    (void)edit_key(edit, KEY_CTRL('W'));
    (void)edit_key(edit, KEY_CTRL('_'));
    assert_string_equal(edit->text.s, "abc");
    assert_int_equal(edit_key(edit, KEY_CTRL('_')), EDIT_CHANGED);
    assert_string_equal(edit->text.s, "");
    assert_int_equal(edit_key(edit, KEY_CTRL('_')), EDIT_MOVED);
}

static void what_does_not_fit_is_refused_whole(void **state) {
    struct edit *edit = &((struct fixture *)*state)->edit;
    char text[66];

    memset(text, 'x', 63);
    text[63] = '\0';
    edit_set(edit, text);
    assert_int_equal(edit_key(edit, 0xe9), EDIT_REFUSED);
    assert_int_equal(edit_paste(edit, "ab"), EDIT_REFUSED);
    assert_int_equal(edit->text.len, 63);
    assert_int_equal(edit_key(edit, 'y'), EDIT_CHANGED);
    assert_int_equal(edit_key(edit, 'y'), EDIT_REFUSED);
    memset(text, 'x', 62);
    memcpy(text + 62, "\u65e5", 4);
    edit_set(edit, text);
    assert_int_equal(edit->text.len, 62);
}

static void several_lines_are_refused(void **state) {
    struct edit *edit = &((struct fixture *)*state)->edit;

    assert_int_equal(edit_paste(edit, "a\nb"), EDIT_REFUSED);
    assert_string_equal(edit->text.s, "");
    assert_int_equal(edit_paste(edit, "one line\n"), EDIT_CHANGED);
    assert_string_equal(edit->text.s, "one line");
    assert_int_equal(edit_paste(edit, "\n"), EDIT_MOVED);
}

static void refusal_is(const struct edit *edit, const char *text, const char *words) {
    struct str why;

    str_init(&why, 256);
    edit_refusal(edit, text, "field", &why);
    assert_string_equal(why.s, words);
    str_clear(&why);
}

static void a_refused_paste_says_which_of_the_two_it_was(void **state) {
    struct edit *edit = &((struct fixture *)*state)->edit;
    char text[67];

    memset(text, 'x', 66);
    text[65] = '\n';
    text[66] = '\0';
    assert_int_equal(edit_paste(edit, text), EDIT_REFUSED);
    refusal_is(edit, text, "too long: at most 64 characters");
    text[3] = '\n';
    refusal_is(edit, text, "a text of several lines does not go into this field");
    memcpy(text + 2, "\u00e9", 2);
    refusal_is(edit, text, "too long: at most 64 bytes");
}

static const char *drawn(struct fixture *fixture) {
    static char text[256];
    size_t len = 0;

    edit_draw(&fixture->edit, fixture->canvas, canvas_rect(fixture->canvas), ROLE_FIELD, true);
    for (int x = 0; x < 10; x++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s", canvas_cell(fixture->canvas, 0, x).text);
    return text;
}

static void long_text_scrolls_with_the_caret(void **state) {
    struct fixture *fixture = *state;
    int y, x;

    edit_set(&fixture->edit, "abcdefghijklmno");
    assert_string_equal(drawn(fixture), "\u2026hijklmno ");
    assert_true(canvas_cursor_at(fixture->canvas, &y, &x));
    assert_int_equal(x, 9);
    (void)edit_key(&fixture->edit, INPUT_HOME);
    assert_string_equal(drawn(fixture), "abcdefghi\u2026");
    assert_true(canvas_cursor_at(fixture->canvas, &y, &x));
    assert_int_equal(x, 0);
}

static void the_caret_always_stands_on_a_cell_of_the_field(void **state) {
    struct fixture *fixture = *state;
    unsigned seed = 7;
    int y, x;

    for (int i = 0; i < 3000; i++) {
        static const int32_t keys[] = {'a',           0x65e5,      0x301,           0x1F600,
                                       INPUT_LEFT,    INPUT_RIGHT, INPUT_BACKSPACE, INPUT_DELETE,
                                       INPUT_HOME,    INPUT_END,   KEY_CTRL('W'),   KEY_CTRL('_'),
                                       KEY_CTRL('Y'), 0x1F1E9,     0x200d,          ' '};
        struct edit *edit = &fixture->edit;
        seed = seed * 1103515245 + 12345;
        (void)edit_key(edit, keys[seed / 65536 % COUNT_OF(keys)]);
        (void)drawn(fixture);
        assert_true(canvas_cursor_at(fixture->canvas, &y, &x));
        assert_true(edit->at <= edit->text.len);
        if (edit->at < edit->text.len) {
            size_t at = 0;
            while (at < edit->at)
                at = utf8_next(edit->text.s, edit->text.len, at);
            assert_int_equal(at, edit->at);
        }
    }
}

static void a_secret_is_drawn_as_dots_and_cannot_be_put_back(void **state) {
    struct fixture *fixture = *state;

    fixture->edit.secret = true;
    type(&fixture->edit, "hunter2");
    assert_string_equal(drawn(fixture), "\u2022\u2022\u2022\u2022\u2022\u2022\u2022   ");
    (void)edit_key(&fixture->edit, KEY_CTRL('U'));
    assert_int_equal(edit_key(&fixture->edit, KEY_CTRL('Y')), EDIT_MOVED);
    assert_int_equal(edit_key(&fixture->edit, KEY_CTRL('_')), EDIT_MOVED);
    assert_string_equal(fixture->edit.text.s, "");
}

static void a_secret_is_wiped_where_it_was_deleted(void **state) {
    struct fixture *fixture = *state;
    struct edit *edit = &fixture->edit;

    edit->secret = true;
    type(edit, "hunter2");
    (void)edit_key(edit, KEY_CTRL('U'));
    assert_null(memmem(edit->text.s, edit->text.cap, "unter", 5));
}

static void hostile_text_is_shown_as_tokens(void **state) {
    struct fixture *fixture = *state;

    edit_set(&fixture->edit, "\u202e");
    assert_string_equal(drawn(fixture), "<202E>    ");
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(typed_text_goes_in_at_the_caret),
        T(deleting_takes_whole_graphemes),
        T(a_word_a_line_and_the_rest_are_cut_and_put_back),
        T(undo_takes_back_words_not_letters),
        T(what_does_not_fit_is_refused_whole),
        T(several_lines_are_refused),
        T(a_refused_paste_says_which_of_the_two_it_was),
        T(long_text_scrolls_with_the_caret),
        T(the_caret_always_stands_on_a_cell_of_the_field),
        T(a_secret_is_drawn_as_dots_and_cannot_be_put_back),
        T(a_secret_is_wiped_where_it_was_deleted),
        T(hostile_text_is_shown_as_tokens),
    };
#undef T

    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
