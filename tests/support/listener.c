#include "support/listener.h"

#include "base/clock.h"
#include "base/str.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGS_MAX = 32, TURN_MS = 20 };

static char *in_folder(const char *folder, const char *name) {
    struct str path;
    str_init(&path, 8192);
    str_addf(&path, "%s/%s", folder, name);
    return str_take(&path);
}

bool listener_start(struct listener *listener, const char *folder, const char *const args[]) {
    char *program = proc_program("bursar-sandbox");
    char *port_file = in_folder(folder, "listener-port");
    char *tls = in_folder(folder, "listener-tls");
    listener->ca = in_folder(folder, "listener-tls/ca.pem");
    listener->events = in_folder(folder, "events.ndjson");
    const char *argv[ARGS_MAX] = {program,       "listen",         "--port",    "0",
                                  "--port-file", port_file,        "--tls-dir", tls,
                                  "--ndjson",    listener->events, "--quiet"};
    for (size_t i = 0, n = 11; args && args[i] && n + 1 < ARGS_MAX; i++)
        argv[n++] = args[i];
    (void)unlink(port_file);
    if (proc_start(&listener->proc, argv, NULL) && proc_expect(&listener->proc, "listening on ", PROC_DEADLINE))
        listener->port = proc_read_port(port_file, PROC_DEADLINE);
    struct str url;
    str_init(&url, 100);
    str_addf(&url, "https://localhost:%d/hook", listener->port);
    listener->url = str_take(&url);
    free(program);
    free(port_file);
    free(tls);
    return listener->port != 0;
}

int listener_stop(struct listener *listener) {
    int status = proc_end(&listener->proc);
    free(listener->url);
    free(listener->ca);
    free(listener->events);
    *listener = (struct listener){0};
    return status;
}

int listener_count(const struct listener *listener, const char *a, const char *b) {
    char *text = proc_read_file(listener->events);
    int count = 0;
    for (char *line = text, *end = NULL; line && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        count += strstr(line, a) && strstr(line, b);
    }
    free(text);
    return count;
}

bool listener_wait(const struct listener *listener, int count, const char *a, const char *b) {
    int64_t end = clock_mono() + (int64_t)PROC_DEADLINE * 3;
    while (listener_count(listener, a, b) < count) {
        if (clock_mono() > end)
            return false;
        (void)poll(NULL, 0, TURN_MS);
    }
    return true;
}
