#include "support/relay.h"

#include "base/linux.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RECEIVED_MAX = 8 << 20, HEAD_MAX = 4 << 20, PIECE = 16384, BACKLOG = 128 };

struct relay {
    int listener, port, upstream_port;
    int stop[2]; /* the writing end is closed to stop every thread */
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    struct relay_fault fault;
    struct relay_answer *answers;
    size_t n_answers, connections, requests;
    struct str received;
    struct conn *conns;
};

struct conn {
    struct relay *relay;
    struct conn *next;
    pthread_t thread;
    struct relay_fault fault;
    int client, upstream;
    size_t passed;    /* answer bytes sent */
    bool in_head;     /* of the answer, while a fault needs it whole */
    struct str head;  /* held back until whole */
    struct str asked; /* request bytes not yet used */
};

/* Waits for events on fd; false when the relay stops or time is up. */
static bool ready(const struct conn *conn, int fd, short events, int timeout_ms) {
    struct pollfd fds[2] = {{.fd = conn->relay->stop[0], .events = POLLIN}, {.fd = fd, .events = events}};
    int n;
    do
        n = poll(fds, 2, timeout_ms);
    while (n < 0 && errno == EINTR);
    return n > 0 && fds[0].revents == 0;
}

static void wait_for_stop(const struct conn *conn, int timeout_ms) {
    (void)ready(conn, -1, 0, timeout_ms);
}

static bool send_all(const struct conn *conn, int fd, const char *bytes, size_t len) {
    while (len > 0) {
        if (!ready(conn, fd, POLLOUT, -1))
            return false;
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

/* Sends answer bytes in the pace and up to the end that the fault asks for; false: the connection is to be closed. */
static bool pass(struct conn *conn, const char *bytes, size_t len) {
    const struct relay_fault *fault = &conn->fault;
    while (len > 0) {
        size_t n = fault->chunk && len > fault->chunk ? fault->chunk : len;
        if (fault->delay_ms)
            wait_for_stop(conn, fault->delay_ms);
        if (fault->cut && n > fault->cut_after - conn->passed)
            n = fault->cut_after - conn->passed;
        if (!send_all(conn, conn->client, bytes, n))
            return false;
        conn->passed += n;
        bytes += n;
        len -= n;
        if (fault->cut && conn->passed >= fault->cut_after)
            return false;
    }
    return true;
}

static bool repeat(struct conn *conn, const char *tail) {
    struct str many;
    str_init(&many, PIECE);
    while (many.len + strlen(tail) <= PIECE)
        str_add(&many, tail);
    bool more;
    do
        more = pass(conn, many.s, many.len);
    while (more);
    str_clear(&many);
    return false;
}

static void rewrite_length(struct str *head, long long value) {
    const char *at = strcasestr(head->s, "\r\nContent-Length:");
    if (!at)
        return;
    size_t from = (size_t)(at - head->s) + strlen("\r\nContent-Length:"), len = strcspn(head->s + from, "\r");
    char text[32];
    int n = snprintf(text, sizeof text, " %lld", value);
    str_delete(head, from, len);
    str_insert(head, from, text, (size_t)n);
}

/* The head is whole, `body` bytes of what follows are already here. */
static bool pass_head(struct conn *conn, const char *body, size_t len) {
    const struct relay_fault *fault = &conn->fault;
    conn->in_head = false;
    if (fault->wrong_length)
        rewrite_length(&conn->head, fault->content_length);
    if (fault->endless_headers) {
        size_t line = strcspn(conn->head.s, "\n") + 1;
        return pass(conn, conn->head.s, line) && repeat(conn, "X-Endless: 0123456789abcdef0123456789abcdef\r\n");
    }
    if (fault->stall == RELAY_STALL_HEADERS) {
        (void)pass(conn, conn->head.s, conn->head.len / 2);
        wait_for_stop(conn, -1);
        return false;
    }
    if (!pass(conn, conn->head.s, conn->head.len))
        return false;
    if (fault->stall == RELAY_STALL_BODY) {
        wait_for_stop(conn, -1);
        return false;
    }
    return pass(conn, body, len);
}

static bool answer(struct conn *conn, const char *bytes, size_t len) {
    if (!conn->in_head)
        return pass(conn, bytes, len);
    size_t before = conn->head.len;
    str_add_n(&conn->head, bytes, len);
    const char *end = memmem(conn->head.s, conn->head.len, "\r\n\r\n", 4);
    if (!end)
        return !conn->head.truncated;
    size_t head = (size_t)(end - conn->head.s) + 4, mine = head - before;
    str_delete(&conn->head, head, conn->head.len - head);
    return pass_head(conn, bytes + mine, len - mine);
}

static void record(struct conn *conn, const char *bytes, size_t len) {
    pthread_mutex_lock(&conn->relay->lock);
    str_add_n(&conn->relay->received, bytes, len);
    pthread_mutex_unlock(&conn->relay->lock);
}

/* Length of the whole request at the front of `asked`; 0: not yet there. */
static size_t request_length(const struct str *asked) {
    const char *end = memmem(asked->s, asked->len, "\r\n\r\n", 4);
    if (!end)
        return 0;
    size_t head = (size_t)(end - asked->s) + 4, body = 0;
    const char *length = strcasestr(asked->s, "\r\nContent-Length:");
    if (length && length < end)
        body = strtoul(length + strlen("\r\nContent-Length:"), NULL, 10);
    return asked->len >= head + body ? head + body : 0;
}

static bool read_request(struct conn *conn) {
    char bytes[PIECE];
    size_t len;
    while ((len = request_length(&conn->asked)) == 0) {
        if (!ready(conn, conn->client, POLLIN, -1))
            return false;
        ssize_t n = recv(conn->client, bytes, sizeof bytes, 0);
        if (n <= 0)
            return false;
        record(conn, bytes, (size_t)n);
        str_add_n(&conn->asked, bytes, (size_t)n);
    }
    str_delete(&conn->asked, 0, len);
    return true;
}

static struct relay_answer next_answer(struct relay *relay) {
    pthread_mutex_lock(&relay->lock);
    size_t i = relay->requests < relay->n_answers ? relay->requests : relay->n_answers - 1;
    struct relay_answer next = relay->answers[i];
    pthread_mutex_unlock(&relay->lock);
    return next;
}

static void count_request(struct relay *relay) {
    pthread_mutex_lock(&relay->lock);
    relay->requests++;
    pthread_mutex_unlock(&relay->lock);
}

static void play(struct conn *conn) {
    for (;;) {
        struct relay_answer now = next_answer(conn->relay);
        if (!now.before_request) {
            if (!read_request(conn))
                return;
            now = next_answer(conn->relay);
            count_request(conn->relay);
        }
        if (now.len > 0 && !answer(conn, now.bytes, now.len))
            return;
        if (now.tail && !repeat(conn, now.tail))
            return;
        if (!now.keep_open)
            return;
        if (now.before_request) {
            wait_for_stop(conn, -1);
            return;
        }
    }
}

static int dial(int port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        (void)close(fd);
        fd = -1;
    }
    return fd;
}

/* One direction once; false: its end. */
static bool pump(struct conn *conn, bool from_client) {
    char bytes[PIECE];
    ssize_t n = recv(from_client ? conn->client : conn->upstream, bytes, sizeof bytes, 0);
    if (n <= 0)
        return false;
    if (!from_client)
        return answer(conn, bytes, (size_t)n);
    record(conn, bytes, (size_t)n);
    return send_all(conn, conn->upstream, bytes, (size_t)n);
}

static void forward(struct conn *conn) {
    conn->upstream = dial(conn->relay->upstream_port);
    bool open = conn->upstream >= 0;
    while (open) {
        struct pollfd fds[3] = {{.fd = conn->relay->stop[0], .events = POLLIN},
                                {.fd = conn->client, .events = POLLIN},
                                {.fd = conn->upstream, .events = POLLIN}};
        if (poll(fds, 3, -1) < 0 && errno != EINTR)
            break;
        if (fds[0].revents)
            break;
        if (fds[1].revents)
            open = pump(conn, true);
        if (open && fds[2].revents)
            open = pump(conn, false);
    }
}

static void *serve(void *argument) {
    struct conn *conn = argument;
    const struct relay_fault *fault = &conn->fault;
    conn->in_head = fault->wrong_length || fault->endless_headers || fault->stall != RELAY_STALL_NONE;
    if (fault->stall == RELAY_STALL_ACCEPT)
        wait_for_stop(conn, -1);
    else if (fault->cut && fault->cut_after == 0 && conn->relay->upstream_port)
        (void)ready(conn, conn->client, POLLIN, -1);
    else if (conn->relay->upstream_port)
        forward(conn);
    else
        play(conn);
    if (fault->reset) {
        struct linger now = {.l_onoff = 1, .l_linger = 0};
        (void)setsockopt(conn->client, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    } else {
        (void)shutdown(conn->client, SHUT_RDWR);
    }
    (void)close(conn->client);
    if (conn->upstream >= 0)
        (void)close(conn->upstream);
    return NULL;
}

static void open_conn(struct relay *relay, int client) {
    struct conn *conn = mem_new(sizeof *conn);
    conn->relay = relay;
    conn->client = client;
    conn->upstream = -1;
    str_init(&conn->head, HEAD_MAX);
    str_init(&conn->asked, HEAD_MAX);
    pthread_mutex_lock(&relay->lock);
    relay->connections++;
    conn->fault = relay->fault;
    conn->next = relay->conns;
    relay->conns = conn;
    pthread_mutex_unlock(&relay->lock);
    if (pthread_create(&conn->thread, NULL, serve, conn) != 0)
        mem_fatal("a relay thread could not be started");
}

static void *listen_on(void *argument) {
    struct relay *relay = argument;
    for (;;) {
        struct pollfd fds[2] = {{.fd = relay->stop[0], .events = POLLIN}, {.fd = relay->listener, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return NULL;
        if (fds[0].revents)
            return NULL;
        int client = fds[1].revents ? accept4(relay->listener, NULL, NULL, SOCK_CLOEXEC) : -1;
        if (client >= 0)
            open_conn(relay, client);
    }
}

static int listener_open(int backlog, int *port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t len = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, backlog) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &len) != 0)
        mem_fatal("a relay could not listen on loopback");
    *port = ntohs(at.sin_port);
    return fd;
}

static struct relay *start(int upstream_port, const struct relay_answer *answers, size_t n,
                           const struct relay_fault *fault) {
    struct relay *relay = mem_new(sizeof *relay);
    relay->upstream_port = upstream_port;
    relay->listener = listener_open(BACKLOG, &relay->port);
    relay->fault = fault ? *fault : (struct relay_fault){0};
    relay->n_answers = n;
    relay->answers = mem_new_array(n, sizeof *answers);
    for (size_t i = 0; i < n; i++) {
        struct relay_answer *copy = &relay->answers[i];
        *copy = answers[i];
        copy->len = copy->bytes && copy->len == 0 ? strlen(copy->bytes) : copy->len;
        copy->bytes = copy->bytes ? mem_dup_n(copy->bytes, copy->len) : NULL;
        copy->tail = mem_dup(copy->tail);
    }
    str_init(&relay->received, RECEIVED_MAX);
    pthread_mutex_init(&relay->lock, NULL);
    if (pipe2(relay->stop, O_CLOEXEC) != 0 || pthread_create(&relay->thread, NULL, listen_on, relay) != 0)
        mem_fatal("a relay could not be started");
    return relay;
}

struct relay *relay_forward(int port, const struct relay_fault *fault) {
    return start(port, NULL, 0, fault);
}

struct relay *relay_script(const struct relay_answer *answers, size_t n, const struct relay_fault *fault) {
    return start(0, answers, n, fault);
}

struct relay *relay_text(const char *text) {
    const struct relay_answer answer = {.bytes = text};
    return relay_script(&answer, 1, NULL);
}

static void free_conns(struct relay *relay) {
    while (relay->conns) {
        struct conn *conn = relay->conns;
        relay->conns = conn->next;
        pthread_join(conn->thread, NULL);
        str_clear(&conn->head);
        str_clear(&conn->asked);
        free(conn);
    }
}

void relay_free(struct relay *relay) {
    if (!relay)
        return;
    (void)close(relay->stop[1]);
    pthread_join(relay->thread, NULL);
    free_conns(relay);
    (void)close(relay->stop[0]);
    (void)close(relay->listener);
    for (size_t i = 0; i < relay->n_answers; i++) {
        free((void *)(uintptr_t)relay->answers[i].bytes);
        free((void *)(uintptr_t)relay->answers[i].tail);
    }
    free(relay->answers);
    str_clear(&relay->received);
    pthread_mutex_destroy(&relay->lock);
    free(relay);
}

void relay_set_fault(struct relay *relay, const struct relay_fault *fault) {
    pthread_mutex_lock(&relay->lock);
    relay->fault = fault ? *fault : (struct relay_fault){0};
    pthread_mutex_unlock(&relay->lock);
}

int relay_port(const struct relay *relay) {
    return relay->port;
}

size_t relay_connections(struct relay *relay) {
    pthread_mutex_lock(&relay->lock);
    size_t n = relay->connections;
    pthread_mutex_unlock(&relay->lock);
    return n;
}

size_t relay_requests(struct relay *relay) {
    pthread_mutex_lock(&relay->lock);
    size_t n = relay->requests;
    pthread_mutex_unlock(&relay->lock);
    return n;
}

void relay_received(struct relay *relay, struct str *out) {
    pthread_mutex_lock(&relay->lock);
    str_add_n(out, relay->received.s, relay->received.len);
    pthread_mutex_unlock(&relay->lock);
}

/* With a backlog of 0 the kernel takes one connection; the next SYNs are dropped. */
bool relay_filtered_open(struct relay_filtered *filtered) {
    filtered->listener = listener_open(0, &filtered->port);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)filtered->port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (size_t i = 0; i < COUNT_OF(filtered->clients); i++) {
        filtered->clients[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (connect(filtered->clients[i], (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS)
            return false;
    }
    return true;
}

void relay_filtered_close(struct relay_filtered *filtered) {
    for (size_t i = 0; i < COUNT_OF(filtered->clients); i++)
        (void)close(filtered->clients[i]);
    (void)close(filtered->listener);
}
