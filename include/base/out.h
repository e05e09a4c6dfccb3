#ifndef BASE_OUT_H
#define BASE_OUT_H
/* The one way to standard output and standard error: nothing else prints (tests/lint/output.sh), and everything passes
 * the sanitiser, so that no text from a service, a file, an argument or the environment can act on a terminal. What is
 * shown inside curses goes through ui's canvas. SIGPIPE must be ignored (base/start.h). Main thread. */

#include "base/str.h"

#include <stdio.h>

/* A message for people, which may have several lines, written at once. Sanitised wherever it goes: a file of messages
 * is looked at on a terminal later. A message that cannot be written is lost, and the command does not fail for it. */
void out_say(FILE *to, const char *format, ...) PRINTF_LIKE(2, 3);

/* A message on standard error that another program wrote: nothing in it is a format. */
void out_say_of_others(const char *text);

/* A line that the next one overwrites; *shown keeps its width. The next message begins on the same line: give "" before
 * it. */
void out_over(FILE *to, const char *text, int *shown);

/* Data: byte for byte into a file or a pipe, cleaned on a terminal. False, with errno, where not all was taken. */
bool out_data(FILE *to, const char *bytes, size_t len);
/* False where anything given to the stream so far has not arrived. */
bool out_flush(FILE *to);

bool out_is_terminal(FILE *to);

/* Standard output was a pipe that nobody reads any more. */
bool out_is_unread(void);

/* Looks whether the reader of a pipe on standard output has gone, without writing to it. */
bool out_look_unread(void);

/* Called before a program ends that cannot go on: fixed text, async-signal-safe. */
void out_last_words(const char *text);

#endif
