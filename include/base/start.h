#ifndef BASE_START_H
#define BASE_START_H
/* The one way into the machine: descriptors, signals, file modes, locale and time zone, for both programs and on every
 * path, before an argument is looked at. */

/* Descriptors 0 to 2 that were closed are opened on /dev/null, so that no file of ours takes their place: reading the
 * first or writing the second then fails as it did closed. `restore`: see signals_begin. */
void start_process(void (*restore)(void));

/* One line on what the environment asks for and this machine does not have; NULL where all is well. */
const char *start_notice(void);

#endif
