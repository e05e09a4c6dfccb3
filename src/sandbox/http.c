#include "http.h"

#include "base/clock.h"
#include "base/linux.h"
#include "base/mem.h"
#include "stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS = 1000, MEMORY_PER_CONNECTION = 512 << 10, IDLE_SECONDS = 600, WAIT_FOREVER = 24 * 3600 * 1000 };

struct http {
    struct service *service;
    struct MHD_Daemon *daemon;
    int stop_fd; /* readable once the service ends */
    int port;
};

/* What one request needs beside its call. */
struct exchange {
    struct call *call;
    struct http *http;
    int fd;
    bool started, refused;
};

/* Waits in the connection's own thread; ends early, with false, when the peer leaves or the service ends. */
static bool wait_ms(void *context, int64_t ms) {
    struct exchange *exchange = context;
    int64_t end = clock_mono() + ms;
    for (;;) {
        int64_t left = end - clock_mono();
        if (left <= 0)
            return true;
        struct pollfd fds[2] = {{.fd = exchange->http->stop_fd, .events = POLLIN},
                                {.fd = exchange->fd, .events = POLLRDHUP}};
        int n = poll(fds, 2, left > 1 << 30 ? 1 << 30 : (int)left);
        if (n > 0 || (n < 0 && errno != EINTR))
            return false;
    }
}

static enum MHD_Result http_keep_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    (void)kind;
    call_add(context, name, value);
    return MHD_YES;
}

static void http_read_head(struct exchange *exchange, struct MHD_Connection *connection, const char *path,
                           const char *method) {
    struct call *call = exchange->call;
    call->path = mem_dup(path);
    call->method = mem_dup(method);
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, http_keep_header, &call->headers);
    (void)MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, http_keep_header, &call->query);
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    exchange->fd = !info ? -1 : info->connect_fd;
    if (service_is_control(exchange->http->service, call)) {
        call->hit.delay = -1;
    } else {
        call->number = atomic_fetch_add(&exchange->http->service->requests, 1) + 1;
        rules_match(exchange->http->service->rules, call->method, call->path, &call->hit);
    }
}

static void write_trace(struct exchange *exchange, const char *outcome, long long bytes) {
    struct service *service = exchange->http->service;
    if (!service_is_control(service, exchange->call))
        trace_write(service->trace, exchange->call, outcome, bytes);
}

static void http_add_headers(const struct call *call, struct MHD_Response *response) {
    if (call->type)
        (void)MHD_add_response_header(response, "Content-Type", call->type);
    for (size_t i = 0; i < call->answer_headers.n; i++) {
        (void)MHD_add_response_header(response, call->answer_headers.items[i].name,
                                      call->answer_headers.items[i].value);
    }
}

static enum MHD_Result send_answer(struct exchange *exchange, struct MHD_Connection *connection) {
    const struct stream_wait wait = {wait_ms, exchange};
    long long bytes = 0;
    struct MHD_Response *response = stream_response(exchange->call, &wait, &bytes);
    if (!response)
        return MHD_NO;
    http_add_headers(exchange->call, response);
    if (exchange->refused)
        (void)MHD_add_response_header(response, "Connection", "close");
    write_trace(exchange, "answered", bytes);
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)exchange->call->status, response);
    MHD_destroy_response(response);
    return result;
}

/* MHD_NO closes the connection without a byte; with this option, by a reset. */
static void make_reset(const struct exchange *exchange) {
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(exchange->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

/* True where a rule keeps the answer back for good. */
static bool is_silent(struct exchange *exchange) {
    unsigned flags = exchange->call->hit.flags;
    const char *outcome = (flags & RULE_HANG) != 0              ? "hang"
                          : (flags & RULE_RESET) != 0           ? "reset"
                          : (flags & RULE_DROP_AFTER_READ) != 0 ? "drop_after_read"
                                                                : NULL;
    if (!outcome)
        return false;
    exchange->call->status = 0;
    write_trace(exchange, outcome, 0);
    if ((flags & RULE_HANG) != 0)
        (void)wait_ms(exchange, WAIT_FOREVER);
    else if ((flags & RULE_RESET) != 0)
        make_reset(exchange);
    return true;
}

static enum MHD_Result http_finish(struct exchange *exchange, struct MHD_Connection *connection) {
    struct call *call = exchange->call;
    if (call->hit.delay > 0 && !wait_ms(exchange, call->hit.delay)) {
        write_trace(exchange, "gone", 0);
        return MHD_NO;
    }
    service_answer(exchange->http->service, call);
    return is_silent(exchange) ? MHD_NO : send_answer(exchange, connection);
}

static enum MHD_Result sandbox_http_start(struct exchange *exchange, struct MHD_Connection *connection,
                                          const char *path, const char *method) {
    struct call *call = exchange->call;
    exchange->started = true;
    http_read_head(exchange, connection, path, method);
    if ((call->hit.flags & RULE_CLOSE) != 0) {
        write_trace(exchange, "close", 0);
        return MHD_NO;
    }
    /* Does not wait for a body that is announced as too large: answers at once and closes the connection. */
    const char *length = call_find_header(call, "Content-Length");
    long long bytes = 0;
    bool read = !length || (str_to_int64(length, strlen(length), &bytes) && bytes <= CALL_BODY_MAX);
    if (!read) {
        call->too_large = true;
        exchange->refused = true;
        return http_finish(exchange, connection);
    }
    return MHD_YES;
}

static enum MHD_Result http_on_request(void *context, struct MHD_Connection *connection, const char *path,
                                       const char *method, const char *version, const char *upload, size_t *upload_size,
                                       void **state) {
    (void)context;
    (void)version;
    struct exchange *exchange = *state;
    if (!exchange->started)
        return sandbox_http_start(exchange, connection, path, method);
    if (*upload_size > 0) {
        str_add_n(&exchange->call->body, upload, *upload_size);
        exchange->call->too_large = exchange->call->body.truncated;
        *upload_size = 0;
        return MHD_YES;
    }
    return http_finish(exchange, connection);
}

static void *on_uri(void *context, const char *uri, struct MHD_Connection *connection) {
    (void)connection;
    struct exchange *exchange = mem_new(sizeof *exchange);
    exchange->http = context;
    exchange->call = call_new(uri);
    return exchange;
}

static void http_on_completed(void *context, struct MHD_Connection *connection, void **state,
                              enum MHD_RequestTerminationCode code) {
    (void)context;
    (void)connection;
    (void)code;
    struct exchange *exchange = *state;
    if (exchange) {
        call_free(exchange->call);
        free(exchange);
        *state = NULL;
    }
}

/* MHD's messages are about broken connections, which this service makes on purpose. */
static void http_on_log(void *context, const char *format, va_list args) {
    (void)context;
    (void)format;
    (void)args;
}

static int bound_socket(const struct sockaddr_storage *address, struct error *error) {
    int fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    socklen_t len = address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, (const struct sockaddr *)address, len) != 0 || listen(fd, SOMAXCONN) != 0) {
        (void)error_set(error, ERR_SYSTEM, "cannot listen: %s", strerror(errno));
        if (fd >= 0)
            (void)close(fd);
        return -1;
    }
    return fd;
}

/* Before the first answer, as answers may name it. */
static void set_origin(struct http *http, int fd) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address;
    socklen_t len = sizeof address;
    char host[INET6_ADDRSTRLEN] = "";
    struct str origin;
    str_init(&origin, 256);
    memset(&address, 0, sizeof address);
    bool six = getsockname(fd, &address.any, &len) == 0 && address.any.sa_family == AF_INET6;
    if (six)
        (void)inet_ntop(AF_INET6, &address.six.sin6_addr, host, sizeof host);
    else
        (void)inet_ntop(AF_INET, &address.four.sin_addr, host, sizeof host);
    http->port = ntohs(six ? address.six.sin6_port : address.four.sin_port);
    str_addf(&origin, six ? "http://[%s]:%d" : "http://%s:%d", host, http->port);
    http->service->origin = str_take(&origin);
}

enum err http_start(struct service *service, const struct sockaddr_storage *address, struct http **out,
                    struct error *error) {
    int fd = bound_socket(address, error);
    if (fd < 0)
        return ERR_SYSTEM;
    struct http *http = mem_new(sizeof *http);
    http->service = service;
    http->stop_fd = eventfd(0, EFD_CLOEXEC);
    set_origin(http, fd);
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | MHD_USE_ITC;
    http->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, http_on_request, http, MHD_OPTION_EXTERNAL_LOGGER, http_on_log, NULL,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_URI_LOG_CALLBACK, on_uri, http, MHD_OPTION_NOTIFY_COMPLETED,
        http_on_completed, NULL, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MEMORY_PER_CONNECTION, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
    if (http->stop_fd < 0 || !http->daemon) {
        (void)close(fd);
        http_stop(http);
        return error_set(error, ERR_SYSTEM, "the HTTP server did not start");
    }
    *out = http;
    return ERR_OK;
}

void http_stop(struct http *http) {
    if (!http)
        return;
    const uint64_t one = 1;
    if (http->stop_fd >= 0 && write(http->stop_fd, &one, sizeof one) != sizeof one)
        mem_fatal("the service could not be told to end");
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    if (http->stop_fd >= 0)
        (void)close(http->stop_fd);
    free(http);
}

int http_port(const struct http *http) {
    return http->port;
}
