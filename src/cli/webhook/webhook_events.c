#include "arrivals_print.h"
#include "webhook.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "cli/intents/cached_list.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20 };

/* Reads stored events, and their intents in the cache. */
struct reading {
    const char *intent;
    int64_t n;
    size_t join;         /* the intents of so many are looked up */
    struct query *query; /* taken; NULL: all */
    struct query_context context;
    struct arrivals *list;
};

static void webhook_events_update(void *self, struct event *event, struct effects *effects) {
    struct reading *reading = self;
    if (event->kind == EVENT_START) {
        struct arrivals_ask *ask = arrivals_ask_new(reading->intent, reading->n, reading->join);
        ask->query = reading->query;
        ask->context = reading->context;
        reading->query = NULL;
        effects_arrivals(effects, ask);
    } else if (event->kind == EVENT_ARRIVALS)
        reading->list = event_take(event, arrivals);
}

static bool webhook_events_is_finished(const void *self) {
    return ((const struct reading *)self)->list != NULL;
}

static enum err webhook_events_read(struct cli *cli, struct reading *reading, struct error *error) {
    struct client client = {
        .self = reading, .update = webhook_events_update, .is_finished = webhook_events_is_finished};
    cli->signal = cli->drive(cli->drive_context, &client);
    query_free(reading->query);
    if (!reading->list)
        return error_set(error, ERR_CANCELLED, "interrupted");
    const struct error *fault = &reading->list->error;
    return fault->code == ERR_OK ? ERR_OK : error_set(error, fault->code, "%s", fault->text);
}

enum err webhook_read_event(struct cli *cli, const char *text, struct arrival **out, struct error *error) {
    struct reading reading = {0};
    long long n = 0;
    if (!str_to_int64(text, strlen(text), &n) || n < 1)
        return error_set(error, ERR_USAGE, "%s is not the number of an event", text);
    reading.n = n;
    enum err err = webhook_events_read(cli, &reading, error);
    if (err == ERR_OK) {
        *out = reading.list->items[0];
        reading.list->n = 0;
    }
    arrivals_free(reading.list);
    return err;
}

/* ---- which of them ---- */

static bool webhook_events_wants(const struct args *args, int64_t before, const struct arrival *arrival) {
    if (args->kind && !str_equal(args->kind, arrival->kind))
        return false;
    if (args->check && strcmp(args->check, "unverified") == 0
            ? arrival_is_verified(arrival)
            : args->check && !str_equal(args->check, arrival_word(arrival)))
        return false;
    if (args->before && arrival->at >= before)
        return false;
    return !args->differs || arrival_differs(arrival);
}

/* Leaves those that are wanted, of them the newest. */
static void webhook_events_choose(const struct args *args, int64_t before, struct arrivals *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        if (webhook_events_wants(args, before, list->items[i]))
            list->items[n++] = list->items[i];
        else
            arrival_free(list->items[i]);
    size_t over = args->limit > 0 && n > (size_t)args->limit ? n - (size_t)args->limit : 0;
    for (size_t i = 0; i < over; i++)
        arrival_free(list->items[i]);
    if (over > 0)
        memmove(list->items, list->items + over, (n - over) * sizeof *list->items);
    list->n = n - over;
}

/* ---- printing ---- */

static void webhook_events_print_one(const struct cli *cli, const struct arrival *arrival, bool first,
                                     struct str *out) {
    enum output_format format = cli->args.format;
    if (format == OUTPUT_CSV) {
        arrivals_print_csv(arrival, out);
    } else if (format == OUTPUT_TABLE) {
        arrivals_print_row(arrival, clock_now(), cli->columns, out);
        if (arrival->why)
            str_addf(out, "%*s%s\n", ARRIVALS_PRINT_INDENT, "", arrival->why);
    } else {
        str_add(out, output_list_before(format, first));
        arrivals_print_json(arrival, out);
        str_add(out, output_list_after(format));
    }
}

static enum err webhook_events_print(struct cli *cli, const struct arrivals *list, struct error *error) {
    enum output_format format = cli->args.format;
    struct str text;
    str_init(&text, TEXT_MAX);
    if (format == OUTPUT_CSV)
        arrivals_print_csv_head(&text);
    else if (format == OUTPUT_TABLE && list->n > 0)
        arrivals_print_head(&text);
    for (size_t i = 0; i < list->n; i++)
        webhook_events_print_one(cli, list->items[i], i == 0, &text);
    str_add(&text, output_list_end(format, list->n > 0));
    return output_whole(cli->out, &text, ERR_OK, error);
}

static void webhook_events_say(const struct cli *cli, const struct arrivals *list,
                               const struct lookup_result *intents) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    arrivals_tell_elsewhere(list, &text);
    if (text.len > 0)
        out_say(cli->err, "bursar: %s\n", text.s);
    bool any = list->stored + list->damaged + list->elsewhere > 0;
    if (!any)
        out_say(cli->err, "bursar: no event is stored for this profile: bursar webhook listen receives them\n");
    else if (list->n == 0)
        out_say(cli->err, "bursar: no stored event is one of these\n");
    if (any || list->given > 0) {
        str_reset(&text);
        arrivals_tell_reach(list, list->n, clock_now(), &text);
        out_say(cli->err, "bursar: %s\n", text.s);
    }
    if (intents)
        cli_say_lookup(cli, intents->n, intents);
    str_clear(&text);
}

/* ---- those of a filter of the list ---- */

static void webhook_events_keep_of(const struct lookup_result *intents, struct arrivals *list) {
    const struct arrivals_intents *wanted = arrivals_intents_of(intents->gather);
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        if (wanted && arrivals_intents_has(wanted, list->items[i]))
            list->items[n++] = list->items[i];
        else
            arrival_free(list->items[i]);
    list->n = n;
}

/* *out NULL: every event is wanted. */
static enum err webhook_events_look_up(struct cli *cli, struct lookup_result **out, struct error *error) {
    struct lookup_ask ask = {0};
    *out = NULL;
    if (!cli->args.intents)
        return ERR_OK;
    ask.lookup = lookup_new();
    enum err err = cli_filter(cli, cli->args.intents, &ask.lookup->query, error);
    if (err != ERR_OK) {
        lookup_free(ask.lookup);
        return err;
    }
    cli_say_integers(cli, ask.lookup->query);
    ask.lookup->gather = arrivals_intents_gather(arrivals_intents_new());
    err = cli_cached_list(cli, &ask, error);
    *out = ask.answer;
    return err;
}

static enum err webhook_events_tell(struct cli *cli, int64_t before, const struct lookup_result *intents,
                                    struct arrivals *list, struct error *error) {
    if (intents)
        webhook_events_keep_of(intents, list);
    webhook_events_choose(&cli->args, before, list);
    enum err err = webhook_events_print(cli, list, error);
    webhook_events_say(cli, list, intents);
    if (err == ERR_OK && list->damaged > 0)
        err = error_set(error, ERR_INCOMPLETE, "what can be read was printed");
    return err != ERR_OK || !intents ? err : cli_check_damage(&intents->coverage, intents->damaged, error);
}

enum err cli_webhook_events(struct cli *cli, struct error *error) {
    const struct args *args = &cli->args;
    struct reading reading = {.intent = args->intent, .join = SIZE_MAX, .context = cli_context(cli, clock_now())};
    struct lookup_result *intents = NULL;
    int64_t before = 0;
    if (args->before && !clock_parse(args->before, strlen(args->before), &before))
        return error_set(error, ERR_USAGE, "--before: %s is not a date", args->before);
    reading.context.notes = NULL;
    enum err err = cli_filter_events(cli, args->n_operands > 0 ? args->operands[0] : NULL, &reading.query, error);
    if (err == ERR_OK)
        err = webhook_events_look_up(cli, &intents, error);
    if (err == ERR_OK)
        err = webhook_events_read(cli, &reading, error);
    else
        query_free(reading.query);
    if (err == ERR_OK)
        err = webhook_events_tell(cli, before, intents, reading.list, error);
    arrivals_free(reading.list);
    lookup_result_free(intents);
    return err;
}
