#include "request_note.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/proxy.h"
#include "base/secret.h"
#include "base/url.h"
#include "base/utf8.h"

#include <string.h>

enum { PATH_KEPT = 1000, ID_KEPT = 200 };

static void request_note_clean(struct str *out, const char *text, size_t max) {
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

static void request_note_note(const struct request_noter *noter, struct request_seen *seen) {
    struct str path, id, proxy;
    request_note_clean(&path, seen->path, PATH_KEPT);
    request_note_clean(&id, seen->id, ID_KEPT);
    request_note_clean(&proxy, seen->proxy, ID_KEPT);
    log_line("%s %s %d %zu bytes %lld us %s%s%s%s%s", seen->method, path.s, seen->status, seen->bytes,
             (long long)seen->took_us, err_name(seen->failure), id.len > 0 ? " " : "", id.s,
             proxy.len > 0 ? " through the proxy " : "", proxy.s);
    seen->at = clock_now();
    seen->path = path.s;
    seen->id = id.len > 0 ? id.s : NULL;
    seen->proxy = proxy.len > 0 ? proxy.s : NULL;
    noter->seen(noter->owner, seen);
    str_clear(&path);
    str_clear(&id);
    str_clear(&proxy);
}

void request_note(const struct request_noter *noter, const char *method, const char *path, const struct reply *reply) {
    struct request_seen seen = {.method = method,
                                .path = path,
                                .id = request_id(reply),
                                .proxy = reply->proxy,
                                .status = reply->status,
                                .bytes = reply->body_len,
                                .took_us = reply->total_us,
                                .failure = reply->failure.code};
    request_note_note(noter, &seen);
}

static const char *probe_method(enum probe_step step) {
    static const char *const METHODS[PROBE_STEP_COUNT] = {[PROBE_HEAD] = "HEAD",
                                                          [PROBE_GET] = "GET",
                                                          [PROBE_HTTP_1] = "GET",
                                                          [PROBE_HTTP_2] = "GET",
                                                          [PROBE_POST] = "POST"};
    return METHODS[step];
}

void request_note_probe(const struct request_noter *noter, const char *address, const struct probe_result *result) {
    const struct probe_pass *pass = &result->pass;
    const char *method = probe_method(result->step);
    struct url url = {0};
    struct str path, proxy;
    if (!method || url_parse(address, &url, NULL) != ERR_OK)
        return;
    str_init(&path, PATH_KEPT);
    str_init(&proxy, ID_KEPT);
    if (pass->via_proxy)
        (void)proxy_text(address, &proxy);
    str_addf(&path, "%s%s", url.origin, url.path ? url.path : "/");
    struct request_seen seen = {.method = method,
                                .path = path.s,
                                .proxy = proxy.s,
                                .status = pass->status,
                                .bytes = pass->body_len,
                                .took_us = pass->total_us,
                                .failure = pass->cause == PROBE_FINE        ? ERR_OK
                                           : pass->cause == PROBE_CANCELLED ? ERR_CANCELLED
                                                                            : ERR_NETWORK};
    request_note_note(noter, &seen);
    str_clear(&path);
    str_clear(&proxy);
    url_clear(&url);
}

void request_note_cancelled(const struct request_noter *noter, const char *method, const char *path) {
    struct reply reply;
    reply_init(&reply);
    reply.failure.code = ERR_CANCELLED;
    request_note(noter, method, path, &reply);
    reply_clear(&reply);
}
