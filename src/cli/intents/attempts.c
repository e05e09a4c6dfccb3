/* `intents stats --by attempts`: payments instead of intents, and how many were approved at the first attempt and in
 * the end. */
#include "attempts.h"

#include "fresh.h"

#include "base/csv.h"
#include "base/out.h"
#include "cli/output.h"
#include "wire/user.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20, MINUTE = 60 * 1000 };

/* ---- JSON ---- */

void attempts_add_sum(const struct lookup_total *total, struct str *out) {
    str_addf(out, "\"of\":%zu,\"without\":%zu,\"sum\":", total->rows - total->without, total->without);
    if (total->overflow)
        str_add(out, "null");
    else
        str_addf(out, "%" PRId64, total->sum);
}

static void attempts_add_rate(const char *name, size_t approved, size_t of, struct str *out) {
    str_addf(out, ",\"%s\":{\"approved\":%zu,\"of\":%zu,\"percent\":", name, approved, of);
    if (of > 0)
        str_addf(out, "%u}", attempts_percent(approved, of));
    else
        str_add(out, "null}");
}

static void attempts_add_counts(const struct payment_counts *counts, struct str *out) {
    str_addf(out, "\"payments\":%zu,\"attempts\":%zu,\"open\":%zu,\"not_approved\":%zu", counts->payments,
             counts->tries, counts->payments - counts->closed, counts->closed - counts->approved);
    attempts_add_rate("first_attempt", counts->first, counts->closed, out);
    attempts_add_rate("final", counts->approved, counts->closed, out);
}

static void attempts_add_currency(const struct payment_counts *counts, struct str *out) {
    str_add_char(out, '{');
    wire_add_member(out, "currency", counts->currency);
    str_add_char(out, ',');
    wire_add_member(out, "direction", counts->direction);
    str_add_char(out, ',');
    attempts_add_counts(counts, out);
    str_add(out, ",\"approved\":{");
    attempts_add_sum(&counts->paid, out);
    str_add(out, "},\"lost\":{");
    attempts_add_sum(&counts->lost, out);
    str_add(out, "}}");
}

void attempts_add_members(const struct attempts *attempts, struct str *out) {
    struct payment_counts all;
    size_t n;
    struct payment_counts *by_currency = attempts_count(attempts, &all, &n);
    attempts_add_counts(&all, out);
    str_addf(out, ",\"intents_apart\":%zu,\"filter_hides_attempts\":%s,\"window_minutes\":%" PRId64 ",\"currencies\":[",
             attempts->apart, attempts->parted ? "true" : "false", attempts->window / MINUTE);
    for (size_t i = 0; i < n; i++) {
        str_add(out, i > 0 ? "," : "");
        attempts_add_currency(&by_currency[i], out);
    }
    free(by_currency);
    struct payment_tries *by_tries = attempts_by_tries(attempts, &n);
    str_add(out, "],\"by_attempts\":[");
    for (size_t i = 0; i < n; i++)
        str_addf(out, "%s{\"attempts\":%zu,\"payments\":%zu,\"approved\":%zu}", i > 0 ? "," : "", by_tries[i].tries,
                 by_tries[i].payments, by_tries[i].approved);
    str_add_char(out, ']');
    free(by_tries);
}

/* ---- CSV ---- */

static void attempts_csv_sum(const struct lookup_total *total, struct str *out) {
    if (total->overflow)
        csv_add_cell(out, "overflow");
    else
        csv_add_integer(out, total->sum);
}

static void csv_currency(const struct payment_counts *counts, struct str *out) {
    const size_t numbers[] = {counts->payments, counts->tries,    counts->payments - counts->closed,
                              counts->first,    counts->approved, counts->closed};
    csv_add_cell(out, counts->currency);
    csv_add_cell(out, counts->direction);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        csv_add_integer(out, (int64_t)numbers[i]);
    attempts_csv_sum(&counts->paid, out);
    attempts_csv_sum(&counts->lost, out);
    csv_end_row(out);
}

/* Intents of no payment: how many they are, and no sums. */
static void csv_apart(const struct attempts *attempts, struct str *out) {
    enum { EMPTY = 6 };
    if (attempts->apart == 0)
        return;
    csv_add_cell(out, "apart");
    csv_add_cell(out, "");
    csv_add_integer(out, 0);
    csv_add_integer(out, (int64_t)attempts->apart);
    for (int i = 0; i < EMPTY; i++)
        csv_add_cell(out, "");
    csv_end_row(out);
}

static void attempts_csv(const struct attempts *attempts, struct str *out) {
    struct payment_counts all;
    size_t n;
    struct payment_counts *by_currency = attempts_count(attempts, &all, &n);
    csv_begin(out);
    csv_add_names(out,
                  "currency,direction,payments,attempts,open,approved_first,approved,closed,sum_approved,sum_lost");
    csv_end_row(out);
    for (size_t i = 0; i < n; i++)
        csv_currency(&by_currency[i], out);
    csv_apart(attempts, out);
    free(by_currency);
}

/* ---- Table ---- */

enum { NAME_COLS = 12, COUNT_COLS = 9, RATE_COLS = 22, TRIES_COLS = 8, GAP = 2 };

static void attempts_table_count(size_t n, int cols, struct str *out) {
    struct str count;
    str_init(&count, 64);
    money_group_count(&count, n);
    str_addf(out, "%*s", cols, count.s);
    str_clear(&count);
}

static void attempts_table_rate(size_t n, size_t of, struct str *out) {
    struct str rate;
    str_init(&rate, 64);
    attempts_say_rate(n, of, &rate);
    str_addf(out, "  %*s", RATE_COLS, rate.s);
    str_clear(&rate);
}

static void table_counts(const char *name, const struct payment_counts *counts, struct str *out) {
    str_addf(out, "%-*s", NAME_COLS, name);
    attempts_table_count(counts->payments, COUNT_COLS + GAP, out);
    attempts_table_count(counts->tries, COUNT_COLS + GAP, out);
    attempts_table_count(counts->payments - counts->closed, COUNT_COLS + GAP, out);
    attempts_table_rate(counts->first, counts->closed, out);
    attempts_table_rate(counts->approved, counts->closed, out);
}

static void table_currency(const struct payment_counts *counts, bool directed, const struct money_rule *rule,
                           struct str *out) {
    struct str name;
    str_init(&name, ERROR_TEXT_MAX);
    str_add(&name, counts->currency);
    if (directed)
        attempts_say_direction(counts->direction, &name);
    table_counts(name.s, counts, out);
    str_clear(&name);
    str_add(out, "  ");
    lookup_sum_text(&counts->paid, rule, out);
    str_add(out, " approved, ");
    lookup_sum_text(&counts->lost, rule, out);
    str_add(out, " lost\n");
}

static void table_tries(const struct attempts *attempts, struct str *out) {
    size_t n;
    struct payment_tries *by_tries = attempts_by_tries(attempts, &n);
    str_addf(out, "\n%*s  %*s  %*s\n", TRIES_COLS, "attempts", COUNT_COLS, "payments", COUNT_COLS, "approved");
    for (size_t i = 0; i < n; i++) {
        attempts_table_count(by_tries[i].tries, TRIES_COLS, out);
        attempts_table_count(by_tries[i].payments, COUNT_COLS + GAP, out);
        attempts_table_count(by_tries[i].approved, COUNT_COLS + GAP, out);
        str_add_char(out, '\n');
    }
    free(by_tries);
}

static void attempts_table_apart(const struct attempts *attempts, struct str *out) {
    if (attempts->apart == 0)
        return;
    str_add(out, attempts->payments.n > 0 ? "\n" : "");
    attempts_say_apart(attempts, out);
    str_add_char(out, '\n');
}

static void attempts_table(const struct attempts *attempts, const struct money_rule *rule, struct str *out) {
    struct payment_counts all;
    size_t n;
    struct payment_counts *by_currency = attempts_count(attempts, &all, &n);
    if (all.payments > 0) {
        str_addf(out, "%-*s  %*s  %*s  %*s  %*s  %*s  sums, each payment once\n", NAME_COLS, "", COUNT_COLS, "payments",
                 COUNT_COLS, "attempts", COUNT_COLS, "open", RATE_COLS, "approved at first", RATE_COLS,
                 "approved in the end");
        bool directed = n > 0 && attempts_has_directions(&by_currency->direction, sizeof *by_currency, n);
        for (size_t i = 0; i < n; i++)
            table_currency(&by_currency[i], directed, rule, out);
        table_counts("all", &all, out);
        str_add_char(out, '\n');
        table_tries(attempts, out);
    }
    attempts_table_apart(attempts, out);
    free(by_currency);
}

/* ---- The command ---- */

static enum err attempts_print(const struct cli *cli, const struct attempts *attempts, struct error *error) {
    const struct money_rule rule = profile_money(cli->profile);
    struct str text;
    str_init(&text, TEXT_MAX);
    if (cli->args.format == OUTPUT_TABLE) {
        attempts_table(attempts, &rule, &text);
    } else if (cli->args.format == OUTPUT_CSV) {
        attempts_csv(attempts, &text);
    } else {
        str_add_char(&text, '{');
        attempts_add_members(attempts, &text);
        str_add(&text, "}\n");
    }
    return output_whole(cli->out, &text, ERR_OK, error);
}

void attempts_warn(const struct cli *cli, const struct attempts *attempts) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    attempts_say_parted(attempts, &text);
    if (text.len > 0)
        out_say(cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
}

/* What a rate leaves out is said beside it. */
static void attempts_say_rules(const struct cli *cli, const struct attempts *attempts) {
    struct payment_counts all;
    struct str text;
    size_t n;
    free(attempts_count(attempts, &all, &n));
    str_init(&text, ERROR_TEXT_MAX);
    attempts_say_window(attempts, &text);
    if (all.payments > all.closed) {
        str_add(&text, "; rates are of the ");
        money_group_count(&text, all.closed);
        str_addf(&text, " payment%s that ended, without ", plural_s(all.closed));
        money_group_count(&text, all.payments - all.closed);
        str_addf(&text, " %s", attempts_open_word(&all));
    }
    if (attempts->apart > 0) {
        str_add(&text, "; ");
        money_group_count(&text, attempts->apart);
        str_addf(&text, " intent%s left out: without user, amount, currency or time",
                 attempts->apart == 1 ? " is" : "s are");
    }
    out_say(cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
    attempts_warn(cli, attempts);
}

static enum err attempts_check(const struct args *args, struct error *error) {
    if (args->over || args->chart || args->limit || args->rate || args->rate_of || args->compare || args->sum)
        return error_set(error, ERR_USAGE,
                         "--by attempts has rates and sums of its own: it goes with no --over, --chart, --limit, "
                         "--rate, --rate-of, --compare or --sum");
    return cli_check_fresh(args, error);
}

static enum err attempts_tell(struct cli *cli, const struct attempts *attempts, const struct lookup_result *answer,
                              struct error *error) {
    enum err err = attempts_print(cli, attempts, error);
    if (err != ERR_OK)
        return err;
    attempts_say_rules(cli, attempts);
    cli_say_lookup(cli, answer->n, answer);
    return cli_check_damage(&answer->coverage, answer->damaged, error);
}

enum err cli_intents_attempts(struct cli *cli, struct error *error) {
    struct lookup_ask ask = {.lookup = lookup_new()};
    enum err err = attempts_check(&cli->args, error);
    if (err == ERR_OK)
        err = cli_filter(cli, cli->args.n_operands > 0 ? cli->args.operands[0] : NULL, &ask.lookup->query, error);
    if (err == ERR_OK) {
        cli_say_integers(cli, ask.lookup->query);
        err = cli->args.fresh ? cli_fresh(cli, ask.lookup->query, error) : ERR_OK;
    }
    if (err != ERR_OK) {
        lookup_free(ask.lookup);
        return err;
    }
    struct attempts *attempts = attempts_new(profile_attempt_window(cli->profile));
    ask.lookup->gather = &attempts->gather;
    err = cli_cached_list(cli, &ask, error);
    if (err == ERR_OK)
        err = attempts_tell(cli, attempts, ask.answer, error);
    lookup_result_free(ask.answer);
    return err;
}
