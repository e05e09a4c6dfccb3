#include "options.h"

#include "base/clock.h"
#include "base/mem.h"
#include "rule.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_INTENTS = 2000,
    DEFAULT_PAGE = 100,
    DEFAULT_RETRY_MS = 1000,
    PAGE_MAX = 10000,
    NAME_WIDTH = 30,
    LINE_WIDTH = 100
};

enum option {
    OPTION_LISTEN,
    OPTION_ALLOW_REMOTE,
    OPTION_PORT_FILE,
    OPTION_TOKEN_FILE,
    OPTION_CONTROL_TOKEN_FILE,
    OPTION_JOURNAL,
    OPTION_DB,
    OPTION_INTENTS,
    OPTION_SEED,
    OPTION_PAGE_SIZE,
    OPTION_CLOCK,
    OPTION_TICK,
    OPTION_PLAIN,
    OPTION_FAULT,
    OPTION_STYLE,
    OPTION_SIGN,
    OPTION_RETRY_BASE,
    OPTION_DELIVER_CA,
    OPTION_DELIVER_ANYWHERE,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_COUNT,
};

static const struct {
    const char *name, *shape, *help;
} table[] = {
    [OPTION_LISTEN] = {"listen", "HOST:PORT", "Where to listen; port 0 takes a free one (127.0.0.1:8731)"},
    [OPTION_ALLOW_REMOTE] = {"allow-remote", "", "Permit an address that others can reach"},
    [OPTION_PORT_FILE] = {"port-file", "FILE", "Write the port there once the service answers"},
    [OPTION_TOKEN_FILE] = {"token-file", "FILE", "File with the bearer token; made with a random one where absent"},
    [OPTION_CONTROL_TOKEN_FILE] = {"control-token-file", "FILE",
                                   "The same for the control path, which is closed without this option"},
    [OPTION_JOURNAL] = {"journal", "FILE", "Append each request there as a line of JSON"},
    [OPTION_DB] = {"db", "FILE", "Keep changes there, so that a restart goes on"},
    [OPTION_INTENTS] = {"intents", "N", "Intents at the start, 0 to 10000000 (2000)"},
    [OPTION_SEED] = {"seed", "N", "What the intents are made from (1)"},
    [OPTION_PAGE_SIZE] = {"page-size", "N", "Rows of a page, 1 to 10000 (100)"},
    [OPTION_CLOCK] = {"clock", "TIME",
                      "An ISO time at which the clock stands, a second further each tick, or real (real)"},
    [OPTION_TICK] = {"tick", "MS", "So often intents move on and new ones arrive; 0 for never (0)"},
    [OPTION_PLAIN] = {"plain", "", "Integers below 2^53 only"},
    [OPTION_FAULT] = {"fault", "RULE", "A fault rule, see below; may be repeated"},
    [OPTION_STYLE] = {"style", "KEY=VALUE", "Play another kind of service, see below; may be repeated"},
    [OPTION_SIGN] = {"sign", "SCHEME",
                     "How events are signed: hmac-hex, hmac-base64 or standard-webhooks (standard-webhooks)"},
    [OPTION_RETRY_BASE] = {"retry-base", "MS",
                           "Pause before the second attempt to deliver an event; each further one is twice as long "
                           "(1000)"},
    [OPTION_DELIVER_CA] = {"deliver-ca", "FILE", "Trust these certificates when delivering, not the system's"},
    [OPTION_DELIVER_ANYWHERE] = {"deliver-anywhere", "", "Deliver to other machines too"},
    [OPTION_HELP] = {"help", "", "This text"},
    [OPTION_VERSION] = {"version", "", "The version"},
};

void options_describe(void (*entry)(void *context, const char *name, const char *shape, const char *help),
                      void *context) {
    for (size_t i = 0; i < COUNT_OF(table); i++)
        entry(context, table[i].name, table[i].shape, table[i].help);
}

/* ---- help ---- */

/* Help in its own column, broken at blanks. */
static void help_line(struct str *out, const char *name, const char *help) {
    str_addf(out, "  %-*s ", NAME_WIDTH, name);
    size_t room = LINE_WIDTH - NAME_WIDTH - 3;
    while (strlen(help) > room) {
        size_t len = room;
        while (len > 0 && help[len] != ' ' && help[len - 1] != '|')
            len--;
        str_add_n(out, help, len);
        help += len + strspn(help + len, " ");
        if (*help != '\0') {
            str_add_char(out, '\n');
            str_add_repeat(out, ' ', NAME_WIDTH + 3);
        }
    }
    str_add(out, help);
    str_add_char(out, '\n');
}

static void help_option(void *out, const char *name, const char *shape, const char *help) {
    struct str text;
    str_init(&text, 256);
    str_addf(&text, "--%s%s%s", name, shape[0] == '\0' ? "" : " ", shape);
    help_line(out, text.s, help);
    str_clear(&text);
}

static void help_pair(void *out, const char *key, const char *value, const char *help) {
    struct str text;
    str_init(&text, 256);
    str_addf(&text, "%s=%s", key, value);
    help_line(out, text.s, help);
    str_clear(&text);
}

void options_help(struct str *out) {
    str_add(out, "usage: bursar-sandbox [serve] [OPTION]...\n       bursar-sandbox listen --tls-dir DIR [OPTION]...\n\n"
                 "A local payments service: register a webhook, create users, list intents.\n"
                 "It ends on SIGINT or SIGTERM.\n\nOptions:\n");
    options_describe(help_option, out);
    str_add(out, "\nA RULE is made of KEY=VALUE words; quote values with blanks, as in\n"
                 "  --fault 'path=/intent/list nth=2 status=503 header=\"Retry-After: 3\"'\n");
    rules_describe(help_pair, out);
    str_add(out, "\nStyles, with their defaults:\n");
    style_describe(help_pair, out);
}

/* ---- reading ---- */

static bool read_port(const char *text, in_port_t *out) {
    long long port = 0;
    if (!str_to_int64(text, strlen(text), &port) || port < 0 || port > 65535)
        return false;
    *out = htons((uint16_t)port);
    return true;
}

static bool sandbox_options_read_address(const char *host, const char *port, struct options *out) {
    struct sockaddr_in *four = (struct sockaddr_in *)&out->address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&out->address;
    memset(&out->address, 0, sizeof out->address);
    if (inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        out->remote = ntohl(four->sin_addr.s_addr) >> 24 != 127;
        return read_port(port, &four->sin_port);
    }
    if (inet_pton(AF_INET6, host, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        out->remote = !IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
        return read_port(port, &six->sin6_port);
    }
    return false;
}

static enum err set_listen(const char *value, struct options *out, struct error *error) {
    const char *colon = strrchr(value, ':');
    bool ok = false;
    if (colon) {
        bool brackets = value[0] == '[' && colon > value + 1 && colon[-1] == ']';
        char *host = mem_dup_n(value + brackets, (size_t)(colon - value) - 2 * (size_t)brackets);
        ok = sandbox_options_read_address(host, colon + 1, out);
        free(host);
    }
    return ok ? ERR_OK : error_set(error, ERR_USAGE, "--listen takes ADDRESS:PORT, not \"%s\"", value);
}

static enum err sandbox_options_set_number(const char *name, const char *value, const long long limits[2],
                                           long long *out, struct error *error) {
    if (!str_to_int64(value, strlen(value), out) || *out < limits[0] || *out > limits[1]) {
        return error_set(error, ERR_USAGE, "--%s takes a number from %lld to %lld, not \"%s\"", name, limits[0],
                         limits[1], value);
    }
    return ERR_OK;
}

static enum err set_clock(const char *value, struct options *out, struct error *error) {
    out->setup.fixed = strcmp(value, "real") != 0;
    if (out->setup.fixed && !clock_parse(value, strlen(value), &out->setup.fixed_at))
        return error_set(error, ERR_USAGE, "--clock takes an ISO time or real, not \"%s\"", value);
    return ERR_OK;
}

static enum err set_numbers(enum option option, const char *value, struct options *out, struct error *error) {
    long long number = 0;
    enum err err = ERR_OK;
    const char *name = table[option].name;
    if (option == OPTION_INTENTS) {
        err = sandbox_options_set_number(name, value, (const long long[]){0, GEN_COUNT_MAX}, &number, error);
        out->setup.gen.count = number;
        out->setup.count_given = true;
    } else if (option == OPTION_SEED) {
        err = sandbox_options_set_number(name, value, (const long long[]){0, INT64_MAX}, &number, error);
        out->setup.gen.seed = (uint64_t)number;
        out->setup.seed_given = true;
    } else if (option == OPTION_PAGE_SIZE) {
        err = sandbox_options_set_number(name, value, (const long long[]){1, PAGE_MAX}, &out->page_size, error);
    } else if (option == OPTION_RETRY_BASE) {
        err = sandbox_options_set_number(name, value, (const long long[]){1, 3600000}, &out->deliver.retry_ms, error);
    } else {
        err = sandbox_options_set_number(name, value, (const long long[]){0, 86400000}, &out->tick_ms, error);
    }
    return err;
}

static enum err set_sign(const char *value, struct options *out, struct error *error) {
    int scheme = webhook_scheme_find(value);
    if (scheme < 0) {
        return error_set(error, ERR_USAGE, "--sign takes hmac-hex, hmac-base64 or standard-webhooks, not \"%s\"",
                         value);
    }
    out->deliver.scheme = (enum webhook_scheme)scheme;
    return ERR_OK;
}

static enum err set_option(enum option option, const char *value, struct options *out, struct error *error) {
    switch (option) {
    case OPTION_LISTEN:
        return set_listen(value, out, error);
    case OPTION_PORT_FILE:
        out->port_file = value;
        return ERR_OK;
    case OPTION_TOKEN_FILE:
        out->token_file = value;
        return ERR_OK;
    case OPTION_CONTROL_TOKEN_FILE:
        out->control_token_file = value;
        return ERR_OK;
    case OPTION_JOURNAL:
        out->journal = value;
        return ERR_OK;
    case OPTION_DB:
        out->setup.db_path = value;
        return ERR_OK;
    case OPTION_CLOCK:
        return set_clock(value, out, error);
    case OPTION_SIGN:
        return set_sign(value, out, error);
    case OPTION_DELIVER_CA:
        out->deliver.ca_file = value;
        return ERR_OK;
    case OPTION_FAULT:
        *vec_add(&out->faults) = value;
        return ERR_OK;
    case OPTION_STYLE:
        return style_set(&out->style, value, error);
    default:
        return set_numbers(option, value, out, error);
    }
}

static bool set_switch(enum option option, bool *allow_remote, struct options *out) {
    switch (option) {
    case OPTION_ALLOW_REMOTE:
        *allow_remote = true;
        return true;
    case OPTION_PLAIN:
        out->setup.gen.plain = out->setup.plain_given = true;
        return true;
    case OPTION_DELIVER_ANYWHERE:
        out->deliver.anywhere = true;
        return true;
    case OPTION_HELP:
        out->act = OPTIONS_HELP;
        return true;
    case OPTION_VERSION:
        out->act = OPTIONS_VERSION;
        return true;
    default:
        return false;
    }
}

/* `--name value` or `--name=value`; *inside is the value of the second form. */
static enum option sandbox_options_find_option(const char *text, const char **inside) {
    const char *equal = strchr(text, '=');
    size_t len = !equal ? strlen(text) : (size_t)(equal - text);
    *inside = !equal ? NULL : equal + 1;
    for (size_t i = 0; i < COUNT_OF(table) && str_starts(text, "--"); i++)
        if (strlen(table[i].name) == len - 2 && strncmp(table[i].name, text + 2, len - 2) == 0)
            return (enum option)i;
    return OPTION_COUNT;
}

static enum err sandbox_options_read_all(int argc, char **argv, bool *allow_remote, struct options *out,
                                         struct error *error) {
    int at = argc > 1 && strcmp(argv[1], "serve") == 0 ? 2 : 1;
    for (; at < argc && out->act == OPTIONS_SERVE; at++) {
        const char *value = NULL;
        enum option option = sandbox_options_find_option(argv[at], &value);
        if (option == OPTION_COUNT)
            return error_set(error, ERR_USAGE, "\"%s\" is not known; see --help", argv[at]);
        if (set_switch(option, allow_remote, out)) {
            if (value)
                return error_set(error, ERR_USAGE, "--%s takes no value", table[option].name);
            continue;
        }
        if (!value && ++at == argc)
            return error_set(error, ERR_USAGE, "--%s needs a value", table[option].name);
        enum err err = set_option(option, !value ? argv[at] : value, out, error);
        if (err != ERR_OK)
            return err;
    }
    return ERR_OK;
}

enum err options_read(int argc, char **argv, struct options *out, struct error *error) {
    bool allow_remote = false;
    memset(out, 0, sizeof *out);
    style_init(&out->style);
    out->setup.gen.count = DEFAULT_INTENTS;
    out->setup.gen.seed = 1;
    out->page_size = DEFAULT_PAGE;
    out->deliver = (struct deliver_setup){.scheme = WEBHOOK_STANDARD, .retry_ms = DEFAULT_RETRY_MS};
    enum err err = set_listen("127.0.0.1:8731", out, error);
    if (err == ERR_OK)
        err = sandbox_options_read_all(argc, argv, &allow_remote, out, error);
    if (err == ERR_OK && out->act == OPTIONS_SERVE && out->remote && !allow_remote)
        err = error_set(error, ERR_USAGE, "this address is open to others; --allow-remote permits it");
    return err;
}

void options_clear(struct options *options) {
    free(options->faults.items);
    style_clear(&options->style);
}
