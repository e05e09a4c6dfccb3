#ifndef RUN_HISTORY_H
#define RUN_HISTORY_H
/* Lines typed into prompts, kept on the disk between runs: one private file a profile, in the state folder
 * (src/README.md, Files on disk). Which lines may be kept is the panes' to say. What several consoles type is merged:
 * each line is put to what the file holds then. Jobs run on a lane that ends its queue. */

#include "app/effect.h"
#include "work/lane.h"

enum { HISTORY_LINES = 200, HISTORY_BYTES = 64 << 10 };

/* The line goes to the end; an equal one before it goes, and so do the oldest beyond the bounds. */
struct lane_job *history_keep_job(const char *folder, const char *profile, const char *line);
typedef void history_event_fn(void *owner, struct event *event);
/* EVENT_HISTORY with all lines, oldest first. */
struct lane_job *history_read_job(const char *folder, const char *profile, history_event_fn *hand_over);

/* Removes those of every profile; returns how many, or -1 with the error. */
int history_purge(const char *folder, struct error *error);

#endif
