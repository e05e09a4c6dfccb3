#ifndef APP_COLUMNS_H
#define APP_COLUMNS_H
/* The columns of a list of intents, once for the console and the command line: which there are, and a choice of them in
 * an order with widths, as text `created,status,bank:30`. Pure. */

#include "model/intent.h"
#include "model/money.h"
#include "query/field.h"
#include "query/plan.h"

enum column {
#define COLUMN(code, place, name, field, filter, help) COLUMN_##code = (place),
#include "model/fields.def"
    COLUMN_COUNT = 0
#define COLUMN(code, place, name, field, filter, help) +1
#include "model/fields.def"
    ,
    COLUMN_USUAL = COLUMN_ID + 1 /* the first so many are shown where nothing was chosen */
};

struct column_info {
    const char *name, *help;
    enum intent_field field;     /* INTENT_FIELD_COUNT: made of several */
    enum query_field_code query; /* QUERY_FIELD_COUNT: none */
};
const struct column_info *column_info(int column);
void columns_names(struct str *out); /* appends "created status ... id" */

/* A choice of columns: n 0 means the usual ones. widths in cells, 0: as wide as usual. */
struct column_set {
    int n;
    unsigned char items[COLUMN_COUNT];
    unsigned char widths[COLUMN_COUNT]; /* by column */
};
enum { COLUMN_WIDTH_MAX = 200 };

/* ERR_USAGE names the word that is no column and the nearest one that is. "" is the usual set. */
enum err columns_parse(const char *text, struct column_set *out, struct error *error) MUST_CHECK;
void columns_print(const struct column_set *set, struct str *out); /* "" for the usual set without widths */
bool columns_equal(const struct column_set *a, const struct column_set *b);
void columns_usual(struct column_set *set); /* the usual columns as an explicit choice; widths stay */
/* With every column in it, chosen ones first. */
void columns_all(const struct column_set *set, struct column_set *all);
int columns_find(const struct column_set *set, int column); /* its place, or -1 */
void columns_move(struct column_set *set, int column, int step);
/* The field that a column has of this intent, the account's mask where there is none of a card; INTENT_FIELD_COUNT:
 * made of several. */
enum intent_field column_field(const struct intent *intent, int column);
/* Its value as served; NULL where there is none. */
const char *column_text(const struct intent *intent, int column);
/* An amount for people: by the profile's rule; with its own code where that is not the intent's; in brackets what was
 * served and is no amount. False, and nothing, where there is none. */
bool column_money(const struct intent *intent, int column, const struct money_rule *rule, struct str *out);
/* What columns show that no service serves. */
struct columns_here {
    const struct notes *notes; /* of the operators here; NULL: none */
    struct query_zone zone;    /* whose days */
};
bool column_is_here(int column);
void column_here(const struct columns_here *here, const struct intent *intent, int column, struct str *out);
/* "dispute refund", what a row has of its flags in words. */
void column_flags(const struct intent *intent, struct str *out);

#endif
