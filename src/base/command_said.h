#ifndef BASE_COMMAND_SAID_H
#define BASE_COMMAND_SAID_H
/* What another program writes to its stderr, for the person at the terminal: shown through base/out.h and without
 * secrets, including those that the program has just printed. Shown when the program ends, or waits for an answer. Main
 * thread. */

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
/* ms until the held text is to be shown; -1: there is none. */
int said_wait(const struct said *said);
/* Shows the held text: printed is the program's output so far. */
void said_show(struct said *said, const char *printed, size_t len);

#endif
