#ifndef SRC_MODEL_FINDING_JUDGE_H
#define SRC_MODEL_FINDING_JUDGE_H
/* What the rules of findings look at (finding.c), for their evidence (finding_evidence.c). */

#include "model/finding.h"

bool finding_is_foreign(const struct intent *intent, const struct transaction *tx);
bool finding_is_other_source(const struct intent *intent, const struct transaction *tx);
bool finding_is_archived(const struct intent *intent);
bool finding_had_expired(const struct intent *intent);
bool finding_is_unknown_status(const struct intent *intent);
bool finding_is_unknown_type(const struct intent *intent);

#endif
