#include "cache_commands.h"
#include "run/lanes/cache_lane.h"

#include "base/clock.h"
#include "base/out.h"
#include "cli/output.h"
#include "store/cache_care.h"

#include <inttypes.h>

enum { TEXT_MAX = 1 << 20 };

static enum err open_cache(const struct cli *cli, struct cache **out, struct cache_opening *opening,
                           struct error *error) {
    const struct profile *profile = cli->profile;
    struct cache_binding binding = {.origin = profile->origin,
                                    .profile = profile->name,
                                    .account = profile->account ? profile->account : "",
                                    .token = ""};
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    *out = cache_open(NULL, &binding, opening);
    cache_outcome_text(opening, &text);
    if (*out && text.len > 0) {
        out_say(cli->err, "bursar: %s\n", text.s);
    }
    enum err code = *out ? ERR_OK : error_set(error, ERR_STORE, "%s", text.s);
    str_clear(&text);
    return code;
}

static void add_time(struct str *out, const char *label, int64_t ms) {
    str_addf(out, "%-14s", label);
    if (ms) {
        clock_format(out, ms, CLOCK_UTC, ms);
        str_add(out, " UTC");
        (void)clock_format_ahead(out, ", ", ms, clock_now());
    } else {
        str_add(out, "-");
    }
    str_add_char(out, '\n');
}

static void add_stats(struct str *out, const struct cache_stats *stats, const char *path) {
    str_addf(out, "%-14s%s\n", "file", path);
    str_addf(out, "%-14s%" PRId64 "\n", "intents", stats->rows);
    str_addf(out, "%-14s%" PRId64 " in %" PRId64 " walks\n", "pages", stats->pages, stats->walks);
    str_addf(out, "%-14s%" PRId64 "\n", "sightings", stats->sightings);
    str_addf(out, "%-14s%" PRId64 "\n", "dropped", stats->dropped);
    str_addf(out, "%-14s%" PRId64 " bytes, log %" PRId64 ", free %" PRId64 "\n", "size", stats->file, stats->log,
             stats->free);
    add_time(out, "newest", stats->newest_ms);
    add_time(out, "oldest", stats->oldest_ms);
    add_time(out, "last page", stats->fetched);
}

static enum err add_watch(struct cache *cache, struct str *out, struct error *error) {
    struct cache_watch watch;
    cache_watch_init(&watch);
    enum err code = cache_watch(cache, &watch, error);
    for (size_t i = 0; i < watch.n; i++) {
        const struct cache_watched *item = &watch.items[i];
        str_addf(out, "%-10s %-40s %8" PRId64 "  last ", item->kind, *item->name ? item->name : "(others)", item->n);
        clock_format(out, item->last, CLOCK_UTC, item->last);
        str_add(out, " UTC");
        (void)clock_format_ahead(out, ", ", item->last, clock_now());
        str_add_char(out, '\n');
    }
    if (code == ERR_OK && watch.n == 0) {
        str_add(out, "nothing beyond the interface was seen\n");
    }
    cache_watch_clear(&watch);
    return code;
}

static enum err stats(struct cli *cli, struct error *error) {
    struct cache *cache;
    struct cache_opening opening;
    struct cache_stats figures;
    struct str text;
    enum err code = open_cache(cli, &cache, &opening, error);
    str_init(&text, TEXT_MAX);
    if (code == ERR_OK && cli->args.unknown) {
        code = add_watch(cache, &text, error);
    } else if (code == ERR_OK) {
        code = cache_stats(cache, &figures, error);
        if (code == ERR_OK) {
            add_stats(&text, &figures, opening.path);
        }
    }
    cache_close(cache);
    return output_whole(cli->out, &text, code, error);
}

static enum err verify(struct cli *cli, struct error *error) {
    struct cache *cache;
    struct cache_opening opening;
    struct cache_report report = {0};
    struct str text;
    enum err code = open_cache(cli, &cache, &opening, error);
    str_init(&text, TEXT_MAX);
    if (code == ERR_OK) {
        code = cache_verify(cache, NULL, NULL, &report, error);
        str_addf(&text, "%" PRId64 " rows, %" PRId64 " pages, %" PRId64 " sightings checked\n", report.rows,
                 report.pages, report.sightings);
        str_addf(&text, "%" PRId64 " rows, %" PRId64 " pages, %" PRId64 " sightings damaged\n", report.bad_rows,
                 report.bad_pages, report.bad_sightings);
        str_addf(&text, "%" PRId64 " bytes of JSON in %" PRId64 "\n", report.json, report.stored);
        if (*report.problem) {
            str_addf(&text, "file: %s\n", report.problem);
        }
    }
    cache_close(cache);
    enum err printed = output_whole(cli->out, &text, ERR_OK, error);
    return code != ERR_OK ? code : printed;
}

static enum err purge(struct cli *cli, struct error *error) {
    struct cache *cache;
    struct cache_opening opening;
    struct cache_purged purged = {0};
    struct str text;
    enum err code = open_cache(cli, &cache, &opening, error);
    str_init(&text, TEXT_MAX);
    if (code == ERR_OK) {
        code = cache_purge(cache, &purged, error);
        str_addf(&text, "%" PRId64 " intents removed from %s\n", purged.rows, opening.path);
        if (purged.aside) {
            str_addf(&text, "%zu files set aside earlier removed\n", purged.aside);
        }
        if (purged.log_left) {
            str_add(&text, "another console is reading: its log is emptied when that ends\n");
        }
        str_add(&text, "exports and backups are not reached\n");
    }
    cache_close(cache);
    return output_whole(cli->out, &text, code, error);
}

command_fn *cache_command(enum command_id id) {
    switch (id) {
    case COMMAND_CACHE_STATS:
        return stats;
    case COMMAND_CACHE_VERIFY:
        return verify;
    case COMMAND_CACHE_PURGE:
        return purge;
    default:
        return NULL;
    }
}
