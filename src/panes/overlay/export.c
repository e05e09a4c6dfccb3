#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "panes/intents/list.h"
#include "ui/dialog.h"
#include "ui/form.h"
#include "ui/lines.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT, ROWS, SAMPLE, SEED, COLUMNS, VALUES, FILE_NAME, WRITE, FIELDS };

enum { PATH_MAX_BYTES = 1024, PLACE_BYTES = 8192, HUNDRED = 100 };
enum { NUMBER_BYTES = 12 };
enum { BOX_ROWS = 12, BOX_COLS = 74, BOX_COLS_MAX = 120, FAILURE_EDGE = 2 /* its letter */ };

static const struct {
    const char *name, *extension;
    enum record_format format;
    bool spreadsheet;
} FORMATS[] = {{"CSV", "csv", RECORD_CSV, false},
               {"CSV for Excel", "csv", RECORD_CSV, true},
               {"JSON, one array", "json", RECORD_JSON, false},
               {"NDJSON, one intent a line", "ndjson", RECORD_NDJSON, false},
               {"SQLite", "sqlite", RECORD_CELLS, false}};

/* The choices of the next export, and the export that is running. */
struct export_choice {
    struct form form;
    size_t format; /* of FORMATS */
    bool marks, on_screen, masked;
    bool all;       /* pages that were not read are read first */
    char *proposed; /* the proposed file name */
    bool named;     /* another name was typed */
    char *failure;  /* why the file could not be made; NULL: it was not tried with these choices */
    char *waiting;  /* the filter of the rows that are being read first; NULL: the export waits for none */
    char *rows_text;
    struct export_job job;
};

static struct export_choice *export_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_EXPORT);
}

static void overlay_export_clear(struct shell *shell) {
    struct export_choice *pane = export_of(shell);
    export_clear(&pane->job);
    for (int i = 0; i < FIELDS; i++)
        edit_clear(&pane->form.rows[i].edit);
    free(pane->rows_text);
    free(pane->waiting);
    free(pane->proposed);
    free(pane->failure);
}

static void forget_failure(struct export_choice *pane) {
    free(pane->failure);
    pane->failure = NULL;
    pane->form.rows[FILE_NAME].wrong = false;
}

static size_t rows_at_hand(const struct shell *shell) {
    struct view_list list;
    intents_list(shell, &list);
    return export_of(shell)->marks ? intents_marks(shell) : list.rows - list.left;
}

/* The name of a file that does not have all rows says so. */
static void overlay_export_name_file(struct export_choice *pane, const struct shell *shell) {
    enum { TIME_LEN = 19 };
    struct str text, at;
    if (pane->named)
        return;
    str_init(&text, PATH_MAX_BYTES);
    str_init(&at, 64);
    clock_format(&at, shell_now(shell), CLOCK_UTC, shell_now(shell));
    str_addf(&text, "bursar-%s-", shell_profile(shell)->name);
    for (size_t i = 0; i < at.len && i < TIME_LEN; i++)
        if (at.s[i] != ':' && at.s[i] != '-')
            str_add_char(&text, at.s[i] == ' ' ? '-' : at.s[i]);
    bool partly = !pane->marks && !pane->all && !intents_is_whole(shell);
    str_addf(&text, "%s.%s", partly ? "-so-far" : "", FORMATS[pane->format].extension);
    edit_set(&pane->form.rows[FILE_NAME].edit, text.s);
    free(pane->proposed);
    pane->proposed = str_take(&text);
    str_clear(&at);
}

static void rows_words(struct shell *shell) {
    struct str text;
    str_init(&text, 128);
    if (export_of(shell)->all) {
        str_add(&text, "list: all of it");
    } else {
        str_add(&text, export_of(shell)->marks ? "marked: " : "list: ");
        money_group_count(&text, rows_at_hand(shell));
        str_add(&text, !export_of(shell)->marks && !intents_is_whole(shell) ? " so far" : "");
    }
    free(export_of(shell)->rows_text);
    export_of(shell)->rows_text = str_take(&text);
}

static void set_notes(struct export_choice *pane, bool whole) {
    struct form_row *rows = pane->form.rows;
    rows[ROWS].note = pane->all ? "every page is read first" : pane->marks || whole ? NULL : "Space: read all first";
    rows[ROWS].note_role = pane->all ? ROLE_DIM : ROLE_WARN;
    rows[FORMAT].note = FORMATS[pane->format].spreadsheet              ? "text stays text"
                        : FORMATS[pane->format].format == RECORD_CSV   ? "import columns as text"
                        : FORMATS[pane->format].format == RECORD_CELLS ? "tables intents, about"
                                                                       : NULL;
    bool sampled = rows[SAMPLE].edit.text.len > 0;
    rows[SAMPLE].note = sampled ? "drawn by the seed" : NULL;
    rows[SEED].note = sampled ? "same seed, same rows" : NULL;
    rows[SEED].unused = !sampled;
    rows[SAMPLE].note_role = rows[SEED].note_role = ROLE_DIM;
    rows[VALUES].note = pane->masked ? NULL : "personal data in clear";
    rows[VALUES].note_role = ROLE_WARN;
    rows[FORMAT].note_role = rows[FILE_NAME].note_role = ROLE_DIM;
}

static void overlay_export_refresh(struct shell *shell) {
    struct export_choice *pane = export_of(shell);
    struct form_row *rows = pane->form.rows;
    bool columns = record_has_columns(FORMATS[pane->format].format);
    rows_words(shell);
    rows[FORMAT].shown = FORMATS[pane->format].name;
    rows[ROWS].shown = pane->rows_text;
    rows[COLUMNS].shown = !columns ? "every field" : pane->on_screen ? "those chosen for the list" : "every field";
    rows[COLUMNS].unused = !columns;
    rows[VALUES].shown = pane->masked ? "masked" : "as served";
    set_notes(pane, intents_is_whole(shell));
}

static void typed(struct shell *shell) {
    struct export_choice *pane = export_of(shell);
    struct form_row *row = &pane->form.rows[FILE_NAME];
    pane->named = !str_equal(row->edit.text.s, pane->proposed);
    row->note = NULL;
    pane->form.rows[SAMPLE].wrong = pane->form.rows[SEED].wrong = false;
    forget_failure(pane);
    overlay_export_refresh(shell);
}

static bool is_text_row(int row) {
    return row == SAMPLE || row == SEED || row == FILE_NAME;
}

static void set_texts(struct form_row *rows) {
    edit_init(&rows[FILE_NAME].edit, PATH_MAX_BYTES);
    edit_init(&rows[SAMPLE].edit, NUMBER_BYTES);
    edit_init(&rows[SEED].edit, NUMBER_BYTES);
    rows[SAMPLE].ghost = "every row";
    rows[SEED].ghost = "taken from the clock";
    rows[FILE_NAME].wide = true;
}

static bool open_export(struct shell *shell, const void *argument, struct effects *effects) {
    static const char *const LABELS[FIELDS] = {
        [FORMAT] = "format",   [ROWS] = "rows",     [SAMPLE] = "sample",  [SEED] = "seed",
        [COLUMNS] = "columns", [VALUES] = "values", [FILE_NAME] = "file", [WRITE] = "write the file"};
    struct export_choice *pane = export_of(shell);
    (void)argument;
    (void)effects;
    if (export_is_busy(&pane->job)) {
        shell_message(shell, ROLE_WARN, "an export is being written; %s stops it", shell_key_of(shell, ACTION_BACK));
        return false;
    }
    pane->marks = intents_marks(shell) > 0;
    if (rows_at_hand(shell) == 0) {
        shell_message(shell, ROLE_WARN, "there are no rows to export");
        return false;
    }
    for (int i = 0; i < FIELDS; i++)
        edit_clear(&pane->form.rows[i].edit);
    forget_failure(pane);
    pane->form = (struct form){.n = FIELDS, .focus = FORMAT};
    pane->masked = true;
    pane->named = pane->all = false;
    free(pane->waiting);
    pane->waiting = NULL;
    for (int i = 0; i < FIELDS; i++) {
        pane->form.rows[i].kind = is_text_row(i) ? FORM_TEXT : i == WRITE ? FORM_BUTTON : FORM_CHOICE;
        pane->form.rows[i].label = LABELS[i];
        pane->form.order[i] = i;
    }
    set_texts(pane->form.rows);
    overlay_export_refresh(shell);
    overlay_export_name_file(pane, shell);
    return true;
}

/* Turns to the next kind of rows that exists: the marked ones, the list as it is, or all of it. */
static void change_rows(struct shell *shell, int step) {
    struct export_choice *pane = export_of(shell);
    enum { MARKED, LISTED, ALL, KINDS };
    bool there[KINDS] = {intents_marks(shell) > 0, intents_count(shell) > 0, !intents_is_whole(shell)};
    int kind = pane->marks ? MARKED : pane->all ? ALL : LISTED;
    do {
        kind = (kind + step + KINDS) % KINDS;
    } while (!there[kind]);
    pane->marks = kind == MARKED;
    pane->all = kind == ALL;
}

static void overlay_export_change(struct shell *shell, int step) {
    struct export_choice *pane = export_of(shell);
    switch (pane->form.order[pane->form.focus]) {
    case FORMAT:
        pane->format = (pane->format + COUNT_OF(FORMATS) + (size_t)(ptrdiff_t)step) % COUNT_OF(FORMATS);
        break;
    case ROWS:
        change_rows(shell, step);
        break;
    case COLUMNS:
        pane->on_screen = !pane->on_screen;
        break;
    case VALUES:
        pane->masked = !pane->masked;
        break;
    default:
        return;
    }
    forget_failure(pane);
    overlay_export_refresh(shell);
    overlay_export_name_file(pane, shell);
}

static void overlay_export_say_progress(struct shell *shell) {
    const struct export_job *job = &export_of(shell)->job;
    struct str done, all;
    str_init(&done, 32);
    str_init(&all, 32);
    money_group_count(&done, job->at);
    money_group_count(&all, job->n);
    shell_message(shell, ROLE_INFO, "exporting, %s of %s row%s; %s stops", done.s, all.s, plural_s(job->n),
                  shell_key_of(shell, ACTION_CANCEL));
    str_clear(&done);
    str_clear(&all);
}

/* 0: it is empty. */
static long long overlay_export_number(const struct export_choice *pane, int row) {
    const struct edit *edit = &pane->form.rows[row].edit;
    long long number = 0;
    return str_to_int64(edit->text.s, edit->text.len, &number) ? number : 0;
}

/* The one of the clock is short, and is said beside the rows. */
static uint64_t seed_of(const struct shell *shell) {
    enum { SECOND = 1000, SEED_MODULUS = 1000000 };
    long long seed = overlay_export_number(export_of(shell), SEED);
    return seed > 0 ? (uint64_t)seed : (uint64_t)(shell_now(shell) / SECOND % SEED_MODULUS + 1);
}

/* Points at the field that is no number. */
static bool overlay_export_check_number(struct export_choice *pane, int row, long long most) {
    long long number = overlay_export_number(pane, row);
    if (number > 0 && number <= most)
        return true;
    pane->form.rows[row].note = row == SAMPLE ? "from 1 to 100000" : "a number above 0";
    pane->form.rows[row].note_role = ROLE_ERROR;
    pane->form.rows[row].wrong = true;
    form_focus(&pane->form, row);
    return false;
}

static bool overlay_export_check_sample(struct export_choice *pane) {
    if (pane->form.rows[SAMPLE].edit.text.len == 0)
        return true;
    bool seeded = pane->form.rows[SEED].edit.text.len > 0;
    return overlay_export_check_number(pane, SAMPLE, SAMPLE_MAX) &&
           (!seeded || overlay_export_check_number(pane, SEED, INT64_MAX));
}

static void overlay_export_start(struct shell *shell, struct effects *effects) {
    struct export_choice *pane = export_of(shell);
    const struct edit *file = &pane->form.rows[FILE_NAME].edit;
    struct export_job *job = &pane->job;
    struct str sort;
    export_clear(job);
    job->style = (struct record_style){
        .format = FORMATS[pane->format].format, .masked = pane->masked, .money = profile_money(shell_profile(shell))};
    if (FORMATS[pane->format].spreadsheet)
        job->style.reader = profile_spreadsheet(shell_profile(shell));
    sample_init(&job->sample, (size_t)overlay_export_number(pane, SAMPLE), seed_of(shell));
    job->notes = notes_share(intents_notes(shell));
    job->style.here = (struct columns_here){job->notes, intents_context(shell).zone};
    if (pane->on_screen && record_has_columns(job->style.format))
        job->style.n_fields = intents_chosen_fields(shell, job->fields);
    str_init(&sort, 256);
    intents_order_text(shell, &sort);
    job->scope = pane->marks ? EXPORT_MARKS : EXPORT_RESULT;
    job->path = mem_dup(file->text.s);
    job->filter = mem_dup(intents_filter(shell));
    job->sort = mem_dup(sort.s);
    job->profile = shell_profile(shell)->name;
    job->word = shell_profile(shell)->environment;
    struct view_list list;
    intents_list(shell, &list);
    job->coverage = list.coverage;
    job->gone = pane->marks ? intents_marks_left(shell) : list.left;
    job->now = shell_now(shell);
    str_clear(&sort);
    if (pane->marks)
        export_look(job, intents_lookup_marks(shell), intents_marks(shell), effects);
    else
        intents_export(shell, job, effects);
    overlay_export_say_progress(shell);
}

static void read_first(struct shell *shell, struct effects *effects) {
    struct export_choice *pane = export_of(shell);
    pane->waiting = mem_dup(intents_filter(shell));
    if (!intents_is_crawling(shell))
        intents_crawl(shell, effects);
    shell_message(shell, ROLE_INFO, "reading every page, then the file is written; %s stops",
                  shell_key_of(shell, ACTION_BACK));
    shell_message_of_link(shell);
}

static void write_file(struct shell *shell, struct effects *effects) {
    struct export_choice *pane = export_of(shell);
    if (pane->form.rows[FILE_NAME].edit.text.len == 0) {
        pane->form.rows[FILE_NAME].note = "a name is needed";
        pane->form.rows[FILE_NAME].note_role = ROLE_ERROR;
        form_focus(&pane->form, FILE_NAME);
        return;
    }
    if (!overlay_export_check_sample(pane))
        return;
    forget_failure(pane);
    shell_close(shell);
    (pane->all ? read_first : overlay_export_start)(shell, effects);
}

/* Starts the export once the rows that it waits for are there, or says why they will not come: another filter, the
 * operator stopped, an error. */
static void overlay_export_follow(struct shell *shell, struct effects *effects) {
    struct export_choice *pane = export_of(shell);
    if (!pane->waiting)
        return;
    bool same = str_equal(pane->waiting, intents_filter(shell));
    if (same && !intents_is_whole(shell) && intents_is_awaited(shell))
        return;
    free(pane->waiting);
    pane->waiting = NULL;
    if (same && intents_is_whole(shell) && intents_count(shell) > 0) {
        overlay_export_start(shell, effects);
    } else {
        shell_message(shell, ROLE_WARN, "not exported: %s",
                      !same                     ? "the list was changed meanwhile"
                      : intents_is_whole(shell) ? "there are no rows"
                                                : "the service's list was not read to its end");
    }
}

static void overlay_export_text_key(struct shell *shell, int32_t key) {
    struct export_choice *pane = export_of(shell);
    struct form_row *row = form_focused(&pane->form);
    if (key == INPUT_ENTER || key == INPUT_ESCAPE) {
        pane->form.editing = false;
        form_move(&pane->form, key == INPUT_ENTER ? 1 : 0);
    } else if (shell_edit_key(shell, &row->edit, key) == EDIT_CHANGED) {
        typed(shell);
    }
}

static void overlay_export_enter(struct shell *shell, struct effects *effects) {
    struct export_choice *pane = export_of(shell);
    int row = pane->form.order[pane->form.focus];
    if (row == WRITE)
        write_file(shell, effects);
    else if (is_text_row(row))
        pane->form.editing = true;
    else
        form_move(&pane->form, 1);
}

static void form_command(struct shell *shell, int32_t key, struct effects *effects) {
    switch (key) {
    case INPUT_DOWN:
    case INPUT_TAB:
    case 'j':
        form_move(&export_of(shell)->form, 1);
        break;
    case INPUT_UP:
    case INPUT_BACK_TAB:
    case 'k':
        form_move(&export_of(shell)->form, -1);
        break;
    case INPUT_LEFT:
    case 'h':
        overlay_export_change(shell, -1);
        break;
    case INPUT_RIGHT:
    case 'l':
    case ' ':
        overlay_export_change(shell, 1);
        break;
    case INPUT_HOME:
    case 'g':
        form_focus(&export_of(shell)->form, FORMAT);
        break;
    case INPUT_END:
    case 'G':
        form_focus(&export_of(shell)->form, WRITE);
        break;
    case INPUT_ENTER:
        overlay_export_enter(shell, effects);
        break;
    default:
        break;
    }
}

static void overlay_export_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    if (key == KEY_CTRL('C'))
        shell_close(shell);
    else if (export_of(shell)->form.editing)
        overlay_export_text_key(shell, key);
    else if (key == INPUT_ESCAPE || key == 'q' || key == INPUT_BACKSPACE)
        shell_close(shell);
    else
        form_command(shell, key, effects);
}

static bool overlay_export_paste(struct shell *shell, const char *text, struct effects *effects) {
    struct export_choice *pane = export_of(shell);
    (void)effects;
    if (pane->form.editing && shell_paste_into(shell, &form_focused(&pane->form)->edit, text))
        typed(shell);
    return pane->form.editing;
}

/* Shows the folder too: nobody has to know where bursar was started. */
static void draw_place(struct shell *shell, struct canvas *canvas, struct rect row) {
    static const char LONG[] = "will be written to ", SHORT[] = "goes to ";
    struct str path, line;
    str_init(&path, PLACE_BYTES);
    str_init(&line, PLACE_BYTES);
    shell_place(shell, export_of(shell)->form.rows[FILE_NAME].edit.text.s, &path);
    str_add(&line, row.cols < FORM_NARROW ? SHORT : LONG);
    utf8_ends(&line, path.s, path.len, row.cols - (int)line.len, symbol(SYMBOL_ELLIPSIS));
    canvas_text(canvas, row, 0, 0, ROLE_DIM, line.s);
    str_clear(&path);
    str_clear(&line);
}

/* As many of its rows as leave the file's name visible. */
static void draw_failure(const struct export_choice *pane, struct canvas *canvas, struct rect *box) {
    enum { NAME_ROWS = 2 };
    int rows = lines_count(pane->failure, box->cols - FAILURE_EDGE);
    int most = box->rows > NAME_ROWS + 1 ? box->rows - NAME_ROWS : box->rows - 1;
    struct rect area = rect_take_rows(box, -(rows < most ? rows : most));
    canvas_text(canvas, area, 0, 0, ROLE_ERROR, "E ");
    lines_draw(canvas, rect_inset(area, 0, FAILURE_EDGE, 0, 0), ROLE_ERROR, pane->failure);
}

static int box_cols(struct rect within) {
    int share = within.cols / 3 * 2;
    return share < BOX_COLS ? BOX_COLS : share > BOX_COLS_MAX ? BOX_COLS_MAX : share;
}

static void overlay_export_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    static const char KEYS[] = "Enter next or edits, G button, Space changes, Esc cancels";
    const struct export_choice *pane = export_of(shell);
    struct rect box = dialog_box(canvas, within, BOX_ROWS, box_cols(within), "Export", ROLE_TITLE);
    bool roomy = box.rows > FIELDS + 1;
    if (roomy)
        canvas_text(canvas, rect_take_rows(&box, -1), 0, 0, ROLE_DIM, KEYS);
    if (roomy || (box.rows > 1 && !pane->failure))
        draw_place(shell, canvas, rect_take_rows(&box, -1));
    if (pane->failure)
        draw_failure(pane, canvas, &box);
    else if (roomy)
        rect_take_rows(&box, -1);
    form_draw(&export_of(shell)->form, canvas, box);
}

/* Opens the form again after a file name that could not be used, so that nothing has to be chosen twice, unless the
 * operator has begun something else. */
static bool come_back(struct shell *shell) {
    struct export_choice *pane = export_of(shell);
    const struct export_job *job = &pane->job;
    struct str text;
    if (job->made || job->error.code != ERR_FILE || shell_has_overlay(shell) || !shell_is_on(shell, PANE_INTENTS))
        return false;
    str_init(&text, PLACE_BYTES);
    str_add(&text, "not exported: ");
    utf8_sanitise(&text, job->error.text, strlen(job->error.text));
    pane->failure = str_take(&text);
    pane->form.rows[FILE_NAME].wrong = true;
    pane->all = pane->all && !intents_is_whole(shell);
    pane->marks = pane->marks && intents_marks(shell) > 0;
    form_focus(&pane->form, FILE_NAME);
    overlay_export_refresh(shell);
    shell_message_clear(shell);
    shell_put(shell, OVERLAY_EXPORT);
    return true;
}

static void add_left_out(struct str *out, size_t n, const char *why) {
    if (n > 0) {
        str_add(out, "; left out: ");
        money_group_count(out, n);
        str_add(out, why);
    }
}

/* Which separator the spreadsheet program wants, where the locale that says so is not there. */
static bool add_guessed(const struct shell *shell, struct str *out) {
    struct str why;
    str_init(&why, PLACE_BYTES);
    bool guessed = profile_spreadsheet_guessed(shell_profile(shell), &why);
    if (guessed)
        str_addf(out, "; %s", why.s);
    str_clear(&why);
    return guessed;
}

static void overlay_export_say_end(struct shell *shell) {
    const struct export_job *job = &export_of(shell)->job;
    struct str count, path;
    if (job->error.code != ERR_OK) {
        shell_message(shell, job->error.code == ERR_CANCELLED ? ROLE_INFO : ROLE_ERROR, "not exported: %s",
                      job->error.text);
        return;
    }
    str_init(&count, PLACE_BYTES);
    str_init(&path, PLACE_BYTES);
    shell_place(shell, job->path, &path);
    money_group_count(&count, job->written);
    str_add(&count, job->style.masked ? " masked" : "");
    str_add(&count, job->written == 1 ? " intent" : " intents");
    str_addf(&count, job->style.format == RECORD_CELLS ? " in %s" : " in %s, .about beside it", path.s);
    if (job->sample.wanted > 0) {
        str_add(&count, "; ");
        sample_text(&job->sample, &count);
    }
    add_left_out(&count, job->left_out, "");
    add_left_out(&count, job->mismatched, " not of the filter, which the service did not apply");
    add_left_out(&count, job->gone, " no longer of the list");
    bool all = job->left_out + job->mismatched + job->gone == 0;
    if (job->style.reader != CSV_FOR_PROGRAMS)
        all = !add_guessed(shell, &count) && all;
    shell_message(shell, all ? ROLE_INFO : ROLE_WARN, "%s", count.s);
    str_clear(&count);
    str_clear(&path);
}

static bool overlay_export_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct export_job *job = &export_of(shell)->job;
    size_t before = job->n > 0 ? job->at * HUNDRED / job->n : 0;
    if (!intents_export_update(shell, job, given, effects))
        return false;
    if (job->finished) {
        if (!come_back(shell))
            overlay_export_say_end(shell);
        export_clear(job);
    } else if (job->n > 0 && job->at * HUNDRED / job->n != before) {
        overlay_export_say_progress(shell);
    }
    return true;
}

static bool overlay_export_stop(struct shell *shell, struct effects *effects) {
    struct export_job *job = &export_of(shell)->job;
    if (!export_is_busy(job))
        return false;
    export_cancel(job, effects);
    overlay_export_say_end(shell);
    export_clear(job);
    return true;
}

static const char *overlay_export_cost(const struct shell *shell, enum leave_cost *cost) {
    *cost = export_is_busy(&export_of(shell)->job) ? LEAVE_FILE : LEAVE_NOTHING;
    return "An export is being written. Leaving now takes it away.";
}

const struct pane export_overlay = {.size = sizeof(struct export_choice),
                                    .clear = overlay_export_clear,
                                    .open = open_export,
                                    .event = overlay_export_event,
                                    .after_event = overlay_export_follow,
                                    .after_key = overlay_export_follow,
                                    .stop = overlay_export_stop,
                                    .cost = overlay_export_cost,
                                    .draw = overlay_export_draw,
                                    .every_key = overlay_export_every_key,
                                    .paste = overlay_export_paste};
