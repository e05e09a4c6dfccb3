#ifndef SANDBOX_NEXT_H
#define SANDBOX_NEXT_H
/* The next cursor of a listing as this service's style, or a rule, wants it. */

#include "service.h"

struct next {
    struct str json; /* value for the body; empty: no such member */
    struct str text; /* value for a header; empty: none */
};

/* The place that the call's cursor names; *given is false without one. ERR_INVALID: not a cursor. */
enum err next_read(struct service *service, const struct call *call, bool *given, int64_t *place,
                   struct error *error) MUST_CHECK;

struct next_from {
    bool more;      /* there are further rows */
    int64_t at;     /* place of the first of them */
    int64_t first;  /* place where the list begins */
    int64_t beyond; /* a place after its end */
    int64_t start;  /* where this page began */
};
void next_make(struct service *service, const struct call *call, const struct next_from *from, struct next *out);
void next_clear(struct next *next);

#endif
