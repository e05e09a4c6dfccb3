#ifndef RUN_CLIPBOARD_H
#define RUN_CLIPBOARD_H
/* Copying: over SSH the terminal's own way first (OSC 52), for a program here would fill the wrong machine's clipboard;
 * else the platform's program under a timeout, on a thread of its own since it may block, and the terminal where there
 * is none or it failed. Main thread. */

#include "app/copy.h"
#include "app/effect.h"
#include "work/lane.h"

struct clipboard {
    struct lane *lane; /* made when it is first needed */
};

void clipboard_close(struct clipboard *clipboard);

#endif
