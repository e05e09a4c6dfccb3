#include "app/proposals.h"

#include "app/text.h"
#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>

struct proposal_ask *proposal_ask_new(enum proposal_task task) {
    struct proposal_ask *ask = mem_new(sizeof *ask);
    ask->task = task;
    return ask;
}

void proposal_ask_free(struct proposal_ask *ask) {
    if (ask) {
        secret_free_text(ask->body);
        secret_free_text(ask->secret);
        free(ask->id);
        free(ask->reason);
        free(ask->url);
        free(ask);
    }
}
PAYLOAD_OWNED(proposal_ask, proposal_ask_free);

uint64_t effects_proposals(struct effects *effects, struct proposal_ask *ask) {
    return effects_ask(effects, EFFECT_PROPOSALS, payload_of(proposal_ask, ask));
}

struct proposal_answer *proposal_answer_new(enum proposal_task task) {
    struct proposal_answer *answer = mem_new(sizeof *answer);
    answer->task = task;
    return answer;
}

void proposal_answer_free(struct proposal_answer *answer) {
    if (answer) {
        proposals_clear(&answer->list);
        free(answer);
    }
}
PAYLOAD_OWNED(proposal_answer, proposal_answer_free);

/* ---- words ---- */

static void tell_act(struct str *out, const char *did, const struct proposal_act *act) {
    if (!act->who)
        return;
    str_addf(out, "%-12s ", did);
    proposal_add_person(out, act);
    str_add(out, ", ");
    text_time(out, act->at);
    str_add_char(out, '\n');
}

static const char *next_of(const struct proposal *proposal) {
    bool is_signed = proposal->fingerprint != NULL;
    switch (proposal->state) {
    case PROPOSAL_WAITING:
        return proposal->is_own ? "It waits for another person to release it.\n"
                                : "It waits for you, or another colleague, to release it.\n";
    case PROPOSAL_RELEASED:
        if (!proposal->is_own && !proposal->is_released_here)
            return "It is released, and sent by one of the two.\n";
        return is_signed ? "It is released: send it with the very secret that was proposed.\n"
                         : "It is released and can be sent.\n";
    case PROPOSAL_EXPIRED:
        return "A day passed: it cannot be sent any more. Propose it anew.\n";
    default:
        return "";
    }
}

void proposal_tell_acts(const struct proposal *proposal, struct str *out) {
    str_addf(out, "proposal     %.*s, %s\n", PROPOSAL_ID_SHOWN, proposal->id, proposal_state_name(proposal->state));
    tell_act(out, "proposed by", &proposal->proposed);
    tell_act(out, "released by", &proposal->released);
    if (proposal->ended.who) {
        static const char *const ENDS[PROPOSAL_STATES] = {
            [PROPOSAL_SENT] = "sent by", [PROPOSAL_REFUSED] = "refused by", [PROPOSAL_WITHDRAWN] = "withdrawn by"};
        tell_act(out, ENDS[proposal->state] ? ENDS[proposal->state] : "ended by", &proposal->ended);
    }
}

void proposal_tell(const struct proposal *proposal, struct str *out) {
    proposal_tell_acts(proposal, out);
    if (proposal->reason)
        str_addf(out, "reason       %s\n", proposal->reason);
    if (proposal->url)
        str_addf(out, "URL          %s\nsigning      %s%s\n", proposal->url,
                 proposal->fingerprint ? "with a secret of fingerprint " : "UNSIGNED: events carry no signature",
                 proposal->fingerprint ? proposal->fingerprint : "");
    str_add(out, next_of(proposal));
}
