#ifndef PANES_ACTIVITY_H
#define PANES_ACTIVITY_H
/* The Activity pane: every write of this machine as the journal has it, one of them in full, and how the operator
 * settles those whose outcome is unknown. */

#include "app/journal.h"
#include "panes/shell/pane.h"
#include "ui/dialog.h"
#include "ui/table.h"

enum activity_column {
    ACTIVITY_AT,
    ACTIVITY_OUTCOME,
    ACTIVITY_STATUS,
    ACTIVITY_OPERATION,
    ACTIVITY_ID,
    ACTIVITY_WHO,
    ACTIVITY_PROFILE,
    ACTIVITY_N,
    ACTIVITY_COLUMN_COUNT
};

enum activity_settle { SETTLE_NONE, SETTLE_PICK, SETTLE_NOTE };

struct activity_pane {
    struct journal_answer *list;  /* NULL: not read yet */
    struct journal_answer *shown; /* of the detail */
    uint64_t list_ticket, show_ticket, settle_ticket, export_ticket;
    uint64_t unknown_ticket; /* of the question for unknown records, where none is on show */
    char *export_path;       /* of the file that is being written; NULL */
    int only;                /* outcome, or -1 */
    struct table table;
    struct table_column columns[ACTIVITY_COLUMN_COUNT];
    bool open; /* the detail */
    int wrap;  /* the width that its lines were broken to; 0: they have to be broken again */
    struct pager pager;
    struct arena arena;
    struct {
        struct text_line *items;
        size_t n, cap;
    } lines;
    struct {
        enum activity_settle stage;
        struct picker picker;
        char title[64];
        struct choice choices[3];
        enum outcome outcome;
        int64_t n;
        struct edit note;
    } settle;
    struct {
        bool open; /* the tag is being typed */
        struct edit tag;
        uint64_t ticket;
        int64_t wanted; /* the record that the cursor goes to when the next list comes; 0: none */
    } find;
};

static inline struct activity_pane *activity_of(const struct shell *shell) {
    return shell_state(shell, PANE_ACTIVITY);
}

void activity_reload(struct shell *shell, struct effects *effects);
uint64_t activity_ask_list(int only, struct effects *effects); /* the newest of that outcome, -1 of every; the ticket */
void activity_take_list(struct shell *shell, struct journal_answer *answer); /* takes it */
void activity_show(struct shell *shell, int64_t n, struct effects *effects); /* that record in full */

/* activity_find.c: which record a tag belongs to, of which the journal holds a digest alone */
void activity_find_open(struct shell *shell);
void activity_find_key(struct shell *shell, int32_t key, struct effects *effects);
void activity_find_draw(struct shell *shell, struct canvas *canvas, struct rect area);
bool activity_find_event(struct shell *shell, const struct event *event, struct effects *effects);
void activity_find_listed(struct shell *shell, struct effects *effects); /* after the list came */

/* activity_export.c */
void activity_export_open(struct shell *shell);
bool activity_export_event(struct shell *shell, const struct event *event);

/* activity_detail.c */
void activity_detail_stale(struct shell *shell); /* another record, or more of it: drawn anew from its first line */
void activity_detail_draw(struct shell *shell, struct canvas *canvas, struct rect area);
/* Open, or under the cursor; NULL. */
const struct outcome_record *activity_record(const struct activity_pane *pane);
bool activity_has_id(const struct outcome_record *record); /* something that activity_copy copies */
void activity_copy(struct shell *shell, struct effects *effects);
void activity_settle_open(struct shell *shell, struct effects *effects);
void activity_settle_listed(struct shell *shell, struct event *event); /* the unknown ones came */
bool activity_settle_key(struct shell *shell, int32_t key, struct effects *effects);
void activity_settle_draw(struct shell *shell, struct canvas *canvas, struct rect area);

#endif
