#include "local.h"

#include "app/local_store.h"
#include "base/clock.h"
#include "cli/output.h"

#include <inttypes.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20 };

enum err cli_journal_purge(struct cli *cli, struct error *error) {
    struct local_printer printer = {.cli = cli};
    struct local_asker asker = {&printer, local_notice, NULL};
    struct str text;
    int64_t before, purged = 0;
    bool log_left = false;
    if (!cli->args.before)
        return error_set(error, ERR_USAGE, "journal purge needs --before DATE (YYYY-MM-DD)");
    if (!clock_parse(cli->args.before, strlen(cli->args.before), &before))
        return error_set(error, ERR_USAGE, "--before: %s is not a date", cli->args.before);
    str_init(&text, TEXT_MAX);
    enum err err = cli->local->purge_journal(&asker, before, &purged, &log_left, error);
    str_addf(&text, "digests, notes and keys of %" PRId64 " record%s removed; time, operator, outcome and id stay\n",
             purged, plural_s(purged));
    str_add(&text, log_left ? "another console is reading: its log is emptied when that ends\n" : "");
    return output_whole(cli->out, &text, err, error);
}

static enum err local_purge_drafts(const struct cli *cli, struct str *text, struct error *error) {
    int kept = 0, n = 0;
    enum err err = cli->local->purge_drafts(&n, &kept, error);
    str_addf(text, "%d draft%s removed\n", n < 0 ? 0 : n, plural_s(n));
    if (kept > 0) {
        str_addf(text, "%d kept: the outcome of %s write is not known (bursar activity resolve settles it)\n", kept,
                 kept == 1 ? "its" : "their");
    }
    return err;
}

static enum err local_purge_notes(const struct cli *cli, struct str *text, struct error *error) {
    size_t before = text->len;
    enum err err = cli->local->purge_notes(cli->args.profile, text, error);
    str_add(text, text->len > before ? "" : "there were no notes or tags to remove\n");
    return err;
}

static enum err local_purge_events(const struct cli *cli, struct str *text, struct error *error) {
    int removed = 0;
    enum err err = cli->local->purge_events(cli->args.profile, &removed, error);
    if (err == ERR_OK)
        str_addf(text, "%d stored event%s removed\n", removed, plural_s(removed));
    return err;
}

enum err cli_purge(struct cli *cli, struct error *error) {
    struct str text;
    enum err err = ERR_OK;
    if (!cli->args.drafts && !cli->args.session && !cli->args.notes && !cli->args.events && !cli->args.all)
        return error_set(error, ERR_USAGE, "purge needs --drafts, --session, --notes, --events or --all");
    str_init(&text, TEXT_MAX);
    if (cli->args.all) {
        err = cli->local->purge_all(&text, error);
        enum err printed = output_whole(cli->out, &text, ERR_OK, err == ERR_OK ? error : NULL);
        return err == ERR_OK ? printed : err;
    }
    if (cli->args.drafts)
        err = local_purge_drafts(cli, &text, error);
    if (err == ERR_OK && cli->args.session) {
        err = cli->local->purge_session(&text, error);
        str_add(&text, text.len ? "" : "there was no session to remove\n");
    }
    if (err == ERR_OK && cli->args.notes)
        err = local_purge_notes(cli, &text, error);
    if (err == ERR_OK && cli->args.events)
        err = local_purge_events(cli, &text, error);
    return output_whole(cli->out, &text, err, error);
}
