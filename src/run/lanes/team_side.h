#ifndef RUN_TEAM_SIDE_H
#define RUN_TEAM_SIDE_H
/* The team's store beside the local journal, as the journal lane and the commands use it. Made and freed on the main
 * thread, used by one thread at a time. */

#include "config/profile.h"
#include "store/journal.h"
#include "team/team.h"

struct team_side {
    struct team *team;
    bool required;
    const struct profile *profile; /* borrowed */
    const char *folder;            /* borrowed; NULL: the operator's */
    struct secret *password;
    struct str console, who, host;
    struct error fault; /* it cannot be used at all: the password, the key of this machine */
    int64_t settled;    /* monotonic ms of the last team_journal_settle; 0: none yet */
    int64_t noted;      /* the store's time of the newest word of a colleague that was looked at; 0: none yet */
};
/* A server has only so many connections: a lane that had nothing to ask for so long lets its own go. */
enum { TEAM_REST_MS = 3000 };
/* NULL: the profile has no team. */
struct team_side *team_side_new(const struct profile *profile, const char *folder, const char *who);
/* Another connection of the same: what the password's command printed once serves both. NULL of NULL. */
struct team_side *team_side_beside(const struct team_side *side);
void team_side_free(struct team_side *side);
void team_host(struct str *out); /* this machine's name, harmless on a terminal */
/* Appends the path of a file that this machine keeps about a team, by its kind and the profile. */
enum err team_file_path(const char *folder, const char *kind, const char *profile, struct str *out,
                        struct error *error) MUST_CHECK;
/* ERR_CONFIG where the profile has no team. */
enum err team_side_open(const struct profile *profile, struct team_side **out, struct error *error) MUST_CHECK;

#endif
