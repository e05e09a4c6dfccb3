#include "panes/intents/intents.h"
#include "panes/shell/menu.h"

#include "app/inspect.h"
#include "app/record.h"
#include "base/utf8.h"

#include <string.h>

enum { TEXT_MAX = REPLY_BODY_MAX, WHAT_MAX = 200 };

enum { COPY_SUMMARY, COPY_ID, COPY_CELL, COPY_ROW, COPY_JSON }; /* by how often what no other key does is wanted */

/* What is under the cursor is copied whole and as served: the list may show it cut or formatted. */
static const struct intent *current(struct shell *shell) {
    const struct intent *intent = intents_current(shell);
    if (!intent)
        shell_message(shell, ROLE_WARN, "there is no row under the cursor");
    return intent;
}

static void intents_copy_text(struct shell *shell, const char *what, const struct str *text, struct effects *effects) {
    if (text->truncated)
        shell_message(shell, ROLE_WARN, "%s is too large to be copied", what);
    else if (text->len == 0)
        shell_message(shell, ROLE_WARN, "there is nothing under the cursor to copy; %s and %s choose a column",
                      shell_key_of(shell, ACTION_LEFT), shell_key_of(shell, ACTION_RIGHT));
    else
        effects_copy(effects, what, text->s);
}

static void intents_copy_add_row(const struct shell *shell, const struct intent *intent, struct str *out) {
    struct record_style style = {.format = RECORD_CSV, .money = profile_money(shell_profile(shell))};
    record_row(&style, intent, true, out);
    str_delete(out, out->len - 2, 2); /* without the line end: the text is pasted into a cell */
}

static int64_t seen_at(const struct shell *shell) {
    struct result_row row;
    return intents_at(shell, intents_of(shell)->table.cursor, &row) ? row.confirmed : CLOCK_NONE;
}

static void add_summary(const struct shell *shell, const struct intent *intent, struct str *out) {
    const struct profile *profile = shell_profile(shell);
    struct record_summary summary = {.environment = profile->environment,
                                     .profile = profile->name,
                                     .money = profile_money(profile),
                                     .now = shell_now(shell),
                                     .related = intents_related(shell, intent),
                                     .seen = seen_at(shell),
                                     .reasons = shell_options(shell)->reasons,
                                     .notes = intents_notes(shell)};
    record_hand_over(&summary, intent, out);
}

/* Whether no byte can act where the text is pasted: a control character, or a line end, could. */
static bool is_harmless(const struct str *text) {
    bool harmless = !text->truncated;
    for (size_t at = 0; at < text->len && harmless;) {
        int32_t code;
        at += utf8_decode(text->s + at, text->len - at, &code);
        harmless = code >= ' ' && !(code >= 0x7F && code < 0xA0) && code != 0x2028 && code != 0x2029;
    }
    return harmless;
}

/* A text on the screen has tokens for invisible characters, and is cut where it is too long. So the text as the service
 * sent it is copied, or the message says that it is not. */
static void take_served(const struct intent *intent, int column, struct str *text, struct str *what) {
    enum intent_field field = intents_shown_field(intent, column);
    struct str served;
    str_init(&served, TEXT_MAX);
    if (field == INTENT_FIELD_COUNT || !inspect_served(intent, intent_field_path(field), &served) ||
        str_equal(served.s, text->s)) {
        str_clear(&served);
        return;
    }
    if (is_harmless(&served)) {
        str_add(what, " as served, with invisible characters,");
        str_reset(text);
        str_add_n(text, served.s, served.len);
    } else {
        str_insert(what, 0, "not the exact ", strlen("not the exact "));
        str_add(what, " (control characters are tokens)");
    }
    str_clear(&served);
}

static void copy_column(struct shell *shell, const struct intent *intent, int column, const char *name,
                        struct effects *effects) {
    struct str text, what;
    str_init(&text, TEXT_MAX);
    str_init(&what, WHAT_MAX);
    intents_column_text(shell, intent, column, &text);
    str_add(&what, name);
    if (text.len > 0)
        take_served(intent, column, &text, &what);
    intents_copy_text(shell, what.s, &text, effects);
    str_clear(&text);
    str_clear(&what);
}

static void copy_as(struct shell *shell, size_t way, struct effects *effects) {
    static const char *const WHAT[] = {
        [COPY_ROW] = "the row", [COPY_JSON] = "the JSON", [COPY_SUMMARY] = "the summary"};
    const struct intent *intent = current(shell);
    struct str text;
    if (!intent)
        return;
    if (way == COPY_ID) {
        copy_column(shell, intent, COLUMN_ID, "the id", effects);
        return;
    }
    if (way == COPY_CELL) {
        copy_column(shell, intent, intents_of(shell)->table.column, column_info(intents_of(shell)->table.column)->name,
                    effects);
        return;
    }
    str_init(&text, TEXT_MAX);
    if (way == COPY_ROW)
        intents_copy_add_row(shell, intent, &text);
    else if (way == COPY_JSON)
        inspect_json(intent, &text);
    else
        add_summary(shell, intent, &text);
    intents_copy_text(shell, WHAT[way], &text, effects);
    str_clear(&text);
}

/* The detail has no cells: it copies the intent's id. */
void copy_under(struct shell *shell, struct effects *effects) {
    const struct intents *intents = intents_of(shell);
    copy_as(shell, intents->place == DETAIL_FULL || intents->detail_focused ? COPY_ID : COPY_CELL, effects);
}

void copy_open(struct shell *shell) {
    if (!current(shell))
        return;
    menu_begin(shell, "Copy", copy_as);
    menu_add(shell, "summary for a ticket", "masked");
    menu_add(shell, "id", NULL);
    menu_add(shell, "value under the cursor", column_info(intents_of(shell)->table.column)->name);
    menu_add(shell, "row as CSV", "every field");
    menu_add(shell, "JSON", "as served");
    menu_open(shell);
}
