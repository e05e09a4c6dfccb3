#include "ui/keymap_own.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1024 };

struct reader {
    struct keymap *keymap;
    const struct action_table *table;
    const char *name; /* of the file */
    int32_t fixed_key;
    struct str *report;
    int line;
    const char *section; /* the action table's own text; NULL: before the first section, or in an unknown one */
    bool skipping;       /* an unknown section was named once */
    int *lines;          /* per action: the line of the file that names it, 0: none */
    bool good;
};

static void keymap_read_fault(struct reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);
static void keymap_read_fault(struct reader *reader, const char *format, ...) {
    struct str text;
    va_list args;

    str_init(&text, LINE_MAX_BYTES);
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    str_addf(reader->report, "%s:%d: ", reader->name, reader->line);
    utf8_sanitise(reader->report, text.s, text.len);
    str_add(reader->report, "\n");
    str_clear(&text);
    reader->good = false;
}

static const char *section_of(const struct reader *reader, const struct binding *binding) {
    return reader->keymap->actions[binding->action].section;
}

static void keymap_read_drop(struct keymap *keymap, size_t index) {
    keymap->bindings.n--;
    memmove(&keymap->bindings.items[index], &keymap->bindings.items[index + 1],
            (keymap->bindings.n - index) * sizeof *keymap->bindings.items);
}

/* Removes the keys that the action had before this line. */
static void unbind(struct reader *reader, size_t action) {
    struct keymap *keymap = reader->keymap;

    for (size_t i = keymap->bindings.n; i > 0; i--) {
        const struct binding *binding = &keymap->bindings.items[i - 1];
        bool fixed = keymap->actions[action].id == reader->table->fixed;
        bool before = binding->action == action && binding->line != reader->line;
        if (before && !(fixed && binding->key == reader->fixed_key))
            keymap_read_drop(keymap, i - 1);
    }
}

/* Whether a key of the view `hider` would keep the same key of `view` from being found. */
static bool hides(const char *hider, const char *section) {
    return str_equal(hider, section) || str_equal(section, "global") ||
           (str_equal(section, "list") && !str_equal(hider, "global"));
}

/* A key given in the file is taken from the action that has it by default; given on two lines of the file it is a
 * fault. */
static bool make_way(struct reader *reader, size_t action, int32_t key, const char *name) {
    struct keymap *keymap = reader->keymap;
    const char *section = keymap->actions[action].section;

    for (size_t i = keymap->bindings.n; i > 0; i--) {
        const struct binding *binding = &keymap->bindings.items[i - 1];
        if (binding->key != key || binding->action == action)
            continue;
        if (binding->line > 0 && str_equal(section_of(reader, binding), section)) {
            keymap_read_fault(reader, "%s is given to %s, and on line %d to %s", name, keymap->actions[action].name,
                              binding->line, keymap->actions[binding->action].name);
            return false;
        }
        if (binding->line == 0 && hides(section_of(reader, binding), section))
            keymap_read_drop(keymap, i - 1);
    }
    return true;
}

/* False: a fault was reported, and the action does not get the key. */
static bool bind(struct reader *reader, size_t action, const char *name) {
    struct keymap *keymap = reader->keymap;
    bool fixed = keymap->actions[action].id == reader->table->fixed;
    int32_t key;

    if (!input_key_parse(name, &key)) {
        keymap_read_fault(reader, "no such key: %s", name);
        return false;
    }
    if (key == reader->fixed_key) {
        if (!fixed)
            keymap_read_fault(reader, "%s cannot be given away: it always cancels, and leaves", name);
        return fixed;
    }
    if (!make_way(reader, action, key, name))
        return false;
    *vec_add(&keymap->bindings) = (struct binding){.action = action, .key = key, .line = reader->line};
    return true;
}

/* An action whose line has no valid key keeps the keys it had. */
static void bind_all(struct reader *reader, size_t action, const char *list) {
    char name[KEY_NAME_MAX];
    bool holds = false;

    while (keymap_next_name(&list, name))
        holds = str_equal(name, "none") || bind(reader, action, name) || holds;
    if (*list != '\0')
        keymap_read_fault(reader, "a key's name is too long");
    if (holds)
        unbind(reader, action);
}

static void read_action(struct reader *reader, const char *name, const char *keys) {
    const struct keymap *keymap = reader->keymap;
    const char *elsewhere = NULL;

    for (size_t i = 0; i < keymap->n_actions; i++) {
        const struct action *action = &keymap->actions[i];
        if (!str_equal(action->name, name))
            continue;
        if (!str_equal(action->section, reader->section)) {
            elsewhere = action->section;
        } else if (reader->lines[i] > 0) {
            keymap_read_fault(reader, "a second line for %s, the first is on line %d", name, reader->lines[i]);
            return;
        } else if (keys[strspn(keys, " ")] == '\0') {
            keymap_read_fault(reader, "%s has no key; none unbinds it", name);
            return;
        } else {
            reader->lines[i] = reader->line;
            bind_all(reader, i, keys);
            return;
        }
    }
    if (elsewhere)
        keymap_read_fault(reader, "%s belongs into [keys.%s]", name, elsewhere);
    else
        keymap_read_fault(reader, "no such action: %s; bursar keys list names them", name);
}

static void read_section(struct reader *reader, const char *line) {
    size_t len = strlen(line);
    bool known = str_starts(line, "[keys.") && line[len - 1] == ']';

    reader->section = NULL;
    for (size_t i = 0; known && !reader->section && i < reader->keymap->n_actions; i++) {
        const char *section = reader->keymap->actions[i].section;
        if (strlen(section) == len - 7 && memcmp(section, line + 6, len - 7) == 0)
            reader->section = section;
    }
    reader->skipping = !reader->section;
    if (!reader->section)
        keymap_read_fault(reader, "no such section: %s; they are called as in [keys.intents]", line);
}

static bool keymap_read_read_text(struct reader *reader, const char *text, size_t len);

/* The lines of a preset are defaults for those that follow. */
static void read_preset(struct reader *reader, const char *name) {
    struct reader preset = *reader;
    const char *text = reader->table->preset ? reader->table->preset(name) : NULL;

    if (!text) {
        keymap_read_fault(reader, "no such preset: %s", name);
        return;
    }
    preset.line = 0;
    preset.lines = mem_new_array(reader->keymap->n_actions + 1, sizeof *preset.lines);
    reader->good = keymap_read_read_text(&preset, text, strlen(text)) && reader->good;
    free(preset.lines);
    for (size_t i = 0; i < reader->keymap->bindings.n; i++)
        reader->keymap->bindings.items[i].line = 0;
}

static void keymap_read_read_line(struct reader *reader, char *line) {
    char *equals = strchr(line, '=');

    if (*line == '[') {
        read_section(reader, line);
        return;
    }
    if (!equals || equals == line) {
        keymap_read_fault(reader, "not understood: a line is ACTION = KEY KEY, or a section such as [keys.intents]");
        return;
    }
    *equals = '\0';
    line[strcspn(line, " \t")] = '\0';
    if (!reader->section && !reader->skipping && str_equal(line, "preset"))
        read_preset(reader, equals + 1 + strspn(equals + 1, " "));
    else if (reader->section)
        read_action(reader, line, equals + 1);
    else if (!reader->skipping)
        keymap_read_fault(reader, "%s stands before the first section, such as [keys.intents]", line);
}

/* Without blanks at its ends; tabs and carriage returns are blanks. */
static char *keymap_read_trim(char *line) {
    size_t len = strlen(line);

    for (size_t i = 0; i < len; i++)
        line[i] = line[i] == '\t' || line[i] == '\r' ? ' ' : line[i];
    while (len > 0 && line[len - 1] == ' ')
        line[--len] = '\0';
    return line + strspn(line, " ");
}

static bool keymap_read_read_text(struct reader *reader, const char *text, size_t len) {
    char line[LINE_MAX_BYTES];

    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        reader->line++;
        if (n >= sizeof line || memchr(text + at, '\0', n)) {
            keymap_read_fault(reader, "the line is too long, or damaged");
        } else {
            memcpy(line, text + at, n);
            line[n] = '\0';
            char *trimmed = keymap_read_trim(line);
            if (*trimmed != '\0' && *trimmed != '#')
                keymap_read_read_line(reader, trimmed);
        }
        at += n + 1;
    }
    return reader->good;
}

static int32_t fixed_key_of(const struct action_table *table) {
    char name[KEY_NAME_MAX];
    int32_t key = 0;

    for (size_t i = 0; i < table->n; i++) {
        const char *list = table->items[i].keys;
        if (table->items[i].id == table->fixed && keymap_next_name(&list, name) && input_key_parse(name, &key))
            return key;
    }
    return 0;
}

struct keymap *keymap_load(const struct action_table *table, const char *text, size_t len, const char *name,
                           struct str *report) {
    struct keymap *keymap = keymap_new(table->items, table->n);
    struct reader reader = {.keymap = keymap,
                            .table = table,
                            .name = name,
                            .fixed_key = fixed_key_of(table),
                            .report = report,
                            .good = true};

    reader.lines = mem_new_array(table->n + 1, sizeof *reader.lines);
    (void)keymap_read_read_text(&reader, text, len);
    free(reader.lines);
    return keymap;
}
