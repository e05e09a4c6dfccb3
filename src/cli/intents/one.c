#include "one.h"

#include "cached_list.h"

#include "base/clock.h"
#include "base/out.h"
#include "base/utf8.h"
#include "query/query.h"
#include "wire/page.h"

#include <string.h>

enum { TEXT_MAX = 64 << 20, CANDIDATES_MAX = 10 };

/* Finds the row whose id was typed; until then it collects those whose id begins with it. */
struct seeking {
    const char *id;
    bool found;
    size_t begun;
    struct intent *one; /* that was found, else the first that begins with it */
    struct str lines;   /* what tells those apart */
    size_t rows_scanned;
    struct coverage reach; /* of what was looked at */
};

static void one_add_line(struct str *lines, const struct intent *intent) {
    str_addf(lines, "  %s  ", intent->id.text);
    bool known = intent->created_at.state == VALUE_OK;
    clock_format_served(lines, known ? intent->created_at.text : NULL, known ? intent->created_at.ms : CLOCK_NONE,
                        CLOCK_UTC, 0);
    str_addf(lines, "  %s\n", intent->status.state == VALUE_OK ? intent->status.text : "");
}

static void one_keep(struct seeking *seeking, const struct intent *intent) {
    intent_free(seeking->one);
    seeking->one = wire_intent(intent->raw, intent->raw_len);
}

static bool one_take(void *context, const struct lookup_row *row) {
    struct seeking *seeking = context;
    const struct intent *intent = row->intent;
    if (!intent || intent->id.state != VALUE_OK)
        return true;
    if (str_equal(intent->id.text, seeking->id)) {
        seeking->found = true;
        one_keep(seeking, intent);
        return false;
    }
    if (seeking->begun < CANDIDATES_MAX)
        one_add_line(&seeking->lines, intent);
    if (seeking->begun == 0)
        one_keep(seeking, intent);
    seeking->begun++;
    return true;
}

static enum err one_look(struct cli *cli, struct seeking *seeking, struct error *error) {
    struct lookup_ask ask = {.lookup = lookup_new(), .limit = SIZE_MAX, .row = one_take, .context = seeking};
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    str_add(&text, *seeking->id ? "id:" : "id="); /* an empty text would be the beginning of every id */
    query_quote(&text, seeking->id);
    enum err err = cli_filter(cli, text.s, &ask.lookup->query, error);
    str_clear(&text);
    err = err == ERR_OK ? cli_cached_list(cli, &ask, error) : err;
    seeking->rows_scanned = ask.answer ? ask.answer->rows_scanned : 0;
    seeking->reach = ask.answer ? ask.answer->coverage : (struct coverage){0};
    lookup_free(ask.lookup);
    lookup_result_free(ask.answer);
    return err;
}

/* The one row whose id begins with the text; never one of several. */
static enum err one_begun(const struct cli *cli, const struct seeking *seeking, struct error *error) {
    bool more = seeking->begun > CANDIDATES_MAX;
    if (seeking->begun == 0) {
        struct str among;
        str_init(&among, 32);
        money_group_count(&among, seeking->rows_scanned);
        enum err err = error_set(
            error, ERR_INCOMPLETE,
            "no such intent among the %s that are cached; bursar intents list --all reads all there are", among.s);
        str_clear(&among);
        return err;
    }
    if (seeking->begun > 1) {
        out_say(cli->err, "bursar: cached intents whose id begins with this%s:\n%s", more ? ", the newest" : "",
                seeking->lines.s);
        return error_set(error, ERR_USAGE, "%s%zu cached intents have an id that begins with %s: write more of it",
                         more ? "more than " : "", more ? (size_t)CANDIDATES_MAX : seeking->begun, seeking->id);
    }
    out_say(cli->err, "bursar: the one cached intent whose id begins with this:%s", seeking->lines.s);
    return ERR_OK;
}

/* The intent may be among the rows that are missing. */
static void one_say_holes(const struct cli *cli, const struct seeking *seeking) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    coverage_holes(&seeking->reach, &text);
    if (text.len > 0)
        out_say(cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
}

enum err cli_one_intent(struct cli *cli, const char *typed, struct intent **out, struct error *error) {
    struct seeking seeking = {0};
    struct str id;
    /* In a stored id invisible characters are tokens: both ways of writing the id find it. */
    str_init(&id, QUERY_TEXT_MAX);
    utf8_sanitise(&id, typed, strlen(typed));
    seeking.id = id.s;
    str_init(&seeking.lines, TEXT_MAX);
    enum err err = one_look(cli, &seeking, error);
    if (err == ERR_OK && !seeking.found) {
        one_say_holes(cli, &seeking);
        err = one_begun(cli, &seeking, error);
    }
    if (err == ERR_OK)
        *out = seeking.one;
    else
        intent_free(seeking.one);
    str_clear(&seeking.lines);
    str_clear(&id);
    return err;
}
