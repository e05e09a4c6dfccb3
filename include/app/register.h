#ifndef APP_REGISTER_H
#define APP_REGISTER_H
/* Registering users: drafts, checks, the search for duplicates, one write, its receipt. Several drafts exist at once;
 * one is open. Nothing that was typed is lost: a draft is removed when its user is registered or when the operator
 * discards it, never by the program alone. Pure: time comes with the event, random names with the journal's answers,
 * work leaves as effects. */

#include "app/create.h"
#include "app/proposals.h"

enum register_stage {
    REGISTER_FORM,
    REGISTER_LOOKING, /* the journal is asked for earlier writes */
    REGISTER_REVIEW,  /* waits for the operator's confirmation */
    REGISTER_SENDING, /* the form cannot be changed */
    REGISTER_RECEIPT, /* done, refused, unknown or not sent: `write.result` */
};

struct draft {
    char *name; /* names its file and its lock in the journal; NULL until something is typed */
    struct user user;
    bool dirty;     /* differs from the copy on the disk */
    int64_t locked; /* its write has an unknown outcome under this record: it is sent again only on purpose; 0: none */
    char *key;      /* idempotency key of this form while its body is `keyed` */
    char *keyed;    /* digest of the body that the key belongs to */
};

struct register_state {
    const struct profile *profile; /* borrowed */
    struct {
        struct draft *items;
        size_t n, cap;
    } drafts; /* never empty */
    size_t current;
    enum register_stage stage;
    int64_t opened; /* when the review was opened */
    int64_t ended;  /* when the answer of the receipt on show came */
    char nonce[33];
    unsigned names; /* how many draft names were made from the journal's nonce */
    struct user_findings findings;
    struct user_findings
        refused; /* what the service refused in the open draft: each finding stands until its field is changed */
    struct {
        char *text, *found; /* the tag that was asked about; what the journal says of it, or NULL */
        uint64_t ticket;
    } tag;
    char *sent_tag;  /* of the write whose receipt is shown, or NULL */
    uint64_t ticket; /* of the question for duplicates */
    uint64_t left;   /* of the question how many writes are unknown */
    struct {
        int64_t n; /* 0: nothing to say */
        enum outcome outcome;
        bool gone;    /* the form was dropped, since its user exists */
    } settled_notice; /* the last form that was freed because the operator settled its record: the pane shows it once */
    struct write_ask *ask; /* the write under review: built once, then shown, recorded and sent */
    char *body;            /* its body, which stays on show while it is sent */
    int64_t repeats;       /* number of the unknown record that it would repeat; 0: none */
    struct journal_answer *look;
    struct write write;
    uint64_t proposing; /* REGISTER_SENDING, and the team's store is asked instead of the service; 0: it is not */
    struct proposal_answer *agreed; /* what it said last; NULL: nothing yet */
    size_t keeping;                 /* forms that are being stored on the disk */
    char *unkept;                   /* why the last one could not be stored; NULL: all were */
    unsigned generation;
};

void register_init(struct register_state *state, const struct profile *profile);
void register_clear(struct register_state *state);
/* Asks for the drafts that are on the disk, and for the journal's state. */
void register_start(struct register_state *state, struct effects *effects);

/* Asks which writes the journal holds as unknown: a form whose write was cut off is locked by its record; a form whose
 * record was settled, in another console or at the command line, is free again, or is removed where its user exists. */
void register_follow(struct register_state *state, struct effects *effects);

struct draft *register_draft(struct register_state *state);
/* A field of the open draft was typed in; does nothing while the form cannot be changed. */
void register_set(struct register_state *state, enum user_field field, const char *text, int64_t now);
void register_check(struct register_state *state, int64_t now);
/* The cursor left the tag: the journal is asked, once for each tag, whether it was used before; the answer is shown at
 * the field. */
void register_ask_tag(struct register_state *state, struct effects *effects);
bool register_is_dirty(const struct register_state *state); /* something that was typed is only in memory */
bool register_is_frozen(const struct register_state *state);

void register_new(struct register_state *state);                              /* makes another draft, and opens it */
void register_open(struct register_state *state, size_t draft);               /* opens this one */
void register_discard(struct register_state *state, struct effects *effects); /* discards the open one */
/* Stores drafts on the disk, without government id and birth date: when the pane or the program is left. */
void register_keep(struct register_state *state, struct effects *effects);
bool register_is_keeping(const struct register_state *state);
/* Why a form is only in memory although it should have been stored; NULL: none is. */
const char *register_unkept(const struct register_state *state);

/* Checks the form; where nothing blocks, the journal is asked for duplicates and the review opens. False: something
 * blocks. */
bool register_review(struct register_state *state, int64_t now, struct effects *effects);
void register_back(struct register_state *state); /* back from the review or the receipt to the form */
/* Why what is on review cannot be sent at all, for the operator; false: it can. */
bool register_is_refused(const struct register_state *state, struct str *why);
/* The operator confirmed: sends at most one write, however often it is called. */
bool register_confirm(struct register_state *state, struct effects *effects);
void register_cancel(struct register_state *state, struct effects *effects);

/* True when the event was for this. */
bool register_update(struct register_state *state, struct event *event, struct effects *effects);

struct user_rules register_rules(const struct profile *profile, int64_t now);

#endif
