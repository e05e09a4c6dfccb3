/* `users show`: one customer on one page, and the intents below; out of the cache and the journal alone. */
#include "attempts.h"

#include "app/customer.h"
#include "app/journal.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "wire/user.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20, USUAL_ROWS = 100, LABEL_COLS = 12 };

struct user_page {
    struct cli *cli;
    const char *id;
    struct journal_answer *registered; /* NULL: not known */
    uint64_t ticket;
    struct lookup_result *answer; /* with the customer */
    struct output *output;
    size_t rows; /* that were printed */
    struct error error;
};

/* ---- What the journal knows ---- */

static void user_page_update(void *self, struct event *event, struct effects *effects) {
    struct user_page *page = self;
    if (event->kind == EVENT_START) {
        struct journal_ask *ask = journal_ask_new(JOURNAL_REGISTERED);
        ask->response_id = mem_dup(page->id);
        page->ticket = effects_journal(effects, ask);
    } else if (event->kind == EVENT_JOURNAL && event->ticket == page->ticket) {
        page->registered = event_take(event, journal_answer);
    }
}

static bool user_page_is_answered(const void *self) {
    return ((const struct user_page *)self)->registered != NULL;
}

static enum err ask_journal(struct user_page *page, struct error *error) {
    struct cli *cli = page->cli;
    struct client client = {
        .self = page, .update = user_page_update, .is_finished = user_page_is_answered, .unindexed = true};
    cli->signal = cli->drive(cli->drive_context, &client);
    return cli->signal ? error_set(error, ERR_INCOMPLETE, "interrupted") : ERR_OK;
}

/* ---- Table ---- */

static const struct outcome_records *user_records(const struct user_page *page) {
    return page->registered->records.n > 0 ? &page->registered->records : NULL;
}

/* NULL: the journal was read. */
static const char *journal_fault(const struct user_page *page) {
    return page->registered->error.code != ERR_OK ? page->registered->error.text : NULL;
}

static const char *filter_of(const struct user_page *page) {
    return page->cli->args.n_operands > 1 ? page->cli->args.operands[1] : NULL;
}

static struct customer_telling user_telling(const struct user_page *page) {
    const struct cli *cli = page->cli;
    return (struct customer_telling){.user = page->id,
                                     .money = profile_money(cli->profile),
                                     .zone = cli->args.tz || *cli->profile->timezone ? CLOCK_LOCAL : CLOCK_UTC,
                                     .now = clock_now(),
                                     .reasons = &cli->reasons,
                                     .notes = cli->notes,
                                     .registered = user_records(page),
                                     .registered_fault = journal_fault(page)};
}

static void user_line(void *to, const char *label, const char *text) {
    str_addf(to, "%-*s  %s\n", LABEL_COLS, label, text);
}

static void user_filter_line(const struct user_page *page, struct str *out) {
    struct str text;
    str_init(&text, TEXT_MAX);
    str_add(&text, "what follows is of this filter alone: ");
    utf8_sanitise(&text, filter_of(page), strlen(filter_of(page)));
    user_line(out, "filter", text.s);
    str_clear(&text);
}

static void user_table(const struct user_page *page, const struct customer *customer, struct str *out) {
    const struct customer_telling telling = user_telling(page);
    user_line(out, "user", page->id);
    if (filter_of(page))
        user_filter_line(page, out);
    customer_tell(customer, &telling, user_line, out);
    customer_tell_rest(customer, &telling, user_line, out);
    str_add_char(out, '\n');
}

/* ---- JSON ---- */

static void user_json_time(const char *name, struct customer_time time, struct str *out) {
    struct str text;
    str_init(&text, 64);
    if (time.ms != CLOCK_NONE)
        clock_format_iso(&text, time.ms);
    if (time.bare && text.len > 0) /* it names no zone */
        str_delete(&text, text.len - 1, 1);
    wire_add_member(out, name, text.len > 0 ? text.s : NULL);
    str_clear(&text);
}

static void user_json_words(const char *name, const char *member, const struct customer_words *words, struct str *out) {
    str_addf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < words->n; i++) {
        str_add(out, i > 0 ? ",{" : "{");
        wire_add_member(out, member, words->items[i].text);
        str_addf(out, ",\"intents\":%zu}", words->items[i].rows);
    }
    str_add_char(out, ']');
}

static void user_json_sums(const struct customer *customer, struct str *out) {
    str_add(out, ",\"sums\":[");
    for (size_t i = 0; i < customer->sums.n; i++) {
        const struct customer_sum *sum = &customer->sums.items[i];
        str_add(out, i > 0 ? ",{" : "{");
        wire_add_member(out, "currency", sum->all.currency);
        str_add_char(out, ',');
        wire_add_member(out, "direction", sum->direction);
        str_add_char(out, ',');
        attempts_add_sum(&sum->all, out);
        str_add(out, ",\"approved\":{");
        attempts_add_sum(&sum->approved, out);
        str_add(out, "}}");
    }
    str_add_char(out, ']');
}

static void user_json_declines(const struct user_page *page, const struct customer *customer, struct str *out) {
    str_add(out, ",\"declines\":[");
    for (size_t i = 0; i < customer->declines.n; i++) {
        const struct customer_decline *decline = &customer->declines.items[i];
        const struct reason *reason = reasons_find(&page->cli->reasons, decline->reason);
        str_add(out, i > 0 ? ",{" : "{");
        user_json_time("created", decline->created, out);
        str_add_char(out, ',');
        wire_add_member(out, "reason", decline->reason);
        str_add_char(out, ',');
        wire_add_member(out, "meaning", reason ? reason->texts[REASON_MEANING] : NULL);
        str_add_char(out, '}');
    }
    str_add_char(out, ']');
}

static void user_json_payment(const struct attempts *attempts, const struct payment *payment, struct str *out) {
    static const char *const ENDS[] = {
        [PAYMENT_APPROVED] = "approved", [PAYMENT_FAILED] = "not_approved", [PAYMENT_OPEN] = "open"};
    const struct attempt *first = &attempts->tries.items[payment->first];
    str_add_char(out, '{');
    user_json_time("first", (struct customer_time){.ms = first->created, .bare = first->bare}, out);
    str_add_char(out, ',');
    user_json_time("last", (struct customer_time){attempts_last(attempts, payment)->created, first->bare}, out);
    str_addf(out, ",\"amount\":%" PRId64 ",", first->amount);
    wire_add_member(out, "currency", first->currency);
    str_add_char(out, ',');
    wire_add_member(out, "direction", first->direction);
    str_addf(out, ",\"attempts\":%zu,\"end\":\"%s\",\"statuses\":[", payment->n, ENDS[payment->end]);
    for (size_t i = 0; i < payment->n; i++) {
        const char *status = attempts->tries.items[payment->first + i].status;
        str_addf(out, "%s{", i > 0 ? "," : "");
        wire_add_member(out, "status", status);
        str_add_char(out, '}');
    }
    str_add(out, "]}");
}

static void user_json_attempts(const struct attempts *attempts, struct str *out) {
    str_add(out, ",\"attempts\":{");
    attempts_add_members(attempts, out);
    str_add(out, ",\"each\":[");
    for (size_t i = 0; i < attempts->payments.n; i++) {
        str_add(out, i > 0 ? "," : "");
        user_json_payment(attempts, &attempts->payments.items[i], out);
    }
    str_add(out, "]}");
}

/* null where this machine did not register the user, and where that cannot be told: then registered_error says why. */
static void user_json_registered(const struct user_page *page, struct str *out) {
    const struct outcome_records *records = user_records(page);
    bool tagged = false;
    if (!records) {
        str_add(out, ",\"registered\":null,");
        wire_add_member(out, "registered_error", journal_fault(page));
        return;
    }
    const struct outcome_record *record = &records->items[0];
    for (size_t i = 0; i < record->n_fields; i++)
        tagged = tagged || str_equal(record->fields[i], "tag");
    str_addf(out, ",\"registered\":{\"record\":%" PRId64 ",", record->n);
    user_json_time("at", (struct customer_time){.ms = record->at}, out);
    str_add_char(out, ',');
    wire_add_member(out, "who", record->who);
    str_addf(out, ",\"tagged\":%s},\"registered_error\":null",
             record->n_fields == 0 ? "null"
             : tagged              ? "true"
                                   : "false");
}

static void user_json_tags(const struct user_page *page, struct str *out) {
    const struct notes_subject *subject =
        page->cli->notes ? notes_find(page->cli->notes, NOTE_OF_USER, page->id, strlen(page->id)) : NULL;
    str_add(out, ",\"tags\":[");
    for (size_t i = 0; subject && i < subject->n_tags; i++)
        str_addf(out, "%s\"%s\"", i > 0 ? "," : "", subject->tags[i].text); /* letters, digits, '.', '_' and '-' */
    str_add_char(out, ']');
}

static void user_json(const struct user_page *page, const struct customer *customer, struct str *out) {
    str_add_char(out, '{');
    wire_add_member(out, "user", page->id);
    str_add_char(out, ',');
    wire_add_member(out, "filter", filter_of(page));
    str_addf(out, ",\"intents\":%zu,", customer->rows);
    user_json_time("first", customer->first, out);
    str_add_char(out, ',');
    user_json_time("last", customer->last, out);
    user_json_words("statuses", "status", &customer->statuses, out);
    user_json_sums(customer, out);
    user_json_words("banks", "bank", &customer->banks, out);
    user_json_declines(page, customer, out);
    user_json_attempts(customer->attempts, out);
    user_json_registered(page, out);
    user_json_tags(page, out);
}

/* ---- The page ---- */

static enum err user_print_head(const struct user_page *page, struct error *error) {
    const struct customer *customer = customer_of(page->answer);
    enum output_format format = page->cli->args.format;
    struct str text;
    str_init(&text, TEXT_MAX);
    if (format == OUTPUT_TABLE)
        user_table(page, customer, &text);
    else if (format != OUTPUT_CSV)
        user_json(page, customer, &text);
    str_add(&text, format == OUTPUT_JSON ? ",\"list\":" : format == OUTPUT_NDJSON ? "}\n" : "");
    return output_whole(page->cli->out, &text, ERR_OK, error);
}

static bool user_row(void *context, const struct lookup_row *row) {
    struct user_page *page = context;
    if (row->intent)
        page->rows += output_intent(page->output, row->intent, &page->error) == ERR_OK;
    return page->error.code == ERR_OK;
}

static enum err user_filter(const struct user_page *page, struct query **out, struct error *error) {
    struct cli *cli = page->cli;
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    query_add_equal(&text, QUERY_USER_FIELD, page->id);
    if (cli->args.n_operands > 1)
        str_addf(&text, " (%s)", cli->args.operands[1]);
    enum err err = text.truncated ? error_set(error, ERR_USAGE, "id and filter together are too long: %d bytes at most",
                                              QUERY_TEXT_MAX)
                                  : cli_filter(cli, text.s, out, error);
    str_clear(&text);
    return err;
}

static enum err ask_customer(struct user_page *page, struct error *error) {
    struct lookup_ask ask = {.lookup = lookup_new()};
    ask.lookup->gather = &customer_new(profile_attempt_window(page->cli->profile))->gather;
    enum err err = user_filter(page, &ask.lookup->query, error);
    if (err == ERR_OK)
        err = cli_cached_list(page->cli, &ask, error);
    else
        lookup_free(ask.lookup);
    page->answer = ask.answer;
    return err;
}

static enum err user_print_list(struct user_page *page, struct error *error) {
    const struct args *args = &page->cli->args;
    struct lookup_ask ask = {.lookup = lookup_new(),
                             .limit = args->all     ? 0
                                      : args->limit ? (size_t)args->limit
                                                    : USUAL_ROWS,
                             .fields = output_fields(page->output),
                             .row = user_row,
                             .context = page};
    enum err err = user_filter(page, &ask.lookup->query, error);
    if (err == ERR_OK)
        err = cli_cached_list(page->cli, &ask, error);
    else
        lookup_free(ask.lookup);
    if (err == ERR_OK && page->error.code != ERR_OK)
        err = error_set(error, page->error.code, "%s", page->error.text);
    if (err == ERR_OK)
        err = output_end(page->output, error);
    if (err == ERR_OK && args->format == OUTPUT_JSON)
        err = output_text(page->cli->out, "}\n", error);
    lookup_result_free(ask.answer);
    return err;
}

/* A filter that hides the intents of a user does not say that there are none. */
static enum err user_check_known(const struct user_page *page, struct error *error) {
    const char *fault = journal_fault(page);
    const char *none = filter_of(page) ? "no cached intent of such a user matches the filter"
                                       : "nothing is known of such a user: no cached intent names it";
    bool any = page->answer->n > 0;
    if (fault)
        return error_set(error, ERR_STORE, "%s%swho registered the user cannot be told: %s", any ? "" : none,
                         any ? "" : ", and ", fault);
    return any || user_records(page)
               ? ERR_OK
               : error_set(error, ERR_INCOMPLETE,
                           "%s, and none was registered here; bursar intents list --all reads all there are", none);
}

static enum err user_verdict(const struct user_page *page, struct error *error) {
    const struct lookup_result *answer = page->answer;
    attempts_warn(page->cli, customer_of(answer)->attempts);
    cli_say_lookup(page->cli, page->rows, answer);
    enum err err = cli_check_damage(&answer->coverage, answer->damaged, error);
    err = err == ERR_OK ? user_check_known(page, error) : err;
    return err == ERR_OK ? output_check(page->output, error) : err;
}

static enum err user_print(struct user_page *page, struct error *error) {
    struct output_options options;
    enum err err = cli_output_options(page->cli, &options, error);
    err = err == ERR_OK ? ask_customer(page, error) : err;
    err = err == ERR_OK ? ask_journal(page, error) : err;
    err = err == ERR_OK ? user_print_head(page, error) : err;
    if (err != ERR_OK)
        return err;
    page->output = output_new(&options);
    err = user_print_list(page, error);
    return err == ERR_OK ? user_verdict(page, error) : err;
}

/* It is looked for by a filter, which has room for so much. */
static enum err check_shown_id(const struct str *id, struct error *error) {
    struct str filter;
    str_init(&filter, QUERY_TEXT_MAX);
    query_add_equal(&filter, QUERY_USER_FIELD, id->s);
    bool fits = !id->truncated && !filter.truncated;
    str_clear(&filter);
    if (id->len == 0)
        return error_set(error, ERR_USAGE, "the id is empty");
    return fits ? ERR_OK
                : error_set(error, ERR_USAGE, "the id is too long: a filter that looks for it has %d bytes at most",
                            QUERY_TEXT_MAX);
}

enum err cli_users_show(struct cli *cli, struct error *error) {
    struct user_page page = {.cli = cli};
    struct str id;
    str_init(&id, QUERY_TEXT_MAX);
    utf8_sanitise(&id, cli->args.operands[0], strlen(cli->args.operands[0])); /* as it is stored */
    page.id = id.s;
    enum err err = check_shown_id(&id, error);
    err = err == ERR_OK ? user_print(&page, error) : err;
    output_free(page.output);
    lookup_result_free(page.answer);
    journal_answer_free(page.registered);
    str_clear(&id);
    return err;
}
