#ifndef PANES_INTENTS_H
#define PANES_INTENTS_H
/* The Intents pane: the list, the detail beside it, and what its files ask of each other. */

#include "app/columns.h"
#include "app/labels.h"
#include "app/live.h"
#include "panes/intents/list.h"
#include "panes/shell/detail.h"
#include "panes/shell/signs.h"
#include "ui/table.h"

enum detail_mode { DETAIL_FIELDS, DETAIL_JSON };
enum detail_place { DETAIL_NONE, DETAIL_RIGHT, DETAIL_BELOW, DETAIL_FULL };

/* A row that is asked for, until the index has told where it is. A word without a digit is looked for as an id, and was
 * more likely meant as a time. */
enum jump_kind { JUMP_BY_ID, JUMP_BY_WORD, JUMP_BY_TIME };
struct jump {
    struct query *query;
    char *text; /* as typed */
    enum jump_kind kind;
    bool beyond; /* the question that is out is about rows that the filter hides */
    uint64_t ticket;
};

/* Older pages that are being read until what is looked for comes. */
struct read_back {
    bool on;
    struct query *query; /* a day or an id; NULL: rows that match */
    char *text;          /* as typed */
    size_t wanted;       /* rows on show */
    size_t pages, seen;  /* asked for; what had come then */
    unsigned filters;    /* of browse, then: under another filter nobody waits */
};

struct intents {
    struct browse browse;
    struct view view;
    struct live live;
    bool answered, to_top; /* by the service, since the start; rows about to come are wanted in sight */
    int64_t asked_at;      /* by a key, the service */
    int deferred;          /* 0, or the action whose key came too soon after */
    unsigned seen_view;    /* its generation, when last looked at */
    struct table table;
    struct table_column columns[COLUMN_COUNT];
    bool wide, asked_before_more; /* every column is shown; that rows since the last visit were not read was said */
    bool seeking;                 /* all is read anew: the cursor goes back to its record as soon as that comes */
    bool totals_cut, order_cut;   /* of the status row: a currency has no room; of the filter row: the note has none */
    size_t seek_row;              /* the line that it was on */
    int drawn_cols[COLUMN_COUNT]; /* widest value of a column drawn of this list so far */
    struct labels labels[COLUMN_COUNT];
    char *cursor_id;         /* the record under the cursor; NULL: go by row */
    unsigned cursor_filters; /* of browse, when it was noted: under another filter it need not be there */
    bool detail_open, detail_focused, detail_zoomed;
    struct detail detail;
    enum detail_mode mode;
    char *shown_id;           /* whose lines the detail has */
    enum detail_place place;  /* of the last draw */
    unsigned seen_generation; /* of browse, when last looked at */
    struct jump jump;
    struct read_back back;
};

static inline struct intents *intents_of(const struct shell *shell) {
    return shell_state(shell, PANE_INTENTS);
}
/* Filter, order, columns, marks and saved views; and the walk through the service's list below it. After either was
 * changed, intents_viewed. */
static inline struct view *intents_view(const struct shell *shell) {
    return &intents_of(shell)->view;
}
static inline struct browse *intents_browse(const struct shell *shell) {
    return &intents_of(shell)->browse;
}
void intents_viewed(struct shell *shell, struct effects *effects);

/* intents.c */
void intents_init(struct shell *shell);
void intents_clear(struct shell *shell);
bool intents_act(struct shell *shell, int action, struct effects *effects);
bool intents_back(struct shell *shell, struct effects *effects);
void intents_draw(struct shell *shell, struct canvas *canvas, struct rect area);
bool intents_hint(const struct shell *shell, struct str *out);
void intents_zone(struct shell *shell); /* after the zone of times changed: days are named in it */
void intents_changed(struct shell *shell, struct effects *effects); /* after browse_update */
void intents_follow(struct shell *shell);
void intents_columns(struct shell *shell);
void intents_sorted(struct shell *shell);
enum query_field_code intents_column_field(int column);                             /* QUERY_FIELD_COUNT: none */
enum intent_field intents_shown_field(const struct intent *intent, int column);     /* _COUNT: made of several */
void intents_column_text(const struct intent *intent, int column, struct str *out); /* whole, as served */
void intents_sort_text(const struct view *view, struct str *out); /* "created desc, amount asc"; "" for none */
/* Under its filter name, and as the filter has it; false: no value to narrow by. */
bool intents_column_value(const struct shell *shell, const struct intent *intent, int column,
                          enum query_field_code *field, struct str *out);
void intents_cell(void *context, size_t row, int column, struct table_cell *out);
bool intents_renamed(struct intents *intents); /* cells are to be drawn once more */
void intents_gutter(void *context, size_t row, struct table_gutter *out);
void intents_filter_row(struct shell *shell, struct canvas *canvas, struct rect row);
void intents_status_row(struct shell *shell, struct canvas *canvas, struct rect row);

void intents_moved(struct shell *shell, struct effects *effects); /* after the cursor did */
void undo_step(struct shell *shell, bool again, struct effects *effects);

/* intents_cursor.c */
void intents_keep_cursor(struct shell *shell);     /* the record under it is the one to come back to */
void intents_place_cursor(struct shell *shell);    /* after rows changed */
void intents_ask_before_more(struct shell *shell); /* where reading by itself came to its end */

/* intents_link.c: how the service answers, and whether live updates come, in the title row */
int intents_status(const struct shell *shell, struct canvas *canvas, struct rect row, int x);

/* intents_told.c: token and cache */
bool intents_told(struct shell *shell, struct event *event, struct effects *effects);

/* intents_live.c: live updates, rows that wait, what was seen */
void intents_live(struct shell *shell, struct effects *effects); /* after whatever happened */
void intents_live_text(const struct shell *shell, struct str *out, enum role *role);
void intents_into_sight(struct shell *shell);
void intents_show_new(struct shell *shell, struct effects *effects);
bool intents_may_ask(struct shell *shell, int action, struct effects *effects); /* by hand: once a second */
void intents_deferred(struct shell *shell, struct effects *effects);
void intents_see(struct shell *shell);       /* before the cursor leaves its row */
uint64_t intents_column_changes(int column); /* intents_columns.c: what of a row's changes its cell shows */

/* intents_act.c: sort, find, narrow, mark, go back */
bool intents_act_view(struct shell *shell, int action, struct effects *effects);
bool intents_find(struct shell *shell, int direction);

/* jump.c */
void jump_clear(struct jump *jump);
bool jump_event(struct shell *shell, const struct event *event, struct effects *effects);

/* read_back.c. False: there is nothing to read on, or too much was read already. query is copied. */
bool read_back_rows(struct shell *shell, struct effects *effects);
bool read_back_jump(struct shell *shell, const struct query *query, const char *text, struct effects *effects);
void read_back_follow(struct shell *shell, struct effects *effects); /* after whatever happened */
void read_back_stop(struct shell *shell);
void read_back_clear(struct read_back *back);

/* columns.c: which columns, in which order, how wide */
void columns_order(struct shell *shell); /* for the table to be drawn */
bool columns_act(struct shell *shell, int action, struct effects *effects);

/* detail.c: the detail beside the list, or over it */
void detail_show(struct shell *shell, const struct intent *intent);
void detail_draw(struct shell *shell, struct canvas *canvas, struct rect area, bool focused);
void detail_lines(struct shell *shell, const struct intent *intent); /* detail_lines.c */

/* copy.c */
void copy_under(struct shell *shell, struct effects *effects);
void copy_open(struct shell *shell);

#endif
