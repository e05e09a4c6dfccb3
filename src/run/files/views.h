#ifndef RUN_VIEWS_H
#define RUN_VIEWS_H
/* Saved views on the disk: one private file a profile. A change is applied to what the file holds at that moment, so
 * that several consoles lose nothing. Jobs run on a lane that finishes its queue when the program ends. What a team
 * shares stands in a file beside it (shared_file.h). */

#include "app/effect.h"
#include "app/shared_views.h"

/* At once, for a command. None where there are none. out: its `shared` is kept in *shared. */
void views_read(const char *folder, const struct profile *profile, struct saved_views *out,
                struct shared_views *shared);
/* Does what is wished, and reads all. */
void views_do(const char *folder, const struct profile *profile, const struct views_wish *wish, struct views_kept *out);
int views_purge(const char *folder, struct error *error); /* as history_purge */

#endif
