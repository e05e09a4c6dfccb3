#include "app/write.h"
#include "app/journal.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct write_ask *write_ask_new(enum api_operation operation, const char *body) {
    struct write_ask *ask = mem_new(sizeof *ask);
    ask->operation = operation;
    ask->body = mem_dup(body);
    return ask;
}

static void texts_clear(struct write_texts *texts) {
    for (size_t i = 0; i < texts->n; i++) {
        free(texts->items[i].name);
        secret_free_text(texts->items[i].text);
    }
    free(texts->items);
}

void write_ask_free(struct write_ask *ask) {
    if (!ask)
        return;
    secret_free_text(ask->body);
    secret_free_text(ask->plain);
    texts_clear(&ask->fields);
    texts_clear(&ask->matches);
    free(ask->idempotency);
    free(ask->draft);
    free(ask->import);
    free(ask->url);
    free(ask->fingerprint);
    free(ask->proposal);
    free(ask);
}
PAYLOAD_OWNED(write_ask, write_ask_free);

uint64_t effects_write(struct effects *effects, struct write_ask *ask) {
    return effects_ask(effects, EFFECT_WRITE, payload_of(write_ask, ask));
}

static void texts_add(struct write_texts *texts, const char *name, const char *text) {
    struct write_text *item = vec_add(texts);
    item->name = mem_dup(name);
    item->text = mem_dup(text);
}

void write_ask_field(struct write_ask *ask, const char *name, const char *text) {
    texts_add(&ask->fields, name, text);
}

void write_ask_match(struct write_ask *ask, const char *name, const char *text) {
    texts_add(&ask->matches, name, text);
}

struct write_result *write_result_new(void) {
    struct write_result *result = mem_new(sizeof *result);
    result->receipt.retry_at = CLOCK_NONE;
    return result;
}

void write_result_free(struct write_result *result) {
    if (result) {
        api_receipt_clear(&result->receipt);
        free(result->trouble);
        free(result->elsewhere.id);
        free(result);
    }
}
PAYLOAD_OWNED(write_result, write_result_free);

/* A refusal that any other body would have got too says nothing about this one. */
static bool is_of_any_body(enum err err) {
    return err == ERR_THROTTLED || err == ERR_UNAUTHORISED || err == ERR_FORBIDDEN || err == ERR_REDIRECT ||
           err == ERR_NOT_FOUND;
}

bool write_status_is_of_any_body(int status) {
    return is_of_any_body(api_refusal_code(status));
}

void write_judge(const struct write_ask *ask, struct write_result *result) {
    if (ask->one_of_many && result->receipt.outcome == API_REFUSED && is_of_any_body(result->receipt.code))
        result->receipt.outcome = API_NOT_SENT;
}

enum outcome write_outcome(const struct write_result *result) {
    static const enum outcome OUTCOMES[] = {[API_NOT_SENT] = OUTCOME_NOT_SENT,
                                            [API_DONE] = OUTCOME_DONE,
                                            [API_REFUSED] = OUTCOME_REFUSED,
                                            [API_UNKNOWN] = OUTCOME_UNKNOWN};
    return OUTCOMES[result->receipt.outcome];
}

bool write_start(struct write *write, struct write_ask *ask, struct effects *effects) {
    if (write->stage != WRITE_IDLE) {
        write_ask_free(ask);
        return false;
    }
    write->stage = WRITE_STARTED;
    write->ticket = effects_write(effects, ask);
    return true;
}

bool write_is_running(const struct write *write) {
    return write->stage == WRITE_STARTED;
}

void write_cancel(struct write *write, struct effects *effects) {
    if (write_is_running(write))
        effects_cancel(effects, write->ticket);
}

bool write_update(struct write *write, struct event *event) {
    if (event->kind != EVENT_WRITE || !write_is_running(write) || event->ticket != write->ticket)
        return false;
    write->result = event_take(event, write_result);
    write->stage = WRITE_ENDED;
    return true;
}

void write_clear(struct write *write) {
    write_result_free(write->result);
    *write = (struct write){0};
}
