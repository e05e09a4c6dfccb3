#include "ui/edit.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { UNDO_MAX = 100 };

struct undo_step {
    char *text;
    size_t at;
};

struct edit_undo {
    struct undo_step steps[UNDO_MAX];
    size_t n;
    bool typing; /* the last change was typed text, and the next letter belongs to the same undo step */
    char *cut;   /* of Ctrl-W, Ctrl-U, Ctrl-K */
};

void edit_init(struct edit *edit, size_t max) {
    *edit = (struct edit){.undo = mem_new(sizeof *edit->undo)};
    str_init(&edit->text, max);
}

static void edit_forget(struct edit_undo *undo) {
    for (size_t i = 0; i < undo->n; i++)
        free(undo->steps[i].text);
    undo->n = 0;
    undo->typing = false;
}

void edit_clear(struct edit *edit) {
    if (!edit->undo)
        return;
    if (edit->secret && edit->text.cap > 0)
        secret_wipe(edit->text.s, edit->text.cap);
    edit_forget(edit->undo);
    free(edit->undo->cut);
    free(edit->undo);
    str_clear(&edit->text);
    *edit = (struct edit){0};
}

/* A secret's buffer is never moved, which would leave a copy in freed memory. */
static void edit_reserve(struct edit *edit) {
    if (edit->secret && edit->text.len == 0 && edit->text.cap < edit->text.max) {
        str_add_repeat(&edit->text, ' ', edit->text.max);
        str_reset(&edit->text);
    }
}

static void remember(struct edit *edit, bool typing) {
    struct edit_undo *undo = edit->undo;
    bool joins = typing && undo->typing && undo->n > 0;

    undo->typing = typing;
    if (joins || edit->secret)
        return;
    if (undo->n == UNDO_MAX) {
        free(undo->steps[0].text);
        memmove(&undo->steps[0], &undo->steps[1], (UNDO_MAX - 1) * sizeof undo->steps[0]);
        undo->n--;
    }
    undo->steps[undo->n++] = (struct undo_step){mem_dup_n(edit->text.s, edit->text.len), edit->at};
}

void edit_set(struct edit *edit, const char *text) {
    size_t len = !text ? 0 : strlen(text);

    if (edit->secret && edit->text.cap > 0)
        secret_wipe(edit->text.s, edit->text.cap);
    str_reset(&edit->text);
    edit_reserve(edit);
    if (len > edit->text.max) {
        len = edit->text.max;
        while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
            len--;
    }
    if (len > 0)
        str_add_n(&edit->text, text, len);
    edit->at = edit->text.len;
    edit->scroll = 0;
    edit_forget(edit->undo);
}

/* Text that does not fit is refused as a whole, never cut. */
static bool edit_has_room(const struct edit *edit, size_t len) {
    return edit->text.len + len <= edit->text.max;
}

/* A letter typed after combining marks may join what follows: the caret moves to the grapheme boundary. */
static void edit_settle(struct edit *edit) {
    size_t at = 0;

    while (at < edit->at)
        at = utf8_next(edit->text.s, edit->text.len, at);
    edit->at = at;
}

static enum edit_result edit_insert(struct edit *edit, const char *text, size_t len, bool typing) {
    if (!edit_has_room(edit, len))
        return EDIT_REFUSED;
    edit_reserve(edit);
    remember(edit, typing);
    str_insert(&edit->text, edit->at, text, len);
    edit->at += len;
    edit_settle(edit);
    return EDIT_CHANGED;
}

static enum edit_result delete_range(struct edit *edit, size_t from, size_t to, bool keep) {
    if (from >= to)
        return EDIT_MOVED;
    remember(edit, false);
    if (keep && !edit->secret) {
        free(edit->undo->cut);
        edit->undo->cut = mem_dup_n(edit->text.s + from, to - from);
    }
    if (edit->secret) {
        size_t len = edit->text.len;
        str_delete(&edit->text, from, to - from);
        secret_wipe(edit->text.s + edit->text.len, len - edit->text.len);
    } else {
        str_delete(&edit->text, from, to - from);
    }
    edit->at = from;
    edit_settle(edit);
    return EDIT_CHANGED;
}

static size_t word_start(const struct edit *edit) {
    const char *s = edit->text.s;
    size_t at = edit->at;

    while (at > 0 && s[at - 1] == ' ')
        at--;
    while (at > 0 && s[at - 1] != ' ')
        at--;
    return at;
}

static enum edit_result undo(struct edit *edit) {
    struct edit_undo *undo = edit->undo;
    struct undo_step *step;

    if (undo->n == 0)
        return EDIT_MOVED;
    step = &undo->steps[--undo->n];
    str_reset(&edit->text);
    str_add(&edit->text, step->text);
    edit->at = step->at;
    undo->typing = false;
    free(step->text);
    return EDIT_CHANGED;
}

static enum edit_result yank(struct edit *edit) {
    const char *cut = edit->undo->cut;

    return !cut ? EDIT_MOVED : edit_insert(edit, cut, strlen(cut), false);
}

static enum edit_result go(struct edit *edit, size_t at) {
    edit->at = at;
    edit->undo->typing = false;
    return EDIT_MOVED;
}

static enum edit_result type(struct edit *edit, int32_t key) {
    char text[4];

    return edit_insert(edit, text, utf8_encode(key, text), true);
}

static enum edit_result edit_control(struct edit *edit, int32_t key) {
    switch (key) {
    case KEY_CTRL('W'):
        return delete_range(edit, word_start(edit), edit->at, true);
    case KEY_CTRL('U'):
        return delete_range(edit, 0, edit->text.len, true);
    case KEY_CTRL('K'):
        return delete_range(edit, edit->at, edit->text.len, true);
    case KEY_CTRL('Y'):
        return yank(edit);
    case KEY_CTRL('_'):
        return undo(edit);
    default:
        return EDIT_IGNORED;
    }
}

enum edit_result edit_key(struct edit *edit, int32_t key) {
    const char *s = edit->text.s;
    size_t len = edit->text.len;

    switch (key) {
    case INPUT_LEFT:
    case KEY_CTRL('B'):
        return go(edit, utf8_prev(s, len, edit->at));
    case INPUT_RIGHT:
    case KEY_CTRL('F'):
        return go(edit, utf8_next(s, len, edit->at));
    case INPUT_HOME:
    case KEY_CTRL('A'):
        return go(edit, 0);
    case INPUT_END:
    case KEY_CTRL('E'):
        return go(edit, len);
    case INPUT_BACKSPACE:
        return delete_range(edit, edit->at == 0 ? 0 : utf8_prev(s, len, edit->at), edit->at, false);
    case INPUT_DELETE:
    case KEY_CTRL('D'):
        return delete_range(edit, edit->at, utf8_next(s, len, edit->at), false);
    default:
        return input_is_text(key) ? type(edit, key) : edit_control(edit, key);
    }
}

/* Copied lines often have one line end at their end, which means nothing. */
static size_t paste_len(const char *text) {
    size_t len = strlen(text);

    return len > 0 && text[len - 1] == '\n' ? len - 1 : len;
}

enum edit_result edit_paste(struct edit *edit, const char *text) {
    size_t len = paste_len(text);

    if (memchr(text, '\n', len))
        return EDIT_REFUSED;
    if (len == 0)
        return EDIT_MOVED;
    return edit_insert(edit, text, len, false);
}

static bool edit_is_ascii(const char *text) {
    while (*text != '\0' && (unsigned char)*text < 0x80)
        text++;
    return *text == '\0';
}

void edit_refusal(const struct edit *edit, const char *text, const char *place, struct str *out) {
    if (memchr(text, '\n', paste_len(text))) {
        str_addf(out, "a text of several lines does not go into this %s", place);
    } else {
        bool plain = edit_is_ascii(text) && edit_is_ascii(edit->text.s);
        str_addf(out, "too long: at most %zu %s", edit->rule > 0 ? edit->rule : edit->text.max,
                 plain ? "characters" : "bytes");
    }
}

/* The text as it is drawn: dots for a secret. Sanitised here, so that the caret is placed on what is visible. */
static void visible_text(const struct edit *edit, size_t end, struct str *out) {
    if (!edit->secret) {
        utf8_sanitise(out, edit->text.s, end);
        return;
    }
    for (size_t at = 0; at < end; at = utf8_next(edit->text.s, end, at))
        str_add(out, symbol(SYMBOL_BULLET));
}

static void scroll_to(struct edit *edit, int caret, int total, int cols) {
    int right = caret < total && cols > 2 ? 2 : 1; /* the cell of the ellipsis stays clear of the caret */
    int left = cols > 2 ? 1 : 0;

    if (edit->scroll > 0 && total < cols)
        edit->scroll = 0;
    if (caret - edit->scroll > cols - right)
        edit->scroll = caret - (cols - right);
    if (caret - edit->scroll < left)
        edit->scroll = caret - left;
    edit->scroll = edit->scroll < 0 ? 0 : edit->scroll;
}

void edit_draw(struct edit *edit, struct canvas *canvas, struct rect area, enum role role, bool focused) {
    struct str text;
    int caret, total;
    enum role text_role = edit->secret ? ROLE_SECRET : role;

    if (area.rows < 1 || area.cols < 1)
        return;
    str_init(&text, edit->text.max * 9 + 16);
    visible_text(edit, edit->at, &text);
    caret = utf8_cells(text.s, text.len);
    str_reset(&text);
    visible_text(edit, edit->text.len, &text);
    total = utf8_cells(text.s, text.len);
    scroll_to(edit, caret, total, area.cols);
    area.rows = 1;
    canvas_fill(canvas, area, role);
    (void)canvas_text_n(canvas, area, 0, -edit->scroll, text_role, text.s, text.len);
    if (edit->scroll > 0) {
        struct rect first = area;
        first.cols = 1;
        (void)canvas_text(canvas, first, 0, 0, role, symbol(SYMBOL_ELLIPSIS));
    }
    if (focused)
        canvas_cursor(canvas, area, 0, caret - edit->scroll, true);
    str_clear(&text);
}
