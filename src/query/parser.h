#ifndef QUERY_PARSER_H
#define QUERY_PARSER_H
/* The parser's state, for its files: parse.c reads terms, parse_short.c what stands for other text. */

#include "query/query.h"

struct parser {
    const char *text;
    size_t len, at, depth, terms, views;
    size_t grouped; /* the end of a number with commas that begins at `at` */
    const struct query_options *options;
    struct arena *arena;
    struct query_fault *fault;
    enum err code; /* ERR_OK until something is wrong; the first fault is kept */
};

/* The first fault is kept, with its place. */
void parse_fail(struct parser *p, size_t at, size_t end, const char *format, ...) PRINTF_LIKE(4, 5);
/* All of the text; NULL: nothing. */
struct query_node *parse_whole(struct parser *p);

static inline int parse_shown(size_t len) {
    return len > 40 ? 40 : (int)len;
}

/* parse_short.c: `@name`, `:tue`, `~50`. */
struct query_node *parse_view(struct parser *p);
bool parse_stands_alone(const struct parser *p, size_t op_at, size_t end, enum query_op op);
struct query_node *parse_fieldless(struct parser *p, enum query_op op);
bool parse_is_about(const struct parser *p);
struct query_node *parse_about(struct parser *p);

#endif
