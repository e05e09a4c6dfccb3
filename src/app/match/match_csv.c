/* What came of a match as CSV: a line for each row of the file, with its partner, and for each intent without one. */
#include "match_own.h"

#include "base/clock.h"
#include "base/csv.h"

#include <inttypes.h>
#include <string.h>

enum { TEXT_MAX = 1 << 20, CANDIDATES_NAMED = 10 };

static void match_csv_integer(struct str *out, bool is_there, int64_t number) {
    if (is_there)
        csv_add_integer(out, number);
    else
        csv_add_cell(out, NULL);
}

void match_each_candidate(const struct match *match, const struct match_line *line, struct str *out,
                          void (*add)(struct str *out, const char *id, bool first)) {
    const struct match_row *row = match_line_row(match, line);
    size_t n = row && row->outcome == MATCH_AMBIGUOUS ? row->n : 0;
    for (size_t i = 0; i < n && i < CANDIDATES_NAMED; i++)
        add(out, match->intents.items[match->candidates[row->first + i].intent].id, i == 0);
}

static void add_blank_parted(struct str *out, const char *id, bool first) {
    str_addf(out, "%s%s", first ? "" : " ", id ? id : "?");
}

void match_csv_head(struct str *out) {
    csv_begin(out);
    csv_add_names(out, "outcome,line,file_id,file_amount,file_currency,file_created,id,amount,currency,"
                       "created_at,status,differences,n_candidates,candidates");
    csv_end_row(out);
}

static void add_csv_row(const struct match *match, const struct match_line *line, struct str *out) {
    const struct match_row *row = match_line_row(match, line);
    match_csv_integer(out, row, row ? (int64_t)row->line : 0);
    csv_add_cell(out, row ? match_row_text(match, line->row, QUERY_ID_FIELD) : NULL);
    match_csv_integer(out, row && row->has_amount, row ? row->amount : 0);
    csv_add_cell(out, row ? match_row_currency(match, line->row) : NULL);
    csv_add_cell(out, row ? match_row_text(match, line->row, QUERY_CREATED_FIELD) : NULL);
}

static void add_csv_intent(const struct match_intent *intent, struct str *out) {
    struct str created;
    str_init(&created, TEXT_MAX);
    if (intent && intent->created != CLOCK_NONE)
        clock_format_iso(&created, intent->created);
    csv_add_cell(out, intent ? intent->id : NULL);
    match_csv_integer(out, intent && intent->has_amount, intent ? intent->amount : 0);
    csv_add_cell(out, intent ? intent->currency : NULL);
    csv_add_cell(out, created.s);
    csv_add_cell(out, intent ? intent->status : NULL);
    str_clear(&created);
}

void match_csv_line(const struct match *match, enum match_outcome outcome, const struct match_line *line,
                    struct str *out) {
    size_t n = match_line_candidates(match, line);
    struct str text;
    str_init(&text, TEXT_MAX);
    csv_add_cell(out, match_outcome_name(outcome));
    add_csv_row(match, line, out);
    add_csv_intent(match_line_intent(match, line), out);
    if (line->row != MATCH_NOWHERE)
        match_differences(match, line->row, NULL, &text);
    csv_add_cell(out, text.s);
    match_csv_integer(out, n > 0, (int64_t)n);
    str_reset(&text);
    match_each_candidate(match, line, &text, add_blank_parted);
    csv_add_cell(out, text.s);
    csv_end_row(out);
    str_clear(&text);
}
