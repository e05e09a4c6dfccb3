#include "panes/intents/intents.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* What else the user of the record on show did: the payment that the record is an attempt at, and the last intents. It
 * is asked for once the record is shown, of all rows whatever the filter, and its lines come with the answer. */

enum { LINE_BYTES = 1 << 12 };

static struct user_known *user_known_of(const struct shell *shell) {
    return &intents_of(shell)->known;
}

void detail_user_clear(struct user_known *known) {
    lookup_result_free(known->answer);
    free(known->user);
    *known = (struct user_known){0};
}

static struct query *query_of_user(struct shell *shell, const char *user) {
    struct query *query = NULL;
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    query_add_equal(&text, QUERY_USER_FIELD, user);
    enum err err = intents_parse(shell, text.s, &query, NULL, NULL);
    str_clear(&text);
    return err == ERR_OK ? query : NULL;
}

/* What is known of the same user stays on show until the answer comes. */
void detail_user_follow(struct shell *shell, struct effects *effects) {
    struct user_known *known = user_known_of(shell);
    int64_t key;
    const struct intent *intent = findings_shown(shell, &key);
    const char *user = intent && intent->user_id.state == VALUE_OK ? intent->user_id.text : NULL;
    bool same = user && str_equal(known->user, user);
    if (!user || intents_source(shell) == VIEW_NOT_KNOWN || (same && (!known->outdated || known->ticket)))
        return;
    struct query *query = query_of_user(shell, user);
    if (!query)
        return;
    if (known->ticket)
        effects_cancel(effects, known->ticket);
    if (!same) {
        detail_user_clear(known);
        known->user = mem_dup(user);
    }
    known->outdated = false;
    struct customer *customer = customer_new(profile_attempt_window(shell_profile(shell)));
    known->ticket = view_gather(intents_view(shell), query, &customer->gather, shell_now(shell), effects);
}

bool detail_user_event(struct shell *shell, struct event *event) {
    struct user_known *known = user_known_of(shell);
    known->outdated = known->outdated || event->kind == EVENT_INDEX;
    if (event->kind != EVENT_LOOKUP || !known->ticket || event->ticket != known->ticket)
        return false;
    lookup_result_free(known->answer);
    known->answer = event_take(event, lookup_result);
    known->ticket = 0;
    intents_follow(shell);
    return true;
}

/* ---- Its lines ---- */

static void detail_user_add_payment(struct shell *shell, const struct attempts *attempts, const struct intent *intent) {
    struct detail *detail = &intents_of(shell)->detail;
    const struct attempt of = {.created = intent->created_at.ms,
                               .amount = intent->amount.number,
                               .currency = intent->currency.text,
                               .direction = intent->direction.text,
                               .status = intent->status.text};
    size_t place;
    struct str text;
    const struct payment *payment = attempts_find(attempts, &of, &place);
    if (!payment)
        return;
    str_init(&text, LINE_BYTES);
    attempts_say(attempts, payment, &text);
    if (payment->n > 1)
        str_addf(&text, "; this is attempt %zu", place + 1);
    detail_add(detail, "payment", text.s, ROLE_TEXT);
    str_clear(&text);
}

/* What has no room at the end is the time: part of an amount would read as an amount. */
static void detail_user_add_intent(struct shell *shell, const struct customer_intent *other, bool first) {
    const struct customer_telling telling = {
        .money = profile_money(shell_profile(shell)), .zone = shell_zone(shell), .now = shell_now(shell)};
    struct str text;
    str_init(&text, LINE_BYTES);
    if (other->has_amount)
        money_format(&text, other->amount, other->currency, &telling.money);
    str_addf(&text, " %s  %-8s  ", other->currency ? other->currency : "",
             other->status ? other->status : sign(SIGN_ABSENT));
    customer_add_time(&telling, other->created, &text);
    detail_add(&intents_of(shell)->detail, first ? "last intents" : "", text.s, intents_status_role(other->status));
    str_clear(&text);
}

void detail_user(struct shell *shell, const struct intent *intent) {
    const struct user_known *known = user_known_of(shell);
    const struct customer *customer = customer_of(known->answer);
    struct detail *detail = &intents_of(shell)->detail;
    struct coverage reach;
    struct str title;
    if (!customer || customer->rows == 0 || !str_equal(known->user, intent->user_id.text))
        return;
    view_coverage(intents_view(shell), known->answer, NULL, shell_now(shell), &reach);
    str_init(&title, LINE_BYTES);
    str_add(&title, "customer: ");
    money_group_count(&title, customer->rows);
    str_addf(&title, " intent%s", plural_s(customer->rows));
    detail_add(detail, NULL, "", ROLE_TEXT);
    detail_add(detail, NULL, title.s, ROLE_HEADER);
    str_reset(&title);
    coverage_text(&reach, COVERAGE_BRIEF, shell_now(shell), &title);
    detail_add(detail, NULL, title.s, ROLE_DIM);
    str_clear(&title);
    detail_user_add_payment(shell, customer->attempts, intent);
    for (size_t i = 0; i < customer->n_newest; i++)
        detail_user_add_intent(shell, &customer->newest[i], i == 0);
}
