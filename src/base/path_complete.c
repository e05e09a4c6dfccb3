#include "base/path.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct names {
    char **items;
    size_t n, cap;
};

/* A name that could not be typed or drawn as it is, is not offered. */
static bool path_complete_is_offered(const char *name, const char *begin) {
    bool hidden = name[0] == '.' && begin[0] != '.';
    bool dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    return !hidden && !dots && str_starts(name, begin) && utf8_is_clean(name, strlen(name));
}

static char *with_slash(const char *folder, const char *name) {
    struct stat info;
    struct str path;
    str_init(&path, 8192);
    str_addf(&path, "%s%s", folder, name);
    bool is_folder = stat(path.s, &info) == 0 && S_ISDIR(info.st_mode);
    str_reset(&path);
    str_addf(&path, "%s%s", name, is_folder ? "/" : "");
    return str_take(&path);
}

static void path_complete_read_names(const char *folder, const char *begin, struct names *out) {
    DIR *dir = opendir(*folder ? folder : ".");
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        if (path_complete_is_offered(entry->d_name, begin)) {
            char *name = with_slash(folder, entry->d_name);
            *(char **)vec_add(out) = name;
        }
    }
    if (dir)
        (void)closedir(dir);
}

static int path_complete_by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whole characters only. */
static size_t common_len(const struct names *names) {
    const char *first = names->items[0], *last = names->items[names->n - 1]; /* sorted, so these two differ earliest */
    size_t len = 0;
    while (first[len] && first[len] == last[len])
        len++;
    while (len > 0 && ((unsigned char)first[len] & 0xC0) == 0x80)
        len--;
    return len;
}

size_t path_complete(const char *typed, struct str *completed, struct str *names) {
    const char *slash = strrchr(typed, '/');
    size_t at = slash ? (size_t)(slash + 1 - typed) : 0;
    char *shown = mem_dup_n(typed, at), *folder = path_expand(shown);
    struct names found = {0};
    path_complete_read_names(folder, typed + at, &found);
    if (found.n > 0) {
        qsort(found.items, found.n, sizeof *found.items, path_complete_by_name);
        str_add(completed, shown);
        str_add_n(completed, found.items[0], common_len(&found));
    } else {
        str_add(completed, typed);
    }
    for (size_t i = 0; i < found.n; i++) {
        str_addf(names, "%s%s", i > 0 ? "  " : "", found.items[i]);
        free(found.items[i]);
    }
    free(found.items);
    free(shown);
    free(folder);
    return found.n;
}
