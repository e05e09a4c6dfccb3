#ifndef BASE_SEAL_H
#define BASE_SEAL_H
/* Texts sealed with a key (libsodium's secretbox): who has them without the key can neither read nor alter them. Equal
 * texts under one key are sealed to equal bytes, so that a store can tell that nothing changed; that they are equal is
 * all it learns. Any thread. */

#include "base/secret.h"

/* Appends the sealed text. */
void seal_make(struct str *out, const struct machine_key *key, const void *text, size_t len);
/* Appends the text again; false: it was sealed with another key, altered or cut, and nothing was appended. */
bool seal_open(struct str *out, const struct machine_key *key, const void *sealed, size_t len);

#endif
