#include "theme_watch.h"

#include "base/linux.h"
#include "base/mem.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { THEME_TEXT_MAX = 256 << 10, PLACE_MAX = 4096, EVENTS_BYTES = 4096 };

/* The files that a theme came from, the inherited ones too. */
struct places {
    char **items;
    size_t n, cap;
};

struct theme_watch {
    struct theme *theme;
    char *name;
    bool utf8;
    int fd;
    struct places places;
};

static void clear_places(struct places *places) {
    for (size_t i = 0; i < places->n; i++)
        free(places->items[i]);
    free(places->items);
}

/* The folder is watched instead of the file, since an editor replaces the file by another. */
static void watch(const struct theme_watch *theme_watch, const char *path) {
    const char *slash = strrchr(path, '/');
    if (theme_watch->fd >= 0 && slash) {
        char *folder = mem_dup_n(path, slash == path ? 1 : (size_t)(slash - path));
        (void)inotify_add_watch(theme_watch->fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO);
        free(folder);
    }
}

static enum err theme_watch_find(struct theme_watch *theme_watch, const char *name, struct str *text,
                                 struct error *error) {
    struct str place;
    str_init(&place, PLACE_MAX);
    enum err err = cli_theme_find(name, text, &place, error);
    if (err == ERR_OK && strchr(place.s, '/')) {
        *vec_add(&theme_watch->places) = mem_dup(place.s);
        watch(theme_watch, place.s);
    }
    str_clear(&place);
    return err;
}

static bool theme_watch_find_inherited(void *context, const char *name, struct str *text) {
    return theme_watch_find(context, name, text, NULL) == ERR_OK;
}

static struct theme *theme_watch_load(struct theme_watch *theme_watch, const char *name, const struct str *text,
                                      struct str *report) {
    struct theme_source source = {
        .name = name, .text = text->s, .len = text->len, .find = theme_watch_find_inherited, .context = theme_watch};
    return theme_load(&source, report);
}

struct theme_watch *theme_watch_new(const char *name, bool utf8, struct str *report) {
    struct theme_watch *theme_watch = mem_new(sizeof *theme_watch);
    struct error error = {0};
    struct str text;
    theme_watch->utf8 = utf8;
    theme_watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    str_init(&text, THEME_TEXT_MAX);
    if (name && theme_watch_find(theme_watch, name, &text, &error) != ERR_OK) {
        str_add(report, error.text);
        name = NULL;
    }
    if (!name) {
        str_reset(&text);
        str_add(&text, theme_builtin);
    }
    theme_watch->name = name ? mem_dup(name) : NULL;
    theme_watch->theme = theme_watch_load(theme_watch, name ? name : "terminal", &text, report);
    theme_use_symbols(theme_watch->theme, !utf8);
    str_clear(&text);
    return theme_watch;
}

void theme_watch_free(struct theme_watch *theme_watch) {
    if (!theme_watch)
        return;
    if (theme_watch->fd >= 0)
        (void)close(theme_watch->fd);
    clear_places(&theme_watch->places);
    free(theme_watch->name);
    theme_free(theme_watch->theme);
    free(theme_watch);
}

const struct theme *theme_watch_theme(const struct theme_watch *theme_watch) {
    return theme_watch->theme;
}

int theme_watch_fd(const struct theme_watch *theme_watch) {
    return theme_watch->places.n > 0 ? theme_watch->fd : -1;
}

static bool is_ours(const struct theme_watch *theme_watch, const char *name) {
    for (size_t i = 0; i < theme_watch->places.n; i++)
        if (str_equal(strrchr(theme_watch->places.items[i], '/') + 1, name))
            return true;
    return false;
}

/* Takes all that there is to tell; true where one of the files is in it. */
static bool read_events(const struct theme_watch *theme_watch) {
    _Alignas(struct inotify_event) char bytes[EVENTS_BYTES];
    bool ours = false;
    for (ssize_t n; (n = read(theme_watch->fd, bytes, sizeof bytes)) > 0;) {
        for (size_t at = 0; at < (size_t)n;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)(bytes + at);
            ours = ours || (event->len > 0 && is_ours(theme_watch, event->name)) || (event->mask & IN_Q_OVERFLOW) != 0;
            at += sizeof *event + event->len;
        }
    }
    return ours;
}

static struct theme *read_again(struct theme_watch *theme_watch, struct str *report) {
    struct places before = theme_watch->places;
    struct theme *theme = NULL;
    struct error error = {0};
    struct str text;
    str_init(&text, THEME_TEXT_MAX);
    theme_watch->places = (struct places){0};
    if (theme_watch_find(theme_watch, theme_watch->name, &text, &error) != ERR_OK)
        str_add(report, error.text);
    else
        theme = theme_watch_load(theme_watch, theme_watch->name, &text, report);
    str_clear(&text);
    if (report->len > 0) { /* the files of the old theme are still watched */
        theme_free(theme);
        theme = NULL;
    }
    clear_places(theme ? &before : &theme_watch->places);
    theme_watch->places = theme ? theme_watch->places : before;
    return theme;
}

enum theme_watch_change theme_watch_changed(struct theme_watch *theme_watch, struct str *report) {
    if (!read_events(theme_watch))
        return THEME_SAME;
    struct theme *theme = read_again(theme_watch, report);
    if (!theme)
        return THEME_KEPT;
    theme_free(theme_watch->theme);
    theme_watch->theme = theme;
    theme_use_symbols(theme, !theme_watch->utf8);
    return THEME_NEW;
}
