#include "base/payload.h"

#include "base/invariant.h"

#include <stddef.h>
#include <stdint.h>

/* Borrowed data is given back as it was put in: its readers use it as const. */
struct payload payload_make(const void *data, const struct payload_ops *ops) {
    return (struct payload){(void *)(uintptr_t)data, ops};
}

/* In a release, stopping at a null pointer is better than reading one type as another. */
void *payload_data(const struct payload *payload, const struct payload_ops *ops) {
    INVARIANT(!payload->data || payload->ops == ops);
    return payload->ops == ops ? payload->data : NULL;
}

void *payload_move(struct payload *payload, const struct payload_ops *ops) {
    void *data = payload_data(payload, ops);
    if (data)
        payload->data = NULL;
    return data;
}

void payload_clear(struct payload *payload) {
    if (payload->data && payload->ops->free) {
        payload->ops->free(payload->data);
        payload->data = NULL;
    }
}
