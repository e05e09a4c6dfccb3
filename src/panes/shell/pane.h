#ifndef PANES_PANE_H
#define PANES_PANE_H
/* A pane, or an overlay over one: one const table of functions over a private state. Every function may be NULL. This
 * table is all that the console knows of it. */

#include "panes/shell/console.h"
#include "ui/canvas.h"

struct form;
struct calm;
struct review;
struct table;

/* What would be lost by leaving the console now, in ascending order: of several the last is told. */
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
    bool types;              /* an overlay into which letters are typed as text: the mouse does not act on it */

    /* Called at the console's start and end. end: stores what has to be stored; clear: frees memory. */
    void (*init)(struct shell *shell);
    void (*start)(struct shell *shell, struct effects *effects);
    void (*end)(struct shell *shell, struct effects *effects);
    void (*clear)(struct shell *shell);

    /* open: an overlay, or a pane that replaces another, is asked for, with the argument that its header names; false:
     * it does not open, and has said why or opened another. enter, leave: a pane of its own comes on show, or goes. */
    bool (*open)(struct shell *shell, const void *argument, struct effects *effects);
    void (*enter)(struct shell *shell, struct effects *effects);
    void (*leave)(struct shell *shell, struct effects *effects);

    void (*draw)(struct shell *shell, struct canvas *canvas, struct rect area);
    bool (*hint)(const struct shell *shell, struct str *out); /* shown instead of the keys; false: the keys are shown */

    /* Keys. An overlay gets all of them. A pane is asked in this order: search_key, whatever the size of the screen;
     * key, before the key map; act, by the key map; other_key, where no action took it. false: the pane does not use
     * the key. */
    void (*every_key)(struct shell *shell, int32_t key, struct effects *effects);
    bool (*search_key)(struct shell *shell, int32_t key);
    bool (*key)(struct shell *shell, int32_t key, struct effects *effects);
    bool (*act)(struct shell *shell, int action, struct effects *effects);
    bool (*other_key)(struct shell *shell, int32_t key);
    /* Of an overlay whose text the reader shows: asked before the keys that move in it. */
    bool (*text_key)(struct shell *shell, int32_t key, struct effects *effects);
    bool (*paste)(struct shell *shell, const char *text, struct effects *effects); /* false: nothing is edited */
    /* An error in the typed text; NULL: it is shown as a message. */
    void (*fault)(struct shell *shell, const char *text);
    bool (*back)(struct shell *shell, struct effects *effects); /* one step back; false at the root */
    bool (*focus)(struct shell *shell, int step); /* moves the focus within the pane; false: to the next pane */

    /* Every pane and overlay sees every event, in the order of PANE_TABLE, until one takes it. */
    bool (*event)(struct shell *shell, struct event *event, struct effects *effects);
    void (*after_event)(struct shell *shell, struct effects *effects);
    void (*after_key)(struct shell *shell, struct effects *effects);
    void (*clock_set)(struct shell *shell, struct event *event, struct effects *effects);
    void (*zoned)(struct shell *shell); /* times are shown in another zone */
    void (*resized)(struct shell *shell, struct effects *effects);

    /* Work that runs. stops_back: the key that goes back stops it first. stop: false where nothing ran. */
    bool (*stops_back)(const struct shell *shell);
    bool (*stop)(struct shell *shell, struct effects *effects);
    bool (*is_writing)(const struct shell *shell);
    const char *(*cost)(const struct shell *shell, enum leave_cost *cost);
    bool (*is_keeping)(const struct shell *shell);    /* forms are being stored on the disk */
    const char *(*unkept)(const struct shell *shell); /* why a form could not be stored; NULL: all were */

    /* Parts that the console draws or moves. */
    struct form *(*marked_form)(struct shell *shell); /* the form with a marked field while keys are actions; NULL */
    struct review *(*review)(struct shell *shell);
    struct calm *(*calm)(struct shell *shell); /* of a question that is no review; NULL: none can be answered now */
    bool (*is_reviewing)(const struct shell *shell);
    /* The table that the mouse points into; NULL: none is on show. */
    const struct table *(*table)(const struct shell *shell);
    int (*status)(const struct shell *shell, struct canvas *canvas, struct rect row, int x); /* of the title row */
    bool (*aside)(const struct shell *shell, struct str *out); /* the same, where the others leave room; false: none */
    const char *(*place)(const struct shell *shell);           /* beside its title; "" for none */
    /* Lists what the shortened values on show stand for. */
    void (*names)(struct shell *shell, help_line_fn *add, void *help);
};

/* Every pane and every overlay, in the order in which they get events. The panes of the number keys come last, in the
 * order of their numbers. */
#define PANE_TABLE(X)                       \
    X(OVERLAY_REQUESTS, requests_overlay)   \
    X(OVERLAY_VIEWS, views_overlay)         \
    X(OVERLAY_EXPORT, export_overlay)       \
    X(OVERLAY_PROMPT, prompt_overlay)       \
    X(OVERLAY_COUNTS, counts_overlay)       \
    X(OVERLAY_CHANGES, changes_overlay)     \
    X(OVERLAY_ATTEMPTS, attempts_overlay)   \
    X(OVERLAY_ARRIVALS, arrivals_overlay)   \
    X(OVERLAY_TEAM, team_overlay)           \
    X(OVERLAY_NOTES, notes_overlay)         \
    X(OVERLAY_HANDOVER, handover_overlay)   \
    X(OVERLAY_INBOX, inbox_overlay)         \
    X(OVERLAY_PROPOSALS, proposals_overlay) \
    X(OVERLAY_READER, reader_overlay)       \
    X(OVERLAY_PARTS, parts_overlay)         \
    X(OVERLAY_FACETS, facets_overlay)       \
    X(OVERLAY_COLUMNS, columns_overlay)     \
    X(OVERLAY_HELP, help_overlay)           \
    X(OVERLAY_PALETTE, palette_overlay)     \
    X(OVERLAY_ASK, ask_overlay)             \
    X(OVERLAY_MENU, menu_overlay)           \
    X(PANE_IMPORT, import_pane)             \
    X(PANE_MATCH, match_pane)               \
    X(PANE_INTENTS, intents_pane)           \
    X(PANE_REGISTER, register_pane)         \
    X(PANE_WEBHOOK, webhook_pane)           \
    X(PANE_ACTIVITY, activity_pane)         \
    X(PANE_OVERVIEW, overview_pane)

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

const struct pane *shell_pane(const struct shell *shell); /* the pane on show, whatever is over it */
bool shell_is_on(const struct shell *shell, enum pane_id id);
bool shell_shows(const struct shell *shell, enum pane_id overlay);
bool shell_has_overlay(const struct shell *shell);
/* Opens an overlay by its open function. */
bool shell_open(struct shell *shell, enum pane_id overlay, const void *argument, struct effects *effects);
void shell_put(struct shell *shell, enum pane_id overlay); /* shows it over the pane as it is */
void shell_close(struct shell *shell);
/* Shows another pane in the place of `id`, until that is shown again: with the same number and title. */
bool shell_stand_in(struct shell *shell, enum pane_id id, enum pane_id by, struct effects *effects);
bool shell_stands(const struct shell *shell, enum pane_id id); /* it is in its place, whether on show or not */

#endif
