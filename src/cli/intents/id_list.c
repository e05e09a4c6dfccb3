#include "id_list.h"

#include "app/id_list.h"
#include "app/idset.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"

#include <stdlib.h>
#include <string.h>

/* With what was met of it. */
struct met_list {
    struct id_list *list;
    unsigned char *found; /* by place */
};

struct met_lists {
    bool alone; /* the filter is a list and nothing else: what it leaves out is not there */
    struct {
        struct met_list *items;
        size_t n, cap;
    } lists;
};

static enum err id_list_read(struct id_list *list, struct error *error) {
    struct str text;
    str_init(&text, ID_LIST_MAX);
    enum err err = cli_read_input(list->name, &text, "", error);
    if (err == ERR_OK && text.truncated)
        err = error_set(error, ERR_INVALID, "%s: is larger than 16 MB", list->name);
    if (err == ERR_OK)
        id_list_split(list, text.s, text.len);
    if (err == ERR_OK && list->ids.n == 0)
        err = error_set(error, ERR_INVALID, "%s: holds no id", list->name);
    str_clear(&text);
    return err;
}

static const void *id_lists_read(void *of, const char *name, struct error *error) {
    struct cli *cli = of;
    cli->lists = cli->lists ? cli->lists : mem_new(sizeof *cli->lists);
    for (size_t i = 0; i < cli->lists->lists.n; i++)
        if (str_equal(cli->lists->lists.items[i].list->name, name))
            return cli->lists->lists.items[i].list;
    struct id_list *list = id_list_new(name);
    if (id_list_read(list, error) != ERR_OK) {
        id_list_free(list);
        return NULL;
    }
    *vec_add(&cli->lists->lists) = (struct met_list){list, mem_new_array(list->ids.n + 1, 1)};
    return list;
}

struct query_lists id_lists_of(struct cli *cli) {
    return (struct query_lists){.at = id_list_at, .open = id_lists_read, .of = cli};
}

void id_lists_note(const struct cli *cli, const struct query *query) {
    if (cli->lists)
        (void)query_list_term(query, &cli->lists->alone);
}

bool id_lists_any(const struct cli *cli) {
    return cli->lists && cli->lists->lists.n > 0;
}

void cli_lists_free(struct cli *cli) {
    for (size_t i = 0; cli->lists && i < cli->lists->lists.n; i++) {
        id_list_free(cli->lists->lists.items[i].list);
        free(cli->lists->lists.items[i].found);
    }
    if (cli->lists)
        free(cli->lists->lists.items);
    free(cli->lists);
    cli->lists = NULL;
}

static size_t id_list_meet(struct met_list *met, const struct value_text *id) {
    size_t at = id->state == VALUE_OK ? idset_find(met->list->places, id->text, strlen(id->text)) : SIZE_MAX;
    if (at != SIZE_MAX)
        met->found[at] = 1;
    return at;
}

size_t id_lists_meet(struct cli *cli, const struct intent *intent) {
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < cli->lists->lists.n; i++) {
        size_t at = id_list_meet(&cli->lists->lists.items[i], &intent->id);
        size_t of_user = id_list_meet(&cli->lists->lists.items[i], &intent->user_id);
        at = at == SIZE_MAX ? of_user : at;
        first = first == SIZE_MAX ? at : first;
    }
    return first;
}

void id_lists_say(const struct cli *cli, size_t rows, const struct coverage *coverage) {
    struct str text;
    str_init(&text, 1 << 14);
    for (size_t i = 0; cli->lists && i < cli->lists->lists.n; i++) {
        const struct met_list *met = &cli->lists->lists.items[i];
        str_reset(&text);
        (void)id_list_say(&(struct id_list_met){.name = met->list->name,
                                                .n = met->list->ids.n,
                                                .at = id_list_at,
                                                .of = met->list,
                                                .found = met->found,
                                                .alone = cli->lists->alone,
                                                .rows = rows},
                          coverage, clock_now(), &text);
        out_say(cli->err, "bursar: %s\n", text.s);
    }
    str_clear(&text);
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
