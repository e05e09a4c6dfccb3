#ifndef PANES_SHELL_H
#define PANES_SHELL_H
/* The console: focus, layout, dialogs, routing of keys to panes. Pure like app: keys and events in, effects out, and a
 * drawing on a canvas. run owns the loop and the screen around it. */

#include "app/effect.h"
#include "base/clock.h"
#include "ui/canvas.h"
#include "ui/keymap.h"

struct shell;

struct shell_options {
    const struct profile *profile; /* borrowed */
    bool read_only;                /* by option, beside the profile's own */
    bool demo;
    enum clock_zone zone;
    struct keymap *keymap;      /* borrowed; NULL: the keys to begin with */
    const struct secret *token; /* borrowed; only compared with: it never serves as another secret; NULL: none */
    const char *ca_file;        /* of the doctor, instead of the system's roots; NULL */
    const char *receiver;       /* of the demo's events: its URL; NULL: no demo */
    const char *secret_file;    /* where that receiver looks for the secret */
    const char *folder;         /* where files of a bare name go, as people write it; NULL: not known */
    const char *nonce;  /* fresh random hex, of which names of drafts are made; NULL: it comes with the journal */
    const char *notice; /* first message, or NULL: what start-up wants said once */
};

struct shell *shell_new(const struct shell_options *options);
void shell_free(struct shell *shell);

void shell_start(struct shell *shell, int64_t now, struct effects *effects);
void shell_input(struct shell *shell, struct input *input, int64_t now, struct effects *effects);
/* The end has come, by a key or from outside: what is kept is kept. */
void shell_end(struct shell *shell, struct effects *effects);
/* After that: forms are on their way to the disk. */
bool shell_is_keeping(const struct shell *shell);
/* True: nothing would be lost, or that was agreed to. False: it is asked now, and the shell goes on. */
bool shell_may_leave(struct shell *shell);
const char *shell_unkept(const struct shell *shell); /* why a form could not be kept; NULL: all were */
void shell_event(struct shell *shell, struct event *event, struct effects *effects);
void shell_resize(struct shell *shell, int rows, int cols, struct effects *effects);

bool shell_is_dirty(const struct shell *shell);
void shell_draw(struct shell *shell, struct canvas *canvas);
/* The frame drawn last stands on the terminal. True: what was typed before it did is to be dropped. */
bool shell_shown(struct shell *shell, int64_t now);
bool shell_is_finished(const struct shell *shell);

#endif
