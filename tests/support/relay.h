#ifndef SUPPORT_RELAY_H
#define SUPPORT_RELAY_H
/* Faults of bytes for tests, on loopback: a listener with threads of its own that either forwards to a port (any
 * server, TLS included, bytes are not looked into unless a fault asks for it) or answers by itself with scripted raw
 * bytes. It counts connections and keeps the bytes that clients sent. Everything given in is copied. Any thread may
 * ask; relay_free closes all connections and joins. */

#include "base/str.h"

struct relay;

enum relay_stall {
    RELAY_STALL_NONE,
    RELAY_STALL_ACCEPT,  /* the connection stands, nothing is read and nothing is answered */
    RELAY_STALL_HEADERS, /* the request is read, the answer stops inside its head */
    RELAY_STALL_BODY     /* the head is passed on, the answer stops before the body's first byte */
};

/* Of the answer, per connection. All zero: none. */
struct relay_fault {
    enum relay_stall stall;
    size_t cut_after;  /* this many bytes are passed on, then the connection closes; see cut */
    bool cut;          /* cut_after holds, 0 too */
    bool reset;        /* where it closes, by a reset (SO_LINGER 0) */
    bool wrong_length; /* the first Content-Length gets this value instead */
    long long content_length;
    bool endless_headers; /* after the status line, header lines without end */
    size_t chunk;         /* pieces of at most this size; 0: as they come */
    int delay_ms;         /* before each piece */
};

/* One answer of a relay that answers by itself. */
struct relay_answer {
    const char *bytes;   /* the whole of it, status line included; NULL: nothing */
    size_t len;          /* 0: strlen */
    const char *tail;    /* repeated without end after bytes; NULL: none */
    bool keep_open;      /* wait for the next request instead of closing */
    bool before_request; /* sent at once, without waiting for a request */
};

/* Forwards to 127.0.0.1:port. fault NULL: none. */
struct relay *relay_forward(int port, const struct relay_fault *fault);
/* Answers request i (over all connections) with answers[i], the last one for all that follow. */
struct relay *relay_script(const struct relay_answer *answers, size_t n, const struct relay_fault *fault);
/* The most usual script: one answer from its text, connection closed after it. */
struct relay *relay_text(const char *text);
void relay_free(struct relay *relay);

void relay_set_fault(struct relay *relay, const struct relay_fault *fault); /* for connections from now on */
int relay_port(const struct relay *relay);
size_t relay_connections(struct relay *relay);
size_t relay_requests(struct relay *relay);                /* heads seen whole; scripted relays only */
void relay_received(struct relay *relay, struct str *out); /* appends every byte that came from clients */

/* A port that accepts nothing and answers nothing: its queue is full, so that a SYN gets no reply. */
struct relay_filtered {
    int listener, port, clients[8];
};
bool relay_filtered_open(struct relay_filtered *filtered);
void relay_filtered_close(struct relay_filtered *filtered);

#endif
