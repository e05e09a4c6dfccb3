#ifndef SUPPORT_ONE_SERVICE_H
#define SUPPORT_ONE_SERVICE_H
/* The one sandbox that all tests of a program share, with what starts and stops it for the group. Included once a
 * program, by the file of its tests. */

#include "support/console.h"

static struct service service;

/* With so many invented intents, and a configuration for it: what a set-up returns. */
static inline int serve_intents(const char *n) {
    return console_serve(&service, (const char *const[]){"--intents", n, NULL}, "") ? 0 : -1;
}

static inline int stop_service(void **state) {
    (void)state;
    return service_stop(&service);
}

#endif
