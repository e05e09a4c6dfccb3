#include "config/own_actions.h"

#include "config/keys.h"
#include "config/own.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

__asm__(".pushsection .rodata\n"
        ".global own_actions_sample\n"
        ".type own_actions_sample, %object\nown_actions_sample:\n"
        ".incbin \"src/config/actions.sample\"\n"
        ".byte 0\n"
        ".size own_actions_sample, . - own_actions_sample\n"
        ".popsection\n");

enum { ACTIONS_MAX = 50, WORDS_MAX = 64, NAME_BYTES = 128, ARGUMENT_MAX = 4096, VALUE_MAX = 1024 };

static void own_action_free(struct own_action *action) {
    for (size_t i = 0; i < action->n; i++)
        free(action->argv[i]);
    free(action->argv);
    free(action->personal);
    free(action->name);
}

void own_actions_clear(struct own_actions *actions) {
    for (size_t i = 0; i < actions->n; i++)
        own_action_free(&actions->items[i]);
    free(actions->items);
    *actions = (struct own_actions){0};
}

/* The next placeholder at or behind `at`: its field, and where it begins and ends. -2: there is none; -1: no field has
 * that name. */
static int own_placeholder(const char *at, const char **begin, const char **end) {
    char name[NAME_BYTES] = "";
    *begin = strchr(at, '{');
    *end = *begin ? strchr(*begin, '}') : NULL;
    if (!*begin)
        return -2;
    size_t len = *end ? (size_t)(*end - *begin) - 1 : NAME_BYTES;
    if (len >= NAME_BYTES)
        return -1;
    memcpy(name, *begin + 1, len);
    ++*end;
    return intent_field_find(name);
}

/* Words separated by blanks; quotes of either kind hold blanks. */
static bool own_split(struct own_action *action, const char *text, struct str *reason) {
    while (*(text += strspn(text, " \t"))) {
        char quote = *text == '"' || *text == '\'' ? *text : '\0';
        const char *from = text + (quote ? 1 : 0), *to = quote ? strchr(from, quote) : from + strcspn(from, " \t");
        if (!to || action->n == WORDS_MAX) {
            str_add(reason, to ? "run: too many words" : "run: a quote is not closed");
            return false;
        }
        action->argv = vec_grow(action->argv, action->n, &action->cap, sizeof *action->argv);
        action->argv[action->n++] = mem_dup_n(from, (size_t)(to - from));
        text = to + (quote ? 1 : 0);
    }
    return true;
}

static bool own_is_named(const char *list, const char *path) {
    size_t len = strlen(path);
    for (const char *at = list; at && (at = strstr(at, path)); at += len)
        if ((at == list || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
            return true;
    return false;
}

static bool own_check_argument(const struct own_action *action, const char *argument, struct str *reason) {
    const char *begin, *end;
    int field;
    while ((field = own_placeholder(argument, &begin, &end)) != -2) {
        if (field < 0) {
            str_addf(reason, "run: %s has no field of an intent between { and }", argument);
            return false;
        }
        const char *path = intent_field_path((enum intent_field)field);
        if (INTENT_FIELDS[field].handover != HANDOVER_WHOLE && !own_is_named(action->personal, path)) {
            str_addf(reason, "run: %s is of a person or an account: personal = %s hands it over", path, path);
            return false;
        }
        argument = end;
    }
    return true;
}

static bool own_check(const struct own_action *action, struct str *reason) {
    if (action->n == 0) {
        str_add(reason, "the section has no run = PROGRAM ARGUMENT ...");
        return false;
    }
    if (!check_program(action->argv[0], reason))
        return false;
    if (strchr(action->argv[0], '{') || action->argv[0][0] == '-') {
        str_add(reason, "run: the program is no placeholder");
        return false;
    }
    bool good = true;
    for (size_t i = 1; i < action->n && good; i++)
        good = own_check_argument(action, action->argv[i], reason);
    return good;
}

static bool own_begin(struct own_actions *actions, const struct own_line *line, struct str *reason) {
    for (size_t i = 0; i < actions->n; i++)
        if (str_equal(actions->items[i].name, line->section))
            str_addf(reason, "a second section for %s", line->section);
    if (reason->len == 0 && actions->n == ACTIONS_MAX)
        str_addf(reason, "there are more than %d actions", ACTIONS_MAX);
    if (reason->len > 0)
        return false;
    *vec_add(actions) = (struct own_action){.name = mem_dup(line->section), .line = line->number};
    return true;
}

static bool own_take_value(struct own_action *action, const struct own_line *line, struct str *reason) {
    if (str_equal(line->name, "run") && action->n == 0)
        return own_split(action, line->value, reason);
    if (str_equal(line->name, "personal") && !action->personal) {
        action->personal = mem_dup(line->value);
        return true;
    }
    bool yes = str_equal(line->value, "yes");
    if (str_equal(line->name, "reads") && !action->reads_given && (yes || str_equal(line->value, "no"))) {
        action->reads_given = true;
        action->reads = yes;
        return true;
    }
    str_addf(reason, "%s: the names are run, personal and reads = yes or no, each once", line->name);
    return false;
}

/* Half an action is none: a line with a fault costs its section. */
static bool own_take(void *context, const struct own_line *line, struct str *reason) {
    struct own_actions *actions = context;
    if (!line->name && !line->faulty)
        return own_begin(actions, line, reason);
    struct own_action *action = &actions->items[actions->n - 1];
    if (!line->faulty)
        return own_take_value(action, line, reason);
    action->faulty = true;
    return true;
}

void own_actions_parse(struct own_actions *actions, const char *name, const char *text, struct str *report) {
    struct str reason;
    size_t kept = 0;
    str_init(&reason, ARGUMENT_MAX);
    (void)own_sections(name, text, own_take, actions, report);
    for (size_t i = 0; i < actions->n; i++) {
        str_reset(&reason);
        if (actions->items[i].faulty) {
            own_action_free(&actions->items[i]); /* its fault was told */
        } else if (own_check(&actions->items[i], &reason)) {
            actions->items[kept++] = actions->items[i];
        } else {
            own_fault(report, name, actions->items[i].line, reason.s);
            own_action_free(&actions->items[i]);
        }
    }
    actions->n = kept;
    str_clear(&reason);
}

bool own_actions_load(struct own_actions *actions, struct str *report) {
    struct str text;
    str_init(&text, OWN_FILE_MAX + 1);
    bool there = own_read("actions", &text, report);
    own_actions_parse(actions, "actions", text.s, report);
    str_clear(&text);
    return there;
}

static enum err own_add_value(const struct intent *intent, enum intent_field field, struct str *out,
                              struct error *error) {
    const char *path = intent_field_path(field), *shown = NULL;
    bool there = intent_field_text(intent, field, &shown) == VALUE_OK && shown && *shown;
    const char *text =
        there ? intent_field_exact(intent, field) : NULL; /* a program gets it as served, or not at all */
    if (!text)
        return error_set(error, ERR_USAGE, "this intent has no %s", path);
    if (text[0] == '-' || strlen(text) > VALUE_MAX || !utf8_is_clean(text, strlen(text)))
        return error_set(error, ERR_USAGE,
                         "%s of this intent cannot be an argument: it begins with '-', is too long, or "
                         "holds characters that are invisible or control a terminal",
                         path);
    str_add(out, text);
    return ERR_OK;
}

static enum err own_fill_argument(const char *argument, const struct intent *intent, struct str *out,
                                  struct error *error) {
    const char *begin, *end;
    int field;
    enum err err = ERR_OK;
    while (err == ERR_OK && (field = own_placeholder(argument, &begin, &end)) >= 0) {
        str_add_n(out, argument, (size_t)(begin - argument));
        err = own_add_value(intent, (enum intent_field)field, out, error);
        argument = end;
    }
    str_add(out, argument);
    return err == ERR_OK && out->truncated ? error_set(error, ERR_USAGE, "an argument is too long") : err;
}

enum err own_action_fill(const struct own_action *action, const struct intent *intent, struct own_argv *out,
                         struct error *error) {
    enum err err = ERR_OK;
    struct str argument;
    str_init(&argument, ARGUMENT_MAX);
    for (size_t i = 0; i < action->n && err == ERR_OK; i++) {
        str_reset(&argument);
        err = own_fill_argument(action->argv[i], intent, &argument, error);
        *vec_add(out) = mem_dup_n(argument.s, argument.len);
    }
    *vec_add(out) = NULL;
    str_clear(&argument);
    return err;
}

void own_argv_clear(struct own_argv *argv) {
    for (size_t i = 0; i < argv->n; i++)
        free(argv->items[i]);
    free(argv->items);
    *argv = (struct own_argv){0};
}
