/* The result file beside the input, and what an earlier run left in it. */
#include "import_own.h"

#include "base/csv.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NUMBER_BYTES = 32, RESULT_COLUMNS = 6 };
enum result_column { RESULT_ROW, RESULT_LINE, RESULT_OUTCOME, RESULT_ID, RESULT_ERROR, RESULT_JOURNAL };
static const char HEAD[] = "row,line,outcome,id,error,journal\r\n";

/* Refused here or by the service is one word: the journal's number tells them apart. */
static const char *const WORDS[IMPORT_STATE_COUNT] = {
    [IMPORT_WAITING] = "waiting", [IMPORT_BAD] = "refused",     [IMPORT_SENDING] = "sending",   [IMPORT_DONE] = "done",
    [IMPORT_REFUSED] = "refused", [IMPORT_UNKNOWN] = "unknown", [IMPORT_NOT_SENT] = "not_sent",
};

const char *import_state_name(enum import_state state) {
    return WORDS[state];
}

char *import_results_path(const char *path) {
    static const char SUFFIX[] = ".csv";
    struct str out;
    size_t len = strlen(path), suffix = sizeof SUFFIX - 1;
    str_init(&out, len + NUMBER_BYTES);
    str_add_n(&out, path, len > suffix && strcasecmp(path + len - suffix, SUFFIX) == 0 ? len - suffix : len);
    str_add(&out, ".result.csv");
    return str_take(&out);
}

/* ---- Writing ---- */

static void add_number(struct str *out, long long number) {
    struct str digits;
    str_init(&digits, NUMBER_BYTES);
    str_addf(&digits, "%lld", number);
    csv_add_number(out, digits.s, digits.len);
    csv_end_cell(out);
    str_clear(&digits);
}

static void add_text(struct str *out, const char *text) {
    csv_add_text(out, text ? text : "", text ? strlen(text) : 0);
    csv_end_cell(out);
}

void import_result_row(const struct import *import, size_t index, struct str *out) {
    const struct import_row *row = &import->rows.items[index];
    add_number(out, (long long)index + 1);
    add_number(out, (long long)row->line);
    add_text(out, WORDS[row->state]);
    add_text(out, row->id);
    add_text(out, row->error);
    if (row->record) {
        add_number(out, row->record);
    } else {
        add_text(out, NULL);
    }
    csv_end_row(out);
}

void import_results(const struct import *import, struct str *out) {
    str_add(out, HEAD);
    for (size_t i = 0; i < import->rows.n; i++) {
        enum import_state state = import->rows.items[i].state;
        if (state != IMPORT_WAITING && state != IMPORT_SENDING) {
            import_result_row(import, i, out);
        }
    }
}

/* ---- Reading it back ---- */

static bool number_of(const struct csv_reader *csv, size_t column, long long *out) {
    size_t len;
    const char *text = csv_cell(csv, column, &len);
    *out = 0;
    return text && (len == 0 || (str_to_int64(text, len, out) && *out >= 0));
}

static char *text_of(const struct csv_reader *csv, size_t column) {
    size_t len;
    const char *text = csv_cell(csv, column, &len);
    return text && len > 0 ? mem_dup_n(text, len) : NULL;
}

static int state_of(const struct csv_reader *csv) {
    size_t len;
    const char *text = csv_cell(csv, RESULT_OUTCOME, &len);
    for (int i = IMPORT_STATE_COUNT - 1; text && i >= 0; i--) {
        if (strcmp(text, WORDS[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static enum err add_entry(struct import *import, const struct csv_reader *csv, struct error *error) {
    long long row, record;
    int state = state_of(csv);
    if (csv->n != RESULT_COLUMNS || state < 0 || !number_of(csv, RESULT_ROW, &row) || row < 1 ||
        !number_of(csv, RESULT_JOURNAL, &record)) {
        return error_set(error, ERR_INVALID, "line %zu is not a result of an import", csv->line);
    }
    if (record > 0) {
        struct import_result *result = vec_add(&import->results);
        *result = (struct import_result){.row = (size_t)row - 1,
                                         .state = (enum import_state)state,
                                         .record = record,
                                         .id = text_of(csv, RESULT_ID),
                                         .error = text_of(csv, RESULT_ERROR)};
    }
    return ERR_OK;
}

/* A last line that was cut by the end of its program says nothing: the journal does. */
enum err import_results_read(struct import *import, const char *text, size_t len, struct error *error) {
    struct csv_reader csv;
    bool more;
    while (len > 0 && text[len - 1] != '\n') {
        len--;
    }
    if (len == 0) {
        return ERR_OK;
    }
    if (len < sizeof HEAD - 1 || memcmp(text, HEAD, sizeof HEAD - 1) != 0) {
        return error_set(error, ERR_INVALID, "%s is not the result file of an import", import->results_path);
    }
    csv_reader_init(&csv, text, len);
    enum err code = csv_read(&csv, &more, error);
    while (code == ERR_OK) {
        code = csv_read(&csv, &more, error);
        if (code != ERR_OK || !more) {
            break;
        }
        code = add_entry(import, &csv, error);
    }
    csv_reader_clear(&csv);
    if (code != ERR_OK) {
        error_prefix(error, import->results_path);
    }
    return code;
}

/* ---- Earlier results and earlier writes against the rows ---- */

static bool has_record(const struct import *import, int64_t record) {
    for (size_t i = 0; i < import->rows.n; i++) {
        if (import->rows.items[i].record == record) {
            return true;
        }
    }
    return false;
}

static void take(char **to, char **from) {
    free(*to);
    *to = *from;
    *from = NULL;
}

/* The row has changed since, or the journal was purged: what may have been sent is not sent in another form. */
static void merge_changed(struct import_row *row, struct import_result *result) {
    if (row->state != IMPORT_WAITING || (result->state != IMPORT_DONE && result->state != IMPORT_UNKNOWN)) {
        return;
    }
    import_settle(row, result->state);
    row->earlier = true;
    row->record = result->record;
    take(&row->id, &result->id);
    take(&row->error, &result->error);
    import_remark(&row->error, "the row is not what was sent then: it is not sent again");
}

static void merge_result(struct import *import, struct import_result *result) {
    struct import_row *row = result->row < import->rows.n ? &import->rows.items[result->row] : NULL;
    if (!row) {
        return;
    }
    if (row->record == result->record) {
        /* Its program ended between the answer and the journal's note of it. */
        if (row->state == IMPORT_UNKNOWN && result->state == IMPORT_DONE) {
            row->state = IMPORT_DONE;
            take(&row->id, &result->id);
            take(&row->error, &result->error);
        }
    } else if (!has_record(import, result->record)) {
        merge_changed(row, result);
    }
}

/* Rows of one file may share a phone or an address: only what others wrote asks the question. */
static void merge_twin(struct import *import, struct import_twin *twin) {
    struct import_row *row = &import->rows.items[twin->row];
    if (row->state != IMPORT_WAITING || has_record(import, twin->record)) {
        return;
    }
    if (import->options.again) {
        import_remark(&row->warning, twin->text);
        return;
    }
    import_remark(&row->error, twin->text);
    import_settle(row, IMPORT_BAD);
}

void import_merge(struct import *import) {
    for (size_t i = 0; i < import->results.n; i++) {
        merge_result(import, &import->results.items[i]);
        free(import->results.items[i].id);
        free(import->results.items[i].error);
    }
    for (size_t i = 0; i < import->twins.n; i++) {
        merge_twin(import, &import->twins.items[i]);
        free(import->twins.items[i].text);
    }
    import->results.n = import->twins.n = 0;
}
