#ifndef APP_RELATED_H
#define APP_RELATED_H
/* Other intents that findings of one intent rest on: asked of the column index, since one record alone cannot tell. The
 * question is a lookup_name (app/observed.h), the answer owns what it holds. */

#include "app/effect.h"
#include "model/finding.h"

struct related {
    struct arena arena;
    struct finding_other *items;
    size_t n, cap;
    bool whole; /* all that the cache holds was looked at */
};
struct related *related_new(void);
void related_free(struct related *related);
PAYLOAD_TYPE(related)

unsigned related_findings(const struct related *related); /* FINDING_BIT of those that there are; NULL: none */
uint64_t effects_related(struct effects *effects, struct lookup_name *name); /* takes name */

#endif
