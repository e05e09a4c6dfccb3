/* Any bytes as an error answer: no crash, no leak, one quiet line without a live secret. */
#include "wire/errors.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const extra[] = {"fault.why", "", NULL};
    static struct secret *secret;
    const char *body = (const char *)data;
    struct service_error error;
    struct str line;
    if (!secret)
        secret = secret_new("tok_live_01", 11);
    str_init(&line, SIZE_MAX);
    wire_service_error(body, size, size % 2 ? "text/html" : NULL, extra, &error);
    service_error_line(&error, &line);
    if (!utf8_is_clean(line.s, line.len) || strstr(line.s, "tok_live_01") || error.n > SERVICE_ERROR_PLACES_MAX)
        abort();
    service_error_clear(&error);
    str_clear(&line);
    char *id = wire_member_text(body, size, "id");
    if (id && !utf8_is_clean(id, strlen(id)))
        abort();
    free(id);
    if (wire_has_error_text(body, size) && wire_kind_of(body, size) != WIRE_OBJECT)
        abort();
    return 0;
}
