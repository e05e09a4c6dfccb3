/* `intents match`: a table against what is cached. */
#include "cached_list.h"
#include "match_print.h"

#include "app/days.h"
#include "app/id_list.h"
#include "app/match.h"
#include "base/out.h"
#include "cli/output.h"
#include "query/query.h"

#include <string.h>

static bool match_is_word(const char *given, const char *word) {
    return given && strcmp(given, word) == 0;
}

/* zone: of its words. */
static struct match_options match_options_of(const struct cli *cli, struct str *zone) {
    days_text(cli->profile, false, zone);
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
        .zone = days_of(cli->profile, false),
        .zone_words = zone->s,
    };
}

static enum err match_input(const char *path, struct str *out, struct error *error) {
    return cli_read_input(path, out, "", error);
}

/* What the operator must know to trust the result. */
static void match_tell_reading(const struct cli *cli, const struct match *match) {
    enum { READING_BYTES = 1 << 16 };
    struct str text;
    str_init(&text, READING_BYTES);
    match_say_reading(match, &text);
    for (char *rest = text.s, *line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n"))
        out_say(cli->err, "bursar: %s\n", line);
    str_clear(&text);
}

static bool match_lacks_capital_ids(const struct match *match) {
    for (size_t field = 0; field < match->n_fields; field++)
        for (size_t i = 0; i < match->rows.n && match->fields[field].code == QUERY_ID_FIELD; i++) {
            const char *id = match->row_texts[i * match->n_fields + field];
            if (match->rows.items[i].outcome == MATCH_ONLY_FILE && id && id_has_capitals(id))
                return true;
        }
    return false;
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
    if (match_lacks_capital_ids(match))
        out_say(cli->err, "bursar: an id that is only in the file has capitals: " ID_CAPITALS "\n");
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
    struct str zone;
    str_init(&zone, ZONE_TEXT_MAX);
    const struct match_options options = match_options_of(cli, &zone);
    struct match *match = ask.lookup->match = match_new(&options);
    str_clear(&zone);
    enum err err = cli_filter(cli, cli->args.n_operands > 1 ? cli->args.operands[1] : NULL, &ask.lookup->query, error);
    if (err == ERR_OK)
        err = match_load(match, cli->args.map, cli->args.operands[0], match_input, error);
    if (err != ERR_OK) {
        lookup_free(ask.lookup);
        return err;
    }
    match_tell_reading(cli, match);
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
