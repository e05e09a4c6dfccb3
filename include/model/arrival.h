#ifndef MODEL_ARRIVAL_H
#define MODEL_ARRIVAL_H
/* One event of the service as it came to `webhook listen`: its bytes, what was made of the signature, and what its body
 * says, as far as it can be read (the interface document shows no shape of events). Texts but the bytes are clean. Any
 * thread, one value one thread. */

#include "base/mem.h"
#include "model/webhook.h"

enum { ARRIVAL_BODY_MAX = 1 << 20, ARRIVAL_TEXT_MAX = 256, ARRIVAL_WHY_MAX = 1024, ARRIVAL_HEADER_MAX = 16 << 10 };

struct arrival {
    int64_t n;              /* its number here; 0: it could not be stored */
    int64_t at;             /* when it came */
    char *path;             /* of the request, clean */
    struct headers headers; /* clean, without those that hold credentials */
    char *body;             /* as it came */
    size_t body_len;
    bool checked; /* a secret was there to check the signature with */
    enum webhook_result result;
    enum webhook_scheme scheme; /* of a signature that is right */
    char *why;                  /* it does not verify, in a sentence; NULL: it does, or nothing was checked */
    int answered;               /* the status it was answered with */
    int64_t again;              /* number of an earlier one with the same id; 0: none */
    int64_t later; /* in a list: number of the one of its intent that counts, the latest that verified; 0: it is that */

    char *kind, *id, *intent, *status; /* of the body; NULL where it says none */
    char *user;                        /* of the intent */
    bool user_unread;                  /* an earlier version stored the event, and did not look for the user */
    int64_t time;                      /* of the event by its body or header; CLOCK_NONE */
    bool readable;                     /* the body is a JSON object */

    enum arrival_held {
        ARRIVAL_NOT_ASKED, /* the event names no intent, or the cache was not looked at */
        ARRIVAL_NO_CACHE,
        ARRIVAL_NOT_HELD,
        ARRIVAL_HELD
    } held;             /* its intent in the cache */
    char *held_status;  /* NULL: the row has none */
    int64_t held_as_of; /* when the service last served the row */
};

struct arrival *arrival_new(void);
void arrival_free(struct arrival *arrival);
/* Without headers and body, and without what the cache said of its intent. */
struct arrival *arrival_dup(const struct arrival *arrival);
/* Copies the path, the headers but for credentials, and the body of a request. */
void arrival_take(struct arrival *arrival, const char *path, const struct headers *headers, const char *body,
                  size_t len);
/* secret NULL: nothing is checked. */
void arrival_verify(struct arrival *arrival, const char *secret, size_t len, int64_t now);

bool arrival_is_verified(const struct arrival *arrival);
bool arrival_counts(const struct arrival *arrival); /* it verified, or was not checked */
/* "verified", "stale", ... or "not-checked". */
const char *arrival_word(const struct arrival *arrival);
/* Whether the list and the event say different statuses of the intent: of several events the latest counts, and none
 * that did not verify. */
bool arrival_differs(const struct arrival *arrival);

/* Several, oldest first. */
struct arrivals {
    struct arrival **items;
    size_t n, cap;
    size_t damaged;     /* files that could not be read */
    size_t elsewhere;   /* that came for another origin or account */
    size_t stored;      /* of this origin and account, whether among these or left out by a question */
    int64_t read_at;    /* when the folder was looked at; 0: it was not */
    int64_t given;      /* so many were ever stored: the last number */
    int64_t since;      /* each that was stored from then on is there; CLOCK_NONE: not known */
    size_t removed;     /* of those given a number, not there any more */
    struct error error; /* they could not be read at all */
    int64_t stamp;      /* changes when one comes or goes; 0: not known */
    bool unchanged;     /* the stamp is the one that was known: they were not read again */
};
struct arrivals *arrivals_new(void);
void arrivals_free(struct arrivals *arrivals);

#endif
