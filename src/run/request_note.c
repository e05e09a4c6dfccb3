#include "request_note.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <string.h>

enum { PATH_KEPT = 1000, ID_KEPT = 200 };

static void clean(struct str *out, const char *text, size_t max) {
    struct str raw;
    str_init(&raw, 64 << 10);
    str_init(out, max);
    str_add(&raw, text ? text : "");
    secret_redact(&raw);
    utf8_sanitise(out, raw.s, raw.len);
    str_clear(&raw);
}

static const char *request_id(const struct reply *reply) {
    const char *id = headers_find(&reply->headers, "Request-Id");
    return id ? id : headers_find(&reply->headers, "X-Request-Id");
}

void request_note(const struct request_noter *noter, const char *method, const char *path, const struct reply *reply) {
    struct str shown, id;
    clean(&shown, path, PATH_KEPT);
    clean(&id, request_id(reply), ID_KEPT);
    log_line("%s %s %d %zu bytes %lld us %s%s%s", method, shown.s, reply->status, reply->body_len,
             (long long)reply->total_us, err_name(reply->failure.code), id.len > 0 ? " " : "", id.s);
    struct request_seen seen = {.at = clock_now(),
                                .method = method,
                                .path = shown.s,
                                .id = id.len > 0 ? id.s : NULL,
                                .status = reply->status,
                                .bytes = reply->body_len,
                                .took_us = reply->total_us,
                                .failure = reply->failure.code};
    noter->seen(noter->owner, &seen);
    str_clear(&shown);
    str_clear(&id);
}

void request_note_cancelled(const struct request_noter *noter, const char *method, const char *path) {
    struct reply reply;
    reply_init(&reply);
    reply.failure.code = ERR_CANCELLED;
    request_note(noter, method, path, &reply);
    reply_clear(&reply);
}
