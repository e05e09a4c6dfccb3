/* What two persons of a team agree to, asked of its store on the journal lane: a write's record and its step of sending
 * are one transaction there, in team_begin. */

#include "app/proposals.h"
#include "job.h"
#include "journal_lane.h"
#include "team/proposals.h"
#include "team_side.h"

#include "base/digest.h"

#include <string.h>

enum { ID_BYTES = TEAM_ID_HEX + 1 };

static const char *new_proposal_id(struct str *hex) {
    unsigned char bytes[TEAM_ID_BYTES];
    team_id_new(bytes);
    digest_hex(hex, bytes, sizeof bytes);
    return hex->s;
}

static enum err make_proposal(struct journal_lane *lane, const struct proposal_ask *ask, const char *id,
                              struct error *error) {
    bool user = ask->operation == API_CREATE_USER;
    struct team_proposing proposing = {.origin = lane->scope.origin,
                                       .account = lane->scope.account,
                                       .profile = lane->scope.profile,
                                       .environment = lane->environment,
                                       .operation = user ? JOURNAL_USER : JOURNAL_WEBHOOK,
                                       .body = ask->body,
                                       .body_len = strlen(ask->body),
                                       .url = ask->url,
                                       .secret = ask->secret,
                                       .seals_body = user};
    return team_propose(lane->team->team, id, &proposing, error);
}

/* What was done stays done where it cannot be read any more. */
static void read_proposal_back(struct team *team, const struct team_proposal_scope *scope,
                               const struct proposal_ask *ask, const char *id, struct proposal_answer *answer) {
    struct error fault = {0};
    enum err err = team_proposal_get(team, scope, id, &answer->list, &fault);
    if (err == ERR_OK)
        return;
    if (ask->task == PROPOSAL_SHOW)
        (void)error_set(&answer->error, err, "%s", fault.text);
    else
        (void)error_set(&answer->error, ERR_UNKNOWN, "%s as %.*s; it could not be read back: %s",
                        ask->task == PROPOSAL_MAKE ? "proposed" : proposal_state_name(ask->state), PROPOSAL_ID_SHOWN,
                        id, fault.text);
}

static void ask_team(struct journal_lane *lane, const struct proposal_ask *ask, struct proposal_answer *answer) {
    const struct team_proposal_scope scope = {lane->scope.origin, lane->scope.account};
    struct team_decision decision = {.id = ask->id, .state = ask->state, .reason = ask->reason, .body = ask->body};
    struct team *team = lane->team->team;
    struct str id;
    enum err err = ERR_OK;
    str_init(&id, ID_BYTES);
    if (ask->task == PROPOSAL_LIST)
        err = team_proposals(team, &scope, &answer->list, &answer->error);
    else if (ask->task == PROPOSAL_MAKE)
        err = make_proposal(lane, ask, new_proposal_id(&id), &answer->error);
    else if (ask->task == PROPOSAL_DECIDE)
        err = team_decide(team, &scope, &decision, &answer->error);
    if (err == ERR_OK && ask->task != PROPOSAL_LIST)
        read_proposal_back(team, &scope, ask, id.len ? id.s : ask->id, answer);
    str_clear(&id);
}

static void proposal_run(struct job *job, void *lane_state) {
    struct journal_lane *lane = lane_state;
    struct proposal_answer *answer = event_get(&job->answer, proposal_answer);
    if (!lane->team)
        (void)error_set(&answer->error, ERR_CONFIG, "the profile names no team (team_store)");
    else if (lane->team->fault.code != ERR_OK)
        (void)error_set(&answer->error, lane->team->fault.code, "%s", lane->team->fault.text);
    else
        ask_team(lane, job_work(job, proposal_ask), answer);
}

void perform_proposals(struct performer *performer, struct effect *effect) {
    struct proposal_ask *ask = effect_take(effect, proposal_ask);
    struct proposal_answer *answer = proposal_answer_new(ask->task);
    struct job *job = job_new(proposal_run, effect->ticket, payload_of(proposal_ask, ask), performer->tell);
    job_answer(job, EVENT_PROPOSALS, payload_of(proposal_answer, answer));
    lane_push(performer->journals, &job->lane);
}
