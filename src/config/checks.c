#include "config/keys.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/url.h"
#include "base/utf8.h"
#include "config/near.h"
#include "model/user.h"

#include <string.h>

enum { VALUE_MAX = 4096, NAME_MAX_LEN = 64, ENVIRONMENT_MAX = 32 };

static bool checks_fail(struct str *reason, const char *text) {
    str_add(reason, text);
    return false;
}

bool check_line(const char *value, struct str *reason) {
    size_t len = strlen(value);
    if (len > VALUE_MAX)
        return checks_fail(reason, "the value is longer than 4096 bytes");
    if (!utf8_is_valid(value, len))
        return checks_fail(reason, "the value is not valid UTF-8");
    if (!utf8_is_clean(value, len))
        return checks_fail(reason, "the value holds control or invisible characters");
    return true;
}

/* Letters, digits and the bytes of `more`, 1 to max of them. */
static bool checks_is_word(const char *value, const char *more, size_t max) {
    size_t len = strlen(value);
    for (size_t i = 0; i < len; i++) {
        bool plain = ascii_is_word((unsigned char)value[i]);
        if (!plain && !strchr(more, value[i]))
            return false;
    }
    return len > 0 && len <= max;
}

/* The name becomes a file name. */
bool check_profile_name(const char *value, struct str *reason) {
    if (!checks_is_word(value, "._-", NAME_MAX_LEN) || value[0] == '.' || value[0] == '-')
        return checks_fail(reason,
                           "a profile's name is 1 to 64 letters, digits, '.', '_' or '-', not begun by '.' or '-'");
    return true;
}

bool check_environment(const char *value, struct str *reason) {
    if (!checks_is_word(value, "._-", ENVIRONMENT_MAX))
        return checks_fail(reason, "an environment is one word of 1 to 32 letters, digits, '.', '_' or '-'");
    return true;
}

/* Never a relative path: files of the folder in which the program happens to be started must not count. */
bool check_file(const char *value, struct str *reason) {
    if (!check_line(value, reason))
        return false;
    if (value[0] && value[0] != '/' && !str_starts(value, "~/"))
        return checks_fail(reason, "the path is neither absolute nor begun by ~/");
    return true;
}

bool check_program(const char *value, struct str *reason) {
    if (value[0] == '\0')
        return checks_fail(reason, "the program's name is empty");
    if (value[0] != '/' && !str_starts(value, "~/") && strchr(value, '/'))
        return checks_fail(reason, "the program is neither a plain name, an absolute path nor a path begun by ~/");
    return true;
}

bool check_variable(const char *value, struct str *reason) {
    if (!checks_is_word(value, "_", NAME_MAX_LEN) || ascii_is_digit((unsigned char)value[0]))
        return checks_fail(reason, "a variable's name is letters, digits and '_', not begun by a digit");
    return true;
}

bool check_path(const char *value, struct str *reason) {
    if (!check_line(value, reason))
        return false;
    if (value[0] != '/' || value[1] == '/')
        return checks_fail(reason, "the path does not begin with exactly one '/'");
    if (strpbrk(value, "?#\\ ") || strstr(value, "/../"))
        return checks_fail(reason, "the path holds a blank, '?', '#', '\\' or '..'");
    return true;
}

bool check_optional_parameter(const char *value, struct str *reason) {
    if (!check_line(value, reason))
        return false;
    if (strpbrk(value, "&=?# "))
        return checks_fail(reason, "a parameter's name holds no blank, '&', '=', '?' or '#'");
    return true;
}

bool check_parameter(const char *value, struct str *reason) {
    if (value[0] == '\0')
        return checks_fail(reason, "the parameter's name is empty");
    return check_optional_parameter(value, reason);
}

bool check_optional_dotted(const char *value, struct str *reason) {
    if (!check_line(value, reason))
        return false;
    if (value[0] == '.' || strstr(value, "..") || (value[0] && value[strlen(value) - 1] == '.'))
        return checks_fail(reason, "a dotted path has a name before and after each dot");
    return true;
}

bool check_exponent(const char *value, struct str *reason) {
    size_t len;
    int exponent;
    if (!check_line(value, reason))
        return false;
    if (!money_parse_exponent(value, &len, &exponent) || memchr(value, ' ', len) || memchr(value, '=', len))
        return checks_fail(reason,
                           "not CODE=DIGITS, as USDC=6: a code of 1 to 24 bytes without blanks, digits from 0 to 18");
    return true;
}

bool check_dotted(const char *value, struct str *reason) {
    if (value[0] == '\0')
        return checks_fail(reason, "the path is empty");
    return check_optional_dotted(value, reason);
}

/* A guard that names no field would guard nothing. */
bool check_user_field(const char *value, struct str *reason) {
    const char *names[USER_FIELD_COUNT];
    if (user_find(value) >= 0)
        return true;
    for (int i = 0; i < USER_FIELD_COUNT; i++)
        names[i] = user_path((enum user_field)i);
    const char *near = near_word(value, names, USER_FIELD_COUNT);
    str_add(reason, "no field of a user is called ");
    utf8_sanitise(reason, value, strlen(value));
    str_add(reason, near ? "; is " : ": they are");
    if (near)
        str_addf(reason, "%s meant?", near);
    for (int i = 0; !near && i < USER_FIELD_COUNT; i++)
        str_addf(reason, "%s %s", i > 0 ? "," : "", names[i]);
    return false;
}

static bool is_header_name(const char *name, size_t len) {
    for (size_t i = 0; i < len; i++) {
        bool plain = ascii_is_word((unsigned char)name[i]);
        if (!plain && !strchr("!#$%&'*+-.^_`|~", name[i])) /* RFC 9110, token */
            return false;
    }
    return len > 0;
}

/* Where the next page is named: a path in the answer, or a header of it. */
bool check_next(const char *value, struct str *reason) {
    static const char carrier[] = "header:";
    if (!str_starts(value, carrier))
        return check_dotted(value, reason);
    if (!is_header_name(value + strlen(carrier), strlen(value + strlen(carrier))))
        return checks_fail(reason, "the value is neither a dotted path nor header:NAME");
    return true;
}

bool check_extra(const char *value, struct str *reason) {
    if (!check_line(value, reason))
        return false;
    const char *equals = strchr(value, '=');
    if (!equals || equals == value)
        return checks_fail(reason, "the entry is not \"name=value\"");
    return true;
}

/* Headers that would change where a request goes, how it is framed or who sends it. */
static bool is_reserved_header(const char *name, size_t len) {
    static const char *const reserved[] = {
        "Authorization",    "Host",
        "Content-Length",   "Transfer-Encoding",
        "Connection",       "Expect",
        "Upgrade",          "Te",
        "Trailer",          "Keep-Alive",
        "Cookie",           "Content-Type",
        "Accept-Encoding",  "Proxy-Authorization",
        "Proxy-Connection",
    };
    for (size_t i = 0; i < COUNT_OF(reserved); i++)
        if (strlen(reserved[i]) == len && ascii_compare_n(reserved[i], name, len) == 0)
            return true;
    return false;
}

bool check_header(const char *value, struct str *reason) {
    if (!check_line(value, reason))
        return false;
    size_t len = strcspn(value, ":");
    if (value[len] != ':' || !is_header_name(value, len))
        return checks_fail(reason, "the entry is not \"Name: value\"");
    if (is_reserved_header(value, len)) {
        str_addf(reason, "the header %.*s is set by the program itself", (int)len, value);
        return false;
    }
    return true;
}

/* The key would take the place of what the person is called, or be left out where they have it. */
static bool is_of_user(const char *name) {
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        const char *path = user_path((enum user_field)i);
        if (strlen(name) == strcspn(path, ".") && str_starts(path, name))
            return true;
    }
    return false;
}

bool check_idempotency(const char *value, struct str *reason) {
    if (str_equal(value, "none"))
        return true;
    if (str_starts(value, "header:") && is_header_name(value + 7, strlen(value + 7))) {
        if (!is_reserved_header(value + 7, strlen(value + 7)))
            return true;
        return checks_fail(reason, "this header is set by the program itself");
    }
    if (str_starts(value, "body:") && checks_is_word(value + 5, "_-", NAME_MAX_LEN))
        return !is_of_user(value + 5) || checks_fail(reason, "this is a field of the user itself");
    return checks_fail(reason, "the value is not none, header:NAME or body:FIELD");
}

bool check_accent(const char *value, struct str *reason) {
    static const char *const words[] = {"off", "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (str_equal(words[i], value))
            return true;
    return checks_fail(reason, "the colour is not off, black, red, green, yellow, blue, magenta, cyan or white");
}

bool check_zone(const char *value, struct str *reason) {
    if (!*value || clock_knows_zone(value))
        return true;
    str_addf(reason, "this machine knows no zone %s", value);
    return false;
}

bool check_day_end(const char *value, struct str *reason) {
    bool shaped = strlen(value) == 5 && value[2] == ':' && ascii_is_digit(value[0]) && ascii_is_digit(value[1]) &&
                  ascii_is_digit(value[3]) && ascii_is_digit(value[4]);
    return shaped && strncmp(value, "24", 2) < 0 && value[3] < '6'
               ? true
               : checks_fail(reason, "the end of a day is no time from 00:00 to 23:59");
}

static bool check_url_parts(const struct url *url, struct str *reason) {
    bool plain = str_equal(url->scheme, "http");
    if (!plain && !str_equal(url->scheme, "https"))
        return checks_fail(reason, "the address is not https");
    if (url->user)
        return checks_fail(reason, "the address holds a user or password; the token has its own keys");
    if (url->query || url->fragment)
        return checks_fail(reason, "the address holds a query or fragment");
    if (plain && !url_is_loopback(url))
        return checks_fail(reason, "http is allowed to this machine only (127.0.0.1, ::1, localhost); use https");
    return true;
}

bool check_base_url(const char *value, struct str *reason) {
    if (!check_line(value, reason))
        return false;
    struct url url = {0};
    struct error error = {0};
    bool ok = false;
    /* libcurl reads an address with these characters leniently, and a person would not see where it leads. */
    if (strpbrk(value, " \\${}@?#")) {
        str_add(reason, strchr(value, '@')     ? "the address holds a user or password; the token has its own keys"
                        : strpbrk(value, "?#") ? "the address holds a query or fragment"
                                               : "the address holds a blank, '\\', '$', '{' or '}'");
    } else if (!strstr(value, "://")) {
        str_add(reason, "the address does not begin with https://");
    } else if (url_parse(value, &url, &error) != ERR_OK) {
        str_add(reason, error.text);
    } else {
        ok = check_url_parts(&url, reason);
    }
    url_clear(&url);
    return ok;
}
