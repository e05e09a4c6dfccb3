#ifndef TESTS_QUERY_SLOW_H
#define TESTS_QUERY_SLOW_H
/* A second evaluation of a filter, from the tree as written against the intent as decoded: no plan, no packed cells,
 * other arithmetic. Slow, and shares no code with query or index but the tree. */

#include "base/utf8.h"
#include "query/plan.h"
#include "unit/query_rows.h"

#include <stdio.h>
#include <time.h>

struct slow {
    const struct query_context *context;
    int zone_minutes;
    const struct intent *intent;
    struct seen seen;
    bool marked;
    unsigned across; /* the findings of the intent that rest on other rows */
};

static bool slow_text(const struct value_text *value, const char *needle, const char *how, bool exact) {
    if (!has_text(value))
        return false;
    struct str a, b;
    str_init(&a, 4096);
    str_init(&b, 4096);
    if (exact) {
        str_add(&a, value->text);
        str_add(&b, needle);
    } else {
        utf8_fold(&a, value->text, strlen(value->text));
        utf8_fold(&b, needle, strlen(needle));
    }
    const char *hit = strstr(a.s, b.s);
    bool holds = false;
    for (; hit && !holds; hit = *hit ? strstr(hit + 1, b.s) : NULL) {
        bool first = hit == a.s, last = strlen(hit) == b.len;
        holds = strcmp(how, "part") == 0 || (strcmp(how, "prefix") == 0 && first) ||
                (strcmp(how, "suffix") == 0 && last) || (strcmp(how, "whole") == 0 && first && last);
    }
    str_clear(&a);
    str_clear(&b);
    return holds;
}

static bool slow_texts(const struct query_node *node, const struct value_text *text, const char *colon, bool exact) {
    for (size_t i = 0; i < node->n_values; i++) {
        const struct query_value *value = &node->values[i];
        const char *how = value->prefix && value->suffix ? "part"
                          : value->prefix                ? "prefix"
                          : value->suffix                ? "suffix"
                          : node->op == QUERY_OP_COLON   ? colon
                                                         : "whole";
        if (slow_text(text, value->text, how, exact))
            return true;
    }
    return false;
}

/* -1, 0, 1 of a raw amount against a written number; 2: they cannot be compared. Both are brought to ten decimals. */
static int slow_compare(const struct slow *s, const struct value_text *currency, int64_t amount, const char *written) {
    const char *point = strchr(written, '.');
    __int128 left = amount, right = 0;
    int decimals = point ? (int)strlen(point + 1) : 0, exponent = 0;
    if (point && s->context->unit == MONEY_MINOR) {
        exponent = !has_text(currency) ? -1 : strcmp(currency->text, "USDC") == 0 ? 6 : money_exponent(currency->text);
        if (exponent < 0)
            return 2;
    }
    for (const char *at = written; *at; at++)
        if (*at >= '0' && *at <= '9')
            right = right * 10 + (*at - '0');
    if (*written == '-')
        right = -right;
    for (int i = exponent; i < 10; i++)
        left *= 10;
    for (int i = decimals; i < 10; i++)
        right *= 10;
    return (left > right) - (left < right);
}

static bool slow_number_value(const struct slow *s, const struct query_node *node, const struct query_value *value,
                              const struct value_text *currency, int64_t amount) {
    int low = value->low.text ? slow_compare(s, currency, amount, value->low.text) : 1;
    int high = value->high.text ? slow_compare(s, currency, amount, value->high.text) : -1;
    bool decimal =
        (value->low.text && strchr(value->low.text, '.')) || (value->high.text && strchr(value->high.text, '.'));
    if (low == 2 || high == 2 ||
        (decimal && s->context->unit == MONEY_MINOR && slow_compare(s, currency, amount, "0.0") == 2))
        return false;
    switch (node->op) {
    case QUERY_OP_LT:
        return low < 0;
    case QUERY_OP_LE:
        return low <= 0;
    case QUERY_OP_GT:
        return low > 0;
    case QUERY_OP_GE:
        return low >= 0;
    default:
        return value->is_range ? low >= 0 && high <= 0 : low == 0;
    }
}

static bool slow_any_number(const struct slow *s, const struct query_node *node, const struct value_text *currency,
                            int64_t amount) {
    for (size_t i = 0; i < node->n_values; i++)
        if (slow_number_value(s, node, &node->values[i], currency, amount))
            return true;
    return false;
}

static bool slow_number(const struct slow *s, const struct query_node *node, const struct value_number *value) {
    return value->state == VALUE_OK &&
           slow_any_number(s, node, &s->intent->currency, value->number) != (node->op == QUERY_OP_NE);
}

/* Seconds of a civil time; fields out of bounds carry over. */
static int64_t slow_seconds(int year, int month, int day, int64_t second) {
    struct tm tm = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};
    return (int64_t)timegm(&tm) + second;
}

/* Back day by day until the day is called so. */
static bool slow_weekday(const char *text, int64_t today, int64_t *start) {
    for (int64_t day = today - 1; day >= today - 7; day--) {
        time_t second = (time_t)(day * 86400);
        struct tm tm;
        char name[16];
        if (strftime(name, sizeof name, "%A", gmtime_r(&second, &tm)) > 0 &&
            strncasecmp(name, text, strlen(text)) == 0) {
            *start = day * 86400000;
            return true;
        }
    }
    return false;
}

static void slow_period(const struct slow *s, const char *text, bool calendar, int64_t *start, int64_t *end) {
    int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0, used = 0;
    int64_t zone = s->zone_minutes, now = s->context->now;
    int64_t local_day = (now + zone * 60000) / 86400000;
    if (!strcmp(text, "today") || !strcmp(text, "yesterday")) {
        *start = (local_day - (text[0] == 'y' ? 1 : 0)) * 86400000;
        *end = *start + 86400000;
    } else if (slow_weekday(text, local_day, start)) {
        *end = *start + 86400000;
    } else if (text[0] == '-') {
        int64_t back = atoll(text + 1) * (strchr(text, 'd') ? 86400000 : 3600000);
        *start = calendar ? (now + zone * 60000 - back) / 86400000 * 86400000 : now - back;
        *end = *start + (calendar ? 86400000 : 1);
        zone = 0;
    } else {
        int n = sscanf(text, "%d-%d-%dT%d:%d:%d.%d", &year, &month, &day, &hour, &minute, &second, &ms);
        *start = slow_seconds(year, month, day, hour * 3600 + minute * 60 + second) * 1000 + ms;
        *end = n == 1   ? slow_seconds(year + 1, 1, 1, 0) * 1000
               : n == 2 ? slow_seconds(year, month + 1, 1, 0) * 1000
               : n == 3 ? slow_seconds(year, month, day + 1, 0) * 1000
               : n == 5 ? *start + 60000
               : n == 6 ? *start + 1000
                        : *start + 1;
        const char *clock = strchr(text, 'T'), *sign = clock ? strpbrk(clock, "Z+-") : NULL;
        int hours = 0, rest = 0;
        if (sign && *sign != 'Z')
            used = sscanf(sign + 1, "%d:%d", &hours, &rest);
        if (sign) {
            zone = (*sign == '-' ? -1 : 1) * (hours * 60 + rest);
            *start -= zone * 60000;
            *end -= zone * 60000;
            zone = 0;
        }
    }
    (void)used;
    if (!calendar) {
        *start -= zone * 60000;
        *end -= zone * 60000;
    }
}

/* Hours and days counted back are of the clock, not of a calendar. */
static bool slow_counts_back(const struct query_value *value) {
    return (value->low.text && value->low.text[0] == '-') || (value->high.text && value->high.text[0] == '-');
}

static bool slow_time(const struct slow *s, const struct query_node *node, bool there, int64_t at, bool whole) {
    bool calendar;
    for (size_t i = 0; there && i < node->n_values; i++) {
        const struct query_value *value = &node->values[i];
        int64_t from = 0, from_end = 0, to = 0, to_end = 0;
        calendar = whole && !(node->field == QUERY_CREATED_FIELD && slow_counts_back(value));
        if (value->low.text)
            slow_period(s, value->low.text, calendar, &from, &from_end);
        if (value->high.text)
            slow_period(s, value->high.text, calendar, &to, &to_end);
        int64_t day;
        bool days = value->is_range && value->low.text && value->high.text && slow_weekday(value->low.text, 7, &day) &&
                    slow_weekday(value->high.text, 7, &day);
        if (days && from > to)
            from -= INT64_C(7) * 86400000;
        bool holds;
        if (node->op == QUERY_OP_LT)
            holds = at < from;
        else if (node->op == QUERY_OP_LE)
            holds = at < from_end;
        else if (node->op == QUERY_OP_GT)
            holds = at >= from_end;
        else if (node->op == QUERY_OP_GE)
            holds = at >= from;
        else if (value->is_range)
            holds = (!value->low.text || at >= from) && (!value->high.text || at < to_end);
        else
            holds = at >= from && at < from_end;
        if (holds)
            return true;
    }
    return false;
}

static int64_t slow_age_ms(const char *text) {
    int64_t number = atoll(text);
    return number * (strchr(text, 'd') ? 86400000 : strchr(text, 'h') ? 3600000 : 60000);
}

static bool slow_age(const struct slow *s, const struct query_node *node) {
    const struct value_time *at = &s->intent->created_at;
    int64_t age = s->context->now - at->ms;
    for (size_t i = 0; at->state == VALUE_OK && i < node->n_values; i++) {
        const struct query_value *value = &node->values[i];
        int64_t low = value->low.text ? slow_age_ms(value->low.text) : INT64_MIN;
        int64_t high = value->high.text ? slow_age_ms(value->high.text) : INT64_MAX;
        if (!value->is_range && value->low.text)
            high = low + (strchr(value->low.text, 'd') ? 86400000 : strchr(value->low.text, 'h') ? 3600000 : 60000) - 1;
        bool holds = node->op == QUERY_OP_LT   ? age < low
                     : node->op == QUERY_OP_LE ? age <= low
                     : node->op == QUERY_OP_GT ? age > low
                     : node->op == QUERY_OP_GE ? age >= low
                                               : age >= low && age <= high;
        if (holds)
            return true;
    }
    return false;
}

/* The clock on the wall where the reader is; a time without a zone is read off as it is written. */
static bool slow_clock(const struct slow *s, const struct query_node *node, bool hour) {
    const struct value_time *at = &s->intent->created_at;
    char words[16][16];
    size_t n = 0;
    struct tm tm;
    if (at->state != VALUE_OK)
        return false;
    time_t second = (time_t)((at->ms - ((at->ms % 1000) + 1000) % 1000) / 1000);
    second += at->text[0] == '2' ? 0 : s->zone_minutes * 60;
    gmtime_r(&second, &tm);
    if (hour) {
        (void)strftime(words[n++], sizeof *words, "%H", &tm);
        snprintf(words[n++], sizeof *words, "%d", tm.tm_hour);
    } else {
        char name[16];
        size_t len = strftime(name, sizeof name, "%A", &tm);
        for (size_t cut = 3; cut <= len; cut++)
            snprintf(words[n++], sizeof *words, "%.*s", (int)cut, name);
    }
    for (size_t i = 0; i < n; i++) {
        struct value_text text = {.state = VALUE_OK, .text = words[i]};
        if (slow_texts(node, &text, "whole", false))
            return true;
    }
    return false;
}

static bool slow_date(const struct slow *s, const struct query_node *node, const struct value_text *value) {
    int64_t ms = 0;
    bool there = has_text(value) && strlen(value->text) == 10 && clock_parse(value->text, 10, &ms);
    return slow_time(s, node, there, ms, true);
}

static bool slow_is(const struct value_text *value, const char *word) {
    return value->state == VALUE_OK && !strcmp(value->text, word);
}

static bool slow_says(const struct value_text *value) {
    return value->state == VALUE_OK && value->text[0];
}

/* 1: the settled ones of type intent come to the amount, 0: not, -1: they cannot be added. In two halves of 32 bits. */
static int slow_adds_up(const struct intent *i) {
    int64_t high = 0, low = 0, n = 0;
    if (i->amount.state != VALUE_OK || !slow_says(&i->currency) || i->transactions_state != VALUE_OK)
        return -1;
    for (size_t t = 0; t < i->n_transactions; t++) {
        const struct transaction *tx = &i->transactions[t];
        bool here = slow_says(&tx->direction), there = slow_says(&i->direction);
        if (!slow_says(&tx->type))
            return -1;
        if (strcmp(tx->type.text, "intent") != 0)
            continue;
        if (!slow_is(&tx->status, "settled") || tx->amount.state != VALUE_OK ||
            !slow_is(&tx->currency, i->currency.text) || here != there ||
            (here && strcmp(tx->direction.text, i->direction.text) != 0) ||
            (!here && (tx->direction.state == VALUE_ODD || i->direction.state == VALUE_ODD)))
            return -1;
        high += tx->amount.number >> 32;
        low += tx->amount.number & 0xFFFFFFFF;
        n++;
    }
    return n == 0
               ? -1
               : high + (low >> 32) == i->amount.number >> 32 && (low & 0xFFFFFFFF) == (i->amount.number & 0xFFFFFFFF);
}

static bool slow_foreign(const struct intent *i) {
    for (size_t t = 0; t < i->n_transactions; t++)
        if (slow_says(&i->currency) && slow_says(&i->transactions[t].currency) &&
            strcasecmp(i->currency.text, i->transactions[t].currency.text) != 0)
            return true;
    return false;
}

static bool slow_unsettled(const struct slow *s) {
    const struct intent *i = s->intent;
    int64_t hours = i->created_at.text && i->created_at.text[0] == '2' ? 36 : 24; /* one that names no zone */
    for (size_t t = 0; t < i->n_transactions; t++)
        if (!slow_says(&i->transactions[t].status) || slow_is(&i->transactions[t].status, "settled"))
            return false;
    return slow_is(&i->status, "approved") && i->transactions_state == VALUE_OK && i->created_at.state == VALUE_OK &&
           s->context->now - i->created_at.ms > hours * 3600000;
}

static bool slow_expired(const struct intent *i) {
    int year, month, day, end = 0;
    const struct value_text *date = &i->credential.expiration;
    if (date->state != VALUE_OK || i->created_at.state != VALUE_OK ||
        sscanf(date->text, "%4d-%2d-%2d%n", &year, &month, &day, &end) != 3 || end != 10)
        return false;
    int64_t hours = i->created_at.text && i->created_at.text[0] == '2' ? 26 : 12; /* one that names no zone */
    return i->created_at.ms >= slow_seconds(year, month, day + 1, 0) * 1000 + hours * 3600000;
}

static bool slow_finding(const struct slow *s, const char *name) {
    const struct intent *i = s->intent;
    static const char *const statuses[] = {"created", "approved", "declined", "pending", "canceled"};
    if (!strcmp(name, "sum"))
        return slow_adds_up(i) == 0;
    if (!strcmp(name, "currency"))
        return slow_foreign(i);
    if (!strcmp(name, "guarantee"))
        return i->amount.state == VALUE_OK && i->amount.number >= 0 && slow_says(&i->currency) &&
               i->guarantee_amount.state == VALUE_OK && i->guarantee_amount.number > i->amount.number;
    if (!strcmp(name, "source"))
        return s->across & FINDING_BIT(FINDING_SOURCE);
    if (!strcmp(name, "twice"))
        return s->across & FINDING_BIT(FINDING_TWICE);
    if (!strcmp(name, "decline"))
        return slow_is(&i->status, "declined") && (!has_text(&i->decline_category) || !*i->decline_category.text);
    if (!strcmp(name, "unsettled"))
        return slow_unsettled(s);
    if (!strcmp(name, "credential"))
        return i->credential.is_archived.on || slow_expired(i);
    if (strcmp(name, "unknown") != 0)
        abort();
    bool status = !has_text(&i->status), type = !has_text(&i->type);
    for (size_t n = 0; n < COUNT_OF(statuses); n++)
        status = status || slow_is(&i->status, statuses[n]);
    type = type || slow_is(&i->type, "primary") || slow_is(&i->type, "card_only");
    return !status || !type;
}

static bool slow_any_finding(const struct slow *s) {
    bool any = false;
    for (size_t i = 0; query_field_known(QUERY_FINDING_FIELD, i); i++)
        any = any || slow_finding(s, query_field_known(QUERY_FINDING_FIELD, i));
    return any;
}

/* Whether the number at the end of an id, as make_id writes it, is one that rows_notes notes something on. */
static bool slow_ending(const struct value_text *id, unsigned divisor) {
    size_t len = id->state == VALUE_OK ? strlen(id->text) : 0;
    return len > 3 && strtoul(id->text + len - 3, NULL, 16) % divisor == 0;
}

static bool slow_flag(const struct slow *s, const char *name) {
    const struct intent *i = s->intent;
    if (!strcmp(name, "dispute"))
        return i->dispute == VALUE_OK || i->dispute == VALUE_ODD;
    if (!strcmp(name, "refund"))
        return i->refund == VALUE_OK || i->refund == VALUE_ODD;
    if (!strcmp(name, "decline"))
        return has_text(&i->decline_category);
    const struct {
        const char *name;
        const struct value_text *value;
    } texts[] = {{"status", &i->status},
                 {"type", &i->type},
                 {"rail", &i->rail},
                 {"currency", &i->currency},
                 {"user", &i->user_id},
                 {"brand", &i->credential.brand},
                 {"bank", &i->credential.bank_name}};
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        if (!strcmp(name, texts[t].name))
            return has_text(texts[t].value);
    if (!strcmp(name, "amount") || !strcmp(name, "guarantee"))
        return (name[0] == 'a' ? i->amount : i->guarantee_amount).state == VALUE_OK;
    if (!strcmp(name, "transactions"))
        return i->n_transactions > 0;
    if (!strcmp(name, "credential"))
        return i->credential.state == VALUE_OK;
    if (!strcmp(name, "unknown"))
        return i->unknown > 0;
    if (!strcmp(name, "new"))
        return s->seen.first > s->context->last_visit;
    if (!strcmp(name, "changed"))
        return s->seen.changed != CLOCK_NONE && s->seen.changed > s->context->last_visit;
    if (!strcmp(name, "stale"))
        return s->seen.confirmed != CLOCK_NONE && llabs(s->context->now - s->seen.confirmed) > 24 * 3600 * 1000;
    if (!strcmp(name, "archived"))
        return i->credential.is_archived.on;
    if (!strcmp(name, "finding"))
        return slow_any_finding(s);
    if (!strcmp(name, "handover"))
        return slow_ending(&s->intent->id, 3) || slow_ending(&s->intent->id, 17);
    if (!strcmp(name, "note"))
        return slow_ending(&i->id, 5) || slow_ending(&i->user_id, 13);
    return !strcmp(name, "marked") && s->marked;
}

/* The tags of rows_notes: vip on users, fraud on intents. */
static bool slow_tags(const struct slow *s, const struct query_node *node) {
    const struct value_text vip = {.state = VALUE_OK, .text = "vip"}, fraud = {.state = VALUE_OK, .text = "fraud"};
    return (slow_ending(&s->intent->user_id, 7) && slow_texts(node, &vip, "whole", false)) ||
           (slow_ending(&s->intent->id, 11) && slow_texts(node, &fraud, "whole", false));
}

static bool slow_notes(const struct slow *s, const struct query_node *node) {
    const struct value_text called = {.state = VALUE_OK, .text = "called"},
                            moved = {.state = VALUE_OK, .text = "moved"};
    return (slow_ending(&s->intent->id, 5) && slow_texts(node, &called, "part", false)) ||
           (slow_ending(&s->intent->user_id, 13) && slow_texts(node, &moved, "part", false));
}

static bool slow_handed(const struct slow *s, const struct query_node *node) {
    const struct value_text lee = {.state = VALUE_OK, .text = "lee"}, me = {.state = VALUE_OK, .text = "me"},
                            ben = {.state = VALUE_OK, .text = "Ben"};
    return (slow_ending(&s->intent->id, 3) &&
            (slow_texts(node, &lee, "whole", false) || slow_texts(node, &me, "whole", false))) ||
           (slow_ending(&s->intent->id, 17) && slow_texts(node, &ben, "whole", false));
}

static bool slow_transition(const struct slow *s, const struct query_node *node) {
    static const char *const states[] = {"created", "approved", "declined", "pending", "canceled", "other", "none"};
    char name[64];
    for (size_t from = 0; from < COUNT_OF(states); from++) {
        for (size_t to = 0; to < COUNT_OF(states); to++) {
            const struct value_text text = {.state = VALUE_OK, .text = name};
            snprintf(name, sizeof name, "%s-%s", states[from], states[to]);
            if (s->seen.transitions >> (7 * from + to) & 1 && slow_texts(node, &text, "whole", false))
                return true;
        }
    }
    return false;
}

static bool slow_any_text(const struct query_node *node, const struct value_text *const *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (slow_text(values[i], node->values->text, "part", false))
            return true;
    return false;
}

static bool slow_search(const struct slow *s, const struct query_node *node) {
    const struct intent *i = s->intent;
    const struct credential *c = &i->credential;
    const struct value_text *const values[] = {
        &i->id,           &i->status,           &i->type,        &i->direction, &i->rail,
        &i->currency,     &i->decline_category, &i->user_id,     &c->id,        &c->brand,
        &c->bank_name,    &c->pan_mask,         &c->number_mask, &c->routing,   &i->account.type,
        &i->account.name, &i->account.id};
    if (slow_any_text(node, values, COUNT_OF(values)))
        return true;
    for (size_t t = 0; t < i->n_transactions; t++) {
        const struct transaction *tx = &i->transactions[t];
        const struct value_text *const texts[] = {&tx->id, &tx->source_id, &tx->status, &tx->type};
        if (slow_any_text(node, texts, COUNT_OF(texts)))
            return true;
    }
    return false;
}

static bool slow_transactions(const struct slow *s, const struct query_node *node) {
    const char *name = query_field(node->field)->name;
    bool any = false;
    size_t numbers = 0, equal = 0;
    for (size_t t = 0; t < s->intent->n_transactions; t++) {
        const struct transaction *tx = &s->intent->transactions[t];
        if (!strcmp(name, "tx.status"))
            any = any || slow_texts(node, &tx->status, "whole", false);
        else if (!strcmp(name, "tx.type"))
            any = any || slow_texts(node, &tx->type, "whole", false);
        else if (!strcmp(name, "tx.id"))
            any = any || slow_texts(node, &tx->id, "prefix", true);
        else if (!strcmp(name, "source"))
            any = any || slow_texts(node, &tx->source_id, "prefix", true);
        else if (!strcmp(name, "tx.date"))
            any = any || slow_date(s, node, &tx->date);
        else if (tx->amount.state == VALUE_OK) {
            numbers++;
            equal += slow_any_number(s, node, &tx->currency, tx->amount.number) ? 1 : 0;
        }
    }
    if (!strcmp(name, "tx.amount"))
        return node->op == QUERY_OP_NE ? numbers > 0 && equal == 0 : equal > 0;
    return any;
}

static bool slow_term(const struct slow *s, const struct query_node *node) {
    const struct intent *i = s->intent;
    const struct credential *c = &i->credential;
    const struct {
        const char *name;
        const struct value_text *value;
        const char *colon;
        bool exact;
    } texts[] = {
        {"status", &i->status, "whole", false},
        {"type", &i->type, "whole", false},
        {"direction", &i->direction, "whole", false},
        {"rail", &i->rail, "whole", false},
        {"currency", &i->currency, "whole", false},
        {"decline", &i->decline_category, "whole", false},
        {"brand", &c->brand, "whole", false},
        {"account", &i->account.type, "whole", false},
        {"id", &i->id, "prefix", true},
        {"user", &i->user_id, "prefix", true},
        {"credential", &c->id, "prefix", true},
        {"bank", &c->bank_name, "part", false},
        {"account.name", &i->account.name, "part", false},
        {"account.id", &i->account.id, "prefix", true},
        {"mask", &c->pan_mask, "suffix", false},
        {"mask", &c->number_mask, "suffix", false},
        {"routing", &c->routing, "prefix", false},
    };
    const char *name = query_field(node->field)->name;
    bool found = false, any = false;
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        if (!strcmp(texts[t].name, name)) {
            found = true;
            any = any || slow_texts(node, texts[t].value, texts[t].colon, texts[t].exact);
        }
    if (found)
        return any;
    if (!strcmp(name, "amount") || !strcmp(name, "guarantee"))
        return slow_number(s, node, name[0] == 'a' ? &i->amount : &i->guarantee_amount);
    if (!strcmp(name, "age"))
        return slow_age(s, node);
    if (!strcmp(name, "created"))
        return slow_time(s, node, i->created_at.state == VALUE_OK, i->created_at.ms, i->created_at.text[0] == '2');
    if (!strcmp(name, "hour") || !strcmp(name, "weekday"))
        return slow_clock(s, node, name[0] == 'h');
    if (!strcmp(name, "expires"))
        return slow_date(s, node, &c->expiration);
    bool finding = node->field == QUERY_FINDING_FIELD;
    for (size_t v = 0; finding || node->field == QUERY_HAS_FIELD || node->field == QUERY_IS_FIELD; v++) {
        if (v == node->n_values)
            return false;
        if ((finding ? slow_finding : slow_flag)(s, query_flag_info(node->values[v].flag)->name))
            return true;
    }
    if (node->field == QUERY_TRANSITION_FIELD)
        return slow_transition(s, node);
    if (node->field == QUERY_NOTE_FIELD)
        return slow_notes(s, node);
    if (node->field == QUERY_HANDED_FIELD)
        return slow_handed(s, node);
    return node->field == QUERY_TAG_FIELD ? slow_tags(s, node) : slow_transactions(s, node);
}

static inline bool slow_match(const struct slow *s, const struct query_node *node) {
    bool any = false, all = true;
    if (!node)
        return true;
    for (const struct query_node *child = node->first; child; child = child->next) {
        bool holds = slow_match(s, child);
        any = any || holds;
        all = all && holds;
    }
    if (node->kind == QUERY_ALL)
        return all;
    if (node->kind == QUERY_ANY)
        return any;
    if (node->kind == QUERY_NOT)
        return !any;
    if (node->kind == QUERY_SEARCH)
        return slow_search(s, node);
    bool negated = node->op == QUERY_OP_NE && query_field(node->field)->type != QUERY_NUMBER;
    return slow_term(s, node) != negated;
}

#endif
