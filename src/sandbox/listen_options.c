#include "base/mem.h"
#include "listen.h"

#include <string.h>

enum { PORT_MAX = 65535, DEFAULT_PORT = 8732, FAIL_MAX = 1000000, NAME_WIDTH = 24 };

enum option { PORT, TLS_DIR, SECRET_FILE, NDJSON, SAVE, FAIL_EVERY, PORT_FILE, QUIET, HELP, OPTION_COUNT };

static const struct {
    const char *name, *shape, *help;
} table[] = {
    [PORT] = {"port", "N", "Where to listen on 127.0.0.1; 0 takes a free one (8732)"},
    [TLS_DIR] = {"tls-dir", "DIR", "Folder of ca.pem, server.pem and server.key, made where absent; needed"},
    [SECRET_FILE] = {"secret-file", "FILE", "The webhook's secret, read anew for each event; without it none verifies"},
    [NDJSON] = {"ndjson", "FILE", "Append each event there as a line of JSON"},
    [SAVE] = {"save", "DIR", "Keep each body there byte for byte, as N.body"},
    [FAIL_EVERY] = {"fail-every", "N", "Answer each N-th request with 500, to see the sender try again"},
    [PORT_FILE] = {"port-file", "FILE", "Write the port there once the listener answers"},
    [QUIET] = {"quiet", "", "Print no events"},
    [HELP] = {"help", "", "This text"},
};

void listen_options_describe(void (*entry)(void *context, const char *name, const char *shape, const char *help),
                             void *context) {
    for (size_t i = 0; i < COUNT_OF(table); i++)
        entry(context, table[i].name, table[i].shape, table[i].help);
}

static void help_entry(void *context, const char *name, const char *shape, const char *help) {
    struct str *out = context;
    struct str text;
    str_init(&text, 128);
    str_addf(&text, "--%s%s%s", name, shape[0] == '\0' ? "" : " ", shape);
    str_addf(out, "  %-*s %s\n", NAME_WIDTH, text.s, help);
    str_clear(&text);
}

void listen_options_help(struct str *out) {
    str_add(out, "usage: bursar-sandbox listen --tls-dir DIR [OPTION]...\n\n"
                 "The other end of a webhook: receives, verifies and prints events.\n"
                 "It ends on SIGINT or SIGTERM.\n\nOptions:\n");
    listen_options_describe(help_entry, out);
}

static enum err listen_options_set_number(const char *name, const char *value, long long max, long long *out,
                                          struct error *error) {
    if (!str_to_int64(value, strlen(value), out) || *out < 0 || *out > max)
        return error_set(error, ERR_USAGE, "--%s takes a number from 0 to %lld, not \"%s\"", name, max, value);
    return ERR_OK;
}

static enum err set(enum option option, const char *value, struct listen_options *out, struct error *error) {
    const char **const texts[] = {
        [TLS_DIR] = &out->tls_dir, [SECRET_FILE] = &out->secret_file, [NDJSON] = &out->ndjson,
        [SAVE] = &out->save,       [PORT_FILE] = &out->port_file,
    };
    if (option == PORT)
        return listen_options_set_number("port", value, PORT_MAX, &out->port, error);
    if (option == FAIL_EVERY)
        return listen_options_set_number("fail-every", value, FAIL_MAX, &out->fail_every, error);
    *texts[option] = value;
    return ERR_OK;
}

/* `--name value` or `--name=value`. */
static enum option listen_options_find(const char *text, const char **inside) {
    size_t len = strcspn(text, "=");
    *inside = text[len] == '=' ? text + len + 1 : NULL;
    for (size_t i = 0; i < COUNT_OF(table) && str_starts(text, "--"); i++)
        if (strlen(table[i].name) == len - 2 && strncmp(table[i].name, text + 2, len - 2) == 0)
            return (enum option)i;
    return OPTION_COUNT;
}

enum err listen_options_read(int argc, char **argv, struct listen_options *out, struct error *error) {
    *out = (struct listen_options){.port = DEFAULT_PORT};
    for (int at = 2; at < argc; at++) {
        const char *value = NULL;
        enum option option = listen_options_find(argv[at], &value);
        if (option == OPTION_COUNT)
            return error_set(error, ERR_USAGE, "\"%s\" is not known; see listen --help", argv[at]);
        if (option == HELP) {
            out->help = true;
            return ERR_OK;
        }
        if (option == QUIET) {
            out->quiet = true;
            continue;
        }
        if (!value && ++at == argc)
            return error_set(error, ERR_USAGE, "--%s needs a value", table[option].name);
        enum err err = set(option, !value ? argv[at] : value, out, error);
        if (err != ERR_OK)
            return err;
    }
    if (!out->tls_dir)
        return error_set(error, ERR_USAGE, "--tls-dir is needed: the folder of the listener's certificate");
    return ERR_OK;
}
