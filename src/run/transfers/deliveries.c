#include "deliveries.h"
#include "run/perform.h"

#include "base/mem.h"
#include "wire/delivery.h"

enum { URL_TEXT_MAX = 512 };

static char *deliveries_join(const char *origin, const char *path) {
    struct str text;
    str_init(&text, URL_TEXT_MAX);
    str_addf(&text, "%s%s", origin, path);
    return str_take(&text);
}

void perform_deliveries(struct performer *performer, struct effect *effect) {
    struct deliveries_fetch *fetch = performer->deliveries;
    const struct loop_options *options = performer->options;
    struct request request;
    if (!options->profile || !options->control) /* no demo */
        return;
    request_init(&request);
    request.method = "GET";
    request.path = mem_dup("/control/deliveries");
    request.url = deliveries_join(options->profile->origin, "/control/deliveries?limit=200");
    request.origin = mem_dup(options->profile->origin);
    request.bearer = options->control;
    fetch->ticket = effect->ticket;
    fetch->net_ticket = net_send(performer->net, &request);
    request_clear(&request);
}

struct deliveries *deliveries_reply(struct deliveries_fetch *fetch, uint64_t net_ticket, struct reply *reply) {
    if (!fetch->net_ticket || net_ticket != fetch->net_ticket)
        return NULL;
    struct deliveries *found = deliveries_new();
    fetch->net_ticket = 0;
    if (reply->status == 200 && reply->failure.code == ERR_OK) {
        wire_deliveries(reply->body, reply->body_len, found);
    } else {
        enum err err = error_set(&found->error, ERR_UNEXPECTED, "the sandbox's delivery log cannot be read");
        (void)err; /* it is in the answer */
    }
    reply_clear(reply);
    return found;
}
