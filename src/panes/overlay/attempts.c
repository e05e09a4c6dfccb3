#include "app/attempts.h"
#include "panes/intents/list.h"
#include "panes/shell/reader.h"

#include <stdlib.h>
#include <string.h>

/* Payments and their attempts over the list on show: how many were approved at the first attempt, and in the end. */

enum { LINE_MAX = 1 << 16, AGAIN_MOST = 50 };

struct attempts_page {
    uint64_t ticket;              /* of the open question; 0: none */
    struct lookup_result *answer; /* with the attempts; NULL: none yet */
    bool again;                   /* the index changed while a question was open */
};

static struct attempts_page *attempts_page_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_ATTEMPTS);
}

static void attempts_page_clear(struct shell *shell) {
    struct attempts_page *page = attempts_page_of(shell);
    lookup_result_free(page->answer);
    *page = (struct attempts_page){0};
}

static void attempts_page_ask(struct shell *shell, struct effects *effects) {
    struct attempts_page *page = attempts_page_of(shell);
    struct attempts *attempts = attempts_new(profile_attempt_window(shell_profile(shell)));
    page->again = false;
    page->ticket = intents_ask_gather(shell, &attempts->gather, effects);
}

/* ---- Its lines ---- */

static void attempts_page_rates(struct detail *body, const struct payment_counts *all) {
    struct str text;
    str_init(&text, LINE_MAX);
    money_group_count(&text, all->payments);
    str_add(&text, " out of ");
    money_group_count(&text, all->tries);
    str_addf(&text, " intent%s; still %s, in no rate: ", plural_s(all->tries), attempts_open_word(all));
    money_group_count(&text, all->payments - all->closed);
    detail_add(body, "payments", text.s, ROLE_TEXT);
    str_reset(&text);
    attempts_say_rate(all->first, all->closed, &text);
    detail_add(body, "approved at first", text.s, ROLE_OK);
    str_reset(&text);
    attempts_say_rate(all->approved, all->closed, &text);
    detail_add(body, "approved in the end", text.s, ROLE_OK);
    str_clear(&text);
}

static void attempts_page_currency(struct detail *body, const struct payment_counts *counts, bool directed,
                                   const struct money_rule *rule) {
    struct str label, text;
    str_init(&label, LINE_MAX);
    str_add(&label, counts->currency);
    if (directed)
        attempts_say_direction(counts->direction, &label);
    str_init(&text, LINE_MAX);
    attempts_say_rate(counts->first, counts->closed, &text);
    str_add(&text, " at first; ");
    attempts_say_rate(counts->approved, counts->closed, &text);
    str_add(&text, " in the end; approved ");
    lookup_sum_text(&counts->paid, rule, &text);
    str_add(&text, ", lost ");
    lookup_sum_text(&counts->lost, rule, &text);
    detail_add(body, arena_dup_n(&body->arena, label.s, label.len), text.s, ROLE_TEXT);
    str_clear(&label);
    str_clear(&text);
}

static void attempts_page_by_tries(struct detail *body, const struct attempts *attempts) {
    size_t n;
    struct payment_tries *by = attempts_by_tries(attempts, &n);
    for (size_t i = 0; i < n; i++) {
        struct str label, text;
        str_init(&label, 64);
        str_init(&text, LINE_MAX);
        money_group_count(&label, by[i].tries);
        str_addf(&label, " attempt%s", plural_s(by[i].tries));
        money_group_count(&text, by[i].payments);
        str_addf(&text, " payment%s, approved in the end ", plural_s(by[i].payments));
        money_group_count(&text, by[i].approved);
        detail_add(body, arena_dup_n(&body->arena, label.s, label.len), text.s, ROLE_TEXT);
        str_clear(&label);
        str_clear(&text);
    }
    free(by);
}

static void attempts_page_again(struct shell *shell, struct detail *body, const struct attempts *attempts,
                                const struct money_rule *rule) {
    size_t told = 0;
    for (size_t i = 0; i < attempts->payments.n && told < AGAIN_MOST; i++) {
        const struct payment *payment = &attempts->payments.items[i];
        const struct attempt *last = attempts_last(attempts, payment);
        struct str text;
        if (payment->n == 1)
            continue;
        str_init(&text, LINE_MAX);
        str_add(&text, last->bare ? "?" : ""); /* it names no zone */
        clock_format(&text, last->created, last->bare ? CLOCK_UTC : shell_zone(shell), shell_now(shell));
        str_addf(&text, "  %s ", last->currency);
        money_format(&text, last->amount, last->currency, rule);
        str_add(&text, ": ");
        attempts_say(attempts, payment, &text);
        str_addf(&text, "  (user %s)", last->user);
        detail_add(body, told++ == 0 ? "tried again, newest" : "", text.s, ROLE_TEXT);
        str_clear(&text);
    }
}

static void attempts_page_apart(struct detail *body, const struct attempts *attempts) {
    struct str text;
    str_init(&text, LINE_MAX);
    attempts_say_apart(attempts, &text);
    if (text.len > 0)
        detail_add(body, "apart", text.s, ROLE_TEXT);
    str_reset(&text);
    attempts_say_parted(attempts, &text);
    if (text.len > 0)
        detail_add(body, "filter", text.s, ROLE_WARN);
    str_clear(&text);
}

static void attempts_page_lines(struct shell *shell, struct detail *body, const struct attempts *attempts) {
    const struct money_rule rule = profile_money(shell_profile(shell));
    struct payment_counts all;
    size_t n;
    struct payment_counts *by_currency = attempts_count(attempts, &all, &n);
    attempts_page_rates(body, &all);
    attempts_page_apart(body, attempts);
    detail_add(body, NULL, "", ROLE_TEXT);
    bool directed = n > 0 && attempts_has_directions(&by_currency->direction, sizeof *by_currency, n);
    for (size_t i = 0; i < n; i++)
        attempts_page_currency(body, &by_currency[i], directed, &rule);
    free(by_currency);
    detail_add(body, NULL, "", ROLE_TEXT);
    attempts_page_by_tries(body, attempts);
    attempts_page_again(shell, body, attempts, &rule);
}

static void attempts_page_rules(struct detail *body, const struct attempts *attempts) {
    struct str text;
    str_init(&text, LINE_MAX);
    str_add(&text,
            "Intents of one user, direction, amount and currency are one payment up to the one that is approved; ");
    attempts_say_window(attempts, &text);
    str_add(&text, " (attempt_window_minutes).");
    detail_add(body, NULL, "", ROLE_TEXT);
    detail_add(body, NULL, text.s, ROLE_DIM);
    str_clear(&text);
}

static void attempts_page_fill(struct shell *shell) {
    struct detail *body = reader_body(shell, OVERLAY_ATTEMPTS);
    const struct lookup_result *answer = attempts_page_of(shell)->answer;
    struct str reach;
    if (!body)
        return;
    const struct attempts *attempts = attempts_of(answer);
    detail_empty(body);
    str_init(&reach, LINE_MAX);
    enum role role = attempts ? intents_reach_text(shell, answer, &reach) : ROLE_ERROR;
    detail_add(body, "intents", attempts ? reach.s : answer->error.text, role);
    str_clear(&reach);
    if (attempts) {
        attempts_page_lines(shell, body, attempts);
        attempts_page_rules(body, attempts);
    }
    reader_fill(shell);
}

/* ---- The overlay ---- */

static bool attempts_page_open(struct shell *shell, const void *argument, struct effects *effects) {
    (void)argument;
    if (intents_source(shell) == VIEW_NOT_KNOWN) {
        shell_message(shell, ROLE_INFO, "the cache is still being opened");
        return false;
    }
    attempts_page_clear(shell);
    detail_add(reader_open(shell, "Payments and their attempts", OVERLAY_ATTEMPTS, OVERLAY_NONE), NULL, "looking",
               ROLE_INFO);
    reader_fill(shell);
    attempts_page_ask(shell, effects);
    return false;
}

static bool attempts_page_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct attempts_page *page = attempts_page_of(shell);
    bool on_show = reader_body(shell, OVERLAY_ATTEMPTS) && shell_shows(shell, OVERLAY_READER);
    bool mine = given->kind == EVENT_LOOKUP && page->ticket && given->ticket == page->ticket;
    bool moved = given->kind == EVENT_INDEX && on_show;
    if (mine) {
        page->ticket = 0;
        lookup_result_free(page->answer);
        page->answer = event_take(given, lookup_result);
        attempts_page_fill(shell);
    }
    page->again = page->again || (moved && page->ticket);
    if (on_show && !page->ticket && (moved || page->again))
        attempts_page_ask(shell, effects);
    return mine;
}

static void attempts_page_zoned(struct shell *shell) {
    if (attempts_page_of(shell)->answer)
        attempts_page_fill(shell);
}

const struct pane attempts_overlay = {.size = sizeof(struct attempts_page),
                                      .clear = attempts_page_clear,
                                      .open = attempts_page_open,
                                      .zoned = attempts_page_zoned,
                                      .event = attempts_page_event};
