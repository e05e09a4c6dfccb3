#include "own.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Columns of TEAM_RECORD_COLUMNS. */
enum {
    AT_ID,
    AT_CONSOLE,
    AT_AT,
    AT_STORED,
    AT_LATE,
    AT_WHO,
    AT_HOST,
    AT_PROFILE,
    AT_ENVIRONMENT,
    AT_ORIGIN,
    AT_ACCOUNT,
    AT_OPERATION,
    AT_IDEMPOTENCY,
    AT_IMPORT,
    AT_LINE,
    AT_REPEATS,
    AT_URL,
    AT_FINGERPRINT,
    AT_OUTCOME,
    AT_STATUS,
    AT_RESPONSE_ID,
    AT_MESSAGE,
    AT_NOTE,
    AT_MARK_STORED,
    AT_MARK_WHO,
    AT_MARK_HOST,
};

enum { TEXT_MAX_BYTES = 4096 };

enum outcome team_outcome_of(const char *name) {
    int outcome = name ? outcome_find(name) : OUTCOME_SENDING;
    return outcome < 0 ? OUTCOME_UNKNOWN : (enum outcome)outcome;
}

char *team_clean(struct arena *arena, const struct team_rows *rows, int row, int column) {
    const char *text = team_text(rows, row, column);
    struct str clean;
    if (!text)
        return NULL;
    str_init(&clean, TEXT_MAX_BYTES);
    utf8_sanitise(&clean, text, strlen(text));
    char *kept = arena_dup_n(arena, clean.s, clean.len);
    str_clear(&clean);
    return kept;
}

static struct outcome_event last_event(struct outcome_records *out, const struct team_rows *rows, int row, int64_t at) {
    const char *note = team_clean(&out->arena, rows, row, AT_NOTE);
    const char *outcome = team_text(rows, row, AT_OUTCOME);
    return (struct outcome_event){.at = outcome ? team_number(rows, row, AT_MARK_STORED) : at,
                                  .outcome = team_outcome_of(outcome),
                                  .status = (int)team_number(rows, row, AT_STATUS),
                                  .response_id = team_clean(&out->arena, rows, row, AT_RESPONSE_ID),
                                  .message = team_clean(&out->arena, rows, row, AT_MESSAGE),
                                  .who = note ? team_clean(&out->arena, rows, row, AT_MARK_WHO) : NULL,
                                  .note = note};
}

/* The store's clock counts, so that a console's wrong one misleads nobody; a record that came afterwards has its own
 * time alone. */
static void take_record_row(const struct team *team, const struct team_rows *rows, int row, const char *match,
                            struct outcome_records *out) {
    bool late = team_number(rows, row, AT_LATE) != 0;
    int64_t at = team_number(rows, row, late ? AT_AT : AT_STORED);
    bool own = str_equal(team_text(rows, row, AT_CONSOLE), team->place.console);
    struct outcome_record record = {
        .at = at,
        .who = team_clean(&out->arena, rows, row, AT_WHO),
        .host = own ? NULL : team_clean(&out->arena, rows, row, AT_HOST),
        .profile = team_clean(&out->arena, rows, row, AT_PROFILE),
        .environment = team_clean(&out->arena, rows, row, AT_ENVIRONMENT),
        .origin = team_clean(&out->arena, rows, row, AT_ORIGIN),
        .account = team_clean(&out->arena, rows, row, AT_ACCOUNT),
        .operation = team_clean(&out->arena, rows, row, AT_OPERATION),
        .idempotency = team_clean(&out->arena, rows, row, AT_IDEMPOTENCY),
        .import = team_clean(&out->arena, rows, row, AT_IMPORT),
        .line = team_number(rows, row, AT_LINE),
        .url = team_clean(&out->arena, rows, row, AT_URL),
        .fingerprint = team_clean(&out->arena, rows, row, AT_FINGERPRINT),
        .match = outcome_dup(out, match),
        .team = team_clean(&out->arena, rows, row, AT_ID),
        .late = late,
    };
    record.n = outcome_team_number(record.team);
    record.last = last_event(out, rows, row, at);
    record.settled = record.last.note != NULL;
    *vec_add(out) = record;
}

void team_take_records(const struct team *team, const struct team_rows *rows, const char *match,
                       struct outcome_records *out) {
    for (int row = 0; row < rows->n; row++)
        take_record_row(team, rows, row, match, out);
}
