#include "answer.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "retry.h"

#include <stdlib.h>
#include <string.h>

static const char *const id_names[API_OPERATION_COUNT] = {[API_CREATE_USER] = "id", [API_REGISTER_WEBHOOK] = "url"};

static const char *const outcome_words[] = {
    [API_NOT_SENT] = "nothing was sent",
    [API_DONE] = "done",
    [API_REFUSED] = "not done",
    [API_UNKNOWN] = "not known whether it was done",
};

void api_receipt_clear(struct api_receipt *receipt) {
    free(receipt->line);
    free(receipt->id);
    service_error_clear(&receipt->error);
    *receipt = (struct api_receipt){.retry_at = CLOCK_NONE};
}

/* A 2xx with an object or an empty body means done. An object that says it failed makes the outcome unknown whatever it
 * names: its `id` may be that of the error, its `url` the one that was sent. An error text, or a word that may be a
 * state, makes it unknown only where nothing shows what was created. */
static enum api_outcome outcome_of_success(const struct api_receipt *receipt, enum api_operation operation,
                                           const struct reply *reply, const struct wire_verdict *verdict) {
    enum wire_kind kind = wire_kind_of(reply->body ? reply->body : "", reply->body_len);
    bool made = operation == API_CREATE_USER && receipt->id;
    if (kind == WIRE_NOTHING)
        return API_DONE;
    if (kind != WIRE_OBJECT || verdict->failed || verdict->unreadable)
        return API_UNKNOWN;
    if (!made && (verdict->denied || verdict->doubtful || verdict->partial))
        return API_UNKNOWN;
    return receipt->id || !verdict->text ? API_DONE : API_UNKNOWN;
}

static enum api_outcome receipt_outcome_of(const struct api_receipt *receipt, enum api_operation operation,
                                           const struct reply *reply, const struct wire_verdict *verdict) {
    int status = reply->status;
    if (status >= 200 && status < 300)
        return outcome_of_success(receipt, operation, reply, verdict);
    if (status >= 300 && status < 500 && status != 408 && status != 409)
        return API_REFUSED;
    return API_UNKNOWN;
}

enum err api_refusal_code(int status) {
    return status >= 300 && status < 400 ? ERR_REDIRECT : answer_code(status);
}

static enum err receipt_code_of(enum api_outcome outcome, int status) {
    if (outcome == API_DONE)
        return ERR_OK;
    if (outcome == API_UNKNOWN)
        return ERR_UNKNOWN;
    return api_refusal_code(status);
}

static void add_done(struct str *line, const struct api_receipt *receipt, enum api_operation operation, int status) {
    const char *name = id_names[operation];
    if (receipt->replayed)
        str_add(line, ": created earlier, by an attempt before this one");
    else if (operation == API_REGISTER_WEBHOOK)
        str_add(line, status == 201   ? ": registered"
                      : status == 200 ? ": the registration before it was replaced"
                                      : ": accepted, but not whether it is in force, registered or replaced");
    else
        str_add(line, ": accepted");
    if (receipt->id)
        str_addf(line, ", %s %s", name, receipt->id);
    else
        str_addf(line, ", but no %s returned", name);
}

/* A 200 or 201 whose body is not the one that the document shows. What the body names is for the operator to look up at
 * the service. */
static void receipt_add_doubt(struct str *line, const struct profile *profile, enum api_operation operation,
                              const struct reply *reply, const struct api_receipt *receipt,
                              const struct wire_verdict *verdict) {
    enum wire_kind kind = wire_kind_of(reply->body, reply->body_len);
    if (kind == WIRE_NOT_JSON)
        answer_origin(line, profile, reply);
    else if (kind != WIRE_OBJECT)
        str_add(line, ": not an object of the service");
    else if (verdict->unreadable)
        str_addf(line, ": accepted, but %s", verdict->unreadable);
    else if (verdict->failed || !verdict->text)
        str_addf(line, ": %s", answer_inside(&receipt->error));
    else
        str_addf(line, ": accepted, but with a text that may be an error and without %s",
                 operation == API_CREATE_USER ? "an id" : "the url");
    if (receipt->id)
        str_addf(line, ", and with %s %s", id_names[operation], receipt->id);
}

static void add_lost(struct api_receipt *receipt, const struct reply *reply, struct str *line) {
    const struct error *failure = &reply->failure;
    receipt->outcome = reply->sent ? API_UNKNOWN : API_NOT_SENT;
    receipt->code = reply->sent ? ERR_UNKNOWN : failure->code;
    str_add(line, *failure->text ? failure->text : err_sentence(failure->code));
}

static void add_answer(struct api_receipt *receipt, const struct profile *profile, enum api_operation operation,
                       const struct reply *reply, struct str *line) {
    bool accepted = reply->status >= 200 && reply->status < 300;
    struct wire_verdict verdict;
    answer_judge(profile, reply, &verdict);
    receipt->outcome = receipt_outcome_of(receipt, operation, reply, &verdict);
    receipt->code = receipt_code_of(receipt->outcome, reply->status);
    answer_head(line, reply);
    if (receipt->outcome == API_DONE) {
        add_done(line, receipt, operation, reply->status);
        return;
    }
    answer_error(profile, reply, &receipt->error);
    if (accepted && receipt->error.extract && wire_kind_of(reply->body, reply->body_len) == WIRE_OBJECT)
        answer_drop_words(&receipt->error);
    if (accepted)
        receipt_add_doubt(line, profile, operation, reply, receipt, &verdict);
    else
        answer_meaning(line, profile, reply);
}

static bool receipt_is_marked(const struct headers *headers, const char *name) {
    const char *value = headers_find(headers, name);
    return value && ascii_compare(value, "false") != 0;
}

void api_write_answer(const struct profile *profile, enum api_operation operation, const struct reply *reply,
                      int64_t now, struct api_receipt *receipt) {
    struct str line;
    *receipt = (struct api_receipt){.retry_at = CLOCK_NONE};
    str_init(&line, ANSWER_LINE_MAX);
    if (reply->failure.code != ERR_OK) {
        add_lost(receipt, reply, &line);
    } else {
        receipt->id = reply->body ? wire_member_text(reply->body, reply->body_len, id_names[operation]) : NULL;
        receipt->created = reply->status == 201;
        receipt->replayed = receipt_is_marked(&reply->headers, "Idempotent-Replayed") ||
                            receipt_is_marked(&reply->headers, "Idempotency-Replayed");
        if (reply->status == 429 || reply->status == 503)
            receipt->retry_at = retry_time(&reply->headers, now);
        add_answer(receipt, profile, operation, reply, &line);
    }
    if (receipt->outcome != API_DONE) {
        if (receipt->outcome != API_UNKNOWN || reply->status < 200 || reply->status >= 300) {
            free(receipt->id);
            receipt->id = NULL;
        }
        answer_words(&line, &receipt->error, receipt->retry_at, now);
        str_addf(&line, ". Outcome: %s", outcome_words[receipt->outcome]);
    }
    receipt->line = str_take(&line);
}
