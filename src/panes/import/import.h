#ifndef PANES_IMPORT_H
#define PANES_IMPORT_H
/* The import within the Register pane: the file, its columns, its rows and their state, the confirmation, the run. It
 * goes on while other panes are looked at. */

#include "app/import.h"
#include "panes/shell/pane.h"
#include "panes/shell/path_field.h"
#include "panes/shell/review.h"
#include "ui/form.h"
#include "ui/table.h"

enum import_table_column { IMPORT_COLUMN_LINE, IMPORT_COLUMN_STATE, IMPORT_COLUMN_WHAT, IMPORT_TABLE_COLUMNS };

enum import_field {
    IMPORT_FIELD_FILE,
    IMPORT_FIELD_MAP,
    IMPORT_FIELD_AGAIN,
    IMPORT_FIELD_REFUSED,
    IMPORT_FIELD_UNKNOWN,
    IMPORT_FIELD_FAILURES,
    IMPORT_FIELD_PACE,
    IMPORT_FIELDS
};

struct import_pane {
    struct import import;          /* stands in the place of Register while its form or its rows are looked at */
    struct form form;              /* in which it is asked for */
    struct import_options options; /* as chosen there */
    struct path_field path;        /* being completed */
    size_t column;                 /* under the cursor, while they are mapped */
    struct table table;
    struct table_column columns[IMPORT_TABLE_COLUMNS];
    bool reviewing;
    struct review review;
};

static inline struct import_pane *import_of(const struct shell *shell) {
    return shell_state(shell, PANE_IMPORT);
}
void import_pane_draw(struct shell *shell, struct canvas *canvas, struct rect area); /* import_draw.c */

/* import_form.c */
void import_form_init(struct import_pane *pane);
void import_form_clear(struct import_pane *pane);
void import_form_open(struct shell *shell, struct effects *effects); /* reads the file */
bool import_form_key(struct shell *shell, int32_t key, struct effects *effects);
bool import_form_act(struct shell *shell, int action);
bool import_form_event(struct shell *shell, const struct event *event); /* a path was completed */
bool import_form_hint(const struct shell *shell, struct str *out);
void import_form_paste(struct shell *shell, const char *text);
void import_form_draw(struct shell *shell, struct canvas *canvas, struct rect area);

#endif
