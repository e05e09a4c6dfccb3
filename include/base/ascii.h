#ifndef BASE_ASCII_H
#define BASE_ASCII_H
/* Case and classes of ASCII letters and digits, for fixed words and protocols: A to Z are a to z in every locale. The C
 * library's functions ask the locale (in a Turkish one the capital of i is not I), so lint refuses them elsewhere.
 * Bytes beyond ASCII are no letters, and are equal only to themselves. */

#include <stdbool.h>
#include <stddef.h>

char ascii_lower(char c);
char ascii_upper(char c);
bool ascii_is_upper(int c);
bool ascii_is_letter(int c);
bool ascii_is_digit(int c);
bool ascii_is_word(int c);  /* a letter or a digit */
bool ascii_is_blank(int c); /* ' ' and \t \n \v \f \r */

size_t ascii_digits(const char *text); /* how many it begins with */

/* As strcasecmp, strncasecmp and strcasestr. */
int ascii_compare(const char *a, const char *b);
int ascii_compare_n(const char *a, const char *b, size_t len);
const char *ascii_find(const char *text, const char *part);

#endif
