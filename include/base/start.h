#ifndef BASE_START_H
#define BASE_START_H
/* What both programs do first on every path, before an argument is looked at: descriptors, signals, file modes, locale
 * and time zone. */

/* Closed descriptors 0 to 2 are opened on /dev/null, so that no file gets their numbers: reading the first or writing
 * the others then fails as if they were closed. `restore`: see signals_begin. */
void start_process(void (*restore)(void));

/* One line about something that the environment names and this machine does not have; NULL: all is there. */
const char *start_notice(void);

/* The variable that decides a category of the locale, "LC_CTYPE": LC_ALL, itself or LANG; NULL: none is set. */
const char *start_locale_variable(const char *category);

#endif
