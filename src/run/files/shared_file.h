#ifndef RUN_SHARED_FILE_H
#define RUN_SHARED_FILE_H
/* The views that a team shares, as this machine knows them: one private file a profile, written anew as a whole under a
 * lock, so that several programs lose nothing. It is made of the team's store but for what waits to go there. Any
 * thread. */

#include "app/shared_views.h"

struct shared_place {
    const char *folder; /* NULL: the operator's own */
    const struct profile *profile;
};

/* The folder that a console watches; made where it is missing. */
enum err shared_file_folder(const char *folder, struct str *out, struct error *error) MUST_CHECK;
enum err shared_file_path(const struct shared_place *place, struct str *out, struct error *error) MUST_CHECK;
/* Its text, "" where there is none, or the profile shares no views. */
void shared_file_text(const struct shared_place *place, struct str *out);
/* Reads it, lets `change` work on it, and writes it where it differs and that went well. */
typedef enum err shared_change_fn(void *context, struct shared_views *views, struct error *error);
enum err shared_file_change(const struct shared_place *place, shared_change_fn *change, void *context,
                            struct error *error) MUST_CHECK;
int shared_file_purge(const char *folder, struct error *error); /* as history_purge */

#endif
