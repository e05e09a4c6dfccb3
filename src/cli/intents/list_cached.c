#include "list_own.h"

#include "base/clock.h"
#include "base/out.h"

enum { CACHED_DEFAULT = 100 };

static size_t cached_wanted(const struct list *list) {
    return list->cli->args.all ? SIZE_MAX : list->wanted ? list->wanted : CACHED_DEFAULT;
}

static void ask_cached(struct list *list, struct effects *effects) {
    struct list_ask *ask = list_ask_new(&list->browse.filter, NULL, false);
    size_t wanted = cached_wanted(list);
    ask->wanted = wanted < CACHED_ROWS_MOST ? wanted : CACHED_ROWS_MOST;
    ask->fields = output_fields(list->output);
    ask->ahead = true;
    list->ticket = effects_cached(effects, ask, CACHED_FROM_NEWEST);
}

static void print_cached(struct list *list, struct cached_rows *rows) {
    size_t wanted = cached_wanted(list);
    for (size_t i = 0; i < rows->page.n && list->printed < wanted && list->error.code == ERR_OK; i++) {
        if (cli_was_met(list->met, rows->page.items[i]))
            continue;
        list->printed += output_intent(list->output, rows->page.items[i], &list->error) == ERR_OK;
        list->seen = rows->confirmed[i] > list->seen ? rows->confirmed[i] : list->seen;
    }
    rows->coverage.newer += list->reach.newer;
    rows->coverage.unlisted += list->reach.unlisted;
    list->reach = rows->coverage;
    list->damaged += rows->damaged;
    list->cached_more = !rows->done || list->printed == wanted;
    list->finished = rows->done || list->printed == wanted || list->error.code != ERR_OK;
}

void list_cached_update(void *self, struct event *event, struct effects *effects) {
    struct list *list = self;
    if (event->kind == EVENT_CACHE_STATE) {
        enum cli_cache cache = cli_cache_state(list->cli, event, effects);
        list->cached_off = cache == CLI_CACHE_OFF;
        list->finished = list->finished || list->cached_off;
        if (cache == CLI_CACHE_READY && !list->cached_asked) {
            list->cached_asked = true;
            ask_cached(list, effects);
        }
    } else if (event->kind == EVENT_CACHE_ROWS && event->ticket == list->ticket && !list->finished) {
        list->now = event->now;
        print_cached(list, event_get(event, cached_rows));
    }
}

void list_cached_say(const struct list *list) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    money_group_count(&text, list->printed);
    str_add(&text, list->printed == 1 ? " intent out of the cache" : " intents out of the cache");
    if (list->printed > 0) {
        str_add(&text, ", the latest seen ");
        clock_format(&text, list->seen, CLOCK_UTC, list->now);
        str_add(&text, " UTC");
        (void)clock_format_ahead(&text, ", ", list->seen, list->now);
    }
    str_add(&text, list->cached_more ? "; --limit N or --all for more" : "; ");
    if (!list->cached_more)
        coverage_text(&list->reach, COVERAGE_FULL, list->now, &text);
    out_say(list->cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
}
