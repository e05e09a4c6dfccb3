#include "app/webhook.h"

#include "app/text.h"
#include "base/mem.h"
#include "model/delivery.h"

#include <stdlib.h>
#include <string.h>

enum { BODY_MAX = 256 << 10 };

static void app_webhook_wipe(char **text) {
    secret_free_text(*text);
    *text = NULL;
}

static void app_webhook_replace(char **place, char *text) {
    free(*place);
    *place = text;
}

/* ---- asks and answers ---- */

struct webhook_ask *webhook_ask_new(enum webhook_task task) {
    struct webhook_ask *ask = mem_new(sizeof *ask);
    ask->task = task;
    return ask;
}

void webhook_ask_free(struct webhook_ask *ask) {
    if (ask) {
        app_webhook_wipe(&ask->secret);
        free(ask->path);
        free(ask->text);
        free(ask);
    }
}
PAYLOAD_OWNED(webhook_ask, webhook_ask_free);

uint64_t effects_webhook(struct effects *effects, struct webhook_ask *ask) {
    return effects_ask(effects, EFFECT_WEBHOOK, payload_of(webhook_ask, ask));
}

struct webhook_answer *webhook_answer_new(enum webhook_task task) {
    struct webhook_answer *answer = mem_new(sizeof *answer);
    answer->task = task;
    return answer;
}

void webhook_answer_free(struct webhook_answer *answer) {
    if (answer) {
        outcome_records_clear(&answer->last);
        app_webhook_wipe(&answer->secret);
        free(answer->fingerprint);
        free(answer->shared_with);
        free(answer->other_profile);
        free(answer->unknown_url);
        free(answer->unknown_fingerprint);
        free(answer);
    }
}
PAYLOAD_OWNED(webhook_answer, webhook_answer_free);
PAYLOAD_OWNED(deliveries, deliveries_free);

/* ---- life ---- */

void webhook_init(struct webhook *webhook, const struct profile *profile) {
    *webhook = (struct webhook){.profile = profile};
}

static bool needs_secret(const struct webhook *webhook) {
    return webhook->signing == WEBHOOK_GIVEN || webhook->signing == WEBHOOK_GENERATED;
}

void webhook_unchoose(struct webhook *webhook) {
    app_webhook_wipe(&webhook->secret);
    app_webhook_replace(&webhook->fingerprint, NULL);
    app_webhook_replace(&webhook->shared_with, NULL);
    app_webhook_replace(&webhook->saved_to, NULL);
    webhook->signing = WEBHOOK_NOT_CHOSEN;
    webhook->generation++;
}

/* A release needs no secret; without it nothing could be sent with one. */
static void drop_proposal(struct webhook *webhook) {
    if (webhook->proposal && needs_secret(webhook) && !webhook->secret)
        webhook_unchoose(webhook);
    proposal_answer_free(webhook->proposal);
    webhook->proposal = NULL;
}

void webhook_begin(struct webhook *webhook) {
    webhook_unchoose(webhook);
    drop_proposal(webhook);
}

void webhook_clear(struct webhook *webhook) {
    webhook_unchoose(webhook);
    write_clear(&webhook->write);
    webhook_answer_free(webhook->known);
    webhook_answer_free(webhook->before);
    drop_proposal(webhook);
    free(webhook->url);
    *webhook = (struct webhook){0};
}

void webhook_load(struct webhook *webhook, struct effects *effects) {
    webhook->known_ticket = effects_webhook(effects, webhook_ask_new(WEBHOOK_KNOWN));
}

const struct outcome_record *webhook_last(const struct webhook *webhook) {
    return webhook->known && webhook->known->last.n > 0 ? &webhook->known->last.items[0] : NULL;
}

bool webhook_held(const struct outcome_record *record) {
    return record->settled || record->last.status == 200 || record->last.status == 201;
}

const char *webhook_last_url(const struct webhook *webhook) {
    const struct outcome_record *record = webhook_last(webhook);
    const char *unknown = webhook->known ? webhook->known->unknown_url : NULL;
    return unknown ? unknown : record ? record->url : NULL;
}

/* ---- the form ---- */

static bool is_frozen(const struct webhook *webhook) {
    return webhook->stage != WEBHOOK_FORM;
}

void webhook_set_url(struct webhook *webhook, const char *url) {
    if (!is_frozen(webhook) && !str_equal(webhook->url, url)) {
        app_webhook_replace(&webhook->url, mem_dup(url));
        drop_proposal(webhook); /* it was about another URL */
        webhook->generation++;
    }
}

static void app_webhook_ask(struct webhook *webhook, struct webhook_ask *question, struct effects *effects) {
    webhook->stage = WEBHOOK_WORKING;
    webhook->ticket = effects_webhook(effects, question);
    webhook->generation++;
}

bool webhook_give(struct webhook *webhook, const char *secret, size_t len, struct effects *effects) {
    if (is_frozen(webhook))
        return false;
    webhook_unchoose(webhook);
    error_clear(&webhook->error);
    webhook->secret_state = webhook_secret_check(secret, len, webhook->token);
    if (webhook_secret_blocks(webhook->secret_state)) {
        (void)error_set(&webhook->error, ERR_INVALID, "the secret cannot be used: %s",
                        webhook_secret_sentence(webhook->secret_state));
        return false;
    }
    struct webhook_ask *question = webhook_ask_new(WEBHOOK_PRINT);
    question->secret = mem_dup_n(secret, len);
    webhook->secret = mem_dup_n(secret, len);
    app_webhook_ask(webhook, question, effects);
    return true;
}

void webhook_generate(struct webhook *webhook, enum webhook_format format, const char *path, struct effects *effects) {
    if (is_frozen(webhook))
        return;
    webhook_unchoose(webhook);
    error_clear(&webhook->error);
    webhook->secret_state = WEBHOOK_SECRET_FINE;
    struct webhook_ask *question = webhook_ask_new(WEBHOOK_MAKE);
    question->format = format;
    question->path = mem_dup(path);
    webhook->saved_to = mem_dup(path);
    app_webhook_ask(webhook, question, effects);
}

bool webhook_unsigned(struct webhook *webhook, const char *word) {
    if (is_frozen(webhook) || !str_equal(word, "unsigned"))
        return false;
    webhook_unchoose(webhook);
    webhook->signing = WEBHOOK_UNSIGNED;
    return true;
}

/* ---- sending ---- */

/* What is reviewed is what is released. */
static bool is_as_proposed(const struct webhook *webhook) {
    const struct proposal *proposal = webhook_proposal(webhook);
    enum webhook_signing signing = proposal->fingerprint ? WEBHOOK_GIVEN : WEBHOOK_UNSIGNED;
    return webhook->signing == signing && str_equal(webhook->url, proposal->url);
}

static enum err check_choice(const struct webhook *webhook, struct error *error) {
    bool releases = webhook_purpose(webhook) == WEBHOOK_RELEASES;
    bool lacks = needs_secret(webhook) && !webhook->secret && !releases;
    if (webhook->signing == WEBHOOK_NOT_CHOSEN || lacks)
        return error_set(error, ERR_INVALID,
                         "signing is not chosen: give the secret again, generate one, or choose unsigned. A "
                         "registration replaces everything; a secret is never kept by leaving it blank");
    return !releases || is_as_proposed(webhook)
               ? ERR_OK
               : error_set(error, ERR_INVALID, "this is not what proposal %.*s is: look at the proposals again",
                           PROPOSAL_ID_SHOWN, webhook_proposal(webhook)->id);
}

enum err webhook_check(const struct webhook *webhook, bool read_only, struct error *error) {
    if (read_only)
        return error_set(error, ERR_READ_ONLY, "the profile %s is read-only", webhook->profile->name);
    enum err err = endpoint_check(webhook->url ? webhook->url : "", profile_is_sandbox(webhook->profile), error);
    return err == ERR_OK ? check_choice(webhook, error) : err;
}

bool webhook_review(struct webhook *webhook, bool read_only) {
    error_clear(&webhook->error);
    if (is_frozen(webhook) || webhook_check(webhook, read_only, &webhook->error) != ERR_OK)
        return false;
    webhook->stage = WEBHOOK_REVIEW;
    webhook->generation++;
    return true;
}

void webhook_back(struct webhook *webhook) {
    if (webhook->stage == WEBHOOK_RECEIPT) {
        if (write_outcome(webhook->write.result) == OUTCOME_DONE)
            webhook_unchoose(webhook);
        write_clear(&webhook->write);
        drop_proposal(webhook); /* it was sent once, whatever came of it */
    } else if (webhook->stage == WEBHOOK_AGREED) {
        if (webhook->error.code == ERR_OK)
            webhook_unchoose(webhook);
        drop_proposal(webhook);
        error_clear(&webhook->error);
    } else if (webhook->stage == WEBHOOK_REVIEW) {
        drop_proposal(webhook);
    } else {
        return;
    }
    webhook->repeats = 0;
    webhook->stage = WEBHOOK_FORM;
    webhook->generation++;
}

bool webhook_again(struct webhook *webhook) {
    if (webhook->stage != WEBHOOK_RECEIPT || write_outcome(webhook->write.result) != OUTCOME_UNKNOWN)
        return false;
    webhook->repeats = webhook->write.result->n;
    write_clear(&webhook->write);
    drop_proposal(webhook);
    webhook->stage = WEBHOOK_REVIEW;
    webhook->generation++;
    return true;
}

int64_t webhook_repeats(const struct webhook *webhook) {
    const struct webhook_answer *known = webhook->known;
    bool typed = known && known->unknown_ended && webhook->signing != WEBHOOK_NOT_CHOSEN &&
                 str_equal(known->unknown_url, webhook->url) &&
                 str_equal(known->unknown_fingerprint, webhook->fingerprint);
    return webhook->repeats ? webhook->repeats : typed ? known->unknown_since : 0;
}

const char *webhook_word(const struct webhook *webhook) {
    return profile_is_sandbox(webhook->profile) ? "" : webhook->profile->environment;
}

static char *make_body(const struct webhook *webhook) {
    struct str body;
    str_init(&body, BODY_MAX);
    str_add(&body, "{\"url\":");
    text_json(&body, webhook->url);
    if (webhook->secret) {
        str_add(&body, ",\"secret\":");
        text_json(&body, webhook->secret);
    }
    str_add_char(&body, '}');
    return str_take(&body);
}

/* ---- two persons ---- */

const struct proposal *webhook_proposal(const struct webhook *webhook) {
    return webhook->proposal && webhook->proposal->list.n > 0 ? &webhook->proposal->list.items[0] : NULL;
}

enum webhook_purpose webhook_purpose(const struct webhook *webhook) {
    const struct proposal *proposal = webhook_proposal(webhook);
    if (proposal)
        return proposal->state == PROPOSAL_WAITING ? WEBHOOK_RELEASES : WEBHOOK_SENDS;
    return profile_webhook_needs_two(webhook->profile) ? WEBHOOK_PROPOSES : WEBHOOK_SENDS;
}

static enum err check_take_up(const struct proposal *proposal, struct error *error) {
    struct str text;
    bool mine = proposal->is_own || proposal->is_released_here;
    if (!proposal->url)
        return error_set(error, ERR_INVALID, "this proposal is of a user: bursar users proposals");
    if ((proposal->state == PROPOSAL_WAITING && !proposal->is_own) || (proposal->state == PROPOSAL_RELEASED && mine))
        return ERR_OK;
    str_init(&text, BODY_MAX);
    proposal_tell(proposal, &text);
    for (char *end = text.s; (end = strchr(end, '\n')) != NULL;)
        *end = end[1] ? ';' : '\0';
    enum err err = error_set(error, ERR_INVALID, "%s", text.s);
    str_clear(&text);
    return err;
}

bool webhook_take_up(struct webhook *webhook, struct proposal_answer *answer) {
    error_clear(&webhook->error);
    if (answer->error.code != ERR_OK || answer->list.n == 0)
        webhook->error = answer->error;
    else if (!is_frozen(webhook))
        (void)check_take_up(&answer->list.items[0], &webhook->error);
    if (is_frozen(webhook) || webhook->error.code != ERR_OK) {
        proposal_answer_free(answer);
        return false;
    }
    const struct proposal *proposal = &answer->list.items[0];
    webhook_unchoose(webhook);
    webhook_set_url(webhook, proposal->url);
    drop_proposal(webhook);
    webhook->proposal = answer;
    if (!proposal->fingerprint)
        webhook->signing = WEBHOOK_UNSIGNED;
    else if (proposal->state == PROPOSAL_WAITING)
        webhook->signing = WEBHOOK_GIVEN; /* a release needs no secret */
    return true;
}

/* The body goes along where it is whole: that the secret is the one proposed is looked at before it is released. */
static struct proposal_ask *agreement_ask(const struct webhook *webhook) {
    const struct proposal *proposal = webhook_proposal(webhook);
    struct proposal_ask *ask = proposal_ask_new(proposal ? PROPOSAL_DECIDE : PROPOSAL_MAKE);
    ask->body = proposal && needs_secret(webhook) && !webhook->secret ? NULL : make_body(webhook);
    if (proposal) {
        ask->id = mem_dup(proposal->id);
        ask->state = PROPOSAL_RELEASED;
    } else {
        ask->operation = API_REGISTER_WEBHOOK;
        ask->url = mem_dup(webhook->url);
        ask->secret = mem_dup(webhook->secret);
    }
    return ask;
}

static void ask_for_agreement(struct webhook *webhook, struct effects *effects) {
    error_clear(&webhook->error);
    webhook->stopped = false;
    webhook->stage = WEBHOOK_AGREEING;
    webhook->agree_ticket = effects_proposals(effects, agreement_ask(webhook));
    webhook->generation++;
}

static bool send_registration(struct webhook *webhook, struct effects *effects) {
    const struct proposal *proposal = webhook_proposal(webhook);
    char *body = make_body(webhook);
    struct write_ask *question = write_ask_new(API_REGISTER_WEBHOOK, body);
    app_webhook_wipe(&body);
    if (webhook->secret)
        write_ask_field(question, "secret", webhook->secret);
    question->url = mem_dup(webhook->url);
    question->fingerprint = mem_dup(webhook->fingerprint);
    question->proposal = mem_dup(proposal ? proposal->id : NULL);
    question->repeats = webhook_repeats(webhook);
    if (!write_start(&webhook->write, question, effects))
        return false;
    webhook_answer_free(webhook->before);
    webhook->before = webhook->known;
    webhook->known = NULL;
    webhook->stage = WEBHOOK_SENDING;
    webhook->generation++;
    return true;
}

bool webhook_confirm(struct webhook *webhook, const char *word, struct effects *effects) {
    if (webhook->stage != WEBHOOK_REVIEW || !str_equal(word, webhook_word(webhook)) ||
        check_choice(webhook, &webhook->error) != ERR_OK)
        return false;
    if (webhook_purpose(webhook) == WEBHOOK_SENDS)
        return send_registration(webhook, effects);
    ask_for_agreement(webhook, effects);
    return true;
}

void webhook_cancel(struct webhook *webhook, struct effects *effects) {
    webhook->stopped = true;
    write_cancel(&webhook->write, effects);
}

/* ---- events ---- */

static void take_secret(struct webhook *webhook, struct webhook_answer *answer) {
    webhook->stage = WEBHOOK_FORM;
    if (answer->error.code != ERR_OK) {
        webhook_unchoose(webhook);
        webhook->error = answer->error;
        return;
    }
    if (answer->task == WEBHOOK_MAKE) {
        app_webhook_wipe(&webhook->secret);
        webhook->secret = answer->secret;
        answer->secret = NULL;
    }
    webhook->signing = answer->task == WEBHOOK_MAKE ? WEBHOOK_GENERATED : WEBHOOK_GIVEN;
    app_webhook_replace(&webhook->fingerprint, answer->fingerprint);
    app_webhook_replace(&webhook->shared_with, answer->shared_with);
    answer->fingerprint = answer->shared_with = NULL;
}

static void take_known(struct webhook *webhook, struct event *event) {
    webhook_answer_free(webhook->known);
    webhook->known = event_take(event, webhook_answer);
}

static void app_webhook_take_result(struct webhook *webhook, struct effects *effects) {
    webhook->stage = WEBHOOK_RECEIPT;
    if (write_outcome(webhook->write.result) == OUTCOME_DONE)
        app_webhook_wipe(&webhook->secret);
    webhook_load(webhook, effects);
}

/* A release is the confirmation: where all is there that is sent, it is sent, once. */
static void take_agreement(struct webhook *webhook, struct event *event, struct effects *effects) {
    struct proposal_answer *answer = event_take(event, proposal_answer);
    bool there = answer->error.code == ERR_OK && answer->list.n > 0;
    webhook->stage = WEBHOOK_AGREED;
    if (!there) {
        webhook->error = answer->error;
        proposal_answer_free(answer);
        return;
    }
    proposal_answer_free(webhook->proposal);
    webhook->proposal = answer;
    bool whole = webhook->signing == WEBHOOK_UNSIGNED || webhook->secret;
    if (answer->task == PROPOSAL_DECIDE && whole && !webhook->stopped)
        (void)send_registration(webhook, effects);
}

bool webhook_update(struct webhook *webhook, struct event *event, struct effects *effects) {
    if (event->kind == EVENT_WEBHOOK && event->ticket == webhook->known_ticket)
        take_known(webhook, event);
    else if (event->kind == EVENT_WEBHOOK && event->ticket == webhook->ticket && webhook->stage == WEBHOOK_WORKING)
        take_secret(webhook, event_get(event, webhook_answer));
    else if (event->kind == EVENT_PROPOSALS && event->ticket == webhook->agree_ticket &&
             webhook->stage == WEBHOOK_AGREEING)
        take_agreement(webhook, event, effects);
    else if (write_update(&webhook->write, event))
        app_webhook_take_result(webhook, effects);
    else
        return false;
    webhook->generation++;
    return true;
}
