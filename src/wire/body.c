#include "wire/body.h"

#include "base/mem.h"

#include <jansson.h>
#include <stdlib.h>

struct body {
    json_t *root;
};

static const json_t *json_of(const struct body_value *value) {
    return (const json_t *)value;
}

static const struct body_value *body_value_of(const json_t *json) {
    return (const struct body_value *)json;
}

static bool within_depth(const json_t *json, int left) {
    if (left == 0)
        return !json_is_array(json) && !json_is_object(json);
    for (size_t i = 0; i < json_array_size(json); i++)
        if (!within_depth(json_array_get(json, i), left - 1))
            return false;
    for (void *at = json_object_iter((json_t *)json); at; at = json_object_iter_next((json_t *)json, at))
        if (!within_depth(json_object_iter_value(at), left - 1))
            return false;
    return true;
}

static enum err body_refuse(const json_error_t *fault, struct error *error) {
    if (json_error_code(fault) == json_error_duplicate_key)
        return error_set(error, ERR_INVALID, "a key occurs twice (line %d, column %d)", fault->line, fault->column);
    return error_set(error, ERR_INVALID, "not valid JSON (line %d, column %d)", fault->line, fault->column);
}

enum err body_read(const char *text, size_t len, struct body **out, struct error *error) {
    json_error_t fault;
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &fault);
    if (!root)
        return body_refuse(&fault, error);
    if (!within_depth(root, BODY_DEPTH_MAX)) {
        json_decref(root);
        return error_set(error, ERR_INVALID, "nested deeper than %d", BODY_DEPTH_MAX);
    }
    *out = mem_new(sizeof **out);
    (*out)->root = root;
    return ERR_OK;
}

void body_free(struct body *body) {
    if (body) {
        json_decref(body->root);
        free(body);
    }
}

const struct body_value *body_root(const struct body *body) {
    return !body ? NULL : body_value_of(body->root);
}

enum body_kind body_kind(const struct body_value *value) {
    static const enum body_kind kinds[] = {
        [JSON_OBJECT] = BODY_OBJECT,   [JSON_ARRAY] = BODY_ARRAY, [JSON_STRING] = BODY_STRING,
        [JSON_INTEGER] = BODY_INTEGER, [JSON_REAL] = BODY_REAL,   [JSON_TRUE] = BODY_BOOL,
        [JSON_FALSE] = BODY_BOOL,      [JSON_NULL] = BODY_NULL,
    };
    return !value ? BODY_NONE : kinds[json_typeof(json_of(value))];
}

const struct body_value *body_member(const struct body_value *object, const char *name) {
    return body_value_of(json_object_get(json_of(object), name));
}

const char *body_string(const struct body_value *value, size_t *len) {
    const char *text = json_string_value(json_of(value));
    if (text && len)
        *len = json_string_length(json_of(value));
    return text;
}

bool body_bool(const struct body_value *value) {
    return json_is_true(json_of(value));
}

long long body_integer(const struct body_value *value) {
    return json_integer_value(json_of(value));
}

size_t body_count(const struct body_value *value) {
    return json_array_size(json_of(value));
}

const struct body_value *body_item(const struct body_value *array, size_t index) {
    return body_value_of(json_array_get(json_of(array), index));
}

static int body_add_part(const char *bytes, size_t len, void *out) {
    str_add_n(out, bytes, len);
    return 0;
}

const char *body_name(const struct body_value *object, size_t index) {
    json_t *json = (json_t *)json_of(object);
    void *at = json_object_iter(json);
    while (at && index-- > 0)
        at = json_object_iter_next(json, at);
    return at ? json_object_iter_key(at) : NULL;
}

void body_print(const struct body_value *value, struct str *out) {
    if (value)
        (void)json_dump_callback(json_of(value), body_add_part, out, JSON_COMPACT | JSON_ENCODE_ANY);
}

enum err body_merge(const struct body *base, const struct body *patch, struct str *out, struct error *error) {
    if (!json_is_object(base->root) || !json_is_object(patch->root))
        return error_set(error, ERR_INVALID, "only an object can be merged");
    json_t *merged = json_deep_copy(base->root);
    if (!merged || json_object_update_recursive(merged, patch->root) != 0)
        mem_fatal("no memory");
    body_print(body_value_of(merged), out);
    json_decref(merged);
    return ERR_OK;
}
