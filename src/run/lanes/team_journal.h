#ifndef RUN_TEAM_JOURNAL_H
#define RUN_TEAM_JOURNAL_H
/* The team's journal beside the local one: first the record there, committed; then the local one; then the request. All
 * writes go through journal_lane.c, and so through here. On the journal lane. */

#include "team_side.h"

#include "app/write.h"
#include "run/lanes/journal_lane.h"

/* The name of a write in the store, while its record is made. */
struct team_name {
    unsigned char bytes[TEAM_ID_BYTES];
    char hex[TEAM_ID_HEX + 1];
};

/* Records it in the store, and gives the local record its name there. Where the store is away and the profile allows
 * it, the write is noted to be merged. ERR_OK: the local record comes next. */
enum err team_journal_begin(struct team_side *side, struct journal *journal, struct journal_write *write,
                            struct team_name *name, struct write_elsewhere *elsewhere, struct error *error) MUST_CHECK;
/* There is no local record after all: nothing is sent. */
void team_journal_take_back(struct team_side *side, const struct journal_write *write, const struct team_name *name);
/* What became of local record n. ERR_STORE: it is told later, when the store is there. */
enum err team_journal_mark(struct team_side *side, struct journal *journal, int64_t n, struct error *error) MUST_CHECK;
/* Tells the store what it missed, and takes in what colleagues settled; at most every few seconds. */
enum err team_journal_settle(struct team_side *side, struct journal *journal, struct error *error) MUST_CHECK;

/* Appends colleagues' records that are of the same body, or have an equal text. */
enum err team_journal_look(struct team_side *side, const struct journal_write *write, struct outcome_records *out,
                           struct error *error) MUST_CHECK;
/* Puts colleagues' records among the local ones, newest first, and says what was registered twice. */
enum err team_journal_list(struct team_side *side, int outcome, size_t limit, struct outcome_records *out,
                           struct error *error) MUST_CHECK;

/* One record of the team by the first digits of its name, with its events; nothing is appended where there is none. */
enum err team_journal_get(struct team_side *side, const char *digits, struct outcome_records *out,
                          struct error *error) MUST_CHECK;
/* Appends what colleagues said of local records to their events. */
enum err team_journal_add_words(struct team_side *side, struct outcome_records *records,
                                struct error *error) MUST_CHECK;
/* The operator's word on it, for everybody; one of this machine is settled here too. Appends the record as it is then.
 */
struct team_word {
    enum outcome outcome;
    const char *note, *response_id;
};
enum err team_journal_resolve(struct team_side *side, struct journal *journal, const char *digits,
                              const struct team_word *word, struct outcome_records *out,
                              struct error *error) MUST_CHECK;

#endif
