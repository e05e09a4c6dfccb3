#ifndef API_RETRY_H
#define API_RETRY_H
/* When the service wants to be asked again, and how much it will still answer: the headers of variations D. */

#include "model/exchange.h"

int64_t retry_time(const struct headers *headers, int64_t now); /* ms, not clamped; CLOCK_NONE where none is given */
int64_t retry_quota(const struct headers *headers);             /* D7; -1 where unknown */

#endif
