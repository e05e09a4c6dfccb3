#ifndef SANDBOX_STYLE_H
#define SANDBOX_STYLE_H
/* What kind of service the sandbox plays where the interface document leaves things open: names and places of
 * parameters and fields, filter styles, error shapes, rate limits. One table gives keys, defaults, choices and help.
 * Set before the service starts, read by all threads after. */

#include "base/str.h"

/*     id             key              default             help; a list in braces closes the choice            */
#define STYLE_TABLE(X)                                                                                              \
    X(LIST_PATH, "list_path", "/intent/list", "Path of the listing")                                                \
    X(USER_PATH, "user_path", "/user", "Path of user creation")                                                     \
    X(WEBHOOK_PATH, "webhook_path", "/webhook/register", "Path of webhook registration")                            \
    X(TYPE_PARAM, "type_param", "type", "Parameter of the type filter")                                             \
    X(STATUS_PARAM, "status_param", "status", "Parameter of the status filter")                                     \
    X(FILTER, "filter", "repeat", "Several statuses: {repeat|brackets|indexed|comma|json}")                         \
    X(UNKNOWN, "unknown", "refuse", "A filter value that is not known: {refuse|empty|ignore}")                      \
    X(CURSOR_PARAM, "cursor_param", "cursor", "Parameter of the cursor")                                            \
    X(LIMIT_PARAM, "limit_param", "", "Parameter of the page size; empty for none")                                 \
    X(AFTER_PARAM, "after_param", "", "Parameter of the earliest time; empty for none")                             \
    X(BEFORE_PARAM, "before_param", "", "Parameter of the time before which; empty for none")                       \
    X(DATA, "data", "data", "Dotted path of the rows; empty makes the answer a bare array")                         \
    X(NEXT, "next", "next_cursor", "Dotted path of the next cursor, header:NAME, or link for a Link header")        \
    X(CURSOR, "cursor", "opaque", "Form of the cursor: {opaque|special|long|number|url|relative}")                  \
    X(END, "end", "null", "Next cursor at the end: {null|absent|empty|false|extra}; extra leads to one empty page") \
    X(HAS_MORE, "has_more", "", "Dotted path of a boolean has_more; empty for none")                                \
    X(ORDER, "order", "newest", "Order of the listing: {newest|oldest}")                                            \
    X(ERROR, "error", "nested",                                                                                     \
      "Errors: "                                                                                                    \
      "{nested|message|error_message|detail|oauth|problem|errors|embedded|details|fields|loc|code|null|text|html|"  \
      "empty|bom|echo}")                                                                                            \
    X(REQUEST_ID, "request_id", "Request-Id", "Header with the request's id, or body:PATH; empty for none")         \
    X(USER_STATUS, "user_status", "201", "Status of a created user")                                                \
    X(USER_REQUIRED, "user_required", "", "Dotted fields a user must have, with commas between")                    \
    X(IDEMPOTENCY, "idempotency", "none", "Of user creation: none, header:NAME or body:FIELD")                      \
    X(RATE, "rate", "0", "Requests allowed in a window; 0 for no limit")                                            \
    X(RATE_WINDOW, "rate_window", "60", "Seconds of the window")                                                    \
    X(RATE_STYLE, "rate_style", "seconds",                                                                          \
      "When to come again: {seconds|decimal|date|rfc850|asctime|reset_seconds|reset_epoch|reset_ms|reset_iso|"      \
      "reset_date|structured|none}")                                                                                \
    X(RATE_QUOTA, "rate_quota", "yes", "Headers with limit and remaining: {yes|no}")

enum style_key {
#define X(id, key, value, help) STYLE_##id,
    STYLE_TABLE(X)
#undef X
        STYLE_COUNT
};

struct style {
    char *values[STYLE_COUNT];
};

void style_init(struct style *style);
void style_clear(struct style *style);
/* "KEY=VALUE"; ERR_USAGE names what is wrong with it. */
enum err style_set(struct style *style, const char *text, struct error *error) MUST_CHECK;

const char *style_text(const struct style *style, enum style_key key);
bool style_is(const struct style *style, enum style_key key, const char *value);
long long style_number(const struct style *style, enum style_key key);

void style_describe(void (*entry)(void *context, const char *key, const char *value, const char *help), void *context);

#endif
