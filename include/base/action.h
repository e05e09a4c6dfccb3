#ifndef BASE_ACTION_H
#define BASE_ACTION_H
/* What an operator can ask for by a key, as data: app has the table (app/actions.h), ui makes the key map from it, and
 * neither layer includes the other. Constant. */

#include <stddef.h>

struct action {
    int id;
    const char *section; /* "global", "intents", ... */
    const char *name;    /* kebab-case, as in key map files and the palette */
    const char *keys;    /* separated by blanks: the default map */
    const char *hint;    /* one or two words for the hint row; "" where the action is not shown there */
    const char *help;    /* one sentence */
};

struct action_table {
    const struct action *items;
    size_t n;
    int fixed;                               /* keeps its first key whatever a key map says: the way to leave */
    const char *(*preset)(const char *name); /* text of a key map to begin with; NULL: none of that name */
};

#endif
