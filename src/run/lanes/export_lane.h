#ifndef RUN_EXPORT_LANE_H
#define RUN_EXPORT_LANE_H
/* Writes exports on a thread of its own, made when the first is asked for: a full or slow disk holds up nobody else.
 * One file at a time. Main thread. */

#include "app/export.h"
#include "work/lane.h"

struct export_file {
    int fd; /* -1: none */
    char *path;
};
struct export_lane {
    struct lane *lane;
    struct export_file file; /* the thread's */
};
/* A file that was not finished is taken away. */
void export_lane_close(struct export_lane *lane);

#endif
