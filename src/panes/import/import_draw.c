#include "panes/import/import.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <string.h>

enum { LINE_BYTES = 4096, NAME_COLS = 30 };

/* ---- The columns ---- */

static void draw_column(const struct import_pane *pane, struct canvas *canvas, struct rect area, int y, size_t index) {
    const struct import_column *column = &pane->import.columns.items[index];
    struct str name;
    bool known = column->field != IMPORT_NOT_KNOWN;
    int proposed = known ? IMPORT_LEFT_OUT : import_propose(&pane->import, index);
    struct str field;
    str_init(&field, LINE_BYTES);
    if (column->field >= 0) {
        str_add(&field, user_path((enum user_field)column->field));
    } else if (proposed >= 0) {
        str_addf(&field, "%s? Left or Right take it", user_path((enum user_field)proposed));
    } else {
        str_add(&field, !known                            ? "not known: Left or Right choose"
                        : column->field == IMPORT_NO_NAME ? "no heading: its cells must be empty"
                                                          : "left out");
    }
    str_init(&name, LINE_BYTES);
    str_addf(&name, "%3zu  ", index + 1);
    utf8_sanitise(&name, column->name, strlen(column->name));
    canvas_text(canvas, (struct rect){area.y + y, area.x + 1, 1, NAME_COLS < area.cols ? NAME_COLS : area.cols}, 0, 0,
                ROLE_TEXT, name.s);
    canvas_text(canvas, area, y, NAME_COLS + 3,
                column->field >= 0 ? ROLE_TEXT
                : known            ? ROLE_DIM
                                   : ROLE_ERROR,
                field.s);
    str_clear(&field);
    if (index == pane->column)
        canvas_bar(canvas, area, y, ROLE_CURSOR);
    str_clear(&name);
}

static void draw_columns(struct shell *shell, struct canvas *canvas, struct rect area) {
    const struct import_pane *pane = import_of(shell);
    canvas_text(canvas, rect_take_rows(&area, 1), 0, 1, ROLE_HEADER, "column of the file               field");
    size_t shown = area.rows > 0 ? (size_t)area.rows : 0;
    size_t first = shown > 0 && pane->column >= shown ? pane->column - shown + 1 : 0;
    for (size_t i = 0; i < shown && first + i < pane->import.columns.n; i++)
        draw_column(pane, canvas, area, (int)i, first + i);
}

/* ---- The rows ---- */

static enum role import_draw_role_of(enum import_state state) {
    static const enum role ROLES[IMPORT_STATE_COUNT] = {
        [IMPORT_WAITING] = ROLE_DIM,   [IMPORT_BAD] = ROLE_ERROR,     [IMPORT_SENDING] = ROLE_INFO,
        [IMPORT_DONE] = ROLE_OK,       [IMPORT_REFUSED] = ROLE_ERROR, [IMPORT_UNKNOWN] = ROLE_UNKNOWN,
        [IMPORT_NOT_SENT] = ROLE_WARN, [IMPORT_ELSEWHERE] = ROLE_WARN};
    return ROLES[state];
}

static const char *what_of(const struct import_row *row) {
    return row->error ? row->error : row->id ? row->id : row->warning ? row->warning : "";
}

static void import_draw_cell(void *context, size_t index, int column, struct table_cell *out) {
    const struct import *import = context;
    const struct import_row *row = &import->rows.items[index];
    const char *what = what_of(row);
    if (column == IMPORT_COLUMN_LINE) {
        str_addf(out->text, "%zu", row->line);
    } else if (column == IMPORT_COLUMN_STATE) {
        str_add(out->text, import_state_name(row->state));
        out->role = import_draw_role_of(row->state);
    } else {
        utf8_sanitise(out->text, what, strlen(what));
        out->role = row->warning && !row->error ? ROLE_WARN : ROLE_TEXT;
    }
}

/* Rate and time left come under the counts where a row does not hold both. */
static void import_draw_draw_line(struct canvas *canvas, struct rect *area, struct str *text) {
    char *rest = (int)text->len > area->cols - 2 && area->rows > 2 ? strstr(text->s, "; ") : NULL;
    if (rest)
        *rest = '\0';
    canvas_text(canvas, rect_take_rows(area, 1), 0, 1, ROLE_TEXT, text->s);
    if (rest)
        canvas_text(canvas, rect_take_rows(area, 1), 0, 1, ROLE_TEXT, rest + 2);
}

static void import_draw_draw_state(const struct shell *shell, struct canvas *canvas, struct rect *area) {
    static const char *const WORDS[] = {
        [IMPORT_READY] = "checked", [IMPORT_RUNNING] = "running", [IMPORT_PAUSED] = "paused", [IMPORT_ENDED] = "ended"};
    const struct import *import = &import_of(shell)->import;
    int64_t wait = import_wait(import, shell_now(shell));
    struct str text;
    str_init(&text, LINE_BYTES);
    if (import->stage == IMPORT_LOOKING) {
        str_addf(&text, "asking the journal, %zu of %zu row%s", import->at, import->rows.n, plural_s(import->rows.n));
    } else {
        bool runs = import->stage == IMPORT_RUNNING;
        str_addf(&text, "%s: ",
                 runs && import->stopping  ? "stopping"
                 : runs && import->pausing ? "pausing"
                                           : WORDS[import->stage]);
        import_progress(import, &text);
        if (wait > 0)
            str_addf(&text, "; goes on in %lld s", (long long)wait);
    }
    import_draw_draw_line(canvas, area, &text);
    str_clear(&text);
}

/* What the table cuts of the row under the cursor, whole. */
static void draw_what(const struct import_pane *pane, struct canvas *canvas, struct rect *area) {
    enum { WHAT_ROWS = 2, ROWS_MIN_LEFT = 4, TABLE_COLS = 18 };
    const struct import *import = &pane->import;
    struct str text;
    str_init(&text, LINE_BYTES);
    if (pane->table.cursor < import->rows.n) {
        const char *what = what_of(&import->rows.items[pane->table.cursor]);
        utf8_sanitise(&text, what, strlen(what));
    }
    if (utf8_cells(text.s, text.len) > area->cols - TABLE_COLS && area->rows >= WHAT_ROWS + ROWS_MIN_LEFT) {
        struct sheet sheet = {.canvas = canvas, .area = rect_inset(rect_take_rows(area, -WHAT_ROWS), 0, 1, 0, 1)};
        sheet_wrapped(&sheet, ROLE_DIM, text.s);
    }
    str_clear(&text);
}

static void draw_rows(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct import_pane *pane = import_of(shell);
    struct table_source source = {.rows = pane->import.rows.n, .cell = import_draw_cell, .context = &pane->import};
    import_draw_draw_state(shell, canvas, &area);
    draw_what(pane, canvas, &area);
    table_draw(&pane->table, canvas, area, &source, true);
}

/* ---- The confirmation ---- */

static void import_draw_add_count(struct sheet *sheet, enum role role, size_t n, const char *const words[2]) {
    struct str text;
    if (n == 0)
        return;
    str_init(&text, LINE_BYTES);
    money_group_count(&text, n);
    str_addf(&text, " %s", words[n != 1]);
    sheet_wrapped(sheet, role, text.s);
    str_clear(&text);
}

/* Of one, and of many. */
static const char *const
    WAITING[] = {"user will be registered", "users will be registered, one after the other"},
    *const WARNED[] = {"of them with warnings", "of them with warnings"},
    *const BAD[] = {"row is refused here and not sent", "rows are refused here and not sent"},
    *const DONE[] = {"row was registered before and is not sent again",
                     "rows were registered before and are not sent again"},
    *const REFUSED[] = {"row was refused by the service before", "rows were refused by the service before"},
    *const GONE[] = {"row of an earlier run is not in the file any more: a changed one counts as new",
                     "rows of an earlier run are not in the file any more: changed ones count as "
                     "new"},
    *const UNKNOWN[] = {"row of unknown outcome is left as it is", "rows of unknown outcome are left as they are"};

static void draw_review(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct import_pane *pane = import_of(shell);
    const struct import *import = &pane->import;
    struct import_counts counts = import_count(import);
    size_t warnings = 0;
    review_badge(shell, canvas, rect_take_rows(&area, 1), "registers many users");
    struct rect buttons = rect_take_rows(&area, -1);
    struct rect rule = rect_take_rows(&area, -1);
    struct sheet sheet = review_sheet(&pane->review, canvas, area);
    for (size_t i = 0; i < import->rows.n; i++)
        warnings += import->rows.items[i].state == IMPORT_WAITING && import->rows.items[i].warning;
    import_draw_add_count(&sheet, ROLE_TITLE, counts.of[IMPORT_WAITING], WAITING);
    import_draw_add_count(&sheet, ROLE_WARN, warnings, WARNED);
    import_draw_add_count(&sheet, ROLE_ERROR, counts.of[IMPORT_BAD], BAD);
    import_draw_add_count(&sheet, ROLE_TEXT, counts.of[IMPORT_DONE], DONE);
    import_draw_add_count(&sheet, ROLE_ERROR, counts.of[IMPORT_REFUSED], REFUSED);
    import_draw_add_count(&sheet, ROLE_UNKNOWN, counts.of[IMPORT_UNKNOWN], UNKNOWN);
    import_draw_add_count(&sheet, ROLE_WARN, import->results.n, GONE);
    if (import->notice)
        sheet_wrapped(&sheet, ROLE_WARN, import->notice);
    sheet_wrapped(&sheet, ROLE_TEXT,
                  import->options.skip_unknown ? "Rows of unknown outcome do not stop it."
                                               : "It stops at the first row whose outcome is unknown.");
    review_seen(shell, &pane->review, &sheet, rule);
    review_buttons(shell, &pane->review, canvas, buttons, false);
}

void import_pane_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    const struct import_pane *pane = import_of(shell);
    switch (pane->import.stage) {
    case IMPORT_EMPTY:
    case IMPORT_FAILED:
        import_form_draw(shell, canvas, area);
        break;
    case IMPORT_OPENING:
        canvas_text(canvas, area, 1, 1, ROLE_DIM, "reading the file ...");
        break;
    case IMPORT_MAPPING:
        draw_columns(shell, canvas, area);
        break;
    default:
        (pane->reviewing ? draw_review : draw_rows)(shell, canvas, area);
        break;
    }
}
