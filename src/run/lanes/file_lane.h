#ifndef RUN_FILE_LANE_H
#define RUN_FILE_LANE_H
/* The operator's own files as a lane reads and writes them (app/file.h): an import's input, its result file, exports.
 */

#include "app/file.h"
#include "work/lane.h"

/* Of the one import that runs. Only the lane's thread touches it until the lane has ended. */
struct file_lane {
    int held;    /* the input, locked against other imports of it; -1 */
    int results; /* open for the next line; -1 */
};
#define FILE_LANE_NONE ((struct file_lane){-1, -1})
void file_lane_close(struct file_lane *lane);

typedef void file_event_fn(void *owner, struct event *event);
struct lane_job *file_job(uint64_t ticket, struct file_ask *ask, struct file_lane *lane,
                          file_event_fn *hand_over); /* takes ask */

#endif
