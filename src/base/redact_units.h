#ifndef BASE_REDACT_UNITS_H
#define BASE_REDACT_UNITS_H
/* A text as the redactor compares it: characters without case, accents, escapes and invisible signs, each with the
 * bytes that it was written with. Read from beginning to end once, one unit at a time, so that no copy of the text is
 * made. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const int32_t REDACT_ELLIPSIS = 0x2026;

struct unit {
    int32_t cp;
    uint32_t start, end;
};

/* Nobody knows whether "\tim" is a tab and "im" or tim behind a stroke, so a text is read twice: as it is meant by who
 * escaped it, and as it stands. AS_BYTES is for what is compared exactly. */
enum reading { AS_MEANT, AS_IT_STANDS, AS_BYTES, READINGS };

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
