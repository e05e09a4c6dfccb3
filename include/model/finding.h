#ifndef MODEL_FINDING_H
#define MODEL_FINDING_H
/* Findings: what in an intent an operator may want to look at. Each rule is a hint, with its evidence, and never says
 * that somebody did wrong: the interface document leaves much open. A rule that cannot be judged (a value is missing or
 * of another kind, amounts that cannot be added) finds nothing. One row of the table is one rule:
 *   F(X, code, name, flag of the cells, how it is judged, the hint)
 * RECORD: by the record alone, once, where its cells are packed. AGED: so too, and then only holds once the intent is
 * old enough. ACROSS: against the other rows at hand; the flag, if any, tells rows that can have it. */

#include "model/cells.h"
#include "model/money.h"

#define FINDING_TABLE(F, X)                                                                                            \
    F(X, SUM, "sum", CELLS_SUM_DIFFERS, RECORD, "its settled transactions do not add up to the amount")                \
    F(X, CURRENCY, "currency", CELLS_CURRENCY_DIFFERS, RECORD, "a transaction is in another currency than the amount") \
    F(X, GUARANTEE, "guarantee", CELLS_GUARANTEE_ABOVE, RECORD, "more is guaranteed than the amount")                  \
    F(X, SOURCE, "source", CELLS_SOURCE_OTHER, ACROSS, "a transaction names another intent as its source")             \
    F(X, DECLINE, "decline", CELLS_DECLINE_BARE, RECORD, "it is declined, and no decline category says why")           \
    F(X, UNSETTLED, "unsettled", CELLS_NOT_SETTLED, AGED, "approved more than a day ago, no transaction is settled")   \
    F(X, CREDENTIAL, "credential", CELLS_CREDENTIAL_PAST, RECORD,                                                      \
      "its credential is archived, or its card had expired")                                                           \
    F(X, TWICE, "twice", 0, ACROSS, "its user, amount and currency came twice within a minute")                        \
    F(X, UNKNOWN, "unknown", CELLS_VALUE_UNKNOWN, RECORD, "a status or type that the interface document does not name")
enum finding {
#define ROW(X, code, name, flag, judged, hint) FINDING_##code,
    FINDING_TABLE(ROW, )
#undef ROW
        FINDING_COUNT
};
#define FINDING_BIT(finding) (1U << (finding))
enum { FINDINGS_ACROSS = FINDING_BIT(FINDING_SOURCE) | FINDING_BIT(FINDING_TWICE) };
/* All flags of the rules. */
enum {
    FINDINGS_FLAGS = 0
#define ROW(X, code, name, flag, judged, hint) | flag
    FINDING_TABLE(ROW, )
#undef ROW
};

enum finding_judged { FINDING_RECORD, FINDING_AGED, FINDING_ACROSS };
struct finding_rule {
    const char *name, *hint;
    unsigned flag; /* enum cells_flag */
    enum finding_judged judged;
};
const struct finding_rule *finding_rule(enum finding finding);

/* The flags of the table that the record has, for its cells. */
unsigned finding_flags(const struct intent *intent);
enum { FINDING_TWICE_MS = 60 * 1000 };
/* An intent of before this time is old enough; one that names no zone may be as young as if it were of the westernmost.
 */
int64_t finding_old_before(int64_t now, bool bare);
/* What holds of a record by its cells, a bit each (FINDING_BIT); those across rows are not among them. */
unsigned finding_of(const struct cells *cells, int64_t now);
unsigned finding_of_intent(const struct intent *intent, int64_t now);

/* Transactions of type `intent`: what others, a fee or an adjustment, are to the amount is not documented. They can be
 * added where all are settled, in the intent's currency and in its direction. The sum of at most 10,000 int64 fits. */
struct finding_sum {
    __int128 sum;
    size_t n;
};
bool finding_sum(const struct intent *intent, struct finding_sum *out); /* false: they cannot be added */

/* What a rule across rows found: another intent. */
struct finding_other {
    enum finding finding;
    const char *id;
    int64_t later_ms; /* than the intent itself, where it is `twice` */
};
/* What the hint rests on, in one line: `60 of 100 USD in 2 transactions`. Text of the service in it is clean. outside:
 * it leaves the program, and says nothing that a text for a ticket keeps back. */
struct finding_telling {
    const struct money_rule *money;
    bool outside;
    const struct finding_other *others;
    size_t n_others;
};
void finding_evidence(const struct intent *intent, enum finding finding, const struct finding_telling *telling,
                      struct str *out);

#endif
