#ifndef PANES_MATCH_H
#define PANES_MATCH_H
/* Holding the list against a file, in the place of Intents: the form, the outcomes with their sums, and a list of each.
 * What came of it stays until another file is matched, so that one can go to an intent and come back. */

#include "app/match_file.h"
#include "panes/intents/list.h"
#include "panes/shell/path_field.h"
#include "ui/table.h"

enum match_form_field {
    MATCH_FORM_FILE,
    MATCH_FORM_ON,
    MATCH_FORM_MAP,
    MATCH_FORM_CURRENCY,
    MATCH_FORM_AMOUNTS,
    MATCH_FORM_DECIMAL,
    MATCH_FORM_DAYS,
    MATCH_FORM_FIELDS
};

enum match_stage {
    MATCH_ASKING,
    MATCH_READING, /* the file, */
    MATCH_JOINING, /* and holding it against the index: the match is on its way */
    MATCH_SHOWN,
};

/* What is on show of a result: the outcomes, the lines of one, the candidates of one line. */
enum match_level { MATCH_LEVEL_OUTCOMES, MATCH_LEVEL_LINES, MATCH_LEVEL_CANDIDATES, MATCH_LEVELS };

enum match_column {
    MATCH_COLUMN_LINE,
    MATCH_COLUMN_ID,
    MATCH_COLUMN_AMOUNT,
    MATCH_COLUMN_CURRENCY,
    MATCH_COLUMN_WHAT,
    MATCH_COLUMN_CREATED,
    MATCH_COLUMN_STATUS,
    MATCH_COLUMNS
};

/* A row of the table of outcomes. sum.currency NULL and both sides NULL: its counts alone. */
struct match_shown_sum {
    enum match_outcome outcome;
    bool first; /* of its outcome */
    struct match_sum sum;
};

struct match_pane {
    struct form form;
    int choices[MATCH_FORM_FIELDS]; /* of those that are chosen: 0 is unsaid */
    struct path_field path;         /* being completed */

    enum match_stage stage;
    enum match_level level;
    uint64_t ticket;     /* of the file or the question; 0: none is open */
    struct match *match; /* NULL: there is none, or it is on its way */
    char *file;          /* as it was typed */
    char *filter;        /* of the list that it was held against */
    struct coverage coverage;
    bool outdated; /* intents were read, changed or went since */
    bool all;      /* every page is being read, and then it is held against the list again */

    struct {
        struct match_shown_sum *items;
        size_t n, cap;
    } sums; /* as last drawn */
    enum match_layout { MATCH_EVERY_SUM, MATCH_SUMS_BELOW, MATCH_SUMS_BETWEEN } layout;
    struct {
        uint64_t ticket; /* of the file being written; 0: none */
        char *path;      /* as it is shown */
        char *about;     /* of the file beside it, which is written last; NULL: it is under way */
        char *about_path;
        bool spreadsheet; /* for such a program */
    } export;
    size_t sum_top; /* of the sums below the outcomes, of the one under the cursor */
    struct table outcomes;
    struct table_column outcome_columns[TABLE_COLUMNS_MAX];
    enum match_outcome outcome; /* that is open */
    size_t row;                 /* whose candidates are */
    struct match_lines lines[MATCH_LEVELS];
    struct table tables[MATCH_LEVELS]; /* of the lines */
    struct table_column columns[MATCH_COLUMNS];
};

static inline struct match_pane *match_pane_of(const struct shell *shell) {
    return shell_state(shell, PANE_MATCH);
}

/* match_form.c */
void match_form_init(struct match_pane *pane);
void match_form_clear(struct match_pane *pane);
struct match *match_form_new(const struct shell *shell); /* with the options chosen */
bool match_form_key(struct shell *shell, int32_t key, struct effects *effects);
bool match_form_act(struct shell *shell, int action);
bool match_form_hint(const struct shell *shell, struct str *out);
void match_form_paste(struct shell *shell, const char *text);
void match_form_draw(struct shell *shell, struct canvas *canvas, struct rect area);

/* match_draw.c */
void match_pane_columns(struct match_pane *pane);
void match_pane_draw(struct shell *shell, struct canvas *canvas, struct rect area);

/* match_export.c */
void match_export_open(struct shell *shell);
bool match_export_event(struct shell *shell, const struct event *event, struct effects *effects);
void match_export_clear(struct match_pane *pane);

/* match.c */
void match_pane_start(struct shell *shell, struct effects *effects); /* reads the file of the form */

#endif
