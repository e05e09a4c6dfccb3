#ifndef BASE_COMMAND_SAID_H
#define BASE_COMMAND_SAID_H
/* What another program says on its stderr, for the person at the terminal: it comes through the gate of base/out.h and
 * without secrets, those that the program has printed for us among them. Shown once the program ends, or waits for
 * somebody. Main thread. */

#include "base/command.h"
#include "base/str.h"

#include <stdint.h>

enum { SAID_QUIET_MS = 300, SAID_MAX = 16 << 10 };

struct said {
    int fd; /* does not block; -1: nothing is heard */
    struct str held;
    size_t heard_bytes;
    int64_t heard_at;
    bool ended;
    char last[COMMAND_SAID_MAX]; /* line, clean */
};

/* Takes the descriptor. */
void said_init(struct said *said, int fd);
void said_clear(struct said *said);
/* Takes what there is. */
void said_hear(struct said *said);
/* ms until what is held is to be shown; -1: nothing is. */
int said_wait(const struct said *said);
/* Shows what is held: printed is what the program gave us so far. */
void said_show(struct said *said, const char *printed, size_t len);

#endif
