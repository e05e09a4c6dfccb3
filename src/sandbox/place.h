#ifndef SANDBOX_PLACE_H
#define SANDBOX_PLACE_H
/* Cursors: a place in the list as opaque text. As a place never moves, a cursor survives whatever arrives at the head.
 * A check under the seed refuses anything that this service did not give out. Pure. */

#include "base/str.h"

#include <stdint.h>

/* Appends 27 characters of base64url. `salt` makes different texts for one place. */
void place_encode(struct str *out, uint64_t seed, int64_t place, uint32_t salt);

/* What follows a '~' is ignored: filler by which rules make cursors long or odd. false: not a cursor of ours. */
bool place_decode(const char *text, size_t len, uint64_t seed, int64_t *place);

/* The same as a decimal number, for services whose cursors are numbers. */
void place_encode_number(struct str *out, int64_t place);
bool place_decode_number(const char *text, size_t len, int64_t *place);

#endif
