/* What the commands that walk through the service's list have in common. */
#include "cached_list.h"

#include "base/clock.h"
#include "base/out.h"

bool cli_row_of(const struct intent *intent, int64_t confirmed, struct str *blob, struct cells *cells,
                struct query_row *out) {
    str_reset(blob);
    cells_pack(intent, blob);
    *out = (struct query_row){.cells = cells, .first_seen = CLOCK_NONE, .confirmed = confirmed, .changed = CLOCK_NONE};
    return cells_read(blob->s, blob->len, cells);
}

void cli_say_request(const struct cli *cli, const struct request_seen *seen) {
    enum { MILLI = 1000 };
    out_say(cli->err, "bursar: %s %s%s%s: ", seen->method, seen->path, seen->proxy ? " through the proxy " : "",
            seen->proxy ? seen->proxy : "");
    if (seen->failure == ERR_OK) {
        out_say(cli->err, "%d, %zu byte%s, %lld ms\n", seen->status, seen->bytes, plural_s(seen->bytes),
                (long long)(seen->took_us / MILLI));
    } else {
        out_say(cli->err, "%s\n", err_sentence(seen->failure));
    }
}
