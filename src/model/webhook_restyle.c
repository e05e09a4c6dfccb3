#include "webhook_parts.h"

#include <string.h>

struct restyle {
    const struct webhook_style *style;
    struct str *out;
    int depth;
};

static void webhook_restyle_new_line(const struct restyle *state) {
    if (state->style->indent == 0)
        return;
    str_add_char(state->out, '\n');
    str_add_repeat(state->out, ' ', (size_t)state->style->indent * (size_t)(state->depth > 0 ? state->depth : 0));
}

static size_t webhook_restyle_skip_blanks(const char *json, size_t len, size_t at) {
    while (at < len && (json[at] == ' ' || json[at] == '\t' || json[at] == '\n' || json[at] == '\r'))
        at++;
    return at;
}

static size_t copy_string(const char *json, size_t len, size_t at, struct str *out) {
    size_t start = at++;
    while (at < len && json[at] != '"')
        at += json[at] == '\\' ? 2 : 1;
    at = at < len ? at + 1 : len;
    str_add_n(out, json + start, at - start);
    return at;
}

static void opening(struct restyle *state, char c, char next) {
    str_add_char(state->out, c);
    state->depth++;
    if (next != '}' && next != ']')
        webhook_restyle_new_line(state);
}

static void webhook_restyle_closing(struct restyle *state, char c) {
    char last = state->out->len > 0 ? state->out->s[state->out->len - 1] : '\0';
    state->depth--;
    if (last != '{' && last != '[')
        webhook_restyle_new_line(state);
    str_add_char(state->out, c);
}

static void webhook_restyle_mark(struct restyle *state, char c, char next) {
    if (c == '{' || c == '[') {
        opening(state, c, next);
    } else if (c == '}' || c == ']') {
        webhook_restyle_closing(state, c);
    } else {
        str_add_char(state->out, c);
        if (c == ':')
            str_add(state->out, state->style->after_colon);
        if (c == ',' && state->style->indent > 0)
            webhook_restyle_new_line(state);
        else if (c == ',')
            str_add(state->out, state->style->after_comma);
    }
}

void webhook_restyle(const char *json, size_t len, const struct webhook_style *style, struct str *out) {
    struct restyle state = {.style = style, .out = out};
    for (size_t at = webhook_restyle_skip_blanks(json, len, 0); at < len;) {
        char c = json[at];
        if (c == '"') {
            at = webhook_restyle_skip_blanks(json, len, copy_string(json, len, at, out));
            continue;
        }
        at = webhook_restyle_skip_blanks(json, len, at + 1);
        webhook_restyle_mark(&state, c, at < len ? json[at] : '\0');
    }
}
