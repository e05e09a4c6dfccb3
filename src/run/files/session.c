#include "session.h"

#include "base/path.h"

#include <dirent.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

enum err session_place(const char *folder, const char *kind, const char *profile, struct str *out,
                       struct error *error) {
    enum err err = ERR_OK;
    if (folder)
        str_addf(out, "%s/%s", folder, kind);
    else
        err = path_home(PATH_STATE, kind, out, error);
    if (err == ERR_OK && profile) {
        str_add_char(out, '/');
        path_add_name(out, profile);
    }
    return err;
}

int session_purge(const char *folder, const char *kind, struct error *error) {
    struct str path;
    int removed = 0;
    str_init(&path, PATH_BYTES);
    enum err err = session_place(folder, kind, NULL, &path, error);
    DIR *dir = err == ERR_OK ? opendir(path.s) : NULL;
    size_t len = path.len;
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        path.s[path.len = len] = '\0';
        if (entry->d_name[0] != '.') {
            str_addf(&path, "/%s", entry->d_name);
            removed += unlink(path.s) == 0;
        }
    }
    if (dir)
        (void)closedir(dir);
    str_clear(&path);
    return err == ERR_OK ? removed : -1;
}
