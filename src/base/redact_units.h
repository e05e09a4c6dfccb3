#ifndef BASE_REDACT_UNITS_H
#define BASE_REDACT_UNITS_H
/* A text in the form in which the redactor compares it: characters without case, accents, escapes and invisible signs,
 * each with the bytes that it came from. Read once from beginning to end, one unit at a time, without a copy of the
 * text. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const int32_t REDACT_ELLIPSIS = 0x2026;

struct unit {
    int32_t cp;
    uint32_t start, end;
};

/* "\tim" may be a tab and "im", or a backslash and "tim": a text is read in several ways, with escapes resolved, with
 * escapes within escapes and those of mail resolved, and as it stands. AS_BYTES is for what is compared exactly. */
enum reading { AS_MEANT, AS_NESTED, AS_IT_STANDS, AS_BYTES, READINGS };

enum { UNITS_PARTS = 4, UNITS_CACHE = 2048, UNITS_ASCII = 128 };
struct unit_fold {
    int32_t cp, parts[UNITS_PARTS];
    size_t n;
};
struct unit_reader {
    int32_t ascii[UNITS_ASCII];
    struct unit_fold *cache; /* of what is not ASCII; NULL until there is some */
};

void unit_reader_init(struct unit_reader *reader);
void unit_reader_clear(struct unit_reader *reader);
/* put is called for each unit of the text, in its order. */
typedef void unit_fn(void *context, struct unit unit);
void units_each(struct unit_reader *reader, const char *s, size_t len, enum reading reading, unit_fn *put,
                void *context);

#endif
