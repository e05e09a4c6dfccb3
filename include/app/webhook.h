#ifndef APP_WEBHOOK_H
#define APP_WEBHOOK_H
/* Registering the webhook's endpoint. The service takes registrations and never says what is registered: what is known
 * comes from this console's journal. A registration replaces everything, so signing has to be chosen each time: nothing
 * is kept from the last one, and an empty field is no choice. Pure: secrets are made and files written by run, on
 * request; a secret held here is wiped when it is no longer needed. */

#include "app/journal.h"
#include "app/proposals.h"
#include "model/endpoint.h"
#include "model/webhook.h"

/* ---- Work for run ---- */

enum webhook_task {
    WEBHOOK_KNOWN, /* the last registration at this origin */
    WEBHOOK_PRINT, /* secret: gives its fingerprint, and the profile that uses the same one */
    WEBHOOK_MAKE,  /* format, path: makes a new secret; saved to a new file where a path is given */
    WEBHOOK_SAVE,  /* path, text: a new file, 0600 */
};

struct webhook_ask {
    enum webhook_task task;
    char *secret; /* wiped when it is freed */
    enum webhook_format format;
    char *path, *text;
};
struct webhook_ask *webhook_ask_new(enum webhook_task task);
void webhook_ask_free(struct webhook_ask *ask);
PAYLOAD_TYPE(webhook_ask)

struct webhook_answer {
    enum webhook_task task;
    struct error error;
    struct outcome_records last; /* KNOWN: one or none */
    int64_t unknown_since;       /* the record of a later registration whose outcome is unknown; 0: none */
    char *unknown_url;           /* its URL */
    char *unknown_fingerprint;   /* its secret's; NULL: it was unsigned */
    bool unknown_ended;          /* no program is sending it any more, so it can be repeated */
    /* The profile of another name that registered at the same place and account later; NULL: none. With a secret? */
    char *other_profile;
    bool other_signed;
    char *secret;      /* MAKE; wiped when it is freed */
    char *fingerprint; /* PRINT, MAKE */
    char *shared_with; /* another profile whose registration has the same secret */
};
struct webhook_answer *webhook_answer_new(enum webhook_task task);
void webhook_answer_free(struct webhook_answer *answer);
PAYLOAD_TYPE(webhook_answer)
PAYLOAD_TYPE(deliveries)
uint64_t effects_webhook(struct effects *effects, struct webhook_ask *ask); /* takes ask */

/* ---- The registration ---- */

enum webhook_signing { WEBHOOK_NOT_CHOSEN, WEBHOOK_GIVEN, WEBHOOK_GENERATED, WEBHOOK_UNSIGNED };
enum webhook_stage {
    WEBHOOK_FORM,
    WEBHOOK_WORKING, /* a secret is being checked, made or saved */
    WEBHOOK_REVIEW,  /* the difference is shown and waits for the operator's confirmation */
    WEBHOOK_SENDING,
    WEBHOOK_RECEIPT,
    WEBHOOK_AGREEING, /* the team's store is asked; nothing is sent while it is */
    WEBHOOK_AGREED,   /* it answered: proposed or released, and nothing was sent; or `error` */
};
/* What a confirmation does: where two persons have to agree, the first one proposes, the second one releases. */
enum webhook_purpose { WEBHOOK_SENDS, WEBHOOK_PROPOSES, WEBHOOK_RELEASES };

struct webhook {
    const struct profile *profile; /* borrowed */
    const struct secret *token;    /* borrowed; NULL: a secret is not compared with it */
    enum webhook_stage stage;
    struct webhook_answer *known;  /* NULL: not answered yet */
    struct webhook_answer *before; /* the record as it was when this registration was sent */
    char *url;
    enum webhook_signing signing;
    char *secret, *fingerprint, *shared_with, *saved_to;
    enum webhook_secret_state secret_state;
    struct error error; /* why the last step failed */
    uint64_t ticket, known_ticket;
    struct proposal_answer *proposal; /* that was made here or taken up; NULL: none */
    uint64_t agree_ticket;
    bool stopped;    /* while the store was asked: nothing is sent after it */
    int64_t repeats; /* number of the unknown record that webhook_again repeats; 0: none */
    struct write write;
    unsigned generation; /* counts every change */
};

void webhook_init(struct webhook *webhook, const struct profile *profile);
void webhook_clear(struct webhook *webhook);
/* Asks the journal what is known; sends nothing. */
void webhook_load(struct webhook *webhook, struct effects *effects);
const struct outcome_record *webhook_last(const struct webhook *webhook); /* NULL: no registration is known */
/* Whether the answer to it, or the operator's word, says that it was in force then: a 202 or 204 does not. */
bool webhook_held(const struct outcome_record *record);
/* The URL that was last sent from here, whether its outcome is known or not; NULL. */
const char *webhook_last_url(const struct webhook *webhook);

void webhook_set_url(struct webhook *webhook, const char *url);
/* Takes the secret as typed; false with webhook->error where it cannot be one. */
bool webhook_give(struct webhook *webhook, const char *secret, size_t len, struct effects *effects);
/* path NULL: it is shown once, in webhook->secret. */
void webhook_generate(struct webhook *webhook, enum webhook_format format, const char *path, struct effects *effects);
/* Only the word "unsigned" itself chooses it. */
bool webhook_unsigned(struct webhook *webhook, const char *word);
/* Signing is not chosen any more; the secret is wiped. */
void webhook_unchoose(struct webhook *webhook);
/* A form of its own: signing is not chosen, and no proposal is taken up. */
void webhook_begin(struct webhook *webhook);

/* Why it cannot be sent, or ERR_OK: read-only, URL, signing. */
enum err webhook_check(const struct webhook *webhook, bool read_only, struct error *error) MUST_CHECK;
/* Goes to the review; false with webhook->error. */
bool webhook_review(struct webhook *webhook, bool read_only);
/* From the review, or from the receipt of a registration that was not done, to the form as it was typed. From a receipt
 * of success: to a form whose signing is not chosen. */
void webhook_back(struct webhook *webhook);
/* From the receipt of an unknown outcome to the review of the very same registration, which is safe to repeat. */
bool webhook_again(struct webhook *webhook);
/* Number of the unknown record that this registration repeats unchanged, whether taken up by webhook_again or typed
 * again; 0: none. */
int64_t webhook_repeats(const struct webhook *webhook);
/* Confirms it with the word of the environment, where one is required (empty: none). False, and nothing is sent, where
 * the word differs. */
enum webhook_purpose webhook_purpose(const struct webhook *webhook);
const struct proposal *webhook_proposal(const struct webhook *webhook); /* NULL: none */
/* A team's proposal is what the form is about: one that waits is released by confirming it, one that is released is
 * sent, with the very secret. Takes answer. False: it cannot be done from here, and `error` says why. */
bool webhook_take_up(struct webhook *webhook, struct proposal_answer *answer);
const char *webhook_word(const struct webhook *webhook);
bool webhook_confirm(struct webhook *webhook, const char *word, struct effects *effects);
void webhook_cancel(struct webhook *webhook, struct effects *effects);
/* True when the event was for this. */
bool webhook_update(struct webhook *webhook, struct event *event, struct effects *effects);

/* Appends "with a secret, fingerprint ..." for the choice made. */
void webhook_tell_signing(const struct webhook *webhook, struct str *out);
/* Appends lines: what is known, said to be this console's record; the difference that would be sent; how it ended. */
void webhook_tell_known(const struct webhook *webhook, int64_t now, struct str *out);
void webhook_tell_difference(const struct webhook *webhook, struct str *out);
void webhook_tell_receipt(const struct webhook *webhook, struct str *out);
/* Appends that the proposal stays released, where nothing was sent by it; else nothing. */
void webhook_tell_standing(const struct webhook *webhook, struct str *out);
void webhook_tell_agreement(const struct webhook *webhook, struct str *out); /* in WEBHOOK_AGREED */
/* Warnings about URL and secret, a line each. */
void webhook_tell_warnings(const struct webhook *webhook, struct str *out);
/* "registered", "replaced", "unknown" where the answer does not say, or "" where it was not done. */
const char *webhook_effect(const struct webhook *webhook);

#endif
