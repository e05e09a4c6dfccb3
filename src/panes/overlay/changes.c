#include "app/observed.h"
#include "panes/intents/list.h"
#include "panes/shell/reader.h"

#include <stdlib.h>

/* Observed changes of an intent. */

enum { LINE_MAX = 1 << 20 };

struct changes {
    struct lookup_name name; /* the intent whose changes are shown; id NULL: none */
    uint64_t ticket;         /* of the question that is open */
    bool again;              /* the cache changed while a question was open */
};

static struct changes *changes_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_CHANGES);
}

static void overlay_changes_clear(struct shell *shell) {
    struct changes *changes = changes_of(shell);
    free(changes->name.id);
    *changes = (struct changes){0};
}

static void overlay_changes_add_time(const struct shell *shell, int64_t ms, struct str *out) {
    if (shell_zone(shell) == CLOCK_AGE) {
        clock_format_ago(out, ms, shell_now(shell));
    } else {
        clock_format(out, ms, shell_zone(shell), shell_now(shell));
        str_add(out, shell_zone(shell) == CLOCK_UTC ? " UTC" : "");
        (void)clock_format_ahead(out, ", ", ms, shell_now(shell));
    }
}

static void overlay_changes_add_value(const char *value, struct str *out) {
    str_add(out, !value ? "(absent)" : *value ? value : "\"\"");
}

/* Changes seen in one reading have the same time. */
static void overlay_changes_add_change(struct shell *shell, struct detail *body, const struct observed *observed,
                                       size_t index) {
    const struct observed_change *change = &observed->items[index];
    struct str text, time;
    str_init(&text, LINE_MAX);
    str_init(&time, 64);
    if (index == 0 || observed->items[index - 1].seen != change->seen)
        overlay_changes_add_time(shell, change->seen, &time);
    str_addf(&text, "%s: ", change->field);
    overlay_changes_add_value(change->old, &text);
    str_add(&text, " -> ");
    overlay_changes_add_value(change->now, &text);
    enum role role = str_equal(change->field, "status") ? intents_status_role(change->now) : ROLE_TEXT;
    detail_add(body, arena_dup_n(&body->arena, time.s, time.len), text.s, role);
    str_clear(&text);
    str_clear(&time);
}

static void add_reading(struct shell *shell, struct detail *body, const char *label, int64_t ms) {
    struct str time;
    str_init(&time, 64);
    overlay_changes_add_time(shell, ms, &time);
    detail_add(body, label, time.s, ROLE_TEXT);
    str_clear(&time);
}

static void overlay_changes_fill(struct shell *shell, struct detail *body, const struct observed *observed) {
    detail_empty(body);
    if (observed->error.code != ERR_OK || !observed->held) {
        bool failed = observed->error.code != ERR_OK;
        detail_add(body, NULL, failed ? observed->error.text : "the cache does not hold this intent yet",
                   failed ? ROLE_ERROR : ROLE_DIM);
    } else {
        add_reading(shell, body, "first seen", observed->first_seen);
        add_reading(shell, body, "last confirmed", observed->confirmed);
        detail_add(body, NULL, "", ROLE_TEXT);
        for (size_t i = 0; i < observed->n; i++)
            overlay_changes_add_change(shell, body, observed, i);
        if (observed->n == 0)
            detail_add(body, NULL, "no change was observed", ROLE_DIM);
        detail_add(body, NULL, "", ROLE_TEXT);
    }
    detail_add(body, NULL,
               "The service tells no history: this is what differed between two readings of this machine, at the time "
               "of the later one.",
               ROLE_DIM);
    reader_fill(shell);
}

static void overlay_changes_ask(struct changes *changes, struct effects *effects) {
    const struct lookup_name *name = &changes->name;
    changes->again = false;
    changes->ticket = effects_observed(effects, observed_ask(name->id, name->ms, name->key));
}

/* Opens the reader with them. */
static bool open_changes(struct shell *shell, const void *argument, struct effects *effects) {
    struct changes *changes = changes_of(shell);
    struct result_row row;
    struct str title;
    bool there = intents_under(shell, &row) && row.intent->id.state == VALUE_OK;
    (void)argument;
    if (!there || intents_source(shell) != VIEW_OF_CACHE) {
        shell_message(shell, ROLE_WARN,
                      there ? "changes are kept in the cache, which is not in use"
                            : "a row without an id has no history");
        return false;
    }
    str_init(&title, 256);
    str_addf(&title, "Observed changes of %s", row.intent->id.text);
    detail_add(reader_open(shell, title.s, OVERLAY_CHANGES, OVERLAY_NONE), NULL, "looking", ROLE_INFO);
    str_clear(&title);
    reader_fill(shell);
    overlay_changes_clear(shell);
    changes->name = lookup_name_of(row.intent->id.text, row.intent->created_at.ms, row.key);
    overlay_changes_ask(changes, effects);
    return false;
}

/* A page is stored after it is shown: changes that the cache learns while the text is open are added. */
static bool overlay_changes_event(struct shell *shell, struct event *given, struct effects *effects) {
    struct changes *changes = changes_of(shell);
    struct detail *body = reader_body(shell, OVERLAY_CHANGES);
    bool on_show = body && shell_shows(shell, OVERLAY_READER);
    bool mine = given->kind == EVENT_OBSERVED && changes->ticket && given->ticket == changes->ticket;
    bool moved = given->kind == EVENT_INDEX && on_show;
    if (mine)
        changes->ticket = 0;
    if (mine && body)
        overlay_changes_fill(shell, body, event_get(given, observed));
    if (moved && changes->ticket)
        changes->again = true;
    else if (moved || (mine && changes->again && on_show))
        overlay_changes_ask(changes, effects);
    return mine;
}

const struct pane changes_overlay = {.size = sizeof(struct changes),
                                     .clear = overlay_changes_clear,
                                     .open = open_changes,
                                     .event = overlay_changes_event};
