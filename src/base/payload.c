#include "base/payload.h"

#include "base/invariant.h"

#include <stddef.h>
#include <stdint.h>

/* What is borrowed is handed out as it was put in: its readers take it as const. */
struct payload payload_make(const void *data, const struct payload_ops *ops) {
    return (struct payload){(void *)(uintptr_t)data, ops};
}

/* A release would rather stop at a null pointer than read one type as another. */
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
