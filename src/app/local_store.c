#include "app/local_store.h"

void local_health_clear(struct local_health *health) {
    str_clear(&health->faults);
    *health = (struct local_health){0};
}
