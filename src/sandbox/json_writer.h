#ifndef SANDBOX_JSON_WRITER_H
#define SANDBOX_JSON_WRITER_H
/* JSON written by hand into a string: a comma goes in front of each item but the first of its object or array, which
 * the text itself tells. Bytes that are no UTF-8 become U+FFFD, so what leaves is always JSON. */

#include "base/str.h"

void json_write_open(struct str *out, const char *name, char bracket); /* '{' or '['; name NULL for none */
void json_write_close(struct str *out, char bracket);
void json_write_string_n(struct str *out, const char *name, const char *text, size_t len);
void json_write_string(struct str *out, const char *name, const char *text); /* NULL text writes null */
void json_write_int(struct str *out, const char *name, long long value);
void json_write_bool(struct str *out, const char *name, bool value);
void json_write_null(struct str *out, const char *name);
void json_write_raw(struct str *out, const char *name, const char *json); /* JSON as it stands */

/* Members at dotted paths ("result.page.next"), nested as the paths say; equal beginnings share their objects. */
struct json_write_field {
    const char *path, *json;
};
void json_write_nested(struct str *out, const struct json_write_field *fields, size_t n);

#endif
