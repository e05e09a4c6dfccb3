#include "config/outline.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "config/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN_MAX = 8192, KEYS_MAX = 64, PROFILES_MAX = 256 };

enum token { TOKEN_END, TOKEN_TEXT, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_EQUALS, TOKEN_COMMA, TOKEN_BAD };

struct reader {
    struct outline *outline;
    const char *at;
    int line;
    enum token token;
    const char *text; /* of TOKEN_TEXT, without quotes, escapes as written */
    size_t len;
    int token_line;
};

void fault_add(struct faults *faults, int line, const char *format, ...) {
    struct str text;
    str_init(&text, 1024);
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    str_add(faults->report, faults->name);
    if (line > 0)
        str_addf(faults->report, ":%d", line);
    str_add(faults->report, ": ");
    utf8_sanitise(faults->report, text.s, text.len);
    str_add(faults->report, "\n");
    faults->n++;
    str_clear(&text);
}

static bool outline_bad(struct reader *reader, const char *reason) {
    fault_add(reader->outline->faults, reader->token_line, "%s", reason);
    reader->token = TOKEN_BAD;
    return false;
}

static bool outline_is_plain(char c) {
    return ascii_is_word((unsigned char)c) || (c && strchr("_.-:", c));
}

static void outline_skip_blanks(struct reader *reader) {
    for (;; reader->at++) {
        if (*reader->at == '#')
            reader->at += strcspn(reader->at, "\n");
        if (*reader->at == '\n')
            reader->line++;
        else if (*reader->at != ' ' && *reader->at != '\t' && *reader->at != '\r')
            return;
    }
}

static bool outline_read_quoted(struct reader *reader, char quote) {
    const char *start = ++reader->at;
    while (*reader->at != quote) {
        if (*reader->at == '\0' || *reader->at == '\n' || *reader->at == '\r')
            return outline_bad(reader, "a quote is opened and not closed on its line");
        if (quote == '"' && reader->at[0] == '$' && reader->at[1] == '{')
            return outline_bad(
                reader, "variables are not filled in here; put the text in single quotes if it is meant as it is");
        if (reader->at[0] == '\\' && reader->at[1] != '\0' && reader->at[1] != '\n')
            reader->at++;
        reader->at++;
    }
    reader->text = start;
    reader->len = (size_t)(reader->at - start);
    reader->at++;
    if (reader->len > TOKEN_MAX)
        return outline_bad(reader, "the text is longer than 8192 bytes");
    reader->token = TOKEN_TEXT;
    return true;
}

static bool read_plain(struct reader *reader) {
    reader->text = reader->at;
    while (outline_is_plain(*reader->at))
        reader->at++;
    reader->len = (size_t)(reader->at - reader->text);
    if (reader->len > TOKEN_MAX)
        return outline_bad(reader, "the text is longer than 8192 bytes");
    if (reader->len == 0 || (*reader->at && !strchr(" \t\r\n#{}=,\"'", *reader->at)))
        return outline_bad(reader,
                           "a character that must stand in quotes; write texts, paths and addresses in single quotes");
    reader->token = TOKEN_TEXT;
    return true;
}

/* False where reading cannot go on. */
static bool outline_next(struct reader *reader) {
    outline_skip_blanks(reader);
    reader->token_line = reader->line;
    char c = *reader->at;
    static const char signs[] = "{}=,";
    const char *sign = c ? strchr(signs, c) : NULL;
    if (sign) {
        static const enum token tokens[] = {TOKEN_OPEN, TOKEN_CLOSE, TOKEN_EQUALS, TOKEN_COMMA};
        reader->token = tokens[sign - signs];
        reader->at++;
        return true;
    }
    if (c == '\0') {
        reader->token = TOKEN_END;
        return true;
    }
    return c == '"' || c == '\'' ? outline_read_quoted(reader, c) : read_plain(reader);
}

static bool read_list(struct reader *reader) {
    int line = reader->token_line;
    if (!outline_next(reader))
        return false;
    while (reader->token == TOKEN_TEXT) {
        if (!outline_next(reader))
            return false;
        if (reader->token == TOKEN_CLOSE)
            return true;
        if (reader->token != TOKEN_COMMA)
            return reader->token == TOKEN_END ? outline_bad(reader, "the file ends inside a list")
                                              : outline_bad(reader, "a ',' or the list's '}' is missing");
        if (!outline_next(reader))
            return false;
    }
    if (reader->token == TOKEN_CLOSE)
        return true;
    reader->token_line = line;
    return outline_bad(reader, "the list that begins here is not closed by '}', or holds no plain texts");
}

static bool outline_read_value(struct reader *reader, const struct key *key) {
    if (!outline_next(reader))
        return false;
    if (reader->token != TOKEN_EQUALS)
        return outline_bad(reader, "an '=' is missing after the key");
    if (!outline_next(reader))
        return false;
    int line = reader->token_line;
    bool list = reader->token == TOKEN_OPEN;
    if (!list && reader->token != TOKEN_TEXT)
        return outline_bad(reader, "a value is missing after the '='");
    if (key && list != (key->kind == KEY_LIST))
        fault_add(reader->outline->faults, line,
                  list ? "%s takes one value, not a list" : "%s takes a list: {'...', '...'}", key->name);
    return list ? read_list(reader) : true;
}

int outline_line(const struct outline *outline, size_t profile, enum key_section section, const struct key *key) {
    for (size_t i = 0; i < outline->n; i++) {
        const struct outline_entry *entry = &outline->items[i];
        if (entry->profile == profile && entry->section == section && entry->key == key)
            return entry->line;
    }
    return 0;
}

static void outline_note(struct reader *reader, enum key_section section, const struct key *key, int line) {
    struct outline *outline = reader->outline;
    size_t profile = section == SECTION_ROOT ? 0 : outline->profiles;
    int first = outline_line(outline, profile, section, key);
    if (first) {
        const char *name = key ? key->name : key_section_name(section);
        fault_add(outline->faults, line, "%s is given twice, first on line %d", name, first);
        return;
    }
    *vec_add(outline) = (struct outline_entry){profile, section, key, line};
}

static void unknown_key(struct reader *reader, enum key_section section, const char *name, int line) {
    const char *names[KEYS_MAX];
    size_t n;
    const struct key *keys = keys_of(section, &n);
    for (size_t i = 0; i < n; i++)
        names[i] = keys[i].name;
    const char *near = near_word(name, names, n);
    const char *where = section == SECTION_ROOT ? "" : key_section_name(section);
    struct str hint;
    str_init(&hint, 256);
    if (near)
        str_addf(&hint, "; did you mean %s?", near);
    for (int other = 0; !near && other < SECTION_COUNT; other++) {
        if (other != (int)section && key_find((enum key_section)other, name))
            str_addf(&hint, "; it belongs %s%s", other == SECTION_ROOT ? "at the top of the file" : "into a block ",
                     key_section_name((enum key_section)other));
    }
    fault_add(reader->outline->faults, line, "no such key%s%s: %s%s", *where ? " in " : "", where, name, hint.s);
    str_clear(&hint);
}

/* Takes name. */
static void note_profile(struct reader *reader, char *name, int line) {
    struct outline *outline = reader->outline;
    for (size_t i = 0; i < outline->names.n; i++)
        if (str_equal(outline->names.items[i], name))
            fault_add(outline->faults, line, "a second profile %s, the first is on line %d", name,
                      outline_line(outline, i + 1, SECTION_PROFILE, NULL));
    *vec_add(&outline->names) = name;
    outline->profiles++;
    outline_note(reader, SECTION_PROFILE, NULL, line);
}

static bool read_block(struct reader *reader, enum key_section section);

static bool read_profile(struct reader *reader, int line) {
    struct str reason;
    str_init(&reason, 512);
    if (!outline_next(reader))
        return false;
    if (reader->token != TOKEN_TEXT)
        return outline_bad(reader, "a profile's name is missing: profile NAME { ... }");
    char *name = mem_dup_n(reader->text, reader->len);
    if (!check_profile_name(name, &reason))
        fault_add(reader->outline->faults, line, "%s", reason.s);
    str_clear(&reason);
    note_profile(reader, name, line);
    if (reader->outline->profiles > PROFILES_MAX)
        return outline_bad(reader, "more than 256 profiles");
    return read_block(reader, SECTION_PROFILE);
}

static bool read_statement(struct reader *reader, enum key_section section) {
    int line = reader->token_line;
    if (reader->token != TOKEN_TEXT)
        return outline_bad(reader, "a key was expected here");
    char *name = mem_dup_n(reader->text, reader->len);
    bool ok;
    if (section == SECTION_ROOT && str_equal(name, "profile")) {
        ok = read_profile(reader, line);
    } else if (section == SECTION_PROFILE && str_equal(name, "api")) {
        outline_note(reader, SECTION_API, NULL, line);
        ok = read_block(reader, SECTION_API);
    } else {
        const struct key *key = key_find(section, name);
        if (key)
            outline_note(reader, section, key, line);
        else
            unknown_key(reader, section, name, line);
        ok = outline_read_value(reader, key);
    }
    free(name);
    return ok;
}

static bool read_block(struct reader *reader, enum key_section section) {
    int line = reader->token_line;
    if (!outline_next(reader))
        return false;
    if (reader->token != TOKEN_OPEN)
        return outline_bad(reader, "a '{' is missing after the block's name");
    for (;;) {
        if (!outline_next(reader))
            return false;
        if (reader->token == TOKEN_CLOSE)
            return true;
        if (reader->token == TOKEN_END) {
            fault_add(reader->outline->faults, line, "the block %s that begins here is not closed by '}'",
                      key_section_name(section));
            return false;
        }
        if (!read_statement(reader, section))
            return false;
    }
}

bool outline_read(struct outline *outline, const char *text) {
    struct reader reader = {.outline = outline, .at = text, .line = 1};
    for (;;) {
        if (!outline_next(&reader))
            return false;
        if (reader.token == TOKEN_END)
            return true;
        if (!read_statement(&reader, SECTION_ROOT))
            return false;
    }
}

void outline_clear(struct outline *outline) {
    for (size_t i = 0; i < outline->names.n; i++)
        free(outline->names.items[i]);
    free(outline->names.items);
    free(outline->items);
    *outline = (struct outline){0};
}
