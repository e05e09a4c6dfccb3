#include "import_own.h"

#include "api/user.h"
#include "base/csv.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { REMARKS_MAX = 4096, REMARK_MAX = 512, COLUMNS_MAX = 256, NAME_MAX_BYTES = 1024 };

/* What two rows may have in common: `match` of user_match_name, or the whole body. */
enum { MATCH_BODY = USER_MATCH_COUNT };
struct common {
    unsigned char digest[DIGEST_LEN];
    size_t row;
    int match;
};

struct reading {
    struct import *import;
    struct csv_reader csv;
    size_t column[USER_FIELD_COUNT]; /* of each field, from 1; 0: none */
    struct user_rules rules;
    struct {
        struct common *items;
        size_t n, cap;
    } commons;
};

void import_remark(char **remarks, const char *text) {
    struct str all;
    str_init(&all, REMARKS_MAX);
    str_addf(&all, "%s%s%s", *remarks ? *remarks : "", *remarks ? "; " : "", text);
    free(*remarks);
    *remarks = str_take(&all);
}

void import_settle(struct import_row *row, enum import_state state) {
    row->state = state;
    user_clear(&row->user);
    free(row->warning);
    row->warning = NULL;
}

/* ---- The header ---- */

enum err import_read_header(struct import *import, struct error *error) {
    struct csv_reader csv;
    const char *text = import->text.s;
    size_t len = import->text.len, n;
    bool more;
    const char *cell;
    if (len >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
        return error_set(error, ERR_INVALID, "the file is UTF-16: save it as \"CSV UTF-8\"");
    }
    csv_reader_init(&csv, text, len);
    enum err code = csv_read(&csv, &more, error);
    if (code == ERR_OK && !more) {
        code = error_set(error, ERR_INVALID, "the file is empty");
    }
    if (code == ERR_OK && csv.n > COLUMNS_MAX) {
        code = error_set(error, ERR_INVALID, "line 1: more than %d columns", COLUMNS_MAX);
    }
    for (size_t i = 0; code == ERR_OK && (cell = csv_cell(&csv, i, &n)) != NULL; i++) {
        struct import_column *column = vec_add(&import->columns);
        column->name = mem_dup_n(cell, n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES);
        column->field = import_header_field(import, column->name);
    }
    csv_reader_clear(&csv);
    return code;
}

static enum err unknown_column(const struct import *import, size_t column, size_t known, struct error *error) {
    const char *text = import->columns.items[column].name;
    if (import->columns.n == 1 && (strchr(text, ';') || strchr(text, '\t'))) {
        return error_set(error, ERR_INVALID,
                         "line 1: the columns are not separated by commas: save it as CSV with commas");
    }
    /* Without a header this is a person: nothing of it is repeated. */
    if (known == 0) {
        return error_set(error, ERR_INVALID, "line 1, column %zu: a header with the fields' names is needed",
                         column + 1);
    }
    return error_set(error, ERR_INVALID,
                     "line 1, column %zu: no field is called \"%s\": --map FILE says which it is, or that it is left "
                     "out",
                     column + 1, text);
}

enum err import_check_columns(const struct import *import, struct error *error) {
    size_t first[USER_FIELD_COUNT] = {0}, known = 0, strange = 0;
    for (size_t i = 0; i < import->columns.n; i++) {
        int field = import->columns.items[i].field;
        if (field == IMPORT_NOT_KNOWN && strange == 0) {
            strange = i + 1;
        }
        if (field < 0) {
            continue;
        }
        if (first[field] > 0) {
            return error_set(error, ERR_INVALID, "line 1: columns %zu and %zu are both %s", first[field], i + 1,
                             user_path((enum user_field)field));
        }
        first[field] = i + 1;
        known++;
    }
    if (strange > 0) {
        return unknown_column(import, strange - 1, known, error);
    }
    return known > 0 ? ERR_OK : error_set(error, ERR_INVALID, "line 1: no column is a field of a user");
}

/* ---- A row ---- */

/* Of which line is said where it is shown. */
static void refuse(const struct reading *reading, struct import_row *row, int field, const char *text) {
    struct str remark;
    str_init(&remark, REMARK_MAX);
    if (field >= 0 && reading->column[field] > 0) {
        str_addf(&remark, "column %zu ", reading->column[field]);
    }
    if (field >= 0) {
        str_addf(&remark, "(%s): ", user_path((enum user_field)field));
    }
    str_add(&remark, text);
    import_remark(&row->error, remark.s);
    str_clear(&remark);
    row->state = IMPORT_BAD;
}

static void set_cell(const struct reading *reading, struct import_row *row, enum user_field field, const char *text,
                     size_t len) {
    if (strlen(text) != len) {
        refuse(reading, row, (int)field, "holds a NUL character");
    } else if (len > USER_TEXT_MAX) {
        refuse(reading, row, (int)field, "is longer than 4096 bytes");
    } else if (field == USER_VERIFIED && len > 0) {
        bool yes = strcasecmp(text, "true") == 0;
        if (yes || strcasecmp(text, "false") == 0) {
            user_set(&row->user, field, yes ? "true" : "false");
        } else {
            refuse(reading, row, (int)field, "is neither true nor false");
        }
    } else {
        user_set(&row->user, field, text);
    }
}

static void set_cells(const struct reading *reading, struct import_row *row) {
    const struct import *import = reading->import;
    struct str text;
    if (reading->csv.n != import->columns.n) {
        str_init(&text, REMARK_MAX);
        str_addf(&text, "%zu cells, where the header has %zu", reading->csv.n, import->columns.n);
        refuse(reading, row, -1, text.s);
        str_clear(&text);
        return;
    }
    for (size_t i = 0; i < import->columns.n; i++) {
        size_t len;
        const char *cell = csv_cell(&reading->csv, i, &len);
        if (import->columns.items[i].field >= 0 && cell) {
            set_cell(reading, row, (enum user_field)import->columns.items[i].field, cell, len);
        }
    }
}

static void add_warning(const struct reading *reading, struct import_row *row, const struct user_finding *finding) {
    struct str remark;
    str_init(&remark, REMARK_MAX);
    str_addf(&remark, "column %zu (%s): %s", reading->column[finding->field], user_path(finding->field), finding->text);
    import_remark(&row->warning, remark.s);
    str_clear(&remark);
}

static void check_row(const struct reading *reading, struct import_row *row) {
    struct user_findings findings = {0};
    bool spoilt[USER_FIELD_COUNT] = {false};
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        const char *why = import_spoilt(&row->user, (enum user_field)i);
        if (why) {
            refuse(reading, row, i, why);
            spoilt[i] = true;
        }
    }
    user_check(&row->user, &reading->rules, &findings);
    for (size_t i = 0; i < findings.n; i++) {
        const struct user_finding *finding = &findings.items[i];
        if (finding->blocks && !spoilt[finding->field]) {
            refuse(reading, row, (int)finding->field, finding->text);
        } else if (!finding->blocks && reading->column[finding->field] > 0) {
            add_warning(reading, row, finding);
        }
    }
    user_findings_clear(&findings);
}

static bool is_blank(const struct csv_reader *csv) {
    size_t len;
    for (size_t i = 0; i < csv->n; i++) {
        (void)csv_cell(csv, i, &len);
        if (len > 0) {
            return false;
        }
    }
    return true;
}

/* ---- Rows among each other ---- */

static void add_common(struct reading *reading, int match, const char *text, size_t len) {
    struct common *common = vec_add(&reading->commons);
    common->match = match;
    common->row = reading->import->rows.n - 1;
    digest_sha256(common->digest, text, len);
}

static void add_commons(struct reading *reading, const struct import_row *row) {
    struct str text;
    str_init(&text, WIRE_USER_MAX);
    api_user_body(reading->import->profile, &row->user, NULL, &text);
    add_common(reading, MATCH_BODY, text.s, text.len);
    for (int i = 0; i < USER_MATCH_COUNT; i++) {
        str_reset(&text);
        if (user_match_text(&row->user, (enum user_match)i, &text)) {
            add_common(reading, i, text.s, text.len);
        }
    }
    secret_wipe(text.s, text.len);
    str_clear(&text);
}

/* Equal ones together, in the file's order; whole bodies first. */
static int by_common(const void *a, const void *b) {
    const struct common *one = a, *two = b;
    if (one->match != two->match) {
        return two->match - one->match;
    }
    int order = memcmp(one->digest, two->digest, DIGEST_LEN);
    return order != 0 ? order : (one->row > two->row) - (one->row < two->row);
}

/* The first of equal rows is sent, the others are not; nor are those of its tag, the caller's own key for one user, for
 * another run would refuse them too. What only looks alike is said: households share a phone. */
static void say_common(const struct reading *reading, const struct common *common, size_t first) {
    struct import_row *row = &reading->import->rows.items[common->row];
    size_t line = reading->import->rows.items[first].line;
    struct str text;
    str_init(&text, REMARK_MAX);
    bool tag = common->match == USER_MATCH_TAG && !reading->import->options.again;
    if (common->match == MATCH_BODY) {
        str_addf(&text, "the same user as line %zu", line);
        refuse(reading, row, -1, text.s);
        import_settle(row, IMPORT_BAD);
    } else if (row->state == IMPORT_WAITING && tag) {
        str_addf(&text, "the same tag as line %zu", line);
        refuse(reading, row, (int)USER_TAG, text.s);
        import_settle(row, IMPORT_BAD);
    } else if (row->state == IMPORT_WAITING) {
        str_addf(&text, "the same %s as line %zu", user_match_name((enum user_match)common->match), line);
        import_remark(&row->warning, text.s);
    }
    str_clear(&text);
}

static void compare_rows(struct reading *reading) {
    if (reading->commons.n > 1) {
        qsort(reading->commons.items, reading->commons.n, sizeof *reading->commons.items, by_common);
    }
    for (size_t i = 1, first = 0; i < reading->commons.n; i++) {
        const struct common *before = &reading->commons.items[first], *common = &reading->commons.items[i];
        if (before->match != common->match || memcmp(before->digest, common->digest, DIGEST_LEN) != 0) {
            first = i;
        } else {
            say_common(reading, common, before->row);
        }
    }
}

/* ---- All of them ---- */

static void add_row(struct reading *reading) {
    struct import_row *row = vec_add(&reading->import->rows);
    row->line = reading->csv.line;
    set_cells(reading, row);
    if (row->state == IMPORT_WAITING) {
        check_row(reading, row);
    }
    if (row->state == IMPORT_BAD) {
        import_settle(row, IMPORT_BAD);
    } else {
        add_commons(reading, row);
    }
}

static enum err read_rows(struct reading *reading, struct error *error) {
    bool more;
    enum err code = csv_read(&reading->csv, &more, error); /* the header */
    while (code == ERR_OK) {
        code = csv_read(&reading->csv, &more, error);
        if (code != ERR_OK || !more) {
            break;
        }
        if (reading->import->rows.n == IMPORT_ROWS_MAX) {
            code = error_set(error, ERR_INVALID, "more than %d rows: split the file", IMPORT_ROWS_MAX);
        } else if (!is_blank(&reading->csv)) {
            add_row(reading);
        }
    }
    if (code == ERR_OK && reading->import->rows.n == 0) {
        code = error_set(error, ERR_INVALID, "there is a header and no row");
    }
    return code;
}

enum err import_read(struct import *import, int64_t now, struct error *error) {
    struct reading reading = {.import = import, .rules = register_rules(import->profile, now)};
    for (size_t i = 0; i < import->columns.n; i++) {
        if (import->columns.items[i].field >= 0) {
            reading.column[import->columns.items[i].field] = i + 1;
        }
    }
    csv_reader_init(&reading.csv, import->text.s, import->text.len);
    enum err code = read_rows(&reading, error);
    if (code == ERR_OK) {
        compare_rows(&reading);
    }
    secret_wipe(reading.csv.buffer.s, reading.csv.buffer.cap);
    csv_reader_clear(&reading.csv);
    free(reading.commons.items);
    secret_wipe(import->text.s, import->text.len);
    str_clear(&import->text);
    return code;
}
