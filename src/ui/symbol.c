#include "ui/canvas.h"

#include <string.h>

enum { SYMBOL_TEXT_MAX = 16 };

static const char *const sets[SYMBOL_COUNT][2] = {
#define X(code, name, unicode, ascii) {unicode, ascii},
    SYMBOL_TABLE(X)
#undef X
};
static const char *const names[SYMBOL_COUNT] = {
#define X(code, name, unicode, ascii) name,
    SYMBOL_TABLE(X)
#undef X
};
static char own[SYMBOL_COUNT][SYMBOL_TEXT_MAX];
static bool ascii_only;

void symbols_ascii(bool ascii) {
    ascii_only = ascii;
}

void symbol_set(enum symbol symbol, const char *text) {
    size_t len = !text ? 0 : strlen(text);

    if ((unsigned)symbol >= SYMBOL_COUNT || len >= SYMBOL_TEXT_MAX)
        return;
    memcpy(own[symbol], len == 0 ? "" : text, len + 1);
}

const char *symbol(enum symbol symbol) {
    if ((unsigned)symbol >= SYMBOL_COUNT)
        return "";
    return own[symbol][0] != '\0' ? own[symbol] : sets[symbol][ascii_only];
}

const char *symbol_name(enum symbol symbol) {
    return (unsigned)symbol < SYMBOL_COUNT ? names[symbol] : "";
}
