#ifndef SANDBOX_TRACE_H
#define SANDBOX_TRACE_H
/* The sandbox's journal of requests: one JSON line each, written and flushed before the answer leaves, so that a test
 * that has its answer finds its line. Bearer tokens and bodies are there as SHA-256 only. Locks for itself. */

#include "call.h"

struct trace;
enum err trace_open(const char *path, struct trace **out, struct error *error) MUST_CHECK; /* NULL: memory only */
void trace_free(struct trace *trace);

/* `outcome` is "answered" or the name of the fault that kept the answer back; bytes: of the body as sent. */
void trace_write(struct trace *trace, const struct call *call, const char *outcome, long long bytes);

/* The last lines, as they are in the file. */
void trace_print(struct trace *trace, struct str *out);

#endif
