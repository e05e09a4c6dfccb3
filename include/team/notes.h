#ifndef TEAM_NOTES_H
#define TEAM_NOTES_H
/* What a team shares beside writes and intents, in rows that are only added to: notes and tags, saved views. What one
 * console wrote the others take in by change number. The store has each row sealed under the team's key, with who and
 * where; its name is a digest of what it says, so that one that is sent again is there already. A row of another kind,
 * account or key is left out. */

#include "team/intents.h"

enum team_note_kind { TEAM_NOTE, TEAM_VIEW };

struct team_note {
    const char *who, *host; /* who wrote it, harmless on a terminal */
    const char *line;       /* as it was given to team_notes_put; foreign text */
    size_t len;
    const char *id; /* taken in: its name, its number, and when it was stored, by the store's clock */
    int64_t change, stored;
};
enum { TEAM_NOTES_MAX = 200 };
/* At most TEAM_NOTES_MAX at once. */
enum err team_notes_put(struct team *team, enum team_note_kind kind, const char *origin, const char *account,
                        const struct team_note *notes, size_t n, struct error *error) MUST_CHECK;

struct team_notes {
    struct team_note *items;
    size_t n, cap;
    bool more;
    struct arena arena;
};
/* What was stored behind `place`, which is moved behind it: notes of other consoles, views of all, in their order. */
enum err team_notes_since(struct team *team, enum team_note_kind kind, const char *origin, const char *account,
                          struct team_place_of_changes *place, struct team_notes *out, struct error *error) MUST_CHECK;
void team_notes_clear(struct team_notes *notes);
/* The number of the last change of any kind, by one statement; 0: there was none. */
enum err team_notes_last(struct team *team, const char *origin, const char *account, int64_t *change,
                         struct error *error) MUST_CHECK;

#endif
