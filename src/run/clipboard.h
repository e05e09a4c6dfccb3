#ifndef RUN_CLIPBOARD_H
#define RUN_CLIPBOARD_H
/* Copying. Over SSH by the terminal itself first (OSC 52), since a program here would fill the clipboard of the wrong
 * machine; else by the platform's program, with a time limit and on a thread of its own since it may block, and by the
 * terminal where there is no such program or it failed. Main thread. */

#include "app/copy.h"
#include "app/effect.h"
#include "work/lane.h"

struct clipboard {
    struct lane *lane; /* made at the first use */
};

void clipboard_close(struct clipboard *clipboard);

#endif
