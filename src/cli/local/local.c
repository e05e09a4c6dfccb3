#include "local.h"

#include "base/clock.h"
#include "base/out.h"

void local_notice(void *printer, const char *text) {
    out_say(((struct local_printer *)printer)->cli->err, "bursar: %s\n", text);
}

void local_add_time(struct str *out, int64_t ms) {
    clock_format(out, ms, CLOCK_UTC, ms);
    str_add(out, " UTC");
    (void)clock_format_ahead(out, ", ", ms, clock_now());
}
