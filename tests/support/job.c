#include "support/job.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int job_run(pty_child_fn *child, void *context) {
    pid_t job = fork();
    int status = 0;
    if (job == 0) {
        (void)setpgid(0, 0);
        (void)signal(SIGTTOU, SIG_IGN);
        (void)tcsetpgrp(STDIN_FILENO, getpid());
        (void)signal(SIGTTOU, SIG_DFL);
        _exit(child(context));
    }
    (void)signal(SIGTTOU, SIG_IGN);
    while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
        (void)tcsetpgrp(STDIN_FILENO, getpid());
        (void)raise(SIGSTOP);
        (void)tcsetpgrp(STDIN_FILENO, job);
        (void)kill(-job, SIGCONT);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
