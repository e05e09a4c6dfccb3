#include "model/exchange.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdlib.h>

void headers_add(struct headers *headers, const char *name, const char *value) {
    *vec_add(headers) = (struct header){mem_dup(name), mem_dup(value)};
}

const char *headers_find(const struct headers *headers, const char *name) {
    for (size_t i = 0; i < headers->n; i++)
        if (ascii_compare(headers->items[i].name, name) == 0)
            return headers->items[i].value;
    return NULL;
}

void headers_clear(struct headers *headers) {
    for (size_t i = 0; i < headers->n; i++) {
        free(headers->items[i].name);
        free(headers->items[i].value);
    }
    free(headers->items);
    *headers = (struct headers){0};
}

void request_init(struct request *request) {
    *request = (struct request){0};
}

void request_clear(struct request *request) {
    /* A body can hold a person's data or the webhook secret: wiped. */
    if (request->body)
        secret_wipe(request->body, request->body_len);
    free(request->url);
    free(request->path);
    headers_clear(&request->headers);
    free(request->body);
    free(request->origin);
    request_init(request);
}

void reply_init(struct reply *reply) {
    *reply = (struct reply){0};
}

void reply_clear(struct reply *reply) {
    headers_clear(&reply->headers);
    free(reply->body);
    free(reply->redirect);
    free(reply->proxy);
    reply_init(reply);
}
