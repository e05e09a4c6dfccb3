#include "address.h"

#include "base/mem.h"
#include "model/team_address.h"

#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

/* What libpq made of the setting; text of it is borrowed from there. */
struct settings {
    const char *host, *hostaddr, *service, *sslmode, *password;
};

static void read_settings(const PQconninfoOption *options, struct settings *out) {
    *out = (struct settings){0};
    for (; options->keyword; options++) {
        const char **place = strcmp(options->keyword, "host") == 0       ? &out->host
                             : strcmp(options->keyword, "hostaddr") == 0 ? &out->hostaddr
                             : strcmp(options->keyword, "service") == 0  ? &out->service
                             : strcmp(options->keyword, "sslmode") == 0  ? &out->sslmode
                             : strcmp(options->keyword, "password") == 0 ? &out->password
                                                                         : NULL;
        if (place && options->val && *options->val)
            *place = options->val;
    }
}

/* The address counts, not the name that stands for it. Where a service or a variable of libpq's own may name another
 * one, it is not known to be this machine. */
static bool stays_here(const struct settings *settings) {
    if (settings->service || getenv("PGSERVICE") || (!settings->hostaddr && getenv("PGHOSTADDR")))
        return false;
    const char *host = settings->hostaddr ? settings->hostaddr : settings->host;
    return host && team_host_is_here(host);
}

static enum err check_settings(const struct settings *settings, struct error *error) {
    if (settings->password)
        return error_set(error, ERR_CONFIG,
                         "team_store holds a password, which belongs into ~/.pgpass, a service file or "
                         "team_password_command");
    if (settings->sslmode && strcmp(settings->sslmode, "verify-full") != 0 && !stays_here(settings))
        return error_set(error, ERR_CONFIG,
                         "team_store has sslmode=%s: to another machine only verify-full is used, so that nobody can "
                         "stand in between",
                         settings->sslmode);
    return ERR_OK;
}

static void address_word(struct address *address, size_t *n, const char *word, const char *value) {
    address->words[*n] = word;
    address->values[(*n)++] = value;
}

/* libpq leaves TLS out over a socket whatever sslmode says, so that verify-full harms none. What stands behind dbname
 * wins over what it expands to. */
enum err address_make(const char *store, const struct secret *password, struct address *out, struct error *error) {
    char *fault = NULL;
    PQconninfoOption *options = PQconninfoParse(store, &fault);
    struct settings settings = {0};
    size_t n = 0;
    if (!options) {
        enum err err = error_set(error, ERR_CONFIG, "team_store cannot be read: %s", fault ? fault : "no memory");
        PQfreemem(fault);
        return err;
    }
    read_settings(options, &settings);
    enum err err = check_settings(&settings, error);
    bool plain = stays_here(&settings);
    *out = (struct address){0};
    address_word(out, &n, "dbname", store);
    if (!plain) {
        address_word(out, &n, "sslmode", "verify-full");
        address_word(out, &n, "gssencmode", "disable"); /* which would stand in the place of TLS */
    }
    if (password)
        address_word(out, &n, "password", secret_text(password));
    address_word(out, &n, "application_name", "bursar");
    address_word(out, &n, "client_encoding", "UTF8");
    PQconninfoFree(options);
    return err;
}
