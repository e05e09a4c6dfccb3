#include "wire/errors.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "decode.h"
#include "extract.h"
#include "judge.h"
#include "says.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_MAX = 100, CODES_SHOWN = 3, TEXT_MAX = 4096, PLACE_PARTS_MAX = 8, MAP_DEPTH_MAX = 6, ENVELOPES_MAX = 3 };

/* Whether it is a string with something in it. */
static bool errors_says(const json_t *value) {
    return wire_is_string(value) && json_string_value(value)[strspn(json_string_value(value), " \t\r\n")] != '\0';
}

static char *errors_keep(const json_t *value, size_t max) {
    return wire_clean_redacted(json_string_value(value), json_string_length(value), max);
}

static const json_t *find_text(const json_t *object) {
    const char *name;
    for (size_t at = 0; (name = says_name(SAYS_TEXT, &at));) {
        const json_t *value = says_member(object, name);
        if (errors_says(value))
            return value;
    }
    return NULL;
}

/* A code may be a number. */
static char *code_text(const json_t *value) {
    const char *literal = wire_literal(value);
    if (literal)
        return wire_clean_redacted(literal, strlen(literal), CODE_MAX);
    if (errors_says(value))
        return strcmp(json_string_value(value), "about:blank") == 0 ? NULL : errors_keep(value, CODE_MAX);
    if (!json_is_integer(value))
        return NULL;
    struct str digits;
    str_init(&digits, CODE_MAX);
    str_addf(&digits, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return str_take(&digits);
}

/* ["bad", "worse"] as "bad, worse", the first few. */
static char *join_codes(const json_t *codes) {
    struct str text;
    str_init(&text, CODES_SHOWN * CODE_MAX);
    size_t n = json_array_size(codes);
    for (size_t i = 0; i < n && i < CODES_SHOWN; i++) {
        char *code = code_text(json_array_get(codes, i));
        if (code && text.len)
            str_add(&text, ", ");
        str_add(&text, code ? code : "");
        free(code);
    }
    if (text.len)
        return str_take(&text);
    str_clear(&text);
    return NULL;
}

static char *find_code_of(const json_t *object, enum says_role role) {
    char *code = NULL;
    const char *name;
    for (size_t at = 0; !code && (name = says_name(role, &at));)
        code = code_text(says_member(object, name));
    return code;
}

static char *find_code(const json_t *object) {
    char *code = find_code_of(object, SAYS_CODE);
    if (!code)
        code = join_codes(json_object_get(object, "error_codes"));
    return code ? code : find_code_of(object, SAYS_CLASS);
}

/* {"isEmail": "must be an address", "min": "is too short"}: the first few. */
static char *join_rules(json_t *rules) {
    struct str text;
    const char *name;
    json_t *value;
    size_t n = 0;
    str_init(&text, CODES_SHOWN * SERVICE_ERROR_TEXT_MAX);
    json_object_foreach(rules, name, value) {
        char *rule = errors_says(value) && n < CODES_SHOWN ? errors_keep(value, SERVICE_ERROR_TEXT_MAX) : NULL;
        str_addf(&text, "%s%s", rule && n > 0 ? ", " : "", rule ? rule : "");
        n += rule ? 1 : 0;
        free(rule);
    }
    if (n > 0)
        return str_take(&text);
    str_clear(&text);
    return NULL;
}

/* The text of an object, or the rules that it names. */
static char *text_or_rules(const json_t *object) {
    const json_t *found = find_text(object);
    char *text = found ? errors_keep(found, SERVICE_ERROR_TEXT_MAX) : NULL;
    const char *name;
    for (size_t at = 0; !text && (name = says_name(SAYS_RULES, &at));)
        text = join_rules(says_member(object, name));
    return text;
}

static bool is_lone_rule(const json_t *object);

static void take_object(struct service_error *out, const json_t *object) {
    const json_t *text = find_text(object);
    if (!out->text && text)
        out->text = errors_keep(text, SERVICE_ERROR_TEXT_MAX);
    else if (!out->text && is_lone_rule(object))
        out->text = text_or_rules(object);
    if (!out->code)
        out->code = find_code(object);
}

/* ["body", "email"] as body.email. */
static char *join_place(const json_t *parts) {
    struct str text;
    str_init(&text, SERVICE_ERROR_TEXT_MAX);
    size_t n = json_array_size(parts);
    for (size_t i = 0; i < n && i < PLACE_PARTS_MAX; i++) {
        char *part = code_text(json_array_get(parts, i));
        if (part && text.len)
            str_add_char(&text, '.');
        str_add(&text, part ? part : "");
        free(part);
    }
    if (text.len)
        return str_take(&text);
    str_clear(&text);
    return NULL;
}

static char *errors_place_of(const json_t *object, enum says_role role) {
    const char *name;
    for (size_t at = 0; (name = says_name(role, &at));) {
        const json_t *value = says_member(object, name);
        char *place = errors_says(value) ? errors_keep(value, CODE_MAX) : join_place(value);
        if (place)
            return place;
    }
    const json_t *source = json_object_get(object, "source");
    return source ? errors_place_of(source, SAYS_LONE_PLACE) : NULL;
}

static char *errors_find_place(const json_t *object) {
    return errors_place_of(object, SAYS_PLACE);
}

/* A broken rule, {"property": "email", "constraints": {...}}, with nothing around it. */
static bool is_lone_rule(const json_t *object) {
    char *place = errors_place_of(object, SAYS_LONE_PLACE), *text = place ? text_or_rules(object) : NULL;
    bool lone = text && !find_text(object);
    free(place);
    free(text);
    return lone;
}

/* Takes both texts. The first few entries are kept, the rest counted. */
static void errors_add_item(struct service_error *out, char *place, char *text) {
    bool empty = !place && !text, again = !place && str_equal(text, out->text);
    if (!empty && !again && out->n < SERVICE_ERROR_PLACES_MAX) {
        *vec_add(out) = (struct service_error_place){place, text};
        return;
    }
    out->more += !again;
    free(place);
    free(text);
}

/* The places of entries below an entry are relative to its place. */
static bool add_children(struct service_error *out, const json_t *element, const char *place, int depth);

static void add_element(struct service_error *out, const json_t *element, const char *before, int depth) {
    if (errors_says(element)) {
        errors_add_item(out, NULL, errors_keep(element, SERVICE_ERROR_TEXT_MAX));
        return;
    }
    char *place = errors_find_place(element), *text = text_or_rules(element);
    if (place && *before) {
        struct str joined;
        str_init(&joined, SERVICE_ERROR_TEXT_MAX);
        str_addf(&joined, "%s.%s", before, place);
        free(place);
        place = str_take(&joined);
    }
    if (!text && add_children(out, element, place ? place : before, depth + 1))
        free(place);
    else
        errors_add_item(out, place, text ? text : find_code(element));
}

static bool add_children(struct service_error *out, const json_t *element, const char *place, int depth) {
    bool any = false;
    const char *name;
    for (size_t at = 0; depth < MAP_DEPTH_MAX && (name = says_name(SAYS_LIST | SAYS_BELOW, &at));) {
        const json_t *children = says_member(element, name);
        for (size_t i = 0; i < json_array_size(children); i++)
            add_element(out, json_array_get(children, i), place, depth);
        any = any || json_array_size(children) > 0;
    }
    return any;
}

static void take_list(struct service_error *out, const json_t *list) {
    size_t n = json_array_size(list);
    for (size_t i = 0; i < n; i++)
        if (!judge_is_row(json_array_get(list, i)))
            add_element(out, json_array_get(list, i), "", 0);
}

/* {"message": "is required", "path": "address.city"}, but neither the path of the request nor a key that is refused. */
static char *place_beside_text(const json_t *object) {
    const json_t *text = find_text(object);
    const char *name;
    if (!text || ascii_find(json_string_value(text), "key"))
        return NULL;
    for (size_t at = 0; (name = says_name(SAYS_FIELD_PLACE, &at));) {
        const json_t *value = says_member(object, name);
        char *place = errors_says(value) ? errors_keep(value, CODE_MAX) : join_place(value);
        if (place && says_is_field(place))
            return place;
        free(place);
    }
    return NULL;
}

/* An error that is not in a list has its place beside its text. */
static void errors_take_place(struct service_error *out, const json_t *object) {
    char *place = errors_place_of(object, SAYS_LONE_PLACE);
    place = place ? place : place_beside_text(object);
    if (place)
        errors_add_item(out, place, NULL);
}

/* A member of a map of fields: its texts, or the fields below it. */
static void take_member(struct service_error *out, const char *place, json_t *value, int depth);

/* {"email": {"errors": ["bad"]}}, {"children": {"email": ...}} and {"email": {"isEmail": "bad"}}: the name is no place.
 */
static bool is_no_place(const char *name, const json_t *value, const char *before) {
    if (says_roles(name) & SAYS_BELOW)
        return *before || json_is_object(value);
    return says_is_rule(name) || (*before && name[0] == '_');
}

/* Beside the members that hold errors, other members may hold what was sent. */
static bool has_below(json_t *map) {
    const char *name;
    json_t *value;
    json_object_foreach(map, name, value) {
        if (says_roles(name) & SAYS_BELOW && json_is_array(value))
            return true;
    }
    return false;
}

/* {"email": ["is taken"], "name": {"first": "is missing"}}: each member is a place. */
static void take_map_below(struct service_error *out, const char *before, json_t *map, int depth) {
    const char *name;
    json_t *value;
    bool below = *before && has_below(map);
    json_object_foreach(map, name, value) {
        struct str place;
        if (below && !(says_roles(name) & SAYS_BELOW))
            continue;
        str_init(&place, CODE_MAX);
        str_add(&place, before);
        if (!is_no_place(name, value, before))
            str_addf(&place, "%s%s", *before && *name ? "." : "", name);
        take_member(out, place.s, value, depth);
        str_clear(&place);
    }
}

static void take_member(struct service_error *out, const char *place, json_t *value, int depth) {
    const json_t *text = errors_says(value) ? value : find_text(value);
    if (text) {
        char *at = *place ? wire_clean_redacted(place, strlen(place), CODE_MAX) : NULL;
        errors_add_item(out, at, errors_keep(text, SERVICE_ERROR_TEXT_MAX));
    } else if (json_is_array(value) && depth < MAP_DEPTH_MAX) {
        for (size_t i = 0; i < json_array_size(value); i++)
            take_member(out, place, json_array_get(value, i), depth + 1);
    } else if (json_is_object(value) && depth < MAP_DEPTH_MAX) {
        take_map_below(out, place, value, depth + 1);
    }
}

static void take_map(struct service_error *out, json_t *map) {
    take_map_below(out, "", map, 0);
}

/* A member that names nothing but an error's code: `error_code`; `code` alone could be a field of the form. */
static bool has_error_code(const json_t *object) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value) {
        if ((says_roles(name) & (SAYS_CODE | FAILS_FILLED)) == (SAYS_CODE | FAILS_FILLED) && errors_says(value))
            return true;
    }
    return false;
}

static bool is_lone_error(const json_t *object) {
    char *place = errors_place_of(object, SAYS_LONE_PLACE);
    bool lone = find_text(object) || has_error_code(object) || (place && json_object_get(object, "code"));
    free(place);
    return lone;
}

static void take_maps(struct service_error *out, const json_t *object) {
    const char *name;
    for (size_t at = 0; (name = says_name(SAYS_MAP, &at));) {
        json_t *map = says_member(object, name);
        if (says_roles(name) & SAYS_RULES && is_lone_rule(object))
            continue;
        if (is_lone_error(map)) {
            take_object(out, map);
            errors_take_place(out, map);
        } else {
            take_map(out, map);
        }
    }
}

static void take_request_id(struct service_error *out, json_t *top) {
    static const char *const paths[] = {"request_id", "requestId", "meta.supportId", "error.request_id",
                                        "error.requestId"};
    for (size_t i = 0; !out->request_id && i < COUNT_OF(paths); i++)
        out->request_id = code_text(wire_member(top, paths[i]));
}

static void take_lists(struct service_error *out, const json_t *object) {
    const char *name;
    for (size_t at = 0; (name = says_name(SAYS_LIST, &at));)
        take_list(out, says_member(object, name));
}

/* `error` beside a text is a code, by itself it is the text. */
static void take_error_string(struct service_error *out, const json_t *error) {
    if (!errors_says(error))
        return;
    if (!out->text)
        out->text = errors_keep(error, SERVICE_ERROR_TEXT_MAX);
    else if (!out->code)
        out->code = errors_keep(error, CODE_MAX);
}

static bool errors_is_empty(const struct service_error *error) {
    return !error->text && !error->code && error->n == 0;
}

static void take_top(struct service_error *out, json_t *top) {
    json_t *error = says_member(top, "error"), *errors = says_member(top, "errors");
    take_object(out, top);
    take_error_string(out, error);
    take_object(out, error);
    errors_take_place(out, top);
    errors_take_place(out, error);
    if (errors_says(errors) && !out->text)
        out->text = errors_keep(errors, SERVICE_ERROR_TEXT_MAX);
    take_lists(out, top);
    take_lists(out, error);
    take_list(out, json_object_get(json_object_get(top, "_embedded"), "errors"));
    take_maps(out, top);
    take_maps(out, error);
    if (errors_is_empty(out) && json_is_object(error))
        take_map(out, error);
    take_request_id(out, top);
}

/* An answer within the answer: {"response": {"error": {...}}}. */
static void take_envelopes(struct service_error *out, json_t *top, int depth) {
    const char *name;
    for (size_t at = 0; depth < ENVELOPES_MAX && errors_is_empty(out) && (name = says_name(SAYS_ENVELOPE, &at));) {
        json_t *inner = says_member(top, name);
        struct wire_verdict verdict = {0};
        if (json_is_array(inner)) /* of answers, if one of them failed */
            judge_value(inner = json_array_get(inner, 0), &verdict);
        else
            verdict.failed = true;
        if (!verdict.failed || !json_is_object(inner) || judge_is_row(inner))
            continue;
        take_top(out, inner);
        take_envelopes(out, inner, depth + 1);
    }
}

static void take_json(struct service_error *out, json_t *top, const char *const *extra) {
    for (; extra && *extra && !out->text; extra++) {
        const json_t *value = wire_member(top, *extra);
        if (errors_says(value))
            out->text = errors_keep(value, SERVICE_ERROR_TEXT_MAX);
    }
    if (json_is_object(top))
        take_top(out, top);
    else if (json_is_array(top))
        take_list(out, top);
    else if (!out->text && errors_says(top))
        out->text = errors_keep(top, SERVICE_ERROR_TEXT_MAX);
}

/* {"email": ["This field is required."]} with nothing around it: only lists count, since any answer has texts. */
static void take_lists_by_field(struct service_error *out, json_t *top) {
    const char *name;
    json_t *value;
    json_object_foreach(top, name, value) {
        if (json_is_array(value) && errors_says(json_array_get(value, 0)))
            take_member(out, name, value, 0);
    }
}

void wire_service_error(const char *body, size_t len, const char *content_type, const char *const *extra,
                        struct service_error *out) {
    struct wire_fault fault;
    service_error_init(out);
    if (len == 0)
        return;
    json_t *top = wire_decode((struct wire_slice){body, len}, true, &fault);
    if (top)
        take_json(out, top, extra);
    if (json_is_object(top) && errors_is_empty(out))
        take_lists_by_field(out, top);
    if (json_is_object(top) && errors_is_empty(out))
        take_envelopes(out, top, 0);
    if (errors_is_empty(out)) {
        out->text = wire_extract(body, len, content_type);
        out->extract = true;
    }
    json_decref(top);
}

/* Drops names whose value says that there is no error: "error": "none". A class by itself is no sign of an error
 * either: many objects have a `type`. */
static void drop_empty(json_t *top) {
    const char *name;
    for (size_t at = 0; (name = says_name(FAILS_FILLED, &at));)
        if (json_object_get(top, name) && !says_anything(json_object_get(top, name)))
            json_object_del(top, name);
}

bool wire_has_error_text(const char *body, size_t len) {
    struct wire_fault fault;
    struct service_error found;
    json_t *top = wire_decode((struct wire_slice){body, len}, true, &fault);
    service_error_init(&found);
    if (json_is_object(top)) {
        drop_empty(top);
        take_top(&found, top);
        if (!found.text && found.n == 0 && found.code && json_object_get(top, "type")) {
            json_object_del(top, "type");
            service_error_clear(&found);
            take_top(&found, top);
        }
    }
    bool has = !errors_is_empty(&found);
    service_error_clear(&found);
    json_decref(top);
    return has;
}

char *wire_member_text(const char *body, size_t len, const char *name) {
    struct wire_slice value;
    if (!wire_find_only((struct wire_slice){body, len}, name, &value))
        return NULL;
    if (value.s[0] == '-' || (value.s[0] >= '0' && value.s[0] <= '9'))
        return wire_clean_redacted(value.s, value.len, CODE_MAX);
    if (value.s[0] != '"')
        return NULL;
    struct str text;
    str_init(&text, value.len);
    wire_unescape(&text, value.s, value.len);
    bool is_blank = utf8_trim_start(text.s, text.len) >= text.len;
    char *clean = is_blank ? NULL : wire_clean_redacted(text.s, text.len, TEXT_MAX);
    str_clear(&text);
    return clean;
}

enum wire_kind wire_kind_of(const char *body, size_t len) {
    struct wire_walk walk;
    wire_walk_init(&walk, body, len);
    enum wire_event first = wire_walk_next(&walk), found = first;
    enum wire_token token = walk.token;
    if (first == WALK_BAD && walk.scan.start >= len && !walk.scan.fault)
        return WIRE_NOTHING;
    while (found != WALK_END && found != WALK_BAD)
        found = wire_walk_next(&walk);
    if (found == WALK_BAD)
        return WIRE_NOT_JSON;
    return token == TOKEN_OPEN_OBJECT ? WIRE_OBJECT : token == TOKEN_OPEN_ARRAY ? WIRE_ARRAY : WIRE_SCALAR;
}
