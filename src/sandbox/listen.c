#include "listen.h"

#include "base/mem.h"
#include "base/out.h"
#include "base/secret.h"
#include "files.h"
#include "http.h"

#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EVENT_MAX = 4 << 20, CONNECTIONS = 200, IDLE_SECONDS = 60, PEM_MAX = 1 << 16 };

struct exchange {
    char *path, *method;
    struct headers headers;
    struct str body;
};

static enum MHD_Result listen_keep_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    (void)kind;
    headers_add(context, name, !value ? "" : value);
    return MHD_YES;
}

static void exchange_free(struct exchange *exchange) {
    free(exchange->path);
    free(exchange->method);
    headers_clear(&exchange->headers);
    str_clear(&exchange->body);
    free(exchange);
}

static enum MHD_Result reply(struct MHD_Connection *connection, int status) {
    struct MHD_Response *response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    if (status == 405)
        (void)MHD_add_response_header(response, "Allow", "POST");
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return result;
}

/* All connections share one thread, so that events are told one after the other. */
static enum MHD_Result listen_on_request(void *context, struct MHD_Connection *connection, const char *path,
                                         const char *method, const char *version, const char *upload,
                                         size_t *upload_size, void **state) {
    (void)version;
    struct exchange *exchange = *state;
    if (!exchange) {
        *state = exchange = mem_new(sizeof *exchange);
        exchange->path = mem_dup(path);
        exchange->method = mem_dup(method);
        str_init(&exchange->body, EVENT_MAX);
        (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, listen_keep_header, &exchange->headers);
        return MHD_YES;
    }
    if (*upload_size > 0) {
        str_add_n(&exchange->body, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    const struct listen_request request = {.method = exchange->method,
                                           .path = exchange->path,
                                           .headers = &exchange->headers,
                                           .body = &exchange->body,
                                           .too_large = exchange->body.truncated};
    return reply(connection, listen_book_take(context, &request));
}

static void listen_on_completed(void *context, struct MHD_Connection *connection, void **state,
                                enum MHD_RequestTerminationCode code) {
    (void)context;
    (void)connection;
    (void)code;
    if (*state) {
        exchange_free(*state);
        *state = NULL;
    }
}

static void listen_on_log(void *context, const char *format, va_list args) {
    (void)context;
    (void)format;
    (void)args;
}

static enum err listen_start(const struct listen_options *options, struct listen_book *book, struct MHD_Daemon **out,
                             struct error *error) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options->port)};
    struct str certificate;
    struct str key;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    str_init(&certificate, PEM_MAX);
    str_init(&key, PEM_MAX);
    enum err err = listen_certificate(options->tls_dir, &certificate, &key, error);
    if (err == ERR_OK) {
        *out = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_TLS, 0, NULL, NULL,
                                listen_on_request, book, MHD_OPTION_EXTERNAL_LOGGER, listen_on_log, NULL,
                                MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_HTTPS_MEM_CERT, certificate.s,
                                MHD_OPTION_HTTPS_MEM_KEY, key.s, MHD_OPTION_NOTIFY_COMPLETED, listen_on_completed, NULL,
                                MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
                                (unsigned)IDLE_SECONDS, MHD_OPTION_END);
        if (!*out)
            err = error_set(error, ERR_SYSTEM, "cannot listen on port %lld", options->port);
    }
    str_clear(&certificate);
    secret_clear_str(&key);
    return err;
}

static enum err serve(const struct listen_options *options, struct MHD_Daemon *daemon, const sigset_t *ends,
                      struct error *error) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    int port = !info ? 0 : info->port;
    int got = 0;
    if (options->port_file) {
        enum err err = files_write_port(options->port_file, port, error);
        if (err != ERR_OK)
            return err;
    }
    out_say(stdout, "listening on https://localhost:%d/, to be trusted with %s/ca.pem\n", port, options->tls_dir);
    (void)sigwait(ends, &got);
    if (options->port_file)
        (void)remove(options->port_file);
    return ERR_OK;
}

enum err listen_run(const struct listen_options *options, struct error *error) {
    struct listen_book *book = NULL;
    struct MHD_Daemon *daemon = NULL;
    sigset_t ends;
    files_block_signals(&ends);
    enum err err = listen_book_open(options, &book, error);
    if (err == ERR_OK)
        err = listen_start(options, book, &daemon, error);
    if (err == ERR_OK)
        err = serve(options, daemon, &ends, error);
    if (daemon)
        MHD_stop_daemon(daemon);
    listen_book_free(book);
    return err;
}
