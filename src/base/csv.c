#include "base/csv.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/start.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* A text within a formula may have no more characters, and a number no more digits that are kept. */
enum { EXCEL_TEXT_MAX = 255, EXCEL_DIGITS_MAX = 15 };

static enum csv_reader_kind reader_kind;

enum csv_reader_kind csv_write_for(enum csv_reader_kind kind) {
    enum csv_reader_kind before = reader_kind;
    reader_kind = kind;
    return before;
}

enum csv_reader_kind csv_written_for(void) {
    return reader_kind;
}

enum csv_reader_kind csv_excel_of_locale(void) {
    locale_t own = newlocale(LC_NUMERIC_MASK, "", (locale_t)0);
    bool comma = own != (locale_t)0 && strcmp(nl_langinfo_l(RADIXCHAR, own), ",") == 0;
    if (own != (locale_t)0)
        freelocale(own);
    return comma ? CSV_FOR_EXCEL_COMMA : CSV_FOR_EXCEL;
}

const char *csv_locale_missing(void) {
    locale_t own = newlocale(LC_NUMERIC_MASK, "", (locale_t)0);
    if (own == (locale_t)0)
        return start_locale_variable("LC_NUMERIC");
    freelocale(own);
    return NULL;
}

void csv_begin(struct str *out) {
    str_add(out, reader_kind == CSV_FOR_PROGRAMS ? "" : "\xEF\xBB\xBF");
}

static char separator_of_cells(void) {
    return reader_kind == CSV_FOR_EXCEL_COMMA ? ';' : ',';
}

/* What makes a spreadsheet read a cell as a formula; the last four are the full-width = + - @. */
static const char *const starters[] = {
    "=", "+", "-", "@", "\t", "\r", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};

static bool is_formula(const char *text, size_t len) {
    for (size_t i = 0; i < COUNT_OF(starters); i++) {
        size_t n = strlen(starters[i]);
        if (len >= n && memcmp(text, starters[i], n) == 0)
            return true;
    }
    return false;
}

/* Semicolon and TAB too: many spreadsheets split cells there, and a formula could begin after it. */
static bool needs_quotes(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\0' || strchr(",;\"\t\r\n", text[i]))
            return true;
    return len > 0 && (text[0] == ' ' || text[len - 1] == ' ');
}

void csv_add_text(struct str *out, const char *text, size_t len) {
    bool quoted = needs_quotes(text, len);
    if (quoted)
        str_add_char(out, '"');
    if (is_formula(text, len))
        str_add_char(out, '\'');
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"')
            str_add_char(out, '"');
        str_add_char(out, text[i]);
    }
    if (quoted)
        str_add_char(out, '"');
}

static bool guard_is_off;

void csv_guard_off(void) {
    guard_is_off = true;
}

static size_t digits_from(const char *text, size_t len, size_t at) {
    while (at < len && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

/* -5000.10 and -1.5E+20; a leading + is that of a phone number. */
static bool is_negative_number(const char *text, size_t len) {
    size_t at = digits_from(text, len, 1);
    if (len < 2 || text[0] != '-' || at == 1)
        return false;
    if (at < len && text[at] == '.') {
        size_t end = digits_from(text, len, at + 1);
        if (end == at + 1)
            return false;
        at = end;
    }
    if (at < len && (text[at] == 'e' || text[at] == 'E')) {
        size_t start = at + 1 + (at + 1 < len && (text[at + 1] == '-' || text[at + 1] == '+'));
        at = digits_from(text, len, start);
        if (at == start)
            return false;
    }
    return at == len;
}

static bool needs_guard(const char *text, size_t len) {
    size_t marks = 0;
    while (marks < len && text[marks] == '\'')
        marks++;
    return is_formula(text + marks, len - marks) && !(marks == 0 && is_negative_number(text, len));
}

static void csv_add_kept(struct str *out, const char *text, size_t len) {
    for (size_t at = 0, taken; at < len; at += taken) {
        int32_t cp;
        taken = utf8_decode(text + at, len - at, &cp);
        if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || !utf8_is_valid(text + at, taken))
            utf8_sanitise(out, text + at, taken);
        else
            str_add_n(out, text + at, taken);
    }
}

static void csv_add_quoted(struct str *out, const char *text, size_t len) {
    bool quoted = needs_quotes(text, len);
    if (quoted)
        str_add_char(out, '"');
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"')
            str_add_char(out, '"');
        str_add_char(out, text[i]);
    }
    if (quoted)
        str_add_char(out, '"');
}

static size_t count_digits(const char *text, size_t len) {
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += ascii_is_digit((unsigned char)text[i]);
    return n;
}

/* What begins with a letter and has no digit is read as it is, but for the two words. */
static bool is_changed_by_excel(const char *text, size_t len) {
    if (len == 0)
        return false;
    bool letter = ascii_is_letter((unsigned char)text[0]) || (unsigned char)text[0] >= 0x80;
    bool word =
        (len == 4 && ascii_compare_n(text, "true", len) == 0) || (len == 5 && ascii_compare_n(text, "false", len) == 0);
    return !letter || word || count_digits(text, len) > 0 || is_formula(text, len);
}

/* ="text", with its quotes doubled once for the formula. */
static void add_formula_text(struct str *out, const struct str *text) {
    struct str formula;
    str_init(&formula, 2 * text->len + 4);
    str_add(&formula, "=\"");
    for (size_t i = 0; i < text->len; i++) {
        if (text->s[i] == '"')
            str_add_char(&formula, '"');
        str_add_char(&formula, text->s[i]);
    }
    str_add_char(&formula, '"');
    csv_add_quoted(out, formula.s, formula.len);
    str_clear(&formula);
}

/* As Excel counts: what lies beyond the first 65,536 characters takes two. */
static size_t excel_len(const struct str *text) {
    size_t n = utf8_count(text->s, text->len);
    for (size_t i = 0; i < text->len; i++)
        n += (unsigned char)text->s[i] >= 0xF0;
    return n;
}

/* A text too long for a formula gets the apostrophe instead, which is no number or formula either. */
static void add_for_excel(struct str *out, const char *text, size_t len) {
    struct str kept;
    str_init(&kept, 9 * len + 2);
    csv_add_kept(&kept, text, len);
    bool changed = !guard_is_off && is_changed_by_excel(kept.s, kept.len);
    if (changed && excel_len(&kept) <= EXCEL_TEXT_MAX) {
        add_formula_text(out, &kept);
    } else {
        if (changed)
            str_insert(&kept, 0, "'", 1);
        csv_add_quoted(out, kept.s, kept.len);
    }
    str_clear(&kept);
}

void csv_add_value(struct str *out, const char *text, size_t len) {
    if (reader_kind != CSV_FOR_PROGRAMS) {
        add_for_excel(out, text, len);
        return;
    }
    struct str kept;
    str_init(&kept, 9 * len + 2);
    if (!guard_is_off && needs_guard(text, len))
        str_add_char(&kept, '\'');
    csv_add_kept(&kept, text, len);
    csv_add_quoted(out, kept.s, kept.len);
    str_clear(&kept);
}

void csv_add_number(struct str *out, const char *digits, size_t len) {
    if (reader_kind != CSV_FOR_PROGRAMS && !guard_is_off && count_digits(digits, len) > EXCEL_DIGITS_MAX) {
        add_for_excel(out, digits, len);
        return;
    }
    for (size_t i = 0; i < len; i++)
        str_add_char(out, digits[i] == '.' && reader_kind == CSV_FOR_EXCEL_COMMA ? ',' : digits[i]);
}

void csv_add_names(struct str *out, const char *names) {
    for (const char *at = names; *at;) {
        size_t len = strcspn(at, ",");
        str_add_n(out, at, len);
        csv_end_cell(out);
        at += len + (at[len] == ',');
    }
}

void csv_end_cell(struct str *out) {
    str_add_char(out, separator_of_cells());
}

void csv_add_cell(struct str *out, const char *text) {
    if (text)
        csv_add_value(out, text, strlen(text));
    csv_end_cell(out);
}

void csv_add_integer(struct str *out, int64_t number) {
    enum { DIGITS = 24 };
    struct str digits;
    str_init(&digits, DIGITS);
    str_addf(&digits, "%" PRId64, number);
    csv_add_number(out, digits.s, digits.len);
    csv_end_cell(out);
    str_clear(&digits);
}

void csv_end_row(struct str *out) {
    if (out->len > 0 && out->s[out->len - 1] == separator_of_cells())
        str_delete(out, out->len - 1, 1);
    str_add(out, "\r\n");
}

void csv_reader_init(struct csv_reader *reader, const char *text, size_t len) {
    *reader = (struct csv_reader){.text = text, .len = len, .next_line = 1, .separator = ','};
    if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        reader->at = 3;
    /* Every cell needs one more byte, for its end. */
    str_init(&reader->buffer, 2 * len + 2);
}

void csv_reader_clear(struct csv_reader *reader) {
    str_clear(&reader->buffer);
    free(reader->starts);
    *reader = (struct csv_reader){0};
}

static void start_cell(struct csv_reader *reader) {
    if (reader->n + 1 >= reader->cap) {
        reader->cap = reader->cap ? reader->cap * 2 : 16;
        reader->starts = mem_resize(reader->starts, reader->cap, sizeof *reader->starts);
    }
    reader->starts[reader->n++] = reader->buffer.len;
}

static void end_cell(struct csv_reader *reader) {
    str_add_char(&reader->buffer, '\0');
    reader->starts[reader->n] = reader->buffer.len;
}

static bool at_line_end(const struct csv_reader *reader) {
    return reader->at == reader->len || reader->text[reader->at] == '\n' || reader->text[reader->at] == '\r';
}

/* CRLF, LF and a lone CR each end one line. */
static bool ends_line(const struct csv_reader *reader, size_t at) {
    if (reader->text[at] == '\r')
        return at + 1 == reader->len || reader->text[at + 1] != '\n';
    return reader->text[at] == '\n';
}

static void skip_line_end(struct csv_reader *reader) {
    while (reader->at < reader->len)
        if (ends_line(reader, reader->at++))
            break;
}

/* Line ends in [from, to); *start gets the place after the last one. */
static size_t count_lines(const struct csv_reader *reader, size_t from, size_t to, size_t *start) {
    size_t lines = 0;
    *start = from;
    for (size_t i = from; i < to; i++)
        if (ends_line(reader, i)) {
            lines++;
            *start = i + 1;
        }
    return lines;
}

/* The column counts characters. Nothing is read after a fault. */
static enum err csv_fault(struct csv_reader *reader, size_t at, const char *what, struct error *error) {
    size_t start, lines = count_lines(reader, 0, at, &start);
    reader->at = reader->len;
    return error_set(error, ERR_INVALID, "line %zu, column %zu: %s", lines + 1,
                     utf8_count(reader->text + start, at - start) + 1, what);
}

static enum err csv_read_quoted(struct csv_reader *reader, struct error *error) {
    size_t open = reader->at++;
    for (;;) {
        const char *from = reader->text + reader->at;
        const char *quote = memchr(from, '"', reader->len - reader->at);
        if (!quote)
            return csv_fault(reader, open, "the quote that opens here is never closed", error);
        size_t n = (size_t)(quote - from);
        str_add_n(&reader->buffer, from, n);
        reader->at += n + 1;
        if (reader->at == reader->len || reader->text[reader->at] != '"')
            break;
        str_add_char(&reader->buffer, '"');
        reader->at++;
    }
    if (!at_line_end(reader) && reader->text[reader->at] != reader->separator)
        return csv_fault(reader, reader->at, "text after a closing quote", error);
    return ERR_OK;
}

static enum err read_cell(struct csv_reader *reader, struct error *error) {
    if (reader->at < reader->len && reader->text[reader->at] == '"')
        return csv_read_quoted(reader, error);
    size_t start = reader->at;
    for (; !at_line_end(reader) && reader->text[reader->at] != reader->separator; reader->at++)
        if (reader->text[reader->at] == '"')
            return csv_fault(reader, reader->at, "a quote inside a cell that does not start with one", error);
    str_add_n(&reader->buffer, reader->text + start, reader->at - start);
    return ERR_OK;
}

enum err csv_read(struct csv_reader *reader, bool *more, struct error *error) {
    str_reset(&reader->buffer);
    reader->n = 0;
    *more = reader->at < reader->len;
    if (!*more)
        return ERR_OK;
    size_t first = reader->at, start;
    reader->line = reader->next_line;
    for (;;) {
        start_cell(reader);
        enum err err = read_cell(reader, error);
        if (err != ERR_OK)
            return err;
        end_cell(reader);
        if (at_line_end(reader))
            break;
        reader->at++;
    }
    skip_line_end(reader);
    reader->next_line += count_lines(reader, first, reader->at, &start);
    return ERR_OK;
}

const char *csv_cell(const struct csv_reader *reader, size_t index, size_t *len) {
    if (index >= reader->n)
        return NULL;
    if (len)
        *len = reader->starts[index + 1] - reader->starts[index] - 1;
    return reader->buffer.s + reader->starts[index];
}
