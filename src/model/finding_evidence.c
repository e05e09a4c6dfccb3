#include "finding_judge.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <string.h>

/* Of a text of the service as much as tells it apart, and of a list as many as fit a line. */
enum { CELLS_MAX = 48, LISTED_MAX = 3, DIGITS_MAX = 48 };
static const char CUT[] = "...";

static void add_cut(struct str *out, const char *text) {
    size_t len = strlen(text);
    if (utf8_cells(text, len) <= CELLS_MAX)
        str_add_n(out, text, len);
    else
        utf8_ends(out, text, len, CELLS_MAX, CUT);
}

static void add_value(struct str *out, const struct value_text *value) {
    if (value->state == VALUE_ABSENT || value->state == VALUE_NULL)
        str_add(out, value->state == VALUE_NULL ? "null" : "absent");
    else if (!*value->text)
        str_add(out, "empty");
    else
        add_cut(out, value->text);
}

/* Beyond int64 it has no form in the unit of its currency. */
static void evidence_add_sum(struct str *out, __int128 sum, const char *currency, const struct money_rule *money) {
    char digits[DIGITS_MAX], *at = digits + sizeof digits - 1;
    if (sum >= INT64_MIN && sum <= INT64_MAX) {
        money_format(out, (int64_t)sum, currency, money);
        return;
    }
    bool below = sum < 0;
    *at = '\0';
    for (; sum != 0; sum /= 10)
        *--at = (char)('0' + (int)(sum % 10 < 0 ? -(sum % 10) : sum % 10));
    if (below)
        *--at = '-';
    money_group(out, at);
    str_add(out, money->unit == MONEY_RAW ? "" : " raw");
}

/* Another item of a list; false where there are enough. */
static bool evidence_list(struct str *out, size_t n) {
    str_add(out, n == 0 ? "" : n == LISTED_MAX ? " and more" : ", ");
    return n < LISTED_MAX;
}

static void tell_sum(const struct intent *intent, const struct finding_telling *telling, struct str *out) {
    struct finding_sum sum;
    if (!finding_sum(intent, &sum))
        return;
    const char *currency = intent->currency.text;
    evidence_add_sum(out, sum.sum, currency, telling->money);
    str_addf(out, " in %zu transaction%s of type intent, the amount is ", sum.n, plural_s(sum.n));
    money_format(out, intent->amount.number, currency, telling->money);
    str_add_char(out, ' ');
    add_cut(out, currency);
}

static void tell_currency(const struct intent *intent, const struct finding_telling *telling, struct str *out) {
    size_t n = 0;
    (void)telling;
    str_add(out, "the amount is in ");
    add_value(out, &intent->currency);
    str_add(out, ", ");
    for (size_t i = 0; i < intent->n_transactions; i++) {
        const struct transaction *tx = &intent->transactions[i];
        if (!finding_is_foreign(intent, tx))
            continue;
        if (!evidence_list(out, n++))
            break;
        str_add(out, "transaction ");
        add_value(out, &tx->id);
        str_add(out, " in ");
        add_value(out, &tx->currency);
    }
}

static void tell_guarantee(const struct intent *intent, const struct finding_telling *telling, struct str *out) {
    const char *currency = intent->currency.text;
    money_format(out, intent->guarantee_amount.number, currency, telling->money);
    str_add(out, " guaranteed, the amount is ");
    money_format(out, intent->amount.number, currency, telling->money);
    str_add_char(out, ' ');
    add_cut(out, currency);
}

static const char *evidence_other(const struct finding_telling *telling, const char *id) {
    for (size_t i = 0; i < telling->n_others; i++)
        if (telling->others[i].finding == FINDING_SOURCE && strcmp(telling->others[i].id, id) == 0)
            return telling->others[i].id;
    return NULL;
}

static void tell_source(const struct intent *intent, const struct finding_telling *telling, struct str *out) {
    size_t n = 0;
    for (size_t i = 0; i < intent->n_transactions; i++) {
        const struct transaction *tx = &intent->transactions[i];
        if (!finding_is_other_source(intent, tx) || !evidence_other(telling, tx->source_id.text))
            continue;
        if (!evidence_list(out, n++))
            break;
        str_add(out, "transaction ");
        add_value(out, &tx->id);
        str_add(out, " has the source_id of intent ");
        add_value(out, &tx->source_id);
    }
}

static void tell_decline(const struct intent *intent, const struct finding_telling *telling, struct str *out) {
    (void)telling;
    str_add(out, "decline_category is ");
    add_value(out, &intent->decline_category);
}

static void tell_unsettled(const struct intent *intent, const struct finding_telling *telling, struct str *out) {
    size_t n = 0;
    (void)telling;
    str_add(out, "created ");
    add_cut(out, intent->created_at.text);
    str_add(out, intent->n_transactions == 0 ? ", no transaction" : ", transactions ");
    for (size_t i = 0; i < intent->n_transactions && evidence_list(out, n++); i++)
        add_value(out, &intent->transactions[i].status);
}

static void tell_credential(const struct intent *intent, const struct finding_telling *telling, struct str *out) {
    bool archived = finding_is_archived(intent);
    str_add(out, archived ? "is_archived is true" : "");
    if (!finding_had_expired(intent))
        return;
    str_add(out, archived ? ", " : "");
    str_add(out, "the card had expired");
    if (!telling->outside) {
        str_add(out, " on ");
        add_value(out, &intent->credential.expiration);
    }
    str_add(out, ", created ");
    add_cut(out, intent->created_at.text);
}

static void tell_twice(const struct intent *intent, const struct finding_telling *telling, struct str *out) {
    size_t n = 0;
    (void)intent;
    for (size_t i = 0; i < telling->n_others; i++) {
        const struct finding_other *other = &telling->others[i];
        if (other->finding != FINDING_TWICE)
            continue;
        if (!evidence_list(out, n++))
            break;
        int64_t apart = other->later_ms < 0 ? -other->later_ms : other->later_ms;
        str_add(out, "intent ");
        add_cut(out, other->id);
        str_addf(out, ", %lld.%03lld s %s", (long long)(apart / 1000), (long long)(apart % 1000),
                 other->later_ms < 0 ? "before" : "after");
    }
}

static void tell_unknown(const struct intent *intent, const struct finding_telling *telling, struct str *out) {
    bool status = finding_is_unknown_status(intent);
    (void)telling;
    if (status) {
        str_add(out, "status ");
        add_value(out, &intent->status);
    }
    if (finding_is_unknown_type(intent)) {
        str_add(out, status ? ", type " : "type ");
        add_value(out, &intent->type);
    }
}

void finding_evidence(const struct intent *intent, enum finding finding, const struct finding_telling *telling,
                      struct str *out) {
    static void (*const tell[FINDING_COUNT])(const struct intent *, const struct finding_telling *, struct str *) = {
        [FINDING_SUM] = tell_sum,
        [FINDING_CURRENCY] = tell_currency,
        [FINDING_GUARANTEE] = tell_guarantee,
        [FINDING_SOURCE] = tell_source,
        [FINDING_DECLINE] = tell_decline,
        [FINDING_UNSETTLED] = tell_unsettled,
        [FINDING_CREDENTIAL] = tell_credential,
        [FINDING_TWICE] = tell_twice,
        [FINDING_UNKNOWN] = tell_unknown,
    };
    tell[finding](intent, telling, out);
}
