/* `bursar users import`: the client of app/import.h without a screen. */
#include "cli/cli.h"
#include "cli/confirm.h"
#include "cli/output.h"

#include "app/import.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPORT_MAX = 256 << 20, LINE_MAX_BYTES = 4096, PROGRESS_MS = 100 };

struct run {
    struct cli *cli;
    struct import import;
    bool starting; /* the second run of the loop, which sends the rows */
    bool progress; /* standard error is a terminal */
    int64_t told;  /* the end of the wait that was told last */
    long long pace;
    int shown; /* cells of the progress line */
    int64_t shown_at;
};

/* ---- Driven by the loop ---- */

/* One line, written over. */
static void show_progress(struct run *run, int64_t now, bool last) {
    struct str line;
    if (!run->progress || (!last && now - run->shown_at < PROGRESS_MS))
        return;
    run->shown_at = now;
    str_init(&line, LINE_MAX_BYTES);
    import_progress(&run->import, &line);
    if (import_wait(&run->import, now) > 0)
        str_addf(&line, "; goes on in %lld s", (long long)import_wait(&run->import, now));
    out_over(run->cli->err, line.s, &run->shown);
    if (last)
        out_say(run->cli->err, "\n");
    str_clear(&line);
}

/* Where standard output is a terminal too, its last line says the same. */
static void users_import_end_progress(struct run *run) {
    if (!run->cli->out_is_terminal)
        show_progress(run, clock_now(), true);
    else if (run->shown > 0)
        out_over(run->cli->err, "", &run->shown);
}

/* Says once for each wait how long it is, where no progress line shows it. */
static void tell_wait(struct run *run, int64_t now) {
    int64_t seconds = import_wait(&run->import, now);
    if (!run->progress && seconds > 0 && run->import.hold != run->told) {
        run->told = run->import.hold;
        out_say(run->cli->err, "bursar: line %zu: the service asks to wait; it goes on in %lld s\n",
                run->import.rows.items[run->import.at].line, (long long)seconds);
    }
}

static void users_import_update(void *self, struct event *event, struct effects *effects) {
    struct run *run = self;
    const struct args *args = &run->cli->args;
    if (event->kind == EVENT_START && run->starting) {
        import_start(&run->import, event->now, effects);
    } else if (event->kind == EVENT_START) {
        const struct import_options options = {.resume = args->resume,
                                               .refused = args->refused,
                                               .skip_unknown = args->skip_unknown,
                                               .again = args->again,
                                               .pace = run->pace,
                                               .failures = args->max_failures,
                                               .folder = run->cli->demo_folder};
        import_open(&run->import, args->operands[0], args->map, &options, effects);
    } else if (import_update(&run->import, event, effects) && run->starting) {
        show_progress(run, event->now, false);
        tell_wait(run, event->now);
    }
}

static bool users_import_is_finished(const void *self) {
    const struct run *run = self;
    enum import_stage stage = run->import.stage;
    return stage == IMPORT_FAILED || stage == IMPORT_ENDED || (stage == IMPORT_READY && !run->starting);
}

/* Waits for the row that is being sent: cut off, its outcome would be unknown. */
static bool interrupted(void *self) {
    struct run *run = self;
    if (!run->starting || run->import.stage != IMPORT_RUNNING)
        return false;
    run->import.stopping = true;
    out_say(run->cli->err, "\nbursar: stopping after the row that is on its way; once more stops at once\n");
    return true;
}

static void users_import_drive(struct run *run, bool starting) {
    struct client client = {.self = run,
                            .update = users_import_update,
                            .is_finished = users_import_is_finished,
                            .interrupted = interrupted};
    run->starting = starting;
    run->cli->signal = run->cli->drive(run->cli->drive_context, &client);
}

/* ---- What is said ---- */

static void add_remarks(struct str *out, const struct import_row *row, const char *outcome) {
    str_addf(out, "line %zu: %s", row->line, outcome);
    if (row->state == IMPORT_UNKNOWN && row->record > 0)
        str_addf(out, " (record %" PRId64 ")", row->record);
    if (row->error) {
        str_add(out, ": ");
        utf8_sanitise(out, row->error, strlen(row->error));
    }
    if (row->warning) {
        str_add(out, row->error ? "; warning: " : ", warning: ");
        utf8_sanitise(out, row->warning, strlen(row->warning));
    }
    str_add_char(out, '\n');
}

static const char *word_of(const struct import_row *row) {
    switch (row->state) {
    case IMPORT_WAITING:
        return "to be sent";
    case IMPORT_DONE:
        return "sent before, done";
    case IMPORT_UNKNOWN:
        return "sent before, outcome unknown";
    case IMPORT_REFUSED:
        return "sent before, refused by the service";
    case IMPORT_ELSEWHERE:
        return "left alone";
    default:
        return "refused";
    }
}

static void users_import_tell_gone(const struct run *run) {
    struct str text;
    if (run->import.notice)
        out_say(run->cli->err, "bursar: %s\n", run->import.notice);
    str_init(&text, REPORT_MAX);
    import_tell_gone(&run->import, &text);
    for (char *rest = text.s, *line; (line = strsep(&rest, "\n")) && *line;)
        out_say(run->cli->err, "bursar: %s\n", line);
    str_clear(&text);
}

static void tell_reading(const struct run *run) {
    if (run->import.read_as)
        out_say(run->cli->err, "bursar: the file was read otherwise than as a plain CSV: %s\n", run->import.read_as);
}

static enum err users_import_print_dry(struct run *run, struct error *error) {
    const struct import *import = &run->import;
    struct import_counts counts = import_count(import);
    struct str text;
    str_init(&text, REPORT_MAX);
    users_import_tell_gone(run);
    for (size_t i = 0; i < import->rows.n; i++)
        add_remarks(&text, &import->rows.items[i], word_of(&import->rows.items[i]));
    tell_reading(run);
    out_say(run->cli->err, "bursar: dry run: %zu of %zu row%s would be sent to %s (%s); nothing was sent\n",
            counts.left, import->rows.n, plural_s(import->rows.n), run->cli->profile->origin,
            run->cli->profile->environment);
    enum err err = output_whole(run->cli->out, &text, ERR_OK, error);
    if (err == ERR_OK && counts.of[IMPORT_BAD] > 0) {
        err = error_set(error, ERR_CHECK_FAILED, "%zu row%s cannot be sent", counts.of[IMPORT_BAD],
                        plural_s(counts.of[IMPORT_BAD]));
    }
    return err;
}

/* Rows that the operator should know of before anything is sent; those of an earlier run are named where they are
 * unknown. */
static void tell_rows(const struct run *run) {
    size_t warnings = 0;
    users_import_tell_gone(run);
    tell_reading(run);
    for (size_t i = 0; i < run->import.rows.n; i++) {
        const struct import_row *row = &run->import.rows.items[i];
        warnings += row->warning != NULL;
        if (row->state != IMPORT_BAD && row->state != IMPORT_UNKNOWN && row->state != IMPORT_ELSEWHERE)
            continue;
        struct str line;
        str_init(&line, LINE_MAX_BYTES * 4);
        add_remarks(&line, row, word_of(row));
        out_say(run->cli->err, "bursar: %s", line.s);
        str_clear(&line);
    }
    if (warnings > 0) {
        out_say(run->cli->err, "bursar: there are warnings for %zu row%s; --dry-run lists them\n", warnings,
                plural_s(warnings));
    }
}

static void users_import_tell_unknown(const struct run *run) {
    for (size_t i = 0; i < run->import.rows.n; i++) {
        const struct import_row *row = &run->import.rows.items[i];
        if (row->state == IMPORT_UNKNOWN) {
            out_say(run->cli->err, "bursar: line %zu: not known whether it was created (record %" PRId64 ")\n",
                    row->line, row->record);
        }
    }
}

static enum err users_import_ask_terminal(const struct run *run, size_t rows, struct error *error) {
    const struct cli *cli = run->cli;
    char count[32];
    (void)snprintf(count, sizeof count, "%zu", rows);
    out_say(cli->err, "This registers %zu user%s in %s (%s), one after the other.\n", rows, plural_s(rows),
            cli->profile->environment, cli->profile->origin);
    enum err err = confirm_word(cli, confirm_word_of(cli), "go on", CONFIRM_UNSENT, error);
    if (err == ERR_OK && !profile_is_sandbox(cli->profile))
        err = confirm_word(cli, count, "send that many", CONFIRM_UNSENT, error);
    return err;
}

/* ---- The steps ---- */

static enum err users_import_look(struct run *run, struct error *error) {
    users_import_drive(run, false);
    if (run->import.stage == IMPORT_FAILED)
        return error_set(error, run->import.stop.code, "%s", run->import.stop.text);
    return run->import.stage == IMPORT_READY ? ERR_OK
                                             : error_set(error, ERR_CANCELLED, "interrupted: nothing was sent");
}

static enum err may_start(struct run *run, struct error *error) {
    size_t left = import_count(&run->import).left;
    tell_rows(run);
    enum err err = import_may_start(&run->import, error);
    return err == ERR_OK && left > 0 && !run->cli->args.yes ? users_import_ask_terminal(run, left, error) : err;
}

static enum err users_import_send(struct run *run, struct error *error) {
    struct cli *cli = run->cli;
    struct str text;
    run->progress = out_is_terminal(cli->err);
    users_import_drive(run, true);
    if (run->import.stage != IMPORT_ENDED) {
        cli->signal = 0; /* an unknown outcome is more important than the signal */
        return error_set(error, ERR_UNKNOWN, "interrupted while a row was sent: --resume says what is known of it");
    }
    cli->signal = 0; /* stopping was the answer to it */
    users_import_end_progress(run);
    users_import_tell_unknown(run);
    if (cli->demo_folder)
        out_say(cli->err, "bursar: the demo keeps no result file: what became of each row is printed\n");
    str_init(&text, REPORT_MAX);
    import_progress(&run->import, &text);
    str_addf(&text, "\n%s\n", cli->demo_folder ? "" : run->import.results_path);
    if (run->import.unwritten || cli->demo_folder) /* it could not be written, or goes with the demo */
        import_results(&run->import, &text);
    enum err err = output_whole(cli->out, &text, ERR_OK, error);
    return err == ERR_OK ? import_verdict(&run->import, error) : err;
}

static enum err read_pace(const char *text, long long *out, struct error *error) {
    *out = 0;
    return !text || import_read_pace(text, out)
               ? ERR_OK
               : error_set(error, ERR_USAGE, "--pace: rows a minute, 1 to %d, as in 30/min", IMPORT_PACE_MAX);
}

enum err cli_users_import(struct cli *cli, struct error *error) {
    struct run run = {.cli = cli};
    enum err err = cli->args.dry_run ? ERR_OK : confirm_early(cli, true, error);
    if (err == ERR_OK)
        err = read_pace(cli->args.pace, &run.pace, error);
    if (err != ERR_OK)
        return err;
    import_init(&run.import, cli->profile);
    err = users_import_look(&run, error);
    if (err == ERR_OK && cli->args.dry_run) {
        err = users_import_print_dry(&run, error);
    } else if (err == ERR_OK) {
        err = may_start(&run, error);
        if (err == ERR_OK)
            err = users_import_send(&run, error);
        else if (err == ERR_UNKNOWN)
            users_import_drive(&run, true); /* writes the result file, which names the unknown rows; nothing is sent */
    }
    import_clear(&run.import);
    return err;
}
