#ifndef RUN_MIRROR_LANE_H
#define RUN_MIRROR_LANE_H
/* The names of the mirror's notes in the cache. */

#define MIRROR_PLAN_NOTE "mirror plan"
#define MIRROR_SPENT_NOTE "mirror spent"
#define MIRROR_WHOLE_NOTE "mirror whole" /* when all was read, and the newest row then */

#endif
