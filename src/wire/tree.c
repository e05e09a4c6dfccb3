#include "wire/page.h"

#include "base/str.h"
#include "decode.h"

#include <string.h>

/* NULL: sound. The caller's buffer gets the sentence. */
static bool find_fault(struct wire_slice text, struct str *sentence) {
    struct wire_walk walk;
    enum wire_event found;
    wire_walk_init(&walk, text.s, text.len);
    do
        found = wire_walk_next(&walk);
    while (found != WALK_END && found != WALK_BAD);
    if (found == WALK_BAD)
        str_addf(sentence, "not JSON at byte %zu: %s", walk.scan.start + 1, walk.fault);
    return found == WALK_BAD;
}

static enum tree_kind wire_tree_kind_of(enum wire_token token) {
    switch (token) {
    case TOKEN_OPEN_OBJECT:
        return TREE_OBJECT;
    case TOKEN_OPEN_ARRAY:
        return TREE_ARRAY;
    case TOKEN_STRING:
        return TREE_STRING;
    case TOKEN_NUMBER:
        return TREE_NUMBER;
    case TOKEN_NULL:
        return TREE_NULL;
    default:
        return TREE_BOOL;
    }
}

static const char *string_text(struct tree *tree, const char *token, size_t len) {
    struct str text;
    str_init(&text, len);
    wire_unescape(&text, token, len);
    const char *clean = wire_clean(&tree->arena, text.s, text.len, WIRE_STRING_MAX);
    str_clear(&text);
    return clean;
}

static const char *index_text(struct tree *tree, size_t index) {
    struct str text;
    str_init(&text, 32);
    str_addf(&text, "[%zu]", index);
    const char *key = arena_dup_n(&tree->arena, text.s, text.len);
    str_clear(&text);
    return key;
}

static const char *scalar_text(struct tree *tree, const struct wire_walk *walk) {
    const char *s = walk->scan.s + walk->start;
    size_t len = walk->end - walk->start;
    return walk->token == TOKEN_STRING ? string_text(tree, s, len) : wire_clean(&tree->arena, s, len, WIRE_STRING_MAX);
}

static void wire_tree_fill(struct tree *tree, struct wire_slice text) {
    size_t parents[WIRE_DEPTH_MAX + 1] = {0}; /* row of the container at each depth */
    const char *key = NULL;
    struct wire_walk walk;
    enum wire_event found;
    wire_walk_init(&walk, text.s, text.len);
    while ((found = wire_walk_next(&walk)) != WALK_END) {
        if (found == WALK_KEY)
            key = string_text(tree, text.s + walk.start, walk.end - walk.start);
        if (found == WALK_KEY || found == WALK_CLOSE)
            continue;
        if (tree->n == TREE_ROWS_MAX) {
            tree->cut = true;
            return;
        }
        int depth = walk.depth - (found == WALK_OPEN);
        struct tree_row *parent = depth > 0 ? &tree->items[parents[depth - 1]] : NULL;
        if (parent && parent->kind == TREE_ARRAY)
            key = index_text(tree, parent->children);
        if (parent)
            parent->children++;
        parents[depth] = tree->n;
        *vec_add(tree) = (struct tree_row){depth, wire_tree_kind_of(walk.token), key,
                                           found == WALK_SCALAR ? scalar_text(tree, &walk) : NULL, 0};
        key = NULL;
    }
}

void wire_tree(const char *raw, size_t len, struct tree *out) {
    struct str sentence;
    tree_init(out);
    str_init(&sentence, ERROR_TEXT_MAX);
    if (find_fault((struct wire_slice){raw, len}, &sentence))
        *vec_add(out) =
            (struct tree_row){.kind = TREE_STRING, .text = arena_dup_n(&out->arena, sentence.s, sentence.len)};
    else
        wire_tree_fill(out, (struct wire_slice){raw, len});
    str_clear(&sentence);
}

void wire_tree_at(const char *raw, size_t len, const char *path, struct tree *out) {
    struct wire_slice found;
    tree_init(out);
    if (wire_find_path((struct wire_slice){raw, len}, path, &found) && found.len > 0 && found.s[0] != 'n')
        wire_tree(found.s, found.len, out);
}

bool wire_string_at(const char *raw, size_t len, const char *path, struct str *out) {
    struct wire_slice found;
    bool string = wire_find_path((struct wire_slice){raw, len}, path, &found) && found.len > 1 && found.s[0] == '"';
    if (string)
        wire_unescape(out, found.s, found.len);
    return string;
}
