#ifndef APP_JOURNAL_H
#define APP_JOURNAL_H
/* Questions to the journal and their answers, as data: run asks the store on its own lane. What an ask or answer owns
 * moves with it. */

#include "app/write.h"

enum journal_task {
    JOURNAL_LOOK, /* write: earlier writes of the very same body (match NULL), then those that look alike; also how the
                     fields differ from record n, or else from the newest of them */
    JOURNAL_ROW,  /* the same for one row of an import: fields are not compared */
    JOURNAL_LIST, /* records, newest first */
    JOURNAL_SHOW, /* n: one record with its events and the names of its fields */
    JOURNAL_REGISTERED, /* response_id: the records of the user with this id, registered from here; newest first */
    JOURNAL_SETTLE,     /* n, outcome, note, response_id; answers with the record */
    JOURNAL_COUNTS,     /* how many records are unknown; this answer also comes unasked when the console starts */
};

struct journal_ask {
    enum journal_task task;
    struct write_ask *write;
    int64_t n;
    int only;  /* of a list: an outcome, or -1 */
    char *tag; /* of a list: users of this tag alone, in its normal form; NULL: any */
    size_t limit;
    enum outcome outcome;
    char *note, *response_id;
};
struct journal_ask *journal_ask_new(enum journal_task task);
void journal_ask_free(struct journal_ask *ask);
PAYLOAD_TYPE(journal_ask)

enum field_same { FIELD_SAME, FIELD_CHANGED, FIELD_NEW, FIELD_NOT_KNOWN };

struct journal_answer {
    enum journal_task task;
    struct error error;
    struct outcome_records records; /* of a look: one per earlier write and per text that is the same (its `match`) */
    int64_t compared;               /* of a look: the record whose fields were compared; 0: none */
    enum field_same *fields;        /* one for each field of the ask */
    size_t n_fields;
    bool body_same;
    char *idempotency;     /* of a look with n: the idempotency key that was sent with that record; NULL: none was */
    enum outcome standing; /* of a look with n: the outcome of that record by now; else OUTCOME_SENDING */
    char *name;            /* of a look: a keyed digest of what is sent, for this place (journal_body_name) */
    /* Look and row: similar writes went to the same place and account under another profile's name. They are not among
     * the records and do not count as sent here; the operator is told once. NULL: none. */
    char *other_profile;
    size_t n_others;
    size_t unknown; /* records whose outcome is not known */
    char nonce[33]; /* fresh random hex: where draft names and idempotency keys come from */
    char *notice;   /* a message about the journal that is shown once; NULL: nothing */
};
struct journal_answer *journal_answer_new(enum journal_task task);
void journal_answer_free(struct journal_answer *answer);
PAYLOAD_TYPE(journal_answer)

/* Takes ask; the answer bears the ticket. */
uint64_t effects_journal(struct effects *effects, struct journal_ask *ask);

#endif
