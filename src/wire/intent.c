#include "wire/page.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "decode.h"
#include "says.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ODD_MAX = 1024, TRANSACTIONS_MAX = 10000, LEVELS_MAX = 4, EPOCH_DIGITS_MIN = 9 };

/* The raw elements of the transactions, found in one pass however many of them are asked for. */
struct elements {
    struct wire_walk walk;
    struct wire_slice now; /* number n - 1 */
    size_t n;
    bool open;
};

/* An object of the intent that is being read, and how to find its raw text again, which only values of another kind
 * need. */
struct owner {
    struct intent *intent;
    const struct owner *up; /* NULL: the intent itself, or an element */
    const char *name;       /* in the owner above */
    struct elements *list;  /* of an element, with its index */
    size_t index;
    json_t *object;
    size_t known; /* members read so far that the document names */
};

/* Elements are asked for in their order. */
static bool raw_element(const struct owner *owner, struct wire_slice *out) {
    struct elements *list = owner->list;
    struct wire_slice array, whole = {owner->intent->raw, owner->intent->raw_len};
    if (!list->open) {
        list->open = true;
        if (!wire_find(whole, "transactions", strlen("transactions"), &array) || !wire_each_begin(&list->walk, array))
            return false;
    }
    for (; list->n <= owner->index; list->n++)
        if (!wire_each_next(&list->walk, &list->now))
            return false;
    *out = list->now;
    return true;
}

static bool raw_of(const struct owner *owner, struct wire_slice *out) {
    const struct owner *chain[LEVELS_MAX];
    size_t n = 0;
    bool found = true;
    if (owner->list)
        return raw_element(owner, out);
    *out = (struct wire_slice){owner->intent->raw, owner->intent->raw_len};
    for (; owner->up && n < LEVELS_MAX; owner = owner->up)
        chain[n++] = owner;
    while (found && n-- > 0)
        found = wire_find(*out, chain[n]->name, strlen(chain[n]->name), out);
    return found;
}

/* The JSON as served. */
static const char *odd(const struct owner *owner, const char *name) {
    struct wire_slice raw;
    if (!raw_of(owner, &raw) || (name && !wire_find(raw, name, strlen(name), &raw)))
        return "?";
    return wire_clean(&owner->intent->arena, raw.s, raw.len, ODD_MAX);
}

static json_t *member(struct owner *owner, const char *name) {
    json_t *value = json_object_get(owner->object, name);
    owner->known += value != NULL;
    return value;
}

/* ABSENT, NULL, or OK for anything else. */
static enum value_state wire_intent_state_of(const json_t *value) {
    return !value ? VALUE_ABSENT : json_is_null(value) ? VALUE_NULL : VALUE_OK;
}

static const char *digits_of(struct arena *arena, const json_t *value) {
    char digits[32];
    const char *literal = wire_literal(value);
    if (literal)
        return wire_clean(arena, literal, strlen(literal), ODD_MAX);
    int len = snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return arena_dup_n(arena, digits, (size_t)len);
}

static const char *string_of(struct arena *arena, const json_t *value) {
    return wire_clean(arena, json_string_value(value), json_string_length(value), WIRE_STRING_MAX);
}

static bool wire_intent_is_number(const json_t *value) {
    return json_is_integer(value) || wire_literal(value);
}

static void wire_intent_read_text(struct owner *owner, const char *name, struct value_text *out) {
    const json_t *value = member(owner, name);
    out->state = wire_intent_state_of(value);
    if (wire_is_string(value)) {
        size_t len = json_string_length(value);
        out->text = string_of(&owner->intent->arena, value);
        bool whole = len <= WIRE_STRING_MAX && strlen(json_string_value(value)) == len;
        if (whole && !str_equal(out->text, json_string_value(value)))
            out->exact = arena_dup_n(&owner->intent->arena, json_string_value(value), len);
    } else if (out->state == VALUE_OK) {
        out->state = VALUE_ODD;
        out->text = odd(owner, name);
    }
}

/* Ids, masks and routing numbers are texts even where they are served as numbers. */
static void read_id(struct owner *owner, const char *name, struct value_text *out) {
    const json_t *value = json_object_get(owner->object, name);
    if (!wire_intent_is_number(value)) {
        wire_intent_read_text(owner, name, out);
        return;
    }
    owner->known++;
    *out = (struct value_text){.state = VALUE_OK, .text = digits_of(&owner->intent->arena, value)};
}

static void read_identity(struct owner *owner, const char *name, struct value_text *out) {
    const json_t *value = json_object_get(owner->object, name);
    read_id(owner, name, out);
    if (wire_is_string(value) && out->state == VALUE_OK)
        out->text = wire_clean_id(&owner->intent->arena, json_string_value(value), json_string_length(value));
}

/* An integer, or a string that is one. */
static bool whole_number(struct arena *arena, const json_t *value, struct value_number *out) {
    long long number;
    const char *text = wire_literal(value);
    if (!text && wire_is_string(value) && strlen(json_string_value(value)) == json_string_length(value))
        text = json_string_value(value);
    if (json_is_integer(value)) {
        *out = (struct value_number){
            .state = VALUE_OK, .number = json_integer_value(value), .text = digits_of(arena, value)};
        return true;
    }
    if (!text || !str_to_int64(text, strlen(text), &number))
        return false;
    *out = (struct value_number){.state = VALUE_OK, .number = number, .text = arena_dup_n(arena, text, strlen(text))};
    return true;
}

/* An inner currency beside an outer one. */
enum match { SAME, FILLS, CONFLICT };

/* An empty currency inside says nothing; one that is no text cannot be compared. */
static enum match match_currency(struct arena *arena, const json_t *inner, const struct value_text *outer) {
    if (!inner || json_is_null(inner) || (json_is_string(inner) && json_string_length(inner) == 0))
        return SAME;
    if (!wire_is_string(inner))
        return CONFLICT;
    if (outer->state == VALUE_ABSENT || outer->state == VALUE_NULL)
        return FILLS;
    return outer->state == VALUE_OK && str_equal(outer->text, string_of(arena, inner)) ? SAME : CONFLICT;
}

/* Of all members that name it: they have to agree. */
static enum match find_unit(struct owner *money, const struct value_text *outer, const char **unit) {
    static const char *const NAMES[] = {"currency", "currency_code", "iso_currency", "currency_iso_code", "ccy"};
    enum match match = SAME;
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        const json_t *inner = says_member(money->object, NAMES[i]);
        enum match one = match_currency(&money->intent->arena, inner, outer);
        const char *text = one == FILLS ? string_of(&money->intent->arena, inner) : *unit;
        money->known += inner != NULL;
        if (one == CONFLICT || (*unit && !str_equal(*unit, text)))
            return CONFLICT;
        match = one == FILLS ? FILLS : match;
        *unit = text;
    }
    return match;
}

/* Reads one of two spellings; where both are there they have to agree. */
static bool money_number(struct owner *money, struct value_number *out) {
    struct arena *arena = &money->intent->arena;
    const json_t *amount = member(money, "amount"), *value = member(money, "value");
    struct value_number other;
    if (!whole_number(arena, amount ? amount : value, out))
        return false;
    return !amount || !value || (whole_number(arena, value, &other) && other.number == out->number);
}

/* A member that says in which unit the number is: the profile says it too, and which of them holds is not to be
 * guessed.
 */
static bool tells_unit(const struct owner *money) {
    static const char *const WORDS[] = {"exponent", "scale",  "decimal", "precision", "unit",
                                        "minor",    "factor", "divisor", "multiplier"};
    const char *name;
    json_t *value;
    json_object_foreach(money->object, name, value) {
        for (size_t i = 0; i < COUNT_OF(WORDS); i++)
            if (ascii_find(name, WORDS[i]) && !json_is_null(value))
                return true;
    }
    return false;
}

/* {amount|value, currency}. An amount with two different currencies is a conflict, and so is one that names its unit:
 * it is shown as served and never summed. The currency inside an intent's amount replaces one that is absent or null
 * beside it; that of any other amount counts only for that amount. */
static bool money_object(struct owner *owner, json_t *value, struct value_number *out, struct value_text *currency,
                         bool fills) {
    struct owner money = {.intent = owner->intent, .object = value};
    const char *unit = NULL;
    enum match match = find_unit(&money, currency, &unit);
    if (!money_number(&money, out) || match == CONFLICT || tells_unit(&money))
        return false;
    if (match == FILLS && fills)
        *currency = (struct value_text){.state = VALUE_OK, .text = unit};
    else if (match == FILLS)
        out->currency = unit;
    owner->intent->unknown += json_object_size(value) - money.known;
    return true;
}

static void read_money(struct owner *owner, const char *name, struct value_number *out, struct value_text *currency,
                       bool fills) {
    json_t *value = member(owner, name);
    *out = (struct value_number){.state = wire_intent_state_of(value)};
    if (out->state != VALUE_OK || whole_number(&owner->intent->arena, value, out))
        return;
    if (json_is_object(value) && money_object(owner, value, out, currency, fills))
        return;
    const char *literal = wire_literal(value);
    *out = (struct value_number){.state = VALUE_ODD};
    out->text = literal ? digits_of(&owner->intent->arena, value) : odd(owner, name);
}

/* A date and time as text, or a count of seconds or milliseconds, also as text. */
static bool wire_intent_time_of(const json_t *value, int64_t *ms) {
    long long number;
    if (json_is_integer(value))
        return clock_from_epoch(json_integer_value(value), ms);
    if (!wire_is_string(value))
        return false;
    const char *text = json_string_value(value);
    size_t len = json_string_length(value);
    return clock_parse_served(text, len, ms) ||
           (len >= EPOCH_DIGITS_MIN && str_to_int64(text, len, &number) && clock_from_epoch(number, ms));
}

static void wire_intent_read_time(struct owner *owner, const char *name, struct value_time *out) {
    const json_t *value = member(owner, name);
    *out = (struct value_time){wire_intent_state_of(value), CLOCK_NONE, NULL};
    if (out->state != VALUE_OK)
        return;
    if (!wire_intent_time_of(value, &out->ms)) {
        out->state = VALUE_ODD;
        out->ms = CLOCK_NONE;
    }
    if (wire_is_string(value))
        out->text = string_of(&owner->intent->arena, value);
    else
        out->text = wire_intent_is_number(value) ? digits_of(&owner->intent->arena, value) : odd(owner, name);
}

static void wire_intent_read_flag(struct owner *owner, const char *name, struct value_flag *out) {
    const json_t *value = member(owner, name);
    *out = (struct value_flag){.state = wire_intent_state_of(value)};
    if (out->state != VALUE_OK)
        return;
    out->on = json_is_true(value);
    if (json_is_boolean(value)) {
        out->text = out->on ? "true" : "false";
    } else {
        out->state = VALUE_ODD;
        out->text = odd(owner, name);
    }
}

static void wire_intent_count_unknown(const struct owner *owner) {
    owner->intent->unknown += json_object_size(owner->object) - owner->known;
}

/* An object below owner; false, with the state, where there is none. */
static bool wire_intent_below(struct owner *owner, const char *name, struct owner *out, enum value_state *state) {
    json_t *value = member(owner, name);
    *state = wire_intent_state_of(value);
    *out = (struct owner){.intent = owner->intent, .up = owner, .name = name, .object = value};
    if (*state == VALUE_OK && !json_is_object(value))
        *state = VALUE_ODD;
    return *state == VALUE_OK;
}

/* A part that cannot be shown as absent or null counts as unknown where it is no object: the raw view has it. */
static bool wire_intent_part(struct owner *owner, const char *name, struct owner *out) {
    enum value_state state;
    bool there = wire_intent_below(owner, name, out, &state);
    owner->intent->unknown += state == VALUE_ODD;
    return there;
}

/* to: the structure that the field is in. currency: the one beside an amount. */
static void read_field(struct owner *owner, const struct field_info *field, void *to, struct value_text *currency) {
    void *value = (char *)to + field->at;
    switch (field->kind) {
    case FIELD_IDENTITY:
        read_identity(owner, field->name, value);
        break;
    case FIELD_ID:
        read_id(owner, field->name, value);
        break;
    case FIELD_TEXT:
        wire_intent_read_text(owner, field->name, value);
        break;
    case FIELD_TIME:
        wire_intent_read_time(owner, field->name, value);
        break;
    case FIELD_FLAG:
        wire_intent_read_flag(owner, field->name, value);
        break;
    case FIELD_MONEY:
    case FIELD_MONEY_BESIDE:
        read_money(owner, field->name, value, currency, field->kind == FIELD_MONEY);
        break;
    }
}

static bool wire_intent_is_money(const struct field_info *field) {
    return field->kind == FIELD_MONEY || field->kind == FIELD_MONEY_BESIDE;
}

/* Reads some of the fields of one object. An amount is compared with the currency beside it, so that is read first. */
static void wire_intent_read_fields(struct owner *owner, const struct field_info *fields, size_t n, void *to,
                                    struct value_text *currency) {
    bool money = false;
    for (size_t i = 0; i < n; i++)
        if (wire_intent_is_money(&fields[i]))
            money = true;
        else
            read_field(owner, &fields[i], to, currency);
    for (size_t i = 0; money && i < n; i++)
        if (wire_intent_is_money(&fields[i]))
            read_field(owner, &fields[i], to, currency);
}

/* Reads the fields of an intent that are in one object: they follow each other in the table. */
static void wire_intent_read_object(struct owner *owner, enum field_object object) {
    size_t first = 0, end = INTENT_FIELD_COUNT;
    while (first < end && INTENT_FIELDS[first].object != object)
        first++;
    while (INTENT_FIELDS[end - 1].object != object)
        end--;
    wire_intent_read_fields(owner, &INTENT_FIELDS[first], end - first, owner->intent, &owner->intent->currency);
}

static void read_part(struct owner *owner, const char *name, enum field_object object) {
    struct owner inner;
    if (wire_intent_part(owner, name, &inner)) {
        wire_intent_read_object(&inner, object);
        wire_intent_count_unknown(&inner);
    }
}

static void read_credential(struct owner *top) {
    struct owner owner;
    if (!wire_intent_below(top, "payment_credential", &owner, &top->intent->credential.state))
        return;
    wire_intent_read_object(&owner, FIELD_IN_CREDENTIAL);
    read_part(&owner, "account", FIELD_IN_BANK_ACCOUNT);
    read_part(&owner, "card", FIELD_IN_CARD);
    wire_intent_count_unknown(&owner);
}

static void read_account(struct owner *top) {
    struct owner owner;
    if (!wire_intent_below(top, "account", &owner, &top->intent->account.state))
        return;
    wire_intent_read_object(&owner, FIELD_IN_LEDGER);
    wire_intent_count_unknown(&owner);
}

static void read_transaction(struct owner *owner, struct transaction *to) {
    if (!json_is_object(owner->object)) {
        to->id = (struct value_text){.state = VALUE_ODD, .text = odd(owner, NULL)};
        to->created_at.ms = CLOCK_NONE;
        return;
    }
    wire_intent_read_fields(owner, TRANSACTION_FIELDS, TRANSACTION_FIELD_COUNT, to, &to->currency);
    wire_intent_count_unknown(owner);
}

static void wire_intent_read_transactions(struct owner *top) {
    struct intent *intent = top->intent;
    json_t *list = member(top, "transactions");
    struct elements elements = {0};
    intent->transactions_state = wire_intent_state_of(list);
    if (intent->transactions_state != VALUE_OK)
        return;
    size_t n = json_array_size(list);
    if (!json_is_array(list)) {
        intent->transactions_state = VALUE_ODD;
        intent->unknown++;
    } else if (n > TRANSACTIONS_MAX) {
        intent->broken = "more than 10,000 transactions";
    } else if (n > 0) {
        intent->transactions = arena_new(&intent->arena, n * sizeof *intent->transactions);
        intent->n_transactions = n;
    }
    for (size_t i = 0; i < intent->n_transactions; i++) {
        struct owner element = {.intent = intent, .list = &elements, .index = i, .object = json_array_get(list, i)};
        read_transaction(&element, &intent->transactions[i]);
    }
}

/* false, "" and [] mean that there is no such record (model/intent.h). */
static bool says_none(const json_t *value) {
    return json_is_false(value) || (json_is_string(value) && json_string_length(value) == 0) ||
           (json_is_array(value) && json_array_size(value) == 0);
}

/* The document does not show the fields of these records: only whether one is there is read, and its status where it
 * has one. */
static void wire_intent_read_record(struct owner *top, const char *name, enum value_state *state,
                                    struct value_text *status) {
    struct owner owner;
    if (!wire_intent_below(top, name, &owner, state)) {
        *state = says_none(owner.object) ? VALUE_NULL : *state;
        return;
    }
    const json_t *value = json_object_get(owner.object, "status");
    if (wire_is_string(value))
        *status = (struct value_text){.state = VALUE_OK, .text = string_of(&top->intent->arena, value)};
}

static void read_intent(struct owner *top) {
    struct intent *to = top->intent;
    wire_intent_read_object(top, FIELD_IN_INTENT);
    wire_intent_read_transactions(top);
    wire_intent_read_record(top, "dispute", &to->dispute, &to->dispute_status);
    wire_intent_read_record(top, "refund", &to->refund, &to->refund_status);
    read_credential(top);
    read_account(top);
    wire_intent_count_unknown(top);
}

/* The only thing read of a row that was not decoded: its id, unless it has two. */
static void wire_intent_find_id(struct intent *intent) {
    struct wire_slice id;
    struct str text;
    if (!wire_find_only((struct wire_slice){intent->raw, intent->raw_len}, "id", &id) || id.s[0] != '"')
        return;
    str_init(&text, id.len);
    wire_unescape(&text, id.s, id.len);
    intent->id = (struct value_text){.state = VALUE_OK, .text = wire_clean(&intent->arena, text.s, text.len, ODD_MAX)};
    str_clear(&text);
}

struct intent *wire_intent(const char *raw, size_t len) {
    struct intent *intent = intent_new();
    struct wire_fault fault;
    intent->raw = mem_dup_n(raw, len);
    intent->raw_len = len;
    json_t *object = wire_decode((struct wire_slice){intent->raw, len}, false, &fault);
    if (!object)
        intent->broken = fault.reason;
    else if (!json_is_object(object))
        intent->broken = "not an object";
    if (intent->broken) {
        wire_intent_find_id(intent);
    } else {
        struct owner top = {.intent = intent, .object = object};
        read_intent(&top);
    }
    json_decref(object);
    return intent;
}
