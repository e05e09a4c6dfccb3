#ifndef API_RETRY_H
#define API_RETRY_H
/* When the service wants to be asked again, and how many requests it still allows, from any of the headers in use. */

#include "model/exchange.h"

int64_t retry_time(const struct headers *headers, int64_t now); /* ms, not clamped; CLOCK_NONE where none is given */
int64_t retry_quota(const struct headers *headers);             /* requests left; -1 where unknown */

#endif
