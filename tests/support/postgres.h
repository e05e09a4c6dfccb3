#ifndef SUPPORT_POSTGRES_H
#define SUPPORT_POSTGRES_H
/* A PostgreSQL of the test's own: made in a folder of its own, by a user without rights where the test runs as root, on
 * a socket alone, nothing synced. Where it is not installed the test says "skipped: ..." and passes. One thread. */

#include "support/proc.h"

struct postgres {
    struct proc proc;
    char *programs;          /* its folder of programs */
    char *folder;            /* data and socket */
    const char *const *more; /* borrowed; NULL: none. Settings of the next start, "name=value", behind the usual ones */
    int port;                /* 0: the usual one, of which the socket has its name */
    char *made;              /* digest of what its tables were made like; NULL: see postgres_made */
};

/* NULL: it is there. Else why not, for print_message("skipped: %s\n"). */
const char *postgres_missing(void);
/* With an empty database bursar and a role bursar that owns it. */
bool postgres_start(struct postgres *postgres);
/* Postgres with these settings; and a standby of one that has wal_level=replica and max_wal_senders. */
bool postgres_start_with(struct postgres *postgres, const char *const more[]);
bool postgres_stand_by(const struct postgres *primary, struct postgres *standby);
/* The same text in a file that the server can read and nobody else, in its folder; its path, on the heap. */
char *postgres_private(const struct postgres *postgres, const char *name, const char *text);
void postgres_stop(struct postgres *postgres);
/* The server alone; its data stay. kill: without a shutdown, as at a power cut of the server. */
bool postgres_halt(struct postgres *postgres, bool kill);
bool postgres_resume(struct postgres *postgres);

/* A setting for team_store, of this role. Heap text. */
char *postgres_store(const struct postgres *postgres, const char *role);
/* Runs SQL as the superuser; what it prints, NULL where it failed. Heap text. */
char *postgres_sql(const struct postgres *postgres, const char *sql);
bool postgres_file(const struct postgres *postgres, const char *path); /* SQL of a file, in the database bursar */
/* The database bursar as before `team init`. Tables that are as they were at postgres_made are emptied, not made anew.
 */
void postgres_empty(struct postgres *postgres);
void postgres_made(struct postgres *postgres);        /* right behind a `team init` */
char *postgres_dump(const struct postgres *postgres); /* everything in it */

/* A pooler in transaction mode, with fewer connections to the server than it has clients. */
struct bouncer {
    struct proc proc;
    char *folder;
};
const char *bouncer_missing(void); /* as postgres_missing */
bool bouncer_start(struct bouncer *bouncer, const struct postgres *postgres);
char *bouncer_store(const struct bouncer *bouncer, const char *role);
void bouncer_stop(struct bouncer *bouncer);

/* Stands between a client and the server on a socket of its own, and ends a connection at the client's next message
 * that has this word: behind it, so that the server did it and the answer is lost, or before it; or holds the answer
 * back for good, so that the client can be killed there. */
struct cutter;
struct cutter *cutter_new(const struct postgres *postgres);
char *cutter_store(const struct cutter *cutter, const char *role);
enum cut { CUT_BEFORE, CUT_BEHIND, CUT_HOLD, CUT_FOR_GOOD /* behind it, and nobody is let in afterwards */ };
void cutter_cut(struct cutter *cutter, const char *word, enum cut cut);
size_t cutter_cuts(struct cutter *cutter);            /* made so far */
bool cutter_wait(struct cutter *cutter, size_t cuts); /* until so many were made */
void cutter_free(struct cutter *cutter);

#endif
