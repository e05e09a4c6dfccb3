#include "ui/form.h"

#include <string.h>

enum { LABEL_COLS = 20, FIELD_COLS_MAX = 44, FIELD_COLS_MIN = 20, NOTE_COLS_MIN = 24, TALL = 2 };

struct form_row *form_focused(struct form *form) {
    return &form->rows[form->order[form->focus]];
}

void form_move(struct form *form, int step) {
    int focus = form->focus + step;
    form->focus = focus < 0 ? 0 : focus >= form->n ? form->n - 1 : focus;
}

void form_focus(struct form *form, int row) {
    for (int i = 0; i < form->n; i++)
        if (form->order[i] == row)
            form->focus = i;
}

bool form_is_text(struct form *form) {
    return form->editing && form_focused(form)->kind == FORM_TEXT;
}

static int field_cols(int cols) {
    int wide = cols - NOTE_COLS_MIN - 1;
    wide = wide > FIELD_COLS_MAX ? FIELD_COLS_MAX : wide;
    return wide < FIELD_COLS_MIN ? cols : wide;
}

static void draw_plain(struct form_row *row, struct canvas *canvas, struct rect field, enum role role) {
    const char *text = row->shown ? row->shown : row->edit.text.s;
    canvas_fill(canvas, field, role);
    if (*text)
        canvas_text(canvas, field, 0, 0, role, text);
    else if (row->ghost)
        canvas_text(canvas, field, 0, 0, ROLE_GHOST, row->ghost);
}

static void draw_text(struct form_row *row, struct canvas *canvas, struct rect field, bool editing, enum role role) {
    bool secret = row->edit.secret;
    row->edit.secret = secret || row->masked;
    edit_draw(&row->edit, canvas, field, role, editing);
    row->edit.secret = secret;
    if (row->edit.text.len == 0 && row->ghost && !editing)
        canvas_text(canvas, field, 0, 0, ROLE_GHOST, row->ghost);
}

static void form_draw_button(struct form_row *row, struct canvas *canvas, struct rect field, bool focused) {
    int used = canvas_textf(canvas, field, 0, 0, focused ? ROLE_PROMPT : ROLE_TEXT, "[ %s ]", row->label);
    if (focused) {
        canvas_bar(canvas, (struct rect){field.y, field.x, 1, used}, 0, ROLE_CURSOR);
        canvas_cursor(canvas, field, 0, 0, false);
    }
    if (row->note)
        canvas_text(canvas, field, 0, used + 2, row->note_role, row->note);
}

static void draw_label(const struct form_row *row, struct canvas *canvas, struct rect area, bool focused) {
    canvas_text(canvas, area, 0, 0, focused ? ROLE_PROMPT : ROLE_TEXT, focused ? symbol(SYMBOL_NEXT) : " ");
    canvas_text(canvas, area, 0, 2, focused ? ROLE_PROMPT : row->unused ? ROLE_DIM : ROLE_KEY, row->label);
}

static void draw_field(struct form *form, struct form_row *row, struct canvas *canvas, struct rect area) {
    bool focused = row == form_focused(form);
    bool whole = row->wide && !row->note;
    struct rect field = rect_take_cols(&area, whole ? area.cols : field_cols(area.cols));
    enum role role = row->wrong ? ROLE_FIELD_ERROR : ROLE_FIELD;
    if (row->kind == FORM_TEXT) {
        draw_text(row, canvas, field, focused && form->editing, role);
    } else {
        draw_plain(row, canvas, field, role);
        if (focused)
            canvas_cursor(canvas, field, 0, 0, form->editing);
    }
    if (focused && !form->editing) {
        canvas_bar(canvas, field, 0, ROLE_CURSOR);
        canvas_cursor(canvas, field, 0, 0, false);
    }
    if (row->note)
        canvas_text(canvas, area, 0, 1, row->note_role, row->note);
}

static void form_draw_row(struct form *form, int place, struct canvas *canvas, struct rect line) {
    struct form_row *row = &form->rows[form->order[place]];
    bool focused = place == form->focus;
    if (line.rows > 1) {
        draw_label(row, canvas, rect_take_rows(&line, 1), focused);
        line = rect_inset(line, 0, 2, 0, 0);
    } else {
        struct rect label = rect_take_cols(&line, LABEL_COLS);
        if (row->kind != FORM_BUTTON)
            draw_label(row, canvas, label, focused);
    }
    if (row->kind == FORM_BUTTON)
        form_draw_button(row, canvas, line, focused);
    else
        draw_field(form, row, canvas, line);
}

void form_draw(struct form *form, struct canvas *canvas, struct rect area) {
    int height = area.cols < FORM_NARROW ? TALL : 1;
    form->visible = area.rows / height > 0 ? area.rows / height : 1;
    if (form->focus < form->top)
        form->top = form->focus;
    else if (form->focus >= form->top + form->visible)
        form->top = form->focus - form->visible + 1;
    int most = form->n - form->visible;
    form->top = form->top > most ? most : form->top;
    form->top = form->top < 0 ? 0 : form->top;
    for (int i = form->top; i < form->n && i < form->top + form->visible; i++)
        form_draw_row(form, i, canvas, rect_take_rows(&area, height));
}
