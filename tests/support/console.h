#ifndef SUPPORT_CONSOLE_H
#define SUPPORT_CONSOLE_H
/* The real program against the sandbox, at home in the service's folder: configuration, cache and state live there. For
 * tests of the command line and of the pseudo-terminal. */

#include "support/pty.h"
#include "support/service.h"

/* service_start with the sandbox's arguments, and a configuration for it; false: one of them could not be had. */
bool console_serve(struct service *service, const char *const args[], const char *more);

/* The same with so many invented intents and a token of the test's choosing, and any user may be registered. */
bool console_serve_token(struct service *service, const char *intents, const char *token);

/* Writes a configuration with one sandbox profile "test" for a base URL; `more` goes into the profile, may be "". */
bool console_configure(const struct service *service, const char *base_url, const char *more);

/* Writes one of the operator's own files: keys, reasons, actions. */
bool console_own_file(const struct service *service, const char *name, const char *text);

/* A user in JSON, as `users create --file` takes it: it has what the service wants of one, and nothing else. */
bool console_write_person(const char *path, const char *name);
/* Everything that the program has kept is gone, also what purge leaves while a write's outcome is unknown. */
void console_forget(const struct service *service);

/* The environment of a run: NULL-ended, valid until the next call. */
const char *const *console_env(const struct service *service);

/* Runs bursar with arguments (NULL-ended); gives its exit status, proc its output. */
int console_run(const struct service *service, const char *const args[], struct proc *proc);

/* bursar on a pseudo-terminal; options->env is ignored. */
struct pty *console_open(const struct service *service, int rows, int cols);
/* Under a shell, for suspending. */
struct pty *console_open_job(const struct service *service, int rows, int cols);
struct pty *console_open_args(const struct service *service, const char *const args[],
                              const struct pty_options *options);
/* With further variables, NULL-ended. */
struct pty *console_open_env(const struct service *service, const char *const args[], const char *const extra[],
                             const struct pty_options *options);
/* Waits, reading on, until the service has seen more than `before` requests with both texts. */
bool console_asks(struct pty *pty, const struct service *service, const char *a, const char *b, int before);
/* Pages through a review until its last line was shown: only then does it send. */
void console_read_review(struct pty *pty);
/* Leaves with Q: the test fails where that does not end well. Frees pty. */
void console_leave(struct pty *pty);

#endif
