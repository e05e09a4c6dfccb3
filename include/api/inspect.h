#ifndef API_INSPECT_H
#define API_INSPECT_H
/* An intent's JSON for people: trees of its open-ended parts, and the whole as text. Pure; for those above who may not
 * know JSON. */

#include "model/intent.h"
#include "model/tree.h"

/* Rows of the member at a dotted path ("dispute"), "" for the whole; empty where absent or null. */
void api_inspect_tree(const struct intent *intent, const char *path, struct tree *out);
/* Appends the string member at a dotted path, byte for byte as served: nothing for a terminal. False: there is none. */
bool api_inspect_served(const struct intent *intent, const char *path, struct str *out);
void api_inspect_pretty(const struct intent *intent, struct str *out);
void api_inspect_line(const struct intent *intent, struct str *out); /* as wire_intent_line */

#endif
