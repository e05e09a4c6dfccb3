#ifndef BASE_INVARIANT_H
#define BASE_INVARIANT_H
/* Conditions that hold whatever input comes from outside: a broken one is a fault of this program, and ends it at the
 * place where it shows instead of later as a wrong row or a second request. Checked in debug, sanitizer and fuzz
 * builds; no code in a release. Never for what a file, a service or a person can cause: that is an error with a
 * sentence. */

#include "base/mem.h"

#include <stdbool.h>

#ifdef BURSAR_INVARIANTS
#define INVARIANT(condition) ((condition) ? (void)0 : mem_fatal(__FILE__ ": does not hold: " #condition))
#else
#define INVARIANT(condition) ((void)(false && (condition)))
#endif

#endif
