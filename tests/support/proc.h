#ifndef SUPPORT_PROC_H
#define SUPPORT_PROC_H
/* Programs under test: start one with arguments and environment, wait with deadlines, collect what it prints, end it.
 * Nothing here sleeps for a fixed time: every wait polls until its deadline. A struct proc is owned by the test that
 * started it and released by proc_end; one thread. */

#include "base/str.h"

#include <sys/types.h>

enum { PROC_DEADLINE = 60000 }; /* ms; generous, for sanitizer builds on a busy machine */

/* How the programs under test were built, by the name of their folder; this program itself may be built otherwise. */
enum proc_build { PROC_PLAIN, PROC_ASAN, PROC_TSAN };
enum proc_build proc_build(void);

/* How often a program is started where one start is like the next. A sanitizer multiplies what a start costs, and sees
 * what it can see in a few of them; the plain build tries all. */
int proc_starts(int plain, int sanitized);

/* A bar on time, in ms, says something of the plain build alone, and there of the best of a few rounds: what else a
 * machine does only adds. Where a sanitizer slows everything there is none: INT64_MAX. */
int64_t proc_bar(int64_t ms);

/* Monotonic ms less those in which this thread, or the first of another program (0: none), was ready and had no
 * processor: what is left, they ran or were held up. */
int64_t proc_clock(pid_t other);

typedef int64_t proc_round_fn(void *context); /* how long it took */
/* The shortest of three rounds, or the first within the bar. */
int64_t proc_best_of(proc_round_fn *round, void *context, int64_t bar);

struct proc {
    pid_t pid;           /* 0 once reaped */
    int status;          /* exit status, or 128 + signal, once reaped */
    int out_fd, err_fd;  /* -1 at their end */
    struct str out, err; /* all that was collected so far */
};

/* Starts argv[0] (a path) with stdin from /dev/null. env is NULL, or a NULL-ended list: "NAME=value" sets, "NAME"
 * unsets, on top of the test's own environment. false: it could not be started. */
bool proc_start(struct proc *proc, const char *const argv[], const char *const env[]);

/* Collects output until the program has ended or the deadline passed; true when it ended. */
bool proc_wait(struct proc *proc, int deadline_ms);

/* Collects output until `text` was seen on stdout (or stderr); false at the deadline or the program's end. */
bool proc_expect(struct proc *proc, const char *text, int deadline_ms);

/* Start and wait; gives the exit status, or -1 where it did not start or end in time (then it is killed). */
int proc_run(struct proc *proc, const char *const argv[], const char *const env[], int deadline_ms);

/* SIGTERM, SIGKILL after the deadline, then releases everything. Safe on a zeroed or ended one. Gives the status. */
int proc_end(struct proc *proc);

/* Waits until the file exists and is not empty. */
bool proc_wait_file(const char *path, int deadline_ms);

/* Number in a port file, waiting for it; 0 at the deadline. */
int proc_read_port(const char *path, int deadline_ms);

/* Whole file as heap text (NUL-ended), or NULL. */
char *proc_read_file(const char *path);
bool proc_write_file(const char *path, const char *text);
int text_times(const char *text, const char *what); /* how often it stands in it */

/* Path of a program of this build ("bursar", "bursar-sandbox"): BURSAR_OUT names its folder; without that it is found
 * beside the tests of the running test program. Heap text. */
char *proc_program(const char *name);

/* A new private folder for one test, and its removal with all in it. Heap text; remove frees it. */
char *proc_folder_new(void);
void proc_folder_remove(char *folder);

#endif
