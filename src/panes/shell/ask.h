#ifndef PANES_ASK_H
#define PANES_ASK_H
/* A question over the pane. */

#include "panes/shell/console.h"
#include "ui/dialog.h"

/* `answered` gets the button, -1 where it was closed without one. */
struct ask {
    struct confirm confirm;
    void (*answered)(struct shell *shell, int button, struct effects *effects);
    bool acts;      /* a button sends or runs something: keys typed before it could be read do not answer it */
    int32_t letter; /* the letter that opened it on a marked field: another letter shows that text was meant; 0: no
                       letter did */
};
void ask_open(struct shell *shell, const struct ask *ask);
bool ask_fits(const struct shell *shell, const struct confirm *confirm); /* on the screen, as a whole */
/* A question that a letter opened is on show, and the operator has not touched it yet. */
bool ask_is_untouched(const struct shell *shell);

#endif
