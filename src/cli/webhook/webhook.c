#include "webhook.h"
#include "cli/confirm.h"
#include "cli/written.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "base/signals.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "wire/user.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECRET_BYTES_MAX = WEBHOOK_SECRET_MAX + 16, TEXT_MAX = 1 << 20 };

static enum err read_fd(const char *text, struct str *out, struct error *error) {
    char bytes[1024];
    long long fd = 0;
    ssize_t n = 0;
    if (!str_to_int64(text, strlen(text), &fd) || fd < 0 || fd > INT32_MAX)
        return error_set(error, ERR_USAGE, "--secret-fd: %s is not a descriptor", text);
    while ((n = signals_input((int)fd, bytes, sizeof bytes)) > 0)
        str_add_n(out, bytes, (size_t)n);
    secret_wipe(bytes, sizeof bytes);
    if (signals_input_ended())
        return error_set(error, ERR_CANCELLED, "interrupted: nothing was sent");
    return n == 0 ? ERR_OK : error_set(error, ERR_FILE, "--secret-fd: descriptor %s cannot be read", text);
}

/* However long it is, what is wrong with it is the rule's to say: so much is read that it can be seen to be too long.
 */
enum err webhook_read_secret(const struct cli *cli, struct str *out, struct error *error) {
    struct error fault = {0};
    enum err err = cli->args.secret_file ? path_read(cli->args.secret_file, SIZE_MAX, true, out, &fault)
                                         : read_fd(cli->args.secret_fd, out, &fault);
    if (out->truncated) {
        return error_set(error, ERR_INVALID, "the secret cannot be used: %s",
                         webhook_secret_sentence(WEBHOOK_SECRET_LONG));
    }
    return err == ERR_OK ? ERR_OK : error_set(error, err, "%s", fault.text);
}

/* Removing a line end is said: a secret with a line end in it never verifies. */
static void drop_line_end(const struct cli *cli, struct str *secret) {
    if (secret->len > 0 && secret->s[secret->len - 1] == '\n') {
        str_delete(secret, secret->len - 1, 1);
        out_say(cli->err, "bursar: the line end after the secret is not taken as a part of it\n");
    }
}

static bool wants_json(const struct cli *cli) {
    return cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON;
}

/* ---- driven by the loop, one step a drive ---- */

/* A signal cuts the write off, and its end is waited for, so that the record can be told. */
enum step { STEP_KNOWN, STEP_SECRET, STEP_PROPOSAL, STEP_SEND, STEP_STOP };

struct run {
    struct cli *cli;
    struct webhook webhook;
    enum step step;
    struct str secret; /* given */
    struct error error;
    struct proposal_answer *proposal;
    uint64_t ticket;
};

static void start_proposal(struct run *run, struct effects *effects) {
    struct proposal_ask *ask = proposal_ask_new(PROPOSAL_SHOW);
    ask->id = mem_dup(run->cli->args.operands[0]);
    run->ticket = effects_proposals(effects, ask);
}

static void start_secret(struct run *run, struct effects *effects) {
    const struct args *args = &run->cli->args;
    if (args->generate) {
        int format = *args->generate ? webhook_format_find(args->generate) : WEBHOOK_FORMAT_WHSEC;
        webhook_generate(&run->webhook, (enum webhook_format)format, args->secret_out, effects);
    } else {
        (void)webhook_give(&run->webhook, run->secret.s, run->secret.len, effects);
    }
}

static void cli_webhook_update(void *self, struct event *event, struct effects *effects) {
    struct run *run = self;
    if (event->kind == EVENT_PROPOSALS && run->step == STEP_PROPOSAL && event->ticket == run->ticket)
        run->proposal = event_take(event, proposal_answer);
    else if (event->kind != EVENT_START)
        (void)webhook_update(&run->webhook, event, effects);
    else if (run->step == STEP_PROPOSAL)
        start_proposal(run, effects);
    else if (run->step == STEP_KNOWN)
        webhook_load(&run->webhook, effects);
    else if (run->step == STEP_SECRET)
        start_secret(run, effects);
    else if (run->step == STEP_STOP)
        webhook_cancel(&run->webhook, effects);
    else
        (void)webhook_confirm(&run->webhook, webhook_word(&run->webhook), effects);
}

static bool cli_webhook_is_finished(const void *self) {
    const struct run *run = self;
    switch (run->step) {
    case STEP_KNOWN:
        return run->webhook.known != NULL;
    case STEP_SECRET:
        return run->webhook.stage != WEBHOOK_WORKING;
    case STEP_PROPOSAL:
        return run->proposal != NULL;
    default:
        return run->webhook.stage != WEBHOOK_SENDING && run->webhook.stage != WEBHOOK_AGREEING;
    }
}

static bool cli_webhook_is_put_off(void *self) {
    const struct run *run = self;
    return run->step == STEP_STOP;
}

static bool cli_webhook_drive(struct run *run, enum step step) {
    struct client client = {.self = run,
                            .update = cli_webhook_update,
                            .is_finished = cli_webhook_is_finished,
                            .interrupted = cli_webhook_is_put_off};
    run->step = step;
    run->cli->signal = run->cli->drive(run->cli->drive_context, &client);
    return cli_webhook_is_finished(run);
}

static enum err cli_webhook_known(struct run *run, struct error *error) {
    if (!cli_webhook_drive(run, STEP_KNOWN))
        return error_set(error, ERR_CANCELLED, "interrupted: nothing was sent");
    const struct error *fault = &run->webhook.known->error;
    return fault->code == ERR_OK ? ERR_OK : error_set(error, fault->code, "%s", fault->text);
}

/* ---- show ---- */

/* In the words of webhook_effect; a record that was settled by hand has no answer. */
static const char *effect_of(const struct outcome_record *record) {
    return record->last.status == 201   ? "registered"
           : record->last.status == 200 ? "replaced"
           : record->settled            ? "settled"
                                        : "unknown";
}

static void add_known_json(const struct webhook *webhook, struct str *out) {
    const struct outcome_record *record = webhook_last(webhook);
    struct str time;
    str_init(&time, 64);
    if (record)
        clock_format_iso(&time, record->at);
    str_add_char(out, '{');
    wire_add_member(out, "url", record ? record->url : NULL);
    str_addf(out, ",\"signed\":%s,", !record ? "null" : record->fingerprint ? "true" : "false");
    wire_add_member(out, "fingerprint", record ? record->fingerprint : NULL);
    str_add_char(out, ',');
    wire_add_member(out, "registered_at", record ? time.s : NULL);
    str_add_char(out, ',');
    wire_add_member(out, "by", record ? record->who : NULL);
    if (record)
        str_addf(out, ",\"status\":%d,\"effect\":\"%s\",\"journal\":%lld", record->last.status, effect_of(record),
                 (long long)record->n);
    else
        str_add(out, ",\"status\":null,\"effect\":null,\"journal\":null");
    str_addf(out, ",\"unknown_since\":%lld,", (long long)webhook->known->unknown_since);
    wire_add_member(out, "shared_with", webhook->known->shared_with);
    str_add(out, "}\n");
    str_clear(&time);
}

enum err cli_webhook_show(struct cli *cli, struct error *error) {
    struct run run = {.cli = cli};
    struct str text;
    str_init(&run.secret, SECRET_BYTES_MAX);
    str_init(&text, TEXT_MAX);
    webhook_init(&run.webhook, cli->profile);
    enum err err = cli_webhook_known(&run, error);
    if (err == ERR_OK && wants_json(cli))
        add_known_json(&run.webhook, &text);
    else if (err == ERR_OK)
        webhook_tell_known(&run.webhook, clock_now(), &text);
    if (err == ERR_OK)
        err = output_whole(cli->out, &text, ERR_OK, error);
    else
        str_clear(&text);
    webhook_clear(&run.webhook);
    str_clear(&run.secret);
    return err;
}

/* ---- the secret of events that come here ---- */

/* The service never says which secret it signs with: the record of the last registration is what there is. */
static void say_other_secret(struct run *run) {
    const struct webhook *webhook = &run->webhook;
    const struct outcome_record *record = webhook_last(webhook);
    if (!record || !webhook->fingerprint || str_equal(record->fingerprint, webhook->fingerprint))
        return;
    out_say(run->cli->err,
            record->fingerprint ? "bursar: this is not the secret that was %s last from here (record %lld)\n"
                                : "bursar: the endpoint was %s without a secret (record %lld)\n",
            webhook_held(record) ? "registered" : "sent", (long long)record->n);
}

/* What cannot be a secret is refused; without a journal to compare it with it is used all the same. */
static enum err compare_secret(struct run *run, struct error *error) {
    enum err err = cli_webhook_known(run, NULL);
    if (err == ERR_CANCELLED || !cli_webhook_drive(run, STEP_SECRET))
        return error_set(error, ERR_CANCELLED, "interrupted");
    const struct error *fault = &run->webhook.error;
    if (fault->code == ERR_INVALID)
        return error_set(error, ERR_INVALID, "%s", fault->text);
    if (err == ERR_OK)
        say_other_secret(run);
    return ERR_OK;
}

static enum err check_secret(struct cli *cli, const struct str *secret, struct error *error) {
    struct run run = {.cli = cli};
    str_init(&run.secret, SECRET_BYTES_MAX);
    str_add_n(&run.secret, secret->s, secret->len);
    webhook_init(&run.webhook, cli->profile);
    run.webhook.token = cli->token;
    enum err err = compare_secret(&run, error);
    webhook_clear(&run.webhook);
    secret_clear_str(&run.secret);
    return err;
}

enum err webhook_choose_secret(struct cli *cli, struct str *out, struct error *error) {
    const struct args *args = &cli->args;
    const char *file = cli->profile->webhook_secret_file;
    bool given = args->secret_file || args->secret_fd;
    int ways = (args->secret_file != NULL) + (args->secret_fd != NULL) + args->unsigned_word;
    if (ways > 1 || (ways == 0 && !*file)) {
        return error_set(error, ERR_USAGE,
                         "one of --secret-file, --secret-fd and --unsigned, or webhook_secret_file of the profile, "
                         "says how events are signed");
    }
    if (args->unsigned_word)
        return ERR_OK;
    enum err err =
        given ? webhook_read_secret(cli, out, error) : path_read(file, WEBHOOK_SECRET_MAX + 1, true, out, error);
    drop_line_end(cli, out);
    return err == ERR_OK ? check_secret(cli, out, error) : err;
}

/* ---- register ---- */

/* Exactly one way of signing has to be chosen: with none, or with two, nothing is sent. */
static enum err check_signing(const struct args *args, struct error *error) {
    int ways = (args->secret_file != NULL) + (args->secret_fd != NULL) + (args->generate != NULL) + args->unsigned_word;
    if (!args->url)
        return error_set(error, ERR_USAGE, "webhook register needs --url URL: nothing was sent");
    if (ways != 1) {
        return error_set(error, ERR_USAGE,
                         "one of --secret-file, --secret-fd, --generate-secret and --unsigned says how events are "
                         "signed%s: nothing was sent",
                         ways == 0 ? "; a registration replaces everything" : ", not several");
    }
    if (args->secret_out && !args->generate)
        return error_set(error, ERR_USAGE, "--secret-out goes with --generate-secret: nothing was sent");
    if (args->generate && *args->generate && webhook_format_find(args->generate) < 0)
        return error_set(error, ERR_USAGE, "--generate-secret: no such format; it is whsec, hex or urlsafe");
    return ERR_OK;
}

/* Refuses whatever can be refused before a secret is read, made or saved. */
static enum err check_early(const struct cli *cli, struct error *error) {
    enum err err = check_signing(&cli->args, error);
    if (err == ERR_OK)
        err = confirm_early(cli, !str_equal(cli->args.secret_fd, "0"), error);
    if (err == ERR_OK) {
        err = endpoint_check(cli->args.url, profile_is_sandbox(cli->profile), error);
        if (err != ERR_OK)
            error_prefix(error, "nothing was sent: the URL");
    }
    return err;
}

static enum err choose_signing(struct run *run, struct error *error) {
    const struct args *args = &run->cli->args;
    struct webhook *webhook = &run->webhook;
    if (args->unsigned_word) {
        (void)webhook_unsigned(webhook, "unsigned");
        return ERR_OK;
    }
    enum err err = args->generate ? ERR_OK : webhook_read_secret(run->cli, &run->secret, error);
    if (err == ERR_INVALID)
        error_prefix(error, "nothing was sent");
    drop_line_end(run->cli, &run->secret);
    if (err == ERR_OK && !cli_webhook_drive(run, STEP_SECRET))
        err = error_set(error, ERR_CANCELLED, "interrupted: nothing was sent");
    if (err == ERR_OK && webhook->signing == WEBHOOK_NOT_CHOSEN)
        err = error_set(error, webhook->error.code, "nothing was sent: %s", webhook->error.text);
    return err;
}

/* Shown once and before anything is sent: the answer may never come, and the secret is never shown again. */
static enum err show_secret(struct run *run, struct error *error) {
    const struct args *args = &run->cli->args;
    if (!args->generate)
        return ERR_OK;
    if (args->secret_out) {
        out_say(run->cli->err, "bursar: the new secret is in %s\n", args->secret_out);
        return ERR_OK;
    }
    struct str text;
    str_init(&text, SECRET_BYTES_MAX * 2);
    if (wants_json(run->cli)) {
        str_add_char(&text, '{');
        wire_add_member(&text, "secret", run->webhook.secret);
        str_add(&text, "}\n");
    } else {
        str_addf(&text, "%s\n", run->webhook.secret);
    }
    enum err err = output_text(run->cli->out, text.s, error);
    if (err == ERR_OK)
        err = output_flush(run->cli->out, error);
    secret_clear_str(&text);
    return err;
}

static enum err cli_webhook_ask_terminal(const struct run *run, struct error *error) {
    static const char *const DOES[] = {
        [WEBHOOK_SENDS] = "send it", [WEBHOOK_PROPOSES] = "propose it", [WEBHOOK_RELEASES] = "release it"};
    const char *word = *webhook_word(&run->webhook) ? webhook_word(&run->webhook) : "yes";
    return run->cli->args.yes
               ? ERR_OK
               : confirm_word(run->cli, word, DOES[webhook_purpose(&run->webhook)], CONFIRM_UNSENT, error);
}

static enum err cli_webhook_review(struct run *run, struct error *error) {
    struct str text;
    if (!webhook_review(&run->webhook, run->cli->args.read_only || run->cli->profile->read_only))
        return error_set(error, run->webhook.error.code, "nothing was sent: %s", run->webhook.error.text);
    str_init(&text, TEXT_MAX);
    webhook_tell_difference(&run->webhook, &text);
    webhook_tell_warnings(&run->webhook, &text);
    out_say(run->cli->err, "%s", text.s);
    str_clear(&text);
    enum err err = show_secret(run, error);
    return err == ERR_OK ? cli_webhook_ask_terminal(run, error) : err;
}

static void add_result_json(const struct webhook *webhook, const struct write_result *result, struct str *out) {
    const char *effect = webhook_effect(webhook);
    str_add_char(out, '{');
    wire_add_member(out, "outcome", written_word(result));
    str_add_char(out, ',');
    wire_add_member(out, "effect", *effect ? effect : NULL);
    str_add_char(out, ',');
    wire_add_member(out, "url", result->receipt.id);
    str_addf(out, ",\"signed\":%s,", webhook->signing == WEBHOOK_UNSIGNED ? "false" : "true");
    wire_add_member(out, "fingerprint", webhook->fingerprint);
    str_addf(out, ",\"status\":%d,", result->status);
    wire_add_member(out, "message", result->receipt.line ? result->receipt.line : "");
    str_add_char(out, ',');
    written_add_record(out, result);
    str_add(out, "}\n");
}

static enum err cli_webhook_report(struct run *run, struct error *error) {
    const struct write_result *result = run->webhook.write.result;
    struct str text;
    enum err err = ERR_OK;
    str_init(&text, TEXT_MAX);
    if (wants_json(run->cli)) {
        add_result_json(&run->webhook, result, &text);
        err = output_whole(run->cli->out, &text, ERR_OK, error);
        str_init(&text, TEXT_MAX);
    }
    if (write_outcome(result) == OUTCOME_DONE)
        webhook_tell_receipt(&run->webhook, &text);
    else
        webhook_tell_standing(&run->webhook, &text);
    out_say(run->cli->err, "%s", text.s);
    str_clear(&text);
    return written_end(run->cli, result, err, "It may be in force or not; registering the very same again is safe",
                       error);
}

/* Nothing was sent: printed as data too, where data was asked for. */
static enum err end_early(const struct cli *cli, enum err err, const struct error *error) {
    if (wants_json(cli)) {
        struct str text;
        str_init(&text, TEXT_MAX);
        str_add(&text, "{\"outcome\":\"not_sent\",\"effect\":null,\"url\":null,");
        wire_add_member(&text, "message", error && *error->text ? error->text : err_sentence(err));
        str_add(&text, ",\"journal\":null}\n");
        enum err printed = output_text(cli->out, text.s, NULL);
        (void)printed; /* the error before it is the more important one */
        str_clear(&text);
    }
    return err;
}

/* The team's store was asked, and nothing was sent. */
static enum err report_agreement(struct run *run, struct error *error) {
    const struct webhook *webhook = &run->webhook;
    const struct proposal *proposal = webhook_proposal(webhook);
    struct str text;
    if (webhook->error.code != ERR_OK)
        return end_early(run->cli, error_set(error, webhook->error.code, "nothing was sent: %s", webhook->error.text),
                         error);
    str_init(&text, TEXT_MAX);
    if (wants_json(run->cli)) {
        str_addf(&text, "{\"outcome\":\"%s\",", proposal->state == PROPOSAL_RELEASED ? "released" : "proposed");
        wire_add_member(&text, "proposal", proposal->id);
        str_add(&text, ",\"journal\":null}\n");
    } else {
        webhook_tell_agreement(webhook, &text);
    }
    return output_whole(run->cli->out, &text, ERR_OK, error);
}

/* After the review was confirmed. */
static enum err carry_out(struct run *run, struct error *error) {
    if (!cli_webhook_drive(run, STEP_SEND) && !cli_webhook_drive(run, STEP_STOP)) {
        run->cli->signal = 0; /* an unknown outcome is more important than the signal */
        return error_set(error, ERR_UNKNOWN, "interrupted while it was sent: bursar activity list says what is known");
    }
    return run->webhook.stage == WEBHOOK_AGREED ? report_agreement(run, error) : cli_webhook_report(run, error);
}

static enum err register_url(struct run *run, struct error *error) {
    enum err err = check_early(run->cli, error);
    webhook_set_url(&run->webhook, run->cli->args.url);
    if (err == ERR_OK)
        err = cli_webhook_known(run, error);
    if (err == ERR_OK)
        err = choose_signing(run, error);
    if (err == ERR_OK)
        err = cli_webhook_review(run, error);
    return err == ERR_OK ? carry_out(run, error) : end_early(run->cli, err, error);
}

/* ---- release ---- */

static enum err take_up(struct run *run, struct error *error) {
    const struct error *fault = &run->webhook.error;
    if (!cli_webhook_drive(run, STEP_PROPOSAL))
        return error_set(error, ERR_CANCELLED, "interrupted: nothing was sent");
    bool taken = webhook_take_up(&run->webhook, run->proposal);
    run->proposal = NULL;
    return taken ? ERR_OK : error_set(error, fault->code, "nothing was sent: %s", fault->text);
}

/* The secret is what sending needs; a release alone does without. */
static enum err give_secret(struct run *run, struct error *error) {
    const struct args *args = &run->cli->args;
    const struct proposal *proposal = webhook_proposal(&run->webhook);
    if (!proposal->fingerprint)
        return args->secret_file || args->secret_fd
                   ? error_set(error, ERR_USAGE, "what was proposed has no secret: nothing was sent")
                   : ERR_OK;
    if (args->secret_file || args->secret_fd)
        return choose_signing(run, error);
    return proposal->state == PROPOSAL_WAITING
               ? ERR_OK
               : error_set(error, ERR_USAGE,
                           "it is released: --secret-file or --secret-fd gives the very secret that was proposed, "
                           "fingerprint %s; nothing was sent",
                           proposal->fingerprint);
}

static enum err release_proposal(struct run *run, struct error *error) {
    enum err err = confirm_early(run->cli, !str_equal(run->cli->args.secret_fd, "0"), error);
    if (err == ERR_OK && run->cli->args.secret_file && run->cli->args.secret_fd)
        err = error_set(error, ERR_USAGE, "one of --secret-file and --secret-fd, not both: nothing was sent");
    if (err == ERR_OK)
        err = cli_webhook_known(run, error);
    if (err == ERR_OK)
        err = take_up(run, error);
    if (err == ERR_OK)
        err = give_secret(run, error);
    if (err == ERR_OK)
        err = cli_webhook_review(run, error);
    return err == ERR_OK ? carry_out(run, error) : end_early(run->cli, err, error);
}

static enum err with_run(struct cli *cli, enum err (*work)(struct run *run, struct error *error), struct error *error) {
    struct run run = {.cli = cli};
    struct error local_error = {0};
    str_init(&run.secret, SECRET_BYTES_MAX);
    webhook_init(&run.webhook, cli->profile);
    run.webhook.token = cli->token;
    enum err err = work(&run, error ? error : &local_error);
    webhook_clear(&run.webhook);
    secret_clear_str(&run.secret);
    return err;
}

enum err cli_webhook_release(struct cli *cli, struct error *error) {
    return with_run(cli, release_proposal, error);
}

enum err cli_webhook_register(struct cli *cli, struct error *error) {
    return with_run(cli, register_url, error);
}
