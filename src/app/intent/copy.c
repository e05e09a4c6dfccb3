#include "app/copy.h"

PAYLOAD_BORROWED(copied);

static void terminal_tell(const struct copied *copied, struct str *out) {
    str_addf(out, "%s sent to ", copied->what);
    if (copied->through)
        str_addf(out, "the terminal by %s (OSC 52)", copied->through);
    else
        str_add(out, "the terminal (OSC 52), which does not say if it took it");
    if (copied->through && *copied->through == 't') {
        /* Its default, "external", drops what programs inside it send. */
        str_add(out,
                ", needs set-clipboard on: by default nothing arrives. tmux set -s set-clipboard on lets it through");
        if (copied->text)
            str_addf(out, "; or select it by hand: %s", copied->text);
    }
    if (copied->tool)
        str_addf(out, "; %s failed", copied->tool);
}

void copied_tell(const struct copied *copied, struct str *out) {
    switch (copied->way) {
    case COPY_TOOL:
        str_addf(out, "%s copied with %s", copied->what, copied->tool);
        break;
    case COPY_TERMINAL:
        terminal_tell(copied, out);
        break;
    case COPY_NOWHERE:
        str_addf(out, "%s not copied: ", copied->what);
        if (copied->tool)
            str_addf(out, "%s failed, and ", copied->tool);
        str_addf(out, "the terminal takes no %zu bytes", copied->bytes);
        break;
    }
}
