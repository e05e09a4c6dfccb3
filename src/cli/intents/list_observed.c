#include "list_own.h"

#include "base/out.h"

#include <string.h>

static bool take_id(void *context, const struct lookup_row *row) {
    const char *id = row->intent ? intent_id(row->intent) : NULL;
    if (id)
        (void)idset_put(context, id, strlen(id), 0);
    return true;
}

/* The ids of the cached rows that match, which the walk has just put there. */
static enum err find_ids(struct list *list, struct idset *ids, struct error *error) {
    struct lookup_ask ask = {.lookup = lookup_new(), .row = take_id, .context = ids};
    ask.lookup->query = query_dup(list->observed);
    enum err err = cli_cached_list(list->cli, &ask, error);
    if (err == ERR_OK && ask.answer->n == 0 && ask.answer->doubt)
        out_say(list->cli->err, "bursar: %s\n", ask.answer->doubt);
    if (err == ERR_OK)
        err = cli_check_damage(&ask.answer->coverage, ask.answer->damaged, error);
    lookup_result_free(ask.answer);
    return err;
}

/* The cache keeps no row without an id, so that nothing was observed of it. */
static bool is_found(struct list *list, const struct browse_row *row, const struct idset *ids) {
    const char *id = intent_id(row->intent);
    return id ? idset_find(ids, id, strlen(id)) != SIZE_MAX : list_rest_matches(list, row->intent, row->confirmed);
}

void list_judge_observed(struct list *list) {
    struct idset *ids = idset_new();
    struct error error = {0};
    int signal = list->cli->signal;
    enum err err = signal ? ERR_CANCELLED : find_ids(list, ids, &error);
    for (size_t place = 0; place < list->next && (err == ERR_OK || signal); place++)
        if (signal || !is_found(list, &list->browse.items[place], ids))
            (void)index_remove(list->index, (int64_t)place);
    if (!signal && err != ERR_OK) {
        out_say(list->cli->err,
                "bursar: the service does not say from which status an intent came, and what was observed of that "
                "cannot be told: %s\n",
                error.text);
        query_free(list->observed);
        list->observed = NULL;
    }
    idset_free(ids);
}
