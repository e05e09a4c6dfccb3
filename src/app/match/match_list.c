#include "match_own.h"

#include "base/mem.h"

#include <string.h>

/* What came of a match as lines and sums, for the command line and for the console. */

enum { NAMED = 10 /* candidates */ };

const struct match_row *match_line_row(const struct match *match, const struct match_line *line) {
    return line->row != MATCH_NOWHERE ? &match->rows.items[line->row] : NULL;
}

const struct match_intent *match_line_intent(const struct match *match, const struct match_line *line) {
    return line->intent != MATCH_NOWHERE ? &match->intents.items[line->intent] : NULL;
}

void match_list(const struct match *match, enum match_outcome outcome, struct match_lines *out) {
    bool partners = outcome == MATCH_MATCHED || outcome == MATCH_DIFFERING;
    for (size_t i = 0; i < match->rows.n; i++) {
        const struct match_row *row = &match->rows.items[i];
        if (row->outcome == outcome)
            *vec_add(out) = (struct match_line){i, partners ? match->candidates[row->first].intent : MATCH_NOWHERE};
    }
    for (size_t i = 0; !partners && i < match->intents.n; i++)
        if (match->intents.items[i].outcome == outcome)
            *vec_add(out) = (struct match_line){MATCH_NOWHERE, i};
}

void match_list_candidates(const struct match *match, size_t row, struct match_lines *out) {
    const struct match_row *of = &match->rows.items[row];
    for (size_t i = 0; i < of->n; i++)
        *vec_add(out) = (struct match_line){MATCH_NOWHERE, match->candidates[of->first + i].intent};
}

size_t match_line_candidates(const struct match *match, const struct match_line *line) {
    const struct match_row *row = match_line_row(match, line);
    const struct match_intent *intent = row ? NULL : match_line_intent(match, line);
    if (row)
        return row->outcome == MATCH_AMBIGUOUS ? row->n : 0;
    return intent && intent->outcome == MATCH_AMBIGUOUS ? intent->n : 0;
}

static void say_money(const struct match *match, bool has_amount, int64_t amount, const char *currency,
                      struct str *out) {
    str_add(out, "  ");
    if (has_amount)
        money_format(out, amount, currency, &match->options.money);
    else
        str_add(out, "-");
    str_addf(out, " %s", currency ? currency : "-");
}

/* row NULL: of an intent. */
static void say_candidates(const struct match *match, const struct match_row *row, size_t n, struct str *out) {
    const struct match_candidate *candidates = row ? match->candidates + row->first : NULL;
    if (n == 0)
        return;
    str_addf(out, "  %zu candidate%s%s", n, plural_s(n), row ? ": " : " in the file");
    for (size_t i = 0; candidates && i < n && i < NAMED; i++) {
        const char *id = match->intents.items[candidates[i].intent].id;
        str_addf(out, "%s%s", i > 0 ? " " : "", id ? id : "?");
    }
    str_add(out, row && n > NAMED ? " ..." : "");
}

void match_say_line(const struct match *match, const struct match_line *line, struct str *out) {
    const struct match_row *row = match_line_row(match, line);
    const struct match_intent *intent = match_line_intent(match, line);
    if (row) {
        const char *id = match_row_text(match, line->row, QUERY_ID_FIELD);
        str_addf(out, "line %zu", row->line);
        if (id && !intent)
            str_addf(out, "  %s", id);
        say_money(match, row->has_amount, row->amount, match_row_currency(match, line->row), out);
    }
    if (intent) {
        str_addf(out, "%s%s", row ? "  " : "", intent->id ? intent->id : "(no id)");
        if (!row)
            say_money(match, intent->has_amount, intent->amount, intent->currency, out);
        str_addf(out, "  %s", intent->status ? intent->status : "-");
    }
    if (row && row->outcome == MATCH_DIFFERING) {
        str_add(out, "  ");
        match_differences(match, line->row, &match->options.money, out);
    }
    say_candidates(match, row, match_line_candidates(match, line), out);
}

/* ---- Sums ---- */

void match_sums(const struct match *match, enum match_outcome outcome, struct match_sums *out) {
    for (size_t i = 0; i < match->totals.n; i++) {
        const struct match_total *total = &match->totals.items[i];
        if (total->outcome != outcome)
            continue;
        const struct match_total *other = match_other_side(match, total);
        if (!total->here || !other)
            *vec_add(out) =
                (struct match_sum){total->currency, total->here ? other : total, total->here ? total : other};
    }
}

void match_say_sum(const struct match *match, const struct match_total *total, struct str *out) {
    bool some = total && total->without < total->rows;
    if (some && total->overflow)
        str_add(out, "beyond 64 bits");
    else if (some)
        money_format(out, total->sum, total->currency, &match->options.money);
    if (total && total->without > 0)
        str_addf(out, "%s(%zu without)", some ? " " : "", total->without);
}

/* ---- How it was read ---- */

void match_say_reading(const struct match *match, struct str *out) {
    size_t lacking = 0;
    if (match->notes)
        str_addf(out, "the file was read otherwise than as a plain CSV: %s\n", match->notes);
    if (match->left_out.len > 0)
        str_addf(out, "columns that are not compared: %s\n", match->left_out.s);
    for (size_t i = 0; i < match->n_fields; i++)
        if (match->fields[i].code == QUERY_CREATED_FIELD)
            str_addf(out, "a day of the file is one of %s, and so is a time without a zone\n",
                     match->options.zone_words ? match->options.zone_words : "UTC");
    for (size_t i = 0; i < match->rows.n; i++)
        lacking += match->rows.items[i].lacks;
    if (lacking > 0)
        str_addf(out, "%zu row%s no value of %s, and so no partner\n", lacking, lacking == 1 ? " has" : "s have",
                 match_word(&match->options, MATCH_WORD_ON));
}
