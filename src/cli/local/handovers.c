#include "local.h"

#include "app/handovers.h"
#include "base/csv.h"
#include "base/mem.h"
#include "base/out.h"
#include "cli/output.h"
#include "wire/user.h"

#include <stdlib.h>
#include <string.h>

/* Intents handed to a colleague, and what was handed to the operator here: the same use case as in the console. */

enum { LINE_BYTES = NOTE_TEXT_MAX + 64, TEXT_BYTES = 64 << 20, TIME_BYTES = 64 };

/* ---- The team's store ---- */

/* Sends and takes in. What the store has not yet, or this machine, is said; it is no reason to stop. */
static bool share_handovers(struct cli *cli) {
    struct error fault = {0};
    if (cli->local->share_notes(cli->profile, &fault) == ERR_OK)
        return true;
    out_say(cli->err,
            "bursar: the team's store cannot be asked (%s): what colleagues wrote since is not known here, and they "
            "see what is written here once it answers\n",
            fault.text);
    return false;
}

static void say_unshared(const struct cli *cli, const struct notes_answer *answer) {
    if (answer->unshared.code != ERR_OK)
        out_say(cli->err, "bursar: colleagues see it once the team's store answers: %s\n", answer->unshared.text);
}

/* Adds what the ask has (takes it; NULL: nothing), reads all. out: to be cleared whatever this returns. */
static enum err ask_handovers(struct cli *cli, struct notes_ask *ask, struct notes_answer *out, struct error *error) {
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    *out = (struct notes_answer){0};
    cli->local->notes(cli->profile, ask, out);
    notes_ask_free(ask);
    enum err err = out->error.code;
    if (err != ERR_OK)
        err = error_set(error, err, "%s", out->error.text);
    else
        notes_answer_text(out, &text);
    if (text.len > 0)
        out_say(cli->err, "bursar: %s\n", text.s);
    say_unshared(cli, out);
    str_clear(&text);
    return err;
}

/* ---- notes hand ---- */

/* One line of standard input where the text is `-`: others on this machine can read arguments. */
static enum err handover_text(const struct cli *cli, char *line, size_t size, const char **out, struct error *error) {
    bool typed = cli->args.text && str_equal(cli->args.text, "-");
    *out = typed ? line : cli->args.text ? cli->args.text : "";
    if (!typed || cli_notes_read_line(cli, "Text: ", line, size))
        return ERR_OK;
    return error_set(error, ERR_CANCELLED, "interrupted: nothing was handed over");
}

static void say_handed(const struct cli *cli, const char *to, size_t n) {
    struct str said;
    str_init(&said, ERROR_TEXT_MAX);
    handover_tell_handed(to, n, &said);
    out_say(cli->err, "bursar: %s\n", said.s);
    str_clear(&said);
}

/* Whose login this is, only the notes say. */
static enum err read_me(struct cli *cli, struct notes_answer *out, struct error *error) {
    enum err err = handover_check_team(cli->profile, error);
    return err == ERR_OK ? ask_handovers(cli, NULL, out, error) : err;
}

/* One that is named twice is one. */
static bool is_named_before(const struct cli *cli, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (str_equal(cli->args.operands[k], cli->args.operands[i]))
            return true;
    return false;
}

static enum err add_handovers(const struct cli *cli, const char *me, const char *text, struct str *to,
                              struct notes_ask *ask, struct error *error) {
    const struct handing handing = {cli->args.to, text, me, clock_now()};
    enum err err = handover_check(&handing, to, error);
    for (size_t i = 0; i < cli->args.n_operands && err == ERR_OK; i++)
        if (!is_named_before(cli, i))
            err = notes_ask_handover(ask, &handing, cli->args.operands[i], error);
    return err;
}

enum err cli_notes_hand(struct cli *cli, struct error *error) {
    char line[LINE_BYTES] = "";
    const char *text = "";
    struct notes_answer there = {0}, answer = {0};
    struct notes_ask *ask = notes_ask_new();
    struct str to;
    str_init(&to, NOTE_WHO_MAX);
    enum err err = cli->args.to ? ERR_OK : error_set(error, ERR_USAGE, "--to names the colleague who gets it");
    if (err == ERR_OK)
        err = read_me(cli, &there, error);
    if (err == ERR_OK)
        err = handover_text(cli, line, sizeof line, &text, error);
    if (err == ERR_OK)
        err = add_handovers(cli, notes_me(there.notes), text, &to, ask, error);
    if (err == ERR_OK) {
        err = ask_handovers(cli, ask, &answer, error);
        ask = NULL;
    }
    if (err == ERR_OK)
        say_handed(cli, to.s, answer.added);
    notes_ask_free(ask);
    notes_free(there.notes);
    notes_free(answer.notes);
    str_clear(&to);
    return err;
}

/* ---- notes inbox ---- */

static const char *handover_state(const struct handover *handover) {
    bool back = handover->done_by && !handover_is_same_person(handover->done_by, handover->to);
    return !handover->done_by ? "open" : back ? "taken_back" : "done";
}

static const char *handover_host(const char *who) {
    static const char AT[] = " at ";
    const char *at = who + handover_person(who);
    return *at ? at + strlen(AT) : NULL;
}

static void add_handover_time(struct str *out, const char *name, int64_t ms, bool known) {
    struct str text;
    str_init(&text, TIME_BYTES);
    if (known)
        clock_format_iso(&text, ms);
    wire_add_member(out, name, known ? text.s : NULL);
    str_clear(&text);
}

static void add_handover_json(struct str *out, const struct handover *handover) {
    char *from = mem_dup_n(handover->from, handover_person(handover->from));
    char *done = handover->done_by ? mem_dup_n(handover->done_by, handover_person(handover->done_by)) : NULL;
    const struct {
        const char *name, *text;
    } MEMBERS[] = {
        {"from", from},           {"host", handover_host(handover->from)}, {"to", handover->to}, {"id", handover->id},
        {"text", handover->text}, {"state", handover_state(handover)},     {"done_by", done}};
    str_add_char(out, '{');
    add_handover_time(out, "handed_at", handover->at, true);
    for (size_t i = 0; i < COUNT_OF(MEMBERS); i++) {
        str_add_char(out, ',');
        wire_add_member(out, MEMBERS[i].name, MEMBERS[i].text);
    }
    str_add_char(out, ',');
    add_handover_time(out, "done_at", handover->done_at, handover->done_by != NULL);
    str_add_char(out, '}');
    free(from);
    free(done);
}

static void add_handover_csv_time(struct str *out, int64_t ms, bool known) {
    struct str text;
    str_init(&text, TIME_BYTES);
    if (known)
        clock_format_iso(&text, ms);
    csv_add_number(out, text.s, text.len);
    csv_end_cell(out);
    str_clear(&text);
}

static void add_handover_csv(struct str *out, const struct handover *handover) {
    const char *cells[] = {handover->from,           handover->to,     handover->id, handover->text,
                           handover_state(handover), handover->done_by};
    add_handover_csv_time(out, handover->at, true);
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        csv_add_cell(out, cells[i]);
    add_handover_csv_time(out, handover->done_at, handover->done_by != NULL);
    csv_end_row(out);
}

static void add_handover_line(struct str *out, const struct handover *handover) {
    clock_format(out, handover->at, CLOCK_UTC, handover->at);
    str_addf(out, "  %s to %s  %s", handover->from, handover->to, handover->id);
    if (handover->done_by) {
        str_add(out, "  ");
        handover_add_state(handover, CLOCK_UTC, handover->at, out);
    }
    str_addf(out, "%s%s\n", *handover->text ? "  " : "", handover->text);
}

static void add_handover(const struct cli *cli, const struct handover *handover, bool first, struct str *out) {
    enum output_format format = cli->args.format;
    if (format == OUTPUT_TABLE) {
        add_handover_line(out, handover);
    } else if (format == OUTPUT_CSV) {
        add_handover_csv(out, handover);
    } else {
        str_add(out, output_list_before(format, first));
        add_handover_json(out, handover);
        str_add(out, output_list_after(format));
    }
}

static enum err print_inbox(struct cli *cli, const struct notes *notes, struct error *error) {
    struct str text;
    size_t n, told = 0;
    const struct handover *const *all = notes_handovers(notes, &n);
    str_init(&text, TEXT_BYTES);
    if (cli->args.format == OUTPUT_CSV) {
        csv_begin(&text);
        csv_add_names(&text, "handed_at,from,to,id,text,state,done_by,done_at");
        csv_end_row(&text);
    }
    for (size_t i = 0; i < n; i++) {
        bool mine = notes_is_to_me(notes, all[i]);
        if (cli->args.all ? mine || notes_is_by_me(notes, all[i]) : mine && !all[i]->done_by)
            add_handover(cli, all[i], told++ == 0, &text);
    }
    str_add(&text, output_list_end(cli->args.format, told > 0));
    enum err err = output_whole(cli->out, &text, ERR_OK, error);
    if (err == ERR_OK && told == 0)
        out_say(cli->err, "bursar: nothing is handed to you%s\n", cli->args.all ? ", nor by you" : " and open");
    return err;
}

enum err cli_notes_inbox(struct cli *cli, struct error *error) {
    struct notes_answer answer = {0};
    enum err err = handover_check_team(cli->profile, error);
    if (err != ERR_OK)
        return err;
    bool shared = share_handovers(cli);
    err = ask_handovers(cli, NULL, &answer, error);
    if (err == ERR_OK)
        err = print_inbox(cli, answer.notes, error);
    if (err == ERR_OK && (!shared || answer.damaged > 0))
        err = error_set(error, ERR_INCOMPLETE, "what this machine has was printed");
    notes_free(answer.notes);
    return err;
}

/* ---- notes done ---- */

/* Those of the intent that were handed to the operator here, or that they handed over themselves and take back. */
static size_t add_done_of(const struct notes *notes, const char *id, bool to_me, struct notes_ask *ask) {
    size_t n, added = 0;
    const struct handover *handed = notes_handed(notes, notes_find(notes, NOTE_OF_INTENT, id, strlen(id)), &n);
    for (size_t i = 0; i < n; i++) {
        if (handed[i].done_by || !(to_me ? notes_is_to_me : notes_is_by_me)(notes, &handed[i]))
            continue;
        notes_ask_done(ask, &handed[i], clock_now());
        added++;
    }
    return added;
}

static enum err find_done(const struct cli *cli, const struct notes *notes, struct notes_ask *ask,
                          struct error *error) {
    for (size_t i = 0; i < cli->args.n_operands; i++) {
        const char *id = cli->args.operands[i];
        if (!is_named_before(cli, i) && add_done_of(notes, id, true, ask) + add_done_of(notes, id, false, ask) == 0)
            return error_set(error, ERR_USAGE, "%s is not handed to you, nor by you, or it is done already", id);
    }
    return ERR_OK;
}

enum err cli_notes_done(struct cli *cli, struct error *error) {
    struct notes_answer there = {0}, answer = {0};
    struct notes_ask *ask = notes_ask_new();
    enum err err = handover_check_team(cli->profile, error);
    if (err == ERR_OK) {
        (void)share_handovers(cli);
        err = ask_handovers(cli, NULL, &there, error);
    }
    if (err == ERR_OK)
        err = find_done(cli, there.notes, ask, error);
    if (err == ERR_OK) {
        err = ask_handovers(cli, ask, &answer, error);
        ask = NULL;
    }
    if (err == ERR_OK)
        out_say(cli->err, "bursar: done: %zu hand-over%s\n", answer.added, plural_s(answer.added));
    notes_ask_free(ask);
    notes_free(there.notes);
    notes_free(answer.notes);
    return err;
}
