#include "wire/unknown_fields.h"

#include "decode.h"
#include "scan.h"

#include <string.h>

enum { PATH_MAX_LEN = 4 * WIRE_UNKNOWN_NAME_MAX };

struct watch {
    const char *raw;
    struct wire_walk walk;
    struct str path; /* of the object the walk is in, "" at the top */
    wire_unknown_field_fn *each;
    void *context;
    size_t said;
};

static void wire_unknown_fields_say(struct watch *watch, const char *kind, const char *name, size_t len) {
    if (watch->said == WIRE_UNKNOWN_MAX)
        return;
    struct arena arena = {0};
    watch->said++;
    watch->each(watch->context, kind, wire_clean(&arena, name, len, WIRE_UNKNOWN_NAME_MAX));
    arena_clear(&arena);
}

static bool wire_unknown_fields_is_amount(const char *path) {
    const char *tail = strrchr(path, '.');
    return str_equal(tail ? tail + 1 : path, "amount") || str_equal(path, "guarantee_amount");
}

/* The path itself, or the beginning of it up to a dot. */
static bool leads_to(const char *whole, const char *path) {
    size_t len = strlen(path);
    return strncmp(whole, path, len) == 0 && (whole[len] == '\0' || whole[len] == '.');
}

static bool wire_unknown_fields_is_known(const char *path) {
    static const char *const others[] = {"transactions", "dispute", "refund"};
    static const char element[] = "transactions[].";
    for (int i = 0; i < INTENT_FIELD_COUNT; i++)
        if (leads_to(intent_field_path((enum intent_field)i), path))
            return true;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (str_equal(others[i], path))
            return true;
    for (int i = 0; str_starts(path, element) && i < TRANSACTION_FIELD_COUNT; i++)
        if (str_equal(transaction_field_path((enum transaction_field)i), path + strlen(element)))
            return true;
    return false;
}

/* A member of {amount|value, currency}, which may be served instead of a number. */
static bool is_part_of_amount(const char *name) {
    return str_equal(name, "amount") || str_equal(name, "value") || str_equal(name, "currency");
}

static bool wire_unknown_fields_is_open(const char *path) {
    return str_equal(path, "dispute") || str_equal(path, "refund");
}

static bool watch_object(struct watch *watch, bool amount);

static bool watch_elements(struct watch *watch) {
    enum wire_event found;
    str_add(&watch->path, "[]");
    while ((found = wire_walk_next(&watch->walk)) == WALK_SCALAR || found == WALK_OPEN) {
        if (found == WALK_SCALAR)
            continue;
        bool object = watch->walk.token == TOKEN_OPEN_OBJECT;
        if (!(object ? watch_object(watch, false) : wire_walk_leave(&watch->walk)))
            return false;
    }
    return found == WALK_CLOSE;
}

/* The value behind a known name. */
static bool watch_value(struct watch *watch) {
    enum wire_event found = wire_walk_next(&watch->walk);
    if (found != WALK_OPEN)
        return found == WALK_SCALAR;
    if (watch->walk.token == TOKEN_OPEN_OBJECT && !wire_unknown_fields_is_open(watch->path.s))
        return watch_object(watch, wire_unknown_fields_is_amount(watch->path.s));
    if (watch->walk.token == TOKEN_OPEN_ARRAY && str_equal(watch->path.s, "transactions"))
        return watch_elements(watch);
    return wire_walk_leave(&watch->walk);
}

static bool wire_unknown_fields_skip_value(struct watch *watch) {
    enum wire_event found = wire_walk_next(&watch->walk);
    return found == WALK_SCALAR || (found == WALK_OPEN && wire_walk_leave(&watch->walk));
}

/* The name that was just read is at the end of the path. No name in the document has a dot. */
static bool watch_member(struct watch *watch, const char *name, bool amount) {
    bool plain = !watch->path.truncated && !strpbrk(name, ".[");
    if (plain && (amount ? is_part_of_amount(name) : wire_unknown_fields_is_known(watch->path.s)))
        return watch_value(watch);
    wire_unknown_fields_say(watch, "field", watch->path.s, watch->path.len);
    return wire_unknown_fields_skip_value(watch);
}

/* Not deeper than the document: known names lead four levels down. */
static bool watch_object(struct watch *watch, bool amount) {
    enum wire_event found = WALK_BAD;
    size_t parent = watch->path.len;
    bool sound = true;
    while (sound && (found = wire_walk_next(&watch->walk)) == WALK_KEY) {
        if (parent > 0)
            str_add_char(&watch->path, '.');
        size_t start = watch->path.len;
        wire_unescape(&watch->path, watch->raw + watch->walk.start, watch->walk.end - watch->walk.start);
        sound = watch_member(watch, watch->path.s + start, amount);
        str_delete(&watch->path, parent, watch->path.len - parent);
        watch->path.truncated = false;
    }
    return sound && found == WALK_CLOSE;
}

static bool is_status(const char *text) {
    return intent_status_of(text) != INTENT_STATUS_UNKNOWN;
}

static bool is_type(const char *text) {
    for (size_t i = 0; intent_type_name(i); i++)
        if (str_equal(intent_type_name(i), text))
            return true;
    return false;
}

static void watch_word(struct watch *watch, const char *kind, const struct value_text *value,
                       bool (*is_known_word)(const char *)) {
    bool there = value->state == VALUE_OK || value->state == VALUE_ODD;
    if (there && (value->state == VALUE_ODD || !is_known_word(value->text)))
        wire_unknown_fields_say(watch, kind, value->text, strlen(value->text));
}

void wire_unknown_fields(const struct intent *intent, wire_unknown_field_fn *each, void *context) {
    struct watch watch = {.raw = intent->raw, .each = each, .context = context};
    if (intent->broken)
        return;
    watch_word(&watch, "status", &intent->status, is_status);
    watch_word(&watch, "type", &intent->type, is_type);
    if (intent->unknown == 0)
        return;
    str_init(&watch.path, PATH_MAX_LEN);
    wire_walk_init(&watch.walk, intent->raw, intent->raw_len);
    if (wire_walk_next(&watch.walk) == WALK_OPEN && watch.walk.token == TOKEN_OPEN_OBJECT)
        (void)watch_object(&watch, false);
    str_clear(&watch.path);
}
