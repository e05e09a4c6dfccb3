#include "rule_words.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 16 << 20 };

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* After a backslash: the bytes it takes, 0 where it means nothing. */
static size_t rule_words_escape(const char *at, struct str *out) {
    static const char letters[] = "nrte\\\"";
    static const char bytes[] = "\n\r\t\033\\\"";
    const char *found = *at == '\0' ? NULL : strchr(letters, *at);
    if (found) {
        str_add_char(out, bytes[found - letters]);
        return 1;
    }
    if (*at == 'x' && hex(at[1]) >= 0 && hex(at[2]) >= 0) {
        str_add_char(out, (char)(hex(at[1]) * 16 + hex(at[2])));
        return 3;
    }
    return 0;
}

/* One word with its quotes taken off; NULL for an open quote or a bad escape. */
static const char *rule_words_take_word(const char *at, struct str *out) {
    bool open = false;
    while (*at != '\0' && (open || !ascii_is_blank((unsigned char)*at))) {
        if (*at == '"') {
            open = !open;
            at++;
        } else if (open && *at == '\\') {
            size_t used = rule_words_escape(at + 1, out);
            if (used == 0)
                return NULL;
            at += 1 + used;
        } else {
            str_add_char(out, *at++);
        }
    }
    return open ? NULL : at;
}

static enum err rule_words_add_word(struct rule_words *words, const struct str *text, struct error *error) {
    const char *equal = memchr(text->s, '=', text->len);
    if (!equal || equal == text->s)
        return error_set(error, ERR_USAGE, "a rule is made of KEY=VALUE words, not \"%s\"", text->s);
    struct rule_word *word = vec_add(words);
    word->key = mem_dup_n(text->s, (size_t)(equal - text->s));
    word->value_len = text->len - (size_t)(equal + 1 - text->s);
    word->value = mem_dup_n(equal + 1, word->value_len);
    return ERR_OK;
}

enum err rule_words_read(const char *text, struct rule_words *out, struct error *error) {
    struct str word;
    str_init(&word, WORD_MAX);
    enum err err = ERR_OK;
    const char *at = text;
    while (err == ERR_OK) {
        at += strspn(at, " \t\r\n");
        if (*at == '\0')
            break;
        str_reset(&word);
        const char *start = at;
        at = rule_words_take_word(at, &word);
        if (!at) {
            err = error_set(error, ERR_USAGE, "a quote is open or an escape unknown: %s", start);
            break;
        }
        err = rule_words_add_word(out, &word, error);
    }
    str_clear(&word);
    return err;
}

void rule_words_clear(struct rule_words *words) {
    for (size_t i = 0; i < words->n; i++) {
        free(words->items[i].key);
        free(words->items[i].value);
    }
    free(words->items);
    *words = (struct rule_words){0};
}
