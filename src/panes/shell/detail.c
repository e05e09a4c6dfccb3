#include "panes/shell/detail.h"

#include <stdlib.h>
#include <string.h>

void detail_init(struct detail *detail) {
    pager_init(&detail->pager);
}

void detail_clear(struct detail *detail) {
    pager_clear(&detail->pager);
    arena_clear(&detail->arena);
    free(detail->lines.items);
    free(detail->columns.items);
}

void detail_empty(struct detail *detail) {
    arena_clear(&detail->arena);
    detail->lines.n = detail->columns.n = 0;
}

void detail_done(struct detail *detail, bool stays) {
    detail->fitted = 0;
    pager_set(&detail->pager, detail->lines.items, detail->lines.n, stays);
}

struct text_line *detail_add(struct detail *detail, const char *label, const char *text, enum role role) {
    struct text_line *line = vec_add(&detail->lines);
    *line = (struct text_line){.label = label, .text = arena_dup_n(&detail->arena, text, strlen(text)), .role = role};
    return line;
}
