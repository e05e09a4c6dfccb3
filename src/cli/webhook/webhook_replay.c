#include "webhook.h"

#include "cli/confirm.h"

#include "app/arrivals.h"
#include "base/clock.h"
#include "base/out.h"
#include "base/url.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "wire/user.h"

#include <string.h>

enum { TEXT_MAX = 64 << 10 };

/* One event on its way to one URL, once. */
struct replay {
    struct cli *cli;
    struct send_on_ask *ask; /* until it is sent */
    uint64_t ticket;
    bool ended, stopped;
    struct sent_on sent;
    char failure[ERROR_TEXT_MAX];
};

static void webhook_replay_take(struct replay *replay, const struct sent_on *sent) {
    replay->sent = *sent;
    replay->ended = true;
    if (sent->failure) {
        (void)snprintf(replay->failure, sizeof replay->failure, "%s", sent->failure);
        replay->sent.failure = replay->failure;
    }
}

static void webhook_replay_update(void *self, struct event *event, struct effects *effects) {
    struct replay *replay = self;
    if (event->kind == EVENT_START) {
        replay->ticket = effects_send_on(effects, replay->ask);
        replay->ask = NULL;
    } else if (event->kind == EVENT_SENT_ON && event->ticket == replay->ticket) {
        webhook_replay_take(replay, event_get(event, sent_on));
    }
}

static bool webhook_replay_is_finished(const void *self) {
    return ((const struct replay *)self)->ended;
}

static void webhook_replay_json(const struct arrival *arrival, const struct replay *replay, struct str *out) {
    const struct sent_on *sent = &replay->sent;
    str_addf(out, "{\"n\":%lld,", (long long)arrival->n);
    wire_add_member(out, "to", replay->cli->args.to);
    str_addf(out, ",\"status\":%d,\"taken\":%s,\"sent\":%s,\"ms\":%lld,", sent->status,
             sent_on_is_taken(sent) ? "true" : "false", sent->sent ? "true" : "false", (long long)sent->ms);
    wire_add_member(out, "failure", sent->failure);
    str_add(out, "}\n");
}

static enum err webhook_replay_end(const struct arrival *arrival, const struct replay *replay, struct error *error) {
    const struct cli *cli = replay->cli;
    const struct sent_on *sent = &replay->sent;
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err err = ERR_OK;
    if (cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON) {
        webhook_replay_json(arrival, replay, &text);
        err = output_whole(cli->out, &text, ERR_OK, error);
        str_init(&text, TEXT_MAX);
    }
    sent_on_tell(sent, &text);
    out_say(cli->err, "bursar: event %lld to %s: %s\n", (long long)arrival->n, cli->args.to, text.s);
    str_clear(&text);
    if (err == ERR_OK && sent->failure && sent->sent)
        err = error_set(error, ERR_UNKNOWN, "the event may have arrived: look at the target before it is sent again");
    else if (err == ERR_OK && sent->failure)
        err = error_set(error, sent->code, "the event was not sent");
    else if (err == ERR_OK && !sent_on_is_taken(sent))
        err = error_set(error, ERR_REFUSED, "the target did not take the event");
    return err;
}

static enum err webhook_replay_send(struct cli *cli, const struct arrival *arrival, const struct str *secret,
                                    struct error *error) {
    struct replay replay = {.cli = cli};
    struct client client = {
        .self = &replay, .update = webhook_replay_update, .is_finished = webhook_replay_is_finished};
    replay.ask = send_on_anew(arrival, cli->args.to, secret->len > 0 ? secret->s : NULL, secret->len, clock_now());
    replay.ask->ca_file = cli->args.ca_file;
    cli->signal = cli->drive(cli->drive_context, &client);
    send_on_ask_free(replay.ask);
    if (!replay.ended) {
        cli->signal = 0; /* an unknown outcome is more important than the signal */
        return error_set(error, ERR_UNKNOWN, "interrupted while the event was sent: it may have arrived");
    }
    return webhook_replay_end(arrival, &replay, error);
}

/* Before the question, so that what is confirmed is known. */
static void webhook_replay_review(const struct cli *cli, const struct arrival *arrival, bool is_signed) {
    struct str text;
    str_init(&text, TEXT_MAX);
    str_addf(&text, "event %lld (%s%s%s, ", (long long)arrival->n, arrival->kind ? arrival->kind : "of no kind",
             arrival->intent ? ", " : "", arrival->intent ? arrival->intent : "");
    arrival_tell_check(arrival, &text);
    str_add(&text, ") came ");
    clock_format_ago(&text, arrival->at, clock_now());
    str_addf(&text, "; it is sent once, %s, to ", is_signed ? "signed anew" : "unsigned");
    utf8_sanitise(&text, cli->args.to, strlen(cli->args.to));
    out_say(cli->err, "%s\n", text.s);
    if (arrival->checked && !arrival_is_verified(arrival))
        out_say(cli->err, "warning: it did not verify when it came: perhaps it is not of the service\n");
    str_clear(&text);
}

static enum err webhook_replay_check(const struct cli *cli, struct error *error) {
    if (!cli->args.to)
        return error_set(error, ERR_USAGE, "webhook replay needs --to URL: nothing was sent");
    enum err err = confirm_early(cli, !str_equal(cli->args.secret_fd, "0"), error);
    return err == ERR_OK ? webhook_check_target(cli, cli->args.to, "--to", error) : err;
}

enum err cli_webhook_replay(struct cli *cli, struct error *error) {
    struct arrival *arrival = NULL;
    struct str secret;
    str_init(&secret, WEBHOOK_SECRET_MAX + 16);
    enum err err = webhook_replay_check(cli, error);
    if (err == ERR_OK)
        err = webhook_read_event(cli, cli->args.operands[0], &arrival, error);
    if (err == ERR_OK)
        err = webhook_choose_secret(cli, &secret, error);
    if (err == ERR_OK)
        webhook_replay_review(cli, arrival, secret.len > 0);
    if (err == ERR_OK && !cli->args.yes)
        err = confirm_word(cli, confirm_word_of(cli), "send it", CONFIRM_UNSENT, error);
    if (err == ERR_OK)
        err = webhook_replay_send(cli, arrival, &secret, error);
    arrival_free(arrival);
    secret_clear_str(&secret);
    return err;
}
