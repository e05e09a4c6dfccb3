#include "cli/help.h"

#include "topics.h"

#include "app/actions.h"
#include "base/mem.h"
#include "config/near.h"
#include "config/profile.h"
#include "query/field.h"
#include "ui/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 16, INDENT = 2, COLUMN = 26, WIDTH = 80, LABEL_MAX = 64, TOPICS_MAX = 32 };

/* Text in lines of at most WIDTH columns, each indented by `indent`; the caller has indented the first one. */
static void add_wrapped(struct str *out, const char *text, size_t indent) {
    size_t room = WIDTH - indent;
    bool first = true;
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (n > room) {
            n = room;
            while (n > 0 && text[n] != ' ')
                n--;
            if (n == 0)
                n = strcspn(text, " \n");
        }
        if (!first)
            str_add_repeat(out, ' ', indent);
        str_add_n(out, text, n);
        str_add(out, "\n");
        first = false;
        text += n;
        text += *text == '\n' ? 1 : strspn(text, " ");
    }
}

/* "  label      text", on two lines where the label is too long. */
static void cli_help_add_row(struct str *out, const char *label, const char *text) {
    size_t len = strlen(label);
    str_add_repeat(out, ' ', INDENT);
    str_add(out, label);
    if (len + INDENT + 1 > COLUMN) {
        str_add(out, "\n");
        str_add_repeat(out, ' ', COLUMN);
    } else {
        str_add_repeat(out, ' ', COLUMN - INDENT - len);
    }
    add_wrapped(out, text, COLUMN);
}

static void cli_help_add_option(struct str *out, enum option_id id) {
    const struct option *option = option_of(id);
    char label[LABEL_MAX];
    const char *before = option->value ? " " : option->optional ? "[=" : "";
    const char *value = option->value ? option->value : option->optional ? option->optional : "";
    (void)snprintf(label, sizeof label, "--%s%s%s%s", option->name, before, value, option->optional ? "]" : "");
    cli_help_add_row(out, label, option->help);
}

static void add_command(struct str *out, const struct command *command) {
    char label[LABEL_MAX];
    (void)snprintf(label, sizeof label, "%s%s%s", command->words, command->operands ? " " : "",
                   command->operands ? command->operands : "");
    cli_help_add_row(out, label[0] ? label : "(none)", command->help);
}

/* All commands, or those of a group. */
static void add_commands(struct str *out, const char *group) {
    size_t len = strlen(group);
    str_add(out, "\ncommands:\n");
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const struct command *command = command_of((enum command_id)id);
        if (command->words && (len == 0 || (strncmp(command->words, group, len) == 0 && command->words[len] == ' ')))
            add_command(out, command);
    }
}

static void cli_help_add_options(struct str *out, const struct command *command, bool global) {
    bool any = false;
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (option_of((enum option_id)id)->global != global || !command_takes(command, (enum option_id)id))
            continue;
        if (!any)
            str_add(out, global ? "\noptions of every command:\n" : "\noptions:\n");
        any = true;
        cli_help_add_option(out, (enum option_id)id);
    }
}

void help_overview(struct str *out) {
    str_add(out, "bursar: a console for the operator of a payments service\n\n"
                 "usage: bursar [OPTION]... [COMMAND]\n\n"
                 "Without a command it opens the console; with one it works without a screen.\n"
                 "To try it with nothing set up: bursar --demo\n");
    add_commands(out, "");
    cli_help_add_options(out, command_of(COMMAND_CONSOLE), true);
    str_add(out, "\ntopics of help: jobs, filter, configuration, team-store, environment,\n"
                 "                exit-status, commands\n"
                 "The manual: man bursar, man bursar-config\n");
}

char *help_command_text(const struct command *command) {
    struct str out;
    if (!command->names)
        return mem_dup(command->text);
    str_init(&out, TEXT_MAX);
    str_add(&out, command->text);
    command->names(&out);
    str_add(&out, command->text_after);
    char *text = mem_dup(out.s);
    str_clear(&out);
    return text;
}

void help_command(enum command_id id, struct str *out) {
    const struct command *command = command_of(id);
    str_addf(out, "usage: bursar %s%s%s%s\n\n%s.\n", command->words, command->operands ? " " : "",
             command->operands ? command->operands : "", command->options ? " [OPTION]..." : "", command->help);
    char *text = help_command_text(command);
    if (text) {
        str_add(out, "\n");
        add_wrapped(out, text, 0);
    }
    free(text);
    cli_help_add_options(out, command, false);
    cli_help_add_options(out, command, true);
}

static void cli_help_add_facts(struct str *out, const char *title, const struct fact *facts, size_t n) {
    str_add(out, title);
    for (size_t i = 0; i < n; i++)
        cli_help_add_row(out, facts[i].name, facts[i].text);
}

static void cli_help_add_jobs(struct str *out) {
    struct keymap *keymap = keymap_new(action_table()->items, action_table()->n);
    struct str text;
    str_init(&text, TEXT_MAX);
    str_add(out, "what operators do, as a command and as a key of the console:\n");
    for (size_t i = 0; i < n_job_facts; i++) {
        str_reset(&text);
        job_fact_text(&job_facts[i], keymap, &text);
        cli_help_add_row(out, job_facts[i].name, text.s);
    }
    str_clear(&text);
    keymap_free(keymap);
}

static void cli_help_add_keys(struct str *out) {
    struct config_key key;
    const char *section = NULL;
    str_add(out, "configuration: ~/.config/bursar/config, or what --config or BURSAR_CONFIG name\n\n"
                 "bursar config init writes a commented sample, bursar config check finds faults.\n"
                 "Texts, paths and addresses stand in single quotes; # begins a comment.\n");
    for (size_t i = 0; config_key(i, &key); i++) {
        if (!section || strcmp(section, key.section) != 0)
            str_addf(out, "\n%s\n",
                     !key.section[0]                       ? "at the top:"
                     : strcmp(key.section, "profile") == 0 ? "in profile NAME { }:"
                                                           : "in api { }, inside a profile:");
        section = key.section;
        if (key.required)
            str_addf(out, "  %s  (%s, must be given)\n", key.name, key.values);
        else
            str_addf(out, "  %s = %s  (%s)\n", key.name, key.fallback, key.values);
        str_add_repeat(out, ' ', INDENT * 3);
        add_wrapped(out, key.help, INDENT * 3);
    }
}

static void cli_help_add_chapters(struct str *out) {
    str_add(out, "a team's store: PostgreSQL beside the files of each machine; bursar help team lists the commands\n");
    for (size_t i = 0; i < n_team_chapters; i++) {
        str_addf(out, "\n%s:\n", team_chapters[i].title);
        for (size_t k = 0; k < team_chapters[i].n; k++)
            cli_help_add_row(out, team_chapters[i].facts[k].name, team_chapters[i].facts[k].text);
    }
}

static bool add_topic(const char *word, struct str *out) {
    if (strcmp(word, "jobs") == 0)
        cli_help_add_jobs(out);
    else if (strcmp(word, "configuration") == 0)
        cli_help_add_keys(out);
    else if (strcmp(word, "exit-status") == 0)
        cli_help_add_facts(out, "exit status:\n", exit_facts, n_exit_facts);
    else if (strcmp(word, "environment") == 0)
        cli_help_add_facts(out, "environment variables:\n", environment_facts, n_environment_facts);
    else if (strcmp(word, "filter") == 0)
        query_reference(out);
    else if (strcmp(word, "team-store") == 0)
        cli_help_add_chapters(out);
    else
        return false;
    return true;
}

static bool cli_help_is_group(const char *word) {
    size_t len = strlen(word);
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const char *words = command_of((enum command_id)id)->words;
        if (words && len > 0 && strncmp(words, word, len) == 0 && words[len] == ' ')
            return true;
    }
    return false;
}

static enum err unknown_topic(const char *word, struct error *error) {
    const char *choices = command_of(COMMAND_HELP)->choices;
    char names[TOPICS_MAX][LABEL_MAX];
    const char *list[TOPICS_MAX];
    size_t n = 0, len;
    for (const char *at; n < COUNT_OF(names) && (at = word_at(choices, n, &len)) != NULL; n++) {
        (void)snprintf(names[n], LABEL_MAX, "%.*s", (int)len, at);
        list[n] = names[n];
    }
    const char *near = near_word(word, list, n);
    if (near)
        return error_set(error, ERR_USAGE, "no help on %s; did you mean %s?", word, near);
    return error_set(error, ERR_USAGE, "no help on %s; topics are: %s", word, choices);
}

enum err help_topic(const char *const *words, size_t n, struct str *out, struct error *error) {
    size_t used;
    int id = command_find(words, n, &used);
    if (n == 0) {
        help_overview(out);
    } else if (id >= 0 && used == n) {
        help_command((enum command_id)id, out);
    } else if (n == 1 && cli_help_is_group(words[0])) {
        str_addf(out, "usage: bursar %s COMMAND\n", words[0]);
        add_commands(out, words[0]);
        str_addf(out, "\nMore on one of them: bursar help %s COMMAND\n", words[0]);
    } else if (n != 1 || !add_topic(words[0], out)) {
        return unknown_topic(words[n > 1 && cli_help_is_group(words[0]) ? 1 : 0], error);
    }
    return ERR_OK;
}
