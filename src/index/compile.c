#include "file.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE_BLOCKS = 8, SAMPLE_BYTES = 4096 };

/* How common each byte is among the texts searched, capitals with their letters. */
static void compile_sample(struct program *program) {
    struct index *index = program->index;
    size_t step = index->sequence.n / SAMPLE_BLOCKS + 1;
    program->sampled = true;
    for (size_t i = 0; i < index->sequence.n; i += step) {
        struct block *block = index->blocks[index->sequence.items[i]];
        if (!index_check(index, block, PART_BIT(PART_TEXT)))
            return; /* the question fails at that block */
        size_t len = block->text_start[block->n];
        for (size_t at = 0; at < len && at < SAMPLE_BYTES; at++)
            program->frequency[(unsigned char)block->text[at]]++;
    }
    for (int c = 'A'; c <= 'Z'; c++)
        program->frequency[c + ('a' - 'A')] += program->frequency[c];
}

static void compile_take(struct program *program, struct program_node *node, unsigned column, uint32_t code) {
    unsigned char **by_code = &node->takes[column].by_code;
    if (!*by_code) {
        size_t n = program->index->dicts[column].n + 1;
        *by_code = arena_new(&program->arena, n > 256 ? n : 256);
    }
    (*by_code)[code] = 1;
}

static void take_texts(struct program *program, struct program_node *node, unsigned column) {
    const struct dict *dict = &program->index->dicts[column];
    for (uint32_t code = 1; code <= dict->n; code++) {
        size_t len;
        const char *text = dict_text(dict, code, &len);
        if (query_test_text(node->test, text, len))
            compile_take(program, node, column, code);
    }
}

static void take_dates(struct program *program, struct program_node *node, unsigned column) {
    const struct dict *dict = &program->index->dicts[column];
    for (uint32_t code = 1; code <= dict->n; code++) {
        size_t len;
        const char *text = dict_text(dict, code, &len);
        if (query_test_date(node->test, text, len))
            compile_take(program, node, column, code);
    }
}

/* Users on whom something is noted; the ids of intents are looked at row by row. */
static void take_noted(struct program *program, struct program_node *node) {
    const struct dict *dict = &program->index->dicts[CELLS_USER];
    if (notes_is_empty(program->plan->context.notes))
        return;
    node->cost = COST_ROWS;
    for (uint32_t code = 1; code <= dict->n; code++) {
        size_t len;
        const char *text = dict_text(dict, code, &len);
        if (query_test_noted(program->plan, node->test, NOTE_OF_USER, text, len))
            compile_take(program, node, CELLS_USER, code);
    }
}

static void take_foreign(const struct program_node *node, const struct dict *dict, const uint32_t *codes, size_t n,
                         unsigned char *by_code) {
    for (size_t i = 0; i < n; i++) {
        size_t len;
        const char *text = dict_text(dict, codes[i], &len);
        by_code[codes[i]] = by_code[codes[i]] || query_test_text(node->test, text, len);
    }
}

/* The column's values are searched as one text; those beyond ASCII one by one. */
static void take_hits(struct program *program, struct program_node *node, unsigned column) {
    const struct dict *dict = &program->index->dicts[column];
    if (dict->n == 0)
        return;
    unsigned char *by_code = arena_new(&program->arena, dict->n + 1 > 256 ? dict->n + 1 : 256);
    const struct dict_base *base = &dict->base;
    if (base->n > 0)
        search_texts(&node->search, base->bytes, base->starts, base->n, by_code + 1);
    if (dict->n > base->n)
        search_texts(&node->search, dict->bytes, dict->starts, dict->n - base->n, by_code + 1 + base->n);
    take_foreign(node, dict, base->foreign, base->n_foreign, by_code);
    take_foreign(node, dict, dict->foreign.items, dict->foreign.n, by_code);
    if (memchr(by_code, 1, dict->n + 1))
        node->takes[column].by_code = by_code;
}

static void compile_search(struct program *program, struct program_node *node) {
    const struct query_needle *needle = node->test->needles;
    if (!program->sampled)
        compile_sample(program);
    search_init(&node->search, needle->text, needle->len, program->frequency);
    for (unsigned i = 0; i < CELLS_TEXT_COUNT; i++)
        if (i != CELLS_ID && query_searches((enum cells_text)i))
            take_hits(program, node, i);
    take_hits(program, node, COLUMN_TX_STATUS);
    take_hits(program, node, COLUMN_TX_TYPE);
    node->cost = COST_SEARCH;
}

static void compile_hours(struct program_node *node) {
    for (int i = 0; i < QUERY_HOURS && node->test->field == QUERY_HOUR_FIELD; i++)
        node->hours[i] = query_test_hour(node->test, i);
    for (int i = 0; i < QUERY_WEEKDAYS && node->test->field == QUERY_WEEKDAY_FIELD; i++)
        node->hours[i] = query_test_weekday(node->test, i);
    node->cost = COST_TEXTS;
}

static void compile_transitions(struct program_node *node) {
    for (unsigned i = 0; i < TRANSITION_COUNT; i++)
        node->transitions |= query_test_transition(node->test, i) ? TRANSITION_BIT(i) : 0;
}

static void compile_test(struct program *program, struct program_node *node) {
    switch (node->test->field) {
    case QUERY_ANY_FIELD:
        compile_search(program, node);
        return;
    case QUERY_MASK_FIELD:
        take_texts(program, node, CELLS_CARD_MASK);
        take_texts(program, node, CELLS_ACCOUNT_MASK);
        return;
    case QUERY_TX_STATUS_FIELD:
        take_texts(program, node, COLUMN_TX_STATUS);
        node->cost = COST_TRANSACTIONS;
        return;
    case QUERY_TX_TYPE_FIELD:
        take_texts(program, node, COLUMN_TX_TYPE);
        node->cost = COST_TRANSACTIONS;
        return;
    case QUERY_TX_DATE_FIELD:
        take_dates(program, node, COLUMN_TX_DATE);
        node->cost = COST_TRANSACTIONS;
        return;
    case QUERY_TX_AMOUNT_FIELD:
        node->cost = COST_TRANSACTIONS;
        return;
    case QUERY_HOUR_FIELD:
    case QUERY_WEEKDAY_FIELD:
        compile_hours(node);
        return;
    case QUERY_TRANSITION_FIELD:
        compile_transitions(node);
        return;
    case QUERY_ID_FIELD:
    case QUERY_TX_ID_FIELD:
    case QUERY_SOURCE_FIELD:
        node->cost = COST_TEXTS;
        return;
    case QUERY_HAS_FIELD:
    case QUERY_IS_FIELD:
    case QUERY_FINDING_FIELD:
        node->cost = node->test->flags & (QUERY_FLAG_BIT(QUERY_IS_MARKED) | QUERY_FLAG_BIT(QUERY_HAS_HANDOVER))
                         ? COST_ROWS
                         : COST_CODES;
        if (node->test->flags & QUERY_FLAG_BIT(QUERY_HAS_NOTE))
            take_noted(program, node);
        return;
    case QUERY_TAG_FIELD:
    case QUERY_NOTE_FIELD:
    case QUERY_HANDED_FIELD:
        take_noted(program, node);
        return;
    default:
        break;
    }
    const struct query_field *field = query_field(node->test->field);
    if (field->column < CELLS_TEXT_COUNT)
        (field->type == QUERY_TIME ? take_dates : take_texts)(program, node, field->column);
}

/* Cheap tests first: rows that they rule out need not be tested by the others. */
static void insert_by_cost(struct program_node **list, struct program_node *node) {
    while (*list && (*list)->cost <= node->cost)
        list = &(*list)->next;
    node->next = *list;
    *list = node;
}

static struct program_node *compile(struct program *program, const struct query_step *step, size_t level) {
    struct program_node *node = arena_new(&program->arena, sizeof *node);
    node->kind = step->kind;
    node->level = level;
    if (level + 1 > program->levels)
        program->levels = level + 1;
    for (const struct query_step *child = step->first; child; child = child->next) {
        struct program_node *part = compile(program, child, level + 1);
        node->cost = part->cost > node->cost ? part->cost : node->cost;
        insert_by_cost(&node->first, part);
    }
    if (!step->first) {
        node->test = &step->test;
        compile_test(program, node);
    }
    return node;
}

static unsigned char *find_classes(struct program *program, unsigned column) {
    const struct dict *dict = &program->index->dicts[column];
    unsigned char *classes = arena_new(&program->arena, dict->n + 1);
    for (uint32_t code = 0; code <= dict->n; code++) {
        size_t len;
        const char *text = dict_text(dict, code, &len);
        classes[code] = (unsigned char)query_exponent_class(&program->plan->context, text, len);
    }
    return classes;
}

static size_t most_transactions(const struct index *index) {
    size_t most = 0;
    for (size_t i = 0; i < index->sequence.n; i++) {
        const struct block *block = index->blocks[index->sequence.items[i]];
        size_t n = block->mapped ? block->stored->n_tx : block->tx_start[block->n];
        most = n > most ? n : most;
    }
    return most;
}

struct program *program_new(struct index *index, const struct query_plan *plan) {
    struct program *program = mem_new(sizeof *program);
    program->index = index;
    program->plan = plan;
    if (!plan || !plan->root)
        return program;
    program->classes = find_classes(program, CELLS_CURRENCY);
    program->tx_classes = find_classes(program, COLUMN_TX_CURRENCY);
    program->root = compile(program, plan->root, 0);
    program->buffers = mem_new_array(program->levels, BLOCK_ROWS);
    program->transactions = arena_new(&program->arena, most_transactions(index));
    return program;
}

void program_free(struct program *program) {
    if (!program)
        return;
    arena_clear(&program->arena);
    free(program->buffers);
    free(program);
}
