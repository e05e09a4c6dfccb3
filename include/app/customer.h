#ifndef APP_CUSTOMER_H
#define APP_CUSTOMER_H
/* One customer on one page: what the intents of a user say of it. Made of the rows of an answer to `user=ID`, whatever
 * else the filter has; pure. */

#include "app/attempts.h"
#include "base/clock.h"
#include "config/reasons.h"
#include "model/notes.h"
#include "model/outcome.h"

enum { CUSTOMER_NEWEST = 5 };

/* A status or bank, and how many intents have it. */
struct customer_word {
    const char *text; /* NULL: none */
    size_t rows;
};
struct customer_words {
    struct idset *places;
    struct customer_word *items; /* most intents first */
    size_t n, cap;
};

struct customer_sum {
    const char *direction;             /* NULL: none */
    struct lookup_total all, approved; /* exact, of one currency and direction */
    __int128 exact_all, exact_approved;
};

struct customer_time {
    int64_t ms; /* CLOCK_NONE: none */
    bool bare;  /* it names no zone */
};

struct customer_decline {
    struct customer_time created;
    const char *reason; /* NULL: declined without one */
};

struct customer_intent {
    int64_t key;
    struct customer_time created;
    const char *id, *status, *currency;
    bool has_amount;
    int64_t amount;
};

struct customer {
    struct gather gather;
    struct attempts *attempts;
    struct arena arena;
    size_t rows;
    struct customer_time first, last; /* created */
    struct customer_words statuses, banks;
    struct {
        struct idset *places;
        struct customer_sum *items; /* most intents first */
        size_t n, cap;
    } sums;
    struct {
        struct customer_decline *items; /* oldest first */
        size_t n, cap;
    } declines;
    struct customer_intent newest[CUSTOMER_NEWEST]; /* newest first */
    size_t n_newest;
};
extern const struct gather_kind customer_kind;
struct customer *customer_new(int64_t window); /* of attempts */
/* Of an answer; NULL: none came with it. Borrowed. */
struct customer *customer_of(const struct lookup_result *answer);

/* How it is told: whose page it is, by which unit, in which zone, and what is known here besides. NULL: nothing is. */
struct customer_telling {
    const char *user;
    struct money_rule money;
    enum clock_zone zone;
    int64_t now;
    const struct reasons *reasons;            /* what declines mean */
    const struct notes *notes;                /* of the operators here */
    const struct outcome_records *registered; /* the journal's records of who registered the user here, newest first */
    const char *registered_fault;             /* why the journal could not be read */
};
typedef void customer_line(void *to, const char *label, const char *text);
/* A line each: seen, status, sums, banks, declined, attempts, registered, tags; none of what is not there. */
void customer_tell(const struct customer *customer, const struct customer_telling *telling, customer_line *line,
                   void *to);
/* Besides those: each decline with what it means, and each payment that took more than one attempt; where the filter
 * leaves out attempts, no payment. */
void customer_tell_rest(const struct customer *customer, const struct customer_telling *telling, customer_line *line,
                        void *to);
void customer_add_time(const struct customer_telling *telling, struct customer_time time, struct str *out);

#endif
