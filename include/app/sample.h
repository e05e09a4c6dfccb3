#ifndef APP_SAMPLE_H
#define APP_SAMPLE_H
/* A sample of rows for an audit: of all that are put, `wanted` are drawn, each with the same chance. Which they are
 * depends on the seed and the ids of the rows alone: those with the least keyed digests. So the same rows give the same
 * sample on any machine, in whatever order they come, and it takes memory for what is drawn and no more. Pure. */

#include "base/digest.h"
#include "model/intent.h"

enum { SAMPLE_MAX = 100000 };

struct sample {
    size_t wanted;
    uint64_t seed;
    size_t seen; /* rows put */
    struct sample_item {
        unsigned char rank[DIGEST_LEN];
        size_t order; /* as it was put */
        char *row;    /* on the heap, as the caller gave it */
        size_t len;
    } * items; /* the greatest first, each at least as great as those at 2i+1 and 2i+2; after sample_sort in the order
                  in which they were put */
    size_t n, cap;
};

void sample_init(struct sample *sample, size_t wanted, uint64_t seed);
void sample_clear(struct sample *sample);
/* By its id, a row without one by its raw text. */
void sample_rank(const struct sample *sample, const struct intent *intent, unsigned char out[DIGEST_LEN]);
/* row: copied where it is drawn. */
void sample_put(struct sample *sample, const unsigned char rank[DIGEST_LEN], const void *row, size_t len);
void sample_sort(struct sample *sample);
/* Appends `50 of 1,204 intents, drawn by seed 7`. */
void sample_text(const struct sample *sample, struct str *out);

#endif
