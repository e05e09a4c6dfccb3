#ifndef WIRE_ERRORS_H
#define WIRE_ERRORS_H
/* Error text out of any body. */

#include "model/service_error.h"

#include <stdint.h>

/* extra: further dotted paths from the profile (error_message), tried first; NULL-terminated, may be NULL. content_type
 * may be NULL. Never fails: HTML, text and broken JSON give a short printable extract. */
void wire_service_error(const char *body, size_t len, const char *content_type, const char *const *extra,
                        struct service_error *out);
/* What the object in a 2xx answer says of itself, by one table of names for lists, users and webhooks. */
struct wire_verdict {
    bool failed;            /* plainly: an error, a flag that is false, a status of failure, whatever else is there */
    bool denied;            /* in a word for a request that came to nothing ("forbidden") */
    bool doubtful;          /* in a word that may also be the state of what was made ("rejected") */
    bool partial;           /* that something is left out */
    bool text;              /* a text where services put that of an error, which may be a greeting */
    const char *unreadable; /* why it cannot be judged; NULL. Static */
};
/* extra as above. All false where it is no object. */
void wire_judge(const char *body, size_t len, const char *const *extra, struct wire_verdict *out);
/* Only the `text` of it. */
bool wire_has_error_text(const char *body, size_t len);
/* A text or number member of a top-level object (`id`, `url`), sanitised, redacted: NULL where it is not there once, or
 * holds nothing but blanks and characters that nobody sees. */
char *wire_member_text(const char *body, size_t len, const char *name);
enum wire_kind { WIRE_NOTHING, WIRE_OBJECT, WIRE_ARRAY, WIRE_SCALAR, WIRE_NOT_JSON };
enum wire_kind wire_kind_of(const char *body, size_t len); /* WIRE_NOTHING: empty or blank */

#endif
