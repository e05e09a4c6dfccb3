#include "deliver.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/url.h"
#include "deliver_log.h"
#include "json_writer.h"
#include "net/net.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAITING_MAX = 20000,
    AT_ONCE = 8,
    ATTEMPTS = 8,
    PAUSE_MAX_MS = 3600 * 1000,
    IDLE_MS = 60000,
    BODY_MAX = 4 << 20,
    TIMEOUT_S = 10,
};

struct event {
    char *id, *kind, *body, *url, *secret; /* url and secret of the attempt on its way */
    size_t body_len;
    int attempts;
    int64_t due, begun; /* monotonic */
    uint64_t ticket;    /* 0: waiting */
};

struct events {
    struct event *items;
    size_t n, cap;
};

struct deliver {
    struct deliver_setup setup;
    struct dataset *dataset;
    struct net *net;
    pthread_t thread;
    pthread_mutex_t lock; /* guards events, log and stop; while it is held the dataset's lock is never taken */
    struct events events;
    struct deliver_log log;
    bool stop;
};

static void deliver_lock(struct deliver *deliver) {
    (void)pthread_mutex_lock(&deliver->lock);
}

static void unlock(struct deliver *deliver) {
    (void)pthread_mutex_unlock(&deliver->lock);
}

static void deliver_wipe(char **secret) {
    secret_free_text(*secret);
    *secret = NULL;
}

static void event_clear(struct event *event) {
    free(event->id);
    free(event->kind);
    free(event->body);
    free(event->url);
    deliver_wipe(&event->secret);
}

/* ---- making events ---- */

static void deliver_render(const struct dataset *dataset, int64_t place, const char *kind, struct event *out) {
    struct str body;
    struct str id;
    struct str time;
    str_init(&body, BODY_MAX);
    str_init(&id, 64);
    str_init(&time, 64);
    str_add(&id, "evt_");
    secret_random_hex(&id, 12);
    clock_format_iso(&time, dataset_now(dataset));
    json_write_open(&body, NULL, '{');
    json_write_string(&body, "id", id.s);
    json_write_string(&body, "type", kind);
    json_write_string(&body, "created_at", time.s);
    str_add(&body, ",\"data\":");
    dataset_render(dataset, place, &body);
    str_add_char(&body, '}');
    out->kind = mem_dup(kind);
    out->body_len = body.len;
    out->body = str_take(&body);
    out->id = str_take(&id);
    str_clear(&time);
}

static void deliver_refuse(struct deliver *deliver, struct event *event, const char *url, const char *why) {
    const struct deliver_attempt attempt = {.event = event->id,
                                            .kind = event->kind,
                                            .url = url,
                                            .why = why,
                                            .outcome = DELIVER_KEPT_BACK,
                                            .number = event->attempts,
                                            .bytes = event->body_len};
    deliver_log_add(&deliver->log, &attempt);
}

static void enqueue(struct deliver *deliver, const struct dataset *dataset, int64_t place, const char *kind) {
    struct event event = {.due = clock_mono()};
    deliver_render(dataset, place, kind, &event);
    deliver_lock(deliver);
    if (deliver->events.n >= WAITING_MAX) {
        deliver_refuse(deliver, &event, NULL, "too many events are waiting");
        event_clear(&event);
    } else {
        *vec_add(&deliver->events) = event;
    }
    unlock(deliver);
    net_wake(deliver->net);
}

/* With the books locked. */
static void on_change(void *context, const struct dataset *dataset, int64_t place, bool is_new) {
    enqueue(context, dataset, place, is_new ? "intent.created" : "intent.updated");
}

enum err deliver_now(struct deliver *deliver, long long count, struct error *error) {
    enum err err = ERR_OK;
    dataset_lock_read(deliver->dataset);
    int64_t head = dataset_head(deliver->dataset);
    int64_t total = head - dataset_tail(deliver->dataset) + 1;
    if (!dataset_is_registered(deliver->dataset))
        err = error_set(error, ERR_NOT_FOUND, "no endpoint is registered");
    else if (total <= 0)
        err = error_set(error, ERR_NOT_FOUND, "there is no intent to tell of");
    for (long long i = 0; err == ERR_OK && i < count; i++)
        enqueue(deliver, deliver->dataset, head - i % total, "intent.updated");
    dataset_unlock(deliver->dataset);
    return err;
}

/* ---- sending ---- */

static void sign(const struct deliver *deliver, const struct event *event, struct request *request) {
    struct str time;
    struct str value;
    str_init(&time, 32);
    str_init(&value, 256);
    str_addf(&time, "%lld", (long long)(clock_now() / 1000));
    const struct webhook_message message = {event->id, time.s, event->body, event->body_len};
    if (event->secret)
        webhook_sign(deliver->setup.scheme, event->secret, strlen(event->secret), &message, &value);
    bool standard = deliver->setup.scheme == WEBHOOK_STANDARD;
    if (standard) {
        headers_add(&request->headers, WEBHOOK_ID, event->id);
        headers_add(&request->headers, WEBHOOK_TIMESTAMP, time.s);
    }
    if (event->secret)
        headers_add(&request->headers, standard ? WEBHOOK_STANDARD_SIGNATURE : WEBHOOK_SIGNATURE, value.s);
    str_clear(&time);
    str_clear(&value);
}

static void send_event(struct deliver *deliver, struct event *event) {
    struct request request;
    struct url url = {0};
    request_init(&request);
    request.method = "POST";
    request.url = mem_dup(event->url);
    if (url_parse(event->url, &url, NULL) == ERR_OK)
        request.path = mem_dup(url.path);
    url_clear(&url);
    request.body = mem_dup_n(event->body, event->body_len);
    request.body_len = event->body_len;
    request.write = true;
    request.ca_file = deliver->setup.ca_file;
    headers_add(&request.headers, "Content-Type", "application/json");
    sign(deliver, event, &request);
    event->attempts++;
    event->begun = clock_mono();
    event->ticket = net_send(deliver->net, &request);
}

static void deliver_forget(struct deliver *deliver, size_t at) {
    struct events *events = &deliver->events;
    event_clear(&events->items[at]);
    memmove(&events->items[at], &events->items[at + 1], (events->n - at - 1) * sizeof *events->items);
    events->n--;
}

static bool may_go(const struct deliver *deliver, const char *text) {
    struct url url = {0};
    bool may = deliver->setup.anywhere || (url_parse(text, &url, NULL) == ERR_OK && url_is_loopback(&url));
    url_clear(&url);
    return may;
}

/* With the lock held: sends what is due, and returns the ms until the next. */
static int64_t send_due(struct deliver *deliver, const char *url, const char *secret) {
    int64_t now = clock_mono();
    int64_t next = IDLE_MS;
    bool may = url && may_go(deliver, url);
    for (size_t i = 0; i < deliver->events.n; i++) {
        struct event *event = &deliver->events.items[i];
        if (event->ticket != 0)
            continue;
        if (event->due > now) {
            next = event->due - now < next ? event->due - now : next;
        } else if (!may) {
            deliver_refuse(deliver, event, url, "not an address of this machine; --deliver-anywhere permits it");
            deliver_forget(deliver, i--);
        } else if (net_running(deliver->net) < AT_ONCE) {
            event->url = mem_dup(url);
            event->secret = mem_dup(secret);
            send_event(deliver, event);
        }
    }
    return next;
}

static int64_t pause_after(const struct deliver *deliver, int attempts) {
    int64_t pause = deliver->setup.retry_ms;
    for (int i = 1; i < attempts && pause < PAUSE_MAX_MS; i++)
        pause *= 2;
    return pause < PAUSE_MAX_MS ? pause : PAUSE_MAX_MS;
}

static void deliver_settle(struct deliver *deliver, size_t at, const struct reply *reply) {
    struct event *event = &deliver->events.items[at];
    bool done = reply->failure.code == ERR_OK && reply->status >= 200 && reply->status < 300;
    bool last = event->attempts >= ATTEMPTS;
    int64_t pause = done || last ? 0 : pause_after(deliver, event->attempts);
    const struct deliver_attempt attempt = {
        .event = event->id,
        .kind = event->kind,
        .url = event->url,
        .scheme = !event->secret ? NULL : webhook_scheme_name(deliver->setup.scheme),
        .why = done                            ? NULL
               : reply->failure.code != ERR_OK ? reply->failure.text
                                               : "the endpoint did not answer with a 2xx status",
        .outcome = done   ? DELIVERED
                   : last ? DELIVER_GIVEN_UP
                          : DELIVER_FAILED,
        .number = event->attempts,
        .status = reply->status,
        .bytes = event->body_len,
        .ms = clock_mono() - event->begun,
        .next_ms = pause,
    };
    deliver_log_add(&deliver->log, &attempt);
    free(event->url);
    event->url = NULL;
    deliver_wipe(&event->secret);
    event->ticket = 0;
    event->due = clock_mono() + pause;
    if (done || last)
        deliver_forget(deliver, at);
}

static void take_answers(struct deliver *deliver) {
    struct reply reply;
    uint64_t ticket = 0;
    while ((ticket = net_take(deliver->net, &reply)) != 0) {
        for (size_t i = 0; i < deliver->events.n; i++) {
            if (deliver->events.items[i].ticket == ticket) {
                deliver_settle(deliver, i, &reply);
                break;
            }
        }
        reply_clear(&reply);
    }
}

static void *deliver_run(void *context) {
    struct deliver *deliver = context;
    for (;;) {
        char *url = NULL;
        char *secret = NULL;
        dataset_registration(deliver->dataset, &url, &secret);
        deliver_lock(deliver);
        bool stop = deliver->stop;
        take_answers(deliver);
        int64_t wait = stop ? 0 : send_due(deliver, url, secret);
        unlock(deliver);
        free(url);
        deliver_wipe(&secret);
        if (stop)
            return NULL;
        net_wait(deliver->net, NULL, 0, (int)wait);
    }
}

/* ---- life ---- */

enum err deliver_start(const struct deliver_setup *setup, struct dataset *dataset, struct deliver **out,
                       struct error *error) {
    const struct net_options options = {.user_agent = "bursar-sandbox/" BURSAR_VERSION, .total_timeout_s = TIMEOUT_S};
    struct deliver *deliver = mem_new(sizeof *deliver);
    enum err err = net_new(&options, &deliver->net, error);
    if (err != ERR_OK) {
        free(deliver);
        return err;
    }
    deliver->setup = *setup;
    deliver->dataset = dataset;
    (void)pthread_mutex_init(&deliver->lock, NULL);
    if (pthread_create(&deliver->thread, NULL, deliver_run, deliver) != 0)
        mem_fatal("the thread that delivers events could not be started");
    dataset_watch(dataset, on_change, deliver);
    *out = deliver;
    return ERR_OK;
}

void deliver_stop(struct deliver *deliver) {
    if (!deliver)
        return;
    dataset_watch(deliver->dataset, NULL, NULL);
    deliver_lock(deliver);
    deliver->stop = true;
    unlock(deliver);
    net_wake(deliver->net);
    (void)pthread_join(deliver->thread, NULL);
    net_free(deliver->net);
    for (size_t i = 0; i < deliver->events.n; i++)
        event_clear(&deliver->events.items[i]);
    free(deliver->events.items);
    deliver_log_clear(&deliver->log);
    (void)pthread_mutex_destroy(&deliver->lock);
    free(deliver);
}

void deliver_print(struct deliver *deliver, size_t limit, struct str *out) {
    deliver_lock(deliver);
    deliver_log_print(&deliver->log, limit, out);
    unlock(deliver);
}

void deliver_print_figures(struct deliver *deliver, struct str *out) {
    deliver_lock(deliver);
    json_write_open(out, NULL, '{');
    json_write_string(out, "sign", webhook_scheme_name(deliver->setup.scheme));
    json_write_int(out, "waiting", (long long)deliver->events.n);
    for (int i = 0; i < DELIVER_OUTCOME_COUNT; i++)
        json_write_int(out, deliver_outcome_name((enum deliver_outcome)i), deliver->log.counts[i]);
    json_write_close(out, '}');
    unlock(deliver);
}
