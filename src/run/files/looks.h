#ifndef RUN_LOOKS_H
#define RUN_LOOKS_H
/* The theme of the console: found by its name, and read again when a file that it came from changes. What cannot be
 * read any more, or has faults, changes nothing. Owns the theme. Main thread. */

#include "base/str.h"
#include "ui/theme.h"

struct looks;

/* By name or path, NULL for the built-in one, which also serves where the named one cannot be had; what is wrong are
 * lines of report. */
struct looks *looks_new(const char *name, bool utf8, struct str *report);
void looks_free(struct looks *looks);
const struct theme *looks_theme(const struct looks *looks); /* valid until the next looks_changed */
int looks_fd(const struct looks *looks);                    /* readable when a file changed; -1: none is watched */

enum looks_change { LOOKS_SAME, LOOKS_NEW, LOOKS_KEPT };
/* After looks_fd was readable. LOOKS_KEPT: report says why the old one stays. */
enum looks_change looks_changed(struct looks *looks, struct str *report);

#endif
