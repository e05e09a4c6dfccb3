#include "says.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/str.h"
#include "decode.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned roles;
} names[] = {
    {"message", SAYS_TEXT | SAYS_LIST},
    {"error_message", SAYS_TEXT | FAILS_FILLED},
    {"detail", SAYS_TEXT | SAYS_LIST | SAYS_MAP},
    {"error_description", SAYS_TEXT | FAILS_FILLED},
    {"description", SAYS_TEXT},
    {"display_message", SAYS_TEXT},
    {"reason", SAYS_TEXT},
    {"title", SAYS_TEXT},
    {"issue", SAYS_TEXT},
    {"msg", SAYS_TEXT}, /* stands beside loc in some services' lists */
    {"default_message", SAYS_TEXT},
    {"err_msg", SAYS_TEXT | FAILS_FILLED},
    {"error_text", SAYS_TEXT | FAILS_FILLED},
    {"error_detail", SAYS_TEXT | FAILS_FILLED},
    {"error_reason", SAYS_TEXT | FAILS_FILLED},
    {"fault_string", SAYS_TEXT | FAILS_FILLED},
    {"fault_code", SAYS_CODE | FAILS_FILLED},
    {"code", SAYS_CODE | FAILS_WORD},
    {"error_code", SAYS_CODE | FAILS_FILLED},
    {"err_code", SAYS_CODE | FAILS_FILLED},
    {"error_type", SAYS_CLASS | FAILS_FILLED},
    {"type", SAYS_CLASS | FAILS_WORD},
    {"field", SAYS_PLACE | SAYS_LONE_PLACE},
    {"parameter", SAYS_PLACE | SAYS_LONE_PLACE},
    {"param", SAYS_PLACE | SAYS_LONE_PLACE},
    {"path", SAYS_PLACE | SAYS_FIELD_PLACE},
    {"pointer", SAYS_PLACE | SAYS_LONE_PLACE},
    {"name", SAYS_PLACE},
    {"loc", SAYS_PLACE | SAYS_LONE_PLACE},
    {"propertyPath", SAYS_PLACE | SAYS_LONE_PLACE},
    {"instancePath", SAYS_PLACE | SAYS_LONE_PLACE},
    {"attribute", SAYS_PLACE | SAYS_LONE_PLACE},
    {"field_name", SAYS_PLACE | SAYS_LONE_PLACE},
    {"location", SAYS_PLACE | SAYS_LONE_PLACE},
    {"target", SAYS_PLACE | SAYS_LONE_PLACE},
    {"property", SAYS_PLACE | SAYS_LONE_PLACE},
    {"property_name", SAYS_PLACE | SAYS_LONE_PLACE},
    {"dataPath", SAYS_PLACE | SAYS_LONE_PLACE},
    {"key", SAYS_PLACE | SAYS_FIELD_PLACE},
    {"errors", SAYS_LIST | SAYS_MAP | SAYS_BELOW | FAILS_FILLED},
    {"constraints", SAYS_LIST | SAYS_MAP | SAYS_RULES},
    {"children", SAYS_BELOW},
    {"properties", SAYS_BELOW},
    {"model_state", SAYS_LIST | SAYS_MAP | FAILS_FILLED},
    {"validation_messages", SAYS_LIST | SAYS_MAP | FAILS_FILLED},
    {"constraint_violations", SAYS_LIST | FAILS_FILLED},
    {"sub_errors", SAYS_LIST | FAILS_FILLED},
    {"fields", SAYS_MAP},
    {"details", SAYS_LIST | SAYS_MAP},
    {"invalidFields", SAYS_LIST | FAILS_FILLED},
    {"error", SAYS_LIST | FAILS_FILLED},
    {"invalid_params", SAYS_LIST | FAILS_FILLED},
    {"field_errors", SAYS_LIST | SAYS_MAP | FAILS_FILLED},
    {"validation_errors", SAYS_LIST | SAYS_MAP | FAILS_FILLED},
    {"violations", SAYS_LIST | FAILS_FILLED},
    {"field_violations", SAYS_LIST | FAILS_FILLED},
    {"issues", SAYS_LIST},
    {"error_codes", FAILS_FILLED},
    {"err", FAILS_FILLED | SAYS_ENVELOPE},
    {"exception", FAILS_FILLED | SAYS_ENVELOPE},
    {"fault", FAILS_FILLED | SAYS_ENVELOPE},
    {"failure", FAILS_FILLED | SAYS_ENVELOPE},
    {"failures", FAILS_FILLED},
    {"success", FAILS_FALSE},
    {"ok", FAILS_FALSE},
    {"succeeded", FAILS_FALSE},
    {"successful", FAILS_FALSE},
    {"is_success", FAILS_FALSE},
    {"is_successful", FAILS_FALSE},
    {"is_ok", FAILS_FALSE},
    {"acknowledged", FAILS_FALSE},
    {"failed", FAILS_TRUE},
    {"is_error", FAILS_TRUE},
    {"has_error", FAILS_TRUE},
    {"has_errors", FAILS_TRUE},
    {"errored", FAILS_TRUE},
    {"error_count", FAILS_TRUE},
    {"status", FAILS_WORD | SAYS_ENVELOPE},
    {"result", FAILS_WORD | SAYS_ENVELOPE},
    {"outcome", FAILS_WORD | SAYS_ENVELOPE},
    {"state", FAILS_WORD},
    {"stat", FAILS_WORD},
    {"ack", FAILS_WORD},
    {"status_code", FAILS_WORD},
    {"status_text", FAILS_WORD},
    {"http_status", FAILS_WORD},
    {"http_code", FAILS_WORD},
    {"response_code", FAILS_WORD},
    {"response_status", FAILS_WORD},
    {"result_code", FAILS_WORD},
    {"return_code", FAILS_WORD},
    {"created", DOUBTS_FALSE},
    {"accepted", DOUBTS_FALSE},
    {"registered", DOUBTS_FALSE},
    {"saved", DOUBTS_FALSE},
    {"stored", DOUBTS_FALSE},
    {"processed", DOUBTS_FALSE},
    {"valid", DOUBTS_FALSE},
    {"authorized", DOUBTS_FALSE},
    {"partial", PART_TRUE},
    {"is_partial", PART_TRUE},
    {"partial_results", PART_TRUE},
    {"partial_failure", PART_TRUE},
    {"incomplete", PART_TRUE},
    {"is_incomplete", PART_TRUE},
    {"incomplete_results", PART_TRUE},
    {"degraded", PART_TRUE},
    {"timed_out", PART_TRUE},
    {"truncated", PART_TRUE},
    {"complete", PART_FALSE},
    {"is_complete", PART_FALSE},
    {"has_more", MORE_TRUE},
    {"has_next", MORE_TRUE},
    {"has_next_page", MORE_TRUE},
    {"has_more_results", MORE_TRUE},
    {"has_more_items", MORE_TRUE},
    {"has_more_pages", MORE_TRUE},
    {"more", MORE_TRUE},
    {"more_results", MORE_TRUE},
    {"more_available", MORE_TRUE},
    {"last", MORE_FALSE},
    {"last_page", MORE_FALSE},
    {"is_last", MORE_FALSE},
    {"is_last_page", MORE_FALSE},
    {"is_end", MORE_FALSE},
    {"next", MORE_FILLED},
    {"next_cursor", MORE_FILLED},
    {"next_page", MORE_FILLED},
    {"next_page_token", MORE_FILLED},
    {"next_page_cursor", MORE_FILLED},
    {"next_page_url", MORE_FILLED},
    {"next_page_link", MORE_FILLED},
    {"next_token", MORE_FILLED},
    {"next_url", MORE_FILLED},
    {"next_link", MORE_FILLED},
    {"next_href", MORE_FILLED},
    {"next_offset", MORE_FILLED},
    {"next_marker", MORE_FILLED},
    {"cursor_next", MORE_FILLED},
    {"continuation_token", MORE_FILLED},
    {"total", COUNTS_BARE},
    {"currency", SAYS_MONEY},
    {"currency_code", SAYS_MONEY},
    {"currencies", SAYS_MONEY},
    {"amount", SAYS_MONEY},
    {"amounts", SAYS_MONEY},
    {"total_amount", SAYS_MONEY},
    {"amount_total", SAYS_MONEY},
    {"amount_unit", SAYS_MONEY},
    {"sum", SAYS_MONEY},
    {"subtotal", SAYS_MONEY},
    {"sub_total", SAYS_MONEY},
    {"total_fees", SAYS_MONEY},
    {"total_fee", SAYS_MONEY},
    {"fees", SAYS_MONEY},
    {"fee", SAYS_MONEY},
    {"tax", SAYS_MONEY},
    {"total_tax", SAYS_MONEY},
    {"net", SAYS_MONEY},
    {"gross", SAYS_MONEY},
    {"balance", SAYS_MONEY},
    {"volume", SAYS_MONEY},
    {"total_count", COUNTS_ALL},
    {"total_results", COUNTS_ALL},
    {"total_items", COUNTS_ALL},
    {"total_records", COUNTS_ALL},
    {"total_rows", COUNTS_ALL},
    {"total_elements", COUNTS_ALL},
    {"total_entries", COUNTS_ALL},
    {"total_size", COUNTS_ALL},
    {"total_intents", COUNTS_ALL},
    {"result_count", COUNTS_ALL},
    {"results_count", COUNTS_ALL},
    {"record_count", COUNTS_ALL},
    {"row_count", COUNTS_ALL},
    {"item_count", COUNTS_ALL},
    {"count_total", COUNTS_ALL},
    {"pagination", COUNTS_WITHIN},
    {"paging", COUNTS_WITHIN},
    {"page", COUNTS_WITHIN},
    {"page_info", COUNTS_WITHIN},
    {"links", COUNTS_WITHIN},
    {"cursor", COUNTS_WITHIN},
    {"cursors", COUNTS_WITHIN},
    {"metadata", COUNTS_WITHIN},
    {"meta", SAYS_ENVELOPE},
    {"_embedded", SAYS_ENVELOPE},
    {"response", SAYS_ENVELOPE},
    {"results", SAYS_ENVELOPE},
    {"responses", SAYS_ENVELOPE},
    {"data", SAYS_ENVELOPE},
    {"header", SAYS_ENVELOPE},
    {"body", SAYS_ENVELOPE},
    {"payload", SAYS_ENVELOPE},
};

/* Case, '_', '-' and blanks aside. */
static bool says_is_same(const char *a, const char *b) {
    for (;; a++, b++) {
        a += strspn(a, "_- ");
        b += strspn(b, "_- ");
        if (ascii_lower(*a) != ascii_lower(*b))
            return false;
        if (!*a)
            return true;
    }
}

static bool says_is_one_of(const char *text, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (says_is_same(text, words[i]))
            return true;
    return false;
}

const char *says_name(unsigned roles, size_t *at) {
    while (*at < COUNT_OF(names) && !(names[*at].roles & roles))
        ++*at;
    return *at < COUNT_OF(names) ? names[(*at)++].name : NULL;
}

unsigned says_roles(const char *name) {
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (says_is_same(names[i].name, name))
            return names[i].roles;
    return 0;
}

bool says_is_rule(const char *name) {
    static const char *const rules[] = {"min",      "max",    "min length", "max length",    "length", "matches",
                                        "required", "format", "pattern",    "regex",         "equals", "contains",
                                        "blank",    "empty",  "not empty",  "string length", "unique", "invalid"};
    bool question = strncmp(name, "is", 2) == 0 && (name[2] == '_' || (name[2] >= 'A' && name[2] <= 'Z'));
    return question || says_is_one_of(name, rules, COUNT_OF(rules));
}

/* A part of a way to a field: a name, or the number of an entry. */
static bool is_field_part(const char *part, size_t len, bool first) {
    enum { DIGITS_MAX = 2, NAME_MAX_LEN = 32 };
    size_t digits = 0;
    for (size_t i = 0; i < len; i++) {
        bool digit = part[i] >= '0' && part[i] <= '9',
             letter = ascii_lower(part[i]) >= 'a' && ascii_lower(part[i]) <= 'z';
        if (!digit && !letter && part[i] != '_' && part[i] != '-')
            return false;
        digits += digit;
    }
    return len <= NAME_MAX_LEN && digits <= DIGITS_MAX && (!first || digits < len);
}

bool says_is_field(const char *text) {
    static const char *const keys[] = {"sk_",  "pk_",  "rk_", "sk-", "pk-",   "rk-",
                                       "key_", "key-", "api", "tok", "secret"};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (ascii_compare_n(text, keys[i], strlen(keys[i])) == 0)
            return false;
    text += *text == '$';
    text += *text == '.';
    bool first = true;
    while (*text) {
        size_t len = strcspn(text, ".[]");
        if ((len == 0 && first) || !is_field_part(text, len, first))
            return false;
        text += len + (text[len] != '\0');
        first = false;
    }
    return !first;
}

json_t *says_member(const json_t *object, const char *name) {
    json_t *exact = json_object_get(object, name), *value;
    const char *key;
    if (exact || !json_is_object(object))
        return exact;
    json_object_foreach((json_t *)object, key, value) {
        if (says_is_same(key, name))
            return value;
    }
    return NULL;
}

static const char *says_text_of(const json_t *value) {
    const char *literal = wire_literal(value);
    return literal ? literal : json_string_value(value);
}

static bool is_zero(const json_t *value) {
    const char *text = says_text_of(value);
    return text ? *text && text[strspn(text, "0.-")] == '\0' : json_is_integer(value) && json_integer_value(value) == 0;
}

static bool is_nothing(const char *text, bool inside) {
    static const char *const fine[] = {"", "ok", "success", "success.", "successful", "no error", "no errors"};
    static const char *const none[] = {"none", "no", "null", "nil", "false", "n/a"};
    text += strspn(text, " \t\r\n");
    return says_is_one_of(text, fine, COUNT_OF(fine)) || (!inside && says_is_one_of(text, none, COUNT_OF(none)));
}

/* inside: of an object, whose texts are meant for people. */
static bool is_something(const json_t *value, bool inside) {
    const char *name, *text = says_text_of(value);
    json_t *member;
    json_object_foreach((json_t *)value, name, member) {
        if (is_something(member, true))
            return true;
    }
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!json_is_null(json_array_get(value, i)))
            return true;
    if (is_zero(value))
        return false;
    return text ? !is_nothing(text, inside) : json_is_true(value) || json_is_number(value);
}

bool says_anything(const json_t *value) {
    return is_something(value, false);
}

bool says_no(const json_t *value) {
    static const char *const words[] = {"false", "no", "n", "f"};
    const char *text = says_text_of(value);
    return json_is_false(value) || is_zero(value) || says_word(value) == WORD_FAILURE ||
           (text && says_is_one_of(text, words, COUNT_OF(words)));
}

bool says_yes(const json_t *value) {
    static const char *const words[] = {"true", "yes", "y", "t"};
    const char *text = says_text_of(value);
    return json_is_true(value) || (json_is_number(value) && !is_zero(value)) || json_array_size(value) > 0 ||
           (text && (says_is_one_of(text, words, COUNT_OF(words)) || (wire_literal(value) && !is_zero(value))));
}

long long says_count(const json_t *value) {
    const char *text = says_text_of(value);
    long long count = json_integer_value(value);
    if (text && !str_to_int64(text, strlen(text), &count))
        return 0;
    return count > 0 ? count : 0;
}

/* A status of HTTP, as a number or in digits. */
static bool is_failed_status(const json_t *value) {
    const char *text = says_text_of(value);
    long long status = json_integer_value(value);
    if (text && (strlen(text) != 3 || !str_to_int64(text, 3, &status)))
        return false;
    return status >= 400 && status < 600;
}

enum says_word says_word(const json_t *value) {
    static const char *const failures[] = {"err", "ko", "nok", "not ok", "exception", "fault", "unsuccessful", "nack"};
    static const char *const parts[] = {"partial",         "partially",  "partial success",
                                        "partial content", "incomplete", "degraded"};
    static const char *const denials[] = {"denied",       "access denied", "forbidden",    "unauthorized",
                                          "unauthorised", "not allowed",   "unavailable",  "timeout",
                                          "timed out",    "bad request",   "not found",    "throttled",
                                          "rate limited", "not created",   "unprocessable"};
    static const char *const states[] = {"rejected",  "refused", "declined",  "invalid",  "conflict",
                                         "duplicate", "aborted", "cancelled", "canceled", "disabled",
                                         "blocked",   "expired", "no",        "warning",  "maintenance"};
    static const char *const fine[] = {"no error", "no errors", "without errors", "none failed"};
    const char *text = says_text_of(value);
    if (json_is_false(value) || is_failed_status(value))
        return WORD_FAILURE;
    if (!text || says_is_one_of(text, fine, COUNT_OF(fine)))
        return WORD_FINE;
    if (says_is_one_of(text, parts, COUNT_OF(parts)))
        return WORD_PART;
    if (says_is_one_of(text, failures, COUNT_OF(failures)) || ascii_find(text, "fail") || ascii_find(text, "error"))
        return WORD_FAILURE;
    if (says_is_one_of(text, denials, COUNT_OF(denials)))
        return WORD_DENIAL;
    return says_is_one_of(text, states, COUNT_OF(states)) || ascii_find(text, "invalid") ? WORD_STATE : WORD_FINE;
}
