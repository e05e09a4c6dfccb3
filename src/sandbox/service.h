#ifndef SANDBOX_SERVICE_H
#define SANDBOX_SERVICE_H
/* The service behind the sockets: what an operation does with a call. All of it may be used by any thread. */

#include "call.h"
#include "dataset.h"
#include "style.h"
#include "trace.h"

#include <stdatomic.h>

struct deliver;
struct rate;

struct service {
    struct dataset *dataset;
    struct rules *rules;
    struct trace *trace;
    struct rate *rate;
    struct deliver *deliver;
    struct style style;
    long long page_size;
    char *token, *control_token; /* control_token NULL: no control path */
    char *origin;                /* http://HOST:PORT */
    atomic_llong requests;
};

/* Fills the call's answer: routes, checks the token, performs. The rule in call->hit has been matched already. */
void service_answer(struct service *service, struct call *call);
bool service_is_control(const struct service *service, const struct call *call);

/* The operations. */
void service_list(struct service *service, struct call *call);
void service_user(struct service *service, struct call *call);
void service_webhook(struct service *service, struct call *call);
void service_control(struct service *service, struct call *call);

/* An error in the style chosen. field NULL: about no field in particular; dotted for a nested one. */
struct fault {
    int status;
    const char *code, *message, *field;
};
void service_error(struct service *service, struct call *call, const struct fault *fault);
void service_status(struct service *service, struct call *call, int status); /* with that status' usual text */

/* Rate limits. false: over the limit, and the call is answered. */
struct rate *rate_new(void);
void rate_free(struct rate *rate);
bool rate_allows(struct service *service, struct call *call);

#endif
