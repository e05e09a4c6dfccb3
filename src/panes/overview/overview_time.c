#include "panes/overview/overview.h"

#include "base/utf8.h"
#include "ui/chart.h"

#include <string.h>

enum { LABEL_COLS = 20, COLUMN_LEAST = 1, COLUMN_MOST = 3, HEIGHT_MOST = 6, PLACES_MOST = 64 };

/* The newest times that have room, the newest at the right. */
struct times {
    int64_t numbers[PICTURE_TIMES_MOST];
    size_t n;
    int cols; /* of each */
};

static void times_make(struct shell *shell, struct picture *picture, int cols, struct times *times) {
    struct query_clock clock = overview_clock(shell);
    size_t known = picture->found->n_overs;
    times->cols = known > 0 && (size_t)(cols / COLUMN_MOST) >= known ? COLUMN_MOST : COLUMN_LEAST;
    size_t room = cols > 0 ? (size_t)(cols / times->cols) : 0;
    times->n = picture_times(picture, &clock, times->numbers, room < PICTURE_TIMES_MOST ? room : PICTURE_TIMES_MOST);
    picture->columns = times->n;
    picture->column = picture->column < times->n ? picture->column : times->n > 0 ? times->n - 1 : 0;
}

static int time_x(const struct times *times, int cols, size_t i) {
    return cols - (int)(i + 1) * times->cols;
}

/* A bar of `filled` eighths, from the last row of the area upwards. */
static void overview_draw_column(struct canvas *canvas, struct rect area, int x, int cols, size_t filled,
                                 enum role role) {
    for (int y = area.rows - 1; y >= 0 && filled > 0; y--) {
        size_t part = filled < CHART_EIGHTHS ? filled : CHART_EIGHTHS;
        int wide = cols > 1 ? cols - 1 : 1;
        for (int i = 0; i < wide; i++)
            canvas_text(canvas, area, y, x + i, role, chart_level(part));
        filled -= part;
    }
}

static void times_cursor(const struct times *times, size_t column, struct canvas *canvas, struct rect area) {
    int x = time_x(times, area.cols, column);
    for (int y = 0; y < area.rows; y++) {
        struct rect at = {area.y + y, area.x + x, 1, times->cols};
        canvas_bar(canvas, at, 0, ROLE_CURSOR);
    }
    canvas_cursor(canvas, area, area.rows - 1, x, false);
}

static void times_scale(struct shell *shell, const struct picture *picture, const struct times *times,
                        struct canvas *canvas, struct rect row) {
    struct query_clock clock = overview_clock(shell);
    struct str text;
    if (times->n == 0)
        return;
    str_init(&text, 128);
    query_place_name(&picture->over, &clock, times->numbers[times->n - 1], NULL, &text);
    int used = canvas_text(canvas, row, 0, 0, ROLE_DIM, text.s);
    str_reset(&text);
    query_place_name(&picture->over, &clock, times->numbers[0], NULL, &text);
    if (used + utf8_cells(text.s, text.len) + 2 < row.cols)
        canvas_text_right(canvas, row, 0, 0, row.cols, ROLE_DIM, text.s);
    str_clear(&text);
}

/* ---- A row for each status ---- */

static size_t time_count(const struct picture *picture, int64_t number, const struct query_place *by) {
    size_t over;
    return picture_find_time(picture, number, &over)
               ? picture_count(picture, over, (size_t)(by - picture->found->values))
               : 0;
}

static void draw_status_label(const struct query_place *place, struct canvas *canvas, struct rect at) {
    struct str text;
    str_init(&text, 1 << 16);
    char letter = place->value ? intent_status_letter(intent_status_of(place->value)) : '-';
    str_addf(&text, "%c %s", letter, !place->value ? "(none)" : place->value);
    canvas_text(canvas, rect_inset(at, 0, 0, 0, 8), 0, 0, place->value ? intents_status_role(place->value) : ROLE_DIM,
                text.s);
    str_reset(&text);
    money_group_count(&text, place->rows);
    canvas_text_right(canvas, at, 0, 0, at.cols - 1, ROLE_TEXT, text.s);
    str_clear(&text);
}

static void draw_status(struct shell *shell, size_t i, const struct times *times, const struct query_place *place,
                        size_t most, struct canvas *canvas, struct rect area) {
    const struct picture *picture = &overview_of(shell)->pictures[i];
    enum role role = place->value ? intents_status_role(place->value) : ROLE_DIM;
    for (size_t t = 0; t < times->n; t++) {
        size_t rows = time_count(picture, times->numbers[t], place);
        size_t filled = most > 0 ? (size_t)((unsigned __int128)rows * CHART_EIGHTHS * (unsigned)area.rows / most) : 0;
        overview_draw_column(canvas, area, time_x(times, area.cols, t), times->cols,
                             rows > 0 && filled == 0 ? 1 : filled, role);
    }
}

void overview_draw_times(struct shell *shell, size_t i, struct canvas *canvas, struct rect area) {
    struct picture *picture = &overview_of(shell)->pictures[i];
    const struct query_place *places[PLACES_MOST];
    struct times times;
    size_t n = picture_places(overview_of(shell), i, false, places, PLACES_MOST), most = 0;
    int label = LABEL_COLS < area.cols / 2 ? LABEL_COLS : area.cols / 2;
    struct rect scale = rect_inset(rect_take_rows(&area, -1), 0, label, 0, 0);
    times_make(shell, picture, area.cols - label, &times);
    times_scale(shell, picture, &times, canvas, scale);
    for (size_t p = 0; p < n; p++)
        for (size_t t = 0; t < times.n; t++) {
            size_t rows = time_count(picture, times.numbers[t], places[p]);
            most = rows > most ? rows : most;
        }
    int height = n > 0 && area.rows > (int)n ? area.rows / (int)n : 1;
    height = height < HEIGHT_MOST ? height : HEIGHT_MOST;
    picture->row = picture->row < n ? picture->row : 0;
    size_t shown = area.rows > height ? (size_t)(area.rows / height) : 1;
    if (picture->row < picture->top)
        picture->top = picture->row;
    else if (picture->row >= picture->top + shown)
        picture->top = picture->row - shown + 1;
    for (size_t p = picture->top; p < n && area.rows > 0; p++) {
        struct rect band = rect_take_rows(&area, height), labels = rect_take_cols(&band, label);
        draw_status_label(places[p], canvas, rect_take_rows(&labels, -1));
        draw_status(shell, i, &times, places[p], most, canvas, band);
        if (i == overview_of(shell)->current && p == picture->row && times.n > 0)
            times_cursor(&times, picture->column, canvas, band);
    }
}

/* ---- How many were approved ---- */

static void rate_text(const char *name, const struct picture_rate *rate, struct str *out) {
    size_t decided = rate->approved + rate->declined;
    str_addf(out, "%s: ", name);
    money_group_count(out, rate->approved);
    str_add(out, " approved of ");
    money_group_count(out, decided);
    str_add(out, " decided");
    if (decided > 0)
        str_addf(out, ", %zu%%", (size_t)(((unsigned __int128)rate->approved * 200 + decided) / (2 * decided)));
}

/* Those shown, and as many before them. */
static void rate_spans(struct shell *shell, const struct picture *picture, const struct times *times,
                       struct picture_rate out[2]) {
    struct query_clock clock = overview_clock(shell);
    int64_t at = times->n > 0 ? times->numbers[0] : 0;
    size_t over;
    for (size_t t = 0; t < 2 * times->n; t++, at = query_axis_next(&picture->over, &clock, at, -1))
        if (picture_find_time(picture, at, &over))
            picture_rate(picture, over, &out[t < times->n ? 0 : 1]);
}

static void rate_words(struct shell *shell, const struct picture *picture, const struct times *times,
                       struct canvas *canvas, struct rect area) {
    struct picture_rate spans[2] = {{0}, {0}};
    struct str text;
    rate_spans(shell, picture, times, spans);
    str_init(&text, 512);
    rate_text("shown", &spans[0], &text);
    str_add(&text, "; ");
    rate_text("as long before", &spans[1], &text);
    canvas_text(canvas, area, 0, 0, ROLE_TEXT, text.s);
    str_reset(&text);
    str_add(&text, "left out, neither approved nor declined: ");
    money_group_count(&text, spans[0].left_out);
    str_add(&text, ", before ");
    money_group_count(&text, spans[1].left_out);
    canvas_text(canvas, area, 1, 0, ROLE_DIM, text.s);
    str_clear(&text);
}

void overview_draw_rate(struct shell *shell, size_t i, struct canvas *canvas, struct rect area) {
    enum { SCALE_COLS = 6, WORDS = 2 };
    struct picture *picture = &overview_of(shell)->pictures[i];
    struct times times;
    size_t over;
    struct rect words = area.rows > WORDS + 2 ? rect_take_rows(&area, WORDS) : (struct rect){area.y, area.x, 0, 0};
    struct rect scale = rect_inset(rect_take_rows(&area, -1), 0, SCALE_COLS, 0, 0);
    struct rect labels = rect_take_cols(&area, SCALE_COLS);
    times_make(shell, picture, area.cols, &times);
    if (words.rows > 0)
        rate_words(shell, picture, &times, canvas, words);
    canvas_text(canvas, labels, 0, 0, ROLE_DIM, "100%");
    if (labels.rows > 1)
        canvas_text(canvas, labels, labels.rows - 1, 0, ROLE_DIM, "  0%");
    times_scale(shell, picture, &times, canvas, scale);
    for (size_t t = 0; t < times.n; t++) {
        struct picture_rate rate = {0};
        if (!picture_find_time(picture, times.numbers[t], &over))
            continue;
        picture_rate(picture, over, &rate);
        size_t decided = rate.approved + rate.declined, full = CHART_EIGHTHS * (size_t)(area.rows > 0 ? area.rows : 0);
        if (decided > 0)
            overview_draw_column(canvas, area, time_x(&times, area.cols, t), times.cols,
                                 (size_t)((unsigned __int128)rate.approved * full / decided), ROLE_STATUS_APPROVED);
    }
    if (i == overview_of(shell)->current && times.n > 0)
        times_cursor(&times, picture->column, canvas, area);
}
