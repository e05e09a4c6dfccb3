#include "cli/help.h"

#include "topics.h"

#include "app/actions.h"
#include "base/mem.h"
#include "config/profile.h"
#include "ui/keymap.h"

#include <stdlib.h>
#include <string.h>

/* Text in man(7) markup: hyphens are minus signs, nothing at a line's start is a request. */
static void manual_add_text(struct str *out, const char *text) {
    bool start = out->len == 0 || out->s[out->len - 1] == '\n';
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            str_add(out, "\\&");
        start = *text == '\n';
        if (*text == '-')
            str_add(out, "\\-");
        else if (*text == '\\')
            str_add(out, "\\e");
        else
            str_add_char(out, *text);
    }
}

static void add_font(struct str *out, const char *font, const char *text) {
    str_addf(out, "\\f%s", font);
    manual_add_text(out, text);
    str_add(out, "\\fR");
}

static void manual_add_option(struct str *out, const struct option *option) {
    str_add(out, ".TP\n\\fB\\-\\-");
    manual_add_text(out, option->name);
    str_add(out, "\\fR");
    if (option->value) {
        str_add(out, " ");
        add_font(out, "I", option->value);
    } else if (option->optional) {
        str_add(out, "[=");
        add_font(out, "I", option->optional);
        str_add(out, "]");
    }
    str_add(out, "\n");
    manual_add_text(out, option->help);
    str_add(out, ".\n");
}

static void add_synopsis(struct str *out, const struct command *command) {
    str_add(out, "\\fBbursar\\fR");
    if (command->words[0]) {
        str_add(out, " ");
        add_font(out, "B", command->words);
    }
    if (command->operands) {
        str_add(out, " ");
        add_font(out, "I", command->operands);
    }
    str_add(out, " [\\fIOPTION\\fR]...\n");
}

static void part_synopsis(struct str *out) {
    for (int id = 0; id < COMMAND_COUNT; id++) {
        if (!command_of((enum command_id)id)->words)
            continue;
        if (id > 0)
            str_add(out, ".br\n");
        add_synopsis(out, command_of((enum command_id)id));
    }
}

static void part_options(struct str *out) {
    for (int id = 0; id < OPTION_COUNT; id++)
        if (option_of((enum option_id)id)->global)
            manual_add_option(out, option_of((enum option_id)id));
}

static void add_paragraphs(struct str *out, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        char *line = mem_dup_n(text, n);
        str_add(out, ".PP\n");
        manual_add_text(out, line);
        str_add(out, "\n");
        free(line);
        text += n + (text[n] == '\n');
    }
}

static void part_commands(struct str *out) {
    for (int id = 1; id < COMMAND_COUNT; id++) {
        const struct command *command = command_of((enum command_id)id);
        if (!command->words)
            continue;
        str_add(out, ".SS \"");
        manual_add_text(out, command->words);
        str_addf(out, "%s%s\"\n", command->operands ? " " : "", command->operands ? command->operands : "");
        manual_add_text(out, command->help);
        str_add(out, ".\n");
        char *text = help_command_text(command);
        if (text)
            add_paragraphs(out, text);
        free(text);
        for (int option = 0; option < OPTION_COUNT; option++)
            if (command->options >> option & 1)
                manual_add_option(out, option_of((enum option_id)option));
    }
}

static void manual_add_facts(struct str *out, const struct fact *facts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        str_add(out, ".TP\n");
        add_font(out, "B", facts[i].name);
        str_add(out, "\n");
        manual_add_text(out, facts[i].text);
        str_add(out, "\n");
    }
}

static void part_exit_status(struct str *out) {
    manual_add_facts(out, exit_facts, n_exit_facts);
}

static void part_environment(struct str *out) {
    manual_add_facts(out, environment_facts, n_environment_facts);
}

static void part_team_store(struct str *out) {
    for (size_t i = 0; i < n_team_chapters; i++) {
        str_addf(out, ".SS \"%s\"\n", team_chapters[i].title);
        manual_add_facts(out, team_chapters[i].facts, team_chapters[i].n);
    }
}

static void part_jobs(struct str *out) {
    struct keymap *keymap = keymap_new(action_table()->items, action_table()->n);
    struct str text;
    str_init(&text, 1024);
    for (size_t i = 0; i < n_job_facts; i++) {
        str_reset(&text);
        job_fact_text(&job_facts[i], keymap, &text);
        str_add(out, ".TP\n");
        add_font(out, "B", job_facts[i].name);
        str_add(out, "\n");
        size_t n = strcspn(text.s, "\n");
        char *line = mem_dup_n(text.s, n);
        manual_add_text(out, line);
        str_add(out, text.s[n] ? "\n.br\n" : "\n");
        if (text.s[n]) {
            manual_add_text(out, text.s + n + 1);
            str_add(out, "\n");
        }
        free(line);
    }
    str_clear(&text);
    keymap_free(keymap);
}

static void part_keys(struct str *out) {
    size_t n;
    const struct action *table = actions(&n);
    struct keymap *keymap = keymap_new(table, n);
    const char *section = "";
    for (size_t i = 0; i < n; i++) {
        struct str keys;
        str_init(&keys, 256);
        keymap_keys(keymap, table[i].id, &keys);
        if (strcmp(section, table[i].section) != 0)
            str_addf(out, ".SS %s\n", table[i].section);
        section = table[i].section;
        str_add(out, ".TP\n");
        add_font(out, "B", keys.len ? keys.s : "unbound");
        str_add(out, "\n");
        manual_add_text(out, table[i].help);
        str_add(out, " (");
        manual_add_text(out, table[i].name);
        str_add(out, ").\n");
        str_clear(&keys);
    }
    keymap_free(keymap);
}

static void part_configuration(struct str *out) {
    struct config_key key;
    const char *section = NULL;
    for (size_t i = 0; config_key(i, &key); i++) {
        if (!section || strcmp(section, key.section) != 0)
            str_addf(out, ".SS \"%s\"\n",
                     !key.section[0]                       ? "At the top of the file"
                     : strcmp(key.section, "profile") == 0 ? "In a block profile NAME { }"
                                                           : "In a block api { } of a profile");
        section = key.section;
        str_add(out, ".TP\n");
        add_font(out, "B", key.name);
        str_add(out, " = ");
        add_font(out, "I", key.values);
        str_add(out, key.required ? " (must be given" : " (default: ");
        manual_add_text(out, key.required ? "" : key.fallback);
        str_add(out, ")\n");
        manual_add_text(out, key.help);
        str_add(out, "\n");
    }
}

bool manual_part(const char *name, struct str *out) {
    static const struct {
        const char *name;
        void (*print)(struct str *out);
    } parts[] = {
        {"synopsis", part_synopsis},       {"options", part_options},
        {"commands", part_commands},       {"jobs", part_jobs},
        {"exit-status", part_exit_status}, {"keys", part_keys},
        {"environment", part_environment}, {"configuration", part_configuration},
        {"team-store", part_team_store},
    };
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (strcmp(parts[i].name, name) == 0) {
            parts[i].print(out);
            return true;
        }
    }
    return false;
}
