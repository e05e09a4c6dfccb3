#ifndef RUN_JOURNAL_LANE_H
#define RUN_JOURNAL_LANE_H
/* The journal as its lane uses it: one handle, opened by its first job. Only journal work, and the forms that it
 * belongs to, are in this lane's queue, so that a write never waits behind other work. Jobs are made on the main thread
 * and run on the lane. */

#include "app/journal.h"
#include "run/perform.h"
#include "store/journal.h"
#include "work/lane.h"

#define JOURNAL_KEY_IS_NEW "machine.key is new: writes recorded before are not recognised as duplicates"

struct team_side;

/* State of the lane. Strings are borrowed for its life. */
struct journal_lane {
    const char *folder; /* NULL: the operator's */
    const char *who, *environment;
    struct journal_scope scope;
    struct team_side *team; /* owned; NULL: no team */
    struct journal *journal;
    struct journal_opening opening;
    bool tried;
    struct journal *reader; /* opened where the journal cannot be written: reads its sound records */
    struct lane *lane; /* the lane itself, on which older records are checked step by step. NULL: they are checked when
                          something needs them */
    bool checking;
};
void journal_lane_close(struct journal_lane *lane);
/* Of its state: lets the connection to the team's store go. */
void journal_lane_rest(void *lane_state);
/* Opens the journal at the first use; NULL with the error where it cannot be used. */
struct journal *journal_lane_use(struct journal_lane *lane, struct error *error);

/* Takes ask; answers with EVENT_JOURNAL. */
struct lane_job *journal_ask_job(uint64_t ticket, struct journal_ask *ask, event_fn *tell);

/* owner: the one that the lane's results are finished for. n 0: there is no record, and nothing may be sent; what of it
 * is a colleague's is taken out of elsewhere. */
typedef void journal_begun_fn(void *owner, uint64_t ticket, int64_t n, struct write_elsewhere *elsewhere,
                              const struct error *error);
/* ask is borrowed until the answer. */
struct lane_job *journal_begin_job(uint64_t ticket, const struct write_ask *ask, journal_begun_fn *begun);

/* Takes result; EVENT_WRITE when its outcome is on the disk. tell may be NULL. */
struct lane_job *journal_mark_job(uint64_t ticket, struct write_result *result, event_fn *tell);

/* Copies records of the store for layers that do not include it. */
void journal_copy_records(const struct journal_records *from, struct outcome_records *to);
void journal_who(struct str *out); /* the operator: the user this process runs as */

#endif
