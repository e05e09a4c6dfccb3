#include "finding_judge.h"

#include "base/ascii.h"
#include "base/clock.h"

#include <string.h>

enum { HOUR_MS = 60 * 60 * 1000, DAY_MS = 24 * HOUR_MS };
enum { WESTERNMOST_MS = 12 * HOUR_MS /* UTC-12 */, EASTERNMOST_MS = 14 * HOUR_MS };

static const struct finding_rule rules[FINDING_COUNT] = {
#define ROW(X, code, name, flag, judged, hint) {name, hint, flag, FINDING_##judged},
    FINDING_TABLE(ROW, )
#undef ROW
};

const struct finding_rule *finding_rule(enum finding finding) {
    return &rules[finding];
}

static bool finding_says(const struct value_text *value) {
    return value->state == VALUE_OK && *value->text;
}

static bool finding_says_word(const struct value_text *value, const char *word) {
    return value->state == VALUE_OK && strcmp(value->text, word) == 0;
}

/* Whether both say the same, or neither says anything. */
static bool says_the_same(const struct value_text *a, const struct value_text *b) {
    if (finding_says(a) || finding_says(b))
        return finding_says(a) && finding_says(b) && strcmp(a->text, b->text) == 0;
    return a->state != VALUE_ODD && b->state != VALUE_ODD;
}

bool finding_sum(const struct intent *intent, struct finding_sum *out) {
    *out = (struct finding_sum){0};
    bool can =
        intent->amount.state == VALUE_OK && intent->transactions_state == VALUE_OK && finding_says(&intent->currency);
    for (size_t i = 0; i < intent->n_transactions && can; i++) {
        const struct transaction *tx = &intent->transactions[i];
        can = finding_says(&tx->type);
        if (!can || !finding_says_word(&tx->type, "intent"))
            continue;
        can = tx->amount.state == VALUE_OK && finding_says_word(&tx->status, "settled") &&
              finding_says_word(&tx->currency, intent->currency.text) &&
              says_the_same(&tx->direction, &intent->direction);
        out->sum += tx->amount.number;
        out->n++;
    }
    return can && out->n > 0;
}

static bool sum_differs(const struct intent *intent) {
    struct finding_sum sum;
    return finding_sum(intent, &sum) && sum.sum != intent->amount.number;
}

/* Codes that differ by case alone are one currency. */
bool finding_is_foreign(const struct intent *intent, const struct transaction *tx) {
    return finding_says(&intent->currency) && finding_says(&tx->currency) &&
           ascii_compare(tx->currency.text, intent->currency.text) != 0;
}

static bool currency_differs(const struct intent *intent) {
    bool any = false;
    for (size_t i = 0; i < intent->n_transactions; i++)
        any = any || finding_is_foreign(intent, &intent->transactions[i]);
    return any;
}

/* Below zero more is less, and the interface document speaks of no such amount. */
static bool guarantee_above(const struct intent *intent) {
    return intent->amount.state == VALUE_OK && intent->amount.number >= 0 && finding_says(&intent->currency) &&
           intent_shares_currency(intent) && intent->guarantee_amount.number > intent->amount.number;
}

bool finding_is_other_source(const struct intent *intent, const struct transaction *tx) {
    return finding_says(&intent->id) && finding_says(&tx->source_id) &&
           strcmp(tx->source_id.text, intent->id.text) != 0;
}

static bool source_other(const struct intent *intent) {
    bool any = false;
    for (size_t i = 0; i < intent->n_transactions; i++)
        any = any || finding_is_other_source(intent, &intent->transactions[i]);
    return any;
}

static bool decline_bare(const struct intent *intent) {
    return finding_says_word(&intent->status, "declined") && intent->decline_category.state != VALUE_ODD &&
           !finding_says(&intent->decline_category);
}

/* A transaction whose status cannot be read may be settled. */
static bool not_settled(const struct intent *intent) {
    bool none = finding_says_word(&intent->status, "approved") && intent->transactions_state == VALUE_OK;
    for (size_t i = 0; i < intent->n_transactions; i++)
        none = none && finding_says(&intent->transactions[i].status) &&
               !finding_says_word(&intent->transactions[i].status, "settled");
    return none;
}

/* A card is good to the end of its day, wherever that day ends last. A time that names no zone may be of where the day
 * begins first. */
bool finding_had_expired(const struct intent *intent) {
    enum { DATE_LEN = 10 };
    int64_t ahead = cells_is_bare(&intent->created_at) ? EASTERNMOST_MS : 0;
    const struct value_text *date = &intent->credential.expiration;
    int64_t day;
    return date->state == VALUE_OK && strlen(date->text) == DATE_LEN && intent->created_at.state == VALUE_OK &&
           clock_parse(date->text, DATE_LEN, &day) && intent->created_at.ms >= day + DAY_MS + WESTERNMOST_MS + ahead;
}

bool finding_is_archived(const struct intent *intent) {
    return intent->credential.is_archived.state == VALUE_OK && intent->credential.is_archived.on;
}

static bool credential_past(const struct intent *intent) {
    return finding_is_archived(intent) || finding_had_expired(intent);
}

/* Of these two the interface document gives every value. */
bool finding_is_unknown_status(const struct intent *intent) {
    return intent->status.state == VALUE_ODD ||
           (intent->status.state == VALUE_OK && intent_status_of(intent->status.text) == INTENT_STATUS_UNKNOWN);
}

bool finding_is_unknown_type(const struct intent *intent) {
    const char *name;
    bool known = false;
    for (size_t i = 0; (name = intent_type_name(i)); i++)
        known = known || finding_says_word(&intent->type, name);
    return intent->type.state >= VALUE_OK && !known;
}

static bool value_unknown(const struct intent *intent) {
    return finding_is_unknown_status(intent) || finding_is_unknown_type(intent);
}

static const struct {
    unsigned flag;
    bool (*holds)(const struct intent *intent);
} JUDGES[] = {
    {CELLS_SUM_DIFFERS, sum_differs},         {CELLS_CURRENCY_DIFFERS, currency_differs},
    {CELLS_GUARANTEE_ABOVE, guarantee_above}, {CELLS_SOURCE_OTHER, source_other},
    {CELLS_DECLINE_BARE, decline_bare},       {CELLS_NOT_SETTLED, not_settled},
    {CELLS_CREDENTIAL_PAST, credential_past}, {CELLS_VALUE_UNKNOWN, value_unknown},
};

unsigned finding_flags(const struct intent *intent) {
    unsigned flags = 0;
    for (size_t i = 0; i < COUNT_OF(JUDGES) && !intent->broken; i++)
        flags |= JUDGES[i].holds(intent) ? JUDGES[i].flag : 0;
    return flags;
}

int64_t finding_old_before(int64_t now, bool bare) {
    return now - DAY_MS - (bare ? WESTERNMOST_MS : 0);
}

unsigned finding_of(const struct cells *cells, int64_t now) {
    unsigned found = 0;
    bool old = cells->flags & CELLS_CREATED_OK &&
               cells->created_ms < finding_old_before(now, (cells->flags & CELLS_CREATED_BARE) != 0);
    for (unsigned i = 0; i < FINDING_COUNT; i++) {
        bool counts = rules[i].judged == FINDING_RECORD || (rules[i].judged == FINDING_AGED && old);
        found |= counts && cells->flags & rules[i].flag ? FINDING_BIT(i) : 0;
    }
    return found;
}

unsigned finding_of_intent(const struct intent *intent, int64_t now) {
    struct cells cells = {.created_ms = intent->created_at.ms, .flags = finding_flags(intent)};
    cells.flags |= intent->created_at.state == VALUE_OK ? CELLS_CREATED_OK : 0;
    cells.flags |= cells_is_bare(&intent->created_at) ? CELLS_CREATED_BARE : 0;
    return finding_of(&cells, now);
}
