#ifndef MODEL_CHANGE_H
#define MODEL_CHANGE_H
/* Which fields of an intent differ between two times that it was served, as bits: one for each field that counts, then
 * one for each record beside them. */

#include "model/intent.h"

enum { INTENT_CHANGE_DISPUTE = INTENT_FIELD_COUNT, INTENT_CHANGE_REFUND, INTENT_CHANGE_TRANSACTIONS };
_Static_assert(INTENT_CHANGE_TRANSACTIONS < 64, "a bit for each");
#define INTENT_CHANGE_BIT(change) (UINT64_C(1) << (change))

uint64_t intent_changes(const struct intent *a, const struct intent *b);
/* The bit of a field as sightings name it ("status", "transactions[tx_1].amount"); 0: none. */
uint64_t intent_change_of(const char *field);

#endif
