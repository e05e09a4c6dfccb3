#include "import_own.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <ctype.h>
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

void import_header_name(const char *text, struct str *out) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c >= 0x80 || isalnum(c)) {
            str_add_char(out, (char)tolower(c));
        }
    }
}

static bool has_word(const char *words, const char *word) {
    size_t len = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, " "), at += *at == ' ') {
        if (strcspn(at, " ") == len && memcmp(at, word, len) == 0) {
            return true;
        }
    }
    return false;
}

static int field_of(const struct import *import, const char *name) {
    for (size_t i = 0; i < import->map.n; i++) {
        if (str_equal(import->map.items[i].name, name)) {
            return import->map.items[i].field;
        }
    }
    for (int i = 0; *name && i < USER_FIELD_COUNT; i++) {
        if (has_word(ALIASES[i], name)) {
            return i;
        }
    }
    return IMPORT_NOT_KNOWN;
}

int import_header_field(const struct import *import, const char *text) {
    struct str name;
    str_init(&name, NAME_BYTES);
    import_header_name(text, &name);
    int field = name.full ? IMPORT_NOT_KNOWN : field_of(import, name.s);
    str_clear(&name);
    return field;
}

/* ---- The mapping file ---- */

static char *trimmed(const char *text, size_t len) {
    while (len > 0 && isspace((unsigned char)*text)) {
        text++;
        len--;
    }
    while (len > 0 && isspace((unsigned char)text[len - 1])) {
        len--;
    }
    return mem_dup_n(text, len);
}

static enum err add_line(struct import *import, const char *header, const char *path, size_t line,
                         struct error *error) {
    int field = str_equal(path, "-") ? IMPORT_LEFT_OUT : user_find(path);
    struct str name;
    if (field < 0 && !str_equal(path, "-")) {
        return error_set(error, ERR_INVALID, "mapping, line %zu: no such field: %s", line, path);
    }
    str_init(&name, NAME_BYTES);
    import_header_name(header, &name);
    if (name.len == 0 || name.full) {
        str_clear(&name);
        return error_set(error, ERR_INVALID, "mapping, line %zu: a header's name is needed before the =", line);
    }
    *vec_add(&import->map) = (struct import_header){.name = str_take(&name), .field = field};
    return ERR_OK;
}

enum err import_map(struct import *import, const char *text, size_t len, struct error *error) {
    enum err code = ERR_OK;
    size_t at = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (size_t line = 1; at < len && code == ERR_OK; line++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        char *own = trimmed(text + at, n);
        char *equals = strrchr(own, '=');
        at += n + 1;
        if (*own == '\0' || *own == '#') {
            free(own);
            continue;
        }
        if (equals) {
            char *header = trimmed(own, (size_t)(equals - own)), *path = trimmed(equals + 1, strlen(equals + 1));
            code = add_line(import, header, path, line, error);
            free(header);
            free(path);
        } else {
            code = error_set(error, ERR_INVALID, "mapping, line %zu: a line is HEADER = FIELD, or HEADER = -", line);
        }
        free(own);
    }
    return code;
}
