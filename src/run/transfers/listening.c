#include "listening.h"

#include "app/arrivals.h"
#include "app/idset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/url.h"
#include "base/utf8.h"
#include "net/receiver.h"
#include "run/files/arrivals_file.h"
#include "run/files/arrivals_folder.h"
#include "wire/arrival.h"

#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    IDLE_S = 20,
    REQUEST_S = 30,
    WAITING_MAX = 10000,
    WAITING_BYTES = 64 << 20,
    RETAIN_MS = 3600 * 1000,
    PER_ADDRESS = 20
};

struct listener {
    struct receiver *receiver;
    struct arrivals_place place;
    char *secret; /* wiped; NULL: nothing is checked */
    uint64_t ticket;
    struct performer *performer;
    /* Of the receiver's thread: */
    struct idset *ids; /* the first event of each id */
    struct stored_list stored;
    int64_t retain_at;    /* monotonic */
    pthread_mutex_t lock; /* guards what follows */
    struct {
        struct arrival_told **items;
        size_t n, cap;
    } came;
    size_t came_bytes; /* of their bodies */
};

/* ---- the receiver's thread ---- */

static int listener_judge(const struct received_request *request) {
    if (strcmp(request->method, "POST") != 0)
        return 405;
    if (request->too_large)
        return 413;
    return request->body->len == 0 ? 400 : 0;
}

/* An event that is stored is taken once for all; one that does not verify is refused, so that its sender learns it. */
static int listener_answer_to(const struct arrival *arrival) {
    return arrival_counts(arrival) ? 204 : 401;
}

static void listener_retain(struct listener *listener) {
    if (clock_mono() >= listener->retain_at) {
        (void)arrivals_file_retain(&listener->place, clock_now());
        listener->retain_at = clock_mono() + RETAIN_MS;
    }
}

/* Only those that verify count: a forged event must not make the true one look like a repetition. */
static void listener_count(struct listener *listener, struct arrival *arrival) {
    if (!arrival->id || !arrival_counts(arrival))
        return;
    size_t first = idset_find(listener->ids, arrival->id, strlen(arrival->id));
    arrival->again = first == SIZE_MAX ? 0 : (int64_t)first;
}

static void listener_store(struct listener *listener, struct arrival_told *told) {
    struct arrival *arrival = told->arrival;
    arrival->answered = listener_answer_to(arrival);
    listener_count(listener, arrival);
    listener_retain(listener);
    if (arrivals_file_add(&listener->place, &listener->stored, arrival, &told->unstored) != ERR_OK)
        arrival->answered = arrival->answered == 401 ? 401 : 503;
    else if (arrival->id && arrival->answered == 204)
        (void)idset_put(listener->ids, arrival->id, strlen(arrival->id), (size_t)arrival->n);
}

/* Where the main thread does not keep up, senders are asked to come again. */
static bool listener_is_full(struct listener *listener) {
    (void)pthread_mutex_lock(&listener->lock);
    bool full = listener->came.n >= WAITING_MAX || listener->came_bytes >= WAITING_BYTES;
    (void)pthread_mutex_unlock(&listener->lock);
    return full;
}

static void listener_hand_over(struct listener *listener, struct arrival_told *told) {
    (void)pthread_mutex_lock(&listener->lock);
    *vec_add(&listener->came) = told;
    listener->came_bytes += told->arrival->body_len;
    (void)pthread_mutex_unlock(&listener->lock);
    listener->performer->wake(listener->performer);
}

static void listener_refuse(const struct received_request *request, int status, struct arrival_told *told) {
    told->arrival->answered = status;
    (void)error_set(&told->unstored, ERR_INVALID, "%s",
                    status == 405   ? "not a POST"
                    : status == 413 ? "larger than an event can be (1 MB)"
                                    : "no body");
    told->arrival->body_len = request->body->len;
}

static int listener_take(void *context, const struct received_request *request) {
    struct listener *listener = context;
    int status = listener_judge(request);
    if (listener_is_full(listener))
        return 503;
    struct arrival_told *told = mem_new(sizeof *told);
    told->arrival = arrival_new();
    told->arrival->at = clock_now();
    arrival_take(told->arrival, request->path, request->headers, status ? "" : request->body->s,
                 status ? 0 : request->body->len);
    if (status) {
        listener_refuse(request, status, told);
    } else {
        arrival_verify(told->arrival, listener->secret, listener->secret ? strlen(listener->secret) : 0,
                       told->arrival->at);
        wire_arrival_read(told->arrival);
        listener_store(listener, told);
    }
    status = told->arrival->answered;
    listener_hand_over(listener, told);
    return status;
}

/* ---- starting ---- */

static enum err listening_address(const struct listen_ask *ask, struct sockaddr_storage *out, bool *beyond,
                                  struct error *error) {
    const struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    const char *address = ask->address ? ask->address : "127.0.0.1";
    struct addrinfo *found = NULL;
    if (getaddrinfo(address, ask->port, &hints, &found) != 0)
        return error_set(error, ERR_USAGE, "%s is not an address in numbers, as 127.0.0.1:8733 or [::1]:8733", address);
    memcpy(out, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    struct url url = {0};
    struct str text;
    str_init(&text, 256);
    str_addf(&text, strchr(address, ':') ? "http://[%s]/" : "http://%s/", address);
    *beyond = url_parse(text.s, &url, NULL) != ERR_OK || !url_is_loopback(&url);
    url_clear(&url);
    str_clear(&text);
    return ERR_OK;
}

/* Which ids came before this program began; where signatures are checked, of events that verified. */
static void listener_know(struct listener *listener) {
    struct arrivals *list = arrivals_new();
    arrivals_file_list(&listener->place, listener->performer->arrivals, list);
    for (size_t i = 0; i < list->n; i++) {
        const struct arrival *arrival = list->items[i];
        bool counts = arrival->answered == 204 && (!listener->secret || arrival_is_verified(arrival));
        if (arrival->id && counts)
            (void)idset_put(listener->ids, arrival->id, strlen(arrival->id), (size_t)arrival->n);
    }
    arrivals_free(list);
}

static struct listener *listener_new(struct performer *performer, const struct listen_ask *ask, uint64_t ticket) {
    struct listener *listener = mem_new(sizeof *listener);
    listener->place = arrivals_place_of(performer->options->folder, performer->options->profile);
    listener->secret = mem_dup(ask->secret);
    listener->ticket = ticket;
    listener->performer = performer;
    listener->ids = idset_new();
    (void)pthread_mutex_init(&listener->lock, NULL);
    return listener;
}

static enum err listening_start(struct listener *listener, const struct listen_ask *ask, struct listening *told,
                                struct error *error) {
    struct receiver_options options = {.certificate = ask->certificate,
                                       .key = ask->key,
                                       .body_max = ARRIVAL_BODY_MAX,
                                       .idle_s = IDLE_S,
                                       .request_s = REQUEST_S,
                                       .take = listener_take,
                                       .context = listener};
    enum err err = listening_address(ask, &options.address, &told->beyond, error);
    if (err != ERR_OK)
        return err;
    options.per_address = told->beyond ? PER_ADDRESS : 0;
    told->removed = arrivals_file_retain(&listener->place, clock_now());
    listener->retain_at = clock_mono() + RETAIN_MS;
    listener_know(listener);
    err = receiver_start(&options, &listener->receiver, error);
    told->port = err == ERR_OK ? receiver_port(listener->receiver) : 0;
    return err;
}

void perform_listen(struct performer *performer, struct effect *effect) {
    const struct listen_ask *ask = effect_get(effect, listen_ask);
    struct error error = {0};
    struct listening told = {0};
    struct listener *listener = listener_new(performer, ask, effect->ticket);
    performer->listening->listener = listener;
    told.code = listening_start(listener, ask, &told, &error);
    told.failure = told.code == ERR_OK ? NULL : error.text;
    struct event event = {.kind = EVENT_LISTENING, .ticket = effect->ticket, .payload = payload_of(listening, &told)};
    performer->tell(performer, &event);
}

/* ---- main thread ---- */

void listening_finish(struct performer *performer) {
    struct listener *listener = performer->listening->listener;
    if (!listener)
        return;
    (void)pthread_mutex_lock(&listener->lock);
    struct arrival_told **items = listener->came.items;
    size_t n = listener->came.n;
    listener->came.items = NULL;
    listener->came.n = listener->came.cap = listener->came_bytes = 0;
    (void)pthread_mutex_unlock(&listener->lock);
    for (size_t i = 0; i < n; i++) {
        struct event event = {
            .kind = EVENT_ARRIVAL, .ticket = listener->ticket, .payload = payload_of(arrival_told, items[i])};
        performer->tell(performer, &event);
    }
    free(items);
}

void listening_stop(struct performer *performer) {
    struct listener *listener = performer->listening->listener;
    if (!listener)
        return;
    receiver_stop(listener->receiver);
    listener->receiver = NULL;
    listening_finish(performer);
}

void listening_close(struct listening_state *state) {
    struct listener *listener = state->listener;
    if (listener) {
        receiver_stop(listener->receiver);
        for (size_t i = 0; i < listener->came.n; i++)
            arrival_told_free(listener->came.items[i]);
        free(listener->came.items);
        idset_free(listener->ids);
        free(listener->stored.items);
        secret_free_text(listener->secret);
        (void)pthread_mutex_destroy(&listener->lock);
        free(listener);
    }
    free(state->sending.items);
    *state = (struct listening_state){0};
}

/* ---- sending on ---- */

void perform_send_on(struct performer *performer, struct effect *effect) {
    struct send_on_ask *ask = effect_get(effect, send_on_ask);
    struct request request;
    struct url url = {0};
    request_init(&request);
    request.method = "POST";
    request.url = mem_dup(ask->url);
    if (url_parse(ask->url, &url, NULL) == ERR_OK)
        request.path = mem_dup(url.path);
    url_clear(&url);
    request.headers = ask->headers;
    ask->headers = (struct headers){0};
    request.body = ask->body;
    request.body_len = ask->body_len;
    ask->body = NULL;
    request.write = true;
    request.ca_file = ask->ca_file ? ask->ca_file : performer->options->profile->ca_file;
    struct sending_on *sending = vec_add(&performer->listening->sending);
    *sending = (struct sending_on){.ticket = effect->ticket, .begun = clock_mono()};
    sending->net_ticket = net_send(performer->net, &request);
    request_clear(&request);
}

bool listening_reply(struct performer *performer, uint64_t net_ticket, struct reply *reply) {
    struct listening_state *state = performer->listening;
    size_t at = 0;
    while (at < state->sending.n && state->sending.items[at].net_ticket != net_ticket)
        at++;
    if (at == state->sending.n)
        return false;
    const struct sending_on sending = state->sending.items[at];
    state->sending.items[at] = state->sending.items[--state->sending.n];
    const struct sent_on told = {.status = reply->status,
                                 .sent = reply->sent,
                                 .failure = reply->failure.code == ERR_OK ? NULL : reply->failure.text,
                                 .code = reply->failure.code,
                                 .ms = clock_mono() - sending.begun};
    struct event event = {.kind = EVENT_SENT_ON, .ticket = sending.ticket, .payload = payload_of(sent_on, &told)};
    performer->tell(performer, &event);
    reply_clear(reply);
    return true;
}
