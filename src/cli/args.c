#include "cli/args.h"

#include "app/sample.h"
#include "base/mem.h"
#include "base/str.h"
#include "config/near.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 8, NAME_MAX_LEN = 48 };

struct parser {
    int argc, at;
    char *const *argv;
    struct args *args;
    bool seen[OPTION_COUNT];
    const char *words[WORDS_MAX]; /* what is no option */
    size_t n_words;
    struct error *error;
};

static enum err args_unknown(struct error *error, const char *what, const char *word, const char *near) {
    if (near)
        return error_set(error, ERR_USAGE, "no such %s: %s; did you mean %s?", what, word, near);
    return error_set(error, ERR_USAGE, "no such %s: %s; see bursar help", what, word);
}

/* Blank-separated words as separate strings in the caller's array. */
static size_t split(const char *words, char names[][NAME_MAX_LEN], const char **list, size_t max) {
    size_t n = 0, len;
    for (const char *word; n < max && (word = word_at(words, n, &len)) != NULL; n++) {
        (void)snprintf(names[n], NAME_MAX_LEN, "%.*s", (int)len, word);
        list[n] = names[n];
    }
    return n;
}

/* Position of value among an option's words, or -1 with the error set. */
static int choice(const struct option *option, const char *value, struct error *error) {
    char names[WORDS_MAX][NAME_MAX_LEN];
    const char *list[WORDS_MAX];
    size_t n = split(option->words, names, list, WORDS_MAX);
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], value) == 0)
            return (int)i;
    const char *near = near_word(value, list, n);
    if (near)
        (void)error_set(error, ERR_USAGE, "--%s: no such word: %s; did you mean %s?", option->name, value, near);
    else
        (void)error_set(error, ERR_USAGE, "--%s: no such word: %s; it is one of: %s", option->name, value,
                        option->words);
    return -1;
}

static enum err keep_number(const struct option *option, long long *place, const char *value, struct error *error) {
    if (!str_to_int64(value, strlen(value), place) || *place < 1)
        return error_set(error, ERR_USAGE, "--%s: %s is not a whole number above 0", option->name, value);
    return ERR_OK;
}

/* value: NULL for a flag. */
static enum err args_keep(struct parser *parser, enum option_id id, const char *value) {
    const struct option *option = option_of(id);
    void *place = (char *)parser->args + option->place;
    if (!value) {
        if (option->keep == OPTION_KEEPS_FLAG)
            *(bool *)place = true;
        if (option->keep == OPTION_KEEPS_OPTIONAL)
            *(const char **)place = "";
        return ERR_OK;
    }
    /* For words that the service defines the list is only a suggestion: others can be typed. */
    int index = option->keep == OPTION_KEEPS_CHOICE || option->keep == OPTION_KEEPS_WORD
                    ? choice(option, value, parser->error)
                    : 0;
    if (index < 0)
        return ERR_USAGE;
    switch (option->keep) {
    case OPTION_KEEPS_NOTHING:
    case OPTION_KEEPS_FLAG:
        break;
    case OPTION_KEEPS_TEXT:
    case OPTION_KEEPS_WORD:
    case OPTION_KEEPS_OPTIONAL:
        *(const char **)place = value;
        break;
    case OPTION_KEEPS_CHOICE:
        *(unsigned *)place = (unsigned)index;
        break;
    case OPTION_KEEPS_NUMBER:
        return keep_number(option, place, value, parser->error);
    case OPTION_KEEPS_HEADER:
        if (parser->args->n_headers == ARGS_HEADERS_MAX)
            return error_set(parser->error, ERR_USAGE, "--header is given more than %d times", ARGS_HEADERS_MAX);
        parser->args->headers[parser->args->n_headers++] = value;
        break;
    case OPTION_KEEPS_STATUS:
        if (parser->args->n_statuses == ARGS_STATUSES_MAX)
            return error_set(parser->error, ERR_USAGE, "--status is given more than %d times", ARGS_STATUSES_MAX);
        parser->args->statuses[parser->args->n_statuses++] = value;
        break;
    }
    return ERR_OK;
}

static int args_find_option(const char *name, size_t len) {
    for (int id = 0; id < OPTION_COUNT; id++)
        if (strlen(option_of((enum option_id)id)->name) == len &&
            memcmp(option_of((enum option_id)id)->name, name, len) == 0)
            return id;
    return -1;
}

/* No message quotes the value, whatever the option was meant to be: it may be a secret. */
static enum err unknown_option(struct parser *parser, const char *name, size_t len) {
    static const char *const secrets[] = {"token", "api-key", "apikey", "key", "password", "bearer"};
    char *word = mem_dup_n(name, len < NAME_MAX_LEN ? len : NAME_MAX_LEN);
    const char *names[OPTION_COUNT];
    enum err err = ERR_OK;
    if (strcmp(word, "secret") == 0)
        err = error_set(parser->error, ERR_USAGE,
                        "--secret is refused: others on this machine can read arguments. A file holds the webhook's "
                        "secret: --secret-file FILE");
    for (size_t i = 0; i < COUNT_OF(secrets); i++)
        if (strcmp(word, secrets[i]) == 0)
            err =
                error_set(parser->error, ERR_USAGE,
                          "--%s is refused: others on this machine can read arguments. Name the token's source in the "
                          "configuration: token_command, token_file or token_env (bursar help configuration)",
                          word);
    for (int id = 0; id < OPTION_COUNT; id++)
        names[id] = option_of((enum option_id)id)->name;
    const char *near = near_word(word, names, OPTION_COUNT);
    if (err == ERR_OK && near)
        err = error_set(parser->error, ERR_USAGE, "no such option: --%s; did you mean --%s?", word, near);
    else if (err == ERR_OK)
        err = error_set(parser->error, ERR_USAGE, "no such option: --%s; see bursar help", word);
    free(word);
    return err;
}

static enum err take_option(struct parser *parser, const char *name) {
    size_t len = strcspn(name, "=");
    int id = args_find_option(name, len);
    const char *value = name[len] == '=' ? name + len + 1 : NULL;
    if (id < 0)
        return unknown_option(parser, name, len);
    const struct option *option = option_of((enum option_id)id);
    if (!option->value && value && !option->optional)
        return error_set(parser->error, ERR_USAGE, "--%s takes no value", option->name);
    if (option->value && !value) {
        if (parser->at + 1 >= parser->argc)
            return error_set(parser->error, ERR_USAGE, "--%s needs a value: %s", option->name, option->value);
        value = parser->argv[++parser->at];
    }
    if (value && value[0] == '\0')
        return error_set(parser->error, ERR_USAGE, "--%s: the value is empty", option->name);
    if (parser->seen[id] && !option->repeats)
        return error_set(parser->error, ERR_USAGE, "--%s is given twice", option->name);
    parser->seen[id] = true;
    return args_keep(parser, (enum option_id)id, value);
}

static enum err args_take_word(struct parser *parser, const char *word) {
    if (parser->n_words == WORDS_MAX)
        return error_set(parser->error, ERR_USAGE, "too many words: %s", word);
    parser->words[parser->n_words++] = word;
    return ERR_OK;
}

/* An excluding term of the filter language, as `-status:declined`: no option begins with a single dash. */
static bool is_term(const char *word) {
    return word[0] == '-' && word[1] != '-' && strpbrk(word, ":=<>");
}

static enum err take_all(struct parser *parser) {
    bool options_end = false;
    enum err err = ERR_OK;
    for (parser->at = 1; parser->at < parser->argc && err == ERR_OK; parser->at++) {
        const char *word = parser->argv[parser->at];
        if (options_end || word[0] != '-' || word[1] == '\0' || is_term(word))
            err = args_take_word(parser, word);
        else if (strcmp(word, "--") == 0)
            options_end = true;
        else if (strcmp(word, "-h") == 0)
            err = take_option(parser, "help");
        else if (word[1] == '-')
            err = take_option(parser, word + 2);
        else
            err =
                error_set(parser->error, ERR_USAGE,
                          "no such option: -%c; options begin with --, and what follows -- by itself is none", word[1]);
    }
    return err;
}

/* Which words may follow those that are known, for a message. */
static void add_followers(const char *group, size_t group_len, struct str *out) {
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const char *words = command_of((enum command_id)id)->words;
        if (words && strncmp(words, group, group_len) == 0 && words[group_len] == ' ')
            str_addf(out, "%s%s", out->len ? ", " : "", words + group_len + 1);
    }
}

/* The nearest word that can be at this place: after a group one of its words, else a first word. */
static enum err unknown_command(const struct parser *parser) {
    char names[COMMAND_COUNT][NAME_MAX_LEN];
    const char *list[COMMAND_COUNT];
    const char *first = parser->words[0];
    size_t n = 0, len = strlen(first);
    struct str followers;
    str_init(&followers, 256);
    add_followers(first, len, &followers);
    enum err err;
    if (followers.len > 0 && parser->n_words == 1) {
        err = error_set(parser->error, ERR_USAGE, "%s needs a word: %s", first, followers.s);
        goto out;
    }
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const char *words = command_of((enum command_id)id)->words;
        bool in_group = words && strncmp(words, first, len) == 0 && words[len] == ' ';
        if (!words || !words[0] || (followers.len > 0 && !in_group))
            continue;
        words += followers.len > 0 ? len + 1 : 0;
        (void)snprintf(names[n], NAME_MAX_LEN, "%.*s", (int)strcspn(words, " "), words);
        list[n] = names[n];
        n++;
    }
    const char *word = followers.len > 0 ? parser->words[1] : first;
    char what[NAME_MAX_LEN + 16];
    (void)snprintf(what, sizeof what, "command%s%.40s", followers.len > 0 ? " of " : "",
                   followers.len > 0 ? first : "");
    err = args_unknown(parser->error, what, word, near_word(word, list, n));
out:
    str_clear(&followers);
    return err;
}

static enum err args_check_sample(struct args *args, struct error *error) {
    if (args->seed && !args->sample)
        return error_set(error, ERR_USAGE, "--seed goes with --sample N");
    if (args->sample > SAMPLE_MAX)
        return error_set(error, ERR_USAGE, "--sample: at most %d", SAMPLE_MAX);
    if (args->sample && args->limit)
        return error_set(error, ERR_USAGE, "--sample draws from all that match: --limit does not go with it");
    if (args->sample && !args->all && !args->cached)
        return error_set(error, ERR_USAGE,
                         "--sample draws from a whole list: --all reads the service's to its end first, --cached draws "
                         "from what was read before");
    args->all = args->all || args->sample > 0;
    return ERR_OK;
}

static enum err args_check_output(const struct parser *parser, const struct command *command) {
    struct args *args = parser->args;
    bool sqlite = args->format == OUTPUT_SQLITE, csv = args->format == OUTPUT_CSV || args->format == OUTPUT_CSV_EXCEL;
    if (csv && !command_takes(command, OPTION_CSV_GUARD))
        return error_set(parser->error, ERR_USAGE, "%s prints no CSV", command->words);
    if (sqlite && !command_takes(command, OPTION_OUTPUT))
        return error_set(parser->error, ERR_USAGE, "--format sqlite is of intents list alone");
    if (sqlite && !args->output)
        return error_set(parser->error, ERR_USAGE, "--format sqlite needs --output FILE");
    if (!sqlite && args->output)
        return error_set(parser->error, ERR_USAGE, "--output goes with --format sqlite; > FILE takes what is printed");
    return args_check_sample(args, parser->error);
}

static enum err check_options(const struct parser *parser, const struct command *command) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        const char *name = option_of((enum option_id)id)->name;
        if (!parser->seen[id] || command_takes(command, (enum option_id)id))
            continue;
        if (!command->words[0])
            return error_set(parser->error, ERR_USAGE, "--%s needs a command; see bursar help", name);
        return error_set(parser->error, ERR_USAGE, "%s takes no --%s", command->words, name);
    }
    enum err err = args_check_output(parser, command);
    if (err != ERR_OK)
        return err;
    if (parser->args->all && parser->args->limit)
        return error_set(parser->error, ERR_USAGE, "--all and --limit exclude each other");
    if (parser->args->demo && (parser->args->profile || parser->args->config))
        return error_set(parser->error, ERR_USAGE,
                         "--demo has its own profile: --profile and --config do not go with it");
    if (parser->args->demo && command->kept)
        return error_set(
            parser->error, ERR_USAGE,
            "--demo keeps nothing when it ends, and %s is about what this machine keeps: without --demo it "
            "works on your own files",
            command->words);
    return ERR_OK;
}

static enum err check_operands(const struct parser *parser, const struct command *command, size_t used) {
    size_t n = parser->n_words - used;
    if (n > command->operands_max)
        return error_set(parser->error, ERR_USAGE, "%s takes no further word: %s", command->words,
                         parser->words[used + command->operands_max]);
    if (n < command->operands_min)
        return error_set(parser->error, ERR_USAGE, "%s needs %s", command->words, command->operands);
    for (size_t i = 0; i < n; i++)
        parser->args->operands[i] = parser->words[used + i];
    parser->args->n_operands = n;
    return ERR_OK;
}

/* --help takes the words around it as its topic. */
static enum err ask_help(const struct parser *parser) {
    parser->args->command = COMMAND_HELP;
    size_t n = parser->n_words < ARGS_OPERANDS_MAX ? parser->n_words : ARGS_OPERANDS_MAX;
    for (size_t i = 0; i < n; i++)
        parser->args->operands[i] = parser->words[i];
    parser->args->n_operands = n;
    return ERR_OK;
}

enum err args_parse(int argc, char *const argv[], struct args *out, struct error *error) {
    *out = (struct args){0};
    struct parser parser = {.argc = argc, .argv = argv, .args = out, .error = error};
    enum err err = take_all(&parser);
    if (err != ERR_OK)
        return err;
    if (parser.seen[OPTION_HELP])
        return ask_help(&parser);
    if (parser.seen[OPTION_VERSION]) {
        out->command = COMMAND_VERSION;
        return ERR_OK;
    }
    size_t used;
    int id = command_find(parser.words, parser.n_words, &used);
    if (id < 0)
        return unknown_command(&parser);
    out->command = (enum command_id)id;
    err = check_options(&parser, command_of(out->command));
    if (err == ERR_OK)
        err = check_operands(&parser, command_of(out->command), used);
    return err;
}
