#ifndef UI_KEYMAP_H
#define UI_KEYMAP_H
/* Which key does what, per view. The actions come as one table (enum, help, palette, manual and this map are made from
 * it); a view's own section goes before "global". */

#include "ui/input.h"

#include "base/action.h"

struct keymap;

struct keymap *keymap_new(const struct action *actions, size_t n);
void keymap_free(struct keymap *keymap);

/* The map of a table with a key map file over it: sections `[keys.VIEW]` of lines `ACTION = KEY KEY`, where `none`
 * unbinds; before the first section `preset = NAME`. "" gives the default map. name: of the file, sanitised. A key
 * given in the file is taken from the action that has it by default; given on two lines of one view it is a fault that
 * names both lines, and the first one counts. An action whose line gives it no key keeps those that it had, unless the
 * line says none. Each fault is a line of report; the rest applies. */
struct keymap *keymap_load(const struct action_table *table, const char *text, size_t len, const char *name,
                           struct str *report);
/* The action's id, or -1. */
int keymap_find(const struct keymap *keymap, const char *section, int32_t key);
/* First key's name ("" where unbound) and all of them, separated by ", ". */
void keymap_key(const struct keymap *keymap, int action, struct str *out);
void keymap_keys(const struct keymap *keymap, int action, struct str *out);
const struct action *keymap_actions(const struct keymap *keymap, size_t *n);
/* Faults of a table: names of no key, a key twice in one view. One line each; true where there are none. */
bool keymap_check(const struct action *actions, size_t n, struct str *report);

#endif
