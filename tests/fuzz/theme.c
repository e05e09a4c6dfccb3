/* Any bytes as a theme file, which may inherit itself or a shipped one: no crash, a clean report, every role a style
 * of the depth asked for, every symbol clean. */
#include "ui/theme.h"

#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct file {
    const char *text;
    size_t len;
};

static bool find(void *context, const char *name, struct str *text) {
    const struct file *file = context;
    const struct theme_shipped *shipped;
    for (size_t i = 0; (shipped = theme_shipped(i)); i++)
        if (strcmp(shipped->name, name) == 0) {
            str_add(text, shipped->text);
            return true;
        }
    str_add_n(text, file->text, file->len);
    return true;
}

static void check_styles(const struct theme *theme, enum theme_depth depth) {
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct theme_style style = theme_style(theme, (enum role)role, depth);
        if (depth != THEME_TRUE && (style.fg.kind == COLOUR_RGB || style.bg.kind == COLOUR_RGB))
            abort();
        if (depth == THEME_MONO && (style.fg.kind != COLOUR_DEFAULT || style.bg.kind != COLOUR_DEFAULT))
            abort();
    }
}

static void check_report(const struct str *report) {
    for (const char *line = report->s, *end = line + report->len; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t len = (size_t)((stop ? stop : end) - line);
        if (!utf8_is_clean(line, len))
            abort();
        line += len + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct file file = {.text = (const char *)data, .len = size};
    struct theme_source source = {.name = "fuzz", .text = file.text, .len = size, .find = find, .context = &file};
    struct str report;
    str_init(&report, SIZE_MAX);
    struct theme *theme = theme_load(&source, &report);
    if (theme) {
        for (int depth = THEME_MONO; depth <= THEME_TRUE; depth++)
            check_styles(theme, (enum theme_depth)depth);
        const char *sign = theme_symbol(theme, "mark", size % 2);
        if (sign && !utf8_is_clean(sign, strlen(sign)))
            abort();
        theme_check(theme, &report);
        theme_free(theme);
    }
    check_report(&report);
    str_clear(&report);
    return 0;
}
