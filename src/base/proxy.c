#include "base/proxy.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/secret.h"

#include <arpa/inet.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_MAX = 255 };

static const char *first_set(const char *const names[], size_t n, const char **variable) {
    for (size_t i = 0; i < n; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) {
            if (variable)
                *variable = names[i];
            return value;
        }
    }
    return "";
}

static bool bits_equal(const unsigned char *a, const unsigned char *b, long bits) {
    size_t whole = (size_t)bits / CHAR_BIT;
    if (memcmp(a, b, whole) != 0)
        return false;
    unsigned rest = (unsigned)bits % CHAR_BIT;
    return rest == 0 || ((unsigned)(a[whole] ^ b[whole]) >> (CHAR_BIT - rest)) == 0;
}

/* entry: an address, or a network as address/bits. */
static bool network_holds(const char *entry, const char *host) {
    static const struct {
        int family;
        long bits;
    } kinds[] = {{AF_INET, 32}, {AF_INET6, 128}};
    char network[HOST_MAX + 1];
    const char *slash = strchr(entry, '/');
    size_t len = slash ? (size_t)(slash - entry) : strlen(entry);
    memcpy(network, entry, len);
    network[len] = '\0';
    long long bits = -1;
    if (slash && !str_to_int64(slash + 1, strlen(slash + 1), &bits))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        unsigned char a[16], b[16];
        if (inet_pton(kinds[i].family, network, a) == 1 && inet_pton(kinds[i].family, host, b) == 1)
            return bits <= kinds[i].bits && bits_equal(a, b, bits < 0 ? kinds[i].bits : (long)bits);
    }
    return false;
}

/* The entry names the host itself or a domain that it lies in. */
static bool domain_holds(const char *entry, const char *host) {
    if (*entry == '.')
        entry++;
    size_t want = strlen(entry), have = strlen(host);
    if (want > 0 && entry[want - 1] == '.')
        want--;
    if (want == 0 || have < want || ascii_compare_n(host + have - want, entry, want) != 0)
        return false;
    return have == want || host[have - want - 1] == '.';
}

/* One entry of the list: `*.name` excepts the domain, `name:port` and `[address]:port` except that port only. libcurl
 * understands neither form and uses the proxy without a warning, while other programs, and whoever wrote the entry,
 * take it for an exception. */
struct entry {
    char text[HOST_MAX + 1];
    const char *port; /* within text; "": every port */
    bool widened, all;
};

static bool is_port(const char *text) {
    long long port;
    return str_to_int64(text, strlen(text), &port) && port > 0 && port <= UINT16_MAX;
}

static void split_port(struct entry *entry) {
    char *bracket = entry->text[0] == '[' ? strchr(entry->text, ']') : NULL;
    char *colon = bracket ? bracket + (bracket[1] == ':') : strchr(entry->text, ':');
    if (colon && *colon == ':' && !strchr(colon + 1, ':') && is_port(colon + 1)) {
        entry->port = colon + 1;
        *colon = '\0';
    }
    if (bracket && bracket[1] == '\0') {
        *bracket = '\0';
        memmove(entry->text, entry->text + 1, strlen(entry->text));
    }
}

static bool entry_read(const char *given, size_t len, struct entry *out) {
    *out = (struct entry){.port = ""};
    if (len == 0 || len > HOST_MAX)
        return false;
    out->widened = len > 2 && given[0] == '*' && given[1] == '.';
    memcpy(out->text, given + out->widened, len - out->widened);
    out->all = str_equal(out->text, "*");
    split_port(out);
    return true;
}

static bool entry_holds(const char *given, size_t len, const char *host, const char *port) {
    struct entry entry;
    if (!entry_read(given, len, &entry))
        return false;
    if (entry.all)
        return true;
    if (*entry.port && strtol(entry.port, NULL, 10) != strtol(port ? port : "443", NULL, 10))
        return false;
    return domain_holds(entry.text, host) || network_holds(entry.text, host);
}

static bool is_network(const char *text) {
    static const struct {
        int family;
        long bits;
    } kinds[] = {{AF_INET, 32}, {AF_INET6, 128}};
    char network[HOST_MAX + 1];
    unsigned char bytes[16];
    const char *slash = strchr(text, '/');
    size_t len = slash ? (size_t)(slash - text) : strlen(text);
    long long bits = 0;
    memcpy(network, text, len);
    network[len] = '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (inet_pton(kinds[i].family, network, bytes) == 1)
            return !slash || (str_to_int64(slash + 1, strlen(slash + 1), &bits) && bits <= kinds[i].bits);
    return false;
}

/* Letters beyond ASCII are accepted: a name may be written in its own script. */
static bool proxy_is_name(const char *text) {
    bool digits_only = true;
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at < 0x80 && !ascii_is_letter(*at) && !ascii_is_digit(*at) && !strchr("-._", *at))
            return false;
        digits_only = digits_only && (ascii_is_digit(*at) || *at == '.');
    }
    return !digits_only || strspn(text, ".") == strlen(text);
}

static enum proxy_reading entry_reading(const char *given, size_t len) {
    struct entry entry;
    if (!entry_read(given, len, &entry) || (!entry.all && !is_network(entry.text) && !proxy_is_name(entry.text)))
        return PROXY_NOT_READ;
    return *entry.port ? PROXY_PORT_ALONE : entry.widened ? PROXY_DOMAIN : PROXY_PLAIN;
}

/* The host as no_proxy writes it: no brackets, no final dot. */
static void plain_host(const char *host, char out[HOST_MAX + 1]) {
    size_t len = strlen(host);
    if (len > 1 && host[0] == '[' && host[len - 1] == ']') {
        host++;
        len -= 2;
    }
    if (len > 0 && host[len - 1] == '.')
        len--;
    if (len > HOST_MAX)
        len = HOST_MAX;
    memcpy(out, host, len);
    out[len] = '\0';
}

static const char separators[] = ", \t";

static const char *exceptions(void) {
    static const char *const names[] = {"no_proxy", "NO_PROXY"};
    return first_set(names, sizeof names / sizeof *names, NULL);
}

static bool proxy_is_exempt(const struct url *url) {
    char host[HOST_MAX + 1];
    const char *list = exceptions();
    plain_host(url->host, host);
    while (*list) {
        list += strspn(list, separators);
        size_t len = strcspn(list, separators);
        if (entry_holds(list, len, host, url->port))
            return true;
        list += len;
    }
    return false;
}

bool proxy_exception(size_t index, const char **entry, size_t *len, enum proxy_reading *reading) {
    const char *list = exceptions();
    for (size_t i = 0; *list; list += *len) {
        list += strspn(list, separators);
        *len = strcspn(list, separators);
        if (*len > 0 && i++ == index) {
            *entry = list;
            *reading = entry_reading(list, *len);
            return true;
        }
    }
    return false;
}

static const char *base_proxy_choose(const struct url *url, const char **variable) {
    static const char *const names[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
    *variable = NULL;
    if (!str_equal(url->scheme, "https") || !url->host || proxy_is_exempt(url))
        return "";
    return first_set(names, sizeof names / sizeof *names, variable);
}

const char *proxy_choose(const struct url *url) {
    const char *variable;
    return base_proxy_choose(url, &variable);
}

const char *proxy_variable(const struct url *url) {
    const char *variable;
    (void)base_proxy_choose(url, &variable);
    return variable;
}

const char *proxy_text(const char *address, struct str *out) {
    struct url url;
    const char *variable = NULL;
    if (url_parse(address, &url, NULL) == ERR_OK) {
        const char *proxy = base_proxy_choose(&url, &variable);
        if (*proxy)
            url_proxy_place(proxy, out);
    }
    url_clear(&url);
    return variable;
}

/* http_proxy too: no request here uses it, but its login must not be shown either. */
static const char *const login_variables[] = {"https_proxy", "HTTPS_PROXY", "all_proxy",
                                              "ALL_PROXY",   "http_proxy",  "HTTP_PROXY"};
enum { LOGIN_VARIABLES = sizeof login_variables / sizeof *login_variables, LOGIN_MAX = 8192 };

struct proxy_logins {
    struct secret *passwords[LOGIN_VARIABLES];
    struct secret *pairs[LOGIN_VARIABLES]; /* user:password, which is what goes out, in base64 */
};

static struct secret *pair_of(const char *user, const char *password) {
    struct str pair;
    str_init(&pair, LOGIN_MAX);
    /* All the room in advance, so that the text is never moved and no copy is left behind. */
    str_add_repeat(&pair, ' ', strlen(user) + strlen(password) + 1);
    str_reset(&pair);
    str_addf(&pair, "%s:%s", user, password);
    struct secret *secret = secret_new(pair.s, pair.len);
    secret_clear_str(&pair);
    return secret;
}

struct proxy_logins *proxy_logins_new(void) {
    struct proxy_logins *logins = mem_new(sizeof *logins);
    for (size_t i = 0; i < LOGIN_VARIABLES; i++) {
        char *user, *password;
        const char *setting = getenv(login_variables[i]);
        url_proxy_login(setting ? setting : "", &user, &password);
        if (password) {
            logins->passwords[i] = secret_new(password, strlen(password));
            logins->pairs[i] = pair_of(user ? user : "", password);
        }
        secret_free_text(user);
        secret_free_text(password);
    }
    return logins;
}

void proxy_logins_free(struct proxy_logins *logins) {
    for (size_t i = 0; logins && i < LOGIN_VARIABLES; i++) {
        secret_free(logins->passwords[i]);
        secret_free(logins->pairs[i]);
    }
    free(logins);
}
