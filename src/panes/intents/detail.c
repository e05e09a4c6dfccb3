#include "panes/intents/intents.h"

#include <stdlib.h>

/* The scroll position stays while the record is the same, even if its content changed. */
void detail_show(struct shell *shell, const struct intent *intent) {
    struct intents *pane = intents_of(shell);
    const char *id = intent ? intent->id.text : NULL;
    bool same = id && str_equal(id, pane->shown_id);
    free(pane->shown_id);
    pane->shown_id = mem_dup(id);
    detail_empty(&pane->detail);
    if (intent)
        detail_lines(shell, intent);
    detail_done(&pane->detail, same);
    shell_redraw(shell);
}

void detail_draw(struct shell *shell, struct canvas *canvas, struct rect area, bool focused) {
    struct intents *pane = intents_of(shell);
    struct rect title = rect_take_rows(&area, 1);
    canvas_fill(canvas, title, focused ? ROLE_HEADER_SORTED : ROLE_HEADER);
    int x = 1 + canvas_text(canvas, title, 0, 1, focused ? ROLE_HEADER_SORTED : ROLE_HEADER,
                            pane->mode == DETAIL_JSON ? "as served" : "intent");
    if (pane->shown_id)
        canvas_text(canvas, title, 0, x + 1, focused ? ROLE_HEADER_SORTED : ROLE_HEADER, pane->shown_id);
    detail_fit(&pane->detail, area.cols - 1, pane->mode == DETAIL_FIELDS);
    pager_draw(&pane->detail.pager, canvas, rect_inset(area, 0, 1, 0, 0), focused);
}
