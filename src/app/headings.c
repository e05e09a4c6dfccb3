#include "app/headings.h"

#include "base/ascii.h"
#include "base/csv_table.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 256 };

static bool headings_has_word(const char *words, const char *word) {
    size_t len = strlen(word);
    for (const char *at = words; at && *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == len && memcmp(at, word, len) == 0)
            return true;
    return false;
}

static int headings_field_of(const struct headings *map, const char *const *aliases, size_t n, const char *name) {
    for (size_t i = 0; i < map->n; i++)
        if (str_equal(map->items[i].name, name))
            return map->items[i].field;
    for (size_t i = 0; *name && i < n; i++)
        if (headings_has_word(aliases[i], name))
            return (int)i;
    return HEADING_NOT_KNOWN;
}

int headings_field(const struct headings *map, const char *const *aliases, size_t n, const char *heading) {
    struct str name;
    str_init(&name, NAME_BYTES);
    csv_table_name(heading, &name);
    int field = name.truncated ? HEADING_NOT_KNOWN : headings_field_of(map, aliases, n, name.s);
    str_clear(&name);
    return field;
}

/* ---- The mapping file ---- */

static char *headings_trimmed(const char *text, size_t len) {
    while (len > 0 && ascii_is_blank((unsigned char)*text)) {
        text++;
        len--;
    }
    while (len > 0 && ascii_is_blank((unsigned char)text[len - 1]))
        len--;
    return mem_dup_n(text, len);
}

static enum err headings_add(struct headings *map, const char *header, int field, size_t line, struct error *error) {
    struct str name;
    str_init(&name, NAME_BYTES);
    csv_table_name(header, &name);
    if (name.len == 0 || name.truncated) {
        str_clear(&name);
        return error_set(error, ERR_INVALID, "mapping, line %zu: a header's name is needed before the =", line);
    }
    *vec_add(map) = (struct heading){.name = str_take(&name), .field = field};
    return ERR_OK;
}

/* trimmed, with something in it. */
static enum err headings_add_line(struct headings *map, char *trimmed, size_t line, heading_find *find,
                                  struct error *error) {
    char *equals = strrchr(trimmed, '=');
    if (!equals)
        return error_set(error, ERR_INVALID, "mapping, line %zu: a line is HEADER = FIELD, or HEADER = -", line);
    char *header = headings_trimmed(trimmed, (size_t)(equals - trimmed)),
         *path = headings_trimmed(equals + 1, strlen(equals + 1));
    int field = str_equal(path, "-") ? HEADING_LEFT_OUT : find(path);
    enum err err = field < 0 && !str_equal(path, "-")
                       ? error_set(error, ERR_INVALID, "mapping, line %zu: no such field: %s", line, path)
                       : headings_add(map, header, field, line, error);
    free(header);
    free(path);
    return err;
}

enum err headings_read(struct headings *map, const char *text, size_t len, heading_find *find, struct error *error) {
    enum err err = ERR_OK;
    size_t at = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (size_t line = 1; at < len && err == ERR_OK; line++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        char *trimmed = headings_trimmed(text + at, n);
        at += n + 1;
        if (*trimmed != '\0' && *trimmed != '#')
            err = headings_add_line(map, trimmed, line, find, error);
        free(trimmed);
    }
    return err;
}

void headings_clear(struct headings *map) {
    for (size_t i = 0; i < map->n; i++)
        free(map->items[i].name);
    free(map->items);
    *map = (struct headings){0};
}
