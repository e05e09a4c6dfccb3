#include "app/requests.h"

#include "base/mem.h"

#include <stdlib.h>

PAYLOAD_BORROWED(request_seen);

static void app_requests_drop(struct request_seen *seen) {
    free((char *)seen->method);
    free((char *)seen->path);
    free((char *)seen->id);
    free((char *)seen->proxy);
}

void requests_add(struct requests *requests, const struct request_seen *seen) {
    struct request_seen *place = &requests->items[requests->total++ % REQUESTS_MAX];
    app_requests_drop(place);
    *place = *seen;
    place->method = mem_dup(seen->method);
    place->path = mem_dup(seen->path);
    place->id = mem_dup(seen->id);
    place->proxy = mem_dup(seen->proxy);
}

size_t requests_kept(const struct requests *requests) {
    return requests->total < REQUESTS_MAX ? requests->total : REQUESTS_MAX;
}

const struct request_seen *requests_at(const struct requests *requests, size_t newest) {
    return &requests->items[(requests->total - 1 - newest) % REQUESTS_MAX];
}

void requests_clear(struct requests *requests) {
    for (size_t i = 0; i < REQUESTS_MAX; i++)
        app_requests_drop(&requests->items[i]);
    *requests = (struct requests){0};
}
