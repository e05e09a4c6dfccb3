#include "model/webhook.h"

#include "base/ascii.h"
#include "base/digest.h"
#include "base/mem.h"
#include "webhook_parts.h"

#include <stdlib.h>
#include <string.h>

static const char *const scheme_names[] = {
#define X(code, name) name,
    WEBHOOK_SCHEME_TABLE(X)
#undef X
};

const char *webhook_scheme_name(enum webhook_scheme scheme) {
    return scheme_names[scheme];
}

int webhook_scheme_find(const char *name) {
    for (int i = 0; i < WEBHOOK_SCHEME_COUNT; i++)
        if (strcmp(scheme_names[i], name) == 0)
            return i;
    return -1;
}

/* ---- signing ---- */

static void mac_text(enum webhook_scheme scheme, const unsigned char mac[DIGEST_LEN], struct str *out) {
    if (scheme == WEBHOOK_HMAC_HEX)
        digest_hex(out, mac, DIGEST_LEN);
    else
        digest_base64(out, mac, DIGEST_LEN);
}

static void mac_standard(const char *secret, size_t len, const struct webhook_message *message,
                         unsigned char mac[DIGEST_LEN]) {
    static const char prefix[] = "whsec_";
    const size_t prefix_len = sizeof prefix - 1;
    struct str key;
    struct str content;
    str_init(&key, len);
    str_init(&content, message->body_len + WEBHOOK_FIELD_MAX);
    bool decoded = len > prefix_len && memcmp(secret, prefix, prefix_len) == 0 &&
                   digest_from_base64_any(&key, secret + prefix_len, len - prefix_len);
    if (!decoded) {
        str_reset(&key);
        str_add_n(&key, secret, len);
    }
    str_addf(&content, "%s.%s.", message->id, message->timestamp);
    str_add_n(&content, message->body, message->body_len);
    digest_hmac_sha256(mac, key.s, key.len, content.s, content.len);
    secret_clear_str(&key);
    str_clear(&content);
}

void webhook_sign(enum webhook_scheme scheme, const char *secret, size_t len, const struct webhook_message *message,
                  struct str *out) {
    unsigned char mac[DIGEST_LEN];
    if (scheme == WEBHOOK_STANDARD) {
        mac_standard(secret, len, message, mac);
        str_add(out, "v1,");
    } else {
        digest_hmac_sha256(mac, secret, len, message->body, message->body_len);
    }
    mac_text(scheme, mac, out);
}

/* ---- verifying ---- */

/* A header's value is one or more signatures: parts at blanks, commas and semicolons, perhaps with a name and '='. */
static size_t model_webhook_next_part(const char **at) {
    *at += strspn(*at, " \t,;\"");
    return strcspn(*at, " \t,;\"");
}

static char plain_char(char c, bool fold) {
    if (c == '-')
        return '+';
    if (c == '_')
        return '/';
    return fold && c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Every byte is compared, so that the time tells nothing. URL-safe base64 counts as base64, padding may be missing. */
static bool same_mac(const char *text, size_t len, const char *wanted, bool hex) {
    size_t want = strlen(wanted);
    while (len > 0 && text[len - 1] == '=')
        len--;
    while (want > 0 && wanted[want - 1] == '=')
        want--;
    if (len != want)
        return false;
    unsigned char differs = 0;
    for (size_t i = 0; i < len; i++)
        differs |= (unsigned char)(plain_char(text[i], hex) ^ plain_char(wanted[i], hex));
    return differs == 0;
}

static bool is_content(const char *name) {
    return !*name || !(str_equal(name, WEBHOOK_ID) || str_equal(name, WEBHOOK_TIMESTAMP));
}

/* What looks like a signature: 64 hexadecimal digits, or base64 of 32 bytes. */
static bool looks_signed(const char *part, size_t len) {
    static const char hex[] = "0123456789abcdefABCDEF";
    static const char base64[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/-_";
    while (len > 0 && part[len - 1] == '=')
        len--;
    return (len == 64 && strspn(part, hex) >= len) || (len == 43 && strspn(part, base64) >= len);
}

enum { SHORTEST = 27 }; /* base64 of 20 bytes */
static const char signature_letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/-_.=";

/* A part that may be a signature of any scheme: long enough, and of the characters that signatures have. */
static bool may_be_signed(const char *part, size_t len) {
    return len >= SHORTEST && strspn(part, signature_letters) >= len;
}

/* A value without as many such characters in a row is no signature, however it is written: max-age=0. */
static bool has_room_for_one(const char *value) {
    size_t run;
    while ((run = strspn(value, signature_letters)) < SHORTEST) {
        if (!value[run])
            return false;
        value += run + 1;
    }
    return true;
}

/* Where a name before a signature ends: "sha256=...", "v1=...". Of a colon only what follows tells that it ends a name,
 * for times and addresses have colons too. */
static const char *name_end(const char *part, size_t len) {
    size_t name_len = strcspn(part, "=:");
    if (name_len >= len)
        return NULL;
    const char *rest = part + name_len + 1;
    bool is_name = part[name_len] == '=' || (may_be_signed(rest, len - name_len - 1) && strncmp(rest, "//", 2) != 0);
    return is_name ? part + name_len : NULL;
}

/* The part itself, and what follows a name. */
static bool part_matches(const char *part, size_t len, const char *wanted, bool hex) {
    if (same_mac(part, len, wanted, hex))
        return true;
    const char *end = name_end(part, len);
    return end && same_mac(end + 1, len - (size_t)(end + 1 - part), wanted, hex);
}

static bool is_known_name(const char *name, size_t len) {
    static const char *const known[] = {"sha256",    "hmac-sha256", "hmac_sha256", "hmacsha256", "v1",
                                        "signature", "sig",         "hmac",        "s"};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (strlen(known[i]) == len && ascii_compare_n(name, known[i], len) == 0)
            return true;
    return false;
}

/* A part with the name of another scheme, or a signature of another length, makes the value one of another form:
 * `t=...,v1=...` also signs a time, `sha1=`, `v0=` and `v1a,` sign something else. */
static enum webhook_form part_form(const char *part, size_t len, const char *before, size_t before_len) {
    const char *end = name_end(part, len);
    size_t name_len = end ? (size_t)(end - part) : 0;
    bool named = end && end + 1 < part + len && end[1] != '=';
    if (looks_signed(part, len)) {
        bool versioned = before_len > 1 && before_len < 4 && before[0] == 'v';
        return versioned && !is_known_name(before, before_len) ? WEBHOOK_FORM_OTHER : WEBHOOK_FORM_KNOWN;
    }
    if (end && end + 1 == part + len && !may_be_signed(part, len)) /* algorithm="..." */
        return is_known_name(part, name_len) ? WEBHOOK_FORM_NONE : WEBHOOK_FORM_OTHER;
    if (named)
        return is_known_name(part, name_len) && looks_signed(end + 1, len - name_len - 1) ? WEBHOOK_FORM_KNOWN
                                                                                          : WEBHOOK_FORM_OTHER;
    return may_be_signed(part, len) ? WEBHOOK_FORM_OTHER : WEBHOOK_FORM_NONE;
}

static bool any_matches(const struct headers *headers, const char *wanted, bool hex) {
    bool found = false;
    for (size_t i = 0; i < headers->n; i++) {
        if (!is_content(headers->items[i].name))
            continue;
        const char *at = headers->items[i].value, *before = NULL;
        size_t before_len = 0;
        for (size_t len; (len = model_webhook_next_part(&at)) > 0; before = at, before_len = len, at += len) {
            bool other = part_form(at, len, before, before_len) == WEBHOOK_FORM_OTHER;
            found = (part_matches(at, len, wanted, hex) && !other) || found;
        }
    }
    return found;
}

bool webhook_matches(enum webhook_scheme scheme, const char *secret, size_t len,
                     const struct webhook_received *received) {
    struct webhook_message message = {.id = headers_find(received->headers, WEBHOOK_ID),
                                      .timestamp = headers_find(received->headers, WEBHOOK_TIMESTAMP),
                                      .body = received->body,
                                      .body_len = received->body_len};
    if (scheme == WEBHOOK_STANDARD && (!message.id || !message.timestamp))
        return false;
    struct str wanted;
    str_init(&wanted, WEBHOOK_FIELD_MAX);
    webhook_sign(scheme, secret, len, &message, &wanted);
    const char *mac = scheme == WEBHOOK_STANDARD ? wanted.s + strlen("v1,") : wanted.s;
    bool found = any_matches(received->headers, mac, scheme == WEBHOOK_HMAC_HEX);
    str_clear(&wanted);
    return found;
}

/* Of Standard Webhooks' list only its v1 need be known: v1a is for others. */
static enum webhook_form value_form(const char *value, bool *standard) {
    const char *at = value, *before = NULL;
    size_t before_len = 0;
    bool known = false, other = false, v1 = false;
    for (size_t len; (len = model_webhook_next_part(&at)) > 0; before = at, before_len = len, at += len) {
        enum webhook_form form = part_form(at, len, before, before_len);
        bool ours = before_len == 2 && before && strncmp(before, "v1", 2) == 0 && at == before + 3 && before[2] == ',';
        v1 = v1 || (form == WEBHOOK_FORM_KNOWN && ours);
        known = known || form == WEBHOOK_FORM_KNOWN;
        other = other || form == WEBHOOK_FORM_OTHER;
    }
    *standard = v1;
    return v1 || (known && !other)            ? WEBHOOK_FORM_KNOWN
           : other && has_room_for_one(value) ? WEBHOOK_FORM_OTHER
                                              : WEBHOOK_FORM_NONE;
}

/* Headers that may have a long value without being a signature: those that name a request or describe the body. */
static bool is_beside(const char *name) {
    static const char *const others[] = {"content-", "user-agent", "date", "traceparent", "tracestate", "accept",
                                         "host",     "cookie",     "via",  "x-forwarded", "forwarded",  "cf-ray"};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (ascii_compare_n(name, others[i], strlen(others[i])) == 0)
            return true;
    size_t len = strlen(name);
    return !is_content(name) || (len >= 2 && ascii_compare(name + len - 2, "id") == 0);
}

enum webhook_form webhook_form_of(const struct headers *headers, bool *standard, const char **name) {
    enum webhook_form found = WEBHOOK_FORM_NONE;
    *standard = false;
    *name = NULL;
    for (size_t i = 0; i < headers->n; i++) {
        const struct header *header = &headers->items[i];
        bool versioned = false;
        enum webhook_form form = is_beside(header->name) ? WEBHOOK_FORM_NONE : value_form(header->value, &versioned);
        *standard = *standard || versioned;
        if (form > found) {
            found = form;
            *name = header->name;
        }
    }
    return found;
}
