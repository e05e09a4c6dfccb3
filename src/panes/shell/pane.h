#ifndef PANES_PANE_H
#define PANES_PANE_H
/* A pane, or an overlay that stands over one: one const table of functions over a private state. Every function may be
 * NULL. The console knows of it what stands here, and nothing else. */

#include "panes/shell/console.h"
#include "ui/canvas.h"

struct form;
struct review;
struct table;

/* What leaving the console now would cost, the dearest last: of several it is told. */
enum leave_cost {
    LEAVE_NOTHING,
    LEAVE_PREPARED,
    LEAVE_FORM_LOST,
    LEAVE_FORM_KEPT,
    LEAVE_FILE,
    LEAVE_WRITE,
    LEAVE_IMPORT,
};

/* One line of the help: what stands at its left may be NULL. */
typedef void help_line_fn(void *help, const char *label, const char *text, enum role role);

struct pane {
    const char *title;
    const char *sections[3]; /* sections of the key map to look in before "global" */
    size_t size;             /* bytes of its private state, which is zero before init */
    bool types;              /* an overlay whose letters are text: the mouse is left alone */

    /* From the console's start to its end. end: what is to be kept is kept; clear: memory. */
    void (*init)(struct shell *shell);
    void (*start)(struct shell *shell, struct effects *effects);
    void (*end)(struct shell *shell, struct effects *effects);
    void (*clear)(struct shell *shell);

    /* An overlay, or a pane that stands in for another, is asked for, with what its header says; false: it does not
     * come itself, and why was said or another was opened. enter, leave: a pane of its own becomes, or is no longer,
     * the one on show. */
    bool (*open)(struct shell *shell, const void *argument, struct effects *effects);
    void (*enter)(struct shell *shell, struct effects *effects);
    void (*leave)(struct shell *shell, struct effects *effects);

    void (*draw)(struct shell *shell, struct canvas *canvas, struct rect area);
    bool (*hint)(const struct shell *shell, struct str *out); /* stands instead of the keys; false: the keys */

    /* Keys. An overlay has all of them. A pane is asked in this order: search_key, whatever the size of the screen;
     * key, before the key map; act, by the key map; other_key, where no action took it. false: it is not this pane's.
     */
    void (*every_key)(struct shell *shell, int32_t key, struct effects *effects);
    bool (*search_key)(struct shell *shell, int32_t key);
    bool (*key)(struct shell *shell, int32_t key, struct effects *effects);
    bool (*act)(struct shell *shell, int action, struct effects *effects);
    bool (*other_key)(struct shell *shell, int32_t key);
    bool (*paste)(struct shell *shell, const char *text, struct effects *effects); /* false: nothing is edited */
    void (*fault)(struct shell *shell, const char *text);       /* of what was typed; NULL: it is a message */
    bool (*back)(struct shell *shell, struct effects *effects); /* one step back; false at the root */
    bool (*focus)(struct shell *shell, int step);               /* within the pane; false: to the next pane */

    /* Every pane and overlay sees every event, in the order of PANE_TABLE, until one takes it. */
    bool (*event)(struct shell *shell, struct event *event, struct effects *effects);
    void (*after_event)(struct shell *shell, struct effects *effects);
    void (*after_key)(struct shell *shell, struct effects *effects);
    void (*clock_set)(struct shell *shell, struct event *event, struct effects *effects);
    void (*zoned)(struct shell *shell); /* times are shown in another zone */
    void (*resized)(struct shell *shell, struct effects *effects);

    /* What runs. stops_back: the key that goes back stops it first. stop: false where nothing ran. */
    bool (*stops_back)(const struct shell *shell);
    bool (*stop)(struct shell *shell, struct effects *effects);
    bool (*is_writing)(const struct shell *shell);
    const char *(*cost)(const struct shell *shell, enum leave_cost *cost);
    bool (*is_keeping)(const struct shell *shell);    /* forms are on their way to the disk */
    const char *(*unkept)(const struct shell *shell); /* why a form could not be kept; NULL: all were */

    /* What the console draws or moves for it. */
    struct form *(*marked_form)(struct shell *shell); /* a field of it is marked while keys are actions; NULL */
    struct review *(*review)(struct shell *shell);
    bool (*is_reviewing)(const struct shell *shell);
    const struct table *(*table)(const struct shell *shell); /* which the mouse points into; NULL: it is not on show */
    int (*status)(const struct shell *shell, struct canvas *canvas, struct rect row, int x); /* of the title row */
    const char *(*place)(const struct shell *shell);                   /* beside its title; "" for none */
    void (*names)(struct shell *shell, help_line_fn *add, void *help); /* what values that are cut on show stand for */
};

/* Every pane and every overlay, in the order in which they are offered events. The panes of the number keys stand last,
 * in the order of their numbers. */
#define PANE_TABLE(X)                     \
    X(OVERLAY_REQUESTS, requests_overlay) \
    X(OVERLAY_VIEWS, views_overlay)       \
    X(OVERLAY_EXPORT, export_overlay)     \
    X(OVERLAY_PROMPT, prompt_overlay)     \
    X(OVERLAY_COUNTS, counts_overlay)     \
    X(OVERLAY_CHANGES, changes_overlay)   \
    X(OVERLAY_READER, reader_overlay)     \
    X(OVERLAY_PARTS, parts_overlay)       \
    X(OVERLAY_FACETS, facets_overlay)     \
    X(OVERLAY_COLUMNS, columns_overlay)   \
    X(OVERLAY_HELP, help_overlay)         \
    X(OVERLAY_PALETTE, palette_overlay)   \
    X(OVERLAY_ASK, ask_overlay)           \
    X(OVERLAY_MENU, menu_overlay)         \
    X(PANE_IMPORT, import_pane)           \
    X(PANE_INTENTS, intents_pane)         \
    X(PANE_REGISTER, register_pane)       \
    X(PANE_WEBHOOK, webhook_pane)         \
    X(PANE_ACTIVITY, activity_pane)

enum pane_id {
#define X(id, table) id,
    PANE_TABLE(X)
#undef X
        PANE_COUNT,
    OVERLAY_NONE = PANE_COUNT,
    PANE_FIRST = PANE_INTENTS, /* of the number keys */
};
#define X(id, table) extern const struct pane table;
PANE_TABLE(X)
#undef X

/* The private state of a pane or overlay; each has a function that names its type. */
void *shell_state(const struct shell *shell, enum pane_id id);

const struct pane *shell_pane(const struct shell *shell); /* on show, whatever stands over it */
bool shell_is_on(const struct shell *shell, enum pane_id id);
bool shell_shows(const struct shell *shell, enum pane_id overlay);
bool shell_has_overlay(const struct shell *shell);
/* By its open. */
bool shell_open(struct shell *shell, enum pane_id overlay, const void *argument, struct effects *effects);
void shell_put(struct shell *shell, enum pane_id overlay); /* over the pane, as it is */
void shell_close(struct shell *shell);
/* Another pane stands where `id` stands, until that one takes its place back: same number, same title. */
bool shell_stand_in(struct shell *shell, enum pane_id id, enum pane_id by, struct effects *effects);
bool shell_stands(const struct shell *shell, enum pane_id id); /* in its place, on show or not */

#endif
