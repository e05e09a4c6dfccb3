#include "scan.h"

#include "base/ascii.h"

#include <string.h>

enum spelled operators_spelled(const char *text) {
    static const struct {
        const char *text;
        enum spelled means;
    } words[] = {{"and", SPELLED_AND}, {"&&", SPELLED_AND},  {"&", SPELLED_AND}, {"or", SPELLED_OR},
                 {"||", SPELLED_OR},   {"not", SPELLED_NOT}, {"!", SPELLED_NOT}};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strlen(text) == strlen(words[i].text) && ascii_compare_n(text, words[i].text, strlen(text)) == 0)
            return words[i].means;
    return SPELLED_NONE;
}

/* Terms side by side, read one after the other. */
struct joiner {
    struct arena *arena;
    struct query_node *groups, **last_group; /* parted by or */
    struct query_node *terms, **last_term;   /* of the group at hand */
    bool negate;                             /* the next one */
    const struct query_node *word;           /* the first operator */
};

static struct query_node *operators_new(struct arena *arena, enum query_kind kind, struct query_node *first) {
    struct query_node *node = arena_new(arena, sizeof *node);
    *node = (struct query_node){.kind = kind, .first = first, .field = QUERY_ANY_FIELD};
    return node;
}

/* One child stands for itself. */
static struct query_node *operators_join(struct arena *arena, enum query_kind kind, struct query_node *first) {
    return first->next ? operators_new(arena, kind, first) : first;
}

static void close_group(struct joiner *join) {
    if (!join->terms)
        return;
    *join->last_group = operators_join(join->arena, QUERY_ALL, join->terms);
    join->last_group = &(*join->last_group)->next;
    join->terms = NULL;
    join->last_term = &join->terms;
}

/* and, or: between two terms; not: before one. */
static bool take_operator(struct joiner *join, const struct query_node *node, bool is_last) {
    bool is_word = node->kind == QUERY_SEARCH && !node->values->quoted && !is_last;
    enum spelled means = is_word ? operators_spelled(node->values->text) : SPELLED_NONE;
    if (means == SPELLED_NONE || (means != SPELLED_NOT && (!join->terms || join->negate)))
        return false;
    join->negate = means == SPELLED_NOT ? !join->negate : false;
    join->word = join->word ? join->word : node;
    if (means == SPELLED_OR)
        close_group(join);
    return true;
}

static void operators_take(struct joiner *join, struct query_node *node) {
    bool is_last = !node->next;
    node->next = NULL;
    if (take_operator(join, node, is_last))
        return;
    *join->last_term = join->negate ? operators_new(join->arena, QUERY_NOT, node) : node;
    join->last_term = &(*join->last_term)->next;
    join->negate = false;
}

static const struct query_node *apply_here(struct arena *arena, struct query_node *all) {
    struct joiner join = {.arena = arena};
    join.last_group = &join.groups;
    join.last_term = &join.terms;
    for (struct query_node *child = all->first, *next; child; child = next) {
        next = child->next;
        operators_take(&join, child);
    }
    close_group(&join);
    struct query_node *next = all->next;
    if (join.groups)
        *all = *operators_join(arena, QUERY_ANY, join.groups);
    all->next = next;
    return join.word;
}

const struct query_node *operators_apply(struct arena *arena, struct query_node *node) {
    const struct query_node *word = NULL;
    for (struct query_node *child = node->first; child; child = child->next) {
        const struct query_node *below = operators_apply(arena, child);
        word = word ? word : below;
    }
    const struct query_node *here = node->kind == QUERY_ALL ? apply_here(arena, node) : NULL;
    return word ? word : here;
}
