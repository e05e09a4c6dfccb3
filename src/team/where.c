#include "where.h"

#include "arrays.h"
#include "columns.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHERE_TEXT_MAX = 1 << 20, ALL_TEXT_MAX = 16 << 20 };

static const char *const PIECES[] = {
#define X(name, piece) piece,
    TEAM_PIECE_TABLE(X)
#undef X
};

void where_init(struct where *where, struct team *team, int64_t scope) {
    *where = (struct where){.team = team, .scope = scope};
    str_init(&where->text, WHERE_TEXT_MAX);
}

void where_clear(struct where *where) {
    for (size_t i = 0; i < QUERY_FIELD_COUNT; i++)
        if (where->has_words[i])
            team_rows_clear(&where->words[i]);
    arena_clear(&where->arena);
    str_clear(&where->text);
    free(where->values.items);
}

void where_add(struct where *where, enum team_piece piece, const char *column, const char *value) {
    char number[24];
    if (strchr(PIECES[piece], '#'))
        *vec_add(&where->values) = arena_dup_n(&where->arena, value ? value : "", value ? strlen(value) : 0);
    snprintf(number, sizeof number, "$%zu", where->values.n);
    for (const char *at = PIECES[piece]; *at; at++)
        if (*at == '#')
            str_add(&where->text, number);
        else if (*at == '@')
            str_add(&where->text, column);
        else
            str_add_char(&where->text, *at);
}

void where_add_number(struct where *where, enum team_piece piece, const char *column, int64_t number) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)number);
    where_add(where, piece, column, text);
}

void where_add_after(struct where *where, int64_t created, const char *id) {
    where_add_number(where, PIECE_AFTER_TIME, NULL, created);
    where_add(where, PIECE_AFTER_ID, NULL, id);
}

static void add_piece(struct where *where, enum team_piece piece) {
    where_add(where, piece, NULL, NULL);
}

enum err where_run(struct where *where, struct team_rows *rows, struct error *error) {
    *rows = (struct team_rows){0};
    if (where->text.truncated)
        return error_set(error, ERR_LIMIT, "the filter is too long for the team's store");
    return team_run_made(&where->team->connection, where->text.s, (int)where->values.n, where->values.items, rows,
                         error);
}

static enum err cannot_ask(const char *what, struct error *error) {
    return error_set(
        error, ERR_INVALID,
        "the team's store cannot be asked for `%s`, which it keeps sealed or does not know: leave it out, or "
        "ask what this machine holds",
        what);
}

/* ---- words ---- */

static enum err words_of(struct where *where, enum query_field_code field, const char *column,
                         const struct team_rows **out, struct error *error) {
    enum err err = ERR_OK;
    if (!where->has_words[field]) {
        struct team_values values = {0};
        team_value_number(&values, where->scope);
        team_value(&values, column);
        err = team_run(&where->team->connection, TSQL_WORDS_OF, &values, &where->words[field], error);
        where->has_words[field] = err == ERR_OK;
    }
    *out = &where->words[field];
    return err;
}

/* The words for which `takes` holds, as a test of the column. */
typedef bool takes_fn(const void *of, const char *word);

static void add_fitting_words(struct where *where, const char *column, const struct team_rows *words, takes_fn *takes,
                              const void *of) {
    struct str list;
    const char *one = NULL;
    size_t n = 0;
    str_init(&list, ALL_TEXT_MAX);
    array_begin(&list);
    for (int i = 0; i < words->n; i++) {
        const char *word = team_text(words, i, 0);
        if (!takes(of, word))
            continue;
        one = word;
        n++;
        array_add_text(&list, word, strlen(word));
    }
    array_end(&list);
    if (n == 0)
        add_piece(where, PIECE_NEVER);
    else
        where_add(where, n == 1 ? PIECE_IS : PIECE_IS_ONE_OF, column, n == 1 ? one : list.s);
    str_clear(&list);
}

static bool test_takes(const void *of, const char *word) {
    return query_test_text(of, word, strlen(word));
}

static enum err add_word_test(struct where *where, const struct query_test *test, const char *column,
                              struct error *error) {
    const struct team_rows *words;
    enum err err = words_of(where, test->field, column, &words, error);
    if (err == ERR_OK)
        add_fitting_words(where, column, words, test_takes, test);
    return err;
}

/* ---- ids ---- */

/* A text behind all that begin so, for the index; "" where there is none. */
static void behind_prefix(const struct query_needle *needle, struct str *out) {
    size_t len = needle->len;
    while (len > 0 && (unsigned char)needle->text[len - 1] >= 0x7e)
        len--;
    str_add_n(out, needle->text, len);
    if (len > 0)
        out->s[len - 1]++;
}

static void add_prefix(struct where *where, const char *column, const struct query_needle *needle) {
    struct str end;
    str_init(&end, WHERE_TEXT_MAX);
    behind_prefix(needle, &end);
    where_add(where, PIECE_FROM, column, needle->text);
    if (end.len > 0) {
        add_piece(where, PIECE_AND);
        where_add(where, PIECE_BEFORE, column, end.s);
    }
    add_piece(where, PIECE_AND);
    where_add(where, PIECE_BEGINS, column, needle->text);
    str_clear(&end);
}

static void add_needle(struct where *where, const char *column, const struct query_needle *needle) {
    add_piece(where, PIECE_OPENS);
    if (needle->sense == QUERY_PREFIX && needle->len > 0)
        add_prefix(where, column, needle);
    else if (needle->sense == QUERY_SUFFIX)
        where_add(where, PIECE_ENDS, column, needle->text);
    else if (needle->sense == QUERY_EQUAL)
        where_add(where, PIECE_IS, column, needle->text);
    else
        where_add(where, PIECE_HOLDS, column, needle->text);
    add_piece(where, PIECE_CLOSES);
}

static void add_id_list(struct where *where, const char *column, const struct query_test *test) {
    struct str list;
    str_init(&list, ALL_TEXT_MAX);
    array_begin(&list);
    for (size_t i = 0; i < test->n_needles; i++)
        array_add_text(&list, test->needles[i].text, test->needles[i].len);
    array_end(&list);
    where_add(where, PIECE_IS_ONE_OF, column, list.s);
    str_clear(&list);
}

static void add_ids(struct where *where, const struct query_test *test, const char *column) {
    if (test->sorted) {
        add_id_list(where, column, test);
        return;
    }
    for (size_t i = 0; i < test->n_needles; i++) {
        if (i > 0)
            add_piece(where, PIECE_OR);
        add_needle(where, column, &test->needles[i]);
    }
    if (test->n_needles == 0)
        add_piece(where, PIECE_NEVER);
}

/* ---- numbers and times ---- */

static void add_number_range(struct where *where, const char *column, const struct query_range *range, int class) {
    add_piece(where, PIECE_OPENS);
    where_add_number(where, PIECE_AT_LEAST, column, range->low[class]);
    add_piece(where, PIECE_AND);
    where_add_number(where, PIECE_AT_MOST, column, range->high[class]);
    add_piece(where, PIECE_CLOSES);
}

static void add_ranges(struct where *where, const struct query_test *test, const char *column, int class) {
    bool any = false;
    add_piece(where, PIECE_OPENS);
    for (size_t i = 0; i < test->n_ranges; i++) {
        if (test->ranges[i].low[class] > test->ranges[i].high[class])
            continue;
        if (any)
            add_piece(where, PIECE_OR);
        add_number_range(where, column, &test->ranges[i], class);
        any = true;
    }
    if (!any)
        add_piece(where, PIECE_NEVER);
    add_piece(where, PIECE_CLOSES);
    if (test->other)
        add_piece(where, PIECE_NOT);
}

static bool classes_are_alike(const struct query_test *test, int n) {
    for (size_t i = 0; i < test->n_ranges; i++)
        for (int class = 1; class < n; class ++)
            if (test->ranges[i].low[class] != test->ranges[i].low[0] ||
                test->ranges[i].high[class] != test->ranges[i].high[0])
                return false;
    return true;
}

struct of_class {
    const struct query_plan *plan;
    int class;
};

static bool class_takes(const void *of, const char *word) {
    const struct of_class *wanted = of;
    return query_exponent_class(&wanted->plan->context, word, strlen(word)) == wanted->class;
}

/* An amount in decimals means another integer in each currency. */
static enum err add_money(struct where *where, const struct query_plan *plan, const struct query_test *test,
                          const char *column, struct error *error) {
    const struct team_rows *words;
    enum err err = words_of(where, QUERY_CURRENCY_FIELD, "currency", &words, error);
    where_add(where, PIECE_IS_THERE, column, NULL);
    add_piece(where, PIECE_AND);
    if (err != ERR_OK || classes_are_alike(test, QUERY_CLASS_COUNT)) {
        add_ranges(where, test, column, 0);
        return err;
    }
    add_piece(where, PIECE_OPENS);
    for (int class = 0; class < QUERY_CLASS_COUNT; class ++) {
        struct of_class wanted = {plan, class};
        add_piece(where, class > 0 ? PIECE_OR : PIECE_OPENS);
        if (class > 0)
            add_piece(where, PIECE_OPENS);
        add_piece(where, PIECE_OPENS);
        add_fitting_words(where, "currency", words, class_takes, &wanted);
        if (class == QUERY_CLASS_NONE) {
            add_piece(where, PIECE_OR);
            add_piece(where, PIECE_NO_CURRENCY);
        }
        add_piece(where, PIECE_CLOSES);
        add_piece(where, PIECE_AND);
        add_piece(where, PIECE_OPENS);
        add_ranges(where, test, column, class);
        add_piece(where, PIECE_CLOSES);
        add_piece(where, PIECE_CLOSES);
    }
    add_piece(where, PIECE_CLOSES);
    return ERR_OK;
}

static void add_dated(struct where *where) {
    where_add_number(where, PIECE_AT_LEAST, "created", 0);
    add_piece(where, PIECE_AND);
}

static void add_created(struct where *where, const struct query_test *test) {
    if (classes_are_alike(test, QUERY_TIME_BARE + 1)) {
        add_dated(where);
        add_ranges(where, test, "created", QUERY_TIME_ZONED);
        return;
    }
    for (int class = QUERY_TIME_ZONED; class <= QUERY_TIME_BARE; class ++) {
        add_piece(where, class == QUERY_TIME_ZONED ? PIECE_OPENS : PIECE_OR);
        if (class == QUERY_TIME_BARE)
            add_piece(where, PIECE_OPENS);
        where_add_number(where, class == QUERY_TIME_ZONED ? PIECE_NO_FLAG : PIECE_FLAG, NULL, CELLS_CREATED_BARE);
        add_piece(where, PIECE_AND);
        add_dated(where);
        add_ranges(where, test, "created", class);
        add_piece(where, PIECE_CLOSES);
    }
}

/* ---- flags ---- */

static const struct {
    enum query_flag flag;
    unsigned cells;
} FLAGS[] = {
    {QUERY_HAS_DISPUTE, CELLS_HAS_DISPUTE},       {QUERY_HAS_REFUND, CELLS_HAS_REFUND},
    {QUERY_HAS_AMOUNT, CELLS_AMOUNT_OK},          {QUERY_HAS_GUARANTEE, CELLS_GUARANTEE_OK},
    {QUERY_HAS_CREDENTIAL, CELLS_HAS_CREDENTIAL}, {QUERY_HAS_UNKNOWN, CELLS_HAS_UNKNOWN},
    {QUERY_IS_ARCHIVED, CELLS_ARCHIVED},
};

static const char *column_of_text(enum cells_text text) {
    for (size_t i = 0; i < TEAM_WORDS; i++)
        if (TEAM_WORD_COLUMNS[i].text == text)
            return TEAM_WORD_COLUMNS[i].name;
    for (size_t i = 0; i < TEAM_IDS; i++)
        if (TEAM_ID_COLUMNS[i].text == text)
            return TEAM_ID_COLUMNS[i].name;
    return text == CELLS_ID ? "id" : NULL;
}

static bool add_flag(struct where *where, enum query_flag flag) {
    for (size_t i = 0; i < COUNT_OF(FLAGS); i++)
        if (FLAGS[i].flag == flag) {
            where_add_number(where, PIECE_FLAG, NULL, FLAGS[i].cells);
            return true;
        }
    enum cells_text text = query_flag_text(flag);
    const char *column = text < CELLS_TEXT_COUNT ? column_of_text(text) : NULL;
    if (column)
        where_add(where, PIECE_IS_THERE, column, NULL);
    return column != NULL;
}

static enum err add_flag_tests(struct where *where, const struct query_test *test, struct error *error) {
    bool any = false;
    for (unsigned i = 0; i < QUERY_FLAG_COUNT; i++) {
        if (!(test->flags & QUERY_FLAG_BIT(i)))
            continue;
        if (any)
            add_piece(where, PIECE_OR);
        if (!add_flag(where, (enum query_flag)i)) {
            const struct query_flag_info *info = query_flag_info((enum query_flag)i);
            char term[64];
            snprintf(term, sizeof term, "%s:%s", query_field(test->field)->name, info->name);
            return cannot_ask(term, error);
        }
        any = true;
    }
    return ERR_OK;
}

/* ---- the tree ---- */

static enum err add_text_test(struct where *where, const struct query_test *test, struct error *error) {
    const struct query_field *field = query_field(test->field);
    const char *column = field->column < CELLS_TEXT_COUNT ? column_of_text(field->column) : NULL;
    if (!column)
        return cannot_ask(field->name, error);
    if (field->type != QUERY_ID)
        return add_word_test(where, test, column, error);
    add_ids(where, test, column);
    return ERR_OK;
}

static enum err add_test(struct where *where, const struct query_plan *plan, const struct query_test *test,
                         struct error *error) {
    switch (test->field) {
    case QUERY_ANY_FIELD:
        return error_set(
            error, ERR_INVALID,
            "the team's store cannot be asked for a bare word, which may stand in what it keeps sealed: name "
            "a field, as in bank:WORD or user:ID");
    case QUERY_AMOUNT_FIELD:
        return add_money(where, plan, test, "amount", error);
    case QUERY_GUARANTEE_FIELD:
        return add_money(where, plan, test, "guarantee", error);
    case QUERY_CREATED_FIELD:
    case QUERY_AGE_FIELD:
        add_created(where, test);
        return ERR_OK;
    case QUERY_HAS_FIELD:
    case QUERY_IS_FIELD:
    case QUERY_FINDING_FIELD:
        return add_flag_tests(where, test, error);
    default:
        return add_text_test(where, test, error);
    }
}

static enum err add_step(struct where *where, const struct query_plan *plan, const struct query_step *step,
                         struct error *error) {
    enum err err = ERR_OK;
    add_piece(where, PIECE_OPENS);
    if (step->kind == QUERY_TERM || step->kind == QUERY_SEARCH)
        err = add_test(where, plan, &step->test, error);
    else if (!step->first)
        add_piece(where, step->kind == QUERY_ALL ? PIECE_ALWAYS : PIECE_NEVER);
    for (const struct query_step *child = step->first; child && err == ERR_OK; child = child->next) {
        if (child != step->first)
            add_piece(where, step->kind == QUERY_ANY ? PIECE_OR : PIECE_AND);
        err = add_step(where, plan, child, error);
    }
    add_piece(where, PIECE_CLOSES);
    if (step->kind == QUERY_NOT)
        add_piece(where, PIECE_NOT);
    return err;
}

enum err where_add_plan(struct where *where, const struct query_plan *plan, struct error *error) {
    if (!plan || !plan->root)
        return ERR_OK;
    add_piece(where, PIECE_AND);
    return add_step(where, plan, plan->root, error);
}
