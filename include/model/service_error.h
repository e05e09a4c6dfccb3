#ifndef MODEL_SERVICE_ERROR_H
#define MODEL_SERVICE_ERROR_H
/* What an error answer says, found in whatever shape it came. All text sanitised, redacted, cut.
 */

#include "base/str.h"

struct service_error_place {
    char *place; /* field, parameter, path ..., or NULL */
    char *text;
};

struct service_error {
    char *text;   /* one line for people; NULL where the body had none */
    bool extract; /* text is only a piece of the body, which holds no words as such */
    char *code;
    char *request_id;
    struct service_error_place *items; /* the first few of a list */
    size_t n, cap;
    size_t more; /* further entries, not kept */
};
enum { SERVICE_ERROR_PLACES_MAX = 8, SERVICE_ERROR_TEXT_MAX = 500 };

void service_error_init(struct service_error *error);
void service_error_clear(struct service_error *error);
/* "text (code) at field: text; +3 more": one line, ends with the request id where there is one. */
void service_error_line(const struct service_error *error, struct str *out);
/* The request id at the end of such a line, which may stand in a longer one; NULL. The caller frees. */
char *service_error_line_id(const char *line);

#endif
