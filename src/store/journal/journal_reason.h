#ifndef STORE_JOURNAL_REASON_H
#define STORE_JOURNAL_REASON_H
/* Why a journal cannot be used, and what to do: states of failures, and the sentence for the operator. */

#include "store/db.h"

#include "store/journal.h"

enum journal_state journal_state_of(const struct db *db); /* by its last failure */
enum journal_state journal_state_of_errno(int why);
/* Puts path, true reason and advice into opening->error. fault: what is damaged, or "". */
void journal_explain(struct journal_opening *opening, const char *folder, const struct db *db, const char *fault);

#endif
