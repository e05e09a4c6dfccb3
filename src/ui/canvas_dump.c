#include "ui/canvas_grid.h"

#include "base/mem.h"

#include <string.h>

static bool canvas_dump_same(const struct canvas *a, const struct cell *ca, const struct canvas *b,
                             const struct cell *cb) {
    if (ca->width != cb->width || ca->role != cb->role || ca->bar != cb->bar || ca->fenced != cb->fenced)
        return false;
    if (ca->far != 0 || cb->far != 0)
        return strcmp(canvas_cell_text(a, ca), canvas_cell_text(b, cb)) == 0;
    return memcmp(ca->text, cb->text, sizeof ca->text) == 0;
}

/* A gap of fewer equal cells does not end a run. */
enum { GAP_MIN = 4 };

bool canvas_changed(const struct canvas *a, const struct canvas *b, int y, int *from, int *to) {
    const struct cell *ra = canvas_at(a, y, 0), *rb = canvas_at(b, y, 0);
    int left = *from, right;

    while (left < a->cols && canvas_dump_same(a, &ra[left], b, &rb[left]))
        left++;
    if (left >= a->cols)
        return false;
    right = left + 1;
    for (int x = right; x < a->cols && x - right < GAP_MIN; x++)
        if (!canvas_dump_same(a, &ra[x], b, &rb[x]))
            right = x + 1;
    while (left > *from && (ra[left].width == 0 || rb[left].width == 0))
        left--;
    while (right < a->cols && (ra[right].width == 0 || rb[right].width == 0))
        right++;
    *from = left;
    *to = right;
    return true;
}

bool canvas_same_row(const struct canvas *a, int ya, const struct canvas *b, int yb) {
    const struct cell *ra = canvas_at(a, ya, 0), *rb = canvas_at(b, yb, 0);
    int x = 0;

    while (x < a->cols && canvas_dump_same(a, &ra[x], b, &rb[x]))
        x++;
    return x == a->cols;
}

void canvas_copy(struct canvas *to, const struct canvas *from) {
    if (to->rows != from->rows || to->cols != from->cols)
        canvas_resize(to, from->rows, from->cols);
    memcpy(to->cells, from->cells, (size_t)from->rows * (size_t)from->cols * sizeof *from->cells);
    str_reset(&to->clusters);
    str_add_n(&to->clusters, from->clusters.s, from->clusters.len);
    to->cursor_y = from->cursor_y;
    to->cursor_x = from->cursor_x;
    to->cursor_visible = from->cursor_visible;
}

static void dump_text(const struct canvas *canvas, int y, struct str *out) {
    size_t start = out->len;

    for (int x = 0; x < canvas->cols; x++)
        str_add(out, canvas_cell_text(canvas, canvas_at(canvas, y, x)));
    while (out->len > start && out->s[out->len - 1] == ' ')
        str_delete(out, out->len - 1, 1);
    str_add_char(out, '\n');
}

static void dump_roles(const struct canvas *canvas, int y, struct str *out) {
    for (int x = 0; x < canvas->cols; x++) {
        const struct cell *cell = canvas_at(canvas, y, x);
        str_add_char(out, role_letter(cell->bar < 0 ? (enum role)cell->role : (enum role)cell->bar));
    }
    str_add_char(out, '\n');
}

void canvas_dump(const struct canvas *canvas, struct str *out) {
    for (int y = 0; y < canvas->rows; y++)
        dump_text(canvas, y, out);
    str_add(out, "---\n");
    for (int y = 0; y < canvas->rows; y++)
        dump_roles(canvas, y, out);
}
