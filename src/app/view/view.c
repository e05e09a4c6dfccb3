#include "app/view.h"
#include "app/id_list.h"
#include "app/idset.h"
#include "view_own.h"

#include "base/clock.h"
#include "base/mem.h"
#include "query/split.h"

#include <stdlib.h>
#include <string.h>

enum { FILLING_PACE = 100 /* ms between two answers while the index fills */ };

void view_init(struct view *view, struct browse *browse) {
    *view = (struct view){.browse = browse,
                          .profile = browse->profile,
                          .text = mem_dup(""),
                          .name = mem_dup(""),
                          .local = mem_dup(""),
                          .window_text = mem_dup(""),
                          .sort = {LOOKUP_UNSORTED, LOOKUP_UNSORTED},
                          .marked = idset_new(),
                          .lists = id_lists_new(),
                          .window = VIEW_WINDOW};
    view_history_begin(view);
}

void view_clear(struct view *view) {
    view_history_clear(view);
    id_lists_free(view->lists);
    saved_views_clear(&view->saved);
    shared_views_clear(&view->shared);
    free(view->text);
    free(view->name);
    free(view->local);
    free(view->window_text);
    query_free(view->query);
    query_free(view->find);
    query_free(view->typed);
    view_names_free(view->marks.items, view->marks.n);
    idset_free(view->marked);
    lookup_result_free(view->answer);
    free(view->anchor.id);
    free(view->seen.items);
    notes_free(view->notes);
    *view = (struct view){0};
}

bool view_is_sorted(const struct view *view) {
    return view->sort[0].field != QUERY_FIELD_COUNT;
}

bool view_does_all(const struct view *view) {
    return view->source != VIEW_NOT_KNOWN && view->browse->mismatch && view->query && view->query->root;
}

bool view_wants(const struct view *view) {
    return view->source != VIEW_NOT_KNOWN && (view->previewing || view_is_sorted(view) || *view->local ||
                                              view_does_all(view) || query_asks_across(view->find));
}

size_t view_rows(const struct view *view) {
    return view->answer ? view->answer->n : 0;
}

int64_t view_key(const struct view *view, size_t row) {
    return view->answer && row < view->answer->n ? view->answer->keys[row] : 0;
}

bool view_is_gone(const struct view *view, size_t row) {
    const struct lookup_result *answer = view->answer;
    return answer && answer->gone && row < answer->n && answer->gone[row];
}

static struct view_seen *seen_of(const struct view *view, int64_t key) {
    for (size_t i = view->seen.n; i > 0; i--)
        if (view->seen.items[i - 1].key == key)
            return &view->seen.items[i - 1];
    return NULL;
}

uint64_t view_changed(const struct view *view, const struct lookup_row *row) {
    const struct view_seen *seen = row->changed ? seen_of(view, row->key) : NULL;
    return seen && seen->at >= row->changed_at ? 0 : row->changed;
}

static bool view_is_changed(const struct view *view, int64_t key) {
    const struct lookup_rows *rows = &view->answer->rows;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->items[i].key == key)
            return rows->items[i].changed != 0;
    return false;
}

void view_see(struct view *view, int64_t key, int64_t now) {
    if (!view->answer || !view_is_changed(view, key))
        return;
    struct view_seen *seen = seen_of(view, key);
    seen = seen ? seen : vec_add(&view->seen);
    *seen = (struct view_seen){key, now};
}

static struct query_options view_options(const struct view *view) {
    return (struct query_options){.unit = view->profile->amount_unit,
                                  .console = true,
                                  .views = saved_views_named(&view->saved),
                                  .lists = id_lists_open(view->lists)};
}

enum err view_parse(const struct view *view, const char *text, struct query **out, struct query_fault *fault,
                    struct error *error) {
    const struct query_options options = view_options(view);
    return query_parse(text, &options, out, fault, error);
}

enum err view_parse_events(const struct view *view, const char *text, struct query **out, struct query_fault *fault,
                           struct error *error) {
    struct query_options options = view_options(view);
    options.console = false;
    options.events = true;
    return query_parse(text, &options, out, fault, error);
}

struct query_context view_context(const struct view *view, int64_t now) {
    return (struct query_context){.now = now,
                                  .zone = view->zone,
                                  .unit = view->profile->amount_unit,
                                  .exponents = profile_money(view->profile).exponents,
                                  .last_visit = CLOCK_NONE,
                                  .notes = view->notes};
}

void view_take_notes(struct view *view, struct notes *notes, int64_t now, struct effects *effects) {
    notes_free(view->notes);
    view->notes = notes;
    if (view_wants(view))
        view_ask(view, now, effects); /* whatever it asks for: a saved filter can name a tag */
}

void view_anchor(struct view *view, const char *id, int64_t ms, int64_t key) {
    if (!str_equal(view->anchor.id, id)) {
        free(view->anchor.id);
        view->anchor.id = mem_dup(id);
    }
    view->anchor.ms = ms;
    view->anchor.key = key;
}

int64_t view_key_of(const struct view *view, const char *id, int64_t key) {
    if (view->source == VIEW_OF_WALK && id) {
        size_t row = browse_find(view->browse, id);
        return row < view->browse->n ? view->browse->items[row].key : INT64_MAX;
    }
    return id && lookup_is_walked(key) ? 0 : key;
}

/* The part that all questions about the result have in common. Takes query; NULL: the one on show. */
static struct lookup *lookup_of(const struct view *view, struct query *query, int64_t now) {
    struct lookup *lookup = lookup_new();
    lookup->query = query ? query : query_dup(view_shown_query(view));
    lookup->context = view_context(view, now);
    lookup->visit = true;
    lookup->marks = view_names_dup(view->marks.items, view->marks.n);
    lookup->n_marks = view->marks.n;
    for (size_t i = 0; i < lookup->n_marks; i++)
        lookup->marks[i].key = view_key_of(view, lookup->marks[i].id, lookup->marks[i].key);
    view_tell_left(view, lookup, now);
    return lookup;
}

uint64_t view_count_over(const struct view *view, const struct query_axis *over, enum query_field_code field,
                         size_t limit, int64_t now, struct effects *effects) {
    struct lookup *lookup = lookup_of(view, NULL, now);
    lookup->over = *over;
    lookup->over_limit = query_axis_is_time(over) ? VIEW_TIMES_MOST : 0;
    lookup->facet = field;
    lookup->facet_limit = limit;
    lookup->totals = field == QUERY_CURRENCY_FIELD;
    lookup->counts = true;
    return effects_lookup(effects, lookup);
}

uint64_t view_stats(const struct view *view, const struct stats_ask *ask, size_t limit, int64_t now,
                    struct effects *effects) {
    struct lookup *lookup = lookup_of(view, NULL, now);
    stats_question(ask, limit, lookup);
    lookup->over_limit = query_axis_is_time(&ask->over) ? VIEW_TIMES_MOST : 0;
    lookup->totals = ask->by.field == QUERY_CURRENCY_FIELD;
    lookup->counts = true;
    return effects_lookup(effects, lookup);
}

uint64_t view_match(const struct view *view, struct match *match, int64_t now, struct effects *effects) {
    struct lookup *lookup = lookup_of(view, NULL, now);
    lookup->match = match;
    lookup->whole = true;
    return effects_lookup(effects, lookup);
}

uint64_t view_gather(const struct view *view, struct query *query, struct gather *gather, int64_t now,
                     struct effects *effects) {
    struct lookup *lookup = lookup_of(view, query, now);
    lookup->gather = gather;
    return effects_lookup(effects, lookup);
}

/* Keeps the rows on show in their places: the list must not move by itself once the whole cache was searched. Without
 * rows on show nothing can move. */
static void view_follow(const struct view *view, struct lookup *lookup) {
    const struct lookup_result *answer = view->answer;
    if (answer && answer->whole && answer->n > 0 && !view->fresh && !view->welcome) {
        lookup->n_shown = answer->n;
        lookup->shown = mem_new_array(answer->n, sizeof *lookup->shown);
        memcpy(lookup->shown, answer->keys, answer->n * sizeof *lookup->shown);
    }
}

struct lookup *view_lookup_text(const struct view *view, const char *text, int64_t now) {
    struct query *query;
    if (view_parse(view, text, &query, NULL, NULL) != ERR_OK)
        return NULL;
    return lookup_of(view, query, now);
}

struct lookup *view_lookup_marks(const struct view *view, int64_t now) {
    struct lookup *lookup = view_lookup_text(view, "is:marked", now);
    if (!lookup)
        return NULL;
    memcpy(lookup->sort, view->sort, sizeof lookup->sort);
    size_t kept = 0;
    for (size_t i = 0; i < lookup->n_marks; i++)
        if (browse_became(view->browse, lookup->marks[i].id))
            free(lookup->marks[i].id);
        else
            lookup->marks[kept++] = lookup->marks[i];
    lookup->n_marks = kept;
    return lookup;
}

static void view_cancel(uint64_t *ticket, struct effects *effects) {
    if (*ticket) {
        effects_cancel(effects, *ticket);
        *ticket = 0;
    }
}

void view_ask(struct view *view, int64_t now, struct effects *effects) {
    view_cancel(&view->ticket, effects);
    view_cancel(&view->rows_ticket, effects); /* the new answer brings its own rows */
    if (!view_wants(view))
        return;
    struct lookup *lookup = lookup_of(view, NULL, now);
    lookup->find = view->find ? query_dup(view->find) : NULL;
    memcpy(lookup->sort, view->sort, sizeof lookup->sort);
    view_follow(view, lookup);
    lookup->totals = lookup->listed = true;
    lookup->facet = view->previewing ? QUERY_STATUS_FIELD : QUERY_FIELD_COUNT; /* often what the filter is typed for */
    lookup->unsummed = true;
    lookup->window = view->window;
    lookup->line = view->line;
    lookup->anchor =
        lookup_name_of(view->anchor.id, view->anchor.ms, view_key_of(view, view->anchor.id, view->anchor.key));
    view->ticket = effects_lookup(effects, lookup);
    view->asked = now;
    view->again = false;
    view->welcomed = view->welcome;
}

/* Asks a question that differs from the last: its answer may move the cursor. */
static void ask_anew(struct view *view, int64_t now, struct effects *effects) {
    view->fresh = true;
    view->question++;
    view->generation++;
    view_count_waiting(view, now);
    view_ask(view, now, effects);
    if (!view_wants(view)) {
        lookup_result_free(view->answer);
        view->answer = NULL;
    }
}

/* Gives rows of the walk to the index. Where they were numbered anew, the numbers of the rows on show mean nothing any
 * more. */
static void view_feed(struct view *view, struct effects *effects) {
    struct walked_rows *rows = view->source != VIEW_NOT_KNOWN ? browse_take_moves(view->browse) : NULL;
    if (rows) {
        view->welcome = view->welcome || (rows->anew && rows->alone);
        effects_walked(effects, rows);
    }
}

void view_walked(struct view *view, int64_t now, struct effects *effects) {
    view_feed(view, effects);
    view_count_waiting(view, now);
    if (view_wants(view) && !view->answer && !view->ticket)
        view_ask(view, now, effects);
}

void view_bring(struct view *view, int64_t now, struct effects *effects) {
    view->welcome = true;
    view_ask(view, now, effects);
}

void view_use_cache(struct view *view, bool use, struct effects *effects) {
    enum view_source source = use ? VIEW_OF_CACHE : VIEW_OF_WALK;
    bool other = source != view->source;
    if (other) {
        bool given = view->source != VIEW_NOT_KNOWN || source == VIEW_OF_WALK;
        view->welcome = true;
        view->source = source;
        browse_note_moves(view->browse, given, !use);
        view_feed(view, effects);
    }
    if (view_wants(view) && (use || other))
        view_ask(view, view->asked, effects);
}

static void drop_typed(struct view *view) {
    query_free(view->typed);
    view->typed = NULL;
    view->previewing = false;
}

void view_preview(struct view *view, struct query *query, int64_t now, struct effects *effects) {
    drop_typed(view);
    view->typed = query;
    view->previewing = true;
    ask_anew(view, now, effects);
}

void view_drop_preview(struct view *view, int64_t now, struct effects *effects) {
    if (view->previewing) {
        drop_typed(view);
        ask_anew(view, now, effects);
    }
}

void view_split(const struct view *view, const struct query *query, int64_t now, struct query_split *out) {
    struct query_service service = server_filter_service(view->profile);
    struct query_context context = view_context(view, now);
    query_split(query, &service, &context, out);
}

static void set_local(struct view *view, const struct query *rest) {
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    query_print(rest, &text);
    free(view->local);
    view->local = str_take(&text);
    view->local = view->local ? view->local : mem_dup("");
}

static void view_set_text(struct view *view, const char *text) {
    char *copy = mem_dup(text);
    free(view->text);
    view->text = copy;
}

/* The times as typed, for the filter row: what is sent is a little wider. */
static void set_window(struct view *view, const struct query *server) {
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    query_print_terms(server, QUERY_CREATED_FIELD, &text);
    free(view->window_text);
    view->window_text = str_take(&text);
}

/* Splits the tree: the service's part goes to browse, the rest stays here. */
static void take_query(struct view *view, struct query *query, int64_t now, struct effects *effects) {
    struct query_split split;
    struct server_filter filter = {0};
    view_split(view, query, now, &split);
    server_filter_of(&filter, &split);
    set_local(view, split.rest);
    set_window(view, split.server);
    query_split_clear(&split);
    query_free(view->query);
    view->query = query;
    if (!server_filter_equal(&filter, &view->browse->filter))
        browse_set_filter(view->browse, &filter, effects);
    server_filter_clear(&filter);
}

enum err view_set(struct view *view, const char *text, int64_t now, struct effects *effects, struct error *error) {
    struct query *query;
    enum err err = view_parse(view, text, &query, NULL, error);
    if (err == ERR_OK) {
        drop_typed(view);
        view_set_text(view, text);
        take_query(view, query, now, effects);
        ask_anew(view, now, effects);
    }
    return err;
}

static bool means_the_same(const struct query *a, const struct query *b) {
    struct str first, second;
    str_init(&first, QUERY_TEXT_MAX);
    str_init(&second, QUERY_TEXT_MAX);
    query_print(a, &first);
    query_print(b, &second);
    bool same = str_equal(first.len > 0 ? first.s : "", second.len > 0 ? second.s : "");
    str_clear(&first);
    str_clear(&second);
    return same;
}

enum err view_apply(struct view *view, const char *text, int64_t now, struct effects *effects, struct error *error) {
    struct query *query;
    enum err err = view_parse(view, text, &query, NULL, error);
    if (err != ERR_OK)
        return err;
    /* Lists may have been read again meanwhile, and views that it names changed. */
    bool anew = query_list_term(query, NULL) != NULL || !means_the_same(query, view->query);
    query_free(query);
    if (!str_equal(text, view->text)) {
        view_keep(view);
        view_set_name(view, "");
        err = view_set(view, text, now, effects, error);
        view_history_push(view);
    } else if (anew) {
        err = view_set(view, text, now, effects, error);
    } else {
        view_drop_preview(view, now, effects);
    }
    return err;
}

/* Appends the local terms, in parentheses where they are a choice, so that another term can follow. */
static void add_local(const struct view *view, struct str *text) {
    struct query *local;
    if (!*view->local || view_parse(view, view->local, &local, NULL, NULL) != ERR_OK)
        return;
    bool choice = text->len > 0 && local->root && local->root->kind == QUERY_ANY;
    str_addf(text, choice ? "%s(%s)" : "%s%s", text->len > 0 ? " " : "", view->local);
    query_free(local);
}

/* Values that the service takes are also words of the filter language. Times stay in the local part as well. */
void view_set_server(struct view *view, const struct server_filter *filter, int64_t now, struct effects *effects) {
    struct str text;
    struct server_filter sent = {0};
    struct list_query query = server_filter_query(filter, NULL, false);
    struct query *tree;
    view_keep(view);
    server_filter_copy(&sent, filter);
    query.after = query.before = NULL;
    str_init(&text, QUERY_TEXT_MAX);
    api_query_text(&query, &text);
    add_local(view, &text);
    if (view_parse(view, text.s, &tree, NULL, NULL) == ERR_OK) {
        struct query_split split;
        view_split(view, tree, now, &split);
        server_filter_window(&sent, &split);
        query_split_clear(&split);
        query_free(view->query);
        view->query = tree;
        view_set_text(view, text.s);
        view_set_name(view, "");
    }
    str_clear(&text);
    browse_set_filter(view->browse, &sent, effects);
    server_filter_clear(&sent);
    view_history_push(view);
    ask_anew(view, now, effects);
}

static void next_sort(struct lookup_sort *sort, enum query_field_code field) {
    if (sort->field != field)
        *sort = (struct lookup_sort){field, false};
    else if (!sort->descending)
        sort->descending = true;
    else
        *sort = LOOKUP_UNSORTED;
}

void view_sort(struct view *view, enum query_field_code field, int key, int64_t now, struct effects *effects) {
    view_keep(view);
    key = view_is_sorted(view) && view->sort[0].field != field ? key : 0;
    next_sort(&view->sort[key], field);
    if (key == 0)
        view->sort[1] = LOOKUP_UNSORTED;
    ask_anew(view, now, effects);
}

void view_order(struct view *view, enum query_field_code field, bool descending, int64_t now, struct effects *effects) {
    view_keep(view);
    view->sort[0] = (struct lookup_sort){field, descending};
    view->sort[1] = LOOKUP_UNSORTED;
    ask_anew(view, now, effects);
}

uint64_t view_locate(const struct view *view, const struct query *query, int64_t now, struct effects *effects) {
    struct lookup *lookup = lookup_of(view, NULL, now);
    lookup->find = query_dup(query);
    memcpy(lookup->sort, view->sort, sizeof lookup->sort);
    return effects_lookup(effects, lookup);
}

void view_find(struct view *view, struct query *query, int64_t now, struct effects *effects) {
    query_free(view->find);
    view->find = query;
    view->generation++;
    view_ask(view, now, effects);
}

/* Currencies with most rows first: they are read first, and where there is little room they are the ones shown. */
static int most_rows_first(const void *a, const void *b) {
    const struct lookup_total *x = a, *y = b;
    if (x->rows != y->rows)
        return x->rows < y->rows ? 1 : -1;
    return !x->currency || !y->currency ? !x->currency - !y->currency : strcmp(x->currency, y->currency);
}

static void take_answer(struct view *view, struct event *event, struct effects *effects) {
    view->ticket = 0;
    view->generation++;
    view->welcome = view->welcome && (view->again || !view->welcomed);
    if (event_get(event, lookup_result)->error.code == ERR_OK) {
        lookup_result_free(view->answer);
        view->answer = event_take(event, lookup_result);
        view->answered = view->question;
        if (view->answer->n_totals > 0)
            qsort(view->answer->totals, view->answer->n_totals, sizeof *view->answer->totals, most_rows_first);
    }
    if (view->again)
        view_ask(view, event->now, effects);
}

static void take_range(struct view *view, const struct lookup_rows *rows) {
    view->range_ticket = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct intent *intent = rows->items[i].intent;
        if (intent && intent->id.state == VALUE_OK) {
            struct lookup_name name = {(char *)intent->id.text, intent->created_at.ms, rows->items[i].key};
            view_mark(view, &name, true);
        }
    }
}

static void index_moved(struct view *view, const struct event *event, struct effects *effects) {
    const struct browse *browse = view->browse;
    bool requested_pages =
        browse->requested_pages != view->requested_pages || (browse_is_busy(browse) && !browse->quiet);
    view->requested_pages = browse->requested_pages;
    view_feed(view, effects);
    if (!view_wants(view))
        return;
    view->welcome = view->welcome || requested_pages;
    if (view->ticket)
        view->again = true;
    else if ((event_get(event, index_filled)->whole && !browse_has_moves(browse)) ||
             event->now - view->asked >= FILLING_PACE)
        view_ask(view, event->now, effects);
}

/* A page read in passing, for newer rows, does not make an answer over a finished walk out of date. */
void view_page(const struct view *view, const struct event *event, struct lookup_result *answer) {
    bool walks = view->browse->task == BROWSE_FIRST || view->browse->task == BROWSE_MORE;
    const struct list_result *page = event->kind == EVENT_LIST ? event_get(event, list_result) : NULL;
    bool fed = page && view->source == VIEW_OF_WALK && page->answer.code == ERR_OK && page->page.n > 0;
    if (answer && page && (page->stored || fed) && walks)
        answer->behind = true;
}

bool view_update(struct view *view, struct event *event, struct effects *effects) {
    if (event->kind == EVENT_LOOKUP && event->ticket == view->ticket && view->ticket) {
        take_answer(view, event, effects);
        return true;
    }
    if (event->kind == EVENT_LOOKUP_ROWS && event->ticket == view->rows_ticket && view->rows_ticket) {
        struct lookup_result *found = event_get(event, lookup_result);
        if (view->answer)
            lookup_damage(&view->answer->coverage, &view->answer->damaged, found);
        view_take_rows(view, &found->rows);
        return true;
    }
    if (event->kind == EVENT_LOOKUP_ROWS && event->ticket == view->range_ticket && view->range_ticket) {
        take_range(view, &event_get(event, lookup_result)->rows);
        return true;
    }
    if (event->kind == EVENT_INDEX)
        index_moved(view, event, effects);
    return false;
}
