#ifndef SUPPORT_LISTENER_H
#define SUPPORT_LISTENER_H
/* The sandbox's listener as a test's webhook endpoint, in a folder that the test owns. One thread. */

#include "support/proc.h"

struct listener {
    struct proc proc;
    int port;
    char *url;    /* https://localhost:PORT/hook */
    char *ca;     /* path of the root to trust */
    char *events; /* path of its NDJSON */
};

/* `args` (NULL-ended, may be NULL) come after the usual ones. */
bool listener_start(struct listener *listener, const char *folder, const char *const args[]);
int listener_stop(struct listener *listener);

/* Waits until so many lines of events hold both texts (either may be ""). */
bool listener_wait(const struct listener *listener, int count, const char *a, const char *b);
int listener_count(const struct listener *listener, const char *a, const char *b);

#endif
