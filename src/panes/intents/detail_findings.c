#include "panes/intents/intents.h"

#include "app/observed.h"
#include "ui/lines.h"

#include <stdlib.h>

/* The findings of the record on show, each with its evidence. What rests on other rows is asked for once the record is
 * shown, and its lines come with the answer. */

enum { TEXT_MAX = 1 << 16, INDENT = 2, EVIDENCE_COLS = 74 /* as wide as a detail usually is */ };

static void detail_findings_add(struct shell *shell, const struct intent *intent, enum finding finding,
                                const struct finding_telling *telling) {
    struct detail *detail = &intents_of(shell)->detail;
    struct str text;
    str_init(&text, TEXT_MAX);
    str_addf(&text, "%s: %s", finding_rule(finding)->name, finding_rule(finding)->hint);
    detail_add(detail, NULL, text.s, ROLE_WARN);
    str_reset(&text);
    finding_evidence(intent, finding, telling, &text);
    for (size_t at = 0, skip = 1; at < text.len && skip > 0; at += skip) {
        size_t len = lines_wrap(text.s + at, EVIDENCE_COLS, &skip);
        char *line = arena_dup_n(&detail->arena, text.s + at, len);
        detail_add(detail, NULL, line, ROLE_TEXT)->indent = INDENT;
    }
    str_clear(&text);
}

const struct related *intents_related(const struct shell *shell, const struct intent *intent) {
    const struct intents *pane = intents_of(shell);
    return pane->related && str_equal(pane->related_id, intent->id.text) ? pane->related : NULL;
}

void detail_findings(struct shell *shell, const struct intent *intent) {
    const struct related *related = intents_related(shell, intent);
    const struct money_rule rule = profile_money(shell_profile(shell));
    const struct finding_telling telling = {
        .money = &rule, .others = related ? related->items : NULL, .n_others = related ? related->n : 0};
    unsigned found = finding_of_intent(intent, shell_now(shell)) | related_findings(related);
    if (!found)
        return;
    detail_add(&intents_of(shell)->detail, NULL, "findings: hints to look at", ROLE_HEADER);
    for (unsigned i = 0; i < FINDING_COUNT; i++)
        if (found & FINDING_BIT(i))
            detail_findings_add(shell, intent, (enum finding)i, &telling);
    detail_add(&intents_of(shell)->detail, NULL, "", ROLE_TEXT);
}

void findings_clear(struct intents *pane) {
    related_free(pane->related);
    free(pane->related_id);
    pane->related = NULL;
    pane->related_id = NULL;
    pane->related_ticket = 0;
}

const struct intent *findings_shown(const struct shell *shell, int64_t *key) {
    const struct intents *pane = intents_of(shell);
    struct result_row row;
    bool there = (pane->place != DETAIL_NONE || pane->detail_zoomed) && intents_at(shell, pane->table.cursor, &row) &&
                 !row.intent->broken && row.intent->id.state == VALUE_OK &&
                 str_equal(pane->shown_id, row.intent->id.text);
    *key = there ? view_key_of(&pane->view, row.intent->id.text, row.key) : 0;
    return there ? row.intent : NULL;
}

/* What is known of the same record stays on show until the answer comes. */
void findings_follow(struct shell *shell, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    int64_t key;
    const struct intent *intent = findings_shown(shell, &key);
    bool same = intent && str_equal(pane->related_id, intent->id.text);
    if (!intent || (same && !pane->related_outdated))
        return;
    if (pane->related_ticket)
        effects_cancel(effects, pane->related_ticket);
    if (!same) {
        findings_clear(pane);
        pane->related_id = mem_dup(intent->id.text);
    }
    pane->related_outdated = false;
    pane->related_ticket = effects_related(effects, observed_ask(intent->id.text, intent->created_at.ms, key));
}

bool findings_event(struct shell *shell, struct event *event) {
    struct intents *pane = intents_of(shell);
    pane->related_outdated = pane->related_outdated || event->kind == EVENT_INDEX;
    if (event->kind != EVENT_RELATED || !pane->related_ticket || event->ticket != pane->related_ticket)
        return false;
    unsigned before = related_findings(pane->related);
    related_free(pane->related);
    pane->related = event_take(event, related);
    pane->related_ticket = 0;
    if (before | related_findings(pane->related))
        intents_follow(shell);
    return true;
}
