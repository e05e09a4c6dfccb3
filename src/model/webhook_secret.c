#include "base/digest.h"
#include "model/webhook.h"

#include <string.h>

enum { RANDOM_BYTES = 32, FEW = 12 };

static const struct {
    bool blocks;
    const char *sentence;
} states[] = {
#define X(code, blocks, sentence) {blocks, sentence},
    WEBHOOK_SECRET_TABLE(X)
#undef X
};

bool webhook_secret_blocks(enum webhook_secret_state state) {
    return states[state].blocks;
}

const char *webhook_secret_sentence(enum webhook_secret_state state) {
    return states[state].sentence;
}

static bool is_visible(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (text[i] < '!' || text[i] > '~')
            return false;
    return true;
}

static bool is_poor(const char *text, size_t len) {
    bool seen[256] = {false};
    int different = 0;
    for (size_t i = 0; i < len; i++) {
        bool *mark = &seen[(unsigned char)text[i]];
        different += !*mark;
        *mark = true;
    }
    return different < FEW;
}

enum webhook_secret_state webhook_secret_check(const char *text, size_t len, const struct secret *token) {
    if (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        return WEBHOOK_SECRET_LINE_END;
    if (!is_visible(text, len))
        return WEBHOOK_SECRET_CHARACTERS;
    if (len >= 3 && memcmp(text, "v1,", 3) == 0)
        return WEBHOOK_SECRET_PREFIX;
    if (len < WEBHOOK_SECRET_MIN)
        return WEBHOOK_SECRET_SHORT;
    if (len > WEBHOOK_SECRET_MAX)
        return WEBHOOK_SECRET_LONG;
    if (token && secret_len(token) == len && memcmp(secret_text(token), text, len) == 0)
        return WEBHOOK_SECRET_SAME_AS_TOKEN;
    return is_poor(text, len) ? WEBHOOK_SECRET_POOR : WEBHOOK_SECRET_FINE;
}

static const struct {
    const char *name, *help;
} formats[] = {
#define X(code, name, help) {name, help},
    WEBHOOK_FORMAT_TABLE(X)
#undef X
};

const char *webhook_format_name(enum webhook_format format) {
    return formats[format].name;
}

const char *webhook_format_help(enum webhook_format format) {
    return formats[format].help;
}

int webhook_format_find(const char *name) {
    for (int i = 0; i < WEBHOOK_FORMAT_COUNT; i++)
        if (strcmp(formats[i].name, name) == 0)
            return i;
    return -1;
}

static void url_safe(struct str *text) {
    while (text->len > 0 && text->s[text->len - 1] == '=')
        str_delete(text, text->len - 1, 1);
    for (size_t i = 0; i < text->len; i++)
        text->s[i] = text->s[i] == '+' ? '-' : text->s[i] == '/' ? '_' : text->s[i];
}

void webhook_secret_make(enum webhook_format format, const unsigned char bytes[32], struct str *out) {
    struct str text;
    str_init(&text, 4 * (size_t)RANDOM_BYTES);
    if (format == WEBHOOK_FORMAT_HEX)
        digest_hex(&text, bytes, RANDOM_BYTES);
    else
        digest_base64(&text, bytes, RANDOM_BYTES);
    if (format == WEBHOOK_FORMAT_WHSEC)
        str_add(out, "whsec_");
    else if (format == WEBHOOK_FORMAT_URLSAFE)
        url_safe(&text);
    str_add_n(out, text.s, text.len);
    secret_clear_str(&text);
}
