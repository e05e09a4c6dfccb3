#ifndef SANDBOX_RULE_WORDS_H
#define SANDBOX_RULE_WORDS_H
/* Splits a rule into its words: `key=value`, `key="value"` or `"key=value"`. Pure. */

#include "base/str.h"

struct rule_word {
    char *key, *value; /* value may hold NUL bytes */
    size_t value_len;
};

struct rule_words {
    struct rule_word *items;
    size_t n, cap;
};

enum err rule_words_read(const char *text, struct rule_words *out, struct error *error) MUST_CHECK;
void rule_words_clear(struct rule_words *words);

#endif
