/* `intents match`: a table against what is cached. */
#include "cached_list.h"
#include "match_print.h"

#include "app/match.h"
#include "base/out.h"
#include "cli/output.h"
#include "query/query.h"

#include <string.h>

static bool match_is_word(const char *given, const char *word) {
    return given && strcmp(given, word) == 0;
}

static struct match_options match_options_of(const struct cli *cli) {
    const struct args *args = &cli->args;
    return (struct match_options){
        .on = args->on,
        .currency = args->currency,
        .decimal = match_is_word(args->decimal, "point")   ? MATCH_DECIMAL_POINT
                   : match_is_word(args->decimal, "comma") ? MATCH_DECIMAL_COMMA
                                                           : MATCH_DECIMAL_UNSAID,
        .amounts = match_is_word(args->amounts, "raw")     ? MATCH_AMOUNTS_RAW
                   : match_is_word(args->amounts, "major") ? MATCH_AMOUNTS_MAJOR
                                                           : MATCH_AMOUNTS_UNSAID,
        .days = match_is_word(args->days, "dmy")   ? MATCH_DAYS_DMY
                : match_is_word(args->days, "mdy") ? MATCH_DAYS_MDY
                                                   : MATCH_DAYS_UNSAID,
        .money = profile_money(cli->profile),
    };
}

static enum err match_load_map(const struct cli *cli, struct match *match, struct error *error) {
    struct str text;
    if (!cli->args.map)
        return ERR_OK;
    str_init(&text, MATCH_FILE_MAX);
    enum err err = cli_read_input(cli->args.map, &text, "", error);
    if (err == ERR_OK)
        err = match_map(match, text.s, text.len, error);
    str_clear(&text);
    return err;
}

static enum err match_load(const struct cli *cli, struct match *match, struct error *error) {
    struct str text;
    enum err err = match_load_map(cli, match, error);
    str_init(&text, MATCH_FILE_MAX);
    if (err == ERR_OK)
        err = cli_read_input(cli->args.operands[0], &text, "", error);
    if (err == ERR_OK && text.truncated)
        err = error_set(error, ERR_INVALID, "the table is longer than 256 MB");
    if (err == ERR_OK && match_read(match, text.s, text.len, error) != ERR_OK) {
        err = error->code;
        error_prefix(error, cli->args.operands[0]);
    }
    str_clear(&text);
    return err;
}

/* What the operator must know to trust the result. */
static void match_say_reading(const struct cli *cli, const struct match *match) {
    size_t lacking = 0;
    if (match->notes)
        out_say(cli->err, "bursar: the file was read otherwise than as a plain CSV: %s\n", match->notes);
    if (match->left_out.len > 0)
        out_say(cli->err, "bursar: columns that are not compared: %s\n", match->left_out.s);
    for (size_t i = 0; i < match->n_fields; i++)
        if (match->fields[i].code == QUERY_CREATED_FIELD)
            out_say(cli->err, "bursar: a day of the file is one of UTC, and so is a time without a zone\n");
    for (size_t i = 0; i < match->rows.n; i++)
        lacking += match->rows.items[i].lacks;
    if (lacking > 0)
        out_say(cli->err, "bursar: %zu row%s no value of --on, and so no partner\n", lacking,
                lacking == 1 ? " has" : "s have");
}

static void match_say_reach(const struct cli *cli, const struct lookup_result *answer) {
    const struct match *match = answer->match;
    size_t beyond = 0;
    cli_say_lookup(cli, answer->n, answer);
    for (size_t i = 0; i < match->totals.n; i++)
        beyond += match->totals.items[i].overflow;
    if (beyond > 0)
        out_say(cli->err, "bursar: %zu sum%s beyond 64 bits and not printed\n", beyond, beyond == 1 ? " is" : "s are");
    if (!coverage_is_whole(&answer->coverage) && match->n_rows[MATCH_ONLY_FILE] > 0)
        out_say(cli->err, "bursar: what is only in the file may be among intents that were not read; bursar intents "
                          "list --all reads them\n");
}

static enum err match_verdict(const struct match *match, struct error *error) {
    if (match_is_clean(match))
        return ERR_OK;
    return error_set(error, ERR_CHECK_FAILED,
                     "the file and the intents differ: %zu differing, %zu row%s and %zu intent%s ambiguous, %zu only "
                     "in the file, %zu only here",
                     match->n_rows[MATCH_DIFFERING], match->n_rows[MATCH_AMBIGUOUS],
                     plural_s(match->n_rows[MATCH_AMBIGUOUS]), match->n_intents[MATCH_AMBIGUOUS],
                     plural_s(match->n_intents[MATCH_AMBIGUOUS]), match->n_rows[MATCH_ONLY_FILE],
                     match->n_intents[MATCH_ONLY_HERE]);
}

enum err cli_intents_match(struct cli *cli, struct error *error) {
    struct lookup_ask ask = {.lookup = lookup_new()};
    const struct match_options options = match_options_of(cli);
    struct match *match = ask.lookup->match = match_new(&options);
    enum err err = cli_filter(cli, cli->args.n_operands > 1 ? cli->args.operands[1] : NULL, &ask.lookup->query, error);
    if (err == ERR_OK)
        err = match_load(cli, match, error);
    if (err != ERR_OK) {
        lookup_free(ask.lookup);
        return err;
    }
    match_say_reading(cli, match);
    err = cli_cached_list(cli, &ask, error);
    if (err == ERR_OK)
        err = match_print(cli, ask.answer, error);
    if (err == ERR_OK) {
        match_say_reach(cli, ask.answer);
        err = cli_check_damage(&ask.answer->coverage, ask.answer->damaged, error);
    }
    if (err == ERR_OK)
        err = match_verdict(ask.answer->match, error);
    lookup_result_free(ask.answer);
    return err;
}
