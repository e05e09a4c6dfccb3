#ifndef QUERY_SCAN_H
#define QUERY_SCAN_H
/* How the characters of a filter are told apart: shared by parser, printer and completion. */

#include "query/plan.h"

/* Bytes of the blank at s, 0: none. No-break and ideographic spaces come with pasted text. */
size_t scan_blank(const char *s, size_t len);
/* Where the run of plain characters from `at` ends: at a blank, a quote, a bracket or `|`, and a comma in values. */
size_t scan_run(const char *s, size_t len, size_t at, bool value);
/* First operator within s[at..end): its place, or end. */
size_t scan_op(const char *s, size_t at, size_t end, enum query_op *op);
size_t scan_op_len(enum query_op op);
/* Bytes of a token for an invisible character as it is shown: `<200F>`, in letters of either case; 0: none. */
size_t scan_token(const char *s, size_t len);
/* Bytes of an ellipsis at the start: the screen shows only the ends of long ids, behind one. */
size_t scan_ellipsis(const char *s);
/* *end: behind the quote that closes the one at `at`; false: it is not closed. */
bool scan_quoted(const char *s, size_t len, size_t at, size_t *end);

/* pattern.c: bytes of the stars and ellipses at the start. */
size_t pattern_lead(const char *s);
/* Removes stars and ellipses at the ends of an unquoted value: prefix and suffix say at which end something was left
 * out. False: a star is left inside. */
bool pattern_take(struct arena *arena, enum query_field_code field, enum query_op op, struct query_value *value);
/* What is wrong with text[0..len), which has a star inside, and how it is written. */
void pattern_say_inner(const char *text, size_t len, struct str *out);
/* Whether stars and ellipses may stand around the quotes of a value. */
bool pattern_may_stand(enum query_field_code field, enum query_op op);
/* A bare word without the ellipses at its ends, and whether it has any. */
const char *pattern_strip(struct arena *arena, const char *text);
bool pattern_is_cut(const char *text);
/* Whether it is read back as it is, as far as its ends are concerned. */
bool pattern_is_plain(const char *text);
/* Whether every text contains it, since nothing of it is left when it is folded. */
bool pattern_is_nothing(const char *text);

/* plain.c: the filter with typographic quotes and signs read as the plain ones, outside of quotes. A double quote that
 * is opened by one is closed by any; a single one opens where a value may begin, as it is an apostrophe elsewhere, and
 * closes where one may end. from: where each byte of it, and its end, stands in what was typed. */
struct plain {
    struct str text;
    size_t *from; /* of the arena */
};
void plain_take(struct arena *arena, const char *text, size_t len, struct plain *out);
/* Turns a place in the plain text, and all places of a tree, into places of what was typed. */
size_t plain_place(const struct plain *plain, size_t at);
void plain_place_back(struct query_node *node, const struct plain *plain);
/* Whether it is read back as it is without quotes. */
bool plain_is(const char *text, size_t len);

/* value.c: one number or time; the reason is static. */
bool value_number(struct arena *arena, const char *s, size_t len, struct query_scalar *out, const char **reason);
/* What a number with commas is: one with groups of three, a list, or ambiguous. */
enum value_groups { VALUE_LIST, VALUE_GROUPED, VALUE_GROUPS_MIXED };
enum value_groups value_groups(const char *s, size_t len);
/* Whether it is `~` and a number, with or without groups: other words may begin with `~` too. */
bool value_is_about(const char *s, size_t len);
bool value_age(struct arena *arena, const char *s, size_t len, struct query_scalar *out, const char **reason);
bool value_time(struct arena *arena, const char *s, size_t len, struct query_scalar *out, const char **reason);
/* Both are numbers as value_number reads them. */
bool value_is_less(const struct query_scalar *a, const struct query_scalar *b);

/* Monday first; a filter may cut them to three letters or more. */
enum { VALUE_WEEKDAYS = 7 };
extern const char *const value_weekdays[VALUE_WEEKDAYS];

/* period.c: a time or a range made absolute, as the instants [start, end); INT64_MIN and _MAX where an end is open.
 * calendar: a date that no zone shifts. */
void period_resolve(const struct query_value *value, const struct query_context *context, bool calendar, int64_t *start,
                    int64_t *end);

/* The instants, both included, at which a row was created whose age is in the value; whether a range of ages runs
 * backwards. */
void period_of_age(const struct query_value *value, enum query_op op, const struct query_context *context,
                   int64_t *first, int64_t *last);
bool period_is_younger(const struct query_scalar *low, const struct query_scalar *high);

/* Whether no instant can be in the range, whatever the time is now; low and high are both there. */
bool period_is_ago(const struct query_value *value); /* counted back from now */
bool period_is_backwards(const struct query_scalar *low, const struct query_scalar *high);

/* list.c: takes the ids of a list where the term names one. The reason why not; NULL: all is well. */
const char *list_take(struct arena *arena, const struct query_lists *lists, struct query_node *term);

/* narrow.c: whether all rows that the filter lets through have the value, or none of them. */
bool narrow_is_said(const struct query *query, enum query_field_code field, const char *value, bool exclude);

/* reading.c: the i-th other reading of a term, NULL past the last. read changes the term where it stands; false: it has
 * none, and the tree that it is in is of no use. why: the words before it, where it is told. */
struct reading {
    bool (*read)(struct query_node *term, struct arena *arena);
    const char *why;
};
const struct reading *reading_at(size_t i);
/* A number without decimals becomes one with them; false: there is none. */
bool reading_in_units(struct query_node *term, struct arena *arena);

/* operators.c: operators as other languages write them, which are words here. */
enum spelled { SPELLED_NONE, SPELLED_AND, SPELLED_OR, SPELLED_NOT };
enum spelled operators_spelled(const char *text);
/* The first word of the tree that stands where such an operator would; the tree with all of them as operators. NULL:
 * there is none, and the tree is as it was. */
const struct query_node *operators_apply(struct arena *arena, struct query_node *node);

/* copy.c: a deep copy; node NULL gives NULL. Siblings are not copied. */
struct query_node *node_copy(struct arena *arena, const struct query_node *node);

#endif
