#include "json_writer.h"

#include "base/json.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void lead(struct str *out, const char *name) {
    char last = out->len == 0 ? '[' : out->s[out->len - 1];
    if (last != '{' && last != '[' && last != ':' && last != '\n')
        str_add_char(out, ',');
    if (name) {
        json_add_string(out, name, strlen(name));
        str_add_char(out, ':');
    }
}

void json_write_open(struct str *out, const char *name, char bracket) {
    lead(out, name);
    str_add_char(out, bracket);
}

void json_write_close(struct str *out, char bracket) {
    str_add_char(out, bracket);
}

void json_write_string_n(struct str *out, const char *name, const char *text, size_t len) {
    lead(out, name);
    json_add_string(out, text, len);
}

void json_write_string(struct str *out, const char *name, const char *text) {
    if (!text)
        json_write_null(out, name);
    else
        json_write_string_n(out, name, text, strlen(text));
}

void json_write_int(struct str *out, const char *name, long long value) {
    char digits[24];
    char *at = digits + sizeof digits;
    unsigned long long rest = value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        *--at = '-';
    lead(out, name);
    str_add_n(out, at, (size_t)(digits + sizeof digits - at));
}

void json_write_bool(struct str *out, const char *name, bool value) {
    json_write_raw(out, name, value ? "true" : "false");
}

void json_write_null(struct str *out, const char *name) {
    json_write_raw(out, name, "null");
}

void json_write_raw(struct str *out, const char *name, const char *json) {
    lead(out, name);
    str_add(out, json);
}

/* Whether an earlier field has the same text up to `len`: then its object holds this one too. */
static bool is_first(const struct json_write_field *fields, size_t index, size_t len) {
    for (size_t i = 0; i < index; i++) {
        bool same = strncmp(fields[i].path, fields[index].path, len) == 0;
        if (same && (fields[i].path[len] == '.' || fields[i].path[len] == '\0'))
            return false;
    }
    return true;
}

static void nested_from(struct str *out, const struct json_write_field *fields, size_t n, const char *prefix,
                        size_t at) {
    str_add_char(out, '{');
    for (size_t i = 0; i < n; i++) {
        const char *path = fields[i].path;
        if (strncmp(path, prefix, at) != 0 || strlen(path) <= at)
            continue;
        size_t end = at + strcspn(path + at, ".");
        if (!is_first(fields, i, end))
            continue;
        char *name = mem_dup_n(path + at, end - at);
        lead(out, name);
        free(name);
        if (path[end] == '.')
            nested_from(out, fields, n, path, end + 1);
        else
            str_add(out, fields[i].json);
    }
    str_add_char(out, '}');
}

void json_write_nested(struct str *out, const struct json_write_field *fields, size_t n) {
    nested_from(out, fields, n, "", 0);
}
