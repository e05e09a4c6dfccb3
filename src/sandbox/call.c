#include "call.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct call *call_new(const char *uri) {
    struct call *call = mem_new(sizeof *call);
    call->uri = mem_dup(uri);
    str_init(&call->body, CALL_BODY_MAX);
    str_init(&call->answer, CALL_ANSWER_MAX);
    return call;
}

static void clear_pairs(struct call_pairs *pairs) {
    for (size_t i = 0; i < pairs->n; i++) {
        free(pairs->items[i].name);
        free(pairs->items[i].value);
    }
    free(pairs->items);
}

void call_free(struct call *call) {
    if (!call)
        return;
    clear_pairs(&call->headers);
    clear_pairs(&call->query);
    clear_pairs(&call->answer_headers);
    rule_hit_clear(&call->hit);
    str_clear(&call->body);
    str_clear(&call->answer);
    free(call->method);
    free(call->path);
    free(call->uri);
    free(call);
}

void call_add(struct call_pairs *pairs, const char *name, const char *value) {
    struct call_pair *pair = vec_add(pairs);
    pair->name = mem_dup(name);
    pair->value = mem_dup(!value ? "" : value);
}

const char *call_find(const struct call_pairs *pairs, const char *name) {
    for (size_t i = 0; i < pairs->n; i++)
        if (strcmp(pairs->items[i].name, name) == 0)
            return pairs->items[i].value;
    return NULL;
}

const char *call_find_header(const struct call *call, const char *name) {
    for (size_t i = 0; i < call->headers.n; i++)
        if (ascii_compare(call->headers.items[i].name, name) == 0)
            return call->headers.items[i].value;
    return NULL;
}

const char *call_query(const struct call *call) {
    const char *mark = strchr(call->uri, '?');
    return !mark ? "" : mark + 1;
}
