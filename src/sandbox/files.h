#ifndef SANDBOX_FILES_H
#define SANDBOX_FILES_H
/* What service and listener share about their life as a program. Main thread. */

#include "base/error.h"

#include <signal.h>

/* SIGINT and SIGTERM, blocked for all threads to come, for the caller to wait for; SIGPIPE is ignored. */
void files_block_signals(sigset_t *ends);

/* Written under another name and renamed, so that a reader never sees half a file. */
enum err files_write_port(const char *path, int port, struct error *error) MUST_CHECK;

#endif
