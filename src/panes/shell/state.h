#ifndef PANES_STATE_H
#define PANES_STATE_H
/* What the console holds, for the files of this layer. */

#include "app/columns.h"
#include "app/export.h"
#include "app/labels.h"
#include "app/live.h"
#include "app/observed.h"
#include "app/view.h"
#include "model/tree.h"
#include "app/actions.h"
#include "panes/activity/activity.h"
#include "panes/import/import.h"
#include "panes/register/register.h"
#include "panes/shell.h"
#include "panes/shell/console.h"
#include "panes/shell/signs.h"
#include "panes/webhook/webhook.h"
#include "query/complete.h"
#include "ui/dialog.h"
#include "ui/form.h"
#include "ui/table.h"

enum pane_id { PANE_INTENTS, PANE_REGISTER, PANE_WEBHOOK, PANE_ACTIVITY, PANE_COUNT };

/* One pane: a const table of functions over the shell. */
struct pane {
    const char *title;
    const char *views[3]; /* sections of the key map to look in before "global" */
    void (*draw)(struct shell *shell, struct canvas *canvas, struct rect area);
    bool (*act)(struct shell *shell, int action, struct effects *effects); /* false: not this pane's */
    bool (*back)(struct shell *shell, struct effects *effects);            /* one step back; false at the root */
    /* May be NULL. Keys and pasted text as they come, before the key map: false where they are not text here. Every
     * pane sees every event until one takes it. leave: another pane or the end comes. */
    bool (*key)(struct shell *shell, int32_t key, struct effects *effects);
    bool (*paste)(struct shell *shell, const char *text, struct effects *effects);
    bool (*event)(struct shell *shell, struct event *event, struct effects *effects);
    void (*leave)(struct shell *shell, struct effects *effects);
    void (*enter)(struct shell *shell, struct effects *effects);
    bool (*hint)(const struct shell *shell, struct str *out); /* stands instead of the keys; false: the keys */
};
const struct pane *pane(enum pane_id id);
extern const struct pane intents_pane, register_pane, webhook_pane, activity_pane;

enum detail_mode { DETAIL_FIELDS, DETAIL_JSON };

struct detail {
    struct arena arena; /* of the lines' text */
    struct {
        struct text_line *items;
        size_t n, cap;
    } lines;
    struct pager pager;
    enum detail_mode mode;
    char *id; /* whose lines these are */
};

enum detail_place { DETAIL_NONE, DETAIL_RIGHT, DETAIL_BELOW, DETAIL_FULL };

/* One row of the list, whichever source it has. */
struct list_row {
    const struct intent *intent;
    int64_t key, confirmed; /* key 0: of the walk */
    bool cached, is_new, gone;
    uint64_t changed; /* bits of model/change.h */
    size_t page;      /* of the walk, SIZE_MAX: none */
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
    enum detail_place place; /* of the last draw */
};

enum overlay {
    OVERLAY_NONE,
    OVERLAY_PROMPT,
    OVERLAY_FACETS,
    OVERLAY_FACET_OTHER,
    OVERLAY_HELP,
    OVERLAY_ASK,
    OVERLAY_COUNTS,
    OVERLAY_PARTS,
    OVERLAY_READER,
    OVERLAY_MENU,
    OVERLAY_EXPORT,
    OVERLAY_COLUMNS,
    OVERLAY_VIEWS,
    OVERLAY_PALETTE,
    OVERLAY_REQUESTS,
    OVERLAY_COUNT
};

/* What stands over a pane and has the keys. paste may be NULL: nothing is edited there. */
struct overlay_pane {
    void (*key)(struct shell *shell, int32_t key, struct effects *effects);
    void (*draw)(struct shell *shell, struct canvas *canvas, struct rect within);
    void (*paste)(struct shell *shell, const char *text, struct effects *effects);
};
const struct overlay_pane *overlay(enum overlay id);

struct facets {
    struct picker picker;
    struct arena arena;
    struct {
        struct choice *items;
        size_t n, cap;
    } choices;
    struct edit other;
};

/* Values of one field with how often they are there. */
struct counts {
    int field; /* of the fields that are counted */
    struct looked *looked;
    uint64_t ticket;
    bool again; /* the index moved while a question was out */
    int64_t asked;
    size_t cursor, top;
    int visible_rows;
};

enum part_kind { PART_TRANSACTIONS, PART_CREDENTIAL, PART_ACCOUNT, PART_DISPUTE, PART_REFUND, PART_COUNT };
enum { SHELL_ROWS_MIN = 8, SHELL_COLS_MIN = 40 }; /* below, nothing but a line can be shown */
enum { PARTS_MAX = 16, SHELL_READING = 2000 /* ms that a complaint is given */ };

/* Parts of one intent, as it was when they were asked for. */
struct parts {
    struct picker picker;
    struct arena arena;
    const char *id, *currency;
    struct tree trees[PART_COUNT];
    struct {
        struct choice *items;
        size_t n, cap;
    } choices;
    int codes[PARTS_MAX];
};

/* A text over the list. */
struct reader {
    char *title;
    struct detail body;      /* as it was said */
    struct detail shown;     /* broken to the width; what scrolls */
    int wrap;                /* that width; 0: to be broken anew */
    enum overlay back;       /* where closing it leads */
    struct lookup_name name; /* whose changes these are; id NULL: it is no such text */
    uint64_t ticket;         /* of what is still to come */
    bool again;              /* the cache moved while a question was out */
};

struct help {
    struct pager pager;
    struct arena arena;
    struct {
        struct text_line *items;
        size_t n, cap;
    } lines;
};

struct palette {
    struct picker picker;
    struct arena arena;
    struct {
        struct choice *items;
        size_t n, cap;
    } choices;
};

/* A question; `answered` gets the button, -1 where it was closed without one. */
struct ask {
    struct confirm confirm;
    void (*answered)(struct shell *shell, int button, struct effects *effects);
    int32_t letter; /* which opened it on a marked field: a further letter shows that text was meant; 0: none */
};

/* Columns being chosen. A line stays where it is when its column is hidden, so that the same key shows it again. */
struct chooser {
    struct column_set all; /* every column: first those that were chosen */
    bool shown[COLUMN_COUNT];
    int cursor, top, visible_rows;
};

/* The saved views, how many intents each has, and a name being typed. */
struct view_count {
    size_t rows;
    bool known, whole;
};
struct views_pane {
    size_t cursor, top;
    struct {
        struct view_count *items;
        size_t n, cap;
    } counts; /* in the views' order, as far as they came */
    uint64_t ticket;
    bool naming;
    bool saved; /* one was, and the list with it is to come: the cursor goes there */
    bool sure;  /* the key that forgets was pressed once */
    struct edit name;
    char *said;    /* once a change is on the disk */
    bool restored; /* the list was put as it was in the session before */
    struct {
        char *name;           /* of the view on show; "" for the list that has none */
        struct layout layout; /* at the last key */
        bool changed;         /* since the disk has it */
    } seen;
};

/* What is to be exported and how, and the export that runs. */
struct export_pane {
    struct form form;
    enum record_format format;
    bool marks, on_screen, masked;
    bool all;       /* what the service has more is read first */
    char *proposed; /* the name for the file */
    bool named;     /* another was typed */
    char *failure;  /* why it could not be made; NULL: it was not tried with what is chosen now */
    char *waiting;  /* the filter of the rows that are being read for it; NULL: none is waited for */
    char *rows_text;
    struct export_job job;
};

/* One choice out of a list; `chosen` gets its place. */
typedef void menu_chosen_fn(struct shell *shell, size_t choice, struct effects *effects);
struct menu {
    const char *title;
    struct picker picker;
    struct arena arena;
    struct {
        struct choice *items;
        size_t n, cap;
    } choices;
    menu_chosen_fn *chosen;
};

enum prompt_kind { PROMPT_FILTER, PROMPT_FIND, PROMPT_JUMP, PROMPT_KINDS };

/* A row that is asked for, until the index has told where it is. */
/* A word without a digit is looked for as an id, and was more likely meant as a time. */
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

struct prompt_history {
    char **items;
    size_t n, cap, at;
};

/* A line being typed in the place of the hints, with what may stand at its caret. */
struct prompt {
    enum prompt_kind kind;
    struct edit edit;
    struct prompt_history history[PROMPT_KINDS];
    char *draft; /* the line, while older ones are looked at */
    struct query_completion completion;
    int selected; /* -1: none, the list only shows what there is */
    struct looked *seen;
    enum query_field_code seen_field, wanted_field, asked_field;
    uint64_t ticket;
    struct query_fault fault;
    char fault_text[ERROR_TEXT_MAX];
};

struct shell {
    struct shell_options options;
    bool read_only;
    const struct keymap *keymap;
    struct keymap *own_keymap; /* NULL where it was given */
    char *key_names[ACTION_COUNT];
    int rows, cols;
    int64_t now;
    enum clock_zone zone;
    enum pane_id pane;
    enum overlay overlay;
    struct intents intents;
    struct facets facets;
    struct counts counts;
    struct parts parts;
    struct reader reader;
    struct jump jump;
    struct read_back back;
    struct prompt prompt;
    struct help help;
    struct palette palette;
    bool mouse; /* captured */
    struct requests requests;
    struct detail requests_body;
    struct ask ask;
    struct menu menu;
    struct export_pane export;
    struct chooser chooser;
    struct views_pane views;
    struct register_pane registering;
    struct import_pane importing;
    struct activity_pane activity;
    struct webhook_pane hook;
    struct {
        enum role role; /* ROLE_ERROR, ROLE_WARN, ROLE_INFO */
        char *text;     /* NULL: the hint row shows keys */
        bool of_link;   /* about the last answer: the next one takes it away */
        bool held;      /* about what was typed: the next letters do not take it away before it can be read */
        int64_t at;     /* when it was said */
    } message;
    bool leaving;                 /* asked on a screen that is too small for a question */
    int64_t cancel_at;            /* of the last Ctrl-C at rest */
    bool dirty, finished, losing; /* losing: a form that cannot be kept is given up */
    bool framed;                  /* it is told when a frame stands on the terminal */
    char loss[1024];              /* the question about it */
    unsigned seen_generation;     /* of browse, when last looked at */
};

void shell_pane(struct shell *shell, enum pane_id id, struct effects *effects);
/* What came in and is no pane's. */
void told_event(struct shell *shell, const struct event *event, struct effects *effects);

static inline bool shell_is_on(const struct shell *shell, enum pane_id id) {
    return shell->pane == id;
}
static inline bool shell_shows(const struct shell *shell, enum overlay id) {
    return shell->overlay == id;
}
static inline bool shell_has_overlay(const struct shell *shell) {
    return shell->overlay != OVERLAY_NONE;
}
static inline void shell_close(struct shell *shell) {
    shell->overlay = OVERLAY_NONE;
}

/* actions.c: the actions that move the cursor of a table with so many rows; false: another action */
bool table_act(struct table *table, size_t rows, int action);
/* The key by which a pager knows such a movement, whatever the key map says; 0: another action. */
int32_t pager_move(int action);

/* chrome.c: title, status and hint rows */
void chrome_title(struct shell *shell, struct canvas *canvas, struct rect row);
/* A message is read whole: what does not fit one row takes more, and the pane has as many less. */
int chrome_hint_rows(const struct shell *shell);
void chrome_hints(struct shell *shell, struct canvas *canvas, struct rect row);
/* Numbers for people: digits grouped by thousands. */
void chrome_environment(const struct shell *shell, struct str *word, enum role *role);

/* intents.c */
void intents_init(struct shell *shell);
void intents_clear(struct shell *shell);
void intents_zone(struct shell *shell); /* after the zone of times changed: days are named in it */
void intents_changed(struct shell *shell, struct effects *effects); /* after browse_update */
const struct intent *intents_current(const struct shell *shell);
void intents_follow(struct shell *shell);
void intents_columns(struct shell *shell);
void intents_sorted(struct shell *shell);
enum query_field_code intents_column_field(int column);                             /* QUERY_FIELD_COUNT: none */
void intents_column_text(const struct intent *intent, int column, struct str *out); /* whole, as served */
size_t intents_chosen_fields(const struct shell *shell, unsigned char out[RECORD_FIELD_COUNT]);
void intents_sort_text(const struct view *view, struct str *out); /* "created desc, amount asc"; "" for none */
/* And, over an answer on show, that it compares amounts of several currencies. */
void intents_order_text(const struct view *view, struct str *out);
enum role intents_status_role(const char *text);
bool intents_column_value(const struct shell *shell, const struct intent *intent, int column,
                          enum query_field_code *field, struct str *out);
void intents_cell(void *context, size_t row, int column, struct table_cell *out);
bool intents_renamed(struct intents *intents); /* cells are to be drawn once more */
void intents_gutter(void *context, size_t row, struct table_gutter *out);
/* Exact, never across currencies; how many intents of it have no amount. */
void intents_sum_text(const struct shell *shell, const struct looked_total *total, struct str *out);
void intents_filter_row(struct shell *shell, struct canvas *canvas, struct rect row);
void intents_status_row(struct shell *shell, struct canvas *canvas, struct rect row);
void intents_crawl(struct shell *shell, struct effects *effects); /* every page of the service's part */
void intents_set_filter(struct shell *shell, const struct server_filter *filter, struct effects *effects);

size_t intents_count(const struct shell *shell);
bool intents_at(const struct shell *shell, size_t row, struct list_row *out); /* false: not at hand yet */
void intents_moved(struct shell *shell, struct effects *effects);             /* after the cursor did */
void intents_viewed(struct shell *shell, struct effects *effects); /* places cursor and rows after the view changed */
void intents_apply(struct shell *shell, const char *text, struct effects *effects);
/* The same for the filter with a term added, which is named; empty: it says so already. */
void intents_narrow(struct shell *shell, const char *text, const char *term, struct effects *effects);
void undo_step(struct shell *shell, bool again, struct effects *effects);

/* intents_cursor.c */
void intents_keep_cursor(struct shell *shell);     /* the record under it is the one to come back to */
void intents_place_cursor(struct shell *shell);    /* after rows changed */
void intents_ask_before_more(struct shell *shell); /* where reading by itself came to its end */

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
/* The nearest row of the walk that matches, from beside `from` (SIZE_MAX: above the first); its rows where there is
 * none. */
size_t intents_match(const struct shell *shell, const struct query *query, size_t from, int direction);

/* jump.c */
void jump_clear(struct jump *jump);
void jump_to(struct shell *shell, const char *text, struct effects *effects);
bool jump_event(struct shell *shell, const struct event *event, struct effects *effects);

/* read_back.c. False: there is nothing to read on, or too much was read already. query is copied. */
bool read_back_rows(struct shell *shell, struct effects *effects);
bool read_back_jump(struct shell *shell, const struct query *query, const char *text, struct effects *effects);
void read_back_follow(struct shell *shell, struct effects *effects); /* after whatever happened */
void read_back_stop(struct shell *shell);
void read_back_clear(struct read_back *back);

/* views.c */
void views_open(struct shell *shell, struct effects *effects);
void views_show(struct shell *shell, const char *name, struct effects *effects);
void views_clear(struct views_pane *own);
/* After a key: sort and columns belong to the view that they were chosen for. At the end all is put on the disk. */
void views_follow(struct shell *shell, struct effects *effects);
void views_keep(struct shell *shell, struct effects *effects);
void views_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void views_key(struct shell *shell, int32_t key, struct effects *effects);
void views_paste(struct shell *shell, const char *text, struct effects *effects);
bool views_event(struct shell *shell, struct event *event, struct effects *effects);

/* columns.c: which columns, in which order, how wide */
void columns_order(struct shell *shell); /* for the table to be drawn */
bool columns_act(struct shell *shell, int action, struct effects *effects);
void columns_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void columns_key(struct shell *shell, int32_t key, struct effects *effects);

/* prompt.c */
void prompt_open(struct shell *shell, enum prompt_kind kind, const char *text, struct effects *effects);
void prompt_clear(struct prompt *prompt);
const char *prompt_sign(enum prompt_kind kind);
void prompt_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void prompt_key(struct shell *shell, int32_t key, struct effects *effects);
void prompt_paste(struct shell *shell, const char *text, struct effects *effects);
void prompt_fault(struct shell *shell, const char *text); /* said at the line, until it changes */
bool prompt_event(struct shell *shell, struct event *event, struct effects *effects);

/* prompt_history.c */
void prompt_history_clear(struct prompt *prompt);
void prompt_remember(struct shell *shell, struct effects *effects);
void prompt_take_history(struct prompt *prompt, const char *text);

/* detail.c */
void detail_init(struct detail *detail);
void detail_clear(struct detail *detail);
void detail_show(struct shell *shell, const struct intent *intent);
void detail_draw(struct shell *shell, struct canvas *canvas, struct rect area, bool focused);
/* detail_lines.c */
void detail_lines(struct shell *shell, const struct intent *intent);
struct text_line *detail_add(struct detail *detail, const char *label, const char *text, enum role role);
/* How the amounts in a record of an intent are read. */
struct detail_units {
    struct money_rule rule;
    const char *currency; /* the intent's */
};
void detail_tree(struct detail *detail, const struct tree *tree, const char *path, const struct detail_units *units);
/* detail_money.c: what the unit makes of an amount, behind its digits; nothing where it is no integer. */
void detail_add_money(struct str *text, const struct money_rule *rule, const struct value_number *number,
                      const char *currency);
void detail_add_tree_money(struct str *text, const struct detail_units *units, const struct tree *tree, size_t at);
/* In a table: what the unit makes of it, with the digits served behind. */
void detail_transaction_amount(struct str *text, const struct money_rule *rule, const struct transaction *transaction);

/* reader.c */
void reader_open(struct shell *shell, const char *title, enum overlay back);
void reader_fill(struct shell *shell); /* after lines were added to its body */
void reader_clear(struct reader *reader);
void reader_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void reader_key(struct shell *shell, int32_t key, struct effects *effects);
bool reader_event(struct shell *shell, const struct event *event, struct effects *effects);
void changes_open(struct shell *shell, struct effects *effects);

/* parts.c */
void parts_open(struct shell *shell);
void parts_clear(struct parts *parts);
void parts_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void parts_key(struct shell *shell, int32_t key, struct effects *effects);

/* ask.c */
/* leave.c. Whether a field of a form is marked, keys being actions: letters that do nothing else type into it. */
bool shell_field_is_marked(struct shell *shell);
void shell_type(struct shell *shell, int32_t key, struct effects *effects);        /* as text, into that field */
void shell_leave_by(struct shell *shell, int32_t letter, struct effects *effects); /* asks where it costs something */
void shell_leave_in_time(struct shell *shell); /* no further letter came: it was no text */
bool shell_is_writing(const struct shell *shell);
void shell_draw_small(const struct shell *shell, struct canvas *canvas);
void ask_open(struct shell *shell, const struct ask *ask);
void ask_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void ask_key(struct shell *shell, int32_t key, struct effects *effects);
/* A question that no longer fits is closed, never answered (faults S5). */
void ask_resized(struct shell *shell, struct effects *effects);
void ask_cache(struct shell *shell); /* is the account the same? */

/* menu.c: begin, add each choice, open */
void menu_begin(struct shell *shell, const char *title, menu_chosen_fn *chosen);
void menu_add(struct shell *shell, const char *label, const char *note); /* copied; note may be NULL */
void menu_open(struct shell *shell);
void menu_clear(struct menu *menu);
void menu_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void menu_key(struct shell *shell, int32_t key, struct effects *effects);

/* copy.c */
void copy_under(struct shell *shell, struct effects *effects);
void copy_open(struct shell *shell);

/* export.c */
void export_open(struct shell *shell);
void export_pane_clear(struct export_pane *own);
void export_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void export_key(struct shell *shell, int32_t key, struct effects *effects);
void export_paste(struct shell *shell, const char *text, struct effects *effects);
bool export_event(struct shell *shell, struct event *event, struct effects *effects);
void export_follow(struct shell *shell, struct effects *effects); /* after whatever happened */
bool export_stop(struct shell *shell, struct effects *effects);   /* false: none runs */

/* facets.c */
void facets_open(struct shell *shell);
void facets_clear(struct facets *facets);
void facets_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void facets_key(struct shell *shell, int32_t key, struct effects *effects);
void facets_paste(struct shell *shell, const char *text, struct effects *effects);

/* counts.c */
void counts_open(struct shell *shell, struct effects *effects);
void counts_clear(struct counts *counts);
void counts_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void counts_key(struct shell *shell, int32_t key, struct effects *effects);
bool counts_event(struct shell *shell, struct event *event, struct effects *effects);
void counts_walked(struct shell *shell, struct effects *effects); /* after the walk's rows changed */

/* mouse.c */
void mouse_toggle(struct shell *shell, struct effects *effects);
void mouse_input(struct shell *shell, const struct input *input, struct effects *effects);

/* requests.c */
void requests_open(struct shell *shell);
bool requests_event(struct shell *shell, const struct event *event);
void requests_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void requests_key(struct shell *shell, int32_t key, struct effects *effects);

/* palette.c */
void palette_open(struct shell *shell);
void palette_clear(struct palette *palette);
void palette_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void palette_key(struct shell *shell, int32_t key, struct effects *effects);
void palette_paste(struct shell *shell, const char *text, struct effects *effects);

/* help.c */
void help_open(struct shell *shell);
void help_clear(struct help *help);
void help_draw(struct shell *shell, struct canvas *canvas, struct rect within);
void help_key(struct shell *shell, int32_t key, struct effects *effects);

#endif
