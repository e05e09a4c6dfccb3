#include "service.h"

#include "base/mem.h"
#include "json_writer.h"

#include <string.h>

/* Error bodies in the shapes that services of this kind use. `text` is sent by itself where a
 * shape is no object. */

static void put_detail(struct str *out, const struct fault *fault, const char *place) {
    json_write_open(out, NULL, '{');
    json_write_string(out, "code", fault->code);
    if (fault->field)
        json_write_string(out, place, fault->field);
    json_write_string(out, "message", fault->message);
    json_write_close(out, '}');
}

static void put_array(struct str *out, const char *name, const struct fault *fault, const char *place) {
    json_write_open(out, name, '[');
    put_detail(out, fault, place);
    json_write_close(out, ']');
}

static void nested(struct str *out, const struct fault *fault) {
    json_write_open(out, "error", '{');
    json_write_string(out, "code", fault->code);
    json_write_string(out, "message", fault->message);
    if (fault->field)
        json_write_string(out, "field", fault->field);
    json_write_close(out, '}');
}

static void message(struct str *out, const struct fault *fault) {
    json_write_string(out, "code", fault->code);
    json_write_string(out, "message", fault->message);
}

static void error_message(struct str *out, const struct fault *fault) {
    json_write_string(out, "error_code", fault->code);
    json_write_string(out, "error_message", fault->message);
    json_write_string(out, "display_message", NULL);
}

static void detail(struct str *out, const struct fault *fault) {
    json_write_string(out, "detail", fault->message);
}

static void details(struct str *out, const struct fault *fault) {
    json_write_string(out, "type", fault->code);
    put_array(out, "details", fault, "parameter");
}

static void oauth(struct str *out, const struct fault *fault) {
    json_write_string(out, "error", fault->code);
    json_write_string(out, "error_description", fault->message);
}

static void problem(struct str *out, const struct fault *fault) {
    json_write_string(out, "type", "about:blank");
    json_write_string(out, "title", fault->code);
    json_write_int(out, "status", fault->status);
    json_write_string(out, "detail", fault->message);
    if (fault->field)
        json_write_string(out, "pointer", fault->field);
}

static void errors(struct str *out, const struct fault *fault) {
    put_array(out, "errors", fault, "path");
}

static void embedded(struct str *out, const struct fault *fault) {
    json_write_string(out, "code", fault->code);
    json_write_open(out, "_embedded", '{');
    put_array(out, "errors", fault, "path");
    json_write_close(out, '}');
}

static void fields(struct str *out, const struct fault *fault) {
    json_write_string(out, "errorCode", fault->code);
    put_array(out, "invalidFields", fault, "name");
}

static void loc(struct str *out, const struct fault *fault) {
    json_write_open(out, "detail", '[');
    json_write_open(out, NULL, '{');
    json_write_open(out, "loc", '[');
    json_write_string(out, NULL, "body");
    json_write_string(out, NULL, !fault->field ? "request" : fault->field);
    json_write_close(out, ']');
    json_write_string(out, "msg", fault->message);
    json_write_string(out, "reason", fault->message);
    json_write_string(out, "type", fault->code);
    json_write_close(out, '}');
    json_write_close(out, ']');
}

static void code(struct str *out, const struct fault *fault) {
    json_write_open(out, "error_codes", '[');
    json_write_string(out, NULL, fault->code);
    json_write_close(out, ']');
    json_write_string(out, "error_type", "request");
}

static void nothing(struct str *out, const struct fault *fault) {
    json_write_null(out, "message");
    json_write_null(out, "error");
    json_write_int(out, "detail", fault->status);
}

static const struct {
    const char *name;
    void (*put)(struct str *out, const struct fault *fault);
} shapes[] = {
    {"nested", nested},
    {"echo", nested},
    {"bom", nested},
    {"message", message},
    {"error_message", error_message},
    {"detail", detail},
    {"details", details},
    {"oauth", oauth},
    {"problem", problem},
    {"errors", errors},
    {"embedded", embedded},
    {"fields", fields},
    {"loc", loc},
    {"code", code},
    {"null", nothing},
};

/* Some services send back what they received, including the token. */
static void put_echo(const struct call *call, struct str *out) {
    json_write_open(out, "request", '{');
    json_write_string(out, "authorization", call_find_header(call, "Authorization"));
    json_write_string_n(out, "body", call->body.s, call->body.len);
    json_write_close(out, '}');
}

static void fault_put_request_id(struct service *service, struct call *call) {
    const char *where = style_text(&service->style, STYLE_REQUEST_ID);
    if (!str_starts(where, "body:") || where[5] == '\0')
        return;
    struct str id;
    struct str nested_id;
    str_init(&id, 64);
    str_init(&nested_id, 1024);
    str_addf(&id, "\"req_%08llx\"", call->number);
    const struct json_write_field field = {where + 5, id.s};
    json_write_nested(&nested_id, &field, 1);
    /* Without its own braces it is members of the error object. */
    str_add_char(&call->answer, ',');
    str_add_n(&call->answer, nested_id.s + 1, nested_id.len - 2);
    str_clear(&id);
    str_clear(&nested_id);
}

static bool fault_put_plain(const char *shape, struct call *call, const struct fault *fault) {
    if (strcmp(shape, "text") == 0) {
        call->type = "text/plain";
        str_addf(&call->answer, "%s: %s\n", fault->code, fault->message);
    } else if (strcmp(shape, "html") == 0) {
        call->type = "text/html";
        str_addf(&call->answer,
                 "<!doctype html><html><head><title>%d</title></head><body><h1>%s</h1><p>%s</p></body></html>\n",
                 fault->status, fault->code, fault->message);
    } else if (strcmp(shape, "empty") == 0) {
        call->type = NULL;
    } else {
        return false;
    }
    return true;
}

void service_error(struct service *service, struct call *call, const struct fault *fault) {
    const char *shape = style_text(&service->style, STYLE_ERROR);
    call->status = fault->status;
    call->type = "application/json";
    str_reset(&call->answer);
    if (fault_put_plain(shape, call, fault))
        return;
    if (strcmp(shape, "bom") == 0)
        str_add(&call->answer, "\xEF\xBB\xBF");
    str_add_char(&call->answer, '{');
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        if (strcmp(shapes[i].name, shape) == 0)
            shapes[i].put(&call->answer, fault);
    if (strcmp(shape, "echo") == 0)
        put_echo(call, &call->answer);
    fault_put_request_id(service, call);
    str_add_char(&call->answer, '}');
}

void service_status(struct service *service, struct call *call, int status) {
    static const struct fault usual[] = {
        {400, "invalid_request", "The request is not valid.", NULL},
        {401, "unauthorized", "The token is missing or not valid.", NULL},
        {403, "forbidden", "This token may not do this.", NULL},
        {404, "not_found", "There is nothing at this path.", NULL},
        {405, "method_not_allowed", "This path does not take this method.", NULL},
        {408, "request_timeout", "The request came too slowly.", NULL},
        {409, "conflict", "This exists already, or is being made.", NULL},
        {413, "payload_too_large", "The body is larger than 1 MiB.", NULL},
        {415, "unsupported_media_type", "The body must be application/json.", NULL},
        {422, "unprocessable", "The content is not acceptable.", NULL},
        {429, "rate_limited", "Too many requests.", NULL},
        {502, "bad_gateway", "The service behind did not answer.", NULL},
        {503, "unavailable", "The service is not available.", NULL},
        {504, "gateway_timeout", "The service behind did not answer in time.", NULL},
    };
    struct fault fault = {status, status < 500 ? "error" : "internal", "The request failed.", NULL};
    for (size_t i = 0; i < COUNT_OF(usual); i++)
        if (usual[i].status == status)
            fault = usual[i];
    service_error(service, call, &fault);
}
