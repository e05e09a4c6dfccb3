#ifndef MODEL_WEBHOOK_PARTS_H
#define MODEL_WEBHOOK_PARTS_H
/* Between the files of model/webhook. */

#include "model/webhook.h"

enum { WEBHOOK_FIELD_MAX = 4096 };

/* What the headers have: nothing like a signature; one in a form that no known scheme has; one of a known scheme. */
enum webhook_form { WEBHOOK_FORM_NONE, WEBHOOK_FORM_OTHER, WEBHOOK_FORM_KNOWN };
/* standard: in the form of Standard Webhooks. name: of the header that was judged; borrowed. */
enum webhook_form webhook_form_of(const struct headers *headers, bool *standard, const char **name);

/* How another program may have written the same JSON. Appends text as a serialiser with these habits does; a text that
 * is not JSON comes out as some other text. */
struct webhook_style {
    const char *after_comma, *after_colon;
    int indent; /* 0: on one line */
    const char *says;
};
void webhook_restyle(const char *json, size_t len, const struct webhook_style *style, struct str *out);

#endif
