#ifndef RUN_SESSION_H
#define RUN_SESSION_H
/* Where the console stores what it remembers of a profile: one private file a profile, in a folder of the state folder
 * (src/README.md, Files on disk). */

#include "base/str.h"

/* folder: in place of the state folder, or NULL. profile NULL: the folder of the kind itself. */
enum err session_place(const char *folder, const char *kind, const char *profile, struct str *out,
                       struct error *error) MUST_CHECK;
/* Removes the files of every profile; returns how many, or -1 with the error. */
int session_purge(const char *folder, const char *kind, struct error *error);

#endif
