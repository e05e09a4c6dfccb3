#include "ui/input.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* The first name of a key is the one that is shown. */
static const struct {
    int32_t key;
    const char *name;
} names[] = {
    {INPUT_UP, "Up"},
    {INPUT_DOWN, "Down"},
    {INPUT_LEFT, "Left"},
    {INPUT_RIGHT, "Right"},
    {INPUT_HOME, "Home"},
    {INPUT_END, "End"},
    {INPUT_PAGE_UP, "PgUp"},
    {INPUT_PAGE_UP, "PageUp"},
    {INPUT_PAGE_DOWN, "PgDn"},
    {INPUT_PAGE_DOWN, "PageDown"},
    {INPUT_INSERT, "Ins"},
    {INPUT_INSERT, "Insert"},
    {INPUT_DELETE, "Del"},
    {INPUT_DELETE, "Delete"},
    {INPUT_BACKSPACE, "Backspace"},
    {INPUT_ENTER, "Enter"},
    {INPUT_ENTER, "Return"},
    {INPUT_TAB, "Tab"},
    {INPUT_BACK_TAB, "Shift-Tab"},
    {INPUT_ESCAPE, "Esc"},
    {INPUT_ESCAPE, "Escape"},
    {' ', "Space"},
};

void input_clear(struct input *input) {
    free(input->paste);
    *input = (struct input){0};
}

bool input_is_text(int32_t key) {
    return key == ' ' || (key > ' ' && key < INPUT_SPECIAL && key != 0x7f && (key < 0x80 || key >= 0xa0) &&
                          !(key >= 0xd800 && key < 0xe000) && key <= 0x10ffff);
}

void input_key_name(int32_t key, struct str *out) {
    char text[4];

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (names[i].key == key) {
            str_add(out, names[i].name);
            return;
        }
    }
    if (key == INPUT_ALT)
        str_add(out, "Alt with a key");
    else if (key >= INPUT_F1 && key <= INPUT_F12)
        str_addf(out, "F%d", (int)(key - INPUT_F1) + 1);
    else if (key >= INPUT_CTRL && key <= INPUT_CTRL_LAST)
        str_addf(out, "Ctrl-%c", (char)(key - INPUT_CTRL));
    else if (input_is_text(key))
        utf8_sanitise(out, text, utf8_encode(key, text));
}

/* Ctrl with H, I, J, M and [ arrives as Backspace, Tab, Enter and Escape: such a name would bind a key that never
 * arrives. */
static bool parse_ctrl(const char *name, int32_t *key) {
    char letter = name[0];

    if (letter >= 'a' && letter <= 'z')
        letter = (char)(letter - 'a' + 'A');
    if (letter == '\0' || name[1] != '\0' || letter < '@' || letter > '_' || strchr("HIJM[", letter))
        return false;
    *key = KEY_CTRL(letter);
    return true;
}

static bool parse_function(const char *name, int32_t *key) {
    long long n;

    if (!str_to_int64(name, strlen(name), &n) || n < 1 || n > 12 || name[0] == '0' || name[0] == '+')
        return false;
    *key = INPUT_F1 + (int32_t)n - 1;
    return true;
}

void input_fault_words(enum input_fault fault, bool pasted, struct str *out) {
    const char *done = pasted ? "nothing was pasted" : "not taken";
    if (fault == INPUT_FAULT_LOST)
        str_addf(out, "%s: it holds U+FFFD, where a character was lost before; copy it anew", done);
    else if (fault == INPUT_FAULT_CONTROL)
        str_addf(out, "%s: it holds control characters; copy it as plain text", done);
    else if (utf8_locale())
        str_addf(out, "%s: it is not UTF-8; let the terminal and its source use UTF-8", done);
    else
        str_addf(out, "%s: no text in %s, this locale's encoding; start bursar under UTF-8", done, utf8_charset());
}

bool input_key_parse(const char *name, int32_t *key) {
    size_t len = strlen(name);
    int32_t cp;

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (ascii_compare(names[i].name, name) == 0) {
            *key = names[i].key;
            return true;
        }
    }
    if (ascii_compare_n(name, "Ctrl-", 5) == 0)
        return parse_ctrl(name + 5, key);
    if ((name[0] == 'F' || name[0] == 'f') && len > 1)
        return parse_function(name + 1, key);
    if (len == 0 || !utf8_is_clean(name, len) || utf8_decode(name, len, &cp) != len || !input_is_text(cp))
        return false;
    *key = cp;
    return true;
}
