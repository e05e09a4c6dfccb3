#include "looks.h"

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

struct looks {
    struct theme *theme;
    char *name;
    bool utf8;
    int fd;
    struct places places;
};

static void clear_places(struct places *places) {
    for (size_t i = 0; i < places->n; i++) {
        free(places->items[i]);
    }
    free(places->items);
}

/* The folder is watched and not the file: an editor puts another file in its place. */
static void watch(const struct looks *looks, const char *path) {
    const char *slash = strrchr(path, '/');
    if (looks->fd >= 0 && slash) {
        char *folder = mem_dup_n(path, slash == path ? 1 : (size_t)(slash - path));
        (void)inotify_add_watch(looks->fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO);
        free(folder);
    }
}

static enum err find(struct looks *looks, const char *name, struct str *text, struct error *error) {
    struct str place;
    str_init(&place, PLACE_MAX);
    enum err code = cli_theme_find(name, text, &place, error);
    if (code == ERR_OK && strchr(place.s, '/')) {
        *vec_add(&looks->places) = mem_dup(place.s);
        watch(looks, place.s);
    }
    str_clear(&place);
    return code;
}

static bool find_inherited(void *context, const char *name, struct str *text) {
    return find(context, name, text, NULL) == ERR_OK;
}

static struct theme *load(struct looks *looks, const char *name, const struct str *text, struct str *report) {
    struct theme_source source = {
        .name = name, .text = text->s, .len = text->len, .find = find_inherited, .context = looks};
    return theme_load(&source, report);
}

struct looks *looks_new(const char *name, bool utf8, struct str *report) {
    struct looks *looks = mem_new(sizeof *looks);
    struct error error = {0};
    struct str text;
    looks->utf8 = utf8;
    looks->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    str_init(&text, THEME_TEXT_MAX);
    if (name && find(looks, name, &text, &error) != ERR_OK) {
        str_add(report, error.text);
        name = NULL;
    }
    if (!name) {
        str_reset(&text);
        str_add(&text, theme_builtin);
    }
    looks->name = name ? mem_dup(name) : NULL;
    looks->theme = load(looks, name ? name : "terminal", &text, report);
    theme_use_symbols(looks->theme, !utf8);
    str_clear(&text);
    return looks;
}

void looks_free(struct looks *looks) {
    if (!looks) {
        return;
    }
    if (looks->fd >= 0) {
        (void)close(looks->fd);
    }
    clear_places(&looks->places);
    free(looks->name);
    theme_free(looks->theme);
    free(looks);
}

const struct theme *looks_theme(const struct looks *looks) {
    return looks->theme;
}

int looks_fd(const struct looks *looks) {
    return looks->places.n > 0 ? looks->fd : -1;
}

static bool is_ours(const struct looks *looks, const char *name) {
    for (size_t i = 0; i < looks->places.n; i++) {
        if (str_equal(strrchr(looks->places.items[i], '/') + 1, name)) {
            return true;
        }
    }
    return false;
}

/* Takes all that there is to tell; true where one of the files is in it. */
static bool read_events(const struct looks *looks) {
    _Alignas(struct inotify_event) char bytes[EVENTS_BYTES];
    bool ours = false;
    for (ssize_t n; (n = read(looks->fd, bytes, sizeof bytes)) > 0;) {
        for (size_t at = 0; at < (size_t)n;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)(bytes + at);
            ours = ours || (event->len > 0 && is_ours(looks, event->name)) || (event->mask & IN_Q_OVERFLOW) != 0;
            at += sizeof *event + event->len;
        }
    }
    return ours;
}

static struct theme *read_again(struct looks *looks, struct str *report) {
    struct places before = looks->places;
    struct theme *theme = NULL;
    struct error error = {0};
    struct str text;
    str_init(&text, THEME_TEXT_MAX);
    looks->places = (struct places){0};
    if (find(looks, looks->name, &text, &error) != ERR_OK) {
        str_add(report, error.text);
    } else {
        theme = load(looks, looks->name, &text, report);
    }
    str_clear(&text);
    if (report->len > 0) { /* what was watched still is */
        theme_free(theme);
        theme = NULL;
    }
    clear_places(theme ? &before : &looks->places);
    looks->places = theme ? looks->places : before;
    return theme;
}

enum looks_change looks_changed(struct looks *looks, struct str *report) {
    if (!read_events(looks)) {
        return LOOKS_SAME;
    }
    struct theme *theme = read_again(looks, report);
    if (!theme) {
        return LOOKS_KEPT;
    }
    theme_free(looks->theme);
    looks->theme = theme;
    theme_use_symbols(theme, !looks->utf8);
    return LOOKS_NEW;
}
