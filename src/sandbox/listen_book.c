#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "json_writer.h"
#include "listen.h"
#include "wire/body.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES_MAX = 16 << 20, SECRET_FILE_MAX = 8192, KIND_MAX = 200, PATH_BYTES = 4096 };

struct listen_book {
    const struct listen_options *options;
    int fd; /* of the NDJSON file; -1: none */
    long long n;
};

/* What was made of one request. */
struct finding {
    long long n;
    int status;
    bool has_secret, is_signed;
    bool matches[WEBHOOK_SCHEME_COUNT];
    char *kind, *id; /* NULL: the body names none */
};

enum err listen_book_open(const struct listen_options *options, struct listen_book **out, struct error *error) {
    int fd = -1;
    if (options->save) {
        enum err err = path_make_private(options->save, error);
        if (err != ERR_OK)
            return err;
    }
    if (options->ndjson) {
        fd = open(options->ndjson, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
            return error_set(error, ERR_FILE, "cannot write %s: %s", options->ndjson, strerror(errno));
    }
    *out = mem_new(sizeof **out);
    **out = (struct listen_book){.options = options, .fd = fd};
    return ERR_OK;
}

void listen_book_free(struct listen_book *book) {
    if (book && book->fd >= 0)
        (void)close(book->fd);
    free(book);
}

/* ---- looking at a request ---- */

static void listen_book_read_names(const struct received_request *request, struct finding *out) {
    struct body *body = NULL;
    if (body_read(request->body->s, request->body->len, &body, NULL) == ERR_OK) {
        out->kind = mem_dup(body_string(body_member(body_root(body), "type"), NULL));
        out->id = mem_dup(body_string(body_member(body_root(body), "id"), NULL));
    }
    body_free(body);
}

static void listen_book_judge(const struct listen_book *book, const struct received_request *request,
                              struct finding *out) {
    const struct webhook_received received = {request->headers, request->body->s, request->body->len};
    struct str secret;
    str_init(&secret, SECRET_FILE_MAX);
    out->is_signed =
        headers_find(request->headers, WEBHOOK_SIGNATURE) || headers_find(request->headers, WEBHOOK_STANDARD_SIGNATURE);
    if (book->options->secret_file)
        out->has_secret = path_read(book->options->secret_file, SECRET_FILE_MAX, true, &secret, NULL) == ERR_OK;
    while (secret.len > 0 && (secret.s[secret.len - 1] == '\n' || secret.s[secret.len - 1] == '\r'))
        secret_wipe(&secret.s[--secret.len], 1);
    for (int i = 0; out->has_secret && secret.len > 0 && i < WEBHOOK_SCHEME_COUNT; i++)
        out->matches[i] = webhook_matches((enum webhook_scheme)i, secret.s, secret.len, &received);
    secret_clear_str(&secret);
}

static int listen_book_answer(const struct listen_book *book, const struct received_request *request) {
    if (strcmp(request->method, "POST") != 0)
        return 405;
    if (request->too_large)
        return 413;
    return book->options->fail_every > 0 && book->n % book->options->fail_every == 0 ? 500 : 204;
}

static const char *verdict(const struct finding *finding, int scheme) {
    return finding->matches[scheme] ? "verified"
           : !finding->is_signed    ? "unsigned"
           : !finding->has_secret   ? "no secret"
                                    : "no";
}

/* ---- telling ---- */

static void print_event(const struct received_request *request, const struct finding *finding) {
    struct str line;
    str_init(&line, 4096);
    clock_format_iso(&line, clock_now());
    str_add(&line, "  ");
    utf8_sanitise(&line, !finding->kind ? request->method : finding->kind,
                  strnlen(!finding->kind ? request->method : finding->kind, KIND_MAX));
    str_addf(&line, "  %zu bytes  %d", request->body->len, finding->status);
    for (int i = 0; i < WEBHOOK_SCHEME_COUNT; i++)
        str_addf(&line, "  %s: %s", webhook_scheme_name((enum webhook_scheme)i), verdict(finding, i));
    out_say(stdout, "%s\n", line.s);
    str_clear(&line);
}

static void listen_book_put_headers(const struct headers *headers, struct str *out) {
    json_write_open(out, "headers", '[');
    for (size_t i = 0; i < headers->n; i++) {
        json_write_open(out, NULL, '[');
        json_write_string(out, NULL, headers->items[i].name);
        json_write_string(out, NULL, headers->items[i].value);
        json_write_close(out, ']');
    }
    json_write_close(out, ']');
}

static void put_event(const struct received_request *request, const struct finding *finding, struct str *out) {
    struct str time;
    str_init(&time, 64);
    clock_format_iso(&time, clock_now());
    json_write_open(out, NULL, '{');
    json_write_int(out, "n", finding->n);
    json_write_string(out, "time", time.s);
    json_write_string(out, "method", request->method);
    json_write_string(out, "path", request->path);
    json_write_string(out, "kind", finding->kind);
    json_write_string(out, "id", finding->id);
    json_write_int(out, "bytes", (long long)request->body->len);
    json_write_int(out, "status", finding->status);
    json_write_bool(out, "signed", finding->is_signed);
    for (int i = 0; i < WEBHOOK_SCHEME_COUNT; i++)
        json_write_string(out, webhook_scheme_name((enum webhook_scheme)i), verdict(finding, i));
    listen_book_put_headers(request->headers, out);
    json_write_string_n(out, "body", request->body->s, request->body->len);
    json_write_close(out, '}');
    str_add_char(out, '\n');
    str_clear(&time);
}

static void listen_book_write_all(int fd, const char *bytes, size_t len) {
    if (!path_write_all(fd, bytes, len))
        mem_fatal("an event could not be written");
}

static void write_event(const struct listen_book *book, const struct received_request *request,
                        const struct finding *finding) {
    struct str line;
    str_init(&line, LINE_BYTES_MAX);
    put_event(request, finding, &line);
    listen_book_write_all(book->fd, line.s, line.len);
    str_clear(&line);
}

static void save_body(const struct listen_book *book, const struct received_request *request) {
    struct str path;
    str_init(&path, PATH_BYTES);
    str_addf(&path, "%s/%lld.body", book->options->save, book->n);
    int fd = open(path.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        mem_fatal("a body could not be written");
    listen_book_write_all(fd, request->body->s, request->body->len);
    (void)close(fd);
    str_clear(&path);
}

int listen_book_take(void *context, const struct received_request *request) {
    struct listen_book *book = context;
    struct finding finding = {.n = ++book->n};
    listen_book_read_names(request, &finding);
    listen_book_judge(book, request, &finding);
    finding.status = listen_book_answer(book, request);
    if (book->options->save)
        save_body(book, request);
    if (book->fd >= 0)
        write_event(book, request, &finding);
    if (!book->options->quiet)
        print_event(request, &finding);
    free(finding.kind);
    free(finding.id);
    return finding.status;
}
