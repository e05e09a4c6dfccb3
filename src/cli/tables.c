#include "cli/args.h"

#include "base/mem.h"

#include <string.h>

static const struct option options[OPTION_COUNT] = {
    [OPTION_PROFILE] = {.name = "profile",
                        .value = "NAME",
                        .kind = VALUE_PROFILE,
                        .global = true,
                        .help = "Use this profile of the configuration"},
    [OPTION_CONFIG] =
        {.name = "config", .value = "FILE", .kind = VALUE_FILE, .global = true, .help = "Read this configuration file"},
    [OPTION_READ_ONLY] = {.name = "read-only", .global = true, .help = "Refuse every write, whatever the profile says"},
    [OPTION_DEMO] = {.name = "demo",
                     .global = true,
                     .help = "Try it on a local sandbox with invented intents; nothing is kept"},
    [OPTION_THEME] = {.name = "theme",
                      .value = "NAME",
                      .kind = VALUE_THEME,
                      .global = true,
                      .help = "Use this theme, by name or by path"},
    [OPTION_COLOR] = {.name = "color",
                      .value = "WHEN",
                      .kind = VALUE_WORDS,
                      .words = "auto never 16 256 truecolor",
                      .global = true,
                      .help = "Colours of the terminal: auto, never, 16, 256 or truecolor"},
    [OPTION_VERSION] = {.name = "version", .global = true, .help = "Print the version and end"},
    [OPTION_HELP] = {.name = "help", .global = true, .help = "Print help on the command and end"},
    [OPTION_STATUS] = {.name = "status",
                       .value = "STATUS",
                       .kind = VALUE_WORDS,
                       .words = "created approved declined pending canceled",
                       .repeats = true,
                       .help = "Only intents of this status; may be given several times"},
    [OPTION_TYPE] = {.name = "type",
                     .value = "TYPE",
                     .kind = VALUE_WORDS,
                     .words = "primary card_only",
                     .help = "Only intents of this flow type"},
    [OPTION_LIMIT] = {.name = "limit",
                      .value = "N",
                      .kind = VALUE_FREE,
                      .help = "Read pages until N intents are printed"},
    [OPTION_ALL] = {.name = "all", .help = "Read every page"},
    [OPTION_FORMAT] = {.name = "format",
                       .value = "FORMAT",
                       .kind = VALUE_WORDS,
                       .words = "table json ndjson csv",
                       .help = "How to print: table, json, ndjson or csv"},
    [OPTION_CACHED] = {.name = "cached", .help = "Read the cache alone: no token, no network"},
    [OPTION_UNKNOWN] = {.name = "unknown", .help = "List fields and values that the interface does not name"},
};

#define TAKES(id) (1u << OPTION_##id)

static const struct command commands[COMMAND_COUNT] = {
    [COMMAND_CONSOLE] = {.words = "", .profile = true, .help = "Open the console"},
    [COMMAND_INTENTS_LIST] =
        {.words = "intents list",
         .options = TAKES(STATUS) | TAKES(TYPE) | TAKES(LIMIT) | TAKES(ALL) | TAKES(FORMAT) | TAKES(CACHED),
         .profile = true,
         .help = "Print payment intents, newest first",
         .text = "Prints one page of the service, filtered by the service, and says on standard error whether there is "
                 "more. --limit reads on until N intents are printed, --all until the end. --cached prints what was "
                 "read before, newest first, 100 unless told otherwise.\n"
                 "json and ndjson print each intent as it was served, digit for digit. csv prints every named field; "
                 "text that a spreadsheet would run as a formula gets an apostrophe in front. table is for reading: "
                 "columns that do not fit the terminal are left out.\n"
                 "Exit status 8 says that the walk was cut short; what there was is printed."},
    [COMMAND_CACHE_STATS] = {.words = "cache stats",
                             .options = TAKES(UNKNOWN),
                             .profile = true,
                             .offline = true,
                             .help = "Print what the cache of a profile holds",
                             .text = "--unknown lists the fields and values that the service sends and the interface "
                                     "does not name, with how often and when they were seen."},
    [COMMAND_CACHE_VERIFY] = {.words = "cache verify",
                              .profile = true,
                              .offline = true,
                              .help = "Check every row of the cache",
                              .text = "Rows that fail their check are dropped, and fetched again when met. Exit status "
                                      "9 where there was one."},
    [COMMAND_CACHE_PURGE] = {.words = "cache purge",
                             .profile = true,
                             .offline = true,
                             .help = "Remove everything from the cache of a profile",
                             .text =
                                 "Rows, pages and observed changes go, free space and logs are overwritten. Exports "
                                 "and backups are beyond its reach."},
    [COMMAND_CONFIG_INIT] = {.words = "config init",
                             .help = "Write a new, commented configuration file",
                             .text = "Writes a sample with every key, open to you alone, and prints its path. A file "
                                     "that is there is never overwritten."},
    [COMMAND_CONFIG_CHECK] = {.words = "config check",
                              .help = "Check the configuration file",
                              .text = "Prints each fault as FILE:LINE: REASON. Exit status 9 where there is one."},
    [COMMAND_CONFIG_PATH] = {.words = "config path", .help = "Print the path of the configuration file"},
    [COMMAND_KEYS_LIST] = {.words = "keys list", .help = "Print the keys of the console and what they do"},
    [COMMAND_THEME_LIST] = {.words = "theme list", .help = "Print the themes that can be used, and where they are"},
    [COMMAND_THEME_SHOW] = {.words = "theme show",
                            .operands = "NAME",
                            .operands_min = 1,
                            .operands_max = 1,
                            .kind = VALUE_THEME,
                            .help = "Print a theme's file"},
    [COMMAND_THEME_CHECK] = {.words = "theme check",
                             .operands = "NAME",
                             .operands_min = 1,
                             .operands_max = 1,
                             .kind = VALUE_THEME,
                             .help = "Check a theme: unknown words, contrast, statuses alike",
                             .text = "Prints each fault. Exit status 9 where there is one."},
    [COMMAND_COMPLETION] = {.words = "completion",
                            .operands = "SHELL",
                            .operands_min = 1,
                            .operands_max = 1,
                            .kind = VALUE_WORDS,
                            .choices = "bash zsh fish",
                            .help = "Print completions for bash, zsh or fish",
                            .text = "bash: eval \"$(bursar completion bash)\" in ~/.bashrc\n"
                                    "zsh: bursar completion zsh > a folder of $fpath, as _bursar\n"
                                    "fish: bursar completion fish > ~/.config/fish/completions/bursar.fish"},
    [COMMAND_HELP] = {.words = "help",
                      .operands = "[TOPIC]",
                      .operands_max = ARGS_OPERANDS_MAX,
                      .kind = VALUE_WORDS,
                      .choices = "intents cache config keys theme completion configuration environment exit-status",
                      .help = "Print help on a command or a topic"},
    [COMMAND_VERSION] = {.words = NULL},
};

const struct command *command_of(enum command_id id) {
    return &commands[id];
}

const struct option *option_of(enum option_id id) {
    return &options[id];
}

bool command_takes(const struct command *command, enum option_id id) {
    return options[id].global || (command->options & 1u << id) != 0;
}

const char *word_at(const char *words, size_t index, size_t *len) {
    while (words && *words) {
        *len = strcspn(words, " ");
        if (index-- == 0)
            return words;
        words += *len + strspn(words + *len, " ");
    }
    return NULL;
}

/* Number of the command's words, if they are the first of these; else 0. */
static size_t match(const struct command *command, const char *const *words, size_t n) {
    size_t used = 0, len;
    const char *word;
    while ((word = word_at(command->words, used, &len)) != NULL) {
        if (used == n || strlen(words[used]) != len || memcmp(words[used], word, len) != 0)
            return 0;
        used++;
    }
    return used;
}

int command_find(const char *const *words, size_t n, size_t *used) {
    *used = 0;
    if (n == 0)
        return COMMAND_CONSOLE;
    for (int id = 0; id < COMMAND_COUNT; id++) {
        *used = match(&commands[id], words, n);
        if (*used > 0)
            return id;
    }
    return -1;
}
