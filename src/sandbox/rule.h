#ifndef SANDBOX_RULE_H
#define SANDBOX_RULE_H
/* Fault rules: which requests, and what goes wrong with them. One table gives the keys, their help and the manual.
 * A struct rules is shared by all connections and locks for itself; a struct rule_hit is the copy that one request
 * works with, so that rules may be removed meanwhile. */

#include "base/str.h"

#include <stdint.h>

enum rule_cursor {
    RULE_CURSOR_AS_IS,
    RULE_CURSOR_REPEAT,
    RULE_CURSOR_CYCLE,
    RULE_CURSOR_FRESH,
    RULE_CURSOR_BLANK,
    RULE_CURSOR_EMPTY,
    RULE_CURSOR_NULL,
    RULE_CURSOR_ABSENT,
    RULE_CURSOR_NUMBER,
    RULE_CURSOR_BOOL,
    RULE_CURSOR_OBJECT,
    RULE_CURSOR_LONG,
    RULE_CURSOR_ODD,
    RULE_CURSOR_URL,
    RULE_CURSOR_FOREIGN,
};

enum rule_flag {
    RULE_CLOSE = 1,
    RULE_RESET = 2,
    RULE_HANG = 4,
    RULE_DROP_AFTER_READ = 8,
    RULE_ENDLESS = 16,
    RULE_IGNORE_FILTER = 32,
    RULE_APPLY = 64,
};

struct rule_header {
    char *name, *value;
};

/* What to do; numbers are -1 where the rule says nothing. */
struct rule_hit {
    int id; /* 0: no rule */
    long long delay, status, truncate, bomb, pace;
    unsigned flags;
    enum rule_cursor cursor;
    char *body, *type, *cursor_text; /* NULL: nothing said */
    size_t body_len;
    struct rule_header *items;
    size_t n, cap;
};

struct rules;
struct rules *rules_new(void);
void rules_free(struct rules *rules);

/* `KEY=VALUE KEY="VALUE WITH BLANKS" ...`; in quotes \n \r \t \\ \" and \xHH stand for bytes. ERR_USAGE names the word.
 */
enum err rules_add(struct rules *rules, const char *text, int *id, struct error *error) MUST_CHECK;
void rules_clear(struct rules *rules);
bool rules_remove(struct rules *rules, int id);
void rules_print(struct rules *rules, struct str *out); /* JSON array */

/* Counts this request on every rule that it matches and copies the first that is due; hit->id is 0 for none. */
void rules_match(struct rules *rules, const char *method, const char *path, struct rule_hit *hit);
void rule_hit_clear(struct rule_hit *hit);

/* The key table as text. `entry` is called for each: key, shape of the value, help. */
void rules_describe(void (*entry)(void *context, const char *key, const char *shape, const char *help), void *context);

#endif
