#include "clipboard.h"
#include "run/lanes/job.h"

#include "base/command.h"
#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>
#include <string.h>

enum { TOOL_TIMEOUT_MS = 2000 };

static char *const WL_COPY[] = {"wl-copy", "--type", "text/plain", NULL};
static char *const XCLIP[] = {"xclip", "-selection", "clipboard", "-in", NULL};
static char *const XSEL[] = {"xsel", "--clipboard", "--input", NULL};

static const struct tool {
    const char *display; /* the variable without which the program cannot work */
    char *const *argv;
} TOOLS[] = {{"WAYLAND_DISPLAY", WL_COPY}, {"DISPLAY", XCLIP}, {"DISPLAY", XSEL}};

struct copy_work {
    struct copy_ask *ask;
    const char *tool; /* the program that was tried last */
    bool done, tell_only;
};
PAYLOAD_TYPE(copy_work)

static void copy_work_free(struct copy_work *work) {
    copy_ask_free(work->ask);
    free(work);
}
PAYLOAD_OWNED(copy_work, copy_work_free);

static bool clipboard_is_set(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

static bool has_tool(void) {
    for (size_t i = 0; i < COUNT_OF(TOOLS); i++)
        if (clipboard_is_set(TOOLS[i].display))
            return true;
    return false;
}

static bool clipboard_has_word(const char *text, const char *word) {
    size_t len = strlen(word);
    bool found = false;
    for (const char *at = strstr(text, word); at && !found; at = strstr(at + 1, word))
        found = (at == text || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0');
    return found;
}

/* Secrets and whole rows are not shown on the screen again. */
static const char *clipboard_shown_text(const struct copy_ask *copy) {
    static const char *const IDS[] = {"id", "user", "credential", "account.id"};
    enum { SHOWN_MAX = 120 };
    bool is_id = false;
    for (size_t i = 0; i < COUNT_OF(IDS) && !is_id; i++)
        is_id = clipboard_has_word(copy->what, IDS[i]);
    return is_id && strlen(copy->text) <= SHOWN_MAX ? copy->text : NULL;
}

static void clipboard_say(struct performer *performer, const struct copy_ask *copy, enum copy_way way,
                          const char *tool) {
    bool terminal = way == COPY_TERMINAL;
    struct copied copied = {.way = way,
                            .what = copy->what,
                            .tool = tool,
                            .through = terminal && clipboard_is_set("TMUX")  ? "tmux"
                                       : terminal && clipboard_is_set("STY") ? "screen"
                                                                             : NULL,
                            .text = clipboard_shown_text(copy),
                            .bytes = strlen(copy->text)};
    struct event event = {.kind = EVENT_COPIED, .payload = payload_of(copied, &copied)};
    performer->tell(performer, &event);
}

/* Where a program is missing the next one is tried; after one that hangs no other is, since it would hang too. */
static void clipboard_run(struct job *job, void *lane_state) {
    struct copy_work *work = job_work(job, copy_work);
    (void)lane_state;
    for (size_t i = 0; i < COUNT_OF(TOOLS) && !work->done; i++) {
        if (clipboard_is_set(TOOLS[i].display)) {
            work->tool = TOOLS[i].argv[0];
            work->done =
                command_feed(TOOLS[i].argv, work->ask->text, strlen(work->ask->text), TOOL_TIMEOUT_MS, NULL) == ERR_OK;
        }
    }
}

static bool to_terminal(const struct performer *performer, const struct copy_ask *ask) {
    return perform_screen(performer, &(struct effect){.kind = EFFECT_COPY, .payload = payload_of(copy_ask, ask)});
}

static void clipboard_done(struct job *job, void *owner) {
    const struct copy_work *work = job_work(job, copy_work);
    enum copy_way way = COPY_TOOL;
    if (!work->done)
        way = !work->tell_only && to_terminal(owner, work->ask) ? COPY_TERMINAL : COPY_NOWHERE;
    clipboard_say(owner, work->ask, way, work->tool);
}

static void ask_tools(struct performer *performer, struct copy_ask *ask, bool tell_only) {
    struct clipboard *clipboard = performer->clipboard;
    struct copy_work *work = mem_new(sizeof *work);
    *work = (struct copy_work){.ask = ask, .tell_only = tell_only};
    struct job *job = job_new(clipboard_run, 0, payload_of(copy_work, work), NULL);
    job->done = clipboard_done;
    if (!clipboard->lane)
        clipboard->lane = lane_new("copy", NULL, performer->wake, performer);
    lane_push(clipboard->lane, &job->lane);
}

void perform_copy(struct performer *performer, struct effect *effect) {
    const struct copy_ask *ask = effect_get(effect, copy_ask);
    bool remote = clipboard_is_set("SSH_CONNECTION") || clipboard_is_set("SSH_TTY"), tools = has_tool();
    if (tools && !remote)
        ask_tools(performer, effect_take(effect, copy_ask), false);
    else if (perform_screen(performer, effect))
        clipboard_say(performer, ask, COPY_TERMINAL, NULL);
    else if (tools)
        ask_tools(performer, effect_take(effect, copy_ask), true);
    else
        clipboard_say(performer, ask, COPY_NOWHERE, NULL);
}

void clipboard_close(struct clipboard *clipboard) {
    lane_free(clipboard->lane, false);
    clipboard->lane = NULL;
}
