#include "base/out.h"

#include "base/utf8.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { SAY_MAX = 16 << 20, CLEAN_MAX = 1 << 30 };

static atomic_bool unread;

bool out_is_terminal(FILE *to) {
    int fd = fileno(to);
    return fd >= 0 && isatty(fd) != 0;
}

bool out_is_unread(void) {
    return unread;
}

bool out_look_unread(void) {
    struct pollfd reader = {.fd = STDOUT_FILENO};
    unread = unread || (poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR) != 0);
    return unread;
}

static bool out_note(FILE *to, bool taken) {
    if (!taken && errno == EPIPE && to == stdout)
        unread = true;
    return taken;
}

static bool out_put(FILE *to, const char *bytes, size_t len) {
    return out_note(to, len == 0 || fwrite(bytes, 1, len, to) == len);
}

/* A terminal shows only the characters of its locale; a file keeps all of them. */
static void out_clean(struct str *out, const char *bytes, size_t len, bool terminal) {
    if (!terminal) {
        utf8_sanitise_lines(out, bytes, len);
        return;
    }
    struct str whole;
    str_init(&whole, CLEAN_MAX);
    utf8_sanitise_lines(&whole, bytes, len);
    if (utf8_locale())
        utf8_fence_lines(out, whole.s, whole.len);
    else
        utf8_to_ascii(out, whole.s, whole.len);
    str_clear(&whole);
}

/* 0: not known, or a terminal that may not know how to go to a column. */
static int out_columns_of(FILE *to) {
    struct winsize size = {0};
    const char *term = getenv("TERM");
    bool knows = term && *term && strcmp(term, "dumb") != 0;
    return knows && ioctl(fileno(to), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Puts the text behind a doubtful cluster at its column, as on the screen (F56), since terminals may draw the cluster
 * with another width. A line that wraps has no such columns. */
static void place_line(struct str *out, const char *s, size_t len, int columns) {
    enum { BYTES_A_CELL = 16 };
    bool fits = len <= (size_t)columns * BYTES_A_CELL && utf8_cells(s, len) < columns;
    int column = 0;
    for (size_t at = 0, next; at < len; at = next) {
        next = fits ? utf8_next(s, len, at) : len;
        str_add_n(out, s + at, next - at);
        column += fits ? utf8_cells(s + at, next - at) : 0;
        if (next < len && (unsigned char)s[at] >= 0x80 && utf8_is_doubtful(s + at, next - at))
            str_addf(out, "\x1b[%dG", column + 1);
    }
}

/* Lines of data; at_start: whether the first of them begins at the terminal's left edge. */
static void place_lines(struct str *out, const char *s, size_t len, int columns, bool at_start) {
    while (len > 0) {
        const char *end = memchr(s, '\n', len);
        size_t line = end ? (size_t)(end - s) : len, whole = line + (end != NULL);
        place_line(out, s, line, at_start ? columns : 0);
        str_add(out, end ? "\n" : "");
        at_start = true;
        s += whole;
        len -= whole;
    }
}

bool out_data(FILE *to, const char *bytes, size_t len) {
    static bool at_start = true;
    struct str clean_text, text;
    if (!out_is_terminal(to))
        return out_put(to, bytes, len);
    str_init(&clean_text, CLEAN_MAX);
    str_init(&text, CLEAN_MAX);
    out_clean(&clean_text, bytes, len, true);
    place_lines(&text, clean_text.s, clean_text.len, utf8_locale() ? out_columns_of(to) : 0, at_start);
    at_start = text.len == 0 ? at_start : text.s[text.len - 1] == '\n';
    bool taken = out_put(to, text.s, text.len);
    str_clear(&clean_text);
    str_clear(&text);
    return taken;
}

bool out_flush(FILE *to) {
    /* An earlier write failed and the stream still has its error, although this flush had nothing to write. */
    errno = EIO;
    return out_note(to, fflush(to) == 0 && !ferror(to));
}

void out_say(FILE *to, const char *format, ...) {
    struct str raw, text;
    va_list args;
    str_init(&raw, SAY_MAX);
    str_init(&text, CLEAN_MAX);
    va_start(args, format);
    str_vaddf(&raw, format, args);
    va_end(args);
    out_clean(&text, raw.s, raw.len, out_is_terminal(to));
    (void)out_put(to, text.s, text.len);
    (void)out_note(to, fflush(to) == 0);
    str_clear(&raw);
    str_clear(&text);
}

void out_say_of_others(const char *text) {
    out_say(stderr, "%s", text);
}

void out_over(FILE *to, const char *words, int *shown) {
    struct str raw, text;
    str_init(&raw, SAY_MAX);
    str_init(&text, SAY_MAX);
    utf8_sanitise(&raw, words, strlen(words));
    out_clean(&text, raw.s, raw.len, out_is_terminal(to));
    int cells = utf8_cells(text.s, text.len);
    str_insert(&text, 0, "\r", 1);
    str_add_repeat(&text, ' ', *shown > cells ? (size_t)(*shown - cells) : 0);
    str_add_char(&text, '\r');
    (void)out_put(to, text.s, text.len);
    (void)out_note(to, fflush(to) == 0);
    *shown = cells;
    str_clear(&raw);
    str_clear(&text);
}

void out_last_words(const char *text) {
    /* Where even this fails, nothing can be done. */
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return;
}
