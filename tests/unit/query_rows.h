#ifndef TESTS_QUERY_ROWS_H
#define TESTS_QUERY_ROWS_H
/* Random intents and random filters that have something to do with each other, for the tests of query and index. */

#include "base/clock.h"
#include "model/cells.h"
#include "model/notes.h"
#include "query/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dice {
    uint64_t state;
};

static inline uint64_t roll(struct dice *dice) {
    dice->state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = dice->state;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static inline size_t below(struct dice *dice, size_t n) {
    return (size_t)(roll(dice) % n);
}

static inline bool one_in(struct dice *dice, size_t n) {
    return below(dice, n) == 0;
}

#define PICK(dice, list) (list)[below(dice, COUNT_OF(list))]

static const char *const some_status[] = {"created",  "approved", "declined", "pending",
                                          "canceled", "Declined", "on_hold"};
static const char *const some_type[] = {"primary", "card_only", "wallet"};
static const char *const some_words[] = {"cash_in", "card", "ach", "visa", "Caf\xC3\xA9", "card*", "settlement", ""};
static const char *const some_currency[] = {"EUR", "JPY", "KWD", "UYW", "XAU", "eur", "USDC"};
/* Of a profile; query_slow.h has it by itself. */
static const char *const some_exponents[] = {"USDC=6", NULL};
static const char *const some_text[] = {"Nord Bank",
                                        "Sparkasse M\xC3\xBCnster",
                                        "nordwind",
                                        "Bank \"A\" (x)",
                                        "\xE5\x8C\x97\xE8\xA1\x8C",
                                        "STRASSE",
                                        "Straße",
                                        "a,b|c"};
static const char *const some_ids[] = {"int_", "INT_", "usr_8F", "x\xC3\xA9", "tx_"};
static const char *const some_digits[] = {"1234", "4321", "0034", "99"};
static const char *const some_dates[] = {"2026-11-01", "2026-10-31", "2026-02-28", "2025-12-31", "11/27", "2026-11-27"};
/* Saturday 28 November 2026, 10:00 UTC */
#define ROWS_NOW INT64_C(1795860000000)
static const int64_t some_amounts[] = {0, 1, -1, 50, 100, 5000, 5010, 5049, 50100, INT64_MAX, INT64_MIN, -5010, 99};

static inline void set_text(struct dice *dice, struct value_text *value, const char *text) {
    static const enum value_state gone[] = {VALUE_ABSENT, VALUE_NULL, VALUE_ODD};
    value->state = one_in(dice, 8) ? PICK(dice, gone) : VALUE_OK;
    value->text = value->state == VALUE_OK ? text : value->state == VALUE_ODD ? "[1]" : NULL;
}

/* Text, or what came in its place, which is asked for and counted as it is shown. */
static inline bool has_text(const struct value_text *value) {
    return value->state == VALUE_OK || value->state == VALUE_ODD;
}

static inline const char *make_id(struct dice *dice, struct arena *arena) {
    char text[32];
    snprintf(text, sizeof text, "%s%03x", PICK(dice, some_ids), (unsigned)below(dice, 4096));
    return arena_dup_n(arena, text, strlen(text));
}

static inline void set_number(struct dice *dice, struct value_number *value) {
    value->state = one_in(dice, 8) ? VALUE_ODD : VALUE_OK;
    value->number = one_in(dice, 3) ? (int64_t)below(dice, 12000) : PICK(dice, some_amounts);
}

static inline int64_t some_moment(struct dice *dice) {
    static const int64_t days[] = {0, 1, 2, 7, 8, 30, 400};
    int64_t day = (ROWS_NOW / 86400000 - PICK(dice, days)) * 86400000;
    return one_in(dice, 3) ? day : day + (int64_t)below(dice, 86400000);
}

static inline void make_transactions(struct dice *dice, struct intent *intent) {
    static const char *const words[] = {"settled", "intent", "Open", "fee"};
    intent->n_transactions = one_in(dice, 3) ? 0 : below(dice, 3) + 1;
    intent->transactions = arena_new(&intent->arena, (intent->n_transactions + 1) * sizeof *intent->transactions);
    for (size_t i = 0; i < intent->n_transactions; i++) {
        struct transaction *tx = &intent->transactions[i];
        set_text(dice, &tx->id, make_id(dice, &intent->arena));
        bool same = intent->id.state == VALUE_OK && !one_in(dice, 3);
        set_text(dice, &tx->source_id, same ? intent->id.text : make_id(dice, &intent->arena));
        set_text(dice, &tx->status, PICK(dice, words));
        set_text(dice, &tx->type, PICK(dice, words));
        set_text(dice, &tx->date, PICK(dice, some_dates));
        set_text(dice, &tx->currency, PICK(dice, some_currency));
        set_number(dice, &tx->amount);
    }
}

/* Transactions that have something to do with the intent, of which most pairs of random ones have not. */
static inline void make_alike(struct dice *dice, struct intent *intent) {
    intent->transactions_state = one_in(dice, 8) ? VALUE_ODD : VALUE_OK;
    for (size_t i = 0; i < intent->n_transactions; i++) {
        struct transaction *tx = &intent->transactions[i];
        tx->direction = one_in(dice, 6) ? (struct value_text){.state = VALUE_ABSENT} : intent->direction;
        if (one_in(dice, 2))
            continue;
        tx->currency = intent->currency;
        tx->type = (struct value_text){.state = VALUE_OK, .text = one_in(dice, 5) ? "fee" : "intent"};
        tx->status = (struct value_text){.state = VALUE_OK, .text = one_in(dice, 5) ? "pending" : "settled"};
        if (one_in(dice, 2))
            tx->amount =
                (struct value_number){VALUE_OK, intent->amount.number / (int64_t)intent->n_transactions, "x", NULL};
    }
}

static inline struct intent *make_intent(struct dice *dice) {
    struct intent *intent = intent_new();
    struct credential *credential = &intent->credential;
    set_text(dice, &intent->id, make_id(dice, &intent->arena));
    if (intent->id.state == VALUE_ODD) /* cells leave it out: unit/model_cells */
        intent->id = (struct value_text){.state = VALUE_NULL, .text = NULL};
    set_text(dice, &intent->status, PICK(dice, some_status));
    set_text(dice, &intent->type, PICK(dice, some_type));
    set_text(dice, &intent->direction, PICK(dice, some_words));
    set_text(dice, &intent->rail, PICK(dice, some_words));
    set_text(dice, &intent->currency, PICK(dice, some_currency));
    set_text(dice, &intent->decline_category, PICK(dice, some_words));
    set_text(dice, &intent->user_id, make_id(dice, &intent->arena));
    set_text(dice, &credential->id, make_id(dice, &intent->arena));
    set_text(dice, &credential->brand, PICK(dice, some_words));
    set_text(dice, &credential->bank_name, PICK(dice, some_text));
    set_text(dice, &credential->pan_mask, PICK(dice, some_digits));
    set_text(dice, &credential->number_mask, PICK(dice, some_digits));
    set_text(dice, &credential->routing, PICK(dice, some_digits));
    set_text(dice, &credential->expiration, PICK(dice, some_dates));
    set_text(dice, &intent->account.type, PICK(dice, some_words));
    set_text(dice, &intent->account.name, PICK(dice, some_text));
    set_text(dice, &intent->account.id, make_id(dice, &intent->arena));
    set_number(dice, &intent->amount);
    set_number(dice, &intent->guarantee_amount);
    intent->created_at = (struct value_time){one_in(dice, 8) ? VALUE_ODD : VALUE_OK, some_moment(dice), "x"};
    if (intent->created_at.ms / 60000 % 3 == 1) /* one that names no zone */
        intent->created_at.text = "2026-11-01T10:00:00";
    intent->dispute = one_in(dice, 2) ? VALUE_OK : one_in(dice, 2) ? VALUE_NULL : VALUE_ODD;
    intent->refund = one_in(dice, 2) ? VALUE_OK : VALUE_NULL;
    credential->state = one_in(dice, 3) ? VALUE_NULL : VALUE_OK;
    credential->is_archived = (struct value_flag){VALUE_OK, one_in(dice, 2), NULL};
    intent->unknown = one_in(dice, 4) ? 1 : 0;
    make_transactions(dice, intent);
    make_alike(dice, intent);
    return intent;
}

/* Seen times of a row, and which changes of its status were: bit 7 * before + after, of the five statuses, others and
 * none. */
struct seen {
    int64_t first, confirmed, changed;
    uint64_t transitions;
};

static inline struct seen make_seen(struct dice *dice) {
    return (struct seen){some_moment(dice), one_in(dice, 5) ? CLOCK_NONE : some_moment(dice),
                         one_in(dice, 3) ? some_moment(dice) : CLOCK_NONE,
                         one_in(dice, 3) ? UINT64_C(1) << below(dice, 49) | UINT64_C(1) << below(dice, 49) : 0};
}

static inline void add_part(struct dice *dice, struct str *out, const char *text) {
    size_t len = strlen(text), from = len > 0 ? below(dice, len) : 0, n = len > from ? below(dice, len - from) + 1 : 0;
    /* Whole characters only. */
    while (from > 0 && ((unsigned char)text[from] & 0xC0) == 0x80)
        from--;
    while (from + n < len && ((unsigned char)text[from + n] & 0xC0) == 0x80)
        n++;
    str_add_char(out, '"');
    for (size_t i = from; i < from + n && i < len; i++) {
        if (text[i] == '"')
            str_add_char(out, '\\');
        str_add_char(out, text[i]);
    }
    str_add_char(out, '"');
}

static inline void add_number(struct dice *dice, struct str *out) {
    if (one_in(dice, 4))
        str_addf(out, "%s%zu.%0*zu", one_in(dice, 4) ? "-" : "", below(dice, 60), one_in(dice, 2) ? 2 : 3,
                 below(dice, 2) * 10);
    else if (one_in(dice, 3))
        str_addf(out, "%zu", below(dice, 12000));
    else
        str_addf(out, "%lld", (long long)PICK(dice, some_amounts));
}

static inline void add_time(struct dice *dice, struct str *out, bool instant) {
    static const char *const times[] = {"2026-11-01",
                                        "2026-10-31",
                                        "2026-11",
                                        "2026",
                                        "2025",
                                        "2026-11-28T10:30Z",
                                        "2026-11-27T23:59:59",
                                        "today",
                                        "yesterday",
                                        "tue",
                                        "Friday",
                                        "saturday",
                                        "2026-11-20T00:00:00.000Z",
                                        "2026-11-27T01:30+02:00"};
    static const char *const ago[] = {"-7d", "-24h", "-1h", "-30d"};
    str_add(out, instant && one_in(dice, 3) ? PICK(dice, ago) : PICK(dice, times));
}

/* Backwards is a fault, so the other way round must not be. */
static inline void add_closed(struct dice *dice, struct str *out, bool time) {
    static const struct query_options options = {.unit = MONEY_MINOR, .console = true};
    struct str low, high, term;
    struct query *query = NULL;
    str_init(&low, QUERY_TEXT_MAX);
    str_init(&high, QUERY_TEXT_MAX);
    str_init(&term, QUERY_TEXT_MAX);
    if (time) {
        add_time(dice, &low, true);
        add_time(dice, &high, true);
    } else {
        add_number(dice, &low);
        add_number(dice, &high);
    }
    str_addf(&term, "%s:%s..%s", time ? "created" : "amount", low.s, high.s);
    bool forwards = query_parse(term.s, &options, &query, NULL, NULL) == ERR_OK;
    str_addf(out, "%s..%s", forwards ? low.s : high.s, forwards ? high.s : low.s);
    query_free(query);
    str_clear(&low);
    str_clear(&high);
    str_clear(&term);
}

static inline void add_ordered(struct dice *dice, struct str *out, bool time, bool single) {
    bool range = !single && one_in(dice, 2);
    size_t open = range ? below(dice, 3) : 0;
    if (range && open == 0) {
        add_closed(dice, out, time);
        return;
    }
    str_add(out, open == 1 ? ".." : "");
    if (time)
        add_time(dice, out, range || single);
    else
        add_number(dice, out);
    str_add(out, open == 2 ? ".." : "");
}

static inline void add_term(struct dice *dice, struct str *out) {
    static const char *const words[] = {"status",  "type",  "direction", "rail",      "currency",
                                        "decline", "brand", "account",   "tx.status", "tx.type"};
    static const char *const ids[] = {"id", "user", "credential", "source", "tx.id", "account.id"};
    static const char *const texts[] = {"bank", "account.name", "mask", "routing"};
    static const char *const flags[] = {
        "has:dispute",       "has:refund",         "has:decline",      "has:transactions", "is:changed",
        "has:credential",    "has:unknown",        "is:new",           "is:stale",         "is:archived",
        "is:marked",         "has:refund,dispute", "has:status",       "has:type",         "has:rail",
        "has:currency",      "has:brand",          "has:bank",         "has:user",         "has:amount",
        "has:guarantee",     "has:note",           "has:note,dispute", "tag:vip",          "note:call",
        "note:OVE,xyz",      "notes!=called",      "note:*oved",       "tag!=vip",         "tag:fr*",
        "tag:FRAUD,vip",     "handed:me",          "handed:ben",       "handed!=lee",      "handed:le*",
        "handed:BEN,nobody", "has:handover",       "has:note,handover"};
    static const char *const findings[] = {"sum",       "currency",   "guarantee", "source", "decline",
                                           "unsettled", "credential", "twice",     "unknown"};
    static const char *const numbers[] = {"amount", "guarantee", "tx.amount"};
    static const char *const times[] = {"created", "tx.date", "expires"};
    static const char *const compare[] = {"<", "<=", ">", ">="};
    static const char *const equal[] = {":", "=", "!="};
    switch (below(dice, 8)) {
    case 0: {
        const char *field = PICK(dice, words);
        str_addf(out, "%s%s", field, PICK(dice, equal));
        for (size_t i = 0, n = below(dice, 3) + 1; i < n; i++) {
            static const char *const typed[] = {"declined",  "approved", "primary", "EUR",  "cafe",   "c*",
                                                "\"card*\"", "se*",      "settled", "OPEN", "card",   "on_hold",
                                                "\"\"",      "*ed",      "*ar*",    "*D",   "'card'", "*\"a\"*"};
            str_addf(out, "%s%s", i > 0 ? "," : "", PICK(dice, typed));
        }
        break;
    }
    case 1:
        str_addf(out, "%s%s%s", PICK(dice, ids), PICK(dice, equal), one_in(dice, 4) ? "*" : "");
        /* without its beginning: a part or an end of one */
        str_addf(out, "%s%.*x%s", PICK(dice, some_ids) + (one_in(dice, 3) ? 1 : 0), (int)below(dice, 3) + 1,
                 (unsigned)below(dice, 16), one_in(dice, 4) ? "*" : "");
        break;
    case 2: {
        const char *field = PICK(dice, texts);
        bool like = strcmp(field, "mask") == 0 || strcmp(field, "routing") == 0;
        str_addf(out, "%s%s", field, equal[below(dice, like ? 2 : 3)]);
        if (like)
            str_add(out, one_in(dice, 2) ? PICK(dice, some_digits) : "34");
        else
            add_part(dice, out, PICK(dice, some_text));
        break;
    }
    case 3:
        if (one_in(dice, 2))
            str_add(out, PICK(dice, flags));
        else if (one_in(dice, 6))
            str_add(out, one_in(dice, 2) ? "has:finding" : "finding!=sum,twice");
        else
            str_addf(out, "finding%s%s", PICK(dice, equal), PICK(dice, findings));
        break;
    case 6: {
        static const char *const clocks[] = {"hour:9",      "hour=09,10,23",   "hour!=0",      "hour:1*",
                                             "weekday:mon", "weekday=Tuesday", "weekday!=sat", "weekday:fr*",
                                             "weekday:t*",  "hour:7,8",        "hour:24",      "weekday:thurs,fri"};
        static const char *const transitions[] = {"transition:pending-approved",
                                                  "transition=PENDING-declined,created-other",
                                                  "transition:*-*",
                                                  "transition:pending-*",
                                                  "transition:*-none",
                                                  "transition:*ed-*"};
        str_add(out, one_in(dice, 3) ? PICK(dice, transitions) : PICK(dice, clocks));
        break;
    }
    case 4:
    case 5: {
        bool time = one_in(dice, 2), single = one_in(dice, 2), list = !single && one_in(dice, 3);
        const char *quote = list && (!time || one_in(dice, 2)) ? "\"" : "";
        str_addf(out, "%s%s%s", time ? PICK(dice, times) : PICK(dice, numbers),
                 single ? PICK(dice, compare) : PICK(dice, equal), quote);
        add_ordered(dice, out, time, single);
        str_add(out, quote);
        if (list) {
            str_addf(out, ",%s", quote);
            add_ordered(dice, out, time, single);
            str_add(out, quote);
        }
        break;
    }
    default: {
        char id[16];
        snprintf(id, sizeof id, "%02x", (unsigned)below(dice, 256));
        const char *const from[] = {PICK(dice, some_text), PICK(dice, some_words), PICK(dice, some_ids), id, "visa"};
        const char *text = PICK(dice, from);
        add_part(dice, out, *text ? text : "x");
    }
    }
}

static inline void add_filter(struct dice *dice, struct str *out, size_t depth) {
    size_t terms = below(dice, 3) + 1;
    for (size_t i = 0; i < terms; i++) {
        str_add(out, i == 0 ? "" : one_in(dice, 3) ? " | " : " ");
        str_add(out, one_in(dice, 4) ? "-" : "");
        if (depth > 0 && one_in(dice, 4)) {
            str_add_char(out, '(');
            add_filter(dice, out, depth - 1);
            str_add_char(out, ')');
        } else {
            add_term(dice, out);
        }
    }
}

/* Notes and tags on every few of the ids that make_id makes; query_slow.h knows which by their numbers. */
static inline const struct notes *rows_notes(void) {
    static struct notes *notes;
    char id[32];
    if (notes)
        return notes;
    notes = notes_new();
    for (unsigned i = 0; i < COUNT_OF(some_ids) * 4096; i++) {
        snprintf(id, sizeof id, "%s%03x", some_ids[i / 4096], i % 4096);
        if (i % 4096 % 5 == 0)
            notes_add(notes, &(struct note){NOTE_TEXT, NOTE_OF_INTENT, id, 1, "kim", "called"});
        if (i % 4096 % 13 == 0)
            notes_add(notes, &(struct note){NOTE_TEXT, NOTE_OF_USER, id, 2, "kim", "moved"});
        if (i % 4096 % 7 == 0)
            notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_USER, id, 3, "kim", "vip"});
        if (i % 4096 % 11 == 0)
            notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_INTENT, id, 4, "kim", "fraud"});
        if (i % 4096 % 3 == 0)
            notes_add(notes, &(struct note){NOTE_HANDOVER, NOTE_OF_INTENT, id, 5, "kim", "lee\t"});
        if (i % 4096 % 2 == 0) {
            notes_add(notes, &(struct note){NOTE_HANDOVER, NOTE_OF_INTENT, id, 6, "kim", "nobody\tdone"});
            notes_add(notes, &(struct note){NOTE_DONE, NOTE_OF_INTENT, id, 7, "nobody", "kim\t6"});
        }
        if (i % 4096 % 17 == 0)
            notes_add(notes, &(struct note){NOTE_HANDOVER, NOTE_OF_INTENT, id, 8, "kim", "Ben\tlook"});
    }
    notes_join(notes);
    notes_set_me(notes, "lee");
    return notes;
}

#endif
