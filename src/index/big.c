#include "block.h"

#include <stdlib.h>
#include <sys/mman.h>

/* From SMALL bytes on one large page costs less than the small ones. */
enum { LARGE_PAGE = 2 * 1024 * 1024, SMALL = 256 * 1024 };

void *big_new(size_t n, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > PTRDIFF_MAX - LARGE_PAGE)
        mem_fatal("more memory asked for than there can be");
    if (bytes < SMALL)
        return mem_resize(NULL, bytes, 1);
    bytes = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *block = aligned_alloc(LARGE_PAGE, bytes);
    if (!block)
        mem_fatal("out of memory");
    /* Only advice: without it all works, slower. */
    (void)madvise(block, bytes, MADV_HUGEPAGE);
    return block;
}
