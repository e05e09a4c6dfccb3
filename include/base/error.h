#ifndef BASE_ERROR_H
#define BASE_ERROR_H
/* What can go wrong, once for the whole program. A function that can fail returns enum err (0 is success) and takes a
 * struct error as its last parameter, which may be NULL; the first error that is set stays. The table gives each code
 * its name, its sentence for the operator and the exit status (src/README.md, Exit statuses). */

#include <stdarg.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))

/*        code          name             sentence                                             exit */
#define ERR_TABLE(X)                                                                          \
    X(OK, "ok", "done", 0)                                                                    \
    X(SYSTEM, "system", "this machine failed", 1)                                             \
    X(FILE, "file", "a file could not be read or written", 1)                                 \
    X(STORE, "store", "the store could not be used", 1)                                       \
    X(TERMINAL, "terminal", "the terminal could not be used", 1)                              \
    X(UNCONFIRMED, "unconfirmed", "it was not confirmed", 1)                                  \
    X(USAGE, "usage", "the command was not understood", 2)                                    \
    X(CONFIG, "config", "the configuration is not usable", 2)                                 \
    X(INVALID, "invalid", "a value is not valid", 2)                                          \
    X(READ_ONLY, "read-only", "this profile is read-only", 2)                                 \
    X(UNAUTHORISED, "unauthorised", "the service did not accept the token", 3)                \
    X(FORBIDDEN, "forbidden", "the token lacks the right, or this address is not allowed", 3) \
    X(REFUSED, "refused", "the service refused the request", 4)                               \
    X(NOT_FOUND, "not-found", "the service knows nothing at this path", 4)                    \
    X(REDIRECT, "redirect", "the service answered with a redirect, which is not followed", 4) \
    X(THROTTLED, "throttled", "the service asks to wait", 4)                                  \
    X(RESOLVE, "resolve", "the name of the service could not be resolved", 5)                 \
    X(CONNECT, "connect", "no connection to the service", 5)                                  \
    X(TLS, "tls", "the secure connection was refused", 5)                                     \
    X(NETWORK, "network", "the connection broke", 5)                                          \
    X(TIMEOUT, "timeout", "the service did not answer in time", 5)                            \
    X(SERVER, "server", "the service failed", 5)                                              \
    X(CANCELLED, "cancelled", "cancelled", 5)                                                 \
    X(UNKNOWN, "unknown", "it is not known whether the service did it", 6)                    \
    X(UNEXPECTED, "unexpected", "not an answer of the service", 7)                            \
    X(LIMIT, "limit", "an answer beyond this program's limits", 7)                            \
    X(INCOMPLETE, "incomplete", "not everything could be read", 8)                            \
    X(CHECK_FAILED, "wanting", "the check found faults", 9)

enum err {
#define X(code, name, sentence, exit) ERR_##code,
    ERR_TABLE(X)
#undef X
        ERR_COUNT
};

enum { ERROR_TEXT_MAX = 512 };

/* text is sanitised, one line, and never holds a secret; empty when code is ERR_OK. */
struct error {
    enum err code;
    char text[ERROR_TEXT_MAX];
};

const char *err_name(enum err err);
const char *err_sentence(enum err err);
int err_exit(enum err err);

void error_clear(struct error *error);

/* Sets code and text unless an earlier error is there; returns code, so that callers write `return error_set(error,
 * ERR_FILE, "cannot read %s", path)`. The text is sanitised to one line. */
enum err error_set(struct error *error, enum err err, const char *format, ...) PRINTF_LIKE(3, 4);
enum err error_vset(struct error *error, enum err err, const char *format, va_list args) PRINTF_LIKE(3, 0);

/* Puts context in front of an error that is set: "context: text". */
void error_prefix(struct error *error, const char *context);

#endif
