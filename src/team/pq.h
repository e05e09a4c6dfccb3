#ifndef TEAM_PQ_H
#define TEAM_PQ_H
/* libpq, loaded at its first use. */

#include "base/str.h"

/* ERR_STORE where it is not installed. Before any of its functions is called. */
enum err pq_load(struct error *error) MUST_CHECK;

#endif
