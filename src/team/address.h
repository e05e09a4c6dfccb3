#ifndef TEAM_ADDRESS_H
#define TEAM_ADDRESS_H
/* What a connection is made with: the setting as libpq reads it, with the rule for TLS applied. */

#include "base/secret.h"
#include "base/str.h"

enum { ADDRESS_WORDS = 8 };
struct address {
    const char *words[ADDRESS_WORDS], *values[ADDRESS_WORDS]; /* ended by NULL; borrowed */
};
/* ERR_CONFIG: it has a password, or TLS weaker than verify-full to another machine. pq_load was called. */
enum err address_make(const char *store, const struct secret *password, struct address *out,
                      struct error *error) MUST_CHECK;

#endif
