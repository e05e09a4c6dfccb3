#ifndef STORE_OWNER_H
#define STORE_OWNER_H
/* Which running program a record belongs to. A number of a process alone is reused; with the boot, the process's start
 * and its namespace it is not. */

#include "base/str.h"

#include <stdint.h>

/* This program, as text without blanks. */
void owner_self(struct str *out);
/* Whether the program that wrote `owner` has ended. One of another machine or container cannot be asked: it counts as
 * ended ten minutes after `began`, longer than any write may take. */
bool owner_has_ended(const char *owner, int64_t began, int64_t now);

#endif
