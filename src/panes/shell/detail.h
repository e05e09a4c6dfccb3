#ifndef PANES_DETAIL_H
#define PANES_DETAIL_H
/* Labelled lines that scroll: a record, or anything that is read line by line. */

#include "base/mem.h"
#include "model/intent.h"
#include "model/money.h"
#include "model/tree.h"
#include "ui/dialog.h"

struct detail {
    struct arena arena; /* of the lines' text */
    struct {
        struct text_line *items;
        size_t n, cap;
    } lines;
    struct detail_lines {
        struct text_line *items;
        size_t n, cap;
    } columns;  /* the same lines, in two columns */
    int fitted; /* the width that they were made for; 0: one column is on show */
    struct pager pager;
};
struct detail_column {
    struct text_line **items;
    size_t n, cap;
};
void detail_init(struct detail *detail);
void detail_clear(struct detail *detail);
void detail_empty(struct detail *detail);            /* of its lines */
void detail_done(struct detail *detail, bool stays); /* after lines were added; stays: the scroll does */
struct text_line *detail_add(struct detail *detail, const char *label, const char *text, enum role role);

/* detail_columns.c: called before it is drawn. groups: blank lines part groups, which stand beside each other where
 * there is room. */
void detail_fit(struct detail *detail, int cols, bool groups);

/* detail_money.c: how the amounts in a record of an intent are read. */
struct detail_units {
    struct money_rule rule;
    const char *currency; /* the intent's */
};
void detail_tree(struct detail *detail, const struct tree *tree, const char *path, const struct detail_units *units);
/* Appends the amount scaled by the unit, behind its digits; nothing where it is no integer. */
void detail_add_money(struct str *text, const struct money_rule *rule, const struct value_number *number,
                      const char *currency);
/* For a table: the scaled amount, with the digits as served behind it. */
void detail_transaction_amount(struct str *text, const struct money_rule *rule, const struct transaction *transaction);

#endif
