#ifndef PANES_SHELL_H
#define PANES_SHELL_H
/* The console: focus, layout, dialogs, and which pane gets a key. Pure like app: takes keys and events, adds effects,
 * draws on a canvas. run owns the loop and the screen around it. */

#include "app/effect.h"
#include "base/clock.h"
#include "ui/canvas.h"
#include "ui/keymap.h"

struct shell;

struct shell_options {
    const struct profile *profile; /* borrowed */
    bool read_only;                /* by option, beside the profile's own */
    enum clock_zone zone;
    struct keymap *keymap;      /* borrowed; NULL: the default keys */
    const struct secret *token; /* borrowed; only used to recognise the token where something else is typed: it never
                                   serves as another secret; NULL: none */
    const char *ca_file;        /* of the doctor, instead of the system's roots; NULL */
    const char *demo_folder;    /* the demo's own, which goes with it; NULL: no demo */
    const char *receiver;       /* URL of the demo's receiver of events; NULL: no demo */
    const char *secret_file;    /* where that receiver looks for the secret */
    const char *folder;         /* where files of a bare name go, as people write it; NULL: not known */
    const char *nonce; /* fresh random hex that names of drafts are made of; NULL: it comes with the journal's answer */
    const struct own_actions *own_actions; /* borrowed; NULL: none */
    const struct reasons *reasons;         /* borrowed; what declines mean; NULL: not known */
    const char *notice;                    /* a message from start-up that is shown first, or NULL */
};

struct shell *shell_new(const struct shell_options *options);
void shell_free(struct shell *shell);

void shell_start(struct shell *shell, int64_t now, struct effects *effects);
void shell_input(struct shell *shell, struct input *input, int64_t now, struct effects *effects);
/* Called once when the program ends, by a key or from outside: forms are stored on the disk. */
void shell_end(struct shell *shell, struct effects *effects);
/* After shell_end: forms are still being stored. */
bool shell_is_keeping(const struct shell *shell);
/* True: nothing would be lost, or the operator agreed to that. False: a question is on screen now, and the console goes
 * on. */
bool shell_may_leave(struct shell *shell);
const char *shell_unkept(const struct shell *shell); /* why a form could not be kept; NULL: all were */
void shell_event(struct shell *shell, struct event *event, struct effects *effects);
void shell_resize(struct shell *shell, int rows, int cols, struct effects *effects);

bool shell_is_dirty(const struct shell *shell);
void shell_draw(struct shell *shell, struct canvas *canvas);
/* The last frame is on the terminal. True: what was typed before that has to be dropped. */
bool shell_shown(struct shell *shell, int64_t now);
bool shell_is_finished(const struct shell *shell);

#endif
