/* Any text as each of the waiting headers: never in the past, never beyond an hour and the longest step of the
 * back-off. */
#include "api/api.h"
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>

#define NOW INT64_C(1767323045678)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"Retry-After", "RateLimit", "X-RateLimit-Reset"};
    char *value = mem_dup_n((const char *)data, size);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct headers headers = {0};
        headers_add(&headers, names[i], value);
        int64_t at = api_retry_at(&headers, NOW, (unsigned)size, (unsigned)size);
        if (at < NOW || at > NOW + 3600 * 1000)
            abort();
        headers_clear(&headers);
    }
    free(value);
    return 0;
}
