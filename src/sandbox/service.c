#include "service.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <string.h>

struct route {
    enum style_key path;
    const char *method;
    void (*perform)(struct service *service, struct call *call);
    bool has_body;
};

static const struct route routes[] = {
    {STYLE_LIST_PATH, "GET", service_list, false},
    {STYLE_USER_PATH, "POST", service_user, true},
    {STYLE_WEBHOOK_PATH, "POST", service_webhook, true},
};

static const struct route *find_route(const struct service *service, const char *path) {
    for (size_t i = 0; i < COUNT_OF(routes); i++)
        if (style_is(&service->style, routes[i].path, path))
            return &routes[i];
    return NULL;
}

bool service_is_control(const struct service *service, const struct call *call) {
    return service->control_token && str_starts(call->path, "/control/");
}

/* Every byte is compared whatever differs, so that the time tells nothing. */
static bool same_secret(const char *a, const char *b) {
    size_t len = strlen(a);
    if (len != strlen(b))
        return false;
    unsigned char differs = 0;
    for (size_t i = 0; i < len; i++)
        differs |= (unsigned char)(a[i] ^ b[i]);
    return differs == 0;
}

static bool has_token(const struct call *call, const char *token) {
    const char *header = call_find_header(call, "Authorization");
    return header && ascii_compare_n(header, "Bearer ", 7) == 0 && same_secret(header + 7, token);
}

static bool service_is_json(const struct call *call) {
    const char *type = call_find_header(call, "Content-Type");
    if (!type)
        return false;
    size_t len = strcspn(type, "; \t");
    return len == 16 && ascii_compare_n(type, "application/json", len) == 0;
}

static void service_put_request_id(struct service *service, struct call *call) {
    const char *name = style_text(&service->style, STYLE_REQUEST_ID);
    if (name[0] == '\0' || str_starts(name, "body:"))
        return;
    struct str id;
    str_init(&id, 64);
    str_addf(&id, "req_%08llx", (unsigned long long)call->number);
    call_add(&call->answer_headers, name, id.s);
    str_clear(&id);
}

static bool may_enter(struct service *service, struct call *call, const char *token) {
    if (has_token(call, token))
        return true;
    call_add(&call->answer_headers, "WWW-Authenticate", "Bearer realm=\"bursar-sandbox\"");
    service_status(service, call, 401);
    return false;
}

static void service_perform(struct service *service, struct call *call) {
    const struct route *route = find_route(service, call->path);
    if (!may_enter(service, call, service->token) || !rate_allows(service, call))
        return;
    if (!route) {
        service_status(service, call, 404);
    } else if (strcmp(call->method, route->method) != 0) {
        call_add(&call->answer_headers, "Allow", route->method);
        service_status(service, call, 405);
    } else if (call->too_large) {
        service_status(service, call, 413);
    } else if (route->has_body && !service_is_json(call)) {
        service_status(service, call, 415);
    } else {
        route->perform(service, call);
    }
}

/* A rule that gives the answer keeps the request from having an effect, unless it says `apply`. */
static bool is_answered_by_rule(const struct rule_hit *hit) {
    bool says = hit->status >= 0 || hit->body || hit->bomb >= 0 ||
                (hit->flags & (RULE_HANG | RULE_RESET | RULE_DROP_AFTER_READ)) != 0;
    return hit->id != 0 && says && (hit->flags & RULE_APPLY) == 0;
}

static void dress(struct service *service, struct call *call) {
    const struct rule_hit *hit = &call->hit;
    if (hit->status >= 0 && !hit->body)
        service_status(service, call, (int)hit->status);
    if (hit->body) {
        str_reset(&call->answer);
        str_add_n(&call->answer, hit->body, hit->body_len);
        call->type = "application/json";
    }
    if (hit->status >= 0)
        call->status = (int)hit->status;
    else if (call->status == 0)
        call->status = 200;
    if (hit->type)
        call->type = hit->type[0] == '\0' ? NULL : hit->type;
    for (size_t i = 0; i < hit->n; i++)
        call_add(&call->answer_headers, hit->items[i].name, hit->items[i].value);
}

void service_answer(struct service *service, struct call *call) {
    service_put_request_id(service, call);
    if (service_is_control(service, call)) {
        if (may_enter(service, call, service->control_token))
            service_control(service, call);
        return;
    }
    if (!is_answered_by_rule(&call->hit))
        service_perform(service, call);
    if (call->hit.id != 0)
        dress(service, call);
}
