#include "model/intent.h"

#include "base/clock.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct intent *intent_new(void) {
    struct intent *intent = mem_new(sizeof *intent);
    for (size_t i = 0; i < INTENT_FIELD_COUNT; i++)
        if (INTENT_FIELDS[i].kind == FIELD_TIME)
            ((struct value_time *)(void *)((char *)intent + INTENT_FIELDS[i].at))->ms = CLOCK_NONE;
    return intent;
}

bool intent_has_record(enum value_state state) {
    return state == VALUE_OK || state == VALUE_ODD;
}

bool intent_shares_currency(const struct intent *intent) {
    return intent->guarantee_amount.state == VALUE_OK && !intent->guarantee_amount.currency;
}

const char *intent_id(const struct intent *intent) {
    return !intent->broken && intent->id.state == VALUE_OK && *intent->id.text ? intent->id.text : NULL;
}

void intent_free(struct intent *intent) {
    if (!intent)
        return;
    arena_clear(&intent->arena);
    free(intent->raw);
    free(intent);
}

static const struct {
    const char *name;
    char letter;
} statuses[INTENT_STATUS_COUNT] = {
#define X(code, name, letter) {name, letter},
    INTENT_STATUS_TABLE(X)
#undef X
};

enum intent_status intent_status_of(const char *text) {
    for (size_t i = 0; text && i < COUNT_OF(statuses); i++)
        if (strcmp(text, statuses[i].name) == 0)
            return (enum intent_status)i;
    return INTENT_STATUS_UNKNOWN;
}

const char *intent_status_name(enum intent_status status) {
    return (unsigned)status < INTENT_STATUS_COUNT ? statuses[status].name : "unknown";
}

char intent_status_letter(enum intent_status status) {
    return (char)((unsigned)status < INTENT_STATUS_COUNT ? statuses[status].letter : '?');
}

const char *intent_type_name(size_t index) {
    static const char *const names[] = {
#define X(code, name) name,
        INTENT_TYPE_TABLE(X)
#undef X
    };
    return index < COUNT_OF(names) ? names[index] : NULL;
}

#define PATH_INTENT ""
#define PATH_CREDENTIAL "payment_credential."
#define PATH_BANK_ACCOUNT PATH_CREDENTIAL "account."
#define PATH_CARD PATH_CREDENTIAL "card."
#define PATH_LEDGER "account."

const struct field_info INTENT_FIELDS[INTENT_FIELD_COUNT] = {
#define FIELD(code, object, name, kind, member, handover) \
    {PATH_##object name, name, FIELD_IN_##object, FIELD_##kind, HANDOVER_##handover, offsetof(struct intent, member)},
#include "model/fields.def"
};

const struct field_info TRANSACTION_FIELDS[TRANSACTION_FIELD_COUNT] = {
#define TRANSACTION_FIELD(code, name, kind, member, place) \
    {name, name, FIELD_IN_INTENT, FIELD_##kind, HANDOVER_WHOLE, offsetof(struct transaction, member)},
#include "model/fields.def"
};

static enum value_state field_text(const void *owner, const struct field_info *field, const char **text) {
    const void *value = (const char *)owner + field->at;
    switch (field->kind) {
    case FIELD_MONEY:
    case FIELD_MONEY_BESIDE:
        *text = ((const struct value_number *)value)->text;
        return ((const struct value_number *)value)->state;
    case FIELD_TIME:
        *text = ((const struct value_time *)value)->text;
        return ((const struct value_time *)value)->state;
    case FIELD_FLAG:
        *text = ((const struct value_flag *)value)->text;
        return ((const struct value_flag *)value)->state;
    default:
        *text = ((const struct value_text *)value)->text;
        return ((const struct value_text *)value)->state;
    }
}

const char *intent_field_path(enum intent_field field) {
    return INTENT_FIELDS[field].path;
}

bool intent_field_is_number(enum intent_field field) {
    return INTENT_FIELDS[field].kind == FIELD_MONEY || INTENT_FIELDS[field].kind == FIELD_MONEY_BESIDE;
}

enum value_state intent_field_text(const struct intent *intent, enum intent_field field, const char **text) {
    return field_text(intent, &INTENT_FIELDS[field], text);
}

const char *intent_field_exact(const struct intent *intent, enum intent_field field) {
    const struct field_info *info = &INTENT_FIELDS[field];
    const char *text;
    (void)field_text(intent, info, &text);
    bool is_text = info->kind == FIELD_TEXT || info->kind == FIELD_ID || info->kind == FIELD_IDENTITY;
    const char *exact =
        is_text ? ((const struct value_text *)(const void *)((const char *)intent + info->at))->exact : NULL;
    return exact ? exact : text;
}

const struct value_number *intent_field_number(const struct intent *intent, enum intent_field field) {
    bool is = field < INTENT_FIELD_COUNT && intent_field_is_number(field);
    return is ? (const void *)((const char *)intent + INTENT_FIELDS[field].at) : NULL;
}

const struct value_time *intent_field_time(const struct intent *intent, enum intent_field field) {
    bool is = field < INTENT_FIELD_COUNT && INTENT_FIELDS[field].kind == FIELD_TIME;
    return is ? (const void *)((const char *)intent + INTENT_FIELDS[field].at) : NULL;
}

const struct value_flag *intent_field_flag(const struct intent *intent, enum intent_field field) {
    bool is = field < INTENT_FIELD_COUNT && INTENT_FIELDS[field].kind == FIELD_FLAG;
    return is ? (const void *)((const char *)intent + INTENT_FIELDS[field].at) : NULL;
}

static const char *last_component(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

int intent_field_find(const char *path) {
    int found = -1, hits = 0;
    for (int i = 0; i < INTENT_FIELD_COUNT; i++)
        if (strcmp(path, INTENT_FIELDS[i].path) == 0)
            return i;
    for (int i = 0; i < INTENT_FIELD_COUNT; i++) {
        if (strcmp(path, last_component(INTENT_FIELDS[i].path)) != 0)
            continue;
        found = i;
        hits++;
    }
    return hits == 1 ? found : -1;
}

const char *transaction_field_path(enum transaction_field field) {
    return TRANSACTION_FIELDS[field].path;
}

enum value_state transaction_field_text(const struct transaction *transaction, enum transaction_field field,
                                        const char **text) {
    return field_text(transaction, &TRANSACTION_FIELDS[field], text);
}
