#include "ui/screen_state.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <wctype.h>

/* Keys of an enhanced keyboard protocol that a program before this one left on: kitty's ESC [ code:shifted ; modifiers:
 * event ; text u, and xterm's ESC [ 27 ; modifiers ; code ~. It is reset at the start; what was typed before that, or
 * on a terminal that did not obey, is read as what it is. */

enum { FIELDS = 3, PARTS = 3, NUMBER_MAX = 0x110000, RELEASE = 3 };
enum { SHIFT = 1, ALT = 2, CTRL = 4, OTHERS = 8 | 16 | 32, CAPS = 64 };

struct fields {
    int n[FIELDS][PARTS];
};

static void screen_enhanced_read_fields(const char *s, size_t len, struct fields *out) {
    size_t field = 0, part = 0;
    *out = (struct fields){0};
    for (size_t i = 0; i < len; i++) {
        if (s[i] == ';') {
            field++;
            part = 0;
        } else if (s[i] == ':') {
            part++;
        } else if (s[i] >= '0' && s[i] <= '9' && field < FIELDS && part < PARTS) {
            int *number = &out->n[field][part];
            *number = *number < NUMBER_MAX ? *number * 10 + (s[i] - '0') : NUMBER_MAX;
        }
    }
}

bool enhanced_is_release(const char *s, size_t len) {
    struct fields fields;
    screen_enhanced_read_fields(s, len, &fields);
    return fields.n[1][1] == RELEASE;
}

/* Keys of the keypad, in kitty's private area of Unicode. */
static int32_t keypad_key(int code) {
    static const int32_t keys[] = {'0',        '1',         '2',          '3',         '4',           '5',
                                   '6',        '7',         '8',          '9',         '.',           '/',
                                   '*',        '-',         '+',          INPUT_ENTER, '=',           ',',
                                   INPUT_LEFT, INPUT_RIGHT, INPUT_UP,     INPUT_DOWN,  INPUT_PAGE_UP, INPUT_PAGE_DOWN,
                                   INPUT_HOME, INPUT_END,   INPUT_INSERT, INPUT_DELETE};
    enum { FIRST = 57399 };
    return code >= FIRST && code < FIRST + (int)COUNT_OF(keys) ? keys[code - FIRST] : 0;
}

static int32_t control_key(int code) {
    switch (code) {
    case 'i':
        return INPUT_TAB;
    case 'j':
    case 'm':
        return INPUT_ENTER;
    case 'h':
        return INPUT_BACKSPACE;
    case '[':
        return INPUT_ESCAPE;
    case ' ':
        return KEY_CTRL('@');
    default:
        code = code >= 'a' && code <= 'z' ? code - 'a' + 'A' : code;
        return code >= '@' && code <= '_' ? KEY_CTRL(code) : 0;
    }
}

static int32_t plain_key(int code, int modifiers) {
    switch (code) {
    case 27:
        return INPUT_ESCAPE;
    case '\r':
    case '\n':
        return INPUT_ENTER;
    case '\t':
        return modifiers & SHIFT ? INPUT_BACK_TAB : INPUT_TAB;
    case '\b':
    case 127:
        return INPUT_BACKSPACE;
    default:
        return code >= 57344 && code <= 63743 ? keypad_key(code) : 0;
    }
}

/* Letters whose capital the terminal did not name. */
static int32_t screen_enhanced_text_key(int code, int modifiers) {
    bool upper = ((modifiers & SHIFT) != 0) != ((modifiers & CAPS) != 0);
    int32_t key = !upper ? code : code < 0x80 ? ascii_upper((char)code) : (int32_t)towupper((wint_t)code);
    return input_is_text(key) ? key : 0;
}

int32_t enhanced_key(const char *s, size_t len, bool xterm) {
    struct fields fields;
    screen_enhanced_read_fields(s, len, &fields);
    int code = xterm ? fields.n[2][0] : fields.n[0][0], modifiers = fields.n[1][0] > 0 ? fields.n[1][0] - 1 : 0;
    if (fields.n[1][1] == RELEASE)
        return 0;
    if (modifiers & (ALT | OTHERS))
        return INPUT_ALT;
    int32_t key = plain_key(code, modifiers);
    if (key != 0 || (code >= 57344 && code <= 63743))
        return key;
    if (modifiers & CTRL)
        return control_key(code);
    int shifted = !xterm && fields.n[2][0] > 0 ? fields.n[2][0] : (modifiers & SHIFT) ? fields.n[0][1] : 0;
    return !xterm && shifted > 0 ? screen_enhanced_text_key(shifted, 0) : screen_enhanced_text_key(code, modifiers);
}
