#ifndef UI_KEYMAP_OWN_H
#define UI_KEYMAP_OWN_H
/* What a key map holds, for the files that make one. Private to the layer. */

#include "ui/keymap.h"

enum { KEY_NAME_MAX = 64 };

struct binding {
    size_t action; /* index */
    int32_t key;
    int line; /* of the key map file; 0: by default */
};

struct keymap {
    const struct action *actions;
    size_t n_actions;
    struct {
        struct binding *items;
        size_t n, cap;
    } bindings;
};

/* Cuts the next name off a list separated by spaces; false at the end, or where a name is too long. */
bool keymap_next_name(const char **list, char name[KEY_NAME_MAX]);

#endif
