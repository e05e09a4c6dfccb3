#include "probe_parts.h"

#include "base/clock.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A name lookup cannot be interrupted: it has a thread of its own, which is left running when time is up; the last of
 * the two to end frees the memory. */
struct lookup {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t ended;
    int users;
    bool done;
    int code;
    struct addrinfo *list;
    char host[]; /* set before the thread starts */
};

static void probe_address_release(struct lookup *lookup) {
    pthread_mutex_lock(&lookup->lock);
    bool last = --lookup->users == 0;
    pthread_mutex_unlock(&lookup->lock);
    if (!last)
        return;
    if (lookup->list)
        freeaddrinfo(lookup->list);
    pthread_cond_destroy(&lookup->ended);
    pthread_mutex_destroy(&lookup->lock);
    free(lookup);
}

static void *look_up(void *argument) {
    struct lookup *lookup = argument;
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    int code = getaddrinfo(lookup->host, NULL, &hints, &list);
    pthread_mutex_lock(&lookup->lock);
    lookup->code = code;
    lookup->list = code == 0 ? list : NULL;
    lookup->done = true;
    pthread_cond_signal(&lookup->ended);
    pthread_mutex_unlock(&lookup->lock);
    probe_address_release(lookup);
    return NULL;
}

static struct lookup *lookup_start(const char *host) {
    size_t len = strlen(host);
    struct lookup *lookup = mem_new(sizeof *lookup + len + 1);
    pthread_condattr_t monotonic;
    pthread_t thread;
    memcpy(lookup->host, host, len);
    lookup->users = 2;
    pthread_mutex_init(&lookup->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&lookup->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&thread, NULL, look_up, lookup) != 0)
        mem_fatal("a thread for name lookups could not be started");
    pthread_detach(thread);
    return lookup;
}

/* True when the lookup ended within one turn. Called with the lock held. */
static bool wait_a_turn(struct lookup *lookup) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += PROBE_TURN_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        until.tv_sec++;
    }
    if (!lookup->done)
        (void)pthread_cond_timedwait(&lookup->ended, &lookup->lock, &until);
    return lookup->done;
}

static void add_address(struct probe_addresses *out, const struct addrinfo *info) {
    struct probe_address address = {.v6 = info->ai_family == AF_INET6};
    const void *bytes = NULL;
    if (info->ai_family == AF_INET)
        bytes = &((const struct sockaddr_in *)(const void *)info->ai_addr)->sin_addr;
    else if (info->ai_family == AF_INET6)
        bytes = &((const struct sockaddr_in6 *)(const void *)info->ai_addr)->sin6_addr;
    if (!bytes || !inet_ntop(info->ai_family, bytes, address.text, sizeof address.text))
        return;
    for (size_t i = 0; i < out->n; i++)
        if (strcmp(out->items[i].text, address.text) == 0)
            return;
    if (out->n < PROBE_ADDRESSES_MAX)
        out->items[out->n++] = address;
    else
        out->more = true;
}

/* Called with the lock held. */
static void take_addresses(const struct lookup *lookup, struct probe_addresses *out) {
    for (const struct addrinfo *info = lookup->list; info; info = info->ai_next)
        add_address(out, info);
    out->cause = out->n > 0 ? PROBE_FINE : PROBE_NO_NAME;
}

static int64_t mono_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void probe_resolve(const char *host, int timeout_ms, const atomic_bool *cancel, struct probe_addresses *out) {
    int64_t start = mono_us(), end = clock_mono() + timeout_ms;
    struct lookup *lookup = lookup_start(host);
    bool done = false;
    pthread_mutex_lock(&lookup->lock);
    while (!done && clock_mono() < end && !probe_is_cancelled(cancel))
        done = wait_a_turn(lookup);
    out->cause = probe_is_cancelled(cancel) ? PROBE_CANCELLED : PROBE_NAME_STALLED;
    if (done)
        take_addresses(lookup, out);
    pthread_mutex_unlock(&lookup->lock);
    out->us = mono_us() - start;
    probe_address_release(lookup);
}

static enum probe_cause cause_of_errno(int number) {
    switch (number) {
    case 0:
        return PROBE_FINE;
    case ECONNREFUSED:
        return PROBE_REFUSED;
    case ENETUNREACH:
    case EHOSTUNREACH:
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:
        return PROBE_UNREACHABLE;
    case ETIMEDOUT:
        return PROBE_FILTERED;
    default:
        return PROBE_NO_CONNECTION;
    }
}

static void probe_address_settle(struct probe_address *address, int number, int64_t start) {
    address->os_error = number;
    address->cause = cause_of_errno(number);
    address->connect_us = mono_us() - start;
}

/* 0 and an open descriptor: under way or done; else errno. */
static int dial(const struct probe_address *address, in_port_t port, int *fd) {
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = port};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = port};
    bool text = address->v6 ? inet_pton(AF_INET6, address->text, &six.sin6_addr) == 1
                            : inet_pton(AF_INET, address->text, &four.sin_addr) == 1;
    if (!text)
        return EINVAL;
    const struct sockaddr *to =
        address->v6 ? (const struct sockaddr *)(const void *)&six : (const struct sockaddr *)(const void *)&four;
    *fd = socket(address->v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return errno;
    if (connect(*fd, to, address->v6 ? sizeof six : sizeof four) == 0 || errno == EINPROGRESS)
        return 0;
    int number = errno;
    (void)close(*fd);
    *fd = -1;
    return number;
}

static void probe_address_finish(struct pollfd *fd, struct probe_address *address, int number, int64_t start) {
    probe_address_settle(address, number, start);
    (void)close(fd->fd);
    fd->fd = -1;
}

/* Settles those that poll named; returns how many. */
static size_t probe_address_collect(struct pollfd *fds, struct probe_addresses *addresses, int64_t start) {
    size_t settled = 0;
    for (size_t i = 0; i < addresses->n; i++) {
        int number = 0;
        socklen_t len = sizeof number;
        if (fds[i].fd < 0 || !fds[i].revents)
            continue;
        if (getsockopt(fds[i].fd, SOL_SOCKET, SO_ERROR, &number, &len) != 0)
            number = errno;
        probe_address_finish(&fds[i], &addresses->items[i], number, start);
        settled++;
    }
    return settled;
}

static size_t dial_all(struct pollfd *fds, struct probe_addresses *addresses, in_port_t port, int64_t start) {
    size_t open = 0;
    for (size_t i = 0; i < addresses->n; i++) {
        fds[i] = (struct pollfd){.fd = -1, .events = POLLOUT};
        int number = dial(&addresses->items[i], port, &fds[i].fd);
        if (number != 0)
            probe_address_settle(&addresses->items[i], number, start);
        open += fds[i].fd >= 0;
    }
    return open;
}

static void probe_address_give_up(struct pollfd *fds, struct probe_addresses *addresses, bool cancelled,
                                  int64_t start) {
    for (size_t i = 0; i < addresses->n; i++)
        if (fds[i].fd >= 0) {
            probe_address_finish(&fds[i], &addresses->items[i], ETIMEDOUT, start);
            addresses->items[i].cause = cancelled ? PROBE_CANCELLED : PROBE_FILTERED;
        }
}

void probe_connect(const char *port, int timeout_ms, const atomic_bool *cancel, struct probe_addresses *addresses) {
    struct pollfd fds[PROBE_ADDRESSES_MAX];
    int64_t start = mono_us(), end = clock_mono() + timeout_ms;
    in_port_t number = htons((uint16_t)strtoul(port, NULL, 10));
    size_t open = dial_all(fds, addresses, number, start);
    while (open > 0 && clock_mono() < end && !probe_is_cancelled(cancel))
        if (poll(fds, (nfds_t)addresses->n, PROBE_TURN_MS) > 0)
            open -= probe_address_collect(fds, addresses, start);
    probe_address_give_up(fds, addresses, probe_is_cancelled(cancel), start);
    addresses->cause = probe_is_cancelled(cancel) ? PROBE_CANCELLED : PROBE_FINE;
    addresses->us = mono_us() - start;
}
