#ifndef PANES_CALM_H
#define PANES_CALM_H
/* The quiet moment before a question that sends or runs something can be answered: it was on the screen, and for a
 * moment no key came that was typed before or meant something else. */

#include <stdbool.h>
#include <stdint.h>

struct shell;
struct calm {
    bool drawn;    /* it was drawn, and can be answered */
    bool fresh;    /* it was drawn, but is not known to be on the terminal yet */
    int64_t until; /* keys before this time do not answer it */
};

void calm_begin(const struct shell *shell, struct calm *calm);
void calm_drawn(const struct shell *shell, struct calm *calm);
void calm_stray(const struct shell *shell, struct calm *calm); /* a key that meant something else */
/* False while keys do not answer it yet. */
bool calm_is_over(const struct shell *shell, const struct calm *calm);
/* The frame that first shows what is asked is on the terminal: what was typed before is dropped, and for half a second
 * what comes after. False: nothing is asked anew. */
bool calm_shown(struct shell *shell);
void calm_clock_set(struct shell *shell, int64_t shift); /* the moment lasts as long as before */

#endif
