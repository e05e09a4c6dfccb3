#ifndef SANDBOX_JOUT_H
#define SANDBOX_JOUT_H
/* JSON written by hand into a string: a comma goes in front of each item but the first of its object or array, which
 * the text itself tells. Bytes that are no UTF-8 become U+FFFD, so what leaves is always JSON. */

#include "base/str.h"

void jout_open(struct str *out, const char *name, char bracket); /* '{' or '['; name NULL for none */
void jout_close(struct str *out, char bracket);
void jout_string_n(struct str *out, const char *name, const char *text, size_t len);
void jout_string(struct str *out, const char *name, const char *text); /* NULL text writes null */
void jout_int(struct str *out, const char *name, long long value);
void jout_bool(struct str *out, const char *name, bool value);
void jout_null(struct str *out, const char *name);
void jout_raw(struct str *out, const char *name, const char *json); /* JSON as it stands */

/* Members at dotted paths ("result.page.next"), nested as the paths say; equal beginnings share their objects. */
struct jout_field {
    const char *path, *json;
};
void jout_nested(struct str *out, const struct jout_field *fields, size_t n);

#endif
