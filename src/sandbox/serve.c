#include "serve.h"

#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "base/secret.h"
#include "files.h"
#include "http.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TOKEN_BYTES = 24, TOKEN_FILE_MAX = 4096 };

static enum err serve_make_token(const char *path, struct error *error) {
    int fd = -1;
    enum err err = path_create_new(path, &fd, error);
    if (err != ERR_OK)
        return err;
    struct str text;
    str_init(&text, 256);
    secret_random_hex(&text, TOKEN_BYTES);
    str_add_char(&text, '\n');
    if (!path_write_all(fd, text.s, text.len))
        err = error_set(error, ERR_FILE, "cannot write %s", path);
    if (close(fd) != 0 && err == ERR_OK)
        err = error_set(error, ERR_FILE, "cannot write %s", path);
    secret_clear_str(&text);
    return err;
}

static enum err serve_read_token(const char *path, char **out, struct error *error) {
    struct str text;
    str_init(&text, TOKEN_FILE_MAX);
    enum err err = ERR_OK;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        err = serve_make_token(path, error);
    if (err == ERR_OK)
        err = path_read(path, TOKEN_FILE_MAX, true, &text, error);
    while (err == ERR_OK && text.len > 0 && (text.s[text.len - 1] == '\n' || text.s[text.len - 1] == '\r'))
        str_delete(&text, text.len - 1, 1);
    if (err == ERR_OK && text.len == 0)
        err = error_set(error, ERR_FILE, "%s holds no token", path);
    if (err == ERR_OK)
        *out = str_take(&text);
    str_clear(&text);
    return err;
}

/* Without a file the token is printed once: otherwise nobody could use the service. */
static void invent_token(char **out) {
    struct str text;
    str_init(&text, 256);
    secret_random_hex(&text, TOKEN_BYTES);
    *out = str_take(&text);
    out_say(stdout, "token %s\n", *out);
}

static enum err read_tokens(struct service *service, const struct options *options, struct error *error) {
    enum err err = ERR_OK;
    if (!options->token_file)
        invent_token(&service->token);
    else
        err = serve_read_token(options->token_file, &service->token, error);
    if (err == ERR_OK && options->control_token_file)
        err = serve_read_token(options->control_token_file, &service->control_token, error);
    return err;
}

static enum err serve_prepare(struct service *service, const struct options *options, struct error *error) {
    service->style = options->style;
    service->page_size = options->page_size;
    service->rate = rate_new();
    service->rules = rules_new();
    enum err err = read_tokens(service, options, error);
    for (size_t i = 0; err == ERR_OK && i < options->faults.n; i++) {
        int id = 0;
        err = rules_add(service->rules, options->faults.items[i], &id, error);
    }
    if (err == ERR_OK)
        err = trace_open(options->journal, &service->trace, error);
    if (err == ERR_OK)
        err = dataset_open(&options->setup, &service->dataset, error);
    return err != ERR_OK ? err : deliver_start(&options->deliver, service->dataset, &service->deliver, error);
}

/* A delivery within this machine must not be handed to a proxy. */
static void forget_proxies(void) {
    static const char *const names[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "http_proxy"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        (void)unsetenv(names[i]);
}

static void serve_release(struct service *service) {
    deliver_stop(service->deliver);
    dataset_free(service->dataset);
    trace_free(service->trace);
    rules_free(service->rules);
    rate_free(service->rate);
    free(service->origin);
    char *tokens[] = {service->token, service->control_token};
    for (size_t i = 0; i < COUNT_OF(tokens); i++)
        secret_free_text(tokens[i]);
}

/* Ends at SIGINT or SIGTERM, which all threads block; between them time passes by ticks. */
static enum err wait_for_end(struct service *service, long long tick_ms, const sigset_t *ends, struct error *error) {
    const struct timespec step = {.tv_sec = tick_ms / 1000, .tv_nsec = (long)(tick_ms % 1000) * 1000000};
    for (;;) {
        int got = sigtimedwait(ends, NULL, tick_ms > 0 ? &step : NULL);
        if (got > 0)
            return ERR_OK;
        if (errno == EAGAIN) {
            enum err err = dataset_tick(service->dataset, 1, error);
            if (err != ERR_OK)
                return err;
        }
    }
}

static void announce(const struct service *service, const struct options *options) {
    if (options->remote)
        out_say(stderr, "bursar-sandbox: warning: others can reach this address, and nothing is encrypted\n");
    out_say(stdout, "listening on %s\n", service->origin);
}

enum err serve_run(struct options *options, struct error *error) {
    struct service service = {0};
    struct http *http = NULL;
    sigset_t ends;
    files_block_signals(&ends);
    if (!options->deliver.anywhere)
        forget_proxies();
    enum err err = serve_prepare(&service, options, error);
    if (err == ERR_OK)
        err = http_start(&service, &options->address, &http, error);
    if (err == ERR_OK && options->port_file)
        err = files_write_port(options->port_file, http_port(http), error);
    if (err == ERR_OK) {
        announce(&service, options);
        err = wait_for_end(&service, options->tick_ms, &ends, error);
        if (options->port_file)
            (void)unlink(options->port_file);
    }
    http_stop(http);
    serve_release(&service);
    return err;
}
