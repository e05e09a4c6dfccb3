#include "program.h"

#include "base/clock.h"

#include <string.h>

/* A filter is evaluated over one block at a time: each test fills a mask with a byte for each row, in loops over whole
 * columns that compile to wide instructions; what earlier tests ruled out is not looked at again where that is cheaper.
 * The rows found must be those of query_match (src/query/match.c): tests/unit/index_run.c compares the two. */

/* One evaluation of a test over a block. within: rows that still count; others may come out either way. out starts at
 * zero. */
struct pass {
    const struct program *program;
    const struct program_node *node;
    const struct query_test *test;
    const struct block *block;
    const unsigned char *within;
    unsigned char *out;
};

static void add_codes(const struct codes *codes, const unsigned char *takes, size_t n, unsigned char *restrict out) {
    if (codes->width == 1) {
        const uint8_t *items = codes->items;
        for (size_t i = 0; i < n; i++)
            out[i] |= takes[items[i]];
    } else if (codes->width == 2) {
        const uint16_t *items = codes->items;
        for (size_t i = 0; i < n; i++)
            out[i] |= takes[items[i]];
    } else {
        const uint32_t *items = codes->items;
        for (size_t i = 0; i < n; i++)
            out[i] |= takes[items[i]];
    }
}

static void evaluate_add_column(const struct pass *pass, unsigned column) {
    const unsigned char *takes = pass->node->takes[column].by_code;
    if (takes)
        add_codes(&pass->block->codes[column], takes, pass->block->n, pass->out);
}

static void evaluate_add_transactions(const struct pass *pass, unsigned column) {
    const struct block *block = pass->block;
    const unsigned char *takes = pass->node->takes[column].by_code;
    if (!takes)
        return;
    for (size_t i = 0; i < block->n; i++)
        for (size_t at = block->tx_start[i]; at < block->tx_start[i + 1]; at++)
            pass->out[i] |= takes[codes_get(&block->codes[column], at)];
}

static void add_narrow(const uint32_t *items, size_t n, uint32_t first, uint32_t span, unsigned char *restrict out) {
    for (size_t i = 0; i < n; i++)
        out[i] |= items[i] - first <= span;
}

static void add_wide(const int64_t *items, size_t n, int64_t low, int64_t high, unsigned char *restrict out) {
    for (size_t i = 0; i < n; i++)
        out[i] |= (unsigned char)((items[i] >= low) & (items[i] <= high));
}

/* out |= low <= number <= high; INT64_MIN stands for no number too, which only the caller can tell. */
static void add_range(const struct numbers *numbers, size_t n, int64_t low, int64_t high, unsigned char *out) {
    if (low > high)
        return;
    if (numbers->wide) {
        add_wide(numbers->wide, n, low, high, out);
        return;
    }
    bool least = low == INT64_MIN;
    if (!numbers->narrow) {
        if (least)
            memset(out, 1, n);
        return;
    }
    __int128 from = (__int128)low - numbers->base, to = (__int128)high - numbers->base;
    from = least ? 0 : from < 1 ? 1 : from;
    to = to > UINT32_MAX ? UINT32_MAX : least && to < 0 ? 0 : to;
    if (from <= to)
        add_narrow(numbers->narrow, n, (uint32_t)from, (uint32_t)(to - from), out);
}

static void keep_flagged(const struct block *block, unsigned flag, unsigned char *restrict out) {
    const uint32_t *flags = block->flags;
    for (size_t i = 0; i < BLOCK_ROWS; i++)
        out[i] &= (flags[i] & flag) != 0;
}

static bool is_one_class(const struct query_test *test) {
    for (size_t i = 0; i < test->n_ranges; i++)
        for (int class = 1; class < QUERY_CLASS_COUNT; class ++)
            if (test->ranges[i].low[class] != test->ranges[i].low[0] ||
                test->ranges[i].high[class] != test->ranges[i].high[0])
                return false;
    return true;
}

static int evaluate_class_of(const struct pass *pass, size_t row) {
    return pass->program->classes[codes_get(&pass->block->codes[CELLS_CURRENCY], row)];
}

static bool has_flagged(const struct block *block, unsigned flag) {
    unsigned all = 0;
    for (size_t i = 0; i < BLOCK_ROWS; i++)
        all |= block->flags[i];
    return all & flag;
}

static bool is_bare_alike(const struct query_test *test) {
    for (size_t i = 0; i < test->n_ranges; i++)
        if (test->ranges[i].low[QUERY_TIME_BARE] != test->ranges[i].low[QUERY_TIME_ZONED] ||
            test->ranges[i].high[QUERY_TIME_BARE] != test->ranges[i].high[QUERY_TIME_ZONED])
            return false;
    return true;
}

/* Of most services no time is one, and of most queries the two classes agree. */
static void test_bare_times(const struct pass *pass) {
    const struct block *block = pass->block;
    if (is_bare_alike(pass->test) || !has_flagged(block, CELLS_CREATED_BARE))
        return;
    for (size_t i = 0; i < block->n; i++)
        if (block->flags[i] & CELLS_CREATED_BARE)
            pass->out[i] =
                query_test_number(pass->test, numbers_get(&block->numbers[NUMBER_CREATED], i), QUERY_TIME_BARE);
}

static void test_number(const struct pass *pass, enum number_column column, unsigned flag, bool time) {
    const struct numbers *numbers = &pass->block->numbers[column];
    if (time || (is_one_class(pass->test) && !pass->test->other)) {
        for (size_t i = 0; i < pass->test->n_ranges; i++)
            add_range(numbers, BLOCK_ROWS, pass->test->ranges[i].low[0], pass->test->ranges[i].high[0], pass->out);
        keep_flagged(pass->block, flag, pass->out);
        return;
    }
    for (size_t i = 0; i < pass->block->n; i++)
        pass->out[i] = pass->block->flags[i] & flag &&
                       query_test_number(pass->test, numbers_get(numbers, i), evaluate_class_of(pass, i));
}

/* All transactions of the block are tested first; then each row looks at its own. */
static void transaction_amounts_alike(const struct pass *pass) {
    const struct block *block = pass->block;
    size_t n = block->tx_start[block->n];
    unsigned char *holds = pass->program->transactions;
    memset(holds, 0, n);
    for (size_t i = 0; i < pass->test->n_ranges; i++)
        add_range(&block->tx_amount, n, pass->test->ranges[i].low[0], pass->test->ranges[i].high[0], holds);
    for (size_t i = 0; i < n; i++)
        holds[i] &= block->tx_ok[i];
    for (size_t i = 0; i < block->n; i++)
        for (size_t at = block->tx_start[i]; at < block->tx_start[i + 1]; at++)
            pass->out[i] |= holds[at];
}

static void test_transaction_amounts(const struct pass *pass) {
    const struct block *block = pass->block;
    if (is_one_class(pass->test) && !pass->test->other) {
        transaction_amounts_alike(pass);
        return;
    }
    for (size_t i = 0; i < block->n; i++) {
        bool any = false, all = true;
        for (size_t at = block->tx_start[i]; at < block->tx_start[i + 1]; at++) {
            if (!block->tx_ok[at])
                continue;
            bool holds = query_test_number(pass->test, numbers_get(&block->tx_amount, at),
                                           pass->program->tx_classes[codes_get(&block->codes[COLUMN_TX_CURRENCY], at)]);
            any = any || holds;
            all = all && holds;
        }
        pass->out[i] = any && (all || !pass->test->other);
    }
}

static void test_hours(const struct pass *pass) {
    const struct block *block = pass->block;
    struct query_clock clock = {.zone = pass->program->plan->context.zone};
    bool hour = pass->test->field == QUERY_HOUR_FIELD;
    for (size_t i = 0; i < block->n; i++) {
        if (!pass->within[i] || !(block->flags[i] & CELLS_CREATED_OK))
            continue;
        int64_t ms = numbers_get(&block->numbers[NUMBER_CREATED], i);
        bool bare = block->flags[i] & CELLS_CREATED_BARE;
        int at = hour ? query_clock_hour(&clock, ms, bare) : query_clock_weekday(&clock, ms, bare);
        pass->out[i] = pass->node->hours[at];
    }
}

static void test_transitions(const struct pass *pass) {
    for (size_t i = 0; i < pass->block->n; i++)
        pass->out[i] = (block_transitions(pass->block, i) & pass->node->transitions) != 0;
}

static bool evaluate_slice_holds(const struct query_test *test, struct cells_slice slice) {
    return query_test_text(test, slice.s, slice.len);
}

/* An id by its end, or by a part. */
static bool id_holds_inside(const struct query_needle *needle, const char *id, size_t left) {
    size_t whole = strnlen(id, left);
    if (needle->sense == QUERY_PART)
        return memmem(id, whole, needle->text, needle->len) != NULL;
    return needle->len <= whole && memcmp(id + whole - needle->len, needle->text, needle->len) == 0;
}

/* An id in its place in the text: its NUL comes along where it is to be whole. left: bytes up to the row's end. */
static bool id_holds(const struct query_test *test, const char *id, size_t left) {
    if (test->sorted)
        return query_test_sorted(test, id, strnlen(id, left));
    for (size_t i = 0; i < test->n_needles; i++) {
        const struct query_needle *needle = &test->needles[i];
        size_t len = needle->len + (needle->sense == QUERY_EQUAL ? 1 : 0);
        if (needle->sense == QUERY_SUFFIX || needle->sense == QUERY_PART) {
            if (id_holds_inside(needle, id, left))
                return true;
            continue;
        }
        /* Most ids differ in their first byte: calling memcmp for those would cost more than everything else. */
        if (len <= left && *id == *needle->text && memcmp(id, needle->text, len) == 0)
            return true;
    }
    return false;
}

static void test_ids(const struct pass *pass) {
    const struct block *block = pass->block;
    for (size_t i = 0; i < block->n; i++)
        if (pass->within[i])
            pass->out[i] = id_holds(pass->test, block->text + block->text_start[i],
                                    block->text_start[i + 1] - block->text_start[i]);
}

static bool any_transaction_id(const struct pass *pass, size_t row) {
    const char *id = pass->block->text + pass->block->text_start[row];
    const char *end = pass->block->text + pass->block->text_start[row + 1], *at = id + strlen(id) + 1;
    bool source = pass->test->field == QUERY_SOURCE_FIELD;
    while (at < end) {
        const char *tx = at, *from = tx + strlen(tx) + 1;
        const char *part = !source ? tx : *from == TEXT_SAME ? id : from;
        if (id_holds(pass->test, part, (size_t)(end - part)))
            return true;
        at = from + strlen(from) + 1;
    }
    return false;
}

static void test_transaction_ids(const struct pass *pass) {
    for (size_t i = 0; i < pass->block->n; i++)
        if (pass->within[i] && pass->block->tx_start[i] != pass->block->tx_start[i + 1])
            pass->out[i] = any_transaction_id(pass, i);
}

static bool anywhere_in_text(const struct pass *pass, size_t row) {
    const char *at = pass->block->text + pass->block->text_start[row];
    const char *end = pass->block->text + pass->block->text_start[row + 1];
    while (at < end)
        if (evaluate_slice_holds(pass->test, text_next(&at, (struct cells_slice){0})))
            return true;
    return false;
}

static bool evaluate_is_settled(const struct pass *pass) {
    unsigned char left = 0;
    for (size_t i = 0; i < BLOCK_ROWS; i++)
        left |= (unsigned char)(pass->within[i] & (pass->out[i] ^ 1));
    return left == 0;
}

static void test_anywhere(const struct pass *pass) {
    const struct block *block = pass->block;
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        evaluate_add_column(pass, i);
    evaluate_add_transactions(pass, COLUMN_TX_STATUS);
    evaluate_add_transactions(pass, COLUMN_TX_TYPE);
    if (evaluate_is_settled(pass))
        return;
    search_texts(&pass->node->search, block->text, block->text_start, block->n, pass->out);
    for (size_t i = 0; i < block->foreign.n; i++) {
        size_t row = block->foreign.items[i];
        pass->out[row] = pass->out[row] || anywhere_in_text(pass, row);
    }
}

static void add_cells_flag(const struct pass *pass, unsigned flag) {
    for (size_t i = 0; i < BLOCK_ROWS; i++)
        pass->out[i] |= (pass->block->flags[i] & flag) != 0;
}

static void add_times(const struct pass *pass, enum number_column column, int64_t low, int64_t high) {
    add_range(&pass->block->numbers[column], BLOCK_ROWS, low, high, pass->out);
}

static void add_with_text(const struct pass *pass, enum cells_text text) {
    for (size_t i = 0; i < pass->block->n; i++)
        pass->out[i] |= codes_get(&pass->block->codes[text], i) != 0;
}

static void add_with_transactions(const struct pass *pass) {
    for (size_t i = 0; i < pass->block->n; i++)
        pass->out[i] |= pass->block->tx_start[i + 1] > pass->block->tx_start[i];
}

static void evaluate_add_marked(const struct pass *pass) {
    const struct query_context *context = &pass->program->plan->context;
    for (size_t i = 0; context->is_marked && i < pass->block->n; i++)
        if (pass->within[i] && context->is_marked(context->marks, pass->block->keys[i]))
            pass->out[i] = 1;
}

/* Of a row's own id; what is on its user, compile.c found by the user's code. */
static void evaluate_add_noted(const struct pass *pass) {
    const struct block *block = pass->block;
    evaluate_add_column(pass, CELLS_USER);
    for (size_t i = 0; i < block->n; i++) {
        if (!pass->within[i] || pass->out[i])
            continue;
        const char *id = block->text + block->text_start[i];
        size_t left = block->text_start[i + 1] - block->text_start[i];
        pass->out[i] = query_test_noted(pass->program->plan, pass->test, NOTE_OF_INTENT, id, strnlen(id, left));
    }
}

static void evaluate_add_handed(const struct pass *pass) {
    struct pass handed = *pass;
    handed.test = &QUERY_TEST_HANDED;
    evaluate_add_noted(&handed);
}

static void add_stale(const struct pass *pass, int64_t now) {
    add_times(pass, NUMBER_CONFIRMED, INT64_MIN + 1, now - QUERY_STALE_MS - 1);
    add_times(pass, NUMBER_CONFIRMED, now + QUERY_STALE_MS + 1, INT64_MAX);
}

static void evaluate_add_flag(const struct pass *pass, enum query_flag flag) {
    static const unsigned cells_flags[QUERY_FLAG_COUNT] = {
        [QUERY_HAS_DISPUTE] = CELLS_HAS_DISPUTE,       [QUERY_HAS_REFUND] = CELLS_HAS_REFUND,
        [QUERY_HAS_CREDENTIAL] = CELLS_HAS_CREDENTIAL, [QUERY_HAS_UNKNOWN] = CELLS_HAS_UNKNOWN,
        [QUERY_IS_ARCHIVED] = CELLS_ARCHIVED,          [QUERY_HAS_AMOUNT] = CELLS_AMOUNT_OK,
        [QUERY_HAS_GUARANTEE] = CELLS_GUARANTEE_OK,
    };
    const struct query_context *context = &pass->program->plan->context;
    bool visited = context->last_visit != CLOCK_NONE && context->last_visit != INT64_MAX;
    if (cells_flags[flag] != 0)
        add_cells_flag(pass, cells_flags[flag]);
    else if (query_flag_text(flag) != CELLS_TEXT_COUNT)
        add_with_text(pass, query_flag_text(flag));
    else if (flag == QUERY_HAS_TRANSACTIONS)
        add_with_transactions(pass);
    else if (flag == QUERY_IS_NEW && visited)
        add_times(pass, NUMBER_FIRST_SEEN, context->last_visit + 1, INT64_MAX);
    else if (flag == QUERY_IS_CHANGED && visited)
        add_times(pass, NUMBER_CHANGED, context->last_visit + 1, INT64_MAX);
    else if (flag == QUERY_IS_STALE)
        add_stale(pass, context->now);
    else if (flag == QUERY_IS_MARKED)
        evaluate_add_marked(pass);
    else if (flag == QUERY_HAS_NOTE && !notes_is_empty(context->notes))
        evaluate_add_noted(pass);
    else if (flag == QUERY_HAS_HANDOVER && !notes_is_empty(context->notes))
        evaluate_add_handed(pass);
    else
        findings_add(pass->program->index, pass->block, query_flag_findings(flag), context->now, pass->out);
}

static void test_block(const struct pass *pass) {
    switch (pass->test->field) {
    case QUERY_ANY_FIELD:
        test_anywhere(pass);
        break;
    case QUERY_AMOUNT_FIELD:
        test_number(pass, NUMBER_AMOUNT, CELLS_AMOUNT_OK, false);
        break;
    case QUERY_GUARANTEE_FIELD:
        test_number(pass, NUMBER_GUARANTEE, CELLS_GUARANTEE_OK, false);
        break;
    case QUERY_CREATED_FIELD:
    case QUERY_AGE_FIELD:
        test_number(pass, NUMBER_CREATED, CELLS_CREATED_OK, true);
        test_bare_times(pass);
        break;
    case QUERY_HOUR_FIELD:
    case QUERY_WEEKDAY_FIELD:
        test_hours(pass);
        break;
    case QUERY_TRANSITION_FIELD:
        test_transitions(pass);
        break;
    case QUERY_TX_AMOUNT_FIELD:
        test_transaction_amounts(pass);
        break;
    case QUERY_ID_FIELD:
        test_ids(pass);
        break;
    case QUERY_TX_ID_FIELD:
    case QUERY_SOURCE_FIELD:
        test_transaction_ids(pass);
        break;
    case QUERY_HAS_FIELD:
    case QUERY_IS_FIELD:
    case QUERY_FINDING_FIELD:
        for (unsigned i = 0; i < QUERY_FLAG_COUNT; i++)
            if (pass->test->flags & QUERY_FLAG_BIT(i))
                evaluate_add_flag(pass, (enum query_flag)i);
        break;
    case QUERY_TAG_FIELD:
    case QUERY_NOTE_FIELD:
    case QUERY_HANDED_FIELD:
        if (!notes_is_empty(pass->program->plan->context.notes))
            evaluate_add_noted(pass);
        break;
    default:
        for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
            evaluate_add_column(pass, i);
        for (unsigned i = COLUMN_TX_STATUS; i < COLUMN_COUNT; i++)
            evaluate_add_transactions(pass, i);
    }
}

static void evaluate(const struct program *program, const struct program_node *node, const struct block *block,
                     const unsigned char *within, unsigned char *out);

static bool evaluate_is_empty(const unsigned char *mask) {
    uint64_t all = 0, part;
    for (size_t i = 0; i < BLOCK_ROWS; i += sizeof part) {
        memcpy(&part, mask + i, sizeof part);
        all |= part;
    }
    return all == 0;
}

static void and_masks(unsigned char *restrict out, const unsigned char *restrict other) {
    for (size_t i = 0; i < BLOCK_ROWS; i++)
        out[i] &= other[i];
}

static void or_masks(unsigned char *restrict out, const unsigned char *restrict other) {
    for (size_t i = 0; i < BLOCK_ROWS; i++)
        out[i] |= other[i];
}

static void evaluate_list(const struct program *program, const struct program_node *node, const struct block *block,
                          const unsigned char *within, unsigned char *out) {
    bool all = node->kind == QUERY_ALL;
    unsigned char *part = program->buffers + node->level * BLOCK_ROWS;
    evaluate(program, node->first, block, within, out);
    if (all)
        and_masks(out, within);
    for (const struct program_node *child = node->first->next; child && !(all && evaluate_is_empty(out));
         child = child->next) {
        evaluate(program, child, block, all ? out : within, part);
        (all ? and_masks : or_masks)(out, part);
    }
}

/* Every level writes to out and uses a buffer of its own; depth is bounded by the parser's cap. */
static void evaluate(const struct program *program, const struct program_node *node, const struct block *block,
                     const unsigned char *within, unsigned char *out) {
    if (node->kind == QUERY_ALL || node->kind == QUERY_ANY) {
        evaluate_list(program, node, block, within, out);
    } else if (node->kind == QUERY_NOT) {
        evaluate(program, node->first, block, within, out);
        for (size_t i = 0; i < BLOCK_ROWS; i++)
            out[i] ^= 1;
    } else {
        memset(out, 0, BLOCK_ROWS);
        test_block(&(struct pass){program, node, node->test, block, within, out});
    }
}

void program_evaluate(struct program *program, const struct block *block, unsigned char mask[BLOCK_ROWS]) {
    if (!program->root) {
        memcpy(mask, block->alive, BLOCK_ROWS);
        return;
    }
    evaluate(program, program->root, block, block->alive, mask);
    and_masks(mask, block->alive);
}
