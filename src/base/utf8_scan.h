#ifndef BASE_UTF8_SCAN_H
#define BASE_UTF8_SCAN_H
/* What the utf8 files share: strict decoding that tells a real U+FFFD from a bad byte, and the width of one code
 * point. */

#include "base/utf8.h"

/* As utf8_decode; false where the bytes are malformed. */
bool utf8_step(const char *s, size_t len, int32_t *cp, size_t *taken);

/* libc's wcwidth; where the locale is not UTF-8, the one of C.UTF-8. -1: nothing that can be shown. */
int utf8_width(int32_t cp);

#endif
