#include "base/start.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/signals.h"
#include "base/str.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { VALUE_MAX = 60 };

static struct error notice;

static void open_missing(void) {
    /* Opened the wrong way round for the first two: reading or writing must fail, not look like an empty file. */
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        int flags = fcntl(fd, F_GETFL);
        if (flags < 0 && open("/dev/null", modes[fd]) != fd)
            _exit(EXIT_FAILURE); /* there is nobody to tell */
        /* Another program may have left the terminal or pipe non-blocking: then a part of the output would be lost. */
        if (flags >= 0 && (flags & O_NONBLOCK))
            (void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    }
}

const char *start_locale_variable(const char *category) {
    const char *const names[] = {"LC_ALL", category, "LANG"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return names[i];
    }
    return NULL;
}

/* A locale name without a character set: most probably UTF-8, which nearly all terminals use. */
static bool may_be_utf8(const char *name) {
    const char *set = strchr(name, '.');
    if (ascii_compare(name, "UTF-8") == 0 || ascii_compare(name, "UTF8") == 0)
        return true;
    return !set || ascii_compare_n(set + 1, "UTF-8", 5) == 0 || ascii_compare_n(set + 1, "UTF8", 4) == 0;
}

static bool use_utf8(void) {
    static const char *const names[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", "POSIX.UTF-8"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (setlocale(LC_CTYPE, names[i]))
            return true;
    return false;
}

/* Only the character set is taken from the environment. Numbers, times and order are this program's own, so the other
 * variables cannot break it (a forwarded LC_TIME that is not installed made the whole locale fail). */
static void set_locale(void) {
    const char *variable = start_locale_variable("LC_CTYPE");
    if (setlocale(LC_CTYPE, "") || !variable)
        return;
    const char *value = getenv(variable);
    bool utf8 = value && may_be_utf8(value) && use_utf8();
    (void)error_set(&notice, ERR_TERMINAL, "%s=%.*s names a locale that is not installed on this machine: %s", variable,
                    VALUE_MAX, value,
                    utf8 ? "C.UTF-8 is used instead"
                         : "text is shown in ASCII, ? for what it cannot show; set it to one that locale -a lists");
}

/* The C library takes an unknown zone for UTC, without a warning. */
static void set_zone(void) {
    static const char machines[] = "/etc/localtime";
    const char *tz = getenv("TZ");
    /* Means the same as no TZ; but where it is set, the C library reads the file once and never again. */
    if (tz && str_equal(tz + (*tz == ':'), machines)) {
        (void)unsetenv("TZ");
        tz = NULL;
    }
    tzset();
    if (!tz || clock_knows_zone(tz))
        return;
    struct str name, before;
    str_init(&name, VALUE_MAX);
    str_init(&before, ERROR_TEXT_MAX);
    utf8_sanitise(&name, tz, strlen(tz));
    if (notice.code != ERR_OK)
        str_addf(&before, "%s; ", notice.text);
    notice.code = ERR_OK; /* error_set keeps the first error: reset for the next one */
    (void)error_set(&notice, ERR_TERMINAL,
                    "%sTZ=%s names a time zone that this machine does not know: local times are shown in UTC, +00:00",
                    before.s, name.s);
    str_clear(&name);
    str_clear(&before);
}

void start_process(void (*restore)(void)) {
    open_missing();
    signals_begin(restore);
    (void)umask(S_IRWXG | S_IRWXO);
    set_locale();
    set_zone();
}

const char *start_notice(void) {
    return notice.code == ERR_OK ? NULL : notice.text;
}
