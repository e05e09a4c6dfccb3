#include "service.h"

#include "base/mem.h"
#include "deliver.h"
#include "json_writer.h"
#include "wire/body.h"

#include <stdlib.h>
#include <string.h>

enum { TICKS_MAX = 100000, EVENTS_MAX = 20000 };

static void control_done(struct call *call, int status) {
    call->status = status;
    call->type = "application/json";
}

static void control_complain(struct service *service, struct call *call, const struct error *error) {
    const struct fault fault = {error->code == ERR_NOT_FOUND ? 404 : 400, err_name(error->code), error->text, NULL};
    service_error(service, call, &fault);
}

static void get_users(struct service *service, struct call *call) {
    dataset_print_users(service->dataset, &call->answer);
    control_done(call, 200);
}

static void get_registration(struct service *service, struct call *call) {
    dataset_print_registration(service->dataset, &call->answer);
    control_done(call, 200);
}

static void get_figures(struct service *service, struct call *call) {
    dataset_print_figures(service->dataset, &call->answer);
    control_done(call, 200);
}

static void get_journal(struct service *service, struct call *call) {
    trace_print(service->trace, &call->answer);
    control_done(call, 200);
    call->type = "application/x-ndjson";
}

static void get_rules(struct service *service, struct call *call) {
    rules_print(service->rules, &call->answer);
    control_done(call, 200);
}

static void control_put_number(struct call *call, int status, const char *name, long long value) {
    json_write_open(&call->answer, NULL, '{');
    json_write_int(&call->answer, name, value);
    json_write_close(&call->answer, '}');
    control_done(call, status);
}

/* The body is the rule itself, as text. */
static void post_rule(struct service *service, struct call *call) {
    struct error error = {0};
    int id = 0;
    if (strlen(call->body.s) != call->body.len)
        service_status(service, call, 400);
    else if (rules_add(service->rules, call->body.s, &id, &error) != ERR_OK)
        control_complain(service, call, &error);
    else
        control_put_number(call, 201, "id", id);
}

static void delete_rules(struct service *service, struct call *call) {
    const char *id = call_find(&call->query, "id");
    long long number = 0;
    if (!id) {
        rules_clear(service->rules);
        control_done(call, 204);
    } else if (str_to_int64(id, strlen(id), &number) && number > 0 && number < 1 << 30 &&
               rules_remove(service->rules, (int)number)) {
        control_done(call, 204);
    } else {
        service_status(service, call, 404);
    }
}

static void post_tick(struct service *service, struct call *call) {
    const char *text = call_find(&call->query, "count");
    struct error error = {0};
    long long count = 1;
    if (text && (!str_to_int64(text, strlen(text), &count) || count < 1 || count > TICKS_MAX)) {
        const struct fault fault = {400, "invalid_parameter", "count is 1 to 100000", "count"};
        service_error(service, call, &fault);
    } else if (dataset_tick(service->dataset, (int)count, &error) != ERR_OK) {
        control_complain(service, call, &error);
    } else {
        get_figures(service, call);
    }
}

/* ---- placing intents ---- */

static enum err control_store(struct service *service, struct call *call, const struct dataset_element *element,
                              struct error *error) {
    const char *id = call_find(&call->query, "replace");
    int64_t place = 0;
    if (id)
        return dataset_replace(service->dataset, id, element, error);
    return dataset_insert(service->dataset, element, &place, error);
}

/* What filters compare of a JSON element: its own words, where it can be read. */
static enum err store_text(struct service *service, struct call *call, const struct str *text, struct error *error) {
    struct body *body = NULL;
    (void)!body_read(text->s, text->len, &body, NULL);
    const struct body_value *root = body_root(body);
    const struct dataset_element element = {
        .json = text->s,
        .len = text->len,
        .status = body_string(body_member(root, "status"), NULL),
        .type = body_string(body_member(root, "type"), NULL),
    };
    enum err err = control_store(service, call, &element, error);
    body_free(body);
    return err;
}

/* Puts the given fields over a generated intent, or over the one that is replaced. */
static enum err store_fields(struct service *service, struct call *call, struct error *error) {
    struct str made;
    struct str merged;
    struct body *base = NULL;
    struct body *patch = NULL;
    str_init(&made, CALL_BODY_MAX);
    str_init(&merged, CALL_ANSWER_MAX);
    enum err err = dataset_preview(service->dataset, call_find(&call->query, "replace"), &made, error);
    if (err == ERR_OK)
        err = body_read(made.s, made.len, &base, error);
    if (err == ERR_OK)
        err = body_read(call->body.s, call->body.len, &patch, error);
    if (err == ERR_OK)
        err = body_merge(base, patch, &merged, error);
    if (err == ERR_OK)
        err = store_text(service, call, &merged, error);
    body_free(base);
    body_free(patch);
    str_clear(&made);
    str_clear(&merged);
    return err;
}

static void post_intents(struct service *service, struct call *call) {
    const char *raw = call_find(&call->query, "raw");
    struct error error = {0};
    enum err err = ERR_OK;
    if (raw) {
        err = store_text(service, call, &call->body, &error);
    } else if (call->body.len > 0) {
        err = store_fields(service, call, &error);
    } else {
        const struct dataset_element none = {0};
        err = control_store(service, call, &none, &error);
    }
    if (err != ERR_OK) {
        control_complain(service, call, &error);
    } else {
        get_figures(service, call);
        control_done(call, 201);
    }
}

static void get_deliveries(struct service *service, struct call *call) {
    const char *text = call_find(&call->query, "limit");
    long long limit = INT64_MAX;
    if (text && (!str_to_int64(text, strlen(text), &limit) || limit < 0)) {
        service_status(service, call, 400);
        return;
    }
    deliver_print(service->deliver, (size_t)limit, &call->answer);
    control_done(call, 200);
    call->type = "application/x-ndjson";
}

static void get_delivery(struct service *service, struct call *call) {
    deliver_print_figures(service->deliver, &call->answer);
    control_done(call, 200);
}

static void post_events(struct service *service, struct call *call) {
    const char *text = call_find(&call->query, "count");
    struct error error = {0};
    long long count = 1;
    if (text && (!str_to_int64(text, strlen(text), &count) || count < 1 || count > EVENTS_MAX))
        service_status(service, call, 400);
    else if (deliver_now(service->deliver, count, &error) != ERR_OK)
        control_complain(service, call, &error);
    else
        control_put_number(call, 202, "events", count);
}

static const struct {
    const char *path, *method;
    void (*perform)(struct service *service, struct call *call);
} operations[] = {
    {"/control/users", "GET", get_users},       {"/control/registration", "GET", get_registration},
    {"/control/journal", "GET", get_journal},   {"/control/figures", "GET", get_figures},
    {"/control/rules", "GET", get_rules},       {"/control/rules", "POST", post_rule},
    {"/control/rules", "DELETE", delete_rules}, {"/control/tick", "POST", post_tick},
    {"/control/intents", "POST", post_intents}, {"/control/deliveries", "GET", get_deliveries},
    {"/control/delivery", "GET", get_delivery}, {"/control/events", "POST", post_events},
};

void service_control(struct service *service, struct call *call) {
    bool known = false;
    if (call->too_large) {
        service_status(service, call, 413);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(operations); i++) {
        if (strcmp(call->path, operations[i].path) == 0) {
            known = true;
            if (strcmp(call->method, operations[i].method) == 0) {
                operations[i].perform(service, call);
                return;
            }
        }
    }
    service_status(service, call, known ? 405 : 404);
}
