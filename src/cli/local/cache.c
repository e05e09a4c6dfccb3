#include "local.h"

#include "app/local_store.h"
#include "cli/output.h"

#include <inttypes.h>

enum { TEXT_MAX = 1 << 20, PATH_BYTES = 4096 };

static void local_cache_add_time(struct str *out, const char *label, int64_t ms) {
    str_addf(out, "%-14s", label);
    if (ms)
        local_add_time(out, ms);
    else
        str_add(out, "-");
    str_add_char(out, '\n');
}

static void add_stats(struct str *out, const struct cache_stats *stats, const char *path) {
    str_addf(out, "%-14s%s\n", "file", path);
    str_addf(out, "%-14s%" PRId64, "intents", stats->rows);
    if (stats->unlisted > 0)
        str_addf(out, ", %" PRId64 " of them not found any more by the last complete reading", stats->unlisted);
    str_add_char(out, '\n');
    str_addf(out, "%-14s%" PRId64 " in %" PRId64 " walk%s\n", "pages", stats->pages, stats->walks,
             plural_s(stats->walks));
    str_addf(out, "%-14s%" PRId64 "\n", "sightings", stats->sightings);
    str_addf(out, "%-14s%" PRId64 "\n", "dropped", stats->dropped);
    str_addf(out, "%-14s%" PRId64 " byte%s, log %" PRId64 ", free %" PRId64 "\n", "size", stats->file,
             plural_s(stats->file), stats->log, stats->free);
    local_cache_add_time(out, "newest", stats->newest_ms);
    local_cache_add_time(out, "oldest", stats->oldest_ms);
    local_cache_add_time(out, "last page", stats->fetched);
}

static void local_cache_add_unknown(struct str *out, const struct cache_unknown_fields *watch) {
    for (size_t i = 0; i < watch->n; i++) {
        const struct cache_read_unknown_fields *item = &watch->items[i];
        str_addf(out, "%-10s %-40s %8" PRId64 "  last ", item->kind, *item->name ? item->name : "(others)", item->n);
        local_add_time(out, item->last);
        str_add_char(out, '\n');
    }
    if (watch->n == 0)
        str_add(out, "nothing beyond the interface was seen\n");
}

/* Fields and values that the interface does not name. */
static enum err print_unknown(struct cli *cli, const struct local_asker *asker, struct error *error) {
    struct cache_unknown_fields watch;
    struct str text;
    str_init(&text, TEXT_MAX);
    cache_unknown_fields_init(&watch);
    enum err err = cli->local->cache_unknown(asker, cli->profile, &watch, error);
    if (err == ERR_OK)
        local_cache_add_unknown(&text, &watch);
    cache_unknown_fields_clear(&watch);
    return output_whole(cli->out, &text, err, error);
}

enum err cli_cache_stats(struct cli *cli, struct error *error) {
    struct local_printer printer = {.cli = cli};
    struct local_asker asker = {&printer, local_notice, NULL};
    struct cache_stats stats = {0};
    struct str text, path;
    if (cli->args.unknown)
        return print_unknown(cli, &asker, error);
    str_init(&text, TEXT_MAX);
    str_init(&path, PATH_BYTES);
    enum err err = cli->local->cache_stats(&asker, cli->profile, &stats, &path, error);
    if (err == ERR_OK)
        add_stats(&text, &stats, path.s);
    str_clear(&path);
    return output_whole(cli->out, &text, err, error);
}

static void add_checked(struct str *out, const int64_t counts[3], const char *how) {
    str_addf(out, "%" PRId64 " row%s, %" PRId64 " page%s, %" PRId64 " sighting%s %s\n", counts[0], plural_s(counts[0]),
             counts[1], plural_s(counts[1]), counts[2], plural_s(counts[2]), how);
}

enum err cli_cache_verify(struct cli *cli, struct error *error) {
    struct local_printer printer = {.cli = cli};
    struct local_asker asker = {&printer, local_notice, NULL};
    struct cache_report report = {0};
    struct str text;
    bool checked = false;
    str_init(&text, TEXT_MAX);
    enum err err = cli->local->verify_cache(&asker, cli->profile, &report, &checked, error);
    if (*report.problem) {
        str_addf(&text, "file: %s\n", report.problem);
    } else if (checked) {
        add_checked(&text, (const int64_t[]){report.rows, report.pages, report.sightings}, "checked");
        add_checked(&text, (const int64_t[]){report.bad_rows, report.bad_pages, report.bad_sightings}, "damaged");
        str_addf(&text, "%" PRId64 " byte%s of JSON in %" PRId64 "\n", report.json, plural_s(report.json),
                 report.stored);
    }
    enum err printed = output_whole(cli->out, &text, ERR_OK, error);
    return err != ERR_OK ? err : printed;
}

enum err cli_cache_purge(struct cli *cli, struct error *error) {
    struct local_printer printer = {.cli = cli};
    struct local_asker asker = {&printer, local_notice, NULL};
    struct cache_purged purged = {0};
    struct str text, path;
    str_init(&text, TEXT_MAX);
    str_init(&path, PATH_BYTES);
    enum err err = cli->local->purge_cache(&asker, cli->profile, &purged, &path, error);
    str_addf(&text, "%" PRId64 " intent%s removed from %s\n", purged.rows, plural_s(purged.rows), path.s);
    if (purged.aside)
        str_addf(&text, "%zu file%s set aside earlier removed\n", purged.aside, plural_s(purged.aside));
    if (purged.log_left)
        str_add(&text, "another console is reading: its log is emptied when that ends\n");
    struct notes_answer noted = {0};
    cli->local->notes(cli->profile, NULL, &noted);
    if (notes_count(noted.notes) > 0)
        str_addf(&text, "%zu note%s and tags stay: bursar purge --notes removes them\n", notes_count(noted.notes),
                 plural_s(notes_count(noted.notes)));
    notes_free(noted.notes);
    str_add(&text, "exports and backups are not reached\n");
    str_clear(&path);
    return output_whole(cli->out, &text, err, error);
}
