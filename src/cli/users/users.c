#include "cli/cli.h"
#include "cli/confirm.h"
#include "cli/output.h"
#include "cli/written.h"

#include "app/create.h"
#include "app/proposals.h"
#include "app/register.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "base/signals.h"
#include "base/utf8.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOLD_MAX = 1024 };

/* One run of `users create`: the look for duplicates, the question, the write. A signal cuts the write off, and its end
 * is waited for, so that the record can be told. */
enum step { STEP_PROPOSAL, STEP_LOOK, STEP_AGREE, STEP_SEND, STEP_STOP };

struct create {
    struct cli *cli;
    struct str body;
    struct user user;
    struct journal_answer *look;
    struct write_ask *ask; /* after the look: built once, then shown, recorded and sent */
    uint64_t ticket;
    struct write write;
    enum step step;
    bool releases;                    /* a team's proposal, instead of a file */
    struct proposal_answer *proposal; /* that is released, or was made */
};

static const struct proposal *users_proposal(const struct create *create) {
    return create->proposal && create->proposal->list.n > 0 ? &create->proposal->list.items[0] : NULL;
}

/* What was proposed, as the team's key opens it. */
static enum err read_proposed(struct create *create, struct error *error) {
    const struct proposal *proposal = users_proposal(create);
    if (create->proposal->error.code != ERR_OK)
        return error_set(error, create->proposal->error.code, "nothing was sent: %s", create->proposal->error.text);
    bool mine = proposal->is_own ? proposal->state == PROPOSAL_RELEASED
                                 : proposal->state == PROPOSAL_WAITING ||
                                       (proposal->state == PROPOSAL_RELEASED && proposal->is_released_here);
    if (proposal->url || !proposal->body || !mine) {
        struct str text;
        str_init(&text, TOLD_MAX * 4);
        proposal_tell(proposal, &text);
        out_say(create->cli->err, "%s", text.s);
        str_clear(&text);
        return error_set(error, ERR_INVALID, "nothing was sent: proposal %.*s cannot be %s from here",
                         PROPOSAL_ID_SHOWN, proposal->id, proposal->state == PROPOSAL_RELEASED ? "sent" : "released");
    }
    str_add(&create->body, proposal->body);
    return ERR_OK;
}

static enum err read_body(struct create *create, struct error *error) {
    if (create->releases)
        return read_proposed(create, error);
    enum err err = cli_read_input(create->cli->args.file, &create->body, ": nothing was sent", error);
    return err == ERR_OK && create->body.truncated ? error_set(error, ERR_INVALID, "the body is longer than 256 KB")
                                                   : err;
}

/* Only a warning: the service may know more fields than the document. */
static void users_tell_unknown(const struct create *create) {
    struct str text;
    str_init(&text, WIRE_USER_MAX);
    create_unknown(create->cli->profile, create->body.s, &text);
    for (char *rest = text.s, *line; (line = strsep(&rest, "\n")) && *line;)
        out_say(create->cli->err, "bursar: warning: %s\n", line);
    str_clear(&text);
}

static enum err users_check(struct create *create, struct error *error) {
    struct user_findings findings = {0};
    struct user_rules rules = register_rules(create->cli->profile, clock_now());
    enum err err = wire_user_read(create->body.s, create->body.len, &create->user, error);
    if (err != ERR_OK) {
        error_prefix(error, "nothing was sent");
        return err;
    }
    users_tell_unknown(create);
    user_check(&create->user, &rules, &findings);
    for (size_t i = 0; i < findings.n; i++) {
        const struct user_finding *finding = &findings.items[i];
        out_say(create->cli->err, "bursar: %s: %s: %s\n", finding->blocks ? "refused" : "warning",
                user_path(finding->field), finding->text);
    }
    if (findings.blocks > 0) {
        err = error_set(error, ERR_INVALID, "nothing was sent: %zu field%s cannot be sent as %s", findings.blocks,
                        plural_s(findings.blocks), findings.blocks == 1 ? "it is" : "they are");
    }
    user_findings_clear(&findings);
    return err;
}

/* The journal is asked before there is a key. */
static struct write_ask *users_ask_of(const struct create *create) {
    const struct args *args = &create->cli->args;
    const struct journal_answer *look = create->look;
    const char *key = look ? create_key(create->cli->profile, look, args->repeat, NULL) : NULL;
    struct write_ask *ask = create_ask(create->cli->profile, &create->user, create->body.s, key);
    ask->repeats = args->repeat;
    ask->again = args->again;
    ask->proposal = create->releases ? mem_dup(users_proposal(create)->id) : NULL;
    return ask;
}

/* ---- Driven by the loop ---- */

static struct proposal_ask *users_agree_ask(const struct create *create) {
    const struct write_ask *write = create->ask;
    struct proposal_ask *ask = proposal_ask_new(create->step == STEP_PROPOSAL ? PROPOSAL_SHOW
                                                : create->releases            ? PROPOSAL_DECIDE
                                                                              : PROPOSAL_MAKE);
    if (create->releases) {
        ask->id = mem_dup(create->cli->args.operands[0]);
        ask->state = PROPOSAL_RELEASED;
    } else {
        ask->operation = API_CREATE_USER;
    }
    if (create->step == STEP_AGREE)
        ask->body = mem_dup(write->plain ? write->plain : write->body);
    return ask;
}

static void users_update(void *self, struct event *event, struct effects *effects) {
    struct create *create = self;
    bool agrees = create->step == STEP_PROPOSAL || create->step == STEP_AGREE;
    if (event->kind == EVENT_START && agrees) {
        proposal_answer_free(create->proposal);
        create->proposal = NULL;
        create->ticket = effects_proposals(effects, users_agree_ask(create));
    } else if (event->kind == EVENT_PROPOSALS && event->ticket == create->ticket) {
        create->proposal = event_take(event, proposal_answer);
    } else if (event->kind == EVENT_START && create->step == STEP_LOOK) {
        struct journal_ask *ask = journal_ask_new(JOURNAL_LOOK);
        ask->write = users_ask_of(create);
        ask->n = create->cli->args.repeat;
        create->ticket = effects_journal(effects, ask);
    } else if (event->kind == EVENT_START && create->step == STEP_STOP) {
        write_cancel(&create->write, effects);
    } else if (event->kind == EVENT_START) {
        struct write_ask *ask = create->ask;
        create->ask = NULL;
        (void)write_start(&create->write, ask, effects);
    } else if (event->kind == EVENT_JOURNAL && event->ticket == create->ticket) {
        create->look = event_take(event, journal_answer);
    } else {
        (void)write_update(&create->write, event);
    }
}

static bool users_is_finished(const void *self) {
    const struct create *create = self;
    if (create->step == STEP_PROPOSAL || create->step == STEP_AGREE)
        return create->proposal != NULL;
    return create->step == STEP_LOOK ? create->look != NULL : create->write.stage == WRITE_ENDED;
}

static bool users_is_put_off(void *self) {
    const struct create *create = self;
    return create->step == STEP_STOP;
}

static void users_drive(struct create *create, enum step step) {
    struct client client = {
        .self = create, .update = users_update, .is_finished = users_is_finished, .interrupted = users_is_put_off};
    create->step = step;
    create->cli->signal = create->cli->drive(create->cli->drive_context, &client);
}

/* ---- Before the write ---- */

/* Each earlier write is told once, by the strongest resemblance. */
static void tell_earlier(const struct create *create) {
    const struct journal_answer *look = create->look;
    int64_t told = create->cli->args.repeat;
    struct str others;
    str_init(&others, TOLD_MAX);
    if (create_tell_others(look, &others))
        out_say(create->cli->err, "bursar: %s\n", others.s);
    str_clear(&others);
    for (size_t i = 0; i < look->records.n; i++) {
        const struct outcome_record *record = &look->records.items[i];
        struct str text;
        if (record->n == told || record->n == create->cli->args.repeat)
            continue;
        str_init(&text, TOLD_MAX);
        create_tell(record, &text);
        str_add(&text, ", sent ");
        clock_format_ago(&text, record->at, clock_now());
        if (!record->host) {
            str_add(&text, ", by ");
            outcome_add_person(&text, record);
        }
        out_say(create->cli->err, "bursar: %s\n", text.s);
        str_clear(&text);
        told = record->match ? told : record->n;
    }
}

/* A repeat is offered where it would go: beside a record with another key it would be refused in its turn. */
static enum err users_refuse_unknown(const struct create *create, const struct outcome_record *record,
                                     struct error *error) {
    struct str text;
    str_init(&text, TOLD_MAX);
    create_tell_settling(record, &text);
    if (record->n > 0 && create_judge(create->look, record->n).verdict < CREATE_UNKNOWN)
        str_addf(&text, ", or --repeat %lld sends it again on purpose", (long long)record->n);
    enum err err = error_set(error, ERR_INVALID,
                             "nothing was sent: of the very same it is not known whether it was done: %s", text.s);
    str_clear(&text);
    return err;
}

static enum err users_refuse_running(const struct outcome_record *record, struct error *error) {
    if (record->n > 0)
        return error_set(error, ERR_INVALID,
                         "nothing was sent: another program is sending the very same (record %lld); wait for its "
                         "outcome: bursar activity show %lld",
                         (long long)record->n, (long long)record->n);
    struct str text;
    str_init(&text, TOLD_MAX);
    outcome_add_person(&text, record);
    enum err err = error_set(error, ERR_INVALID,
                             "nothing was sent: %s is sending the very same; wait for its outcome: bursar activity "
                             "--team",
                             text.s);
    str_clear(&text);
    return err;
}

/* This machine refuses, not the service: the message says how to go on. */
static enum err users_check_earlier(struct create *create, struct error *error) {
    const struct args *args = &create->cli->args;
    struct create_finding found = create_judge(create->look, args->repeat);
    tell_earlier(create);
    if (args->repeat && !create->look->body_same) {
        return error_set(error, ERR_INVALID,
                         "nothing was sent: this is not what record %lld sent, and a repeat has to be the very same",
                         args->repeat);
    }
    switch (args->dry_run ? CREATE_FREE : found.verdict) {
    case CREATE_ON_ITS_WAY:
        return users_refuse_running(found.record, error);
    case CREATE_UNKNOWN:
        return users_refuse_unknown(create, found.record, error);
    case CREATE_SAME:
    case CREATE_ALIKE:
        return args->again ? ERR_OK
                           : error_set(error, ERR_INVALID,
                                       "nothing was sent: earlier writes look the same (--again registers all the "
                                       "same)");
    default:
        return ERR_OK;
    }
}

/* What is confirmed, line by line; characters that this terminal cannot show are marked. */
static void users_add_body(const char *body, struct str *out) {
    size_t len = strlen(body);
    for (size_t at = 0; at < len;) {
        size_t n = strcspn(body + at, "\n");
        utf8_reveal(out, body + at, n - (n > 0 && body[at + n - 1] == '\r'));
        at += n;
        if (at < len) {
            str_add_char(out, '\n');
            at++;
        }
    }
}

static enum proposal_state users_standing(const struct create *create) {
    return create->releases ? users_proposal(create)->state : PROPOSAL_SENT;
}

static bool users_propose(const struct create *create) {
    return !create->releases && profile_users_need_two(create->cli->profile);
}

/* The body that is shown is the one that is sent, including its key. */
static enum err users_ask_terminal(struct create *create, struct error *error) {
    const struct cli *cli = create->cli;
    struct str text;
    str_init(&text, WIRE_USER_MAX * 4);
    users_add_body(create->ask->body, &text);
    out_say(cli->err, "%s\nThis %s a user in %s (%s). ", text.s,
            users_propose(create)                        ? "proposes to a colleague to register"
            : users_standing(create) == PROPOSAL_WAITING ? "releases what was proposed, and registers"
                                                         : "registers",
            cli->profile->environment, cli->profile->origin);
    secret_clear_str(&text);
    return confirm_word(cli, confirm_word_of(cli), users_propose(create) ? "propose it" : "send it", CONFIRM_UNSENT,
                        error);
}

static enum err users_prepare(struct create *create, struct error *error) {
    const struct cli *cli = create->cli;
    bool terminal = create->releases || strcmp(cli->args.file, "-") != 0;
    enum err err = cli->args.dry_run ? ERR_OK : confirm_early(cli, terminal, error);
    if (err == ERR_OK && create->releases) {
        users_drive(create, STEP_PROPOSAL);
        if (!create->proposal)
            return error_set(error, ERR_CANCELLED, "interrupted: nothing was sent");
    }
    if (err == ERR_OK)
        err = read_body(create, error);
    if (err == ERR_OK)
        err = users_check(create, error);
    if (err != ERR_OK)
        return err;
    users_drive(create, STEP_LOOK);
    if (!create->look)
        return error_set(error, ERR_CANCELLED, "interrupted: nothing was sent");
    if (create->look->notice)
        out_say(cli->err, "bursar: %s\n", create->look->notice);
    err = create->look->error.code;
    if (err != ERR_OK)
        return error_set(error, err, "nothing was sent: %s", create->look->error.text);
    err = users_check_earlier(create, error);
    create->ask = users_ask_of(create);
    return err == ERR_OK && !cli->args.dry_run && !cli->args.yes ? users_ask_terminal(create, error) : err;
}

/* ---- After it ---- */

static void users_add_json(struct str *out, const struct write_result *result) {
    str_addf(out, "{\"outcome\":\"%s\",", written_word(result));
    wire_add_member(out, "id", result->receipt.id);
    str_addf(out, ",\"status\":%d,", result->status);
    wire_add_member(out, "message", result->receipt.line ? result->receipt.line : "");
    str_add_char(out, ',');
    written_add_record(out, result);
    str_add(out, "}\n");
}

static void users_add_text(struct str *out, const struct write_result *result) {
    if (result->receipt.id && write_outcome(result) == OUTCOME_DONE)
        str_addf(out, "%s\n", result->receipt.id);
}

/* A release that was not followed by a write is not used up. */
static void users_tell_standing(const struct create *create) {
    const struct proposal *proposal = create->releases ? users_proposal(create) : NULL;
    const struct write_result *result = create->write.result;
    if (proposal && proposal->state == PROPOSAL_RELEASED && write_outcome(result) == OUTCOME_NOT_SENT && !result->n)
        out_say(create->cli->err,
                "bursar: proposal %.*s stands released, and can be sent; bursar users %s %.*s%s takes that back\n",
                PROPOSAL_ID_SHOWN, proposal->id, proposal->is_own ? "withdraw" : "refuse", PROPOSAL_ID_SHOWN,
                proposal->id, proposal->is_own ? "" : " --reason TEXT");
}

static enum err print_result(struct create *create, struct error *error) {
    const struct write_result *result = create->write.result;
    struct cli *cli = create->cli;
    struct str text;
    str_init(&text, 64 << 10);
    if (cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON)
        users_add_json(&text, result);
    else
        users_add_text(&text, result);
    enum err err = output_text(cli->out, text.s, error);
    str_clear(&text);
    if (err == ERR_OK)
        err = output_flush(cli->out, error);
    if (write_outcome(result) == OUTCOME_DONE)
        out_say(cli->err, "bursar: %s (record %lld)\n", result->receipt.line, (long long)result->n);
    users_tell_standing(create);
    str_init(&text, TOLD_MAX);
    str_addf(&text,
             "It may have been created: look for its tag at the service before anything is repeated; bursar activity "
             "resolve %lld settles it",
             (long long)result->n);
    err = written_end(cli, result, err, text.s, error);
    str_clear(&text);
    return err;
}

static enum err users_print_dry(struct create *create, struct error *error) {
    struct cli *cli = create->cli;
    struct str text;
    str_init(&text, WIRE_USER_MAX * 2);
    utf8_sanitise_lines(&text, create->body.s, create->body.len);
    str_add(&text, create->body.len && create->body.s[create->body.len - 1] == '\n' ? "" : "\n");
    enum err err = output_text(cli->out, text.s, error);
    str_clear(&text);
    out_say(cli->err, "bursar: dry run: nothing was sent to %s (%s)\n", cli->profile->origin,
            cli->profile->environment);
    return err == ERR_OK ? output_flush(cli->out, error) : err;
}

static enum err print_not_sent(struct create *create, enum err err, const struct error *error) {
    if (create->cli->args.format == OUTPUT_JSON || create->cli->args.format == OUTPUT_NDJSON) {
        struct write_result *result = write_result_new();
        struct str text;
        str_init(&text, 64 << 10);
        result->receipt.line = mem_dup(error && *error->text ? error->text : err_sentence(err));
        users_add_json(&text, result);
        enum err printed = output_text(create->cli->out, text.s, NULL);
        (void)printed; /* the error before it is the more important one */
        str_clear(&text);
        write_result_free(result);
    }
    return err;
}

static enum err print_proposed(struct create *create, struct error *error) {
    const struct proposal *proposal = users_proposal(create);
    struct cli *cli = create->cli;
    struct str text;
    str_init(&text, TOLD_MAX);
    if (cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON) {
        str_add(&text, "{\"outcome\":\"proposed\",");
        wire_add_member(&text, "proposal", proposal->id);
        str_add(&text, ",\"journal\":null}\n");
    } else {
        str_addf(&text,
                 "Proposed as %.*s; nothing was sent. Another person than %s releases it within a day: bursar users "
                 "release %.*s\n",
                 PROPOSAL_ID_SHOWN, proposal->id, proposal->proposed.who, PROPOSAL_ID_SHOWN, proposal->id);
    }
    return output_whole(cli->out, &text, ERR_OK, error);
}

/* The team's store is told that it is released, or what is proposed; a release that is there already stays. */
static enum err users_agree(struct create *create, struct error *error) {
    if (users_standing(create) == PROPOSAL_RELEASED)
        return ERR_OK;
    users_drive(create, STEP_AGREE);
    if (!create->proposal || create->cli->signal)
        return error_set(error, ERR_CANCELLED, "interrupted: nothing was sent (bursar users proposals)");
    const struct error *fault = &create->proposal->error;
    return fault->code == ERR_OK ? ERR_OK : error_set(error, fault->code, "nothing was sent: %s", fault->text);
}

static enum err users_run(struct create *create, struct error *error) {
    enum err err = users_prepare(create, error);
    if (err == ERR_OK && create->cli->args.dry_run)
        return users_print_dry(create, error);
    bool proposes = users_propose(create);
    if (err == ERR_OK && (proposes || create->releases))
        err = users_agree(create, error);
    if (err != ERR_OK)
        return print_not_sent(create, err, error);
    if (proposes)
        return print_proposed(create, error);
    users_drive(create, STEP_SEND);
    if (create->write.stage != WRITE_ENDED)
        users_drive(create, STEP_STOP);
    if (create->write.stage != WRITE_ENDED) {
        create->cli->signal = 0; /* an unknown outcome is more important than the signal */
        return error_set(error, ERR_UNKNOWN, "interrupted while it was sent: bursar activity list says what is known");
    }
    return print_result(create, error);
}

static enum err run_create(struct cli *cli, bool releases, struct error *error) {
    struct create create = {.cli = cli, .releases = releases};
    struct error local_error = {0};
    str_init(&create.body, WIRE_USER_MAX);
    enum err err = users_run(&create, error ? error : &local_error);
    secret_clear_str(&create.body);
    user_clear(&create.user);
    journal_answer_free(create.look);
    write_ask_free(create.ask);
    write_clear(&create.write);
    proposal_answer_free(create.proposal);
    return err;
}

enum err cli_users_create(struct cli *cli, struct error *error) {
    if (!cli->args.file)
        return error_set(error, ERR_USAGE, "users create needs --file FILE, or --file - for standard input");
    return run_create(cli, false, error);
}

enum err cli_users_release(struct cli *cli, struct error *error) {
    return run_create(cli, true, error);
}
