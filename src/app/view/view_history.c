#include "app/idset.h"
#include "view_own.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct lookup_name *view_names_dup(const struct lookup_name *names, size_t n) {
    struct lookup_name *copy = mem_new_array(n + 1, sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = lookup_name_of(names[i].id, names[i].ms, names[i].key);
    return copy;
}

void view_names_free(struct lookup_name *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(names[i].id);
    free(names);
}

static struct view_state view_history_state_of(const struct view *view) {
    return (struct view_state){.text = mem_dup(view->text),
                               .name = mem_dup(view->name),
                               .sort = {view->sort[0], view->sort[1]},
                               .columns = view->columns,
                               .marks = view_names_dup(view->marks.items, view->marks.n),
                               .n_marks = view->marks.n};
}

static void state_clear(struct view_state *state) {
    free(state->text);
    free(state->name);
    view_names_free(state->marks, state->n_marks);
    *state = (struct view_state){0};
}

static void view_history_file_push(struct view_states *states, struct view_state state) {
    if (states->n == VIEW_UNDO_MAX) {
        state_clear(&states->items[0]);
        memmove(states->items, states->items + 1, --states->n * sizeof *states->items);
    }
    struct view_state *place = vec_add(states);
    *place = state;
}

static void states_clear(struct view_states *states) {
    for (size_t i = 0; i < states->n; i++)
        state_clear(&states->items[i]);
    states->n = 0;
}

void view_history_begin(struct view *view) {
    view->history.items[0] = view_history_state_of(view);
    view->history.n = 1;
}

void view_history_clear(struct view *view) {
    states_clear(&view->undo);
    states_clear(&view->redo);
    free(view->undo.items);
    free(view->redo.items);
    for (size_t i = 0; i < view->history.n; i++)
        state_clear(&view->history.items[i]);
}

/* A new view removes the views that were gone back from. */
void view_history_push(struct view *view) {
    while (view->history.n > view->history.at + 1)
        state_clear(&view->history.items[--view->history.n]);
    if (view->history.n == VIEW_HISTORY_MAX) {
        state_clear(&view->history.items[0]);
        memmove(view->history.items, view->history.items + 1, --view->history.n * sizeof *view->history.items);
    }
    view->history.items[view->history.n] = view_history_state_of(view);
    view->history.last = view->history.n > 0 ? view->history.n - 1 : 0;
    view->history.at = view->history.n++;
}

bool view_is_marked(const struct view *view, const char *id) {
    return id && view->marks.n > 0 && idset_find(view->marked, id, strlen(id)) != SIZE_MAX;
}

static void view_history_reindex(struct view *view) {
    idset_reset(view->marked);
    for (size_t i = 0; i < view->marks.n; i++)
        (void)idset_put(view->marked, view->marks.items[i].id, strlen(view->marks.items[i].id), i);
}

void view_mark(struct view *view, const struct lookup_name *name, bool on) {
    size_t place = idset_find(view->marked, name->id, strlen(name->id));
    if (on && place == SIZE_MAX) {
        struct lookup_name *mark = vec_add(&view->marks);
        *mark = lookup_name_of(name->id, name->ms, name->key);
        (void)idset_put(view->marked, name->id, strlen(name->id), view->marks.n - 1);
    } else if (!on && place != SIZE_MAX) {
        free(view->marks.items[place].id);
        view->marks.items[place] = view->marks.items[--view->marks.n];
        view_history_reindex(view);
    }
    view->generation++;
}

void view_mark_rows(struct view *view, size_t from, size_t end, struct effects *effects) {
    view->range_ticket = effects_lookup_rows(effects, view->answer->keys + from, end - from, from);
}

void view_marks_drop(struct view *view) {
    for (size_t i = 0; i < view->marks.n; i++)
        free(view->marks.items[i].id);
    view->marks.n = 0;
    idset_reset(view->marked);
    view->generation++;
}

void view_set_name(struct view *view, const char *name) {
    char *copy = mem_dup(name);
    free(view->name);
    view->name = copy;
}

void view_columns(struct view *view, const struct column_set *set) {
    if (!columns_equal(&view->columns, set)) {
        view_keep(view);
        view->columns = *set;
        view->generation++;
    }
}

/* Stores the changes made to a view since it was opened, unless its filter was undone: then it is kept as it was. */
static void keep_in_history(struct view *view) {
    struct view_state *at = &view->history.items[view->history.at];
    if (str_equal(at->text, view->text)) {
        state_clear(at);
        *at = view_history_state_of(view);
    }
}

void view_keep(struct view *view) {
    view_history_file_push(&view->undo, view_history_state_of(view));
    keep_in_history(view);
    states_clear(&view->redo);
}

/* Before anything is changed: a view that it names may be gone by now. */
static bool is_state_usable(const struct view *view, const struct view_state *state, struct error *error) {
    struct query *query = NULL;
    enum err err = view_parse(view, state->text, &query, NULL, error);
    query_free(query);
    return err == ERR_OK;
}

static void put_back(struct view *view, const struct view_state *state, bool marks, int64_t now,
                     struct effects *effects) {
    memcpy(view->sort, state->sort, sizeof view->sort);
    view->columns = state->columns;
    view_set_name(view, state->name);
    if (marks) {
        view_marks_drop(view);
        for (size_t i = 0; i < state->n_marks; i++)
            view_mark(view, &state->marks[i], true);
    }
    enum err err = view_set(view, state->text, now, effects, NULL);
    (void)err; /* it is usable */
}

static bool view_history_step(struct view *view, struct view_states *from, struct view_states *to, int64_t now,
                              struct effects *effects, struct error *error) {
    if (from->n == 0 || !is_state_usable(view, &from->items[from->n - 1], error))
        return false;
    view_history_file_push(to, view_history_state_of(view));
    struct view_state state = from->items[--from->n];
    put_back(view, &state, true, now, effects);
    state_clear(&state);
    return true;
}

bool view_undo(struct view *view, int64_t now, struct effects *effects, struct error *error) {
    return view_history_step(view, &view->undo, &view->redo, now, effects, error);
}

bool view_redo(struct view *view, int64_t now, struct effects *effects, struct error *error) {
    return view_history_step(view, &view->redo, &view->undo, now, effects, error);
}

static bool view_history_go_to(struct view *view, size_t place, int64_t now, struct effects *effects,
                               struct error *error) {
    if (!is_state_usable(view, &view->history.items[place], error))
        return false;
    view_keep(view);
    view->history.last = view->history.at;
    view->history.at = place;
    put_back(view, &view->history.items[place], false, now, effects);
    return true;
}

bool view_go(struct view *view, int direction, int64_t now, struct effects *effects, struct error *error) {
    if (direction < 0 ? view->history.at == 0 : view->history.at + 1 >= view->history.n)
        return false;
    return view_history_go_to(view, direction < 0 ? view->history.at - 1 : view->history.at + 1, now, effects, error);
}

bool view_last(struct view *view, int64_t now, struct effects *effects, struct error *error) {
    if (view->history.last >= view->history.n || view->history.last == view->history.at)
        return false;
    return view_history_go_to(view, view->history.last, now, effects, error);
}

static const struct saved_view *view_named(const struct view *view, const char *name, struct error *error) {
    const struct saved_view *saved = saved_views_find(&view->saved, name);
    const struct shared_view *shared = saved ? NULL : shared_views_find(&view->shared, name);
    enum err err = ERR_OK;
    if (!saved && !shared)
        err = error_set(error, ERR_INVALID, "no view is saved as \"%s\"", name);
    else if (shared && shared->fault)
        err = error_set(error, ERR_INVALID, "%s cannot be used here: %s", name, shared->fault);
    return err != ERR_OK ? NULL : saved ? saved : &shared->view;
}

/* Undone or edited, it has lost its name already. */
static bool view_lost_name(const struct view *view, const char *before) {
    const struct saved_view *own = saved_views_find(&view->saved, view->name);
    const struct shared_view *shared = own ? NULL : shared_views_find(&view->shared, view->name);
    const char *now = own ? own->filter : shared && !shared->fault ? shared->view.filter : NULL;
    return !now || (before && !str_equal(now, before));
}

bool view_take_saved(struct view *view, const char *saved, const char *shared) {
    const struct saved_view *own = saved_views_find(&view->saved, view->name);
    const struct shared_view *on_show = shared_views_find(&view->shared, view->name);
    char *before = own ? mem_dup(own->filter) : on_show ? mem_dup(on_show->view.filter) : NULL;
    saved_views_clear(&view->saved);
    saved_views_parse(saved, &view->saved);
    if (shared) {
        shared_views_clear(&view->shared);
        shared_views_parse(shared, view->profile, &view->shared);
    }
    view->saved.shared = &view->shared;
    bool lost = *view->name && view_lost_name(view, before);
    if (lost)
        view_set_name(view, "");
    free(before);
    return lost && on_show;
}

enum err view_open(struct view *view, const char *name, int64_t now, struct effects *effects, struct error *error) {
    struct query *query;
    const struct saved_view *saved = view_named(view, name, error);
    if (!saved)
        return ERR_INVALID;
    enum err err = view_parse(view, saved->filter, &query, NULL, error);
    query_free(query);
    if (err != ERR_OK)
        return err;
    view_keep(view);
    memcpy(view->sort, saved->sort, sizeof view->sort);
    view->columns = saved->columns;
    view_set_name(view, name);
    err = view_set(view, saved->filter, now, effects, error);
    view_history_push(view);
    return err;
}

void view_restore(struct view *view, const struct layout *layout, int64_t now, struct effects *effects) {
    view_keep(view);
    memcpy(view->sort, layout->sort, sizeof view->sort);
    view->columns = layout->columns;
    enum err err = view_set(view, view->text, now, effects, NULL);
    (void)err; /* it parsed before */
}
