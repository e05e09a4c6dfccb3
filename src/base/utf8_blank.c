#include "base/utf8.h"

#include "base/mem.h"

struct range {
    int32_t first, last;
};

/* White_Space, and what is drawn as a blank though it is a letter or a symbol. */
static const struct range spaces[] = {
    {0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},     {0x115F, 0x1160},
    {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
    {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164}, {0xFFA0, 0xFFA0},
};

/* The rest of Default_Ignorable_Code_Point. */
static const struct range invisibles[] = {
    {0xAD, 0xAD},     {0x34F, 0x34F},     {0x61C, 0x61C},     {0x17B4, 0x17B5},   {0x180B, 0x180F},
    {0x200B, 0x200F}, {0x202A, 0x202E},   {0x2060, 0x206F},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
    {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

static bool is_in(const struct range *ranges, size_t n, int32_t cp) {
    for (size_t i = 0; i < n; i++)
        if (cp >= ranges[i].first && cp <= ranges[i].last)
            return true;
    return false;
}

bool utf8_is_invisible(int32_t cp) {
    return is_in(invisibles, COUNT_OF(invisibles), cp);
}

bool utf8_is_blank(int32_t cp) {
    if (cp > ' ' && cp < 0x7F) /* most of what is asked */
        return false;
    return is_in(spaces, COUNT_OF(spaces), cp) || utf8_is_invisible(cp);
}

size_t utf8_trim_start(const char *s, size_t len) {
    size_t at = 0;
    while (at < len) {
        int32_t cp;
        size_t taken = utf8_decode(s + at, len - at, &cp);
        if (!utf8_is_blank(cp))
            break;
        at += taken;
    }
    return at;
}

size_t utf8_trim_end(const char *s, size_t len) {
    size_t end = 0;
    for (size_t at = 0; at < len;) {
        int32_t cp;
        at += utf8_decode(s + at, len - at, &cp);
        if (!utf8_is_blank(cp))
            end = at;
    }
    return end;
}

void utf8_squeeze(struct str *out, const char *s, size_t len) {
    size_t begun = out->len;
    bool blank = false;
    for (size_t at = 0, taken; at < len; at += taken) {
        int32_t cp;
        taken = utf8_decode(s + at, len - at, &cp);
        if (utf8_is_blank(cp)) {
            blank = blank || !utf8_is_invisible(cp);
            continue;
        }
        if (blank && out->len > begun)
            str_add_char(out, ' ');
        blank = false;
        str_add_n(out, s + at, taken);
    }
}
