#ifndef RUN_EXCHANGE_SOURCES_H
#define RUN_EXCHANGE_SOURCES_H
/* What the notes lane exchanges with the team's table `notes`: one file of this machine and one kind of rows each. */

#include "run/lanes/team_side.h"

#include <sys/stat.h>

enum { EXCHANGE_OF_HEX = 16 };

/* What the lane knows of a source's last exchange that went well. Begun with {0}. */
struct exchange_memory {
    bool done;
    bool reached;                 /* the store let this console in */
    bool taken;                   /* of views: all that the store had, whatever became of sending */
    struct stat file;             /* before it was read; all 0: there was none */
    int64_t news;                 /* the store's last change that was taken in; below 0: not known */
    char of[EXCHANGE_OF_HEX + 1]; /* of notes: which store, scope and file its place belongs to */
};

/* Sends and takes in, over a connection that stands. changed: the file may hold what was not sent. */
typedef enum err exchange_fn(struct team_side *side, const char *folder, struct exchange_memory *memory, bool changed,
                             struct error *error);
exchange_fn exchange_notes, exchange_views;

#endif
