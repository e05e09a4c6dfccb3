#ifndef APP_HANDOVERS_H
#define APP_HANDOVERS_H
/* Handing an intent to a colleague, and what was handed to the operator here: what the file of notes is asked, and the
 * words, for the console and the commands alike. Nothing of it goes to the service. */

#include "app/notes.h"
#include "base/clock.h"
#include "config/profile.h"

enum { HANDOVERS_AT_ONCE = 500 };

/* ERR_CONFIG, with what to set, where the profile's notes are of this machine alone: nobody would see it. */
enum err handover_check_team(const struct profile *profile, struct error *error) MUST_CHECK;

struct handing {
    const char *to, *text; /* as typed; text may be empty */
    const char *me;        /* the operator's login; NULL: not known */
    int64_t at;
};
/* Appends the name that it goes to. ERR_USAGE where nobody can have it, or the text is none. */
enum err handover_check(const struct handing *handing, struct str *to, struct error *error) MUST_CHECK;
/* The same for one more intent; then nothing was added. ERR_LIMIT behind HANDOVERS_AT_ONCE. */
enum err notes_ask_handover(struct notes_ask *ask, const struct handing *handing, const char *id,
                            struct error *error) MUST_CHECK;
void notes_ask_done(struct notes_ask *ask, const struct handover *handover, int64_t now);

/* `Handed to ben: 3 intents, as soon as the team's store has them`: it is known to be on this machine alone. */
void handover_tell_handed(const char *to, size_t n, struct str *out);
/* `open`, `done by ben at desk-2 2026-11-28 11:00`, `taken back ...`. */
void handover_add_state(const struct handover *handover, enum clock_zone zone, int64_t now, struct str *out);
/* What came to the operator here since `before`, as one sentence; gives how many. before NULL: nothing is news. */
size_t handover_tell_news(const struct notes *before, const struct notes *notes, struct str *out);

/* Who wrote here or was handed something, the latest first, without the operator; to be cleared. */
struct handover_names {
    const char **items;
    size_t n, cap;
    struct arena arena;
};
void handover_names_of(const struct notes *notes, struct handover_names *out);
void handover_names_clear(struct handover_names *names);
/* The i-th that begins with what was typed, whatever the size of letters; NULL: no more. */
const char *handover_name_like(const struct handover_names *names, const char *typed, size_t i);

#endif
