#include "panes/overlay/prompt.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Lines typed before. Those that name a person or an account, or might, are kept only until the console ends; the
 * others are stored on the disk, each with the sign of its prompt in front. */

enum { HISTORY_MAX = 100 };

void prompt_history_clear(struct prompt *prompt) {
    for (int kind = 0; kind < PROMPT_KINDS; kind++) {
        for (size_t i = 0; i < prompt->history[kind].n; i++)
            free(prompt->history[kind].items[i]);
        free(prompt->history[kind].items);
    }
}

static void prompt_history_drop(struct prompt_history *history, size_t place) {
    free(history->items[place]);
    history->n--;
    memmove(history->items + place, history->items + place + 1, (history->n - place) * sizeof *history->items);
}

/* Adds a line at the end; an equal line is removed, or the oldest where there is no room. */
static void prompt_history_add(struct prompt_history *history, const char *text) {
    size_t place = 0;
    while (place < history->n && !str_equal(history->items[place], text))
        place++;
    if (place < history->n)
        prompt_history_drop(history, place);
    else if (history->n == HISTORY_MAX)
        prompt_history_drop(history, 0);
    char **slot = vec_add(history);
    *slot = mem_dup(text);
}

/* A bare word can be anything that was pasted. */
static bool may_be_kept(const struct shell *shell, const char *text) {
    struct query *query;
    bool kept = intents_parse(shell, text, &query, NULL, NULL) == ERR_OK;
    if (kept) {
        kept = !query_is_personal(query);
        query_free(query);
    }
    return kept;
}

void prompt_remember(struct shell *shell, struct effects *effects) {
    struct prompt *prompt = prompt_of(shell);
    const char *text = prompt->edit.text.s;
    if (prompt->edit.text.len == 0)
        return;
    prompt_history_add(&prompt->history[prompt->kind], text);
    if (prompt->kind < PROMPT_JUMP && may_be_kept(shell, text)) {
        struct str line;
        str_init(&line, QUERY_TEXT_MAX + 8);
        str_addf(&line, "%s%s", prompt_sign(prompt->kind), text);
        effects_history(effects, line.s);
        str_clear(&line);
    }
}

static bool is_clean(const char *line, size_t len) {
    struct str clean;
    str_init(&clean, 8 * QUERY_TEXT_MAX);
    utf8_sanitise(&clean, line, len);
    bool same = clean.len == len && memcmp(clean.s, line, len) == 0;
    str_clear(&clean);
    return same && len > 1 && len <= QUERY_TEXT_MAX;
}

static void prompt_history_take_line(struct prompt *prompt, const char *line, size_t len) {
    for (int kind = 0; kind < PROMPT_JUMP && is_clean(line, len); kind++) {
        if (*line == *prompt_sign((enum prompt_kind)kind)) {
            char *text = mem_dup_n(line + 1, len - 1);
            prompt_history_add(&prompt->history[kind], text);
            free(text);
        }
    }
}

/* Lines typed since the start are newer than those on the disk. */
void prompt_take_history(struct prompt *prompt, const char *text) {
    struct prompt_history typed[PROMPT_KINDS];
    memcpy(typed, prompt->history, sizeof typed);
    memset(prompt->history, 0, sizeof prompt->history);
    for (size_t len; *text; text += len + (text[len] == '\n')) {
        len = strcspn(text, "\n");
        prompt_history_take_line(prompt, text, len);
    }
    for (int kind = 0; kind < PROMPT_KINDS; kind++) {
        size_t from_end = typed[kind].n - typed[kind].at;
        for (size_t i = 0; i < typed[kind].n; i++) {
            prompt_history_add(&prompt->history[kind], typed[kind].items[i]);
            free(typed[kind].items[i]);
        }
        free(typed[kind].items);
        prompt->history[kind].at = prompt->history[kind].n - from_end;
    }
}
