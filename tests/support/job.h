#ifndef SUPPORT_JOB_H
#define SUPPORT_JOB_H
/* A shell with one job, since a program without a shell above it is never stopped (its process group is orphaned): when
 * the job stops, the shell takes the terminal back and stops as well, which a test can see; continued, it continues the
 * job. To be run as the child of pty_fork. */

#include "support/pty.h"

/* Runs child(context) as the job; gives its exit status, 128 where it did not exit. */
int job_run(pty_child_fn *child, void *context);
#endif
