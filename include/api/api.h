#ifndef API_API_H
#define API_API_H
/* The service in one table: method, path setting, what may be repeated. Builds requests and reads replies; no I/O. The
 * write rules (read-only, fresh connection) are enforced here, where requests are built. */

#include "config/profile.h"
#include "model/cells.h"
#include "model/exchange.h"
#include "model/page.h"
#include "model/service_error.h"

enum api_operation { API_LIST_INTENTS, API_CREATE_USER, API_REGISTER_WEBHOOK, API_OPERATION_COUNT };

struct api_call {
    const char *name; /* operation as in the document */
    const char *method;
    bool write;
};
const struct api_call *api_call(enum api_operation operation);

/* What a listing asks for. All text is borrowed. */
struct list_query {
    const char *type;            /* NULL or "": none */
    const char *const *statuses; /* n_statuses entries */
    size_t n_statuses;
    const char *after, *before; /* ISO times; only where the profile names their parameters */
    const char *cursor;         /* as served; NULL: first page */
    bool cursor_is_url;
};

/* Filters are sent again with every cursor; a filter without a value sends no parameter; the cursor is percent-encoded
 * exactly once; of a cursor that is a URL only the query is used, so that it never leads to another origin. */
enum err api_list_request(const struct profile *profile, const struct secret *token, const struct list_query *query,
                          struct request *out, struct error *error) MUST_CHECK;

/* body is sent byte for byte. Fails with ERR_READ_ONLY before anything is built. */
enum err api_write_request(const struct profile *profile, const struct secret *token, enum api_operation operation,
                           const char *body, struct request *out, struct error *error) MUST_CHECK;
/* Where the profile puts the idempotency key of a new user: a header for the caller to add to the request, a
 * member for the caller to put into the body. NULL: not there. */
const char *api_key_header(const struct profile *profile);
const char *api_key_field(const struct profile *profile);

/* What an answer to a write means (src/README.md, What an answer means). */
enum api_outcome { API_NOT_SENT, API_DONE, API_REFUSED, API_UNKNOWN };
struct api_receipt {
    enum api_outcome outcome;
    enum err code; /* ERR_OK when done, ERR_UNKNOWN when unknown, else why */
    char *line;    /* one sentence for the operator, always there */
    char *id; /* the new user's id, or the registered url, as served; NULL: the answer had none. Of an unknown outcome:
                 what a 2xx named although it says that it failed, so that the operator can look for it */
    bool created;  /* 201; false with a 200 */
    bool replayed; /* the service says it had done this before */
    struct service_error error;
    int64_t retry_at; /* as in struct api_answer; only the operator acts on it, the program never does by itself */
};
enum err api_refusal_code(int status); /* what a write is refused with that was answered so */
void api_receipt_clear(struct api_receipt *receipt);
void api_write_answer(const struct profile *profile, enum api_operation operation, const struct reply *reply,
                      int64_t now, struct api_receipt *receipt);

/* What an answer to a read means. Status first, then body. On ERR_OK *page is filled. */
struct api_answer {
    enum err code;
    int status; /* of HTTP; 0: none came */
    char *line; /* one sentence for the operator: status, cause, the service's own text; NULL on ERR_OK */
    struct service_error error;
    int64_t retry_at;    /* when to ask again, ms since 1970, from whichever header gave it, not clamped; CLOCK_NONE: no
                            header did */
    int64_t quota_left;  /* requests left in the window; -1 unknown */
    bool cursor_refused; /* 400, 404, 410 or 422 while a cursor was sent */
};
void api_answer_clear(struct api_answer *answer);
/* Fills *answer and *page, which need not be initialised. */
void api_list_answer(const struct profile *profile, const struct list_query *query, const struct reply *reply,
                     int64_t now, struct api_answer *answer, struct page *page);

/* How much of the list this walk had received before the page that is asked for. */
struct api_walk {
    bool counts;     /* this request belongs to a walk: its pages together are the list */
    size_t given;    /* rows */
    long long total; /* the smallest total number of rows that an answer named; 0: none named one */
};
/* Where a walk ends with fewer rows than the service itself counts, the list is not whole, and `beside` gets both
 * numbers. Under a filter nobody knows what such a count means: there the service's number is quoted alone. The
 * smallest count is taken, since new rows arrive while a walk goes on. */
void api_list_count(const struct api_walk *walk, const struct list_query *query, struct page *page);

/* Path and query of a list request for log and screen: filters as sent; of every other parameter (cursors, those that
 * the profile adds, those of a link) only the name and the length of its value. */
void api_list_shown(const struct profile *profile, const struct request *request, struct str *out);

/* Whether a row is one that a listing asks for: the one rule for rows that were just served, cached, counted and
 * exported. Reads type, status and time of the cells. */
bool api_row_matches(const struct list_query *query, const struct cells *row);
bool api_intent_matches(const struct list_query *query, const struct intent *intent); /* a broken one is not judged */
/* True where every intact row matches the query's type, statuses and times; *index names the first that does not.
 */
bool api_page_matches(const struct list_query *query, const struct page *page, size_t *index);

/* The time to wait for after a 429: what the headers say, at most an hour from now. Without such a header (headers may
 * be NULL): 1, 2, 4 ... 60 s by `attempt` (from 0), plus up to a quarter of that by `jitter` (any number). */
int64_t api_retry_at(const struct headers *headers, int64_t now, unsigned attempt, unsigned jitter);

/* A list that failed, and whether and when it is asked again by itself: the one rule for that. Told to wait, it waits
 * by the service's word and, from the second time in a row on, at least as long as api_retry_at says; a failure that
 * may pass (5xx, 408 and its like, a broken connection; once the walk has begun also no connection and no answer) is
 * asked again after 0.5, 1 and 2 s. Both end: with API_RETRIES_MAX, with API_WAITS_MAX or API_WAITED_MAX. */
enum { API_RETRIES_MAX = 3, API_WAITS_MAX = 6, API_WAITED_MAX = 900000, API_WAIT_MAX = 300000 };
struct api_failed {
    enum err code;
    int64_t retry_at; /* of the answer; CLOCK_NONE */
    unsigned attempt; /* failures in a row before this one */
    int64_t since;    /* when the first of them came */
    bool begun;       /* the walk has pages */
    int status;       /* of the answer; 0 */
};

/* Whether a refusal speaks of the moment (408, 409, 425), so that the same request may well be answered later. */
bool api_speaks_of_the_moment(int status);
bool api_list_again(const struct api_failed *failed, int64_t now, unsigned jitter, int64_t *at);

/* The query without its cursor as text for the screen: "status:declined,pending type:card_only". */
void api_query_text(const struct list_query *query, struct str *out);

#endif
