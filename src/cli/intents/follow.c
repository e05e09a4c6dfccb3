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

enum { BLOB_MAX = 16 << 20, LINE_MAX_BYTES = 64 << 20, STATE_MAX = 4 << 20, LABEL_BYTES = 8192, PATH_BYTES = 4096 };

struct following {
    struct cli *cli;
    struct follow follow;
    struct output *output;
    struct query_plan *plan; /* NULL: every row */
    struct query *query;
    struct query_context context;
    struct str blob, line;
    struct str label; /* what the place of --since-last belongs to */
    int64_t now;
    size_t looks;
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

static void follow_add_label(struct following *following) {
    const struct profile *profile = following->cli->profile;
    struct str text;
    str_init(&text, LABEL_BYTES);
    str_addf(&text, "profile %s, %s, account \"%s\", filter \"%s\"", profile->name, profile->origin, profile->account,
             following->cli->args.n_operands > 0 ? following->cli->args.operands[0] : "");
    for (size_t i = 0; i < following->cli->args.n_statuses; i++)
        str_addf(&text, " --status %s", following->cli->args.statuses[i]);
    if (following->cli->args.type)
        str_addf(&text, " --type %s", following->cli->args.type);
    utf8_sanitise(&following->label, text.s, text.len);
    str_clear(&text);
}

static enum err read_place(struct following *following, struct error *error) {
    const struct cli *cli = following->cli;
    struct str text, path;
    struct error why = {0};
    str_init(&text, STATE_MAX);
    str_init(&path, PATH_BYTES);
    enum err err = cli->local->read_since(cli->profile, cli->args.since_last, &text, &path, error);
    if (err == ERR_OK && text.len > 0)
        err = follow_read(&following->follow, text.s, text.len, following->label.s, &why);
    if (err != ERR_OK && why.code == ERR_USAGE)
        (void)error_set(error, err, "the place of --since-last %s was noted for another question: %s; use another name",
                        cli->args.since_last, why.text);
    else if (err != ERR_OK && why.code != ERR_OK)
        err = error_set(error, ERR_FILE,
                        "%s, the place of --since-last %s, is damaged: it is not known what is new. Without that file "
                        "the next run begins anew",
                        path.s, cli->args.since_last);
    str_clear(&text);
    str_clear(&path);
    return err;
}

/* Only what has arrived counts as printed: a run that fails before prints the same again. */
static void write_place(struct following *following) {
    const struct cli *cli = following->cli;
    struct str text;
    struct error why = {0};
    if (!cli->args.since_last || following->error.code != ERR_OK)
        return;
    str_init(&text, STATE_MAX);
    follow_text(&following->follow, following->label.s, following->now, &text);
    if (cli->local->write_since(cli->profile, cli->args.since_last, &text, &why) != ERR_OK)
        following->error.code = error_set(&following->error, ERR_FILE,
                                          "the place of --since-last could not be noted, so the next run prints the "
                                          "same again: %s",
                                          why.text);
    str_clear(&text);
}

/* ---- Looking ---- */

static void say_look(struct following *following, size_t looked_at, bool baseline) {
    const struct cli *cli = following->cli;
    const struct follow *follow = &following->follow;
    struct str at;
    if (cli->args.quiet)
        return;
    str_init(&at, LABEL_BYTES);
    clock_format(&at, following->now, CLOCK_UTC, following->now);
    if (baseline)
        out_say(cli->err, "bursar: %s UTC: %zu intent%s looked at; what comes from now on is printed\n", at.s,
                looked_at, plural_s(looked_at));
    else if (following->changes)
        out_say(cli->err, "bursar: %s UTC: %zu new, %zu changed, %zu looked at\n", at.s, follow->came, follow->changed,
                looked_at);
    else
        out_say(cli->err, "bursar: %s UTC: %zu new, %zu looked at\n", at.s, follow->came, looked_at);
    str_clear(&at);
}

/* New rows are looked for at the head of the list. */
static enum err follow_check_order(const struct following *following, struct error *error) {
    const struct browse *browse = &following->follow.browse;
    if (browse->newest_first || browse->end == BROWSE_END)
        return ERR_OK;
    return error_set(error, ERR_INCOMPLETE,
                     "the service does not list the newest intents first, so that what is new cannot be told from the "
                     "head of its list");
}

static void follow_take_look(struct following *following, struct effects *effects) {
    const struct follow_hearer hearer = {.context = following,
                                         .matches = follow_matches,
                                         .came = print_came,
                                         .changed = following->changes ? print_change : NULL};
    struct follow *follow = &following->follow;
    bool baseline = !follow->begun;
    following->reloaded = false;
    if (follow_check_order(following, &following->error) == ERR_OK) {
        size_t looked_at = follow_tell(follow, &hearer);
        if (following->error.code == ERR_OK)
            following->error.code = output_flush(following->cli->out, &following->error);
        write_place(following);
        if (following->error.code == ERR_OK)
            say_look(following, looked_at, baseline);
    }
    following->looks++;
    following->finished = following->error.code != ERR_OK || follow->period == 0 || out_look_unread();
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
    follow_add_label(following);
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
    if (err == ERR_OK && !following->changes)
        err = output_check(following->output, error);
    return err == ERR_OK && !cli->signal ? cli_check_account(cli, error) : err;
}

enum err cli_follow(struct cli *cli, struct error *error) {
    struct following following = {.cli = cli, .changes = cli->args.changes};
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
    return err;
}
