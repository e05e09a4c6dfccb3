#ifndef RUN_VIEWS_H
#define RUN_VIEWS_H
/* Saved views on the disk: one private file a profile. A change is put to what the file holds then, so that consoles
 * side by side lose nothing. Jobs run on a lane that ends its queue. */

#include "app/effect.h"
#include "app/views.h"
#include "work/lane.h"

typedef void views_event_fn(void *owner, struct event *event);
/* kind: EFFECT_VIEWS, EFFECT_VIEW_KEEP or EFFECT_VIEW_DROP; text as the effect has it. Ends in EVENT_VIEWS. */
struct lane_job *views_job(const char *folder, const char *profile, const struct effect *effect,
                           views_event_fn *hand_over);
/* At once, for a command. None where there are none. */
void views_read(const char *folder, const char *profile, struct saved_views *out);
int views_purge(const char *folder, struct error *error); /* as history_purge */

#endif
