#include "notes_watch.h"

#include "notes_file.h"
#include "shared_file.h"

#include "base/linux.h"

#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { PLACE_MAX = 4096, EVENTS_BYTES = 4096 };

static int watch_folder(int fd, enum err find(const char *folder, struct str *out, struct error *error),
                        const char *folder) {
    struct str place;
    int name = -1;
    str_init(&place, PLACE_MAX);
    if (find(folder, &place, NULL) == ERR_OK)
        name = inotify_add_watch(fd, place.s, IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE);
    str_clear(&place);
    return name;
}

struct notes_watch notes_watch_open(const char *folder, const struct profile *profile) {
    struct notes_watch watch = {inotify_init1(IN_NONBLOCK | IN_CLOEXEC), -1, -1};
    if (watch.fd >= 0)
        watch.notes = watch_folder(watch.fd, notes_file_folder, folder);
    if (watch.fd >= 0 && shared_views_wanted(profile))
        watch.views = watch_folder(watch.fd, shared_file_folder, folder);
    if (watch.fd >= 0 && watch.notes < 0 && watch.views < 0) {
        (void)close(watch.fd);
        watch.fd = -1;
    }
    return watch;
}

struct notes_watched notes_watch_take(const struct notes_watch *watch) {
    struct notes_watched changed = {0};
    struct inotify_event event;
    char bytes[EVENTS_BYTES];
    ssize_t n;
    while ((n = read(watch->fd, bytes, sizeof bytes)) > 0) {
        for (size_t at = 0; at + sizeof event <= (size_t)n; at += sizeof event + event.len) {
            memcpy(&event, bytes + at, sizeof event);
            changed.views = changed.views || event.wd == watch->views || (event.mask & IN_Q_OVERFLOW) != 0;
            changed.notes = changed.notes || event.wd == watch->notes || (event.mask & IN_Q_OVERFLOW) != 0;
        }
    }
    return changed;
}
