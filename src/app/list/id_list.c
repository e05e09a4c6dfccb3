#include "app/id_list.h"

#include "app/idset.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/money.h"

#include <stdlib.h>
#include <string.h>

enum { ID_BYTES = 1 << 12, NAMED = 20, PASTED_LEAST = 6 };

static const char BETWEEN[] = " \t\r\n\v\f,;\"'";

struct id_list *id_list_new(const char *name) {
    struct id_list *list = mem_new(sizeof *list);
    list->name = mem_dup(name);
    list->places = idset_new();
    return list;
}

void id_list_free(struct id_list *list) {
    if (!list)
        return;
    arena_clear(&list->arena);
    idset_free(list->places);
    free(list->ids.items);
    free(list->name);
    free(list);
}

static void id_list_add(struct id_list *list, const char *text, size_t len) {
    struct str id;
    str_init(&id, ID_BYTES);
    utf8_sanitise(&id, text, len);
    if (idset_put(list->places, id.s, id.len, list->ids.n))
        *(const char **)vec_add(&list->ids) = arena_dup_n(&list->arena, id.s, id.len);
    str_clear(&id);
}

/* The next piece of a text; false: there is none. */
static bool id_list_next(const char **text, const char *end, size_t *n) {
    while (*text < end && (**text == '\0' || strchr(BETWEEN, **text)))
        (*text)++;
    for (*n = 0; *text + *n < end && (*text)[*n] != '\0' && !strchr(BETWEEN, (*text)[*n]);)
        ++*n;
    return *n > 0;
}

void id_list_split(struct id_list *list, const char *text, size_t len) {
    const char *at = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text;
    size_t n;
    for (; list->ids.n <= QUERY_LIST_MAX && id_list_next(&at, text + len, &n); at += n)
        id_list_add(list, at, n);
}

const char *id_list_at(const void *of, size_t i) {
    const struct id_list *list = of;
    return i < list->ids.n ? list->ids.items[i] : NULL;
}

/* Long enough, with a digit, and of nothing but what ids are made of: no word and no term of a filter is like that. */
static bool is_like_id(const char *text, size_t len) {
    bool digit = false, other = false;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        digit = digit || ascii_is_digit(c);
        other = other || !(ascii_is_digit(c) || ascii_lower((char)c) != ascii_upper((char)c) || c == '-' || c == '_');
    }
    return len >= PASTED_LEAST && digit && !other && text[0] != '-';
}

bool id_list_is(const char *text, size_t len) {
    const char *at = text;
    size_t n, pieces = 0;
    for (; id_list_next(&at, text + len, &n); at += n, pieces++)
        if (!is_like_id(at, n))
            return false;
    return pieces > 1;
}

bool id_has_capitals(const char *id) {
    while (*id && !ascii_is_upper((unsigned char)*id))
        id++;
    return *id != '\0';
}

bool id_list_say(const struct id_list_met *met, const struct coverage *coverage, int64_t now, struct str *out) {
    size_t found = 0, named = 0;
    bool capitals = false;
    for (size_t i = 0; i < met->n; i++)
        found += met->found[i];
    str_addf(out, "%zu of %zu of @%s %s", found, met->n, met->name, met->alone ? "found" : "match the filter");
    if (found < met->n) {
        str_add(out, met->alone ? "; not found among " : "; not there, or no match, among ");
        money_group_count(out, met->rows);
        str_add(out, met->rows == 1 ? " intent, " : " intents, ");
        coverage_text(coverage, COVERAGE_BRIEF, now, out);
        str_add(out, ": ");
    }
    for (size_t i = 0; i < met->n; i++)
        if (!met->found[i]) {
            capitals = capitals || id_has_capitals(met->at(met->of, i));
            if (named++ < NAMED)
                str_addf(out, "%s%s", named > 1 ? ", " : "", met->at(met->of, i));
        }
    if (named > NAMED)
        str_addf(out, " and %zu more", named - NAMED);
    if (capitals)
        str_add(out, "; " ID_CAPITALS);
    return found == met->n;
}
