/* Groups of the detail that are folded to their headings. Which ones is remembered while the program runs, for every
 * record: what an operator does not need is mostly the same in all of them. */

#include "panes/intents/intents.h"
#include "panes/shell/menu.h"

#include <string.h>

/* code, beginning of its heading */
#define GROUP_TABLE(X)                  \
    X(FINDINGS, "findings")             \
    X(CUSTOMER, "customer")             \
    X(CREDENTIAL, "payment credential") \
    X(LEDGER, "account")                \
    X(TRANSACTIONS, "transactions")     \
    X(DISPUTE, "dispute")               \
    X(REFUND, "refund")

enum group {
#define X(code, heading) GROUP_##code,
    GROUP_TABLE(X)
#undef X
        GROUP_COUNT
};

static const char *const HEADINGS[GROUP_COUNT] = {
#define X(code, heading) [GROUP_##code] = heading,
    GROUP_TABLE(X)
#undef X
};

/* GROUP_COUNT: the line is no heading of a group. */
static enum group fold_group_of(const struct text_line *line) {
    enum group group = 0;
    bool heading = !line->label && line->role == ROLE_HEADER;
    while (group < GROUP_COUNT && !(heading && str_starts(line->text, HEADINGS[group])))
        group++;
    return group;
}

/* Of the lines behind a heading; the blank one that parts groups is not among them. */
static size_t fold_count_lines(const struct detail *detail, size_t heading) {
    size_t end = heading + 1;
    while (end < detail->lines.n && (detail->lines.items[end].label || *detail->lines.items[end].text))
        end++;
    return end - heading - 1;
}

static void fold_heading(struct detail *detail, struct text_line *line, size_t n) {
    struct str text;
    str_init(&text, 256);
    str_addf(&text, "%s  %s folded: %zu line%s", line->text, sign(SIGN_CUT), n, plural_s(n));
    line->text = arena_dup_n(&detail->arena, text.s, text.len);
    str_clear(&text);
}

/* What is searched for may stand in a folded group: all are open until the search is given up. */
static bool fold_is_searched(const struct pager *pager) {
    return pager->searching || pager->search.text.len > 0;
}

enum dialog_result detail_key(struct shell *shell, int32_t key) {
    struct intents *pane = intents_of(shell);
    struct pager *pager = &pane->detail.pager;
    bool before = fold_is_searched(pager);
    enum dialog_result result = pager_key(pager, key);
    if (pane->fold.folded && fold_is_searched(pager) != before)
        intents_follow(shell);
    return result;
}

void detail_fold(struct shell *shell) {
    struct intents *pane = intents_of(shell);
    struct detail *detail = &pane->detail;
    size_t kept = 0;
    unsigned folded = fold_is_searched(&detail->pager) ? 0 : pane->fold.folded;
    memset(pane->fold.lines, 0, sizeof pane->fold.lines);
    for (size_t i = 0; i < detail->lines.n; i++) {
        struct text_line *line = &detail->lines.items[kept++];
        *line = detail->lines.items[i];
        enum group group = fold_group_of(line);
        if (group == GROUP_COUNT)
            continue;
        size_t n = fold_count_lines(detail, i);
        pane->fold.lines[group] = n;
        if (n > 0 && folded & 1U << group) {
            fold_heading(detail, line, n);
            i += n;
        }
    }
    detail->lines.n = kept;
}

/* The groups of the record on show, in the menu's order. */
static enum group fold_group_at(const struct intents *pane, size_t place) {
    enum group group = 0;
    for (; group < GROUP_COUNT; group++)
        if (pane->fold.lines[group] > 0 && place-- == 0)
            break;
    return group;
}

static void fold_chosen(struct shell *shell, size_t choice, struct effects *effects) {
    struct intents *pane = intents_of(shell);
    enum group group = fold_group_at(pane, choice);
    (void)effects;
    if (group == GROUP_COUNT)
        pane->fold.folded = pane->fold.folded ? 0 : (1U << GROUP_COUNT) - 1;
    else
        pane->fold.folded ^= 1U << group;
    intents_follow(shell);
}

void detail_fold_open(struct shell *shell) {
    const struct intents *pane = intents_of(shell);
    enum group group;
    struct str note;
    if (pane->place == DETAIL_NONE || pane->mode == DETAIL_JSON || fold_group_at(pane, 0) == GROUP_COUNT) {
        shell_message(shell, ROLE_INFO, "groups fold in the detail of an intent: %s opens it, %s shows its fields",
                      shell_key_of(shell, ACTION_OPEN), shell_key_of(shell, ACTION_JSON));
        return;
    }
    menu_begin(shell, "Fold or unfold", fold_chosen);
    str_init(&note, 64);
    for (size_t place = 0; (group = fold_group_at(pane, place)) < GROUP_COUNT; place++) {
        size_t n = pane->fold.lines[group];
        str_reset(&note);
        str_addf(&note, "%zu line%s%s", n, plural_s(n), pane->fold.folded & 1U << group ? ", folded" : "");
        menu_add(shell, HEADINGS[group], note.s);
    }
    menu_add(shell, pane->fold.folded ? "unfold all" : "fold all", NULL);
    menu_open(shell);
    str_clear(&note);
}
