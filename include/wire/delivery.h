#ifndef WIRE_DELIVERY_H
#define WIRE_DELIVERY_H
/* The sandbox's delivery log: lines of JSON to model. Any thread. */

#include "model/delivery.h"

/* Lines that are no such object are left out. */
void wire_deliveries(const char *body, size_t len, struct deliveries *out);

#endif
