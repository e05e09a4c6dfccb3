#ifndef SANDBOX_CALL_H
#define SANDBOX_CALL_H
/* One request and the answer to it, between the HTTP side (which fills the one and sends the other) and the
 * operations. Owned by the connection's thread. */

#include "base/str.h"
#include "rule.h"

#include <stdint.h>

enum { CALL_BODY_MAX = 1 << 20, CALL_ANSWER_MAX = 512 << 20 };

struct call_pair {
    char *name, *value; /* value is never NULL */
};

struct call_pairs {
    struct call_pair *items;
    size_t n, cap;
};

struct call {
    long long number; /* of the request, from 1 */
    char *method, *path, *uri;
    struct call_pairs headers, query; /* query decoded once */
    struct str body;
    bool too_large;
    struct rule_hit hit;

    int status;
    struct str answer;
    struct call_pairs answer_headers; /* content type aside */
    const char *type;                 /* content type of the answer; NULL: none */
};

struct call *call_new(const char *uri);
void call_free(struct call *call);

void call_add(struct call_pairs *pairs, const char *name, const char *value);
const char *call_find(const struct call_pairs *pairs, const char *name); /* exact name, first; NULL */
const char *call_find_header(const struct call *call, const char *name); /* any case */
const char *call_query(const struct call *call);                         /* raw text after '?', or "" */

#endif
