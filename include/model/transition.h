#ifndef MODEL_TRANSITION_H
#define MODEL_TRANSITION_H
/* Changes of an intent's status that were observed between two readings of it: from one status to another, numbered, so
 * that those of an intent are a set of bits. Statuses that the interface document does not name are one, `other`; that
 * there was none is `none`. */

#include "model/intent.h"

enum { TRANSITION_STATES = INTENT_STATUS_COUNT + 2, TRANSITION_COUNT = TRANSITION_STATES * TRANSITION_STATES };
_Static_assert(TRANSITION_COUNT < 64, "a bit for each, and a sign");
#define TRANSITION_BIT(transition) (UINT64_C(1) << (transition))

/* NULL: no status. */
unsigned transition_of(const char *before, const char *after);
unsigned transition_before(unsigned transition); /* a status, below TRANSITION_STATES */
unsigned transition_after(unsigned transition);
const char *transition_state_name(unsigned state); /* as served, `other` or `none` */
const char *transition_name(unsigned transition);  /* `pending-approved` */

#endif
