#include "support/exchange.h"

#include "base/clock.h"
#include "base/mem.h"

#include <string.h>

enum { URL_MAX = 4096 };

void exchange_get(struct request *request, const char *scheme, const char *host, int port, const char *path) {
    struct str url, origin;
    str_init(&origin, URL_MAX);
    str_addf(&origin, "%s://%s:%d", scheme, host, port);
    str_init(&url, URL_MAX);
    str_addf(&url, "%s%s", origin.s, path);
    request_init(request);
    request->method = "GET";
    request->url = str_take(&url);
    request->path = mem_dup(path);
    request->origin = str_take(&origin);
}

void exchange_get_from(struct request *request, int port, const char *path) {
    exchange_get(request, "http", "127.0.0.1", port, path);
}

void exchange_post_to(struct request *request, int port, const char *path, const char *body) {
    exchange_get_from(request, port, path);
    request->method = "POST";
    request->write = true;
    request->body = mem_dup(body);
    request->body_len = strlen(body);
    headers_add(&request->headers, "Content-Type", "application/json");
}

bool exchange_await(struct net *net, uint64_t ticket, struct reply *reply, int deadline_ms) {
    int64_t end = clock_mono() + deadline_ms;
    for (;;) {
        uint64_t ended;
        while ((ended = net_take(net, reply))) {
            if (ended == ticket)
                return true;
            reply_clear(reply);
        }
        int64_t left = end - clock_mono();
        if (left <= 0)
            return false;
        net_wait(net, NULL, 0, (int)left);
    }
}

bool exchange_run(struct net *net, struct request *request, struct reply *reply) {
    return exchange_await(net, net_send(net, request), reply, EXCHANGE_DEADLINE);
}
