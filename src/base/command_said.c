#include "command_said.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/redact.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD_MIN = 4, WORDS_MAX = 64, CLEAN_MAX = 8 * SAID_MAX };

void said_init(struct said *said, int fd) {
    *said = (struct said){.fd = fd};
    str_init(&said->held, SAID_MAX + sizeof "\n(more is left out)\n");
}

void said_clear(struct said *said) {
    if (said->fd >= 0)
        (void)close(said->fd);
    secret_clear_str(&said->held);
    secret_wipe(said->last, sizeof said->last);
    said->fd = -1;
}

static void command_said_take(struct said *said, const char *bytes, size_t len) {
    size_t room = said->heard_bytes < SAID_MAX ? SAID_MAX - said->heard_bytes : 0;
    str_add_n(&said->held, bytes, len < room ? len : room);
    if (len > room && said->heard_bytes <= SAID_MAX)
        str_add(&said->held, "\n(more is left out)\n");
    said->heard_bytes += len;
    said->heard_at = clock_mono();
}

void said_hear(struct said *said) {
    char some[4096];
    for (ssize_t n = 1; said->fd >= 0 && !said->ended && n > 0;) {
        n = read(said->fd, some, sizeof some);
        if (n > 0)
            command_said_take(said, some, (size_t)n);
        else
            said->ended = n == 0 || (errno != EAGAIN && errno != EINTR);
    }
    secret_wipe(some, sizeof some);
}

int said_wait(const struct said *said) {
    if (said->held.len == 0)
        return -1;
    int64_t left = said->heard_at + SAID_QUIET_MS - clock_mono();
    return left > 0 ? (int)left : 0;
}

/* Each word that the program printed counts as secret until it is known which of them is the token. */
static void take_out_printed(struct str *text, const char *printed, size_t len) {
    char *words = mem_dup_n(printed, len);
    const char *values[WORDS_MAX];
    size_t n = 0;
    char *rest = words;
    for (char *word; n < WORDS_MAX && (word = strsep(&rest, " \t\r\n")) != NULL;)
        if (strlen(word) >= WORD_MIN)
            values[n++] = word;
    redact(text, values, n, NULL);
    secret_wipe(words, len);
    free(words);
}

/* The last line that is not empty. */
static void keep_last(struct said *said, const char *text, size_t len) {
    struct str line;
    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r' || text[len - 1] == ' '))
        len--;
    const char *before = memrchr(text, '\n', len);
    size_t from = before ? (size_t)(before - text) + 1 : 0;
    if (len == 0)
        return;
    str_init(&line, sizeof said->last - 1);
    utf8_sanitise(&line, text + from, len - from);
    memcpy(said->last, line.s, line.len);
    said->last[line.len] = '\0';
    str_clear(&line);
}

void said_show(struct said *said, const char *printed, size_t len) {
    struct str text;
    if (said->held.len == 0)
        return;
    str_init(&text, CLEAN_MAX);
    str_add_n(&text, said->held.s, said->held.len);
    take_out_printed(&text, printed, len);
    secret_redact(&text);
    out_say_of_others(text.s);
    keep_last(said, text.s, text.len);
    secret_clear_str(&text);
    secret_wipe(said->held.s, said->held.len);
    str_reset(&said->held);
}
