#ifndef SUPPORT_HTTP_H
#define SUPPORT_HTTP_H
/* A small HTTP/1.1 client for tests, on loopback only, with nothing hidden: it never repeats, never follows, never
 * decodes a content encoding. The caller owns the reply and clears it. One thread per connection. */

#include "base/str.h"

struct http_reply {
    int status;      /* 0: no status line came */
    struct str head; /* status line and headers as received, CRLF kept */
    struct str body; /* chunks joined; not decompressed */
    bool complete;   /* the body came as its length or chunks promised */
    bool closed;     /* the peer closed, or said it will */
    bool timed_out;  /* the deadline passed first */
};

struct http_conn {
    int fd;          /* -1: not connected */
    struct str read; /* received, not yet used */
    bool head_only;  /* the last request was HEAD: its answer has no body */
};

/* A port that was free a moment ago; 0: none. For programs that cannot take one by themselves. */
int http_free_port(void);

bool http_open(struct http_conn *conn, int port);
void http_close(struct http_conn *conn);

/* Sends bytes as they are. */
bool http_send(struct http_conn *conn, const char *bytes, size_t len);

/* `headers` are lines each ended by CRLF, or NULL; body NULL sends none. Host and Content-Length are added. */
bool http_send_request(struct http_conn *conn, const char *method, const char *target, const char *headers,
                       const char *body);

/* Reads one answer; stops reading the body at body_max bytes (then not complete). The reply is initialised here.
 * true when a status line and its headers came. */
bool http_read(struct http_conn *conn, struct http_reply *reply, size_t body_max, int deadline_ms);

/* One request on a connection of its own with the proc deadline and a cap of 64 MiB. */
bool http_request(int port, const char *method, const char *target, const char *headers, const char *body,
                  struct http_reply *reply);

/* Value of the first such header as heap text, or NULL; the name in any case. */
char *http_header(const struct http_reply *reply, const char *name);
void http_reply_clear(struct http_reply *reply);

#endif
