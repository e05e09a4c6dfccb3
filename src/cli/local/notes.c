#include "local.h"

#include "app/notes.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Notes and tags from the command line: the same use case as in the console. */

enum { LINE_BYTES = NOTE_TEXT_MAX + 64, WORDS_BYTES = 4096 };

static struct note notes_where(const struct cli *cli) {
    return (struct note){
        .about = cli->args.user ? NOTE_OF_USER : NOTE_OF_INTENT, .id = cli->args.operands[0], .at = clock_now()};
}

/* Takes ask. */
static enum err notes_keep(struct cli *cli, struct notes_ask *ask, struct error *error) {
    struct notes_answer answer = {0};
    struct str text;
    str_init(&text, ERROR_TEXT_MAX);
    cli->local->notes(cli->profile, ask, &answer);
    enum err err = answer.error.code;
    if (err != ERR_OK)
        err = error_set(error, err, "nothing was noted: %s", answer.error.text);
    notes_answer_text(&answer, &text);
    if (err == ERR_OK && text.len > 0)
        out_say(cli->err, "bursar: %s\n", text.s);
    if (err == ERR_OK)
        out_say(cli->err, "bursar: kept on this machine\n");
    if (err == ERR_OK && answer.unshared.code != ERR_OK)
        out_say(cli->err, "bursar: colleagues see it once the team's store answers: %s\n", answer.unshared.text);
    str_clear(&text);
    notes_free(answer.notes);
    notes_ask_free(ask);
    return err;
}

/* The rest of a line that is too long is not cut off in silence: it makes the text too long for a note. */
bool cli_notes_read_line(const struct cli *cli, const char *prompt, char *line, size_t size) {
    if (isatty(STDIN_FILENO))
        return cli_prompt(cli, prompt, line, size);
    return cli_read_line(line, size) || *line;
}

static void notes_say_unknown(struct cli *cli) {
    if (!cli->args.user)
        cli_say_if_unknown(cli, cli->args.operands[0]);
}

enum err cli_intents_note(struct cli *cli, struct error *error) {
    struct notes_ask *ask = notes_ask_new();
    const struct note where = notes_where(cli);
    char line[LINE_BYTES] = "";
    const char *text = cli->args.n_operands > 1 ? cli->args.operands[1] : line;
    if (text == line)
        (void)cli_notes_read_line(cli, "Note: ", line, sizeof line);
    enum err err = notes_ask_text(ask, &where, text, error);
    if (err == ERR_OK) {
        notes_say_unknown(cli);
        return notes_keep(cli, ask, error);
    }
    notes_ask_free(ask);
    return err;
}

static bool notes_take_off_any(const struct cli *cli, const struct notes_ask *ask) {
    const struct notes_subject *subject =
        ask->n > 0 ? notes_find(cli->notes, ask->items[0].about, ask->items[0].id, strlen(ask->items[0].id)) : NULL;
    for (size_t i = 0; i < ask->n; i++)
        for (size_t k = 0; subject && k < subject->n_tags; k++)
            if (str_equal(subject->tags[k].text, ask->items[i].text))
                return true;
    return false;
}

/* What a colleague put on may not be known here yet. */
static enum err notes_check_untag(struct cli *cli, const struct notes_ask *ask, struct error *error) {
    if (cli->args.command != COMMAND_INTENTS_UNTAG || notes_take_off_any(cli, ask) ||
        profile_shares_notes(cli->profile))
        return ERR_OK;
    return error_set(error, ERR_INVALID, "%s has no such tag: nothing was taken off", ask->items[0].id);
}

/* `untag` takes every name off, whatever its sign. */
enum err cli_intents_tag(struct cli *cli, struct error *error) {
    struct notes_ask *ask = notes_ask_new();
    const struct note where = notes_where(cli);
    struct str words;
    str_init(&words, WORDS_BYTES);
    for (size_t i = 1; i < cli->args.n_operands; i++)
        str_addf(&words, "%s ", cli->args.operands[i]);
    enum err err = notes_ask_tags(ask, &where, words.s, error);
    for (size_t i = 0; i < ask->n && cli->args.command == COMMAND_INTENTS_UNTAG; i++)
        ask->items[i].kind = NOTE_UNTAG;
    str_clear(&words);
    if (err == ERR_OK) {
        notes_say_unknown(cli);
        err = notes_check_untag(cli, ask, error);
    }
    if (err == ERR_OK)
        return notes_keep(cli, ask, error);
    notes_ask_free(ask);
    return err;
}
