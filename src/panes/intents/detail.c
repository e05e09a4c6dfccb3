#include "panes/shell/state.h"

#include "base/mem.h"

#include <stdlib.h>

void detail_init(struct detail *detail) {
    pager_init(&detail->pager);
}

void detail_clear(struct detail *detail) {
    pager_clear(&detail->pager);
    arena_clear(&detail->arena);
    free(detail->lines.items);
    free(detail->id);
}

/* The scroll stays while the record is the same, whatever changed in it. */
void detail_show(struct shell *shell, const struct intent *intent) {
    struct detail *detail = &shell->intents.detail;
    const char *id = intent ? intent->id.text : NULL;
    bool same = id && str_equal(id, detail->id);
    free(detail->id);
    detail->id = mem_dup(id);
    arena_clear(&detail->arena);
    detail->lines.n = 0;
    if (intent) {
        detail_lines(shell, intent);
    }
    pager_set(&detail->pager, detail->lines.items, detail->lines.n, same);
    shell_redraw(shell);
}

void detail_draw(struct shell *shell, struct canvas *canvas, struct rect area, bool focused) {
    struct detail *detail = &shell->intents.detail;
    struct rect title = rect_take_rows(&area, 1);
    canvas_fill(canvas, title, focused ? ROLE_HEADER_SORTED : ROLE_HEADER);
    int x = 1 + canvas_text(canvas, title, 0, 1, focused ? ROLE_HEADER_SORTED : ROLE_HEADER,
                            detail->mode == DETAIL_JSON ? "as served" : "intent");
    if (detail->id) {
        canvas_text(canvas, title, 0, x + 1, focused ? ROLE_HEADER_SORTED : ROLE_HEADER, detail->id);
    }
    pager_draw(&detail->pager, canvas, rect_inset(area, 0, 1, 0, 0), focused);
}
