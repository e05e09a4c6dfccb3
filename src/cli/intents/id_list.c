#include "id_list.h"

#include "app/idset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/utf8.h"
#include "model/money.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 16 << 20, ID_MAX = 1 << 12, NAMED = 20 };

struct id_list {
    char *name;
    struct arena arena;
    struct {
        const char **items;
        size_t n, cap;
    } ids;
    struct idset *places;
    unsigned char *found; /* by place */
};

struct id_lists {
    bool alone; /* the filter is a list and nothing else: what it leaves out is not there */
    struct {
        struct id_list **items;
        size_t n, cap;
    } lists;
};

static void id_list_free(struct id_list *list) {
    arena_clear(&list->arena);
    idset_free(list->places);
    free(list->ids.items);
    free(list->found);
    free(list->name);
    free(list);
}

/* An id that stands twice counts once. */
static void id_list_add(struct id_list *list, const char *text, size_t len) {
    struct str id;
    str_init(&id, ID_MAX);
    utf8_sanitise(&id, text, len);
    if (idset_put(list->places, id.s, id.len, list->ids.n))
        *(const char **)vec_add(&list->ids) = arena_dup_n(&list->arena, id.s, id.len);
    str_clear(&id);
}

/* Blanks, commas, semicolons, quotes and new lines part ids, as they come out of a spreadsheet, a mail or a log. */
static void id_list_split(struct id_list *list, const char *text, size_t len) {
    static const char BETWEEN[] = " \t\r\n\v\f,;\"'";
    size_t at = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < len && list->ids.n <= QUERY_LIST_MAX) {
        at += strspn(text + at, BETWEEN);
        size_t n = strcspn(text + at, BETWEEN);
        if (n > 0)
            id_list_add(list, text + at, n);
        at += n + (n == 0);
    }
}

static const char *id_list_at(const void *of, size_t i) {
    const struct id_list *list = of;
    return i < list->ids.n ? list->ids.items[i] : NULL;
}

static enum err id_list_read(struct id_list *list, struct error *error) {
    struct str text;
    str_init(&text, FILE_MAX);
    enum err err = cli_read_input(list->name, &text, "", error);
    if (err == ERR_OK && text.truncated)
        err = error_set(error, ERR_INVALID, "%s: is larger than 16 MB", list->name);
    if (err == ERR_OK)
        id_list_split(list, text.s, text.len);
    if (err == ERR_OK && list->ids.n == 0)
        err = error_set(error, ERR_INVALID, "%s: holds no id", list->name);
    list->found = mem_new_array(list->ids.n + 1, 1);
    str_clear(&text);
    return err;
}

static const void *id_lists_open(void *of, const char *name, struct error *error) {
    struct cli *cli = of;
    cli->lists = cli->lists ? cli->lists : mem_new(sizeof *cli->lists);
    for (size_t i = 0; i < cli->lists->lists.n; i++)
        if (str_equal(cli->lists->lists.items[i]->name, name))
            return cli->lists->lists.items[i];
    struct id_list *list = mem_new(sizeof *list);
    list->name = mem_dup(name);
    list->places = idset_new();
    if (id_list_read(list, error) != ERR_OK) {
        id_list_free(list);
        return NULL;
    }
    *(struct id_list **)vec_add(&cli->lists->lists) = list;
    return list;
}

struct query_lists id_lists_of(struct cli *cli) {
    return (struct query_lists){.at = id_list_at, .open = id_lists_open, .of = cli};
}

void id_lists_note(const struct cli *cli, const struct query *query) {
    const struct query_node *root = query ? query->root : NULL;
    if (cli->lists)
        cli->lists->alone = root && root->kind == QUERY_TERM && root->list;
}

bool id_lists_any(const struct cli *cli) {
    return cli->lists && cli->lists->lists.n > 0;
}

void cli_lists_free(struct cli *cli) {
    for (size_t i = 0; cli->lists && i < cli->lists->lists.n; i++)
        id_list_free(cli->lists->lists.items[i]);
    if (cli->lists)
        free(cli->lists->lists.items);
    free(cli->lists);
    cli->lists = NULL;
}

static size_t id_list_meet(struct id_list *list, const struct value_text *id) {
    size_t at = id->state == VALUE_OK ? idset_find(list->places, id->text, strlen(id->text)) : SIZE_MAX;
    if (at != SIZE_MAX)
        list->found[at] = 1;
    return at;
}

size_t id_lists_meet(struct cli *cli, const struct intent *intent) {
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < cli->lists->lists.n; i++) {
        size_t at = id_list_meet(cli->lists->lists.items[i], &intent->id);
        size_t of_user = id_list_meet(cli->lists->lists.items[i], &intent->user_id);
        at = at == SIZE_MAX ? of_user : at;
        first = first == SIZE_MAX ? at : first;
    }
    return first;
}

static void id_list_say(const struct cli *cli, const struct id_list *list, size_t rows,
                        const struct coverage *coverage) {
    struct str text;
    size_t found = 0, named = 0;
    str_init(&text, 1 << 14);
    for (size_t i = 0; i < list->ids.n; i++)
        found += list->found[i];
    bool alone = cli->lists->alone;
    str_addf(&text, "%zu of %zu of @%s %s", found, list->ids.n, list->name, alone ? "found" : "match the filter");
    if (found < list->ids.n) {
        str_add(&text, alone ? "; not found among " : "; not there, or no match, among ");
        money_group_count(&text, rows);
        str_add(&text, rows == 1 ? " intent, " : " intents, ");
        coverage_text(coverage, COVERAGE_BRIEF, clock_now(), &text);
        str_add(&text, ": ");
    }
    for (size_t i = 0; i < list->ids.n; i++)
        if (!list->found[i] && named++ < NAMED)
            str_addf(&text, "%s%s", named > 1 ? ", " : "", list->ids.items[i]);
    if (named > NAMED)
        str_addf(&text, " and %zu more", named - NAMED);
    out_say(cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
}

void id_lists_say(const struct cli *cli, size_t rows, const struct coverage *coverage) {
    for (size_t i = 0; cli->lists && i < cli->lists->lists.n; i++)
        id_list_say(cli, cli->lists->lists.items[i], rows, coverage);
}

/* ---- The list's order ---- */

void listed_put(struct listed_rows *rows, size_t rank, const struct intent *intent) {
    size_t place = rows->n;
    *vec_add(rows) = (struct listed_row){rank, place, mem_dup_n(intent->raw, intent->raw_len), intent->raw_len};
}

static int listed_by_rank(const void *a, const void *b) {
    const struct listed_row *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->place > y->place) - (x->place < y->place);
}

void listed_sort(struct listed_rows *rows) {
    if (rows->n > 1)
        qsort(rows->items, rows->n, sizeof *rows->items, listed_by_rank);
}

void listed_clear(struct listed_rows *rows) {
    for (size_t i = 0; i < rows->n; i++)
        free(rows->items[i].raw);
    free(rows->items);
    *rows = (struct listed_rows){0};
}
