#ifndef BASE_SECRET_H
#define BASE_SECRET_H
/* Bytes that must not leak: locked in memory, left out of core files, wiped on free (libsodium). Redaction knows every
 * live secret, so that no log line or error text can hold one. Main thread makes and frees. */

#include "base/str.h"

struct secret;

/* Once at start: libsodium, core limit 0, not dumpable. */
enum err secret_init(struct error *error) MUST_CHECK;

struct secret *secret_new(const char *bytes, size_t len); /* copies; the caller wipes its own */
void secret_free(struct secret *secret);
const char *secret_text(const struct secret *secret); /* NUL-terminated; never print */
size_t secret_len(const struct secret *secret);
bool secret_same(const struct secret *a, const struct secret *b); /* in constant time */
void secret_wipe(void *bytes, size_t len);
void secret_free_text(char *text);       /* wiped and freed; NULL: nothing */
void secret_clear_str(struct str *text); /* wiped, as far as it ever reached, and cleared */

/* Replaces every occurrence of a live secret of 8 or more bytes in text by "[redacted]", in every written form (see
 * base/redact.h); in a text that was truncated also the first part of a secret at its end. Called on text as it came,
 * before it is sanitised. */
void secret_redact(struct str *text);

/* Whether typed text has a live secret in it: such text must not be stored. */
bool secret_stands_in(const char *text);

/* The same for a row of data, of which there may be a million: a short look settles that most hold none. Secrets under
 * 16 bytes are left, since a row may have their characters by chance. True: `out` has the row without them. Any thread.
 */
bool secret_redact_row(const char *s, size_t len, struct str *out);

/* Random bytes and text. */
void secret_random(void *out, size_t len);
void secret_random_hex(struct str *out, size_t bytes);

/* Short keyed fingerprint, 12 hex digits, for "the same token?" and "the same webhook secret?". */
struct machine_key {
    unsigned char bytes[32];
};
void secret_fingerprint(const struct secret *secret, const struct machine_key *key, struct str *out);

#endif
