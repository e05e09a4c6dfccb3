#include "cached_list.h"
#include "id_list.h"

#include "app/days.h"
#include "app/idset.h"
#include "app/sample.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/secret.h"
#include "cli/output.h"
#include "index/index.h"
#include "model/money.h"
#include "query/query.h"
#include "wire/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORTION = 100, CACHED_DEFAULT = 100 };

/* Nothing is looked for in what could not be read: a row without its note would look like one that has none. */
static enum err cached_list_check_notes(const struct cli *cli, bool asked, struct error *error) {
    return !asked || cli->notes
               ? ERR_OK
               : error_set(error, ERR_FILE,
                           "notes and tags could not be read, so that none can be looked for or shown");
}

static enum err cached_list_filter(struct cli *cli, const char *text, bool events, struct query **out,
                                   struct error *error) {
    const struct query_options options = {.unit = cli->profile->amount_unit,
                                          .events = events,
                                          .views = saved_views_named(&cli->saved),
                                          .lists = id_lists_of(cli)};
    *out = NULL;
    enum err err = text ? query_parse(text, &options, out, NULL, error) : ERR_OK;
    id_lists_note(cli, *out);
    if (err == ERR_OK)
        err = cached_list_check_notes(cli, query_asks_notes(*out), error);
    if (err != ERR_OK) {
        query_free(*out);
        *out = NULL;
    }
    return err;
}

enum err cli_filter(struct cli *cli, const char *text, struct query **out, struct error *error) {
    return cached_list_filter(cli, text, false, out, error);
}

enum err cli_filter_events(struct cli *cli, const char *text, struct query **out, struct error *error) {
    return cached_list_filter(cli, text, true, out, error);
}

void cli_say_integers(const struct cli *cli, const struct query *query) {
    struct str text;
    str_init(&text, 2 * QUERY_TEXT_MAX);
    if (cli->profile->amount_unit != MONEY_RAW && query_say_integers(query, &text))
        out_say(cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
}

struct query_context cli_context(const struct cli *cli, int64_t now) {
    return (struct query_context){.now = now,
                                  .zone = days_of(cli->profile, false),
                                  .unit = cli->profile->amount_unit,
                                  .exponents = profile_money(cli->profile).exponents,
                                  .last_visit = CLOCK_NONE,
                                  .notes = cli->notes};
}

static bool cached_list_can_ask(const struct cli *cli) {
    return isatty(STDIN_FILENO) && out_is_terminal(cli->err);
}

static bool is_same_account(const struct cli *cli) {
    char line[16] = "";
    if (cli->args.same_account || !cached_list_can_ask(cli))
        return cli->args.same_account;
    out_say(cli->err, "bursar: the token is another than when the cache was written\n");
    cli_prompt(cli, "Is it of the same account? Type yes to use the cache: ", line, sizeof line);
    return strcmp(line, "yes") == 0;
}

enum cli_cache cli_cache_state(struct cli *cli, const struct event *event, struct effects *effects) {
    const struct cache_told *told = event_get(event, cache_told);
    if (told->text)
        out_say(cli->err, "bursar: %s\n", told->text);
    cli->cache_ready = told->state == CACHE_STATE_READY;
    if (told->state == CACHE_STATE_ASK && is_same_account(cli)) {
        effects_add(effects, EFFECT_CACHE_ACCEPT);
        return CLI_CACHE_ASKED;
    }
    cli->openings += told->opening;
    if (told->state != CACHE_STATE_ASK)
        return cli->cache_ready ? CLI_CACHE_READY : CLI_CACHE_OFF;
    /* The walk goes on with a renewed token. Nobody was there to confirm the account, so only the cache is left out. */
    if (cli->renewals > 0 && !cli->other_account && !cached_list_can_ask(cli)) {
        out_say(
            cli->err,
            "bursar: what is read with the new token is printed, but not kept in the cache: --same-account says that "
            "the account is the same, and keeps it\n");
        return CLI_CACHE_OFF;
    }
    cli->other_account = true;
    return CLI_CACHE_OFF;
}

bool cli_cache_is_settled(const struct cli *cli) {
    return cli->openings > cli->renewals;
}

enum err cli_check_account(const struct cli *cli, struct error *error) {
    return !cli->other_account
               ? ERR_OK
               : error_set(error, ERR_STORE,
                           "the token is another than when the cache was written, so the cache was neither read nor "
                           "written; where the account is the same, --same-account says so, else bursar cache purge "
                           "empties it");
}

struct client_state {
    struct cli *cli;
    struct lookup_ask *ask;
    uint64_t ticket;
    size_t next; /* row to hand out */
    bool finished, cache_off, asked;
    struct idset *met; /* ids of rows handed out */
};

/* Newest first, and only rows are wanted: they are printed while they are read, so that a limit ends the reading early.
 * Not where one row's answer rests on others. */
static bool is_streamed(const struct lookup_ask *ask) {
    const struct lookup *lookup = ask->lookup;
    return ask->row && lookup->sort[0].field == QUERY_FIELD_COUNT && lookup->facet == QUERY_FIELD_COUNT &&
           !query_asks_across(lookup->query);
}

static void ask_stream(struct client_state *state, int64_t from, struct effects *effects) {
    struct list_ask *ask = list_ask_new(&(struct server_filter){0}, NULL, false);
    ask->query = query_dup(state->ask->lookup->query);
    ask->context = state->ask->lookup->context;
    ask->wanted = state->ask->limit ? state->ask->limit - state->next : 0;
    ask->fields = state->ask->fields;
    ask->left_too = state->ask->lookup->left_too;
    state->ticket = effects_cached(effects, ask, from);
}

bool cli_was_met(struct idset *met, const struct intent *intent) {
    const struct value_text *id = &intent->id;
    return id->state == VALUE_OK && !idset_put(met, id->text, strlen(id->text), 0);
}

static void take_stream(struct client_state *state, struct cached_rows *rows, struct effects *effects) {
    struct lookup_result *answer = state->ask->answer;
    answer->rows_scanned += rows->rows_scanned;
    answer->whole = rows->done && !rows->coverage.broke_off;
    rows->coverage.newer += answer->coverage.newer;
    rows->coverage.unlisted += answer->coverage.unlisted;
    answer->coverage = rows->coverage;
    answer->damaged += rows->damaged;
    for (size_t i = 0; i < rows->page.n && !state->finished; i++) {
        if (cli_was_met(state->met, rows->page.items[i]))
            continue;
        struct lookup_row row = {
            .confirmed = rows->confirmed[i], .intent = rows->page.items[i], .changed_at = CLOCK_NONE};
        answer->n = ++state->next;
        state->finished = !state->ask->row(state->ask->context, &row);
    }
    state->finished = state->finished || rows->done || (state->ask->limit && state->next >= state->ask->limit);
    if (!state->finished)
        ask_stream(state, rows->next, effects);
}

/* Whose cache it is has to be known before a row is asked for. True once: when it is time to ask. */
static bool is_to_ask(struct client_state *state, const struct event *event, struct effects *effects) {
    enum cli_cache cache = state->cli->cache_ready ? CLI_CACHE_READY : CLI_CACHE_ASKED;
    if (event->kind == EVENT_CACHE_STATE) {
        cache = cli_cache_state(state->cli, event, effects);
        state->cache_off = cache == CLI_CACHE_OFF;
        state->finished = state->finished || state->cache_off;
    } else if (event->kind != EVENT_START) {
        return false;
    }
    bool now = cache == CLI_CACHE_READY && !state->asked;
    state->asked = state->asked || now;
    return now;
}

static void cached_list_go_on(struct client_state *state, struct effects *effects) {
    const struct lookup_result *answer = state->ask->answer;
    size_t end = state->ask->limit && state->ask->limit < answer->n ? state->ask->limit : answer->n;
    size_t n = end > state->next ? end - state->next : 0;
    if (!state->ask->row || n == 0) {
        state->finished = true;
        return;
    }
    n = n < PORTION ? n : PORTION;
    state->ticket = effects_lookup_rows(effects, answer->keys + state->next, n, state->next);
}

static void take_rows(struct client_state *state, const struct lookup_result *found, struct effects *effects) {
    const struct lookup_rows *rows = &found->rows;
    size_t missing = 0;
    for (size_t i = 0; i < rows->n && !state->finished; i++) {
        missing += !rows->items[i].intent;
        state->finished = !state->ask->row(state->ask->context, &rows->items[i]);
    }
    /* What no damage took another program removed since the answer. */
    state->ask->answer->coverage.removed += missing > found->damaged ? missing - found->damaged : 0;
    state->next += rows->n;
    if (!state->finished)
        cached_list_go_on(state, effects);
}

static void take_found(struct client_state *state, const struct event *event, struct effects *effects) {
    const struct lookup_result *found = event_get(event, lookup_result);
    lookup_damage(&state->ask->answer->coverage, &state->ask->answer->damaged, found);
    take_rows(state, found, effects);
}

static void begin_stream(struct client_state *state, struct effects *effects) {
    state->ask->answer = lookup_result_new();
    ask_stream(state, CACHED_FROM_NEWEST, effects);
}

/* The index knows the rows of a filter without reading the others, where its file holds it. */
static void ask_at_hand(struct client_state *state, struct effects *effects) {
    struct lookup *lookup = lookup_new();
    lookup->query = query_dup(state->ask->lookup->query);
    lookup->context = state->ask->lookup->context;
    lookup->whole = lookup->at_hand = true;
    lookup->limit = state->ask->limit;
    lookup->left_too = state->ask->lookup->left_too;
    state->ticket = effects_lookup(effects, lookup);
}

static void take_at_hand(struct client_state *state, struct event *event, struct effects *effects) {
    if (event_get(event, lookup_result)->absent) {
        begin_stream(state, effects);
        return;
    }
    state->ask->answer = event_take(event, lookup_result);
    cached_list_go_on(state, effects);
}

static void update_stream(void *self, struct event *event, struct effects *effects) {
    struct client_state *state = self;
    if (is_to_ask(state, event, effects)) {
        const struct query *query = state->ask->lookup->query;
        state->ask->lookup->context = cli_context(state->cli, event->now);
        (query && query->root ? ask_at_hand : begin_stream)(state, effects);
    } else if (event->kind == EVENT_CACHE_ROWS && event->ticket == state->ticket) {
        take_stream(state, event_get(event, cached_rows), effects);
    } else if (event->kind == EVENT_LOOKUP && event->ticket == state->ticket) {
        take_at_hand(state, event, effects);
    } else if (event->kind == EVENT_LOOKUP_ROWS && event->ticket == state->ticket) {
        take_found(state, event, effects);
    }
}

static void cached_list_update(void *self, struct event *event, struct effects *effects) {
    struct client_state *state = self;
    if (is_to_ask(state, event, effects)) {
        state->ask->lookup->context = cli_context(state->cli, event->now);
        state->ticket = effects_lookup(effects, state->ask->lookup);
        state->ask->lookup = NULL;
    } else if (event->kind == EVENT_LOOKUP && event->ticket == state->ticket) {
        state->ask->answer = event_take(event, lookup_result);
        cached_list_go_on(state, effects);
    } else if (event->kind == EVENT_LOOKUP_ROWS && event->ticket == state->ticket) {
        take_found(state, event, effects);
    }
}

static bool cached_list_is_finished(const void *self) {
    return ((const struct client_state *)self)->finished;
}

enum err cli_cached_list(struct cli *cli, struct lookup_ask *ask, struct error *error) {
    struct client_state state = {.cli = cli, .ask = ask, .met = idset_new()};
    struct client client = {.self = &state,
                            .update = is_streamed(ask) && !cli->cache_broke ? update_stream : cached_list_update,
                            .is_finished = cached_list_is_finished};
    ask->lookup->whole = ask->lookup->steady = true;
    ask->lookup->counts = !ask->row && !ask->lookup->match && !ask->lookup->gather;
    cli->signal = cli->drive(cli->drive_context, &client);
    cli->cache_broke = cli->cache_broke || (ask->answer && ask->answer->coverage.broke_off);
    lookup_free(ask->lookup);
    ask->lookup = NULL;
    idset_free(state.met);
    if (cli->signal)
        return error_set(error, ERR_INCOMPLETE, "interrupted");
    enum err account = cli_check_account(cli, error);
    if (account != ERR_OK)
        return account;
    if (state.cache_off || !ask->answer)
        return error_set(error, ERR_STORE, "there is no cache to look into");
    if (ask->answer && ask->answer->error.code != ERR_OK)
        return error_set(error, ask->answer->error.code, "%s", ask->answer->error.text);
    return ERR_OK;
}

void cli_say_lookup(const struct cli *cli, size_t hits, const struct lookup_result *answer) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    str_add(&text, "bursar: ");
    money_group_count(&text, hits);
    if (hits != answer->n) {
        str_add(&text, " of ");
        money_group_count(&text, answer->n);
    }
    str_add(&text, answer->n == 1 ? " match in " : " matches in ");
    bool limited = !answer->whole && !answer->coverage.broke_off;
    str_add(&text, limited ? "the newest " : "");
    money_group_count(&text, answer->rows_scanned);
    str_add(&text, limited ? " cached intents; --limit N or --all for more" : " cached intents; ");
    if (!limited)
        coverage_text(&answer->coverage, COVERAGE_FULL, clock_now(), &text);
    out_say(cli->err, "%s\n", text.s);
    if (answer->doubt)
        out_say(cli->err, "bursar: %s\n", answer->doubt);
    str_clear(&text);
}

void cli_say_order(const struct cli *cli, const struct lookup_sort sort[LOOKUP_SORTS],
                   const struct lookup_total *totals, size_t n_totals) {
    struct str note;
    str_init(&note, 256);
    lookup_order_note(sort, totals, n_totals, false, &note);
    if (note.len > 0)
        out_say(cli->err, "bursar: sorted %s; a --sort that begins with currency keeps each by itself\n", note.s);
    str_clear(&note);
}

enum err cli_check_damage(const struct coverage *coverage, size_t damaged, struct error *error) {
    if (coverage->broke_off) {
        return error_set(error, ERR_INCOMPLETE,
                         "the cache is damaged: what could be read was printed, the rest is missing; bursar intents "
                         "list --all reads everything again from the service");
    }
    if (damaged > 0) {
        return error_set(error, ERR_INCOMPLETE,
                         "%zu damaged row%s of the cache %s dropped and %s missing; bursar intents list --all reads "
                         "everything again from the service",
                         damaged, plural_s(damaged), damaged == 1 ? "was" : "were", damaged == 1 ? "is" : "are");
    }
    if (coverage->set_aside) {
        return error_set(error, ERR_INCOMPLETE,
                         "what was read before was lost with a damaged cache; bursar intents list --all reads "
                         "everything again from the service");
    }
    return ERR_OK;
}

enum err cli_take_sort(const char *text, struct lookup_sort *sort, struct error *error) {
    int n = 0;
    for (const char *at = text; at && *at; n++) {
        size_t len = strcspn(at, ",");
        bool descending = *at == '-';
        enum query_field_code field = query_field_find(at + descending, len - descending);
        if (n == LOOKUP_SORTS)
            return error_set(error, ERR_USAGE, "--sort: two fields at most");
        if (field == QUERY_FIELD_COUNT) {
            return error_set(error, ERR_USAGE, "--sort: no field is called %.*s; bursar help filter lists them",
                             (int)len, at);
        }
        if (!index_can_sort(field))
            return error_set(error, ERR_USAGE, "--sort: rows cannot be sorted by %s", query_field(field)->name);
        sort[n] = (struct lookup_sort){field, descending};
        at += len + (at[len] == ',');
    }
    return ERR_OK;
}

/* --status and --type are terms like those of the filter. */
static void cached_list_add_options(const struct cli *cli, struct str *text) {
    for (size_t i = 0; i < cli->args.n_statuses; i++) {
        str_add(text, i == 0 ? " status=" : ",");
        query_quote(text, cli->args.statuses[i]);
    }
    if (cli->args.type) {
        str_add(text, " type=");
        query_quote(text, cli->args.type);
    }
}

struct printing {
    struct cli *cli;
    struct output *output;
    struct listed_rows listed; /* where the filter has a list of ids: rows until all are there */
    size_t printed;
    struct error error;
};

/* In the list's order, once all are there. */
static void hold_listed(struct printing *printing, const struct intent *intent) {
    listed_put(&printing->listed, id_lists_meet(printing->cli, intent), intent);
    printing->printed++;
}

static bool print_row(void *context, const struct lookup_row *row) {
    struct printing *printing = context;
    if (row->intent && id_lists_any(printing->cli)) {
        hold_listed(printing, row->intent);
        return true;
    }
    if (row->intent)
        printing->printed += output_intent(printing->output, row->intent, &printing->error) == ERR_OK;
    return printing->error.code == ERR_OK;
}

static enum err print_listed(struct printing *printing, struct error *error) {
    enum err err = ERR_OK;
    for (size_t i = 0; i < printing->listed.n && err == ERR_OK; i++) {
        struct intent *intent = wire_intent(printing->listed.items[i].raw, printing->listed.items[i].len);
        err = output_intent(printing->output, intent, error);
        intent_free(intent);
    }
    return err;
}

enum err cli_list_filter(struct cli *cli, struct query **out, struct error *error) {
    struct str text;
    const char *filter = cli->args.n_operands > 0 ? cli->args.operands[0] : NULL;
    enum err err = cli_filter(cli, filter, out, error);
    str_init(&text, QUERY_TEXT_MAX);
    if (err == ERR_OK && (cli->args.n_statuses > 0 || cli->args.type)) {
        if (*out && (*out)->root)
            str_addf(&text, "(%s)", filter);
        cached_list_add_options(cli, &text);
        query_free(*out);
        err = cli_filter(cli, text.s, out, error);
    }
    str_clear(&text);
    return err;
}

static enum err make_lookup(struct cli *cli, struct lookup *lookup, struct error *error) {
    enum err err = cli_list_filter(cli, &lookup->query, error);
    err = err == ERR_OK ? cli_take_sort(cli->args.sort, lookup->sort, error) : err;
    lookup->totals = lookup->sort[0].field != QUERY_FIELD_COUNT; /* which currencies there are */
    return err;
}

/* Short enough to be typed again. */
static uint64_t drawn_seed(void) {
    enum { SEED_BYTES = 3, HEXADECIMAL = 16 };
    struct str hex;
    str_init(&hex, 2 * SEED_BYTES + 1);
    secret_random_hex(&hex, SEED_BYTES);
    uint64_t seed = strtoull(hex.s, NULL, HEXADECIMAL) + 1;
    str_clear(&hex);
    return seed;
}

void cli_output_about(const struct cli *cli, struct output *output, const struct coverage *coverage) {
    const struct args *args = &cli->args;
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    clock_format(&text, clock_now(), CLOCK_UTC, clock_now());
    str_add(&text, " UTC");
    output_about(output, "written", text.s);
    output_about(output, "profile", cli->profile->name);
    str_reset(&text);
    str_add(&text, args->n_operands > 0 ? args->operands[0] : "");
    cached_list_add_options(cli, &text);
    output_about(output, "filter", text.s);
    output_about(output, "sort", args->sort ? args->sort : "");
    str_reset(&text);
    coverage_text(coverage, COVERAGE_FULL, clock_now(), &text);
    output_about(output, "complete", coverage_is_whole(coverage) ? "yes" : "no");
    output_about(output, "reach", text.s);
    str_reset(&text);
    if (output_sample(output))
        sample_text(output_sample(output), &text);
    output_about(output, "sample", text.s);
    str_clear(&text);
}

void cli_say_output(const struct cli *cli, const struct output *output) {
    const struct sample *sample = output_sample(output);
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    if (sample) {
        sample_text(sample, &text);
        out_say(cli->err, "bursar: %s; --sample %zu --seed %" PRIu64 " draws the same from the same intents\n", text.s,
                sample->wanted, sample->seed);
    }
    if (cli->args.output)
        out_say(cli->err, "bursar: written to %s, tables intents and about\n", cli->args.output);
    str_clear(&text);
}

enum err cli_output_options(const struct cli *cli, struct output_options *out, struct error *error) {
    const struct args *args = &cli->args;
    *out = (struct output_options){.format = args->format,
                                   .out = cli->out,
                                   .terminal = cli->out_is_terminal,
                                   .utf8 = cli->utf8,
                                   .columns = cli->columns,
                                   .money = profile_money(cli->profile),
                                   .here = {cli->notes, cli_context(cli, 0).zone},
                                   .tables = cli->tables,
                                   .path = args->output,
                                   .sample = (size_t)args->sample,
                                   .seed = args->seed > 0 ? (uint64_t)args->seed : drawn_seed()};
    if (!args->columns)
        return ERR_OK;
    if (args->format == OUTPUT_JSON || args->format == OUTPUT_NDJSON)
        return error_set(error, ERR_USAGE,
                         "--columns works with table, csv, csv-excel and sqlite: JSON is printed as it was served");
    enum err err = columns_parse(args->columns, &out->columns_named, error);
    if (err == ERR_OK && out->columns_named.n == 0)
        err = error_set(error, ERR_USAGE, "--columns needs at least one name");
    for (int i = 0; i < out->columns_named.n && err == ERR_OK; i++)
        err = cached_list_check_notes(
            cli, out->columns_named.items[i] == COLUMN_NOTES || out->columns_named.items[i] == COLUMN_TAGS, error);
    return err;
}

/* Streamed rows were compared one by one; only the index can tell whether any row has a doubtful word of the filter. */
static void cached_list_add_doubt(struct cli *cli, struct lookup_ask *ask) {
    struct query_doubts doubts = {.n = 0};
    struct lookup_ask whole = {.lookup = lookup_new()};
    if (cli_list_filter(cli, &whole.lookup->query, NULL) == ERR_OK)
        query_doubts(whole.lookup->query, &doubts);
    if (doubts.n == 0) {
        lookup_free(whole.lookup);
        return;
    }
    query_doubts_clear(&doubts);
    if (cli_cached_list(cli, &whole, NULL) == ERR_OK && whole.answer) {
        lookup_result_free(ask->answer);
        ask->answer = whole.answer;
        whole.answer = NULL;
    }
    lookup_result_free(whole.answer);
}

enum err cli_list_cached(struct cli *cli, struct error *error) {
    struct output_options options;
    struct printing printing = {.cli = cli};
    struct lookup_ask ask = {.lookup = lookup_new(), .row = print_row, .context = &printing};
    enum err err = make_lookup(cli, ask.lookup, error);
    size_t usual = id_lists_any(cli) ? 0 : CACHED_DEFAULT;
    ask.limit = cli->args.all ? 0 : cli->args.limit ? (size_t)cli->args.limit : usual;
    cli_say_integers(cli, ask.lookup->query);
    if (err == ERR_OK)
        err = cli_output_options(cli, &options, error);
    if (err != ERR_OK) {
        lookup_free(ask.lookup);
        return err;
    }
    printing.output = output_new(&options);
    /* A list may be of users, whatever is printed. */
    ask.fields = id_lists_any(cli) ? 0 : output_fields(printing.output);
    const struct lookup_sort sort[LOOKUP_SORTS] = {ask.lookup->sort[0], ask.lookup->sort[1]};
    err = output_start(printing.output, error);
    err = err == ERR_OK ? cli_cached_list(cli, &ask, error) : err;
    if (err == ERR_OK && printing.error.code != ERR_OK)
        err = error_set(error, printing.error.code, "%s", printing.error.text);
    if (err == ERR_OK && sort[0].field == QUERY_FIELD_COUNT)
        listed_sort(&printing.listed);
    if (err == ERR_OK)
        err = print_listed(&printing, error);
    if (err == ERR_OK) {
        cli_output_about(cli, printing.output, &ask.answer->coverage);
        err = output_end(printing.output, error);
    }
    if (err == ERR_OK && ask.answer->n == 0 && !ask.answer->doubt)
        cached_list_add_doubt(cli, &ask);
    if (err == ERR_OK) {
        cli_say_lookup(cli, printing.printed, ask.answer);
        if (printing.printed == ask.answer->n && (ask.answer->whole || !cli->args.limit))
            id_lists_say(cli, ask.answer->rows_scanned, &ask.answer->coverage);
        cli_say_order(cli, sort, ask.answer->totals, ask.answer->n_totals);
        cli_say_output(cli, printing.output);
        err = cli_check_damage(&ask.answer->coverage, ask.answer->damaged, error);
        err = err == ERR_OK ? output_check(printing.output, error) : err;
    }
    listed_clear(&printing.listed);
    output_free(printing.output);
    lookup_result_free(ask.answer);
    return err;
}
