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

enum { REDACT_MIN = 8, ROW_MIN = 16, ROW_CUT_MIN = 12, FINGERPRINT_BYTES = 6, SEEDS = 5, SEED_MAX = 8 };

struct secret {
    struct secret *next;
    char *text; /* sodium_malloc: guarded, locked, left out of core files */
    size_t len;
    struct seed {
        char text[SEED_MAX + 1];
        size_t len;
    } * seeds; /* SEEDS, likewise */
};

/* Every live secret, so that redaction works on any thread. */
static struct secret *live;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void secret_start(void) {
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

/* Without case, and with the two base64 alphabets as one. */
static char seed_char(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c == '-' ? '+' : c == '_' ? '/' : c;
}

static void make_seed(struct seed *seed, const char *s, size_t len) {
    seed->len = len < SEED_MAX ? len : SEED_MAX;
    for (size_t i = 0; i < seed->len; i++)
        seed->text[i] = seed_char(s[i]);
}

/* Every ASCII text without escapes that has the secret contains one of these: its beginning raw, in hexadecimal, and in
 * base64 at each of the three positions. */
static void make_seeds(struct secret *secret) {
    enum { RAW = 4, PLACES = SEEDS - 2 };
    struct str form;
    str_init(&form, 4 * secret->len + SEED_MAX);
    make_seed(&secret->seeds[0], secret->text, secret->len < RAW ? secret->len : RAW);
    digest_hex(&form, secret->text, secret->len);
    make_seed(&secret->seeds[1], form.s, form.len);
    for (size_t before = 0; before < PLACES; before++) {
        secret_clear_str(&form);
        str_init(&form, 4 * secret->len + SEED_MAX);
        digest_base64_within(&form, secret->text, secret->len, before);
        make_seed(&secret->seeds[2 + before], form.s, form.len);
    }
    secret_clear_str(&form);
}

static void *locked(size_t len) {
    void *place = sodium_malloc(len);
    if (!place)
        mem_fatal("out of locked memory");
    sodium_memzero(place, len);
    return place;
}

struct secret *secret_new(const char *bytes, size_t len) {
    secret_start();
    struct secret *secret = mem_new(sizeof *secret);
    secret->text = locked(len + 1);
    secret->seeds = locked(SEEDS * sizeof *secret->seeds);
    if (len)
        memcpy(secret->text, bytes, len);
    secret->len = len;
    make_seeds(secret);
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
    sodium_free(secret->seeds);
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

/* Removes secrets in every form in which a service may write them back, in one pass over the text. Fixed words that
 * happen to begin like a secret stay: only a text of the minimum length of a secret counts as a cut one. */
static void redact_whole(struct str *text, size_t least, size_t cut_min) {
    struct {
        const char **items;
        size_t n, cap;
    } values = {0};
    for (const struct secret *secret = live; secret; secret = secret->next)
        if (secret->len >= least)
            *vec_add(&values) = secret->text;
    redact_as(text, values.items, values.n, NULL, &(struct redact_style){mark, cut_min});
    free((void *)values.items);
}

/* A truncated text may end in the first part of a secret. */
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
    bool was_cut = text->truncated;
    pthread_mutex_lock(&lock);
    redact_whole(text, REDACT_MIN, REDACT_MIN);
    for (const struct secret *secret = live; secret && was_cut; secret = secret->next)
        if (secret->len >= REDACT_MIN)
            redact_end(text, secret);
    pthread_mutex_unlock(&lock);
}

bool secret_stands_in(const char *text) {
    struct str clean;
    str_init(&clean, 2 * strlen(text) + sizeof mark);
    str_add(&clean, text);
    secret_redact(&clean);
    bool stands = strcmp(clean.s, text) != 0;
    secret_clear_str(&clean);
    return stands;
}

static bool has_escapes(const char *s, size_t len) {
    static const char ESCAPES[] = "\\%&<";
    for (size_t i = 0; i < sizeof ESCAPES - 1; i++)
        if (memchr(s, ESCAPES[i], len))
            return true;
    return false;
}

/* Non-ASCII characters may stand in between: invisible ones do. */
static bool begins_so(const char *s, size_t len, const struct seed *seed) {
    size_t n = 0;
    for (size_t i = 0; i < len && n < seed->len; i++) {
        if ((unsigned char)s[i] >= 0x80)
            continue;
        if (seed_char(s[i]) != seed->text[n])
            return false;
        n++;
    }
    return n > 0 && n == seed->len;
}

static bool has_seed(const char *s, size_t len, const struct seed *seed) {
    for (size_t i = 0; i < len; i++)
        if (seed_char(s[i]) == seed->text[0] && begins_so(s + i, len - i, seed))
            return true;
    return false;
}

static bool may_hold(const struct secret *secret, const char *s, size_t len) {
    bool digits = strspn(secret->text, "0123456789 -./()") == secret->len; /* only digits and signs that group them */
    for (size_t i = 0; i < SEEDS && !digits; i++)
        if (has_seed(s, len, &secret->seeds[i]))
            return true;
    return digits;
}

bool secret_redact_row(const char *s, size_t len, struct str *out) {
    bool looks = false, escapes = has_escapes(s, len);
    pthread_mutex_lock(&lock);
    for (const struct secret *secret = live; secret && !looks; secret = secret->next)
        looks = secret->len >= ROW_MIN && (escapes || may_hold(secret, s, len));
    if (looks) {
        str_reset(out);
        str_add_n(out, s, len);
        redact_whole(out, ROW_MIN, ROW_CUT_MIN);
    }
    pthread_mutex_unlock(&lock);
    return looks && (out->len != len || memcmp(out->s, s, len) != 0);
}

void secret_random(void *out, size_t len) {
    secret_start();
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
