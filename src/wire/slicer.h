#ifndef WIRE_SLICER_H
#define WIRE_SLICER_H
/* Cuts a listing into its rows and the rest. Follows only strings and brackets, so that damage inside a row whose
 * brackets balance concerns only that row; where brackets do not balance, the whole page is refused. Borrows the body.
 */

#include "scan.h"

#include "base/str.h"

struct wire_slicer {
    struct wire_slice body;
    size_t at;
    const char *fault; /* where rows could not be told apart; at says where */
    bool limit;        /* the fault is WIRE_ROWS_MAX */
    struct wire_slice *items;
    size_t n, cap;
    size_t first, last; /* what stands between the list's brackets; both 0: no list found */
};

void wire_slicer_init(struct wire_slicer *slicer, const char *body, size_t len);
void wire_slicer_clear(struct wire_slicer *slicer);
/* Looks for the list at a dotted path ("" the top level). false: brackets cannot be followed. A missing list is no
 * fault here. */
bool wire_slicer_cut(struct wire_slicer *slicer, const char *path);
/* The body with an empty list. */
void wire_slicer_skeleton(const struct wire_slicer *slicer, struct str *out);
/* A byte of the skeleton as a byte of the body. */
size_t wire_slicer_place(const struct wire_slicer *slicer, size_t at);

#endif
