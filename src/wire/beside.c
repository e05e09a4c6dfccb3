/* What an answer to a listing says beside its rows: that it failed, or that its rows are not where they are looked for.
 * One judgement for an empty page, one with rows, and an answer without a list. */

#include "beside.h"

#include "base/ascii.h"
#include "wire/errors.h"

#include <string.h>

enum { LINE_MAX_BYTES = 2048 };

static bool is_filled(const json_t *value) {
    return json_is_true(value) || (wire_is_string(value) && json_string_length(value) > 0) ||
           json_object_size(value) > 0 || json_array_size(value) > 0;
}

static bool says_no(const json_t *value) {
    return json_is_false(value) || (wire_is_string(value) && ascii_compare(json_string_value(value), "false") == 0);
}

/* `status` and the like: a word for failure, or a status of HTTP. */
static bool is_failure(const json_t *value) {
    static const char *const words[] = {"error", "failed", "failure", "fail", "denied", "forbidden", "unauthorized"};
    if (json_is_integer(value))
        return json_integer_value(value) >= 400 && json_integer_value(value) < 600;
    for (size_t i = 0; wire_is_string(value) && i < COUNT_OF(words); i++)
        if (ascii_compare(json_string_value(value), words[i]) == 0)
            return true;
    return false;
}

/* More than a text: many answers carry a `message` that says all is well. */
bool wire_says_failed(json_t *top) {
    static const char *const errors[] = {"error",      "errors",    "error_message",    "error_description",
                                         "error_code", "errorCode", "_embedded.errors", "invalidFields"};
    static const char *const flags[] = {"success", "ok", "succeeded"};
    static const char *const words[] = {"status", "result", "code", "statusCode", "status_code"};
    if (!json_is_object(top))
        return false;
    for (size_t i = 0; i < COUNT_OF(errors); i++)
        if (is_filled(wire_member(top, errors[i])))
            return true;
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        if (says_no(json_object_get(top, flags[i])))
            return true;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (is_failure(json_object_get(top, words[i])))
            return true;
    return false;
}

/* A list under another name, at the top or in an object there: its dotted path. */
static bool find_list(json_t *object, const char *before, struct str *path) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        size_t start = path->len;
        str_addf(path, "%s%s", *before ? "." : "", name);
        if (json_is_array(value) || (!*before && json_is_object(value) && find_list(value, name, path)))
            return true;
        str_delete(path, start, path->len - start);
    }
    return false;
}

/* An answer without its list is an empty page only where it is a listing all the same: nothing in it, or where the
 * next page is. Its rows may stand under another name. */
bool wire_is_listing(json_t *top, const struct wire_shape *shape, char **elsewhere) {
    struct str path;
    str_init(&path, LINE_MAX_BYTES);
    bool found = find_list(top, "", &path);
    size_t first = strcspn(shape->data, ".");
    char *data = mem_dup_n(shape->data, first);
    bool alike = json_object_size(top) == 0 || json_object_get(top, data) || json_object_get(top, "has_more") ||
                 (shape->next && *shape->next && wire_member(top, shape->next)) ||
                 (shape->has_more && *shape->has_more && wire_member(top, shape->has_more));
    *elsewhere = found ? wire_clean_redacted(path.s, path.len, 100) : NULL;
    free(data);
    str_clear(&path);
    return alike && !found;
}

/* NULL where it says nothing. skeleton: the answer without its rows. */
char *wire_beside_text(const char *skeleton, size_t len) {
    struct service_error error;
    struct str line;
    if (!wire_has_error_text(skeleton, len))
        return NULL;
    wire_service_error(skeleton, len, NULL, NULL, &error);
    str_init(&line, LINE_MAX_BYTES);
    service_error_line(&error, &line);
    service_error_clear(&error);
    if (line.len > 0)
        return str_take(&line);
    str_clear(&line);
    return NULL;
}
