#include "ui/screen_state.h"

#include "base/digest.h"

#include <stdlib.h>
#include <string.h>

/* GNU screen passes a control string on in pieces of at most 768 bytes; base64 lines of 76 stay well below. */
enum { COPY_MAX = 100 * 1024, ROOM_MAX = 4 * COPY_MAX, LINE = 76 };

static void screen_copy_plain(struct str *out, const struct str *encoded) {
    str_add(out, "\033]52;c;");
    str_add_n(out, encoded->s, encoded->len);
    str_add_char(out, '\a');
}

/* tmux takes the plain form with "set-clipboard on" and the wrapped one with "allow-passthrough on": both are sent, the
 * clipboard ends up the same. */
static void for_tmux(struct str *out, const struct str *encoded) {
    screen_copy_plain(out, encoded);
    str_add(out, "\033Ptmux;\033");
    screen_copy_plain(out, encoded);
    str_add(out, "\033\\");
}

static void for_gnu_screen(struct str *out, const struct str *encoded) {
    str_add(out, "\033P\033]52;c;");
    for (size_t at = 0; at < encoded->len; at += LINE) {
        size_t rest = encoded->len - at;
        str_add(out, at > 0 ? "\033\\\033P" : "");
        str_add_n(out, encoded->s + at, rest < LINE ? rest : LINE);
    }
    str_add(out, "\a\033\\");
}

static bool screen_copy_is_set(const char *name) {
    const char *value = getenv(name);

    return value && value[0] != '\0';
}

bool screen_copy(struct screen *screen, const char *text, size_t len) {
    struct str encoded, bytes;
    bool fits;

    str_init(&encoded, COPY_MAX);
    str_init(&bytes, ROOM_MAX);
    if (len <= COPY_MAX)
        digest_base64(&encoded, text, len);
    fits = screen->ansi && len <= COPY_MAX && !encoded.truncated;
    if (fits) {
        if (screen_copy_is_set("TMUX"))
            for_tmux(&bytes, &encoded);
        else if (screen_copy_is_set("STY"))
            for_gnu_screen(&bytes, &encoded);
        else
            screen_copy_plain(&bytes, &encoded);
        update_write(screen, bytes.s, bytes.len);
    }
    str_clear(&bytes);
    str_clear(&encoded);
    return fits;
}
