#ifndef TEAM_NOTES_H
#define TEAM_NOTES_H
/* Notes and tags that a team shares: what one console wrote the others take in by change number. The store has each
 * sealed under the team's key, with who and where; its name is a digest of what it says, so that one that is sent again
 * is there already. */

#include "team/intents.h"

struct team_note {
    const char *who, *host; /* who wrote it, harmless on a terminal */
    const char *line;       /* as it was given to team_notes_put; foreign text */
    size_t len;
};
enum { TEAM_NOTES_MAX = 200 };
/* At most TEAM_NOTES_MAX at once. kind: "note". */
enum err team_notes_put(struct team *team, const char *origin, const char *account, const struct team_note *notes,
                        size_t n, struct error *error) MUST_CHECK;

struct team_notes {
    struct team_note *items;
    size_t n, cap;
    bool more;
    struct arena arena;
};
/* What other consoles stored behind `place`, which is moved behind it; rows of another key are left out. */
enum err team_notes_since(struct team *team, const char *origin, const char *account,
                          struct team_place_of_changes *place, struct team_notes *out, struct error *error) MUST_CHECK;
void team_notes_clear(struct team_notes *notes);

#endif
