#include "ui/screen_state.h"

#include "base/linux.h"
#include "base/mem.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WAITING_MAX = 1 << 20, UPDATE_MAX = 1 << 28 };

/* ncurses writes what it has at each move of the terminal's cursor, and each write wakes the terminal, which may paint
 * half an update. Here an update is one write: while it is made, a file in memory stands in for the terminal. Where
 * there is none to be had, ncurses goes on writing by itself.
 *
 * A terminal that does not read (flow control, a slow line) holds nobody up: what it has not taken waits here, and
 * until it has, no further update is made. So what ncurses believes to be shown is what was sent or waits. */

void update_open(struct screen *screen) {
    char name[64];

    screen->held = memfd_create("screen", MFD_CLOEXEC);
    /* A file description of its own: not blocking must not be set on the one that the shell and the input share. */
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", screen->out);
    screen->update.fd = open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

void update_close(struct screen *screen) {
    if (screen->held >= 0)
        (void)close(screen->held);
    if (screen->update.fd >= 0)
        (void)close(screen->update.fd);
    free(screen->update.items);
}

bool update_begin(struct screen *screen) {
    return screen->held >= 0 && dup3(screen->held, fileno(screen->file_out), O_CLOEXEC) >= 0;
}

bool update_flush(struct screen *screen) {
    struct screen_update *update = &screen->update;

    while (update->at < update->len) {
        ssize_t n = modes_write_some(update->fd, update->items + update->at, update->len - update->at);
        if (n == 0)
            return false;
        /* Reading the terminal shows that it is gone. */
        update->at = n < 0 ? update->len : update->at + (size_t)n;
    }
    update->at = update->len = 0;
    return true;
}

static char *screen_update_room(struct screen_update *update, size_t len) {
    if (update->len + len > update->cap) {
        update->cap = update->len + len;
        update->items = mem_resize(update->items, update->cap, 1);
    }
    return update->items + update->len;
}

static void screen_update_put(struct screen *screen, const char *bytes, size_t len) {
    struct screen_update *update = &screen->update;

    if (update->fd < 0) {
        modes_write(screen->out, bytes, len);
        return;
    }
    memcpy(screen_update_room(update, len), bytes, len);
    update->len += len;
    (void)update_flush(screen);
}

void update_write(struct screen *screen, const char *bytes, size_t len) {
    if (screen->update.fd < 0 || update_flush(screen) || screen->update.len - screen->update.at < WAITING_MAX)
        screen_update_put(screen, bytes, len);
}

void update_drain(struct screen *screen) {
    if (!update_flush(screen)) {
        modes_write(screen->update.fd, screen->update.items + screen->update.at,
                    screen->update.len - screen->update.at);
    }
    screen->update.at = screen->update.len = 0;
}

static void pass_on(struct screen *screen) {
    off_t end = lseek(screen->held, 0, SEEK_CUR);
    size_t len = end > 0 ? (size_t)end : 0;
    char *bytes = mem_new_array(len + 1, 1);
    struct str placed;

    if (len > 0 && pread(screen->held, bytes, len, 0) == end) {
        str_init(&placed, UPDATE_MAX);
        place_cells(screen, bytes, len, &placed);
        screen_update_put(screen, placed.s, placed.len);
        str_clear(&placed);
    }
    free(bytes);
    (void)lseek(screen->held, 0, SEEK_SET);
}

void update_end(struct screen *screen) {
    (void)dup3(screen->out, fileno(screen->file_out), O_CLOEXEC);
    pass_on(screen);
}
