#ifndef SUPPORT_EFFECTS_H
#define SUPPORT_EFFECTS_H
/* Looks into the effects that a use case added. */

#include "app/effect.h"

/* The last of a kind; NULL where there is none. */
const struct effect *effects_last(const struct effects *effects, enum effect_kind kind);
size_t effects_count(const struct effects *effects, enum effect_kind kind);

#endif
