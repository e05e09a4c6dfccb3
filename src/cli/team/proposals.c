#include "cli/cli.h"
#include "cli/output.h"

#include "app/proposals.h"
#include "base/clock.h"
#include "base/mem.h"
#include "wire/user.h"

#include <string.h>

/* What waits for a second person: listed, withdrawn, refused. What sends something is a command of its own, with the
 * same review as without a team (webhook/webhook.c, users/users.c). */

enum { TEXT_MAX = 1 << 20 };

struct asking {
    struct proposal_ask *ask; /* until it is asked */
    struct proposal_answer *answer;
    uint64_t ticket;
};

static void proposals_ask_update(void *self, struct event *event, struct effects *effects) {
    struct asking *asking = self;
    if (event->kind == EVENT_START) {
        asking->ticket = effects_proposals(effects, asking->ask);
        asking->ask = NULL;
    } else if (event->kind == EVENT_PROPOSALS && event->ticket == asking->ticket) {
        asking->answer = event_take(event, proposal_answer);
    }
}

static bool proposals_ask_is_finished(const void *self) {
    const struct asking *asking = self;
    return asking->answer != NULL;
}

/* Takes ask. *out: NULL on failure. */
static enum err ask_store(struct cli *cli, struct proposal_ask *ask, struct proposal_answer **out,
                          struct error *error) {
    struct asking asking = {.ask = ask};
    struct client client = {.self = &asking, .update = proposals_ask_update, .is_finished = proposals_ask_is_finished};
    cli->signal = cli->drive(cli->drive_context, &client);
    proposal_ask_free(asking.ask);
    *out = asking.answer;
    if (!asking.answer)
        return error_set(error, ERR_CANCELLED, "interrupted");
    enum err err = asking.answer->error.code;
    if (err == ERR_OK)
        return ERR_OK;
    err = error_set(error, err, "%s", asking.answer->error.text);
    proposal_answer_free(asking.answer);
    *out = NULL;
    return err;
}

static bool is_of_command(const struct cli *cli, const struct proposal *proposal) {
    return (cli->args.command == COMMAND_USERS_PROPOSALS) == (proposal->url == NULL);
}

static void add_proposal_json(struct str *out, const struct proposal *proposal) {
    const struct {
        const char *name, *text;
    } MEMBERS[] = {{"id", proposal->id},
                   {"state", proposal_state_name(proposal->state)},
                   {"proposed_by", proposal->proposed.who},
                   {"host", proposal->proposed.host},
                   {"released_by", proposal->released.who},
                   {"ended_by", proposal->ended.who},
                   {"reason", proposal->reason},
                   {"url", proposal->url},
                   {"fingerprint", proposal->fingerprint},
                   {"record", proposal->record}};
    str_add(out, "{\"proposed_at\":\"");
    clock_format_iso(out, proposal->proposed.at);
    str_add_char(out, '"');
    for (size_t i = 0; i < COUNT_OF(MEMBERS); i++) {
        str_add_char(out, ',');
        wire_add_member(out, MEMBERS[i].name, MEMBERS[i].text);
    }
    str_addf(out, ",\"own\":%s}", proposal->is_own ? "true" : "false");
}

static void add_proposal_text(struct str *out, const struct proposal *proposal) {
    clock_format(out, proposal->proposed.at, CLOCK_UTC, proposal->proposed.at);
    str_add(out, "  ");
    proposal_add_line(out, proposal);
    if (proposal->released.who) {
        str_add(out, ", released by ");
        proposal_add_person(out, &proposal->released);
    }
    if (proposal->ended.who) {
        str_addf(out, ", %s by ", proposal_state_name(proposal->state));
        proposal_add_person(out, &proposal->ended);
    }
    str_addf(out, "%s%s\n", proposal->reason ? ": " : "", proposal->reason ? proposal->reason : "");
}

enum err cli_proposals_list(struct cli *cli, struct error *error) {
    struct proposal_answer *answer = NULL;
    struct str text;
    bool json = cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON;
    size_t told = 0;
    enum err err = ask_store(cli, proposal_ask_new(PROPOSAL_LIST), &answer, error);
    str_init(&text, TEXT_MAX);
    for (size_t i = 0; answer && i < answer->list.n; i++) {
        const struct proposal *proposal = &answer->list.items[i];
        if (!is_of_command(cli, proposal))
            continue;
        if (json)
            str_add(&text, told++ == 0 ? "[" : ",\n");
        if (json)
            add_proposal_json(&text, proposal);
        else
            add_proposal_text(&text, proposal);
    }
    if (json && err == ERR_OK)
        str_add(&text, told ? "]\n" : "[]\n");
    proposal_answer_free(answer);
    return output_whole(cli->out, &text, err, error);
}

static enum err decide_about(struct cli *cli, enum proposal_state state, struct error *error) {
    struct proposal_answer *answer = NULL;
    struct str text;
    if (cli->profile->read_only || cli->args.read_only)
        return error_set(error, ERR_READ_ONLY, "the profile %s is read-only: it can look, and decides nothing",
                         cli->profile->name);
    struct proposal_ask *ask = proposal_ask_new(PROPOSAL_DECIDE);
    ask->id = mem_dup(cli->args.operands[0]);
    ask->state = state;
    ask->reason = mem_dup(cli->args.reason);
    enum err err = ask_store(cli, ask, &answer, error);
    str_init(&text, TEXT_MAX);
    if (answer && answer->list.n > 0)
        proposal_tell(&answer->list.items[0], &text);
    proposal_answer_free(answer);
    return output_whole(cli->out, &text, err, error);
}

enum err cli_proposals_withdraw(struct cli *cli, struct error *error) {
    return decide_about(cli, PROPOSAL_WITHDRAWN, error);
}

enum err cli_proposals_refuse(struct cli *cli, struct error *error) {
    if (!cli->args.reason)
        return error_set(error, ERR_USAGE, "--reason TEXT says why: who proposed it reads it");
    return decide_about(cli, PROPOSAL_REFUSED, error);
}
