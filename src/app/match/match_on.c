#include "match_own.h"

#include "base/ascii.h"

#include <string.h>

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

struct match_field *match_field_of(struct match *match, enum query_field_code code) {
    for (size_t i = 0; i < match->n_fields; i++)
        if (match->fields[i].code == code)
            return &match->fields[i];
    return NULL;
}

/* `1d`, `90m`: how far the times of partners may be apart. */
static bool match_on_tolerance(const char *text, size_t len, int64_t *out) {
    static const struct {
        char unit;
        int64_t ms;
    } UNITS[] = {{'s', SECOND}, {'m', MINUTE}, {'h', HOUR}, {'d', DAY}};
    enum { TOLERANCE_MAX = 100000 };
    long long n;
    if (len < 2 || !str_to_int64(text, len - 1, &n) || n < 0 || n > TOLERANCE_MAX)
        return false;
    for (size_t i = 0; i < COUNT_OF(UNITS); i++)
        if (UNITS[i].unit == text[len - 1]) {
            *out = n * UNITS[i].ms;
            return true;
        }
    return false;
}

/* What a row of a table and an intent may both have. */
static bool is_comparable(enum query_field_code code) {
    const struct query_field *field = query_field(code);
    bool number = code == QUERY_AMOUNT_FIELD || code == QUERY_CREATED_FIELD;
    return number || (field->type != QUERY_TIME && field->column != CELLS_TEXT_COUNT);
}

static enum err refuse_field(const struct match *match, const char *name, size_t len, struct error *error) {
    const char *on = match_word(&match->options, MATCH_WORD_ON);
    const char *near[QUERY_NEAR_MAX];
    if (query_field_find(name, len) != QUERY_FIELD_COUNT)
        return error_set(error, ERR_USAGE, "%s: a table cannot be matched by %.*s", on, (int)len, name);
    return query_field_near(name, len, near) > 0
               ? error_set(error, ERR_USAGE, "%s: no field is called %.*s; did you mean %s?", on, (int)len, name,
                           near[0])
               : error_set(error, ERR_USAGE, "%s: no field is called %.*s", on, (int)len, name);
}

static enum err match_on_take(struct match *match, const char *text, size_t len, struct error *error) {
    const char *mark = memchr(text, '~', len);
    size_t n = mark ? (size_t)(mark - text) : len;
    enum query_field_code code = query_field_find(text, n);
    const char *on = match_word(&match->options, MATCH_WORD_ON);
    if (code == QUERY_FIELD_COUNT || !is_comparable(code))
        return refuse_field(match, text, n, error);
    if (match_field_of(match, code))
        return error_set(error, ERR_USAGE, "%s: %.*s is named twice", on, (int)n, text);
    if (mark && code != QUERY_CREATED_FIELD)
        return error_set(error, ERR_USAGE, "%s: only created may be apart, as in created~1d", on);
    if (mark && !match_on_tolerance(mark + 1, len - n - 1, &match->tolerance))
        return error_set(error, ERR_USAGE, "%s: %.*s: how far apart is a number with s, m, h or d, as in created~1d",
                         on, (int)len, text);
    if (match->n_fields == MATCH_FIELDS_MAX)
        return error_set(error, ERR_USAGE, "%s: too many fields", on);
    match->fields[match->n_fields++] = (struct match_field){.code = code, .column = SIZE_MAX, .on = true};
    return ERR_OK;
}

enum err match_take_on(struct match *match, struct error *error) {
    const char *text = match->options.on ? match->options.on : "";
    bool exact = false;
    enum err err = *text
                       ? ERR_OK
                       : error_set(error, ERR_USAGE,
                                   "%s is needed: what partners have in common, as in id or amount,currency,created~1d",
                                   match_word(&match->options, MATCH_WORD_ON_FIELDS));
    while (err == ERR_OK && *text) {
        size_t len = strcspn(text, ",");
        err = match_on_take(match, text, len, error);
        text += len + (text[len] == ',');
    }
    for (size_t i = 0; i < match->n_fields; i++)
        exact = exact || match->fields[i].code != QUERY_CREATED_FIELD;
    if (err == ERR_OK && !exact)
        err = error_set(error, ERR_USAGE, "%s: a time alone makes no partners; name amount or another field as well",
                        match_word(&match->options, MATCH_WORD_ON));
    return err;
}
