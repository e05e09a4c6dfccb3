#include "app/register.h"
#include "register_place.h"

#include "api/user.h"
#include "base/digest.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void draft_clear(struct draft *draft) {
    free(draft->name);
    user_clear(&draft->user);
    free(draft->key);
    free(draft->keyed);
    *draft = (struct draft){0};
}

void register_init(struct register_state *state, const struct profile *profile) {
    *state = (struct register_state){.profile = profile};
    (void)vec_add(&state->drafts);
}

static void forget_body(struct register_state *state) {
    write_ask_free(state->ask);
    state->ask = NULL;
    secret_free_text(state->body);
    state->body = NULL;
    journal_answer_free(state->look);
    state->look = NULL;
}

void register_clear(struct register_state *state) {
    for (size_t i = 0; i < state->drafts.n; i++)
        draft_clear(&state->drafts.items[i]);
    free(state->drafts.items);
    user_findings_clear(&state->findings);
    user_findings_clear(&state->refused);
    forget_body(state);
    write_clear(&state->write);
    proposal_answer_free(state->agreed);
    free(state->tag.text);
    free(state->tag.found);
    free(state->sent_tag);
    free(state->unkept);
}

void register_start(struct register_state *state, struct effects *effects) {
    (void)effects_journal(effects, journal_ask_new(JOURNAL_COUNTS));
    effects_add(effects, EFFECT_DRAFTS);
    (void)state;
}

struct draft *register_draft(struct register_state *state) {
    return &state->drafts.items[state->current];
}

struct user_rules register_rules(const struct profile *profile, int64_t now) {
    return (struct user_rules){.required = (const char *const *)profile->user_required.items,
                               .n_required = profile->user_required.n,
                               .kyc = profile->kyc_required,
                               .alpha3 = profile->country_alpha3,
                               .latin_only = profile->latin_only,
                               .now = now};
}

static void app_register_check(struct register_state *state, int64_t now) {
    struct user_rules rules = register_rules(state->profile, now);
    rules.ask_verified = true;
    user_check(&register_draft(state)->user, &rules, &state->findings);
    state->generation++;
}

static void add_finding(struct user_findings *findings, enum user_field field, bool blocks, const char *text) {
    struct user_finding *finding = vec_add(findings);
    *finding = (struct user_finding){.field = field, .blocks = blocks, .text = mem_dup(text)};
}

static void add_refused(struct register_state *state) {
    for (size_t i = 0; i < state->refused.n; i++)
        add_finding(&state->findings, state->refused.items[i].field, true, state->refused.items[i].text);
}

void register_check(struct register_state *state, int64_t now) {
    app_register_check(state, now);
    if (state->tag.found && str_equal(register_draft(state)->user.text[USER_TAG], state->tag.text))
        add_finding(&state->findings, USER_TAG, false, state->tag.found);
    add_refused(state);
}

void register_ask_tag(struct register_state *state, struct effects *effects) {
    const char *tag = register_draft(state)->user.text[USER_TAG];
    struct str text;
    if (state->stage != REGISTER_FORM || !tag || str_equal(tag, state->tag.text))
        return;
    struct journal_ask *ask = journal_ask_new(JOURNAL_LOOK);
    ask->write = write_ask_new(API_CREATE_USER, "");
    str_init(&text, USER_TEXT_MAX * 4);
    if (user_match_text(&register_draft(state)->user, USER_MATCH_TAG, &text))
        write_ask_match(ask->write, user_match_name(USER_MATCH_TAG), text.s);
    str_clear(&text);
    free(state->tag.text);
    free(state->tag.found);
    state->tag.text = mem_dup(tag);
    state->tag.found = NULL;
    state->tag.ticket = effects_journal(effects, ask);
}

/* The write that locks this form does not count as another use of its tag. */
static void take_tag(struct register_state *state, const struct event *event) {
    const struct outcome_records *records = &event_get(event, journal_answer)->records;
    const struct outcome_record *record = records->n > 0 ? &records->items[0] : NULL;
    struct str text;
    state->tag.ticket = 0;
    if (!record || record->n == register_draft(state)->locked)
        return;
    str_init(&text, 512);
    str_add(&text, "was used before: ");
    outcome_add_number(&text, record->n);
    str_addf(&text, ", %s", outcome_name(record->last.outcome));
    if (record->last.response_id)
        str_addf(&text, ", %s", record->last.response_id);
    state->tag.found = str_take(&text);
    if (state->stage == REGISTER_FORM)
        register_check(state, event->now);
}

bool register_is_frozen(const struct register_state *state) {
    return state->stage != REGISTER_FORM;
}

/* The service's refusal was about the text before. */
static void forget_refusal(struct register_state *state, enum user_field field) {
    struct user_findings *refused = &state->refused;
    size_t kept = 0;
    for (size_t i = 0; i < refused->n; i++)
        if (refused->items[i].field == field)
            free(refused->items[i].text);
        else
            refused->items[kept++] = refused->items[i];
    refused->n = kept;
}

void register_set(struct register_state *state, enum user_field field, const char *text, int64_t now) {
    struct draft *draft = register_draft(state);
    const char *before = draft->user.text[field];
    if (register_is_frozen(state) || str_equal(before ? before : "", text ? text : ""))
        return;
    user_set(&draft->user, field, text);
    draft->dirty = true;
    forget_refusal(state, field);
    register_check(state, now);
}

bool register_is_dirty(const struct register_state *state) {
    for (size_t i = 0; i < state->drafts.n; i++) {
        const struct draft *draft = &state->drafts.items[i];
        if (!user_is_empty(&draft->user) && draft->dirty)
            return true;
    }
    return false;
}

void register_new(struct register_state *state) {
    struct draft *draft = register_draft(state);
    if (user_is_empty(&draft->user) && !draft->locked)
        return;
    (void)vec_add(&state->drafts);
    register_open(state, state->drafts.n - 1);
}

void register_open(struct register_state *state, size_t draft) {
    if (state->stage == REGISTER_SENDING || draft >= state->drafts.n)
        return;
    register_back(state);
    state->current = draft;
    user_findings_clear(&state->findings);
    user_findings_clear(&state->refused);
    state->generation++;
}

static void app_register_drop(struct register_state *state, size_t at, struct effects *effects) {
    struct draft *draft = &state->drafts.items[at];
    bool open = at == state->current;
    if (draft->name)
        effects_draft(effects, draft->name, NULL);
    draft_clear(draft);
    memmove(draft, draft + 1, (state->drafts.n - at - 1) * sizeof *draft);
    state->drafts.n--;
    if (state->drafts.n == 0)
        (void)vec_add(&state->drafts);
    state->current -= at < state->current || (open && state->current == state->drafts.n);
    if (open) {
        user_findings_clear(&state->findings);
        user_findings_clear(&state->refused);
    }
    state->generation++;
}

void register_discard(struct register_state *state, struct effects *effects) {
    if (state->stage == REGISTER_FORM && !register_draft(state)->locked)
        app_register_drop(state, state->current, effects);
}

static void give_name(struct register_state *state, struct draft *draft) {
    struct str name;
    if (draft->name || !*state->nonce)
        return;
    str_init(&name, 64);
    str_addf(&name, "%s-%u", state->nonce, ++state->names);
    draft->name = str_take(&name);
}

static void app_register_keep(struct register_state *state, struct draft *draft, struct effects *effects) {
    struct str text;
    give_name(state, draft);
    if (!draft->name)
        return;
    str_init(&text, WIRE_USER_MAX);
    api_draft(state->profile, &draft->user, draft->locked, &text);
    effects_draft(effects, draft->name, text.s);
    secret_clear_str(&text);
    draft->dirty = false;
    state->keeping++;
}

bool register_is_keeping(const struct register_state *state) {
    return state->keeping > 0;
}

const char *register_unkept(const struct register_state *state) {
    return register_is_dirty(state) ? state->unkept : NULL;
}

/* A form that could not be stored is only in memory: it counts as changed again. */
static void app_register_take_kept(struct register_state *state, const struct event *event) {
    const struct draft_kept *kept = event_get(event, draft_kept);
    bool failed = kept->failure->code != ERR_OK;
    state->keeping -= state->keeping > 0;
    free(state->unkept);
    state->unkept = failed ? mem_dup(kept->failure->text) : NULL;
    for (size_t i = 0; failed && i < state->drafts.n; i++) {
        struct draft *draft = &state->drafts.items[i];
        draft->dirty = draft->dirty || str_equal(draft->name, kept->name);
    }
    state->generation++;
}

void register_keep(struct register_state *state, struct effects *effects) {
    for (size_t i = 0; i < state->drafts.n; i++) {
        struct draft *draft = &state->drafts.items[i];
        if (draft->dirty && !user_is_empty(&draft->user))
            app_register_keep(state, draft, effects);
    }
}

bool register_review(struct register_state *state, int64_t now, struct effects *effects) {
    struct draft *draft = register_draft(state);
    if (register_is_frozen(state))
        return false;
    app_register_check(state, now); /* the look says more about the tag than the check */
    if (state->findings.blocks > 0)
        return false;
    struct journal_ask *ask = journal_ask_new(JOURNAL_LOOK);
    give_name(state, draft);
    ask->write = create_ask(state->profile, &draft->user, NULL, NULL);
    ask->n = draft->locked;
    state->stage = REGISTER_LOOKING;
    state->ticket = effects_journal(effects, ask);
    state->generation++;
    return true;
}

/* One key for one logical submission: changed content gets a new key, a repeat gets that of its record. */
static void app_register_make_key(struct register_state *state, struct draft *draft, struct write_ask *ask) {
    unsigned char digest[DIGEST_LEN];
    struct str hex;
    str_init(&hex, DIGEST_LEN * 2 + 1);
    digest_sha256(digest, ask->plain, strlen(ask->plain));
    digest_hex(&hex, digest, sizeof digest);
    const char *mine = str_equal(draft->keyed, hex.s) ? draft->key : NULL;
    char *key = mem_dup(create_key(state->profile, state->look, state->repeats, mine));
    free(draft->key);
    free(draft->keyed);
    draft->key = key;
    draft->keyed = mem_dup(hex.s);
    create_add_key(ask, state->profile, &draft->user, key);
    str_clear(&hex);
}

/* A form with the same content as a record of unknown outcome is a repeat of that record, wherever it was typed. */
static int64_t repeats_of(const struct register_state *state, const struct draft *draft) {
    struct create_finding found = create_judge(state->look, draft->locked);
    bool own = found.verdict == CREATE_UNKNOWN && found.record->n > 0; /* a colleague's is settled first */
    return draft->locked ? draft->locked : own ? found.record->n : 0;
}

bool register_is_refused(const struct register_state *state, struct str *why) {
    struct create_finding found = {CREATE_FREE, NULL};
    if (state->look)
        found = create_judge(state->look, state->repeats);
    if (found.verdict == CREATE_ON_ITS_WAY) {
        str_add(why, "another program is sending the very same (");
        outcome_add_number(why, found.record->n);
        str_add(why, "): wait until that has ended");
    } else if (found.verdict == CREATE_UNKNOWN) {
        str_add(why, "of the very same it is not known whether it was done (");
        outcome_add_number(why, found.record->n);
        str_add(why, "): settle that record first");
    } else if (state->repeats && state->look && !state->look->body_same && state->repeats == state->look->compared) {
        str_addf(why,
                 "this is not what record %lld sent, and a repeat has to be the very same: type again what the disk "
                 "does not keep (birth date, id), or settle the record",
                 (long long)state->repeats);
    }
    return why->len > 0;
}

void register_back(struct register_state *state) {
    if (state->stage == REGISTER_SENDING)
        return;
    if (state->stage == REGISTER_RECEIPT)
        write_clear(&state->write);
    forget_body(state);
    state->ticket = 0;
    state->stage = REGISTER_FORM;
    state->generation++;
}

/* Where two persons have to agree: the team is told of it, and the form stays until its user exists. */
static void propose_user(struct register_state *state, struct effects *effects) {
    struct proposal_ask *ask = proposal_ask_new(PROPOSAL_MAKE);
    ask->operation = API_CREATE_USER;
    ask->body = mem_dup(state->ask->plain);
    app_register_keep(state, register_draft(state), effects);
    state->proposing = effects_proposals(effects, ask);
    state->stage = REGISTER_SENDING;
    state->generation++;
}

static void take_proposed(struct register_state *state, struct event *event) {
    proposal_answer_free(state->agreed);
    state->agreed = event_take(event, proposal_answer);
    state->proposing = 0;
    forget_body(state);
    state->stage = REGISTER_FORM;
    state->generation++;
}

bool register_confirm(struct register_state *state, struct effects *effects) {
    struct draft *draft = register_draft(state);
    struct str why;
    str_init(&why, ERROR_TEXT_MAX);
    bool refused = state->stage != REGISTER_REVIEW || register_is_refused(state, &why);
    str_clear(&why);
    if (refused)
        return false;
    if (profile_users_need_two(state->profile)) {
        propose_user(state, effects);
        return true;
    }
    struct write_ask *ask = state->ask;
    state->ask = NULL;
    /* Stored before the write: by then the form has its name, which the record keeps. */
    app_register_keep(state, draft, effects);
    ask->draft = mem_dup(draft->name);
    ask->repeats = state->repeats;
    ask->again = create_judge(state->look, state->repeats).verdict == CREATE_SAME;
    free(state->sent_tag);
    state->sent_tag = draft->user.text[USER_TAG] ? mem_dup(draft->user.text[USER_TAG]) : NULL;
    if (!write_start(&state->write, ask, effects))
        return false;
    user_findings_clear(&state->refused);
    state->stage = REGISTER_SENDING;
    state->generation++;
    return true;
}

void register_cancel(struct register_state *state, struct effects *effects) {
    if (state->stage == REGISTER_SENDING)
        write_cancel(&state->write, effects);
    else
        register_back(state);
}

/* A repeat on purpose is the same in every console: fields that are not stored on the disk have to be typed here too.
 */
static void lock_as_left(struct draft *draft, int64_t n) {
    draft->locked = n;
    for (int i = 0; i < USER_FIELD_COUNT; i++)
        if (!user_is_kept((enum user_field)i))
            user_set(&draft->user, (enum user_field)i, NULL);
}

/* Puts what the answer says about fields at the fields; locks the draft where the outcome is unknown; removes it on
 * success. */
static void app_register_take_result(struct register_state *state, struct effects *effects) {
    const struct write_result *result = state->write.result;
    struct draft *draft = register_draft(state);
    enum outcome outcome = write_outcome(result);
    state->stage = REGISTER_RECEIPT;
    if (outcome == OUTCOME_DONE) {
        app_register_drop(state, state->current, effects);
    } else if (outcome == OUTCOME_UNKNOWN) {
        lock_as_left(draft, result->n ? result->n : draft->locked);
        app_register_keep(state, draft, effects);
    } else if (draft->locked) { /* the record that it would repeat may have been settled meanwhile */
        register_follow(state, effects);
    }
    for (size_t i = 0; outcome == OUTCOME_REFUSED && i < result->receipt.error.n; i++) {
        const struct service_error_place *place = &result->receipt.error.items[i];
        int field = register_field_at(place->place);
        if (field >= 0) {
            add_finding(&state->refused, (enum user_field)field, true,
                        place->text                  ? place->text
                        : result->receipt.error.text ? result->receipt.error.text
                                                     : "refused");
        }
    }
    add_refused(state);
    state->generation++;
}

/* Closes a review that was opened before the record was known, or settled: confirming it would not mean the same any
 * more. */
static void close_review(struct register_state *state, const struct draft *draft) {
    if (draft == register_draft(state) && state->stage != REGISTER_RECEIPT)
        register_back(state);
}

/* The record of a form was settled: the form can be changed again, or is dropped where its user exists, but not while
 * its write is being sent or its receipt is on show. True: it was dropped. */
static bool app_register_free(struct register_state *state, size_t at, enum outcome outcome, struct effects *effects) {
    struct draft *draft = &state->drafts.items[at];
    bool open = at == state->current && state->stage != REGISTER_FORM;
    state->settled_notice.n = draft->locked;
    state->settled_notice.outcome = outcome;
    state->settled_notice.gone = outcome == OUTCOME_DONE && !open;
    draft->locked = 0;
    if (state->settled_notice.gone)
        app_register_drop(state, at, effects);
    else
        app_register_keep(state, draft, effects);
    state->generation++;
    return state->settled_notice.gone;
}

static bool is_settled(enum outcome outcome) {
    return outcome != OUTCOME_UNKNOWN && outcome != OUTCOME_SENDING;
}

/* Applies to a form what the operator said about its record, here or in another program. */
static void app_register_take_word(struct register_state *state, const struct journal_answer *answer,
                                   struct effects *effects) {
    const struct outcome_record *record = answer->records.n == 1 ? &answer->records.items[0] : NULL;
    bool asked = answer->task == JOURNAL_SHOW || answer->task == JOURNAL_SETTLE;
    for (size_t i = 0; record && asked && i < state->drafts.n; i++) {
        struct draft *draft = &state->drafts.items[i];
        if (draft->locked != record->n || !is_settled(record->last.outcome))
            continue;
        close_review(state, draft);
        if (app_register_free(state, i, record->last.outcome, effects))
            return;
    }
}

/* The look knows where the record stands that locks the form: settled elsewhere meanwhile, it is no repeat any more. */
static void app_register_open_review(struct register_state *state, struct event *event, struct effects *effects) {
    forget_body(state);
    state->look = event_take(event, journal_answer);
    state->stage = REGISTER_FORM;
    if (state->look->error.code != ERR_OK)
        return;
    bool freed = register_draft(state)->locked && is_settled(state->look->standing);
    if (freed && app_register_free(state, state->current, state->look->standing, effects)) {
        forget_body(state);
        return;
    }
    struct draft *draft = register_draft(state);
    state->repeats = repeats_of(state, draft);
    state->ask = create_ask(state->profile, &draft->user, NULL, NULL);
    app_register_make_key(state, draft, state->ask);
    state->body = mem_dup(state->ask->body);
    state->stage = REGISTER_REVIEW;
    state->opened = event->now;
}

void register_follow(struct register_state *state, struct effects *effects) {
    struct journal_ask *ask = journal_ask_new(JOURNAL_LIST);
    ask->only = OUTCOME_UNKNOWN;
    state->left = effects_journal(effects, ask);
}

static void app_register_lock(struct register_state *state, struct draft *draft, int64_t n, struct effects *effects) {
    close_review(state, draft);
    lock_as_left(draft, n);
    app_register_keep(state, draft, effects);
    state->generation++;
}

/* A form whose write is not unknown any more was settled elsewhere: asks how. */
static void ask_word(const struct draft *draft, const struct outcome_records *records, struct effects *effects) {
    for (size_t i = 0; i < records->n; i++)
        if (records->items[i].n == draft->locked)
            return;
    struct journal_ask *ask = journal_ask_new(JOURNAL_SHOW);
    ask->n = draft->locked;
    (void)effects_journal(effects, ask);
}

/* Locks the forms of writes that the journal holds as unknown: a program that was killed while it waited could not lock
 * its form. */
static void app_register_take_left(struct register_state *state, const struct journal_answer *answer,
                                   struct effects *effects) {
    const struct outcome_records *records = &answer->records;
    state->left = 0;
    for (size_t j = 0; answer->error.code == ERR_OK && j < state->drafts.n; j++) {
        struct draft *draft = &state->drafts.items[j];
        for (size_t i = 0; draft->name && i < records->n; i++) {
            const struct outcome_record *record = &records->items[i];
            if (record->draft && str_equal(draft->name, record->draft) && draft->locked < record->n)
                app_register_lock(state, draft, record->n, effects);
        }
        if (draft->locked)
            ask_word(draft, records, effects);
    }
}

static void take_draft(struct register_state *state, const struct event *event, struct effects *effects) {
    const struct draft_read *read = event_get(event, draft_read);
    struct user user;
    int64_t locked;
    if (!read->name) { /* all drafts were read: an earlier answer of the journal would have met none of them */
        register_follow(state, effects);
        return;
    }
    if (!read->text || api_draft_read(state->profile, read->text, &user, &locked, NULL) != ERR_OK)
        return;
    struct draft *draft = vec_add(&state->drafts);
    *draft = (struct draft){.name = mem_dup(read->name), .user = user, .locked = locked};
    /* The empty form of the start is replaced by the first stored draft. */
    struct draft *first = &state->drafts.items[0];
    if (state->current == 0 && user_is_empty(&first->user) && !first->name && state->stage == REGISTER_FORM) {
        memmove(first, first + 1, (state->drafts.n - 1) * sizeof *first);
        state->drafts.n--;
    }
    state->generation++;
}

static bool take_journal(struct register_state *state, struct event *event, struct effects *effects) {
    const struct journal_answer *answer = event_get(event, journal_answer);
    if (!*state->nonce && *answer->nonce)
        memcpy(state->nonce, answer->nonce, sizeof state->nonce);
    if (state->tag.ticket && event->ticket == state->tag.ticket) {
        take_tag(state, event);
        return true;
    }
    if (state->left && event->ticket == state->left) {
        app_register_take_left(state, answer, effects);
        return true;
    }
    app_register_take_word(state, answer, effects);
    if (state->stage != REGISTER_LOOKING || event->ticket != state->ticket)
        return false;
    app_register_open_review(state, event, effects);
    state->generation++;
    return true;
}

bool register_update(struct register_state *state, struct event *event, struct effects *effects) {
    if (event->kind == EVENT_DRAFT) {
        take_draft(state, event, effects);
        return true;
    }
    if (event->kind == EVENT_DRAFT_KEPT) {
        app_register_take_kept(state, event);
        return true;
    }
    if (event->kind == EVENT_JOURNAL && event_get(event, journal_answer))
        return take_journal(state, event, effects);
    if (event->kind == EVENT_PROPOSALS && state->proposing && event->ticket == state->proposing) {
        take_proposed(state, event);
        return true;
    }
    if (write_update(&state->write, event)) {
        state->ended = event->now;
        app_register_take_result(state, effects);
        return true;
    }
    return false;
}
