#ifndef SRC_MODEL_FINDING_JUDGE_H
#define SRC_MODEL_FINDING_JUDGE_H
/* What the rules of findings look at (finding.c), for their evidence (finding_evidence.c). */

#include "model/finding.h"

/* Transactions of type `intent`: what others, a fee or an adjustment, are to the amount is not documented. They can be
 * added where all are settled, in the intent's currency and in its direction. The sum of at most 10,000 int64 fits. */
struct finding_sum {
    __int128 sum;
    size_t n;
};
bool finding_sum(const struct intent *intent, struct finding_sum *out); /* false: they cannot be added */
bool finding_is_foreign(const struct intent *intent, const struct transaction *tx);
bool finding_is_other_source(const struct intent *intent, const struct transaction *tx);
bool finding_is_archived(const struct intent *intent);
bool finding_had_expired(const struct intent *intent);
bool finding_is_unknown_status(const struct intent *intent);
bool finding_is_unknown_type(const struct intent *intent);

#endif
