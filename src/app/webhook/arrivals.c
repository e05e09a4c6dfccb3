#include "app/arrivals.h"

#include "app/idset.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- asks ---- */

struct listen_ask *listen_ask_new(const char *address, const char *port, const char *secret) {
    struct listen_ask *ask = mem_new(sizeof *ask);
    *ask = (struct listen_ask){.address = mem_dup(address), .port = mem_dup(port), .secret = mem_dup(secret)};
    return ask;
}

void listen_ask_free(struct listen_ask *ask) {
    if (ask) {
        free(ask->address);
        free(ask->port);
        secret_free_text(ask->secret);
        free(ask->certificate);
        secret_free_text(ask->key);
        free(ask);
    }
}
PAYLOAD_OWNED(listen_ask, listen_ask_free);
PAYLOAD_BORROWED(listening);
PAYLOAD_BORROWED(sent_on);
PAYLOAD_OWNED(arrivals, arrivals_free);

uint64_t effects_listen(struct effects *effects, struct listen_ask *ask) {
    return effects_ask(effects, EFFECT_LISTEN, payload_of(listen_ask, ask));
}

void arrival_told_free(struct arrival_told *told) {
    if (told) {
        arrival_free(told->arrival);
        free(told);
    }
}
PAYLOAD_OWNED(arrival_told, arrival_told_free);

struct arrivals_ask *arrivals_ask_new(const char *intent, int64_t n, size_t join) {
    struct arrivals_ask *ask = mem_new(sizeof *ask);
    *ask = (struct arrivals_ask){.intent = mem_dup(intent), .n = n, .join = join};
    return ask;
}

void arrivals_ask_free(struct arrivals_ask *ask) {
    if (ask) {
        free(ask->intent);
        query_free(ask->query);
        free(ask);
    }
}
PAYLOAD_OWNED(arrivals_ask, arrivals_ask_free);

uint64_t effects_arrivals(struct effects *effects, struct arrivals_ask *ask) {
    return effects_ask(effects, EFFECT_ARRIVALS, payload_of(arrivals_ask, ask));
}

/* ---- sending on ---- */

void send_on_ask_free(struct send_on_ask *ask) {
    if (ask) {
        free(ask->url);
        free(ask->body);
        headers_clear(&ask->headers);
        free(ask);
    }
}
PAYLOAD_OWNED(send_on_ask, send_on_ask_free);

uint64_t effects_send_on(struct effects *effects, struct send_on_ask *ask) {
    return effects_ask(effects, EFFECT_SEND_ON, payload_of(send_on_ask, ask));
}

static struct send_on_ask *send_on_body(const struct arrival *arrival, const char *url) {
    struct send_on_ask *ask = mem_new(sizeof *ask);
    ask->url = mem_dup(url);
    ask->body = mem_dup_n(arrival->body, arrival->body_len);
    ask->body_len = arrival->body_len;
    return ask;
}

/* Headers of the connection they came over, or that say who asks. */
static bool send_on_leaves(const char *name) {
    static const char *const NAMES[] = {
        "Host",       "Content-Length", "Transfer-Encoding", "Connection", "Expect",  "TE",  "Accept-Encoding",
        "User-Agent", "Accept",         "Keep-Alive",        "Trailer",    "Upgrade", "Via", "Forwarded"};
    for (size_t i = 0; i < COUNT_OF(NAMES); i++)
        if (ascii_compare(name, NAMES[i]) == 0)
            return true;
    return ascii_compare_n(name, "X-Forwarded-", strlen("X-Forwarded-")) == 0;
}

struct send_on_ask *send_on_as_it_came(const struct arrival *arrival, const char *url) {
    struct send_on_ask *ask = send_on_body(arrival, url);
    for (size_t i = 0; i < arrival->headers.n; i++)
        if (!send_on_leaves(arrival->headers.items[i].name))
            headers_add(&ask->headers, arrival->headers.items[i].name, arrival->headers.items[i].value);
    return ask;
}

/* Of a scheme that has one: it stays the same when the event is sent again. */
static const char *send_on_id(const struct arrival *arrival, enum webhook_scheme scheme) {
    const char *id = scheme == WEBHOOK_STANDARD ? headers_find(&arrival->headers, WEBHOOK_ID) : NULL;
    return id ? id : arrival->id ? arrival->id : "";
}

struct send_on_ask *send_on_anew(const struct arrival *arrival, const char *url, const char *secret, size_t len,
                                 int64_t now) {
    struct send_on_ask *ask = send_on_body(arrival, url);
    enum webhook_scheme scheme = arrival->checked ? arrival->scheme : WEBHOOK_STANDARD;
    const char *type = headers_find(&arrival->headers, "Content-Type");
    struct str time, value;
    str_init(&time, ARRIVAL_TEXT_MAX);
    str_init(&value, ARRIVAL_WHY_MAX);
    str_addf(&time, "%lld", (long long)(now / 1000));
    const struct webhook_message message = {send_on_id(arrival, scheme), time.s, arrival->body, arrival->body_len};
    headers_add(&ask->headers, "Content-Type", type ? type : "application/json");
    if (scheme == WEBHOOK_STANDARD) {
        headers_add(&ask->headers, WEBHOOK_ID, message.id);
        headers_add(&ask->headers, WEBHOOK_TIMESTAMP, time.s);
    }
    if (secret) {
        webhook_sign(scheme, secret, len, &message, &value);
        headers_add(&ask->headers, scheme == WEBHOOK_STANDARD ? WEBHOOK_STANDARD_SIGNATURE : WEBHOOK_SIGNATURE,
                    value.s);
    }
    str_clear(&time);
    str_clear(&value);
    return ask;
}

bool sent_on_is_taken(const struct sent_on *sent) {
    return !sent->failure && sent->status >= 200 && sent->status < 300;
}

void sent_on_tell(const struct sent_on *sent, struct str *out) {
    if (sent->failure)
        str_addf(out, "failed: %s", sent->failure);
    else
        str_addf(out, "answered %d in %lld ms", sent->status, (long long)sent->ms);
}

/* ---- their order ---- */

/* What says that it happens after it came would be the latest for ever. */
static int64_t arrivals_time(const struct arrival *arrival) {
    return arrival->time == CLOCK_NONE || arrival->time > arrival->at ? arrival->at : arrival->time;
}

/* Anybody can have sent what was not checked. */
static bool arrivals_counts_before(const struct arrival *arrival, const struct arrival *other) {
    bool verified = arrival_is_verified(arrival);
    return verified == arrival_is_verified(other) ? arrivals_time(arrival) >= arrivals_time(other) : verified;
}

void arrivals_order(struct arrivals *arrivals) {
    struct idset *latest = idset_new();
    for (size_t i = 0; i < arrivals->n; i++) {
        const struct arrival *arrival = arrivals->items[i];
        if (!arrival->intent || !arrival_counts(arrival))
            continue;
        size_t before = idset_find(latest, arrival->intent, strlen(arrival->intent));
        if (before == SIZE_MAX || arrivals_counts_before(arrival, arrivals->items[before]))
            (void)idset_swap(latest, arrival->intent, strlen(arrival->intent), i);
    }
    for (size_t i = 0; i < arrivals->n; i++) {
        struct arrival *arrival = arrivals->items[i];
        size_t at = arrival->intent ? idset_find(latest, arrival->intent, strlen(arrival->intent)) : SIZE_MAX;
        arrival->later = at == SIZE_MAX || at == i ? 0 : arrivals->items[at]->n;
    }
    idset_free(latest);
}

/* ---- words ---- */

void arrival_tell_check(const struct arrival *arrival, struct str *out) {
    if (!arrival->checked)
        str_add(out, "not checked");
    else if (arrival_is_verified(arrival))
        str_add(out, "verified");
    else
        str_addf(out, "not verified (%s)", arrival_word(arrival));
}

static void arrival_tell_row(const struct arrival *arrival, int64_t now, struct str *out) {
    const char *held = arrival->held_status ? arrival->held_status : "no status";
    if (!arrival->status)
        str_addf(out, "the list says %s", held);
    else if (arrival_differs(arrival))
        str_addf(out, "event said %s, the list says %s", arrival->status, held);
    else
        str_addf(out, "the list says %s%s", held, str_equal(arrival->status, held) ? " too" : "");
    if (arrival->later > 0)
        str_addf(out, ", event %lld %s", (long long)arrival->later, arrival->checked ? "is later" : "counts");
    str_add(out, " (as of ");
    clock_format_ago(out, arrival->held_as_of, now);
    str_add_char(out, ')');
}

void arrival_tell_held(const struct arrival *arrival, int64_t now, struct str *out) {
    switch (arrival->held) {
    case ARRIVAL_NOT_ASKED:
        break;
    case ARRIVAL_NO_CACHE:
        str_add(out, "there is no cache to look into");
        break;
    case ARRIVAL_NOT_HELD:
        str_add(out, "not in the cache");
        break;
    case ARRIVAL_HELD:
        arrival_tell_row(arrival, now, out);
        break;
    }
}

void arrivals_tell_elsewhere(const struct arrivals *arrivals, struct str *out) {
    if (arrivals->elsewhere > 0)
        str_addf(out, "%zu came for another origin or account of this profile", arrivals->elsewhere);
}
