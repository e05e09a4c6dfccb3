/* The result file beside the input, and what an earlier run left in it. */
#include "import_own.h"

#include "base/ascii.h"
#include "base/csv.h"
#include "base/least.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 32, RESULT_COLUMNS = 7 };
enum result_column { RESULT_ROW, RESULT_LINE, RESULT_OUTCOME, RESULT_ID, RESULT_ERROR, RESULT_JOURNAL, RESULT_DIGEST };
static const char HEAD[] = "row,line,outcome,id,error,journal,digest\r\n";
static const char HEAD_BEFORE[] = "row,line,outcome,id,error,journal\r\n";
static const char GONE[] = "not in the file any more: changed or taken out";

/* Refused here and refused by the service have the same word: only the latter has a journal number. */
static const char *const WORDS[IMPORT_STATE_COUNT] = {
    [IMPORT_WAITING] = "waiting",   [IMPORT_BAD] = "refused",         [IMPORT_SENDING] = "sending",
    [IMPORT_DONE] = "done",         [IMPORT_REFUSED] = "refused",     [IMPORT_UNKNOWN] = "unknown",
    [IMPORT_NOT_SENT] = "not_sent", [IMPORT_ELSEWHERE] = "elsewhere",
};

const char *import_state_name(enum import_state state) {
    return WORDS[state];
}

char *import_results_path(const char *path, const char *folder) {
    static const char SUFFIX[] = ".csv";
    struct str out;
    const char *slash = folder ? strrchr(path, '/') : NULL;
    path = slash ? slash + 1 : path;
    size_t len = strlen(path), suffix = sizeof SUFFIX - 1;
    str_init(&out, len + NUMBER_BYTES + (folder ? strlen(folder) : 0));
    if (folder)
        str_addf(&out, "%s/", folder);
    str_add_n(&out, path, len > suffix && ascii_compare(path + len - suffix, SUFFIX) == 0 ? len - suffix : len);
    str_add(&out, ".result.csv");
    return str_take(&out);
}

/* ---- Writing ---- */

static void import_result_add_record(struct str *out, int64_t record) {
    if (record > 0)
        csv_add_integer(out, record);
    else
        csv_add_cell(out, NULL);
}

void import_result_row(const struct import *import, size_t index, struct str *out) {
    const struct import_row *row = &import->rows.items[index];
    csv_add_integer(out, (long long)index + 1);
    csv_add_integer(out, (long long)row->line);
    csv_add_cell(out, WORDS[row->state]);
    csv_add_cell(out, row->id);
    csv_add_cell(out, row->error);
    import_result_add_record(out, row->record);
    csv_add_cell(out, row->name);
    csv_end_row(out);
}

/* A registered user stays in the results although the row is gone from the file. */
static void add_gone(const struct import_result *result, struct str *out) {
    csv_add_cell(out, NULL);
    csv_add_cell(out, NULL);
    csv_add_cell(out, WORDS[result->state]);
    csv_add_cell(out, result->id);
    csv_add_cell(out, result->error ? result->error : GONE);
    import_result_add_record(out, result->record);
    csv_add_cell(out, result->name);
    csv_end_row(out);
}

void import_results(const struct import *import, struct str *out) {
    str_add(out, HEAD);
    for (size_t i = 0; i < import->rows.n; i++) {
        enum import_state state = import->rows.items[i].state;
        if (state != IMPORT_WAITING && state != IMPORT_SENDING)
            import_result_row(import, i, out);
    }
    for (size_t i = 0; i < import->results.n; i++)
        add_gone(&import->results.items[i], out);
}

/* ---- Reading it back ---- */

static bool import_result_number_of(const struct csv_reader *csv, size_t column, long long *out) {
    size_t len;
    const char *text = csv_cell(csv, column, &len);
    *out = 0;
    return text && (len == 0 || (str_to_int64(text, len, out) && *out >= 0));
}

static char *import_result_text_of(const struct csv_reader *csv, size_t column) {
    size_t len;
    const char *text = csv_cell(csv, column, &len);
    return text && len > 0 ? mem_dup_n(text, len) : NULL;
}

static int import_result_state_of(const struct csv_reader *csv) {
    size_t len;
    const char *text = csv_cell(csv, RESULT_OUTCOME, &len);
    for (int i = IMPORT_STATE_COUNT - 1; text && i >= 0; i--)
        if (strcmp(text, WORDS[i]) == 0)
            return i;
    return -1;
}

static enum err import_result_add_entry(struct import *import, const struct csv_reader *csv, struct error *error) {
    long long line, record;
    int state = import_result_state_of(csv);
    char *name = import_result_text_of(csv, RESULT_DIGEST);
    if (csv->n != RESULT_COLUMNS || state < 0 || !import_result_number_of(csv, RESULT_LINE, &line) ||
        !import_result_number_of(csv, RESULT_JOURNAL, &record)) {
        free(name);
        return error_set(error, ERR_INVALID, "line %zu is not a result of an import", csv->line);
    }
    /* Results of writes that were not done are left to the journal, which knows as much. */
    if (record > 0 && name && (state == IMPORT_DONE || state == IMPORT_UNKNOWN || state == IMPORT_REFUSED)) {
        struct import_result *result = vec_add(&import->results);
        *result = (struct import_result){.line = (size_t)line,
                                         .state = (enum import_state)state,
                                         .record = record,
                                         .id = import_result_text_of(csv, RESULT_ID),
                                         .error = import_result_text_of(csv, RESULT_ERROR),
                                         .name = name};
        name = NULL;
    }
    free(name);
    return ERR_OK;
}

/* A last line that was cut when the program ended is ignored: the journal has that outcome. */
/* The heading as a spreadsheet saves it: with other separators, quotes, or a byte order mark. */
static bool is_saved_anew(const char *text, size_t len) {
    const char *head = HEAD;
    for (size_t i = str_starts(text, "\xEF\xBB\xBF") ? 3 : 0; i < len; i++) {
        char c = text[i] == ';' || text[i] == '\t' ? ',' : text[i];
        if (c == '\r' || c == '\n' || !*head)
            break;
        if (c == '"')
            continue;
        if (c != *head++)
            return false;
    }
    return *head == '\r' || *head == '\n';
}

enum err import_results_read(struct import *import, const char *text, size_t len, struct error *error) {
    struct csv_reader csv;
    bool more;
    while (len > 0 && text[len - 1] != '\n')
        len--;
    if (len == 0)
        return ERR_OK;
    if (len >= sizeof HEAD_BEFORE - 1 && memcmp(text, HEAD_BEFORE, sizeof HEAD_BEFORE - 1) == 0) {
        return error_set(error, ERR_INVALID,
                         "%s is of an older bursar and does not tell its rows by what they sent: move it away; the "
                         "journal knows what was sent",
                         import->results_path);
    }
    if (len < sizeof HEAD - 1 || memcmp(text, HEAD, sizeof HEAD - 1) != 0) {
        if (is_saved_anew(text, len)) {
            return error_set(error, ERR_INVALID,
                             "%s was saved again by a spreadsheet, which writes other separators: restore it, or move "
                             "it away; the journal knows what was sent. Nothing was sent",
                             import->results_path);
        }
        return error_set(error, ERR_INVALID, "%s is not the result file of an import", import->results_path);
    }
    csv_reader_init(&csv, text, len);
    enum err err = csv_read(&csv, &more, error);
    while (err == ERR_OK) {
        err = csv_read(&csv, &more, error);
        if (err != ERR_OK || !more)
            break;
        err = import_result_add_entry(import, &csv, error);
    }
    csv_reader_clear(&csv);
    if (err != ERR_OK)
        error_prefix(error, import->results_path);
    return err;
}

/* ---- Earlier results and earlier writes against the rows ---- */

void import_result_clear(struct import_result *result) {
    free(result->id);
    free(result->error);
    free(result->name);
    *result = (struct import_result){0};
}

void import_result_settle(struct import_result *result, const struct outcome_record *record) {
    enum outcome outcome = record->last.outcome;
    if (outcome == OUTCOME_UNKNOWN || outcome == OUTCOME_SENDING)
        return;
    result->state = outcome == OUTCOME_DONE      ? IMPORT_DONE
                    : outcome == OUTCOME_REFUSED ? IMPORT_REFUSED
                                                 : IMPORT_NOT_SENT;
    free(result->id);
    free(result->error);
    result->id = mem_dup(record->last.response_id);
    result->error = NULL;
}

/* Numbers of records, in order. */
struct numbers {
    int64_t *items;
    size_t n, cap;
};

static struct numbers records_of_rows(const struct import *import) {
    struct numbers numbers = {0};
    for (size_t i = 0; i < import->rows.n; i++)
        if (import->rows.items[i].record)
            *vec_add(&numbers) = import->rows.items[i].record;
    if (numbers.n > 1)
        qsort(numbers.items, numbers.n, sizeof *numbers.items, compare_int64);
    return numbers;
}

static bool has_record(const struct numbers *numbers, int64_t record) {
    return numbers->n > 0 && bsearch(&record, numbers->items, numbers->n, sizeof *numbers->items, compare_int64);
}

static void import_result_take(char **to, char **from) {
    free(*to);
    *to = *from;
    *from = NULL;
}

static int import_result_by_name(const void *a, const void *b) {
    return strcmp((*(struct import_row *const *)a)->name, (*(struct import_row *const *)b)->name);
}

/* Rows by the digest of what they send. */
struct names {
    struct import_row **items;
    size_t n, cap;
};

static struct names names_of_rows(const struct import *import) {
    struct names names = {0};
    for (size_t i = 0; i < import->rows.n; i++)
        if (import->rows.items[i].name)
            *vec_add(&names) = &import->rows.items[i];
    if (names.n > 1)
        qsort(names.items, names.n, sizeof(struct import_row *), import_result_by_name);
    return names;
}

static struct import_row *import_result_row_of(const struct names *names, const struct import_result *result) {
    struct import_row key = {.name = result->name}, *at = &key;
    struct import_row **found =
        names->n > 0 ? bsearch(&at, names->items, names->n, sizeof(struct import_row *), import_result_by_name) : NULL;
    return found ? *found : NULL;
}

/* The journal's record counts before the result file's line. The file knows more only where the journal was purged, or
 * where the program ended after the answer came and before the journal noted it. */
static void merge_result(const struct import *import, struct import_row *row, struct import_result *result) {
    bool unnoted = row->state == IMPORT_UNKNOWN && row->record == result->record && result->state == IMPORT_DONE;
    bool purged = row->state == IMPORT_WAITING && row->record == 0 &&
                  !(result->state == IMPORT_REFUSED && import->options.refused);
    if (!unnoted && !purged)
        return;
    import_settle(row, result->state);
    row->earlier = true;
    row->record = result->record;
    import_result_take(&row->id, &result->id);
    import_result_take(&row->error, &result->error);
}

/* Digests of one profile, account and machine begin with the same characters. */
static bool is_of_this_place(const struct names *names, const struct import_result *result) {
    const char *name = names->items[0]->name;
    size_t len = strcspn(name, "-") + 1;
    return strncmp(name, result->name, len) == 0;
}

static void say_new(struct import *import, const struct import_result *gone) {
    struct str text;
    size_t low = 0, high = import->rows.n;
    while (low < high) { /* rows stand in the order of their lines */
        size_t middle = (low + high) / 2;
        if (import->rows.items[middle].line < gone->line)
            low = middle + 1;
        else
            high = middle;
    }
    struct import_row *row = low < import->rows.n ? &import->rows.items[low] : NULL;
    if (!row || row->line != gone->line || row->state != IMPORT_WAITING)
        return;
    str_init(&text, ERROR_TEXT_MAX);
    str_addf(&text, "another row stood in this line in the run before (record %lld): this one is new",
             (long long)gone->record);
    import_remark(&row->warning, text.s);
    str_clear(&text);
}

/* Moves results whose rows are still in the file into these rows; the others stay. Returns how many were moved. */
static size_t merge_results(struct import *import, const struct names *names) {
    size_t kept = 0, found = 0;
    for (size_t i = 0; i < import->results.n; i++) {
        struct import_result *result = &import->results.items[i];
        struct import_row *row = import_result_row_of(names, result);
        if (row) {
            merge_result(import, row, result);
            found++;
        }
        if (row || result->state == IMPORT_REFUSED) {
            import_result_clear(result);
        } else {
            struct import_result gone = *result;
            *result = (struct import_result){0};
            import->results.items[kept++] = gone;
        }
    }
    import->results.n = kept;
    return found;
}

/* Whether this file was made from the one that the results belong to: then a row that looks like a missing one is that
 * row, changed. */
static bool has_lineage(const struct import *import) {
    for (size_t i = 0; i < import->duplicates.n; i++) {
        for (size_t j = 0; j < import->results.n; j++)
            if (import->duplicates.items[i].record == import->results.items[j].record)
                return true;
    }
    return false;
}

static enum err import_result_check_place(const struct import *import, const struct names *names, struct error *error) {
    for (size_t i = 0; names->n > 0 && i < import->results.n; i++) {
        if (!is_of_this_place(names, &import->results.items[i])) {
            return error_set(error, ERR_INVALID,
                             "%s is of another profile, account or machine: what it says is not of what this run would "
                             "send. Move it away, or import under that profile; nothing was sent",
                             import->results_path);
        }
    }
    return ERR_OK;
}

static enum err import_result_check_file(const struct import *import, size_t found, struct error *error) {
    if (found > 0 || import->results.n == 0 || has_lineage(import))
        return ERR_OK;
    return error_set(
        error, ERR_INVALID,
        "%s belongs to another file, or every row in it was changed since: none of its %zu is in this one. "
        "Move it away; what was sent is known from the journal too. Nothing was sent",
        import->results_path, import->results.n);
}

static bool is_gone(const struct import *import, int64_t record) {
    for (size_t i = 0; i < import->results.n; i++)
        if (import->results.items[i].record == record)
            return true;
    return false;
}

/* Rows of one file may share a phone number or an address: only earlier writes from elsewhere are doubtful, and those
 * for a row that is gone, since this may be the same person with corrected data. */
static void merge_duplicate(struct import *import, const struct numbers *records, struct import_duplicate *duplicate) {
    struct import_row *row = &import->rows.items[duplicate->row];
    if (row->state != IMPORT_WAITING || has_record(records, duplicate->record))
        return;
    if (import->options.again) {
        import_remark(&row->warning, duplicate->text);
        return;
    }
    import_remark(&row->error, duplicate->text);
    if (is_gone(import, duplicate->record)) {
        import_remark(&row->error,
                      "its row is not in the file any more: if this is the same person, they are registered "
                      "already; --again registers this row all the same");
    }
    import_settle(row, IMPORT_BAD);
}

enum err import_merge(struct import *import, struct error *error) {
    struct names names = names_of_rows(import);
    enum err err = import_result_check_place(import, &names, error);
    size_t found = err == ERR_OK ? merge_results(import, &names) : 0;
    if (err == ERR_OK)
        err = import_result_check_file(import, found, error);
    struct numbers records = records_of_rows(import);
    for (size_t i = 0; err == ERR_OK && i < import->results.n; i++)
        say_new(import, &import->results.items[i]);
    for (size_t i = 0; i < import->duplicates.n; i++) {
        if (err == ERR_OK)
            merge_duplicate(import, &records, &import->duplicates.items[i]);
        free(import->duplicates.items[i].text);
    }
    import->duplicates.n = 0;
    free(names.items);
    free(records.items);
    return err;
}
