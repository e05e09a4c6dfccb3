#ifndef APP_VIEWS_H
#define APP_VIEWS_H
/* Views saved by name: a filter, a sort and columns, for the console's `v` and for `@name` in any filter. As text they
 * are blocks of lines, with one more for the list without a name. The performer merges each change into what the file
 * holds at that moment, so that two consoles do not undo each other's changes. Pure. */

#include "app/columns.h"
#include "app/lookup.h"
#include "query/query.h"

struct saved_view {
    char *name, *filter; /* "" for none */
    struct lookup_sort sort[LOOKUP_SORTS];
    struct column_set columns;
};
/* How a list is shown, independent of its filter. */
struct layout {
    struct lookup_sort sort[LOOKUP_SORTS];
    struct column_set columns;
};
struct shared_views;
struct saved_views {
    struct saved_view *items; /* by name */
    size_t n, cap;
    bool has_list;
    struct layout list;                /* for the list without a name */
    const struct shared_views *shared; /* for `@WHO/NAME` (app/shared_views.h); borrowed, NULL: none */
};
enum { SAVED_VIEWS_MAX = QUERY_VIEWS_MAX, SAVED_NAME_MAX = 40, SAVED_BYTES_MAX = 1 << 20 };

void saved_views_clear(struct saved_views *views);
/* Lines that are not understood are left out: the file may be of a newer version. */
void saved_views_parse(const char *text, struct saved_views *out);
bool layout_equal(const struct layout *a, const struct layout *b);
void saved_views_print(const struct saved_views *views, struct str *out);
/* What a view is but its name, as such lines; and one of them read, ERR_USAGE where it is not understood. */
void saved_view_print_sort(const struct saved_view *view, struct str *out);
void saved_view_print_lines(const struct saved_view *view, struct str *out);
enum err saved_view_take_line(struct saved_view *view, const char *line, struct error *error) MUST_CHECK;
/* Letters, digits, '-', '_' and '.'. */
enum err saved_view_check(const char *name, struct error *error) MUST_CHECK;
/* Copies the view; one of the same name is replaced. ERR_LIMIT where there are too many. */
enum err saved_views_put(struct saved_views *views, const struct saved_view *view, struct error *error) MUST_CHECK;
void saved_views_remove(struct saved_views *views, const char *name);
const struct saved_view *saved_views_find(const struct saved_views *views, const char *name); /* NULL: none */
struct query_views saved_views_named(const struct saved_views *views);                        /* for `@name`; borrows */

#endif
