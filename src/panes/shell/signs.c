#include "panes/shell/signs.h"

#include "base/mem.h"
#include "model/intent.h"
#include "ui/canvas.h"

/* The meaning of every sign of the list, the detail and the rows around them: drawing and help use the same table, so
 * that no sign is drawn without an explanation. */

static const struct sign_row {
    enum symbol symbol; /* SYMBOL_COUNT: text */
    const char *text, *meaning;
    bool everywhere; /* not only in the list of intents */
} SIGNS[SIGN_COUNT] = {
#define X(code, symbol, text, everywhere, meaning) {symbol, text, meaning, everywhere},
    SIGN_TABLE(X)
#undef X
};

const char *sign(enum sign code) {
    return SIGNS[code].symbol < SYMBOL_COUNT ? symbol(SIGNS[code].symbol) : SIGNS[code].text;
}

static void signs_add_statuses(struct shell *shell, sign_line_fn *add) {
    for (enum intent_status status = 0; status < INTENT_STATUS_COUNT; status++) {
        char letter[2] = {intent_status_letter(status), '\0'};
        struct str text;
        str_init(&text, 128);
        str_addf(&text, "status: %s", intent_status_name(status));
        add(shell, letter, text.s);
        str_clear(&text);
    }
    char unknown[2] = {intent_status_letter(INTENT_STATUS_UNKNOWN), '\0'};
    add(shell, unknown, "status: one that the interface does not name, in full beside it");
}

void signs_list(struct shell *shell, bool everywhere, sign_line_fn *add) {
    for (enum sign code = 0; code < SIGN_COUNT; code++)
        if (SIGNS[code].everywhere == everywhere)
            add(shell, sign(code), SIGNS[code].meaning);
    if (!everywhere)
        signs_add_statuses(shell, add);
}
