#include "webhook.h"

#include "app/doctor.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "base/paste.h"
#include "base/path.h"
#include "base/utf8.h"
#include "cli/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 20 };

/* One run of `webhook check`: reads what is known, then measures, and tells each check once it is judged. */
struct check {
    struct cli *cli;
    struct webhook webhook;
    struct doctor doctor;
    int told;  /* checks printed so far */
    int shown; /* cells of the step's line */
    bool asked;
    struct error error;
};

static bool is_table(const struct check *check) {
    return check->cli->args.format != OUTPUT_JSON && check->cli->args.format != OUTPUT_NDJSON;
}

static bool is_sandbox(const struct cli *cli) {
    return cli->profile && profile_is_sandbox(cli->profile);
}

/* Says which URL is checked where none was given: the one sent last need not be the one in force. */
static void say_taken(const struct check *check, const char *url) {
    const struct webhook_answer *known = check->webhook.known;
    const struct outcome_record *record = webhook_last(&check->webhook);
    struct str text;
    str_init(&text, TEXT_MAX);
    utf8_sanitise(&text, url, strlen(url));
    if (known->unknown_url) {
        str_addf(&text, " (record %" PRId64 ", %s)", known->unknown_since,
                 known->unknown_ended ? "outcome unknown" : "being sent");
    } else {
        str_addf(&text, " (record %" PRId64 ", %s ", record->n, webhook_held(record) ? "registered" : "accepted");
        clock_format_ago(&text, record->at, clock_now());
        str_add_char(&text, ')');
    }
    out_say(check->cli->err, "bursar: checking %s\n", text.s);
    str_clear(&text);
}

static void webhook_check_start(struct check *check, int64_t now, struct effects *effects) {
    const struct args *args = &check->cli->args;
    const struct outcome_record *record = webhook_last(&check->webhook);
    const char *last = webhook_last_url(&check->webhook);
    const char *url = args->n_operands > 0 ? args->operands[0] : last;
    check->asked = true;
    if (!url) {
        (void)error_set(&check->error, ERR_USAGE, "this console knows of no registration: give a URL to check");
        return;
    }
    if (args->n_operands == 0)
        say_taken(check, url);
    const struct doctor_question question = {
        .url = url,
        .ca_file = args->ca_file,
        .local_ok = args->allow_local || is_sandbox(check->cli),
        .post = args->probe,
        .known_url = record ? record->url : NULL,
        .known_signed = record && record->fingerprint,
        .known_held = record && webhook_held(record),
        .known_at = record ? record->at : 0,
    };
    doctor_start(&check->doctor, &question, now, effects);
}

/* What is printed next begins on an empty line. */
static void blank_step(struct check *check) {
    if (check->shown > 0)
        out_over(check->cli->err, "", &check->shown);
}

static void say_step(struct check *check) {
    struct str text;
    const char *words = doctor_step_words(&check->doctor);
    blank_step(check);
    if (*words && is_table(check) && check->cli->out_is_terminal && out_is_terminal(check->cli->err)) {
        str_init(&text, TEXT_MAX);
        str_addf(&text, "   ... %s", words);
        out_over(check->cli->err, text.s, &check->shown);
        str_clear(&text);
    }
}

/* In the order of the checks, each as soon as all before it are judged. */
static void webhook_check_tell(struct check *check) {
    struct str text;
    str_init(&text, TEXT_MAX);
    while (is_table(check) && check->told < DOCTOR_CHECK_COUNT &&
           check->doctor.findings[check->told].verdict != DOCTOR_PENDING)
        doctor_tell(&check->doctor, (enum doctor_check)check->told++, !check->cli->utf8, &text);
    if (text.len > 0) {
        blank_step(check);
        enum err err = output_text(check->cli->out, text.s, &check->error);
        err = err == ERR_OK ? output_flush(check->cli->out, &check->error) : err;
        (void)err; /* kept in check->error */
    }
    str_clear(&text);
}

static void webhook_check_begin(struct check *check, int64_t now, struct effects *effects) {
    webhook_check_start(check, now, effects);
    if (check->error.code == ERR_OK) {
        webhook_check_tell(check);
        say_step(check);
    }
}

static void webhook_check_update(void *self, struct event *event, struct effects *effects) {
    struct check *check = self;
    int64_t now = event->now;
    if (event->kind == EVENT_START && check->cli->profile) {
        webhook_load(&check->webhook, effects);
    } else if (event->kind == EVENT_START) {
        webhook_check_begin(check, now, effects);
    } else if (doctor_update(&check->doctor, event, effects)) {
        webhook_check_tell(check);
        say_step(check);
    } else if (webhook_update(&check->webhook, event, effects) && check->webhook.known && !check->asked) {
        webhook_check_begin(check, now, effects);
    }
}

static bool webhook_check_is_finished(const void *self) {
    const struct check *check = self;
    return check->error.code != ERR_OK || check->doctor.stage == DOCTOR_ENDED;
}

/* The endpoint wrote the redirect's target, and people paste this line into a shell. */
static void webhook_check_add_next(const struct check *check, struct str *out) {
    const char *target = doctor_target(&check->doctor);
    struct str word;
    str_init(&word, TEXT_MAX);
    if (target && paste_add_word(&word, target)) {
        str_addf(out, "next: bursar webhook check %s\n", word.s);
    } else if (target) {
        str_add(out,
                "next: the redirect's target holds characters that cannot be pasted safely; have the server's owner "
                "name the address it should lead to\n");
    }
    str_clear(&word);
}

static enum err webhook_check_finish(struct check *check, struct error *error) {
    struct str text;
    str_init(&text, TEXT_MAX);
    if (is_table(check)) {
        str_addf(&text, "\noverall: %s, seen from this machine, trust: %s\n",
                 doctor_verdict_word(doctor_overall(&check->doctor)),
                 check->cli->args.ca_file ? check->cli->args.ca_file : "the system's trusted roots");
        webhook_check_add_next(check, &text);
    } else {
        doctor_report_json(&check->doctor, &text);
    }
    enum err err = output_whole(check->cli->out, &text, ERR_OK, error);
    if (err == ERR_OK && doctor_overall(&check->doctor) == DOCTOR_FAIL)
        err = error_set(error, ERR_CHECK_FAILED, "the check found faults in the endpoint");
    return err;
}

static enum err check_probe(const struct cli *cli, struct error *error) {
    const char *word = cli->profile ? cli->profile->environment : "";
    if (cli->args.probe && (cli->args.read_only || (cli->profile && cli->profile->read_only)))
        return error_set(error, ERR_READ_ONLY, "--probe sends a POST to the endpoint, which read-only forbids");
    if (!cli->args.probe || is_sandbox(cli) || str_equal(cli->args.yes, word))
        return ERR_OK;
    return error_set(error, ERR_USAGE, "--probe sends a POST to the endpoint: --yes%s%s confirms it here",
                     *word ? "=" : "", word);
}

enum err cli_webhook_check(struct cli *cli, struct error *error) {
    struct check check = {.cli = cli};
    struct client client = {.self = &check, .update = webhook_check_update, .is_finished = webhook_check_is_finished};
    enum err err = check_probe(cli, error);
    /* Whom the verdict trusts, as a profile's. */
    if (err == ERR_OK && cli->args.ca_file && config_check_certificates(cli->args.ca_file, error) != ERR_OK)
        err = ERR_CONFIG;
    if (err != ERR_OK)
        return err;
    webhook_init(&check.webhook, cli->profile);
    doctor_init(&check.doctor);
    cli->signal = cli->drive(cli->drive_context, &client);
    blank_step(&check);
    if (check.error.code != ERR_OK)
        err = error_set(error, check.error.code, "%s", check.error.text);
    else if (check.doctor.stage != DOCTOR_ENDED)
        err = error_set(error, ERR_CANCELLED, "interrupted; what is printed stands");
    else
        err = webhook_check_finish(&check, error);
    doctor_clear(&check.doctor);
    webhook_clear(&check.webhook);
    return err;
}
