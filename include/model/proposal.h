#ifndef MODEL_PROPOSAL_H
#define MODEL_PROPOSAL_H
/* A write that two persons of a team have to agree to: proposed by one, released by another, sent at most once. Told by
 * the team's store, its text harmless on a terminal. Of a webhook's registration the secret is never in it. Times are
 * ms since 1970 UTC by the store's clock. */

#include "base/mem.h"
#include "base/str.h"

#include <stdint.h>

enum proposal_state {
    PROPOSAL_WAITING,
    PROPOSAL_RELEASED, /* and not sent yet */
    PROPOSAL_SENT,
    PROPOSAL_REFUSED,
    PROPOSAL_WITHDRAWN,
    PROPOSAL_EXPIRED, /* a day passed, and it was neither sent nor decided against */
    PROPOSAL_STATES
};
const char *proposal_state_name(enum proposal_state state);

enum { PROPOSAL_ID_SHOWN = 8, PROPOSAL_ID_MIN = 4 };

/* Who did something at which machine, when; who NULL: nobody did. */
struct proposal_act {
    const char *who, *host, *role; /* role: under which the store knows them */
    int64_t at;
};

struct proposal {
    const char *id; /* hex */
    enum proposal_state state;
    struct proposal_act proposed, released, ended; /* ended: sent, refused or withdrawn */
    const char *profile, *environment, *operation;
    const char *digest;            /* of what is sent, under the team's key */
    const char *url, *fingerprint; /* of a webhook; fingerprint NULL: unsigned */
    const char *body;              /* of a user; NULL: none, a day has passed, or this machine's key does not open it */
    const char *reason;            /* of a refusal */
    const char *record;            /* the team's record of what was sent */
    int64_t left_ms;               /* until it expires */
    bool is_own;                   /* of the person at this desk, at whatever machine */
    bool is_released_here;         /* by the person at this desk */
};

struct proposals {
    struct proposal *items;
    size_t n, cap;
    struct arena arena;
};
void proposals_clear(struct proposals *proposals); /* wipes bodies */

/* Appends "anna at desk-1". */
void proposal_add_person(struct str *out, const struct proposal_act *act);
/* Appends what it is and where it stands, a line: "1a2b3c4d  waiting  https://... signed". */
void proposal_add_line(struct str *out, const struct proposal *proposal);
/* How many wait for a word of the person at this desk, or are released and theirs to send. */
size_t proposals_to_do(const struct proposals *proposals);

#endif
