#include "support/http.h"

#include "base/clock.h"
#include "base/mem.h"
#include "support/proc.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD_MAX = 1 << 20, READ_MAX = 512 << 20, BODY_MAX = 64 << 20 };

bool http_open(struct http_conn *conn, int port) {
    str_init(&conn->read, READ_MAX);
    conn->head_only = false;
    conn->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (conn->fd >= 0 && connect(conn->fd, (struct sockaddr *)&to, sizeof to) != 0) {
        (void)close(conn->fd);
        conn->fd = -1;
    }
    return conn->fd >= 0;
}

void http_close(struct http_conn *conn) {
    if (conn->fd >= 0)
        (void)close(conn->fd);
    conn->fd = -1;
    str_clear(&conn->read);
}

bool http_send(struct http_conn *conn, const char *bytes, size_t len) {
    while (len > 0) {
        ssize_t n = send(conn->fd, bytes, len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

bool http_send_request(struct http_conn *conn, const char *method, const char *target, const char *headers,
                       const char *body) {
    struct str text;
    str_init(&text, READ_MAX);
    conn->head_only = strcmp(method, "HEAD") == 0;
    str_addf(&text, "%s ", method);
    str_add(&text, target);
    str_add(&text, " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    str_add(&text, !headers ? "" : headers);
    if (body)
        str_addf(&text, "Content-Length: %zu\r\n", strlen(body));
    str_add(&text, "\r\n");
    str_add(&text, !body ? "" : body);
    bool ok = http_send(conn, text.s, text.len);
    str_clear(&text);
    return ok;
}

/* Reads once more; false at the end, on an error and at the deadline. */
static bool more(struct http_conn *conn, struct http_reply *reply, int64_t end) {
    int64_t left = end - clock_mono();
    struct pollfd fd = {.fd = conn->fd, .events = POLLIN};
    if (left <= 0 || poll(&fd, 1, (int)left) <= 0) {
        reply->timed_out = true;
        return false;
    }
    char buffer[65536];
    ssize_t n = recv(conn->fd, buffer, sizeof buffer, 0);
    if (n <= 0) {
        reply->closed = true;
        return false;
    }
    str_add_n(&conn->read, buffer, (size_t)n);
    return true;
}

/* Moves up to len bytes into the body, reading as needed. */
static bool take_body(struct http_conn *conn, struct http_reply *reply, size_t len, int64_t end) {
    while (len > 0) {
        if (conn->read.len == 0 && !more(conn, reply, end))
            return false;
        size_t part = conn->read.len < len ? conn->read.len : len;
        str_add_n(&reply->body, conn->read.s, part);
        str_delete(&conn->read, 0, part);
        len -= part;
        if (reply->body.truncated)
            return false;
    }
    return true;
}

/* Takes one line without its CRLF; NULL where none came. Heap text. */
static char *take_line(struct http_conn *conn, struct http_reply *reply, int64_t end) {
    char *stop = NULL;
    while ((stop = memmem(conn->read.s, conn->read.len, "\r\n", 2)) == NULL)
        if (!more(conn, reply, end))
            return NULL;
    size_t len = (size_t)(stop - conn->read.s);
    char *line = mem_dup_n(conn->read.s, len);
    str_delete(&conn->read, 0, len + 2);
    return line;
}

static bool read_chunks(struct http_conn *conn, struct http_reply *reply, int64_t end) {
    for (;;) {
        char *line = take_line(conn, reply, end);
        if (!line)
            return false;
        size_t len = strtoul(line, NULL, 16);
        free(line);
        if (!take_body(conn, reply, len, end))
            return false;
        free(take_line(conn, reply, end));
        if (len == 0)
            return true;
    }
}

static bool read_head(struct http_conn *conn, struct http_reply *reply, int64_t end) {
    for (;;) {
        char *line = take_line(conn, reply, end);
        if (!line)
            return false;
        bool last = line[0] == '\0';
        str_add(&reply->head, line);
        str_add(&reply->head, "\r\n");
        free(line);
        if (last)
            return true;
    }
}

static void read_body(struct http_conn *conn, struct http_reply *reply, int64_t end) {
    char *length = http_header(reply, "Content-Length");
    char *coding = http_header(reply, "Transfer-Encoding");
    if (conn->head_only || reply->status == 204 || reply->status == 304) {
        reply->complete = true;
    } else if (coding && strcasecmp(coding, "chunked") == 0) {
        reply->complete = read_chunks(conn, reply, end);
    } else if (length) {
        reply->complete = take_body(conn, reply, strtoul(length, NULL, 10), end);
    } else {
        (void)take_body(conn, reply, SIZE_MAX, end);
        reply->complete = reply->closed;
    }
    free(length);
    free(coding);
}

bool http_read(struct http_conn *conn, struct http_reply *reply, size_t body_max, int deadline_ms) {
    memset(reply, 0, sizeof *reply);
    str_init(&reply->head, HEAD_MAX);
    str_init(&reply->body, body_max);
    int64_t end = clock_mono() + deadline_ms;
    if (!read_head(conn, reply, end))
        return false;
    if (str_starts(reply->head.s, "HTTP/1.") && reply->head.len > 12)
        reply->status = (int)strtol(reply->head.s + 9, NULL, 10);
    read_body(conn, reply, end);
    char *connection = http_header(reply, "Connection");
    reply->closed = reply->closed || (connection && strcasecmp(connection, "close") == 0);
    free(connection);
    return reply->status != 0;
}

bool http_request(int port, const char *method, const char *target, const char *headers, const char *body,
                  struct http_reply *reply) {
    struct http_conn conn;
    bool ok = http_open(&conn, port) && http_send_request(&conn, method, target, headers, body);
    if (ok) {
        ok = http_read(&conn, reply, BODY_MAX, PROC_DEADLINE);
    } else {
        memset(reply, 0, sizeof *reply);
        str_init(&reply->head, 1);
        str_init(&reply->body, 1);
    }
    http_close(&conn);
    return ok;
}

char *http_header(const struct http_reply *reply, const char *name) {
    size_t len = strlen(name);
    const char *line = strstr(reply->head.s, "\r\n");
    for (; line; line = strstr(line + 2, "\r\n")) {
        const char *at = line + 2;
        if (strncasecmp(at, name, len) == 0 && at[len] == ':') {
            at += len + 1;
            at += strspn(at, " \t");
            return mem_dup_n(at, strcspn(at, "\r"));
        }
    }
    return NULL;
}

void http_reply_clear(struct http_reply *reply) {
    str_clear(&reply->head);
    str_clear(&reply->body);
}

int http_free_port(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t len = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) == 0 &&
              getsockname(fd, (struct sockaddr *)&at, &len) == 0;
    if (fd >= 0)
        (void)close(fd);
    return ok ? ntohs(at.sin_port) : 0;
}
