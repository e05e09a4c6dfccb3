/* `--fresh`: intents of open statuses are asked of the service again, before they are counted out of the cache. */
#include "fresh.h"

#include "cached_list.h"

#include "app/days.h"
#include "app/reask.h"
#include "base/clock.h"
#include "base/out.h"

struct fresh {
    struct cli *cli;
    const struct query *query;
    struct reask reask;
    bool begun, unable, off;
};

static void fresh_update(void *self, struct event *event, struct effects *effects) {
    struct fresh *fresh = self;
    if (event->kind == EVENT_CACHE_STATE) {
        enum cli_cache cache = cli_cache_state(fresh->cli, event, effects);
        fresh->off = cache == CLI_CACHE_OFF;
        if (cache == CLI_CACHE_READY && !fresh->begun) {
            fresh->begun = true;
            fresh->unable = !reask_start(&fresh->reask, fresh->cli->profile, fresh->query, event->now, effects);
        }
    } else if (event->kind == EVENT_REQUEST && fresh->cli->args.verbose) {
        cli_say_request(fresh->cli, event_get(event, request_seen));
    } else {
        (void)reask_update(&fresh->reask, event, effects);
    }
}

static bool fresh_is_finished(const void *self) {
    const struct fresh *fresh = self;
    return fresh->off || fresh->unable || fresh->reask.state > REASK_ASKING;
}

static enum err fresh_check(const struct fresh *fresh, struct error *error) {
    enum err account = fresh->off ? cli_check_account(fresh->cli, error) : ERR_OK;
    if (account != ERR_OK)
        return account;
    if (fresh->off)
        return error_set(error, ERR_STORE, "there is no cache that could keep what is asked for");
    if (fresh->unable)
        return error_set(error, ERR_CONFIG,
                         "--fresh needs a service that can be asked by status: filter_status of the profile is empty");
    if (fresh->reask.state == REASK_FAILED)
        return error_set(
            error, fresh->reask.error.code,
            "open intents could not be asked for again: %s; without --fresh they are counted as read before",
            fresh->reask.error.text);
    return ERR_OK;
}

static void fresh_tell(const struct fresh *fresh) {
    const struct query_zone zone = cli_context(fresh->cli, 0).zone;
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    reask_text(&fresh->reask, days_clock(&zone), clock_now(), &text);
    out_say(fresh->cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
}

enum err cli_check_fresh(const struct args *args, struct error *error) {
    return args->fresh && args->cached ? error_set(error, ERR_USAGE, "--fresh asks the service, --cached does not")
                                       : ERR_OK;
}

enum err cli_fresh(struct cli *cli, const struct query *query, struct error *error) {
    struct fresh fresh = {.cli = cli, .query = query};
    struct client client = {
        .self = &fresh, .update = fresh_update, .is_finished = fresh_is_finished, .unindexed = true};
    cli->signal = cli->drive(cli->drive_context, &client);
    enum err err = cli->signal ? error_set(error, ERR_INCOMPLETE, "interrupted") : fresh_check(&fresh, error);
    if (err == ERR_OK)
        fresh_tell(&fresh);
    reask_clear(&fresh.reask);
    return err;
}
