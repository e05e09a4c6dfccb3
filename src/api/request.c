#include "api/api.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/url.h"

#include <stdlib.h>
#include <string.h>

enum { URL_MAX = 1 << 20 };

static const struct api_call calls[API_OPERATION_COUNT] = {
    [API_LIST_INTENTS] = {"listIntents", "GET", false},
    [API_CREATE_USER] = {"createUser", "POST", true},
    [API_REGISTER_WEBHOOK] = {"createWebhookRegistration", "POST", true},
};

const struct api_call *api_call(enum api_operation operation) {
    return &calls[operation];
}

/* A query being written; `link` is the query of a link that the service gave, which it began with, or NULL. */
struct query {
    struct str text;
    char *link;
};

static bool request_is_set(const char *text) {
    return text && *text;
}

/* Encodes name and value separately; a parameter that the link has already keeps the link's value. */
static bool request_add_name(struct query *query, const char *name) {
    char *there = query->link ? url_query_value(query->link, name) : NULL;
    bool known = there != NULL;
    free(there);
    if (known)
        return false;
    if (query->text.len)
        str_add_char(&query->text, '&');
    url_encode(&query->text, name, strlen(name));
    str_add_char(&query->text, '=');
    return true;
}

static void request_add(struct query *query, const char *name, const char *value) {
    if (request_is_set(name) && request_is_set(value) && request_add_name(query, name))
        url_encode(&query->text, value, strlen(value));
}

static void add_numbered(struct query *query, const char *name, size_t index, bool number, const char *value) {
    struct str key;
    str_init(&key, URL_MAX);
    str_add(&key, name);
    if (number)
        str_addf(&key, "[%zu]", index);
    else
        str_add(&key, "[]");
    request_add(query, key.s, value);
    str_clear(&key);
}

/* One parameter for all values: the comma between values stays a comma, one inside a value is encoded. */
static void add_joined(struct query *query, const char *name, const struct list_query *list, bool json) {
    struct str value;
    str_init(&value, URL_MAX);
    for (size_t i = 0, n = 0; i < list->n_statuses; i++) {
        if (!request_is_set(list->statuses[i]))
            continue;
        if (n++)
            str_add_char(&value, ',');
        if (json)
            json_add_string(&value, list->statuses[i], strlen(list->statuses[i]));
        else
            url_encode(&value, list->statuses[i], strlen(list->statuses[i]));
    }
    if (json && value.len) {
        str_insert(&value, 0, "[", 1);
        str_add_char(&value, ']');
        request_add(query, name, value.s);
    } else if (value.len && request_add_name(query, name)) {
        str_add_n(&query->text, value.s, value.len);
    }
    str_clear(&value);
}

/* The five styles in which services take a list; where no status is chosen, no parameter is sent. */
static void request_add_statuses(struct query *query, const struct api_settings *api, const struct list_query *list) {
    const char *name = api->filter_status;
    if (!request_is_set(name))
        return;
    if (api->filter_status_style == FILTER_COMMA || api->filter_status_style == FILTER_JSON) {
        add_joined(query, name, list, api->filter_status_style == FILTER_JSON);
        return;
    }
    /* A link that has the parameter several times has it with the first value: check before any is added. */
    char *there = query->link ? url_query_value(query->link, name) : NULL;
    for (size_t i = 0, n = 0; !there && i < list->n_statuses; i++) {
        if (!request_is_set(list->statuses[i]))
            continue;
        if (api->filter_status_style == FILTER_REPEAT)
            request_add(query, name, list->statuses[i]);
        else
            add_numbered(query, name, n++, api->filter_status_style == FILTER_INDEXED, list->statuses[i]);
    }
    free(there);
}

static void add_extra(struct query *query, const struct string_list *extra) {
    for (size_t i = 0; i < extra->n; i++) {
        const char *entry = extra->items[i], *equals = strchr(entry, '=');
        char *name = mem_dup_n(entry, equals ? (size_t)(equals - entry) : strlen(entry));
        if (*name && request_add_name(query, name) && equals)
            url_encode(&query->text, equals + 1, strlen(equals + 1));
        free(name);
    }
}

/* The query of the service's link as it came, except for bytes that no URL may hold. Scheme, host and path of the link
 * are not used, so that they cannot lead to another origin. */
static enum err begin_with_link(struct query *query, const char *link, struct error *error) {
    const char *start = strchr(link, '?');
    size_t len = start ? strcspn(start + 1, "#") : 0;
    if (len == 0)
        return error_set(error, ERR_UNEXPECTED, "the service's link to the next page has no query");
    for (const char *c = start + 1; c < start + 1 + len; c++)
        if (*c <= ' ' || *c >= 0x7F || strchr("\"<>\\^`{|}", *c))
            str_addf(&query->text, "%%%02X", (unsigned)(unsigned char)*c);
        else
            str_add_char(&query->text, *c);
    query->link = mem_dup(query->text.s);
    return ERR_OK;
}

static enum err write_query(const struct profile *profile, const struct list_query *list, struct query *query,
                            struct error *error) {
    const struct api_settings *api = &profile->api;
    bool follows = request_is_set(list->cursor);
    if (follows && list->cursor_is_url && begin_with_link(query, list->cursor, error) != ERR_OK)
        return ERR_UNEXPECTED;
    request_add(query, api->filter_type, list->type);
    request_add_statuses(query, api, list);
    request_add(query, api->filter_after, list->after);
    request_add(query, api->filter_before, list->before);
    add_extra(query, &api->list_extra);
    if (follows && !list->cursor_is_url)
        request_add(query, api->cursor_param, list->cursor);
    return query->text.truncated ? error_set(error, ERR_LIMIT, "the listing's query is longer than 1 MB") : ERR_OK;
}

static void request_add_headers(const struct string_list *extra, struct request *out) {
    headers_add(&out->headers, "Accept", "application/json");
    for (size_t i = 0; i < extra->n; i++) {
        const char *entry = extra->items[i], *colon = strchr(entry, ':');
        if (!colon)
            continue;
        char *name = mem_dup_n(entry, (size_t)(colon - entry));
        headers_add(&out->headers, name, colon + 1 + strspn(colon + 1, " \t"));
        free(name);
    }
}

static void request_add_body(struct request *out, const char *body) {
    headers_add(&out->headers, "Content-Type", "application/json");
    out->body = mem_dup(body);
    out->body_len = strlen(body);
}

/* query may be NULL. The request goes to the profile's origin, or is refused. */
static enum err address(const struct profile *profile, const char *path, const char *query, struct request *out,
                        struct error *error) {
    struct str url;
    struct url parts;
    str_init(&url, 2 * URL_MAX);
    url_join(&url, profile->base_url, path);
    enum err err = url_parse(url.s, &parts, error);
    if (err == ERR_OK && !str_equal(parts.origin, profile->origin))
        err = error_set(error, ERR_CONFIG, "the path %s leads away from the profile's base_url", path);
    if (err == ERR_OK) {
        if (request_is_set(query))
            str_addf(&url, "?%s", query);
        out->path = mem_dup(parts.path);
        out->origin = mem_dup(parts.origin);
        out->url = str_take(&url);
    }
    url_clear(&parts);
    str_clear(&url);
    return err;
}

static enum err request_build(const struct profile *profile, const struct secret *token, const char *path,
                              const char *query, struct request *out, struct error *error) {
    enum err err = address(profile, path, query, out, error);
    if (err != ERR_OK)
        return err;
    out->bearer = token;
    out->ca_file = profile->ca_file;
    request_add_headers(&profile->api.headers, out);
    return ERR_OK;
}

enum err api_list_request(const struct profile *profile, const struct secret *token, const struct list_query *query,
                          struct request *out, struct error *error) {
    struct query text = {0};
    request_init(out);
    str_init(&text.text, URL_MAX);
    enum err err = write_query(profile, query, &text, error);
    if (err == ERR_OK)
        err = request_build(profile, token, profile->api.list_path, text.text.s, out, error);
    if (err == ERR_OK) {
        out->method = calls[API_LIST_INTENTS].method;
        if (profile->api.list_body_object)
            request_add_body(out, "{}");
    }
    free(text.link);
    str_clear(&text.text);
    return err;
}

enum err api_write_request(const struct profile *profile, const struct secret *token, enum api_operation operation,
                           const char *body, struct request *out, struct error *error) {
    request_init(out);
    if (profile->read_only)
        return error_set(error, ERR_READ_ONLY, "the profile %s is read-only: nothing was sent", profile->name);
    if (!calls[operation].write || !body)
        return error_set(error, ERR_INVALID, "%s is not a write with a body", calls[operation].name);
    const char *path = operation == API_CREATE_USER ? profile->api.user_path : profile->api.webhook_path;
    enum err err = request_build(profile, token, path, NULL, out, error);
    if (err != ERR_OK)
        return err;
    out->method = calls[operation].method;
    out->write = true;
    request_add_body(out, body);
    return ERR_OK;
}

static const char *key_at(const struct profile *profile, const char *carrier) {
    const char *setting = profile->api.user_idempotency;
    return str_starts(setting, carrier) && setting[strlen(carrier)] ? setting + strlen(carrier) : NULL;
}

const char *api_key_header(const struct profile *profile) {
    return key_at(profile, "header:");
}

const char *api_key_field(const struct profile *profile) {
    return key_at(profile, "body:");
}
