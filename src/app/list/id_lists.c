#include "app/id_list.h"

#include "app/file.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The parser asks for a list on the thread of the keys, which waits for no disk: a list that was not read yet is a
 * fault of the filter until the lane has it. */

static const char PASTED[] = "pasted";

struct named_list {
    struct id_list *list; /* NULL: not read, or it cannot be */
    char *name;
    struct error error; /* why not */
    uint64_t ticket;
    bool pasted, read, wanted;
};

struct id_lists {
    struct {
        struct named_list **items;
        size_t n, cap;
    } lists;
    size_t pastes;
};

struct id_lists *id_lists_new(void) {
    return mem_new(sizeof(struct id_lists));
}

void id_lists_free(struct id_lists *lists) {
    for (size_t i = 0; lists && i < lists->lists.n; i++) {
        id_list_free(lists->lists.items[i]->list);
        free(lists->lists.items[i]->name);
        free(lists->lists.items[i]);
    }
    if (lists)
        free(lists->lists.items);
    free(lists);
}

static struct named_list *id_lists_find(struct id_lists *lists, const char *name) {
    for (size_t i = 0; i < lists->lists.n; i++)
        if (str_equal(lists->lists.items[i]->name, name))
            return lists->lists.items[i];
    struct named_list *named = mem_new(sizeof *named);
    *(struct named_list **)vec_add(&lists->lists) = named;
    named->name = mem_dup(name);
    return named;
}

static const void *id_lists_named(void *of, const char *name, struct error *error) {
    struct named_list *named = id_lists_find(of, name);
    if (strcmp(name, "-") == 0) {
        (void)error_set(error, ERR_USAGE, "@- is for the command line: paste the ids here");
        return NULL;
    }
    named->wanted = named->wanted || (!named->read && !named->ticket);
    if (named->list)
        return named->list;
    if (named->error.code != ERR_OK)
        (void)error_set(error, named->error.code, "%s", named->error.text);
    else
        (void)error_set(error, ERR_USAGE, "the list @%s is being read", name);
    return NULL;
}

struct query_lists id_lists_open(struct id_lists *lists) {
    return (struct query_lists){.at = id_list_at, .open = id_lists_named, .of = lists};
}

void id_lists_outdate(struct id_lists *lists) {
    for (size_t i = 0; i < lists->lists.n; i++)
        lists->lists.items[i]->read = lists->lists.items[i]->pasted;
}

void id_lists_ask(struct id_lists *lists, struct effects *effects) {
    for (size_t i = 0; i < lists->lists.n; i++) {
        struct named_list *named = lists->lists.items[i];
        if (!named->wanted || named->ticket)
            continue;
        named->wanted = false;
        named->ticket = effects_file(effects, file_ask_new(FILE_IDS, named->name));
    }
}

bool id_lists_are_awaited(const struct id_lists *lists) {
    for (size_t i = 0; i < lists->lists.n; i++)
        if (lists->lists.items[i]->ticket || lists->lists.items[i]->wanted)
            return true;
    return false;
}

static void id_lists_take(struct named_list *named, const struct file_answer *answer) {
    struct id_list *list = id_list_new(named->name);
    named->ticket = 0;
    named->read = true;
    named->error = answer->error;
    id_list_split(list, answer->text.s, answer->text.len);
    if (named->error.code == ERR_OK && list->ids.n == 0)
        (void)error_set(&named->error, ERR_INVALID, "%s: holds no id", named->name);
    id_list_free(named->list);
    named->list = named->error.code == ERR_OK ? list : NULL;
    if (!named->list)
        id_list_free(list);
}

bool id_lists_update(struct id_lists *lists, const struct event *event) {
    for (size_t i = 0; i < lists->lists.n && event->kind == EVENT_FILE; i++) {
        struct named_list *named = lists->lists.items[i];
        if (named->ticket && named->ticket == event->ticket) {
            id_lists_take(named, event_get(event, file_answer));
            return true;
        }
    }
    return false;
}

void id_lists_paste(struct id_lists *lists, const char *text, struct str *name) {
    size_t at = name->len + 1;
    str_addf(name, "@%s", PASTED);
    if (lists->pastes++ > 0)
        str_addf(name, "%zu", lists->pastes);
    struct named_list *named = id_lists_find(lists, name->s + at);
    id_list_free(named->list);
    named->list = id_list_new(named->name);
    named->pasted = named->read = true;
    named->wanted = false;
    id_list_split(named->list, text, strlen(text));
}
