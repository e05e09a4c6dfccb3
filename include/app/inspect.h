#ifndef APP_INSPECT_H
#define APP_INSPECT_H
/* The parts of an intent whose shape the document leaves open, for the detail: trees of rows, or its JSON as text.
 * Pure. */

#include "model/intent.h"
#include "model/tree.h"

/* Rows of the member at a dotted path ("dispute"); empty where absent or null. */
void inspect_tree(const struct intent *intent, const char *path, struct tree *out);
/* Appends the string member at a dotted path, byte for byte as served: nothing for a terminal. False: there is none. */
bool inspect_served(const struct intent *intent, const char *path, struct str *out);
/* Indented lines, numbers and strings as served. */
void inspect_json(const struct intent *intent, struct str *out);

#endif
