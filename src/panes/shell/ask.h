#ifndef PANES_ASK_H
#define PANES_ASK_H
/* A question over the pane. */

#include "panes/shell/console.h"
#include "ui/dialog.h"

/* `answered` gets the button, -1 where it was closed without one. */
struct ask {
    struct confirm confirm;
    void (*answered)(struct shell *shell, int button, struct effects *effects);
    int32_t letter; /* which opened it on a marked field: a further letter shows that text was meant; 0: none */
};
void ask_open(struct shell *shell, const struct ask *ask);
/* One that a letter opened is on show, and nothing in it was touched yet. */
bool ask_is_untouched(const struct shell *shell);

#endif
