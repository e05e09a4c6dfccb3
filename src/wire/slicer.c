#include "slicer.h"

#include "base/mem.h"
#include "wire/page.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 64 };

void wire_slicer_init(struct wire_slicer *slicer, const char *body, size_t len) {
    *slicer = (struct wire_slicer){.body = {body, len}};
}

void wire_slicer_clear(struct wire_slicer *slicer) {
    free(slicer->items);
    *slicer = (struct wire_slicer){0};
}

static char here(const struct wire_slicer *slicer) {
    return slicer->at < slicer->body.len ? slicer->body.s[slicer->at] : '\0';
}

static char slicer_next(struct wire_slicer *slicer) {
    while (here(slicer) == ' ' || here(slicer) == '\n' || here(slicer) == '\r' || here(slicer) == '\t')
        slicer->at++;
    return here(slicer);
}

static bool slicer_failed(struct wire_slicer *slicer, const char *fault) {
    slicer->fault = fault;
    return false;
}

/* From the opening quote to behind the closing one. */
static bool skip_string(struct wire_slicer *slicer) {
    const char *s = slicer->body.s;
    size_t at = slicer->at + 1, len = slicer->body.len;
    while (at < len && s[at] != '"')
        at += s[at] == '\\' ? 2 : 1;
    slicer->at = at < len ? at + 1 : len;
    return at < len || slicer_failed(slicer, "it ends inside a string");
}

static bool skip_container(struct wire_slicer *slicer) {
    uint64_t objects = 0; /* kinds of the outer levels; a row deeper than these is refused later anyway */
    size_t depth = 0;
    while (slicer->at < slicer->body.len) {
        char c = slicer->body.s[slicer->at];
        if (c == '"') {
            if (!skip_string(slicer))
                return false;
            continue;
        }
        slicer->at++;
        if (c == '{' || c == '[') {
            uint64_t bit = depth < LEVELS ? UINT64_C(1) << depth : 0;
            objects = c == '{' ? objects | bit : objects & ~bit;
            depth++;
        } else if (c == '}' || c == ']') {
            depth--;
            if (depth < LEVELS && ((objects >> depth) & 1) != (c == '}'))
                return slicer_failed(slicer, "brackets that do not match");
            if (depth == 0)
                return true;
        }
    }
    return slicer_failed(slicer, "it ends too early");
}

/* A word or a number, right or wrong, ends here. */
static bool ends_word(char c) {
    return c != '\0' && strchr(",:[]{}\" \n\r\t", c);
}

static bool slicer_skip_value(struct wire_slicer *slicer) {
    size_t start = slicer->at;
    char c = here(slicer);
    if (c == '"')
        return skip_string(slicer);
    if (c == '{' || c == '[')
        return skip_container(slicer);
    while (slicer->at < slicer->body.len && !ends_word(slicer->body.s[slicer->at]))
        slicer->at++;
    return slicer->at > start || slicer_failed(slicer, "a value is missing");
}

/* From an object's bracket to the value of a member. */
static bool find_member(struct wire_slicer *slicer, const char *name, size_t name_len) {
    const char *s = slicer->body.s;
    do {
        slicer->at++;
        size_t start = (slicer_next(slicer), slicer->at);
        if (here(slicer) != '"' || !skip_string(slicer))
            return false;
        bool hit = wire_string_is(s + start, slicer->at - start, name, name_len);
        if (slicer_next(slicer) != ':')
            return false;
        slicer->at++;
        slicer_next(slicer);
        if (hit)
            return true;
    } while (slicer_skip_value(slicer) && slicer_next(slicer) == ',');
    return false;
}

static bool find_list(struct wire_slicer *slicer, const char *path) {
    slicer->at = slicer->body.len >= 3 && memcmp(slicer->body.s, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    slicer_next(slicer);
    while (*path) {
        size_t len = strcspn(path, ".");
        if (here(slicer) != '{' || !find_member(slicer, path, len))
            return false;
        path += len + (path[len] == '.');
    }
    return here(slicer) == '[';
}

static bool cut_rows(struct wire_slicer *slicer) {
    if (slicer_next(slicer) == ']')
        return true;
    for (;; slicer->at++) {
        slicer_next(slicer);
        if (slicer->n == WIRE_ROWS_MAX) {
            slicer->limit = true;
            return slicer_failed(slicer, "more than 10,000 rows in one answer");
        }
        size_t start = slicer->at;
        if (!slicer_skip_value(slicer))
            return false;
        *vec_add(slicer) = (struct wire_slice){slicer->body.s + start, slicer->at - start};
        char c = slicer_next(slicer);
        if (c == ']')
            return true;
        if (c != ',')
            return slicer_failed(slicer, slicer->at < slicer->body.len ? "a comma is missing" : "it ends too early");
    }
}

bool wire_slicer_cut(struct wire_slicer *slicer, const char *path) {
    /* A fault before the list is reported by the strict reader of the skeleton. */
    if (!find_list(slicer, path)) {
        slicer->fault = NULL;
        return true;
    }
    slicer->first = ++slicer->at;
    if (!cut_rows(slicer))
        return false;
    slicer->last = slicer->at;
    return true;
}

void wire_slicer_skeleton(const struct wire_slicer *slicer, struct str *out) {
    str_add_n(out, slicer->body.s, slicer->first);
    str_add_n(out, slicer->body.s + slicer->last, slicer->body.len - slicer->last);
}

size_t wire_slicer_place(const struct wire_slicer *slicer, size_t at) {
    return at < slicer->first ? at : at + (slicer->last - slicer->first);
}
