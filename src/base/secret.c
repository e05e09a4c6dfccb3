#include "base/secret.h"

#include "base/linux.h"
#include "base/redact.h"

#include "base/digest.h"
#include "base/mem.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum { REDACT_MIN = 8, FINGERPRINT_BYTES = 6 };

struct secret {
    struct secret *next;
    char *text; /* sodium_malloc: guarded, locked, left out of core files */
    size_t len;
};

/* Every live secret, so that redaction works on any thread. */
static struct secret *live;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void start(void) {
    if (sodium_init() < 0)
        mem_fatal("the cryptography library does not start");
}

enum err secret_init(struct error *error) {
    if (sodium_init() < 0)
        return error_set(error, ERR_SYSTEM, "the cryptography library does not start");
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0)
        return error_set(error, ERR_SYSTEM, "core files cannot be switched off");
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return error_set(error, ERR_SYSTEM, "this process cannot be closed to debuggers");
    return ERR_OK;
}

struct secret *secret_new(const char *bytes, size_t len) {
    start();
    struct secret *secret = mem_new(sizeof *secret);
    secret->text = sodium_malloc(len + 1);
    if (!secret->text)
        mem_fatal("out of locked memory");
    if (len)
        memcpy(secret->text, bytes, len);
    secret->text[len] = '\0';
    secret->len = len;
    pthread_mutex_lock(&lock);
    secret->next = live;
    live = secret;
    pthread_mutex_unlock(&lock);
    return secret;
}

void secret_free(struct secret *secret) {
    if (!secret)
        return;
    pthread_mutex_lock(&lock);
    struct secret **link = &live;
    while (*link && *link != secret)
        link = &(*link)->next;
    if (*link)
        *link = secret->next;
    pthread_mutex_unlock(&lock);
    sodium_free(secret->text);
    free(secret);
}

const char *secret_text(const struct secret *secret) {
    return secret->text;
}

size_t secret_len(const struct secret *secret) {
    return secret->len;
}

bool secret_same(const struct secret *a, const struct secret *b) {
    return a->len == b->len && sodium_memcmp(a->text, b->text, a->len) == 0;
}

void secret_wipe(void *bytes, size_t len) {
    sodium_memzero(bytes, len);
}

void secret_free_text(char *text) {
    if (text)
        secret_wipe(text, strlen(text));
    free(text);
}

void secret_clear_str(struct str *text) {
    if (text->cap)
        secret_wipe(text->s, text->cap);
    str_clear(text);
}

static const char mark[] = "[redacted]";

/* In every form that a service may write it back in, all of them in one look at the text. Words of our own that
 * happen to begin as a secret does stay: only what is as long as a secret must be is taken for a cut one. */
static void redact_whole(struct str *text) {
    struct {
        const char **items;
        size_t n, cap;
    } values = {0};
    for (const struct secret *secret = live; secret; secret = secret->next)
        if (secret->len >= REDACT_MIN)
            *vec_add(&values) = secret->text;
    redact_as(text, values.items, values.n, NULL, &(struct redact_style){mark, REDACT_MIN});
    free((void *)values.items);
}

/* A text that was cut may end in the first part of a secret. */
static void redact_end(struct str *text, const struct secret *secret) {
    size_t part = secret->len - 1 < text->len ? secret->len - 1 : text->len;
    while (part >= REDACT_MIN / 2 && memcmp(text->s + text->len - part, secret->text, part) != 0)
        part--;
    if (part < REDACT_MIN / 2)
        return;
    str_delete(text, text->len - part, part);
    str_add(text, mark);
}

void secret_redact(struct str *text) {
    bool was_cut = text->full;
    pthread_mutex_lock(&lock);
    redact_whole(text);
    for (const struct secret *secret = live; secret && was_cut; secret = secret->next)
        if (secret->len >= REDACT_MIN)
            redact_end(text, secret);
    pthread_mutex_unlock(&lock);
}

void secret_random(void *out, size_t len) {
    start();
    randombytes_buf(out, len);
}

void secret_random_hex(struct str *out, size_t bytes) {
    while (bytes > 0) {
        unsigned char some[64];
        size_t n = bytes < sizeof some ? bytes : sizeof some;
        secret_random(some, n);
        digest_hex(out, some, n);
        sodium_memzero(some, sizeof some);
        bytes -= n;
    }
}

void secret_fingerprint(const struct secret *secret, const struct machine_key *key, struct str *out) {
    unsigned char digest[DIGEST_LEN];
    digest_keyed(digest, key->bytes, sizeof key->bytes, secret->text, secret->len);
    digest_hex(out, digest, FINGERPRINT_BYTES);
}
