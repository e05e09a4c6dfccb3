#ifndef PANES_SIGNS_H
#define PANES_SIGNS_H
/* The signs of the list, the detail and the rows around them, as they are drawn and as help explains them: one table,
 * so that none is drawn without a meaning. Private to the layer. */

#include "ui/canvas.h"

struct shell;

/* code, symbol of the theme or SYMBOL_COUNT, else the text, everywhere or in the list of intents alone, meaning */
#define SIGN_TABLE(X)                                                                                             \
    X(MARK, SYMBOL_MARK, "", false, "before a row: marked")                                                       \
    X(NEW, SYMBOL_NEW, "", false, "before a row: came since you last looked")                                     \
    X(CHANGED, SYMBOL_CHANGED, "", false, "before a row, behind a value: changed since you last looked")          \
    X(GONE, SYMBOL_GONE, "", false, "before a row: no longer of this list; not counted, goes with the next look") \
    X(PAGE, SYMBOL_NEXT, "", false, "before a row: here a page of the service begins")                            \
    X(DISPUTE, SYMBOL_COUNT, "D", false, "under flag: it has a dispute")                                          \
    X(REFUND, SYMBOL_COUNT, "R", false, "under flag: it has a refund")                                            \
    X(ARCHIVED, SYMBOL_COUNT, "A", false, "under flag: the payment credential is archived")                       \
    X(FINDING, SYMBOL_COUNT, "!", false,                                                                          \
      "under flag: a finding by the intent alone; has:finding has those across intents too")                      \
    X(UNKNOWN, SYMBOL_COUNT, "?", false, "under flag: fields that the interface does not name")                   \
    X(IN, SYMBOL_COUNT, "in", false, "under dir: cash_in, money comes in")                                        \
    X(OUT, SYMBOL_COUNT, "out", false, "under dir: cash_out, money goes out")                                     \
    X(FOUND, SYMBOL_COUNT, "\\", false, "in the status row: what is looked for without narrowing")                \
    X(ABSENT, SYMBOL_ABSENT, "", true, "no value was served")                                                     \
    X(CUT, SYMBOL_ELLIPSIS, "", true, "part of the value has no room; Enter shows it in full")                    \
    X(ODD_FROM, SYMBOL_COUNT, "[", true, "[ ] around a value: of another kind than the interface says")           \
    X(ODD_TO, SYMBOL_COUNT, "]", true, "the end of such a value")                                                 \
    X(SORT_UP, SYMBOL_SORT_UP, "", true, "in a heading: sorted by it, least first")                               \
    X(SORT_DOWN, SYMBOL_SORT_DOWN, "", true, "in a heading: sorted by it, greatest first")                        \
    X(READ_ONLY, SYMBOL_COUNT, "ro", true, "in the title: read-only, nothing can be written")                     \
    X(WRITING, SYMBOL_COUNT, "rw", true, "in the title: users and the webhook can be written")                    \
    X(INFORMATION, SYMBOL_COUNT, "I", true, "before a message: information")                                      \
    X(WARNING, SYMBOL_COUNT, "W", true, "before a message: a warning")                                            \
    X(FAULT, SYMBOL_COUNT, "E", true, "before a message: something failed")
enum sign {
#define X(code, symbol, text, everywhere, meaning) SIGN_##code,
    SIGN_TABLE(X)
#undef X
        SIGN_COUNT
};
const char *sign(enum sign code);
typedef void sign_line_fn(struct shell *shell, const char *sign, const char *meaning);
void signs_list(struct shell *shell, bool everywhere, sign_line_fn *add);

#endif
