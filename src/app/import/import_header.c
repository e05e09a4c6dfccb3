#include "import_own.h"

#include "base/csv_table.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "config/near.h"
#include "model/user_names.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 256 };

int import_header_field(const struct import *import, const char *text) {
    return headings_field(&import->map, user_usual_names(), USER_FIELD_COUNT, text);
}

static int import_header_find(const char *path) {
    return (int)user_find(path);
}

enum err import_map(struct import *import, const char *text, size_t len, struct error *error) {
    return headings_read(&import->map, text, len, import_header_find, error);
}

/* ---- What the file does not say ---- */

static size_t fit_of(const char *alias, const char *name) {
    enum { LEAST = 4, NEAR = 1 };
    size_t len = strlen(alias);
    if (len >= LEAST && strstr(name, alias))
        return len + NEAR;
    return len >= LEAST && near_word(name, &alias, 1) ? NEAR : 0;
}

/* How well the most similar of a field's names fits. */
static size_t best_fit(int field, const char *name) {
    size_t best = 0;
    for (const char *at = user_usual_names()[field]; *at; at += strcspn(at, " "), at += *at == ' ') {
        char *alias = mem_dup_n(at, strcspn(at, " "));
        size_t fit = fit_of(alias, name);
        best = fit > best ? fit : best;
        free(alias);
    }
    return best;
}

static bool import_header_is_taken(const struct import *import, int field) {
    for (size_t i = 0; i < import->columns.n; i++)
        if (import->columns.items[i].field == field)
            return true;
    return false;
}

static int nearest(const struct import *import, size_t column, size_t *fit) {
    struct str name;
    int found = IMPORT_LEFT_OUT;
    *fit = 0;
    str_init(&name, NAME_BYTES);
    csv_table_name(import->columns.items[column].name, &name);
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        size_t trimmed = import_header_is_taken(import, i) ? 0 : best_fit(i, name.s);
        if (trimmed > *fit) {
            *fit = trimmed;
            found = i;
        }
    }
    str_clear(&name);
    return found;
}

/* The same field is never proposed for two columns: the better match gets it. */
int import_propose(const struct import *import, size_t column) {
    size_t fit, other;
    int field = nearest(import, column, &fit);
    for (size_t i = 0; field >= 0 && i < import->columns.n; i++) {
        bool rival = i != column && import->columns.items[i].field == IMPORT_NOT_KNOWN;
        if (rival && nearest(import, i, &other) == field && (other > fit || (other == fit && i < column)))
            return IMPORT_LEFT_OUT;
    }
    return field;
}

static void add_proposal(const struct import *import, size_t column, struct str *out) {
    enum { SHOWN = 48 };
    const char *name = import->columns.items[column].name;
    int field = import_propose(import, column);
    size_t len = strlen(name);
    utf8_sanitise(out, name, len > SHOWN ? utf8_cut(name, len, SHOWN, NULL) : len);
    str_addf(out, "%s = %s", len > SHOWN ? "..." : "", field >= 0 ? user_path((enum user_field)field) : "-");
}

/* Reports all unknown columns at once, so that the file can be corrected in one go. */
enum err import_unknown_columns(const struct import *import, struct error *error) {
    enum { ROOM = ERROR_TEXT_MAX - 190, COLUMNS_ROOM = 40 };
    struct str lines, numbers, one;
    size_t n = 0, first = 0, left = 0;
    str_init(&lines, ERROR_TEXT_MAX);
    str_init(&numbers, ERROR_TEXT_MAX);
    str_init(&one, ERROR_TEXT_MAX);
    for (size_t i = 0; i < import->columns.n; i++) {
        if (import->columns.items[i].field != IMPORT_NOT_KNOWN)
            continue;
        first = n++ == 0 ? i : first;
        str_reset(&one);
        add_proposal(import, i, &one);
        if (numbers.len < COLUMNS_ROOM)
            str_addf(&numbers, "%s%zu", n > 1 ? ", " : "", i + 1);
        if (left > 0 || lines.len + one.len > ROOM)
            left++;
        else
            str_addf(&lines, "%s %s", lines.len > 0 ? ";" : "", one.s);
    }
    if (left > 0)
        str_addf(&lines, "; and %zu more", left);
    if (n == 1) {
        (void)error_set(error, ERR_INVALID,
                        "line %zu, column %zu: no field is called \"%s\": --map FILE says which it is, or that it is "
                        "left out; proposed:%s",
                        import->header_line, first + 1, import->columns.items[first].name, lines.s);
    } else {
        (void)error_set(error, ERR_INVALID,
                        "line %zu: %zu headings are no field's name (columns %s%s): --map FILE says which field each "
                        "is, or - leaves it out; proposed:%s",
                        import->header_line, n, numbers.s, numbers.len >= COLUMNS_ROOM ? " ..." : "", lines.s);
    }
    str_clear(&lines);
    str_clear(&numbers);
    str_clear(&one);
    return ERR_INVALID;
}
