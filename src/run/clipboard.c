#include "clipboard.h"

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
    const char *display; /* the variable without which it cannot work */
    char *const *argv;
} TOOLS[] = {{"WAYLAND_DISPLAY", WL_COPY}, {"DISPLAY", XCLIP}, {"DISPLAY", XSEL}};

struct copy_job {
    struct lane_job job;
    struct clipboard_setup setup;
    struct effect copy; /* its text and what: the job's own */
    const char *tool;   /* tried last */
    bool done, tell_only;
};

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

static bool has_tool(void) {
    for (size_t i = 0; i < COUNT_OF(TOOLS); i++) {
        if (is_set(TOOLS[i].display)) {
            return true;
        }
    }
    return false;
}

static bool has_word(const char *text, const char *word) {
    size_t len = strlen(word);
    bool found = false;
    for (const char *at = strstr(text, word); at && !found; at = strstr(at + 1, word)) {
        found = (at == text || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0');
    }
    return found;
}

/* Secrets and whole rows are not repeated on the screen. */
static const char *shown_text(const struct effect *copy) {
    static const char *const IDS[] = {"id", "user", "credential", "account.id"};
    enum { SHOWN_MAX = 120 };
    bool is_id = false;
    for (size_t i = 0; i < COUNT_OF(IDS) && !is_id; i++) {
        is_id = has_word(copy->what, IDS[i]);
    }
    return is_id && strlen(copy->text) <= SHOWN_MAX ? copy->text : NULL;
}

static void tell(const struct clipboard_setup *setup, const struct effect *copy, enum copy_way way, const char *tool) {
    bool terminal = way == COPY_TERMINAL;
    struct copied copied = {.way = way,
                            .what = copy->what,
                            .tool = tool,
                            .through = terminal && is_set("TMUX")  ? "tmux"
                                       : terminal && is_set("STY") ? "screen"
                                                                   : NULL,
                            .text = shown_text(copy),
                            .bytes = strlen(copy->text)};
    setup->copied(setup->owner, &copied);
}

/* A program that is not there gives way to the next; one that hangs would only be followed by another that does. */
static void copy_run(struct lane_job *job, void *lane_state) {
    struct copy_job *own = (struct copy_job *)job;
    (void)lane_state;
    for (size_t i = 0; i < COUNT_OF(TOOLS) && !own->done; i++) {
        if (is_set(TOOLS[i].display)) {
            own->tool = TOOLS[i].argv[0];
            own->done =
                command_feed(TOOLS[i].argv, own->copy.text, strlen(own->copy.text), TOOL_TIMEOUT_MS, NULL) == ERR_OK;
        }
    }
}

static void copy_done(struct lane_job *job, void *owner) {
    struct copy_job *own = (struct copy_job *)job;
    enum copy_way way = COPY_TOOL;
    if (!own->done) {
        way = !own->tell_only && own->setup.terminal(owner, &own->copy) ? COPY_TERMINAL : COPY_NOWHERE;
    }
    tell(&own->setup, &own->copy, way, own->tool);
}

static void copy_free(struct lane_job *job) {
    struct copy_job *own = (struct copy_job *)job;
    secret_free_text(own->copy.text);
    free(own->copy.what);
    free(own);
}

static void ask_tools(struct clipboard *clipboard, const struct clipboard_setup *setup, const struct effect *copy,
                      bool tell_only) {
    struct copy_job *job = mem_new(sizeof *job);
    *job = (struct copy_job){.job = {.run = copy_run, .done = copy_done, .free = copy_free},
                             .setup = *setup,
                             .copy = {.kind = EFFECT_COPY, .what = mem_dup(copy->what), .text = mem_dup(copy->text)},
                             .tell_only = tell_only};
    if (!clipboard->lane) {
        clipboard->lane = lane_new("copy", NULL, setup->wake, setup->owner);
    }
    lane_push(clipboard->lane, &job->job);
}

void clipboard_copy(struct clipboard *clipboard, const struct clipboard_setup *setup, const struct effect *copy) {
    bool remote = is_set("SSH_CONNECTION") || is_set("SSH_TTY"), tools = has_tool();
    if (tools && !remote) {
        ask_tools(clipboard, setup, copy, false);
    } else if (setup->terminal(setup->owner, copy)) {
        tell(setup, copy, COPY_TERMINAL, NULL);
    } else if (tools) {
        ask_tools(clipboard, setup, copy, true);
    } else {
        tell(setup, copy, COPY_NOWHERE, NULL);
    }
}

void clipboard_close(struct clipboard *clipboard) {
    if (clipboard->lane) {
        lane_free(clipboard->lane, false);
        clipboard->lane = NULL;
    }
}
