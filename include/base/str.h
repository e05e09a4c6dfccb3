#ifndef BASE_STR_H
#define BASE_STR_H
/* A growing byte string that knows its maximum from birth. Always NUL-terminated; may hold NUL bytes. What does not
 * fit is cut and `truncated` is set, so a long chain of adds needs one check at its end. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct str {
    char *s; /* never NULL after str_init */
    size_t len, cap, max;
    bool truncated; /* something did not fit */
};

void str_init(struct str *str, size_t max);
void str_clear(struct str *str);
void str_reset(struct str *str); /* empty, memory kept, truncated unset */
void str_add(struct str *str, const char *text);
void str_add_n(struct str *str, const char *bytes, size_t len);
void str_add_char(struct str *str, char c);
void str_add_repeat(struct str *str, char c, size_t times);
void str_addf(struct str *str, const char *format, ...) PRINTF_LIKE(2, 3);
void str_vaddf(struct str *str, const char *format, va_list args) PRINTF_LIKE(2, 0);
/* Where not all fits, the front part of bytes is inserted. */
void str_insert(struct str *str, size_t at, const char *bytes, size_t len);
void str_delete(struct str *str, size_t at, size_t len);
char *str_take(struct str *str); /* hands over the text; the string is as after str_clear */

bool str_equal(const char *a, const char *b); /* NULL equals only NULL */
int str_order(const char *a, const char *b);  /* for sorting by bytes; NULL comes last */
/* For fixed words: A to Z are a to z in every locale, the Turkish one too. NULL equals only NULL. */
bool str_same_letters(const char *a, const char *b);
bool str_starts(const char *text, const char *prefix);

/* Whole-string decimal integers, '-' but no '+' in front; false on anything else, overflow included. */
bool str_to_int64(const char *text, size_t len, long long *out);

/* What makes a noun behind a count its plural: "" for one, else "s"; the one place that decides it. */
#define plural_s(n) ((n) == 1 ? "" : "s")

#endif
