/* Registering: events in, state and effects out. Every row of the table of outcomes, and what becomes of the form. */
#include "app/register.h"
#include "base/mem.h"
#include "support/effects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NOW INT64_C(1795867200000)

struct fixture {
    struct profile *profile;
    struct register_state state;
    struct effects effects;
};

static void give(struct fixture *f, struct event *event) {
    event->now = NOW;
    (void)register_update(&f->state, event, &f->effects);
    payload_clear(&event->payload);
}

static struct journal_answer *answer_new(enum journal_task task) {
    struct journal_answer *answer = journal_answer_new(task);
    memcpy(answer->nonce, "00112233445566778899aabbccddeeff", sizeof answer->nonce);
    return answer;
}

/* What the journal says at the start: draft names come from its nonce. */
static void start(struct fixture *f) {
    struct event event = {.kind = EVENT_JOURNAL, .payload = payload_of(journal_answer, answer_new(JOURNAL_COUNTS))};
    give(f, &event);
}

static int begin(void **state, const char *idempotency) {
    struct fixture *f = mem_new(sizeof *f);
    f->profile = profile_new("test", "sandbox", "http://127.0.0.1:1");
    free(f->profile->api.user_idempotency);
    f->profile->api.user_idempotency = mem_dup(idempotency);
    register_init(&f->state, f->profile);
    *state = f;
    start(f);
    return 0;
}

static int setup(void **state) {
    return begin(state, "none");
}

static int setup_keyed(void **state) {
    return begin(state, "header:Idempotency-Key");
}

static int teardown(void **state) {
    struct fixture *f = *state;
    register_clear(&f->state);
    effects_clear(&f->effects);
    profile_free(f->profile);
    free(f);
    return 0;
}

static void tell(struct fixture *f, struct journal_answer *answer) {
    struct event event = {.kind = EVENT_JOURNAL,
                          .ticket = effects_last(&f->effects, EFFECT_JOURNAL)->ticket,
                          .payload = payload_of(journal_answer, answer)};
    give(f, &event);
}

static void type(struct fixture *f, enum user_field field, const char *text) {
    register_set(&f->state, field, text, NOW);
}

static void fill(struct fixture *f) {
    type(f, USER_FIRST, "Ann");
    type(f, USER_LAST, "Sample");
    type(f, USER_POSTAL, "02138");
    type(f, USER_TAG, "key-7");
    type(f, USER_BIRTH, "1972-02-29");
    type(f, USER_EMAIL, "ann@a.example");
    type(f, USER_VERIFIED, "true");
}

static void review(struct fixture *f) {
    assert_true(register_review(&f->state, NOW, &f->effects));
    tell(f, answer_new(JOURNAL_LOOK));
    assert_int_equal(f->state.stage, REGISTER_REVIEW);
}

static void send(struct fixture *f) {
    review(f);
    assert_true(register_confirm(&f->state, &f->effects));
    assert_int_equal(f->state.stage, REGISTER_SENDING);
}

static void end_with(struct fixture *f, struct write_result *result) {
    struct event event = {.kind = EVENT_WRITE,
                          .ticket = effects_last(&f->effects, EFFECT_WRITE)->ticket,
                          .payload = payload_of(write_result, result)};
    result->n = 12;
    give(f, &event);
    assert_int_equal(f->state.stage, REGISTER_RECEIPT);
}

/* What the service said, judged as it is in the program. */
struct said {
    int status; /* 0: no answer */
    bool sent;  /* the first byte had left */
    const char *body;
};

static void answer(struct fixture *f, const struct said *said) {
    struct write_result *result = write_result_new();
    struct reply reply;
    reply_init(&reply);
    reply.status = said->status;
    reply.sent = said->sent;
    reply.failure.code = said->status ? ERR_OK : ERR_TIMEOUT;
    reply.body = mem_dup(said->body);
    reply.body_len = strlen(said->body);
    api_write_answer(f->profile, API_CREATE_USER, &reply, NOW, &result->receipt);
    result->status = said->status;
    reply_clear(&reply);
    end_with(f, result);
}

/* ---- The table of outcomes ---- */

static void each_row(struct fixture *f, const struct said *rows, size_t n, enum outcome outcome) {
    for (size_t i = 0; i < n; i++) {
        fill(f);
        send(f);
        answer(f, &rows[i]);
        if (write_outcome(f->state.write.result) != outcome)
            fail_msg("%d %s: %s", rows[i].status, rows[i].body, f->state.write.result->receipt.line);
        const struct draft *draft = register_draft(&f->state);
        assert_int_equal(user_is_empty(&draft->user), outcome == OUTCOME_DONE);
        assert_int_equal(draft->locked, outcome == OUTCOME_UNKNOWN ? 12 : 0);
        assert_string_equal(f->state.sent_tag, "key-7");
        register_back(&f->state);
        assert_int_equal(effects_count(&f->effects, EFFECT_WRITE), 1);
        effects_clear(&f->effects);
        register_clear(&f->state);
        register_init(&f->state, f->profile);
        start(f);
    }
}

static void before_the_first_byte_nothing_was_sent_and_the_form_is_kept(void **state) {
    static const struct said ROWS[] = {{0, false, ""}};
    each_row(*state, ROWS, COUNT_OF(ROWS), OUTCOME_NOT_SENT);
}

static void any_2xx_with_an_object_or_no_body_is_done_and_the_form_is_gone(void **state) {
    static const struct said ROWS[] = {
        {200, true, "{\"id\":\"usr_1\"}"}, {201, true, "{\"id\":\"usr_1\"}"}, {202, true, "{}"}, {204, true, ""}};
    each_row(*state, ROWS, COUNT_OF(ROWS), OUTCOME_DONE);
}

static void a_2xx_that_tells_of_an_error_or_is_no_answer_is_unknown(void **state) {
    static const struct said ROWS[] = {{200, true, "{\"error\":{\"message\":\"no\"}}"},
                                       {200, true, "<html>welcome</html>"},
                                       {201, true, "{\"id\":\"us"},
                                       {200, true, "ok"}};
    each_row(*state, ROWS, COUNT_OF(ROWS), OUTCOME_UNKNOWN);
}

static void a_redirect_and_every_other_4xx_is_refused_and_the_form_is_kept(void **state) {
    static const struct said ROWS[] = {{302, true, ""}, {307, true, ""}, {400, true, "{}"}, {401, true, ""},
                                       {403, true, ""}, {404, true, ""}, {422, true, "{}"}, {429, true, ""}};
    each_row(*state, ROWS, COUNT_OF(ROWS), OUTCOME_REFUSED);
}

static void a_409_408_5xx_or_no_answer_after_the_first_byte_is_unknown(void **state) {
    static const struct said ROWS[] = {{409, true, "{\"message\":\"exists\"}"}, {408, true, ""}, {500, true, ""},
                                       {502, true, "<html>bad gateway</html>"}, {503, true, ""}, {0, true, ""}};
    each_row(*state, ROWS, COUNT_OF(ROWS), OUTCOME_UNKNOWN);
}

/* ---- What becomes of the form ---- */

static void f29_a_refusal_stands_at_its_field_however_the_field_is_named(void **state) {
    struct fixture *f = *state;
    static const char *const BODIES[] = {
        "{\"error\":{\"message\":\"is not known\",\"field\":\"postal_code\"}}",
        "{\"errors\":{\"parameter\":\"address.postalCode\",\"message\":\"is not known\"}}",
        "{\"message\":\"is not known\",\"pointer\":\"#/address/postal_code\"}",
        "{\"errors\":{\"address\":{\"postal_code\":[\"is not known\"]}}}",
        "{\"address.postal_code\":[\"is not known\"]}",
        "{\"errors\":[{\"source\":{\"pointer\":\"/data/attributes/address/postal_code\"},\"detail\":\"is not "
        "known\"}]}",
        "{\"detail\":[{\"loc\":[\"body\",\"address\",\"postal_code\"],\"msg\":\"is not known\"}]}",
        "{\"errors\":[{\"path\":[\"address\",\"postal_code\"],\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"$.address.postal_code\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"Postal-Code\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"ADDRESS.POSTAL_CODE\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"address.postal_code\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"postal_code\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"pointer\":\"/address/postal_code\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"body.address.postal_code\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"zip\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"user.address.zipCode\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"address[postcode]\",\"message\":\"is not known\"}]}",
        "{\"errors\":[{\"field\":\"user[address][postal_code]\",\"message\":\"is not known\"}]}",
    };
    for (size_t i = 0; i < COUNT_OF(BODIES); i++) {
        fill(f);
        send(f);
        answer(f, &(struct said){422, true, BODIES[i]});
        register_back(&f->state);
        const struct user_finding *finding = user_finding_of(&f->state.findings, USER_POSTAL);
        if (!finding || !strstr(finding->text, "is not known"))
            fail_msg("%s: nothing at the field", BODIES[i]);
    }
}

static void a_refusal_goes_when_its_field_changes_and_not_before(void **state) {
    struct fixture *f = *state;
    fill(f);
    send(f);
    answer(f, &(struct said){422, true, "{\"errors\":[{\"field\":\"tag\",\"message\":\"is taken\"}]}"});
    register_back(&f->state);
    type(f, USER_LAST, "Other");
    const struct user_finding *finding = user_finding_of(&f->state.findings, USER_TAG);
    assert_non_null(finding);
    assert_string_equal(finding->text, "is taken");
    type(f, USER_TAG, "key-8");
    assert_null(user_finding_of(&f->state.findings, USER_TAG));
    review(f); /* what the service once said blocks nothing */
}

static void nothing_is_sent_twice_while_one_is_under_way(void **state) {
    struct fixture *f = *state;
    fill(f);
    send(f);
    for (int i = 0; i < 500; i++) {
        assert_false(register_confirm(&f->state, &f->effects));
        assert_false(register_review(&f->state, NOW, &f->effects));
        register_new(&f->state);
    }
    assert_int_equal(effects_count(&f->effects, EFFECT_WRITE), 1);
}

static void what_is_typed_while_it_is_sent_changes_nothing(void **state) {
    struct fixture *f = *state;
    fill(f);
    send(f);
    type(f, USER_LAST, "Late");
    assert_string_equal(register_draft(&f->state)->user.text[USER_LAST], "Sample");
}

static void a_late_answer_of_another_write_is_not_taken(void **state) {
    struct fixture *f = *state;
    fill(f);
    send(f);
    struct event event = {.kind = EVENT_WRITE,
                          .ticket = effects_last(&f->effects, EFFECT_WRITE)->ticket + 1,
                          .payload = payload_of(write_result, write_result_new())};
    give(f, &event);
    assert_int_equal(f->state.stage, REGISTER_SENDING);
}

/* What leaves, by the bytes that a request of it has. */
static char *request_body(const struct fixture *f, const struct write_ask *ask) {
    struct secret *token = secret_new("tok_0123456789", 14);
    struct request request;
    assert_int_equal(api_write_request(f->profile, token, ask->operation, ask->body, &request, NULL), ERR_OK);
    char *body = mem_dup_n(request.body, request.body_len);
    request_clear(&request);
    secret_free(token);
    return body;
}

/* Wherever the key goes: in the body it is shown and sent, and what is compared later is the text without it. */
static void what_the_review_shows_is_recorded_and_sent(void **state) {
    static const char *const KEYS[] = {"none", "header:Idempotency-Key", "body:request_id"};
    struct fixture *f = *state;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        bool in_body = i == 2;
        free(f->profile->api.user_idempotency);
        f->profile->api.user_idempotency = mem_dup(KEYS[i]);
        register_clear(&f->state);
        effects_clear(&f->effects);
        register_init(&f->state, f->profile);
        fill(f);
        assert_true(register_review(&f->state, NOW, &f->effects));
        char *compared = mem_dup(effect_get(effects_last(&f->effects, EFFECT_JOURNAL), journal_ask)->write->plain);
        tell(f, answer_new(JOURNAL_LOOK));
        char *shown = mem_dup(f->state.body);
        assert_true(register_confirm(&f->state, &f->effects));
        const struct write_ask *sent = effect_get(effects_last(&f->effects, EFFECT_WRITE), write_ask);
        char *leaves = request_body(f, sent);
        assert_string_equal(leaves, shown);
        assert_string_equal(f->state.body, shown); /* still on show */
        assert_string_equal(sent->plain, compared);
        assert_int_equal(str_equal(sent->plain, leaves), !in_body);
        assert_int_equal(sent->idempotency != NULL, i > 0);
        assert_int_equal(sent->idempotency && strstr(leaves, sent->idempotency), in_body);
        free(leaves);
        free(shown);
        free(compared);
    }
}

static void a_cancelled_write_asks_for_its_end_and_waits_for_it(void **state) {
    struct fixture *f = *state;
    fill(f);
    send(f);
    register_cancel(&f->state, &f->effects);
    assert_non_null(effects_last(&f->effects, EFFECT_CANCEL));
    assert_int_equal(f->state.stage, REGISTER_SENDING);
    answer(f, &(struct said){0, true, ""});
    assert_int_equal(register_draft(&f->state)->locked, 12);
}

static void the_form_is_on_the_disk_before_it_is_sent_and_goes_when_it_is_done(void **state) {
    struct fixture *f = *state;
    fill(f);
    send(f);
    const struct effect *kept = effects_last(&f->effects, EFFECT_DRAFT_KEEP);
    assert_non_null(kept);
    assert_null(strstr(effect_get(kept, draft_ask)->text, "1972"));
    answer(f, &(struct said){201, true, "{\"id\":\"usr_1\"}"});
    assert_non_null(effects_last(&f->effects, EFFECT_DRAFT_DROP));
}

static struct journal_answer *record_is(enum journal_task task, enum outcome outcome) {
    struct journal_answer *answer = answer_new(task);
    *(struct outcome_record *)vec_add(&answer->records) =
        (struct outcome_record){.n = 12, .match = "tag", .last = {.outcome = outcome, .response_id = "usr_9"}};
    return answer;
}

static void settled_as(struct fixture *f, enum outcome outcome) {
    fill(f);
    send(f);
    answer(f, &(struct said){0, true, ""});
    register_back(&f->state);
    assert_int_equal(register_draft(&f->state)->locked, 12);
    tell(f, record_is(JOURNAL_SETTLE, outcome));
}

static void an_unknown_that_is_settled_as_not_sent_frees_its_form(void **state) {
    struct fixture *f = *state;
    settled_as(f, OUTCOME_NOT_SENT);
    assert_int_equal(register_draft(&f->state)->locked, 0);
    assert_string_equal(register_draft(&f->state)->user.text[USER_FIRST], "Ann");
}

static void an_unknown_that_is_settled_as_done_ends_its_form(void **state) {
    struct fixture *f = *state;
    settled_as(f, OUTCOME_DONE);
    assert_true(user_is_empty(&register_draft(&f->state)->user));
}

/* The question of register_follow, and the record that it leads to. */
static void follow(struct fixture *f, enum outcome outcome) {
    register_follow(&f->state, &f->effects);
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_JOURNAL), journal_ask)->only, OUTCOME_UNKNOWN);
    tell(f, answer_new(JOURNAL_LIST));
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_JOURNAL), journal_ask)->task, JOURNAL_SHOW);
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_JOURNAL), journal_ask)->n, 12);
    tell(f, record_is(JOURNAL_SHOW, outcome));
}

static void a_form_follows_the_word_of_another_console(void **state) {
    struct fixture *f = *state;
    settled_as(f, OUTCOME_UNKNOWN);
    review(f);
    follow(f, OUTCOME_REFUSED);
    assert_int_equal(register_draft(&f->state)->locked, 0);
    assert_int_equal(f->state.stage, REGISTER_FORM); /* that review spoke of an unknown */
    assert_int_equal(f->state.settled_notice.n, 12);
    register_follow(&f->state, &f->effects);
    size_t asked = effects_count(&f->effects, EFFECT_JOURNAL);
    tell(f, answer_new(JOURNAL_LIST));
    assert_int_equal(effects_count(&f->effects, EFFECT_JOURNAL), asked); /* nothing is locked: nothing is to be asked */
}

static void a_form_that_ends_elsewhere_leaves_the_open_one_open(void **state) {
    struct fixture *f = *state;
    settled_as(f, OUTCOME_UNKNOWN);
    register_new(&f->state);
    type(f, USER_FIRST, "Ben");
    follow(f, OUTCOME_DONE);
    assert_int_equal(f->state.drafts.n, 1);
    assert_string_equal(register_draft(&f->state)->user.text[USER_FIRST], "Ben");
}

/* At the command line, while this console stood open on the form: the look of the review is told. */
static void look_tells(struct fixture *f, enum outcome standing) {
    settled_as(f, OUTCOME_UNKNOWN);
    assert_true(register_review(&f->state, NOW, &f->effects));
    struct journal_answer *look = answer_new(JOURNAL_LOOK);
    look->standing = standing;
    tell(f, look);
    assert_int_equal(f->state.settled_notice.n, 12);
    assert_int_equal(f->state.settled_notice.outcome, standing);
    assert_int_equal(register_draft(&f->state)->locked, 0);
}

static void a_review_repeats_no_record_that_was_settled_elsewhere(void **state) {
    struct fixture *f = *state;
    look_tells(f, OUTCOME_NOT_SENT);
    assert_int_equal(f->state.stage, REGISTER_REVIEW);
    assert_int_equal(f->state.repeats, 0);
    assert_false(f->state.settled_notice.gone);
    assert_true(register_confirm(&f->state, &f->effects));
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_WRITE), write_ask)->repeats, 0);
}

static void a_form_whose_user_exists_is_not_reviewed(void **state) {
    struct fixture *f = *state;
    look_tells(f, OUTCOME_DONE);
    assert_int_equal(f->state.stage, REGISTER_FORM);
    assert_true(f->state.settled_notice.gone);
    assert_true(user_is_empty(&register_draft(&f->state)->user));
    assert_false(register_confirm(&f->state, &f->effects));
}

/* Its receipt says that nothing typed is lost, and it is not. */
static void a_form_on_its_receipt_stays_when_its_record_is_settled(void **state) {
    struct fixture *f = *state;
    settled_as(f, OUTCOME_UNKNOWN);
    send(f);
    answer(f, &(struct said){422, true, "{}"});
    tell(f, answer_new(JOURNAL_LIST));
    tell(f, record_is(JOURNAL_SHOW, OUTCOME_DONE));
    assert_int_equal(f->state.settled_notice.n, 12);
    assert_false(f->state.settled_notice.gone);
    register_back(&f->state);
    assert_string_equal(register_draft(&f->state)->user.text[USER_FIRST], "Ann");
}

static void an_unreadable_journal_frees_no_form(void **state) {
    struct fixture *f = *state;
    settled_as(f, OUTCOME_UNKNOWN);
    register_follow(&f->state, &f->effects);
    size_t asked = effects_count(&f->effects, EFFECT_JOURNAL);
    struct journal_answer *answer = answer_new(JOURNAL_LIST);
    answer->error.code = ERR_STORE;
    tell(f, answer);
    assert_int_equal(effects_count(&f->effects, EFFECT_JOURNAL), asked);
    assert_int_equal(register_draft(&f->state)->locked, 12);
}

/* The journal answers late on a busy disk: its first answer may be that of the look. */
static void a_record_bears_the_name_of_its_form_however_late_names_come(void **state) {
    struct fixture *f = *state;
    register_clear(&f->state);
    register_init(&f->state, f->profile);
    fill(f);
    send(f);
    const struct effect *kept = effects_last(&f->effects, EFFECT_DRAFT_KEEP),
                        *sent = effects_last(&f->effects, EFFECT_WRITE);
    assert_non_null(effect_get(sent, write_ask)->draft);
    assert_string_equal(effect_get(sent, write_ask)->draft, effect_get(kept, draft_ask)->name);
    assert_true(kept < sent); /* and is kept before it */
}

static void an_unknown_form_is_not_discarded(void **state) {
    struct fixture *f = *state;
    settled_as(f, OUTCOME_UNKNOWN);
    register_discard(&f->state, &f->effects);
    assert_string_equal(register_draft(&f->state)->user.text[USER_FIRST], "Ann");
}

static void a_repeat_on_purpose_names_what_it_repeats(void **state) {
    struct fixture *f = *state;
    settled_as(f, OUTCOME_UNKNOWN);
    send(f);
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_WRITE), write_ask)->repeats, 12);
}

/* ---- Killed while the answer was waited for ---- */

/* The draft as it lay on the disk when its write was under way; the caller frees. */
static char *kept_in_flight(struct fixture *f, char **name) {
    fill(f);
    send(f);
    const struct effect *kept = effects_last(&f->effects, EFFECT_DRAFT_KEEP);
    char *text = mem_dup(effect_get(kept, draft_ask)->text);
    *name = mem_dup(effect_get(kept, draft_ask)->name);
    assert_null(strstr(text, "locked"));
    effects_clear(&f->effects);
    register_clear(&f->state);
    register_init(&f->state, f->profile);
    return text;
}

static void drafts_are(struct fixture *f, const char *name, const char *text) {
    struct event one = {.kind = EVENT_DRAFT, .payload = payload_of(draft_read, &(struct draft_read){name, text})};
    struct event end = {.kind = EVENT_DRAFT, .payload = payload_of(draft_read, &(struct draft_read){0})};
    give(f, &one);
    give(f, &end);
}

static struct journal_answer *left_by(const char *name) {
    struct journal_answer *answer = answer_new(JOURNAL_LIST);
    const char *names[] = {NULL, "another", name, name}; /* newest first: the last is what the third repeated */
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        *(struct outcome_record *)vec_add(&answer->records) =
            (struct outcome_record){.n = 14 - (int64_t)i,
                                    .draft = outcome_dup(&answer->records, names[i]),
                                    .last = {.outcome = OUTCOME_UNKNOWN}};
    }
    return answer;
}

static void is_locked_by_12(struct fixture *f) {
    const struct effect *kept = effects_last(&f->effects, EFFECT_DRAFT_KEEP);
    assert_int_equal(register_draft(&f->state)->locked, 12);
    assert_string_equal(register_draft(&f->state)->user.text[USER_FIRST], "Ann");
    assert_non_null(kept);
    assert_non_null(strstr(effect_get(kept, draft_ask)->text, "\"locked\": 12"));
    register_discard(&f->state, &f->effects);
    assert_string_equal(register_draft(&f->state)->user.text[USER_FIRST], "Ann");
}

static void a_write_cut_off_by_the_end_locks_its_form_whichever_is_read_first(void **state) {
    struct fixture *f = *state;
    for (int journal_first = 0; journal_first < 2; journal_first++) {
        char *name, *text = kept_in_flight(f, &name);
        if (journal_first)
            start(f);
        drafts_are(f, name, text);
        const struct effect *asked = effects_last(&f->effects, EFFECT_JOURNAL);
        assert_int_equal(effect_get(asked, journal_ask)->task, JOURNAL_LIST);
        assert_int_equal(effect_get(asked, journal_ask)->only, OUTCOME_UNKNOWN);
        if (!journal_first)
            start(f);
        tell(f, left_by(name));
        is_locked_by_12(f);
        type(f, USER_BIRTH, "1972-02-29");
        type(f, USER_VERIFIED, "true");
        send(f);
        assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_WRITE), write_ask)->repeats, 12);
        effects_clear(&f->effects);
        register_clear(&f->state);
        register_init(&f->state, f->profile);
        start(f);
        free(name);
        free(text);
    }
}

static void a_review_that_knew_nothing_of_the_record_confirms_no_repeat(void **state) {
    struct fixture *f = *state;
    char *name, *text = kept_in_flight(f, &name);
    start(f);
    drafts_are(f, name, text);
    uint64_t left = effects_last(&f->effects, EFFECT_JOURNAL)->ticket;
    type(f, USER_BIRTH, "1972-02-29");
    type(f, USER_VERIFIED, "true");
    review(f);
    struct event event = {.kind = EVENT_JOURNAL, .ticket = left, .payload = payload_of(journal_answer, left_by(name))};
    give(f, &event);
    assert_int_equal(f->state.stage, REGISTER_FORM);
    assert_false(register_confirm(&f->state, &f->effects));
    assert_int_equal(effects_count(&f->effects, EFFECT_WRITE), 0);
    is_locked_by_12(f);
    free(name);
    free(text);
}

/* K32: the form of one profile shows in no other, on the same machine and at the same service. */
static void a_form_of_another_profile_is_left_alone(void **state) {
    struct fixture *f = *state;
    fill(f);
    register_keep(&f->state, &f->effects);
    char *kept = mem_dup(effect_get(effects_last(&f->effects, EFFECT_DRAFT_KEEP), draft_ask)->text);
    struct profile *others[] = {profile_new("live", "production", "http://127.0.0.1:1"),
                                profile_new("test", "sandbox", "http://127.0.0.1:2"),
                                profile_new("test", "sandbox", "http://127.0.0.1:1")};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        struct register_state other;
        struct effects effects = {0};
        struct event event = {.kind = EVENT_DRAFT,
                              .payload = payload_of(draft_read, &(struct draft_read){"d-1", kept})};
        register_init(&other, others[i]);
        assert_true(register_update(&other, &event, &effects));
        assert_int_equal(user_is_empty(&register_draft(&other)->user), i < 2);
        assert_int_equal(effects.n, 0);
        register_clear(&other);
        effects_clear(&effects);
        profile_free(others[i]);
    }
    free(kept);
}

/* ---- Keys ---- */

static const char *key_sent(const struct fixture *f) {
    return effect_get(effects_last(&f->effects, EFFECT_WRITE), write_ask)->idempotency;
}

static void a_key_is_made_once_for_the_same_content(void **state) {
    struct fixture *f = *state;
    char *first;
    fill(f);
    send(f);
    assert_non_null(key_sent(f));
    first = mem_dup(key_sent(f));
    answer(f, &(struct said){503, false, ""});
    register_back(&f->state);
    assert_true(register_review(&f->state, NOW, &f->effects));
    struct journal_answer *other = answer_new(JOURNAL_LOOK);
    other->nonce[0] = 'f';
    other->idempotency = mem_dup(first); /* the record's */
    other->compared = 12;
    other->body_same = true;
    tell(f, other);
    assert_true(register_confirm(&f->state, &f->effects));
    assert_string_equal(key_sent(f), first);
    free(first);
}

/* In a console that never saw the first attempt, of a user whom nothing but the body knows again. */
static void f3_the_form_repeats_with_the_key_of_its_record(void **state) {
    struct fixture *f = *state;
    char *name, *text = kept_in_flight(f, &name);
    start(f);
    drafts_are(f, name, text);
    tell(f, left_by(name));
    type(f, USER_BIRTH, "1972-02-29");
    type(f, USER_VERIFIED, "true");
    assert_true(register_review(&f->state, NOW, &f->effects));
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_JOURNAL), journal_ask)->n, 12);
    struct journal_answer *look = answer_new(JOURNAL_LOOK); /* it names no record that is alike */
    look->idempotency = mem_dup("recorded-key");
    look->compared = 12;
    look->body_same = true;
    tell(f, look);
    assert_true(register_confirm(&f->state, &f->effects));
    assert_string_equal(key_sent(f), "recorded-key");
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_WRITE), write_ask)->repeats, 12);
    free(name);
    free(text);
}

/* The look at a form that record 12 locks, which repeated 11: both unknown, of the very same. */
static void to_review_of_a_chain(struct fixture *f, const char *key_of_11) {
    settled_as(f, OUTCOME_UNKNOWN);
    assert_true(register_review(&f->state, NOW, &f->effects));
    struct journal_answer *look = answer_new(JOURNAL_LOOK);
    look->compared = 12;
    look->body_same = true;
    look->idempotency = mem_dup("key-of-12");
    const char *keys[] = {"key-of-12", key_of_11};
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        *(struct outcome_record *)vec_add(&look->records) =
            (struct outcome_record){.n = 12 - (int64_t)i,
                                    .idempotency = outcome_dup(&look->records, keys[i]),
                                    .last = {.outcome = OUTCOME_UNKNOWN}};
    }
    tell(f, look);
    assert_int_equal(f->state.stage, REGISTER_REVIEW);
}

static void f98_a_repeat_that_ended_unknown_is_repeated_with_its_key(void **state) {
    struct fixture *f = *state;
    to_review_of_a_chain(f, "key-of-12");
    assert_true(register_confirm(&f->state, &f->effects));
    assert_string_equal(key_sent(f), "key-of-12");
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_WRITE), write_ask)->repeats, 12);
}

static void a_chain_of_other_keys_is_settled_first(void **state) {
    struct fixture *f = *state;
    struct str why;
    to_review_of_a_chain(f, "another");
    str_init(&why, ERROR_TEXT_MAX);
    assert_true(register_is_refused(&f->state, &why));
    assert_non_null(strstr(why.s, "(record 11): settle that record first"));
    str_clear(&why);
    assert_false(register_confirm(&f->state, &f->effects));
}

static void edited_content_gets_another_key(void **state) {
    struct fixture *f = *state;
    fill(f);
    send(f);
    char *first = mem_dup(key_sent(f));
    answer(f, &(struct said){422, true, "{}"});
    register_back(&f->state);
    type(f, USER_LAST, "Other");
    assert_true(register_review(&f->state, NOW, &f->effects));
    struct journal_answer *other = answer_new(JOURNAL_LOOK);
    other->nonce[0] = 'f';
    tell(f, other);
    assert_true(register_confirm(&f->state, &f->effects));
    assert_string_not_equal(key_sent(f), first);
    free(first);
}

/* ---- A tag that was used before ---- */

static void a_tag_used_before_is_said_at_the_field(void **state) {
    struct fixture *f = *state;
    fill(f);
    register_ask_tag(&f->state, &f->effects);
    tell(f, record_is(JOURNAL_LOOK, OUTCOME_DONE));
    const struct user_finding *finding = user_finding_of(&f->state.findings, USER_TAG);
    assert_non_null(finding);
    assert_string_equal(finding->text, "was used before: record 12, done, usr_9");
    type(f, USER_TAG, "key-8");
    assert_null(user_finding_of(&f->state.findings, USER_TAG));
    type(f, USER_TAG, "key-7");
    assert_non_null(user_finding_of(&f->state.findings, USER_TAG));
}

static void a_tag_is_asked_about_once(void **state) {
    struct fixture *f = *state;
    register_ask_tag(&f->state, &f->effects); /* none there */
    assert_int_equal(effects_count(&f->effects, EFFECT_JOURNAL), 0);
    fill(f);
    register_ask_tag(&f->state, &f->effects);
    register_ask_tag(&f->state, &f->effects);
    assert_int_equal(effects_count(&f->effects, EFFECT_JOURNAL), 1);
    assert_int_equal(effect_get(effects_last(&f->effects, EFFECT_JOURNAL), journal_ask)->write->matches.n, 1);
    tell(f, answer_new(JOURNAL_LOOK));
    assert_null(user_finding_of(&f->state.findings, USER_TAG));
    assert_int_equal(f->state.stage, REGISTER_FORM);
}

int main(void) {
#define FLOW(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define KEYED(name) cmocka_unit_test_setup_teardown(name, setup_keyed, teardown)
    const struct CMUnitTest tests[] = {
        FLOW(before_the_first_byte_nothing_was_sent_and_the_form_is_kept),
        FLOW(any_2xx_with_an_object_or_no_body_is_done_and_the_form_is_gone),
        FLOW(a_2xx_that_tells_of_an_error_or_is_no_answer_is_unknown),
        FLOW(a_redirect_and_every_other_4xx_is_refused_and_the_form_is_kept),
        FLOW(a_409_408_5xx_or_no_answer_after_the_first_byte_is_unknown),
        FLOW(f29_a_refusal_stands_at_its_field_however_the_field_is_named),
        FLOW(a_refusal_goes_when_its_field_changes_and_not_before),
        FLOW(nothing_is_sent_twice_while_one_is_under_way),
        FLOW(what_is_typed_while_it_is_sent_changes_nothing),
        FLOW(a_late_answer_of_another_write_is_not_taken),
        FLOW(what_the_review_shows_is_recorded_and_sent),
        FLOW(a_cancelled_write_asks_for_its_end_and_waits_for_it),
        FLOW(the_form_is_on_the_disk_before_it_is_sent_and_goes_when_it_is_done),
        FLOW(an_unknown_that_is_settled_as_not_sent_frees_its_form),
        FLOW(an_unknown_that_is_settled_as_done_ends_its_form),
        FLOW(a_form_follows_the_word_of_another_console),
        FLOW(a_form_that_ends_elsewhere_leaves_the_open_one_open),
        FLOW(a_review_repeats_no_record_that_was_settled_elsewhere),
        FLOW(a_form_whose_user_exists_is_not_reviewed),
        FLOW(a_form_on_its_receipt_stays_when_its_record_is_settled),
        FLOW(an_unreadable_journal_frees_no_form),
        FLOW(a_record_bears_the_name_of_its_form_however_late_names_come),
        FLOW(an_unknown_form_is_not_discarded),
        FLOW(a_repeat_on_purpose_names_what_it_repeats),
        FLOW(a_write_cut_off_by_the_end_locks_its_form_whichever_is_read_first),
        FLOW(a_review_that_knew_nothing_of_the_record_confirms_no_repeat),
        FLOW(a_form_of_another_profile_is_left_alone),
        KEYED(a_key_is_made_once_for_the_same_content),
        KEYED(f3_the_form_repeats_with_the_key_of_its_record),
        KEYED(f98_a_repeat_that_ended_unknown_is_repeated_with_its_key),
        KEYED(a_chain_of_other_keys_is_settled_first),
        KEYED(edited_content_gets_another_key),
        FLOW(a_tag_used_before_is_said_at_the_field),
        FLOW(a_tag_is_asked_about_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
