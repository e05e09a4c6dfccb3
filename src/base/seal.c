#include "base/seal.h"

#include "base/digest.h"
#include "base/mem.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { NONCE = crypto_secretbox_NONCEBYTES, AROUND = NONCE + crypto_secretbox_MACBYTES };

/* Two uses, two keys. */
static void part_of_key(const struct machine_key *key, const char *purpose, unsigned char out[DIGEST_LEN]) {
    digest_keyed(out, key->bytes, sizeof key->bytes, purpose, strlen(purpose));
}

/* The nonce is a digest of the text, so that no two texts share one. */
void seal_make(struct str *out, const struct machine_key *key, const void *text, size_t len) {
    unsigned char naming[DIGEST_LEN], sealing[DIGEST_LEN], nonce[DIGEST_LEN];
    unsigned char *sealed = mem_new_array(AROUND + len, 1);
    part_of_key(key, "seal-nonce", naming);
    part_of_key(key, "seal-text", sealing);
    digest_keyed(nonce, naming, sizeof naming, text, len);
    memcpy(sealed, nonce, NONCE);
    (void)crypto_secretbox_easy(sealed + NONCE, text, len, nonce, sealing);
    str_add_n(out, (const char *)sealed, AROUND + len);
    secret_wipe(naming, sizeof naming);
    secret_wipe(sealing, sizeof sealing);
    free(sealed);
}

bool seal_open(struct str *out, const struct machine_key *key, const void *sealed, size_t len) {
    unsigned char sealing[DIGEST_LEN];
    if (len < AROUND)
        return false;
    unsigned char *text = mem_new_array(len - AROUND + 1, 1);
    part_of_key(key, "seal-text", sealing);
    bool whole =
        crypto_secretbox_open_easy(text, (const unsigned char *)sealed + NONCE, len - NONCE, sealed, sealing) == 0;
    if (whole)
        str_add_n(out, (const char *)text, len - AROUND);
    secret_wipe(sealing, sizeof sealing);
    free(text);
    return whole;
}
