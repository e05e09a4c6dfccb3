#ifndef RUN_LOOKS_H
#define RUN_LOOKS_H
/* The console's theme: found by its name, and read again when one of its files changes. A file that cannot be read any
 * more, or has faults, changes nothing. Owns the theme. Main thread. */

#include "base/str.h"
#include "ui/theme.h"

struct theme_watch;

/* By name or path; NULL is the built-in one, which is also used where the named one cannot be. Faults are lines of
 * report. */
struct theme_watch *theme_watch_new(const char *name, bool utf8, struct str *report);
void theme_watch_free(struct theme_watch *theme_watch);
const struct theme *
theme_watch_theme(const struct theme_watch *theme_watch);  /* valid until the next theme_watch_changed */
int theme_watch_fd(const struct theme_watch *theme_watch); /* readable when a file changed; -1: none is watched */

enum theme_watch_change { THEME_SAME, THEME_NEW, THEME_KEPT };
/* After theme_watch_fd was readable. THEME_KEPT: report says why the old one stays. */
enum theme_watch_change theme_watch_changed(struct theme_watch *theme_watch, struct str *report);

#endif
