#ifndef RUN_VIEWS_H
#define RUN_VIEWS_H
/* Saved views on the disk: one private file a profile. A change is applied to what the file holds at that moment, so
 * that several consoles lose nothing. Jobs run on a lane that finishes its queue when the program ends. */

#include "app/effect.h"
#include "app/views.h"

/* At once, for a command. None where there are none. */
void views_read(const char *folder, const char *profile, struct saved_views *out);
int views_purge(const char *folder, struct error *error); /* as history_purge */

#endif
