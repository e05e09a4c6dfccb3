#include "output_table.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { HELD_MAX = 200, GAP = 2, CELL_MAX = 1024, LINE_MAX_BYTES = 64 << 10, FLAGS = -1 };

/* rank: the order in which columns get room on a terminal. most: cells on a terminal; 0: any. */
static const struct column {
    const char *title;
    int field; /* enum intent_field, or FLAGS */
    bool right;
    int rank, most;
} columns[] = {
    {"id", INTENT_FIELD_ID, false, 0, 0},
    {"created (UTC)", INTENT_FIELD_CREATED_AT, false, 4, 0},
    {"status", INTENT_FIELD_STATUS, false, 1, 16},
    {"direction", INTENT_FIELD_DIRECTION, false, 5, 12},
    {"amount", INTENT_FIELD_AMOUNT, true, 2, 0},
    {"currency", INTENT_FIELD_CURRENCY, false, 3, 8},
    {"type", INTENT_FIELD_TYPE, false, 6, 12},
    {"rail", INTENT_FIELD_RAIL, false, 8, 12},
    {"decline", INTENT_FIELD_DECLINE_CATEGORY, false, 7, 20},
    {"flags", FLAGS, false, 9, 0},
    {"user", INTENT_FIELD_USER_ID, false, 11, 0},
    {"bank", INTENT_FIELD_BANK_NAME, false, 10, 24},
};

struct row {
    char *cells[COUNT_OF(columns)];
    char *broken; /* reason, or NULL */
};

struct table_writer {
    struct output_options options;
    struct row *items; /* held back */
    size_t n, cap;
    bool laid_out;
    int widths[COUNT_OF(columns)];
    bool shown[COUNT_OF(columns)];
};

struct table_writer *table_writer_new(const struct output_options *options) {
    struct table_writer *writer = mem_new(sizeof *writer);
    writer->options = *options;
    return writer;
}

static void clear_row(struct row *row) {
    for (size_t i = 0; i < COUNT_OF(columns); i++)
        free(row->cells[i]);
    free(row->broken);
    *row = (struct row){0};
}

void table_writer_free(struct table_writer *writer) {
    if (!writer)
        return;
    for (size_t i = 0; i < writer->n; i++)
        clear_row(&writer->items[i]);
    free(writer->items);
    free(writer);
}

static void add_flags(const struct intent *intent, struct str *out) {
    if (intent->dispute == VALUE_OK || intent->dispute == VALUE_ODD)
        str_add(out, "dispute");
    if (intent->refund == VALUE_OK || intent->refund == VALUE_ODD)
        str_add(out, out->len ? " refund" : "refund");
}

/* Times in one zone, which the header names; everything else as served. */
static void add_cell(const struct intent *intent, int field, struct str *out) {
    const char *text = NULL;
    if (field == FLAGS)
        add_flags(intent, out);
    else if (field == INTENT_FIELD_CREATED_AT && intent->created_at.state == VALUE_OK)
        clock_format(out, intent->created_at.ms, CLOCK_UTC, 0);
    else if (intent_field_text(intent, (enum intent_field)field, &text) >= VALUE_OK && text)
        utf8_sanitise(out, text, strlen(text)); /* clean already; where it is too long it ends at a whole character */
    if (out->len == 0)
        str_add(out, "-");
}

static struct row make_row(const struct intent *intent) {
    struct row row = {0};
    struct str cell;
    str_init(&cell, CELL_MAX);
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        str_reset(&cell);
        add_cell(intent, columns[i].field, &cell);
        row.cells[i] = mem_dup_n(cell.s, cell.len);
    }
    row.broken = mem_dup(intent->broken);
    str_clear(&cell);
    return row;
}

static int cells_of(const char *text) {
    return utf8_cells(text, strlen(text));
}

static void measure(struct table_writer *writer) {
    for (size_t c = 0; c < COUNT_OF(columns); c++) {
        writer->widths[c] = cells_of(columns[c].title);
        for (size_t r = 0; r < writer->n; r++) {
            int cells = cells_of(writer->items[r].cells[c]);
            if (!writer->items[r].broken && cells > writer->widths[c])
                writer->widths[c] = cells;
        }
        if (writer->options.terminal && columns[c].most && writer->widths[c] > columns[c].most)
            writer->widths[c] = columns[c].most;
    }
}

/* By rank each column that still fits; the first always stands. Not on a terminal: all. */
static void choose(struct table_writer *writer) {
    bool limited = writer->options.terminal && writer->options.columns > 0;
    int room = writer->options.columns;
    for (int rank = 0; rank < (int)COUNT_OF(columns); rank++) {
        for (size_t c = 0; c < COUNT_OF(columns); c++) {
            int need = writer->widths[c] + (rank > 0 ? GAP : 0);
            if (columns[c].rank != rank)
                continue;
            writer->shown[c] = !limited || rank == 0 || need <= room;
            if (writer->shown[c])
                room -= need;
        }
    }
}

static const char *ellipsis(const struct table_writer *writer) {
    return writer->options.utf8 ? "\xe2\x80\xa6" : "~";
}

/* A text wider than its column is cut on a terminal, and elsewhere pushes the rest of its line to the right. */
static void add_padded(const struct table_writer *writer, size_t column, const char *text, struct str *line) {
    int width = writer->widths[column];
    size_t len = strlen(text);
    if (!writer->options.terminal && utf8_cells(text, len) > width)
        str_add(line, text);
    else
        utf8_fit(line, text, len, width, columns[column].right, ellipsis(writer));
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

static void add_line(const struct table_writer *writer, const char *const *cells, struct str *out) {
    struct str line;
    str_init(&line, LINE_MAX_BYTES);
    bool first = true;
    for (size_t c = 0; c < COUNT_OF(columns); c++) {
        if (!writer->shown[c])
            continue;
        if (!first)
            str_add_repeat(&line, ' ', GAP);
        first = false;
        add_padded(writer, c, cells[c], &line);
    }
    end_line(writer, &line, out);
    str_clear(&line);
}

static void add_row(const struct table_writer *writer, const struct row *row, struct str *out) {
    if (!row->broken) {
        add_line(writer, (const char *const *)row->cells, out);
        return;
    }
    struct str line;
    str_init(&line, LINE_MAX_BYTES);
    str_addf(&line, "%s  broken: %s", row->cells[0], row->broken);
    end_line(writer, &line, out);
    str_clear(&line);
}

static void lay_out(struct table_writer *writer, struct str *out) {
    const char *titles[COUNT_OF(columns)];
    for (size_t c = 0; c < COUNT_OF(columns); c++)
        titles[c] = columns[c].title;
    measure(writer);
    choose(writer);
    writer->laid_out = true;
    add_line(writer, titles, out);
    for (size_t i = 0; i < writer->n; i++) {
        add_row(writer, &writer->items[i], out);
        clear_row(&writer->items[i]);
    }
    writer->n = 0;
}

void table_writer_add(struct table_writer *writer, const struct intent *intent, struct str *out) {
    struct row row = make_row(intent);
    if (!writer->laid_out) {
        *vec_add(writer) = row;
        if (writer->n == HELD_MAX)
            lay_out(writer, out);
        return;
    }
    add_row(writer, &row, out);
    clear_row(&row);
}

void table_writer_end(struct table_writer *writer, struct str *out) {
    if (!writer->laid_out)
        lay_out(writer, out);
}
