#include "app/actions.h"

#include "base/mem.h"
#include "base/str.h"

/* Key maps to begin with, written as a key map file is. A preset moves keys; it leaves no action without one. */

static const struct {
    const char *name, *text;
} PRESETS[] = {
    {"vim", ""}, /* the action table's own keys */
    {"arrows", "[keys.list]\n"
               "down = Down\n"
               "up = Up\n"
               "left = Left\n"
               "right = Right\n"
               "first = Home\n"
               "last = End\n"
               "page-down = PgDn\n"
               "page-up = PgUp\n"
               "[keys.intents]\n"
               "mark = Space Ins\n"
               "find = \\ Ctrl-F\n"},
    {"mutt", "[keys.global]\n"
             "time = #\n"
             "[keys.list]\n"
             "first = = Home\n"
             "last = * End\n"
             "left = Left\n"
             "right = Right\n"
             "half-page-down = ] Ctrl-D\n"
             "half-page-up = [ Ctrl-U\n"
             "page-down = z PgDn Ctrl-F\n"
             "page-up = Z PgUp Ctrl-B\n"
             "[keys.intents]\n"
             "filter = l\n"
             "find = /\n"
             "mark = t Space\n"
             "view-back = <\n"
             "view-forward = >\n"
             "hand-over = b\n"
             "zoom = E\n"
             "fold = B\n"
             "[keys.overview]\n"
             "overview-filter = l\n"},
};

const char *actions_preset(const char *name) {
    for (size_t i = 0; i < COUNT_OF(PRESETS); i++)
        if (str_equal(PRESETS[i].name, name))
            return PRESETS[i].text;
    return NULL;
}
