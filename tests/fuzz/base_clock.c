/* Any bytes as a time: what is taken for one reads back as the same instant. */
#include "base/clock.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int64_t ms) {
    struct civil civil;
    int64_t back;
    clock_civil(ms, &civil);
    if (civil.month < 1 || civil.month > 12 || civil.day < 1 || civil.day > clock_month_days(civil.year, civil.month))
        abort();
    /* An offset may lead out of the four-digit years. */
    if (civil.year < 0 || civil.year > 9999)
        return;
    struct str out;
    str_init(&out, 64);
    clock_format_iso(&out, ms);
    if (!clock_from_civil(&civil, &back) || back != ms || !clock_parse(out.s, out.len, &back) || back != ms)
        abort();
    str_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    int64_t ms;
    long long number;
    if (clock_parse(text, size, &ms))
        check(ms);
    if (clock_parse_http(text, size, &ms))
        check(ms);
    if (str_to_int64(text, size, &number) && clock_from_epoch(number, &ms))
        check(ms);
    return 0;
}
