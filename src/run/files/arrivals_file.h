#ifndef RUN_ARRIVALS_FILE_H
#define RUN_ARRIVALS_FILE_H
/* Events that came to `webhook listen`, on the disk: a private file each, named by its number, in a folder of the
 * profile. Each says for which origin and account it came; those of another are counted and left. Any thread. */

#include "app/arrivals.h"

struct arrivals_place {
    const char *folder; /* NULL: the operator's own */
    const char *profile, *origin, *account;
    int days;     /* an event older than this is removed; 0: kept */
    int limit_mb; /* the most they may take; 0: no limit */
};
struct arrivals_place arrivals_place_of(const char *folder, const struct profile *profile); /* borrows */

/* The next free number, its file whole on the disk; ERR_FILE or ERR_LIMIT where it is not stored. Where the limit is
 * reached the oldest make room, those that did not verify first; none that verified or was not checked gives way to one
 * that does not verify. Of such a one at most 64 KB of the body are kept. known: what is there by an earlier call, zero
 * before the first one; its items are the caller's. */
struct stored_list;
enum err arrivals_file_add(const struct arrivals_place *place, struct stored_list *known, struct arrival *arrival,
                           struct error *error) MUST_CHECK;
/* What was read of files by earlier listings: a listing takes in only those that are new. Any thread. */
struct arrivals_memory;
struct arrivals_memory *arrivals_memory_new(void);
void arrivals_memory_free(struct arrivals_memory *memory);
/* Without their headers and bodies, oldest first. Nothing where nothing was stored. */
void arrivals_file_list(const struct arrivals_place *place, struct arrivals_memory *memory, struct arrivals *out);
/* Changes when an event comes or goes; 0: there is none, or it may change unseen, so soon after the last. */
int64_t arrivals_file_stamp(const struct arrivals_place *place, int64_t now);
/* One with its whole body; ERR_USAGE, and ERR_FILE where only a part of it was kept. */
enum err arrivals_file_read(const struct arrivals_place *place, int64_t n, struct arrival **out,
                            struct error *error) MUST_CHECK;
/* Removes those whose time is over, and what was never finished; how many of the former. */
size_t arrivals_file_retain(const struct arrivals_place *place, int64_t now);
/* Of one profile, or of all where it is NULL: how many files were removed, -1 and the error. */
int arrivals_file_purge(const char *folder, const char *profile, struct error *error);

#endif
