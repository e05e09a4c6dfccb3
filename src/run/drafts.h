#ifndef RUN_DRAFTS_H
#define RUN_DRAFTS_H
/* Forms kept on the disk between runs: a private file each, in the state folder (DESIGN, file table). What they may
 * hold is the app's to say; here they are names and text. Jobs run on the
 * journal's lane, in turn with its records: a form that is sent is on the disk before its first byte leaves, and
 * nothing older comes over what was kept later. */

#include "app/effect.h"
#include "work/lane.h"

/* text NULL: the draft is removed. Both are copied. */
struct lane_job *drafts_job(const char *folder, const char *draft, const char *text);
typedef void drafts_event_fn(void *owner, struct event *event);
/* One EVENT_DRAFT each, oldest first, then one without a name. Those older than 7 days are removed, unless they are
 * marked as locked by a write. */
struct lane_job *drafts_read_job(const char *folder, drafts_event_fn *hand_over);

enum { DRAFTS_DAYS = 7, DRAFT_MAX = 256 << 10 };
/* Removes all; returns how many, or -1 with the error. */
int drafts_purge(const char *folder, struct error *error);

#endif
