#ifndef APP_COPY_H
#define APP_COPY_H
/* What became of a text that was to be copied (effects_copy), and the sentence that says it. The terminal never tells
 * whether it took a text, so only a program's success is called "copied". Borrowed for the length of the event.
 */

#include "base/payload.h"
#include "base/str.h"

#include <stdbool.h>

enum copy_way {
    COPY_NOWHERE,
    COPY_TERMINAL, /* OSC 52 */
    COPY_TOOL,     /* a clipboard program */
};

struct copied {
    enum copy_way way;
    const char *what;    /* as effects_copy had it */
    const char *tool;    /* the program that took it, or the one that failed; NULL: none was tried */
    const char *through; /* "tmux", "screen": what stands between; NULL */
    const char
        *text; /* the id that was to be copied, shown so that it can be selected by hand; NULL: it is not shown */
    size_t bytes;
};
PAYLOAD_TYPE(copied)

void copied_tell(const struct copied *copied, struct str *out);

#endif
