#ifndef SUPPORT_OFFICE_H
#define SUPPORT_OFFICE_H
/* A team of desks, each with a home of its own, on one PostgreSQL of the test's own and one sandbox: commands are run
 * at a desk as its operator runs them. */

#include "support/console.h"
#include "support/postgres.h"

enum { OFFICE_PATH = 4096, OFFICE_DESKS = 4 };

struct desk {
    char home[OFFICE_PATH];
    const char *login; /* of who sits there; NULL: of whoever runs the test */
    struct proc proc;  /* of the last command */
    int status;
};

struct office {
    struct service service;
    struct desk desks[OFFICE_DESKS];
    int n;
    char file[OFFICE_PATH]; /* of a person: write_person */
};

extern struct postgres office_postgres;
extern char *office_store; /* as its owner; NULL: not installed */
int office_start_postgres(void **state);
int office_stop_postgres(void **state);
void skip_without_postgres(void);

/* Of two desks, of n; the tables are made anew. fault: a rule of the sandbox, or NULL. more: lines of each profile. */
struct office *office_new(const char *fault, const char *more);
struct office *office_of(int n, const char *const service[], const char *more);
void office_free(struct office *office);
void configure(struct office *office, struct desk *desk, const char *address, const char *more);

/* Its exit status; what it printed is in desk->proc. */
int at_desk(struct desk *desk, const char *const args[]);
int at_desk_with(struct desk *desk, const char *variable, const char *const args[]);
/* The console, in a terminal of so many cells. */
struct pty *console_at(const struct office *office, const struct desk *desk, int rows, int cols);
void start_at(struct desk *desk, const char *const args[]);
/* As start_at, of a process that is no desk's last. */
void start_at_home(const char *home, struct proc *proc, const char *const args[]);

void write_person(const struct office *office, const char *name);
int create_at(struct office *office, int desk, const char *more);
int posts(const struct office *office); /* that the service saw */

void assert_says(const struct desk *desk, const char *text);
void assert_sql(const char *text, const char *expected);
/* The first line that it prints; heap. */
char *sql_line(const char *text);

/* Runs a create at the first desk whose answer to a message of this word is held, and leaves it there. */
void hold_at(struct office *office, struct cutter *cutter, const char *word);
void kill_at(struct office *office, struct cutter *cutter, const char *word);

#endif
