#include "output_table.h"

#include "app/days.h"
#include "app/labels.h"
#include "app/notes.h"
#include "base/clock.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { HELD_MAX = 200, GAP = 2, CELL_MAX = 1024, LINE_MAX_BYTES = 64 << 10, ID_LEAST = 13, CORE = 4 };

/* How a column is written and cut; digits of an amount are never cut. */
enum table_style { STYLE_TEXT, STYLE_ID, STYLE_MASK, STYLE_MONEY, STYLE_FLAGS, STYLE_HERE, STYLE_TIME };

/* title: NULL means its name. rank: the order in which columns get room on a terminal, up to CORE before the id gets
 * its whole width. most: cells at most on a terminal; 0: no limit. usual: place among the columns that are shown by
 * default; 0: it is not one of them. */
static const struct look {
    const char *title;
    int rank, most, usual;
    enum table_style style;
} LOOKS[COLUMN_COUNT] = {
#define TABLE_COLUMN(column, title, rank, most, usual, draws) \
    [COLUMN_##column] = {title, rank, most, usual, STYLE_##draws},
#include "model/fields.def"
};

/* A row as it was packed: its cells one after the other, each with a NUL, and where the row is broken the reason. */
struct row {
    char *text;                      /* NULL: it belongs to somebody else */
    const char *cells[COLUMN_COUNT]; /* by place */
    const char *broken;              /* reason, or NULL */
};

struct table_writer {
    struct output_options options;
    struct row *items; /* held back */
    size_t n, cap;
    bool laid_out;
    int n_columns;
    unsigned char columns[COLUMN_COUNT]; /* by place, as are: */
    int widths[COLUMN_COUNT];
    bool shown[COLUMN_COUNT];
    struct labels labels[COLUMN_COUNT];
    struct str time_title; /* "created (UTC)" */
};

/* On a terminal and in a file. */
static int usual_columns(unsigned char out[COLUMN_COUNT]) {
    int n = 0;
    for (int place = 1; place <= COLUMN_COUNT; place++)
        for (int i = 0; i < COLUMN_COUNT; i++)
            if (LOOKS[i].usual == place)
                out[n++] = (unsigned char)i;
    return n;
}

struct table_writer *table_writer_new(const struct output_options *options) {
    struct table_writer *writer = mem_new(sizeof *writer);
    writer->options = *options;
    str_init(&writer->time_title, CELL_MAX);
    str_addf(&writer->time_title, "%s (%s)", column_info(COLUMN_CREATED)->name,
             clock_zone_name(days_clock(&options->here.zone)));
    const struct column_set *named = &options->columns_named;
    writer->n_columns = named->n > 0 ? named->n : usual_columns(writer->columns);
    if (named->n > 0)
        memcpy(writer->columns, named->items, (size_t)named->n);
    return writer;
}

static void clear_row(struct row *row) {
    free(row->text);
    *row = (struct row){0};
}

void table_writer_free(struct table_writer *writer) {
    if (!writer)
        return;
    for (size_t i = 0; i < writer->n; i++)
        clear_row(&writer->items[i]);
    free(writer->items);
    str_clear(&writer->time_title);
    for (size_t i = 0; i < COUNT_OF(writer->labels); i++)
        labels_clear(&writer->labels[i]);
    free(writer);
}

/* An amount that is shown otherwise than as plain digits: scaled by the unit, with its own currency code, or marked as
 * raw. */
static bool output_table_is_money(const struct table_writer *writer, const struct intent *intent, int column) {
    const struct value_number *number = intent_field_number(intent, column_info(column)->field);
    return number && (writer->options.money.unit != MONEY_RAW || number->state != VALUE_OK || number->currency);
}

/* Times in one zone, which the header names; everything else as served. */
static void output_table_add_cell(const struct table_writer *writer, const struct intent *intent, int column,
                                  struct str *out) {
    const char *text = column_text(intent, column);
    const struct value_time *time = intent_field_time(intent, column_info(column)->field);
    if (LOOKS[column].style == STYLE_FLAGS)
        column_flags(intent, out);
    else if (LOOKS[column].style == STYLE_HERE)
        column_here(&writer->options.here, intent, column, out);
    else if (output_table_is_money(writer, intent, column))
        (void)column_money(intent, column, &writer->options.money, out);
    else if (time && time->state == VALUE_OK)
        clock_format_served(out, time->text, time->ms, days_clock(&writer->options.here.zone), 0);
    else if (text)
        utf8_sanitise(out, text, strlen(text)); /* clean already; where it is too long it ends at a whole character */
    if (out->len == 0)
        str_add(out, "-");
}

void table_writer_pack(const struct table_writer *writer, const struct intent *intent, struct str *out) {
    struct str cell;
    str_init(&cell, CELL_MAX);
    for (int c = 0; c < writer->n_columns; c++) {
        str_reset(&cell);
        output_table_add_cell(writer, intent, writer->columns[c], &cell);
        str_add_n(out, cell.s, strlen(cell.s) + 1);
    }
    if (intent->broken)
        str_add_n(out, intent->broken, strlen(intent->broken) + 1);
    str_clear(&cell);
}

static const char *next_cell(const char **at, const char *end) {
    const char *cell = *at < end ? *at : NULL;
    *at += cell ? strlen(cell) + 1 : 0;
    return cell;
}

static struct row row_of(const struct table_writer *writer, const char *packed, size_t len) {
    struct row row = {0};
    const char *at = packed, *end = packed + len;
    for (int c = 0; c < writer->n_columns; c++)
        row.cells[c] = next_cell(&at, end);
    row.broken = next_cell(&at, end);
    return row;
}

static int output_table_cells_of(const char *text) {
    return utf8_cells(text, strlen(text));
}

static const struct look *output_table_look(const struct table_writer *writer, int place) {
    return &LOOKS[writer->columns[place]];
}

static bool output_table_is_number(const struct table_writer *writer, int place) {
    return output_table_look(writer, place)->style == STYLE_MONEY;
}

static const char *title(const struct table_writer *writer, int place) {
    const struct look *look = output_table_look(writer, place);
    if (look->style == STYLE_TIME)
        return writer->time_title.s;
    return look->title ? look->title : column_info(writer->columns[place])->name;
}

static int output_table_widest(const struct table_writer *writer, int place) {
    int most = output_table_cells_of(title(writer, place)), limit = output_table_look(writer, place)->most;
    for (size_t r = 0; r < writer->n; r++) {
        int cells = output_table_cells_of(writer->items[r].cells[place]);
        most = !writer->items[r].broken && cells > most ? cells : most;
    }
    return writer->options.terminal && limit > 0 && most > limit ? limit : most;
}

/* A width that was asked for is kept everywhere, except for numbers, whose digits are never cut. */
static void measure(struct table_writer *writer) {
    for (int c = 0; c < writer->n_columns; c++) {
        int asked = writer->options.columns_named.widths[writer->columns[c]];
        int most = output_table_widest(writer, c);
        bool keeps = asked > 0 && !(output_table_is_number(writer, c) && asked < most);
        writer->widths[c] = keeps ? asked : most;
    }
}

/* Takes the room that the column needs, where there is as much. */
static void place_column(struct table_writer *writer, int place, int *room) {
    int need = writer->widths[place] + GAP;
    writer->shown[place] = need <= *room;
    *room -= writer->shown[place] ? need : 0;
}

/* Shows each column that still fits, in the order of their ranks; the id, or else the first column, is always shown and
 * gets the room that the core columns leave. */
static void output_table_choose(struct table_writer *writer) {
    int room = writer->options.columns + GAP, first = 0;
    for (int c = 0; c < writer->n_columns; c++)
        first = writer->columns[c] == COLUMN_ID ? c : first;
    int whole = writer->widths[first], least = whole < ID_LEAST ? whole : ID_LEAST;
    least = least < writer->options.columns ? least : writer->options.columns;
    writer->shown[first] = true;
    room -= least + GAP;
    for (int rank = 0; rank < COLUMN_COUNT; rank++) {
        if (rank == CORE + 1) {
            writer->widths[first] = least + (whole - least < room ? whole - least : room > 0 ? room : 0);
            room -= writer->widths[first] - least;
        }
        for (int c = 0; c < writer->n_columns; c++)
            if (c != first && output_table_look(writer, c)->rank == rank)
                place_column(writer, c, &room);
    }
}

/* Not on a terminal: all, as wide as they are. */
static void output_table_show(struct table_writer *writer) {
    if (writer->options.terminal && writer->options.columns > 0)
        output_table_choose(writer);
    else
        for (int c = 0; c < writer->n_columns; c++)
            writer->shown[c] = true;
}

static const char *ellipsis(const struct table_writer *writer) {
    return writer->options.utf8 ? "\xe2\x80\xa6" : "~";
}

/* A text wider than its column is cut on a terminal, an id at its front, so that no two look the same; elsewhere, and
 * where it is a number, it pushes the rest of its line to the right. */
static void add_padded(struct table_writer *writer, int place, const char *text, struct str *line) {
    int width = writer->widths[place];
    size_t len = strlen(text), from = line->len;
    bool cuts = writer->options.terminal || writer->options.columns_named.widths[writer->columns[place]] > 0;
    if (utf8_cells(text, len) > width && (!cuts || output_table_is_number(writer, place))) {
        str_add(line, text);
    } else if (output_table_look(writer, place)->style == STYLE_MASK && utf8_cells(text, len) > width) {
        utf8_last(line, text, len, width); /* cut at its front: masks differ in their last digits */
        str_add_repeat(line, ' ', (size_t)(width - utf8_cells(line->s + from, line->len - from)));
    } else if (output_table_is_number(writer, place)) {
        utf8_fit(line, text, len, width, true, ellipsis(writer));
    } else {
        struct label_value value = {text, len, ellipsis(writer), output_table_look(writer, place)->style == STYLE_ID};
        labels_fit(&writer->labels[place], &value, width, line);
        str_add_repeat(line, ' ', (size_t)(width - utf8_cells(line->s + from, line->len - from)));
    }
}

static void end_line(const struct table_writer *writer, struct str *line, struct str *out) {
    while (line->len > 0 && line->s[line->len - 1] == ' ')
        str_delete(line, line->len - 1, 1);
    size_t len = line->len;
    if (writer->options.terminal && writer->options.columns > 0)
        len = utf8_cut(line->s, line->len, writer->options.columns, &(int){0});
    str_add_n(out, line->s, len);
    str_add(out, "\n");
}

static void output_table_add_line(struct table_writer *writer, const char *const *cells, struct str *out) {
    struct str line;
    str_init(&line, LINE_MAX_BYTES);
    bool first = true;
    for (int c = 0; c < writer->n_columns; c++) {
        if (!writer->shown[c])
            continue;
        if (!first)
            str_add_repeat(&line, ' ', GAP);
        first = false;
        add_padded(writer, c, cells[c] ? cells[c] : "", &line);
    }
    end_line(writer, &line, out);
    str_clear(&line);
}

static void output_table_add_row(struct table_writer *writer, const struct row *row, struct str *out) {
    if (!row->broken) {
        output_table_add_line(writer, row->cells, out);
        return;
    }
    struct str line;
    str_init(&line, LINE_MAX_BYTES);
    str_addf(&line, "%s  broken: %s", row->cells[0], row->broken);
    end_line(writer, &line, out);
    str_clear(&line);
}

static void output_table_lay_out(struct table_writer *writer, struct str *out) {
    const char *titles[COLUMN_COUNT] = {0};
    for (int c = 0; c < writer->n_columns; c++)
        titles[c] = title(writer, c);
    measure(writer);
    output_table_show(writer);
    writer->laid_out = true;
    output_table_add_line(writer, titles, out);
    for (size_t i = 0; i < writer->n; i++) {
        output_table_add_row(writer, &writer->items[i], out);
        clear_row(&writer->items[i]);
    }
    writer->n = 0;
}

void table_writer_add(struct table_writer *writer, const char *packed, size_t len, struct str *out) {
    if (writer->laid_out) {
        struct row row = row_of(writer, packed, len);
        output_table_add_row(writer, &row, out);
        return;
    }
    char *text = mem_dup_n(packed, len);
    struct row *row = vec_add(writer);
    *row = row_of(writer, text, len);
    row->text = text;
    if (writer->n == HELD_MAX)
        output_table_lay_out(writer, out);
}

void table_writer_end(struct table_writer *writer, struct str *out) {
    if (!writer->laid_out)
        output_table_lay_out(writer, out);
}
