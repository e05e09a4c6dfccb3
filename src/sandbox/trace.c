#include "trace.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/path.h"
#include "json_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEPT = 10000, LINE_MAX_BYTES = 4 << 20 };

struct trace {
    pthread_mutex_t lock;
    int fd; /* -1: memory only */
    char *kept[KEPT];
    size_t n; /* all ever written; the last KEPT are there */
};

enum err trace_open(const char *path, struct trace **out, struct error *error) {
    int fd = -1;
    if (path) {
        fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
            return error_set(error, ERR_FILE, "cannot write the journal %s: %s", path, strerror(errno));
    }
    struct trace *trace = mem_new(sizeof *trace);
    (void)pthread_mutex_init(&trace->lock, NULL);
    trace->fd = fd;
    *out = trace;
    return ERR_OK;
}

void trace_free(struct trace *trace) {
    if (!trace)
        return;
    for (size_t i = 0; i < KEPT; i++)
        free(trace->kept[i]);
    if (trace->fd >= 0)
        (void)close(trace->fd);
    (void)pthread_mutex_destroy(&trace->lock);
    free(trace);
}

static void put_digest(struct str *out, const char *name, const char *bytes, size_t len) {
    unsigned char sum[DIGEST_LEN];
    digest_sha256(sum, bytes, len);
    json_write_open(out, name, '"');
    str_add(out, "sha256:");
    digest_hex(out, sum, sizeof sum);
    str_add_char(out, '"');
}

/* A list of pairs, as a name may come twice. */
static void trace_put_headers(const struct call *call, struct str *out) {
    json_write_open(out, "headers", '[');
    for (size_t i = 0; i < call->headers.n; i++) {
        const struct call_pair *header = &call->headers.items[i];
        json_write_open(out, NULL, '[');
        json_write_string(out, NULL, header->name);
        if (ascii_compare(header->name, "Authorization") == 0) {
            bool bearer = ascii_compare_n(header->value, "Bearer ", 7) == 0;
            const char *secret = header->value + (bearer ? 7 : 0);
            put_digest(out, NULL, secret, strlen(secret));
        } else {
            json_write_string(out, NULL, header->value);
        }
        json_write_close(out, ']');
    }
    json_write_close(out, ']');
}

static void put_line(const struct call *call, const char *outcome, long long bytes, struct str *out) {
    struct str time;
    str_init(&time, 64);
    clock_format_iso(&time, clock_now());
    json_write_open(out, NULL, '{');
    json_write_int(out, "n", call->number);
    json_write_string(out, "time", time.s);
    json_write_string(out, "method", call->method);
    json_write_string(out, "path", call->path);
    json_write_string(out, "query", call_query(call));
    trace_put_headers(call, out);
    json_write_int(out, "body_bytes", (long long)call->body.len);
    if (call->body.len > 0)
        put_digest(out, "body", call->body.s, call->body.len);
    else
        json_write_null(out, "body");
    json_write_int(out, "rule", call->hit.id);
    json_write_string(out, "outcome", outcome);
    json_write_int(out, "status", call->status);
    json_write_int(out, "bytes", bytes);
    json_write_close(out, '}');
    str_add_char(out, '\n');
    str_clear(&time);
}

static void trace_write_all(int fd, const char *bytes, size_t len) {
    if (!path_write_all(fd, bytes, len))
        mem_fatal("the journal could not be written");
}

void trace_write(struct trace *trace, const struct call *call, const char *outcome, long long bytes) {
    struct str line;
    str_init(&line, LINE_MAX_BYTES);
    put_line(call, outcome, bytes, &line);
    (void)pthread_mutex_lock(&trace->lock);
    if (trace->fd >= 0)
        trace_write_all(trace->fd, line.s, line.len);
    free(trace->kept[trace->n % KEPT]);
    trace->kept[trace->n % KEPT] = str_take(&line);
    trace->n++;
    (void)pthread_mutex_unlock(&trace->lock);
}

void trace_print(struct trace *trace, struct str *out) {
    (void)pthread_mutex_lock(&trace->lock);
    for (size_t i = trace->n > KEPT ? trace->n - KEPT : 0; i < trace->n; i++)
        str_add(out, trace->kept[i % KEPT]);
    (void)pthread_mutex_unlock(&trace->lock);
}
