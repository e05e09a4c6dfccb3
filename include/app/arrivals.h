#ifndef APP_ARRIVALS_H
#define APP_ARRIVALS_H
/* Events of the service that come to this machine: received by `webhook listen`, stored, listed and sent on. The work
 * is run's; here are the questions, the answers and the words. Pure. */

#include "app/coverage.h"
#include "app/effect.h"
#include "app/gather.h"
#include "model/arrival.h"

/* ---- Receiving ---- */

/* EVENT_LISTENING answers once; then each event comes as EVENT_ARRIVAL with the same ticket, until the program ends. */
struct listen_ask {
    char *address, *port;    /* NULL: 127.0.0.1; "0": any free one */
    char *secret;            /* wiped when it is freed; NULL: nothing is checked */
    char *certificate, *key; /* PEM, the key wiped; NULL: plain HTTP */
};
struct listen_ask *listen_ask_new(const char *address, const char *port, const char *secret);
void listen_ask_free(struct listen_ask *ask);
PAYLOAD_TYPE(listen_ask)
uint64_t effects_listen(struct effects *effects, struct listen_ask *ask); /* takes ask */

struct listening { /* borrowed for the length of the event */
    int port;
    bool beyond;         /* other machines can reach it */
    const char *failure; /* NULL: it listens */
    enum err code;       /* of the failure */
    size_t removed;      /* events whose time was over */
};
PAYLOAD_TYPE(listening)

/* An event that came; the number 0 says that it could not be stored, and why. */
struct arrival_told {
    struct arrival *arrival;
    struct error unstored;
};
void arrival_told_free(struct arrival_told *told);
PAYLOAD_TYPE(arrival_told)

/* ---- Sending on ---- */

/* Once, to this URL and no other; EVENT_SENT_ON says how it ended. */
struct send_on_ask {
    char *url, *body;
    size_t body_len;
    struct headers headers;
    const char *ca_file; /* borrowed for as long as it is under way; NULL: the profile's trust */
};
void send_on_ask_free(struct send_on_ask *ask);
PAYLOAD_TYPE(send_on_ask)
/* As it came, signature included. */
struct send_on_ask *send_on_as_it_came(const struct arrival *arrival, const char *url);
/* Signed anew, at this time and in the scheme it came in; secret NULL: unsigned. */
struct send_on_ask *send_on_anew(const struct arrival *arrival, const char *url, const char *secret, size_t len,
                                 int64_t now);
uint64_t effects_send_on(struct effects *effects, struct send_on_ask *ask); /* takes ask */

struct sent_on {         /* borrowed for the length of the event */
    int status;          /* 0: no answer */
    bool sent;           /* the first byte may have left */
    const char *failure; /* NULL: an answer came */
    enum err code;
    int64_t ms;
};
PAYLOAD_TYPE(sent_on)
/* "answered 204 in 12 ms" or "failed: ...". */
void sent_on_tell(const struct sent_on *sent, struct str *out);
bool sent_on_is_taken(const struct sent_on *sent); /* with a 2xx status */

/* ---- Those that are stored ---- */

/* EVENT_ARRIVALS: arrivals. */
struct arrivals_ask {
    char *intent;        /* only those of this intent; NULL: all */
    int64_t n;           /* only this one, with its body; 0: all */
    size_t join;         /* the intents of so many, the newest, are looked up in the cache */
    int64_t known;       /* the stamp of those that are known already; 0: none are */
    struct query *query; /* only those that it lets through, parsed as of events; NULL: all */
    struct query_context context;
};
struct arrivals_ask *arrivals_ask_new(const char *intent, int64_t n, size_t join);
void arrivals_ask_free(struct arrivals_ask *ask);
PAYLOAD_TYPE(arrivals_ask)
PAYLOAD_TYPE(arrivals)
uint64_t effects_arrivals(struct effects *effects, struct arrivals_ask *ask); /* takes ask */

/* Finds for each the one of its intent that counts: the latest, for events need not come in their order, and one that
 * verified before any that was not checked. */
void arrivals_order(struct arrivals *arrivals);

/* ---- Which of them ---- */

/* Leaves those that a filter of events lets through. To it an event is a row with its intent's id, user and status, its
 * own type, and the time at which it came. */
void arrivals_keep_matching(struct arrivals *arrivals, const struct query *query, const struct query_context *context);

/* The intents that a filter of the list lets through, by id: a question to the index takes this along. */
struct arrivals_intents;
struct arrivals_intents *arrivals_intents_new(void);
struct gather *arrivals_intents_gather(struct arrivals_intents *intents); /* to be handed over with the question */
/* Of an answer; NULL: it has none. */
const struct arrivals_intents *arrivals_intents_of(struct gather *gather);
bool arrivals_intents_has(const struct arrivals_intents *intents, const struct arrival *arrival);

/* ---- How far they reach ---- */

/* Whole where none that was stored was removed since: one that found no room never was. */
struct coverage arrivals_coverage(const struct arrivals *arrivals);
/* `12 of 340 stored events` and how far those reach. */
void arrivals_tell_reach(const struct arrivals *arrivals, size_t shown, int64_t now, struct str *out);

/* ---- Words ---- */

/* "verified", "not verified (stale)", "not checked". */
void arrival_tell_check(const struct arrival *arrival, struct str *out);
/* What its intent's row says beside what the event said, "event said approved, the list says declined (as of 3m ago)";
 * where the cache has none that is said; nothing where the event names no intent. */
void arrival_tell_held(const struct arrival *arrival, int64_t now, struct str *out);
/* A sentence about those that came for another origin or account; nothing where none did. */
void arrivals_tell_elsewhere(const struct arrivals *arrivals, struct str *out);

#endif
