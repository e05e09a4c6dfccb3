#ifndef SUPPORT_SERVICE_H
#define SUPPORT_SERVICE_H
/* The sandbox as a test's service: started in a folder of its own on a free loopback port, ready when service_start
 * returns. Stopped and removed by service_stop. One thread. */

#include "support/http.h"
#include "support/proc.h"

struct service {
    struct proc proc;
    char *folder;     /* private; tests may put files there */
    int port;         /* 0: not running */
    char *url;        /* http://127.0.0.1:PORT */
    char *token_file; /* 0600, made by the sandbox */
    char *token;      /* what it holds, trimmed */
    char *control;    /* control token, trimmed */
    char *journal;    /* path of the journal */
};

/* `args` are further arguments (NULL-ended) after the usual ones (clock fixed at 2026-06-15T12:00:00Z, seed 7, plain
 * file names in the folder); a later option wins over an earlier one. false: it did not come up in time. */
bool service_start(struct service *service, const char *const args[]);

/* Ends the program and starts it again with other arguments in the same folder (token, journal and any --db stay). */
bool service_restart(struct service *service, const char *const args[]);

/* Gives the exit status. */
int service_stop(struct service *service);

/* One authorised request; `headers` may add lines. The reply is initialised in any case and cleared by the caller. */
bool service_request(struct service *service, const char *method, const char *target, const char *headers,
                     const char *body, struct http_reply *reply);

/* The same on the control path ("/control/...") with its token. */
bool service_control(struct service *service, const char *method, const char *target, const char *body,
                     struct http_reply *reply);

/* Adds one intent as it is to be served; each @ of the pattern stands for the text. */
void service_put_intent(struct service *service, const char *pattern, const char *text, size_t len);

/* The one rule from here on by which it answers; NULL: none. */
void service_rule(struct service *service, const char *rule);

/* Who was registered, as its control path lists them; the caller frees. */
char *service_users(struct service *service);

/* How many journal lines hold both texts (either may be ""). */
int service_journal_count(const struct service *service, const char *a, const char *b);

#endif
