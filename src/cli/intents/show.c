/* `intents show`: out of the cache alone. */
#include "cached_list.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "query/query.h"
#include "wire/page.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20, CANDIDATES_MAX = 10 };

/* Finds the row whose id was typed; until then it collects those whose id begins with it. */
struct showing {
    struct cli *cli;
    const char *id;
    bool found;
    size_t begun;
    char *first;          /* of them, as it would be printed */
    struct intent *shown; /* what is printed */
    struct str lines;     /* what tells them apart */
    struct error error;
    struct coverage reach; /* of what was looked at */
};

static enum err print_intent(const struct cli *cli, const struct intent *intent, FILE *out, struct error *error) {
    struct str text;
    if (cli->args.format == OUTPUT_TABLE) {
        str_init(&text, TEXT_MAX);
        wire_pretty(&text, intent->raw, intent->raw_len);
        str_add(&text, "\n");
        return output_whole(out, &text, ERR_OK, error);
    }
    struct output_options options = {.format = cli->args.format,
                                     .out = out,
                                     .terminal = cli->out_is_terminal,
                                     .utf8 = cli->utf8,
                                     .money = profile_money(cli->profile)};
    struct output *output = output_new(&options);
    enum err err = output_intent(output, intent, error);
    err = err == ERR_OK ? output_end(output, error) : err;
    err = err == ERR_OK ? output_check(output, error) : err;
    output_free(output);
    return err;
}

static enum err show_keep_first(struct showing *showing, const struct intent *intent) {
    size_t len;
    FILE *out = open_memstream(&showing->first, &len);
    if (!out)
        return error_set(&showing->error, ERR_FILE, "no memory to keep an intent in");
    enum err err = print_intent(showing->cli, intent, out, &showing->error);
    return fclose(out) == 0 ? err : error_set(&showing->error, ERR_FILE, "no memory to keep an intent in");
}

static void show_add_line(struct str *lines, const struct intent *intent) {
    str_addf(lines, "  %s  ", intent->id.text);
    bool known = intent->created_at.state == VALUE_OK;
    clock_format_served(lines, known ? intent->created_at.text : NULL, known ? intent->created_at.ms : CLOCK_NONE,
                        CLOCK_UTC, 0);
    str_addf(lines, "  %s\n", intent->status.state == VALUE_OK ? intent->status.text : "");
}

static void show_note_shown(struct showing *showing, const struct intent *intent) {
    intent_free(showing->shown);
    showing->shown = wire_intent(intent->raw, intent->raw_len);
}

static bool take_candidate(void *context, const struct lookup_row *row) {
    struct showing *showing = context;
    const struct intent *intent = row->intent;
    if (!intent || intent->id.state != VALUE_OK)
        return true;
    if (str_equal(intent->id.text, showing->id)) {
        showing->found = true;
        show_note_shown(showing, intent);
        (void)print_intent(showing->cli, intent, showing->cli->out, &showing->error);
        return false;
    }
    if (showing->begun < CANDIDATES_MAX)
        show_add_line(&showing->lines, intent);
    if (showing->begun == 0)
        show_note_shown(showing, intent);
    return ++showing->begun > 1 || show_keep_first(showing, intent) == ERR_OK;
}

static enum err look_for(struct showing *showing, size_t *rows_scanned, struct error *error) {
    struct lookup_ask ask = {.lookup = lookup_new(), .limit = SIZE_MAX, .row = take_candidate, .context = showing};
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    str_add(&text, *showing->id ? "id:" : "id="); /* an empty text would be the beginning of every id */
    query_quote(&text, showing->id);
    enum err err = cli_filter(showing->cli, text.s, &ask.lookup->query, error);
    str_clear(&text);
    err = err == ERR_OK ? cli_cached_list(showing->cli, &ask, error) : err;
    if (err == ERR_OK && showing->error.code != ERR_OK)
        err = error_set(error, showing->error.code, "%s", showing->error.text);
    *rows_scanned = ask.answer ? ask.answer->rows_scanned : 0;
    showing->reach = ask.answer ? ask.answer->coverage : (struct coverage){0};
    lookup_free(ask.lookup);
    lookup_result_free(ask.answer);
    return err;
}

/* The one row whose id begins with the text; never one of several. */
static enum err show_begun(const struct showing *showing, size_t rows_scanned, struct error *error) {
    bool more = showing->begun > CANDIDATES_MAX;
    if (showing->begun == 0) {
        struct str among;
        str_init(&among, 32);
        money_group_count(&among, rows_scanned);
        enum err err = error_set(
            error, ERR_INCOMPLETE,
            "no such intent among the %s that are cached; bursar intents list --all reads all there are", among.s);
        str_clear(&among);
        return err;
    }
    if (showing->begun > 1) {
        out_say(showing->cli->err, "bursar: cached intents whose id begins with this%s:\n%s",
                more ? ", the newest" : "", showing->lines.s);
        return error_set(error, ERR_USAGE, "%s%zu cached intents have an id that begins with %s: write more of it",
                         more ? "more than " : "", more ? (size_t)CANDIDATES_MAX : showing->begun, showing->id);
    }
    out_say(showing->cli->err, "bursar: the one cached intent whose id begins with this:%s", showing->lines.s);
    return output_text(showing->cli->out, showing->first, error);
}

/* The intent may be among the rows that are missing. */
static void say_holes(const struct showing *showing) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    coverage_holes(&showing->reach, &text);
    if (text.len > 0)
        out_say(showing->cli->err, "bursar: %s\n", text.s);
    str_clear(&text);
}

enum err cli_intents_show(struct cli *cli, struct error *error) {
    struct showing showing = {.cli = cli};
    struct str id;
    size_t rows_scanned;
    /* In a stored id invisible characters are tokens: both ways of writing the id find it. */
    str_init(&id, QUERY_TEXT_MAX);
    utf8_sanitise(&id, cli->args.operands[0], strlen(cli->args.operands[0]));
    showing.id = id.s;
    str_init(&showing.lines, TEXT_MAX);
    enum err err = look_for(&showing, &rows_scanned, error);
    if (err == ERR_OK && !showing.found) {
        say_holes(&showing);
        err = show_begun(&showing, rows_scanned, error);
    }
    if (err == ERR_OK && showing.shown)
        cli_say_findings(cli, showing.shown);
    intent_free(showing.shown);
    free(showing.first);
    str_clear(&showing.lines);
    str_clear(&id);
    return err == ERR_OK ? output_flush(cli->out, error) : err;
}
