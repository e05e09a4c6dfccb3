/* `intents stats --by attempts`: payments instead of intents, and how many were approved at the first attempt and in
 * the end. */
#include "attempts.h"

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
    str_addf(out, ",\"%s\":{\"approved\":%zu,\"of\":%zu,\"percent\":%u}", name, approved, of,
             attempts_percent(approved, of));
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
    str_addf(out, ",\"intents_apart\":%zu,\"window_minutes\":%" PRId64 ",\"currencies\":[", attempts->apart,
             attempts->window / MINUTE);
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
        str_add(out, "overflow");
    else
        str_addf(out, "%" PRId64, total->sum);
    csv_end_cell(out);
}

static void csv_currency(const struct payment_counts *counts, struct str *out) {
    const size_t numbers[] = {counts->payments, counts->tries,    counts->payments - counts->closed,
                              counts->first,    counts->approved, counts->closed};
    csv_add_value(out, counts->currency, strlen(counts->currency));
    csv_end_cell(out);
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        str_addf(out, "%zu", numbers[i]);
        csv_end_cell(out);
    }
    attempts_csv_sum(&counts->paid, out);
    attempts_csv_sum(&counts->lost, out);
    csv_end_row(out);
}

static void attempts_csv(const struct attempts *attempts, struct str *out) {
    struct payment_counts all;
    size_t n;
    struct payment_counts *by_currency = attempts_count(attempts, &all, &n);
    str_add(out, "currency,payments,attempts,open,approved_first,approved,closed,sum_approved,sum_lost\r\n");
    for (size_t i = 0; i < n; i++)
        csv_currency(&by_currency[i], out);
    free(by_currency);
}

/* ---- Table ---- */

static void attempts_table_rate(size_t n, size_t of, struct str *out) {
    struct str rate;
    str_init(&rate, 64);
    str_addf(&rate, "%zu of %zu, %u%%", n, of, attempts_percent(n, of));
    str_addf(out, "  %22s", of > 0 ? rate.s : "-");
    str_clear(&rate);
}

static void table_counts(const char *name, const struct payment_counts *counts, struct str *out) {
    str_addf(out, "%-10s  %9zu  %9zu  %9zu", name, counts->payments, counts->tries, counts->payments - counts->closed);
    attempts_table_rate(counts->first, counts->closed, out);
    attempts_table_rate(counts->approved, counts->closed, out);
}

static void table_currency(const struct payment_counts *counts, const struct money_rule *rule, struct str *out) {
    table_counts(counts->currency, counts, out);
    str_add(out, "  ");
    lookup_sum_text(&counts->paid, rule, out);
    str_add(out, " approved, ");
    lookup_sum_text(&counts->lost, rule, out);
    str_add(out, " lost\n");
}

static void table_tries(const struct attempts *attempts, struct str *out) {
    size_t n;
    struct payment_tries *by_tries = attempts_by_tries(attempts, &n);
    str_addf(out, "\n%8s  %9s  %9s\n", "attempts", "payments", "approved");
    for (size_t i = 0; i < n; i++)
        str_addf(out, "%8zu  %9zu  %9zu\n", by_tries[i].tries, by_tries[i].payments, by_tries[i].approved);
    free(by_tries);
}

static void attempts_table(const struct attempts *attempts, const struct money_rule *rule, struct str *out) {
    struct payment_counts all;
    size_t n;
    struct payment_counts *by_currency = attempts_count(attempts, &all, &n);
    if (all.payments > 0) {
        str_addf(out, "%-10s  %9s  %9s  %9s  %22s  %22s  sums, each payment once\n", "", "payments", "attempts", "open",
                 "approved at first", "approved in the end");
        for (size_t i = 0; i < n; i++)
            table_currency(&by_currency[i], rule, out);
        table_counts("all", &all, out);
        str_add_char(out, '\n');
        table_tries(attempts, out);
    }
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

/* What a rate leaves out is said beside it. */
static void attempts_say_rules(const struct cli *cli, const struct attempts *attempts) {
    struct payment_counts all;
    struct str text;
    size_t n;
    free(attempts_count(attempts, &all, &n));
    str_init(&text, ERROR_TEXT_MAX);
    attempts_say_window(attempts, &text);
    if (all.payments > all.closed)
        str_addf(&text, "; rates are of the %zu payment%s that ended, without %zu open", all.closed,
                 plural_s(all.closed), all.payments - all.closed);
    if (attempts->apart > 0)
        str_addf(&text, "; %zu intent%s without user, amount, currency or time left out", attempts->apart,
                 attempts->apart == 1 ? " is" : "s are");
    out_say(cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
}

enum err cli_intents_attempts(struct cli *cli, struct error *error) {
    struct attempts *attempts = attempts_new(profile_attempt_window(cli->profile));
    struct lookup_ask ask = {.lookup = lookup_new()};
    ask.lookup->gather = &attempts->gather;
    if (cli->args.over || cli->args.chart || cli->args.limit) {
        lookup_free(ask.lookup);
        return error_set(error, ERR_USAGE, "--by attempts goes with no --over, --chart or --limit");
    }
    enum err err = cli_filter(cli, cli->args.n_operands > 0 ? cli->args.operands[0] : NULL, &ask.lookup->query, error);
    if (err != ERR_OK) {
        lookup_free(ask.lookup);
        return err;
    }
    cli_say_integers(cli, ask.lookup->query);
    err = cli_cached_list(cli, &ask, error);
    if (err == ERR_OK)
        err = attempts_print(cli, attempts, error);
    if (err == ERR_OK) {
        attempts_say_rules(cli, attempts);
        cli_say_lookup(cli, ask.answer->n, ask.answer);
        err = cli_check_damage(&ask.answer->coverage, ask.answer->damaged, error);
    }
    lookup_result_free(ask.answer);
    return err;
}
