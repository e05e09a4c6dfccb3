#include "ui/theme.h"

#include "base/mem.h"

/* Embeds the files themselves, so that the built-in themes and the installed ones cannot differ. Paths begin at the
 * root of the source, where make runs. */
#define EMBED(symbol, file)                              \
    __asm__(".pushsection .rodata\n"                     \
            ".global " #symbol "\n"                      \
            ".type " #symbol ", %object\n" #symbol ":\n" \
            ".incbin \"themes/" file ".theme\"\n"        \
            ".byte 0\n"                                  \
            ".size " #symbol ", . - " #symbol "\n"       \
            ".popsection\n");                            \
    extern const char symbol[]

EMBED(theme_builtin, "terminal");
EMBED(theme_text_dark, "dark");
EMBED(theme_text_light, "light");
EMBED(theme_text_high_contrast, "high-contrast");
EMBED(theme_text_mono, "mono");
EMBED(theme_text_cvd, "cvd");

const struct theme_shipped *theme_shipped(size_t index) {
    static const struct theme_shipped SHIPPED[] = {
        {"terminal", theme_builtin}, {"dark", theme_text_dark},
        {"light", theme_text_light}, {"high-contrast", theme_text_high_contrast},
        {"mono", theme_text_mono},   {"cvd", theme_text_cvd},
    };
    return index < COUNT_OF(SHIPPED) ? &SHIPPED[index] : NULL;
}
