#include "base/mem.h"
#include "panes/intents/list.h"
#include "panes/shell/menu.h"
#include "panes/shell/reader.h"

#include <stdlib.h>
#include <string.h>

/* What the team's store has under the filter on show, also beyond what this machine keeps: how many, their sums, how
 * many of each status, and the newest rows. */

enum { LINE_MAX = 1 << 14, ROWS_SHOWN = 200, VALUES_SHOWN = 20 };

struct team_page {
    uint64_t ticket; /* of the open question; 0: none */
    struct lookup_result *answer;
    char *filter; /* that was asked for */
};

static struct team_page *team_page_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_TEAM);
}

static void team_page_clear(struct shell *shell) {
    struct team_page *page = team_page_of(shell);
    lookup_result_free(page->answer);
    free(page->filter);
    *page = (struct team_page){0};
}

static void team_page_ask(struct shell *shell, struct effects *effects) {
    struct lookup *lookup = lookup_new();
    lookup->query = query_dup(intents_query(shell));
    lookup->context = intents_context(shell);
    lookup->totals = true;
    lookup->facet = QUERY_STATUS_FIELD;
    lookup->facet_limit = VALUES_SHOWN;
    lookup->limit = ROWS_SHOWN;
    lookup->keep = true;
    team_page_of(shell)->filter = mem_dup(intents_filter(shell));
    team_page_of(shell)->ticket = effects_team_lookup(effects, lookup);
}

/* ---- Its lines ---- */

static void team_page_reach(struct shell *shell, struct detail *body, const struct lookup_result *answer) {
    struct str text;
    str_init(&text, LINE_MAX);
    money_group_count(&text, answer->n);
    str_addf(&text, " intent%s; ", answer->n == 1 ? " matches" : "s match");
    coverage_text(&answer->coverage, COVERAGE_FULL, shell_now(shell), &text);
    detail_add(body, "team's store", text.s, coverage_is_whole(&answer->coverage) ? ROLE_TEXT : ROLE_WARN);
    str_clear(&text);
    detail_add(body, "filter", *team_page_of(shell)->filter ? team_page_of(shell)->filter : "none", ROLE_TEXT);
}

static void team_page_sums(struct shell *shell, struct detail *body, const struct lookup_result *answer) {
    for (size_t i = 0; i < answer->n_totals; i++) {
        const struct lookup_total *total = &answer->totals[i];
        struct str text;
        str_init(&text, LINE_MAX);
        str_addf(&text, "%s ", total->currency ? total->currency : "no currency");
        intents_sum_text(shell, total, &text);
        str_add(&text, " over ");
        money_group_count(&text, total->rows);
        str_addf(&text, " intent%s", plural_s(total->rows));
        detail_add(body, i == 0 ? "sums" : "", text.s, ROLE_TEXT);
        str_clear(&text);
    }
}

static void team_page_values(struct detail *body, const struct lookup_result *answer) {
    for (size_t i = 0; i < answer->n_values; i++) {
        const struct query_place *place = &answer->values[i];
        struct str text;
        str_init(&text, LINE_MAX);
        money_group_count(&text, place->rows);
        str_addf(&text, "  %s", place->value ? place->value : "none");
        detail_add(body, i == 0 ? "by status" : "", text.s, intents_status_role(place->value));
        str_clear(&text);
    }
}

static void team_page_amount(const struct shell *shell, const struct intent *intent, struct str *out) {
    const struct money_rule rule = profile_money(shell_profile(shell));
    if (intent->amount.state != VALUE_OK || !intent->currency.text)
        return;
    str_addf(out, "%s ", intent->currency.text);
    money_format(out, intent->amount.number, intent->currency.text, &rule);
}

/* When, how much, and these fields. */
static void team_page_row_texts(const struct shell *shell, const struct intent *intent, struct str *at,
                                struct str *text) {
    static const enum intent_field FIELDS[] = {INTENT_FIELD_STATUS, INTENT_FIELD_BANK_NAME, INTENT_FIELD_USER_ID,
                                               INTENT_FIELD_ID};
    clock_format_served(at, intent->created_at.text, intent->created_at.ms, shell_zone(shell), shell_now(shell));
    team_page_amount(shell, intent, text);
    for (size_t i = 0; i < COUNT_OF(FIELDS); i++) {
        const char *value;
        (void)intent_field_text(intent, FIELDS[i], &value);
        str_addf(text, "  %s", value ? value : "-");
    }
}

static void team_page_row(struct shell *shell, struct detail *body, const struct intent *intent) {
    struct str at, text;
    str_init(&at, 64);
    str_init(&text, LINE_MAX);
    team_page_row_texts(shell, intent, &at, &text);
    detail_add(body, arena_dup_n(&body->arena, at.s, at.len), text.s, intents_status_role(intent->status.text));
    str_clear(&at);
    str_clear(&text);
}

static void team_page_rows(struct shell *shell, struct detail *body, const struct lookup_result *answer) {
    struct str text;
    str_init(&text, LINE_MAX);
    if (answer->rows.n > 0) {
        detail_add(body, NULL, "", ROLE_TEXT);
        str_add(&text, answer->more ? "the newest " : "all ");
        money_group_count(&text, answer->rows.n);
        str_add(&text, " (Enter goes to one)");
        str_add(&text, answer->more ? "; bursar intents list --team 'FILTER' --all has every one" : ", newest first");
        detail_add(body, "rows", text.s, ROLE_DIM);
    }
    for (size_t i = 0; i < answer->rows.n; i++)
        if (answer->rows.items[i].intent)
            team_page_row(shell, body, answer->rows.items[i].intent);
    str_clear(&text);
}

static void team_page_fill(struct shell *shell) {
    struct detail *body = reader_body(shell, OVERLAY_TEAM);
    const struct lookup_result *answer = team_page_of(shell)->answer;
    if (!body || !answer)
        return;
    detail_empty(body);
    if (answer->error.code != ERR_OK) {
        detail_add(body, NULL, answer->error.text, ROLE_ERROR);
    } else {
        team_page_reach(shell, body, answer);
        team_page_sums(shell, body, answer);
        team_page_values(body, answer);
        team_page_rows(shell, body, answer);
    }
    reader_fill(shell);
}

/* ---- To one of its rows ---- */

static bool team_page_can_go_to(const struct lookup_row *row) {
    return row->intent && row->intent->id.state == VALUE_OK && row->intent->id.text;
}

static void team_page_go_to(struct shell *shell, size_t choice, struct effects *effects) {
    const struct lookup_rows *rows = &team_page_of(shell)->answer->rows;
    size_t at = 0;
    for (; at < rows->n; at++)
        if (team_page_can_go_to(&rows->items[at]) && choice-- == 0)
            break;
    if (at == rows->n)
        return;
    intents_visit(shell, &(struct lookup_name){.id = (char *)rows->items[at].intent->id.text}, effects);
}

static void team_page_choose(struct shell *shell) {
    const struct lookup_result *answer = team_page_of(shell)->answer;
    size_t choices = 0;
    struct str at, text;
    str_init(&at, 64);
    str_init(&text, LINE_MAX);
    menu_begin(shell, "Go to", team_page_go_to);
    for (size_t i = 0; answer && i < answer->rows.n; i++) {
        if (!team_page_can_go_to(&answer->rows.items[i]))
            continue;
        str_reset(&at);
        str_reset(&text);
        team_page_row_texts(shell, answer->rows.items[i].intent, &at, &text);
        menu_add(shell, at.s, text.s);
        choices++;
    }
    if (choices > 0)
        menu_open_over(shell, OVERLAY_READER);
    else
        shell_close(shell);
    str_clear(&at);
    str_clear(&text);
}

/* ---- The overlay ---- */

static bool team_page_open(struct shell *shell, const void *argument, struct effects *effects) {
    const struct profile *profile = shell_profile(shell);
    (void)argument;
    if (!profile_has_team(profile)) {
        shell_message(shell, ROLE_INFO, "profile %s names no team: team_store in the configuration does",
                      profile->name);
        return false;
    }
    team_page_clear(shell);
    detail_add(reader_open(shell, "The team's store", OVERLAY_TEAM, OVERLAY_NONE), NULL,
               "asking the team's store; Esc gives it up", ROLE_INFO);
    reader_on_enter(shell, team_page_choose);
    reader_fill(shell);
    team_page_ask(shell, effects);
    return false;
}

static bool team_page_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct team_page *page = team_page_of(shell);
    (void)effects;
    if (given->kind != EVENT_TEAM_LOOKUP || !page->ticket || given->ticket != page->ticket)
        return false;
    page->ticket = 0;
    page->answer = event_take(given, lookup_result);
    team_page_fill(shell);
    return true;
}

/* Nobody looks at it any longer: the store need not go on. */
static void team_page_leave(struct shell *shell, struct effects *effects) {
    struct team_page *page = team_page_of(shell);
    bool on_show = reader_body(shell, OVERLAY_TEAM) && shell_shows(shell, OVERLAY_READER);
    if (page->ticket && !on_show) {
        effects_cancel(effects, page->ticket);
        page->ticket = 0;
    }
}

const struct pane team_overlay = {.size = sizeof(struct team_page),
                                  .clear = team_page_clear,
                                  .open = team_page_open,
                                  .zoned = team_page_fill,
                                  .event = team_page_event,
                                  .after_key = team_page_leave};
