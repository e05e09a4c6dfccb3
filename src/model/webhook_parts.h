#ifndef MODEL_WEBHOOK_PARTS_H
#define MODEL_WEBHOOK_PARTS_H
/* Between the files of model/webhook. */

#include "model/webhook.h"

enum { WEBHOOK_FIELD_MAX = 4096 };

/* standard: in the form of Standard Webhooks. */
bool webhook_has_signature(const struct headers *headers, bool *standard);

/* How another program may have written the same JSON. Appends text as a serialiser with these habits does; a text that
 * is not JSON comes out as some other text. */
struct webhook_style {
    const char *after_comma, *after_colon;
    int indent; /* 0: on one line */
    const char *says;
};
void webhook_restyle(const char *json, size_t len, const struct webhook_style *style, struct str *out);

#endif
