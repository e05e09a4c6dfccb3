#ifndef WIRE_ARRIVAL_H
#define WIRE_ARRIVAL_H
/* Events of the service: what a body says, and an event as it is stored and printed. Any thread. */

#include "model/arrival.h"

/* Of one that was verified, or not checked. Fills kind, id, intent, status, time and readable from the body; id and
 * time from the headers where the signature covers them. The interface document shows no shape of events, so the usual
 * places are looked at; what is not there stays NULL. */
void wire_arrival_read(struct arrival *arrival);
/* The user alone, of one that has none yet. */
void wire_arrival_read_user(struct arrival *arrival);

enum { WIRE_ARRIVAL_HEAD_MAX = 512 << 10 };

/* The members of one object, braces not: everything but headers and body. */
void wire_arrival_members(const struct arrival *arrival, struct str *out);

/* A stored event: a line of JSON, which has place (whose event it is), and behind it the body as it came. */
void wire_arrival_store(const struct arrival *arrival, const char *place, struct str *out);
/* ERR_FILE where the line is damaged. *place: heap text. The body is what follows the line. */
enum err wire_arrival_load(const char *text, size_t len, struct arrival *out, char **place,
                           struct error *error) MUST_CHECK;

#endif
