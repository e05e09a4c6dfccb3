#ifndef APP_REGISTER_H
#define APP_REGISTER_H
/* Registering users: drafts, checks, the look for duplicates, one write, its receipt. Several drafts live at once; one
 * is open. Nothing typed is lost: a draft goes when its user is registered, when the operator discards it, never by
 * itself. Pure: time comes with the event, random names with the journal's answers, work leaves as effects. */

#include "app/create.h"

enum register_stage {
    REGISTER_FORM,
    REGISTER_LOOKING, /* the journal is asked for earlier writes */
    REGISTER_REVIEW,  /* waits for the operator's confirmation */
    REGISTER_SENDING, /* frozen */
    REGISTER_RECEIPT, /* done, refused, unknown or not sent: `write.result` */
};

struct draft {
    char *name; /* of its file and its lock in the journal; NULL until something is typed */
    struct user user;
    bool dirty;     /* differs from what the disk holds */
    int64_t locked; /* record of its write whose outcome is unknown: repeated only on purpose; 0: free */
    char *key;      /* idempotency key of this logical submission, for the body `keyed` */
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
    int64_t opened; /* when the review opened */
    int64_t ended;  /* when the answer came whose receipt is shown */
    char nonce[33];
    unsigned names; /* given out from this nonce */
    struct user_findings findings;
    struct user_findings refused; /* by the service, of the open draft: each stands until its field is changed */
    struct {
        char *text, *found; /* the tag that was asked about; what the journal says of it, or NULL */
        uint64_t ticket;
    } tag;
    char *sent_tag;  /* of the write whose receipt is shown, or NULL */
    uint64_t ticket; /* of the look */
    uint64_t left;   /* of the question for the writes that are unknown */
    struct {
        int64_t n; /* 0: nothing to say */
        enum outcome outcome;
    } settled_notice;      /* the last form that was freed by an operator's word: the pane says so, and forgets it */
    struct write_ask *ask; /* of the review: built once, then shown, recorded and sent */
    char *body;            /* its text, on show while it is on its way too */
    int64_t repeats;       /* number of the unknown record that it would repeat; 0 */
    struct journal_answer *look;
    struct write write;
    size_t keeping; /* forms on their way to the disk */
    char *unkept;   /* why the last one could not be kept; NULL: all were */
    unsigned generation;
};

void register_init(struct register_state *state, const struct profile *profile);
void register_clear(struct register_state *state);
/* Asks for the drafts that are on the disk, and for the journal's state. */
void register_start(struct register_state *state, struct effects *effects);

/* Asks what the journal holds as unknown: a form whose write was cut off is locked by its record, and one whose record
 * was settled, in another console or at the command line, is free again, or gone where its user exists. */
void register_follow(struct register_state *state, struct effects *effects);

struct draft *register_draft(struct register_state *state);
/* A field of the open draft was typed; nothing while it is frozen. */
void register_set(struct register_state *state, enum user_field field, const char *text, int64_t now);
void register_check(struct register_state *state, int64_t now);
/* The tag was left: the journal is asked, once for each, whether it was used before; the answer stands at the field. */
void register_ask_tag(struct register_state *state, struct effects *effects);
bool register_is_dirty(const struct register_state *state); /* something typed is nowhere but in memory */
bool register_is_frozen(const struct register_state *state);

void register_new(struct register_state *state);                              /* a further draft, and opens it */
void register_open(struct register_state *state, size_t draft);               /* another one */
void register_discard(struct register_state *state, struct effects *effects); /* the open one */
/* Drafts go to the disk, without government id and birth date: when the pane or the program is left. */
void register_keep(struct register_state *state, struct effects *effects);
bool register_is_keeping(const struct register_state *state);
/* Why a form is in memory alone, though it was to be kept; NULL: none is. */
const char *register_unkept(const struct register_state *state);

/* Checks; where nothing blocks, the look and then the review. False: something blocks. */
bool register_review(struct register_state *state, int64_t now, struct effects *effects);
void register_back(struct register_state *state); /* from the review or the receipt to the form */
/* Why what is on review cannot be sent at all, for the operator; false: it can. */
bool register_is_refused(const struct register_state *state, struct str *why);
/* The operator's confirmation: at most one write for any number of them. */
bool register_confirm(struct register_state *state, struct effects *effects);
void register_cancel(struct register_state *state, struct effects *effects);

/* True when the event was for this. */
bool register_update(struct register_state *state, struct event *event, struct effects *effects);

struct user_rules register_rules(const struct profile *profile, int64_t now);

#endif
