#include "notes_watch.h"

#include "notes_file.h"

#include "base/linux.h"

#include <sys/inotify.h>
#include <unistd.h>

enum { PLACE_MAX = 4096, EVENTS_BYTES = 4096 };

int notes_watch_open(const char *folder) {
    struct str place;
    str_init(&place, PLACE_MAX);
    int fd = notes_file_folder(folder, &place, NULL) == ERR_OK ? inotify_init1(IN_NONBLOCK | IN_CLOEXEC) : -1;
    if (fd >= 0 && inotify_add_watch(fd, place.s, IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE) < 0) {
        (void)close(fd);
        fd = -1;
    }
    str_clear(&place);
    return fd;
}

bool notes_watch_changed(int fd) {
    char bytes[EVENTS_BYTES];
    bool changed = false;
    while (read(fd, bytes, sizeof bytes) > 0)
        changed = true;
    return changed;
}
