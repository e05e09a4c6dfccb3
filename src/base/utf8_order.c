#include "base/utf8.h"

#include <utf8proc.h>

#define FENCE "\u200E" /* LEFT-TO-RIGHT MARK */

/* Separators of this program between texts that belong to different things. */
static bool parts(int32_t cp) {
    return cp == 0x00B7 || cp == 0x2192 || cp == '|' || (cp >= 0x2500 && cp <= 0x257F);
}

static bool utf8_order_is_digit(utf8proc_propval_t bidi) {
    return bidi == UTF8PROC_BIDI_CLASS_EN;
}

static bool is_right(utf8proc_propval_t bidi) {
    return bidi == UTF8PROC_BIDI_CLASS_R || bidi == UTF8PROC_BIDI_CLASS_AL || bidi == UTF8PROC_BIDI_CLASS_AN;
}

bool utf8_order_step(struct utf8_order *order, int32_t cp) {
    bool blank = cp == ' ', again = blank && order->blank, due;
    order->blank = blank;
    if (!order->right && cp < 0x0590)
        return false;
    utf8proc_propval_t bidi = utf8proc_get_property(cp)->bidi_class;
    if (is_right(bidi)) {
        order->right = true;
        return false;
    }
    due = order->right && (again || utf8_order_is_digit(bidi) || parts(cp));
    if (due || bidi == UTF8PROC_BIDI_CLASS_L)
        order->right = false;
    return due;
}

static bool has_right(const char *s, size_t len) {
    int32_t cp;
    bool found = false;
    for (size_t at = 0; at < len && !found;) {
        if ((unsigned char)s[at] < 0xD6) { /* below U+0590 in UTF-8 */
            at++;
            continue;
        }
        at += utf8_decode(s + at, len - at, &cp);
        found = is_right(utf8proc_get_property(cp)->bidi_class);
    }
    return found;
}

static void fence_line(struct str *out, const char *s, size_t len) {
    struct utf8_order order = {0};
    int32_t cp;
    if (!has_right(s, len)) {
        str_add_n(out, s, len);
        return;
    }
    str_add(out, FENCE);
    for (size_t at = 0, taken; at < len; at += taken) {
        taken = utf8_decode(s + at, len - at, &cp);
        if (utf8_order_step(&order, cp))
            str_add(out, FENCE);
        str_add_n(out, s + at, taken);
    }
    if (order.right)
        str_add(out, FENCE);
}

void utf8_fence_lines(struct str *out, const char *s, size_t len) {
    while (len > 0) {
        size_t line = 0;
        while (line < len && s[line] != '\n')
            line++;
        fence_line(out, s, line);
        if (line < len)
            str_add_char(out, s[line++]);
        s += line;
        len -= line;
    }
}
