#ifndef NET_TRANSFER_H
#define NET_TRANSFER_H
/* One exchange in progress: the request, curl's handle and what has arrived. Main thread. */

#include "base/url.h"
#include "net/net.h"

#include <curl/curl.h>

enum { ENCODINGS_MAX = 2, INTERIM_MAX = 16, REDIRECT_MAX = 4096 };

/* Which of this program's limits ended it; LIMIT_NONE: none. */
enum transfer_limit { LIMIT_NONE, LIMIT_BODY, LIMIT_HEADERS, LIMIT_INTERIM, LIMIT_ENCODINGS };

struct transfer {
    uint64_t ticket;
    struct request request;
    struct url url;
    CURL *easy; /* NULL: refused before anything was done */
    struct curl_slist *header_list;
    const char *proxy; /* "" none */
    struct reply reply;
    struct str body;
    size_t header_bytes;
    int64_t ran_ms;             /* time that it ran while the program ran: a stop does not count */
    int64_t slow_ms, slow_from; /* since when it is slow, and how many bytes there were then */
    int interim, encodings;
    bool headers_whole; /* of the final answer: what follows are trailers */
    enum transfer_limit limit;
    char curl_text[CURL_ERROR_SIZE]; /* libcurl's words, for telling cases apart, never shown */
    struct transfer *next;
};

/* Takes the contents of request. A fault is in reply.failure, then easy is NULL. */
struct transfer *transfer_new(uint64_t ticket, struct request *request, const struct net_options *options);
/* Fill the reply from the outcome. */
void transfer_end(struct transfer *transfer, CURLcode code);
/* Counts the time that it ran; true: a limit is exceeded, and it ends with CURLE_OPERATION_TIMEDOUT. */
bool transfer_ran(struct transfer *transfer, const struct net_options *options, int64_t ms);
void transfer_end_cancelled(struct transfer *transfer);
void transfer_free(struct transfer *transfer);

/* In answer.c: what curl calls with what came. */
size_t answer_header(char *line, size_t size, size_t n, void *context);
size_t answer_body(char *bytes, size_t size, size_t n, void *context);

/* In failure.c: our words for a failed transfer, with the host, without query and token. */
void failure_describe(const struct transfer *transfer, CURLcode code, struct error *error);

#endif
