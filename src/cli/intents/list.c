#include "cli/cli.h"
#include "follow.h"
#include "id_list.h"
#include "list_own.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "query/split.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BLOB_MAX = 16 << 20 };

/* The service gets the part of FILTER that it can apply, the rest is applied to its rows here. */
static enum err take_filter(struct list *list, struct error *error) {
    struct query *query;
    struct query_split split;
    struct query_service service = server_filter_service(list->cli->profile);
    list->context = cli_context(list->cli, clock_now());
    enum err err = cli_list_filter(list->cli, &query, error);
    if (err != ERR_OK)
        return err;
    cli_say_integers(list->cli, query);
    query_split(query, &service, &list->context, &split);
    server_filter_of(&list->browse.filter, &split);
    list->rest = query_dup(split.rest);
    list->doubted = doubted_new(query, &list->context);
    list->observed = query_asks_transitions(query) ? query_dup(query) : NULL;
    query_split_clear(&split);
    query_free(query);
    return ERR_OK;
}

bool list_rest_matches(struct list *list, const struct intent *intent, int64_t confirmed) {
    struct cells cells;
    struct query_row row;
    if (!list->plan)
        return true;
    if (!cli_row_of(intent, confirmed, &list->blob, &cells, &row))
        return false;
    bool matches = query_match(list->plan, &row);
    if (matches) {
        doubted_free(list->doubted);
        list->doubted = NULL;
    }
    doubted_look(list->doubted, &row);
    return matches;
}

/* Keeps a row that is printed in order, once all were read. */
static void hold_row(struct list *list, int64_t key, const struct browse_row *row) {
    struct cells cells;
    struct query_row put;
    bool sound = cli_row_of(row->intent, row->confirmed, &list->blob, &cells, &put);
    put.key = key;
    if (sound)
        index_put(list->index, &put);
}

static bool intents_list_is_sorted(const struct list *list) {
    return list->cli->args.sort != NULL;
}

static bool was_read_whole(const struct list *list) {
    return list->error.code == ERR_OK && !list->cli->signal && list->browse.end == BROWSE_END;
}

static void intents_list_note_order(struct list *list, const struct index_result *result) {
    struct lookup_total *totals = mem_new_array(result->n_totals + 1, sizeof *totals);
    for (size_t i = 0; i < result->n_totals; i++) {
        const struct index_total *total = &result->totals[i];
        totals[i] = (struct lookup_total){.currency = total->currency,
                                          .rows = total->rows,
                                          .without = total->without,
                                          .guaranteed = total->guaranteed};
    }
    cli_say_order(list->cli, list->sort, totals, result->n_totals);
    free(totals);
}

/* The rows of the index that match, which are all of them but where the filter looks from one to others. */
static enum err find_held(struct list *list, struct index_result *result) {
    struct index_query query = {
        .facet = QUERY_FIELD_COUNT, .totals = true, .plan = list->across && !list->observed ? list->plan : NULL};
    for (int i = 0; i < LOOKUP_SORTS; i++)
        query.sort[i] = (struct index_sort){list->sort[i].field, list->sort[i].descending};
    enum err err = index_run(list->index, &query, result, &list->error);
    if (err == ERR_OK && list->across)
        list->printed = list->wanted > 0 && list->wanted < result->n ? list->wanted : result->n;
    return err;
}

/* A part of the list, sorted, would look like the beginning of the whole. */
static void print_index(struct list *list) {
    struct index_result result = {.n = 0};
    enum err before = list->error.code;
    if (intents_list_is_sorted(list) && !was_read_whole(list))
        return;
    list->error.code = ERR_OK; /* of the reading: what was read is printed all the same */
    if (list->observed)
        list_judge_observed(list);
    enum err err = find_held(list, &result);
    if (intents_list_is_sorted(list))
        intents_list_note_order(list, &result);
    size_t n = list->across && err == ERR_OK ? list->printed : result.n;
    for (size_t i = 0; i < n && err == ERR_OK; i++)
        err = output_intent(list->output, list->browse.items[result.keys[i]].intent, &list->error);
    list->error.code = err == ERR_OK ? before : err;
    index_result_clear(&result);
}

/* With each row that is read, rows before it can come to match, or match no longer, so all of them are counted again:
 * not with each page, but once there are so many more that the time for it stays in proportion to them. */
static void count_held(struct list *list) {
    enum { SHARE = 16 };
    struct index_result result = {.n = 0};
    size_t n = index_count(list->index);
    if (n < list->count_at)
        return;
    list->count_at = n + n / SHARE;
    enum err err = find_held(list, &result);
    (void)err; /* it is in list->error */
    index_result_clear(&result);
}

/* Only rows that match are printed, also where the service ignored the filter. */
static bool intents_list_is_wanted(struct list *list, const struct browse_row *row, bool *stranger) {
    *stranger = !browse_row_matches(&list->browse, row->intent);
    bool wanted = !*stranger && (list->across || list_rest_matches(list, row->intent, row->confirmed));
    if (wanted && id_lists_any(list->cli))
        (void)id_lists_meet(list->cli, row->intent);
    return wanted;
}

static void intents_list_put_row(struct list *list, size_t place, const struct browse_row *row, bool wanted) {
    if (list->index && wanted)
        hold_row(list, (int64_t)place, row);
    else if (list->index)
        (void)index_remove(list->index, (int64_t)place);
    else
        held_put(&list->held, place, wanted ? row->intent : NULL);
}

/* A row that was served again counts as it is now. */
static void take_replaced(struct list *list) {
    struct browse *browse = &list->browse;
    for (size_t i = 0; i < browse->replaced.n; i++) {
        const struct browse_again *again = &browse->replaced.items[i];
        size_t place = again->place;
        if (place >= list->next)
            continue;
        const struct browse_row forgotten = {.intent = again->intent, .confirmed = again->confirmed};
        const struct browse_row *row = again->intent ? &forgotten : browse_row_at(browse, place);
        bool stranger, was = list->index ? index_has(list->index, (int64_t)place) : held_has(&list->held, place);
        bool wanted = intents_list_is_wanted(list, row, &stranger);
        if (place >= list->held.from && !list->across)
            list->printed = list->printed + wanted - was;
        intents_list_put_row(list, place, row, wanted);
    }
}

static void take_page_rows(struct list *list) {
    struct browse *browse = &list->browse;
    take_replaced(list);
    while (list->next < browse_read_rows(browse) &&
           (list->across || list->wanted == 0 || list->printed < list->wanted)) {
        size_t place = list->next++;
        const struct browse_row *row = browse_row_at(browse, place);
        bool stranger, wanted = intents_list_is_wanted(list, row, &stranger);
        list->mismatched += stranger;
        list->printed += wanted && !list->across; /* else by count_held */
        intents_list_put_row(list, place, row, wanted);
    }
    if (!list->index) {
        browse_forget(browse, list->next);
        if (held_is_full(&list->held)) {
            enum err err = held_print(&list->held, &list->error);
            (void)err; /* it is in list->error */
        }
    }
}

static bool goes_on(const struct list *list) {
    if (list->cli->args.all)
        return true;
    return list->wanted > 0 && list->printed < list->wanted;
}

static void after_page(struct list *list, struct effects *effects) {
    struct browse *browse = &list->browse;
    list->reloaded = false;
    take_page_rows(list);
    if (list->across && list->wanted > 0 && !list->observed) /* else nothing is known before the end */
        count_held(list);
    bool more = list->error.code == ERR_OK && goes_on(list) && browse->end == BROWSE_OPEN;
    if (!more || !browse_more(browse, effects))
        list->finished = true;
}

static void say_wait(struct list *list, int64_t now) {
    enum { SECOND = 1000 };
    const struct browse *browse = &list->browse;
    long long seconds = (browse->retry_at - now + SECOND - 1) / SECOND;
    if (browse->code == ERR_THROTTLED) {
        out_say(list->cli->err, "bursar: the service asks to wait; going on in %lld s\n", seconds);
    } else {
        out_say(list->cli->err, "bursar: %s; asking again in %lld s\n",
                browse->line ? browse->line : err_sentence(browse->code), seconds);
    }
}

/* Nobody waits any longer: a list that cannot be read is a failure of the service, whatever it answered. */
static void intents_list_give_up(struct list *list) {
    const struct browse *browse = &list->browse;
    const char *line = browse->line ? browse->line : err_sentence(browse->code);
    enum err err = browse->code == ERR_THROTTLED ? ERR_SERVER : browse->code;
    if (browse->cursor_refused)
        (void)error_set(&list->error, err, "%s; the command without --resume reads anew", line);
    else if (browse->chain.attempt > 1)
        (void)error_set(&list->error, err, "%s; asked %u times", line, browse->chain.attempt);
    else
        (void)error_set(&list->error, err, "%s", line);
    list->finished = true;
}

/* A token can be renewed while a long walk runs. */
static void intents_list_take_token(struct list *list, const struct event *event, struct effects *effects) {
    if (event_get(event, token_read)->changed && browse_more(&list->browse, effects)) {
        out_say(list->cli->err, "bursar: the service no longer takes the token; it was read again from its source\n");
        list->cli->renewals++;
    } else {
        intents_list_give_up(list);
    }
}

static void intents_list_update(void *self, struct event *event, struct effects *effects) {
    struct list *list = self;
    struct browse *browse = &list->browse;
    if (event->kind == EVENT_START) {
        list->plan = list->rest ? query_plan_new(list->rest, &list->context) : NULL;
        browse_start(browse, effects);
        return;
    }
    if (event->kind == EVENT_CACHE_STATE) {
        (void)cli_cache_state(list->cli, event, effects);
        return;
    }
    if (event->kind == EVENT_REQUEST && list->cli->args.verbose) {
        cli_say_request(list->cli, event_get(event, request_seen));
        return;
    }
    if (event->kind == EVENT_TOKEN) {
        intents_list_take_token(list, event, effects);
        return;
    }
    int64_t now = event->now;
    if (!browse_update(browse, event, effects) || browse_is_busy(browse))
        return;
    if (browse->code == ERR_OK) {
        after_page(list, effects);
    } else if (browse->retry_at != CLOCK_NONE && browse->retry_task != BROWSE_IDLE) {
        say_wait(list, now);
    } else if (browse->code == ERR_UNAUTHORISED && browse->pages.n > 0 && !list->reloaded) {
        list->reloaded = true;
        effects_add(effects, EFFECT_TOKEN);
    } else {
        intents_list_give_up(list);
    }
}

/* The walk ends only once the cache has answered, above all whose it is. */
static bool intents_list_is_finished(const void *self) {
    const struct list *list = self;
    return list->finished && cli_cache_is_settled(list->cli);
}

/* Where nothing matched, perhaps because the service does not know a name or style, the query that was sent shows why.
 */
static void say_query(const struct list *list) {
    struct list_query query = server_filter_query(&list->browse.filter, NULL, false);
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    api_query_text(&query, &text);
    if (list->printed == 0 && text.len > 0)
        out_say(list->cli->err, "bursar: asked for %s\n", text.s);
    str_clear(&text);
}

/* What was looked at, which may be less than what was read. */
static void intents_list_add_reach(const struct list *list, bool stopped, struct str *out) {
    struct coverage coverage;
    browse_coverage(&list->browse, &coverage);
    bool unread = list->next < browse_read_rows(&list->browse) || coverage.reach != COVERAGE_WHOLE;
    coverage.reach = unread ? COVERAGE_PART : COVERAGE_WHOLE;
    coverage.stop =
        (stopped || goes_on(list)) && coverage.stop == COVERAGE_NOT_STOPPED ? COVERAGE_FAILED : coverage.stop;
    coverage.left_out = list->mismatched;
    str_add(out, "; ");
    coverage_text(&coverage, COVERAGE_FULL, clock_now(), out);
    str_add(out, unread && coverage.stop == COVERAGE_NOT_STOPPED ? "; --limit N or --all reads on\n" : "\n");
}

static void say_resumed(const struct list *list) {
    const struct browse *browse = &list->browse;
    struct str text;
    if (browse->resumed_pages == 0)
        return;
    str_init(&text, 128);
    clock_format(&text, browse->pages.items[0].at, CLOCK_UTC, 0);
    out_say(list->cli->err, "bursar: %zu of %zu page%s %s, from %s UTC on\n", browse->resumed_pages,
            browse->chain.pages, plural_s(browse->chain.pages),
            browse->resumed_pages == 1 ? "is as it was read before" : "are as they were read before", text.s);
    str_clear(&text);
}

/* Which ids of a list were not met, in what was looked at. */
static void say_ids(const struct list *list) {
    struct coverage coverage;
    browse_coverage(&list->browse, &coverage);
    coverage.reach = list->next < list->browse.n ? COVERAGE_PART : coverage.reach;
    id_lists_say(list->cli, list->next, &coverage);
}

/* stopped: before everything that was asked for was read. */
static void say_extent(const struct list *list, bool stopped) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    str_add(&text, "bursar: ");
    money_group_count(&text, list->printed);
    str_add(&text, list->printed == 1 ? " intent" : " intents");
    if (list->plan) {
        str_add(&text, list->printed == 1 ? " matches among the " : " match among the ");
        money_group_count(&text, list->next);
        str_add(&text, " looked at");
    }
    intents_list_add_reach(list, stopped, &text);
    out_say(list->cli->err, "%s", text.s);
    say_ids(list);
    say_resumed(list);
    say_query(list);
    if (list->printed == 0)
        doubted_say(list->doubted, list->next, list->cli->err);
    str_clear(&text);
}

/* A walk that was meant to go on and could not is incomplete: exit status 8. */
static enum err check_extent(const struct list *list, struct error *error) {
    const struct browse *browse = &list->browse;
    if (list->held.late > 0) {
        return error_set(error, ERR_INCOMPLETE,
                         "%zu intent%s served again, perhaps changed, after being printed: --sort holds all back",
                         list->held.late, list->held.late == 1 ? " was" : "s were");
    }
    if (browse->failed_pages + browse->partial_pages > 0) {
        return error_set(error, ERR_INCOMPLETE, "the service %s, so rows may be missing%s%s",
                         browse->failed_pages > 0 ? "reported an error beside the rows"
                                                  : "says that its answer is not whole",
                         *browse->said ? ": " : "", browse->said);
    }
    if (!goes_on(list) || browse->end == BROWSE_END)
        return ERR_OK;
    return error_set(error, ERR_INCOMPLETE, "%s%s",
                     browse->end == BROWSE_LOOP ? "stopped: the service repeats a cursor"
                                                : "stopped: pages bring nothing new",
                     intents_list_is_sorted(list)
                         ? "; nothing is printed: part of the list has no order, --cached sorts what was read"
                         : "");
}

/* A part of the list, drawn from, would look like a sample of the whole; a file of nothing like a list of none. */
static enum err end_output(struct list *list, struct error *error) {
    struct coverage coverage = list->reach;
    bool any = list->cli->args.cached ? list->now > 0 : list->browse.pages.n > 0;
    if (output_sample(list->output) && !list->cli->args.cached && !was_read_whole(list))
        return list->error.code == ERR_OK
                   ? error_set(error, ERR_INCOMPLETE, "the list was not read to its end, so that nothing is drawn")
                   : error_set(error, list->error.code, "%s", list->error.text);
    if (list->cli->args.output && !any)
        return ERR_OK;
    if (!list->cli->args.cached)
        browse_coverage(&list->browse, &coverage);
    cli_output_about(list->cli, list->output, &coverage);
    enum err err = output_end(list->output, error);
    if (err == ERR_OK && any) /* else why is said next */
        cli_say_output(list->cli, list->output);
    return err;
}

static enum err intents_list_finish(struct list *list, struct error *error) {
    struct cli *cli = list->cli;
    if (list->index) {
        print_index(list);
    } else if (list->error.code != ERR_FILE && !cli->args.cached) {
        struct error failed = {0};
        enum err held = held_print(&list->held, &failed);
        list->error = held == ERR_OK ? list->error : failed;
    }
    enum err err = list->error.code;
    if (err == ERR_FILE)
        return error_set(error, err, "%s", list->error.text);
    enum err end_code = end_output(list, error);
    if (end_code != ERR_OK)
        return end_code;
    if ((err != ERR_OK || cli->signal) && !cli->args.cached && !intents_list_is_sorted(list) &&
        list->browse.pages.n > 0)
        say_extent(list, true);
    if (err != ERR_OK)
        return error_set(error, err, "%s", list->error.text);
    if (cli->signal)
        return error_set(error, ERR_INCOMPLETE, "interrupted");
    if (!cli->args.cached) {
        if (!intents_list_is_sorted(list) || was_read_whole(list))
            say_extent(list, false);
        enum err extent = check_extent(list, error);
        extent = extent == ERR_OK ? output_check(list->output, error) : extent;
        return extent == ERR_OK ? cli_check_account(cli, error) : extent;
    }
    if (list->cached_off) {
        enum err account = cli_check_account(cli, error);
        if (account != ERR_OK)
            return account;
        return error_set(error, ERR_STORE, "there is no cache to read");
    }
    list_cached_say(list);
    enum err damage = cli_check_damage(&list->reach, list->damaged, error);
    return damage == ERR_OK ? output_check(list->output, error) : damage;
}

static void take_options(struct list *list) {
    const struct args *args = &list->cli->args;
    for (size_t i = 0; i < args->n_statuses; i++)
        server_filter_add_status(&list->browse.filter, args->statuses[i]);
    server_filter_set_type(&list->browse.filter, args->type);
}

static enum err take_sort(struct list *list, struct error *error) {
    list->across = query_asks_across(list->rest) || list->observed;
    if (list->across || intents_list_is_sorted(list))
        list->index = index_new();
    if (list->across) { /* what may be wrong with it is looked for row by row */
        doubted_free(list->doubted);
        list->doubted = NULL;
    }
    return !intents_list_is_sorted(list) ? ERR_OK : cli_take_sort(list->cli->args.sort, list->sort, error);
}

static enum err intents_list_run(struct cli *cli, struct error *error) {
    struct list list = {.cli = cli, .sort = {LOOKUP_UNSORTED, LOOKUP_UNSORTED}, .met = idset_new()};
    struct output_options options;
    struct client client = {.self = &list,
                            .update = cli->args.cached ? list_cached_update : intents_list_update,
                            .is_finished = intents_list_is_finished,
                            .unindexed = true};
    browse_init(&list.browse, cli->profile);
    list.browse.patient = true;
    list.browse.resumes = cli->args.resume;
    str_init(&list.blob, BLOB_MAX);
    enum err err = cli_output_options(cli, &options, error);
    if (err == ERR_OK && cli->args.n_operands > 0)
        err = take_filter(&list, error);
    else if (err == ERR_OK)
        take_options(&list);
    list.wanted = (size_t)cli->args.limit;
    if (err == ERR_OK)
        err = take_sort(&list, error);
    if (err == ERR_OK) {
        list.output = output_new(&options);
        held_init(&list.held, list.output);
        err = output_start(list.output, error);
    }
    if (err == ERR_OK) {
        cli->signal = cli->drive(cli->drive_context, &client);
        err = intents_list_finish(&list, error);
    }
    if (list.output)
        held_clear(&list.held);
    output_free(list.output);
    query_plan_free(list.plan);
    doubted_free(list.doubted);
    query_free(list.rest);
    query_free(list.observed);
    index_free(list.index);
    idset_free(list.met);
    str_clear(&list.blob);
    browse_clear(&list.browse);
    return err;
}

enum err cli_intents_list(struct cli *cli, struct error *error) {
    if (cli->args.team)
        return cli_list_team(cli, error);
    if (cli->args.follow || cli->args.since_last || cli->args.changes)
        return cli_follow(cli, error);
    bool found = cli->args.cached && (cli->args.n_operands > 0 || cli->args.sort);
    if (cli->args.sort && !cli->args.cached && !cli->args.all)
        return error_set(error, ERR_USAGE,
                         "--sort puts a whole list in order: --all reads the service's to its end first, --cached "
                         "sorts what was read before");
    if (cli->args.resume && (!cli->args.all || cli->args.cached))
        return error_set(error, ERR_USAGE, "--resume goes on with a walk of --all, with the service");
    return found ? cli_list_cached(cli, error) : intents_list_run(cli, error);
}
