#ifndef RUN_DRAFTS_H
#define RUN_DRAFTS_H
/* Forms kept on the disk between runs: a private file each, in the state folder (src/README.md, Files on disk). What
 * they may hold is decided by app; here they are names and text. Jobs run on the journal's lane, in turn with its
 * records: a form that is sent is on the disk before its first byte leaves. */

#include "app/effect.h"

/* When they are read, those older than 7 days are removed, unless their write is open in the journal, or the journal
 * cannot be read; a form whose write was done is removed at any age. */
enum { DRAFTS_DAYS = 7, DRAFT_MAX = 256 << 10 };
/* Removes all but those whose write is open (*kept); returns how many, or -1 with the error where the journal, which
 * knows that, cannot be read. */
int drafts_purge(const char *folder, int *kept, struct error *error);

#endif
