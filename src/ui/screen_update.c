#include "ui/screen_state.h"

#include "base/mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ncurses writes what it has at each move of the terminal's cursor, and each write wakes the terminal, which may paint
 * half an update. Here an update is one write: while it is made, a file in memory stands in for the terminal. Where
 * there is none to be had, ncurses goes on writing by itself. */

void update_open(struct screen *screen) {
    screen->held = memfd_create("screen", MFD_CLOEXEC);
}

void update_close(struct screen *screen) {
    if (screen->held >= 0) {
        (void)close(screen->held);
    }
    free(screen->update.items);
}

bool update_begin(struct screen *screen) {
    return screen->held >= 0 && dup3(screen->held, fileno(screen->file_out), O_CLOEXEC) >= 0;
}

static void pass_on(struct screen *screen) {
    off_t end = lseek(screen->held, 0, SEEK_CUR);
    size_t len = end > 0 ? (size_t)end : 0;

    if (len > screen->update.cap) {
        screen->update.items = mem_resize(screen->update.items, len, 1);
        screen->update.cap = len;
    }
    if (len > 0 && pread(screen->held, screen->update.items, len, 0) == end) {
        modes_write(screen->out, screen->update.items, len);
    }
    (void)lseek(screen->held, 0, SEEK_SET);
}

void update_end(struct screen *screen) {
    (void)dup3(screen->out, fileno(screen->file_out), O_CLOEXEC);
    pass_on(screen);
}
