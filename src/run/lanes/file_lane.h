#ifndef RUN_FILE_LANE_H
#define RUN_FILE_LANE_H
/* The operator's own files as a lane reads and writes them (app/file.h): an import's input, its result file, exports.
 */

#include "app/file.h"

/* Of the one import that runs. Only the lane's thread touches it until the lane has ended. */
struct file_lane {
    int held;    /* the input, locked against other imports of it; -1 */
    int results; /* open for the next line; -1 */
};
#define FILE_LANE_NONE ((struct file_lane){-1, -1})
void file_lane_close(struct file_lane *lane);

#endif
