#ifndef RUN_EXPORT_LANE_H
#define RUN_EXPORT_LANE_H
/* Writes exports on a thread of its own, made at the first use, so that a full or slow disk holds up nothing else. One
 * file at a time. Main thread. */

#include "app/export.h"
#include "work/lane.h"

struct export_file {
    int fd; /* -1: none */
    char *path;
    struct table_file *table; /* where it is a database; fd is -1 then */
};
struct export_lane {
    struct lane *lane;
    struct export_file file; /* the thread's */
};
/* Removes a file that was not finished. */
void export_lane_close(struct export_lane *lane);

#endif
