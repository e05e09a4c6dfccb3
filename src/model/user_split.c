#include "model/user_split.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 12, AREA_CODE_MAX = 3 };

/* Pieces of one copy of the text, each without blanks at its ends. */
struct parts {
    char *items[PARTS_MAX];
    size_t n;
};

static char *user_split_trimmed(char *text) {
    text += strspn(text, " \t\r");
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\r,", text[len - 1]))
        text[--len] = '\0';
    return text;
}

/* More pieces than fit: none at all, so that nothing is dropped. */
static void user_split_cut(char *text, const char *separators, struct parts *out) {
    for (char *part; (part = strsep(&text, separators)) != NULL;) {
        part = user_split_trimmed(part);
        if (!*part)
            continue;
        if (out->n == PARTS_MAX) {
            out->n = 0;
            return;
        }
        out->items[out->n++] = part;
    }
}

static bool has_digit(const char *text) {
    return strpbrk(text, "0123456789") != NULL;
}

/* ---- Names ---- */

bool user_split_name(const char *text, struct user *out) {
    char *copy = mem_dup(text), *name = user_split_trimmed(copy);
    char *comma = strchr(name, ','), *blank = strrchr(name, ' ');
    char *at = comma ? comma : blank;
    bool two = at && !strchr(name, '\n') && (!comma || !strchr(comma + 1, ','));
    if (two) {
        *at = '\0';
        const char *before = user_split_trimmed(name), *after = user_split_trimmed(at + 1);
        two = *before && *after;
        if (two) {
            user_set(out, comma ? USER_LAST : USER_FIRST, before);
            user_set(out, comma ? USER_FIRST : USER_LAST, after);
        }
    }
    secret_free_text(copy);
    return two;
}

/* ---- Addresses ---- */

/* A country at the end of the text, by name or three letters. Two letters may be California or Canada: after a postal
 * code they are a country, since the area comes before it. */
static const struct country *country_at_end(const char *text, const char *before) {
    enum { ALPHA2 = 2, ALPHA3 = 3 };
    size_t n, len = strlen(text);
    const struct country *all = countries(&n);
    if (ascii_compare(text, "UK") == 0)
        return country_find("GB");
    for (size_t i = 0; i < n; i++)
        if (ascii_compare(all[i].name, text) == 0)
            return &all[i];
    return len == ALPHA3 || (len == ALPHA2 && has_digit(before)) ? country_find(text) : NULL;
}

static const struct country_area *area_of(const struct country *country, const char *text) {
    const struct country_area *area = country_area_find(country, text);
    return area ? area : country_area_named(country, text);
}

static bool is_area_code(const char *text) {
    size_t len = strlen(text);
    for (size_t i = 0; i < len; i++)
        if (!ascii_is_upper((unsigned char)text[i]))
            return false;
    return len > 0 && len <= AREA_CODE_MAX;
}

/* Where the postal code at the end of a piece begins: one word with a digit, or two ("SW1A 1AA"); NULL: none. */
static char *code_at_end(char *text) {
    char *last = strrchr(text, ' ');
    if (!has_digit(last ? last : text))
        return NULL;
    if (!last)
        return text;
    *last = '\0';
    char *before = strrchr(text, ' ');
    char *word = before ? before + 1 : text;
    bool two = has_digit(word);
    *last = ' ';
    return two ? word : last + 1;
}

/* Cuts the first or the last word off a piece. */
static char *user_split_head_of(char *text, char **rest) {
    char *blank = strchr(text, ' ');
    *rest = blank ? user_split_trimmed(blank + 1) : NULL;
    if (blank)
        *blank = '\0';
    return text;
}

/* "10115 Berlin" */
static bool take_code_in_front(char *piece, struct user *out) {
    char *copy = mem_dup(piece), *rest, *code = user_split_head_of(copy, &rest);
    bool fits = has_digit(code) && rest && !has_digit(rest);
    if (fits) {
        user_set(out, USER_POSTAL, code);
        user_set(out, USER_LOCALITY, rest);
    }
    secret_free_text(copy);
    return fits;
}

/* What is left of a piece without its postal code: "Springfield IL", "IL", "London". */
static void user_split_take_place(char *piece, const struct country *country, struct user *out) {
    char *last = strrchr(piece, ' ');
    char *word = last ? last + 1 : piece;
    if (!user_has(out, USER_AREA) && (is_area_code(word) || area_of(country, piece))) {
        bool whole = !last || !is_area_code(word);
        const struct country_area *area = area_of(country, whole ? piece : word);
        user_set(out, USER_AREA, area ? area->code : whole ? piece : word);
        if (whole)
            return;
        *last = '\0';
        piece = user_split_trimmed(piece);
    }
    user_set(out, USER_LOCALITY, piece);
}

/* 9 is a digit, A a letter; all else is itself. */
static bool has_shape(const char *text, const char *shape) {
    for (; *text && *shape; text++, shape++) {
        unsigned char c = (unsigned char)*text;
        if (*shape == '9' ? !ascii_is_digit(c) : *shape == 'A' ? !ascii_is_letter(c) : c != (unsigned char)*shape)
            return false;
    }
    return *text == *shape;
}

static bool ends_in_area(const struct country *country, const char *place) {
    const char *last = strrchr(place, ' ');
    return area_of(country, place) || country_area_find(country, last ? last + 1 : place);
}

/* An address without a country can still be recognised, by an area of it beside a postal code of its shape. */
static const struct country *country_by_code(const struct parts *parts) {
    static const char *const SHAPES[][2] = {
        {"US", "99999"}, {"US", "99999-9999"}, {"CA", "A9A 9A9"}, {"CA", "A9A9A9"}, {"AU", "9999"}};
    const struct country *found = NULL;
    const char *last = parts->items[parts->n - 1];
    char *copy = mem_dup(last), *code = code_at_end(copy), *shaped = code ? mem_dup(code) : NULL;
    if (code)
        *code = '\0';
    const char *place = user_split_trimmed(copy);
    place = *place || parts->n < 3 ? place : parts->items[parts->n - 2];
    for (size_t i = 0; shaped && !found && i < COUNT_OF(SHAPES); i++) {
        const struct country *country = country_find(SHAPES[i][0]);
        found = has_shape(shaped, SHAPES[i][1]) && ends_in_area(country, place) ? country : NULL;
    }
    secret_free_text(copy);
    secret_free_text(shaped);
    return found;
}

/* From the end: code, area and city, until a city was found; what is before it is the street. */
static size_t take_places(struct parts *parts, const struct country *country, struct user *out) {
    size_t n = parts->n;
    while (n > 1 && !user_has(out, USER_LOCALITY)) {
        char *piece = parts->items[--n];
        if (!user_has(out, USER_POSTAL) && take_code_in_front(piece, out))
            break;
        char *code = user_has(out, USER_POSTAL) ? NULL : code_at_end(piece);
        if (code) {
            user_set(out, USER_POSTAL, code);
            *code = '\0';
            piece = user_split_trimmed(piece);
        }
        if (*piece)
            user_split_take_place(piece, country, out);
    }
    return n;
}

bool user_split_address(const char *text, bool alpha3, struct user *out) {
    char *copy = mem_dup(text);
    struct parts parts = {.n = 0};
    struct str street;
    str_init(&street, USER_TEXT_MAX);
    user_split_cut(copy, "\n,", &parts);
    const struct country *country =
        parts.n > 2 ? country_at_end(parts.items[parts.n - 1], parts.items[parts.n - 2]) : NULL;
    parts.n -= country != NULL;
    country = country || parts.n == 0 ? country : country_by_code(&parts);
    if (country)
        user_set(out, USER_COUNTRY, alpha3 ? country->alpha3 : country->alpha2);
    size_t left = parts.n > 1 ? take_places(&parts, country, out) : 0;
    for (size_t i = 0; i < left; i++)
        str_addf(&street, "%s%s", i > 0 ? ", " : "", parts.items[i]);
    user_set(out, USER_STREET, street.s);
    bool whole = user_has(out, USER_STREET) && user_has(out, USER_LOCALITY);
    secret_free_text(copy);
    secret_clear_str(&street);
    return whole;
}
