#include "cli/help.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 48, FOLLOWERS_MAX = COMMAND_COUNT };

/* A word that can stand after the words of a prefix. */
struct follower {
    char word[WORD_MAX];
    const char *help;
};

/* prefix: "" or a group's word. Each word once; a group's help is that of its first command. */
static size_t followers(const char *prefix, struct follower *out) {
    size_t n = 0, len = strlen(prefix);
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const struct command *command = command_of((enum command_id)id);
        const char *words = command->words;
        if (!words || !words[0] || strncmp(words, prefix, len) != 0 || (len > 0 && words[len] != ' '))
            continue;
        words += len > 0 ? len + 1 : 0;
        (void)snprintf(out[n].word, WORD_MAX, "%.*s", (int)strcspn(words, " "), words);
        out[n].help = command->help;
        bool known = n > 0 && strcmp(out[n - 1].word, out[n].word) == 0;
        n += known ? 0 : 1;
    }
    return n;
}

static bool completion_is_group(const char *word) {
    struct follower list[FOLLOWERS_MAX];
    return followers(word, list) > 0;
}

/* Text between single quotes; the three shells want a quote in it in two ways. */
static void completion_add_quoted(struct str *out, const char *text, bool fish) {
    str_add(out, "'");
    for (; *text; text++)
        if (*text == '\'')
            str_add(out, fish ? "\\'" : "'\\''");
        else
            str_add_char(out, *text);
    str_add(out, "'");
}

/* "--profile|--config|...": the options that take the next word. */
static void add_value_options(struct str *out, const char *separator) {
    bool first = true;
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (!option_of((enum option_id)id)->value)
            continue;
        str_addf(out, "%s--%s", first ? "" : separator, option_of((enum option_id)id)->name);
        first = false;
    }
}

static void add_option_names(struct str *out, const struct command *command) {
    for (int id = 0; id < OPTION_COUNT; id++)
        if (command_takes(command, (enum option_id)id))
            str_addf(out, " --%s", option_of((enum option_id)id)->name);
}

static const char shell_functions[] =
    "_bursar_profiles() {\n"
    "    sed -n \"s/^[[:blank:]]*profile[[:blank:]]*['\\\"]\\{0,1\\}\\([A-Za-z0-9._-]*\\).*/\\1/p\" \\\n"
    "        \"$(bursar config path 2>/dev/null)\" 2>/dev/null\n"
    "}\n"
    "_bursar_themes() {\n"
    "    bursar theme list 2>/dev/null | sed 's/ .*//'\n"
    "}\n";

static void bash_value(struct str *out, enum value_kind kind, const char *words) {
    if (kind == VALUE_FILE)
        str_add(out, "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;\n");
    else if (kind == VALUE_PROFILE || kind == VALUE_THEME)
        str_addf(out, "COMPREPLY=($(compgen -W \"$(_bursar_%s)\" -- \"$cur\")); return ;;\n",
                 kind == VALUE_PROFILE ? "profiles" : "themes");
    else
        str_addf(out, "COMPREPLY=($(compgen -W \"%s\" -- \"$cur\")); return ;;\n", words ? words : "");
}

static void bash_options(struct str *out) {
    str_add(out, "    case $prev in\n");
    for (int id = 0; id < OPTION_COUNT; id++) {
        const struct option *option = option_of((enum option_id)id);
        if (!option->value)
            continue;
        str_addf(out, "    --%s) ", option->name);
        bash_value(out, option->kind, option->words);
    }
    str_add(out, "    esac\n");
}

static void bash_followers(struct str *out, const char *prefix) {
    struct follower list[FOLLOWERS_MAX];
    size_t n = followers(prefix, list);
    str_addf(out, "    '%s%s') offer='", prefix[0] ? " " : "", prefix);
    for (size_t i = 0; i < n; i++)
        str_addf(out, "%s%s", i ? " " : "", list[i].word);
    if (!prefix[0])
        add_option_names(out, command_of(COMMAND_CONSOLE));
    str_add(out, "' ;;\n");
}

static void bash_command(struct str *out, const struct command *command) {
    str_addf(out, "    ' %s') offer='", command->words);
    if (command->kind == VALUE_WORDS)
        str_add(out, command->choices);
    add_option_names(out, command);
    str_add(out, "'");
    if (command->kind == VALUE_THEME)
        str_add(out, "\" $(_bursar_themes)\"");
    str_add(out, " ;;\n");
}

static void bash_words(struct str *out) {
    struct follower list[FOLLOWERS_MAX];
    size_t n = followers("", list);
    str_add(out, "    case $given in\n");
    bash_followers(out, "");
    for (size_t i = 0; i < n; i++)
        if (completion_is_group(list[i].word))
            bash_followers(out, list[i].word);
    for (int id = 1; id < COMMAND_COUNT; id++)
        if (command_of((enum command_id)id)->words)
            bash_command(out, command_of((enum command_id)id));
    str_add(out, "    esac\n");
}

static void bash(struct str *out) {
    str_add(out, "# Completions of bursar for bash, made by: bursar completion bash\n");
    str_add(out, shell_functions);
    str_add(out, "_bursar() {\n"
                 "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} given='' offer='' i\n"
                 "    COMPREPLY=()\n"
                 "    if [[ $cur = = ]]; then\n        cur=''\n"
                 "    elif [[ $prev = = ]]; then\n        prev=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n");
    bash_options(out);
    str_add(out, "    for ((i = 1; i < COMP_CWORD; i++)); do\n        case ${COMP_WORDS[i]} in\n        ");
    add_value_options(out, "|");
    str_add(out, ")\n            [[ ${COMP_WORDS[i+1]} = = ]] && ((i++))\n            ((i++)) ;;\n"
                 "        -*) ;;\n        *) given+=\" ${COMP_WORDS[i]}\" ;;\n        esac\n    done\n");
    bash_words(out);
    str_add(out, "    COMPREPLY=($(compgen -W \"$offer\" -- \"$cur\"))\n}\ncomplete -F _bursar bursar\n");
}

static void zsh_value(struct str *out, enum value_kind kind, const char *words) {
    if (kind == VALUE_FILE)
        str_add(out, "_files");
    else if (kind == VALUE_PROFILE || kind == VALUE_THEME)
        str_addf(out, "compadd -- ${(f)\"$(_bursar_%s)\"}", kind == VALUE_PROFILE ? "profiles" : "themes");
    else if (words)
        str_addf(out, "compadd -- %s", words);
    else
        str_add(out, "_message value");
}

static void zsh_pair(struct str *out, const char *word, const char *help) {
    struct str pair;
    str_init(&pair, 1024);
    str_addf(&pair, "%s:%s", word, help);
    str_add(out, " ");
    completion_add_quoted(out, pair.s, false);
    str_clear(&pair);
}

static void zsh_options(struct str *out, const struct command *command) {
    char word[WORD_MAX];
    str_add(out, "offer=(");
    for (int id = 0; id < OPTION_COUNT; id++) {
        const struct option *option = option_of((enum option_id)id);
        if (!command_takes(command, (enum option_id)id))
            continue;
        (void)snprintf(word, sizeof word, "--%s", option->name);
        zsh_pair(out, word, option->help);
    }
    str_add(out, " ); _describe option offer ;;\n");
}

static void zsh_followers(struct str *out, const char *prefix) {
    struct follower list[FOLLOWERS_MAX];
    size_t n = followers(prefix, list);
    str_addf(out, "    ('%s%s') offer=(", prefix[0] ? " " : "", prefix);
    for (size_t i = 0; i < n; i++)
        zsh_pair(out, list[i].word, !prefix[0] && completion_is_group(list[i].word) ? "..." : list[i].help);
    str_add(out, " ); _describe command offer");
    if (prefix[0]) {
        str_add(out, " ;;\n");
        return;
    }
    str_add(out, "\n        ");
    zsh_options(out, command_of(COMMAND_CONSOLE));
}

static void zsh_words(struct str *out) {
    struct follower list[FOLLOWERS_MAX];
    size_t n = followers("", list);
    str_add(out, "    case $given in\n");
    zsh_followers(out, "");
    for (size_t i = 0; i < n; i++)
        if (completion_is_group(list[i].word))
            zsh_followers(out, list[i].word);
    for (int id = 1; id < COMMAND_COUNT; id++) {
        const struct command *command = command_of((enum command_id)id);
        if (!command->words)
            continue;
        str_addf(out, "    (' %s') ", command->words);
        if (command->operands_max > 0) {
            zsh_value(out, command->kind, command->choices);
            str_add(out, "\n        ");
        }
        zsh_options(out, command);
    }
    str_add(out, "    esac\n");
}

static void zsh(struct str *out) {
    str_add(out, "#compdef bursar\n# Completions of bursar for zsh, made by: bursar completion zsh\n");
    str_add(out, shell_functions);
    str_add(out, "_bursar() {\n    local -a offer\n    local given='' i\n    case ${words[CURRENT-1]} in\n");
    for (int id = 0; id < OPTION_COUNT; id++) {
        const struct option *option = option_of((enum option_id)id);
        if (!option->value)
            continue;
        str_addf(out, "    (--%s) ", option->name);
        zsh_value(out, option->kind, option->words);
        str_add(out, "; return ;;\n");
    }
    str_add(out, "    esac\n    for ((i = 2; i < CURRENT; i++)); do\n        case ${words[i]} in\n        (");
    add_value_options(out, "|");
    str_add(out, ") ((i++)) ;;\n        (-*) ;;\n        (*) given+=\" ${words[i]}\" ;;\n        esac\n    done\n");
    zsh_words(out);
    str_add(out, "}\nif [[ ${funcstack[1]} = _bursar ]]; then _bursar \"$@\"; else compdef _bursar bursar; fi\n");
}

static void fish_value(struct str *out, enum value_kind kind, const char *words) {
    if (kind == VALUE_FILE)
        str_add(out, " -r -F");
    else if (kind == VALUE_PROFILE || kind == VALUE_THEME)
        str_addf(out, " -x -a '(__bursar_%s)'", kind == VALUE_PROFILE ? "profiles" : "themes");
    else if (words)
        str_addf(out, " -x -a '%s'", words);
    else
        str_add(out, " -x");
}

static void fish_option(struct str *out, const struct option *option, const char *words) {
    str_add(out, "complete -c bursar");
    if (words)
        str_addf(out, " -n '__bursar_at %s'", words);
    str_addf(out, " -l %s", option->name);
    if (option->value)
        fish_value(out, option->kind, option->words);
    str_add(out, " -d ");
    completion_add_quoted(out, option->help, true);
    str_add(out, "\n");
}

static void fish_followers(struct str *out, const char *prefix) {
    struct follower list[FOLLOWERS_MAX];
    size_t n = followers(prefix, list);
    for (size_t i = 0; i < n; i++) {
        bool group = !prefix[0] && completion_is_group(list[i].word);
        str_addf(out, "complete -c bursar -n '__bursar_at%s%s' -a %s -d ", prefix[0] ? " " : "", prefix, list[i].word);
        completion_add_quoted(out, group ? "..." : list[i].help, true);
        str_add(out, "\n");
    }
}

static void fish_command(struct str *out, const struct command *command) {
    for (int id = 0; id < OPTION_COUNT; id++)
        if (command->options >> id & 1)
            fish_option(out, option_of((enum option_id)id), command->words);
    if (command->operands_max == 0)
        return;
    str_addf(out, "complete -c bursar -n '__bursar_at %s'", command->words);
    fish_value(out, command->kind, command->choices);
    str_add(out, "\n");
}

static const char fish_functions[] =
    "function __bursar_profiles\n"
    "    bursar config path 2>/dev/null | read -l file\n"
    "    sed -n \"s/^[[:blank:]]*profile[[:blank:]]*['\\\"]\\{0,1\\}\\([A-Za-z0-9._-]*\\).*/\\1/p\" $file 2>/dev/null\n"
    "end\n"
    "function __bursar_themes\n"
    "    bursar theme list 2>/dev/null | string replace -r ' .*' ''\n"
    "end\n";

static void fish(struct str *out) {
    struct follower list[FOLLOWERS_MAX];
    size_t n = followers("", list);
    str_add(out, "# Completions of bursar for fish, made by: bursar completion fish\n");
    str_add(out, fish_functions);
    str_add(out, "function __bursar_at\n    set -l given\n    set -l skip 0\n"
                 "    for word in (commandline -opc)[2..-1]\n"
                 "        if test $skip = 1\n            set skip 0\n            continue\n        end\n"
                 "        switch $word\n            case ");
    add_value_options(out, " ");
    str_add(out, "\n                set skip 1\n            case '-*'\n            case '*'\n"
                 "                set -a given $word\n        end\n    end\n"
                 "    test \"$given\" = \"$argv\"\nend\ncomplete -c bursar -f\n");
    for (int id = 0; id < OPTION_COUNT; id++)
        if (option_of((enum option_id)id)->global)
            fish_option(out, option_of((enum option_id)id), NULL);
    fish_followers(out, "");
    for (size_t i = 0; i < n; i++)
        if (completion_is_group(list[i].word))
            fish_followers(out, list[i].word);
    for (int id = 1; id < COMMAND_COUNT; id++)
        if (command_of((enum command_id)id)->words)
            fish_command(out, command_of((enum command_id)id));
}

enum err completion_script(const char *shell, struct str *out, struct error *error) {
    static const struct {
        const char *name;
        void (*print)(struct str *out);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < COUNT_OF(shells); i++) {
        if (strcmp(shell, shells[i].name) == 0) {
            shells[i].print(out);
            return ERR_OK;
        }
    }
    return error_set(error, ERR_USAGE, "no completions for %s; there are some for %s", shell,
                     command_of(COMMAND_COMPLETION)->choices);
}
