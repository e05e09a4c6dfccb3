#ifndef MODEL_WEBHOOK_H
#define MODEL_WEBHOOK_H
/* Webhook secrets and signatures, pure: checking and making a secret, signing an event, and telling why
 * a signature does not match (the doctor's checks 17 and 19). The interface document shows no scheme, so the usual
 * three are known. Nothing here keeps, prints or logs a secret. Any thread. */

#include "model/exchange.h"

/* ---- Schemes ---- */

/*        code      name                 */
#define WEBHOOK_SCHEME_TABLE(X)   \
    X(HMAC_HEX, "hmac-hex")       \
    X(HMAC_BASE64, "hmac-base64") \
    X(STANDARD, "standard-webhooks")

enum webhook_scheme {
#define X(code, name) WEBHOOK_##code,
    WEBHOOK_SCHEME_TABLE(X)
#undef X
        WEBHOOK_SCHEME_COUNT
};
const char *webhook_scheme_name(enum webhook_scheme scheme);
int webhook_scheme_find(const char *name); /* -1: none */

#define WEBHOOK_SIGNATURE "X-Webhook-Signature" /* of the first two schemes */
#define WEBHOOK_ID "webhook-id"                 /* the Standard Webhooks headers */
#define WEBHOOK_TIMESTAMP "webhook-timestamp"
#define WEBHOOK_STANDARD_SIGNATURE "webhook-signature"

struct webhook_message {
    const char *id, *timestamp; /* of Standard Webhooks; seconds since 1970 as text */
    const char *body;
    size_t body_len;
};
/* Appends the value of the signature header. HMAC-SHA256 of the body, or with Standard Webhooks of "id.timestamp.body"
 * under the bytes that the base64 after `whsec_` stands for (a secret of another form: its own characters). */
void webhook_sign(enum webhook_scheme scheme, const char *secret, size_t len, const struct webhook_message *message,
                  struct str *out);

/* ---- Verifying ---- */

struct webhook_received {
    const struct headers *headers; /* one without a name ("") is a bare signature value */
    const char *body;
    size_t body_len;
};
/* Whether some header holds the scheme's signature of this very body. Compared in constant time. */
bool webhook_matches(enum webhook_scheme scheme, const char *secret, size_t len,
                     const struct webhook_received *received);

enum webhook_result {
    WEBHOOK_VERIFIED,
    WEBHOOK_STALE,        /* verified, but more than five minutes off `now` */
    WEBHOOK_SLIP,         /* verified only after a usual slip was undone */
    WEBHOOK_NO_SIGNATURE, /* nothing in the headers looks like a signature of a known scheme */
    WEBHOOK_OTHER_FORM,   /* a signature in a form that no known scheme has: nothing can be said about the secret */
    WEBHOOK_INCOMPLETE,   /* a Standard Webhooks signature without its id or time */
    WEBHOOK_MISMATCH,
};
struct webhook_verdict {
    enum webhook_result result;
    enum webhook_scheme scheme; /* of the first three */
    const char *secret_slip;    /* sentence, static; NULL: the secret as given */
    const char *body_slip;      /* the same of the body */
    const char *header;         /* of WEBHOOK_OTHER_FORM: its name, borrowed from what was received; "" for none */
    int64_t off_s;              /* of WEBHOOK_STALE: seconds in the past, negative in the future */
};
/* now in ms; CLOCK_NONE: the time is not judged. */
void webhook_explain(const char *secret, size_t len, const struct webhook_received *received, int64_t now,
                     struct webhook_verdict *out);
/* The same where anybody may send: slips are looked for only in a body of at most 64 KB with a signature of a known
 * form, so that a forged one costs little. */
void webhook_judge(const char *secret, size_t len, const struct webhook_received *received, int64_t now,
                   struct webhook_verdict *out);
const char *webhook_result_name(enum webhook_result result); /* "verified", "stale", ... as programs read it */
int webhook_result_find(const char *name);                   /* -1: none */
void webhook_verdict_tell(const struct webhook_verdict *verdict, struct str *out); /* for people, in lines */

/* ---- Secrets ---- */

enum { WEBHOOK_SECRET_MIN = 32, WEBHOOK_SECRET_MAX = 4096 };

/*        code        blocks  sentence                                                              */
#define WEBHOOK_SECRET_TABLE(X)                                                                 \
    X(FINE, false, "a good secret")                                                             \
    X(SHORT, true, "a secret has at least 32 characters")                                       \
    X(LONG, true, "a secret has at most 4096 characters")                                       \
    X(LINE_END, true, "it ends with a line end, which would become a part of it")               \
    X(CHARACTERS, true, "only visible ASCII characters: no blank, no control, no accent")       \
    X(PREFIX, true, "\"v1,\" belongs to a signature: the secret is what follows it")            \
    X(SAME_AS_TOKEN, true, "this is the service's token; a webhook's secret is never the same") \
    X(POOR, false, "few different characters: it can be guessed; a generated one is better")

enum webhook_secret_state {
#define X(code, blocks, sentence) WEBHOOK_SECRET_##code,
    WEBHOOK_SECRET_TABLE(X)
#undef X
        WEBHOOK_SECRET_STATE_COUNT
};
/* The first that holds. token NULL: not compared. */
enum webhook_secret_state webhook_secret_check(const char *text, size_t len, const struct secret *token);
bool webhook_secret_blocks(enum webhook_secret_state state);
const char *webhook_secret_sentence(enum webhook_secret_state state);

/*        code    name        help */
#define WEBHOOK_FORMAT_TABLE(X)                               \
    X(WHSEC, "whsec", "whsec_ and base64 of 32 random bytes") \
    X(HEX, "hex", "64 hexadecimal digits")                    \
    X(URLSAFE, "urlsafe", "43 characters of URL-safe base64")

enum webhook_format {
#define X(code, name, help) WEBHOOK_FORMAT_##code,
    WEBHOOK_FORMAT_TABLE(X)
#undef X
        WEBHOOK_FORMAT_COUNT
};
const char *webhook_format_name(enum webhook_format format);
const char *webhook_format_help(enum webhook_format format);
int webhook_format_find(const char *name); /* -1: none */
/* Text of 32 random bytes that the caller drew and wipes. */
void webhook_secret_make(enum webhook_format format, const unsigned char bytes[32], struct str *out);

#endif
