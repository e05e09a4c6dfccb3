#include "style.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *key, *value, *help;
} table[] = {
#define X(id, key, value, help) [STYLE_##id] = {key, value, help},
    STYLE_TABLE(X)
#undef X
};

void style_init(struct style *style) {
    for (size_t i = 0; i < STYLE_COUNT; i++)
        style->values[i] = mem_dup(table[i].value);
}

void style_clear(struct style *style) {
    for (size_t i = 0; i < STYLE_COUNT; i++) {
        free(style->values[i]);
        style->values[i] = NULL;
    }
}

/* The braces of the help text are the list of choices, so that what is documented is what is accepted. */
static bool is_choice(const char *help, const char *value) {
    const char *at = strchr(help, '{');
    if (!at)
        return true;
    size_t len = strlen(value);
    do {
        at++;
        size_t word = strcspn(at, "|}");
        if (word == len && strncmp(at, value, len) == 0)
            return true;
        at += word;
    } while (*at == '|');
    return false;
}

static bool is_number_key(enum style_key key) {
    return key == STYLE_USER_STATUS || key == STYLE_RATE || key == STYLE_RATE_WINDOW;
}

static bool is_path_key(enum style_key key) {
    return key == STYLE_LIST_PATH || key == STYLE_USER_PATH || key == STYLE_WEBHOOK_PATH;
}

static bool style_is_value(enum style_key key, const char *value) {
    long long number = 0;
    if (is_number_key(key)) {
        return str_to_int64(value, strlen(value), &number) && number >= 0 && number <= 1000000000 &&
               (key != STYLE_USER_STATUS || (number >= 200 && number <= 299)) &&
               (key != STYLE_RATE_WINDOW || number > 0);
    }
    return is_path_key(key) ? value[0] == '/' : is_choice(table[key].help, value);
}

enum err style_set(struct style *style, const char *text, struct error *error) {
    const char *equal = strchr(text, '=');
    size_t len = !equal ? 0 : (size_t)(equal - text);
    for (size_t i = 0; i < STYLE_COUNT && equal; i++) {
        if (strlen(table[i].key) != len || strncmp(table[i].key, text, len) != 0)
            continue;
        if (!style_is_value((enum style_key)i, equal + 1)) {
            return error_set(error, ERR_USAGE, "style %s cannot be \"%s\" (%s)", table[i].key, equal + 1,
                             table[i].help);
        }
        free(style->values[i]);
        style->values[i] = mem_dup(equal + 1);
        return ERR_OK;
    }
    return error_set(error, ERR_USAGE, "no style \"%s\"; a style is KEY=VALUE", text);
}

const char *style_text(const struct style *style, enum style_key key) {
    return style->values[key];
}

bool style_is(const struct style *style, enum style_key key, const char *value) {
    return strcmp(style->values[key], value) == 0;
}

long long style_number(const struct style *style, enum style_key key) {
    long long number = 0;
    return str_to_int64(style->values[key], strlen(style->values[key]), &number) ? number : 0;
}

void style_describe(void (*entry)(void *context, const char *key, const char *value, const char *help), void *context) {
    for (size_t i = 0; i < STYLE_COUNT; i++)
        entry(context, table[i].key, table[i].value, table[i].help);
}
