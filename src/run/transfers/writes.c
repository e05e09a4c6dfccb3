#include "writes.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/invariant.h"
#include "base/mem.h"
#include "base/redact.h"
#include "wire/errors.h"

#include <stdlib.h>

/* The order of a write is decided here: its record is synced to the disk before the request is given to net, and its
 * outcome is noted once the answer was read. No request may leave without its record, and none twice. So a crash leaves
 * at worst a record of a write that was never sent, which the operator settles, and never a write that nobody knows of:
 * what is uncertain counts as sent. */

enum { BODY_MAX = 64 << 20 };

static struct writing *writes_find(struct writes *writes, uint64_t ticket) {
    for (size_t i = 0; i < writes->running.n; i++)
        if (writes->running.items[i].ticket == ticket)
            return &writes->running.items[i];
    return NULL;
}

static void writes_forget(struct writes *writes, struct writing *writing) {
    write_ask_free(writing->ask);
    request_clear(&writing->request);
    free(writing->path);
    writes->running.n--;
    *writing = writes->running.items[writes->running.n];
    writes->running.items[writes->running.n] = (struct writing){0};
}

/* The result of a write that sent no request: the line says why. */
static struct write_result *not_sent(const struct error *error) {
    struct write_result *result = write_result_new();
    struct str line;
    str_init(&line, ERROR_TEXT_MAX * 2);
    str_addf(&line, "%s. Outcome: nothing was sent", *error->text ? error->text : err_sentence(error->code));
    result->receipt.outcome = API_NOT_SENT;
    result->receipt.code = error->code;
    result->receipt.line = str_take(&line);
    return result;
}

static void transfers_writes_end(struct performer *performer, uint64_t ticket, struct write_result *result) {
    struct event event = {.kind = EVENT_WRITE, .ticket = ticket, .payload = payload_of(write_result, result)};
    performer->tell(performer, &event);
}

static void writes_mark(struct performer *performer, struct writing *writing, struct write_result *result) {
    INVARIANT(writing->n > 0);
    result->n = writing->n;
    lane_push(performer->journals, journal_mark_job(writing->ticket, result, performer->tell));
    writes_forget(performer->writes, writing);
}

/* The request, built once: every rule that forbids a write is asked here, before there is a record. */
static enum err writes_build(const struct performer *performer, const struct write_ask *ask, struct request *request,
                             struct error *error) {
    struct profile profile = *performer->options->profile;
    profile.read_only = profile.read_only || performer->options->read_only;
    enum err err = api_write_request(&profile, performer->token, ask->operation, ask->body, request, error);
    const char *header = api_key_header(&profile);
    if (err == ERR_OK && ask->operation == API_CREATE_USER && header && ask->idempotency)
        headers_add(&request->headers, header, ask->idempotency);
    return err;
}

static void writes_send(struct performer *performer, struct writing *writing) {
    INVARIANT(writing->n > 0);                  /* no request without its record */
    INVARIANT(writing->net_ticket == 0);        /* none twice */
    writing->request.bearer = performer->token; /* it may have been read anew since */
    writing->path = mem_dup(writing->request.path);
    writing->net_ticket = net_send(performer->net, &writing->request);
}

/* The record is on the disk, or not. */
static void writes_begun(void *owner, uint64_t ticket, int64_t n, struct write_elsewhere *elsewhere,
                         const struct error *error) {
    struct performer *performer = owner;
    struct writing *writing = writes_find(performer->writes, ticket);
    if (!writing)
        return;
    INVARIANT(writing->n == 0);
    writing->n = n;
    if (n == 0) {
        struct write_result *result = not_sent(error);
        result->elsewhere = *elsewhere;
        elsewhere->id = NULL;
        writes_forget(performer->writes, writing);
        transfers_writes_end(performer, ticket, result);
    } else if (writing->cancelled) {
        struct error why = {.code = ERR_CANCELLED};
        writes_mark(performer, writing, not_sent(&why));
    } else {
        writes_send(performer, writing);
    }
}

void perform_write(struct performer *performer, struct effect *effect) {
    struct write_ask *ask = effect_take(effect, write_ask);
    uint64_t ticket = effect->ticket;
    struct request request;
    struct error error = {0};
    if (writes_build(performer, ask, &request, &error) != ERR_OK) {
        request_clear(&request);
        write_ask_free(ask);
        transfers_writes_end(performer, ticket, not_sent(&error));
        return;
    }
    struct writing *writing = vec_add(&performer->writes->running);
    *writing = (struct writing){.ticket = ticket, .ask = ask, .request = request};
    lane_push(performer->journals, journal_begin_job(ticket, ask, writes_begun));
}

/* What was sent, as values to take out; the caller frees the array alone. */
static const char **writes_values_of(const struct write_ask *ask, size_t *n) {
    const struct write_texts *lists[] = {&ask->fields, &ask->matches};
    const char **values = mem_new_array(ask->fields.n + ask->matches.n + 1, sizeof *values);
    *n = 0;
    for (size_t list = 0; list < COUNT_OF(lists); list++)
        for (size_t i = 0; i < lists[list]->n; i++)
            values[(*n)++] = lists[list]->items[i].text;
    return values;
}

/* What is sent for a webhook is its secret, which no id may keep. What is sent for a user is personal, and the id of
 * who was made stays although it may have some of it in it (F9): nothing else finds the user again. */
static bool keeps_id(const struct write_ask *ask) {
    return ask->operation == API_CREATE_USER;
}

static void take_out_of(char **place, const char *const *values, size_t n, const struct redact_ids *ids) {
    struct str text;
    if (!*place)
        return;
    str_init(&text, BODY_MAX);
    str_add(&text, *place);
    redact(&text, values, n, ids);
    free(*place);
    *place = str_take(&text);
}

/* A request id is foreign text as well, which is logged and shown: the service may have quoted a sent value in it. One
 * that holds some of a value by chance is whole still, as support asks for it, and so is the created object's id. */
static void take_out_of_headers(const struct write_ask *ask, struct reply *reply) {
    static const char *const NAMES[] = {"Request-Id", "X-Request-Id"};
    char *made = reply->body && keeps_id(ask) ? wire_member_text(reply->body, reply->body_len, "id") : NULL;
    size_t n;
    const char **values = writes_values_of(ask, &n);
    for (size_t i = 0; i < reply->headers.n; i++) {
        struct header *header = &reply->headers.items[i];
        if (ascii_compare(header->name, NAMES[0]) == 0 || ascii_compare(header->name, NAMES[1]) == 0)
            take_out_of(&header->value, values, n, keeps_id(ask) ? &(struct redact_ids){made, header->value} : NULL);
    }
    free(made);
    free((void *)values);
}

/* Values of what was sent, out of what came back, before anything of it is shown, kept or cut. The answer is read once
 * more from a body without them; where that is another answer (a bare number is gone, say) its sentence is cleaned by
 * itself and its details are left out. */
static void take_out_of_answer(const struct profile *profile, const struct write_ask *ask, const struct reply *reply,
                               struct api_receipt *receipt, const char *const *values, size_t n) {
    const struct redact_ids kept = {receipt->id, receipt->error.request_id}, *ids = keeps_id(ask) ? &kept : NULL;
    struct api_receipt clean = {0};
    struct reply copy = *reply;
    struct str text;
    str_init(&text, BODY_MAX);
    str_add_n(&text, reply->body ? reply->body : "", reply->body ? reply->body_len : 0);
    redact(&text, values, n, ids);
    copy.body_len = text.len;
    copy.body = str_take(&text);
    api_write_answer(profile, ask->operation, &copy, clock_now(), &clean);
    bool same = clean.outcome == receipt->outcome && clean.code == receipt->code;
    char *line = same ? clean.line : receipt->line;
    clean.line = same ? receipt->line : clean.line;
    receipt->line = line;
    take_out_of(&receipt->line, values, n, ids);
    struct service_error error = receipt->error;
    service_error_init(&receipt->error);
    if (same)
        receipt->error = clean.error;
    clean.error = same ? error : clean.error;
    if (!same)
        service_error_clear(&error);
    api_receipt_clear(&clean);
    free(copy.body);
}

static void take_out_values(const struct profile *profile, const struct write_ask *ask, const struct reply *reply,
                            struct api_receipt *receipt) {
    size_t n;
    const char **values = writes_values_of(ask, &n);
    if (receipt->outcome != API_DONE)
        take_out_of_answer(profile, ask, reply, receipt, values, n);
    if (!keeps_id(ask)) {
        take_out_of(&receipt->id, values, n, NULL);
        take_out_of(&receipt->line, values, n, NULL);
    }
    free((void *)values);
}

bool writes_reply(struct performer *performer, uint64_t net_ticket, struct reply *reply) {
    const struct profile *profile = performer->options->profile;
    struct writes *writes = performer->writes;
    for (size_t i = 0; i < writes->running.n; i++) {
        struct writing *writing = &writes->running.items[i];
        if (writing->net_ticket != net_ticket)
            continue;
        struct write_result *result = write_result_new();
        take_out_of_headers(writing->ask, reply);
        request_note(performer->noter, "POST", writing->path, reply);
        api_write_answer(profile, writing->ask->operation, reply, clock_now(), &result->receipt);
        take_out_values(profile, writing->ask, reply, &result->receipt);
        result->status = reply->status;
        write_judge(writing->ask, result);
        reply_clear(reply);
        writes_mark(performer, writing, result);
        return true;
    }
    return false;
}

bool writes_cancel(struct performer *performer, uint64_t ticket) {
    struct writing *writing = writes_find(performer->writes, ticket);
    if (writing && writing->net_ticket)
        net_cancel(performer->net, writing->net_ticket);
    else if (writing)
        writing->cancelled = true;
    return writing != NULL;
}

static void take_replies(struct performer *performer) {
    struct reply reply;
    uint64_t net_ticket;
    while ((net_ticket = net_take(performer->net, &reply)) != 0)
        if (!writes_reply(performer, net_ticket, &reply))
            reply_clear(&reply);
}

/* Records that are being made are waited for, a while: only then can they say that nothing was sent. One that is not
 * done by then stays `sending`, and the next start finds it unknown: the safe side. */
void writes_end(struct performer *performer) {
    enum { ROUNDS = 50, ROUND_MS = 100 };
    const struct writes *writes = performer->writes;
    for (size_t i = 0; i < writes->running.n; i++)
        (void)writes_cancel(performer, writes->running.items[i].ticket);
    for (int i = 0; i < ROUNDS && writes->running.n > 0; i++) {
        take_replies(performer);
        (void)lane_finish(performer->journals, performer);
        if (writes->running.n > 0)
            net_wait(performer->net, NULL, 0, ROUND_MS);
    }
}

void writes_clear(struct writes *writes) {
    while (writes->running.n > 0)
        writes_forget(writes, &writes->running.items[0]);
    free(writes->running.items);
    writes->running.items = NULL;
}
