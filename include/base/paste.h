#ifndef BASE_PASTE_H
#define BASE_PASTE_H
/* Text that is printed to be pasted into a shell: one word of its command line, whatever is in it. */

#include "base/str.h"

/* Appends text in single quotes, which no shell looks into. False, and nothing appended, where it holds something that
 * a terminal or a shell could act on all the same, or that is shown as something else: such a word is not offered. */
bool paste_add_word(struct str *out, const char *text);

#endif
