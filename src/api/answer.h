#ifndef API_ANSWER_H
#define API_ANSWER_H
/* What a status means and the one sentence an answer becomes. Shared by reads and writes. */

#include "api/api.h"

#include "wire/errors.h"

enum err answer_code(int status);
/* The service's error text, from body and headers. */
void answer_error(const struct profile *profile, const struct reply *reply, struct service_error *out);

/* "502, not JSON, 40 KB". */
void answer_head(struct str *line, const struct reply *reply);
/* ": what the status means", with the target of a redirect, or the source of a token that was not accepted. */
void answer_meaning(struct str *line, const struct profile *profile, const struct reply *reply);
/* ": not an answer of the service (text/html from api.example.com)". */
void answer_origin(struct str *line, const struct profile *profile, const struct reply *reply);
/* What is wrong with a 2xx that says it failed, depending on whether it says why. */
const char *answer_inside(const struct service_error *error);
/* What a 2xx object says about itself, also in the places that the profile names. */
void answer_judge(const struct profile *profile, const struct reply *reply, struct wire_verdict *out);
/* Drops text that is not an error text: a piece of a 2xx object, or the value of a row. The request id stays. */
void answer_drop_words(struct service_error *error);
/* ". It says: ..." and when to ask again. */
void answer_words(struct str *line, const struct service_error *error, int64_t retry_at, int64_t now);

enum { ANSWER_LINE_MAX = 4096 };

#endif
