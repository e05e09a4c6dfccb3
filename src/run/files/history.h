#ifndef RUN_HISTORY_H
#define RUN_HISTORY_H
/* Lines typed into prompts, kept on the disk between runs: one private file a profile, in the state folder
 * (src/README.md, Files on disk). Which lines may be kept is the panes' to say. What several consoles type is merged:
 * each line goes to the end of what the file holds then, an equal one before it goes, and so do the oldest beyond the
 * bounds. Jobs run on a lane that ends its queue. */

#include "app/effect.h"

enum { HISTORY_LINES = 200, HISTORY_BYTES = 64 << 10 };

/* Removes those of every profile; returns how many, or -1 with the error. */
int history_purge(const char *folder, struct error *error);

#endif
