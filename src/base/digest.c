#include "base/digest.h"

#include "base/mem.h"
#include "base/secret.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static void digest_start(void) {
    if (sodium_init() < 0)
        mem_fatal("the cryptography library does not start");
}

void digest_keyed(unsigned char out[DIGEST_LEN], const void *key, size_t key_len, const void *data, size_t len) {
    digest_start();
    if (crypto_generichash(out, DIGEST_LEN, data, len, key_len ? key : NULL, key_len) != 0)
        mem_fatal("a digest key is longer than 64 bytes");
}

void digest_sha256(unsigned char out[DIGEST_LEN], const void *data, size_t len) {
    digest_start();
    crypto_hash_sha256(out, data, len);
}

void digest_hmac_sha256(unsigned char out[DIGEST_LEN], const void *key, size_t key_len, const void *data, size_t len) {
    digest_start();
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, key_len);
    crypto_auth_hmacsha256_update(&state, data, len);
    crypto_auth_hmacsha256_final(&state, out);
    sodium_memzero(&state, sizeof state);
}

uint64_t digest_short(const void *data, size_t len) {
    unsigned char digest[DIGEST_LEN];
    uint64_t number = 0;
    digest_keyed(digest, NULL, 0, data, len);
    /* Little endian on every machine, since the number is stored. */
    for (size_t i = 0; i < sizeof number; i++)
        number |= (uint64_t)digest[i] << (8 * i);
    return number;
}

static unsigned char key_of_run[crypto_shorthash_KEYBYTES];

static void make_key_of_run(void) {
    digest_start();
    crypto_shorthash_keygen(key_of_run);
}

uint64_t digest_of_run(const void *data, size_t len) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    unsigned char digest[crypto_shorthash_BYTES];
    uint64_t number;
    (void)pthread_once(&once, make_key_of_run);
    (void)crypto_shorthash(digest, data, len, key_of_run);
    memcpy(&number, digest, sizeof number);
    return number;
}

void digest_hex(struct str *out, const void *bytes, size_t len) {
    static const char digits[] = "0123456789abcdef";
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < len; i++) {
        str_add_char(out, digits[byte[i] >> 4]);
        str_add_char(out, digits[byte[i] & 15]);
    }
}

void digest_base64(struct str *out, const void *bytes, size_t len) {
    digest_start();
    size_t size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_ORIGINAL);
    char *text = mem_new(size);
    sodium_bin2base64(text, size, bytes, len, sodium_base64_VARIANT_ORIGINAL);
    str_add(out, text);
    sodium_memzero(text, size);
    free(text);
}

void digest_base64_within(struct str *out, const char *bytes, size_t len, size_t before) {
    static const size_t skip[] = {0, 2, 3};
    struct str all, form;
    str_init(&all, before + len);
    str_init(&form, 2 * (before + len) + 4);
    str_add_repeat(&all, 'x', before);
    str_add_n(&all, bytes, len);
    digest_base64(&form, all.s, all.len);
    size_t end = all.len * 8 / 6;
    if (end > skip[before])
        str_add_n(out, form.s + skip[before], end - skip[before]);
    secret_clear_str(&all);
    secret_clear_str(&form);
}

bool digest_from_base64(struct str *out, const char *text, size_t len) {
    digest_start();
    size_t cap = len / 4 * 3 + 3, used = 0;
    unsigned char *bytes = mem_new(cap);
    const char *end = NULL;
    bool whole = sodium_base642bin(bytes, cap, text, len, NULL, &used, &end, sodium_base64_VARIANT_ORIGINAL) == 0 &&
                 end == text + len;
    if (whole)
        str_add_n(out, (const char *)bytes, used);
    sodium_memzero(bytes, cap);
    free(bytes);
    return whole;
}

bool digest_from_hex(struct str *out, const char *text, size_t len) {
    digest_start();
    unsigned char *bytes = mem_new(len / 2 + 1);
    const char *end = NULL;
    size_t used = 0;
    bool whole = len > 0 && sodium_hex2bin(bytes, len / 2 + 1, text, len, NULL, &used, &end) == 0 && end == text + len;
    if (whole)
        str_add_n(out, (const char *)bytes, used);
    sodium_memzero(bytes, len / 2 + 1);
    free(bytes);
    return whole;
}

bool digest_from_base64_any(struct str *out, const char *text, size_t len) {
    enum { GROUP = 4 };
    char *plain = mem_new(len + GROUP);
    size_t n = 0;
    while (n < len && text[n] != '=') {
        plain[n] = text[n] == '-' ? '+' : text[n] == '_' ? '/' : text[n];
        n++;
    }
    bool rest = true; /* only padding is left */
    for (size_t i = n; i < len; i++)
        rest = rest && text[i] == '=';
    size_t used = n;
    while (n % GROUP)
        plain[n++] = '=';
    bool whole = rest && used > 0 && digest_from_base64(out, plain, n);
    sodium_memzero(plain, len + GROUP);
    free(plain);
    return whole;
}
