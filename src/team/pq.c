/* libpq at its first use, as libcurl (src/base/curl.c): a program that names no team store never loads it, and one that
 * does loads it when the store is first asked. The functions stand here under libpq's own names and pass on what they
 * are given, once pq_load was true. Any thread. */
#include "pq.h"

#include <dlfcn.h>
#include <libpq-fe.h>
#include <pthread.h>
#include <string.h>

/* The number is that of the binary interface, which has not changed since 2006. */
#ifdef __APPLE__
#define LIBRARY "libpq.5.dylib"
#else
#define LIBRARY "libpq.so.5"
#endif

#define FUNCTIONS(X)        \
    X(PQconnectStartParams) \
    X(PQconnectPoll)        \
    X(PQstatus)             \
    X(PQsocket)             \
    X(PQfinish)             \
    X(PQerrorMessage)       \
    X(PQsetnonblocking)     \
    X(PQsendQueryParams)    \
    X(PQflush)              \
    X(PQconsumeInput)       \
    X(PQisBusy)             \
    X(PQgetResult)          \
    X(PQresultStatus)       \
    X(PQresultErrorField)   \
    X(PQclear)              \
    X(PQntuples)            \
    X(PQgetvalue)           \
    X(PQgetisnull)          \
    X(PQcmdTuples)          \
    X(PQsslInUse)           \
    X(PQconninfoParse)      \
    X(PQconninfoFree)       \
    X(PQfreemem)            \
    X(PQsetNoticeProcessor) \
    X(PQgetCancel)          \
    X(PQcancel)             \
    X(PQfreeCancel)

struct pq_library {
#define X(name) __typeof__(name) *name;
    FUNCTIONS(X)
#undef X
    bool whole;
};

static struct pq_library pq_loaded;

static bool pq_load_function(void *library, const char *name, void *pointer) {
    void *function = dlsym(library, name);
    memcpy(pointer, &function, sizeof function);
    return function != NULL;
}

static void pq_load_once(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool whole = library != NULL;
#define X(name) whole = whole && pq_load_function(library, #name, &pq_loaded.name);
    FUNCTIONS(X)
#undef X
    pq_loaded.whole = whole;
}

enum err pq_load(struct error *error) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, pq_load_once);
    if (pq_loaded.whole)
        return ERR_OK;
    return error_set(error, ERR_STORE,
                     LIBRARY " cannot be loaded, and the team's store needs it: install libpq (Debian: libpq5)");
}

PGconn *PQconnectStartParams(const char *const *keywords, const char *const *values, int expand) {
    return pq_loaded.PQconnectStartParams(keywords, values, expand);
}

PostgresPollingStatusType PQconnectPoll(PGconn *conn) {
    return pq_loaded.PQconnectPoll(conn);
}

ConnStatusType PQstatus(const PGconn *conn) {
    return pq_loaded.PQstatus(conn);
}

int PQsocket(const PGconn *conn) {
    return pq_loaded.PQsocket(conn);
}

void PQfinish(PGconn *conn) {
    if (conn)
        pq_loaded.PQfinish(conn);
}

char *PQerrorMessage(const PGconn *conn) {
    return pq_loaded.PQerrorMessage(conn);
}

int PQsetnonblocking(PGconn *conn, int on) {
    return pq_loaded.PQsetnonblocking(conn, on);
}

int PQsendQueryParams(PGconn *conn, const char *command, int n, const Oid *types, const char *const *values,
                      const int *lengths, const int *formats, int format) {
    return pq_loaded.PQsendQueryParams(conn, command, n, types, values, lengths, formats, format);
}

int PQflush(PGconn *conn) {
    return pq_loaded.PQflush(conn);
}

int PQconsumeInput(PGconn *conn) {
    return pq_loaded.PQconsumeInput(conn);
}

int PQisBusy(PGconn *conn) {
    return pq_loaded.PQisBusy(conn);
}

PGresult *PQgetResult(PGconn *conn) {
    return pq_loaded.PQgetResult(conn);
}

ExecStatusType PQresultStatus(const PGresult *result) {
    return pq_loaded.PQresultStatus(result);
}

char *PQresultErrorField(const PGresult *result, int field) {
    return pq_loaded.PQresultErrorField(result, field);
}

void PQclear(PGresult *result) {
    if (result)
        pq_loaded.PQclear(result);
}

int PQntuples(const PGresult *result) {
    return pq_loaded.PQntuples(result);
}

char *PQgetvalue(const PGresult *result, int row, int column) {
    return pq_loaded.PQgetvalue(result, row, column);
}

int PQgetisnull(const PGresult *result, int row, int column) {
    return pq_loaded.PQgetisnull(result, row, column);
}

char *PQcmdTuples(PGresult *result) {
    return pq_loaded.PQcmdTuples(result);
}

int PQsslInUse(PGconn *conn) {
    return pq_loaded.PQsslInUse(conn);
}

PQconninfoOption *PQconninfoParse(const char *text, char **fault) {
    return pq_loaded.PQconninfoParse(text, fault);
}

void PQconninfoFree(PQconninfoOption *options) {
    if (options)
        pq_loaded.PQconninfoFree(options);
}

void PQfreemem(void *block) {
    if (block)
        pq_loaded.PQfreemem(block);
}

PQnoticeProcessor PQsetNoticeProcessor(PGconn *conn, PQnoticeProcessor processor, void *context) {
    return pq_loaded.PQsetNoticeProcessor(conn, processor, context);
}

PGcancel *PQgetCancel(PGconn *conn) {
    return pq_loaded.PQgetCancel(conn);
}

int PQcancel(PGcancel *cancel, char *why, int size) {
    return pq_loaded.PQcancel(cancel, why, size);
}

void PQfreeCancel(PGcancel *cancel) {
    pq_loaded.PQfreeCancel(cancel);
}
