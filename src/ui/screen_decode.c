#include "ui/screen_state.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <limits.h>
#include <string.h>
#include <wchar.h>

enum {
    ESCAPE = 0x1b,
    SEQUENCE_MAX = 64,
    SPLIT_MS = 200, /* how long after its Escape the rest of a sequence may arrive */
};

void input_drop(struct screen_input *input, size_t n) {
    input->alone = input->alone && n == 0;
    memmove(input->bytes, input->bytes + n, input->n - n);
    input->n -= n;
}

static enum decode_result screen_decode_key(struct screen_input *input, size_t taken, int32_t code, struct input *out) {
    input_drop(input, taken);
    *out = (struct input){.kind = INPUT_KEY, .key = code};
    return DECODE_KEY;
}

static enum decode_result screen_decode_skip(struct screen_input *input, size_t taken) {
    input_drop(input, taken);
    return DECODE_SKIP;
}

struct final {
    char byte;
    int32_t key;
};

static int32_t find_final(const struct final *finals, size_t n, char byte) {
    for (size_t i = 0; i < n; i++)
        if (finals[i].byte == byte)
            return finals[i].key;
    return 0;
}

/* ESC [ ... x and ESC O x. The lower-case arrows are rxvt's with Shift or Ctrl. */
static const struct final csi_finals[] = {
    {'A', INPUT_UP},     {'B', INPUT_DOWN},     {'C', INPUT_RIGHT}, {'D', INPUT_LEFT},   {'H', INPUT_HOME},
    {'F', INPUT_END},    {'Z', INPUT_BACK_TAB}, {'P', INPUT_F1},    {'Q', INPUT_F1 + 1}, {'R', INPUT_F1 + 2},
    {'S', INPUT_F1 + 3}, {'a', INPUT_UP},       {'b', INPUT_DOWN},  {'c', INPUT_RIGHT},  {'d', INPUT_LEFT},
};
static const struct final ss3_finals[] = {
    {'A', INPUT_UP},    {'B', INPUT_DOWN},  {'C', INPUT_RIGHT},  {'D', INPUT_LEFT},   {'H', INPUT_HOME},
    {'F', INPUT_END},   {'P', INPUT_F1},    {'Q', INPUT_F1 + 1}, {'R', INPUT_F1 + 2}, {'S', INPUT_F1 + 3},
    {'M', INPUT_ENTER}, {'I', INPUT_TAB},   {'X', '='},          {'j', '*'},          {'k', '+'},
    {'l', ','},         {'m', '-'},         {'n', '.'},          {'o', '/'},          {'p', '0'},
    {'q', '1'},         {'r', '2'},         {'s', '3'},          {'t', '4'},          {'u', '5'},
    {'v', '6'},         {'w', '7'},         {'x', '8'},          {'y', '9'},          {'a', INPUT_UP},
    {'b', INPUT_DOWN},  {'c', INPUT_RIGHT}, {'d', INPUT_LEFT},
};
/* ESC [ n ~ */
static const struct {
    int number;
    int32_t key;
} tildes[] = {
    {1, INPUT_HOME},      {2, INPUT_INSERT},  {3, INPUT_DELETE},  {4, INPUT_END},      {5, INPUT_PAGE_UP},
    {6, INPUT_PAGE_DOWN}, {7, INPUT_HOME},    {8, INPUT_END},     {11, INPUT_F1},      {12, INPUT_F1 + 1},
    {13, INPUT_F1 + 2},   {14, INPUT_F1 + 3}, {15, INPUT_F1 + 4}, {17, INPUT_F1 + 5},  {18, INPUT_F1 + 6},
    {19, INPUT_F1 + 7},   {20, INPUT_F1 + 8}, {21, INPUT_F1 + 9}, {23, INPUT_F1 + 10}, {24, INPUT_F1 + 11},
};

/* Reads "12;5;7" into numbers; returns how many. */
static int parse_numbers(const char *s, size_t len, int *numbers, int max) {
    int n = 0;

    numbers[0] = 0;
    for (size_t i = 0; i < len; i++)
        if (s[i] == ';' && n + 1 < max)
            numbers[++n] = 0;
        else if (s[i] >= '0' && s[i] <= '9' && numbers[n] < 100000)
            numbers[n] = numbers[n] * 10 + (s[i] - '0');
    return n + 1;
}

static enum decode_result mouse(struct screen_input *input, size_t from, size_t end, struct input *out) {
    int numbers[3], button = 0, n = parse_numbers(input->bytes + from + 1, end - from - 1, numbers, 3);
    bool press = input->bytes[end] == 'M';

    if (n == 3 && press)
        button = numbers[0] == 0 ? 1 : numbers[0] == 64 ? 4 : numbers[0] == 65 ? 5 : 0;
    input_drop(input, end + 1);
    if (button == 0 || numbers[1] < 1 || numbers[2] < 1)
        return DECODE_SKIP;
    *out = (struct input){.kind = INPUT_MOUSE, .row = numbers[2] - 1, .col = numbers[1] - 1, .button = button};
    return DECODE_MOUSE;
}

static enum decode_result tilde(struct screen_input *input, size_t from, size_t end, int64_t now, struct input *out) {
    int numbers[2];

    (void)parse_numbers(input->bytes + from, end - from, numbers, 2);
    if (numbers[0] == 27 || enhanced_is_release(input->bytes + from, end - from)) {
        int32_t code = numbers[0] == 27 ? enhanced_key(input->bytes + from, end - from, true) : 0;
        return code != 0 ? screen_decode_key(input, end + 1, code, out) : screen_decode_skip(input, end + 1);
    }
    if (numbers[0] == 200) {
        input_drop(input, end + 1);
        paste_begin(input, now);
        return DECODE_SKIP;
    }
    for (size_t i = 0; i < COUNT_OF(tildes); i++)
        if (tildes[i].number == numbers[0])
            return screen_decode_key(input, end + 1, tildes[i].key, out);
    return screen_decode_skip(input, end + 1);
}

/* No key has a private marker, a byte between parameters and end, or a line below the first: those are answers to
 * queries, and this program makes none. */
static bool is_answer(const struct screen_input *input, size_t from, size_t end) {
    int numbers[2];

    for (size_t i = from; i < end; i++)
        if (!(input->bytes[i] >= '0' && input->bytes[i] <= ';'))
            return true;
    (void)parse_numbers(input->bytes + from, end - from, numbers, 2);
    return end > from && (input->bytes[end] >= 'a' || (input->bytes[end] == 'R' && numbers[0] != 1));
}

/* The old mouse report: its button and place are three bytes behind the letter. */
static enum decode_result old_mouse(struct screen_input *input, size_t end) {
    return input->n < end + 4 ? DECODE_MORE : screen_decode_skip(input, end + 4);
}

/* The sequence's parameters start at `from`. Modifiers are ignored: Shift-Up is Up. */
static enum decode_result csi(struct screen_input *input, size_t from, int64_t now, struct input *out) {
    size_t end = from;
    int32_t code;

    if (end < input->n && input->bytes[end] == '[') { /* the Linux console's F1 to F5: ESC [ [ A */
        char letter = end + 1 < input->n ? input->bytes[end + 1] : 0;
        if (letter == 0)
            return DECODE_MORE;
        return letter >= 'A' && letter <= 'E' ? screen_decode_key(input, end + 2, INPUT_F1 + (letter - 'A'), out)
                                              : screen_decode_skip(input, end + 1);
    }
    while (end < input->n && input->bytes[end] >= 0x20 && input->bytes[end] < 0x40)
        end++;
    if (end - from > SEQUENCE_MAX)
        return screen_decode_skip(input, end);
    if (end == input->n)
        return DECODE_MORE;
    if (input->bytes[end] < 0x40 || input->bytes[end] > 0x7e)
        return screen_decode_skip(input, end); /* broken off by another character, which is decoded next */
    if (input->bytes[from] == '<')
        return mouse(input, from, end, out);
    if (input->bytes[end] == '~')
        return tilde(input, from, end, now, out);
    if (input->bytes[end] == 'M' && end == from)
        return old_mouse(input, end);
    if (input->bytes[end] == 'u' && end > from && input->bytes[from] >= '0' && input->bytes[from] <= '9') {
        code = enhanced_key(input->bytes + from, end - from, false);
        return code != 0 ? screen_decode_key(input, end + 1, code, out) : screen_decode_skip(input, end + 1);
    }
    if (enhanced_is_release(input->bytes + from, end - from))
        return screen_decode_skip(input, end + 1);
    code = is_answer(input, from, end) ? 0 : find_final(csi_finals, COUNT_OF(csi_finals), input->bytes[end]);
    return code != 0 ? screen_decode_key(input, end + 1, code, out) : screen_decode_skip(input, end + 1);
}

static enum decode_result ss3(struct screen_input *input, size_t from, struct input *out) {
    size_t end = from;
    int32_t code;

    while (end < input->n && input->bytes[end] >= '0' && input->bytes[end] <= '9' && end - from < 3)
        end++;
    if (end == input->n)
        return DECODE_MORE;
    code = find_final(ss3_finals, COUNT_OF(ss3_finals), input->bytes[end]);
    return code != 0 ? screen_decode_key(input, end + 1, code, out) : screen_decode_skip(input, end + 1);
}

/* What begins as a terminal's answer in a string does: ESC ] 11;rgb:... BEL, ESC P 1$r... ESC \\. */
static bool begins_string(const struct screen_input *input, size_t at) {
    char first = input->bytes[at], next = at + 1 < input->n ? input->bytes[at + 1] : '0';

    return (first == ']' && next >= '0' && next <= '9') ||
           (first == 'P' && next != 0 && strchr("0123456789>!+$", next)) ||
           (first == '_' && (next == 'G' || at + 1 == input->n));
}

/* Skips an answer that nobody asked for, as a whole. `at` is its letter. */
static enum decode_result screen_decode_string(struct screen_input *input, size_t at) {
    for (size_t i = at + 1; i < input->n; i++) {
        unsigned char c = (unsigned char)input->bytes[i];
        if (c == '\a')
            return screen_decode_skip(input, i + 1);
        if (c == ESCAPE)
            return i + 1 == input->n ? DECODE_MORE : screen_decode_skip(input, input->bytes[i + 1] == '\\' ? i + 2 : i);
        if (c < 0x20)
            return screen_decode_skip(input, i); /* broken off */
    }
    return input->n == SCREEN_PENDING_MAX ? screen_decode_skip(input, input->n) : DECODE_MORE;
}

static bool waited(const struct screen_input *input, int64_t now, int limit) {
    return now - input->waiting_since >= limit;
}

static enum decode_result lone_escape(struct screen_input *input, int64_t now, size_t taken, struct input *out) {
    input->lone_escape = now;
    return screen_decode_key(input, taken, INPUT_ESCAPE, out);
}

static size_t utf8_length(unsigned char first) {
    return first >= 0xf0 && first < 0xf5   ? 4
           : first >= 0xe0 && first < 0xf0 ? 3
           : first >= 0xc2 && first < 0xe0 ? 2
                                           : 1;
}

/* An Escape with a key right behind it is that key with Alt: one key, and nothing of it acts. A second Escape is an
 * Escape pressed twice, unless a sequence follows, which some terminals send for Alt with an arrow. */
static enum decode_result with_alt(struct screen_input *input, int64_t now, struct input *out) {
    size_t need = utf8_length((unsigned char)input->bytes[1]);
    enum decode_result result;

    if (input->alone)
        return screen_decode_key(input, 1, INPUT_ESCAPE, out);
    if (input->bytes[1] == ESCAPE) {
        if (input->n == 2 && !waited(input, now, input->escape_delay))
            return DECODE_MORE;
        if (input->n == 2 || (input->bytes[2] != '[' && input->bytes[2] != 'O'))
            return screen_decode_key(input, 1, INPUT_ESCAPE, out);
        result = input->bytes[2] == '[' ? csi(input, 3, now, out) : ss3(input, 3, out);
        if (result == DECODE_KEY)
            out->key = INPUT_ALT;
        return result == DECODE_MORE && waited(input, now, SPLIT_MS)
                   ? screen_decode_key(input, input->n, INPUT_ESCAPE, out)
                   : result;
    }
    if (input->utf8 && input->n < 1 + need && !waited(input, now, SPLIT_MS))
        return DECODE_MORE;
    return screen_decode_key(input, input->utf8 && input->n >= 1 + need ? 1 + need : 2, INPUT_ALT, out);
}

static enum decode_result screen_decode_escape(struct screen_input *input, int64_t now, struct input *out) {
    enum decode_result result;

    if (input->n == 1)
        return waited(input, now, input->escape_delay) ? lone_escape(input, now, 1, out) : DECODE_MORE;
    if (begins_string(input, 1)) {
        result = screen_decode_string(input, 1);
        if (result != DECODE_MORE || !waited(input, now, SPLIT_MS))
            return result;
        return input->n > 2 ? screen_decode_skip(input, input->n) : screen_decode_key(input, 2, INPUT_ALT, out);
    }
    if (input->bytes[1] != '[' && input->bytes[1] != 'O')
        return with_alt(input, now, out);
    if (input->n == 2 && waited(input, now, SPLIT_MS))
        return screen_decode_key(input, 2, INPUT_ALT, out);
    result = input->bytes[1] == '[' ? csi(input, 2, now, out) : ss3(input, 2, out);
    if (result == DECODE_MORE && waited(input, now, SPLIT_MS)) {
        /* The rest never came: this is an Escape, and the rest of the sequence is no text. */
        return screen_decode_key(input, input->n, INPUT_ESCAPE, out);
    }
    return result;
}

/* After an Escape that was reported by itself, "[x" and "Ox" are the rest of a key that arrived in two parts. */
static enum decode_result after_escape(struct screen_input *input, int64_t now, struct input *out) {
    char first = input->bytes[0];
    enum decode_result result;

    bool torn = first == '[' || first == 'O' || begins_string(input, 0);

    if (input->lone_escape == 0 || !torn || input->waiting_since - input->lone_escape > SPLIT_MS) {
        input->lone_escape = 0;
        return DECODE_NONE;
    }
    result = first == '['   ? csi(input, 1, now, out)
             : first == 'O' ? ss3(input, 1, out)
                            : screen_decode_string(input, 0);
    if (result == DECODE_MORE) {
        if (!waited(input, now, SPLIT_MS))
            return DECODE_MORE;
        result = DECODE_NONE;
    }
    input->lone_escape = 0;
    return result;
}

static enum decode_result control(struct screen_input *input, unsigned char c, struct input *out) {
    switch (c) {
    case '\r':
    case '\n':
        return screen_decode_key(input, 1, INPUT_ENTER, out);
    case '\t':
        return screen_decode_key(input, 1, INPUT_TAB, out);
    case '\b':
    case 0x7f:
        return screen_decode_key(input, 1, INPUT_BACKSPACE, out);
    default:
        return screen_decode_key(input, 1, KEY_CTRL('@' + (int32_t)c), out);
    }
}

/* Only the beginning of a character has arrived. */
static bool is_torn(const struct screen_input *input) {
    for (size_t i = 1; i < input->n; i++)
        if (((unsigned char)input->bytes[i] & 0xc0) != 0x80)
            return false;
    return true;
}

/* Reports no key; screen_unreadable tells it once for all bytes that arrived together. */
static enum decode_result unreadable(struct screen_input *input, size_t taken) {
    input->unreadable = true;
    return screen_decode_skip(input, taken > 0 ? taken : 1);
}

static enum decode_result locale_text(struct screen_input *input, struct input *out) {
    mbstate_t state = {0};
    wchar_t wide;
    size_t taken = mbrtowc(&wide, input->bytes, input->n, &state), foreign = paste_foreign(input->bytes, input->n);

    if (foreign > 0)
        return unreadable(input, foreign);
    if (taken == (size_t)-2)
        return input->n < MB_LEN_MAX ? DECODE_MORE : unreadable(input, 1);
    if (taken == (size_t)-1 || taken == 0 || !input_is_text((int32_t)wide))
        return unreadable(input, taken == (size_t)-1 ? 1 : taken);
    return screen_decode_key(input, taken, (int32_t)wide, out);
}

static enum decode_result screen_decode_text(struct screen_input *input, struct input *out) {
    size_t need = utf8_length((unsigned char)input->bytes[0]), taken;
    int32_t code;

    if (!input->utf8)
        return locale_text(input, out);
    if (input->n < need && is_torn(input))
        return DECODE_MORE;
    taken = utf8_decode(input->bytes, input->n, &code);
    if (!utf8_is_valid(input->bytes, taken) || code == UTF8_REPLACEMENT)
        return unreadable(input, taken);
    return input_is_text(code) ? screen_decode_key(input, taken, code, out) : screen_decode_skip(input, taken);
}

enum decode_result decode_next(struct screen_input *input, int64_t now, struct input *out) {
    unsigned char first;
    enum decode_result result;

    if (input->pasting)
        return paste_feed(input, now, out);
    if (input->n == 0)
        return DECODE_NONE;
    first = (unsigned char)input->bytes[0];
    result = after_escape(input, now, out);
    if (result != DECODE_NONE)
        return result;
    if (first == ESCAPE)
        return screen_decode_escape(input, now, out);
    if (paste_is_burst(input)) {
        paste_take_burst(input, out);
        return DECODE_PASTE;
    }
    if (first < 0x20 || first == 0x7f)
        return control(input, first, out);
    result = screen_decode_text(input, out);
    return result == DECODE_MORE && waited(input, now, SPLIT_MS) ? unreadable(input, input->n) : result;
}

int decode_timeout(const struct screen_input *input, int64_t now) {
    int64_t limit = input->n == 1 && input->bytes[0] == ESCAPE ? input->escape_delay : SPLIT_MS;

    if (input->pasting)
        return paste_timeout(input, now);
    if (input->n == 0)
        return -1;
    limit -= now - input->waiting_since;
    return limit < 0 ? 0 : (int)limit;
}
