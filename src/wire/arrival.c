#include "wire/arrival.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "wire/body.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>

enum { STATUS_MAX = 999 };

/* ---- what a body says ---- */

static char *arrival_short(const char *raw, size_t len) {
    struct str clean;
    str_init(&clean, ARRIVAL_TEXT_MAX);
    utf8_sanitise(&clean, raw, len);
    return str_take(&clean);
}

/* Clean text of the first of the names that is a string and not empty; NULL. */
static char *arrival_text(const struct body_value *object, const char *const *names) {
    for (; *names; names++) {
        size_t len = 0;
        const char *raw = body_string(body_member(object, *names), &len);
        if (raw && len > 0)
            return arrival_short(raw, len);
    }
    return NULL;
}

/* Where the intent may stand, the innermost first. */
static const struct body_value *arrival_object(const struct body_value *root) {
    static const char *const INNER[] = {"object", "intent"};
    static const char *const OUTER[] = {"data", "payload", "intent", "object"};
    for (size_t i = 0; i < COUNT_OF(OUTER); i++) {
        const struct body_value *outer = body_member(root, OUTER[i]);
        for (size_t j = 0; j < COUNT_OF(INNER); j++)
            if (body_kind(body_member(outer, INNER[j])) == BODY_OBJECT)
                return body_member(outer, INNER[j]);
        if (body_kind(outer) == BODY_OBJECT)
            return outer;
    }
    return NULL;
}

/* A text, or an object with its id. */
static char *arrival_user(const struct body_value *object) {
    static const char *const NAMES[] = {"user_id", "userId", "user", NULL};
    static const char *const ID[] = {"id", NULL};
    char *user = arrival_text(object, NAMES);
    return user ? user : arrival_text(body_member(object, "user"), ID);
}

/* Of the intent, or beside it. */
static char *arrival_user_in(const struct body_value *root) {
    char *user = arrival_user(arrival_object(root));
    return user ? user : arrival_user(root);
}

static void arrival_read_intent(const struct body_value *root, struct arrival *arrival) {
    static const char *const OWN[] = {"id", "intent_id", "intentId", NULL};
    static const char *const NAMED[] = {"intent_id", "intentId", NULL};
    static const char *const STATUS[] = {"status", NULL};
    const struct body_value *object = arrival_object(root);
    arrival->intent = arrival_text(object, OWN);
    arrival->user = arrival_user_in(root);
    arrival->status = arrival->intent ? arrival_text(object, STATUS) : NULL;
    if (!arrival->intent && (arrival->intent = arrival_text(root, NAMED)))
        arrival->status = arrival_text(root, STATUS);
}

static int64_t arrival_time(const struct body_value *root) {
    static const char *const NAMES[] = {"created_at", "timestamp", "created", "occurred_at", "time"};
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        const struct body_value *value = body_member(root, NAMES[i]);
        size_t len = 0;
        const char *text = body_string(value, &len);
        int64_t ms = CLOCK_NONE;
        if ((text && clock_parse(text, len, &ms)) ||
            (body_kind(value) == BODY_INTEGER && clock_from_epoch(body_integer(value), &ms)))
            return ms;
    }
    return CLOCK_NONE;
}

/* The one scheme whose signature covers the id and the time of the headers: with all others anybody on the way can
 * write them anew. */
static bool arrival_headers_are_signed(const struct arrival *arrival) {
    return arrival->checked && arrival->scheme == WEBHOOK_STANDARD &&
           (arrival->result == WEBHOOK_VERIFIED || arrival->result == WEBHOOK_STALE);
}

static int64_t arrival_header_time(const struct arrival *arrival) {
    const char *text = headers_find(&arrival->headers, WEBHOOK_TIMESTAMP);
    long long number = 0;
    int64_t ms = CLOCK_NONE;
    bool ok = text && str_to_int64(text, strlen(text), &number) && clock_from_epoch(number, &ms);
    return ok ? ms : CLOCK_NONE;
}

void wire_arrival_read(struct arrival *arrival) {
    static const char *const KINDS[] = {"type", "event", "event_type", "kind", NULL};
    static const char *const IDS[] = {"id", "event_id", "eventId", NULL};
    struct body *body = NULL;
    bool is_signed = arrival_headers_are_signed(arrival);
    const char *id = is_signed ? headers_find(&arrival->headers, WEBHOOK_ID) : NULL;
    enum err err = body_read(arrival->body, arrival->body_len, &body, NULL);
    const struct body_value *root = err == ERR_OK ? body_root(body) : NULL;
    arrival->readable = body_kind(root) == BODY_OBJECT;
    arrival->kind = arrival_text(root, KINDS);
    arrival->id = id && *id ? arrival_short(id, strlen(id)) : arrival_text(root, IDS);
    arrival->time = arrival_time(root);
    if (arrival->time == CLOCK_NONE && is_signed)
        arrival->time = arrival_header_time(arrival);
    arrival_read_intent(root, arrival);
    body_free(body);
}

void wire_arrival_read_user(struct arrival *arrival) {
    struct body *body = NULL;
    if (body_read(arrival->body, arrival->body_len, &body, NULL) == ERR_OK)
        arrival->user = arrival_user_in(body_root(body));
    body_free(body);
}

/* ---- as JSON ---- */

static void add_time(struct str *out, const char *name, int64_t ms) {
    struct str text;
    str_init(&text, ARRIVAL_TEXT_MAX);
    if (ms != CLOCK_NONE)
        clock_format_iso(&text, ms);
    str_add_char(out, ',');
    wire_add_member(out, name, ms == CLOCK_NONE ? NULL : text.s);
    str_clear(&text);
}

static void arrival_add_text(struct str *out, const char *name, const char *text) {
    str_add_char(out, ',');
    wire_add_member(out, name, text);
}

static void add_number(struct str *out, const char *name, int64_t number) {
    if (number > 0)
        str_addf(out, ",\"%s\":%lld", name, (long long)number);
    else
        str_addf(out, ",\"%s\":null", name);
}

void wire_arrival_members(const struct arrival *arrival, struct str *out) {
    bool right = arrival->checked && arrival->result <= WEBHOOK_SLIP;
    str_addf(out, "\"n\":%lld", (long long)arrival->n);
    add_time(out, "received_at", arrival->at);
    arrival_add_text(out, "check", arrival_word(arrival));
    arrival_add_text(out, "scheme", right ? webhook_scheme_name(arrival->scheme) : NULL);
    arrival_add_text(out, "why", arrival->why);
    arrival_add_text(out, "kind", arrival->kind);
    arrival_add_text(out, "id", arrival->id);
    add_time(out, "event_at", arrival->time);
    arrival_add_text(out, "intent", arrival->intent);
    arrival_add_text(out, "status", arrival->status);
    arrival_add_text(out, "user", arrival->user);
    str_addf(out, ",\"json\":%s", arrival->readable ? "true" : "false");
    str_addf(out, ",\"bytes\":%zu", arrival->body_len);
    add_number(out, "answered", arrival->answered);
    add_number(out, "again", arrival->again);
    arrival_add_text(out, "path", arrival->path);
}

void wire_arrival_store(const struct arrival *arrival, const char *place, struct str *out) {
    str_add(out, "{");
    wire_arrival_members(arrival, out);
    arrival_add_text(out, "place", place);
    str_add(out, ",\"headers\":[");
    for (size_t i = 0; i < arrival->headers.n; i++) {
        str_add(out, i > 0 ? ",[" : "[");
        wire_add_string(out, arrival->headers.items[i].name);
        str_add_char(out, ',');
        wire_add_string(out, arrival->headers.items[i].value);
        str_add_char(out, ']');
    }
    str_add(out, "]}\n");
    str_add_n(out, arrival->body, arrival->body_len);
}

/* ---- and back ---- */

static char *load_text(const struct body_value *root, const char *name) {
    const char *const names[] = {name, NULL};
    return arrival_text(root, names);
}

static int64_t load_time(const struct body_value *root, const char *name) {
    size_t len = 0;
    int64_t ms = CLOCK_NONE;
    const char *text = body_string(body_member(root, name), &len);
    return text && clock_parse(text, len, &ms) ? ms : CLOCK_NONE;
}

static char *load_long(const struct body_value *value, size_t max) {
    size_t len = 0;
    const char *text = body_string(value, &len);
    struct str clean;
    if (!text)
        return NULL;
    str_init(&clean, max);
    utf8_sanitise(&clean, text, len);
    return str_take(&clean);
}

static void load_headers(const struct body_value *list, struct headers *out) {
    for (size_t i = 0; i < body_count(list); i++) {
        char *name = load_long(body_item(body_item(list, i), 0), ARRIVAL_HEADER_MAX);
        char *value = load_long(body_item(body_item(list, i), 1), ARRIVAL_HEADER_MAX);
        if (name && value) {
            *vec_add(out) = (struct header){name, value};
        } else {
            free(name);
            free(value);
        }
    }
}

static void load_check(const struct body_value *root, struct arrival *out) {
    char *word = load_text(root, "check");
    char *scheme = load_text(root, "scheme");
    int result = word ? webhook_result_find(word) : -1;
    int known = scheme ? webhook_scheme_find(scheme) : -1;
    out->checked = result >= 0;
    out->result = result >= 0 ? (enum webhook_result)result : WEBHOOK_MISMATCH;
    out->scheme = known >= 0 ? (enum webhook_scheme)known : WEBHOOK_STANDARD;
    out->why = load_long(body_member(root, "why"), ARRIVAL_WHY_MAX);
    free(word);
    free(scheme);
}

static void load_members(const struct body_value *root, struct arrival *out) {
    long long answered = body_integer(body_member(root, "answered"));
    long long bytes = body_integer(body_member(root, "bytes"));
    out->n = body_integer(body_member(root, "n"));
    out->at = load_time(root, "received_at");
    out->time = load_time(root, "event_at");
    out->kind = load_text(root, "kind");
    out->id = load_text(root, "id");
    out->intent = load_text(root, "intent");
    out->status = load_text(root, "status");
    out->user = load_text(root, "user");
    out->user_unread = !body_member(root, "user");
    out->path = load_long(body_member(root, "path"), ARRIVAL_HEADER_MAX);
    out->readable = body_bool(body_member(root, "json"));
    out->body_len = bytes > 0 && bytes <= ARRIVAL_BODY_MAX ? (size_t)bytes : 0;
    out->answered = answered > 0 && answered <= STATUS_MAX ? (int)answered : 0;
    out->again = body_integer(body_member(root, "again"));
    load_check(root, out);
    load_headers(body_member(root, "headers"), &out->headers);
}

enum err wire_arrival_load(const char *text, size_t len, struct arrival *out, char **place, struct error *error) {
    const char *end = memchr(text, '\n', len);
    struct body *body = NULL;
    if (!end || body_read(text, (size_t)(end - text), &body, NULL) != ERR_OK ||
        body_kind(body_root(body)) != BODY_OBJECT) {
        body_free(body);
        return error_set(error, ERR_FILE, "its first line is damaged");
    }
    load_members(body_root(body), out);
    *place = load_long(body_member(body_root(body), "place"), ARRIVAL_HEADER_MAX);
    body_free(body);
    return ERR_OK;
}
