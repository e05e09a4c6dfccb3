#include "state.h"

#include "app/inspect.h"
#include "app/record.h"
#include "base/mem.h"

#include <string.h>

enum { TEXT_MAX = REPLY_BODY_MAX };

enum { COPY_CELL, COPY_ID, COPY_ROW, COPY_JSON, COPY_SUMMARY };

/* What is under the cursor, whole and as served: what the list shows may be cut or formatted. */
static const struct intent *current(struct shell *shell) {
    const struct intent *intent = intents_current(shell);
    if (!intent) {
        shell_message(shell, ROLE_WARN, "there is no row under the cursor");
    }
    return intent;
}

static void copy_text(struct shell *shell, const char *what, const struct str *text, struct effects *effects) {
    if (text->full) {
        shell_message(shell, ROLE_WARN, "%s is too large to be copied", what);
    } else if (text->len == 0) {
        shell_message(shell, ROLE_WARN, "there is nothing under the cursor to copy; h and l choose a column");
    } else {
        effects_copy(effects, what, text->s);
    }
}

static void add_id(const struct intent *intent, struct str *out) {
    str_add(out, intent->id.text ? intent->id.text : "");
}

static void add_row(const struct shell *shell, const struct intent *intent, struct str *out) {
    struct record_style style = {.format = RECORD_CSV, .money = profile_money(shell->options.profile)};
    record_row(&style, intent, true, out);
    str_delete(out, out->len - 2, 2); /* the line end: it is pasted into a cell */
}

static int64_t seen_at(const struct shell *shell) {
    struct list_row row;
    return intents_at(shell, shell->intents.table.cursor, &row) ? row.confirmed : CLOCK_NONE;
}

static void add_summary(const struct shell *shell, const struct intent *intent, struct str *out) {
    const struct profile *profile = shell->options.profile;
    struct record_summary summary = {.environment = profile->environment,
                                     .profile = profile->name,
                                     .money = profile_money(profile),
                                     .seen = seen_at(shell)};
    record_hand_over(&summary, intent, out);
}

/* Characters that nobody sees stand in an id as tokens: what is copied then is not the id as the service has it. */
static bool has_token(const char *text) {
    for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        size_t n = strspn(at + 1, "0123456789ABCDEF");
        if (n >= 2 && n <= 6 && at[1 + n] == '>') {
            return true;
        }
    }
    return false;
}

static const char *id_words(const struct intent *intent) {
    return has_token(intent->id.text ? intent->id.text : "") ? "not the exact id (a character nobody sees as its token)"
                                                             : "the id";
}

static void copy_as(struct shell *shell, size_t way, struct effects *effects) {
    static const char *const WHAT[] = {
        [COPY_ID] = "the id", [COPY_ROW] = "the row", [COPY_JSON] = "the JSON", [COPY_SUMMARY] = "the summary"};
    const struct intent *intent = current(shell);
    struct str text;
    if (!intent) {
        return;
    }
    str_init(&text, TEXT_MAX);
    switch (way) {
    case COPY_CELL:
        intents_column_text(intent, shell->intents.table.column, &text);
        break;
    case COPY_ID:
        add_id(intent, &text);
        break;
    case COPY_ROW:
        add_row(shell, intent, &text);
        break;
    case COPY_JSON:
        inspect_json(intent, &text);
        break;
    default:
        add_summary(shell, intent, &text);
        break;
    }
    const char *cell = column_info(shell->intents.table.column)->name;
    bool of_id = way == COPY_ID || (way == COPY_CELL && str_equal(cell, "id"));
    copy_text(shell,
              of_id && has_token(text.s) ? id_words(intent)
              : way == COPY_CELL         ? cell
                                         : WHAT[way],
              &text, effects);
    str_clear(&text);
}

/* In the detail there is no cell: its id stands for it. */
void copy_under(struct shell *shell, struct effects *effects) {
    const struct intents *intents = &shell->intents;
    copy_as(shell, intents->place == DETAIL_FULL || intents->detail_focused ? COPY_ID : COPY_CELL, effects);
}

void copy_open(struct shell *shell) {
    if (!current(shell)) {
        return;
    }
    menu_begin(shell, "Copy", copy_as);
    menu_add(shell, "value under the cursor", column_info(shell->intents.table.column)->name);
    menu_add(shell, "id", NULL);
    menu_add(shell, "row as CSV", "every field");
    menu_add(shell, "JSON", "as served");
    menu_add(shell, "summary for a ticket", "masked");
    menu_open(shell);
}
