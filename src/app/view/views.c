#include "app/views.h"

#include "app/shared_views.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char LIST[] = "list", NAME[] = "view ", FILTER[] = "filter ", SORT[] = "sort ", COLUMNS[] = "columns ";

static void view_views_clear(struct saved_view *view) {
    free(view->name);
    free(view->filter);
}

void saved_views_clear(struct saved_views *views) {
    for (size_t i = 0; i < views->n; i++)
        view_views_clear(&views->items[i]);
    free(views->items);
    *views = (struct saved_views){0};
}

enum err saved_view_check(const char *name, struct error *error) {
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t len = strlen(name);
    if (len == 0 || len > SAVED_NAME_MAX || strspn(name, LETTERS) != len) {
        return error_set(error, ERR_INVALID, "a name is typed as @name: 1 to %d of a-z A-Z 0-9 - _ . and no blank",
                         SAVED_NAME_MAX);
    }
    return ERR_OK;
}

/* The place of the name, or where it would be put. */
static size_t view_views_place_of(const struct saved_views *views, const char *name) {
    size_t i = 0;
    while (i < views->n && strcmp(views->items[i].name, name) < 0)
        i++;
    return i;
}

const struct saved_view *saved_views_find(const struct saved_views *views, const char *name) {
    size_t i = view_views_place_of(views, name);
    return i < views->n && str_equal(views->items[i].name, name) ? &views->items[i] : NULL;
}

static const char *named_at(const void *of, size_t i, const char **filter) {
    const struct saved_views *views = of;
    if (i >= views->n)
        return views->shared ? shared_views_named(views->shared, i - views->n, filter) : NULL;
    *filter = views->items[i].filter;
    return views->items[i].name;
}

struct query_views saved_views_named(const struct saved_views *views) {
    return (struct query_views){named_at, views};
}

void saved_views_remove(struct saved_views *views, const char *name) {
    if (!saved_views_find(views, name))
        return;
    size_t i = view_views_place_of(views, name);
    view_views_clear(&views->items[i]);
    memmove(views->items + i, views->items + i + 1, (--views->n - i) * sizeof *views->items);
}

enum err saved_views_put(struct saved_views *views, const struct saved_view *view, struct error *error) {
    enum err err = saved_view_check(view->name, error);
    if (err == ERR_OK && views->n >= SAVED_VIEWS_MAX && !saved_views_find(views, view->name))
        err = error_set(error, ERR_LIMIT, "there are %d views already", SAVED_VIEWS_MAX);
    if (err != ERR_OK)
        return err;
    struct saved_view copy = *view;
    copy.name = mem_dup(view->name);
    copy.filter = mem_dup(view->filter);
    saved_views_remove(views, copy.name);
    size_t i = view_views_place_of(views, copy.name);
    (void)vec_add(views);
    memmove(views->items + i + 1, views->items + i, (views->n - 1 - i) * sizeof *views->items);
    views->items[i] = copy;
    return ERR_OK;
}

/* `amount,-created`: - descends. A field that is not known sorts by nothing, and is an error. */
static enum err parse_sort(const char *text, struct lookup_sort sort[LOOKUP_SORTS], struct error *error) {
    enum err err = ERR_OK;
    sort[0] = sort[1] = LOOKUP_UNSORTED;
    for (int i = 0; i < LOOKUP_SORTS && *text; i++) {
        bool descending = *text == '-';
        text += descending;
        size_t len = strcspn(text, ",");
        sort[i] = (struct lookup_sort){query_field_find(text, len), descending};
        if (sort[i].field == QUERY_FIELD_COUNT && err == ERR_OK)
            err = error_set(error, ERR_USAGE, "no field to sort by is called \"%.*s\"", (int)len, text);
        text += len + (text[len] == ',');
    }
    return *text && err == ERR_OK ? error_set(error, ERR_USAGE, "it is sorted by more than %d fields", LOOKUP_SORTS)
                                  : err;
}

static void print_sort(const struct lookup_sort sort[LOOKUP_SORTS], struct str *out) {
    for (int i = 0; i < LOOKUP_SORTS && sort[i].field != QUERY_FIELD_COUNT; i++)
        str_addf(out, "%s%s%s", i > 0 ? "," : "", sort[i].descending ? "-" : "", query_field(sort[i].field)->name);
}

enum err saved_view_take_line(struct saved_view *view, const char *line, struct error *error) {
    if (str_starts(line, SORT))
        return parse_sort(line + strlen(SORT), view->sort, error);
    if (str_starts(line, COLUMNS))
        return columns_parse(line + strlen(COLUMNS), &view->columns, error);
    if (!str_starts(line, FILTER))
        return error_set(error, ERR_USAGE, "it holds what this program does not know");
    free(view->filter);
    view->filter = mem_dup(line + strlen(FILTER));
    return ERR_OK;
}

static void view_views_finish(struct saved_views *out, struct saved_view *view, bool list) {
    if (list) {
        out->has_list = true;
        out->list = (struct layout){{view->sort[0], view->sort[1]}, view->columns};
    } else if (view->name) {
        enum err err = saved_views_put(out, view, NULL);
        (void)err;
    }
    view_views_clear(view);
    *view = (struct saved_view){.filter = mem_dup(""), .sort = {LOOKUP_UNSORTED, LOOKUP_UNSORTED}};
}

void saved_views_parse(const char *text, struct saved_views *out) {
    struct saved_view view = {0};
    *out = (struct saved_views){0};
    bool list = false;
    view_views_finish(out, &view, list);
    while (*text) {
        size_t len = strcspn(text, "\n");
        char *line = mem_dup_n(text, len);
        if (str_equal(line, LIST) || str_starts(line, NAME)) {
            view_views_finish(out, &view, list);
            list = str_equal(line, LIST);
            view.name = list ? NULL : mem_dup(line + strlen(NAME));
        } else {
            enum err err = saved_view_take_line(&view, line, NULL);
            (void)err; /* the usual sort and columns then */
        }
        free(line);
        text += len + (text[len] == '\n');
    }
    view_views_finish(out, &view, list);
    view_views_clear(&view);
}

bool layout_equal(const struct layout *a, const struct layout *b) {
    for (int i = 0; i < LOOKUP_SORTS; i++)
        if (a->sort[i].field != b->sort[i].field || a->sort[i].descending != b->sort[i].descending)
            return false;
    return columns_equal(&a->columns, &b->columns);
}

static void print_layout(const struct lookup_sort sort[LOOKUP_SORTS], const struct column_set *columns,
                         struct str *out) {
    str_add(out, SORT);
    print_sort(sort, out);
    str_addf(out, "\n%s", COLUMNS);
    columns_print(columns, out);
    str_add_char(out, '\n');
}

void saved_view_print_sort(const struct saved_view *view, struct str *out) {
    print_sort(view->sort, out);
}

void saved_view_print_lines(const struct saved_view *view, struct str *out) {
    str_addf(out, "%s%s\n", FILTER, view->filter);
    print_layout(view->sort, &view->columns, out);
}

void saved_views_print(const struct saved_views *views, struct str *out) {
    if (views->has_list) {
        str_addf(out, "%s\n", LIST);
        print_layout(views->list.sort, &views->list.columns, out);
    }
    for (size_t i = 0; i < views->n; i++) {
        const struct saved_view *view = &views->items[i];
        str_addf(out, "%s%s\n", NAME, view->name);
        saved_view_print_lines(view, out);
    }
}
