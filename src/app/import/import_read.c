#include "import_own.h"

#include "api/user.h"
#include "base/csv_table.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { REMARKS_MAX = 4096, REMARK_MAX = 512 };

/* What two rows may have in common: `match` of user_match_name, or the whole body. */
enum { MATCH_BODY = USER_MATCH_COUNT };
struct common {
    unsigned char digest[DIGEST_LEN];
    size_t row;
    int match;
};

struct reading {
    struct import *import;
    struct csv_table table;
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
    struct csv_table table;
    enum err err = csv_table_open(&table, import->text.s, import->text.len, error);
    for (size_t i = 0; err == ERR_OK && i < table.n; i++) {
        struct import_column *column = vec_add(&import->columns);
        column->name = mem_dup(table.names[i]);
        column->field = *column->name ? import_header_field(import, column->name) : IMPORT_NO_NAME;
    }
    import->header_line = table.line;
    if (err == ERR_OK && table.notes.len > 0)
        import->read_as = mem_dup(table.notes.s);
    csv_table_clear(&table);
    return err;
}

enum err import_check_columns(const struct import *import, struct error *error) {
    size_t first[USER_FIELD_COUNT] = {0}, known = 0, line = import->header_line;
    bool strange = false;
    for (size_t i = 0; i < import->columns.n; i++) {
        int field = import->columns.items[i].field;
        strange = strange || field == IMPORT_NOT_KNOWN;
        if (field < 0)
            continue;
        if (first[field] > 0) {
            return error_set(error, ERR_INVALID, "line %zu: columns %zu and %zu are both %s", line, first[field], i + 1,
                             user_path((enum user_field)field));
        }
        first[field] = i + 1;
        known++;
    }
    /* A first line without any known name is probably a row with a person's data: nothing of it is quoted. */
    if (strange && known == 0)
        return error_set(error, ERR_INVALID,
                         "line %zu, column 1: a header with the fields' names is needed, and none of the %zu cells is "
                         "one: bursar help users import has the names, --map FILE says which field another heading is",
                         line, import->columns.n);
    if (strange)
        return import_unknown_columns(import, error);
    return known > 0 ? ERR_OK : error_set(error, ERR_INVALID, "line %zu: no column is a field of a user", line);
}

/* ---- A row ---- */

/* The line number is added where the remark is shown. */
static void import_read_refuse(const struct reading *reading, struct import_row *row, int field, const char *text) {
    struct str remark;
    str_init(&remark, REMARK_MAX);
    if (field >= 0 && reading->column[field] > 0)
        str_addf(&remark, "column %zu ", reading->column[field]);
    if (field >= 0)
        str_addf(&remark, "(%s): ", user_path((enum user_field)field));
    str_add(&remark, text);
    import_remark(&row->error, remark.s);
    str_clear(&remark);
    row->state = IMPORT_BAD;
}

static void set_verified(const struct reading *reading, struct import_row *row, const char *text) {
    bool yes = str_same_letters(text, "true");
    if (yes || str_same_letters(text, "false"))
        user_set(&row->user, USER_VERIFIED, yes ? "true" : "false");
    else
        import_read_refuse(reading, row, USER_VERIFIED, "is neither true nor false");
}

/* A spreadsheet adds midnight to a day: the day is taken, and the change is noted. */
static void set_birth(const struct reading *reading, struct import_row *row, const char *text) {
    struct str day, remark;
    str_init(&day, REMARK_MAX);
    if (user_date_midnight(text, &day) && !str_equal(day.s, text)) {
        str_init(&remark, REMARK_MAX);
        str_addf(&remark, "column %zu (%s): read as %s, without what stands around the day",
                 reading->column[USER_BIRTH], user_path(USER_BIRTH), day.s);
        import_remark(&row->warning, remark.s);
        str_clear(&remark);
        text = day.s;
    }
    user_set(&row->user, USER_BIRTH, text);
    str_clear(&day);
}

static void set_cell(const struct reading *reading, struct import_row *row, enum user_field field, const char *text,
                     size_t len) {
    if (strlen(text) != len) {
        import_read_refuse(reading, row, (int)field, "holds a NUL character");
    } else if (len > USER_TEXT_MAX) {
        import_read_refuse(reading, row, (int)field, "is longer than 4096 bytes");
    } else if (!utf8_is_valid(text, len)) {
        import_read_refuse(reading, row, (int)field,
                           "is not valid UTF-8 but another encoding, as windows-1252: save the file as \"CSV UTF-8\"");
    } else if (field == USER_VERIFIED && len > 0) {
        set_verified(reading, row, text);
    } else if (field == USER_BIRTH && len > 0) {
        set_birth(reading, row, text);
    } else {
        user_set(&row->user, field, text);
    }
}

/* A value without a heading above it can belong to any field: a row whose cells have shifted is not sent. */
static void set_cells(const struct reading *reading, struct import_row *row, const struct csv_row *cells) {
    const struct import *import = reading->import;
    struct str text;
    str_init(&text, REMARK_MAX);
    if (cells->nowhere > 0 &&
        (cells->nowhere > import->columns.n || import->columns.items[cells->nowhere - 1].field == IMPORT_NO_NAME)) {
        str_addf(&text, "column %zu: a value stands under no heading", cells->nowhere);
        import_read_refuse(reading, row, -1, text.s);
        str_clear(&text);
        return;
    }
    for (size_t i = 0; i < import->columns.n; i++) {
        size_t len;
        const char *cell = csv_table_cell(&reading->table, i, &len);
        if (import->columns.items[i].field >= 0)
            set_cell(reading, row, (enum user_field)import->columns.items[i].field, cell, len);
    }
    if (cells->cells < import->columns.n) {
        str_addf(&text, "%zu cell%s of %zu: those that are missing are read as empty", cells->cells,
                 plural_s(cells->cells), import->columns.n);
        import_remark(&row->warning, text.s);
    }
    str_clear(&text);
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
    bool is_damaged[USER_FIELD_COUNT] = {false};
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        const char *why = import_spreadsheet_damage(&row->user, (enum user_field)i);
        if (why) {
            import_read_refuse(reading, row, i, why);
            is_damaged[i] = true;
        }
    }
    user_check(&row->user, &reading->rules, &findings);
    for (size_t i = 0; i < findings.n; i++) {
        const struct user_finding *finding = &findings.items[i];
        if (finding->blocks && !is_damaged[finding->field])
            import_read_refuse(reading, row, (int)finding->field, finding->text);
        else if (!finding->blocks && reading->column[finding->field] > 0)
            add_warning(reading, row, finding);
    }
    user_findings_clear(&findings);
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
        if (user_match_text(&row->user, (enum user_match)i, &text))
            add_common(reading, i, text.s, text.len);
    }
    secret_clear_str(&text);
}

/* Puts equal ones together, in the file's order; whole bodies first. */
static int by_common(const void *a, const void *b) {
    const struct common *one = a, *two = b;
    if (one->match != two->match)
        return two->match - one->match;
    int order = memcmp(one->digest, two->digest, DIGEST_LEN);
    return order != 0 ? order : (one->row > two->row) - (one->row < two->row);
}

/* Of equal rows the first is sent, the others are not. The same holds for rows with the same tag, which is the caller's
 * own key of one user: a later run would refuse them anyway. Rows that only share an e-mail or a phone get a note:
 * households do. */
static void say_common(const struct reading *reading, const struct common *common, size_t first) {
    struct import_row *row = &reading->import->rows.items[common->row];
    size_t line = reading->import->rows.items[first].line;
    struct str text;
    str_init(&text, REMARK_MAX);
    bool tag = common->match == USER_MATCH_TAG && !reading->import->options.again;
    if (common->match == MATCH_BODY) {
        str_addf(&text, "the same user as line %zu", line);
        import_read_refuse(reading, row, -1, text.s);
        import_settle(row, IMPORT_BAD);
    } else if (row->state == IMPORT_WAITING && tag) {
        str_addf(&text, "the same tag as line %zu", line);
        import_read_refuse(reading, row, (int)USER_TAG, text.s);
        import_settle(row, IMPORT_BAD);
    } else if (row->state == IMPORT_WAITING) {
        str_addf(&text, "the same %s as line %zu", user_match_name((enum user_match)common->match), line);
        import_remark(&row->warning, text.s);
    }
    str_clear(&text);
}

static void compare_rows(struct reading *reading) {
    if (reading->commons.n > 1)
        qsort(reading->commons.items, reading->commons.n, sizeof *reading->commons.items, by_common);
    for (size_t i = 1, first = 0; i < reading->commons.n; i++) {
        const struct common *before = &reading->commons.items[first], *common = &reading->commons.items[i];
        if (before->match != common->match || memcmp(before->digest, common->digest, DIGEST_LEN) != 0)
            first = i;
        else
            say_common(reading, common, before->row);
    }
}

/* ---- All of them ---- */

static void import_read_add_row(struct reading *reading, const struct csv_row *cells) {
    struct import_row *row = vec_add(&reading->import->rows);
    row->line = cells->line;
    set_cells(reading, row, cells);
    if (row->state == IMPORT_WAITING)
        check_row(reading, row);
    if (row->state == IMPORT_BAD)
        import_settle(row, IMPORT_BAD);
    else
        add_commons(reading, row);
}

static enum err import_read_read_rows(struct reading *reading, struct error *error) {
    struct csv_row cells;
    bool more;
    enum err err = csv_table_next(&reading->table, &cells, &more, error);
    while (err == ERR_OK && more) {
        if (reading->import->rows.n == IMPORT_ROWS_MAX)
            return error_set(error, ERR_INVALID, "more than %d rows: split the file", IMPORT_ROWS_MAX);
        import_read_add_row(reading, &cells);
        err = csv_table_next(&reading->table, &cells, &more, error);
    }
    if (err == ERR_OK && reading->import->rows.n == 0)
        err = error_set(error, ERR_INVALID, "there is a header and no row");
    return err;
}

enum err import_read(struct import *import, int64_t now, struct error *error) {
    struct reading reading = {.import = import, .rules = register_rules(import->profile, now)};
    for (size_t i = 0; i < import->columns.n; i++)
        if (import->columns.items[i].field >= 0)
            reading.column[import->columns.items[i].field] = i + 1;
    enum err err = csv_table_open(&reading.table, import->text.s, import->text.len, error);
    if (err == ERR_OK)
        err = import_read_read_rows(&reading, error);
    if (err == ERR_OK)
        compare_rows(&reading);
    csv_table_clear(&reading.table);
    free(reading.commons.items);
    secret_clear_str(&import->text);
    return err;
}
