/* libmicrohttpd is loaded here and not linked: the console and all commands but one have no use for it, and it brings
 * a TLS library along (src/base/curl.c has the same for libcurl). */
#include "net/receiver.h"

#include "base/clock.h"
#include "base/mem.h"

#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 200, QUEUE = 128, SECOND_MS = 1000, DRAIN_TURNS = 500, DRAIN_TURN_NS = 2000000 };

/* The number is that of the binary interface. */
#ifdef __APPLE__
#define LIBRARY "libmicrohttpd.12.dylib"
#else
#define LIBRARY "libmicrohttpd.so.12"
#endif

#define FUNCTIONS(X)                   \
    X(MHD_add_response_header)         \
    X(MHD_create_response_from_buffer) \
    X(MHD_destroy_response)            \
    X(MHD_get_connection_values)       \
    X(MHD_queue_response)              \
    X(MHD_quiesce_daemon)              \
    X(MHD_start_daemon)                \
    X(MHD_stop_daemon)

static struct {
#define X(name) __typeof__(name) *name;
    FUNCTIONS(X)
#undef X
} microhttpd;

struct receiver {
    struct receiver_options options;
    struct MHD_Daemon *daemon;
    int port;
    atomic_int answering; /* requests that were taken, and whose answer is on its way */
};

/* One request under way. */
struct receiving {
    char *path, *method;
    struct headers headers;
    struct str body;
    int64_t end; /* monotonic */
    bool taken;
};

static bool receiver_load_function(void *library, const char *name, void *pointer) {
    void *function = dlsym(library, name);
    memcpy(pointer, &function, sizeof function);
    return function != NULL;
}

/* On the main thread alone. */
static enum err receiver_load(struct error *error) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool whole = library != NULL;
#define X(name) whole = whole && receiver_load_function(library, #name, &microhttpd.name);
    FUNCTIONS(X)
#undef X
    return whole ? ERR_OK : error_set(error, ERR_SYSTEM, LIBRARY " cannot be loaded: install libmicrohttpd");
}

/* ---- one request, on the receiver's thread ---- */

static enum MHD_Result receiver_keep_header(void *context, enum MHD_ValueKind kind, const char *name,
                                            const char *value) {
    (void)kind;
    headers_add(context, name, !value ? "" : value);
    return MHD_YES;
}

static struct receiving *receiving_new(const struct receiver *receiver, struct MHD_Connection *connection,
                                       const char *path, const char *method) {
    struct receiving *receiving = mem_new(sizeof *receiving);
    unsigned limit = receiver->options.request_s;
    receiving->path = mem_dup(path);
    receiving->method = mem_dup(method);
    receiving->end = limit ? clock_mono() + (int64_t)limit * SECOND_MS : INT64_MAX;
    str_init(&receiving->body, receiver->options.body_max + 1);
    (void)(microhttpd.MHD_get_connection_values)(connection, MHD_HEADER_KIND, receiver_keep_header,
                                                 &receiving->headers);
    return receiving;
}

static void receiving_free(struct receiving *receiving) {
    free(receiving->path);
    free(receiving->method);
    headers_clear(&receiving->headers);
    str_clear(&receiving->body);
    free(receiving);
}

static enum MHD_Result receiver_reply(struct MHD_Connection *connection, int status) {
    struct MHD_Response *response = (microhttpd.MHD_create_response_from_buffer)(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    if (status == 405)
        (void)(microhttpd.MHD_add_response_header)(response, "Allow", "POST");
    enum MHD_Result result = (microhttpd.MHD_queue_response)(connection, (unsigned)status, response);
    (microhttpd.MHD_destroy_response)(response);
    return result;
}

/* All connections share one thread, so that requests are taken one after the other. */
static enum MHD_Result receiver_on_request(void *context, struct MHD_Connection *connection, const char *path,
                                           const char *method, const char *version, const char *upload,
                                           size_t *upload_size, void **state) {
    struct receiver *receiver = context;
    struct receiving *receiving = *state;
    (void)version;
    if (!receiving) {
        *state = receiving_new(receiver, connection, path, method);
        return MHD_YES;
    }
    if (*upload_size > 0) {
        str_add_n(&receiving->body, upload, *upload_size);
        *upload_size = 0;
        return clock_mono() < receiving->end ? MHD_YES : MHD_NO;
    }
    const struct received_request request = {.method = receiving->method,
                                             .path = receiving->path,
                                             .headers = &receiving->headers,
                                             .body = &receiving->body,
                                             .too_large = receiving->body.truncated};
    receiving->taken = true;
    atomic_fetch_add(&receiver->answering, 1);
    return receiver_reply(connection, receiver->options.take(receiver->options.context, &request));
}

static void receiver_on_completed(void *context, struct MHD_Connection *connection, void **state,
                                  enum MHD_RequestTerminationCode code) {
    struct receiver *receiver = context;
    const struct receiving *receiving = *state;
    (void)connection;
    (void)code;
    if (receiving) {
        if (receiving->taken)
            atomic_fetch_sub(&receiver->answering, 1);
        receiving_free(*state);
        *state = NULL;
    }
}

static void receiver_on_log(void *context, const char *format, va_list args) {
    (void)context;
    (void)format;
    (void)args;
}

/* ---- life ---- */

static socklen_t receiver_length(const struct sockaddr_storage *address) {
    return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

union bound {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

/* Bound here, so that what is in the way can be said. */
static enum err receiver_bind(const struct sockaddr_storage *address, int *fd, int *port, struct error *error) {
    union bound bound = {.six = {.sin6_port = 0}};
    socklen_t len = sizeof bound;
    const int on = 1;
    *fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return error_set(error, ERR_SYSTEM, "cannot listen: %s", strerrordesc_np(errno));
    (void)setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(*fd, (const struct sockaddr *)address, receiver_length(address)) != 0 || listen(*fd, QUEUE) != 0 ||
        getsockname(*fd, &bound.any, &len) != 0)
        return error_set(error, ERR_USAGE, "cannot listen there: %s", strerrordesc_np(errno));
    *port = ntohs(bound.any.sa_family == AF_INET6 ? bound.six.sin6_port : bound.four.sin_port);
    return ERR_OK;
}

static struct MHD_Daemon *receiver_run(struct receiver *receiver, int fd) {
    const struct receiver_options *options = &receiver->options;
    struct MHD_OptionItem tls[] = {{MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)options->certificate},
                                   {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)options->key},
                                   {MHD_OPTION_END, 0, NULL}};
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | (options->certificate ? MHD_USE_TLS : 0U);
    return (microhttpd.MHD_start_daemon)(
        flags, 0, NULL, NULL, receiver_on_request, receiver, MHD_OPTION_EXTERNAL_LOGGER, receiver_on_log, NULL,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, receiver_on_completed, receiver,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_PER_IP_CONNECTION_LIMIT, options->per_address,
        MHD_OPTION_CONNECTION_TIMEOUT, options->idle_s, MHD_OPTION_ARRAY, options->certificate ? tls : &tls[2],
        MHD_OPTION_END);
}

enum err receiver_start(const struct receiver_options *options, struct receiver **out, struct error *error) {
    struct receiver *receiver = mem_new(sizeof *receiver);
    int fd = -1;
    receiver->options = *options;
    enum err err = receiver_load(error);
    if (err == ERR_OK)
        err = receiver_bind(&options->address, &fd, &receiver->port, error);
    if (err == ERR_OK && !(receiver->daemon = receiver_run(receiver, fd)))
        err = error_set(error, ERR_SYSTEM, "cannot listen: the receiver did not start");
    if (err != ERR_OK) {
        if (fd >= 0)
            (void)close(fd);
        free(receiver);
        return err;
    }
    *out = receiver;
    return ERR_OK;
}

int receiver_port(const struct receiver *receiver) {
    return receiver->port;
}

/* Nobody new is let in, and what was taken gets its answer: for a second, should its sender not read. */
static void receiver_drain(struct receiver *receiver) {
    int fd = (microhttpd.MHD_quiesce_daemon)(receiver->daemon);
    for (int i = 0; i < DRAIN_TURNS && atomic_load(&receiver->answering) > 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = DRAIN_TURN_NS}, NULL);
    if (fd >= 0)
        (void)close(fd);
}

void receiver_stop(struct receiver *receiver) {
    if (!receiver)
        return;
    receiver_drain(receiver);
    (microhttpd.MHD_stop_daemon)(receiver->daemon);
    free(receiver);
}
