/* `--team`: questions to the team's store, about all intents that the team shares, also those that this machine does
 * not keep. */
#include "cached_list.h"
#include "id_list.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "model/money.h"

#include <string.h>

enum { TEAM_PORTION = 500, TEAM_DEFAULT = 100 };

struct team_asking {
    struct cli *cli;
    struct lookup_ask *ask;
    struct query *query; /* of every page */
    uint64_t ticket;
    size_t given;
    bool finished;
};

static size_t team_portion(const struct team_asking *asking) {
    const struct lookup_ask *ask = asking->ask;
    size_t left = ask->limit > 0 ? ask->limit - asking->given : TEAM_PORTION;
    return left < TEAM_PORTION ? left : TEAM_PORTION;
}

static void ask_next(struct team_asking *asking, struct lookup_place *after, int64_t now, struct effects *effects) {
    struct lookup *lookup = lookup_new();
    lookup->query = query_dup(asking->query);
    lookup->context = cli_context(asking->cli, now);
    lookup->limit = team_portion(asking);
    lookup->after = *after;
    *after = (struct lookup_place){0};
    asking->ticket = effects_team_lookup(effects, lookup);
}

static void ask_first(struct team_asking *asking, int64_t now, struct effects *effects) {
    struct lookup *lookup = asking->ask->lookup;
    asking->query = query_dup(lookup->query);
    lookup->context = cli_context(asking->cli, now);
    lookup->limit = asking->ask->row ? team_portion(asking) : 0;
    asking->ask->lookup = NULL;
    asking->ticket = effects_team_lookup(effects, lookup);
}

static void give_rows(struct team_asking *asking, struct lookup_result *found, int64_t now, struct effects *effects) {
    struct lookup_ask *ask = asking->ask;
    for (size_t i = 0; i < found->rows.n && !asking->finished; i++, asking->given++)
        asking->finished = !ask->row(ask->context, &found->rows.items[i]);
    bool all = !found->more || (ask->limit > 0 && asking->given >= ask->limit);
    asking->finished = asking->finished || all;
    if (!asking->finished)
        ask_next(asking, &found->last, now, effects);
}

/* The first answer is the one that tells how many there are; later pages bring rows. */
static void take_team_answer(struct team_asking *asking, struct event *event, struct effects *effects) {
    struct lookup_ask *ask = asking->ask;
    struct lookup_result *found = event_take(event, lookup_result);
    bool failed = found->error.code != ERR_OK;
    asking->finished = failed || !ask->row;
    if (!asking->finished)
        give_rows(asking, found, event->now, effects);
    if (ask->answer && failed)
        ask->answer->error = found->error;
    if (ask->answer)
        ask->answer->coverage.sealed += found->coverage.sealed;
    if (ask->answer)
        lookup_result_free(found);
    else
        ask->answer = found;
}

static void team_asking_update(void *self, struct event *event, struct effects *effects) {
    struct team_asking *asking = self;
    if (event->kind == EVENT_START)
        ask_first(asking, event->now, effects);
    else if (event->kind == EVENT_TEAM_LOOKUP && event->ticket == asking->ticket)
        take_team_answer(asking, event, effects);
}

static bool team_asking_is_finished(const void *self) {
    return ((const struct team_asking *)self)->finished;
}

enum err cli_team_list(struct cli *cli, struct lookup_ask *ask, struct error *error) {
    struct team_asking asking = {.cli = cli, .ask = ask};
    struct client client = {
        .self = &asking, .update = team_asking_update, .is_finished = team_asking_is_finished, .unindexed = true};
    ask->lookup->totals = true;
    cli->signal = cli->drive(cli->drive_context, &client);
    lookup_free(ask->lookup);
    ask->lookup = NULL;
    query_free(asking.query);
    if (cli->signal || !ask->answer)
        return error_set(error, ERR_INCOMPLETE, "interrupted");
    if (ask->answer->error.code != ERR_OK)
        return error_set(error, ask->answer->error.code, "%s", ask->answer->error.text);
    return ERR_OK;
}

void cli_say_team(const struct cli *cli, size_t printed, const struct lookup_result *answer) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    money_group_count(&text, printed);
    if (printed != answer->n) {
        str_add(&text, " of ");
        money_group_count(&text, answer->n);
    }
    str_add(&text, answer->n == 1 ? " intent that matches in the team's store; "
                                  : " intents that match in the team's store; ");
    coverage_text(&answer->coverage, COVERAGE_FULL, clock_now(), &text);
    out_say(cli->err, "bursar: %s%s\n", text.s, printed < answer->n ? "; --limit N or --all for more" : "");
    str_clear(&text);
}

/* ---- intents list --team ---- */

struct team_printing {
    struct output *output;
    size_t printed;
    struct error error;
};

static bool print_team_row(void *context, const struct lookup_row *row) {
    struct team_printing *printing = context;
    printing->printed += output_intent(printing->output, row->intent, &printing->error) == ERR_OK;
    return printing->error.code == ERR_OK;
}

static enum err team_list_check(const struct args *args, struct error *error) {
    if (args->cached || args->sort || args->resume || args->follow || args->changes || args->since_last)
        return error_set(error, ERR_USAGE,
                         "--team asks the team's store, newest first: it goes with FILTER, --limit, --all, --format, "
                         "--columns, --output and --sample");
    return ERR_OK;
}

static enum err team_list_end(struct cli *cli, struct team_printing *printing, const struct lookup_result *answer,
                              struct error *error) {
    cli_output_about(cli, printing->output, &answer->coverage);
    enum err err = output_end(printing->output, error);
    if (err != ERR_OK)
        return err;
    cli_say_team(cli, printing->printed, answer);
    cli_say_output(cli, printing->output);
    return output_check(printing->output, error);
}

enum err cli_list_team(struct cli *cli, struct error *error) {
    struct output_options options;
    struct team_printing printing = {0};
    struct lookup_ask ask = {.lookup = lookup_new(), .row = print_team_row, .context = &printing};
    ask.limit = cli->args.all ? 0 : cli->args.limit ? (size_t)cli->args.limit : TEAM_DEFAULT;
    enum err err = team_list_check(&cli->args, error);
    if (err == ERR_OK)
        err = cli_list_filter(cli, &ask.lookup->query, error);
    if (err == ERR_OK)
        err = cli_output_options(cli, &options, error);
    if (err == ERR_OK) {
        cli_say_integers(cli, ask.lookup->query);
        printing.output = output_new(&options);
        err = output_start(printing.output, error);
    }
    err = err == ERR_OK ? cli_team_list(cli, &ask, error) : err;
    if (err == ERR_OK && printing.error.code != ERR_OK)
        err = error_set(error, printing.error.code, "%s", printing.error.text);
    if (err == ERR_OK)
        err = team_list_end(cli, &printing, ask.answer, error);
    output_free(printing.output);
    lookup_free(ask.lookup);
    lookup_result_free(ask.answer);
    return err;
}
