#ifndef MODEL_VALUE_H
#define MODEL_VALUE_H
/* A value as the service sent it: any field may be absent, null or of another type, and the row stays.
 * Text is sanitised; it points into the owner's arena. Null differs from zero, false and "". */

#include <stdbool.h>
#include <stdint.h>

enum value_state {
    VALUE_ABSENT,
    VALUE_NULL,
    VALUE_OK,
    VALUE_ODD, /* another type, or beyond int64: text holds the JSON as served, cut and sanitised */
};

struct value_text {
    enum value_state state;
    const char *text;  /* NULL where absent or null */
    const char *exact; /* as served, for files: set where `text` has tokens in the place of invisible characters */
};

/* text: the digits as served, so that nothing is ever rounded. A numeric string counts as OK. */
struct value_number {
    enum value_state state;
    int64_t number;
    const char *text;
    const char *currency; /* served with it and not that of the record around it, which had none; else NULL */
};

/* text: as served; ms since 1970 UTC, CLOCK_NONE where it is no time (then ODD, shown as received). */
struct value_time {
    enum value_state state;
    int64_t ms;
    const char *text;
};

struct value_flag {
    enum value_state state;
    bool on;
    const char *text;
};

#endif
