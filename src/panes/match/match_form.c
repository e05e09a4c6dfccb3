/* What a match starts from: the file, what partners have in common, and what the command line has options for. */
#include "panes/match/match.h"

#include "app/days.h"
#include "base/mem.h"

enum { PATH_BYTES = 4096, ON_BYTES = 512, CODE_BYTES = 32, CHOICE_WORDS = 3 };

static const char *const LABELS[MATCH_FORM_FIELDS] = {
    [MATCH_FORM_FILE] = "CSV file",     [MATCH_FORM_ON] = "Match on",     [MATCH_FORM_MAP] = "Mapping file",
    [MATCH_FORM_CURRENCY] = "Currency", [MATCH_FORM_AMOUNTS] = "Amounts", [MATCH_FORM_DECIMAL] = "Decimal mark",
    [MATCH_FORM_DAYS] = "Days"};

/* The places are the values of the enums of app/match.h. */
static const char *const WORDS[MATCH_FORM_FIELDS][CHOICE_WORDS] = {
    [MATCH_FORM_AMOUNTS] = {"as written; refused if unclear", "integers, as the service has them",
                            "decimal amounts, as 1234.50"},
    [MATCH_FORM_DECIMAL] = {"as written; refused if unclear", "a point", "a comma"},
    [MATCH_FORM_DAYS] = {"as written; refused if unclear", "day first, as 31.12.2026", "month first, as 12/31/2026"}};

static const char *const GHOSTS[MATCH_FORM_FIELDS] = {[MATCH_FORM_ON] = "id, or amount,currency,created~1d",
                                                      [MATCH_FORM_MAP] = "none: headings are known names",
                                                      [MATCH_FORM_CURRENCY] = "a column has it"};

static bool match_form_is_path(int field) {
    return field == MATCH_FORM_FILE || field == MATCH_FORM_MAP;
}

static int match_form_focused(const struct match_pane *pane) {
    return pane->form.order[pane->form.focus];
}

static bool match_form_chooses(int field) {
    return WORDS[field][0] != NULL;
}

static void match_form_refresh(struct match_pane *pane) {
    pane->form.editing = !match_form_chooses(match_form_focused(pane));
    for (int i = 0; i < MATCH_FORM_FIELDS; i++)
        pane->form.rows[i].shown = WORDS[i][pane->choices[i]];
}

void match_form_init(struct match_pane *pane) {
    static const size_t BYTES[MATCH_FORM_FIELDS] = {[MATCH_FORM_ON] = ON_BYTES, [MATCH_FORM_CURRENCY] = CODE_BYTES};
    pane->form = (struct form){.n = MATCH_FORM_FIELDS};
    for (int i = 0; i < MATCH_FORM_FIELDS; i++) {
        struct form_row *row = &pane->form.rows[i];
        row->kind = match_form_chooses(i) ? FORM_CHOICE : FORM_TEXT;
        row->label = LABELS[i];
        row->ghost = GHOSTS[i];
        row->wide = true;
        pane->form.order[i] = i;
        edit_init(&row->edit, BYTES[i] > 0 ? BYTES[i] : PATH_BYTES);
    }
    edit_set(&pane->form.rows[MATCH_FORM_ON].edit, "id");
    match_form_refresh(pane);
}

void match_form_clear(struct match_pane *pane) {
    for (int i = 0; i < MATCH_FORM_FIELDS; i++)
        edit_clear(&pane->form.rows[i].edit);
}

struct match *match_form_new(const struct shell *shell) {
    struct str zone;
    str_init(&zone, ZONE_TEXT_MAX);
    days_text(shell_profile(shell), shell_zone(shell) == CLOCK_LOCAL, &zone);
    const struct match_pane *pane = match_pane_of(shell);
    const struct edit *currency = &pane->form.rows[MATCH_FORM_CURRENCY].edit;
    struct match *match = match_new(&(struct match_options){
        .on = pane->form.rows[MATCH_FORM_ON].edit.text.s,
        .currency = currency->text.len > 0 ? currency->text.s : NULL,
        .decimal = (enum match_decimal)pane->choices[MATCH_FORM_DECIMAL],
        .amounts = (enum match_amounts)pane->choices[MATCH_FORM_AMOUNTS],
        .days = (enum match_days)pane->choices[MATCH_FORM_DAYS],
        .money = profile_money(shell_profile(shell)),
        .zone = intents_context(shell).zone,
        .zone_words = zone.s,
        .console = true,
    });
    str_clear(&zone);
    return match;
}

static void match_form_turn(struct match_pane *pane, int step) {
    int field = match_form_focused(pane);
    pane->choices[field] = (pane->choices[field] + step + CHOICE_WORDS) % CHOICE_WORDS;
}

bool match_form_hint(const struct shell *shell, struct str *out) {
    int field = match_form_focused(match_pane_of(shell));
    str_addf(out, "Tab next, %sEnter matches, Esc back to the list",
             match_form_is_path(field)   ? "Right completes the path, "
             : match_form_chooses(field) ? "Left Right choose, "
                                         : "");
    return true;
}

/* False: not a key of the form. */
bool match_form_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    bool chooses = match_form_chooses(match_form_focused(pane));
    if (key == INPUT_ENTER)
        match_pane_start(shell, effects);
    else if (key == INPUT_TAB || key == INPUT_DOWN)
        form_move(&pane->form, 1);
    else if (key == INPUT_BACK_TAB || key == INPUT_UP)
        form_move(&pane->form, -1);
    else if (match_form_is_path(match_form_focused(pane)) && path_field_key(&pane->path, &pane->form, key, effects))
        return true;
    else if (!chooses)
        path_field_type(shell, &pane->form, key);
    else if (key == INPUT_LEFT || key == INPUT_RIGHT || key == ' ')
        match_form_turn(pane, key == INPUT_LEFT ? -1 : 1);
    else
        return false;
    match_form_refresh(pane);
    return true;
}

/* Letters on a choice are actions, since nothing can be typed there. */
bool match_form_act(struct shell *shell, int action) {
    struct match_pane *pane = match_pane_of(shell);
    bool chooses = match_form_chooses(match_form_focused(pane));
    if (action == ACTION_DOWN || action == ACTION_UP)
        form_move(&pane->form, action == ACTION_DOWN ? 1 : -1);
    else if (action == ACTION_FIRST || action == ACTION_LAST)
        form_move(&pane->form, action == ACTION_LAST ? MATCH_FORM_FIELDS : -MATCH_FORM_FIELDS);
    else if ((action == ACTION_LEFT || action == ACTION_RIGHT) && chooses)
        match_form_turn(pane, action == ACTION_LEFT ? -1 : 1);
    else
        return false;
    match_form_refresh(pane);
    return true;
}

void match_form_paste(struct shell *shell, const char *text) {
    struct form_row *row = form_focused(&match_pane_of(shell)->form);
    if (row->kind == FORM_TEXT && shell_paste_into(shell, &row->edit, text))
        row->wrong = false;
}

void match_form_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    static const char *const HELP[] = {
        "The first line names the columns: id, amount, currency, created, status ...",
        "Rows are partners where the fields of \"Match on\" are equal; created~1d may be",
        "24 hours apart (no business day). The other columns are compared. Of more than",
        "one candidate none is chosen: they are listed. The filter on show applies."};
    enum { MARGIN = 1, ROOM = MATCH_FORM_FIELDS + 2 + (int)COUNT_OF(HELP) };
    struct match_pane *pane = match_pane_of(shell);
    bool roomy = area.rows >= ROOM && area.cols > FORM_NARROW;
    form_draw(&pane->form, canvas, roomy ? rect_inset(area, MARGIN, 0, 0, 0) : area);
    for (int i = 0; roomy && i < (int)COUNT_OF(HELP); i++)
        canvas_text(canvas, area, MATCH_FORM_FIELDS + 2 + i, 2, ROLE_DIM, HELP[i]);
}
