#include "panes/intents/intents.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Undo and redo for the view, and a message that says what changed, since the filter row may be cut. */

struct before {
    char *text;
    struct lookup_sort sort[LOOKUP_SORTS];
    struct column_set columns;
};

static bool is_sort(const struct lookup_sort *a, const struct lookup_sort *b) {
    bool same = true;
    for (int i = 0; i < LOOKUP_SORTS; i++)
        same = same && a[i].field == b[i].field && a[i].descending == b[i].descending;
    return same;
}

/* What `longer` has behind `shorter`; NULL where it does not begin with it. */
static const char *undo_rest_of(const char *longer, const char *shorter) {
    size_t len = strlen(shorter);
    if (strncmp(longer, shorter, len) != 0)
        return NULL;
    return len == 0 ? longer : longer[len] == ' ' ? longer + len + 1 : NULL;
}

/* The term that was removed is named before the filter, which may be long. */
static void undo_add_filter(const struct view *view, const char *before, const char *way, struct str *out) {
    const char *gone = undo_rest_of(before, view->text), *come = undo_rest_of(view->text, before);
    if (gone)
        str_addf(out, "without %s: ", gone);
    else if (come && *before)
        str_addf(out, "with %s: ", come);
    str_addf(out, "filter %s %s", way, *view->text ? view->text : "none");
}

static void undo_add_change(const struct view *view, const struct before *before, const char *way, struct str *out) {
    if (!str_equal(before->text, view->text)) {
        undo_add_filter(view, before->text, way, out);
    } else if (!is_sort(before->sort, view->sort)) {
        str_addf(out, "order %s ", way);
        intents_sort_text(view, out);
        str_add(out, view_is_sorted(view) ? "" : "as sent by the service");
    } else if (!columns_equal(&before->columns, &view->columns)) {
        str_addf(out, "columns %s what was chosen", way);
    } else {
        str_addf(out, "marks %s %zu", way, view->marks.n);
    }
}

void undo_step(struct shell *shell, bool again, struct effects *effects) {
    struct view *view = intents_view(shell);
    struct before before = {.text = mem_dup(view->text), .columns = view->columns};
    struct error error = {0};
    struct str text;
    memcpy(before.sort, view->sort, sizeof before.sort);
    str_init(&text, 4 * QUERY_TEXT_MAX);
    if ((again ? view_redo : view_undo)(view, shell_now(shell), effects, &error)) {
        undo_add_change(view, &before, again ? "again" : "back to", &text);
        shell_message(shell, ROLE_INFO, "%s", text.s);
        intents_viewed(shell, effects);
    } else if (error.code != ERR_OK) {
        shell_message(shell, ROLE_ERROR, "%s", error.text);
    } else {
        shell_message(shell, ROLE_INFO, again ? "nothing to do again" : "nothing to undo");
    }
    str_clear(&text);
    free(before.text);
}

void intents_narrow(struct shell *shell, const char *text, const char *term, struct effects *effects) {
    if (!*text) {
        shell_message(shell, ROLE_INFO, "the filter says so already: %s", term);
        return;
    }
    intents_apply(shell, text, effects);
    if (str_equal(intents_view(shell)->text, text))
        shell_message(shell, ROLE_INFO, "added to the filter: %s; %s undoes", term, shell_key_of(shell, ACTION_UNDO));
}
