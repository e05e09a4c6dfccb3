#include "model/arrival.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

struct arrival *arrival_new(void) {
    struct arrival *arrival = mem_new(sizeof *arrival);
    arrival->time = arrival->at = CLOCK_NONE;
    return arrival;
}

void arrival_free(struct arrival *arrival) {
    if (!arrival)
        return;
    headers_clear(&arrival->headers);
    free(arrival->path);
    free(arrival->body);
    free(arrival->why);
    free(arrival->kind);
    free(arrival->id);
    free(arrival->intent);
    free(arrival->status);
    free(arrival->user);
    free(arrival->held_status);
    free(arrival);
}

struct arrival *arrival_dup(const struct arrival *arrival) {
    struct arrival *out = mem_new(sizeof *out);
    *out = *arrival;
    out->headers = (struct headers){0};
    out->body = NULL;
    out->path = mem_dup(arrival->path);
    out->why = mem_dup(arrival->why);
    out->kind = mem_dup(arrival->kind);
    out->id = mem_dup(arrival->id);
    out->intent = mem_dup(arrival->intent);
    out->status = mem_dup(arrival->status);
    out->user = mem_dup(arrival->user);
    out->held = ARRIVAL_NOT_ASKED;
    out->held_status = NULL;
    return out;
}

static bool arrival_is_credential(const char *header) {
    static const char *const NAMES[] = {"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key"};
    for (size_t i = 0; i < COUNT_OF(NAMES); i++)
        if (ascii_compare(header, NAMES[i]) == 0)
            return true;
    return false;
}

static char *arrival_clean(const char *text) {
    struct str clean;
    str_init(&clean, ARRIVAL_HEADER_MAX);
    utf8_sanitise(&clean, text, strlen(text));
    return str_take(&clean);
}

void arrival_take(struct arrival *arrival, const char *path, const struct headers *headers, const char *body,
                  size_t len) {
    arrival->path = arrival_clean(path);
    for (size_t i = 0; i < headers->n; i++)
        if (!arrival_is_credential(headers->items[i].name))
            *vec_add(&arrival->headers) =
                (struct header){arrival_clean(headers->items[i].name), arrival_clean(headers->items[i].value)};
    arrival->body = mem_dup_n(body, len);
    arrival->body_len = len;
}

/* Its lines as one. */
static char *arrival_reason(const struct webhook_verdict *verdict) {
    struct str lines, why;
    str_init(&lines, ARRIVAL_WHY_MAX);
    str_init(&why, ARRIVAL_WHY_MAX);
    webhook_verdict_tell(verdict, &lines);
    for (const char *at = lines.s; *(at += strspn(at, " \n")); at += strcspn(at, "\n")) {
        str_add(&why, why.len > 0 ? " " : "");
        str_add_n(&why, at, strcspn(at, "\n"));
    }
    str_clear(&lines);
    return str_take(&why);
}

void arrival_verify(struct arrival *arrival, const char *secret, size_t len, int64_t now) {
    const struct webhook_received received = {&arrival->headers, arrival->body, arrival->body_len};
    struct webhook_verdict verdict;
    arrival->checked = secret != NULL;
    if (!secret)
        return;
    webhook_judge(secret, len, &received, now, &verdict);
    arrival->result = verdict.result;
    arrival->scheme = verdict.scheme;
    if (verdict.result != WEBHOOK_VERIFIED)
        arrival->why = arrival_reason(&verdict);
}

bool arrival_is_verified(const struct arrival *arrival) {
    return arrival->checked && arrival->result == WEBHOOK_VERIFIED;
}

bool arrival_counts(const struct arrival *arrival) {
    return !arrival->checked || arrival_is_verified(arrival);
}

const char *arrival_word(const struct arrival *arrival) {
    return arrival->checked ? webhook_result_name(arrival->result) : "not-checked";
}

bool arrival_differs(const struct arrival *arrival) {
    return arrival_counts(arrival) && arrival->later == 0 && arrival->held == ARRIVAL_HELD && arrival->status &&
           !str_equal(arrival->status, arrival->held_status);
}

struct arrivals *arrivals_new(void) {
    struct arrivals *arrivals = mem_new(sizeof *arrivals);
    arrivals->since = CLOCK_NONE;
    return arrivals;
}

void arrivals_free(struct arrivals *arrivals) {
    if (!arrivals)
        return;
    for (size_t i = 0; i < arrivals->n; i++)
        arrival_free(arrivals->items[i]);
    free(arrivals->items);
    free(arrivals);
}
