/* What an import says of itself. */
#include "import_own.h"

#include <inttypes.h>

enum { MINUTE_MS = 60000, HOUR_MS = 3600000, RECORDS_BYTES = 256 };

struct import_counts import_count(const struct import *import) {
    struct import_counts counts = {0};
    for (size_t i = 0; i < import->rows.n; i++)
        counts.of[import->rows.items[i].state]++;
    for (size_t i = 0; i < import->results.n && import->stage != IMPORT_OPENING; i++)
        counts.gone_unknown += import->results.items[i].state == IMPORT_UNKNOWN;
    counts.left = counts.of[IMPORT_WAITING] + counts.of[IMPORT_SENDING] + counts.of[IMPORT_NOT_SENT];
    return counts;
}

static void import_tell_add_counts(const struct import_counts *counts, struct str *out) {
    str_addf(out, "%zu done, %zu refused, %zu unknown, %zu left", counts->of[IMPORT_DONE],
             counts->of[IMPORT_BAD] + counts->of[IMPORT_REFUSED], counts->of[IMPORT_UNKNOWN], counts->left);
}

static void import_tell_add_time(int64_t ms, struct str *out) {
    if (ms >= HOUR_MS)
        str_addf(out, "%lld h %lld min", (long long)(ms / HOUR_MS), (long long)(ms % HOUR_MS / MINUTE_MS));
    else if (ms >= MINUTE_MS)
        str_addf(out, "%lld min", (long long)((ms + MINUTE_MS - 1) / MINUTE_MS));
    else
        str_addf(out, "%lld s", (long long)((ms + 999) / 1000));
}

void import_progress(const struct import *import, struct str *out) {
    struct import_counts counts = import_count(import);
    str_addf(out, "%zu row%s: ", import->rows.n, plural_s(import->rows.n));
    import_tell_add_counts(&counts, out);
    if (import->throttled && import->stage == IMPORT_RUNNING)
        str_add(out, "; the service asks to wait");
    if (import->sent > 0 && import->sending_ms > 0) {
        str_addf(out, "; %lld a minute", (long long)import->sent * MINUTE_MS / (long long)import->sending_ms);
        if (counts.left > 0 && import->stage != IMPORT_ENDED) {
            str_add(out, ", about ");
            import_tell_add_time(import->sending_ms * (int64_t)counts.left / (int64_t)import->sent, out);
            str_add(out, " left");
        }
    }
}

size_t import_unknown_records(const struct import *import, struct str *out) {
    enum { TOLD = 5 };
    size_t n = 0;
    for (size_t i = 0; i < import->rows.n; i++) {
        const struct import_row *row = &import->rows.items[i];
        if (row->state == IMPORT_UNKNOWN && row->record > 0 && n++ < TOLD)
            str_addf(out, "%s%" PRId64, n > 1 ? ", " : "", row->record);
    }
    for (size_t i = 0; i < import->results.n; i++) {
        const struct import_result *gone = &import->results.items[i];
        if (gone->state == IMPORT_UNKNOWN && n++ < TOLD)
            str_addf(out, "%s%" PRId64, n > 1 ? ", " : "", gone->record);
    }
    if (n > TOLD)
        str_addf(out, " and %zu more", n - TOLD);
    return n;
}

enum err import_unknown(const struct import *import, const char *before, const char *after, struct error *error) {
    struct import_counts counts = import_count(import);
    size_t unknown = counts.of[IMPORT_UNKNOWN] + counts.gone_unknown;
    struct str records;
    str_init(&records, RECORDS_BYTES);
    size_t n = import_unknown_records(import, &records);
    (void)error_set(
        error, ERR_UNKNOWN,
        "%s%sof %zu row%s it is not known whether %s created: bursar activity resolve %s settles %s%s%s%s%s", before,
        *before ? "; " : "", unknown, plural_s(unknown), unknown == 1 ? "it was" : "they were",
        n == 1 ? records.s : "N", unknown == 1 ? "it" : "each", n > 1 ? " (records " : "", n > 1 ? records.s : "",
        n > 1 ? ")" : "", after);
    str_clear(&records);
    return ERR_UNKNOWN;
}

void import_tell_gone(const struct import *import, struct str *out) {
    for (size_t i = 0; i < import->results.n; i++) {
        const struct import_result *gone = &import->results.items[i];
        str_addf(out,
                 "record %" PRId64
                 " (%s%s%s) is of a row that is not in the file any more: it was changed, which makes "
                 "a new row of it, or taken out\n",
                 gone->record, import_state_name(gone->state), gone->id ? " as " : "", gone->id ? gone->id : "");
    }
}

/* Unknown outcomes are reported first; then why the run stopped, what the service refused, what was refused here. */
enum err import_verdict(const struct import *import, struct error *error) {
    struct import_counts counts = import_count(import);
    size_t refused = counts.of[IMPORT_REFUSED], bad = counts.of[IMPORT_BAD];
    const char *stop = import->stop.text, *rest = import->stopping ? "; --resume goes on with the rest" : "";
    if (counts.of[IMPORT_UNKNOWN] + counts.gone_unknown > 0)
        return import_unknown(import, stop, rest, error);
    if (import->stop.code != ERR_OK)
        return error_set(error, import->stop.code, "%s%s", stop, rest);
    if (refused > 0)
        return error_set(error, ERR_REFUSED, "the service refused %zu row%s", refused, plural_s(refused));
    return bad == 0 ? ERR_OK
                    : error_set(error, ERR_INVALID, "%zu row%s not sent: put right what %s refused for", bad,
                                bad == 1 ? " was" : "s were", bad == 1 ? "it was" : "they were");
}
