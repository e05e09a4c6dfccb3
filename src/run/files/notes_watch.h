#ifndef RUN_NOTES_WATCH_H
#define RUN_NOTES_WATCH_H
/* Tells a console that notes were written by another program, so that it reads them again. Main thread. */

#include <stdbool.h>

/* A descriptor that is readable after a change; -1: changes cannot be watched here. The caller closes. */
int notes_watch_open(const char *folder);
/* Takes all that there is to tell; true: something changed. */
bool notes_watch_changed(int fd);

#endif
