#include "model/proposal.h"

#include "base/secret.h"

#include <stdlib.h>
#include <string.h>

static const char *const STATES[PROPOSAL_STATES] = {
    [PROPOSAL_WAITING] = "waiting", [PROPOSAL_RELEASED] = "released",   [PROPOSAL_SENT] = "sent",
    [PROPOSAL_REFUSED] = "refused", [PROPOSAL_WITHDRAWN] = "withdrawn", [PROPOSAL_EXPIRED] = "expired"};

const char *proposal_state_name(enum proposal_state state) {
    return STATES[state];
}

void proposals_clear(struct proposals *proposals) {
    for (size_t i = 0; i < proposals->n; i++)
        if (proposals->items[i].body)
            secret_wipe((void *)proposals->items[i].body, strlen(proposals->items[i].body));
    free(proposals->items);
    arena_clear(&proposals->arena);
    *proposals = (struct proposals){0};
}

void proposal_add_person(struct str *out, const struct proposal_act *act) {
    str_addf(out, "%s at %s", act->who ? act->who : "?", act->host ? act->host : "?");
}

void proposal_add_line(struct str *out, const struct proposal *proposal) {
    str_addf(out, "%.*s  %-9s  ", PROPOSAL_ID_SHOWN, proposal->id, proposal_state_name(proposal->state));
    if (proposal->url)
        str_addf(out, "webhook %s, %s%s", proposal->url, proposal->fingerprint ? "signed, fingerprint " : "UNSIGNED",
                 proposal->fingerprint ? proposal->fingerprint : "");
    else
        str_add(out, "a user");
    str_add(out, ", by ");
    proposal_add_person(out, &proposal->proposed);
}

static bool is_to_do(const struct proposal *proposal) {
    if (proposal->state == PROPOSAL_WAITING)
        return !proposal->is_own;
    return proposal->state == PROPOSAL_RELEASED && (proposal->is_own || proposal->is_released_here);
}

size_t proposals_to_do(const struct proposals *proposals) {
    size_t n = 0;
    for (size_t i = 0; i < proposals->n; i++)
        n += is_to_do(&proposals->items[i]);
    return n;
}
