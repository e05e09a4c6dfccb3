#include "match_own.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Names that people give to the fields, beside those of the filter language and of CSV; each is in one row only. */
static const char *const ALIASES[QUERY_FIELD_COUNT] = {
    [QUERY_ID_FIELD] = "intentid paymentid paymentintent paymentintentid",
    [QUERY_AMOUNT_FIELD] = "value sum total amt",
    [QUERY_CURRENCY_FIELD] = "ccy currencycode",
    [QUERY_CREATED_FIELD] = "createdutc date datetime time timestamp bookingdate bookedat booked",
    [QUERY_STATUS_FIELD] = "state",
    [QUERY_MASK_FIELD] = "cardmask accountmask last4 lastfour cardlast4 panmask",
    [QUERY_BANK_FIELD] = "bankname issuer",
    [QUERY_USER_FIELD] = "userid customer",
};

enum { NAME_MAX = 256, LEFT_OUT_MAX = 200, FAULT_SHOWN = 64 };

struct match_reader {
    struct match *match;
    struct csv_table table;
    struct error *error; /* the first fault, */
    size_t faults;       /* and how many rows have one */
};

/* ---- The header ---- */

static int match_find(const char *path) {
    enum query_field_code code = query_field_find(path, strlen(path));
    return code == QUERY_FIELD_COUNT ? -1 : (int)code;
}

enum err match_map(struct match *match, const char *text, size_t len, struct error *error) {
    return headings_read(&match->map, text, len, match_find, error);
}

/* A name of a field, however it is spaced or written: `Created at` is created_at. */
static int field_of_name(const char *heading) {
    struct str name;
    int field = match_find(heading);
    str_init(&name, NAME_MAX);
    for (const char *at = heading; *at && field < 0; at++)
        str_add_char(&name, *at == ' ' || *at == '-' ? '_' : *at);
    field = field < 0 && !name.truncated ? match_find(name.s) : field;
    str_clear(&name);
    return field < 0 ? HEADING_NOT_KNOWN : field;
}

static int match_heading(const struct match *match, const char *heading) {
    int field = headings_field(&match->map, ALIASES, COUNT_OF(ALIASES), heading);
    return field == HEADING_NOT_KNOWN ? field_of_name(heading) : field;
}

static bool has_text(enum query_field_code code) {
    const struct query_field *field = query_field(code);
    return field->type != QUERY_TIME && field->column != CELLS_TEXT_COUNT;
}

static void leave_out(struct match *match, const char *heading) {
    size_t len = strlen(heading), n = len > FAULT_SHOWN ? utf8_cut(heading, len, FAULT_SHOWN, NULL) : len;
    if (match->left_out.len < LEFT_OUT_MAX) {
        str_add(&match->left_out, match->left_out.len > 0 ? ", " : "");
        utf8_sanitise(&match->left_out, heading, n);
    }
}

/* An intent has the mask of a card or else that of an account, and our own CSV a column for each. */
static bool is_account_mask(const char *heading) {
    return str_equal(heading, intent_field_path(INTENT_FIELD_NUMBER_MASK));
}

static enum err take_column(struct match *match, const struct csv_table *table, size_t column, struct error *error) {
    const char *heading = table->names[column];
    int code = *heading ? match_heading(match, heading) : HEADING_LEFT_OUT;
    bool known = code == QUERY_AMOUNT_FIELD || code == QUERY_CREATED_FIELD ||
                 (code >= 0 && has_text((enum query_field_code)code));
    if (!known) {
        if (*heading && code != HEADING_LEFT_OUT)
            leave_out(match, heading);
        return ERR_OK;
    }
    struct match_field *field = match_field_of(match, (enum query_field_code)code);
    if (code == QUERY_MASK_FIELD && is_account_mask(heading)) {
        match->account_mask = column + 1;
        if (field && field->column != SIZE_MAX)
            return ERR_OK;
    } else if (code == QUERY_MASK_FIELD && field && field->column + 1 == match->account_mask) {
        field->column = column;
        return ERR_OK;
    } else if (field && field->column != SIZE_MAX) {
        return error_set(error, ERR_INVALID, "line %zu: columns %zu and %zu are both %s: %s leaves one out",
                         table->line, field->column + 1, column + 1, query_field((enum query_field_code)code)->name,
                         match_word(&match->options, MATCH_WORD_MAP));
    }
    if (!field && match->n_fields == MATCH_FIELDS_MAX)
        return error_set(error, ERR_INVALID, "line %zu: too many columns to compare: %s leaves some out", table->line,
                         match_word(&match->options, MATCH_WORD_MAP));
    if (!field) {
        field = &match->fields[match->n_fields++];
        *field = (struct match_field){.code = (enum query_field_code)code};
    }
    field->column = column;
    return ERR_OK;
}

static enum err check_columns(const struct match *match, const struct csv_table *table, struct error *error) {
    for (size_t i = 0; i < match->n_fields; i++) {
        bool stated = match->fields[i].code == QUERY_CURRENCY_FIELD && match->options.currency;
        if (match->fields[i].column == SIZE_MAX && !stated)
            return error_set(error, ERR_INVALID,
                             "line %zu: no column is %s, which %s names: %s says which one it is, in a line "
                             "HEADER = %s",
                             table->line, query_field(match->fields[i].code)->name,
                             match_word(&match->options, MATCH_WORD_ON), match_word(&match->options, MATCH_WORD_MAP),
                             query_field(match->fields[i].code)->name);
    }
    return ERR_OK;
}

static enum err match_read_header(struct match *match, const struct csv_table *table, struct error *error) {
    enum err err = ERR_OK;
    for (size_t i = 0; i < table->n && err == ERR_OK; i++)
        err = take_column(match, table, i, error);
    struct match_field *currency = match_field_of(match, QUERY_CURRENCY_FIELD);
    if (err == ERR_OK && currency && currency->column != SIZE_MAX && match->options.currency)
        err = error_set(error, ERR_USAGE, "%s is for a table without a column of currencies; this one has one",
                        match_word(&match->options, MATCH_WORD_CURRENCY));
    return err == ERR_OK ? check_columns(match, table, error) : err;
}

/* ---- A row ---- */

static void note_fault(struct match_reader *reader, size_t line, size_t field, const char *why) {
    const struct match_field *of = &reader->match->fields[field];
    if (reader->faults++ == 0)
        (void)error_set(reader->error, ERR_INVALID, "line %zu, column %zu (%s): %s", line, of->column + 1,
                        query_field(of->code)->name, why);
}

/* A column of four digits has lost its zeros where it has fewer. */
static const char *damage_of(enum query_field_code code, const char *text) {
    enum { LAST4 = 4 };
    bool mask = code == QUERY_MASK_FIELD;
    const char *why = code == QUERY_AMOUNT_FIELD ? NULL : csv_damage(text, mask);
    if (!why && mask && match_mask_tail(text) == text && strlen(text) < LAST4)
        why = "has fewer than four digits: a spreadsheet has dropped leading zeros";
    return why;
}

/* Bytes of the blank that the text begins with, as people and spreadsheets put around a value; 0: it begins with none.
 */
static size_t match_blank(const char *s, size_t len) {
    static const char NO_BREAK[] = "\xC2\xA0";
    if (len > 0 && ascii_is_blank((unsigned char)*s))
        return 1;
    return len >= 2 && memcmp(s, NO_BREAK, 2) == 0 ? 2 : 0;
}

/* Without the blanks around it: of an id no other invisible character, which may be a part of it. */
static void match_trim(enum query_field_code code, const char *cell, size_t len, size_t *start, size_t *end) {
    size_t n;
    *start = utf8_trim_start(cell, len);
    *end = utf8_trim_end(cell, len);
    if (query_field(code)->type != QUERY_ID || *end <= *start)
        return;
    for (*start = 0; (n = match_blank(cell + *start, len - *start)) > 0;)
        *start += n;
    for (*end = len; *end > *start; *end -= n) {
        size_t wide = *end - *start >= 2 ? 2 : 1;
        n = match_blank(cell + *end - wide, wide);
        n = n == wide ? n : match_blank(cell + *end - 1, 1);
        if (n == 0)
            break;
    }
}

/* One cell without the blanks around it; NULL: it is empty. */
static const char *take_cell(struct match_reader *reader, size_t line, size_t field) {
    struct match *match = reader->match;
    const struct match_field *of = &match->fields[field];
    size_t len;
    if (of->column == SIZE_MAX)
        return match_keep(match, match->options.currency, strlen(match->options.currency));
    const char *cell = csv_table_cell(&reader->table, of->column, &len);
    if (of->code == QUERY_MASK_FIELD && len == 0 && match->account_mask > 0)
        cell = csv_table_cell(&reader->table, match->account_mask - 1, &len);
    size_t start, end;
    match_trim(of->code, cell, len, &start, &end);
    if (end <= start)
        return NULL;
    struct str text;
    str_init(&text, 4 * (end - start) + 1);
    utf8_sanitise(&text, cell + start, end - start);
    const char *why =
        utf8_is_valid(cell, len) ? damage_of(of->code, text.s) : "is not valid UTF-8: save the file as \"CSV UTF-8\"";
    if (why)
        note_fault(reader, line, field, why);
    const char *kept = match_keep(match, text.s, text.len);
    str_clear(&text);
    return kept;
}

static void read_value(struct match_reader *reader, struct match_row *row, size_t at, size_t field) {
    struct match *match = reader->match;
    const char *text = match->row_texts[at * match->n_fields + field];
    struct error why = {0};
    if (!text) {
        row->lacks = row->lacks || match->fields[field].on;
    } else if (match->fields[field].code == QUERY_AMOUNT_FIELD) {
        row->has_amount =
            match_amount(&match->options, text, match_row_currency(match, at), &row->amount, &why) == ERR_OK;
    } else if (match->fields[field].code == QUERY_CREATED_FIELD) {
        row->has_created = match_time(&match->options, text, &row->from, &row->to, &why) == ERR_OK;
    }
    if (why.code != ERR_OK)
        note_fault(reader, row->line, field, why.text);
}

static void match_read_row(struct match_reader *reader, const struct csv_row *cells) {
    struct match *match = reader->match;
    size_t at = match->rows.n, n = match->n_fields;
    struct match_row *row = vec_add(&match->rows);
    row->line = cells->line;
    if (match->rows.cap * n > match->row_texts_cap) {
        match->row_texts_cap = match->rows.cap * n;
        match->row_texts = mem_resize(match->row_texts, match->row_texts_cap, sizeof *match->row_texts);
    }
    if (cells->nowhere > 0 && reader->faults++ == 0)
        (void)error_set(reader->error, ERR_INVALID, "line %zu, column %zu: a value stands under no heading",
                        cells->line, cells->nowhere);
    for (size_t i = 0; i < n; i++)
        match->row_texts[at * n + i] = take_cell(reader, row->line, i);
    for (size_t i = 0; i < n; i++)
        read_value(reader, row, at, i);
}

static enum err match_read_rows(struct match_reader *reader, struct error *error) {
    struct csv_row cells;
    bool more;
    enum err err = csv_table_next(&reader->table, &cells, &more, error);
    while (err == ERR_OK && more) {
        if (reader->match->rows.n == MATCH_ROWS_MAX)
            return error_set(error, ERR_INVALID, "more than %d rows: split the file", MATCH_ROWS_MAX);
        match_read_row(reader, &cells);
        err = csv_table_next(&reader->table, &cells, &more, error);
    }
    if (err == ERR_OK && reader->faults > 0)
        err = ERR_INVALID;
    if (err == ERR_OK && reader->match->rows.n == 0)
        err = error_set(error, ERR_INVALID, "there is a header and no row");
    return err;
}

enum err match_read(struct match *match, const char *text, size_t len, struct error *error) {
    struct error fault = {0};
    struct match_reader reader = {.match = match, .error = &fault};
    enum err err = match_take_on(match, &fault);
    if (err == ERR_OK)
        err = csv_table_open(&reader.table, text, len, &fault);
    if (err == ERR_OK && reader.table.notes.len > 0)
        match->notes = mem_dup(reader.table.notes.s);
    if (err == ERR_OK)
        err = match_read_header(match, &reader.table, &fault);
    if (err == ERR_OK)
        err = match_read_rows(&reader, &fault);
    if (err != ERR_OK && reader.faults > 1)
        err = error_set(error, err, "%s; %zu faults like it in all", fault.text, reader.faults);
    else if (err != ERR_OK)
        err = error_set(error, err, "%s", fault.text);
    csv_table_clear(&reader.table);
    return err;
}

enum err match_load(struct match *match, const char *map, const char *path, match_input_fn *input,
                    struct error *error) {
    struct str text;
    enum err err = ERR_OK;
    str_init(&text, MATCH_FILE_MAX);
    if (map)
        err = input(map, &text, error);
    if (err == ERR_OK && map)
        err = match_map(match, text.s, text.len, error);
    str_reset(&text);
    if (err == ERR_OK)
        err = input(path, &text, error);
    if (err == ERR_OK && text.truncated)
        err = error_set(error, ERR_INVALID, "the table is longer than 256 MB");
    if (err == ERR_OK && match_read(match, text.s, text.len, error) != ERR_OK) {
        err = error->code;
        error_prefix(error, path);
    }
    str_clear(&text);
    return err;
}
