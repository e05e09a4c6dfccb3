#ifndef SUPPORT_REST_H
#define SUPPORT_REST_H
/* Whether a program under test is at rest, which silence alone does not show: a busy machine may not have let it run
 * yet. Read from Linux's /proc. */

#include <stdint.h>
#include <sys/types.h>

enum rest {
    REST_BUSY,    /* something of it runs, wants to, or waits for what is its own: a disk, a lock, a clock */
    REST_WAITING, /* all its threads sleep, and those of its children: for a key, an answer, a timer */
    REST_GONE,    /* it has ended, or is stopped: it takes nothing */
};

/* *runs: how often its threads have been given a processor. The same number at two looks means that nothing of it ran
 * between them, which a look at one thread after the other cannot say. */
enum rest rest_of(pid_t pid, uint64_t *runs);

#endif
