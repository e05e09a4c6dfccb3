#include "app/record.h"
#include "app/text.h"

#include "api/inspect.h"
#include "base/csv.h"
#include "base/utf8.h"

#include <string.h>

enum { TAIL_BYTES = 4, CELL_MAX = 1 << 20 };

/* The last four characters, unless that is most of the text. */
static const char *tail_of(const char *text) {
    size_t len = strlen(text), at = len;
    for (int i = 0; i < TAIL_BYTES && at > 0; i++)
        at = utf8_prev(text, len, at);
    return at > 0 && utf8_count(text, at) > TAIL_BYTES ? text + at : NULL;
}

/* A card's mask is masked already: perhaps the service has only its last digits. */
static void add_masked(enum intent_field field, const char *text, struct str *out) {
    enum field_handover handover = INTENT_FIELDS[field].handover;
    bool mask = handover == HANDOVER_MASK;
    const char *tail = handover == HANDOVER_HIDDEN ? NULL : mask && strlen(text) <= TAIL_BYTES ? text : tail_of(text);
    str_add(out, "***");
    str_add(out, tail ? tail : "");
}

static bool stays_whole(enum intent_field field) {
    return INTENT_FIELDS[field].handover == HANDOVER_WHOLE;
}

bool record_masked(const struct intent *intent, enum intent_field field, struct str *out) {
    const char *text = NULL;
    (void)intent_field_text(intent, field, &text);
    if (!text)
        return false;
    if (stays_whole(field))
        str_add(out, text);
    else
        add_masked(field, text, out);
    return true;
}

static bool record_is_digits(const char *text) {
    size_t len = strlen(text), sign = text[0] == '-';
    return len > sign && strspn(text + sign, "0123456789") == len - sign;
}

static bool record_is_number(const struct intent *intent, enum intent_field field) {
    const char *text;
    return intent_field_text(intent, field, &text) == VALUE_OK && text && intent_field_is_number(field) &&
           record_is_digits(text);
}

static bool record_value_of(const struct record_style *style, const struct intent *intent, enum intent_field field,
                            struct str *out) {
    if (style->masked)
        return record_masked(intent, field, out);
    const char *text = intent_field_exact(intent, field);
    str_add(out, text ? text : "");
    return text != NULL;
}

static void csv_cell_text(const struct record_style *style, const struct str *text, struct str *out) {
    struct str plain;
    if (!style->ascii) {
        csv_add_value(out, text->s, text->len);
        return;
    }
    str_init(&plain, CELL_MAX);
    utf8_to_ascii(&plain, text->s, text->len);
    csv_add_value(out, plain.s, plain.len);
    str_clear(&plain);
}

/* The cells of a row, by what was chosen or all; the number of them. */
static size_t fields_of(const struct record_style *style, unsigned char out[RECORD_FIELD_COUNT]) {
    if (!style->fields)
        return record_fields_all(&style->money, out);
    memcpy(out, style->fields, style->n_fields);
    return style->n_fields;
}

/* A masked number is no longer a number. */
static bool is_number_cell(const struct record_style *style, const struct intent *intent, unsigned field) {
    if (field >= INTENT_FIELD_COUNT)
        return record_cell_is_number(field);
    return (!style->masked || stays_whole((enum intent_field)field)) &&
           record_is_number(intent, (enum intent_field)field);
}

/* False: an empty cell. */
static bool cell_text(const struct record_style *style, const struct intent *intent, unsigned field, struct str *out) {
    if (field < INTENT_FIELD_COUNT)
        return record_value_of(style, intent, (enum intent_field)field, out);
    if (!intent->broken || field == RECORD_BROKEN)
        record_cell(style, intent, field, out);
    return out->len > 0;
}

bool record_has_columns(enum record_format format) {
    return format == RECORD_CSV || format == RECORD_CELLS;
}

static void csv_row(const struct record_style *style, const struct intent *intent, struct str *out) {
    unsigned char fields[RECORD_FIELD_COUNT];
    size_t n = fields_of(style, fields);
    enum csv_reader_kind before = csv_write_for(style->reader);
    struct str text;
    str_init(&text, CELL_MAX);
    for (size_t i = 0; i < n; i++) {
        str_reset(&text);
        if (!cell_text(style, intent, fields[i], &text)) {
            /* an empty cell */
        } else if (is_number_cell(style, intent, fields[i])) {
            csv_add_number(out, text.s, text.len);
        } else {
            csv_cell_text(style, &text, out);
        }
        csv_end_cell(out);
    }
    csv_end_row(out);
    csv_write_for(before);
    str_clear(&text);
}

/* A number of the service that is none of 64 bits, or an amount in whole units, stays text: a database would round it.
 */
static void cells_row(const struct record_style *style, const struct intent *intent, struct str *out) {
    unsigned char fields[RECORD_FIELD_COUNT];
    size_t n = fields_of(style, fields);
    struct str text;
    str_init(&text, CELL_MAX);
    for (size_t i = 0; i < n; i++) {
        long long number;
        str_reset(&text);
        bool is_there = cell_text(style, intent, fields[i], &text);
        bool integer = is_number_cell(style, intent, fields[i]) && str_to_int64(text.s, text.len, &number);
        str_add_char(out, !is_there ? RECORD_CELL_NULL : integer ? RECORD_CELL_INTEGER : RECORD_CELL_TEXT);
        str_add_n(out, text.s, text.len);
        str_add_char(out, '\0');
    }
    str_clear(&text);
}

static void json_value(const struct intent *intent, enum intent_field field, struct str *out) {
    const struct value_flag *flag = intent_field_flag(intent, field);
    struct str text;
    str_init(&text, CELL_MAX);
    if (!record_masked(intent, field, &text))
        str_add(out, "null");
    else if (stays_whole(field) && record_is_number(intent, field))
        str_add(out, text.s);
    else if (stays_whole(field) && flag && flag->state == VALUE_OK)
        str_add(out, flag->on ? "true" : "false");
    else
        text_json(out, text.s);
    str_clear(&text);
}

/* Bytes of the path up to and with its last dot. */
static size_t parent_len(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? (size_t)(dot - path) + 1 : 0;
}

static size_t shared_parents(const char *a, const char *b) {
    size_t shared = 0, most = parent_len(a) < parent_len(b) ? parent_len(a) : parent_len(b);
    for (size_t i = 0; i < most && a[i] == b[i]; i++)
        shared = a[i] == '.' ? i + 1 : shared;
    return shared;
}

static void json_close(const char *path, size_t shared, struct str *out) {
    for (size_t i = shared; i < parent_len(path); i++)
        if (path[i] == '.')
            str_add_char(out, '}');
}

/* Opens the objects of a path, `"a":{"b":` for a.b, except those that are open already. */
static void json_open(const char *path, size_t shared, struct str *out) {
    for (const char *at = path + shared; at; at = strchr(at, '.') ? strchr(at, '.') + 1 : NULL) {
        str_add_char(out, '"');
        str_add_n(out, at, strcspn(at, "."));
        str_add(out, strchr(at, '.') ? "\":{" : "\":");
    }
}

/* fields.def lists the members of one object one after the other. */
static void json_masked(const struct intent *intent, struct str *out) {
    const char *before = "";
    str_add_char(out, '{');
    for (enum intent_field field = 0; field < INTENT_FIELD_COUNT; field++) {
        const char *path = intent_field_path(field);
        size_t shared = shared_parents(before, path);
        json_close(before, shared, out);
        str_add(out, field > 0 && out->s[out->len - 1] != '{' ? "," : "");
        json_open(path, shared, out);
        json_value(intent, field, out);
        before = path;
    }
    json_close(before, 0, out);
    str_addf(out, ",\"transactions\":%zu,\"has_dispute\":%s,\"has_refund\":%s}", intent->n_transactions,
             intent_has_record(intent->dispute) ? "true" : "false",
             intent_has_record(intent->refund) ? "true" : "false");
}

static void json_row(const struct record_style *style, const struct intent *intent, struct str *out) {
    if (style->masked)
        json_masked(intent, out);
    else
        api_inspect_line(intent, out);
}

static void csv_head(const struct record_style *style, struct str *out) {
    unsigned char fields[RECORD_FIELD_COUNT];
    size_t n = fields_of(style, fields);
    enum csv_reader_kind before = csv_write_for(style->reader);
    csv_begin(out);
    for (size_t i = 0; i < n; i++)
        csv_add_names(out, record_field_name(fields[i]));
    csv_end_row(out);
    csv_write_for(before);
}

static void cells_head(const struct record_style *style, struct str *out) {
    unsigned char fields[RECORD_FIELD_COUNT];
    size_t n = fields_of(style, fields);
    for (size_t i = 0; i < n; i++) {
        str_add_char(out, RECORD_CELL_TEXT);
        str_add(out, record_field_name(fields[i]));
        str_add_char(out, '\0');
    }
}

void record_head(const struct record_style *style, struct str *out) {
    if (style->format == RECORD_JSON)
        str_add_char(out, '[');
    if (style->format == RECORD_CSV)
        csv_head(style, out);
    if (style->format == RECORD_CELLS)
        cells_head(style, out);
}

void record_row(const struct record_style *style, const struct intent *intent, bool first, struct str *out) {
    switch (style->format) {
    case RECORD_CSV:
        csv_row(style, intent, out);
        break;
    case RECORD_CELLS:
        cells_row(style, intent, out);
        break;
    case RECORD_JSON:
        str_add(out, first ? "\n" : ",\n");
        json_row(style, intent, out);
        break;
    case RECORD_NDJSON:
        json_row(style, intent, out);
        str_add_char(out, '\n');
        break;
    }
}

void record_tail(const struct record_style *style, bool any, struct str *out) {
    if (style->format == RECORD_JSON)
        str_add(out, any ? "\n]\n" : "]\n");
}
