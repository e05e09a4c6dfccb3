#include "match_own.h"

#include "base/ascii.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- What two have in common ---- */

static bool is_exact(const struct match_field *field) {
    return field->on && field->code != QUERY_CREATED_FIELD;
}

/* Ids are compared as they are; of words the case is nothing. */
static void add_folded(struct str *out, enum query_field_code code, const char *text) {
    if (code == QUERY_MASK_FIELD)
        text = match_mask_tail(text);
    if (query_field(code)->type == QUERY_ID)
        str_add(out, text);
    else
        for (; *text; text++)
            str_add_char(out, ascii_lower(*text));
    str_add_char(out, '\0');
}

bool match_key_of_row(const struct match *match, size_t row, struct str *out) {
    for (size_t i = 0; i < match->n_fields; i++) {
        if (!is_exact(&match->fields[i]))
            continue;
        const char *text = match->row_texts[row * match->n_fields + i];
        if (!text)
            return false;
        if (match->fields[i].code == QUERY_AMOUNT_FIELD)
            str_addf(out, "%" PRId64 " ", match->rows.items[row].amount);
        else
            add_folded(out, match->fields[i].code, text);
    }
    return true;
}

bool match_key_of_intent(const struct match *match, size_t intent, struct str *out) {
    const struct match_intent *of = &match->intents.items[intent];
    for (size_t i = 0; i < match->n_fields; i++) {
        if (!is_exact(&match->fields[i]))
            continue;
        const char *text = match->intent_texts[intent * match->n_fields + i];
        bool is_amount = match->fields[i].code == QUERY_AMOUNT_FIELD;
        if (is_amount ? !of->has_amount : !text)
            return false;
        if (is_amount)
            str_addf(out, "%" PRId64 " ", of->amount);
        else
            add_folded(out, match->fields[i].code, text);
    }
    return true;
}

static bool same_text(enum query_field_code code, const char *a, const char *b) {
    if (!a || !b)
        return a == b;
    if (code == QUERY_MASK_FIELD)
        return strcmp(match_mask_tail(a), match_mask_tail(b)) == 0;
    return query_field(code)->type == QUERY_ID ? strcmp(a, b) == 0 : ascii_compare(a, b) == 0;
}

static bool same_value(const struct match *match, size_t field, size_t row, size_t intent) {
    const struct match_row *left = &match->rows.items[row];
    const struct match_intent *right = &match->intents.items[intent];
    if (match->fields[field].code == QUERY_AMOUNT_FIELD)
        return left->has_amount == right->has_amount && (!left->has_amount || left->amount == right->amount);
    if (match->fields[field].code == QUERY_CREATED_FIELD) {
        bool has = right->created != CLOCK_NONE;
        return left->has_created == has && (!has || (right->at >= left->from && right->at < left->to));
    }
    return same_text(match->fields[field].code, match->row_texts[row * match->n_fields + field],
                     match->intent_texts[intent * match->n_fields + field]);
}

uint32_t match_compare(const struct match *match, size_t row, size_t intent) {
    uint32_t differing = 0;
    for (size_t i = 0; i < match->n_fields; i++)
        if (!match->fields[i].on && !same_value(match, i, row, intent))
            differing |= UINT32_C(1) << i;
    return differing;
}

/* ---- Partners ---- */

/* Rows and intents of one key, as ranges of the arrays below. */
struct join {
    struct match *match;
    size_t *rows;           /* row numbers by group */
    size_t *row_ends;       /* of each group, in rows, */
    size_t *candidate_ends; /* and in match->candidates */
    ptrdiff_t *steps;       /* where the rows' candidates begin and end, of one group */
};

static int match_by_time(const void *a, const void *b) {
    const struct match_candidate *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->intent > y->intent) - (x->intent < y->intent);
}

static int64_t match_later(int64_t time, int64_t by) {
    int64_t sum;
    return __builtin_add_overflow(time, by, &sum) ? (by > 0 ? INT64_MAX : INT64_MIN) : sum;
}

/* The first candidate of [low, high) that is not before a time. */
static size_t first_from(const struct match_candidate *candidates, size_t low, size_t high, int64_t time) {
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (candidates[middle].at < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Candidates of a row are neighbours in the order of time, so that no row is held against each intent by itself. */
static void find_candidates(struct join *join, struct match_row *row, size_t from, size_t to, bool by_created) {
    const struct match *match = join->match;
    size_t low = from, high = to;
    if (by_created) {
        low = first_from(match->candidates, from, to, match_later(row->from, -match->tolerance));
        high = first_from(match->candidates, low, to, match_later(row->to, match->tolerance));
    }
    row->first = low;
    row->n = high - low;
    join->steps[low - from]++;
    join->steps[high - from]--;
}

static void count_rows_of(struct join *join, size_t from, size_t to) {
    struct match *match = join->match;
    ptrdiff_t n = 0;
    for (size_t i = from; i < to; i++) {
        struct match_intent *intent = &match->intents.items[match->candidates[i].intent];
        n += join->steps[i - from];
        intent->n = (size_t)n;
        intent->outcome = n == 0 ? MATCH_ONLY_HERE : MATCH_AMBIGUOUS;
    }
}

static void settle_row(struct match *match, size_t at) {
    struct match_row *row = &match->rows.items[at];
    row->outcome = row->n == 0 ? MATCH_ONLY_FILE : MATCH_AMBIGUOUS;
    for (size_t i = row->first; i < row->first + row->n; i++)
        match->intents.items[match->candidates[i].intent].row = at;
    if (row->n != 1)
        return;
    size_t place = match->candidates[row->first].intent;
    struct match_intent *intent = &match->intents.items[place];
    if (intent->n == 1) {
        row->differing = match_compare(match, at, place);
        row->outcome = intent->outcome = row->differing ? MATCH_DIFFERING : MATCH_MATCHED;
    }
}

static void join_group(struct join *join, size_t group) {
    struct match *match = join->match;
    size_t row = group > 0 ? join->row_ends[group - 1] : 0, row_end = join->row_ends[group];
    size_t from = group > 0 ? join->candidate_ends[group - 1] : 0, to = join->candidate_ends[group];
    bool by_created = false;
    for (size_t i = 0; i < match->n_fields; i++)
        by_created = by_created || (match->fields[i].on && match->fields[i].code == QUERY_CREATED_FIELD);
    if (by_created && to - from > 1)
        qsort(match->candidates + from, to - from, sizeof *match->candidates, match_by_time);
    memset(join->steps, 0, (to - from + 1) * sizeof *join->steps);
    for (size_t i = row; i < row_end; i++)
        find_candidates(join, &match->rows.items[join->rows[i]], from, to, by_created);
    count_rows_of(join, from, to);
    for (size_t i = row; i < row_end; i++)
        settle_row(match, join->rows[i]);
}

/* Ends become starts, and grow to ends again while the places are filled. */
static size_t begin_places(size_t *ends, size_t n) {
    size_t sum = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t count = ends[i];
        most = count > most ? count : most;
        ends[i] = sum;
        sum += count;
    }
    return most;
}

static size_t fill_places(struct join *join) {
    struct match *match = join->match;
    for (size_t i = 0; i < match->rows.n; i++)
        if (match->rows.items[i].group != SIZE_MAX)
            join->row_ends[match->rows.items[i].group]++;
    for (size_t i = 0; i < match->intents.n; i++)
        if (match->intents.items[i].group != SIZE_MAX)
            join->candidate_ends[match->intents.items[i].group]++;
    (void)begin_places(join->row_ends, match->n_groups);
    size_t most = begin_places(join->candidate_ends, match->n_groups);
    for (size_t i = 0; i < match->rows.n; i++)
        if (match->rows.items[i].group != SIZE_MAX)
            join->rows[join->row_ends[match->rows.items[i].group]++] = i;
    for (size_t i = 0; i < match->intents.n; i++) {
        const struct match_intent *intent = &match->intents.items[i];
        if (intent->group != SIZE_MAX)
            match->candidates[join->candidate_ends[intent->group]++] =
                (struct match_candidate){.at = intent->at, .intent = i};
    }
    return most;
}

void match_end(struct match *match) {
    struct join join = {.match = match,
                        .rows = mem_new_array(match->rows.n + 1, sizeof *join.rows),
                        .row_ends = mem_new_array(match->n_groups + 1, sizeof *join.row_ends),
                        .candidate_ends = mem_new_array(match->n_groups + 1, sizeof *join.candidate_ends)};
    free(match->candidates);
    match->candidates = mem_new_array(match->intents.n + 1, sizeof *match->candidates);
    join.steps = mem_new_array(fill_places(&join) + 1, sizeof *join.steps);
    for (size_t i = 0; i < match->n_groups; i++)
        join_group(&join, i);
    free(join.rows);
    free(join.row_ends);
    free(join.candidate_ends);
    free(join.steps);
    match_count(match);
}
