#ifndef MODEL_DELIVERY_H
#define MODEL_DELIVERY_H
/* What the demo's sandbox says of the events it sent to the registered endpoint, attempt by attempt. A list owns its
 * text; every text is sanitised. Any thread, one list one thread. */

#include "base/mem.h"
#include "base/str.h"

#include <stdint.h>

struct delivery {
    int64_t n, at;                                     /* at: ms since 1970, CLOCK_NONE where it is not readable */
    const char *event, *kind, *outcome, *scheme, *why; /* "" where absent; scheme "": unsigned */
    int attempt, status;                               /* status 0: no answer */
};

struct deliveries {
    struct delivery *items; /* oldest first */
    size_t n, cap;
    struct arena arena;
    struct error error; /* they could not be read */
};
struct deliveries *deliveries_new(void);
void deliveries_free(struct deliveries *deliveries);

#endif
