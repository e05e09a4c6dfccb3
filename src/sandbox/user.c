#include "service.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/url.h"
#include "base/utf8.h"
#include "json_writer.h"
#include "wire/body.h"

#include <stdlib.h>
#include <string.h>

enum { SECRET_MIN = 32, SECRET_MAX = 4096 };

/* Fields of the user creation request and what they must be, as the interface document has them. */
static const struct {
    const char *path;
    enum body_kind kind;
} user_fields[] = {
    {"name", BODY_OBJECT},
    {"name.first", BODY_STRING},
    {"name.last", BODY_STRING},
    {"address", BODY_OBJECT},
    {"address.address_line_1", BODY_STRING},
    {"address.locality", BODY_STRING},
    {"address.administrative_area", BODY_STRING},
    {"address.postal_code", BODY_STRING},
    {"address.country", BODY_STRING},
    {"email", BODY_STRING},
    {"date_of_birth", BODY_STRING},
    {"government_id", BODY_OBJECT},
    {"government_id.type", BODY_STRING},
    {"government_id.last4", BODY_STRING},
    {"government_id.state", BODY_STRING},
    {"phone_number", BODY_STRING},
    {"tag", BODY_STRING},
    {"identity_verified", BODY_BOOL},
};

static const struct body_value *at_path(const struct body_value *value, const char *path) {
    while (value) {
        size_t len = strcspn(path, ".");
        char *name = mem_dup_n(path, len);
        value = body_member(value, name);
        free(name);
        if (path[len] == '\0')
            break;
        path += len + 1;
    }
    return value;
}

/* The body as an object; NULL when the call is answered with what is wrong with it. */
static struct body *sandbox_user_read_object(struct service *service, struct call *call) {
    struct body *body = NULL;
    struct error error = {0};
    if (body_read(call->body.s, call->body.len, &body, &error) != ERR_OK) {
        const struct fault fault = {400, "invalid_json", error.text, NULL};
        service_error(service, call, &fault);
        return NULL;
    }
    if (body_kind(body_root(body)) != BODY_OBJECT) {
        const struct fault fault = {400, "invalid_json", "The body must be a JSON object.", NULL};
        service_error(service, call, &fault);
        body_free(body);
        return NULL;
    }
    return body;
}

static void sandbox_user_refuse(struct service *service, struct call *call, int status, const char *message,
                                const char *field) {
    const struct fault fault = {status, "invalid_field", message, field};
    service_error(service, call, &fault);
}

static void put_answer(struct call *call, int status, const char *name, const char *value) {
    call->status = status;
    call->type = "application/json";
    json_write_open(&call->answer, NULL, '{');
    json_write_string(&call->answer, name, value);
    json_write_close(&call->answer, '}');
}

/* ---- POST /user ---- */

static bool right_kinds(struct service *service, struct call *call, const struct body_value *root) {
    for (size_t i = 0; i < COUNT_OF(user_fields); i++) {
        enum body_kind kind = body_kind(at_path(root, user_fields[i].path));
        if (kind != BODY_NONE && kind != user_fields[i].kind) {
            const char *message = user_fields[i].kind == BODY_OBJECT ? "This field must be an object."
                                  : user_fields[i].kind == BODY_BOOL ? "This field must be true or false."
                                                                     : "This field must be a string.";
            sandbox_user_refuse(service, call, 400, message, user_fields[i].path);
            return false;
        }
    }
    return true;
}

static bool is_date(const char *text) {
    int64_t ms = 0;
    return strlen(text) == 10 && strspn(text, "0123456789-") == 10 && clock_parse(text, 10, &ms);
}

static bool right_values(struct service *service, struct call *call, const struct body_value *root) {
    const char *born = body_string(body_member(root, "date_of_birth"), NULL);
    const char *email = body_string(body_member(root, "email"), NULL);
    size_t len = 0;
    const char *last4 = body_string(at_path(root, "government_id.last4"), &len);
    if (born && !is_date(born))
        sandbox_user_refuse(service, call, 422, "This field must be a calendar date, YYYY-MM-DD.", "date_of_birth");
    else if (email && !strchr(email, '@'))
        sandbox_user_refuse(service, call, 422, "This field must be an email address.", "email");
    else if (last4 && utf8_count(last4, len) != 4)
        sandbox_user_refuse(service, call, 422, "This field must have four characters.", "government_id.last4");
    else
        return true;
    return false;
}

static bool has_required(struct service *service, struct call *call, const struct body_value *root) {
    const char *at = style_text(&service->style, STYLE_USER_REQUIRED);
    while (*at != '\0') {
        size_t len = strcspn(at, ",");
        char *path = mem_dup_n(at, len);
        enum body_kind kind = body_kind(at_path(root, path));
        const char *text = body_string(at_path(root, path), NULL);
        bool missing = kind == BODY_NONE || kind == BODY_NULL || (text && text[0] == '\0');
        if (missing)
            sandbox_user_refuse(service, call, 422, "This field is required.", path);
        free(path);
        if (missing)
            return false;
        at += len + (at[len] == ',');
    }
    return true;
}

static const char *idempotency_key(const struct service *service, const struct call *call,
                                   const struct body_value *root) {
    const char *where = style_text(&service->style, STYLE_IDEMPOTENCY);
    if (str_starts(where, "header:"))
        return call_find_header(call, where + 7);
    return str_starts(where, "body:") ? body_string(at_path(root, where + 5), NULL) : NULL;
}

static void sandbox_user_add_user(struct service *service, struct call *call, const struct body_value *root) {
    struct str json;
    struct str id;
    struct error error = {0};
    enum dataset_known known = BOOKS_NEW;
    str_init(&json, CALL_BODY_MAX * 2);
    str_init(&id, 64);
    body_print(root, &json);
    if (dataset_add_user(service->dataset, json.s, idempotency_key(service, call, root), &id, &known, &error) !=
        ERR_OK) {
        service_status(service, call, 500);
    } else if (known == BOOKS_OTHER) {
        const struct fault fault = {409, "idempotency_key_reused", "This key was used with another body.", NULL};
        service_error(service, call, &fault);
    } else {
        if (known == BOOKS_SAME)
            call_add(&call->answer_headers, "Idempotent-Replayed", "true");
        put_answer(call, (int)style_number(&service->style, STYLE_USER_STATUS), "id", id.s);
    }
    str_clear(&json);
    str_clear(&id);
}

void service_user(struct service *service, struct call *call) {
    struct body *body = sandbox_user_read_object(service, call);
    if (!body)
        return;
    const struct body_value *root = body_root(body);
    if (right_kinds(service, call, root) && right_values(service, call, root) && has_required(service, call, root))
        sandbox_user_add_user(service, call, root);
    body_free(body);
}

/* ---- POST /webhook/register ---- */

static bool sandbox_user_is_https(const char *text, size_t len) {
    struct url url = {0};
    /* A URL is one line of visible text; a NUL inside would hide its rest. */
    if (strlen(text) != len || !utf8_is_clean(text, len) || strpbrk(text, " \\\"<>^`{|}") ||
        url_parse(text, &url, NULL) != ERR_OK)
        return false;
    bool ok = str_equal(url.scheme, "https") && url.host && url.host[0] != '\0';
    url_clear(&url);
    return ok;
}

static bool right_url(struct service *service, struct call *call, const struct body_value *url) {
    size_t len = 0;
    const char *text = body_string(url, &len);
    if (text && sandbox_user_is_https(text, len))
        return true;
    sandbox_user_refuse(service, call, 400,
                        body_kind(url) == BODY_NONE ? "This field is required."
                        : !text                     ? "This field must be a string."
                                                    : "This field must be an HTTPS URL.",
                        "url");
    return false;
}

static bool right_secret(struct service *service, struct call *call, const struct body_value *secret) {
    size_t len = 0;
    const char *text = body_string(secret, &len);
    if (body_kind(secret) == BODY_NONE)
        return true;
    size_t count = !text ? 0 : utf8_count(text, len);
    if (text && strlen(text) == len && count >= SECRET_MIN && count <= SECRET_MAX)
        return true;
    sandbox_user_refuse(service, call, 400,
                        !text ? "This field must be a string." : "This field must have 32 to 4096 characters.",
                        "secret");
    return false;
}

void service_webhook(struct service *service, struct call *call) {
    struct body *body = sandbox_user_read_object(service, call);
    const struct body_value *url = body_member(body_root(body), "url");
    const struct body_value *secret = body_member(body_root(body), "secret");
    bool replaced = false;
    if (body && right_url(service, call, url) && right_secret(service, call, secret)) {
        const char *text = body_string(url, NULL);
        if (dataset_register(service->dataset, text, body_string(secret, NULL), &replaced, NULL) != ERR_OK)
            service_status(service, call, 500);
        else
            put_answer(call, replaced ? 200 : 201, "url", text);
    }
    body_free(body);
}
