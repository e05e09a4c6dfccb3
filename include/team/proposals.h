#ifndef TEAM_PROPOSALS_H
#define TEAM_PROPOSALS_H
/* Four eyes: what one operator proposes and another releases before it may be sent (src/README.md, A team's store). The
 * store knows what is proposed by its digest under the team's key, so that exactly that is sent, once: team_begin takes
 * the step in the transaction that records the write. */

#include "model/proposal.h"
#include "team/team.h"

struct team_proposing {
    const char *origin, *account, *profile, *environment, *operation;
    const char *body; /* what a write of it is compared by */
    size_t body_len;
    const char *url, *secret; /* of a webhook; of the secret a fingerprint alone is kept */
    bool seals_body;          /* kept under the team's key, so that whoever releases it can read it */
};
/* id: names it from now on, made before (team_id_new), so that asking again adds no second one. */
enum err team_propose(struct team *team, const char *id, const struct team_proposing *proposing,
                      struct error *error) MUST_CHECK;

struct team_proposal_scope {
    const char *origin, *account;
};
/* Newest first, of the last week. Bodies stay sealed. */
enum err team_proposals(struct team *team, const struct team_proposal_scope *scope, struct proposals *out,
                        struct error *error) MUST_CHECK;
/* One, by the first characters of its id, with its body while it is not expired. ERR_USAGE: none, or several. */
enum err team_proposal_get(struct team *team, const struct team_proposal_scope *scope, const char *id,
                           struct proposals *out, struct error *error) MUST_CHECK;

/* state: PROPOSAL_RELEASED or PROPOSAL_REFUSED, by another person; PROPOSAL_WITHDRAWN by the one who proposed it.
 * ERR_INVALID: it stands otherwise, or is not this person's to decide; the text says why and by whom. ERR_UNKNOWN, as
 * of team_propose: the store was lost while it took it. */
struct team_decision {
    const char *id; /* its first characters */
    enum proposal_state state;
    const char *reason; /* of a refusal; kept without secrets */
    const char *body;   /* of a release: what would be sent, so that it is what was proposed; NULL: not at hand */
};
enum err team_decide(struct team *team, const struct team_proposal_scope *scope, const struct team_decision *decision,
                     struct error *error) MUST_CHECK;

#endif
