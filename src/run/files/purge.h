#ifndef RUN_PURGE_H
#define RUN_PURGE_H
/* `purge --all`: removes everything that the program stores, except the configuration (src/README.md, Files on disk).
 */

#include "base/str.h"

/* Appends what was removed and what is beyond reach. ERR_STORE, and nothing is removed, where a program has a database
 * open, or a write's outcome is unknown: its record is what keeps it from being sent twice. */
enum err purge_all(struct str *out, struct error *error) MUST_CHECK;

#endif
