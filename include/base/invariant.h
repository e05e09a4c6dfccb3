#ifndef BASE_INVARIANT_H
#define BASE_INVARIANT_H
/* What holds whatever came in from outside: a broken one is this program's own fault, and ends it at the place where it
 * shows instead of in a wrong row or a second request. Checked in debug, sanitizer and fuzz builds; no code in a
 * release. Never for what a file, a service or a person can bring about: that is an error with a sentence. */

#include "base/mem.h"

#include <stdbool.h>

#ifdef BURSAR_INVARIANTS
#define INVARIANT(condition) ((condition) ? (void)0 : mem_fatal(__FILE__ ": does not hold: " #condition))
#else
#define INVARIANT(condition) ((void)(false && (condition)))
#endif

#endif
