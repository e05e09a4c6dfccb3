#ifndef WIRE_USER_H
#define WIRE_USER_H
/* The body of POST /user: a user as JSON, and JSON as a user. Empty fields are left out; the empty string is never
 * sent in place of absence. Any thread. */

#include "model/user.h"

enum { WIRE_USER_MAX = 256 << 10, WIRE_USER_KEY_MAX = 1024 };

/* Members in the document's order, indented by two, so that what a review shows is what leaves, byte for byte.
 * key_field: the member for an idempotency key, last; NULL: none. */
void wire_user_body(const struct user *user, const char *key_field, const char *key, struct str *out);

/* Reads the document's fields; others are not looked at. ERR_INVALID names what is no JSON object, or the field that
 * has the wrong type, never a value. */
enum err wire_user_read(const char *body, size_t len, struct user *out, struct error *error) MUST_CHECK;

/* JSON of the operator's own: its members that are no field of the document, each with the object it stands in ("" at
 * the top). Nothing where it is no JSON object. */
typedef void wire_strange_fn(void *context, const char *group, const char *name);
void wire_user_strange(const char *body, wire_strange_fn *each, void *context);
/* The same JSON with the key in the member key_field, otherwise byte for byte. Where that member exists already it is
 * kept, and is the key: *held_key, heap text; else NULL. */
void wire_user_given(const char *body, const char *key_field, const char *key, struct str *out, char **held_key);

/* text as a JSON string, with its quotes. */
void wire_add_string(struct str *out, const char *text);
/* A member of an object: `"name":"text"`, or null where text is NULL. */
void wire_add_member(struct str *out, const char *name, const char *text);

/* A form kept on the disk: the user without government id and birth date, which are never stored, the journal number
 * of the write that locks it (0: none), and the place it was typed for; read for another place it is ERR_INVALID. */
void wire_draft(const struct user *user, int64_t locked, const char *place, struct str *out);
enum err wire_draft_read(const char *text, size_t len, const char *place, struct user *out, int64_t *locked,
                         struct error *error) MUST_CHECK;

#endif
