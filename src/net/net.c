#include "net/net.h"

#include "base/clock.h"
#include "base/linux.h"
#include "base/mem.h"
#include "base/path.h"
#include "transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* SLICE_MS: how often the time that transfers ran is counted; LATE_MS: what a busy machine may add to it. Anything
 * longer was a stop of the program, or a sleep of the machine, and does not count. */
enum { CONNECTIONS_KEPT = 32, BROKEN_POLL_MS = 50, WATCHES_MAX = 16, SLICE_MS = 250, LATE_MS = 250 };

struct queue {
    struct transfer *head, *tail;
};

struct net {
    CURLM *multi; /* NULL: nothing was sent yet, and libcurl need not be there */
    int waker[2]; /* a byte written to the second ends a wait */
    struct net_options options;
    char *user_agent;
    uint64_t last_ticket;
    struct queue running, ended;
    size_t n_running;
    int64_t seen; /* monotonic ms, at the end of the last wait */
};

static void net_append(struct queue *queue, struct transfer *transfer) {
    transfer->next = NULL;
    if (queue->tail)
        queue->tail->next = transfer;
    else
        queue->head = transfer;
    queue->tail = transfer;
}

static struct transfer *net_shift(struct queue *queue) {
    struct transfer *transfer = queue->head;
    if (!transfer)
        return NULL;
    queue->head = transfer->next;
    if (!queue->head)
        queue->tail = NULL;
    return transfer;
}

static void unlink_running(struct net *net, const struct transfer *transfer) {
    struct queue rest = {0};
    struct transfer *other;
    while ((other = net_shift(&net->running)))
        if (other != transfer)
            net_append(&rest, other);
    net->running = rest;
    net->n_running--;
}

enum err net_new(const struct net_options *options, struct net **out, struct error *error) {
    *out = NULL;
    /* Before libcurl starts: it opens the file that this names when it sets TLS up. */
    if (unsetenv("SSLKEYLOGFILE") != 0)
        return error_set(error, ERR_SYSTEM, "the environment cannot be changed");
    int waker[2];
    if (pipe2(waker, O_CLOEXEC | O_NONBLOCK) != 0)
        return error_set(error, ERR_SYSTEM, "no pipe can be made: %s", strerror(errno));
    struct net *net = mem_new(sizeof *net);
    net->waker[0] = waker[0];
    net->waker[1] = waker[1];
    net->options = *options;
    net->user_agent = mem_dup(options->user_agent);
    net->options.user_agent = net->user_agent;
    *out = net;
    return ERR_OK;
}

static bool net_start(struct net *net) {
    if (!net->multi) {
        net->multi = curl_multi_init();
        if (net->multi)
            (void)curl_multi_setopt(net->multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS_KEPT);
    }
    return net->multi;
}

static void free_queue(struct net *net, struct queue *queue) {
    struct transfer *transfer;
    while ((transfer = net_shift(queue))) {
        if (queue == &net->running)
            (void)curl_multi_remove_handle(net->multi, transfer->easy);
        transfer_free(transfer);
    }
}

void net_free(struct net *net) {
    if (!net)
        return;
    free_queue(net, &net->running);
    free_queue(net, &net->ended);
    (void)curl_multi_cleanup(net->multi);
    (void)close(net->waker[0]);
    (void)close(net->waker[1]);
    free(net->user_agent);
    free(net);
}

uint64_t net_send(struct net *net, struct request *request) {
    struct transfer *transfer = transfer_new(++net->last_ticket, request, &net->options);
    if (transfer->easy && net_start(net) && curl_multi_add_handle(net->multi, transfer->easy) == CURLM_OK) {
        net->seen = net->n_running == 0 ? clock_mono() : net->seen;
        net_append(&net->running, transfer);
        net->n_running++;
        return transfer->ticket;
    }
    if (transfer->easy)
        error_set(&transfer->reply.failure, ERR_SYSTEM, "not sent: libcurl takes no more transfers");
    net_append(&net->ended, transfer);
    return transfer->ticket;
}

void net_cancel(struct net *net, uint64_t ticket) {
    struct transfer *transfer = net->running.head;
    while (transfer && transfer->ticket != ticket)
        transfer = transfer->next;
    if (!transfer)
        return;
    unlink_running(net, transfer);
    transfer_end_cancelled(transfer);
    (void)curl_multi_remove_handle(net->multi, transfer->easy);
    net_append(&net->ended, transfer);
}

size_t net_running(const struct net *net) {
    return net->n_running;
}

static void net_collect(struct net *net) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(net->multi, &left))) {
        struct transfer *transfer = NULL;
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode code = message->data.result;
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        if (!transfer)
            continue;
        unlink_running(net, transfer);
        transfer_end(transfer, code);
        (void)curl_multi_remove_handle(net->multi, transfer->easy);
        net_append(&net->ended, transfer);
    }
}

/* Called after arrived data was read, and never before: an answer that has arrived is not late. */
static void check_limits(struct net *net) {
    int64_t now = clock_mono(), ms = now - net->seen;
    struct queue rest = {0};
    struct transfer *transfer;
    ms = ms > SLICE_MS + LATE_MS ? SLICE_MS + LATE_MS : ms < 0 ? 0 : ms;
    net->seen = now;
    while ((transfer = net_shift(&net->running))) {
        if (transfer_ran(transfer, &net->options, ms)) {
            net->n_running--;
            transfer_end(transfer, CURLE_OPERATION_TIMEDOUT);
            (void)curl_multi_remove_handle(net->multi, transfer->easy);
            net_append(&net->ended, transfer);
        } else {
            net_append(&rest, transfer);
        }
    }
    net->running = rest;
}

static void hear_wakes(const struct net *net) {
    char bytes[64];
    while (read(net->waker[0], bytes, sizeof bytes) > 0) {
    }
}

/* curl_multi_poll leaves a hang-up without data out of what it reports: asked here, so that the loop cannot spin on it.
 */
static void mark_watches(const struct net *net, struct net_watch *watches, size_t n, int timeout_ms) {
    struct pollfd fds[WATCHES_MAX + 1];
    for (size_t i = 0; i < n; i++)
        fds[i] = (struct pollfd){.fd = watches[i].fd, .events = watches[i].for_writing ? POLLOUT : POLLIN};
    fds[n] = (struct pollfd){.fd = net->waker[0], .events = POLLIN};
    int ready = poll(fds, (nfds_t)n + 1, timeout_ms);
    for (size_t i = 0; i < n; i++)
        watches[i].readable = ready > 0 && fds[i].revents != 0;
    if (ready > 0 && fds[n].revents != 0)
        hear_wakes(net);
}

/* False: it could not wait, and would return at once for ever. */
static bool wait_on_transfers(const struct net *net, const struct net_watch *watches, size_t n, int timeout_ms) {
    struct curl_waitfd fds[WATCHES_MAX + 1];
    for (size_t i = 0; i < n; i++)
        fds[i] = (struct curl_waitfd){.fd = watches[i].fd,
                                      .events = watches[i].for_writing ? CURL_WAIT_POLLOUT : CURL_WAIT_POLLIN};
    fds[n] = (struct curl_waitfd){.fd = net->waker[0], .events = CURL_WAIT_POLLIN};
    return curl_multi_poll(net->multi, fds, (unsigned)n + 1, timeout_ms, NULL) == CURLM_OK;
}

void net_wait(struct net *net, struct net_watch *watches, size_t n, int timeout_ms) {
    if (n > WATCHES_MAX)
        mem_fatal("too many descriptors to watch");
    if (net->ended.head)
        timeout_ms = 0;
    else if (timeout_ms < 0)
        timeout_ms = INT_MAX;
    if (net->n_running > 0 && timeout_ms > SLICE_MS)
        timeout_ms = SLICE_MS;
    if (!net->multi)
        mark_watches(net, watches, n, timeout_ms);
    else if (wait_on_transfers(net, watches, n, timeout_ms))
        mark_watches(net, watches, n, 0);
    else
        mark_watches(net, watches, n, timeout_ms < BROKEN_POLL_MS ? timeout_ms : BROKEN_POLL_MS);
    int running = 0;
    if (net->n_running > 0 && curl_multi_perform(net->multi, &running) == CURLM_OK)
        net_collect(net);
    check_limits(net);
}

void net_wake(struct net *net) {
    (void)path_write_all(net->waker[1], "", 1); /* full: a byte that ends the wait is there already */
}

uint64_t net_take(struct net *net, struct reply *reply) {
    struct transfer *transfer = net_shift(&net->ended);
    if (!transfer)
        return 0;
    uint64_t ticket = transfer->ticket;
    *reply = transfer->reply;
    reply_init(&transfer->reply);
    transfer_free(transfer);
    return ticket;
}

const char *net_version(void) {
    static char text[128];
    const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
    struct str version;
    str_init(&version, sizeof text - 1);
    str_addf(&version, "libcurl/%s %s", info->version, info->ssl_version ? info->ssl_version : "without TLS");
    memcpy(text, version.s, version.len + 1);
    str_clear(&version);
    return text;
}
