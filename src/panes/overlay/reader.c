#include "panes/shell/state.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "ui/lines.h"

#include <stdlib.h>
#include <string.h>

/* A text over the list: a part of an intent shown whole, or what was observed to change in it. */

enum { LINE_MAX = 1 << 20, HANG = 2, LABEL_GAP = 2 };

void reader_clear(struct reader *reader) {
    detail_clear(&reader->body);
    detail_clear(&reader->shown);
    free(reader->title);
    free(reader->name.id);
    *reader = (struct reader){0};
}

void reader_open(struct shell *shell, const char *title, enum overlay back) {
    struct reader *reader = &shell->reader;
    reader_clear(reader);
    detail_init(&reader->body);
    detail_init(&reader->shown);
    reader->title = mem_dup(title);
    reader->back = back;
    shell->overlay = OVERLAY_READER;
}

void reader_fill(struct shell *shell) {
    shell->reader.wrap = 0;
    shell_redraw(shell);
}

/* Cells that the labels stand in beside what they name; 0: above it, where little room would be left beside them. */
static int label_column(const struct detail *body, int cols) {
    enum { TEXT_MIN = 24 };
    int labels = 0, texts = 0;
    for (size_t i = 0; i < body->lines.n; i++) {
        const struct text_line *line = &body->lines.items[i];
        int label = line->label ? utf8_cells(line->label, strlen(line->label)) + line->indent + LABEL_GAP : 0;
        int text = line->label ? utf8_cells(line->text, strlen(line->text)) : 0;
        labels = label > labels ? label : labels;
        texts = text > texts ? text : texts;
    }
    bool fits = cols - labels >= TEXT_MIN || cols - labels >= texts;
    return fits && labels <= cols / 2 ? labels : 0;
}

/* What goes on in the next line stands further in than what begins there. */
static void break_text(struct detail *shown, const struct text_line *line, int cols) {
    bool hangs = line->label || line->indent > 0;
    struct str piece;
    str_init(&piece, LINE_MAX);
    size_t at = 0, skip;
    do {
        int room = at > 0 && hangs ? cols - HANG : cols;
        size_t len = lines_wrap(line->text + at, room, &skip);
        str_reset(&piece);
        str_add_repeat(&piece, ' ', at > 0 && hangs ? HANG : 0);
        str_add_n(&piece, line->text + at, len);
        const char *label = at == 0 || !line->label ? line->label : "";
        detail_add(shown, label, piece.s, line->role)->indent = line->indent;
        at += skip;
    } while (skip > 0 && line->text[at]);
    str_clear(&piece);
}

static void break_line(struct detail *shown, const struct text_line *line, int cols, int labels) {
    int indent = line->indent < cols / 2 ? line->indent : cols / 2;
    if (!line->label || labels > 0) {
        break_text(shown, line, cols - (line->label ? labels : indent));
    } else {
        struct text_line label = {.text = line->label, .role = ROLE_KEY, .indent = indent};
        struct text_line text = {.text = line->text, .role = line->role, .indent = indent + HANG};
        if (*label.text) {
            break_text(shown, &label, cols - label.indent);
        }
        if (*text.text) {
            break_text(shown, &text, cols - text.indent);
        }
    }
}

/* A change that is cut would not say what it changed to. */
static void break_lines(struct reader *reader, int cols) {
    struct detail *shown = &reader->shown;
    int labels = label_column(&reader->body, cols);
    reader->wrap = cols;
    shown->lines.n = 0;
    arena_clear(&shown->arena);
    for (size_t i = 0; i < reader->body.lines.n; i++) {
        break_line(shown, &reader->body.lines.items[i], cols, labels);
    }
    pager_set(&shown->pager, shown->lines.items, shown->lines.n, true);
}

void reader_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    enum { READER_COLS = 76, EDGE = 2 };
    struct reader *reader = &shell->reader;
    int cols = within.cols - 2 * EDGE > READER_COLS ? within.cols - 2 * EDGE : READER_COLS;
    int wrap = within.cols - 2 * EDGE - 1; /* the scroll bar */
    wrap = wrap > 1 ? wrap : 1;
    if (reader->wrap != wrap) {
        break_lines(reader, wrap);
    }
    struct rect box = dialog_box(canvas, within, (int)reader->shown.lines.n, cols, reader->title, ROLE_TITLE);
    pager_draw(&reader->shown.pager, canvas, box, true);
}

void reader_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct reader *reader = &shell->reader;
    enum dialog_result result = pager_key(&reader->shown.pager, key);
    bool closes = result == DIALOG_IGNORED && (key == INPUT_ENTER || key == 'D');
    if (closes || result == DIALOG_DONE || result == DIALOG_CANCELLED) {
        shell->overlay = reader->back;
    } else if (result == DIALOG_IGNORED && key == 'Q') {
        shell_leave(shell, effects);
    }
}

static void add_time(const struct shell *shell, int64_t ms, struct str *out) {
    if (shell_zone(shell) == CLOCK_AGE) {
        clock_format_ago(out, ms, shell_now(shell));
    } else {
        clock_format(out, ms, shell_zone(shell), shell_now(shell));
        str_add(out, shell_zone(shell) == CLOCK_UTC ? " UTC" : "");
        (void)clock_format_ahead(out, ", ", ms, shell_now(shell));
    }
}

static void add_value(const char *value, struct str *out) {
    str_add(out, !value ? "(absent)" : *value ? value : "\"\"");
}

/* Changes seen in one reading share its time. */
static void add_change(struct shell *shell, const struct observed *observed, size_t index) {
    struct detail *body = &shell->reader.body;
    const struct observed_change *change = &observed->items[index];
    struct str text, time;
    str_init(&text, LINE_MAX);
    str_init(&time, 64);
    if (index == 0 || observed->items[index - 1].seen != change->seen) {
        add_time(shell, change->seen, &time);
    }
    str_addf(&text, "%s: ", change->field);
    add_value(change->old, &text);
    str_add(&text, " -> ");
    add_value(change->now, &text);
    enum role role = str_equal(change->field, "status") ? intents_status_role(change->now) : ROLE_TEXT;
    detail_add(body, arena_dup_n(&body->arena, time.s, time.len), text.s, role);
    str_clear(&text);
    str_clear(&time);
}

static void add_reading(struct shell *shell, const char *label, int64_t ms) {
    struct str time;
    str_init(&time, 64);
    add_time(shell, ms, &time);
    detail_add(&shell->reader.body, label, time.s, ROLE_TEXT);
    str_clear(&time);
}

static void fill_changes(struct shell *shell, const struct observed *observed) {
    struct detail *body = &shell->reader.body;
    body->lines.n = 0;
    if (observed->error.code != ERR_OK || !observed->held) {
        bool failed = observed->error.code != ERR_OK;
        detail_add(body, NULL, failed ? observed->error.text : "the cache does not hold this intent yet",
                   failed ? ROLE_ERROR : ROLE_DIM);
    } else {
        add_reading(shell, "first seen", observed->first_seen);
        add_reading(shell, "last confirmed", observed->confirmed);
        detail_add(body, NULL, "", ROLE_TEXT);
        for (size_t i = 0; i < observed->n; i++) {
            add_change(shell, observed, i);
        }
        if (observed->n == 0) {
            detail_add(body, NULL, "no change was observed", ROLE_DIM);
        }
        detail_add(body, NULL, "", ROLE_TEXT);
    }
    detail_add(body, NULL,
               "The service tells no history: this is what differed between two readings of this machine, at the time "
               "of the later one.",
               ROLE_DIM);
    reader_fill(shell);
}

static void ask(struct reader *reader, struct effects *effects) {
    const struct lookup_name *name = &reader->name;
    reader->again = false;
    reader->ticket = effects_observed(effects, observed_ask(name->id, name->ms, name->key));
}

void changes_open(struct shell *shell, struct effects *effects) {
    struct list_row row;
    struct str title;
    bool there = intents_at(shell, shell->intents.table.cursor, &row) && row.intent->id.state == VALUE_OK;
    if (!there || !shell->intents.view.cache) {
        shell_message(shell, ROLE_WARN,
                      there ? "changes are kept in the cache, which is not in use"
                            : "a row without an id has no history");
        return;
    }
    str_init(&title, 256);
    str_addf(&title, "Observed changes of %s", row.intent->id.text);
    reader_open(shell, title.s, OVERLAY_NONE);
    str_clear(&title);
    detail_add(&shell->reader.body, NULL, "looking", ROLE_INFO);
    reader_fill(shell);
    shell->reader.name = (struct lookup_name){mem_dup(row.intent->id.text), row.intent->created_at.ms, row.key};
    ask(&shell->reader, effects);
}

/* A page is stored after it is shown: what the cache learns while the text is open is in it. */
bool reader_event(struct shell *shell, const struct event *event, struct effects *effects) {
    struct reader *reader = &shell->reader;
    bool mine = event->kind == EVENT_OBSERVED && reader->ticket && event->ticket == reader->ticket;
    bool moved = event->kind == EVENT_INDEX && reader->name.id && shell_shows(shell, OVERLAY_READER);
    if (mine) {
        reader->ticket = 0;
        fill_changes(shell, event->observed);
    }
    if (moved && reader->ticket) {
        reader->again = true;
    } else if (moved || (mine && reader->again && shell_shows(shell, OVERLAY_READER))) {
        ask(reader, effects);
    }
    return mine;
}
