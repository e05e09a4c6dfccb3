/* Stars in values, and the ellipses that the screen shows where a value is cut. */

#include "base/utf8.h"
#include "scan.h"

#include <string.h>

static const char ELLIPSIS[] = "\xE2\x80\xA6", DOTS[] = "...";
enum { SIGN_BYTES = 3 };

/* Bytes of the one sign at s. */
static size_t sign_at(const char *s) {
    bool ellipsis = strncmp(s, ELLIPSIS, SIGN_BYTES) == 0 || strncmp(s, DOTS, SIGN_BYTES) == 0;
    return ellipsis ? SIGN_BYTES : *s == '*' ? 1 : 0;
}

size_t pattern_lead(const char *s) {
    size_t n = 0;
    while (sign_at(s + n) > 0)
        n += sign_at(s + n);
    return n;
}

/* Bytes of the signs at the end of s[0..len), apart from the lead bytes of those at its beginning: of five dots the
 * third belongs to the one sign or to the other. */
static size_t trail(const char *s, size_t lead, size_t len) {
    size_t end = len;
    for (;;)
        if (end > lead && s[end - 1] == '*')
            end--;
        else if (end >= lead + SIGN_BYTES && sign_at(s + end - SIGN_BYTES) == SIGN_BYTES)
            end -= SIGN_BYTES;
        else
            return len - end;
}

bool pattern_is_plain(const char *text) {
    return pattern_lead(text) == 0 && trail(text, 0, strlen(text)) == 0;
}

bool pattern_is_cut(const char *text) {
    size_t len = strlen(text);
    return scan_ellipsis(text) > 0 || (len >= SIGN_BYTES && sign_at(text + len - SIGN_BYTES) == SIGN_BYTES);
}

const char *pattern_strip(struct arena *arena, const char *text) {
    text += scan_ellipsis(text);
    size_t len = strlen(text);
    while (len >= SIGN_BYTES && sign_at(text + len - SIGN_BYTES) == SIGN_BYTES)
        len -= SIGN_BYTES;
    return arena_dup_n(arena, text, len);
}

/* A mask consists of stars: only those at its ends mean that something was left out, and none does where there is
 * nothing else. */
static void take_mask(struct arena *arena, enum query_op op, struct query_value *value) {
    const char *text = value->text;
    size_t len = strlen(text), lead = pattern_lead(text), last = trail(text, lead, len);
    if (op != QUERY_OP_COLON || lead == len)
        return;
    value->prefix = last > 0;
    value->suffix = last > 0 && lead > 0;
    value->text = arena_dup_n(arena, text + lead, len - lead - last);
}

bool pattern_may_stand(enum query_field_code field, enum query_op op) {
    return query_field(field)->type < QUERY_NUMBER && (field != QUERY_MASK_FIELD || op == QUERY_OP_COLON);
}

bool pattern_take(struct arena *arena, enum query_field_code field, enum query_op op, struct query_value *value) {
    if (field == QUERY_MASK_FIELD) {
        take_mask(arena, op, value);
        return true;
    }
    const char *text = value->text;
    size_t len = strlen(text), lead = pattern_lead(text), last = trail(text, lead, len);
    value->suffix = lead > 0;
    value->prefix = last > 0;
    value->text = arena_dup_n(arena, text + lead, len - lead - last);
    return !strchr(value->text, '*');
}

void pattern_say_inner(const char *text, size_t len, struct str *out) {
    size_t lead = pattern_lead(text), end = len - trail(text, lead, len), first = lead, last = end;
    while (first < end && text[first] != '*')
        first++;
    while (last > lead && text[last - 1] != '*')
        last--;
    str_addf(out, "a star stands at the beginning or the end: write %.*s* or *%.*s, or ", (int)(first - lead),
             text + lead, (int)(end - last), text + last);
    str_addf(out, "\"%.*s\" in quotes for the star itself", (int)len, text);
}

bool pattern_is_nothing(const char *text) {
    struct str folded;
    str_init(&folded, QUERY_TEXT_MAX * 8);
    utf8_fold(&folded, text, strlen(text));
    bool nothing = folded.len == 0;
    str_clear(&folded);
    return nothing;
}
