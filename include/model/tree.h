#ifndef MODEL_TREE_H
#define MODEL_TREE_H
/* Any JSON value as flat rows for display, in document order, without recursion in the viewer. Text is sanitised. */

#include "base/mem.h"

#include <stdbool.h>

enum tree_kind { TREE_OBJECT, TREE_ARRAY, TREE_STRING, TREE_NUMBER, TREE_BOOL, TREE_NULL };

struct tree_row {
    int depth;
    enum tree_kind kind;
    const char *key;  /* member name, "[3]" in arrays, NULL at the root */
    const char *text; /* scalar as text (numbers as served); NULL for containers */
    size_t children;
};

struct tree {
    struct arena arena;
    struct tree_row *items;
    size_t n, cap;
    bool cut; /* more rows than TREE_ROWS_MAX */
};
enum { TREE_ROWS_MAX = 20000 };

void tree_init(struct tree *tree);
void tree_clear(struct tree *tree);

#endif
