#include "next.h"

#include "base/url.h"
#include "json_writer.h"
#include "place.h"

#include <stdlib.h>
#include <string.h>

enum { LONG_CURSOR = 8000, NEXT_MAX = 1 << 20 };

static const char odd_tail[] = "~+/=%3D&cursor=x#\x1b[2J \xC3\xA9\xE2\x80\xAE";
static const char special_tail[] = "~+/=%3D& #\xC3\xA9";

enum err next_read(struct service *service, const struct call *call, bool *given, int64_t *place, struct error *error) {
    const char *text = call_find(&call->query, style_text(&service->style, STYLE_CURSOR_PARAM));
    *given = text != NULL;
    if (!text)
        return ERR_OK;
    /* A cursor with blanks or control characters behind the '~' has to come back exactly as it was given. */
    const char *tail = strchr(text, '~');
    if (tail && strcmp(tail, odd_tail) != 0 && strcmp(tail, special_tail) != 0 &&
        strspn(tail + 1, "x") != strlen(tail + 1))
        return error_set(error, ERR_INVALID, "The cursor came back changed.");
    size_t len = strlen(text);
    if (place_decode(text, len, dataset_gen(service->dataset)->seed, place) || place_decode_number(text, len, place))
        return ERR_OK;
    return error_set(error, ERR_INVALID, "The cursor is not valid or has expired.");
}

static void add_token(const struct service *service, int64_t place, uint32_t salt, struct str *out) {
    place_encode(out, dataset_gen(service->dataset)->seed, place, salt);
}

/* The whole address of the next page: this one's with another cursor. */
static void add_url(const struct service *service, const struct call *call, const char *origin, const struct str *token,
                    struct str *out) {
    const char *param = style_text(&service->style, STYLE_CURSOR_PARAM);
    str_addf(out, "%s%s?", origin, call->path);
    for (size_t i = 0; i < call->query.n; i++) {
        const struct call_pair *pair = &call->query.items[i];
        if (strcmp(pair->name, param) != 0) {
            url_encode(out, pair->name, strlen(pair->name));
            str_add_char(out, '=');
            url_encode(out, pair->value, strlen(pair->value));
            str_add_char(out, '&');
        }
    }
    url_encode(out, param, strlen(param));
    str_add_char(out, '=');
    url_encode(out, token->s, token->len);
}

static void set_string(struct next *next, const struct str *text) {
    json_write_string_n(&next->json, NULL, text->s, text->len);
    str_add_n(&next->text, text->s, text->len);
}

static void styled(struct service *service, const struct call *call, int64_t place, struct next *out) {
    const struct style *style = &service->style;
    struct str token;
    struct str url;
    str_init(&token, NEXT_MAX);
    str_init(&url, NEXT_MAX);
    if (style_is(style, STYLE_CURSOR, "number")) {
        place_encode_number(&out->json, place);
        place_encode_number(&out->text, place);
        goto out;
    }
    add_token(service, place, 0, &token);
    if (style_is(style, STYLE_CURSOR, "special")) {
        str_add(&token, special_tail);
    } else if (style_is(style, STYLE_CURSOR, "long")) {
        str_add_char(&token, '~');
        str_add_repeat(&token, 'x', LONG_CURSOR);
    }
    bool link = style_is(style, STYLE_NEXT, "link");
    bool whole = link || style_is(style, STYLE_CURSOR, "url");
    if (whole || style_is(style, STYLE_CURSOR, "relative")) {
        add_url(service, call, whole ? service->origin : "", &token, &url);
        set_string(out, &url);
    } else {
        set_string(out, &token);
    }
out:
    str_clear(&token);
    str_clear(&url);
}

static void at_end(struct service *service, const struct call *call, const struct next_from *from, struct next *out) {
    const struct style *style = &service->style;
    if (style_is(style, STYLE_END, "extra") && from->start != from->beyond)
        styled(service, call, from->beyond, out);
    else if (style_is(style, STYLE_END, "empty"))
        str_add(&out->json, "\"\"");
    else if (style_is(style, STYLE_END, "false"))
        str_add(&out->json, "false");
    else if (!style_is(style, STYLE_END, "absent"))
        str_add(&out->json, "null");
}

static void as_url(const struct service *service, const struct call *call, const char *origin, int64_t place,
                   struct next *out) {
    struct str token;
    struct str url;
    str_init(&token, 64);
    str_init(&url, NEXT_MAX);
    add_token(service, place, 0, &token);
    add_url(service, call, origin, &token, &url);
    set_string(out, &url);
    str_clear(&token);
    str_clear(&url);
}

static void with_tail(const struct service *service, int64_t place, uint32_t salt, const char *tail, struct next *out) {
    struct str token;
    str_init(&token, NEXT_MAX);
    add_token(service, place, salt, &token);
    str_add(&token, tail);
    if (tail[0] == '~' && tail[1] == '\0')
        str_add_repeat(&token, 'x', LONG_CURSOR);
    set_string(out, &token);
    str_clear(&token);
}

static void repeat(const struct service *service, const struct call *call, const struct next_from *from,
                   struct next *out) {
    const char *sent = call_find(&call->query, style_text(&service->style, STYLE_CURSOR_PARAM));
    if (!sent) {
        with_tail(service, from->more ? from->at : from->first, 0, "", out);
        return;
    }
    json_write_string(&out->json, NULL, sent);
    str_add(&out->text, sent);
}

/* True where the rule decides the cursor. */
static bool by_rule(struct service *service, const struct call *call, const struct next_from *from, struct next *out) {
    int64_t place = from->more ? from->at : from->first;
    switch (call->hit.cursor) {
    case RULE_CURSOR_REPEAT:
        repeat(service, call, from, out);
        return true;
    case RULE_CURSOR_CYCLE:
        with_tail(service, from->start == from->first ? place : from->first, 0, "", out);
        return true;
    case RULE_CURSOR_FRESH:
    case RULE_CURSOR_BLANK:
        with_tail(service, place, (uint32_t)call->number, "", out);
        return true;
    case RULE_CURSOR_EMPTY:
        str_add(&out->json, "\"\"");
        return true;
    case RULE_CURSOR_NULL:
        str_add(&out->json, "null");
        return true;
    case RULE_CURSOR_ABSENT:
        return true;
    case RULE_CURSOR_NUMBER:
        place_encode_number(&out->json, place);
        return true;
    case RULE_CURSOR_BOOL:
        str_add(&out->json, "true");
        return true;
    case RULE_CURSOR_OBJECT:
        str_add(&out->json, "{\"page\":2}");
        return true;
    case RULE_CURSOR_LONG:
        with_tail(service, place, 0, "~", out);
        return true;
    case RULE_CURSOR_ODD:
        with_tail(service, place, 0, odd_tail, out);
        return true;
    case RULE_CURSOR_FOREIGN:
        as_url(service, call, "https://elsewhere.example", place, out);
        return true;
    case RULE_CURSOR_URL:
        as_url(service, call, service->origin, place, out);
        return true;
    default:
        return false;
    }
}

void next_make(struct service *service, const struct call *call, const struct next_from *from, struct next *out) {
    str_init(&out->json, NEXT_MAX);
    str_init(&out->text, NEXT_MAX);
    if (call->hit.cursor_text) {
        json_write_string(&out->json, NULL, call->hit.cursor_text);
        str_add(&out->text, call->hit.cursor_text);
    } else if (!by_rule(service, call, from, out)) {
        if (from->more)
            styled(service, call, from->at, out);
        else
            at_end(service, call, from, out);
    }
}

void next_clear(struct next *next) {
    str_clear(&next->json);
    str_clear(&next->text);
}
