#include "ui/theme.h"

/* The file itself, so that what is compiled in and what is installed cannot differ. The path is from the root of the
 * source, where make runs. */
__asm__(".pushsection .rodata\n"
        ".global theme_builtin\n"
        ".type theme_builtin, %object\n"
        "theme_builtin:\n"
        ".incbin \"themes/terminal.theme\"\n"
        ".byte 0\n"
        ".size theme_builtin, . - theme_builtin\n"
        ".popsection\n");
