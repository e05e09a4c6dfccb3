/* `bursar intents mirror`: the client of app/mirror.h without a screen. */
#include "cached_list.h"
#include "cli/cli.h"
#include "cli/output.h"

#include "app/mirror.h"
#include "app/team_walk.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"

#include <unistd.h>

enum { LINE_BYTES = 4096, OVER_MS = 100, LINE_MS = 10000, SECOND = 1000 };

struct mirroring {
    struct cli *cli;
    struct mirror mirror;
    struct team_walk team;
    bool asked;     /* whose turn it is */
    size_t taken;   /* rows that a colleague's console read meanwhile */
    bool elsewhere; /* a colleague's console mirrors */
    uint64_t look;  /* the cache is asked what it holds by then; 0: it was not */
    bool looked;
    struct coverage coverage;
    bool begun, off;
    bool terminal;    /* standard error is one: the line of progress is written over */
    int shown;        /* cells of that line */
    int64_t shown_at; /* CLOCK_NONE: not yet */
    int64_t told;     /* the end of the wait that was told last */
    size_t reloaded;  /* pages that were read when the token was last read again */
    bool tried;       /* it was */
    bool said_parts;
};

static void mirror_command_progress(struct mirroring *run, int64_t now) {
    struct str line;
    int64_t every = run->terminal ? OVER_MS : LINE_MS;
    run->shown_at = run->shown_at == CLOCK_NONE && !run->terminal ? now : run->shown_at;
    if (run->cli->args.quiet || (run->shown_at != CLOCK_NONE && clock_within(run->shown_at, now, every)))
        return;
    run->shown_at = now;
    str_init(&line, LINE_BYTES);
    mirror_progress(&run->mirror, now, &line);
    if (run->terminal)
        out_over(run->cli->err, line.s, &run->shown);
    else
        out_say(run->cli->err, "bursar: %s\n", line.s);
    str_clear(&line);
}

static void end_progress(struct mirroring *run) {
    if (run->shown > 0)
        out_over(run->cli->err, "", &run->shown);
}

static void mirror_command_say_wait(struct mirroring *run, int64_t now) {
    struct mirror *mirror = &run->mirror;
    struct str why;
    str_init(&why, LINE_BYTES);
    bool waits = mirror_wait_text(mirror, now, &why);
    if (waits && mirror->wake != run->told && !run->cli->args.quiet) {
        run->told = mirror->wake;
        end_progress(run);
        out_say(run->cli->err, "bursar: %s; going on in %lld s\n", why.s,
                (long long)((mirror->wake - now + SECOND - 1) / SECOND));
    }
    str_clear(&why);
}

/* Says once why the whole list is read although it was split. */
static void say_parts(struct mirroring *run) {
    const struct mirror *mirror = &run->mirror;
    const char *why =
        mirror->declined   ? "the service did not apply the filter of a part of the list: all of it is read in one walk"
        : mirror->thorough ? "an intent was met that no part of the list returned: all of it is read to its end"
                           : NULL;
    if (!why || run->said_parts)
        return;
    run->said_parts = true;
    end_progress(run);
    out_say(run->cli->err, "bursar: %s\n", why);
}

/* A token can be renewed while a long mirror runs: it is read again once for each time that pages came with it. */
static void renew_token(struct mirroring *run, struct effects *effects) {
    struct mirror *mirror = &run->mirror;
    bool again =
        mirror->state == MIRROR_STOPPED && mirror->token_refused && !(run->tried && run->reloaded == mirror->pages);
    if (!again) {
        mirror->token_refused = false;
        return;
    }
    run->tried = true;
    run->reloaded = mirror->pages;
    effects_add(effects, EFFECT_TOKEN);
}

static void mirror_command_take_token(struct mirroring *run, const struct event *event) {
    if (!event_get(event, token_read)->changed) {
        run->mirror.token_refused = false;
        return;
    }
    end_progress(run);
    out_say(run->cli->err, "bursar: the service no longer takes the token; it was read again from its source\n");
    run->cli->renewals++;
    run->begun = false; /* the cache is asked about the new token first */
}

static void begin_in_turn(struct mirroring *run, int64_t now, struct effects *effects) {
    enum team_may may = team_walk_may_mirror(&run->team, now);
    if (!run->asked || may == TEAM_MAY_NOT_YET)
        return;
    run->elsewhere = may == TEAM_MAY_NOT;
    if (run->elsewhere)
        return; /* until what was read there is taken in */
    run->asked = false;
    if (run->mirror.state == MIRROR_IDLE)
        mirror_start(&run->mirror, (size_t)run->cli->args.walks, run->cli->args.from_start, effects);
    else
        mirror_go_on(&run->mirror, now, effects);
}

static void mirror_command_take_cache(struct mirroring *run, const struct event *event, struct effects *effects) {
    end_progress(run);
    enum cli_cache cache = cli_cache_state(run->cli, event, effects);
    if (!cli_cache_is_settled(run->cli) || run->begun)
        return;
    run->off = run->off || cache == CLI_CACHE_OFF;
    if (cache != CLI_CACHE_READY)
        return;
    run->begun = true;
    run->asked = true;
    team_walk_want_mirror(&run->team, "", effects);
    begin_in_turn(run, event->now, effects);
}

static void mirror_command_take_team(struct mirroring *run, const struct event *event, struct effects *effects) {
    const struct team_told *told = run->team.told;
    if (told->spent)
        mirror_team_spent(&run->mirror, told->spent, told->unreported, event->now);
    begin_in_turn(run, event->now, effects);
    if (!run->elsewhere || told->behind || run->look != 0)
        return;
    struct mirror_ask *ask = mem_new(sizeof *ask);
    ask->task = MIRROR_LOOK;
    run->look = effects_ask(effects, EFFECT_MIRROR, payload_of(mirror_ask, ask));
}

/* True when the event was for it. */
static bool take_mirror_look(struct mirroring *run, const struct event *event) {
    if (event->kind != EVENT_MIRROR || run->look == 0 || event->ticket != run->look)
        return false;
    run->looked = true;
    run->coverage = event_get(event, mirror_held)->coverage;
    return true;
}

/* What was read is in the team's store before the command ends. */
static void note_end(struct mirroring *run, struct effects *effects) {
    if (run->mirror.state == MIRROR_DONE && run->team.wish.flush == 0)
        team_walk_note_mirror(&run->team, &run->mirror, effects);
}

static void mirror_command_update(void *self, struct event *event, struct effects *effects) {
    struct mirroring *run = self;
    int64_t now = event->now;
    if (event->kind == EVENT_REQUEST && run->cli->args.verbose) {
        end_progress(run);
        cli_say_request(run->cli, event_get(event, request_seen));
        return;
    }
    if (event->kind == EVENT_TOKEN) {
        mirror_command_take_token(run, event);
        return;
    }
    if (team_walk_event(&run->team, event)) {
        mirror_command_take_team(run, event, effects);
        return;
    }
    if (take_mirror_look(run, event))
        return;
    if (event->kind == EVENT_TEAM_ROWS)
        run->taken += event_get(event, team_rows_taken)->page.n;
    bool mine = mirror_update(&run->mirror, event, effects);
    note_end(run, effects);
    if (event->kind == EVENT_CACHE_STATE)
        mirror_command_take_cache(run, event, effects);
    if (mine && mirror_is_busy(&run->mirror)) {
        mirror_command_progress(run, now);
        mirror_command_say_wait(run, now);
        say_parts(run);
    } else if (mine) {
        renew_token(run, effects);
    }
}

/* A colleague's console mirrors, and all that it read so far is here. */
static bool took_in(const struct mirroring *run) {
    return run->elsewhere && run->team.told && !run->team.told->behind && run->looked;
}

static bool mirror_command_is_finished(const void *self) {
    const struct mirroring *run = self;
    enum mirror_state state = run->mirror.state;
    bool ended = (state == MIRROR_DONE && team_walk_is_flushed(&run->team)) ||
                 (state == MIRROR_STOPPED && !run->mirror.token_refused) || took_in(run);
    return cli_cache_is_settled(run->cli) && (run->off || (ended && run->begun));
}

static void mirror_command_add_result(struct mirroring *run, struct str *out) {
    struct mirror *mirror = &run->mirror;
    bool whole = mirror->state == MIRROR_DONE && coverage_is_whole(&mirror->coverage);
    str_addf(out, "{\"whole\":%s,\"intents\":%zu,\"pages\":%zu,\"pages_before\":%zu,\"walks\":%zu",
             whole ? "true" : "false", mirror->distinct, mirror->pages, mirror->earlier_pages, mirror->walks);
    if (mirror->state == MIRROR_DONE)
        str_addf(out, ",\"held\":%lld", mirror->held);
    if (whole && mirror->coverage.as_of != CLOCK_NONE) {
        str_add(out, ",\"as_of\":\"");
        clock_format_iso(out, mirror->coverage.as_of);
        str_add(out, "\"");
    }
    str_add(out, "}\n");
}

static enum err mirror_command_print(struct mirroring *run, struct error *error) {
    enum output_format format = run->cli->args.format;
    struct str text;
    if (format != OUTPUT_JSON && format != OUTPUT_NDJSON)
        return ERR_OK;
    str_init(&text, LINE_BYTES);
    mirror_command_add_result(run, &text);
    return output_whole(run->cli->out, &text, ERR_OK, error);
}

static void say_done(struct mirroring *run) {
    struct mirror *mirror = &run->mirror;
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    mirror_progress(mirror, clock_now(), &text);
    str_add(&text, "; the cache holds ");
    money_group_count(&text, (size_t)mirror->held);
    str_addf(&text, " intent%s: ", plural_s(mirror->held));
    coverage_text(&mirror->coverage, COVERAGE_FULL, clock_now(), &text);
    out_say(run->cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
}

static void say_stopped(struct mirroring *run) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    mirror_progress(&run->mirror, clock_now(), &text);
    out_say(run->cli->err, "bursar: %s are kept; the same command goes on from there\n", text.s);
    str_clear(&text);
}

static void say_elsewhere(struct mirroring *run) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    team_turn_text(&run->team.told->mirror, &text);
    out_say(
        run->cli->err,
        "bursar: %s mirrors for the team; %zu intent%s read there %s taken in, the rest follows when a console runs "
        "here, or by the same command\n",
        text.s, run->taken, plural_s((long long)run->taken), run->taken == 1 ? "was" : "were");
    str_clear(&text);
}

static enum err finish(struct mirroring *run, struct error *error) {
    struct mirror *mirror = &run->mirror;
    end_progress(run);
    if (took_in(run)) {
        say_elsewhere(run);
        enum err printed = mirror_command_print(run, error);
        return printed == ERR_OK && !coverage_is_whole(&run->coverage)
                   ? error_set(error, ERR_INCOMPLETE, "not all of the list is in the cache")
                   : printed;
    }
    if (mirror->state != MIRROR_DONE && mirror->earlier_pages + mirror->pages > 0)
        say_stopped(run);
    else if (mirror->state == MIRROR_DONE && !run->cli->args.quiet)
        say_done(run);
    if (run->off) {
        enum err account = cli_check_account(run->cli, error);
        return account != ERR_OK ? account
                                 : error_set(error, ERR_STORE, "there is no cache that could keep what is read");
    }
    enum err printed = mirror_command_print(run, error);
    if (mirror->error.code != ERR_OK && mirror->attempts > 1)
        return error_set(error, mirror->error.code, "%s; asked %u times", mirror->error.text, mirror->attempts);
    if (mirror->error.code != ERR_OK)
        return error_set(error, mirror->error.code, "%s", mirror->error.text);
    if (mirror->state != MIRROR_DONE)
        return error_set(error, ERR_INCOMPLETE, "interrupted");
    if (!coverage_is_whole(&mirror->coverage))
        return error_set(error, ERR_INCOMPLETE, "not all of the list is in the cache");
    return printed;
}

enum err cli_intents_mirror(struct cli *cli, struct error *error) {
    struct mirroring run = {.cli = cli, .terminal = isatty(fileno(cli->err)) == 1, .shown_at = CLOCK_NONE};
    struct client client = {.self = &run,
                            .update = mirror_command_update,
                            .is_finished = mirror_command_is_finished,
                            .unindexed = true,
                            .walks_with_team = true};
    if (cli->args.resume && cli->args.from_start)
        return error_set(error, ERR_USAGE, "--resume goes on where an earlier run stopped, --from-start begins anew");
    mirror_init(&run.mirror, cli->profile);
    team_walk_init(&run.team, cli->profile);
    cli->signal = cli->drive(cli->drive_context, &client);
    enum err err = finish(&run, error);
    mirror_clear(&run.mirror);
    team_walk_clear(&run.team);
    return err;
}
