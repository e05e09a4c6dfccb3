#include "answer.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/url.h"
#include "base/utf8.h"
#include "retry.h"
#include "wire/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENT_TYPE_MAX = 100, REQUEST_ID_MAX = 200 };

/* The status decides first; what has no entry is judged by its class. */
static const struct {
    int status;
    enum err code;
    const char *meaning;
} statuses[] = {
    {204, ERR_UNEXPECTED, "no content where some was expected"},
    {205, ERR_UNEXPECTED, "no content where some was expected"},
    {304, ERR_UNEXPECTED, "not modified, with nothing to show"},
    {400, ERR_REFUSED, "the request was not valid"},
    {401, ERR_UNAUTHORISED, "the token was not accepted"},
    {403, ERR_FORBIDDEN, "the token lacks the right, or this address is not on the allow-list"},
    {404, ERR_NOT_FOUND, "nothing is at this path; check base_url and the paths of the profile"},
    {405, ERR_REFUSED, "this path does not take this method"},
    {407, ERR_REFUSED, "the proxy wants a login"},
    {408, ERR_REFUSED, "the service waited too long for the request"},
    {409, ERR_REFUSED, "it exists already, is still running, or its key was used before"},
    {410, ERR_REFUSED, "it is gone"},
    {413, ERR_REFUSED, "the request is too large"},
    {415, ERR_REFUSED, "the service does not take this kind of body"},
    {422, ERR_REFUSED, "a value was not accepted"},
    {429, ERR_THROTTLED, "too many requests, the service asks to wait"},
    {501, ERR_SERVER, "the service cannot do this"},
    {502, ERR_SERVER, "the service failed behind its gateway"},
    {503, ERR_SERVER, "the service is not available now"},
    {504, ERR_SERVER, "the service did not answer its gateway in time"},
};

static const struct {
    enum err code;
    const char *meaning;
} classes[] = {
    {ERR_UNEXPECTED, "not a status that an answer can have"},
    {ERR_UNEXPECTED, "an interim answer where a whole one was expected"},
    {ERR_OK, "accepted"},
    {ERR_REDIRECT, "a redirect, which is not followed"},
    {ERR_REFUSED, "the service refused the request"},
    {ERR_SERVER, "the service failed"},
};

static size_t api_answer_class_of(int status) {
    size_t class = status > 0 ? (size_t)status / 100 : 0;
    return class < COUNT_OF(classes) ? class : 0;
}

static size_t api_answer_find(int status) {
    size_t i = 0;
    while (i < COUNT_OF(statuses) && statuses[i].status != status)
        i++;
    return i;
}

enum err answer_code(int status) {
    size_t i = api_answer_find(status);
    return i < COUNT_OF(statuses) ? statuses[i].code : classes[api_answer_class_of(status)].code;
}

static const char *meaning_of(int status) {
    size_t i = api_answer_find(status);
    return i < COUNT_OF(statuses) ? statuses[i].meaning : classes[api_answer_class_of(status)].meaning;
}

/* One line of outside text, without secrets. */
static char *api_answer_clean(const char *text, size_t max) {
    struct str raw, line;
    str_init(&raw, 4 * (strlen(text) + max));
    str_add(&raw, text);
    secret_redact(&raw);
    str_init(&line, max);
    utf8_sanitise(&line, raw.s, raw.len);
    str_clear(&raw);
    return str_take(&line);
}

void answer_error(const struct profile *profile, const struct reply *reply, struct service_error *out) {
    const char *const *extra = (const char *const *)profile->api.error_message.items;
    const char *id = headers_find(&reply->headers, "Request-Id");
    wire_service_error(reply->body ? reply->body : "", reply->body_len, headers_find(&reply->headers, "Content-Type"),
                       extra, out);
    if (!id)
        id = headers_find(&reply->headers, "X-Request-Id");
    if (!out->request_id && id && *id)
        out->request_id = api_answer_clean(id, REQUEST_ID_MAX);
}

static const char failed_inside[] = "accepted, but with an error inside";

const char *answer_inside(const struct service_error *error) {
    return error->text || error->code || error->n > 0 ? failed_inside : "accepted, but the answer says that it failed";
}

void answer_judge(const struct profile *profile, const struct reply *reply, struct wire_verdict *out) {
    wire_judge(reply->body ? reply->body : "", reply->body_len, (const char *const *)profile->api.error_message.items,
               out);
}

void answer_drop_words(struct service_error *error) {
    char *id = error->request_id;
    error->request_id = NULL;
    service_error_clear(error);
    error->request_id = id;
}

static void add_size(struct str *line, size_t bytes) {
    if (bytes < 1024)
        str_addf(line, bytes == 1 ? "%zu byte" : "%zu bytes", bytes);
    else if (bytes < 1024 * 1024)
        str_addf(line, "%zu KB", (bytes + 512) / 1024);
    else
        str_addf(line, "%zu MB", (bytes + 512 * 1024) / (1024 * 1024));
}

void answer_head(struct str *line, const struct reply *reply) {
    enum wire_kind kind = wire_kind_of(reply->body ? reply->body : "", reply->body_len);
    str_addf(line, "%d", reply->status);
    if (reply->from_proxy)
        str_addf(line, " from the proxy%s%s", reply->proxy ? " " : "", reply->proxy ? reply->proxy : "");
    if (kind != WIRE_NOT_JSON)
        return;
    str_add(line, ", not JSON, ");
    add_size(line, reply->body_len);
}

void answer_meaning(struct str *line, const struct profile *profile, const struct reply *reply) {
    str_addf(line, ": %s", meaning_of(reply->status));
    if (answer_code(reply->status) == ERR_UNAUTHORISED) { /* tells which of several token sources is wrong */
        str_add(line, " (from ");
        config_token_source(profile, line);
        str_add_char(line, ')');
    }
    if (answer_code(reply->status) != ERR_REDIRECT || !reply->redirect)
        return;
    char *target = api_answer_clean(reply->redirect, ERROR_TEXT_MAX);
    str_addf(line, " (to %s)", target);
    free(target);
}

void answer_origin(struct str *line, const struct profile *profile, const struct reply *reply) {
    struct url url;
    const char *type = headers_find(&reply->headers, "Content-Type");
    char *shown = api_answer_clean(type && *type ? type : "no content type", CONTENT_TYPE_MAX);
    str_addf(line, ": not an answer of the service (%s", shown);
    if (url_parse(profile->base_url, &url, NULL) == ERR_OK)
        str_addf(line, " from %s", url.host);
    str_add_char(line, ')');
    url_clear(&url);
    free(shown);
}

enum { DAY_SECONDS = 86400 };

static void add_wait(struct str *line, int64_t ms) {
    int64_t seconds = (ms + 999) / 1000;
    if (seconds > DAY_SECONDS)
        str_add(line, ". It asks for a wait of more than a day");
    else if (seconds < 120)
        str_addf(line, ". Ask again in %" PRId64 " s", seconds);
    else if (seconds < INT64_C(120) * 60)
        str_addf(line, ". Ask again in %" PRId64 " min", (seconds + 59) / 60);
    else
        str_addf(line, ". Ask again in %" PRId64 " h", (seconds + 3599) / 3600);
}

void answer_words(struct str *line, const struct service_error *error, int64_t retry_at, int64_t now) {
    struct str words;
    str_init(&words, ANSWER_LINE_MAX);
    service_error_line(error, &words);
    bool own = error->text || error->code || error->n > 0;
    while (words.len && words.s[words.len - 1] == '.')
        str_delete(&words, words.len - 1, 1);
    if (words.len)
        str_addf(line, own ? ". It says: %s" : "; %s", words.s);
    if (retry_at != CLOCK_NONE)
        add_wait(line, retry_at > now ? retry_at - now : 0);
    str_clear(&words);
}

void api_answer_clear(struct api_answer *answer) {
    free(answer->line);
    service_error_clear(&answer->error);
    *answer = (struct api_answer){.retry_at = CLOCK_NONE, .quota_left = -1};
}

/* A text that looks like JSON is worth saying where it stops being valid; a page of HTML is not. */
static bool begins_as_json(const struct reply *reply) {
    const char *body = reply->body ? reply->body : "";
    if (strncmp(body, "\xEF\xBB\xBF", 3) == 0)
        body += 3;
    body += strspn(body, " \t\r\n");
    return *body == '{' || *body == '[';
}

/* Whether an answer that is no listing has an error text: only words in the usual places of an error count, anything
 * else may be data of a row. */
static bool has_own_words(const struct profile *profile, const struct reply *reply, const struct service_error *error) {
    struct wire_verdict verdict;
    answer_judge(profile, reply, &verdict);
    bool is_text = wire_kind_of(reply->body ? reply->body : "", reply->body_len) == WIRE_SCALAR;
    return !error->extract && (is_text || verdict.text || verdict.failed || verdict.denied);
}

/* Everything but a page: `reason` says what is wrong with a 2xx, else NULL. Of an answer that is no listing no extract
 * is quoted, since it could be data of customers. */
static void api_answer_refuse(const struct profile *profile, const struct reply *reply, int64_t now,
                              struct api_answer *answer, const char *reason) {
    struct str line;
    bool json = wire_kind_of(reply->body ? reply->body : "", reply->body_len) != WIRE_NOT_JSON;
    str_init(&line, ANSWER_LINE_MAX);
    answer_error(profile, reply, &answer->error);
    if (reason && (json || begins_as_json(reply)) && !has_own_words(profile, reply, &answer->error))
        answer_drop_words(&answer->error);
    if (reason == failed_inside)
        reason = answer_inside(&answer->error);
    answer_head(&line, reply);
    if (reason)
        str_addf(&line, ": %s", reason);
    else if (answer->code == ERR_UNEXPECTED && !json)
        answer_origin(&line, profile, reply);
    else if (answer->cursor_refused)
        str_add(&line, ": the place in the list is no longer known to the service; read anew, it begins at the newest");
    else
        answer_meaning(&line, profile, reply);
    answer_words(&line, &answer->error, answer->retry_at, now);
    answer->line = str_take(&line);
}

/* The cursor in a header: `list_next = "header:NAME"`; a Link header gives its rel="next". */
static void next_from_header(const char *name, const struct headers *headers, struct page *page) {
    const char *value = headers_find(headers, name);
    if (!value || !*value || page->has_more_false)
        return;
    if (ascii_compare(name, "Link") != 0) {
        page->next = mem_dup(value);
        page->next_is_url = wire_is_link(value);
        return;
    }
    while ((value = strchr(value, '<'))) {
        const char *end = strchr(value, '>'), *rel;
        if (!end)
            return;
        size_t len = strcspn(end, "<");
        rel = memmem(end, len, "rel=\"next\"", 10);
        if (!rel)
            rel = memmem(end, len, "rel=next", 8);
        if (rel) {
            page->next = mem_dup_n(value + 1, (size_t)(end - value - 1));
            page->next_is_url = true;
            return;
        }
        value = end;
    }
}

/* Behind what the answer itself says beside its rows. */
static void say_beside(struct page *page, const char *words) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    if (page->beside)
        str_addf(&text, "%s; ", page->beside);
    str_add(&text, words);
    free(page->beside);
    page->beside = str_take(&text);
}

/* An answer whose cursor is not where the profile looks for it has no next page, and is not the end of the list. */
static void api_answer_check_end(const struct reply *reply, struct page *page) {
    struct page linked = {0};
    if (page->next || page->has_more_false)
        return;
    next_from_header("Link", &reply->headers, &linked);
    if (page->more || linked.next) {
        struct str words;
        str_init(&words, ERROR_TEXT_MAX);
        str_addf(&words, "more follows by %s `%s`, and no cursor is where the profile's list_next has it",
                 page->more ? "its" : "the header", page->more ? page->more : "Link");
        say_beside(page, words.s);
        page->partial = true;
        str_clear(&words);
    }
    page_clear(&linked);
}

static void api_answer_read_page(const struct profile *profile, const struct reply *reply, int64_t now,
                                 struct api_answer *answer, struct page *page) {
    const char *body = reply->body ? reply->body : "", *header = NULL;
    struct wire_shape shape = {profile->api.list_data, profile->api.list_next, profile->api.list_has_more};
    struct error error = {0};
    if (str_starts(shape.next, "header:")) {
        header = shape.next + strlen("header:");
        shape.next = NULL;
    }
    answer->code = wire_page(body, reply->body_len, &shape, page, &error);
    if (answer->code == ERR_OK && page->n == 0 && (page->failed || (page->absent && page->beside))) {
        page_clear(page);
        answer->code = ERR_UNEXPECTED;
        api_answer_refuse(profile, reply, now, answer, failed_inside);
    } else if (answer->code != ERR_OK) {
        bool empty = wire_kind_of(body, reply->body_len) == WIRE_NOTHING;
        api_answer_refuse(profile, reply, now, answer,
                          empty ? "no content where a listing was expected"
                          : begins_as_json(reply) || wire_kind_of(body, reply->body_len) == WIRE_SCALAR ? error.text
                                                                                                        : NULL);
    } else {
        if (header)
            next_from_header(header, &reply->headers, page);
        api_answer_check_end(reply, page);
    }
}

static bool is_filtered(const struct list_query *query) {
    return query->n_statuses > 0 || query->type || query->after || query->before;
}

void api_list_count(const struct api_walk *walk, const struct list_query *query, struct page *page) {
    long long total = walk->total > 0 && (page->total == 0 || walk->total < page->total) ? walk->total : page->total;
    size_t given = walk->given + page->n;
    if (!walk->counts || page->next || total <= 0 || given >= (unsigned long long)total)
        return;
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    str_addf(&text, "%lld in all by its own count, ", total);
    str_add(&text, given == 0 ? "none" : "");
    if (given > 0)
        str_addf(&text, "%zu", given);
    str_add(&text, " given");
    say_beside(page, text.s);
    str_clear(&text);
    page->partial = page->partial || !is_filtered(query);
}

static bool refuses_cursor(int status) {
    return status == 400 || status == 404 || status == 410 || status == 422;
}

void api_list_answer(const struct profile *profile, const struct list_query *query, const struct reply *reply,
                     int64_t now, struct api_answer *answer, struct page *page) {
    *answer = (struct api_answer){.retry_at = CLOCK_NONE, .quota_left = -1};
    page_init(page);
    if (reply->failure.code != ERR_OK) {
        answer->code = reply->failure.code;
        answer->line = mem_dup(*reply->failure.text ? reply->failure.text : err_sentence(reply->failure.code));
        return;
    }
    answer->quota_left = retry_quota(&reply->headers);
    answer->status = reply->status;
    answer->code = answer_code(reply->status);
    if (answer->code == ERR_OK) {
        api_answer_read_page(profile, reply, now, answer, page);
        return;
    }
    if (reply->status == 429 || reply->status == 503)
        answer->retry_at = retry_time(&reply->headers, now);
    answer->cursor_refused = query->cursor && *query->cursor && refuses_cursor(reply->status);
    api_answer_refuse(profile, reply, now, answer, NULL);
}
