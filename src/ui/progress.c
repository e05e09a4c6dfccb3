#include "ui/progress.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

enum { PACE_MS = 100, BAR_COLS_MAX = 30, BAR_COLS_MIN = 6, NUMBER_MAX = 32 };

/* Never 100 before the end. */
static int percent(const struct progress *progress) {
    uint64_t part;

    if (progress->done >= progress->total)
        return 100;
    part = progress->done <= UINT64_MAX / 100 ? progress->done * 100 / progress->total
                                              : progress->done / (progress->total / 100);
    return part > 99 ? 99 : (int)part;
}

/* 1234567 as 1,234,567, which does not depend on the locale. */
static void add_grouped(struct str *out, uint64_t n) {
    size_t len;
    struct str number;

    str_init(&number, NUMBER_MAX);
    str_addf(&number, "%" PRIu64, n);
    len = number.len;
    for (size_t i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            str_add_char(out, ',');
        str_add_char(out, number.s[i]);
    }
    str_clear(&number);
}

static int progress_draw_bar(struct canvas *canvas, struct rect area, int x, int done) {
    int cols = area.cols - x - 5, filled;

    cols = cols > BAR_COLS_MAX ? BAR_COLS_MAX : cols;
    if (cols < BAR_COLS_MIN)
        return 0;
    filled = cols * done / 100;
    for (int i = 0; i < cols; i++) {
        (void)canvas_text(canvas, area, 0, x + i, i < filled ? ROLE_BAR : ROLE_BAR_ALT,
                          symbol(i < filled ? SYMBOL_BAR_FULL : SYMBOL_BAR_EMPTY));
    }
    return cols + 1;
}

void progress_draw(const struct progress *progress, struct canvas *canvas, struct rect area, int y) {
    struct rect row = {area.y + y, area.x, 1, area.cols};
    struct str counts;
    int x;

    if (y < 0 || y >= area.rows)
        return;
    canvas_fill(canvas, row, ROLE_TEXT);
    x = canvas_text(canvas, row, 0, 0, ROLE_TEXT, progress->what) + 1;
    str_init(&counts, (size_t)NUMBER_MAX * 4);
    if (progress->total > 0) {
        int done = percent(progress);
        int note = !progress->note ? 0 : utf8_cells(progress->note, strlen(progress->note)) + 1;
        struct rect room = row;
        room.cols -= note < row.cols / 2 ? note : 0;
        x += progress_draw_bar(canvas, room, x, done);
        str_addf(&counts, "%d%%", done);
    } else {
        add_grouped(&counts, progress->done);
    }
    x += canvas_text(canvas, row, 0, x, ROLE_TEXT, counts.s) + 1;
    (void)canvas_text(canvas, row, 0, x, ROLE_DIM, progress->note);
    str_clear(&counts);
}

bool progress_due(struct progress_pace *pace, const struct progress *progress, int64_t now) {
    uint64_t step = progress->total / 100 < 1 ? 1 : progress->total / 100;
    uint64_t moved = progress->done > pace->done ? progress->done - pace->done : 0;
    bool late = now - pace->at >= PACE_MS || now < pace->at;
    bool end = progress->total > 0 && progress->done >= progress->total;

    if (pace->at != 0 && (progress->done == pace->done || !(late || end || (progress->total > 0 && moved >= step))))
        return false;
    pace->at = now;
    pace->done = progress->done;
    return true;
}
