#ifndef SANDBOX_LIFE_H
#define SANDBOX_LIFE_H
/* How an intent moves on: created to pending to an outcome, then settlement, refunds and disputes. Pure. */

#include "gen.h"

/* One step chosen by bits; false where it stays as it is. */
bool life_step(struct gen_life *life, uint64_t bits, int64_t now);

#endif
