#ifndef PANES_SHELL_STATE_H
#define PANES_SHELL_STATE_H
/* The console's own state, for the files of this folder. Panes and overlays include panes/shell/console.h. */

#include "panes/shell/pane.h"

enum { SHELL_ROWS_MIN = 8, SHELL_COLS_MIN = 40 }; /* below, nothing but a line can be shown */
enum { SHELL_READING = 2000 /* ms that an error is kept on show */, PANE_NUMBERS = PANE_COUNT - PANE_FIRST };

struct shell {
    struct shell_options options;
    bool read_only;
    const struct keymap *keymap;
    struct keymap *own_keymap; /* NULL where it was given */
    char *key_names[ACTION_COUNT];
    int rows, cols;
    int64_t now;
    enum clock_zone zone;
    void *states[PANE_COUNT];          /* one for each pane and overlay, which only its own files can read */
    enum pane_id pane;                 /* the number of the pane on show */
    enum pane_id stands[PANE_NUMBERS]; /* which pane is shown in the place of each: mostly itself */
    enum pane_id overlay;
    bool mouse; /* captured */
    struct {
        enum role role; /* ROLE_ERROR, ROLE_WARN, ROLE_INFO */
        char *text;     /* NULL: the hint row shows keys */
        bool of_link;   /* about the service's last answer: the next answer removes it */
        bool held;      /* about typed text: further letters do not remove it before it can be read */
        int64_t at;     /* when it was said */
    } message;
    bool leaving;      /* leaving was asked on a screen that is too small for a question */
    int64_t cancel_at; /* of the last Ctrl-C at rest */
    struct {
        int32_t letter; /* that was a key while a field was marked; 0: none */
        int64_t at;     /* when it came, or the last letter behind it */
    } word;
    bool dirty, finished, losing; /* losing: the operator agreed to lose a form that cannot be stored */
    bool framed;                  /* the terminal reports when a frame is on it */
    char loss[1024];              /* the question about it */
};

const struct pane *pane_of(enum pane_id id);
const struct pane *shell_overlay(const struct shell *shell); /* NULL: none */
void shell_go(struct shell *shell, enum pane_id id, struct effects *effects);
bool shell_is_too_small(const struct shell *shell); /* to show anything */

/* unclaimed.c: events that belong to no pane */
void shell_unclaimed_event(struct shell *shell, const struct event *event);

/* chrome.c: title and hint rows */
void chrome_title(struct shell *shell, struct canvas *canvas, struct rect row);
/* A message is shown whole: what does not fit in one row takes more rows from the pane. */
int chrome_hint_rows(const struct shell *shell);
void chrome_hints(struct shell *shell, struct canvas *canvas, struct rect row);
void chrome_environment(const struct shell *shell, struct str *word, enum role *role);

/* leave.c. Whether a field of a form is marked while keys are actions: letters without an action are then typed into
 * it. */
bool shell_field_is_marked(struct shell *shell);
void shell_type(struct shell *shell, int32_t key, struct effects *effects); /* as text, into that field */
void shell_word_begins(struct shell *shell, int32_t letter); /* a letter was a key while a field was marked */
void shell_leave_by(struct shell *shell, int32_t letter, struct effects *effects); /* asks where it costs something */
void shell_leave_in_time(struct shell *shell); /* no further letter came, so the letter was meant as a key */
void shell_draw_small(const struct shell *shell, struct canvas *canvas);

/* mouse.c */
void mouse_toggle(struct shell *shell, struct effects *effects);
void mouse_input(struct shell *shell, const struct input *input, struct effects *effects);

#endif
