#include "model/delivery.h"

#include <stdlib.h>

struct deliveries *deliveries_new(void) {
    return mem_new(sizeof(struct deliveries));
}

void deliveries_free(struct deliveries *deliveries) {
    if (deliveries) {
        free(deliveries->items);
        arena_clear(&deliveries->arena);
        free(deliveries);
    }
}
