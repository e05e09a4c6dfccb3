#include "journal_commands.h"
#include "run/files/drafts.h"
#include "run/files/history.h"
#include "run/files/purge.h"
#include "run/files/views.h"
#include "run/lanes/journal_lane.h"

#include "base/clock.h"
#include "base/csv.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "model/user.h"
#include "wire/user.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 64 << 20, PATH_BYTES = 4096, PORTION = 1000 };

static enum err open_journal(const struct cli *cli, struct journal **out, struct error *error) {
    struct journal_opening opening;
    *out = journal_open(NULL, clock_now(), &opening);
    if (*out && opening.key_is_new) {
        out_say(cli->err, "bursar: %s\n", JOURNAL_KEY_IS_NEW);
    }
    return *out ? ERR_OK : error_set(error, ERR_STORE, "%s", opening.error.text);
}

/* For reading alone: also of a journal that nothing can be added to. */
static enum err open_reading(const struct cli *cli, struct journal **out, struct journal_opening *opening,
                             struct error *error) {
    *out = journal_open_reading(NULL, clock_now(), opening);
    if (*out && opening->key_is_new) {
        out_say(cli->err, "bursar: %s\n", JOURNAL_KEY_IS_NEW);
    }
    return *out ? ERR_OK : error_set(error, ERR_STORE, "%s", opening->error.text);
}

static const char *or_dash(const char *text) {
    return text && *text ? text : "-";
}

/* ---- activity list ---- */

static void add_json_text(struct str *out, const char *name, const char *text) {
    str_addf(out, ",\"%s\":", name);
    if (text) {
        wire_add_string(out, text);
    } else {
        str_add(out, "null");
    }
}

static void add_json(struct str *out, const struct outcome_record *record) {
    struct str at;
    str_init(&at, 64);
    clock_format_iso(&at, record->at);
    str_addf(out, "{\"n\":%" PRId64 ",\"at\":\"%s\",\"outcome\":\"%s\",\"status\":%d", record->n, at.s,
             outcome_name(record->last.outcome), record->last.status);
    add_json_text(out, "operation", record->operation);
    add_json_text(out, "profile", record->profile);
    add_json_text(out, "environment", record->environment);
    add_json_text(out, "origin", record->origin);
    add_json_text(out, "who", record->who);
    add_json_text(out, "id", record->last.response_id);
    add_json_text(out, "message", record->last.message);
    add_json_text(out, "note", record->last.note);
    str_addf(out, ",\"settled\":%s}", record->settled ? "true" : "false");
    str_clear(&at);
}

static void add_csv(struct str *out, const struct outcome_record *record) {
    const char *cells[] = {record->who,
                           record->profile,
                           record->environment,
                           record->operation,
                           outcome_name(record->last.outcome),
                           record->last.response_id,
                           record->last.note};
    struct str text;
    str_init(&text, 64);
    str_addf(&text, "%" PRId64, record->n);
    csv_add_number(out, text.s, text.len);
    csv_end_cell(out);
    str_reset(&text);
    clock_format_iso(&text, record->at);
    csv_add_number(out, text.s, text.len);
    csv_end_cell(out);
    for (size_t i = 0; i < COUNT_OF(cells); i++) {
        csv_add_value(out, cells[i] ? cells[i] : "", cells[i] ? strlen(cells[i]) : 0);
        csv_end_cell(out);
    }
    csv_end_row(out);
    str_clear(&text);
}

static void add_row(struct str *out, const struct outcome_record *record) {
    clock_format(out, record->at, CLOCK_UTC, record->at);
    str_addf(out, "  %6" PRId64 "  %-8s  %3d  %-16s  %-12s  %-10s  %s", record->n, outcome_name(record->last.outcome),
             record->last.status, or_dash(record->operation), or_dash(record->profile), or_dash(record->who),
             or_dash(record->last.response_id));
    (void)clock_format_ahead(out, "  ", record->at, clock_now());
    str_add_char(out, '\n');
}

static void add_head(struct str *out, enum output_format format) {
    if (format == OUTPUT_CSV) {
        str_add(out, "n,at,who,profile,environment,operation,outcome,id,note\r\n");
    } else if (format == OUTPUT_TABLE) {
        str_addf(out, "%-19s  %6s  %-8s  %3s  %-16s  %-12s  %-10s  %s\n", "at (UTC)", "n", "outcome", "", "operation",
                 "profile", "who", "id");
    }
}

static void add_rows(struct str *out, const struct outcome_records *records, enum output_format format, bool first) {
    for (size_t i = 0; i < records->n; i++) {
        const struct outcome_record *record = &records->items[i];
        if (format == OUTPUT_TABLE) {
            add_row(out, record);
        } else if (format == OUTPUT_CSV) {
            add_csv(out, record);
        } else {
            str_add(out, format != OUTPUT_JSON ? "" : first && i == 0 ? "[" : ",\n");
            add_json(out, record);
            str_add(out, format == OUTPUT_JSON ? "" : "\n");
        }
    }
}

/* A portion of the list on the way out: memory does not grow with the records, and nothing is cut. */
static enum err put_portion(const struct cli *cli, const struct journal_records *records, bool first,
                            struct error *error) {
    struct outcome_records copies = {0};
    struct str text;
    str_init(&text, TEXT_MAX);
    journal_copy_records(records, &copies);
    if (first && (records->n > 0 || cli->args.format == OUTPUT_CSV)) {
        add_head(&text, cli->args.format);
    }
    add_rows(&text, &copies, cli->args.format, first);
    outcome_records_clear(&copies);
    return output_whole(cli->out, &text, ERR_OK, error);
}

static enum err put_list(const struct cli *cli, struct journal *journal, struct journal_filter *filter, size_t *listed,
                         struct error *error) {
    size_t limit = filter->limit;
    enum err code = ERR_OK;
    *listed = 0;
    for (bool more = true; code == ERR_OK && more;) {
        struct journal_records records;
        size_t left = limit ? limit - *listed : PORTION;
        journal_records_init(&records);
        filter->limit = left < PORTION ? left : PORTION;
        code = journal_list(journal, filter, &records, error);
        more = code == ERR_OK && records.n == filter->limit && (!limit || *listed + records.n < limit);
        if (code == ERR_OK) {
            code = put_portion(cli, &records, *listed == 0, error);
        }
        *listed += records.n;
        filter->before = records.n ? records.items[records.n - 1].n : filter->before;
        journal_records_clear(&records);
    }
    if (code == ERR_OK && cli->args.format == OUTPUT_JSON) {
        code = output_text(cli->out, *listed ? "]\n" : "[]\n", error);
    }
    return code == ERR_OK ? output_flush(cli->out, error) : code;
}

/* Its normal form. */
static enum err read_tag(const struct cli *cli, struct str *out, struct error *error) {
    char line[USER_TEXT_MAX + 2] = "";
    if (isatty(STDIN_FILENO)) {
        cli_prompt(cli, "Tag: ", line, sizeof line);
    } else {
        cli_read_line(line, sizeof line);
    }
    return user_tag_normal(line, out) ? ERR_OK : error_set(error, ERR_USAGE, "--tag: no tag came on standard input");
}

static void say_none(const struct cli *cli) {
    const char *tag = cli->args.tag ? " this tag" : "";
    if (cli->args.outcome) {
        out_say(cli->err, "bursar: no record has%s%s the outcome %s\n", tag, *tag ? " and" : "", cli->args.outcome);
    } else if (*tag) {
        out_say(cli->err, "bursar: no record has%s; of those that were purged it cannot be told\n", tag);
    } else {
        out_say(cli->err, "bursar: nothing was written yet\n");
    }
}

/* What is sound is listed whatever state the journal is in; what is wrong with it comes after. */
static enum err list(struct cli *cli, struct error *error) {
    struct journal *journal = NULL;
    struct journal_opening opening = {0};
    struct journal_filter filter = JOURNAL_ANY;
    struct str tag;
    size_t listed = 0;
    str_init(&tag, USER_TEXT_MAX * 4);
    filter.profile = cli->args.profile;
    filter.limit = (size_t)cli->args.limit;
    filter.outcome = cli->args.outcome ? journal_outcome_find(cli->args.outcome) : -1;
    enum err code = cli->args.tag ? read_tag(cli, &tag, error) : ERR_OK;
    struct journal_value match = {user_match_name(USER_MATCH_TAG), tag.s};
    filter.match = cli->args.tag ? &match : NULL;
    if (code == ERR_OK) {
        code = open_reading(cli, &journal, &opening, error);
    }
    if (code == ERR_OK) {
        code = put_list(cli, journal, &filter, &listed, error);
    }
    if (code == ERR_OK && opening.state != JOURNAL_OK) {
        code = error_set(error, ERR_STORE, "%s", opening.error.text);
    } else if (code == ERR_OK && listed == 0) {
        say_none(cli);
    }
    journal_close(journal);
    str_clear(&tag);
    return code;
}

/* ---- activity show ---- */

static void add_fact(struct str *out, const char *label, const char *text) {
    if (text && *text) {
        str_addf(out, "%-14s", label);
        utf8_sanitise(out, text, strlen(text));
        str_add_char(out, '\n');
    }
}

static void add_event(struct str *out, const struct outcome_event *event) {
    clock_format(out, event->at, CLOCK_UTC, event->at);
    str_add(out, " UTC");
    (void)clock_format_ahead(out, ", ", event->at, clock_now());
    str_addf(out, "  %s", outcome_name(event->outcome));
    if (event->status) {
        str_addf(out, "  %d", event->status);
    }
    const char *texts[] = {event->response_id, event->who, event->note, event->message};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (texts[i]) {
            str_add(out, i == 1 ? "  settled by " : "  ");
            utf8_sanitise(out, texts[i], strlen(texts[i]));
        }
    }
    str_add_char(out, '\n');
}

static void add_record(struct str *out, const struct outcome_record *record) {
    str_addf(out, "%-14s%" PRId64 "\n", "record", record->n);
    str_addf(out, "%-14s", "at");
    clock_format(out, record->at, CLOCK_UTC, record->at);
    str_add(out, " UTC");
    (void)clock_format_ahead(out, ", ", record->at, clock_now());
    str_add_char(out, '\n');
    str_addf(out, "%-14s%s: %s\n", "outcome", outcome_name(record->last.outcome),
             outcome_sentence(record->last.outcome));
    add_fact(out, "operation", record->operation);
    add_fact(out, "profile", record->profile);
    add_fact(out, "environment", record->environment);
    add_fact(out, "origin", record->origin);
    add_fact(out, "operator", record->who);
    add_fact(out, "id", record->last.response_id);
    add_fact(out, "url", record->url);
    add_fact(out, "key", record->idempotency);
    add_fact(out, "import", record->import);
    for (size_t i = 0; i < record->n_fields; i++) {
        add_fact(out, i == 0 ? "sent" : "", record->fields[i]);
    }
    for (size_t i = 0; i < record->n_events; i++) {
        add_event(out, &record->events[i]);
    }
}

static enum err number_of(const struct cli *cli, int64_t *n, struct error *error) {
    long long number;
    const char *text = cli->args.operands[0];
    if (!str_to_int64(text, strlen(text), &number) || number < 1) {
        return error_set(error, ERR_USAGE, "%s is not the number of a record", text);
    }
    *n = number;
    return ERR_OK;
}

static enum err show(struct cli *cli, struct error *error) {
    struct journal *journal = NULL;
    struct journal_opening opening = {0};
    struct journal_records records;
    struct outcome_records copies = {0};
    struct str text;
    int64_t n = 0;
    journal_records_init(&records);
    str_init(&text, TEXT_MAX);
    enum err code = number_of(cli, &n, error);
    if (code == ERR_OK) {
        code = open_reading(cli, &journal, &opening, error);
    }
    if (code == ERR_OK) {
        code = journal_get(journal, n, &records, error);
    }
    if (code == ERR_OK && records.n == 0) {
        code = error_set(error, ERR_USAGE, "there is no record %" PRId64, n);
    }
    journal_copy_records(&records, &copies);
    if (code == ERR_OK && cli->args.format == OUTPUT_TABLE) {
        add_record(&text, &copies.items[0]);
    } else if (code == ERR_OK) {
        add_json(&text, &copies.items[0]);
        str_add_char(&text, '\n');
    }
    journal_records_clear(&records);
    outcome_records_clear(&copies);
    journal_close(journal);
    code = output_whole(cli->out, &text, code, error);
    return code == ERR_OK && opening.state != JOURNAL_OK ? error_set(error, ERR_STORE, "%s", opening.error.text) : code;
}

/* ---- activity verify ---- */

static void add_health(struct str *out, const struct journal_health *health) {
    str_addf(out, "%" PRId64 " record%s in a chain of %" PRId64 " link%s: ", health->records,
             health->records == 1 ? "" : "s", health->entries, health->entries == 1 ? "" : "s");
    if (health->opening.state == JOURNAL_OK) {
        str_add(out, "each is as it was written, the chain is whole, and journal.head agrees\n");
        return;
    }
    str_add(out, "so many are sound\n");
    if (health->confirmed < 0) {
        str_add(out, "journal.head cannot be read\n");
    } else {
        str_addf(out, "journal.head names %" PRId64 " links\n", health->confirmed);
    }
    utf8_sanitise_lines(out, health->faults.s, health->faults.len);
}

static enum err verify(struct cli *cli, struct error *error) {
    struct journal_health health;
    struct str text;
    str_init(&text, TEXT_MAX);
    enum err code = journal_verify(NULL, clock_now(), &health, error);
    add_health(&text, &health);
    journal_health_clear(&health);
    enum err printed = output_whole(cli->out, &text, ERR_OK, code == ERR_OK ? error : NULL);
    return code == ERR_OK ? printed : code;
}

/* ---- activity resolve ---- */

static enum err resolve(struct cli *cli, struct error *error) {
    struct journal *journal = NULL;
    struct str text, who;
    int64_t n = 0;
    str_init(&text, TEXT_MAX);
    str_init(&who, 256);
    journal_who(&who);
    if (!cli->args.outcome || !cli->args.note) {
        str_clear(&text);
        str_clear(&who);
        return error_set(error, ERR_USAGE, "activity resolve needs --outcome done|refused|not-sent and --note TEXT");
    }
    struct journal_settle settle = {.now = clock_now(),
                                    .outcome = (enum journal_outcome)journal_outcome_find(cli->args.outcome),
                                    .who = who.s,
                                    .note = cli->args.note};
    enum err code = number_of(cli, &n, error);
    if (code == ERR_OK) {
        code = open_journal(cli, &journal, error);
    }
    if (code == ERR_OK) {
        code = journal_settle(journal, n, &settle, error);
    }
    str_addf(&text, "record %" PRId64 " is settled: %s\n", n, cli->args.outcome);
    journal_close(journal);
    str_clear(&who);
    return output_whole(cli->out, &text, code, error);
}

/* ---- Purging ---- */

static enum err journal_purge_command(struct cli *cli, struct error *error) {
    struct journal *journal = NULL;
    struct str text;
    int64_t before, purged = 0;
    bool log_left = false;
    if (!cli->args.before) {
        return error_set(error, ERR_USAGE, "journal purge needs --before DATE (YYYY-MM-DD)");
    }
    if (!clock_parse(cli->args.before, strlen(cli->args.before), &before)) {
        return error_set(error, ERR_USAGE, "--before: %s is not a date", cli->args.before);
    }
    str_init(&text, TEXT_MAX);
    enum err code = open_journal(cli, &journal, error);
    if (code == ERR_OK) {
        code = journal_purge(journal, before, clock_now(), &purged, &log_left, error);
    }
    str_addf(&text, "digests, notes and keys of %" PRId64 " records removed; time, operator, outcome and id stay\n",
             purged);
    str_add(&text, log_left ? "another console is reading: its log is emptied when that ends\n" : "");
    journal_close(journal);
    return output_whole(cli->out, &text, code, error);
}

static enum err remove_session(struct str *text, struct error *error) {
    struct str path;
    str_init(&path, PATH_BYTES);
    enum err code = path_home(PATH_STATE, "session", &path, error);
    if (code == ERR_OK && unlink(path.s) == 0) {
        str_add(text, "session removed\n");
    }
    str_clear(&path);
    int n = code == ERR_OK ? history_purge(NULL, error) : 0;
    if (n > 0) {
        str_addf(text, "history of %d profile%s removed\n", n, n == 1 ? "" : "s");
    }
    int views = n >= 0 && code == ERR_OK ? views_purge(NULL, error) : 0;
    if (views > 0) {
        str_addf(text, "saved views of %d profile%s removed\n", views, views == 1 ? "" : "s");
    }
    return n < 0 || views < 0 ? ERR_FILE : code;
}

static enum err purge(struct cli *cli, struct error *error) {
    struct str text;
    enum err code = ERR_OK;
    if (!cli->args.drafts && !cli->args.session && !cli->args.all) {
        return error_set(error, ERR_USAGE, "purge needs --drafts, --session or --all");
    }
    str_init(&text, TEXT_MAX);
    if (cli->args.all) {
        code = purge_all(&text, error);
        enum err printed = output_whole(cli->out, &text, ERR_OK, code == ERR_OK ? error : NULL);
        return code == ERR_OK ? printed : code;
    }
    if (cli->args.drafts) {
        int kept = 0, n = drafts_purge(NULL, &kept, error);
        code = n < 0 ? ERR_FILE : ERR_OK;
        str_addf(&text, "%d draft%s removed\n", n < 0 ? 0 : n, n == 1 ? "" : "s");
        if (kept > 0) {
            str_addf(&text, "%d kept: the outcome of %s write is not known (bursar activity resolve settles it)\n",
                     kept, kept == 1 ? "its" : "their");
        }
    }
    if (code == ERR_OK && cli->args.session) {
        code = remove_session(&text, error);
        str_add(&text, text.len ? "" : "there was no session to remove\n");
    }
    return output_whole(cli->out, &text, code, error);
}

command_fn *journal_command(enum command_id id) {
    switch (id) {
    case COMMAND_ACTIVITY:
    case COMMAND_ACTIVITY_LIST:
        return list;
    case COMMAND_ACTIVITY_SHOW:
        return show;
    case COMMAND_ACTIVITY_VERIFY:
        return verify;
    case COMMAND_ACTIVITY_RESOLVE:
        return resolve;
    case COMMAND_JOURNAL_PURGE:
        return journal_purge_command;
    case COMMAND_PURGE:
        return purge;
    default:
        return NULL;
    }
}
