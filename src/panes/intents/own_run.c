#include "panes/intents/intents.h"
#include "panes/shell/ask.h"
#include "panes/shell/menu.h"
#include "panes/shell/reader.h"

#include "app/own_action.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Programs of the operator's own: chosen from a menu, shown as they would run before the first time, and what they
 * printed. */

enum { NOT_RUN, RUN, OUTPUT_BYTES = 256 << 10, SEEN_BITS = 64 };

static const struct own_actions *own_run_actions(const struct shell *shell) {
    return shell_options(shell)->own_actions;
}

void own_run_clear(struct intents *intents) {
    own_ask_free(intents->own.ask);
    free(intents->own.question);
    intents->own.ask = NULL;
    intents->own.question = NULL;
}

static void own_run_send(struct shell *shell, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    effects_own(effects, intents->own.ask);
    intents->own.ask = NULL;
}

static void own_run_answered(struct shell *shell, int button, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    if (button != RUN || !intents->own.ask)
        return;
    intents->own.seen |= UINT64_C(1) << intents->own.chosen % SEEN_BITS;
    own_run_send(shell, effects);
}

static void own_run_question(struct intents *intents) {
    struct str text;
    str_init(&text, OWN_QUESTION_BYTES);
    own_argv_question(&intents->own.ask->argv, &text);
    free(intents->own.question);
    intents->own.question = str_take(&text);
}

static void own_run_ask(struct shell *shell) {
    static const char *const BUTTONS[] = {[NOT_RUN] = "no", [RUN] = "run it"};
    struct intents *intents = intents_of(shell);
    own_run_question(intents);
    struct ask ask = {.confirm = {.title = "An action of your own",
                                  .text = intents->own.question,
                                  .buttons = BUTTONS,
                                  .n_buttons = (int)COUNT_OF(BUTTONS),
                                  .selected = NOT_RUN,
                                  .role = ROLE_WARN},
                      .answered = own_run_answered,
                      .acts = true};
    if (ask_fits(shell, &ask.confirm)) {
        ask_open(shell, &ask);
    } else {
        shell_message(shell, ROLE_WARN, "not run: the window is too small to show all that would run");
        own_run_clear(intents);
    }
}

static void own_run_chosen(struct shell *shell, size_t choice, struct effects *effects) {
    struct intents *intents = intents_of(shell);
    const struct own_action *action = &own_run_actions(shell)->items[choice];
    const struct intent *intent = intents_current(shell);
    struct error error = {0};
    own_run_clear(intents);
    if (own_action_allowed(action, shell_is_read_only(shell), &error) != ERR_OK) {
        shell_message(shell, ROLE_WARN, "%s", error.text);
        return;
    }
    intents->own.ask = mem_new(sizeof *intents->own.ask);
    intents->own.ask->name = mem_dup(action->name);
    intents->own.chosen = choice;
    if (!intent || own_action_fill(action, intent, &intents->own.ask->argv, &error) != ERR_OK) {
        shell_message(shell, ROLE_WARN, "not run: %s", intent ? error.text : "there is no row under the cursor");
        own_run_clear(intents);
    } else if (intents->own.seen >> choice % SEEN_BITS & 1) {
        own_run_send(shell, effects);
    } else {
        own_run_ask(shell);
    }
}

void own_run_open(struct shell *shell) {
    const struct own_actions *actions = own_run_actions(shell);
    if (shell_is_writing(shell)) { /* a program that has the terminal would hold up its answer */
        shell_message(shell, ROLE_WARN, "a write is on its way: wait for its answer");
        return;
    }
    if (!actions || actions->n == 0) {
        shell_message(shell, ROLE_INFO, OWN_ACTIONS_NONE);
        return;
    }
    menu_begin(shell, "Actions of your own", own_run_chosen);
    for (size_t i = 0; i < actions->n; i++) {
        const struct own_action *action = &actions->items[i];
        menu_add(shell, action->name,
                 action->reads               ? "reads"
                 : shell_is_read_only(shell) ? "not in a read-only profile"
                                             : "may change");
    }
    menu_open(shell);
}

/* What it printed is only ever text. */
static void own_run_show(struct shell *shell, const struct own_done *done) {
    struct detail *body = reader_open(shell, done->name, OVERLAY_MENU, OVERLAY_NONE);
    struct str line;
    str_init(&line, OUTPUT_BYTES);
    for (size_t at = 0; at < done->len;) {
        const char *from = done->output + at, *end = memchr(from, '\n', done->len - at);
        size_t len = end ? (size_t)(end - from) : done->len - at;
        str_reset(&line);
        utf8_sanitise(&line, from, len);
        detail_add(body, NULL, line.s, ROLE_TEXT);
        at += len + 1;
    }
    if (done->cut)
        detail_add(body, NULL, "(it printed more: this is the beginning)", ROLE_DIM);
    str_clear(&line);
    reader_fill(shell);
}

void own_run_done(struct shell *shell, const struct event *event) {
    const struct own_done *done = event_get(event, own_done);
    if (done->error->code != ERR_OK)
        shell_message(shell, ROLE_ERROR, "%s: %s", done->name, done->error->text);
    else if (done->len == 0)
        shell_message(shell, ROLE_INFO, "%s: done, it printed nothing", done->name);
    else
        own_run_show(shell, done);
    shell_redraw(shell);
}
