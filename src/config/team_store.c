/* What `team_store` may say. libpq reads it whole when it is first used (src/team/address.c holds the same rule over
 * what it made of it); a fault is told here already, with file and line. */
#include "config/keys.h"

#include "base/mem.h"
#include "model/team_address.h"

#include <stdlib.h>
#include <string.h>

static bool team_store_fails(struct str *reason, const char *text) {
    str_add(reason, text);
    return false;
}

/* Value of a parameter, `name=` behind '?', '&', a blank or at the beginning; NULL: it is not there. */
static char *parameter_of(const char *value, const char *name) {
    size_t len = strlen(name);
    for (const char *at = strstr(value, name); at; at = strstr(at + 1, name)) {
        bool begins = at == value || strchr("?& ", at[-1]);
        if (begins && at[len] == '=')
            return mem_dup_n(at + len + 1, strcspn(at + len + 1, "& "));
    }
    return NULL;
}

/* Behind `//`, without the user: "db.example.com:5432,other"; nothing for what is no URI. */
static char *authority_of(const char *value) {
    const char *begin = strstr(value, "://");
    if (!begin)
        return NULL;
    begin += strlen("://");
    size_t len = strcspn(begin, "/?");
    const char *user = memchr(begin, '@', len);
    if (user) {
        len -= (size_t)(user + 1 - begin);
        begin = user + 1;
    }
    return mem_dup_n(begin, len);
}

static bool has_login(const char *value) {
    const char *begin = strstr(value, "://");
    size_t len = begin ? strcspn(begin + 3, "/?") : 0;
    const char *user = len ? memchr(begin + 3, '@', len) : NULL;
    return user && memchr(begin + 3, ':', (size_t)(user - begin - 3));
}

static bool is_store_address(const char *value) {
    return str_starts(value, "postgresql://") || str_starts(value, "postgres://") || str_starts(value, "service=") ||
           str_starts(value, "host=");
}

static bool check_safety(const char *value, struct str *reason) {
    char *mode = parameter_of(value, "sslmode"), *host = parameter_of(value, "host"), *place = authority_of(value);
    bool service = str_starts(value, "service=") && !host;
    const char *hosts = host ? host : place ? place : "";
    bool safe = !mode || str_equal(mode, "verify-full") || (!service && team_host_is_here(hosts));
    free(mode);
    free(host);
    free(place);
    return safe ||
           team_store_fails(reason, "sslmode is weaker than verify-full, which is allowed to this machine only");
}

char *team_store_file(const char *address, const char *parameter) {
    char *path = parameter_of(address, parameter);
    if (path && (!*path || strpbrk(path, "%'\\") || str_equal(path, "system"))) {
        free(path);
        path = NULL;
    }
    return path;
}

bool check_team_store(const char *value, struct str *reason) {
    char *password = parameter_of(value, "password");
    bool held = password || has_login(value);
    free(password);
    if (!check_line(value, reason) || !*value)
        return !*value;
    if (held)
        return team_store_fails(reason, "the address holds a password, which belongs into ~/.pgpass, a service file or "
                                        "team_password_command");
    if (!is_store_address(value))
        return team_store_fails(reason, "the address does not begin with postgresql://, service= or host=");
    return check_safety(value, reason);
}
