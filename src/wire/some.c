#include "wire/page.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "scan.h"

#include <string.h>

/* Some fields of an intent that was decoded before, read in one pass over its text that ends with the last of them.
 * Only what stands there plainly is read here: clean text without escapes, integers in their
 * usual spelling, null. With anything else, and with an amount that could say something of the currency beside it, the
 * whole of it is decoded: so both ways give the same. */

enum { SOME_TEXT_MAX = 4096 };

/* The objects that fields are in; each stands in another one. */
static const struct part {
    const char *name;
    enum field_object in;
} PARTS[] = {
    [FIELD_IN_CREDENTIAL] = {"payment_credential", FIELD_IN_INTENT},
    [FIELD_IN_BANK_ACCOUNT] = {"account", FIELD_IN_CREDENTIAL},
    [FIELD_IN_CARD] = {"card", FIELD_IN_CREDENTIAL},
    [FIELD_IN_LEDGER] = {"account", FIELD_IN_INTENT},
};

struct some {
    struct intent *intent;
    struct wire_walk walk;
    uint64_t open; /* fields that were not met yet */
    enum field_object at;
};

static bool some_is_named(const struct some *some, const char *name) {
    return wire_string_is(some->walk.scan.s + some->walk.start, some->walk.end - some->walk.start, name, strlen(name));
}

/* The field of the key just met, or INTENT_FIELD_COUNT. */
static unsigned some_field(const struct some *some) {
    for (unsigned i = 0; i < INTENT_FIELD_COUNT; i++)
        if (INTENT_FIELDS[i].object == some->at && some->open & UINT64_C(1) << i &&
            some_is_named(some, INTENT_FIELDS[i].name))
            return i;
    return INTENT_FIELD_COUNT;
}

/* The object of the key just met, where it leads to fields that are wanted; FIELD_IN_INTENT: none. */
static enum field_object some_part(const struct some *some) {
    for (unsigned i = FIELD_IN_CREDENTIAL; i < COUNT_OF(PARTS); i++)
        if (PARTS[i].in == some->at && some_is_named(some, PARTS[i].name))
            return (enum field_object)i;
    return FIELD_IN_INTENT;
}

static bool some_is_plain(const char *s, size_t len) {
    return len <= SOME_TEXT_MAX && !memchr(s, '\\', len) && !memchr(s, '<', len) && utf8_is_clean(s, len);
}

static bool some_string(const struct some *some, enum field_kind kind, void *to, const char *s, size_t len) {
    int64_t ms;
    const char *text = arena_dup_n(&some->intent->arena, s, len);
    switch (kind) {
    case FIELD_IDENTITY:
    case FIELD_ID:
    case FIELD_TEXT:
        *(struct value_text *)to = (struct value_text){.state = VALUE_OK, .text = text};
        return true;
    case FIELD_TIME:
        if (!clock_parse_served(s, len, &ms))
            return false;
        *(struct value_time *)to = (struct value_time){VALUE_OK, ms, text};
        return true;
    default:
        return false;
    }
}

static bool some_number(const struct some *some, enum field_kind kind, void *to, const char *s, size_t len) {
    long long number;
    if (!some->walk.scan.plain || !str_to_int64(s, len, &number))
        return false;
    const char *text = arena_dup_n(&some->intent->arena, s, len);
    switch (kind) {
    case FIELD_MONEY:
    case FIELD_MONEY_BESIDE:
        *(struct value_number *)to = (struct value_number){.state = VALUE_OK, .number = number, .text = text};
        return true;
    case FIELD_IDENTITY:
    case FIELD_ID:
        *(struct value_text *)to = (struct value_text){.state = VALUE_OK, .text = text};
        return true;
    default:
        return false;
    }
}

static bool some_flag(enum field_kind kind, void *to, bool on) {
    if (kind == FIELD_FLAG)
        *(struct value_flag *)to = (struct value_flag){.state = VALUE_OK, .on = on, .text = on ? "true" : "false"};
    return kind == FIELD_FLAG;
}

/* Each kind of value begins with its state. */
static bool some_null(void *to) {
    *(enum value_state *)to = VALUE_NULL;
    return true;
}

static bool some_value(const struct some *some, unsigned field) {
    const struct wire_walk *walk = &some->walk;
    enum field_kind kind = INTENT_FIELDS[field].kind;
    void *to = (char *)some->intent + INTENT_FIELDS[field].at;
    const char *s = walk->scan.s + walk->start;
    size_t len = walk->end - walk->start;
    switch (walk->token) {
    case TOKEN_STRING:
        return some_is_plain(s + 1, len - 2) && some_string(some, kind, to, s + 1, len - 2);
    case TOKEN_NUMBER:
        return some_number(some, kind, to, s, len);
    case TOKEN_TRUE:
    case TOKEN_FALSE:
        return some_flag(kind, to, walk->token == TOKEN_TRUE);
    case TOKEN_NULL:
        return some_null(to);
    default:
        return false;
    }
}

/* The value of the key just met. False: it is not read here. */
static bool some_member(struct some *some) {
    unsigned field = some_field(some);
    enum field_object part = field < INTENT_FIELD_COUNT ? FIELD_IN_INTENT : some_part(some);
    enum wire_event event = wire_walk_next(&some->walk);
    if (field < INTENT_FIELD_COUNT) {
        some->open &= ~(UINT64_C(1) << field);
        return event == WALK_SCALAR && some_value(some, field);
    }
    if (event == WALK_OPEN && part != FIELD_IN_INTENT && some->walk.token == TOKEN_OPEN_OBJECT) {
        some->at = part;
        return true;
    }
    return event == WALK_SCALAR || (event == WALK_OPEN && wire_walk_leave(&some->walk));
}

static bool some_read(struct some *some) {
    bool good = wire_walk_next(&some->walk) == WALK_OPEN && some->walk.token == TOKEN_OPEN_OBJECT;
    while (good && some->open != 0) {
        enum wire_event event = wire_walk_next(&some->walk);
        if (event == WALK_KEY)
            good = some_member(some);
        else if (event == WALK_CLOSE && some->at == FIELD_IN_INTENT)
            return true;
        else if (event == WALK_CLOSE)
            some->at = PARTS[some->at].in;
        else
            good = false;
    }
    return good;
}

/* An amount may bring the currency along. */
static uint64_t with_amount(uint64_t fields) {
    return fields & INTENT_BIT(CURRENCY) ? fields | INTENT_BIT(AMOUNT) : fields;
}

struct intent *wire_intent_some(const char *raw, size_t len, uint64_t fields) {
    struct some some = {.intent = intent_new(), .open = with_amount(fields)};
    wire_walk_init(&some.walk, raw, len);
    if (!some_read(&some)) {
        intent_free(some.intent);
        return wire_intent(raw, len);
    }
    some.intent->raw = mem_dup_n(raw, len);
    some.intent->raw_len = len;
    return some.intent;
}
