#include "import_own.h"

#include "base/ascii.h"
#include "base/csv_table.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "config/near.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 256 };

/* Normalised names that people give to the fields; each is in one row only. */
static const char *const ALIASES[USER_FIELD_COUNT] = {
    [USER_FIRST] = "namefirst first firstname givenname forename",
    [USER_LAST] = "namelast last lastname surname familyname",
    [USER_STREET] = "addressaddressline1 addressline1 address1 address street streetaddress line1",
    [USER_LOCALITY] = "addresslocality locality city town posttown",
    [USER_AREA] = "addressadministrativearea administrativearea area state province region county prefecture",
    [USER_POSTAL] = "addresspostalcode postalcode postcode zip zipcode",
    [USER_COUNTRY] = "addresscountry country countrycode",
    [USER_EMAIL] = "email emailaddress mail",
    [USER_BIRTH] = "dateofbirth dob birthdate birthday born",
    [USER_ID_TYPE] = "governmentidtype idtype",
    [USER_ID_LAST4] = "governmentidlast4 last4 idlast4 idlastfour",
    [USER_ID_STATE] = "governmentidstate idstate",
    [USER_PHONE] = "phonenumber phone telephone tel mobile",
    [USER_TAG] = "tag reference externalid customerid",
    [USER_VERIFIED] = "identityverified verified",
};

static bool import_header_has_word(const char *words, const char *word) {
    size_t len = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == len && memcmp(at, word, len) == 0)
            return true;
    return false;
}

static int import_header_field_of(const struct import *import, const char *name) {
    for (size_t i = 0; i < import->map.n; i++)
        if (str_equal(import->map.items[i].name, name))
            return import->map.items[i].field;
    for (int i = 0; *name && i < USER_FIELD_COUNT; i++)
        if (import_header_has_word(ALIASES[i], name))
            return i;
    return IMPORT_NOT_KNOWN;
}

int import_header_field(const struct import *import, const char *text) {
    struct str name;
    str_init(&name, NAME_BYTES);
    csv_table_name(text, &name);
    int field = name.truncated ? IMPORT_NOT_KNOWN : import_header_field_of(import, name.s);
    str_clear(&name);
    return field;
}

/* ---- The mapping file ---- */

static char *import_header_trimmed(const char *text, size_t len) {
    while (len > 0 && ascii_is_blank((unsigned char)*text)) {
        text++;
        len--;
    }
    while (len > 0 && ascii_is_blank((unsigned char)text[len - 1]))
        len--;
    return mem_dup_n(text, len);
}

static enum err import_header_add_line(struct import *import, const char *header, const char *path, size_t line,
                                       struct error *error) {
    int field = str_equal(path, "-") ? IMPORT_LEFT_OUT : user_find(path);
    struct str name;
    if (field < 0 && !str_equal(path, "-"))
        return error_set(error, ERR_INVALID, "mapping, line %zu: no such field: %s", line, path);
    str_init(&name, NAME_BYTES);
    csv_table_name(header, &name);
    if (name.len == 0 || name.truncated) {
        str_clear(&name);
        return error_set(error, ERR_INVALID, "mapping, line %zu: a header's name is needed before the =", line);
    }
    *vec_add(&import->map) = (struct import_header){.name = str_take(&name), .field = field};
    return ERR_OK;
}

enum err import_map(struct import *import, const char *text, size_t len, struct error *error) {
    enum err err = ERR_OK;
    size_t at = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (size_t line = 1; at < len && err == ERR_OK; line++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        char *trimmed = import_header_trimmed(text + at, n);
        char *equals = strrchr(trimmed, '=');
        at += n + 1;
        if (*trimmed == '\0' || *trimmed == '#') {
            free(trimmed);
            continue;
        }
        if (equals) {
            char *header = import_header_trimmed(trimmed, (size_t)(equals - trimmed)),
                 *path = import_header_trimmed(equals + 1, strlen(equals + 1));
            err = import_header_add_line(import, header, path, line, error);
            free(header);
            free(path);
        } else {
            err = error_set(error, ERR_INVALID, "mapping, line %zu: a line is HEADER = FIELD, or HEADER = -", line);
        }
        free(trimmed);
    }
    return err;
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
    for (const char *at = ALIASES[field]; *at; at += strcspn(at, " "), at += *at == ' ') {
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
