#ifndef SANDBOX_SERVE_H
#define SANDBOX_SERVE_H
/* Runs the service until a signal ends it. Main thread. */

#include "options.h"

enum err serve_run(struct options *options, struct error *error) MUST_CHECK;

#endif
