#include "one.h"

#include "cached_list.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/utf8.h"
#include "query/query.h"
#include "wire/page.h"

#include <string.h>

enum { TEXT_MAX = 64 << 20, CANDIDATES_MAX = 10 };

/* Finds the row whose id was typed; until then it collects those whose id begins with it, or in a second look is like
 * it: in letters of another case, or ended by it. */
struct seeking {
    struct str typed, plain; /* with what is invisible as tokens; and without what stands around an id */
    const char *id;          /* that is looked for, one of them */
    bool second;
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

static bool one_is_like(const char *id, const char *typed) {
    enum { END_LETTERS = 5 }; /* fewer would end other ids too */
    size_t len = strlen(id), n = strlen(typed);
    bool ends = n >= END_LETTERS && n <= len && ascii_compare(id + len - n, typed) == 0;
    return ends || ascii_compare_n(id, typed, n) == 0;
}

static bool one_take(void *context, const struct lookup_row *row) {
    struct seeking *seeking = context;
    const struct intent *intent = row->intent;
    if (!intent || intent->id.state != VALUE_OK || (seeking->second && !one_is_like(intent->id.text, seeking->id)))
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
    if (!seeking->second)
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
    const char *like = seeking->second ? "is like" : "begins with";
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
        out_say(cli->err, "bursar: cached intents whose id %s this%s:\n%s", like, more ? ", the newest" : "",
                seeking->lines.s);
        return error_set(error, ERR_USAGE, "%s%zu cached intents have an id that %s %s: write more of it",
                         more ? "more than " : "", more ? (size_t)CANDIDATES_MAX : seeking->begun, like, seeking->id);
    }
    out_say(cli->err, "bursar: the one cached intent whose id %s this:%s", like, seeking->lines.s);
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

/* As the screen shows an id whose beginning is cut off, or as something else quotes one. */
static void one_read_typed(const char *typed, struct str *out) {
    static const char *const AROUND[] = {"\xE2\x80\xA6", "...", "{", "}"};
    struct str clean;
    str_init(&clean, QUERY_TEXT_MAX);
    utf8_sanitise(&clean, typed, strlen(typed));
    const char *from = clean.s;
    size_t len = clean.len;
    for (size_t i = 0; i < COUNT_OF(AROUND); i++) {
        size_t n = strlen(AROUND[i]);
        if (len > n && memcmp(from, AROUND[i], n) == 0) {
            from += n;
            len -= n;
        }
        if (len > n && memcmp(from + len - n, AROUND[i], n) == 0)
            len -= n;
    }
    str_add_n(out, from, len);
    str_clear(&clean);
}

static enum err one_seek(struct cli *cli, const char *typed, struct seeking *seeking, struct error *error) {
    *seeking = (struct seeking){0};
    str_init(&seeking->typed, QUERY_TEXT_MAX);
    str_init(&seeking->plain, QUERY_TEXT_MAX);
    str_init(&seeking->lines, TEXT_MAX);
    /* In a stored id invisible characters are tokens: both ways of writing the id find it. */
    utf8_sanitise(&seeking->typed, typed, strlen(typed));
    one_read_typed(typed, &seeking->plain);
    seeking->id = seeking->typed.s;
    enum err err = one_look(cli, seeking, error);
    if (err == ERR_OK && !seeking->found && seeking->begun == 0 && seeking->plain.len > 0) {
        seeking->second = true;
        seeking->id = seeking->plain.s;
        err = one_look(cli, seeking, error);
    }
    return err;
}

static void seeking_clear(struct seeking *seeking) {
    intent_free(seeking->one);
    str_clear(&seeking->lines);
    str_clear(&seeking->plain);
    str_clear(&seeking->typed);
}

enum err cli_one_intent(struct cli *cli, const char *typed, struct intent **out, struct error *error) {
    struct seeking seeking;
    enum err err = one_seek(cli, typed, &seeking, error);
    if (err == ERR_OK && !seeking.found) {
        one_say_holes(cli, &seeking);
        err = one_begun(cli, &seeking, error);
    }
    if (err == ERR_OK) {
        *out = seeking.one;
        seeking.one = NULL;
    }
    seeking_clear(&seeking);
    return err;
}

void cli_say_if_unknown(struct cli *cli, const char *id) {
    struct seeking seeking;
    if (one_seek(cli, id, &seeking, NULL) == ERR_OK && !seeking.found)
        out_say(cli->err, "bursar: no cached intent has the id %s%s\n%s", seeking.typed.s,
                seeking.begun > 0 ? "; of those that are like it:" : ": this is for it as it stands", seeking.lines.s);
    seeking_clear(&seeking);
}
