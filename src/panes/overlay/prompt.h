#ifndef PANES_PROMPT_H
#define PANES_PROMPT_H
/* A line being typed in the place of the hints, and the lines typed before. */

#include "panes/intents/list.h"
#include "query/complete.h"
#include "ui/edit.h"

struct prompt_history {
    char **items;
    size_t n, cap, at;
};

/* With suggestions for what is at its caret. */
struct prompt {
    enum prompt_kind kind;
    struct edit edit;
    struct prompt_history history[PROMPT_KINDS];
    char *draft; /* the unfinished line, while older ones are on show */
    struct query_completion completion;
    int selected; /* -1: none is selected, the list is only shown */
    struct lookup_result *seen;
    enum query_field_code seen_field, wanted_field, asked_field;
    uint64_t ticket;
    bool awaits;  /* a list that the line names is being read */
    bool applies; /* as soon as the list that the line names is read */
    struct query_fault fault;
    char fault_text[ERROR_TEXT_MAX];
};

static inline struct prompt *prompt_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_PROMPT);
}
const char *prompt_sign(enum prompt_kind kind);

/* prompt_counts.c: drawn over the row of the line, behind its text. */
void prompt_draw_counts(const struct shell *shell, struct canvas *canvas, struct rect row);

/* prompt_history.c */
void prompt_history_clear(struct prompt *prompt);
void prompt_remember(struct shell *shell, struct effects *effects);
void prompt_take_history(struct prompt *prompt, const char *text);

#endif
