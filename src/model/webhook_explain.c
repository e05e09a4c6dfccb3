#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"
#include "webhook_parts.h"

#include <string.h>

enum { STALE_S = 300, ROOM = 8, EXPLAINED_MAX = 64 << 10 };

/* A secret or a body as it might have been before a usual mistake. */
struct guess {
    struct str text;
    const char *says;
};

static void guess(struct guess *out, size_t *n, const char *says, const char *text, size_t len) {
    str_init(&out[*n].text, len + ROOM);
    str_add_n(&out[*n].text, text, len);
    out[(*n)++].says = says;
}

static size_t without_line_end(const char *text, size_t len) {
    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        len--;
    return len;
}

static void webhook_explain_trimmed(const char **text, size_t *len) {
    while (*len > 0 && strchr(" \t\r\n", (*text)[*len - 1]))
        --*len;
    while (*len > 0 && strchr(" \t\r\n", **text)) {
        ++*text;
        --*len;
    }
}

/* ---- slips with the secret ---- */

enum { SECRETS_MAX = 12 };

/* A secret may stand for bytes: as base64 of either alphabet, or as hexadecimal digits. */
static void guess_bytes(const char *secret, size_t len, struct guess *out, size_t *n) {
    struct str bytes;
    str_init(&bytes, len + ROOM);
    if (digest_from_base64_any(&bytes, secret, len))
        guess(out, n, "as the bytes that its base64 stands for", bytes.s, bytes.len);
    secret_clear_str(&bytes);
    if (digest_from_hex(&bytes, secret, len))
        guess(out, n, "as the bytes that its hexadecimal digits stand for", bytes.s, bytes.len);
    secret_clear_str(&bytes);
}

static void guess_prefixes(const char *secret, size_t len, struct guess *out, size_t *n) {
    if (len > 3 && memcmp(secret, "v1,", 3) == 0) {
        secret += 3;
        len -= 3;
        guess(out, n, "without the \"v1,\" in front of it, which belongs to a signature", secret, len);
    }
    if (len > 6 && memcmp(secret, "whsec_", 6) == 0) {
        secret += 6;
        len -= 6;
        guess(out, n, "without its \"whsec_\"", secret, len);
    }
    guess_bytes(secret, len, out, n);
}

static size_t guess_secrets(const char *secret, size_t len, struct guess *out) {
    const char *inner = secret;
    size_t inner_len = len, n = 0, bare = without_line_end(secret, len);
    guess(out, &n, NULL, secret, len);
    webhook_explain_trimmed(&inner, &inner_len);
    if (bare != len)
        guess(out, &n, "without the line end at its end: the file has one, the sender's secret has none", secret, bare);
    if (inner_len != bare)
        guess(out, &n, "without the blanks around it", inner, inner_len);
    guess(out, &n, "with a line end after it: the sender took one along", inner, inner_len);
    str_add_char(&out[n - 1].text, '\n');
    guess(out, &n, "with a carriage return and line end after it: the sender took them along", inner, inner_len);
    str_add(&out[n - 1].text, "\r\n");
    guess_prefixes(inner, inner_len, out, &n);
    return n;
}

/* ---- slips with the body ---- */

static const struct webhook_style styles[] = {
    {"", "", 0, "without blanks between its parts: the body was read and written anew"},
    {" ", " ", 0, "with a blank after each comma and colon: the body was read and written anew"},
    {"", " ", 2, "indented by two: the body was read and written anew"},
    {"", " ", 4, "indented by four: the body was read and written anew"},
};
enum { BODIES_MAX = 12 };

static size_t guess_bodies(const char *body, size_t len, struct guess *out) {
    size_t n = 0, bare = without_line_end(body, len);
    guess(out, &n, NULL, body, len);
    if (bare != len)
        guess(out, &n, "without the line end at its end: an editor or a shell added it", body, bare);
    guess(out, &n, "with a line end at its end", body, bare);
    str_add_char(&out[n - 1].text, '\n');
    if (len >= 3 && memcmp(body, "\xEF\xBB\xBF", 3) == 0)
        guess(out, &n, "without the byte order mark in front", body + 3, len - 3);
    for (size_t i = 0; i < COUNT_OF(styles); i++) {
        str_init(&out[n].text, len * 8 + ROOM);
        webhook_restyle(body, len, &styles[i], &out[n].text);
        out[n++].says = styles[i].says;
    }
    return n;
}

/* ---- all together ---- */

struct search {
    struct guess secrets[SECRETS_MAX], bodies[BODIES_MAX];
    size_t n_secrets, n_bodies;
    const struct headers *headers;
};

static bool try_pair(const struct search *search, size_t secret, size_t body, struct webhook_verdict *out) {
    const struct guess *key = &search->secrets[secret];
    const struct webhook_received received = {search->headers, search->bodies[body].text.s,
                                              search->bodies[body].text.len};
    for (int i = 0; i < WEBHOOK_SCHEME_COUNT; i++)
        if (webhook_matches((enum webhook_scheme)i, key->text.s, key->text.len, &received)) {
            *out = (struct webhook_verdict){.result = secret + body == 0 ? WEBHOOK_VERIFIED : WEBHOOK_SLIP,
                                            .scheme = (enum webhook_scheme)i,
                                            .secret_slip = key->says,
                                            .body_slip = search->bodies[body].says};
            return true;
        }
    return false;
}

/* One mistake is tried before two, so that the simplest explanation is given. */
static bool webhook_explain_find(const struct search *search, struct webhook_verdict *out) {
    for (size_t i = 0; i < search->n_secrets; i++)
        if (try_pair(search, i, 0, out))
            return true;
    for (size_t i = 0; i < search->n_secrets; i++)
        for (size_t j = 1; j < search->n_bodies; j++)
            if (try_pair(search, i, j, out))
                return true;
    return false;
}

static void judge_time(const struct headers *headers, int64_t now, struct webhook_verdict *out) {
    const char *text = headers_find(headers, WEBHOOK_TIMESTAMP);
    long long at = 0;
    if (now == CLOCK_NONE || out->scheme != WEBHOOK_STANDARD || !text || !str_to_int64(text, strlen(text), &at) ||
        at < 0 || at > INT64_MAX / 1000)
        return;
    out->off_s = now / 1000 - at;
    if (out->off_s > STALE_S || out->off_s < -STALE_S)
        out->result = WEBHOOK_STALE;
}

static void judge_mismatch(const struct headers *headers, struct webhook_verdict *out) {
    bool standard = false;
    const char *name;
    enum webhook_form form = webhook_form_of(headers, &standard, &name);
    *out = (struct webhook_verdict){.result = WEBHOOK_MISMATCH, .header = name};
    if (form == WEBHOOK_FORM_NONE)
        out->result = WEBHOOK_NO_SIGNATURE;
    else if (form == WEBHOOK_FORM_OTHER)
        out->result = WEBHOOK_OTHER_FORM;
    else if (standard && (!headers_find(headers, WEBHOOK_ID) || !headers_find(headers, WEBHOOK_TIMESTAMP)))
        out->result = WEBHOOK_INCOMPLETE;
}

static void webhook_explain_clear(struct guess *guesses, size_t n) {
    for (size_t i = 0; i < n; i++)
        secret_clear_str(&guesses[i].text);
}

void webhook_explain(const char *secret, size_t len, const struct webhook_received *received, int64_t now,
                     struct webhook_verdict *out) {
    struct search search = {.headers = received->headers};
    search.n_secrets = guess_secrets(secret, len, search.secrets);
    search.n_bodies = guess_bodies(received->body, received->body_len, search.bodies);
    if (!webhook_explain_find(&search, out))
        judge_mismatch(received->headers, out);
    else if (out->result == WEBHOOK_VERIFIED)
        judge_time(received->headers, now, out);
    webhook_explain_clear(search.secrets, search.n_secrets);
    webhook_explain_clear(search.bodies, search.n_bodies);
}

static bool webhook_explain_exact(const char *secret, size_t len, const struct webhook_received *received,
                                  struct webhook_verdict *out) {
    for (int i = 0; i < WEBHOOK_SCHEME_COUNT; i++)
        if (webhook_matches((enum webhook_scheme)i, secret, len, received)) {
            *out = (struct webhook_verdict){.result = WEBHOOK_VERIFIED, .scheme = (enum webhook_scheme)i};
            return true;
        }
    return false;
}

void webhook_judge(const char *secret, size_t len, const struct webhook_received *received, int64_t now,
                   struct webhook_verdict *out) {
    if (webhook_explain_exact(secret, len, received, out)) {
        judge_time(received->headers, now, out);
        return;
    }
    judge_mismatch(received->headers, out);
    bool known = out->result == WEBHOOK_MISMATCH || out->result == WEBHOOK_INCOMPLETE;
    if (known && received->body_len <= EXPLAINED_MAX)
        webhook_explain(secret, len, received, now, out);
}
