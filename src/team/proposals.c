#include "team/proposals.h"
#include "own.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/seal.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX_BYTES = 4096, BODY_MAX = 1 << 20, PRINT_DIGITS = 12, REASON_MAX = 2000 };

static const int64_t DAY_MS = 86400000, WEEK_MS = 7 * 86400000LL;

/* Columns of TEAM_PROPOSAL_ROWS. */
enum {
    OF_ID,
    OF_WHO,
    OF_HOST,
    OF_ROLE,
    OF_STORED,
    OF_PROFILE,
    OF_ENVIRONMENT,
    OF_OPERATION,
    OF_DIGEST,
    OF_URL,
    OF_FINGERPRINT,
    OF_SEALED,
    OF_NOW,
    OF_OWN_ROLE,
    OF_ORIGIN,
    OF_ACCOUNT,
    OF_FIRST_KIND,
    OF_FIRST_WHO,
    OF_FIRST_HOST,
    OF_FIRST_ROLE,
    OF_FIRST_STORED,
    OF_FIRST_REASON,
    OF_FIRST_CONSOLE,
    OF_LAST_KIND,
    OF_LAST_WHO,
    OF_LAST_HOST,
    OF_LAST_ROLE,
    OF_LAST_STORED,
    OF_LAST_REASON,
    OF_LAST_RECORD,
    OF_CONSOLE,
};

/* Whether the store took it is not known where it was lost at that moment. */
static enum err tell_store_lost(const struct team *team, enum err err, const char *done, const char *id,
                                struct error *error) {
    struct error fault = {0};
    if (err != ERR_STORE || !team->connection.unsure)
        return err;
    if (error)
        fault = *error;
    error_clear(error);
    return error_set(error, ERR_UNKNOWN, "it is not known whether proposal %.*s was %s: look at the proposals (%s)",
                     PROPOSAL_ID_SHOWN, id, done, fault.text);
}

/* ---- proposing ---- */

/* Its own id goes along, so that equal bodies are not equal there and none is put in another's place. */
static void seal_proposed_body(struct team *team, const char *id, const struct team_proposing *proposing,
                               struct str *hex) {
    struct str plain, sealed;
    str_init(&plain, BODY_MAX);
    str_init(&sealed, BODY_MAX * 2);
    str_add(&plain, id);
    str_add_n(&plain, proposing->body, proposing->body_len);
    seal_make(&sealed, &team->key, plain.s, plain.len);
    digest_hex(hex, (const unsigned char *)sealed.s, sealed.len);
    secret_clear_str(&plain);
    str_clear(&sealed);
}

/* Tells whether two secrets are the same, under the team's key: each machine's own tells it to that machine alone. */
static void print_proposed_secret(struct team *team, const struct team_proposing *proposing, struct team_digest *out) {
    team_digest_of(team, "fingerprint", proposing->origin, proposing->account, "secret", proposing->secret,
                   strlen(proposing->secret), out);
    out->hex[PRINT_DIGITS] = '\0';
}

static enum err add_proposal_row(struct team *team, const char *id, const struct team_proposing *proposing,
                                 const char *sealed, struct error *error) {
    struct team_values values = {0};
    struct team_digest body, print = {""};
    const char *const words[] = {id,
                                 team->place.console,
                                 team->place.who,
                                 team->place.host,
                                 proposing->origin ? proposing->origin : "",
                                 proposing->account ? proposing->account : "",
                                 proposing->profile,
                                 proposing->environment,
                                 proposing->operation};
    team_digest_of(team, "body", proposing->origin, proposing->account, proposing->operation, proposing->body,
                   proposing->body_len, &body);
    if (proposing->secret)
        print_proposed_secret(team, proposing, &print);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        team_value(&values, words[i]);
    team_value(&values, body.hex);
    team_value(&values, proposing->url);
    team_value(&values, proposing->secret ? print.hex : NULL);
    team_value(&values, sealed);
    return team_run(&team->connection, TSQL_PROPOSAL_ADD, &values, NULL, error);
}

struct propose_steps {
    struct team *team;
    const char *id;
    const struct team_proposing *proposing;
    const char *sealed;
};

static enum err team_propose_steps(void *context, struct error *error) {
    struct propose_steps *steps = context;
    return add_proposal_row(steps->team, steps->id, steps->proposing, steps->sealed, error);
}

enum err team_propose(struct team *team, const char *id, const struct team_proposing *proposing, struct error *error) {
    struct str hex;
    enum err err = team_use(team, false, error);
    if (err != ERR_OK)
        return err;
    str_init(&hex, BODY_MAX * 4);
    if (proposing->seals_body)
        seal_proposed_body(team, id, proposing, &hex);
    struct propose_steps steps = {team, id, proposing, proposing->seals_body ? hex.s : NULL};
    err = team_transaction(&team->connection, team_propose_steps, &steps, error);
    str_clear(&hex);
    return tell_store_lost(team, err, "made", id, error);
}

/* ---- reading ---- */

/* who, host, role and time stand side by side from `column` on. */
static struct proposal_act act_of(struct proposals *out, const struct team_rows *rows, int row, int column) {
    return (struct proposal_act){team_clean(&out->arena, rows, row, column),
                                 team_clean(&out->arena, rows, row, column + 1),
                                 team_clean(&out->arena, rows, row, column + 2), team_number(rows, row, column + 3)};
}

static enum proposal_state decided_state(const char *kind) {
    for (int i = 0; kind && i < PROPOSAL_STATES; i++)
        if (strcmp(kind, proposal_state_name((enum proposal_state)i)) == 0)
            return (enum proposal_state)i;
    return PROPOSAL_REFUSED; /* a word of a newer program: nothing is sent by it */
}

static enum proposal_state state_of(const struct team_rows *rows, int row) {
    const char *first = team_text(rows, row, OF_FIRST_KIND), *last = team_text(rows, row, OF_LAST_KIND);
    bool open = !last && (!first || decided_state(first) == PROPOSAL_RELEASED);
    if (open && team_number(rows, row, OF_NOW) - team_number(rows, row, OF_STORED) > DAY_MS)
        return PROPOSAL_EXPIRED;
    return last ? decided_state(last) : first ? decided_state(first) : PROPOSAL_WAITING;
}

static bool is_name(const char *one, const char *other) {
    return one && other && *one && ascii_compare(one, other) == 0;
}

/* A person has the name that their machine knows and, where each has a role of their own, that role's: whoever has one
 * of the two in common is the same person, at whatever machine. So is whoever has the same home, under whatever name. A
 * role that a team shares is nobody's name. */
static bool is_of_this_person(const struct team *team, const struct proposal_act *act, const char *console,
                              const char *own_role) {
    return is_name(console, team->place.console) || is_name(act->who, team->place.who) || is_name(act->who, own_role) ||
           is_name(act->role, team->place.who);
}

static struct proposal proposal_of(const struct team *team, const struct team_rows *rows, int row,
                                   struct proposals *out) {
    struct proposal proposal = {.id = team_clean(&out->arena, rows, row, OF_ID),
                                .state = state_of(rows, row),
                                .proposed = act_of(out, rows, row, OF_WHO),
                                .profile = team_clean(&out->arena, rows, row, OF_PROFILE),
                                .environment = team_clean(&out->arena, rows, row, OF_ENVIRONMENT),
                                .operation = team_clean(&out->arena, rows, row, OF_OPERATION),
                                .digest = team_clean(&out->arena, rows, row, OF_DIGEST),
                                .url = team_clean(&out->arena, rows, row, OF_URL),
                                .fingerprint = team_clean(&out->arena, rows, row, OF_FINGERPRINT)};
    struct proposal_act first = act_of(out, rows, row, OF_FIRST_WHO), last = act_of(out, rows, row, OF_LAST_WHO);
    bool released = first.who && decided_state(team_text(rows, row, OF_FIRST_KIND)) == PROPOSAL_RELEASED;
    if (released)
        proposal.released = first;
    if (last.who || !released)
        proposal.ended = last.who ? last : first;
    proposal.reason = team_clean(&out->arena, rows, row, last.who ? OF_LAST_REASON : OF_FIRST_REASON);
    proposal.record = team_clean(&out->arena, rows, row, OF_LAST_RECORD);
    proposal.left_ms = proposal.proposed.at + DAY_MS - team_number(rows, row, OF_NOW);
    const char *own_role = team_text(rows, row, OF_OWN_ROLE);
    proposal.is_own = is_of_this_person(team, &proposal.proposed, team_text(rows, row, OF_CONSOLE), own_role);
    proposal.is_released_here =
        released && is_of_this_person(team, &first, team_text(rows, row, OF_FIRST_CONSOLE), own_role);
    return proposal;
}

static bool has_digest(struct team *team, const struct team_proposal_scope *scope, const struct proposal *proposal,
                       const char *body, size_t len) {
    struct team_digest digest;
    team_digest_of(team, "body", scope->origin, scope->account, proposal->operation, body, len, &digest);
    return str_equal(digest.hex, proposal->digest);
}

/* What has ended, or has expired, is not opened any more; nor is what the digest, by which it is sent, does not name.
 */
static void open_proposed_body(struct team *team, const struct team_rows *rows, int row, struct proposals *out,
                               struct proposal *proposal) {
    const struct team_proposal_scope scope = {team_text(rows, row, OF_ORIGIN), team_text(rows, row, OF_ACCOUNT)};
    const char *hex = team_text(rows, row, OF_SEALED);
    struct str sealed, plain;
    size_t id = strlen(proposal->id);
    if (!hex || (proposal->state != PROPOSAL_WAITING && proposal->state != PROPOSAL_RELEASED))
        return;
    str_init(&sealed, BODY_MAX * 2);
    str_init(&plain, BODY_MAX * 2);
    if (digest_from_hex(&sealed, hex, strlen(hex)) && seal_open(&plain, &team->key, sealed.s, sealed.len) &&
        plain.len > id && memcmp(plain.s, proposal->id, id) == 0 &&
        has_digest(team, &scope, proposal, plain.s + id, plain.len - id))
        proposal->body = arena_dup_n(&out->arena, plain.s + id, plain.len - id);
    secret_clear_str(&plain);
    str_clear(&sealed);
}

static void scope_values(const struct team_proposal_scope *scope, struct team_values *values) {
    team_value(values, scope->origin ? scope->origin : "");
    team_value(values, scope->account ? scope->account : "");
}

enum err team_proposals(struct team *team, const struct team_proposal_scope *scope, struct proposals *out,
                        struct error *error) {
    struct team_values values = {0};
    struct team_rows rows = {0}, now = {0};
    enum err err = team_use(team, true, error);
    if (err == ERR_OK)
        err = team_run(&team->connection, TSQL_NOW, NULL, &now, error);
    scope_values(scope, &values);
    team_value_number(&values, (now.n > 0 ? team_number(&now, 0, 0) : 0) - WEEK_MS);
    if (err == ERR_OK)
        err = team_run(&team->connection, TSQL_PROPOSALS_OF, &values, &rows, error);
    for (int row = 0; row < rows.n; row++)
        *vec_add(out) = proposal_of(team, &rows, row, out);
    team_rows_clear(&now);
    team_rows_clear(&rows);
    return err;
}

static bool is_proposal_id(const char *id) {
    size_t len = strlen(id);
    return len >= PROPOSAL_ID_MIN && len <= TEAM_ID_HEX && strspn(id, "0123456789abcdef") == len;
}

static enum err find_proposal(struct team *team, const struct team_proposal_scope *scope, const char *id,
                              struct proposals *out, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    if (!is_proposal_id(id))
        return error_set(error, ERR_USAGE, "a proposal is named by the first of its digits, four or more");
    scope_values(scope, &values);
    team_value(&values, id);
    enum err err = team_run(&team->connection, TSQL_PROPOSALS_WITH, &values, &rows, error);
    if (err == ERR_OK && rows.n != 1)
        err = error_set(error, ERR_USAGE,
                        rows.n == 0 ? "no proposal of this service and account begins with %s"
                                    : "several proposals begin with %s: name more of it",
                        id);
    if (err == ERR_OK) {
        struct proposal *proposal = vec_add(out);
        *proposal = proposal_of(team, &rows, 0, out);
        open_proposed_body(team, &rows, 0, out, proposal);
    }
    team_rows_clear(&rows);
    return err;
}

enum err team_proposal_get(struct team *team, const struct team_proposal_scope *scope, const char *id,
                           struct proposals *out, struct error *error) {
    enum err err = team_use(team, false, error);
    return err == ERR_OK ? find_proposal(team, scope, id, out, error) : err;
}

/* ---- deciding ---- */

static enum err add_decision_row(struct team *team, const struct proposal *proposal, const char *kind,
                                 const char *reason, const char *record, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    team_value(&values, proposal->id);
    team_value_number(&values, proposal->state == PROPOSAL_WAITING ? 1 : 2);
    team_value(&values, kind);
    team_value(&values, team->place.console);
    team_value(&values, team->place.who);
    team_value(&values, team->place.host);
    team_value(&values, reason);
    team_value(&values, record);
    enum err err = team_run(&team->connection, TSQL_DECISION_ADD, &values, &rows, error);
    bool added = rows.changed > 0;
    team_rows_clear(&rows);
    return err == ERR_OK && !added ? team_ask_again(&team->connection, error) : err;
}

/* Why nothing can be decided about it any more. */
static enum err tell_standing(const struct proposal *proposal, struct error *error) {
    struct str person;
    if (proposal->state == PROPOSAL_EXPIRED)
        return error_set(error, ERR_INVALID,
                         "proposal %.*s is older than a day and has expired: propose it anew; nothing was sent",
                         PROPOSAL_ID_SHOWN, proposal->id);
    str_init(&person, TEXT_MAX_BYTES);
    proposal_add_person(&person, proposal->ended.who ? &proposal->ended : &proposal->released);
    enum err err = error_set(error, ERR_INVALID, "proposal %.*s was %s already by %s%s%s", PROPOSAL_ID_SHOWN,
                             proposal->id, proposal_state_name(proposal->state), person.s, proposal->reason ? ": " : "",
                             proposal->reason ? proposal->reason : "");
    str_clear(&person);
    return err;
}

static bool is_open(const struct proposal *proposal) {
    return proposal->state == PROPOSAL_WAITING || proposal->state == PROPOSAL_RELEASED;
}

/* The same decision by the same person, asked once more after an answer that was lost, is that decision. */
static bool is_decided_so(const struct team *team, const struct proposal *proposal, enum proposal_state state) {
    const struct proposal_act *act = state == PROPOSAL_RELEASED ? &proposal->released : &proposal->ended;
    return proposal->state == state && is_name(act->who, team->place.who) && is_name(act->host, team->place.host);
}

static enum err check_decision(const struct proposal *proposal, enum proposal_state state, struct error *error) {
    if (!is_open(proposal) || (state == PROPOSAL_RELEASED && proposal->state != PROPOSAL_WAITING))
        return tell_standing(proposal, error);
    if (state == PROPOSAL_WITHDRAWN && !proposal->is_own)
        return error_set(error, ERR_INVALID, "only who proposed it withdraws it: refuse it, with a reason");
    if (state == PROPOSAL_RELEASED && proposal->is_own)
        return error_set(error, ERR_INVALID,
                         "proposal %.*s is your own (%s): another person has to release it, whatever the machine; "
                         "nothing was sent",
                         PROPOSAL_ID_SHOWN, proposal->id, proposal->proposed.who);
    if (state == PROPOSAL_REFUSED && proposal->is_own)
        return error_set(error, ERR_INVALID, "the proposal is your own: withdraw it");
    return ERR_OK;
}

static enum err tell_other_body(const struct proposal *proposal, struct error *error) {
    return error_set(error, ERR_INVALID,
                     proposal->fingerprint
                         ? "this is not what was proposed: the secret is another one than that of fingerprint %s "
                           "(bursar webhook proposals)"
                         : "this is not what was proposed%s",
                     proposal->fingerprint ? proposal->fingerprint : "");
}

/* What is released is what was looked at: of a user the body that the digest names, of a webhook the one at hand. */
static enum err check_released_body(struct team *team, const struct team_proposal_scope *scope,
                                    const struct proposal *proposal, const char *body, struct error *error) {
    if (!proposal->url && !proposal->body)
        return error_set(error, ERR_INVALID,
                         "the body of proposal %.*s cannot be opened here, or is not the one that would be sent: it is "
                         "not released",
                         PROPOSAL_ID_SHOWN, proposal->id);
    return !body || has_digest(team, scope, proposal, body, strlen(body)) ? ERR_OK : tell_other_body(proposal, error);
}

struct decide_steps {
    struct team *team;
    const struct team_proposal_scope *scope;
    const struct team_decision *decision;
    int attempts;
};

static enum err team_decide_steps(void *context, struct error *error) {
    struct decide_steps *steps = context;
    const struct team_decision *decision = steps->decision;
    struct proposals found = {0};
    bool again = steps->attempts++ > 0;
    enum err err = find_proposal(steps->team, steps->scope, decision->id, &found, error);
    const struct proposal *proposal = err == ERR_OK ? &found.items[0] : NULL;
    if (proposal && !(again && is_decided_so(steps->team, proposal, decision->state))) {
        err = check_decision(proposal, decision->state, error);
        if (err == ERR_OK && decision->state == PROPOSAL_RELEASED)
            err = check_released_body(steps->team, steps->scope, proposal, decision->body, error);
        if (err == ERR_OK)
            err = add_decision_row(steps->team, proposal, proposal_state_name(decision->state), decision->reason, NULL,
                                   error);
    }
    proposals_clear(&found);
    return err;
}

static enum err decide_so(struct team *team, const struct team_proposal_scope *scope,
                          const struct team_decision *decision, struct error *error) {
    struct decide_steps steps = {team, scope, decision, 0};
    enum err err = team_use(team, false, error);
    if (err != ERR_OK)
        return err;
    err = team_transaction(&team->connection, team_decide_steps, &steps, error);
    return tell_store_lost(team, err, proposal_state_name(decision->state), decision->id, error);
}

/* A reason is kept for good, and somebody may paste the token into it. */
static enum err refuse_so(struct team *team, const struct team_proposal_scope *scope,
                          const struct team_decision *decision, struct error *error) {
    struct team_decision refusal = *decision;
    struct str reason;
    if (!refusal.reason || !refusal.reason[strspn(refusal.reason, " \t")])
        return error_set(error, ERR_INVALID, "a reason is needed: who proposed it reads it");
    if (strlen(refusal.reason) > REASON_MAX)
        return error_set(error, ERR_INVALID, "the reason is longer than %d bytes", REASON_MAX);
    str_init(&reason, TEXT_MAX_BYTES);
    str_add(&reason, refusal.reason);
    secret_redact(&reason);
    refusal.reason = reason.s;
    enum err err = decide_so(team, scope, &refusal, error);
    str_clear(&reason);
    return err;
}

enum err team_decide(struct team *team, const struct team_proposal_scope *scope, const struct team_decision *decision,
                     struct error *error) {
    return decision->state == PROPOSAL_REFUSED ? refuse_so(team, scope, decision, error)
                                               : decide_so(team, scope, decision, error);
}

/* ---- sending ---- */

static enum err check_proposal_sent(const struct proposal *proposal, const char *digest, struct error *error) {
    if (proposal->state == PROPOSAL_WAITING)
        return error_set(error, ERR_INVALID, "proposal %.*s waits for another person to release it", PROPOSAL_ID_SHOWN,
                         proposal->id);
    if (proposal->state != PROPOSAL_RELEASED)
        return tell_standing(proposal, error);
    if (!proposal->is_own && !proposal->is_released_here)
        return error_set(error, ERR_INVALID, "proposal %.*s is sent by %s, or by %s, who released it",
                         PROPOSAL_ID_SHOWN, proposal->id, proposal->proposed.who, proposal->released.who);
    return str_equal(proposal->digest, digest) ? ERR_OK : tell_other_body(proposal, error);
}

enum err team_proposal_take(struct team *team, const struct team_write *write, const char *digest,
                            struct error *error) {
    struct team_proposal_scope scope = {write->origin, write->account};
    struct proposals found = {0};
    enum err err = find_proposal(team, &scope, write->proposal, &found, error);
    if (err == ERR_OK && found.n == 0)
        err = error_set(error, ERR_INVALID, "there is no such proposal");
    const struct proposal *proposal = found.items;
    if (err == ERR_OK && proposal)
        err = check_proposal_sent(proposal, digest, error);
    if (err == ERR_OK && proposal)
        err = add_decision_row(team, proposal, proposal_state_name(PROPOSAL_SENT), NULL, write->id, error);
    proposals_clear(&found);
    return err;
}

/* ---- who agreed to a record ---- */

static char *told_release(struct outcome_records *out, const struct team_rows *rows, int row) {
    struct str text;
    str_init(&text, TEXT_MAX_BYTES);
    for (int i = 1; i < 5; i++) {
        const char *cell = team_text(rows, row, i);
        str_add(&text, i == 1 ? "proposed by " : i == 3 ? ", released by " : " at ");
        utf8_sanitise(&text, cell ? cell : "?", cell ? strlen(cell) : 1);
    }
    char *kept = outcome_dup(out, text.s);
    str_clear(&text);
    return kept;
}

static void tell_releases(struct outcome_records *out, size_t from, const struct team_rows *rows) {
    for (int row = 0; row < rows->n; row++)
        for (size_t i = from; i < out->n; i++)
            if (str_equal(out->items[i].team, team_text(rows, row, 0)))
                out->items[i].released = told_release(out, rows, row);
}

enum err team_tell_releases(struct team *team, int64_t since, struct outcome_records *out, size_t from,
                            struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    team_value_number(&values, since);
    enum err err = team_run(&team->connection, TSQL_RELEASED_SINCE, &values, &rows, error);
    tell_releases(out, from, &rows);
    team_rows_clear(&rows);
    return err;
}

enum err team_tell_release(struct team *team, struct outcome_records *out, size_t at, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    team_value(&values, out->items[at].team);
    enum err err = team_run(&team->connection, TSQL_RELEASED_AS, &values, &rows, error);
    tell_releases(out, at, &rows);
    team_rows_clear(&rows);
    return err;
}
