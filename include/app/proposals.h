#ifndef APP_PROPOSALS_H
#define APP_PROPOSALS_H
/* What a second person of the team has to release before it is sent (model/proposal.h): asked of the team's store, on
 * the journal's lane. Nothing here sends anything to the service. */

#include "app/effect.h"
#include "model/proposal.h"

enum proposal_task {
    PROPOSAL_LIST,
    PROPOSAL_SHOW,   /* id */
    PROPOSAL_MAKE,   /* operation, body, url, secret */
    PROPOSAL_DECIDE, /* id, state, reason; body, of a release, where it is at hand */
};

struct proposal_ask {
    enum proposal_task task;
    char *id; /* its first characters */
    enum proposal_state state;
    char *reason;
    enum api_operation operation;
    char *body; /* what the write is compared by; of a user it is kept, sealed. Wiped when it is freed, as the secret */
    char *url, *secret;
};
struct proposal_ask *proposal_ask_new(enum proposal_task task);
void proposal_ask_free(struct proposal_ask *ask);
PAYLOAD_TYPE(proposal_ask)

struct proposal_answer {
    enum proposal_task task;
    struct error error;    /* ERR_UNKNOWN: it was done, or may have been, as the text says */
    struct proposals list; /* LIST: all; else the one as it stands then */
};
struct proposal_answer *proposal_answer_new(enum proposal_task task);
void proposal_answer_free(struct proposal_answer *answer);
PAYLOAD_TYPE(proposal_answer)
uint64_t effects_proposals(struct effects *effects, struct proposal_ask *ask); /* takes ask */

/* Appends lines: what it is, who proposed it and when, where it stands and what can be done. */
void proposal_tell(const struct proposal *proposal, struct str *out);
/* The first of those lines: its name, and who did what with it when. */
void proposal_tell_acts(const struct proposal *proposal, struct str *out);

#endif
