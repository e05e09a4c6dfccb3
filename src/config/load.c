#include "config/profile.h"

#include "config/outline.h"

#include "base/path.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_MAX = 1 << 20, PATH_TEXT_MAX = 4096 };

enum err config_path(struct str *out, struct error *error) {
    const char *given = getenv("BURSAR_CONFIG");
    if (!given || !given[0])
        return path_home(PATH_CONFIG, "config", out, error);
    /* A relative path would make the origin depend on the folder in which the program is started. */
    if (given[0] != '/')
        return error_set(error, ERR_CONFIG, "BURSAR_CONFIG is not an absolute path");
    str_add(out, given);
    return ERR_OK;
}

/* real: the file itself where path is a link, as in a folder of dotfiles. */
static enum err read_checked(const char *real, struct str *text, struct error *error) {
    enum err err = path_check_trusted(real, error);
    if (err == ERR_OK)
        err = path_read(real, FILE_MAX, false, text, error);
    return err;
}

static enum err load_find_file(const char *path, const char *shown, char **real, struct error *error) {
    *real = realpath(path, NULL);
    if (*real)
        return ERR_OK;
    struct stat link;
    int code = errno;
    if (code == ENOENT && lstat(path, &link) == 0)
        return error_set(error, ERR_CONFIG, "%s: is a link, and what it leads to is not there", shown);
    if (code == ENOENT)
        return error_set(error, ERR_CONFIG, "%s: there is no such file; bursar config init makes one", shown);
    return error_set(error, ERR_CONFIG, "%s: cannot be opened: %s", shown, strerrordesc_np(code));
}

enum err config_load(const char *path, struct config *out, struct str *report, struct error *error) {
    struct error fault = {0};
    struct str text, shown;
    char *real = NULL;
    str_init(&text, FILE_MAX + 1);
    str_init(&shown, PATH_TEXT_MAX);
    utf8_sanitise(&shown, path, strlen(path));
    *out = (struct config){0};
    enum err err = load_find_file(path, shown.s, &real, &fault);
    if (err == ERR_OK && read_checked(real, &text, &fault) != ERR_OK)
        err = ERR_CONFIG;
    if (err == ERR_OK && memchr(text.s, '\0', text.len))
        err = error_set(&fault, ERR_CONFIG, "%s: the file holds NUL bytes; it is damaged", shown.s);
    if (err != ERR_OK) {
        if (report)
            str_addf(report, "%s\n", fault.text);
        err = error_set(error, ERR_CONFIG, "%s", fault.text);
        goto out;
    }
    if (str_starts(text.s, "\xEF\xBB\xBF")) /* an editor's byte order mark is not part of the text */
        str_delete(&text, 0, 3);
    err = config_parse(text.s, shown.s, out, report, error);
out:
    free(real);
    str_clear(&text);
    str_clear(&shown);
    return err;
}
