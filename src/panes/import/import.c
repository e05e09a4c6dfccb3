#include "panes/import/import.h"

#include "panes/shell/moves.h"

#include "base/mem.h"

#include <string.h>

enum { RECORDS_BYTES = 256, WORD_BYTES = 256 };

static const struct table_column COLUMNS[IMPORT_TABLE_COLUMNS] = {
    [IMPORT_COLUMN_LINE] = {.title = "line", .min = 6, .want = 6, .right = true},
    [IMPORT_COLUMN_STATE] = {.title = "state", .min = 8, .want = 8},
    [IMPORT_COLUMN_WHAT] = {.title = "id, or why not", .min = 8, .want = 24, .grow = 1},
};

static void pane_import_init(struct shell *shell) {
    struct import_pane *pane = import_of(shell);
    import_init(&pane->import, shell_profile(shell));
    import_form_init(pane);
    memcpy(pane->columns, COLUMNS, sizeof COLUMNS);
    table_init(&pane->table, pane->columns, IMPORT_TABLE_COLUMNS);
    review_init(&pane->review);
}

static void pane_import_clear(struct shell *shell) {
    struct import_pane *pane = import_of(shell);
    import_clear(&pane->import);
    import_form_clear(pane);
    review_clear(&pane->review);
}

static bool is_asking(const struct import_pane *pane) {
    return pane->import.stage == IMPORT_EMPTY || pane->import.stage == IMPORT_FAILED;
}

static bool is_running(const struct shell *shell) {
    enum import_stage stage = import_of(shell)->import.stage;
    return stage == IMPORT_RUNNING || stage == IMPORT_PAUSED;
}

static bool open_import(struct shell *shell, const void *argument, struct effects *effects) {
    (void)argument;
    (void)effects;
    shell_message_clear(shell);
    return true;
}

/* The cursor follows the row that is being sent, until the operator moves it. */
static void pane_import_follow(struct import_pane *pane, size_t before) {
    if (pane->import.stage == IMPORT_RUNNING && pane->table.cursor == before && pane->import.at < pane->import.rows.n)
        table_move(&pane->table, pane->import.rows.n, (long)pane->import.at - (long)before);
}

/* ---- The steps ---- */

static void pane_import_open_review(struct shell *shell) {
    struct import_pane *pane = import_of(shell);
    struct error error = {0};
    if (shell_is_read_only(shell)) {
        shell_message(shell, ROLE_WARN, "this profile is read-only: nothing can be registered");
    } else if (import_count(&pane->import).of[IMPORT_WAITING] == 0) {
        shell_message(shell, ROLE_WARN, "no row is left to be sent");
    } else if (!pane->import.options.skip_unknown && import_may_start(&pane->import, &error) != ERR_OK) {
        shell_message(shell, ROLE_WARN, "unknown rows of an earlier run: settle them in Activity, or %s leaves them",
                      shell_key_of(shell, ACTION_IMPORT_SKIP));
    } else {
        struct str word;
        str_init(&word, WORD_BYTES);
        create_word(shell_profile(shell), 0, &word);
        pane->reviewing = true;
        review_open(shell, &pane->review, word.s);
        str_clear(&word);
    }
}

/* The cursor goes to the first column that is not known; false: all are. */
static bool find_unknown_column(struct import_pane *pane) {
    for (size_t i = 0; i < pane->import.columns.n; i++) {
        if (pane->import.columns.items[i].field == IMPORT_NOT_KNOWN) {
            pane->column = i;
            return true;
        }
    }
    return false;
}

static void say_unknown_columns(struct shell *shell) {
    struct import_pane *pane = import_of(shell);
    struct str numbers;
    size_t n = 0;
    str_init(&numbers, RECORDS_BYTES);
    for (size_t i = 0; i < pane->import.columns.n; i++)
        if (pane->import.columns.items[i].field == IMPORT_NOT_KNOWN)
            str_addf(&numbers, "%s%zu", n++ > 0 ? ", " : "", i + 1);
    shell_message(shell, ROLE_ERROR, "column%s %s %s not known: %s %s choose %s field, or leave it out", plural_s(n),
                  numbers.s, n == 1 ? "is" : "are", shell_key_of(shell, ACTION_LEFT), shell_key_of(shell, ACTION_RIGHT),
                  n == 1 ? "its" : "each one's");
    str_clear(&numbers);
}

static void pane_import_file_go_on(struct shell *shell, struct effects *effects) {
    struct import_pane *pane = import_of(shell);
    struct error error = {0};
    if (pane->import.stage == IMPORT_MAPPING && find_unknown_column(pane))
        say_unknown_columns(shell);
    else if (pane->import.stage == IMPORT_MAPPING &&
             import_map_done(&pane->import, shell_now(shell), effects, &error) == ERR_INVALID && error.code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", error.text);
    else if (pane->import.stage == IMPORT_READY)
        pane_import_open_review(shell);
}

/* A run that ended before its last row goes on with the rest, after another review. */
static void go_again(struct shell *shell) {
    struct import_pane *pane = import_of(shell);
    if (import_again(&pane->import))
        shell_message(shell, ROLE_INFO, "%s shows what will be sent", shell_key_of(shell, ACTION_REVIEW));
    else
        shell_message(shell, ROLE_INFO, "no row is left to be sent");
}

static void pause(struct shell *shell, struct effects *effects) {
    struct import *import = &import_of(shell)->import;
    if (import->stage == IMPORT_ENDED) {
        go_again(shell);
    } else if (import->stage == IMPORT_PAUSED) {
        size_t before = import->at;
        import_go_on(import, shell_now(shell), effects); /* past rows that are not sent */
        pane_import_follow(import_of(shell), before);
    } else if (import->stage == IMPORT_RUNNING) {
        import_pause(import);
        shell_message(shell, ROLE_INFO, "pausing after the row that is on its way");
    }
}

static void toggle_unknown(struct shell *shell) {
    struct import_options *options = &import_of(shell)->import.options;
    if (import_of(shell)->import.stage == IMPORT_ENDED) {
        options->skip_unknown = true;
        go_again(shell);
        return;
    }
    options->skip_unknown = !options->skip_unknown;
    shell_message(shell, ROLE_INFO,
                  options->skip_unknown ? "rows of unknown outcome are left, the rest goes on"
                                        : "it stops at the first row of unknown outcome");
}

/* ---- Columns ---- */

static void move_column(struct import_pane *pane, int action) {
    size_t n = pane->import.columns.n;
    if (action == ACTION_DOWN && pane->column + 1 < n)
        pane->column++;
    else if (action == ACTION_UP && pane->column > 0)
        pane->column--;
    else if (action == ACTION_FIRST)
        pane->column = 0;
    else if (action == ACTION_LAST)
        pane->column = n > 0 ? n - 1 : 0;
}

static bool pane_import_is_taken(const struct import_pane *pane, int field) {
    for (size_t i = 0; i < pane->import.columns.n; i++)
        if (i != pane->column && pane->import.columns.items[i].field == field)
            return true;
    return false;
}

/* Skips fields that other columns have already. */
static void turn_column(struct import_pane *pane, int step) {
    enum { CHOICES = USER_FIELD_COUNT + 1 }; /* the fields, and "left out" */
    int field = pane->column < pane->import.columns.n ? pane->import.columns.items[pane->column].field : 0;
    int proposed = field == IMPORT_NOT_KNOWN ? import_propose(&pane->import, pane->column) : IMPORT_LEFT_OUT;
    if (proposed >= 0) {
        import_set_column(&pane->import, pane->column, proposed);
        return;
    }
    int at = field == IMPORT_NOT_KNOWN ? (step > 0 ? USER_FIELD_COUNT : 0) : field < 0 ? USER_FIELD_COUNT : field;
    do {
        at = (at + step + CHOICES) % CHOICES;
    } while (at != USER_FIELD_COUNT && pane_import_is_taken(pane, at));
    import_set_column(&pane->import, pane->column, at == USER_FIELD_COUNT ? IMPORT_LEFT_OUT : at);
}

static bool act_on_columns(struct shell *shell, int action) {
    struct import_pane *pane = import_of(shell);
    if (action == ACTION_LEFT || action == ACTION_RIGHT) {
        turn_column(pane, action == ACTION_RIGHT ? 1 : -1);
        return true;
    }
    move_column(pane, action);
    return action == ACTION_DOWN || action == ACTION_UP || action == ACTION_FIRST || action == ACTION_LAST;
}

static bool pane_import_back(struct shell *shell, struct effects *effects);

static bool pane_import_act(struct shell *shell, int action, struct effects *effects) {
    struct import_pane *pane = import_of(shell);
    if (is_asking(pane) && import_form_act(shell, action))
        return true;
    switch (action) {
    case ACTION_REVIEW:
    case ACTION_FIELD:
        pane_import_file_go_on(shell, effects);
        return true;
    case ACTION_IMPORT_PAUSE:
        pause(shell, effects);
        return true;
    case ACTION_IMPORT_SKIP:
        toggle_unknown(shell);
        return true;
    case ACTION_CANCEL:
        return pane_import_back(shell, effects);
    case ACTION_IMPORT:
    case ACTION_NEW_DRAFT:
    case ACTION_DRAFTS:
    case ACTION_DISCARD:
    case ACTION_PRIVACY:
    case ACTION_COPY_ID:
        return true; /* the form below is drawn */
    default:
        return pane->import.stage == IMPORT_MAPPING
                   ? act_on_columns(shell, action)
                   : table_act(&import_of(shell)->table, import_of(shell)->import.rows.n, action);
    }
}

static bool pane_import_back(struct shell *shell, struct effects *effects) {
    struct import_pane *pane = import_of(shell);
    if (is_running(shell)) {
        import_stop(&pane->import, effects);
        shell_message(shell, ROLE_INFO,
                      "stopping after the row being sent; importing the file again goes on from there");
        return true;
    }
    if (is_asking(pane))
        (void)shell_stand_in(shell, PANE_REGISTER, PANE_REGISTER, effects);
    import_clear(&pane->import);
    return true;
}

/* ---- Keys and text ---- */

static bool file_key(struct shell *shell, int32_t key, struct effects *effects) {
    bool taken = true;
    if (key == INPUT_ESCAPE || key == KEY_CTRL('C'))
        (void)pane_import_back(shell, effects);
    else
        taken = import_form_key(shell, key, effects);
    shell_redraw(shell);
    return taken;
}

static bool pane_import_key(struct shell *shell, int32_t pressed, struct effects *effects) {
    struct import_pane *pane = import_of(shell);
    if (is_asking(pane))
        return file_key(shell, pressed, effects);
    if (!pane->reviewing)
        return false;
    enum review_answer answer = review_key(shell, &pane->review, pressed);
    pane->reviewing = answer == REVIEW_OPEN;
    if (answer == REVIEW_YES) {
        table_first(&pane->table); /* at the row where it starts, wherever the cursor was */
        import_start(&pane->import, shell_now(shell), effects);
    }
    return true;
}

static bool pane_import_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct import_pane *pane = import_of(shell);
    (void)effects;
    if (!is_asking(pane))
        return pane->reviewing; /* pasted text confirms nothing */
    import_form_paste(shell, text);
    shell_redraw(shell);
    return true;
}

/* ---- Events ---- */

static bool pane_import_tell_unknown(struct shell *shell) {
    const struct import *import = &import_of(shell)->import;
    size_t unknown = import_count(import).of[IMPORT_UNKNOWN];
    bool of_them = import->stop.code == ERR_OK || import->stop.code == ERR_UNKNOWN || import->stopping;
    struct str records;
    if (unknown == 0 || !of_them)
        return false;
    str_init(&records, RECORDS_BYTES);
    size_t n = import_unknown_records(import, &records);
    shell_message(shell, ROLE_WARN, "%s%zu row%s of unknown outcome%s%s; Activity settles %s",
                  import->stop.code != ERR_OK ? "stopped: " : "", unknown, plural_s(unknown),
                  n == 0   ? ""
                  : n == 1 ? ", record "
                           : ", records ",
                  records.s, unknown == 1 ? "it" : "them");
    str_clear(&records);
    return true;
}

static void tell_end(struct shell *shell) {
    const struct import *import = &import_of(shell)->import;
    struct error error = {0};
    if (pane_import_tell_unknown(shell))
        return;
    if (import->stopping && import_count(import).of[IMPORT_WAITING] > 0)
        shell_message(shell, ROLE_INFO, "stopped; %s goes on with the rest", shell_key_of(shell, ACTION_IMPORT_PAUSE));
    else if (import->stop.code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", import->stop.text);
    else if (import_verdict(import, &error) != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s", error.text);
    else
        shell_message(shell, ROLE_INFO, "every row was registered: %s", import->results_path);
}

static void pane_import_take_stage(struct shell *shell, enum import_stage before) {
    const struct import *import = &import_of(shell)->import;
    if (import->stage == before)
        return;
    if (import->stage == IMPORT_MAPPING)
        (void)find_unknown_column(import_of(shell));
    else if (import->stage == IMPORT_FAILED)
        shell_message(shell, ROLE_ERROR, "%s", import->stop.text);
    else if (import->stage == IMPORT_READY && import->read_as && !import->notice)
        shell_message(shell, ROLE_INFO, "read otherwise than as a plain CSV: %s", import->read_as);
    else if (import->stage == IMPORT_READY && import->notice)
        shell_message(shell, ROLE_WARN, "%s", import->notice);
    else if (import->stage == IMPORT_ENDED)
        tell_end(shell);
}

static bool pane_import_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct import_pane *pane = import_of(shell);
    enum import_stage before = pane->import.stage;
    size_t at = pane->import.at;
    if (import_form_event(shell, given))
        return true;
    if (!import_update(&pane->import, given, effects))
        return false;
    pane_import_follow(pane, at);
    pane_import_take_stage(shell, before);
    shell_redraw(shell);
    return true;
}

static void hint_rows(const struct shell *shell, enum import_stage stage, struct str *out) {
    if (stage == IMPORT_READY) {
        shell_hint(shell, ACTION_REVIEW, "what will be sent", out);
        shell_hint(shell, ACTION_IMPORT_SKIP, "unknown ones", out);
    } else {
        shell_hint(shell, ACTION_IMPORT_PAUSE, stage == IMPORT_PAUSED ? "goes on" : "pauses", out);
    }
    if (stage == IMPORT_RUNNING)
        shell_hint(shell, ACTION_IMPORT_SKIP, "unknown ones", out);
}

/* Text fields and questions have fixed keys, whatever the key map says. */
static bool pane_import_hint(const struct shell *shell, struct str *out) {
    static const char *const BACKS[] = {[IMPORT_OPENING] = "cancels",
                                        [IMPORT_LOOKING] = "cancels",
                                        [IMPORT_MAPPING] = "another file",
                                        [IMPORT_READY] = "another file",
                                        [IMPORT_ENDED] = "another file",
                                        [IMPORT_PAUSED] = "stops",
                                        [IMPORT_RUNNING] = "stops after this row"};
    enum import_stage stage = import_of(shell)->import.stage;
    if (import_of(shell)->reviewing) {
        str_add(out, "Tab or Right chooses, Enter answers, Esc back to the rows");
        return true;
    }
    if (stage == IMPORT_EMPTY || stage == IMPORT_FAILED)
        return import_form_hint(shell, out);
    if (stage == IMPORT_MAPPING) {
        str_addf(out, "%s %s choose the field", shell_key_of(shell, ACTION_LEFT), shell_key_of(shell, ACTION_RIGHT));
        shell_hint(shell, ACTION_FIELD, "checks the rows", out);
    } else if (stage == IMPORT_ENDED && import_count(&import_of(shell)->import).of[IMPORT_WAITING] > 0) {
        shell_hint(shell, ACTION_IMPORT_PAUSE, "goes on", out);
        shell_hint(shell, ACTION_IMPORT_SKIP, "leaves unknown ones and goes on", out);
    } else if (stage == IMPORT_READY || stage == IMPORT_RUNNING || stage == IMPORT_PAUSED) {
        hint_rows(shell, stage, out);
    }
    shell_hint(shell, ACTION_BACK, BACKS[stage], out);
    return true;
}

/* ---- For the console ---- */

static void pane_import_clock_set(struct shell *shell, struct event *given, struct effects *effects) {
    (void)import_update(&import_of(shell)->import, given, effects);
}

static bool is_filled(const struct shell *shell) {
    const struct import_pane *pane = import_of(shell);
    return shell_stands(shell, PANE_IMPORT) && is_asking(pane) && pane->form.rows[IMPORT_FIELD_FILE].edit.text.len > 0;
}

static const char *pane_import_cost(const struct shell *shell, enum leave_cost *cost) {
    if (is_running(shell)) {
        *cost = LEAVE_IMPORT;
        return "An import is running. Leaving now makes the row on its way unknown;\n"
               "importing the same file again goes on from there.";
    }
    *cost = is_filled(shell) ? LEAVE_PREPARED : LEAVE_NOTHING;
    return "An import is prepared and not begun. Its form is not kept.";
}

static struct review *pane_import_review(struct shell *shell) {
    return &import_of(shell)->review;
}

static bool pane_import_is_reviewing(const struct shell *shell) {
    return import_of(shell)->reviewing;
}

const struct pane import_pane = {.title = "Register",
                                 .sections = {"register", "list"},
                                 .size = sizeof(struct import_pane),
                                 .init = pane_import_init,
                                 .clear = pane_import_clear,
                                 .open = open_import,
                                 .draw = import_pane_draw,
                                 .hint = pane_import_hint,
                                 .key = pane_import_key,
                                 .act = pane_import_act,
                                 .paste = pane_import_paste,
                                 .back = pane_import_back,
                                 .event = pane_import_event,
                                 .clock_set = pane_import_clock_set,
                                 .is_writing = is_running,
                                 .cost = pane_import_cost,
                                 .review = pane_import_review,
                                 .is_reviewing = pane_import_is_reviewing};
