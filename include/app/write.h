#ifndef APP_WRITE_H
#define APP_WRITE_H
/* One write to the service, whatever it writes: recorded in the journal before its first byte, sent once on a fresh
 * connection, its outcome decided by one table (src/README.md, What an answer means). A confirmation starts it; while
 * it runs, and until it is cleared, no other can start, so that five hundred confirmations in one burst are one
 * request. Nothing is ever repeated by the program itself. Pure: the work leaves as an effect. */

#include "app/effect.h"
#include "model/outcome.h"

/* A value that was sent (name: its dotted path), or a normalised text by which a duplicate is recognised. */
struct write_text {
    char *name, *text;
};
struct write_texts {
    struct write_text *items;
    size_t n, cap;
};

/* What is to be written. Owns its text, which is wiped when it is freed: it may be personal or secret. */
struct write_ask {
    enum api_operation operation;
    char *body;  /* the exact JSON that leaves */
    char *plain; /* what is compared with earlier writes instead of the body: the body without its random key; NULL: the
                    body itself */
    struct write_texts fields;  /* stored in the journal only as keyed digests */
    struct write_texts matches; /* stored in the same way, for the search for duplicates */
    char *idempotency;          /* the idempotency key that is sent in a header; NULL: none */
    bool lock_body;             /* the same body is not sent twice, by any run, form or command */
    bool again;                 /* the operator said to send it although the same was done before */
    bool one_of_many; /* a row of an import: a refusal that is not about this body (429, 401, 403, 404, a redirect)
                         counts as not sent, so that this run or a later one sends the row again */
    char *draft;      /* the same draft is not sent twice, by any console; NULL: none */
    char *import;     /* which import, and its line; NULL: none */
    int64_t line;
    int64_t repeats;         /* number of the unknown record that this repeats on purpose; 0 */
    char *url, *fingerprint; /* of a webhook registration; fingerprint NULL: unsigned */
    char *proposal;          /* the team's proposal that this sends, where two persons have to agree; NULL: none */
};
struct write_ask *write_ask_new(enum api_operation operation, const char *body);
void write_ask_free(struct write_ask *ask);
PAYLOAD_TYPE(write_ask)
uint64_t effects_write(struct effects *effects, struct write_ask *ask); /* takes ask; the answer bears the ticket */
void write_ask_field(struct write_ask *ask, const char *name, const char *text);
void write_ask_match(struct write_ask *ask, const char *name, const char *text);

/* A colleague's record of the very same stood in the way: nothing was sent from here. */
struct write_elsewhere {
    bool is;
    enum outcome outcome; /* of theirs */
    char *id;             /* that the service gave them; NULL */
};

/* What became of it. receipt.line says it in one sentence; receipt.code gives the exit status. */
struct write_result {
    int64_t n; /* the journal's number; 0: no record was made, and nothing was sent */
    int status;
    struct api_receipt receipt;
    char *trouble; /* why the outcome could not be noted in the journal; NULL: it was */
    struct write_elsewhere elsewhere;
};
struct write_result *write_result_new(void);
void write_result_free(struct write_result *result);
PAYLOAD_TYPE(write_result)
/* Whether a refusal with this status says nothing about the body: any other would have got it too. */
bool write_status_is_of_any_body(int status);
/* Adjusts what the answer means where that depends on who asked: `one_of_many`. */
void write_judge(const struct write_ask *ask, struct write_result *result);
enum outcome write_outcome(const struct write_result *result);

enum write_stage { WRITE_IDLE, WRITE_STARTED, WRITE_ENDED };

struct write {
    enum write_stage stage;
    uint64_t ticket;
    struct write_result *result; /* WRITE_ENDED */
};
/* Takes ask. False, and nothing leaves, unless the write is idle. */
bool write_start(struct write *write, struct write_ask *ask, struct effects *effects);
bool write_is_running(const struct write *write);
/* Before the first byte: not sent. After it the outcome is unknown. */
void write_cancel(struct write *write, struct effects *effects);
/* True when the event was this write's end; takes the result. */
bool write_update(struct write *write, struct event *event);
void write_clear(struct write *write); /* idle again */

#endif
