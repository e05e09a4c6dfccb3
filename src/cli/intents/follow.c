#include "follow.h"

#include "cached_list.h"
#include "id_list.h"

#include "app/follow.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/out.h"
#include "base/utf8.h"
#include "query/split.h"
#include "wire/user.h"

#include <string.h>

enum {
    BLOB_MAX = 16 << 20,
    LINE_MAX_BYTES = 64 << 20,
    STATE_MAX = 4 << 20,
    LABEL_BYTES = 8192,
    QUESTION_BYTES = 1 << 20
};

struct following {
    struct cli *cli;
    struct follow follow;
    struct output *output;
    struct query_plan *plan; /* NULL: every row */
    struct query *query;
    struct query_context context;
    struct str blob, line;
    struct str label; /* what the place of --since-last belongs to */
    struct since_place place;
    int64_t now;
    size_t looks, looked_at;
    bool baseline; /* the last look was one */
    bool changes, reloaded, finished;
    struct error error;
};

/* ---- What is told ---- */

static bool follow_matches(void *context, const struct browse_row *listed) {
    struct following *following = context;
    struct cells cells;
    struct query_row row;
    if (!browse_row_matches(&following->follow.browse, listed->intent))
        return false;
    return !following->plan || (cli_row_of(listed->intent, listed->confirmed, &following->blob, &cells, &row) &&
                                query_match(following->plan, &row));
}

static void follow_print_line(struct following *following) {
    if (following->error.code == ERR_OK)
        following->error.code = output_text(following->cli->out, following->line.s, &following->error);
    str_reset(&following->line);
}

static void add_old_or_new(struct str *out, const char *name, const char *value, bool number) {
    str_add_char(out, ',');
    if (number)
        str_addf(out, "\"%s\":%s", name, value);
    else
        wire_add_member(out, name, value);
}

static void follow_add_cell(struct str *out, const char *value, bool number) {
    if (value && number)
        csv_add_number(out, value, strlen(value));
    else if (value)
        csv_add_value(out, value, strlen(value));
    csv_end_cell(out);
}

static void print_change(void *context, const struct intent *intent, const struct follow_change *change) {
    struct following *following = context;
    struct str *out = &following->line, seen;
    str_init(&seen, LABEL_BYTES);
    clock_format_iso(&seen, following->now);
    if (following->cli->args.format == OUTPUT_CSV) {
        follow_add_cell(out, intent->id.text, false);
        follow_add_cell(out, change->field, false);
        follow_add_cell(out, change->old, change->old_is_number);
        follow_add_cell(out, change->now, change->now_is_number);
        follow_add_cell(out, seen.s, false);
        csv_end_row(out);
    } else {
        str_add_char(out, '{');
        wire_add_member(out, "id", intent->id.text);
        str_add_char(out, ',');
        wire_add_member(out, "field", change->field);
        add_old_or_new(out, "old", change->old, change->old_is_number);
        add_old_or_new(out, "new", change->now, change->now_is_number);
        str_add_char(out, ',');
        wire_add_member(out, "seen", seen.s);
        str_add(out, "}\n");
    }
    str_clear(&seen);
    follow_print_line(following);
}

static void print_came(void *context, const struct intent *intent) {
    struct following *following = context;
    if (following->changes) {
        const struct follow_change change = {.field = "status", .now = intent->status.text};
        print_change(following, intent, &change);
    } else if (following->error.code == ERR_OK) {
        enum err err = output_intent(following->output, intent, &following->error);
        (void)err; /* it is in the error */
    }
}

/* ---- The place of --since-last ---- */

static void add_question(const struct following *following, struct str *out) {
    const struct args *args = &following->cli->args;
    str_add(out, args->n_operands > 0 ? args->operands[0] : "");
    for (size_t i = 0; i < args->n_statuses; i++)
        str_addf(out, " --status %s", args->statuses[i]);
    if (args->type)
        str_addf(out, " --type %s", args->type);
}

/* What was asked for may name people, so a digest of it stands there. */
static enum err follow_add_label(struct following *following, struct error *error) {
    const struct profile *profile = following->cli->profile;
    struct str text, question;
    str_init(&text, LABEL_BYTES);
    str_init(&question, QUESTION_BYTES);
    add_question(following, &question);
    str_addf(&text, "profile %s, %s, account \"%s\", filter ", profile->name, profile->origin, profile->account);
    enum err err = following->cli->local->name_question(question.s, &text, error);
    utf8_sanitise(&following->label, text.s, text.len);
    str_clear(&text);
    str_clear(&question);
    return err;
}

static enum err read_place(struct following *following, struct error *error) {
    const struct cli *cli = following->cli;
    const struct since_place *place = &following->place;
    struct error why = {0};
    enum err err = follow_add_label(following, error);
    if (err == ERR_OK)
        err = cli->local->open_since(cli->profile, cli->args.since_last, &following->place, error);
    if (err != ERR_OK && error)
        error_prefix(error, "no place for --since-last, so nothing was looked at");
    if (err != ERR_OK || !place->there)
        return err;
    err = follow_read(&following->follow, place->text.s, place->text.len, following->label.s, &why);
    if (err == ERR_USAGE)
        return error_set(error, err,
                         "the place of --since-last %s was noted for another question: %s; use another name",
                         cli->args.since_last, why.text);
    if (err != ERR_OK)
        err = error_set(error, ERR_FILE,
                        "%s, the place of --since-last %s, is damaged: it is not known what is new. Without that file "
                        "the next run begins anew",
                        place->path.s, cli->args.since_last);
    return err;
}

/* Only what has arrived counts as printed: a run that fails before prints the same again. */
static enum err write_place(struct following *following, struct error *error) {
    struct str text;
    struct error why = {0};
    if (!following->cli->args.since_last)
        return ERR_OK;
    str_init(&text, STATE_MAX);
    follow_text(&following->follow, following->label.s, following->now, &text);
    enum err err = text.truncated ? error_set(&why, ERR_LIMIT, "too many intents have no readable created_at")
                                  : following->cli->local->write_since(&following->place, &text, &why);
    str_clear(&text);
    return err == ERR_OK
               ? ERR_OK
               : error_set(error, ERR_FILE,
                           "the place of --since-last could not be noted, so the next run prints the same again: %s",
                           why.text);
}

/* ---- Looking ---- */

static void say_look(const struct following *following) {
    const struct cli *cli = following->cli;
    const struct follow *follow = &following->follow;
    size_t looked_at = following->looked_at, broken = follow->browse.broken_rows;
    struct str line;
    if (cli->args.quiet)
        return;
    str_init(&line, LABEL_BYTES);
    clock_format(&line, following->now, CLOCK_UTC, following->now);
    str_add(&line, " UTC: ");
    if (following->baseline)
        str_addf(&line, "%zu intent%s looked at; what comes from now on is printed", looked_at, plural_s(looked_at));
    else if (following->changes)
        str_addf(&line, "%zu new, %zu changed, %zu looked at", follow->came, follow->changed, looked_at);
    else
        str_addf(&line, "%zu new, %zu looked at", follow->came, looked_at);
    if (broken > 0)
        str_addf(&line, "; %zu of them cannot be read", broken);
    out_say(cli->err, "bursar: %s\n", line.s);
    str_clear(&line);
}

/* New rows are looked for at the head of the list, down to what was known. */
static enum err follow_check_look(const struct following *following, struct error *error) {
    const struct browse *browse = &following->follow.browse;
    if (!follow_is_whole(&following->follow))
        return error_set(error, ERR_INCOMPLETE, "%s before %s was reached, so intents may be missing: nothing is %s",
                         browse->end == BROWSE_LOOP ? "the service repeats a cursor" : "pages bring nothing new",
                         following->follow.begun ? "what the look before knew" : "what was asked for",
                         following->cli->args.since_last ? "printed or noted" : "printed");
    if (!browse->newest_first && browse->end != BROWSE_END)
        return error_set(error, ERR_INCOMPLETE,
                         "the service does not list the newest intents first, so that what is new cannot be told from "
                         "the head of its list");
    if (following->cli->args.since_last && browse->failed_pages + browse->partial_pages > 0)
        return error_set(error, ERR_INCOMPLETE,
                         "the service says that its answer is not whole, so intents may be missing: nothing is "
                         "printed or noted");
    return ERR_OK;
}

/* All that was told has arrived. */
static enum err close_look(struct following *following, struct error *error) {
    enum err err = write_place(following, error);
    if (err == ERR_OK)
        say_look(following);
    return err;
}

static void follow_take_look(struct following *following, struct effects *effects) {
    const struct follow_hearer hearer = {.context = following,
                                         .matches = follow_matches,
                                         .came = print_came,
                                         .changed = following->changes ? print_change : NULL};
    struct follow *follow = &following->follow;
    struct error *error = &following->error;
    following->reloaded = false;
    following->baseline = !follow->begun;
    if (follow_check_look(following, error) == ERR_OK)
        following->looked_at = follow_tell(follow, &hearer);
    if (error->code == ERR_OK && follow->period > 0) {
        enum err err = output_flush(following->cli->out, error);
        error->code = err == ERR_OK ? close_look(following, error) : err;
    }
    following->looks++;
    following->finished = error->code != ERR_OK || follow->period == 0 || out_look_unread();
    if (!following->finished)
        follow_rest(follow, false, following->now, effects);
}

/* What may pass is waited for; what asking again does not change ends it. */
static bool follow_may_pass(const struct browse *browse) {
    switch (browse->code) {
    case ERR_REFUSED:
        return api_speaks_of_the_moment(browse->status);
    case ERR_SERVER:
    case ERR_THROTTLED:
        return true;
    default:
        return browse->link == BROWSE_OFFLINE && browse->code != ERR_TLS;
    }
}

static void take_failed_look(struct following *following, struct effects *effects) {
    struct follow *follow = &following->follow;
    const struct browse *browse = &follow->browse;
    const char *line = browse->line ? browse->line : err_sentence(browse->code);
    if (browse->code == ERR_UNAUTHORISED && !following->reloaded) {
        following->reloaded = true;
        effects_add(effects, EFFECT_TOKEN);
    } else if (follow->period > 0 && follow_may_pass(browse)) {
        follow_rest(follow, true, following->now, effects);
        out_say(following->cli->err, "bursar: %s; the next look is in %lld s\n", line,
                (long long)(follow->waits_until - following->now) / 1000);
    } else {
        following->error.code =
            error_set(&following->error, browse->code == ERR_THROTTLED ? ERR_SERVER : browse->code, "%s", line);
        following->finished = true;
    }
}

static void say_waiting(const struct following *following, const char *why) {
    out_say(following->cli->err, "bursar: %s; going on in %lld s\n", why,
            (long long)(following->follow.waits_until - following->now + 999) / 1000);
}

static void take_step(struct following *following, enum follow_step step, struct effects *effects) {
    const struct browse *browse = &following->follow.browse;
    switch (step) {
    case FOLLOW_ON:
        break;
    case FOLLOW_LOOKED:
        follow_take_look(following, effects);
        break;
    case FOLLOW_WAITS:
        say_waiting(following, browse->code == ERR_THROTTLED ? "the service asks to wait"
                               : browse->line                ? browse->line
                                                             : err_sentence(browse->code));
        break;
    case FOLLOW_SPENT:
        say_waiting(following, "the requests of this hour are used up (requests_per_hour)");
        break;
    case FOLLOW_FAILED:
        take_failed_look(following, effects);
        break;
    }
}

static void take_new_token(struct following *following, const struct event *event, struct effects *effects) {
    if (event_get(event, token_read)->changed) {
        out_say(following->cli->err,
                "bursar: the service no longer takes the token; it was read again from its source\n");
        following->cli->renewals++;
        follow_ask(&following->follow, event->now, effects);
    } else {
        take_failed_look(following, effects);
    }
}

static void following_update(void *self, struct event *event, struct effects *effects) {
    struct following *following = self;
    following->now = event->now;
    if (event->kind == EVENT_START) {
        following->plan = following->query ? query_plan_new(following->query, &following->context) : NULL;
        follow_start(&following->follow, event->now, effects);
    } else if (event->kind == EVENT_CACHE_STATE) {
        (void)cli_cache_state(following->cli, event, effects);
    } else if (event->kind == EVENT_REQUEST && following->cli->args.verbose) {
        cli_say_request(following->cli, event_get(event, request_seen));
    } else if (event->kind == EVENT_TOKEN) {
        take_new_token(following, event, effects);
    } else {
        take_step(following, follow_update(&following->follow, event, effects), effects);
    }
}

static bool following_is_finished(const void *self) {
    const struct following *following = self;
    return following->finished && cli_cache_is_settled(following->cli);
}

/* ---- What is asked for ---- */

/* A change is told of rows that match before it or after it, so nothing is left out by the service then. */
static enum err follow_take_filter(struct following *following, struct error *error) {
    struct cli *cli = following->cli;
    struct query *query;
    struct query_split split;
    struct query_service service = server_filter_service(cli->profile);
    following->context = cli_context(cli, clock_now());
    enum err err = cli_list_filter(cli, &query, error);
    if (err == ERR_OK && query_asks_across(query))
        err = error_set(error, ERR_USAGE, "findings that rest on other intents cannot be followed");
    if (err == ERR_OK && query && !following->changes) {
        query_split(query, &service, &following->context, &split);
        server_filter_of(&following->follow.browse.filter, &split);
        following->query = query_dup(split.rest);
        query_split_clear(&split);
        query_free(query);
    } else if (err == ERR_OK) {
        following->query = query;
    } else {
        query_free(query);
    }
    return err;
}

static bool is_since_name(const char *name) {
    enum { LONGEST = 64 };
    size_t len = strlen(name);
    for (size_t i = 0; i < len; i++)
        if (!ascii_is_word((unsigned char)name[i]) && !strchr("._-", name[i]))
            return false;
    return len <= LONGEST && name[0] != '.';
}

static enum err check_asked(const struct args *args, int64_t *period, struct error *error) {
    if (args->cached || args->all || args->sort || args->resume || args->sample || args->output)
        return error_set(
            error, ERR_USAGE,
            "--follow and --since-last read the newest from the service: --cached, --all, --sort, --resume, "
            "--sample and --output do not go with them");
    if (args->changes && !args->follow)
        return error_set(error, ERR_USAGE, "--changes goes with --follow PERIOD");
    if (args->follow && !follow_period(args->follow, period))
        return error_set(error, ERR_USAGE, "--follow: a period is 30s, 5m or 1h, up to 24h; not %s", args->follow);
    if (args->follow && args->format != OUTPUT_NDJSON && args->format != OUTPUT_CSV)
        return error_set(error, ERR_USAGE, "--follow prints ndjson or csv: --format ndjson");
    if (args->changes && args->columns)
        return error_set(error, ERR_USAGE, "--changes has columns of its own: --columns does not go with it");
    if (args->since_last && args->demo)
        return error_set(error, ERR_USAGE, "--demo keeps nothing when it ends, so there is no last run");
    if (args->since_last && !is_since_name(args->since_last))
        return error_set(error, ERR_USAGE, "--since-last: a name is up to 64 letters, digits, '.', '_' and '-'");
    return ERR_OK;
}

static enum err follow_begin(struct following *following, struct error *error) {
    struct cli *cli = following->cli;
    struct output_options options;
    enum err err = follow_take_filter(following, error);
    if (err == ERR_OK)
        err = cli_output_options(cli, &options, error);
    if (err == ERR_OK)
        following->output = output_new(&options);
    if (err == ERR_OK && cli->args.since_last)
        err = read_place(following, error);
    if (err == ERR_OK && following->changes && cli->args.format == OUTPUT_CSV) {
        csv_begin(&following->line);
        csv_add_names(&following->line, "id,field,old,new,seen");
        csv_end_row(&following->line);
        follow_print_line(following);
    }
    return err;
}

/* The end of what has none but by a signal is no failure of its own. */
static enum err follow_end(struct following *following, struct error *error) {
    struct cli *cli = following->cli;
    bool said = cli->signal != 0 && following->error.code == ERR_OK;
    if (said && !cli->args.quiet)
        out_say(cli->err, "bursar: ended by a signal after %zu look%s\n", following->looks, plural_s(following->looks));
    if (following->error.code != ERR_OK)
        return error_set(error, following->error.code, "%s", following->error.text);
    enum err err = following->changes ? output_flush(cli->out, error) : output_end(following->output, error);
    if (err == ERR_OK && following->follow.period == 0 && following->looks > 0)
        err = close_look(following, error);
    if (err == ERR_OK && !following->changes)
        err = output_check(following->output, error);
    return err == ERR_OK && !cli->signal ? cli_check_account(cli, error) : err;
}

enum err cli_follow(struct cli *cli, struct error *error) {
    struct following following = {.cli = cli, .changes = cli->args.changes, .place.lock = -1};
    int64_t period = 0;
    enum err err = check_asked(&cli->args, &period, error);
    if (err != ERR_OK)
        return err;
    struct client client = {
        .self = &following, .update = following_update, .is_finished = following_is_finished, .unindexed = true};
    follow_init(&following.follow, cli->profile, period);
    following.follow.depth = (size_t)cli->args.limit;
    str_init(&following.blob, BLOB_MAX);
    str_init(&following.line, LINE_MAX_BYTES);
    str_init(&following.label, LABEL_BYTES);
    err = follow_begin(&following, error);
    if (err == ERR_OK) {
        cli->signal = cli->drive(cli->drive_context, &client);
        err = follow_end(&following, error);
    }
    output_free(following.output);
    query_plan_free(following.plan);
    query_free(following.query);
    follow_clear(&following.follow);
    str_clear(&following.blob);
    str_clear(&following.line);
    str_clear(&following.label);
    cli->local->close_since(&following.place);
    return err;
}
