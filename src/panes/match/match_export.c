/* What came of a match as a new file: the list on show, or all five. Beside it stands what was held against what, and
 * how far that reaches. */
#include "panes/match/match.h"

#include "panes/shell/ask.h"

#include "app/file.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

enum { TEXT_MAX_BYTES = 64 << 20, ABOUT_MAX = 64 << 10, PATH_BYTES = 1024, PLACE_BYTES = 8192 };
enum { BUTTON_CANCEL, BUTTON_CSV, BUTTON_EXCEL };

void match_export_clear(struct match_pane *pane) {
    free(pane->export.path);
    free(pane->export.about);
    free(pane->export.about_path);
    pane->export.path = pane->export.about = pane->export.about_path = NULL;
    pane->export.ticket = 0;
}

static bool is_one_list(const struct match_pane *pane) {
    return pane->level != MATCH_LEVEL_OUTCOMES;
}

static bool match_export_has(const struct match_pane *pane, enum match_outcome outcome) {
    return !is_one_list(pane) || pane->outcome == outcome;
}

static void match_export_name(const struct shell *shell, struct str *out) {
    const struct match_pane *pane = match_pane_of(shell);
    struct str what;
    str_init(&what, PATH_BYTES);
    str_add(&what, "match");
    if (is_one_list(pane))
        str_addf(&what, "-%s", match_outcome_name(pane->outcome));
    shell_new_file(shell, what.s, out);
    str_clear(&what);
}

static void match_export_rows(const struct match_pane *pane, enum csv_reader_kind reader, struct str *out) {
    enum csv_reader_kind before = csv_write_for(reader);
    match_csv_head(out);
    for (int i = 0; i < MATCH_OUTCOMES; i++) {
        struct match_lines lines = {0};
        if (match_export_has(pane, (enum match_outcome)i))
            match_list(pane->match, (enum match_outcome)i, &lines);
        for (size_t at = 0; at < lines.n; at++)
            match_csv_line(pane->match, (enum match_outcome)i, &lines.items[at], out);
        free(lines.items);
    }
    (void)csv_write_for(before);
}

static void add_about_outcome(const struct match *match, enum match_outcome outcome, struct str *out) {
    struct match_sums sums = {0};
    str_addf(out, "%s: %zu in the file, %zu here\n", match_outcome_title(outcome), match->n_rows[outcome],
             match->n_intents[outcome]);
    match_sums(match, outcome, &sums);
    for (size_t i = 0; i < sums.n; i++) {
        str_addf(out, "  %s: ", sums.items[i].currency ? sums.items[i].currency : "without currency");
        match_say_sum(match, sums.items[i].file, out);
        str_add(out, " in the file, ");
        match_say_sum(match, sums.items[i].here, out);
        str_add(out, " here\n");
    }
    free(sums.items);
}

static void match_export_about(const struct shell *shell, struct str *out) {
    const struct match_pane *pane = match_pane_of(shell);
    str_add(out, "written: ");
    clock_format(out, shell_now(shell), CLOCK_UTC, shell_now(shell));
    str_addf(out, " UTC\nprofile: %s (%s)\n", shell_profile(shell)->name, shell_profile(shell)->environment);
    str_addf(out, "file: %s\nfilter: %s\nlists: %s\ncomplete: %s\nreach: ", pane->file,
             *pane->filter ? pane->filter : "none", is_one_list(pane) ? match_outcome_title(pane->outcome) : "all",
             coverage_is_whole(&pane->coverage) ? "yes" : "no");
    coverage_text(&pane->coverage, COVERAGE_FULL, shell_now(shell), out);
    str_add_char(out, '\n');
    match_say_reading(pane->match, out);
    for (int i = 0; i < MATCH_OUTCOMES; i++)
        add_about_outcome(pane->match, (enum match_outcome)i, out);
}

static void match_export_answered(struct shell *shell, int button, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    struct str text, path, place, about;
    if ((button != BUTTON_CSV && button != BUTTON_EXCEL) || !pane->match)
        return;
    str_init(&text, TEXT_MAX_BYTES);
    str_init(&about, ABOUT_MAX);
    str_init(&path, PATH_BYTES);
    str_init(&place, PLACE_BYTES);
    match_export_name(shell, &path);
    shell_place(shell, path.s, &place);
    match_export_rows(pane, button == BUTTON_EXCEL ? profile_spreadsheet(shell_profile(shell)) : CSV_FOR_PROGRAMS,
                      &text);
    match_export_about(shell, &about);
    match_export_clear(pane);
    pane->export.spreadsheet = button == BUTTON_EXCEL;
    if (text.truncated) {
        shell_message(shell, ROLE_ERROR, "not exported: it is longer than 64 MB; bursar intents match writes it");
    } else {
        struct file_ask *ask = file_ask_new(FILE_NEW, path.s);
        ask->text = str_take(&text);
        pane->export.ticket = effects_file(effects, ask);
        pane->export.path = mem_dup(place.s);
        str_add(&path, ".about");
        pane->export.about_path = mem_dup(path.s);
        pane->export.about = str_take(&about);
        shell_message(shell, ROLE_INFO, "writing %s", place.s);
    }
    str_clear(&text);
    str_clear(&about);
    str_clear(&path);
    str_clear(&place);
}

void match_export_open(struct shell *shell) {
    static const char *const BUTTONS[] = {"cancel", "CSV", "CSV for Excel"};
    const struct match_pane *pane = match_pane_of(shell);
    struct ask ask = {.confirm = {.title = is_one_list(pane) ? "Export the list on show?" : "Export all five lists?",
                                  .text = "They go to a new CSV file in the folder bursar was started in, open to\n"
                                          "you alone; .about beside it says what was matched, the sums, and how far\n"
                                          "the intents reach. Columns are those of bursar intents match.",
                                  .buttons = BUTTONS,
                                  .n_buttons = (int)COUNT_OF(BUTTONS),
                                  .selected = BUTTON_CSV,
                                  .role = ROLE_TITLE},
                      .answered = match_export_answered};
    ask_open(shell, &ask);
}

bool match_export_event(struct shell *shell, const struct event *event, struct effects *effects) {
    struct match_pane *pane = match_pane_of(shell);
    if (event->kind != EVENT_FILE || pane->export.ticket == 0 || event->ticket != pane->export.ticket)
        return false;
    const struct file_answer *answer = event_get(event, file_answer);
    pane->export.ticket = 0;
    if (answer->error.code != ERR_OK) {
        shell_message(shell, ROLE_ERROR, pane->export.about ? "not exported: %s" : "exported, but without .about: %s",
                      answer->error.text);
        match_export_clear(pane);
    } else if (pane->export.about) {
        struct file_ask *ask = file_ask_new(FILE_NEW, pane->export.about_path);
        ask->text = pane->export.about;
        pane->export.about = NULL;
        pane->export.ticket = effects_file(effects, ask);
    } else {
        bool whole = coverage_is_whole(&pane->coverage);
        struct str guessed;
        str_init(&guessed, PLACE_BYTES);
        if (pane->export.spreadsheet && profile_spreadsheet_guessed(shell_profile(shell), &guessed))
            whole = false;
        shell_message(shell, whole ? ROLE_INFO : ROLE_WARN, "exported to %s, .about beside it%s%s%s", pane->export.path,
                      coverage_is_whole(&pane->coverage) ? "" : "; intents that were not read are missing",
                      guessed.len > 0 ? "; " : "", guessed.s);
        str_clear(&guessed);
        match_export_clear(pane);
    }
    return true;
}
