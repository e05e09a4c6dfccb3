#include "panes/match/match.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "ui/lines.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINE_BYTES = 1 << 16,
    SUM_BYTES = 256,
    SUM_GAP = 2,
    CODE_COLS = 8,
    CODE_BESIDE = CODE_COLS + 2,
    BESIDE = 40 /* from here on a row holds both counts */
};

/* ---- The outcomes and their sums ---- */

enum {
    OUTCOME_TITLE,
    OUTCOME_FILE,
    OUTCOME_HERE,
    OUTCOME_CURRENCY,
    OUTCOME_SUM_FILE,
    OUTCOME_SUM_HERE,
    OUTCOME_COLUMNS
};

static const struct table_column OUTCOMES_WIDE[OUTCOME_COLUMNS] = {
    [OUTCOME_TITLE] = {.title = "outcome", .min = 16, .want = 18},
    [OUTCOME_FILE] = {.title = "in file", .min = 9, .want = 9, .right = true},
    [OUTCOME_HERE] = {.title = "here", .min = 9, .want = 9, .right = true},
    [OUTCOME_CURRENCY] = {.title = "currency", .min = CODE_COLS, .want = CODE_COLS},
    [OUTCOME_SUM_FILE] = {.title = "sum in file", .right = true},
    [OUTCOME_SUM_HERE] = {.title = "sum here", .right = true},
};
/* A row of counts alone, or a sum, where sums would be cut beside each other. */
static const struct table_column OUTCOMES_NARROW[] = {{.title = "outcome", .min = 8, .grow = 1}};

static const struct table_column COLUMNS[MATCH_COLUMNS] = {
    [MATCH_COLUMN_LINE] = {.title = "line", .min = 7, .want = 7, .right = true, .priority = 3},
    [MATCH_COLUMN_ID] = {.title = "id", .min = 12, .want = 36},
    [MATCH_COLUMN_AMOUNT] = {.title = "amount", .min = 12, .want = 14, .right = true, .priority = 2},
    [MATCH_COLUMN_CURRENCY] = {.title = "cur", .min = 4, .want = 4, .priority = 2},
    [MATCH_COLUMN_WHAT] = {.title = "differs", .min = 22, .want = 48, .grow = 1},
    [MATCH_COLUMN_CREATED] = {.title = "created", .min = 19, .want = 19, .priority = 5},
    [MATCH_COLUMN_STATUS] = {.title = "status", .min = 8, .want = 9, .priority = 4},
};

void match_pane_columns(struct match_pane *pane) {
    memcpy(pane->columns, COLUMNS, sizeof COLUMNS);
    for (int i = 0; i < MATCH_LEVELS; i++)
        table_init(&pane->tables[i], pane->columns, MATCH_COLUMNS);
    memcpy(pane->outcome_columns, OUTCOMES_WIDE, sizeof OUTCOMES_WIDE);
    table_init(&pane->outcomes, pane->outcome_columns, OUTCOME_COLUMNS);
}

static enum role match_role_of(enum match_outcome outcome) {
    static const enum role ROLES[MATCH_OUTCOMES] = {[MATCH_MATCHED] = ROLE_OK,
                                                    [MATCH_DIFFERING] = ROLE_ERROR,
                                                    [MATCH_AMBIGUOUS] = ROLE_UNKNOWN,
                                                    [MATCH_ONLY_FILE] = ROLE_WARN,
                                                    [MATCH_ONLY_HERE] = ROLE_WARN};
    return ROLES[outcome];
}

static int sum_cells(const struct match *match, const struct match_total *total) {
    struct str text;
    str_init(&text, SUM_BYTES);
    match_say_sum(match, total, &text);
    int cells = utf8_cells(text.s, text.len);
    str_clear(&text);
    return cells;
}

/* One row a currency, and at least one an outcome. */
static void match_take_sums(struct match_pane *pane) {
    struct match_sums sums = {0};
    pane->sums.n = 0;
    for (int outcome = 0; outcome < MATCH_OUTCOMES; outcome++) {
        sums.n = 0;
        match_sums(pane->match, (enum match_outcome)outcome, &sums);
        for (size_t i = 0; i < sums.n || i == 0; i++)
            *vec_add(&pane->sums) = (struct match_shown_sum){(enum match_outcome)outcome, i == 0,
                                                             i < sums.n ? sums.items[i] : (struct match_sum){0}};
    }
    free(sums.items);
}

/* The counts, then each sum by itself where they stand between. */
static void match_split_sums(struct match_pane *pane) {
    struct match_shown_sum *all = pane->sums.items;
    size_t n = pane->sums.n;
    bool between = pane->layout == MATCH_SUMS_BETWEEN;
    pane->sums.items = NULL;
    pane->sums.n = pane->sums.cap = 0;
    for (size_t i = 0; i < n; i++) {
        struct match_shown_sum at = all[i];
        if (at.first)
            *vec_add(&pane->sums) = (struct match_shown_sum){.outcome = at.outcome, .first = true};
        if (between && at.sum.file)
            *vec_add(&pane->sums) = (struct match_shown_sum){at.outcome, false, {at.sum.currency, at.sum.file, NULL}};
        if (between && at.sum.here)
            *vec_add(&pane->sums) = (struct match_shown_sum){at.outcome, false, {at.sum.currency, NULL, at.sum.here}};
    }
    free(all);
}

/* Gives the sums the room that they take; false: there is not as much, and one would be cut. */
static bool match_fit_sums(struct match_pane *pane, int cols) {
    enum { EDGES = TABLE_GUTTER + 1, HEADING = 11, SPACED = 22 };
    int file = HEADING, here = HEADING, taken = EDGES + OUTCOME_COLUMNS - 1;
    for (size_t i = 0; i < pane->sums.n; i++) {
        int left = sum_cells(pane->match, pane->sums.items[i].sum.file);
        int right = sum_cells(pane->match, pane->sums.items[i].sum.here);
        file = left > file ? left : file;
        here = right > here ? right : here;
    }
    for (int i = 0; i < OUTCOME_SUM_FILE; i++)
        taken += OUTCOMES_WIDE[i].min;
    pane->outcome_columns[OUTCOME_SUM_FILE].min = file;
    pane->outcome_columns[OUTCOME_SUM_HERE].min = here;
    pane->outcome_columns[OUTCOME_SUM_FILE].want = file > SPACED ? file : SPACED;
    pane->outcome_columns[OUTCOME_SUM_HERE].want = here > SPACED ? here : SPACED;
    return taken + file + here <= cols;
}

static void add_match_counts(const struct match *match, enum match_outcome outcome, bool brief, struct str *out) {
    str_addf(out, brief ? "%s " : "%s: ", match_outcome_title(outcome));
    money_group_count(out, match->n_rows[outcome]);
    str_add(out, brief ? "/" : " in the file, ");
    money_group_count(out, match->n_intents[outcome]);
    str_add(out, brief ? "" : " here");
}

static void add_match_money(const struct match *match, const struct match_shown_sum *sum, struct str *out) {
    const struct match_total *total = sum->sum.file ? sum->sum.file : sum->sum.here;
    str_addf(out, "%s %s ", sum->sum.file ? "file" : "here", sum->sum.currency ? sum->sum.currency : "(none)");
    match_say_sum(match, total, out);
}

static void outcome_cell_narrow(void *context, size_t row, int column, struct table_cell *out) {
    const struct match_pane *pane = context;
    const struct match_shown_sum *sum = &pane->sums.items[row];
    (void)column;
    if (sum->first)
        add_match_counts(pane->match, sum->outcome, pane->outcomes.body_cols < BESIDE, out->text);
    else
        add_match_money(pane->match, sum, out->text);
    out->role = sum->first ? match_role_of(sum->outcome) : ROLE_TEXT;
}

static void outcome_cell(void *context, size_t row, int column, struct table_cell *out) {
    const struct match_pane *pane = context;
    const struct match_shown_sum *sum = &pane->sums.items[row];
    if (column == OUTCOME_TITLE && sum->first) {
        str_add(out->text, match_outcome_title(sum->outcome));
        out->role = match_role_of(sum->outcome);
    } else if (column == OUTCOME_FILE && sum->first) {
        money_group_count(out->text, pane->match->n_rows[sum->outcome]);
    } else if (column == OUTCOME_HERE && sum->first) {
        money_group_count(out->text, pane->match->n_intents[sum->outcome]);
    } else if (column == OUTCOME_CURRENCY && (sum->sum.file || sum->sum.here)) {
        str_add(out->text, sum->sum.currency ? sum->sum.currency : "(none)");
    } else if (column == OUTCOME_SUM_FILE) {
        match_say_sum(pane->match, sum->sum.file, out->text);
    } else if (column == OUTCOME_SUM_HERE) {
        match_say_sum(pane->match, sum->sum.here, out->text);
    }
}

static size_t first_row_of(const struct match_pane *pane, enum match_outcome outcome) {
    size_t i = 0;
    while (i < pane->sums.n && pane->sums.items[i].outcome != outcome)
        i++;
    return i;
}

/* What the longest of them takes. */
static int match_sum_cols(const struct match_pane *pane) {
    int file = pane->outcome_columns[OUTCOME_SUM_FILE].want, here = pane->outcome_columns[OUTCOME_SUM_HERE].want;
    return file > here ? file : here;
}

/* No sum is ever cut. */
static enum match_layout match_layout_of(struct match_pane *pane, struct rect area) {
    enum { HEADER = 1, BELOW_LEAST = 3 };
    bool wide = match_fit_sums(pane, area.cols), all = (size_t)area.rows >= pane->sums.n + HEADER;
    int file = pane->outcome_columns[OUTCOME_SUM_FILE].min, here = pane->outcome_columns[OUTCOME_SUM_HERE].min;
    bool below =
        area.rows >= MATCH_OUTCOMES + HEADER + BELOW_LEAST && area.cols > CODE_BESIDE + 2 * (file > here ? file : here);
    return wide && all ? MATCH_EVERY_SUM : below ? MATCH_SUMS_BELOW : MATCH_SUMS_BETWEEN;
}

/* The cursor stays at its outcome. */
static void match_lay_out(struct match_pane *pane, struct rect area) {
    size_t at = pane->outcomes.cursor;
    enum match_layout before = pane->layout;
    enum match_outcome outcome = at < pane->sums.n ? pane->sums.items[at].outcome : MATCH_MATCHED;
    match_take_sums(pane);
    pane->layout = match_layout_of(pane, area);
    bool narrow = pane->layout == MATCH_SUMS_BETWEEN;
    if (pane->layout != MATCH_EVERY_SUM)
        match_split_sums(pane);
    if (pane->layout != before) {
        table_init(&pane->outcomes, narrow ? OUTCOMES_NARROW : pane->outcome_columns, narrow ? 1 : OUTCOME_COLUMNS);
        pane->outcomes.n_order = pane->layout == MATCH_SUMS_BELOW ? OUTCOME_CURRENCY : pane->outcomes.n_order;
        table_move(&pane->outcomes, pane->sums.n, (long)first_row_of(pane, outcome));
    }
}

static void draw_sum_side(const struct match *match, const struct match_total *total, struct canvas *canvas,
                          struct rect at) {
    struct str text;
    str_init(&text, SUM_BYTES);
    match_say_sum(match, total, &text);
    canvas_text_right(canvas, at, 0, 0, at.cols, ROLE_TEXT, text.s);
    str_clear(&text);
}

static void draw_sum_below(const struct match_pane *pane, const struct match_sum *sum, struct canvas *canvas,
                           struct rect row) {
    struct rect code = rect_take_cols(&row, CODE_BESIDE), file = rect_take_cols(&row, row.cols / 2);
    canvas_text(canvas, code, 0, 1, ROLE_TEXT, sum->currency ? sum->currency : "(none)");
    draw_sum_side(pane->match, sum->file, canvas, file);
    draw_sum_side(pane->match, sum->here, canvas, row);
}

/* Of the outcome under the cursor. */
static void draw_sums_below(const struct shell *shell, struct canvas *canvas, struct rect area) {
    struct match_pane *pane = match_pane_of(shell);
    struct match_sums sums = {0};
    size_t at = pane->outcomes.cursor;
    match_sums(pane->match, at < pane->sums.n ? pane->sums.items[at].outcome : MATCH_MATCHED, &sums);
    int cols = CODE_BESIDE + 2 * (SUM_GAP + match_sum_cols(pane));
    area.cols = area.cols < cols ? area.cols : cols;
    struct rect head = rect_take_rows(&area, 1), code = rect_take_cols(&head, CODE_BESIDE);
    struct rect file = rect_take_cols(&head, head.cols / 2);
    canvas_text(canvas, code, 0, 1, ROLE_HEADER, "currency");
    canvas_text_right(canvas, file, 0, 0, file.cols, ROLE_HEADER, "sum in file");
    canvas_text_right(canvas, head, 0, 0, head.cols, ROLE_HEADER, "sum here");
    if ((size_t)area.rows < sums.n)
        canvas_textf(canvas, rect_take_rows(&area, -1), 0, 1, ROLE_DIM, "%zu currencies in all; %s %s", sums.n,
                     shell_key_of(shell, ACTION_PAGE_DOWN), shell_key_of(shell, ACTION_PAGE_UP));
    size_t room = area.rows > 0 ? (size_t)area.rows : 0, last = sums.n > room ? sums.n - room : 0;
    pane->sum_top = pane->sum_top < last ? pane->sum_top : last;
    for (size_t i = 0; i < room && pane->sum_top + i < sums.n; i++)
        draw_sum_below(pane, &sums.items[pane->sum_top + i], canvas, rect_take_rows(&area, 1));
    free(sums.items);
}

static void draw_outcomes(const struct shell *shell, struct canvas *canvas, struct rect area) {
    struct match_pane *pane = match_pane_of(shell);
    match_lay_out(pane, area);
    bool narrow = pane->layout == MATCH_SUMS_BETWEEN;
    struct table_source source = {
        .rows = pane->sums.n, .cell = narrow ? outcome_cell_narrow : outcome_cell, .context = pane};
    struct rect table = area;
    if (pane->layout == MATCH_SUMS_BELOW)
        table = rect_take_rows(&area, MATCH_OUTCOMES + 1);
    table_draw(&pane->outcomes, canvas, table, &source, true);
    if (pane->layout == MATCH_SUMS_BELOW)
        draw_sums_below(shell, canvas, rect_inset(area, area.rows > MATCH_OUTCOMES, 0, 0, 1));
}

/* ---- The lines of one ---- */

struct match_drawn {
    const struct shell *shell;
    const struct match_pane *pane;
};

static void add_match_what(const struct match *match, const struct match_line *line, struct str *out) {
    size_t n = match_line_candidates(match, line);
    bool of_row = line->row != MATCH_NOWHERE;
    size_t only = n == 1 && of_row ? match->candidates[match->rows.items[line->row].first].intent : MATCH_NOWHERE;
    if (only != MATCH_NOWHERE)
        str_addf(out, "1 candidate, of %zu rows", match->intents.items[only].n);
    else if (n > 0)
        str_addf(out, of_row ? "%zu candidate%s" : "%zu row%s of the file", n, plural_s(n));
    else if (of_row)
        match_differences(match, line->row, &match->options.money, out);
}

static void add_match_amount(const struct match *match, bool has_amount, int64_t amount, const char *currency,
                             struct str *out) {
    if (has_amount)
        money_format(out, amount, currency, &match->options.money);
    else
        str_add(out, "-");
}

static void line_cell_of_row(const struct match *match, const struct match_line *line, int column, struct str *out) {
    const struct match_row *row = &match->rows.items[line->row];
    const char *text = column == MATCH_COLUMN_ID         ? match_row_text(match, line->row, QUERY_ID_FIELD)
                       : column == MATCH_COLUMN_CURRENCY ? match_row_currency(match, line->row)
                       : column == MATCH_COLUMN_CREATED  ? match_row_text(match, line->row, QUERY_CREATED_FIELD)
                       : column == MATCH_COLUMN_STATUS   ? match_row_text(match, line->row, QUERY_STATUS_FIELD)
                                                         : NULL;
    if (column == MATCH_COLUMN_AMOUNT)
        add_match_amount(match, row->has_amount, row->amount, match_row_currency(match, line->row), out);
    else
        str_add(out, text ? text : "-");
}

static void line_cell_of_intent(const struct shell *shell, const struct match_line *line, int column,
                                struct table_cell *out) {
    const struct match *match = match_pane_of(shell)->match;
    const struct match_intent *intent = &match->intents.items[line->intent];
    if (column == MATCH_COLUMN_ID) {
        str_add(out->text, intent->id ? intent->id : "(no id)");
    } else if (column == MATCH_COLUMN_AMOUNT) {
        add_match_amount(match, intent->has_amount, intent->amount, intent->currency, out->text);
    } else if (column == MATCH_COLUMN_CURRENCY) {
        str_add(out->text, intent->currency ? intent->currency : "-");
    } else if (column == MATCH_COLUMN_STATUS) {
        str_add(out->text, intent->status ? intent->status : "-");
        out->role = intents_status_role(intent->status);
    } else if (intent->created != CLOCK_NONE) {
        clock_format(out->text, intent->created, shell_zone(shell), shell_now(shell));
    }
}

/* The amount is the file's where a row has its partner: how they differ stands beside it. */
static void line_cell(void *context, size_t at, int column, struct table_cell *out) {
    const struct match_drawn *drawn = context;
    const struct match_pane *pane = drawn->pane;
    const struct match_line *line = &pane->lines[pane->level].items[at];
    bool has_row = line->row != MATCH_NOWHERE;
    if (column == MATCH_COLUMN_LINE && has_row)
        str_addf(out->text, "%zu", pane->match->rows.items[line->row].line);
    else if (column == MATCH_COLUMN_LINE)
        str_add(out->text, "-");
    else if (column == MATCH_COLUMN_WHAT)
        add_match_what(pane->match, line, out->text);
    else if (line->intent == MATCH_NOWHERE ||
             (has_row && (column == MATCH_COLUMN_AMOUNT || column == MATCH_COLUMN_CURRENCY)))
        line_cell_of_row(pane->match, line, column, out->text);
    else
        line_cell_of_intent(drawn->shell, line, column, out);
}

/* What every line of an outcome would leave empty has no column, and how rows differ is the last to be cut. */
static void order_columns(struct match_pane *pane, struct table *table, int cols) {
    enum { WHAT_LEAST = 22, WHAT_WHOLE = 34, WHOLE_FROM = 78 };
    bool differs = pane->outcome == MATCH_DIFFERING, told = differs || pane->outcome == MATCH_AMBIGUOUS;
    bool filed = pane->outcome != MATCH_ONLY_HERE && pane->level == MATCH_LEVEL_LINES && cols >= BESIDE + CODE_BESIDE;
    pane->columns[MATCH_COLUMN_WHAT].title = differs ? "differs" : "candidates";
    pane->columns[MATCH_COLUMN_WHAT].min = differs && cols >= WHOLE_FROM ? WHAT_WHOLE : WHAT_LEAST;
    table->n_order = 0;
    for (int i = 0; i < MATCH_COLUMNS; i++)
        if ((i != MATCH_COLUMN_WHAT || told) && (i != MATCH_COLUMN_LINE || filed))
            table->order[table->n_order++] = i;
    table->column = table->order[0];
}

static void match_draw_head(const struct match_pane *pane, struct canvas *canvas, struct rect *area) {
    struct str text;
    str_init(&text, LINE_BYTES);
    if (pane->level == MATCH_LEVEL_CANDIDATES)
        str_addf(&text, "line %zu may be any of these %zu", pane->match->rows.items[pane->row].line,
                 pane->lines[pane->level].n);
    else
        add_match_counts(pane->match, pane->outcome, area->cols < BESIDE, &text);
    canvas_text(canvas, rect_take_rows(area, 1), 0, 1, match_role_of(pane->outcome), text.s);
    str_clear(&text);
}

/* What the table cuts of the line under the cursor, whole. */
static void match_draw_whole(const struct match_pane *pane, struct canvas *canvas, struct rect *area) {
    enum { WHOLE_ROWS = 2, ROWS_MIN_LEFT = 6 };
    size_t at = pane->tables[pane->level].cursor;
    struct str text;
    if (at >= pane->lines[pane->level].n || area->rows < WHOLE_ROWS + ROWS_MIN_LEFT)
        return;
    str_init(&text, LINE_BYTES);
    match_say_line(pane->match, &pane->lines[pane->level].items[at], &text);
    lines_draw(canvas, rect_inset(rect_take_rows(area, -WHOLE_ROWS), 0, 1, 0, 1), ROLE_DIM, text.s);
    str_clear(&text);
}

static void draw_lines(struct shell *shell, struct canvas *canvas, struct rect area) {
    enum { HEAD_ROWS_LEAST = 4 };
    struct match_pane *pane = match_pane_of(shell);
    struct table *table = &pane->tables[pane->level];
    struct match_drawn drawn = {shell, pane};
    struct table_source source = {.rows = pane->lines[pane->level].n, .cell = line_cell, .context = &drawn};
    if (area.rows >= HEAD_ROWS_LEAST)
        match_draw_head(pane, canvas, &area);
    match_draw_whole(pane, canvas, &area);
    order_columns(pane, table, area.cols);
    table_draw(table, canvas, area, &source, true);
}

/* ---- What was held against what ---- */

static void match_draw_file(const struct match_pane *pane, struct canvas *canvas, struct rect *area) {
    const struct match *match = pane->match;
    struct str text;
    str_init(&text, LINE_BYTES);
    utf8_sanitise(&text, pane->file, strlen(pane->file));
    str_add(&text, ": ");
    money_group_count(&text, match->rows.n);
    str_addf(&text, " row%s, on %s", plural_s(match->rows.n), match->options.on);
    canvas_text(canvas, rect_take_rows(area, 1), 0, 1, ROLE_TEXT, text.s);
    str_clear(&text);
}

/* How many intents, how far reading got, and of which filter: a bound never looks like a count. */
static void match_draw_reach(const struct shell *shell, struct canvas *canvas, struct rect *area) {
    const struct match_pane *pane = match_pane_of(shell);
    bool whole = coverage_is_whole(&pane->coverage), other = !str_equal(pane->filter, intents_filter(shell));
    struct str text;
    str_init(&text, LINE_BYTES);
    str_add(&text, "against ");
    money_group_count(&text, pane->match->intents.n);
    str_add(&text, whole || !pane->coverage.cached ? "" : " cached");
    str_addf(&text, " intent%s%s ", plural_s(pane->match->intents.n), whole ? "," : "");
    coverage_text(&pane->coverage, COVERAGE_BRIEF, shell_now(shell), &text);
    if (!whole)
        str_addf(&text, "; %s reads all", shell_key_of(shell, ACTION_MATCH_ALL));
    if (pane->outdated || other)
        str_addf(&text, "; %s since: %s matches again", other ? "the filter was changed" : "intents were read",
                 shell_key_of(shell, ACTION_MATCH_AGAIN));
    canvas_text(canvas, rect_take_rows(area, 1), 0, 1, whole && !pane->outdated && !other ? ROLE_OK : ROLE_WARN,
                text.s);
    if (*pane->filter)
        canvas_textf(canvas, rect_take_rows(area, 1), 0, 1, ROLE_DIM, "filter: %s", pane->filter);
    str_clear(&text);
}

/* How the file was read, below the outcomes, as far as there is room. */
static void match_draw_reading(const struct match_pane *pane, struct canvas *canvas, struct rect *area) {
    enum { TABLE_LEAST = 12, EDGE = 1 };
    struct str text;
    str_init(&text, LINE_BYTES);
    match_say_reading(pane->match, &text);
    if (text.len > 0)
        str_delete(&text, text.len - 1, 1); /* the end of its last line */
    int wanted = text.len > 0 ? lines_count(text.s, area->cols - 2 * EDGE) : 0, room = area->rows - TABLE_LEAST;
    if (room > 0 && wanted > 0)
        lines_draw(canvas, rect_inset(rect_take_rows(area, -(wanted < room ? wanted : room)), 0, EDGE, 0, EDGE),
                   ROLE_DIM, text.s);
    str_clear(&text);
}

static void match_draw_result(struct shell *shell, struct canvas *canvas, struct rect area) {
    enum { ROOMY = 8 };
    struct match_pane *pane = match_pane_of(shell);
    if (area.rows >= ROOMY)
        match_draw_file(pane, canvas, &area);
    if (area.rows > MATCH_OUTCOMES)
        match_draw_reach(shell, canvas, &area);
    match_draw_reading(pane, canvas, &area);
    draw_outcomes(shell, canvas, area);
}

void match_pane_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    const struct match_pane *pane = match_pane_of(shell);
    if (pane->stage == MATCH_ASKING)
        match_form_draw(shell, canvas, area);
    else if (pane->stage != MATCH_SHOWN)
        canvas_text(canvas, area, 1, 1, ROLE_DIM,
                    pane->stage == MATCH_READING ? "reading the file ..." : "matching ...");
    else if (pane->level == MATCH_LEVEL_OUTCOMES)
        match_draw_result(shell, canvas, area);
    else
        draw_lines(shell, canvas, area);
}
