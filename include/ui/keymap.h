#ifndef UI_KEYMAP_H
#define UI_KEYMAP_H
/* Which key does what, per view. The actions come as one table from the panes (enum, help, palette, manual and this map
 * are made from it); a view's own section goes before "global". */

#include "ui/input.h"

/* One row of the panes' action table. keys: space-separated key names, the default map. */
struct action {
    int id;
    const char *view; /* "global", "intents", ... */
    const char *name; /* kebab-case, as in key map files and the palette */
    const char *keys;
    const char *hint; /* one or two words for the hint row; "" where it never stands there */
    const char *help; /* one sentence */
};

struct keymap;

struct keymap *keymap_new(const struct action *actions, size_t n);
void keymap_free(struct keymap *keymap);
/* The action's id, or -1. */
int keymap_find(const struct keymap *keymap, const char *view, int32_t key);
/* First key's name ("" where unbound) and all of them, separated by ", ". */
void keymap_key(const struct keymap *keymap, int action, struct str *out);
void keymap_keys(const struct keymap *keymap, int action, struct str *out);
const struct action *keymap_actions(const struct keymap *keymap, size_t *n);
/* Faults of a table: names of no key, a key twice in one view. One line each; true where there are none. */
bool keymap_check(const struct action *actions, size_t n, struct str *report);

#endif
