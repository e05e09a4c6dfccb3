#include "arrivals_print.h"
#include "webhook.h"

#include "app/arrivals.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "base/url.h"
#include "cli/output.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 10, AT_ONCE = 8, WAITING_BYTES = 64 << 20, PEM_MAX = 64 << 10, WAITING_MAX = 10000 };

static const char DEFAULT_PORT[] = "8733";

/* An event that is to be, or is being, sent on. */
struct forward {
    int64_t n;
    struct send_on_ask *ask; /* until it is sent */
    uint64_t ticket;         /* 0: it waits */
    size_t bytes;
};

struct listen {
    struct cli *cli;
    char *address, *port;
    struct str certificate, key; /* empty: plain HTTP */
    const struct str *secret;    /* empty: nothing is checked */
    struct {
        struct forward *items;
        size_t n, cap;
    } forwards;
    size_t forward_bytes; /* of their bodies */
    long long taken;      /* events that were stored */
    bool stopping;
    bool headed; /* the table's head was printed */
    struct error error;
};

static bool webhook_listen_json(const struct listen *listen) {
    return listen->cli->args.format != OUTPUT_TABLE;
}

/* ---- printing ---- */

static void webhook_listen_print(struct listen *listen, struct str *text) {
    enum err err = output_text(listen->cli->out, text->s, &listen->error);
    if (err == ERR_OK)
        err = output_flush(listen->cli->out, &listen->error);
    (void)err; /* kept in listen->error, which ends it */
    str_clear(text);
}

static void webhook_listen_tell_event(struct listen *listen, const struct arrival_told *told) {
    const struct arrival *arrival = told->arrival;
    struct str text;
    str_init(&text, TEXT_MAX);
    if (webhook_listen_json(listen)) {
        arrivals_print_json(arrival, &text);
        str_delete(&text, text.len - 1, 1);
        str_add_char(&text, ',');
        wire_add_member(&text, "unstored", told->unstored.code == ERR_OK ? NULL : told->unstored.text);
        str_add(&text, "}\n");
    } else {
        if (!listen->headed)
            arrivals_print_head(&text);
        listen->headed = true;
        arrivals_print_row(arrival, arrival->at, listen->cli->columns, &text);
    }
    webhook_listen_print(listen, &text);
    if (told->unstored.code != ERR_OK)
        out_say(listen->cli->err, "bursar: not stored, answered %d: %s\n", arrival->answered, told->unstored.text);
    else if (arrival->why)
        out_say(listen->cli->err, "bursar: event %lld, answered %d: %s\n", (long long)arrival->n, arrival->answered,
                arrival->why);
}

static void webhook_listen_tell_forward(struct listen *listen, int64_t n, const struct sent_on *sent) {
    struct str text, said;
    str_init(&text, TEXT_MAX);
    str_init(&said, TEXT_MAX);
    sent_on_tell(sent, &said);
    if (webhook_listen_json(listen)) {
        str_addf(&text, "{\"forwarded\":%lld,\"status\":%d,\"taken\":%s,\"ms\":%lld,", (long long)n, sent->status,
                 sent_on_is_taken(sent) ? "true" : "false", (long long)sent->ms);
        wire_add_member(&text, "failure", sent->failure);
        str_add(&text, "}\n");
    } else {
        str_addf(&text, "%19s  %6lld  forward %s%s\n", "", (long long)n, said.s,
                 sent_on_is_taken(sent) ? "" : "; the event is stored");
    }
    webhook_listen_print(listen, &text);
    str_clear(&said);
}

/* ---- sending on ---- */

static void webhook_listen_forward_next(struct listen *listen, struct effects *effects) {
    size_t running = 0;
    for (size_t i = 0; i < listen->forwards.n; i++)
        running += listen->forwards.items[i].ticket != 0;
    for (size_t i = 0; i < listen->forwards.n && running < AT_ONCE; i++) {
        struct forward *forward = &listen->forwards.items[i];
        if (forward->ticket != 0)
            continue;
        forward->ticket = effects_send_on(effects, forward->ask);
        forward->ask = NULL;
        running++;
    }
}

/* Only what the endpoint itself takes: what does not verify is not passed on as if it did. */
static void webhook_listen_forward(struct listen *listen, const struct arrival *arrival, struct effects *effects) {
    if (!listen->cli->args.forward_to || arrival->n == 0 || arrival->answered != 204)
        return;
    bool full = listen->forwards.n >= WAITING_MAX || listen->forward_bytes >= WAITING_BYTES;
    if (full || listen->stopping) {
        out_say(listen->cli->err, "bursar: event %lld is not forwarded: %s; it is stored\n", (long long)arrival->n,
                listen->stopping ? "it is ending" : "too many wait");
        return;
    }
    struct forward *forward = vec_add(&listen->forwards);
    *forward = (struct forward){
        .n = arrival->n, .bytes = arrival->body_len, .ask = send_on_as_it_came(arrival, listen->cli->args.forward_to)};
    listen->forward_bytes += forward->bytes;
    forward->ask->ca_file = listen->cli->args.ca_file;
    webhook_listen_forward_next(listen, effects);
}

static void webhook_listen_forwarded(struct listen *listen, const struct event *event, struct effects *effects) {
    for (size_t i = 0; i < listen->forwards.n; i++) {
        struct forward *forward = &listen->forwards.items[i];
        if (forward->ticket != event->ticket)
            continue;
        webhook_listen_tell_forward(listen, forward->n, event_get(event, sent_on));
        listen->forward_bytes -= forward->bytes;
        memmove(forward, forward + 1, (listen->forwards.n - i - 1) * sizeof *forward);
        listen->forwards.n--;
        break;
    }
    webhook_listen_forward_next(listen, effects);
}

/* ---- the client ---- */

static void webhook_listen_begun(struct listen *listen, const struct listening *told) {
    FILE *err = listen->cli->err;
    const char *address = listen->address ? listen->address : "127.0.0.1";
    bool wide = strchr(address, ':') != NULL;
    if (told->failure) {
        (void)error_set(&listen->error, told->code, "%s", told->failure);
        return;
    }
    if (told->removed > 0)
        out_say(err, "bursar: %zu stored event%s older than events_days removed\n", told->removed,
                plural_s(told->removed));
    out_say(err, "bursar: listening on %s://%s%s%s:%d/%s\n", listen->certificate.len > 0 ? "https" : "http",
            wide ? "[" : "", address, wide ? "]" : "", told->port,
            listen->secret->len > 0 ? "" : "; signatures are not checked");
    if (told->beyond && listen->certificate.len == 0)
        out_say(err, "bursar: other machines can reach it, without TLS: keep a proxy before it\n");
}

static void webhook_listen_came(struct listen *listen, struct event *event, struct effects *effects) {
    const struct arrival_told *told = event_get(event, arrival_told);
    long long limit = listen->cli->args.limit;
    webhook_listen_tell_event(listen, told);
    listen->taken += told->arrival->n > 0;
    webhook_listen_forward(listen, told->arrival, effects);
    listen->stopping = listen->stopping || (limit > 0 && listen->taken >= limit);
}

static void webhook_listen_ask(const struct listen *listen, struct effects *effects) {
    const char *secret = listen->secret->len > 0 ? listen->secret->s : NULL;
    struct listen_ask *ask = listen_ask_new(listen->address, listen->port, secret);
    if (listen->certificate.len > 0) {
        ask->certificate = mem_dup(listen->certificate.s);
        ask->key = mem_dup(listen->key.s);
    }
    effects_listen(effects, ask);
}

static void webhook_listen_update(void *self, struct event *event, struct effects *effects) {
    struct listen *listen = self;
    if (event->kind == EVENT_START)
        webhook_listen_ask(listen, effects);
    else if (event->kind == EVENT_LISTENING)
        webhook_listen_begun(listen, event_get(event, listening));
    else if (event->kind == EVENT_ARRIVAL)
        webhook_listen_came(listen, event, effects);
    else if (event->kind == EVENT_SENT_ON)
        webhook_listen_forwarded(listen, event, effects);
}

static bool webhook_listen_is_finished(const void *self) {
    const struct listen *listen = self;
    return listen->error.code != ERR_OK || (listen->stopping && listen->forwards.n == 0);
}

/* What is being sent on is waited for. */
static bool webhook_listen_interrupted(void *self) {
    struct listen *listen = self;
    listen->stopping = true;
    return listen->forwards.n > 0;
}

/* ---- before and after ---- */

/* ADDRESS:PORT, [ADDRESS]:PORT or PORT. */
static enum err webhook_listen_place(struct listen *listen, const char *text, struct error *error) {
    const char *colon = text ? strrchr(text, ':') : NULL;
    const char *port = !text ? DEFAULT_PORT : colon ? colon + 1 : text;
    long long number = 0;
    if (!str_to_int64(port, strlen(port), &number) || number < 0 || number > UINT16_MAX)
        return error_set(error, ERR_USAGE, "--listen: %s is not a port, from 0 (any free one) to 65535", port);
    listen->port = mem_dup(port);
    if (colon && text[0] == '[' && colon > text + 1 && colon[-1] == ']')
        listen->address = mem_dup_n(text + 1, (size_t)(colon - text) - 2);
    else if (colon)
        listen->address = mem_dup_n(text, (size_t)(colon - text));
    return ERR_OK;
}

enum err webhook_check_target(const struct cli *cli, const char *text, const char *option, struct error *error) {
    struct url url = {0};
    if (cli->args.ca_file && config_check_certificates(cli->args.ca_file, error) != ERR_OK)
        return ERR_CONFIG;
    enum err err = url_parse(text, &url, error);
    if (err == ERR_OK && !str_equal(url.scheme, "https") && !(str_equal(url.scheme, "http") && url_is_loopback(&url)))
        err = error_set(error, ERR_USAGE, "it is neither https nor http to this machine");
    if (err == ERR_OK && url.user)
        err = error_set(error, ERR_USAGE, "credentials do not belong into a URL");
    url_clear(&url);
    if (err == ERR_OK)
        return ERR_OK;
    error_prefix(error, option);
    return ERR_USAGE;
}

static enum err webhook_listen_check(const struct cli *cli, struct error *error) {
    const struct args *args = &cli->args;
    if (args->format != OUTPUT_TABLE && args->format != OUTPUT_NDJSON)
        return error_set(error, ERR_USAGE, "webhook listen prints a table or ndjson, since it has no end");
    if (!args->forward_to)
        return ERR_OK;
    if (cli->profile->read_only || args->read_only)
        return error_set(error, ERR_READ_ONLY, "--forward-to sends requests, which read-only forbids");
    return webhook_check_target(cli, args->forward_to, "--forward-to", error);
}

static enum err webhook_listen_certificate(struct listen *listen, struct error *error) {
    const struct args *args = &listen->cli->args;
    if (!args->certificate && !args->certificate_key)
        return ERR_OK;
    if (!args->certificate || !args->certificate_key)
        return error_set(error, ERR_USAGE, "--certificate and --certificate-key belong together");
    enum err err = path_read(args->certificate, PEM_MAX, false, &listen->certificate, error);
    return err == ERR_OK ? path_read(args->certificate_key, PEM_MAX, true, &listen->key, error) : err;
}

static void webhook_listen_clear(struct listen *listen) {
    for (size_t i = 0; i < listen->forwards.n; i++)
        send_on_ask_free(listen->forwards.items[i].ask);
    free(listen->forwards.items);
    str_clear(&listen->certificate);
    secret_clear_str(&listen->key);
    free(listen->address);
    free(listen->port);
}

static enum err webhook_listen_run(struct listen *listen, struct error *error) {
    struct cli *cli = listen->cli;
    struct client client = {.self = listen,
                            .update = webhook_listen_update,
                            .is_finished = webhook_listen_is_finished,
                            .interrupted = webhook_listen_interrupted};
    cli->signal = cli->drive(cli->drive_context, &client);
    for (size_t i = 0; i < listen->forwards.n; i++)
        out_say(cli->err, "bursar: the forward of event %lld was cut off; the event is stored\n",
                (long long)listen->forwards.items[i].n);
    if (listen->error.code != ERR_OK)
        return error_set(error, listen->error.code, "%s", listen->error.text);
    return ERR_OK;
}

enum err cli_webhook_listen(struct cli *cli, struct error *error) {
    struct str secret;
    struct listen listen = {.cli = cli, .secret = &secret};
    str_init(&secret, WEBHOOK_SECRET_MAX + 16);
    str_init(&listen.certificate, PEM_MAX);
    str_init(&listen.key, PEM_MAX);
    enum err err = webhook_listen_check(cli, error);
    if (err == ERR_OK)
        err = webhook_listen_place(&listen, cli->args.listen, error);
    if (err == ERR_OK)
        err = webhook_listen_certificate(&listen, error);
    if (err == ERR_OK)
        err = webhook_choose_secret(cli, &secret, error);
    if (err == ERR_OK)
        err = webhook_listen_run(&listen, error);
    webhook_listen_clear(&listen);
    secret_clear_str(&secret);
    return err;
}
