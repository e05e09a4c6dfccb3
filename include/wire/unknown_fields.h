#ifndef WIRE_UNKNOWN_FIELDS_H
#define WIRE_UNKNOWN_FIELDS_H
/* Schema watch: what an intent has that the interface document does not name. Fields by their dotted path ("[]" for any
 * element), a field of fields once, nothing inside dispute and refund, which the document leaves open; values of status
 * and type, the two whose set it closes (that of transaction status, direction, rail ... it does not show). Text is
 * sanitised and cut; a broken intent gives nothing. Any thread. */

#include "model/intent.h"

enum { WIRE_UNKNOWN_MAX = 200, WIRE_UNKNOWN_NAME_MAX = 120 }; /* of one intent; bytes of a path or a value */

/* kind: "field", "status" or "type"; name is borrowed for the call. */
typedef void wire_unknown_field_fn(void *context, const char *kind, const char *name);
void wire_unknown_fields(const struct intent *intent, wire_unknown_field_fn *each, void *context);

#endif
