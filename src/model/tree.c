#include "model/tree.h"

#include <stdlib.h>

void tree_init(struct tree *tree) {
    *tree = (struct tree){0};
}

void tree_clear(struct tree *tree) {
    arena_clear(&tree->arena);
    free(tree->items);
    tree_init(tree);
}
