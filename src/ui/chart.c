#include "ui/chart.h"

#include "base/mem.h"

const char *chart_level(size_t eighths) {
    static const enum symbol LEVELS[CHART_EIGHTHS] = {SYMBOL_BAR_1, SYMBOL_BAR_2, SYMBOL_BAR_3, SYMBOL_BAR_4,
                                                      SYMBOL_BAR_5, SYMBOL_BAR_6, SYMBOL_BAR_7, SYMBOL_BAR_FULL};
    if (eighths == 0)
        return NULL;
    return symbol(LEVELS[(eighths < CHART_EIGHTHS ? eighths : CHART_EIGHTHS) - 1]);
}

void chart_sparkline(struct canvas *canvas, struct rect row, enum role role, const size_t *counts, size_t n) {
    size_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = counts[i] > most ? counts[i] : most;
    for (size_t i = 0; i < n; i++) {
        size_t eighths = most > 0 ? (size_t)((unsigned __int128)counts[i] * CHART_EIGHTHS / most) : 0;
        const char *glyph = chart_level(counts[i] > 0 && eighths == 0 ? 1 : eighths);
        if (glyph)
            canvas_text(canvas, row, 0, (int)i, role, glyph);
    }
}
