/* What an import starts from: the file, and what the command line has options for. */
#include "panes/import/import.h"

#include "base/mem.h"

#include <string.h>

enum { PATH_BYTES = 4096, NUMBER_BYTES = 10, CHOICE_WORDS = 2 };

static const char *const LABELS[IMPORT_FIELDS] = {
    [IMPORT_FIELD_FILE] = "CSV file",           [IMPORT_FIELD_MAP] = "Mapping file",
    [IMPORT_FIELD_AGAIN] = "Looks sent before", [IMPORT_FIELD_REFUSED] = "Refused before",
    [IMPORT_FIELD_UNKNOWN] = "Outcome unknown", [IMPORT_FIELD_FAILURES] = "Stops after",
    [IMPORT_FIELD_PACE] = "Rows a minute"};

/* The first choice of each is the default: the one that sends less. */
static const char *const WORDS[IMPORT_FIELDS][CHOICE_WORDS] = {
    [IMPORT_FIELD_AGAIN] = {"it is refused here", "it is sent all the same"},
    [IMPORT_FIELD_REFUSED] = {"it stays refused", "it is sent once more"},
    [IMPORT_FIELD_UNKNOWN] = {"it stops there", "it is left, the rest goes on"}};

static const char *const NOTES[IMPORT_FIELDS] = {[IMPORT_FIELD_AGAIN] = "tag, e-mail, phone, name",
                                                 [IMPORT_FIELD_REFUSED] = "by the service",
                                                 [IMPORT_FIELD_FAILURES] = "refusals; empty: never",
                                                 [IMPORT_FIELD_PACE] = "at most; empty: no limit"};

static bool *choice_of(struct import_pane *pane, int field) {
    switch (field) {
    case IMPORT_FIELD_AGAIN:
        return &pane->options.again;
    case IMPORT_FIELD_REFUSED:
        return &pane->options.refused;
    case IMPORT_FIELD_UNKNOWN:
        return &pane->options.skip_unknown;
    default:
        return NULL;
    }
}

static bool is_path(int field) {
    return field == IMPORT_FIELD_FILE || field == IMPORT_FIELD_MAP;
}

static int import_form_focused(const struct import_pane *pane) {
    return pane->form.order[pane->form.focus];
}

static void import_form_refresh(struct import_pane *pane) {
    pane->form.editing = choice_of(pane, import_form_focused(pane)) == NULL;
    for (int i = 0; i < IMPORT_FIELDS; i++) {
        const bool *choice = choice_of(pane, i);
        pane->form.rows[i].shown = choice ? WORDS[i][*choice] : NULL;
    }
}

void import_form_init(struct import_pane *pane) {
    pane->form = (struct form){.n = IMPORT_FIELDS};
    pane->options = (struct import_options){.ask_mapping = true, .resume = true};
    for (int i = 0; i < IMPORT_FIELDS; i++) {
        struct form_row *row = &pane->form.rows[i];
        row->kind = choice_of(pane, i) ? FORM_CHOICE : FORM_TEXT;
        row->label = LABELS[i];
        row->note = NOTES[i];
        row->note_role = ROLE_DIM;
        pane->form.order[i] = i;
        edit_init(&row->edit, is_path(i) ? PATH_BYTES : NUMBER_BYTES);
    }
    pane->form.rows[IMPORT_FIELD_MAP].ghost = "none: its columns come next";
    import_form_refresh(pane);
}

void import_form_clear(struct import_pane *pane) {
    for (int i = 0; i < IMPORT_FIELDS; i++)
        edit_clear(&pane->form.rows[i].edit);
}

static bool read_failures(const char *text, long long *out) {
    return str_to_int64(text, strlen(text), out) && *out > 0;
}

/* Of a field that may be empty, which is 0. */
static bool import_form_take_number(struct shell *shell, int field, bool (*read)(const char *text, long long *out),
                                    long long *out) {
    struct import_pane *pane = import_of(shell);
    const char *text = pane->form.rows[field].edit.text.s;
    long long n = 0;
    bool good = *text == '\0' || read(text, &n);
    *out = good ? n : 0;
    pane->form.rows[field].wrong = !good;
    if (!good)
        form_focus(&pane->form, field);
    return good;
}

static bool import_form_take_numbers(struct shell *shell) {
    struct import_options *options = &import_of(shell)->options;
    if (!import_form_take_number(shell, IMPORT_FIELD_FAILURES, read_failures, &options->failures)) {
        shell_message(shell, ROLE_ERROR, "it stops after a number of refusals, or leave the field empty");
    } else if (!import_form_take_number(shell, IMPORT_FIELD_PACE, import_read_pace, &options->pace)) {
        shell_message(shell, ROLE_ERROR, "rows a minute are 1 to %d, as in 30, or leave the field empty",
                      IMPORT_PACE_MAX);
    } else {
        return true;
    }
    return false;
}

/* An earlier run is always continued: what was sent is never sent again, and the review says so before it starts. */
void import_form_open(struct shell *shell, struct effects *effects) {
    struct import_pane *pane = import_of(shell);
    const struct edit *file = &pane->form.rows[IMPORT_FIELD_FILE].edit, *map = &pane->form.rows[IMPORT_FIELD_MAP].edit;
    if (file->text.len == 0) {
        form_focus(&pane->form, IMPORT_FIELD_FILE);
        shell_message(shell, ROLE_WARN, "type the path of a CSV file");
    } else if (import_form_take_numbers(shell)) {
        pane->column = 0;
        pane->options.folder = shell_options(shell)->demo_folder;
        table_first(&pane->table);
        import_open(&pane->import, file->text.s, map->text.len > 0 ? map->text.s : NULL, &pane->options, effects);
    }
    import_form_refresh(pane);
}

bool import_form_event(struct shell *shell, const struct event *event) {
    struct import_pane *pane = import_of(shell);
    return path_field_event(shell, &pane->path, &pane->form, event);
}

bool import_form_hint(const struct shell *shell, struct str *out) {
    bool path = is_path(import_form_focused(import_of(shell)));
    str_addf(out, "Tab next, %s, Enter reads the file, Esc back to the form",
             path ? "Right completes the path" : "Left Right choose");
    return true;
}

/* False: not a key of the form. */
bool import_form_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct import_pane *pane = import_of(shell);
    bool *choice = choice_of(pane, import_form_focused(pane));
    if (key == INPUT_ENTER)
        import_form_open(shell, effects);
    else if (key == INPUT_TAB || key == INPUT_DOWN)
        form_move(&pane->form, 1);
    else if (key == INPUT_BACK_TAB || key == INPUT_UP)
        form_move(&pane->form, -1);
    else if (is_path(import_form_focused(pane)) && path_field_key(&pane->path, &pane->form, key, effects))
        return true;
    else if (!choice)
        path_field_type(shell, &pane->form, key);
    else if (key == INPUT_LEFT || key == INPUT_RIGHT || key == ' ')
        *choice = !*choice;
    else
        return false;
    import_form_refresh(pane);
    return true;
}

/* Letters on a choice are actions, since nothing can be typed there. False: another view's action. */
bool import_form_act(struct shell *shell, int action) {
    struct import_pane *pane = import_of(shell);
    bool *choice = choice_of(pane, import_form_focused(pane));
    if (action == ACTION_DOWN || action == ACTION_UP)
        form_move(&pane->form, action == ACTION_DOWN ? 1 : -1);
    else if (action == ACTION_FIRST || action == ACTION_LAST)
        form_move(&pane->form, action == ACTION_LAST ? IMPORT_FIELDS : -IMPORT_FIELDS);
    else if ((action == ACTION_LEFT || action == ACTION_RIGHT) && choice)
        *choice = !*choice;
    else if (action == ACTION_IMPORT_SKIP)
        pane->options.skip_unknown = !pane->options.skip_unknown;
    else
        return false;
    import_form_refresh(pane);
    return true;
}

void import_form_paste(struct shell *shell, const char *text) {
    struct form_row *row = form_focused(&import_of(shell)->form);
    if (row->kind == FORM_TEXT)
        (void)shell_paste_into(shell, &row->edit, text);
}

void import_form_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    static const char *const HELP[] = {"The first line names the fields: first name, e-mail, zip, tag ...",
                                       "Every cell is text and is sent as it stands, one row after the other.",
                                       "What became of each row comes into NAME.result.csv beside it."};
    static const char DEMO[] = "What became of each row comes into the demo's own folder, and goes with it.";
    enum { MARGIN = 1, ROOM = IMPORT_FIELDS + 2 + (int)COUNT_OF(HELP) };
    struct import_pane *pane = import_of(shell);
    struct rect form = area;
    bool roomy = area.rows >= ROOM && area.cols >= FORM_NARROW;
    form_draw(&pane->form, canvas, roomy ? rect_inset(form, MARGIN, 0, 0, 0) : form);
    for (int i = 0; roomy && i < (int)COUNT_OF(HELP); i++)
        canvas_text(canvas, area, IMPORT_FIELDS + 2 + i, 2, ROLE_DIM,
                    shell_options(shell)->demo_folder && i == (int)COUNT_OF(HELP) - 1 ? DEMO : HELP[i]);
}
