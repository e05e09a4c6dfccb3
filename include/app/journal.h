#ifndef APP_JOURNAL_H
#define APP_JOURNAL_H
/* Questions to the journal and their answers, as data: run asks the store on its own lane. What an ask or answer owns
 * moves with it. */

#include "app/write.h"

enum journal_task {
    JOURNAL_LOOK,   /* write: earlier writes of the very same body (match NULL), then those that look alike; how the
                       fields differ from record n, or from the newest of them */
    JOURNAL_ROW,    /* the same for a row of many: nothing is compared */
    JOURNAL_LIST,   /* records, newest first */
    JOURNAL_SHOW,   /* n: one record with its events and the names of its fields */
    JOURNAL_SETTLE, /* n, outcome, note, response_id; answers with the record */
    JOURNAL_COUNTS, /* how many records are unknown; also said by itself when the console starts */
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
    struct outcome_records records; /* of a look: one per earlier write and text that is the same (its `match`) */
    int64_t compared;               /* look: record whose fields were compared; 0: none */
    enum field_same *fields;        /* as many as the ask's fields */
    size_t n_fields;
    bool body_same;
    char *idempotency; /* of a look with n: the key that went along with that record; NULL: none did */
    char *name;        /* of a look: what is sent, in this place, without telling it (journal_body_name) */
    /* Look and row: alike were sent to the same place and account under another profile's name too. They are not among
     * the records and do not count as sent here; it is to be said once. NULL: none. */
    char *other_profile;
    size_t n_others;
    size_t unknown; /* records whose outcome is not known */
    char nonce[33]; /* fresh random hex: where draft names and idempotency keys come from */
    char *notice;   /* what is to be said once about the journal; NULL: nothing */
};
struct journal_answer *journal_answer_new(enum journal_task task);
void journal_answer_free(struct journal_answer *answer);
PAYLOAD_TYPE(journal_answer)

/* Takes ask; the answer bears the ticket. */
uint64_t effects_journal(struct effects *effects, struct journal_ask *ask);

#endif
