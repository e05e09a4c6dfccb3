#include "support/mock.h"

#include "support/http.h"

#include <stdlib.h>
#include <string.h>

/* A script of this size needs its time on a busy machine. */
enum { START_DEADLINE = 120000, MORE_DEADLINE = 20, ARGS_MAX = 16 };

const char *mock_missing(void) {
    if (!getenv("BURSAR_SPEC"))
        return "BURSAR_SPEC is not set";
    return getenv("BURSAR_MOCK") ? NULL : "BURSAR_MOCK is not set";
}

static bool start(struct mock *mock, const char *const args[], const char *upstream) {
    struct str spec, port;
    size_t n = 0;
    *mock = (struct mock){.port = http_free_port()};
    str_init(&spec, 4096);
    str_addf(&spec, "%s/openapi.yaml", getenv("BURSAR_SPEC"));
    str_init(&port, 16);
    str_addf(&port, "%d", mock->port);
    const char *argv[ARGS_MAX] = {"/usr/bin/env", "node", getenv("BURSAR_MOCK")};
    for (n = 3; *args; args++)
        argv[n++] = *args;
    const char *const rest[] = {"--host", "127.0.0.1", "--port", port.s, spec.s, upstream, NULL};
    memcpy(argv + n, rest, sizeof rest);
    bool up = proc_start(&mock->proc, argv, NULL) && proc_expect(&mock->proc, "is listening on", START_DEADLINE);
    struct str url;
    str_init(&url, 64);
    str_addf(&url, "http://127.0.0.1:%d", mock->port);
    mock->url = str_take(&url);
    str_clear(&spec);
    str_clear(&port);
    return up;
}

bool mock_start(struct mock *mock) {
    return start(mock, (const char *const[]){"mock", "--dynamic", NULL}, NULL);
}

bool mock_start_proxy(struct mock *mock, const char *upstream) {
    return start(mock, (const char *const[]){"proxy", "--errors", NULL}, upstream);
}

const char *mock_log(struct mock *mock) {
    (void)proc_wait(&mock->proc, MORE_DEADLINE);
    return mock->proc.out.s;
}

void mock_stop(struct mock *mock) {
    (void)proc_end(&mock->proc);
    free(mock->url);
    *mock = (struct mock){0};
}
