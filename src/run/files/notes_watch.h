#ifndef RUN_NOTES_WATCH_H
#define RUN_NOTES_WATCH_H
/* Tells a console that notes, or the views that a team shares, were written by another program or lane, so that it
 * reads them again. Main thread. */

#include "config/profile.h"

struct notes_watch {
    int fd;           /* readable after a change; -1: changes cannot be watched here. The caller closes */
    int notes, views; /* the kernel's names of the two folders; -1: it is not watched */
};
struct notes_watch notes_watch_open(const char *folder, const struct profile *profile);

struct notes_watched {
    bool notes, views; /* changed */
};
/* Takes all that there is to tell. */
struct notes_watched notes_watch_take(const struct notes_watch *watch);

#endif
