#include "model/intent.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct intent *intent_new(void) {
    return mem_new(sizeof(struct intent));
}

bool intent_has_record(enum value_state state) {
    return state == VALUE_OK || state == VALUE_ODD;
}

bool intent_shares_currency(const struct intent *intent) {
    return intent->guarantee_amount.state == VALUE_OK && !intent->guarantee_amount.currency;
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

enum kind { TEXT, NUMBER, TIME, FLAG };

struct field {
    const char *path;
    enum kind kind;
    size_t at;
};

static const struct field intent_fields[INTENT_FIELD_COUNT] = {
#define X(code, path, kind, member) {path, kind, offsetof(struct intent, member)},
    INTENT_FIELD_TABLE(X)
#undef X
};

static const struct field transaction_fields[TRANSACTION_FIELD_COUNT] = {
#define X(code, path, kind, member) {path, kind, offsetof(struct transaction, member)},
    TRANSACTION_FIELD_TABLE(X)
#undef X
};

static enum value_state field_text(const void *owner, const struct field *field, const char **text) {
    const void *value = (const char *)owner + field->at;
    switch (field->kind) {
    case TEXT:
        *text = ((const struct value_text *)value)->text;
        return ((const struct value_text *)value)->state;
    case NUMBER:
        *text = ((const struct value_number *)value)->text;
        return ((const struct value_number *)value)->state;
    case TIME:
        *text = ((const struct value_time *)value)->text;
        return ((const struct value_time *)value)->state;
    case FLAG:
        break;
    }
    *text = ((const struct value_flag *)value)->text;
    return ((const struct value_flag *)value)->state;
}

const char *intent_field_path(enum intent_field field) {
    return intent_fields[field].path;
}

bool intent_field_is_number(enum intent_field field) {
    return intent_fields[field].kind == NUMBER;
}

enum value_state intent_field_text(const struct intent *intent, enum intent_field field, const char **text) {
    return field_text(intent, &intent_fields[field], text);
}

static const char *last_component(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

int intent_field_find(const char *path) {
    int found = -1, hits = 0;
    for (int i = 0; i < INTENT_FIELD_COUNT; i++)
        if (strcmp(path, intent_fields[i].path) == 0)
            return i;
    for (int i = 0; i < INTENT_FIELD_COUNT; i++) {
        if (strcmp(path, last_component(intent_fields[i].path)) != 0)
            continue;
        found = i;
        hits++;
    }
    return hits == 1 ? found : -1;
}

const char *transaction_field_path(enum transaction_field field) {
    return transaction_fields[field].path;
}

enum value_state transaction_field_text(const struct transaction *transaction, enum transaction_field field,
                                        const char **text) {
    return field_text(transaction, &transaction_fields[field], text);
}
