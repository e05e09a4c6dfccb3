/* `intents stats`: counts, exact sums and rates by the values of fields and over time, out of the cache alone. */
#include "stats.h"

#include "attempts.h"
#include "fresh.h"

#include "base/clock.h"
#include "base/out.h"

#include <string.h>

enum { TEXT_MAX = 64 << 20 };

static enum err stats_print(const struct stats_print *print, struct error *error) {
    const struct args *args = &print->cli->args;
    struct str text;
    str_init(&text, TEXT_MAX);
    if (args->chart)
        stats_chart(print, &text);
    else if (args->format == OUTPUT_TABLE)
        stats_table(print, &text);
    else if (args->format == OUTPUT_CSV)
        stats_csv(print->stats, print->reasons, &text);
    else
        stats_json(print, args->format == OUTPUT_JSON, &text);
    return output_whole(print->cli->out, &text, ERR_OK, error);
}

/* ---- What is asked ---- */

static enum err stats_take_rate(const struct args *args, struct query_rate *rate, struct error *error) {
    static const char *const OF[] = {"decided", "final", "all"};
    if (!args->rate)
        return args->rate_of ? error_set(error, ERR_USAGE, "--rate-of goes with --rate") : ERR_OK;
    *rate = (struct query_rate){.on = true, .status = intent_status_of(args->rate)};
    for (size_t i = 0; args->rate_of && i < COUNT_OF(OF); i++)
        rate->of = strcmp(args->rate_of, OF[i]) == 0 ? (enum query_rate_of)i : rate->of;
    if (!query_rate_counts(rate->of, rate->status))
        return error_set(error, ERR_USAGE, "--rate %s is not among those %s: --rate-of %s takes it in", args->rate,
                         OF[rate->of], query_rate_counts(QUERY_RATE_FINAL, rate->status) ? "final" : "all");
    return ERR_OK;
}

static enum err stats_check_chart(const struct args *args, const struct stats_ask *ask, struct error *error) {
    if (!args->chart)
        return ERR_OK;
    if (args->format != OUTPUT_TABLE)
        return error_set(error, ERR_USAGE, "--chart draws: it goes with no other --format than table");
    if (ask->second.kind || ask->rate.on || ask->compared)
        return error_set(error, ERR_USAGE, "--chart draws counts by one field and over time, no rates or differences");
    return ERR_OK;
}

static enum err stats_check_compared(const struct stats_ask *ask, const struct query *query, struct error *error) {
    enum { WEEK_DAYS = 7 };
    if (!ask->compared)
        return ERR_OK;
    if (ask->over.kind == QUERY_AXIS_HOUR)
        return error_set(error, ERR_USAGE, "--compare goes with --over day or week: hours are not compared");
    if (ask->over.kind == QUERY_AXIS_WEEK && ask->compared % WEEK_DAYS != 0)
        return error_set(error, ERR_USAGE, "--over week is compared with whole weeks before: --compare -7d, -14d ...");
    if (!ask->over.kind && !stats_has_period(query))
        return error_set(error, ERR_USAGE,
                         "--compare needs a period to move back: created: in FILTER, as in 'created>=-7d', or --over");
    return ERR_OK;
}

/* The store counts by one field that it can read. */
static enum err stats_check_team(const struct args *args, const struct stats_ask *ask, struct error *error) {
    if (args->team && (ask->over.kind || ask->second.kind || ask->rate.on || ask->compared || ask->guarantees ||
                       args->fresh || args->cached))
        return error_set(
            error, ERR_USAGE,
            "--team counts in the team's store, by one field with the sums of the amounts: without a second "
            "field, --over, --rate, --compare, --fresh, --cached or another --sum");
    return ERR_OK;
}

static enum err stats_take(const struct args *args, struct stats_ask *ask, struct error *error) {
    if (!args->by && !args->over && !args->sum && !args->rate && !args->compare)
        return error_set(
            error, ERR_USAGE,
            "--by FIELD is needed: status, type, rail, currency, bank ...; or --over hour, day or week; or "
            "--sum, --rate or --compare");
    enum err err = cli_check_fresh(args, error);
    err = err == ERR_OK && args->by ? stats_read_fields(args->by, ask, error) : err;
    if (err == ERR_OK && args->over && !query_axis_named(args->over, &ask->over.kind))
        err = error_set(error, ERR_USAGE, "--over takes hour, day or week");
    if (err == ERR_OK && args->compare)
        err = stats_read_days(args->compare, &ask->compared, error);
    ask->guarantees = args->sum && strcmp(args->sum, query_field(QUERY_GUARANTEE_FIELD)->name) == 0;
    err = err == ERR_OK ? stats_take_rate(args, &ask->rate, error) : err;
    err = err == ERR_OK ? stats_check_team(args, ask, error) : err;
    return err == ERR_OK ? stats_check_chart(args, ask, error) : err;
}

/* ---- What is said beside it ---- */

static void stats_say_rest(const struct cli *cli, const struct stats *stats) {
    size_t left = stats->answer->n_distinct - stats->answer->n_values;
    const struct stats_ask *ask = &stats->ask;
    if (left > 0 && (ask->over.kind || ask->second.kind))
        out_say(cli->err, "bursar: %zu value%s more %s left out; shares are of all intents of that %s\n", left,
                plural_s(left), left == 1 ? "is" : "are", query_axis_name(ask->second.kind ? &ask->by : &ask->over));
    else if (left > 0)
        out_say(cli->err, "bursar: %zu value%s more, together %u%%\n", left, plural_s(left), stats->rest);
}

static void stats_say_compared(const struct cli *cli, const struct stats *stats, struct str *text) {
    const struct lookup_result *answer = stats->answer;
    const struct query_zone zone = cli_context(cli, 0).zone;
    str_add(text, "compared with ");
    money_group_count(text, answer->n_earlier);
    str_addf(text, " intent%s of ", plural_s(answer->n_earlier));
    stats_compared_said(&stats->ask, &zone, clock_now(), text);
    str_add(text, ", with their status of now");
    if (answer->n_undated > 0)
        str_addf(text, "; %zu without a time of creation not compared", answer->n_undated);
    if (!coverage_is_whole(&answer->coverage))
        str_add(text, "; not all was read, so either period may lack intents");
}

static void stats_say(const struct cli *cli, const struct stats *stats) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    if (stats->ask.rate.on) {
        stats_rate_said(stats, &text);
        out_say(cli->err, "bursar: rate: %s\n", text.s);
    }
    str_reset(&text);
    if (stats->ask.compared) {
        stats_say_compared(cli, stats, &text);
        out_say(cli->err, "bursar: %s\n", text.s);
    }
    if (stats->n_few > 0 && cli->args.format == OUTPUT_TABLE)
        out_say(cli->err, "bursar: * rests on fewer than %d intents: such a rate or difference says little\n",
                STATS_FEW);
    str_clear(&text);
}

static enum err stats_check_sums(const struct stats *stats, struct error *error) {
    if (stats->n_overflow == 0)
        return ERR_OK;
    return error_set(error, ERR_INCOMPLETE, "%zu sum%s beyond 64 bits %s not given; a narrower FILTER has smaller ones",
                     stats->n_overflow, plural_s(stats->n_overflow), stats->n_overflow == 1 ? "is" : "are");
}

/* ---- The command ---- */

static enum err stats_tell(struct cli *cli, const struct stats_ask *asked, const struct lookup_result *answer,
                           struct error *error) {
    struct stats stats;
    stats_init(&stats, asked, answer);
    bool declines = asked->by.kind && asked->by.field == QUERY_DECLINE_FIELD && cli->reasons.n > 0;
    enum err err = stats_print(&(struct stats_print){cli, &stats, declines ? &cli->reasons : NULL}, error);
    if (err == ERR_OK) {
        stats_say_rest(cli, &stats);
        stats_say(cli, &stats);
        if (cli->args.team)
            cli_say_team(cli, answer->n, answer);
        else
            cli_say_lookup(cli, answer->n, answer);
        err = cli_check_damage(&answer->coverage, answer->damaged, error);
    }
    err = err == ERR_OK ? stats_check_sums(&stats, error) : err;
    stats_clear(&stats);
    return err;
}

enum err cli_intents_stats(struct cli *cli, struct error *error) {
    struct lookup_ask ask = {.lookup = lookup_new()};
    struct stats_ask asked = {.compared = 0};
    if (cli->args.by && strcmp(cli->args.by, "attempts") == 0) {
        lookup_free(ask.lookup);
        return cli_intents_attempts(cli, error);
    }
    enum err err = stats_take(&cli->args, &asked, error);
    if (err == ERR_OK)
        err = cli_filter(cli, cli->args.n_operands > 0 ? cli->args.operands[0] : NULL, &ask.lookup->query, error);
    if (err == ERR_OK)
        err = stats_check_compared(&asked, ask.lookup->query, error);
    if (err != ERR_OK) {
        lookup_free(ask.lookup);
        return err;
    }
    cli_say_integers(cli, ask.lookup->query);
    err = cli->args.fresh ? cli_fresh(cli, ask.lookup->query, error) : ERR_OK;
    if (err != ERR_OK) {
        lookup_free(ask.lookup);
        return err;
    }
    stats_question(&asked, (size_t)cli->args.limit, ask.lookup);
    err = cli->args.team ? cli_team_list(cli, &ask, error) : cli_cached_list(cli, &ask, error);
    if (err == ERR_OK)
        err = stats_tell(cli, &asked, ask.answer, error);
    lookup_result_free(ask.answer);
    return err;
}
