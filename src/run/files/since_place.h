#ifndef RUN_SINCE_PLACE_H
#define RUN_SINCE_PLACE_H
/* The places of `intents list --since-last`: a file for each profile and name in the state folder. One run at a time
 * has a place, from reading to writing it: it holds a lock (flock) of a file beside it, since the place itself is
 * replaced. What the place belongs to is noted as a digest under `machine.key`: filters have personal data. */

#include "app/local_store.h"

enum err since_place_open(const struct profile *profile, const char *name, struct since_place *out,
                          struct error *error) MUST_CHECK;
enum err since_place_write(const struct since_place *place, const struct str *text, struct error *error) MUST_CHECK;
void since_place_close(struct since_place *place);
enum err since_place_name_question(const char *text, struct str *out, struct error *error) MUST_CHECK;

#endif
