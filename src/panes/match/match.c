#include "panes/match/match.h"

#include "panes/shell/moves.h"

#include "base/mem.h"

#include <stdlib.h>

static void match_pane_init(struct shell *shell) {
    struct match_pane *pane = match_pane_of(shell);
    match_form_init(pane);
    match_pane_columns(pane);
}

static void match_pane_drop(struct match_pane *pane) {
    match_free(pane->match);
    free(pane->file);
    free(pane->filter);
    pane->match = NULL;
    pane->file = pane->filter = NULL;
    pane->stage = MATCH_ASKING;
    pane->level = MATCH_LEVEL_OUTCOMES;
    pane->outdated = pane->all = false;
    pane->sums.n = 0;
    for (int i = 0; i < MATCH_LEVELS; i++)
        pane->lines[i].n = 0;
}

static void match_pane_clear(struct shell *shell) {
    struct match_pane *pane = match_pane_of(shell);
    match_pane_drop(pane);
    match_form_clear(pane);
    match_export_clear(pane);
    free(pane->sums.items);
    for (int i = 0; i < MATCH_LEVELS; i++)
        free(pane->lines[i].items);
}

/* ---- The question ---- */

void match_pane_start(struct shell *shell, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    const struct edit *file = &pane->form.rows[MATCH_FORM_FILE].edit, *map = &pane->form.rows[MATCH_FORM_MAP].edit;
    if (file->text.len == 0) {
        form_focus(&pane->form, MATCH_FORM_FILE);
        shell_message(shell, ROLE_WARN, "type the path of a CSV file");
        return;
    }
    match_pane_drop(pane);
    shell_message_clear(shell);
    pane->file = mem_dup(file->text.s);
    pane->stage = MATCH_READING;
    pane->ticket = effects_match_file(
        effects, match_file_ask_new(pane->file, map->text.len > 0 ? map->text.s : NULL, match_form_new(shell)));
}

/* Waits where it is not known yet which rows there are. */
static void match_pane_join(struct shell *shell, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    pane->stage = MATCH_JOINING;
    if (!pane->match || intents_source(shell) == VIEW_NOT_KNOWN)
        return;
    free(pane->filter);
    pane->filter = mem_dup(intents_filter(shell));
    pane->outdated = pane->all = false;
    pane->ticket = intents_ask_match(shell, pane->match, effects);
    pane->match = NULL;
    shell_redraw(shell);
}

/* With a result it is shown again, held anew against what is there now. */
static bool match_pane_open(struct shell *shell, const void *argument, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    (void)argument;
    shell_message_clear(shell);
    bool other = pane->filter && !str_equal(pane->filter, intents_filter(shell));
    if (pane->stage == MATCH_SHOWN && (pane->outdated || other))
        match_pane_join(shell, effects);
    return true;
}

/* ---- The result ---- */

static void match_pane_list(struct match_pane *pane, enum match_level level) {
    struct match_lines *lines = &pane->lines[level];
    lines->n = 0;
    if (level == MATCH_LEVEL_LINES)
        match_list(pane->match, pane->outcome, lines);
    else if (level == MATCH_LEVEL_CANDIDATES)
        match_list_candidates(pane->match, pane->row, lines);
}

static void match_pane_say_result(struct shell *shell) {
    const struct match_pane *pane = match_pane_of(shell);
    const struct match *match = pane->match;
    if (match->intents.n == 0)
        shell_message(shell, ROLE_WARN, "no intent %s: every row is only in the file",
                      *pane->filter ? "matches the filter" : "was read yet");
    else if (intents_source(shell) == VIEW_OF_WALK)
        shell_message(shell, ROLE_WARN, "there is no cache: only the intents read in this session were compared");
    else if (!coverage_is_whole(&pane->coverage) && match->n_rows[MATCH_ONLY_FILE] > 0)
        shell_message(shell, ROLE_WARN,
                      "what is only in the file may be among intents that were not read; %s reads all",
                      shell_key_of(shell, ACTION_MATCH_ALL));
}

static void match_pane_take_result(struct shell *shell, struct lookup_result *answer) {
    struct match_pane *pane = match_pane_of(shell);
    struct error error = answer->error;
    pane->match = answer->match;
    answer->match = NULL;
    if (error.code != ERR_OK || !pane->match) {
        match_pane_drop(pane);
        shell_message(shell, ROLE_ERROR, "not matched: %s", error.code != ERR_OK ? error.text : "there is no answer");
        return;
    }
    intents_coverage(shell, answer, &pane->coverage);
    pane->stage = MATCH_SHOWN;
    if (pane->level == MATCH_LEVEL_CANDIDATES && pane->match->rows.items[pane->row].outcome != MATCH_AMBIGUOUS)
        pane->level = MATCH_LEVEL_LINES;
    match_pane_list(pane, MATCH_LEVEL_LINES);
    match_pane_list(pane, MATCH_LEVEL_CANDIDATES);
    match_pane_say_result(shell);
}

static void match_pane_take_file(struct shell *shell, struct match_file_answer *answer, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    if (answer->error.code != ERR_OK) {
        match_pane_drop(pane);
        pane->form.rows[MATCH_FORM_FILE].wrong = answer->error.code == ERR_FILE;
        shell_message(shell, ROLE_ERROR, "%s", answer->error.text);
        return;
    }
    pane->match = answer->match;
    answer->match = NULL;
    pane->outcome = MATCH_DIFFERING;
    for (int i = 0; i < MATCH_LEVELS; i++)
        table_first(&pane->tables[i]);
    table_first(&pane->outcomes);
    match_pane_join(shell, effects);
}

/* ---- Keys ---- */

static size_t match_pane_rows(const struct match_pane *pane) {
    return pane->level == MATCH_LEVEL_OUTCOMES ? pane->sums.n : pane->lines[pane->level].n;
}

static struct table *match_pane_current(struct match_pane *pane) {
    return pane->level == MATCH_LEVEL_OUTCOMES ? &pane->outcomes : &pane->tables[pane->level];
}

static void match_pane_go_down(struct match_pane *pane, enum match_level level) {
    pane->level = level;
    match_pane_list(pane, level);
    table_first(&pane->tables[level]);
}

static void match_pane_go_to(struct shell *shell, size_t place, struct effects *effects) {
    const struct match_intent *intent = &match_pane_of(shell)->match->intents.items[place];
    if (!intent->id) {
        shell_message(shell, ROLE_WARN, "this intent has no id by which it could be gone to");
        return;
    }
    intents_show(shell, &(struct lookup_name){(char *)intent->id, intent->created, intent->key}, effects);
}

static void match_pane_open_line(struct shell *shell, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    size_t at = pane->tables[pane->level].cursor;
    if (at >= pane->lines[pane->level].n)
        return;
    const struct match_line line = pane->lines[pane->level].items[at];
    if (line.intent != MATCH_NOWHERE) {
        match_pane_go_to(shell, line.intent, effects);
    } else if (match_line_candidates(pane->match, &line) > 0) {
        pane->row = line.row;
        match_pane_go_down(pane, MATCH_LEVEL_CANDIDATES);
    } else {
        shell_message(shell, ROLE_INFO, "line %zu has no intent here to go to", pane->match->rows.items[line.row].line);
    }
}

static void match_pane_enter(struct shell *shell, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    if (pane->level != MATCH_LEVEL_OUTCOMES) {
        match_pane_open_line(shell, effects);
    } else if (pane->outcomes.cursor < pane->sums.n) {
        pane->outcome = pane->sums.items[pane->outcomes.cursor].outcome;
        match_pane_go_down(pane, MATCH_LEVEL_LINES);
        if (pane->lines[MATCH_LEVEL_LINES].n == 0) {
            shell_message(shell, ROLE_INFO, "there is nothing %s", match_outcome_title(pane->outcome));
            pane->level = MATCH_LEVEL_OUTCOMES;
        }
    }
}

static void match_pane_read_all(struct shell *shell, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    pane->all = true;
    if (!intents_is_crawling(shell))
        intents_crawl(shell, effects);
    shell_message(shell, ROLE_INFO, "reading every page, then the file is matched again");
    shell_message_of_link(shell);
}

/* The cursor goes from outcome to outcome, past the rows of their further sums. */
static void match_pane_step(struct match_pane *pane, long step) {
    size_t at = pane->outcomes.cursor;
    do {
        at += (size_t)step;
    } while (at < pane->sums.n && !pane->sums.items[at].first);
    if (at < pane->sums.n)
        table_move(&pane->outcomes, pane->sums.n, (long)at - (long)pane->outcomes.cursor);
}

/* Pages of the sums below five outcomes; else the cursor moves. */
static bool match_pane_move(struct match_pane *pane, int action) {
    enum { SUM_PAGE = 5 };
    bool steps = action == ACTION_DOWN || action == ACTION_UP;
    if (steps && pane->level == MATCH_LEVEL_OUTCOMES && pane->layout == MATCH_EVERY_SUM) {
        match_pane_step(pane, action == ACTION_DOWN ? 1 : -1);
        return true;
    }
    bool below = pane->level == MATCH_LEVEL_OUTCOMES && pane->layout == MATCH_SUMS_BELOW;
    bool down = action == ACTION_PAGE_DOWN || action == ACTION_HALF_DOWN;
    if (below && (down || action == ACTION_PAGE_UP || action == ACTION_HALF_UP)) {
        pane->sum_top = down ? pane->sum_top + SUM_PAGE : pane->sum_top > SUM_PAGE ? pane->sum_top - SUM_PAGE : 0;
        return true;
    }
    pane->sum_top = below ? 0 : pane->sum_top;
    return table_act(match_pane_current(pane), match_pane_rows(pane), action);
}

static bool match_pane_act(struct shell *shell, int action, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    if (pane->stage == MATCH_ASKING)
        return match_form_act(shell, action);
    if (pane->stage != MATCH_SHOWN)
        return action == ACTION_MATCH_OPEN || action == ACTION_MATCH_AGAIN || action == ACTION_MATCH_ALL ||
               action == ACTION_MATCH_EXPORT || action == ACTION_MATCH_OTHER;
    switch (action) {
    case ACTION_MATCH_OPEN:
        match_pane_enter(shell, effects);
        return true;
    case ACTION_MATCH_AGAIN:
        shell_message_clear(shell);
        match_pane_join(shell, effects);
        return true;
    case ACTION_MATCH_EXPORT:
        match_export_open(shell);
        return true;
    case ACTION_MATCH_ALL:
        match_pane_read_all(shell, effects);
        return true;
    case ACTION_MATCH_OTHER:
        match_pane_drop(pane);
        shell_message_clear(shell);
        return true;
    default:
        return match_pane_move(pane, action);
    }
}

/* What is under way is dropped with its answer. */
static void match_pane_cancel(struct shell *shell, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    if (pane->ticket)
        effects_cancel(effects, pane->ticket);
    pane->ticket = 0;
    match_pane_drop(pane);
    shell_message(shell, ROLE_INFO, "cancelled");
}

static bool match_pane_back(struct shell *shell, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    if (pane->stage == MATCH_SHOWN && pane->level != MATCH_LEVEL_OUTCOMES)
        pane->level = (enum match_level)(pane->level - 1);
    else
        (void)shell_stand_in(shell, PANE_INTENTS, PANE_INTENTS, effects);
    return true;
}

static bool match_pane_key(struct shell *shell, int32_t key, struct effects *effects) {
    bool asks = match_pane_of(shell)->stage == MATCH_ASKING;
    if (asks && (key == INPUT_ESCAPE || key == KEY_CTRL('C')))
        return match_pane_back(shell, effects);
    return asks && match_form_key(shell, key, effects);
}

static bool match_pane_paste(struct shell *shell, const char *text, struct effects *effects) {
    bool asks = match_pane_of(shell)->stage == MATCH_ASKING;
    (void)effects;
    if (asks)
        match_form_paste(shell, text);
    return asks;
}

static bool match_pane_is_busy(const struct shell *shell) {
    enum match_stage stage = match_pane_of(shell)->stage;
    return shell_stands(shell, PANE_MATCH) && (stage == MATCH_READING || stage == MATCH_JOINING);
}

static bool match_pane_stop(struct shell *shell, struct effects *effects) {
    bool runs = match_pane_is_busy(shell);
    if (runs)
        match_pane_cancel(shell, effects);
    return runs;
}

static bool match_pane_hint(const struct shell *shell, struct str *out) {
    const struct match_pane *pane = match_pane_of(shell);
    if (pane->stage == MATCH_ASKING)
        return match_form_hint(shell, out);
    if (pane->stage != MATCH_SHOWN) {
        shell_hint(shell, ACTION_BACK, "cancels", out);
        return true;
    }
    bool outcomes = pane->level == MATCH_LEVEL_OUTCOMES;
    shell_hint(shell, ACTION_MATCH_OPEN, outcomes ? "opens the list" : "goes to the intent", out);
    shell_hint(shell, ACTION_BACK, "back", out);
    shell_hint(shell, ACTION_MATCH_AGAIN, "again", out);
    shell_hint(shell, ACTION_MATCH_EXPORT, "exports", out);
    shell_hint(shell, ACTION_MATCH_OTHER, "another file", out);
    shell_hint(shell, ACTION_HELP, "help", out);
    return true;
}

/* ---- Events ---- */

static bool match_pane_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    if (path_field_event(shell, &pane->path, &pane->form, given) || match_export_event(shell, given, effects))
        return true;
    if (given->kind == EVENT_INDEX && pane->stage == MATCH_SHOWN) {
        pane->outdated = true;
        shell_redraw(shell);
    }
    if (pane->ticket == 0 || given->ticket != pane->ticket ||
        (given->kind != EVENT_MATCH_FILE && given->kind != EVENT_LOOKUP))
        return false;
    pane->ticket = 0;
    if (given->kind == EVENT_MATCH_FILE)
        match_pane_take_file(shell, event_get(given, match_file_answer), effects);
    else
        match_pane_take_result(shell, event_get(given, lookup_result));
    shell_redraw(shell);
    return true;
}

static void match_pane_follow(struct shell *shell, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    bool waits = pane->stage == MATCH_JOINING && pane->ticket == 0;
    bool read = pane->stage == MATCH_SHOWN && pane->all && !intents_is_awaited(shell);
    if (waits || read)
        match_pane_join(shell, effects);
}

static const struct table *match_pane_table(const struct shell *shell) {
    struct match_pane *pane = match_pane_of(shell);
    return pane->stage == MATCH_SHOWN ? match_pane_current(pane) : NULL;
}

static const char *match_pane_place(const struct shell *shell) {
    const struct match_pane *pane = match_pane_of(shell);
    if (pane->stage != MATCH_SHOWN || pane->level == MATCH_LEVEL_OUTCOMES)
        return "";
    return match_outcome_title(pane->outcome);
}

const struct pane match_pane = {.title = "Match",
                                .sections = {"match", "list"},
                                .size = sizeof(struct match_pane),
                                .init = match_pane_init,
                                .clear = match_pane_clear,
                                .open = match_pane_open,
                                .draw = match_pane_draw,
                                .hint = match_pane_hint,
                                .key = match_pane_key,
                                .act = match_pane_act,
                                .paste = match_pane_paste,
                                .back = match_pane_back,
                                .stops_back = match_pane_is_busy,
                                .stop = match_pane_stop,
                                .event = match_pane_event,
                                .after_event = match_pane_follow,
                                .table = match_pane_table,
                                .place = match_pane_place};
