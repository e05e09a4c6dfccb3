#include "wire/page.h"

#include "base/ascii.h"
#include "base/secret.h"
#include "base/str.h"
#include "decode.h"
#include "judge.h"
#include "slicer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum err not_json(const struct wire_slicer *slicer, const struct wire_fault *fault, struct error *error) {
    size_t at = wire_slicer_place(slicer, fault->at) + 1;
    if (fault->limit)
        return error_set(error, ERR_LIMIT, "the answer is %s", fault->reason);
    if (strcmp(fault->reason, "duplicate key") == 0)
        return error_set(error, ERR_UNEXPECTED, "the answer names a member twice");
    return error_set(error, ERR_UNEXPECTED, "the answer is not JSON at byte %zu: %s", at, fault->reason);
}

static enum err not_rows(const struct wire_slicer *slicer, struct error *error) {
    if (slicer->limit)
        return error_set(error, ERR_LIMIT, "%s", slicer->fault);
    return error_set(error, ERR_UNEXPECTED, "the answer's rows cannot be told apart at byte %zu: %s", slicer->at + 1,
                     slicer->fault);
}

static const char *kind_name(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return wire_literal(value) ? "a number" : "text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_NULL:
        return "null";
    default:
        return "true or false";
    }
}

#define WAY "where that is the list of intents, list_data = \"%s\" in the profile's api section says so"

static enum err elsewhere(const char *path, const char *there, struct error *error) {
    return *path ? error_set(error, ERR_UNEXPECTED, "the answer has no list `%s`, but one under `%s`: " WAY, path,
                             there, there)
                 : error_set(error, ERR_UNEXPECTED, "the answer is no bare list, but has one under `%s`: " WAY, there,
                             there);
}

/* A list that is absent or null is an empty page, unless something says otherwise: an error text does, and is the
 * better reason unless rows are in another place. */
static enum err not_there(json_t *top, const struct wire_shape *shape, bool has_text, struct error *error) {
    char *there = judge_find_list(top, has_text);
    enum err err = ERR_OK;
    if (there)
        err = elsewhere(shape->data, there, error);
    else if (!has_text && !judge_is_listing(top, shape))
        err = error_set(error, ERR_UNEXPECTED, "the answer has no list `%s`, where the profile's list_data has it",
                        shape->data);
    free(there);
    return err;
}

static enum err not_a_list(json_t *top, const json_t *value, const char *path, struct error *error) {
    char *there = judge_find_list(top, false);
    if (there)
        (void)elsewhere(path, there, error);
    else
        (void)error_set(error, ERR_UNEXPECTED, "`%s` in the answer is %s, not a list", path, kind_name(value));
    free(there);
    return ERR_UNEXPECTED;
}

/* The list is empty, and rows are in another place. */
static enum err check_empty(json_t *top, const struct wire_shape *shape, struct error *error) {
    char *there = judge_find_list(top, true);
    if (there)
        (void)error_set(error, ERR_UNEXPECTED,
                        "the list `%s` in the answer is empty, but intents stand under `%s`: list_data = \"%s\" in the "
                        "profile's api section reads those",
                        shape->data, there, there);
    free(there);
    return there ? ERR_UNEXPECTED : ERR_OK;
}

/* The value at the path must be a list. */
static enum err check_list(json_t *top, size_t n, const struct wire_shape *shape, struct page *out,
                           struct error *error) {
    const char *path = shape->data;
    const json_t *list = wire_member(top, path);
    if (json_is_array(list))
        return n > 0 || out->failed ? ERR_OK : check_empty(top, shape, error);
    if (*path && json_is_array(top))
        return error_set(error, ERR_UNEXPECTED,
                         "the answer is a bare list: this service needs list_data = \"\" in its profile");
    if (!json_is_object(top))
        return error_set(error, ERR_UNEXPECTED, "the answer is %s, not a listing", kind_name(top));
    out->absent = true;
    if (out->failed)
        return ERR_OK;
    return !list || json_is_null(list) ? not_there(top, shape, out->beside != NULL, error)
                                       : not_a_list(top, list, path, error);
}

/* An opaque cursor never has a '?' and a '=' behind it like a link. */
bool wire_is_link(const char *text) {
    if (ascii_compare_n(text, "http://", 7) == 0 || ascii_compare_n(text, "https://", 8) == 0)
        return true;
    const char *query = strchr(text, '?');
    return (text[0] == '/' || text[0] == '?' || text[0] == '.') && query && strchr(query, '=');
}

static enum err read_next(json_t *top, const char *path, struct page *out, struct error *error) {
    const json_t *value = wire_member(top, path);
    const char *literal = wire_literal(value);
    size_t len = literal ? strlen(literal) : json_string_length(value);
    if (len > WIRE_CURSOR_MAX)
        return error_set(error, ERR_LIMIT, "the cursor is longer than 64 KB");
    if (json_is_integer(value)) {
        struct str digits;
        str_init(&digits, 32);
        str_addf(&digits, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        out->next = str_take(&digits);
    } else if (json_is_string(value) && len > 0) {
        out->next = mem_dup(literal ? literal : json_string_value(value));
        out->next_is_url = !literal && wire_is_link(out->next);
    }
    return ERR_OK;
}

static bool says_no_more(json_t *top, const char *path) {
    return path && *path && json_is_false(wire_member(top, path));
}

static enum err read_frame(json_t *top, size_t n, const struct wire_shape *shape, struct page *out,
                           struct error *error) {
    enum err err = check_list(top, n, shape, out, error);
    if (err == ERR_OK && shape->next && *shape->next)
        err = read_next(top, shape->next, out, error);
    if (err != ERR_OK)
        return err;
    out->has_more_false = says_no_more(top, shape->has_more) || says_no_more(top, "has_more");
    if (out->has_more_false) {
        free(out->next);
        out->next = NULL;
        out->next_is_url = false;
    } else if (!out->next && json_is_object(top)) {
        out->more = judge_find_more(top, shape);
    }
    return ERR_OK;
}

/* A row is kept as served, except for a live secret that the service writes back in it: what is kept is also shown,
 * copied and exported. */
static void wire_page_read_rows(const struct wire_slicer *slicer, struct page *out) {
    for (size_t i = 0; i < slicer->n; i++) {
        const char *s = slicer->items[i].s;
        size_t len = slicer->items[i].len;
        struct str clean;
        str_init(&clean, 8 * len);
        bool has_secret = secret_redact_row(s, len, &clean);
        struct intent *row = has_secret ? wire_intent(clean.s, clean.len) : wire_intent(s, len);
        *vec_add(out) = row; /* NOLINT(bugprone-sizeof-expression): a vector of pointers */
        out->broken += row->broken != NULL;
        str_clear(&clean);
    }
}

/* Whether `total` is money: what the amounts on the page add up to. Amounts of several currencies add up to nothing. */
static bool is_sum_of_amounts(const struct page *page) {
    const struct intent *first = NULL;
    long long sum = 0;
    for (size_t i = 0; i < page->n; i++) {
        const struct intent *row = page->items[i];
        if (row->amount.state != VALUE_OK)
            continue;
        if (first && !str_equal(row->currency.text, first->currency.text))
            return false;
        if (__builtin_add_overflow(sum, (long long)row->amount.number, &sum))
            return false;
        first = row;
    }
    return sum == page->total && (size_t)sum != page->n;
}

enum err wire_page(const char *body, size_t len, const struct wire_shape *shape, struct page *out,
                   struct error *error) {
    enum err err = ERR_OK;
    json_t *top = NULL;
    struct wire_slicer slicer;
    struct wire_fault fault;
    struct wire_verdict verdict;
    struct str skeleton;
    page_init(out);
    wire_slicer_init(&slicer, body, len);
    str_init(&skeleton, len);
    if (!wire_slicer_cut(&slicer, shape->data)) {
        err = not_rows(&slicer, error);
        goto out;
    }
    wire_slicer_skeleton(&slicer, &skeleton);
    top = wire_decode((struct wire_slice){skeleton.s, skeleton.len}, false, &fault);
    judge_value(top, &verdict);
    out->failed = verdict.failed || verdict.denied;
    out->partial = verdict.partial;
    if (json_is_object(top)) { /* false for NULL */
        out->beside = judge_text(skeleton.s, skeleton.len);
        out->total = judge_total(top);
    }
    err = top ? read_frame(top, slicer.n, shape, out, error) : not_json(&slicer, &fault, error);
    if (err == ERR_OK)
        wire_page_read_rows(&slicer, out);
    if (err == ERR_OK && out->total > 0 && is_sum_of_amounts(out))
        out->total = 0;
out:
    if (err != ERR_OK)
        page_clear(out);
    json_decref(top);
    str_clear(&skeleton);
    wire_slicer_clear(&slicer);
    return err;
}
