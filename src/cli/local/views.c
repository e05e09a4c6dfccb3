#include "local.h"

#include "app/local_store.h"
#include "app/shared_views.h"
#include "base/clock.h"
#include "base/out.h"
#include "cli/output.h"
#include "wire/user.h"

/* Saved views from the command line: the same use case as in the console. */

enum { TEXT_MAX = 32 << 20, LINE_MAX = 8192 };
static const char WAITS[] = "kept on this machine until the team's store takes it";
static const char UNASKED[] = "as this machine knows them, the team's store was not asked";

struct views_listed {
    struct saved_views own;
    struct shared_views shared;
    const char *who;
};

static void views_parse_kept(const struct cli *cli, const struct views_kept *kept, struct views_listed *out) {
    saved_views_parse(kept->own.s ? kept->own.s : "", &out->own);
    shared_views_parse(kept->shared.s ? kept->shared.s : "", cli->profile, &out->shared);
    out->who = kept->who.s;
}

static void views_listed_clear(struct views_listed *listed) {
    saved_views_clear(&listed->own);
    shared_views_clear(&listed->shared);
}

/* ---- as JSON ---- */

static void add_layout_json(struct str *out, const struct saved_view *view) {
    struct str sort, columns;
    str_init(&sort, LINE_MAX);
    str_init(&columns, LINE_MAX);
    saved_view_print_sort(view, &sort);
    columns_print(&view->columns, &columns);
    wire_add_member(out, "filter", view->filter);
    str_add_char(out, ',');
    wire_add_member(out, "sort", sort.s ? sort.s : "");
    str_add_char(out, ',');
    wire_add_member(out, "columns", columns.s ? columns.s : "");
    str_clear(&sort);
    str_clear(&columns);
}

static void add_shared_json(struct str *out, const struct shared_view *shared) {
    const char *const members[][2] = {{"who", shared->who}, {"host", shared->host}, {"fault", shared->fault}};
    str_add(out, ",\"shared_at\":\"");
    clock_format_iso(out, shared->at);
    str_add_char(out, '"');
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        str_add_char(out, ',');
        wire_add_member(out, members[i][0], members[i][1]);
    }
    str_addf(out, ",\"in_store\":%s", shared_view_waits(shared) ? "false" : "true");
}

static void add_view_json(struct str *out, const struct saved_view *view, const struct shared_view *shared, bool own) {
    str_add_char(out, '{');
    wire_add_member(out, "name", view->name);
    str_addf(out, ",\"own\":%s,\"shared\":%s,", own ? "true" : "false", shared ? "true" : "false");
    add_layout_json(out, view);
    if (own && shared)
        str_addf(out, ",\"changed_since\":%s", shared_view_equals(shared, view) ? "false" : "true");
    if (shared)
        add_shared_json(out, shared);
    str_add_char(out, '}');
}

/* ---- as lines ---- */

static void add_view_line(struct str *out, const struct saved_view *view, const struct shared_view *shared, bool own) {
    str_addf(out, "%s", view->name);
    if (shared && own)
        str_addf(out, "  %s", shared_view_equals(shared, view) ? "shared" : "shared, changed since");
    if (shared && !own) {
        str_addf(out, "  by %s at %s, ", shared->who, shared->host);
        local_add_time(out, shared->at);
    }
    if (shared && shared_view_waits(shared))
        str_add(out, ", not in the team's store yet");
    if (shared && shared->fault)
        str_addf(out, "  cannot be used here: %s\n", shared->fault);
    else
        str_addf(out, "  %s\n", *view->filter ? view->filter : "no filter");
}

static void add_view(struct str *out, enum output_format format, const struct saved_view *view,
                     const struct shared_view *shared, bool own) {
    if (format == OUTPUT_TABLE) {
        add_view_line(out, view, shared, own);
        return;
    }
    str_add(out, output_list_before(format, out->len == 0));
    add_view_json(out, view, shared, own);
    str_add(out, output_list_after(format));
}

static void add_views_of(struct str *out, enum output_format format, const struct views_listed *listed) {
    const struct shared_view *shared;
    for (size_t i = 0; i < listed->own.n; i++) {
        const struct saved_view *view = &listed->own.items[i];
        add_view(out, format, view, shared_views_of(&listed->shared, listed->who, view->name), true);
    }
    for (size_t i = 0; (shared = shared_views_at(&listed->shared, i)) != NULL; i++)
        if (!str_equal(shared->who, listed->who) || !saved_views_find(&listed->own, shared->name))
            add_view(out, format, &shared->view, shared, false);
    if (format != OUTPUT_TABLE)
        str_add(out, output_list_end(format, out->len > 0));
}

/* ---- the commands ---- */

/* What is here is used all the same; a colleague's latest may be missing. */
static void say_unsent(const struct cli *cli, const struct views_kept *kept, const char *what) {
    if (kept->unsent.code != ERR_OK)
        out_say(cli->err, "bursar: %s: %s\n", what, kept->unsent.text);
}

static enum err views_ask(struct cli *cli, const struct views_wish *wish, struct views_kept *kept,
                          struct error *error) {
    cli->local->views(cli->profile, wish, kept);
    return kept->error.code == ERR_OK ? ERR_OK : error_set(error, kept->error.code, "%s", kept->error.text);
}

enum err cli_views_list(struct cli *cli, struct error *error) {
    const struct views_wish wish = {.act = VIEWS_READ};
    struct views_listed listed = {0};
    struct views_kept kept;
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err err = views_ask(cli, &wish, &kept, error);
    if (err == ERR_OK) {
        say_unsent(cli, &kept, kept.unasked ? UNASKED : WAITS);
        views_parse_kept(cli, &kept, &listed);
        add_views_of(&text, cli->args.format, &listed);
    }
    bool asked = !kept.unasked;
    views_listed_clear(&listed);
    views_kept_clear(&kept);
    err = output_whole(cli->out, &text, err, error);
    return err != ERR_OK || asked ? err : error_set(error, ERR_INCOMPLETE, "what this machine has was printed");
}

static enum err views_change_one(struct cli *cli, enum views_act act, const char *done, struct error *error) {
    const char *name = cli->args.operands[0];
    const struct views_wish wish = {act, *name == '@' ? name + 1 : name,
                                    cli->args.n_operands > 1 ? cli->args.operands[1] : NULL};
    struct views_kept kept;
    enum err err = views_ask(cli, &wish, &kept, error);
    bool waits = err == ERR_OK && act != VIEWS_COPY && kept.unsent.code != ERR_OK;
    if (waits || kept.unasked)
        say_unsent(cli, &kept, waits ? WAITS : UNASKED);
    if (err == ERR_OK && !waits)
        out_say(cli->err, "bursar: view %s %s\n", wish.text, done);
    views_kept_clear(&kept);
    return err;
}

enum err cli_views_share(struct cli *cli, struct error *error) {
    return views_change_one(cli, VIEWS_SHARE, "shared with the team", error);
}

enum err cli_views_unshare(struct cli *cli, struct error *error) {
    return views_change_one(cli, VIEWS_UNSHARE, "no longer shared", error);
}

enum err cli_views_keep(struct cli *cli, struct error *error) {
    return views_change_one(cli, VIEWS_COPY, "kept as your own", error);
}
