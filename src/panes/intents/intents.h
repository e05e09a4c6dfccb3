#ifndef PANES_INTENTS_H
#define PANES_INTENTS_H
/* The Intents pane: the list, the detail beside it, and what its files ask of each other. */

#include "app/arrivals.h"
#include "app/columns.h"
#include "app/customer.h"
#include "app/labels.h"
#include "app/live.h"
#include "app/mirror.h"
#include "app/related.h"
#include "panes/intents/list.h"
#include "panes/shell/detail.h"
#include "panes/shell/signs.h"
#include "ui/table.h"

enum detail_mode { DETAIL_FIELDS, DETAIL_JSON };
enum detail_place { DETAIL_NONE, DETAIL_RIGHT, DETAIL_BELOW, DETAIL_FULL };

/* A row that the operator wants to go to, until the index has found it. A word without a digit is searched for as an
 * id, but was more likely meant as a time. */
enum jump_kind { JUMP_BY_ID, JUMP_BY_WORD, JUMP_BY_TIME };
struct jump {
    struct query *query;
    char *text; /* as typed */
    enum jump_kind kind;
    bool beyond; /* the open question is about rows that the filter hides */
    uint64_t ticket;
};

/* Older pages are being read until the wanted row or rows come. */
struct read_back {
    bool on;
    struct query *query; /* a day or an id; NULL: rows that match */
    char *text;          /* as typed */
    size_t wanted;       /* rows on show when it is reached */
    size_t pages, seen;  /* asked for so far; and pages there were then */
    unsigned filters;    /* of browse at that time: under another filter nobody waits any more */
};

/* What is known of the user that the filter on show is of. */
struct customer_page {
    char *user;                   /* NULL: the filter is of no one user */
    struct lookup_result *answer; /* with the customer; NULL: not known yet */
    uint64_t ticket;              /* of the question; 0: none is open */
    unsigned question;            /* of the view, when it was asked */
    unsigned answered;            /* the one that the answer is to */
    struct error error;           /* of the last answer */
    bool outdated;                /* rows came, changed or went since */
    struct journal_answer *registered;
    uint64_t journal_ticket;
    struct detail head; /* its lines, by these: */
    bool made;
    enum clock_zone zone;
    int64_t minute;
    const struct notes *notes;
};

/* What is known of the user of the record that the detail shows, over all rows. */
struct user_known {
    char *user;                   /* NULL: of none */
    struct lookup_result *answer; /* with the customer; NULL: not known yet */
    uint64_t ticket;              /* of the question; 0: none is open */
    bool outdated;                /* rows came, changed or went since */
};

/* The events of the service that are stored here. */
struct events_known {
    struct arrivals *list; /* NULL: not known yet */
    uint64_t ticket;       /* of the question; 0: none is open */
    int64_t asked;
};

struct intents {
    struct browse browse;
    struct view view;
    struct live live;
    struct team_walk team;
    bool crawl_asked; /* whose turn it is to read every page is being asked */
    struct mirror mirror;
    bool answered, to_top; /* the service answered since the start; rows that are about to come have to be in sight */
    int64_t asked_at;      /* when a key last asked the service */
    int deferred;          /* 0, or the action whose key came too soon after the one before */
    unsigned seen_view;    /* its generation, when last looked at */
    struct table table;
    struct table_column columns[COLUMN_COUNT];
    bool wide;              /* every column is shown */
    bool asked_before_more; /* the operator was told that rows since the last visit were not read */
    bool seeking;           /* everything is being read again: the cursor returns to its record as soon as that comes */
    bool totals_cut;        /* a currency has no room in the status row */
    bool order_cut;         /* the note on the order has no room in the filter row */
    size_t seek_row;        /* the line that the cursor was on */
    int drawn_cols[COLUMN_COUNT]; /* widest value of each column that was drawn of this list so far */
    bool varied[COLUMN_COUNT];    /* rows of this list that were drawn differ in it */
    struct str alike;             /* columns that gave their place away, and the value that they have */
    struct labels labels[COLUMN_COUNT];
    char *cursor_id;          /* the record under the cursor; NULL: the cursor stays on its row */
    unsigned cursor_question; /* of view when it was noted: in the answer to another the record need not be */
    unsigned cursor_filters;  /* of browse when the id was noted: under another filter the record need not be there */
    bool detail_open, detail_focused, detail_zoomed;
    struct detail detail;
    enum detail_mode mode;
    struct {
        unsigned folded;  /* groups of the detail, bits of detail_fold.c */
        size_t lines[32]; /* of the record on show, by group */
    } fold;
    char marks_question[160];
    char *shown_id;          /* the record whose lines the detail has */
    struct related *related; /* what findings of the record `related_id` rest on; NULL: not known yet */
    char *related_id;
    uint64_t related_ticket;  /* of the question; 0: none is open */
    bool related_outdated;    /* rows came, changed or went since */
    enum detail_place place;  /* of the last draw */
    unsigned seen_generation; /* of browse, when last looked at */
    struct {
        struct own_ask *ask; /* chosen, and not yet confirmed; NULL */
        char *question;
        size_t chosen;
        uint64_t seen; /* those that were shown before they ran, in this session */
    } own;
    struct jump jump;
    struct read_back back;
    bool listed_said; /* what was found of a list in the filter */
    struct customer_page customer;
    struct user_known known;
    struct events_known events;
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
void intents_zone(struct shell *shell); /* called after the zone of times changed, since days are named in it */
void intents_changed(struct shell *shell, struct effects *effects); /* after browse_update */
void intents_follow(struct shell *shell);
void intents_columns(struct shell *shell);
void intents_sorted(struct shell *shell);
enum query_field_code intents_column_field(int column);                         /* QUERY_FIELD_COUNT: none */
enum intent_field intents_shown_field(const struct intent *intent, int column); /* _COUNT: made of several */
/* Whole, as served. */
void intents_column_text(const struct shell *shell, const struct intent *intent, int column, struct str *out);
void intents_sort_text(const struct view *view, struct str *out); /* "created desc, amount asc"; "" for none */
/* A value's field by its filter name, and the value as a filter has it; false: there is no value to narrow by. */
bool intents_column_value(const struct shell *shell, const struct intent *intent, int column,
                          enum query_field_code *field, struct str *out);
void intents_cell(void *context, size_t row, int column, struct table_cell *out);
/* A value as it is drawn where there is room for all of it. */
void intents_column_drawn(const struct shell *shell, const struct intent *intent, int column, struct str *out);
/* A column that says no more than its value does: not an amount, a time or an id. */
bool intents_column_is_word(int column);
bool intents_renamed(struct intents *intents); /* cells have to be drawn once more */
void intents_gutter(void *context, size_t row, struct table_gutter *out);
void intents_filter_row(struct shell *shell, struct canvas *canvas, struct rect row);
int intents_filter_room(const struct shell *shell); /* cells of it for a note beside the filter and its reach */
void intents_status_row(struct shell *shell, struct canvas *canvas, struct rect row);

void intents_moved(struct shell *shell, struct effects *effects); /* called after the cursor moved */
void undo_step(struct shell *shell, bool again, struct effects *effects);

void intents_say_listed(struct shell *shell); /* intents_rows.c: once a filter, what was found of its list of ids */

/* intents_cursor.c */
void intents_keep_cursor(struct shell *shell);     /* the record under the cursor is the one to return to */
void intents_place_cursor(struct shell *shell);    /* called after rows changed */
void intents_ask_before_more(struct shell *shell); /* called where reading by itself ended */

/* intents_link.c: how the service answers, and whether live updates come, in the title row */
int intents_status(const struct shell *shell, struct canvas *canvas, struct rect row, int x);

/* intents_told.c: token and cache */
bool intents_told(struct shell *shell, struct event *event, struct effects *effects);

/* intents_live.c: live updates, rows that wait, what was seen */
void intents_live(struct shell *shell, struct effects *effects); /* called after every event */
/* True when the event was of the team's walk. */
void intents_team_follow(struct shell *shell, struct effects *effects);
/* Whoever else may be reading. */
void intents_crawl_alone(struct shell *shell, struct effects *effects);
bool intents_team_event(struct shell *shell, struct event *given, struct effects *effects);
void intents_live_text(const struct shell *shell, struct str *out, enum role *role);
void intents_into_sight(struct shell *shell);
void intents_show_new(struct shell *shell, struct effects *effects);
/* An update asked for by a key: once a second at most. */
bool intents_may_ask(struct shell *shell, int action, struct effects *effects);
void intents_deferred(struct shell *shell, struct effects *effects);
void intents_see(struct shell *shell);       /* called before the cursor leaves its row */
uint64_t intents_column_changes(int column); /* intents_columns.c: which changes of a row its cell shows */

/* intents_act.c: sort, find, narrow, mark, go back */
bool intents_act_view(struct shell *shell, int action, struct effects *effects);
bool intents_find(struct shell *shell, int direction);

/* intents_mirror.c: every page into the cache, in several walks. False: R has to read them in one. */
bool intents_mirror_crawl(struct shell *shell, struct effects *effects);
bool intents_mirror_stop(struct shell *shell, struct effects *effects); /* false: none is under way */
bool intents_mirror_event(struct shell *shell, struct event *event, struct effects *effects);

/* jump.c */
void jump_clear(struct jump *jump);
bool jump_event(struct shell *shell, const struct event *event, struct effects *effects);

/* read_back.c. False: there are no older pages, or too many were read already. query is copied. */
bool read_back_rows(struct shell *shell, struct effects *effects);
bool read_back_jump(struct shell *shell, const struct query *query, const char *text, struct effects *effects);
void read_back_follow(struct shell *shell, struct effects *effects); /* called after every event */
void read_back_stop(struct shell *shell);
void read_back_clear(struct read_back *back);

/* columns.c: which columns, in which order, how wide */
void columns_order(struct shell *shell); /* for the table to be drawn */
bool columns_act(struct shell *shell, int action, struct effects *effects);

/* columns_alike.c: columns with one value over all rows on show give their place to others, and the filter row says
 * so. rows, cols: of the list. */
void columns_alike(struct shell *shell, size_t rows, int cols);

/* detail.c: the detail beside the list, or over it */
void detail_show(struct shell *shell, const struct intent *intent);
void detail_draw(struct shell *shell, struct canvas *canvas, struct rect area, bool focused);
void detail_lines(struct shell *shell, const struct intent *intent); /* detail_lines.c */

/* detail_fold.c: called once the detail has its lines; asks which group folds or unfolds. */
void detail_fold(struct shell *shell);
void detail_fold_open(struct shell *shell);
enum dialog_result detail_key(struct shell *shell, int32_t key); /* of its lines: scrolling and searching */

/* detail_findings.c */
void detail_findings(struct shell *shell, const struct intent *intent);
const struct related *intents_related(const struct shell *shell, const struct intent *intent);
void findings_follow(struct shell *shell, struct effects *effects); /* called after every event and key */
bool findings_event(struct shell *shell, struct event *event);
void findings_clear(struct intents *pane);
/* The record that the detail shows; NULL: it shows none, or one that nobody can be asked about. */
const struct intent *findings_shown(const struct shell *shell, int64_t *key);

void detail_sum(struct shell *shell, const struct intent *intent); /* detail_sum.c: of its transactions */

/* detail_user.c: what else the user of the record did */
void detail_user(struct shell *shell, const struct intent *intent);
void detail_user_follow(struct shell *shell, struct effects *effects); /* called after every event and key */
bool detail_user_event(struct shell *shell, struct event *event);
void detail_user_clear(struct user_known *known);

/* detail_events.c: what events said of the record */
void detail_events(struct shell *shell, const struct intent *intent);
void detail_events_follow(struct shell *shell, struct effects *effects); /* called after every event and key */
bool detail_events_event(struct shell *shell, struct event *event);
void detail_events_clear(struct events_known *known);

/* customer.c: the user that the filter on show is of */
void customer_follow(struct shell *shell, struct effects *effects); /* called after every event and key */
bool customer_event(struct shell *shell, struct event *event);
void customer_draw(struct shell *shell, struct canvas *canvas, struct rect *area); /* takes its rows off the area */
bool customer_open(struct shell *shell); /* all that is known of it; false: there is none */
void customer_clear(struct customer_page *page);

/* own_run.c: programs of the operator's own */
void own_run_open(struct shell *shell);
void own_run_done(struct shell *shell, const struct event *event);
void own_run_clear(struct intents *intents);

/* copy.c */
void copy_under(struct shell *shell, struct effects *effects);
void copy_open(struct shell *shell);

#endif
