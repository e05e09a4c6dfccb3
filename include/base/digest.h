#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H
/* Digests by libsodium: BLAKE2b (keyed or not), SHA-256 and HMAC-SHA256 where a wire format asks for them. */

#include "base/str.h"

#include <stdint.h>

enum { DIGEST_LEN = 32 };

/* BLAKE2b-256 of data under key (key_len 0 to 64). */
void digest_keyed(unsigned char out[DIGEST_LEN], const void *key, size_t key_len, const void *data, size_t len);
void digest_sha256(unsigned char out[DIGEST_LEN], const void *data, size_t len);
void digest_hmac_sha256(unsigned char out[DIGEST_LEN], const void *key, size_t key_len, const void *data, size_t len);
uint64_t digest_short(const void *data, size_t len); /* 64 bits of BLAKE2b, for keys and row checks */
/* 64 bits of SipHash under a key of this process, for tables in memory: a tenth of the time, another number in each
 * run, so that nobody can prepare texts that collide. Never stored. Any thread. */
uint64_t digest_of_run(const void *data, size_t len);

void digest_hex(struct str *out, const void *bytes, size_t len);
void digest_base64(struct str *out, const void *bytes, size_t len);
/* How bytes look in base64 when they begin `before` (0 to 2) bytes into a group of three: without the characters at
 * either end that also depend on the bytes around them. */
void digest_base64_within(struct str *out, const char *bytes, size_t len, size_t before);
bool digest_from_base64(struct str *out, const char *text, size_t len);
bool digest_from_hex(struct str *out, const char *text, size_t len);
/* Either alphabet, '=' at the end or not. */
bool digest_from_base64_any(struct str *out, const char *text, size_t len);

#endif
