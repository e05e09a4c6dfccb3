#ifndef RUN_EXPORT_LANE_H
#define RUN_EXPORT_LANE_H
/* Writes exports on a thread of its own, made when the first is asked for: a full or slow disk holds up nobody else.
 * One file at a time. Main thread. */

#include "app/export.h"
#include "work/lane.h"

typedef void export_told_fn(void *owner, uint64_t ticket, const struct error *failure);

struct export_file {
    int fd; /* -1: none */
    char *path;
};
struct export_lane {
    struct lane *lane;
    struct export_file file; /* the thread's */
};
struct export_lane_setup {
    void (*wake)(void *context);
    export_told_fn *told;
    void *owner; /* also the wake's context, and the owner given to lane_finish */
};

void export_lane_ask(struct export_lane *lane, const struct export_lane_setup *setup, uint64_t ticket,
                     struct export_ask *ask); /* takes ask */
/* A file that was not finished is taken away. */
void export_lane_close(struct export_lane *lane);

#endif
