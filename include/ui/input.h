#ifndef UI_INPUT_H
#define UI_INPUT_H
/* What comes from the keyboard, decoded: keys by name, pasted text as one piece. Key codes are code points for
 * printable text, the enum below for the rest; KEY_CTRL('C') is Ctrl-C. No key means anything with Alt, which many
 * terminals send as Escape and the key: INPUT_ALT. */

#include "base/str.h"

#include <stdint.h>

enum {
    INPUT_SPECIAL = 0x200000, /* above Unicode */
    INPUT_UP = INPUT_SPECIAL,
    INPUT_DOWN,
    INPUT_LEFT,
    INPUT_RIGHT,
    INPUT_HOME,
    INPUT_END,
    INPUT_PAGE_UP,
    INPUT_PAGE_DOWN,
    INPUT_INSERT,
    INPUT_DELETE,
    INPUT_BACKSPACE,
    INPUT_ENTER,
    INPUT_TAB,
    INPUT_BACK_TAB,
    INPUT_ESCAPE,
    INPUT_F1, /* F1 to F12 follow one another */
    INPUT_F12 = INPUT_F1 + 11,
    INPUT_CTRL, /* INPUT_CTRL + letter 'A'..'Z', '\\', ']', '^', '_', '@' */
    INPUT_CTRL_LAST = INPUT_CTRL + 127,
    INPUT_ALT,        /* a key held with Alt, whichever it is: never an Escape with another key behind it */
    INPUT_UNREADABLE, /* not sent by the screen: for its owner, when screen_unreadable was true */
    INPUT_SPECIAL_END
};
#define KEY_CTRL(letter) (INPUT_CTRL + (letter))

enum input_kind { INPUT_KEY, INPUT_PASTE, INPUT_MOUSE };

enum { INPUT_PASTE_MAX = 64 * 1024 };

/* Why a paste may go nowhere: what cannot be read as text never enters a field. */
enum input_fault {
    INPUT_FAULT_NONE,
    INPUT_FAULT_ENCODING, /* bytes that are no characters in this locale */
    INPUT_FAULT_LOST,     /* U+FFFD, which stands where a character was lost before it came here */
    INPUT_FAULT_CONTROL,  /* control characters: what stands between them may be no text, such as a colour's digits */
};

struct input {
    enum input_kind kind;
    enum input_fault fault;
    int32_t key;          /* INPUT_KEY */
    char *paste;          /* INPUT_PASTE: valid UTF-8, newlines as '\n', owned by the receiver */
    bool paste_cut;       /* longer than INPUT_PASTE_MAX, or its end mark never came */
    int row, col, button; /* INPUT_MOUSE: button 1 press, 4 wheel up, 5 wheel down */
};
void input_clear(struct input *input);

/* "j", "Down", "Ctrl-D", "F1", "Space", "Enter": names for help and key map files, both ways. */
void input_key_name(int32_t key, struct str *out);
bool input_key_parse(const char *name, int32_t *key);
bool input_is_text(int32_t key); /* a printable character */

/* Why what was typed or pasted was not taken, and what to do; depends on the locale's encoding. */
void input_fault_words(enum input_fault fault, bool pasted, struct str *out);

#endif
