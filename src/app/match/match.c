#include "match_own.h"

#include "app/idset.h"
#include "app/texts.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 1 << 16, LEFT_OUT_MAX = 1024 };

static const struct {
    const char *name, *title;
} OUTCOMES[MATCH_OUTCOMES] = {
    [MATCH_MATCHED] = {"matched", "matched"},       [MATCH_DIFFERING] = {"differing", "differing"},
    [MATCH_AMBIGUOUS] = {"ambiguous", "ambiguous"}, [MATCH_ONLY_FILE] = {"only-file", "only in the file"},
    [MATCH_ONLY_HERE] = {"only-here", "only here"},
};

const char *match_outcome_name(enum match_outcome outcome) {
    return OUTCOMES[outcome].name;
}

const char *match_outcome_title(enum match_outcome outcome) {
    return OUTCOMES[outcome].title;
}

/* On the command line, and in the console's form. */
static const char *const WORDS[MATCH_WORDS][2] = {
    [MATCH_WORD_ON] = {"--on", "Match on"},
    [MATCH_WORD_ON_FIELDS] = {"--on FIELDS", "Match on"},
    [MATCH_WORD_MAP] = {"--map FILE", "a mapping file"},
    [MATCH_WORD_CURRENCY] = {"--currency", "Currency"},
    [MATCH_WORD_CURRENCY_CODE] = {"--currency CODE", "Currency"},
    [MATCH_WORD_DECIMAL] = {"--decimal point or comma", "Decimal mark"},
    [MATCH_WORD_AMOUNTS] = {"--amounts raw or major", "Amounts"},
    [MATCH_WORD_RAW] = {"--amounts raw", "Amounts as integers"},
    [MATCH_WORD_DAYS] = {"--days dmy or mdy", "Days"},
};

const char *match_word(const struct match_options *options, enum match_word word) {
    return WORDS[word][options->console];
}

const char *match_keep(struct match *match, const char *text, size_t len) {
    return texts_keep(match->texts, text, len);
}

struct match *match_new(const struct match_options *options) {
    struct match *match = mem_new(sizeof *match);
    match->options = *options;
    match->options.zone_words =
        options->zone_words ? arena_dup_n(&match->arena, options->zone_words, strlen(options->zone_words)) : NULL;
    match->options.on = options->on ? arena_dup_n(&match->arena, options->on, strlen(options->on)) : NULL;
    match->groups = idset_new();
    match->texts = texts_new();
    if (options->currency)
        match->options.currency = match_keep(match, options->currency, strlen(options->currency));
    str_init(&match->left_out, LEFT_OUT_MAX);
    str_init(&match->key, KEY_MAX);
    return match;
}

void match_free(struct match *match) {
    if (!match)
        return;
    texts_free(match->texts);
    idset_free(match->groups);
    headings_clear(&match->map);
    str_clear(&match->left_out);
    str_clear(&match->key);
    free(match->notes);
    free(match->rows.items);
    free(match->row_texts);
    free(match->intents.items);
    free(match->intent_texts);
    free(match->candidates);
    free(match->totals.items);
    arena_clear(&match->arena);
    free(match);
}

/* ---- Row by row ---- */

/* Rows of one key are a group. Only keys of the table make one: an intent without is only here. */
void match_begin(struct match *match) {
    struct str *key = &match->key;
    idset_reset(match->groups);
    texts_begin(match->texts);
    match->n_groups = match->intents.n = match->totals.n = 0;
    for (size_t i = 0; i < match->rows.n; i++) {
        struct match_row *row = &match->rows.items[i];
        str_reset(key);
        row->n = row->differing = 0;
        row->outcome = MATCH_ONLY_FILE;
        row->group = SIZE_MAX;
        if (row->lacks || !match_key_of_row(match, i, key))
            continue;
        row->group = match->n_groups;
        if (idset_put(match->groups, key->s, key->len, match->n_groups))
            match->n_groups++;
        else
            row->group = idset_find(match->groups, key->s, key->len);
    }
}

static struct cells_slice match_slice_of(const struct cells *cells, enum query_field_code code) {
    if (code == QUERY_MASK_FIELD && !cells->text[CELLS_CARD_MASK].s)
        return cells->text[CELLS_ACCOUNT_MASK];
    struct cells_slice none = {0};
    enum cells_text column = query_field(code)->column;
    return column == CELLS_TEXT_COUNT ? none : cells->text[column];
}

static void match_take_texts(struct match *match, size_t at, const struct cells *cells, const char *id) {
    size_t n = match->n_fields;
    if (match->intents.cap * n > match->intent_texts_cap) {
        match->intent_texts_cap = match->intents.cap * n;
        match->intent_texts = mem_resize(match->intent_texts, match->intent_texts_cap, sizeof *match->intent_texts);
    }
    for (size_t i = 0; i < n; i++) {
        enum query_field_code code = match->fields[i].code;
        match->intent_texts[at * n + i] =
            code == QUERY_ID_FIELD ? id : texts_keep_slice(match->texts, match_slice_of(cells, code));
    }
}

void match_take(struct match *match, int64_t key, const struct cells *cells) {
    size_t at = match->intents.n;
    struct match_intent *intent = vec_add(&match->intents);
    struct cells_slice id = cells->text[CELLS_ID];
    bool dated = cells->flags & CELLS_CREATED_OK;
    *intent = (struct match_intent){.key = key,
                                    .created = dated ? cells->created_ms : CLOCK_NONE,
                                    .has_amount = cells->flags & CELLS_AMOUNT_OK,
                                    .amount = cells->amount,
                                    .id = id.s ? arena_dup_n(&match->arena, id.s, id.len) : NULL,
                                    .currency = texts_keep_slice(match->texts, cells->text[CELLS_CURRENCY]),
                                    .status = texts_keep_slice(match->texts, cells->text[CELLS_STATUS]),
                                    .outcome = MATCH_ONLY_HERE,
                                    .group = SIZE_MAX,
                                    .row = SIZE_MAX};
    intent->at = intent->created;
    if (dated && (cells->flags & CELLS_CREATED_BARE))
        intent->at = match_bare_instant(&match->options.zone, intent->created);
    match_take_texts(match, at, cells, intent->id);
    str_reset(&match->key);
    if (match_key_of_intent(match, at, &match->key))
        intent->group = idset_find(match->groups, match->key.s, match->key.len);
}

/* ---- What came of it ---- */

bool match_is_clean(const struct match *match) {
    return match->n_rows[MATCH_MATCHED] == match->rows.n && match->n_intents[MATCH_MATCHED] == match->intents.n;
}

const char *match_row_text(const struct match *match, size_t row, enum query_field_code code) {
    for (size_t i = 0; i < match->n_fields; i++)
        if (match->fields[i].code == code)
            return match->row_texts[row * match->n_fields + i];
    return NULL;
}

const char *match_row_currency(const struct match *match, size_t row) {
    const char *text = match_row_text(match, row, QUERY_CURRENCY_FIELD);
    return text ? text : match->options.currency;
}

static void match_add_amount(int64_t amount, const char *currency, const struct money_rule *money, struct str *out) {
    if (money)
        money_format(out, amount, currency, money);
    else
        str_addf(out, "%" PRId64, amount);
}

static void add_value_here(const struct match *match, size_t field, size_t at, const struct money_rule *money,
                           struct str *out) {
    const struct match_intent *intent = &match->intents.items[at];
    const char *text = match->intent_texts[at * match->n_fields + field];
    if (match->fields[field].code == QUERY_AMOUNT_FIELD && intent->has_amount)
        match_add_amount(intent->amount, intent->currency, money, out);
    else if (match->fields[field].code == QUERY_CREATED_FIELD && intent->created != CLOCK_NONE)
        clock_format_iso(out, intent->created);
    else
        str_add(out, text ? text : "none");
}

void match_differences(const struct match *match, size_t row, const struct money_rule *money, struct str *out) {
    const struct match_row *of = &match->rows.items[row];
    size_t at = of->n > 0 ? match->candidates[of->first].intent : 0;
    bool first = true;
    for (size_t i = 0; of->outcome == MATCH_DIFFERING && i < match->n_fields; i++) {
        const char *text = match->row_texts[row * match->n_fields + i];
        if (!(of->differing >> i & 1))
            continue;
        str_addf(out, "%s%s ", first ? "" : "; ", query_field(match->fields[i].code)->name);
        first = false;
        if (text && match->fields[i].code == QUERY_AMOUNT_FIELD)
            match_add_amount(of->amount, match_row_currency(match, row), money, out);
        else
            str_add(out, text ? text : "none");
        str_add(out, " in the file, ");
        add_value_here(match, i, at, money, out);
        str_add(out, " here");
    }
}
