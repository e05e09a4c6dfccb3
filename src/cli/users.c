#include "cli/cli.h"
#include "cli/output.h"
#include "confirm.h"

#include "app/register.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/path.h"
#include "base/signals.h"
#include "base/utf8.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One run of `users create`: the look, the question, the write. A signal cuts the write, and its end is waited for: so
 * the record is told. */
enum step { STEP_LOOK, STEP_SEND, STEP_STOP };

struct create {
    struct cli *cli;
    struct str body;
    struct user user;
    struct journal_answer *look;
    uint64_t ticket;
    struct write write;
    enum step step;
};

static enum err read_body(struct create *create, struct error *error) {
    const char *file = create->cli->args.file;
    if (strcmp(file, "-") != 0) {
        return path_read(file, WIRE_USER_MAX, false, &create->body, error);
    }
    char bytes[4096];
    ssize_t n;
    while ((n = signals_input(STDIN_FILENO, bytes, sizeof bytes)) > 0) {
        str_add_n(&create->body, bytes, (size_t)n);
    }
    secret_wipe(bytes, sizeof bytes);
    if (signals_input_ended()) {
        return error_set(error, ERR_CANCELLED, "interrupted: nothing was sent");
    }
    if (n < 0) {
        return error_set(error, ERR_FILE, "standard input could not be read: nothing was sent");
    }
    return create->body.full ? error_set(error, ERR_INVALID, "the body is longer than 256 KB") : ERR_OK;
}

static enum err check(struct create *create, struct error *error) {
    struct user_findings findings = {0};
    struct user_rules rules = register_rules(create->cli->profile, clock_now());
    enum err code = wire_user_read(create->body.s, create->body.len, &create->user, error);
    if (code != ERR_OK) {
        error_prefix(error, "nothing was sent");
        return code;
    }
    user_check(&create->user, &rules, &findings);
    for (size_t i = 0; i < findings.n; i++) {
        const struct user_finding *finding = &findings.items[i];
        out_say(create->cli->err, "bursar: %s: %s: %s\n", finding->blocks ? "refused" : "warning",
                user_path(finding->field), finding->text);
    }
    if (findings.blocks > 0) {
        code = error_set(error, ERR_INVALID, "nothing was sent: %zu field%s cannot be sent as %s", findings.blocks,
                         findings.blocks == 1 ? "" : "s", findings.blocks == 1 ? "it is" : "they are");
    }
    user_findings_clear(&findings);
    return code;
}

static struct write_ask *ask_of(const struct create *create) {
    struct write_ask *ask = register_ask(create->cli->profile, &create->user, create->body.s);
    ask->lock_body = true;
    ask->repeats = create->cli->args.repeat;
    return ask;
}

/* ---- Driven by the loop ---- */

static void update(void *self, struct event *event, struct effects *effects) {
    struct create *create = self;
    if (event->kind == EVENT_START && create->step == STEP_LOOK) {
        struct journal_ask *ask = journal_ask_new(JOURNAL_LOOK);
        ask->write = ask_of(create);
        create->ticket = effects_journal(effects, ask);
    } else if (event->kind == EVENT_START && create->step == STEP_STOP) {
        write_cancel(&create->write, effects);
    } else if (event->kind == EVENT_START) {
        struct write_ask *ask = ask_of(create);
        if (api_key_header(create->cli->profile)) {
            ask->idempotency = mem_dup(create->look->nonce);
        }
        (void)write_start(&create->write, ask, effects);
    } else if (event->kind == EVENT_JOURNAL && event->ticket == create->ticket) {
        create->look = event->journal;
        event->journal = NULL;
    } else {
        (void)write_update(&create->write, event);
    }
}

static bool is_finished(const void *self) {
    const struct create *create = self;
    return create->step == STEP_LOOK ? create->look != NULL : create->write.stage == WRITE_ENDED;
}

static bool is_put_off(void *self) {
    const struct create *create = self;
    return create->step == STEP_STOP;
}

static void drive(struct create *create, enum step step) {
    struct client client = {.self = create, .update = update, .is_finished = is_finished, .interrupted = is_put_off};
    create->step = step;
    create->cli->signal = create->cli->drive(create->cli->drive_context, &client);
}

/* ---- Before the write ---- */

static enum err check_twins(struct create *create, struct error *error) {
    const struct journal_answer *look = create->look;
    size_t n = 0;
    for (size_t i = 0; i < look->records.n; i++) {
        const struct outcome_record *record = &look->records.items[i];
        struct str age;
        if (record->n == create->cli->args.repeat) {
            continue;
        }
        str_init(&age, 64);
        clock_format_ago(&age, record->at, clock_now());
        out_say(create->cli->err, "bursar: the same %s: record %lld, %s, %s%s%s, by %s\n", record->match,
                (long long)record->n, age.s, outcome_name(record->last.outcome), record->last.response_id ? " as " : "",
                record->last.response_id ? record->last.response_id : "", record->who ? record->who : "?");
        str_clear(&age);
        n++;
    }
    if (n > 0 && !create->cli->args.again && !create->cli->args.dry_run) {
        return error_set(error, ERR_INVALID,
                         "nothing was sent: earlier writes look the same (--again registers all the same)");
    }
    return ERR_OK;
}

/* What is confirmed, line by line; a character that this terminal cannot show is marked. */
static void add_body(const struct create *create, struct str *out) {
    const char *body = create->body.s;
    for (size_t at = 0; at < create->body.len;) {
        size_t n = strcspn(body + at, "\n");
        utf8_reveal(out, body + at, n - (n > 0 && body[at + n - 1] == '\r'));
        at += n;
        if (at < create->body.len) {
            str_add_char(out, '\n');
            at++;
        }
    }
}

static enum err ask_terminal(struct create *create, struct error *error) {
    const struct cli *cli = create->cli;
    struct str text;
    str_init(&text, WIRE_USER_MAX * 4);
    add_body(create, &text);
    out_say(cli->err, "%s\nThis registers a user in %s (%s). ", text.s, cli->profile->environment,
            cli->profile->origin);
    secret_wipe(text.s, text.len);
    str_clear(&text);
    return confirm_word(cli, confirm_word_of(cli), "send it", error);
}

static enum err prepare(struct create *create, struct error *error) {
    const struct cli *cli = create->cli;
    enum err code = cli->args.dry_run ? ERR_OK : confirm_early(cli, strcmp(cli->args.file, "-") != 0, error);
    if (code == ERR_OK) {
        code = read_body(create, error);
    }
    if (code == ERR_OK) {
        code = check(create, error);
    }
    if (code != ERR_OK) {
        return code;
    }
    drive(create, STEP_LOOK);
    if (!create->look) {
        return error_set(error, ERR_CANCELLED, "interrupted: nothing was sent");
    }
    if (create->look->notice) {
        out_say(cli->err, "bursar: %s\n", create->look->notice);
    }
    code = create->look->error.code;
    if (code != ERR_OK) {
        return error_set(error, code, "nothing was sent: %s", create->look->error.text);
    }
    code = check_twins(create, error);
    return code == ERR_OK && !cli->args.dry_run && !cli->args.yes ? ask_terminal(create, error) : code;
}

/* ---- After it ---- */

static void add_json(struct str *out, const struct write_result *result) {
    static const char *const WORDS[OUTCOME_COUNT] = {[OUTCOME_DONE] = "done",
                                                     [OUTCOME_REFUSED] = "refused",
                                                     [OUTCOME_UNKNOWN] = "unknown",
                                                     [OUTCOME_NOT_SENT] = "not_sent"};
    str_addf(out, "{\"outcome\":\"%s\",\"id\":", WORDS[write_outcome(result)]);
    if (result->receipt.id) {
        wire_add_string(out, result->receipt.id);
    } else {
        str_add(out, "null");
    }
    str_addf(out, ",\"status\":%d,\"message\":", result->status);
    wire_add_string(out, result->receipt.line ? result->receipt.line : "");
    if (result->n) {
        str_addf(out, ",\"journal\":%lld}\n", (long long)result->n);
    } else {
        str_add(out, ",\"journal\":null}\n");
    }
}

static void add_text(struct str *out, const struct write_result *result) {
    if (result->receipt.id) {
        str_addf(out, "%s\n", result->receipt.id);
    }
}

static enum err print_result(struct create *create, struct error *error) {
    const struct write_result *result = create->write.result;
    struct cli *cli = create->cli;
    struct str text;
    str_init(&text, 64 << 10);
    if (cli->args.format == OUTPUT_JSON || cli->args.format == OUTPUT_NDJSON) {
        add_json(&text, result);
    } else {
        add_text(&text, result);
    }
    enum err code = output_text(cli->out, text.s, error);
    str_clear(&text);
    if (code == ERR_OK) {
        code = output_flush(cli->out, error);
    }
    if (result->trouble) {
        out_say(cli->err, "bursar: the outcome could not be noted in the journal: %s\n", result->trouble);
    }
    if (result->receipt.code == ERR_OK) {
        out_say(cli->err, "bursar: %s (record %lld)\n", result->receipt.line, (long long)result->n);
        return code;
    }
    *error = (struct error){0};
    if (write_outcome(result) != OUTCOME_UNKNOWN) {
        return error_set(error, result->receipt.code, "%s", result->receipt.line);
    }
    cli->signal = 0; /* what is not known goes before everything else */
    return error_set(error, result->receipt.code,
                     "%s. It may have been created: look for its tag at the service before anything is repeated; "
                     "bursar activity resolve %lld settles it",
                     result->receipt.line, (long long)result->n);
}

static enum err print_dry(struct create *create, struct error *error) {
    struct cli *cli = create->cli;
    struct str text;
    str_init(&text, WIRE_USER_MAX * 2);
    utf8_sanitise_lines(&text, create->body.s, create->body.len);
    str_add(&text, create->body.len && create->body.s[create->body.len - 1] == '\n' ? "" : "\n");
    enum err code = output_text(cli->out, text.s, error);
    str_clear(&text);
    out_say(cli->err, "bursar: dry run: nothing was sent to %s (%s)\n", cli->profile->origin,
            cli->profile->environment);
    return code == ERR_OK ? output_flush(cli->out, error) : code;
}

static enum err print_not_sent(struct create *create, enum err code, const struct error *error) {
    if (create->cli->args.format == OUTPUT_JSON || create->cli->args.format == OUTPUT_NDJSON) {
        struct write_result *result = write_result_new();
        struct str text;
        str_init(&text, 64 << 10);
        result->receipt.line = mem_dup(error && *error->text ? error->text : err_sentence(code));
        add_json(&text, result);
        enum err printed = output_text(create->cli->out, text.s, NULL);
        (void)printed; /* the fault before it is the one that counts */
        str_clear(&text);
        write_result_free(result);
    }
    return code;
}

static enum err run(struct create *create, struct error *error) {
    enum err code = prepare(create, error);
    if (code != ERR_OK) {
        return print_not_sent(create, code, error);
    }
    if (create->cli->args.dry_run) {
        return print_dry(create, error);
    }
    drive(create, STEP_SEND);
    if (create->write.stage != WRITE_ENDED) {
        drive(create, STEP_STOP);
    }
    if (create->write.stage != WRITE_ENDED) {
        create->cli->signal = 0; /* what is not known goes before everything else */
        return error_set(error, ERR_UNKNOWN, "interrupted while it was sent: bursar activity list says what is known");
    }
    return print_result(create, error);
}

enum err cli_users_create(struct cli *cli, struct error *error) {
    struct create create = {.cli = cli};
    struct error own = {0};
    if (!cli->args.file) {
        return error_set(error, ERR_USAGE, "users create needs --file FILE, or --file - for standard input");
    }
    str_init(&create.body, WIRE_USER_MAX);
    enum err code = run(&create, error ? error : &own);
    secret_wipe(create.body.s, create.body.len);
    str_clear(&create.body);
    user_clear(&create.user);
    journal_answer_free(create.look);
    write_clear(&create.write);
    return code;
}
