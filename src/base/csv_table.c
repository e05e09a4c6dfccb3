#include "base/csv_table.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { PROBED_ROWS = 20, CELLS_WEIGHT = 1000, NAME_BYTES_MAX = 1024, NOTES_MAX = 512, FOLDED_MAX = 4096 };

static const struct {
    char separator;
    const char *name;
} SEPARATORS[] = {{',', "commas"}, {';', "semicolons"}, {'\t', "TABs"}, {'|', "vertical bars"}};

/* ---- Encoding ---- */

/* Without a byte order mark: UTF-16 of Latin text has a NUL in every second byte. */
static bool is_utf16(const char *text, size_t len) {
    if (len >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return true;
    return len >= 4 && ((text[0] == '\0' && text[1] && text[2] == '\0' && text[3]) ||
                        (text[0] && text[1] == '\0' && text[2] && text[3] == '\0'));
}

/* ---- Which separator ---- */

static bool is_blank_cell(const char *text, size_t len) {
    return utf8_trim_start(text, len) == len;
}

static bool is_blank_row(const struct csv_reader *reader) {
    for (size_t i = 0; i < reader->n; i++) {
        size_t len;
        const char *cell = csv_cell(reader, i, &len);
        if (!is_blank_cell(cell, len))
            return false;
    }
    return true;
}

/* Rows with as many cells as the header count most, then the header's cells: a comma that is part of one heading or
 * value finds no such rows. */
static size_t csv_table_score_of(const struct csv_reader *at, char separator) {
    struct csv_reader reader;
    size_t header = 0, same = 0;
    bool more;
    csv_reader_init(&reader, at->text, at->len);
    reader.at = at->at;
    reader.separator = separator;
    for (size_t i = 0; i <= PROBED_ROWS; i++) {
        if (csv_read(&reader, &more, NULL) != ERR_OK || !more)
            break;
        if (header == 0)
            header = is_blank_row(&reader) ? 0 : reader.n;
        else
            same += reader.n == header;
    }
    if (reader.buffer.cap > 0)
        secret_wipe(reader.buffer.s, reader.buffer.cap);
    csv_reader_clear(&reader);
    return header <= 1 ? 0 : same * CELLS_WEIGHT + (header < CELLS_WEIGHT ? header : CELLS_WEIGHT - 1);
}

/* `sep=;` alone on the first line: spreadsheets write it to tell each other the separator. */
static bool csv_table_take_word(struct csv_reader *reader) {
    static const char WORD[] = "sep=";
    size_t len = reader->len - reader->at, end = sizeof WORD;
    const char *text = reader->text + reader->at;
    if (len <= end || memcmp(text, WORD, sizeof WORD - 1) != 0 || (text[end] != '\r' && text[end] != '\n'))
        return false;
    reader->separator = text[sizeof WORD - 1];
    reader->at += end + 1;
    if (text[end] == '\r' && len > end + 1 && text[end + 1] == '\n')
        reader->at++;
    reader->next_line = 2;
    return true;
}

static void choose_separator(struct csv_table *table) {
    struct csv_reader *reader = &table->reader;
    size_t best = 0;
    if (!csv_table_take_word(reader)) {
        for (size_t i = 0; i < COUNT_OF(SEPARATORS); i++) {
            size_t score = csv_table_score_of(reader, SEPARATORS[i].separator);
            if (score > best) {
                best = score;
                reader->separator = SEPARATORS[i].separator;
            }
        }
    }
    for (size_t i = 1; i < COUNT_OF(SEPARATORS); i++)
        if (SEPARATORS[i].separator == reader->separator)
            str_addf(&table->notes, "its columns are separated by %s", SEPARATORS[i].name);
}

/* ---- The header ---- */

static char *csv_table_name_of(const char *cell, size_t len) {
    size_t start = utf8_trim_start(cell, len), end = utf8_trim_end(cell, len);
    size_t n = end > start ? end - start : 0;
    return mem_dup_n(cell + start, n < NAME_BYTES_MAX ? n : NAME_BYTES_MAX);
}

static enum err take_names(struct csv_table *table, struct error *error) {
    const struct csv_reader *reader = &table->reader;
    table->line = reader->line;
    for (size_t i = 0; i < reader->n; i++) {
        size_t len;
        const char *cell = csv_cell(reader, i, &len);
        if (!utf8_is_valid(cell, len))
            return error_set(error, ERR_INVALID,
                             "line %zu, column %zu: a heading is not UTF-8 but another encoding, as windows-1252: save "
                             "the file as \"CSV UTF-8\"",
                             table->line, i + 1);
        if (!is_blank_cell(cell, len))
            table->n = i + 1;
    }
    if (table->n > CSV_TABLE_COLUMNS_MAX)
        return error_set(error, ERR_INVALID, "line %zu: more than %d columns", table->line, CSV_TABLE_COLUMNS_MAX);
    table->names = mem_new_array(table->n + 1, sizeof *table->names);
    for (size_t i = 0; i < table->n; i++) {
        size_t len;
        const char *cell = csv_cell(reader, i, &len);
        table->names[i] = csv_table_name_of(cell, len);
    }
    if (reader->n > table->n)
        str_addf(&table->notes, "%s%zu empty column%s after the last heading %s left out",
                 table->notes.len > 0 ? "; " : "", reader->n - table->n, plural_s(reader->n - table->n),
                 reader->n - table->n == 1 ? "is" : "are");
    return ERR_OK;
}

enum err csv_table_open(struct csv_table *table, const char *text, size_t len, struct error *error) {
    bool more = false;
    *table = (struct csv_table){0};
    str_init(&table->notes, NOTES_MAX);
    csv_reader_init(&table->reader, text, len);
    if (is_utf16(text, len))
        return error_set(error, ERR_INVALID, "the file is UTF-16: save it as \"CSV UTF-8\"");
    choose_separator(table);
    do {
        enum err err = csv_read(&table->reader, &more, error);
        if (err != ERR_OK)
            return err;
    } while (more && is_blank_row(&table->reader));
    return more ? take_names(table, error) : error_set(error, ERR_INVALID, "the file is empty");
}

void csv_table_clear(struct csv_table *table) {
    for (size_t i = 0; table->names && i < table->n; i++)
        free(table->names[i]);
    free(table->names);
    str_clear(&table->notes);
    if (table->reader.buffer.cap > 0)
        secret_wipe(table->reader.buffer.s, table->reader.buffer.cap);
    csv_reader_clear(&table->reader);
    *table = (struct csv_table){0};
}

/* ---- Rows ---- */

enum err csv_table_next(struct csv_table *table, struct csv_row *row, bool *more, struct error *error) {
    struct csv_reader *reader = &table->reader;
    do {
        enum err err = csv_read(reader, more, error);
        if (err != ERR_OK)
            return err;
    } while (*more && is_blank_row(reader));
    *row = (struct csv_row){.line = reader->line, .cells = reader->n};
    for (size_t i = 0; *more && i < reader->n && row->nowhere == 0; i++) {
        size_t len;
        const char *cell = csv_cell(reader, i, &len);
        if ((i >= table->n || *table->names[i] == '\0') && !is_blank_cell(cell, len))
            row->nowhere = i + 1;
    }
    return ERR_OK;
}

const char *csv_table_cell(const struct csv_table *table, size_t column, size_t *len) {
    const char *cell = csv_cell(&table->reader, column, len);
    if (cell && !is_blank_cell(cell, *len))
        return cell;
    *len = 0;
    return "";
}

/* ---- Names ---- */

/* The small Turkish dotless i, which other languages write as i. */
enum { DOTLESS_I = 0x131 };

void csv_table_name(const char *text, struct str *out) {
    struct str folded;
    str_init(&folded, FOLDED_MAX);
    utf8_fold(&folded, text, strlen(text));
    for (size_t at = 0; at < folded.len;) {
        int32_t cp;
        size_t taken = utf8_decode(folded.s + at, folded.len - at, &cp);
        bool plain = (cp >= '0' && cp <= '9') || (cp >= 'a' && cp <= 'z');
        if (cp == DOTLESS_I)
            str_add_char(out, 'i');
        else if (plain || (cp >= 0x80 && !utf8_is_blank(cp)))
            str_add_n(out, folded.s + at, taken);
        at += taken;
    }
    str_clear(&folded);
}
