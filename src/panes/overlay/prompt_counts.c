#include "panes/overlay/prompt.h"

#include "base/utf8.h"
#include "model/money.h"
#include "panes/shell/signs.h"
#include "ui/canvas.h"

#include <stdio.h>
#include <string.h>

enum {
    STATUSES_MAX = 12,
    COUNT_MAX = 32,
    SHORT = 4, /* cells of a status that the interface names: they differ there already */
    UNKNOWN_MOST = 16,
    NARROW = 100, /* below, statuses are shortened */
    APART = 2,    /* cells between two of them, and behind what is typed */
};

struct status_count {
    struct str word, count;
    enum role role;
    int cells;
};

static void status_count_init(struct status_count *of, const struct query_place *place, bool brief) {
    const char *word = place->value ? place->value : "no status";
    bool known = intent_status_of(word) != INTENT_STATUS_UNKNOWN;
    str_init(&of->word, 128);
    str_init(&of->count, COUNT_MAX);
    if (known && brief) {
        int used;
        str_add_n(&of->word, word, utf8_cut(word, strlen(word), SHORT, &used));
    } else {
        utf8_ends(&of->word, word, strlen(word), UNKNOWN_MOST, sign(SIGN_CUT));
    }
    money_group_count(&of->count, place->rows);
    of->role = place->value ? intents_status_role(word) : ROLE_DIM;
    of->cells = utf8_cells(of->word.s, of->word.len) + 1 + (int)of->count.len;
}

/* As many as have room, those of most rows first; the last place says how many statuses more there are. */
static size_t status_counts_fit(const struct status_count *counts, size_t n, int room, int *cells) {
    enum { MORE_COLS = 4 };
    size_t shown = 0;
    *cells = 0;
    while (shown < n) {
        int needed = *cells + (shown > 0 ? APART : 0) + counts[shown].cells;
        if (needed + (shown + 1 < n ? MORE_COLS : 0) > room)
            break;
        *cells = needed;
        shown++;
    }
    return shown;
}

/* How many rows of each status the typed filter has, behind what is typed: often that is the answer already. */
void prompt_draw_counts(const struct shell *shell, struct canvas *canvas, struct rect row) {
    const struct lookup_result *typed = intents_typed(shell);
    struct status_count counts[STATUSES_MAX];
    size_t n = typed && typed->n_values < STATUSES_MAX ? typed->n_values : typed ? STATUSES_MAX : 0;
    for (size_t i = 0; i < n; i++)
        status_count_init(&counts[i], &typed->values[i], shell_cols(shell) < NARROW);
    int cells, taken = utf8_cells(prompt_of(shell)->edit.text.s, prompt_of(shell)->edit.text.len) + 1 + APART;
    size_t shown = status_counts_fit(counts, n, row.cols - taken - 1, &cells);
    char more[COUNT_MAX] = "";
    if (shown > 0 && typed->n_values > shown)
        (void)snprintf(more, sizeof more, " +%zu", typed->n_values - shown);
    int x = row.cols - 1 - cells - (int)strlen(more);
    for (size_t i = 0; i < shown; i++) {
        x += canvas_text(canvas, row, 0, x, counts[i].role, counts[i].word.s) + 1;
        x += canvas_text(canvas, row, 0, x, ROLE_TEXT, counts[i].count.s) + APART;
    }
    canvas_text(canvas, row, 0, x - APART, ROLE_DIM, more);
    for (size_t i = 0; i < n; i++) {
        str_clear(&counts[i].word);
        str_clear(&counts[i].count);
    }
}
