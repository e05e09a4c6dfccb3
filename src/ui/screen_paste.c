#include "ui/screen_state.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum {
    IDLE_MS = 500,    /* a paste that pauses this long has lost its end mark */
    TYPING_MS = 3000, /* so has one into which somebody types for this long */
    PIECE_MIN = 16,   /* bytes in one read that are too many to be typed */
    BURST_MIN = 64,
    BURST_TAIL_MIN = 8,
};

static const char end_mark[] = "\033[201~";
enum { END_MARK_LEN = sizeof end_mark - 1 };

void paste_init(struct screen_input *input) {
    str_init(&input->paste, INPUT_PASTE_MAX + END_MARK_LEN);
}

void paste_begin(struct screen_input *input, int64_t now) {
    input->pasting = true;
    input->overflown = false;
    input->paste_activity = now;
    input->waiting_since = now;
    str_reset(&input->paste);
}

static void add_code(struct str *out, int32_t code) {
    char bytes[4];

    if (code == '\t')
        code = ' ';
    if (code == '\n' || input_is_text(code))
        str_add_n(out, bytes, utf8_encode(code, bytes));
}

/* In a locale with one byte per character every byte is a letter: bytes that form a UTF-8 character come from a
 * terminal that sends UTF-8, and would be read as the wrong letters. */
size_t paste_foreign(const char *s, size_t len) {
    int32_t code;
    size_t taken;

    if (MB_CUR_MAX > 1 || (unsigned char)*s < 0x80)
        return 0;
    taken = utf8_decode(s, len, &code);
    return taken > 1 && utf8_is_valid(s, taken) ? taken : 0;
}

/* UTF8_REPLACEMENT for bytes that are no character in this locale; *fault then says so. */
static size_t next_code(const struct screen_input *input, const char *s, size_t len, int32_t *code,
                        enum input_fault *fault) {
    mbstate_t state = {0};
    wchar_t wide;
    size_t taken;

    if (input->utf8 || (unsigned char)*s < 0x80) {
        taken = utf8_decode(s, len, code);
        if (*code == UTF8_REPLACEMENT && *fault == INPUT_FAULT_NONE)
            *fault = utf8_is_valid(s, taken) ? INPUT_FAULT_LOST : INPUT_FAULT_ENCODING;
        return taken;
    }
    taken = mbrtowc(&wide, s, len, &state);
    if (taken == 0 || taken > len || paste_foreign(s, len) > 0 || !input_is_text((int32_t)wide)) {
        *code = UTF8_REPLACEMENT;
        *fault = INPUT_FAULT_ENCODING;
        return 1;
    }
    *code = (int32_t)wide;
    return taken;
}

/* A paste that was cut may end within a character, which is no fault of its text. */
static size_t whole_characters(const struct screen_input *input, const char *s, size_t len, bool cut) {
    size_t start = len;
    int32_t code;

    if (!cut || !input->utf8 || len == 0)
        return len;
    do {
        start--;
    } while (start > 0 && len - start < 4 && ((unsigned char)s[start] & 0xc0) == 0x80);
    return utf8_decode(s + start, len - start, &code) == len - start && utf8_is_valid(s + start, len - start) ? len
                                                                                                              : start;
}

static bool is_control(int32_t code) {
    enum { DELETE = 0x7f, C1_LAST = 0x9f };
    return (code < ' ' && code != '\t' && code != '\n' && code != '\r') || (code >= DELETE && code <= C1_LAST);
}

/* Line ends become '\n', all other control characters are dropped and told, Escape included: nothing pasted is a key.
 */
static void screen_paste_clean(const struct screen_input *input, const char *s, size_t len, struct input *out) {
    enum input_fault fault = INPUT_FAULT_NONE;
    struct str text;
    int32_t code;

    str_init(&text, INPUT_PASTE_MAX);
    for (size_t at = 0; at < len;) {
        size_t taken = next_code(input, s + at, len - at, &code, &fault);
        if (is_control(code) && fault == INPUT_FAULT_NONE)
            fault = INPUT_FAULT_CONTROL;
        if (code == '\r')
            code = at + 1 < len && s[at + 1] == '\n' ? 0 : '\n';
        add_code(&text, code);
        at += taken;
    }
    *out = (struct input){.kind = INPUT_PASTE, .fault = fault, .paste_cut = text.truncated};
    out->paste = mem_dup_n(text.s, text.len);
    secret_clear_str(&text);
}

static enum decode_result screen_paste_finish(struct screen_input *input, bool cut, struct input *out) {
    char tail[END_MARK_LEN] = {0};
    bool given = input->overflown;

    input->pasting = cut && !given && input->paste.truncated;
    input->overflown = input->pasting;
    if (given) {
        str_reset(&input->paste);
        return DECODE_SKIP;
    }
    screen_paste_clean(input, input->paste.s, whole_characters(input, input->paste.s, input->paste.len, cut), out);
    out->paste_cut = out->paste_cut || cut;
    if (input->overflown) /* the mark may begin in bytes that were passed on already */
        memcpy(tail, input->paste.s + input->paste.len - END_MARK_LEN, END_MARK_LEN);
    secret_clear_str(&input->paste); /* clipboards hold secrets too */
    str_add_n(&input->paste, tail, input->overflown ? END_MARK_LEN : 0);
    return DECODE_PASTE;
}

static bool ends_with_mark(const struct str *paste) {
    return paste->len >= END_MARK_LEN && memcmp(paste->s + paste->len - END_MARK_LEN, end_mark, END_MARK_LEN) == 0;
}

/* Of a paste that is too long only the last bytes are kept, to find its end mark. */
static void keep_tail(struct str *paste) {
    if (paste->len > 4 * END_MARK_LEN)
        str_delete(paste, 0, paste->len - END_MARK_LEN);
}

enum decode_result paste_feed(struct screen_input *input, int64_t now, struct input *out) {
    if (input->n >= PIECE_MIN)
        input->paste_activity = now;
    for (size_t i = 0; i < input->n; i++) {
        str_add_char(&input->paste, input->bytes[i]);
        if (input->bytes[i] == '~' && ends_with_mark(&input->paste)) {
            str_delete(&input->paste, input->paste.len - END_MARK_LEN, END_MARK_LEN);
            input_drop(input, i + 1);
            return screen_paste_finish(input, false, out);
        }
        if (input->overflown) {
            keep_tail(&input->paste);
        } else if (input->paste.truncated) {
            input_drop(input, i);
            return screen_paste_finish(input, true, out);
        }
    }
    input->n = 0;
    return paste_timeout(input, now) == 0 ? screen_paste_finish(input, true, out) : DECODE_MORE;
}

int paste_timeout(const struct screen_input *input, int64_t now) {
    int64_t idle = input->waiting_since + IDLE_MS - now, typing = input->paste_activity + TYPING_MS - now;
    int64_t left = idle < typing ? idle : typing;

    return left < 0 ? 0 : (int)left;
}

bool paste_is_burst(const struct screen_input *input) {
    size_t text = 0, tail = 0, lines = 0;

    if (input->n < BURST_MIN)
        return false;
    for (size_t i = 0; i < input->n; i++) {
        unsigned char c = (unsigned char)input->bytes[i];
        if (c == '\r' || c == '\n') {
            lines++;
            tail = 0;
        } else if (c >= 0x20 && c != 0x7f) {
            text++;
            tail++;
        } else if (c != '\t') {
            return false;
        }
    }
    return lines > 0 && tail >= BURST_TAIL_MIN && text > input->n / 2;
}

void paste_take_burst(struct screen_input *input, struct input *out) {
    screen_paste_clean(input, input->bytes, input->n, out);
    input->n = 0;
}
