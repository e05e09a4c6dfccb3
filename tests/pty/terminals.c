/* S8, S9: every pairing of a locale and a kind of terminal: the console starts, or says in one line why not. What it
 * writes is what that terminal knows, and nothing but ASCII where the locale is not UTF-8. */
#include "base/mem.h"
#include "support/one_service.h"

#include <curses.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <term.h>
#include <unistd.h>

#include <cmocka.h>

enum { HIGH = 24, WIDE = 80, WAIT = 30, CAPABILITIES_MAX = 600 };

static int start(void **state) {
    (void)state;
    return serve_intents("40");
}

/* LC_ALL rules over LANG: without it, LANG alone or nothing says what the locale is. */
static const struct {
    const char *all, *lang;
    bool utf8;
} LOCALES[] = {
    {"LC_ALL=C", "LANG", false},
    {"LC_ALL=C.UTF-8", "LANG", true},
    {"LC_ALL=POSIX", "LANG", false},
    {"LC_ALL=en_US.UTF-8", "LANG", true}, /* where the machine has it not, C.UTF-8 stands in (F52) */
    {"LC_ALL=xx_YY.nonsense", "LANG", false},
    {"LC_ALL", "LANG", false},
    {"LC_ALL", "LANG=C.UTF-8", true},
    {"LC_ALL", "LANG=no such locale", true}, /* it names no other character set (F52) */
    {"LC_ALL=", "LANG=", false},
};

static const struct {
    const char *term;
    bool starts;
} TERMS[] = {
    {"TERM=xterm-256color", true},
    {"TERM=xterm", true},
    {"TERM=screen", true},
    {"TERM=tmux-256color", true},
    {"TERM=linux", true},
    {"TERM=vt100", true},
    {"TERM=dumb", false},
    {"TERM=unknown", false},
    {"TERM=nosuch-terminal", false},
    {"TERM", false},
    {"TERM=", false},
    {"TERM=../../etc/passwd", false},
};

static struct pty *open_as(size_t locale, size_t term) {
    struct pty_options options = {.rows = HIGH, .cols = WIDE};
    const char *const extra[] = {LOCALES[locale].all, LOCALES[locale].lang, "LC_CTYPE", TERMS[term].term, NULL};
    return console_open_env(&service, NULL, extra, &options);
}

static bool machine_knows(const char *term) {
    int status;
    bool known = strchr(term, '=') && setupterm(strchr(term, '=') + 1, STDOUT_FILENO, &status) == OK;
    if (known)
        (void)del_curterm(cur_term);
    return known;
}

static void check_ascii(struct pty *pty, const char *what) {
    size_t len;
    const unsigned char *bytes = (const unsigned char *)pty_bytes(pty, &len);
    for (size_t i = 0; i < len; i++)
        if (bytes[i] >= 0x80)
            fail_msg("%s: byte %02x at %zu of the record", what, bytes[i], i);
}

/* A refusal: one line of text that names TERM, a failure of the machine, nothing that a terminal acts on, no request.
 */
static void check_refused(struct pty *pty, const char *what) {
    int status;
    size_t len;
    assert_true(pty_wait(pty, WAIT, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    const char *bytes = pty_bytes(pty, &len);
    const char *end = memchr(bytes, '\n', len);
    if (!memmem(bytes, len, "TERM", 4) || !end || end + 1 != bytes + len || memchr(bytes, '\033', len))
        fail_msg("%s: said\n%.*s", what, (int)len, bytes);
    check_ascii(pty, what);
}

/* What the console draws once it stands, and that it says why it is ASCII. */
static void check_started(struct pty *pty, size_t locale, const char *what) {
    static const char WHY[] = "the locale is not UTF-8", MISSING[] = "names a locale that is not installed";
    int status;
    if (!pty_expect(pty, "1 of 40", WAIT))
        fail_msg("%s: no list", what);
    /* A locale that is not installed is named instead, with what comes of it. */
    bool utf8 = LOCALES[locale].utf8;
    bool missing = pty_wrote(pty, MISSING, sizeof MISSING - 1);
    assert_int_equal(missing || pty_wrote(pty, WHY, sizeof WHY - 1), missing || !utf8);
    pty_feed(pty, "j\r");
    assert_true(pty_expect(pty, "decline_category", WAIT));
    pty_feed(pty, "\x1b");
    assert_true(pty_expect_gone(pty, "decline_category", WAIT)); /* else the two are one key with Alt */
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, WAIT, &status));
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    if (!utf8)
        check_ascii(pty, what);
}

static void every_locale_with_every_terminal_starts_or_says_why_not(void **state) {
    (void)state;
    int asked = service_journal_count(&service, "", "");
    for (size_t term = COUNT_OF(TERMS); term-- > 0;) { /* those that ask nothing first */
        bool starts = TERMS[term].starts && machine_knows(TERMS[term].term);
        for (size_t locale = 0; locale < COUNT_OF(LOCALES); locale++) {
            char what[128];
            if ((term + locale) % (size_t)proc_starts(1, 2) != 0) /* a slow build takes every other pair */
                continue;
            (void)snprintf(what, sizeof what, "%s %s %s", LOCALES[locale].all, LOCALES[locale].lang, TERMS[term].term);
            struct pty *pty = open_as(locale, term);
            if (starts) {
                check_started(pty, locale, what);
            } else {
                check_refused(pty, what);
                assert_int_equal(service_journal_count(&service, "", ""), asked);
            }
            pty_free(pty);
        }
    }
}

/* ---- Nothing outside what the terminal knows ---- */

struct sequences {
    char *text[CAPABILITIES_MAX]; /* each as a pattern: numbers as #, padding left out */
    size_t n;
};

/* ESC and what belongs to it, with runs of digits and parameters made alike: "CSI # m" and "CSI #;# m" are one shape
 * where the capability takes parameters. Gives the bytes used. */
static size_t shape(const char *bytes, size_t len, char out[64]) {
    size_t n = 0, at = 1;
    out[n++] = 'E';
    if (at < len && bytes[at] == '[') {
        out[n++] = bytes[at++];
        while (at < len && n < 60 && (unsigned char)bytes[at] < 0x40) {
            if (bytes[at] == '?' || bytes[at] == '>' || bytes[at] == '!')
                out[n++] = bytes[at];
            at++;
        }
    } else if (at < len && strchr("()#", bytes[at])) {
        out[n++] = bytes[at++];
    }
    if (at < len)
        out[n++] = bytes[at++];
    out[n] = '\0';
    return at;
}

/* The shapes of a capability's text, whose %-codes and <padding> are no bytes of its own. */
static void learn(struct sequences *known, const char *capability) {
    char plain[512];
    size_t n = 0;
    for (const char *s = capability; *s && n < sizeof plain - 2; s++) {
        if (s[0] == '$' && s[1] == '<')
            s += strcspn(s, ">");
        else if (s[0] == '%' && s[1])
            s += s[1] == 'p' || s[1] == 'P' || s[1] == 'g' ? 2 : s[1] == '{' ? strcspn(s, "}") : s[1] == '\'' ? 3 : 1;
        else
            plain[n++] = *s;
        if (!*s)
            break;
    }
    for (size_t i = 0; i < n; i++) {
        char found[64];
        if (plain[i] == '\033' && known->n < CAPABILITIES_MAX) {
            i += shape(plain + i, n - i, found) - 1;
            known->text[known->n++] = mem_dup(found);
        }
    }
}

static void learn_terminal(struct sequences *known, const char *term) {
    int status;
    *known = (struct sequences){0};
    assert_int_equal(setupterm(term, STDOUT_FILENO, &status), OK);
    for (size_t i = 0; strnames[i]; i++) {
        const char *text = tigetstr(strnames[i]);
        if (text && text != (const char *)-1 && strnames[i][0] != 'k') /* a key is what it sends, not takes */
            learn(known, text);
    }
    (void)del_curterm(cur_term);
}

static bool is_known(const struct sequences *known, const char *one) {
    for (size_t i = 0; i < known->n; i++)
        if (strcmp(known->text[i], one) == 0)
            return true;
    return false;
}

static void forget(struct sequences *known) {
    for (size_t i = 0; i < known->n; i++)
        free(known->text[i]);
}

static void check_sequences(struct pty *pty, const struct sequences *known, const char *term) {
    size_t len;
    const char *bytes = pty_bytes(pty, &len);
    for (size_t i = 0; i < len; i++) {
        char found[64];
        if (bytes[i] != '\033') {
            assert_true((unsigned char)bytes[i] >= ' ' || strchr("\r\n\b\t\x0e\x0f", bytes[i]));
            continue;
        }
        size_t at = i;
        i += shape(bytes + i, len - i, found) - 1;
        /* Private modes are ours: bracketed paste and the mouse, which a terminal that knows CSI passes over. */
        static const char *const KEYS[] = {"\033[<u", "\033[=0u", "\033[>4;0m"}; /* key reports off, by their CSI too */
        bool ours = false;
        for (size_t k = 0; k < COUNT_OF(KEYS); k++)
            ours = ours || strncmp(bytes + at, KEYS[k], strlen(KEYS[k])) == 0;
        if (!ours && !is_known(known, found) && strcmp(found, "E[?h") != 0 && strcmp(found, "E[?l") != 0)
            fail_msg("%s: wrote %s, which it does not know", term, found);
    }
}

static void nothing_is_written_that_the_terminal_does_not_know(void **state) {
    (void)state;
    for (size_t term = 0; term < COUNT_OF(TERMS); term++) {
        struct sequences known;
        if (!TERMS[term].starts || !machine_knows(TERMS[term].term))
            continue;
        learn_terminal(&known, strchr(TERMS[term].term, '=') + 1);
        struct pty *pty = open_as(1, term);
        int status;
        assert_true(pty_expect(pty, "1 of 40", WAIT));
        pty_feed(pty, "jjkG\x0cg?");
        assert_true(pty_expect(pty, "Keys:", WAIT));
        pty_feed(pty, "\x1b");
        assert_true(pty_expect_gone(pty, "Keys:", WAIT));
        pty_feed(pty, "Q");
        assert_true(pty_wait(pty, WAIT, &status));
        check_sequences(pty, &known, TERMS[term].term);
        forget(&known);
        pty_free(pty);
    }
}

/* Megabytes in memory. */
static long resident_mb(struct pty *pty) {
    char path[64];
    long pages = 0, all = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/statm", (long)pty_pid(pty));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &all, &pages), 2);
    (void)fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
}

static void the_size_is_the_terminals_whatever_the_environment_says(void **state) {
    (void)state;
    enum { MUCH_MB = 500 };
    static const char *const SIZES[][2] = {
        {"LINES=30000", "COLUMNS=30000"}, {"LINES=1", "COLUMNS=1"}, {"LINES=-5", "COLUMNS=x"}};
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        struct pty_options options = {.rows = HIGH, .cols = WIDE};
        const char *const extra[] = {SIZES[i][0], SIZES[i][1], NULL};
        struct pty *pty = console_open_env(&service, NULL, extra, &options);
        assert_true(pty_expect(pty, "of 40", WAIT));
        assert_true(pty_expect(pty, "? help", WAIT));
        assert_non_null(strstr(pty_row(pty, HIGH - 1), "? help"));
        assert_true(resident_mb(pty) < MUCH_MB);
        console_leave(pty);
    }
}

/* Descriptions from a place of somebody else's: none, no folder, and one that is noise. */
static void a_hostile_place_of_descriptions_is_survived(void **state) {
    (void)state;
    char folder[4096], file[4200], variable[4300], noise[4096];
    (void)snprintf(folder, sizeof folder, "%s/terms", service.folder);
    (void)snprintf(variable, sizeof variable, "%s/x", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(mkdir(variable, 0700), 0);
    (void)snprintf(file, sizeof file, "%s/x/xterm", folder);
    memset(noise, 'A', sizeof noise - 1);
    noise[sizeof noise - 1] = '\0';
    assert_true(proc_write_file(file, noise));
    (void)snprintf(variable, sizeof variable, "TERMINFO=%s", folder);
    const char *const places[] = {variable, "TERMINFO=/nonexistent", "TERMINFO=/dev/null", "TERMINFO=", "TERMINFO=.."};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        int status;
        struct pty_options options = {.rows = HIGH, .cols = WIDE};
        struct pty *pty =
            console_open_env(&service, NULL, (const char *const[]){"TERM=xterm", places[i], NULL}, &options);
        if (pty_expect(pty, "of 40", WAIT)) {
            console_leave(pty);
            continue;
        }
        assert_true(pty_wait(pty, WAIT, &status));
        assert_true(WIFEXITED(status));
        assert_true(pty_shows(pty, "TERM"));
        pty_free(pty);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_locale_with_every_terminal_starts_or_says_why_not),
        cmocka_unit_test(the_size_is_the_terminals_whatever_the_environment_says),
        cmocka_unit_test(a_hostile_place_of_descriptions_is_survived),
        cmocka_unit_test(nothing_is_written_that_the_terminal_does_not_know),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
