#include "support/service.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ARGS_MAX = 64 };

static char *in_folder(const struct service *service, const char *name) {
    struct str path;
    str_init(&path, 8192);
    str_addf(&path, "%s/%s", service->folder, name);
    return str_take(&path);
}

static char *read_trimmed(const char *path) {
    char *text = proc_read_file(path);
    if (text)
        text[strcspn(text, "\r\n")] = '\0';
    return text;
}

static bool run(struct service *service, const char *const args[]) {
    char *program = proc_program("bursar-sandbox");
    char *port_file = in_folder(service, "port");
    char *control_file = in_folder(service, "control");
    const char *argv[ARGS_MAX] = {program,
                                  "serve",
                                  "--listen",
                                  "127.0.0.1:0",
                                  "--port-file",
                                  port_file,
                                  "--token-file",
                                  service->token_file,
                                  "--journal",
                                  service->journal,
                                  "--control-token-file",
                                  control_file,
                                  "--clock",
                                  "2026-06-15T12:00:00Z",
                                  "--seed",
                                  "7"};
    size_t n = 16;
    for (size_t i = 0; args && args[i] && n + 1 < ARGS_MAX; i++)
        argv[n++] = args[i];
    (void)unlink(port_file);
    if (proc_start(&service->proc, argv, NULL) && proc_expect(&service->proc, "listening on ", PROC_DEADLINE))
        service->port = proc_read_port(port_file, PROC_DEADLINE);
    struct str url;
    str_init(&url, 64);
    str_addf(&url, "http://127.0.0.1:%d", service->port);
    service->url = str_take(&url);
    service->token = read_trimmed(service->token_file);
    service->control = read_trimmed(control_file);
    free(program);
    free(port_file);
    free(control_file);
    return service->port != 0 && service->token;
}

bool service_start(struct service *service, const char *const args[]) {
    memset(service, 0, sizeof *service);
    service->folder = proc_folder_new();
    service->token_file = in_folder(service, "token");
    service->journal = in_folder(service, "journal");
    return run(service, args);
}

static void forget_run(struct service *service) {
    free(service->url);
    free(service->token);
    free(service->control);
    service->url = service->token = service->control = NULL;
    service->port = 0;
}

bool service_restart(struct service *service, const char *const args[]) {
    (void)proc_end(&service->proc);
    forget_run(service);
    return run(service, args);
}

int service_stop(struct service *service) {
    int status = proc_end(&service->proc);
    forget_run(service);
    free(service->token_file);
    free(service->journal);
    proc_folder_remove(service->folder);
    memset(service, 0, sizeof *service);
    return status;
}

static bool send_with(const struct service *service, const char *token, const char *const request[2],
                      const char *const extra[2], struct http_reply *reply) {
    struct str lines;
    str_init(&lines, 1 << 16);
    str_addf(&lines, "Authorization: Bearer %s\r\n", !token ? "" : token);
    if (extra[1])
        str_add(&lines, "Content-Type: application/json\r\n");
    str_add(&lines, !extra[0] ? "" : extra[0]);
    bool ok = http_request(service->port, request[0], request[1], lines.s, extra[1], reply);
    str_clear(&lines);
    return ok;
}

bool service_request(struct service *service, const char *method, const char *target, const char *headers,
                     const char *body, struct http_reply *reply) {
    return send_with(service, service->token, (const char *const[]){method, target},
                     (const char *const[]){headers, body}, reply);
}

bool service_control(struct service *service, const char *method, const char *target, const char *body,
                     struct http_reply *reply) {
    return send_with(service, service->control, (const char *const[]){method, target},
                     (const char *const[]){NULL, body}, reply);
}

void service_put_intent(struct service *service, const char *pattern, const char *text, size_t len) {
    enum { BODY_MAX = 1 << 20 };
    struct str body;
    struct http_reply reply;
    str_init(&body, BODY_MAX);
    for (const char *s = pattern; *s; s++)
        if (*s == '@')
            str_add_n(&body, text, len);
        else
            str_add_char(&body, *s);
    assert_true(service_control(service, "POST", "/control/intents?raw=1", body.s, &reply));
    assert_in_range(reply.status, 200, 299);
    http_reply_clear(&reply);
    str_clear(&body);
}

void service_rule(struct service *service, const char *rule) {
    struct http_reply reply;
    assert_true(service_control(service, "DELETE", "/control/rules", NULL, &reply));
    assert_int_equal(reply.status, 204);
    http_reply_clear(&reply);
    if (!rule)
        return;
    assert_true(service_control(service, "POST", "/control/rules", rule, &reply));
    if (reply.status != 201)
        fail_msg("%s: %s", rule, reply.body.s);
    http_reply_clear(&reply);
}

char *service_users(struct service *service) {
    struct http_reply reply;
    assert_true(service_control(service, "GET", "/control/users", NULL, &reply));
    char *users = mem_dup(reply.body.s);
    http_reply_clear(&reply);
    return users;
}

int service_journal_count(const struct service *service, const char *a, const char *b) {
    char *text = proc_read_file(service->journal);
    int n = 0;
    char *rest = text;
    char *line = NULL;
    while (rest && (line = strsep(&rest, "\n")) != NULL)
        n += line[0] != '\0' && strstr(line, a) && strstr(line, b);
    free(text);
    return n;
}
