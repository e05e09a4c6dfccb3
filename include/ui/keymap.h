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

/* A key map file: sections `[keys.VIEW]` of lines `ACTION = KEY KEY`, where `none` unbinds; before the first section
 * `preset = NAME`. */
struct keymap_source {
    const char *name; /* of the file, for faults; sanitised */
    const char *text;
    size_t len;
    const char *(*preset)(const char *name); /* its text; NULL where there is none of that name. May be NULL */
    int fixed_action;                        /* keeps fixed_key whatever the file says: the way out */
    int32_t fixed_key;
};
/* Lays the file over the map. A key it gives is taken from the action that has it by default; given on two lines of one
 * view it is a fault that names both, and the first line holds. An action whose line gives it no key keeps those it
 * had, unless the line says none. Each fault is a line of report; the rest applies. */
bool keymap_read(struct keymap *keymap, const struct keymap_source *source, struct str *report);
/* The action's id, or -1. */
int keymap_find(const struct keymap *keymap, const char *view, int32_t key);
/* First key's name ("" where unbound) and all of them, separated by ", ". */
void keymap_key(const struct keymap *keymap, int action, struct str *out);
void keymap_keys(const struct keymap *keymap, int action, struct str *out);
const struct action *keymap_actions(const struct keymap *keymap, size_t *n);
/* Faults of a table: names of no key, a key twice in one view. One line each; true where there are none. */
bool keymap_check(const struct action *actions, size_t n, struct str *report);

#endif
