#ifndef WIRE_BODY_H
#define WIRE_BODY_H
/* A request's body as a tree to read, for the side that receives: strict JSON, no repeated key, bounded depth. The
 * tree is owned by struct body; values are borrowed from it until body_free. Any thread, one tree one thread. */

#include "base/str.h"

struct body;
struct body_value;

enum body_kind { BODY_NONE, BODY_NULL, BODY_BOOL, BODY_INTEGER, BODY_REAL, BODY_STRING, BODY_ARRAY, BODY_OBJECT };
enum { BODY_DEPTH_MAX = 32 };

/* ERR_INVALID with a sentence of our own (never the document's text): not JSON, a repeated key, too deep. */
enum err body_read(const char *text, size_t len, struct body **out, struct error *error) MUST_CHECK;
void body_free(struct body *body);
const struct body_value *body_root(const struct body *body);

/* Each accepts NULL: kind BODY_NONE, no member, no text. */
enum body_kind body_kind(const struct body_value *value);
const struct body_value *body_member(const struct body_value *object, const char *name);
const char *body_string(const struct body_value *value, size_t *len); /* NULL: not a string; len may be NULL */
bool body_bool(const struct body_value *value);                       /* false unless true */
long long body_integer(const struct body_value *value);               /* 0 unless an integer */

size_t body_count(const struct body_value *value);                    /* elements of an array, 0 for anything else */
const char *body_name(const struct body_value *object, size_t index); /* of a member, as they came; NULL: no more */
const struct body_value *body_item(const struct body_value *array, size_t index);

/* Compact JSON text of the value, members in the order they came. */
void body_print(const struct body_value *value, struct str *out);

/* Text of `base` with the members of `patch` put over it, objects within objects merged, anything else replaced. Both
 * must be objects. */
enum err body_merge(const struct body *base, const struct body *patch, struct str *out, struct error *error) MUST_CHECK;

#endif
