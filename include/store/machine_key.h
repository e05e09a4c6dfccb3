#ifndef STORE_MACHINE_KEY_H
#define STORE_MACHINE_KEY_H
/* `machine.key`: the key of digests and fingerprints, made once for this machine (0600). Without the old one, earlier
 * records cannot be compared with new ones. The caller wipes its copy. */

#include "base/secret.h"

/* folder NULL: the state folder. *made: there was none, so nothing recorded before can be recognised. Several consoles
 * may start at once: all get the same key. ERR_FILE: not readable, open to others, or of the wrong size; it is never
 * replaced. */
enum err machine_key_load(const char *folder, struct machine_key *out, bool *made, struct error *error) MUST_CHECK;

#endif
