#include "cli/cli.h"
#include "cli/output.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/utf8.h"
#include "ui/theme.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACE_MAX = 4096, THEME_MAX = 256 << 10, NAME_MAX_LEN = 64, THEMES_MAX = 500 };

static const char suffix[] = ".theme";

struct theme_name {
    char *name, *place;
};

struct theme_names {
    struct theme_name *items;
    size_t n, cap;
};

/* A theme's name becomes part of a path, and is printed in lists that shells read. */
static bool theme_commands_is_name(const char *name, size_t len) {
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)name[i];
        if (!ascii_is_word(c) && !strchr("._-", c))
            return false;
    }
    return len > 0 && len <= NAME_MAX_LEN && name[0] != '.' && name[0] != '-';
}

/* The folder of the operator (0) and of the system (1). */
static bool theme_folder(int which, struct str *out) {
    if (which == 0)
        return path_home(PATH_CONFIG, "themes", out, NULL) == ERR_OK;
    str_add(out, BURSAR_THEMES);
    return true;
}

static enum err read_theme(const char *path, struct str *text, struct str *place, struct error *error) {
    struct str content;
    str_init(&content, THEME_MAX);
    enum err err = path_read(path, THEME_MAX, false, &content, error);
    if (err == ERR_OK && text)
        str_add_n(text, content.s, content.len);
    if (err == ERR_OK && place)
        str_add(place, path);
    str_clear(&content);
    return err;
}

/* ERR_NOT_FOUND: no such file in any folder. */
static enum err find_in_folders(const char *name, struct str *text, struct str *place, struct error *error) {
    enum err err = ERR_NOT_FOUND;
    struct str path;
    str_init(&path, PLACE_MAX);
    for (int which = 0; which < 2 && err == ERR_NOT_FOUND; which++) {
        str_reset(&path);
        if (!theme_folder(which, &path))
            continue;
        str_addf(&path, "/%s%s", name, suffix);
        if (access(path.s, F_OK) == 0)
            err = read_theme(path.s, text, place, error);
    }
    str_clear(&path);
    return err;
}

static const struct theme_shipped *find_shipped(const char *name) {
    const struct theme_shipped *shipped = NULL;
    for (size_t i = 0; (shipped = theme_shipped(i)) != NULL && strcmp(shipped->name, name) != 0;)
        i++;
    return shipped;
}

enum err cli_theme_find(const char *name, struct str *text, struct str *place, struct error *error) {
    if (strchr(name, '/')) {
        enum err read = read_theme(name, text, place, error);
        return read == ERR_OK ? read : ERR_CONFIG;
    }
    if (!theme_commands_is_name(name, strlen(name)))
        return error_set(error, ERR_CONFIG, "%s is no theme's name; a file is named by a path with '/' in it", name);
    enum err err = find_in_folders(name, text, place, error);
    if (err != ERR_NOT_FOUND)
        return err == ERR_OK ? err : ERR_CONFIG;
    const struct theme_shipped *shipped = find_shipped(name);
    if (!shipped)
        return error_set(error, ERR_CONFIG, "there is no theme %s; see bursar theme list", name);
    if (text)
        str_add(text, shipped->text);
    if (place)
        str_add(place, "built in");
    return ERR_OK;
}

static enum err theme_commands_print(struct cli *cli, const struct str *text, struct error *error) {
    struct str clean;
    str_init(&clean, THEME_MAX * 4);
    if (cli->out_is_terminal)
        utf8_sanitise_lines(&clean, text->s, text->len);
    else
        str_add_n(&clean, text->s, text->len);
    return output_whole(cli->out, &clean, ERR_OK, error);
}

enum err cli_theme_show(struct cli *cli, struct error *error) {
    struct str text;
    str_init(&text, THEME_MAX);
    enum err err = cli_theme_find(cli->args.operands[0], &text, NULL, error);
    if (err == ERR_OK)
        err = theme_commands_print(cli, &text, error);
    str_clear(&text);
    return err;
}

static bool theme_commands_find_inherited(void *context, const char *name, struct str *text) {
    (void)context;
    return cli_theme_find(name, text, NULL, NULL) == ERR_OK;
}

enum err cli_theme_load(const char *name, struct theme **out, struct str *report, struct error *error) {
    struct str text;
    str_init(&text, THEME_MAX);
    enum err err = cli_theme_find(name, &text, NULL, error);
    struct theme_source source = {.name = name, .text = text.s, .len = text.len, .find = theme_commands_find_inherited};
    *out = err == ERR_OK ? theme_load(&source, report) : NULL;
    str_clear(&text);
    return err;
}

enum err cli_theme_check(struct cli *cli, struct error *error) {
    const char *name = cli->args.operands[0];
    struct theme *theme;
    struct str report;
    str_init(&report, THEME_MAX);
    enum err err = cli_theme_load(name, &theme, &report, error);
    if (err != ERR_OK)
        goto out;
    bool good = report.len == 0;
    good = theme_check(theme, &report) && good;
    theme_free(theme);
    if (good)
        str_addf(&report, "%s: no faults\n", name);
    err = theme_commands_print(cli, &report, error);
    if (err == ERR_OK && !good)
        err = error_set(error, ERR_CHECK_FAILED, "theme %s has faults", name);
out:
    str_clear(&report);
    return err;
}

static bool is_listed(const struct theme_names *names, const char *name, size_t len) {
    for (size_t i = 0; i < names->n; i++)
        if (strlen(names->items[i].name) == len && memcmp(names->items[i].name, name, len) == 0)
            return true;
    return false;
}

static int theme_commands_by_name(const void *a, const void *b) {
    const struct theme_name *left = a, *right = b;
    return strcmp(left->name, right->name);
}

static void theme_commands_add_name(struct theme_names *names, const char *name, size_t len, const char *place) {
    if (names->n == THEMES_MAX || is_listed(names, name, len))
        return;
    *vec_add(names) = (struct theme_name){.name = mem_dup_n(name, len), .place = mem_dup(place)};
}

/* The first folder that has a name is where it comes from; a folder that is not there has none. */
static void add_folder(struct theme_names *names, const char *folder) {
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        size_t len = strlen(entry->d_name), end = sizeof suffix - 1;
        if (len > end && strcmp(entry->d_name + len - end, suffix) == 0 &&
            theme_commands_is_name(entry->d_name, len - end))
            theme_commands_add_name(names, entry->d_name, len - end, folder);
    }
    (void)closedir(directory);
}

/* Sorted; the names are freed. */
static void theme_commands_add_lines(struct theme_names *names, struct str *text) {
    if (!names->items)
        return;
    qsort(names->items, names->n, sizeof *names->items, theme_commands_by_name);
    for (size_t i = 0; i < names->n; i++) {
        str_addf(text, "%-16s  %s\n", names->items[i].name, names->items[i].place);
        free(names->items[i].name);
        free(names->items[i].place);
    }
}

enum err cli_theme_list(struct cli *cli, struct error *error) {
    struct theme_names names = {0};
    struct str folder, text;
    str_init(&folder, PLACE_MAX);
    str_init(&text, THEME_MAX);
    for (int which = 0; which < 2; which++) {
        str_reset(&folder);
        if (theme_folder(which, &folder))
            add_folder(&names, folder.s);
    }
    for (size_t i = 0; theme_shipped(i); i++)
        theme_commands_add_name(&names, theme_shipped(i)->name, strlen(theme_shipped(i)->name), "built in");
    theme_commands_add_lines(&names, &text);
    free(names.items);
    enum err err = theme_commands_print(cli, &text, error);
    str_clear(&text);
    str_clear(&folder);
    return err;
}
