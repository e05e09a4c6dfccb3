#include "panes/intents/intents.h"

#include "app/handovers.h"
#include "app/inspect.h"
#include "app/notes.h"
#include "app/record.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "ui/lines.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 20 };

static void add_heading(struct detail *detail, const char *text) {
    detail_add(detail, NULL, "", ROLE_TEXT);
    detail_add(detail, NULL, text, ROLE_HEADER);
}

/* Appends a time as served, followed by the same time in the zone on show. */
static void detail_lines_add_time(struct str *text, const struct shell *shell, const struct value_time *time) {
    if (time->state == VALUE_OK && time->text && !clock_has_zone(time->text, strlen(time->text))) {
        str_add(text, "  (as received: it says no time zone)");
        return;
    }
    if (time->state != VALUE_OK || shell_zone(shell) == CLOCK_UTC)
        return;
    str_add(text, "  (");
    if (shell_zone(shell) == CLOCK_LOCAL)
        clock_format(text, time->ms, shell_zone(shell), shell_now(shell));
    else if (clock_is_ahead(time->ms, shell_now(shell)))
        clock_format(text, time->ms, CLOCK_AGE, shell_now(shell));
    else
        clock_format_ago(text, time->ms, shell_now(shell));
    str_add_char(text, ')');
}

/* NULL: a field of the intent itself. */
static const char *heading_of(enum intent_field field) {
    static const char CREDENTIAL[] = "payment credential", LEDGER[] = "account";
    enum field_object object = INTENT_FIELDS[field].object;
    return object == FIELD_IN_INTENT ? NULL : object == FIELD_IN_LEDGER ? LEDGER : CREDENTIAL;
}

/* Under its heading a field needs no prefix. */
static const char *label_of(enum intent_field field) {
    const char *path = intent_field_path(field);
    return heading_of(field) ? strchr(path, '.') + 1 : path;
}

/* Marked like the row under the cursor, until the cursor leaves it. */
static bool detail_lines_is_changed(const struct shell *shell, const struct intent *intent, enum intent_field field) {
    struct result_row row;
    return intents_at(shell, intents_of(shell)->table.cursor, &row) && row.intent == intent &&
           (row.changed & INTENT_CHANGE_BIT(field));
}

/* On a line of its own: there is no room beside the time as served. */
static void detail_lines_add_ahead(struct shell *shell, const struct value_time *time) {
    struct str text;
    str_init(&text, 128);
    if (time->state == VALUE_OK && clock_format_ahead(&text, "", time->ms, shell_now(shell)))
        detail_add(&intents_of(shell)->detail, "", text.s, ROLE_WARN);
    str_clear(&text);
}

/* A text of the operator's own is a sentence: it is broken, so that the narrowest detail shows all of it. */
static void detail_lines_add_broken(struct detail *detail, const char *label, const char *text) {
    enum { COLS = 42 };
    for (size_t skip; *text; text += skip, label = "") {
        size_t len = lines_wrap(text, COLS, &skip);
        char *line = mem_dup_n(text, len);
        detail_add(detail, label, line, ROLE_TEXT);
        free(line);
    }
}

static void detail_lines_add_note(struct shell *shell, const char *label, const struct note *note) {
    struct str text;
    str_init(&text, 2 * NOTE_TEXT_MAX + NOTE_WHO_MAX);
    clock_format(&text, note->at, shell_zone(shell), shell_now(shell));
    str_addf(&text, " %s: %s", note->who, note->text);
    detail_lines_add_broken(&intents_of(shell)->detail, label, text.s);
    str_clear(&text);
}

static void detail_lines_add_handover(struct shell *shell, const struct handover *handover) {
    struct str text;
    str_init(&text, 2 * NOTE_TEXT_MAX + 2 * NOTE_WHO_MAX);
    clock_format(&text, handover->at, shell_zone(shell), shell_now(shell));
    str_addf(&text, " %s to %s, ", handover->from, handover->to);
    handover_add_state(handover, shell_zone(shell), shell_now(shell), &text);
    str_addf(&text, "%s%s", *handover->text ? ": " : "", handover->text);
    detail_lines_add_broken(&intents_of(shell)->detail, "handed over", text.s);
    str_clear(&text);
}

static void detail_lines_add_handed(struct shell *shell, const struct intent *intent) {
    const struct notes *notes = intents_notes(shell);
    size_t n;
    const struct handover *handed = notes_handed(notes, notes_of(notes, intent, NOTE_OF_INTENT), &n);
    for (size_t i = n; i > 0; i--)
        detail_lines_add_handover(shell, &handed[i - 1]);
}

/* What operators here noted, newest first: it is read before the fields. */
static void detail_lines_add_noted(struct shell *shell, const struct intent *intent) {
    static const char *const LABELS[] = {[NOTE_OF_INTENT] = "note", [NOTE_OF_USER] = "note on user"};
    struct detail *detail = &intents_of(shell)->detail;
    size_t before = detail->lines.n;
    struct str tags;
    str_init(&tags, NOTE_TEXT_MAX * 4);
    notes_add_tags(intents_notes(shell), intent, &tags);
    if (tags.len > 0)
        detail_add(detail, "tags", tags.s, ROLE_MARK);
    str_clear(&tags);
    detail_lines_add_handed(shell, intent);
    for (enum note_about about = 0; about < NOTE_ABOUT_COUNT; about++) {
        const struct notes_subject *subject = notes_of(intents_notes(shell), intent, about);
        for (size_t i = subject ? subject->n_notes : 0; i > 0; i--)
            detail_lines_add_note(shell, LABELS[about], &subject->notes[i - 1]);
    }
    if (detail->lines.n > before)
        detail_add(detail, NULL, "", ROLE_TEXT);
}

/* Under the decline, what it means. */
static void detail_lines_add_reason(struct shell *shell, const struct intent *intent) {
    static const char *const INDENTED[] = {
#define X(code, name, label) "  " label,
        REASON_TEXT_TABLE(X)
#undef X
    };
    const struct reason *reason = record_reason(shell_options(shell)->reasons, intent);
    for (int text = 0; reason && text < REASON_TEXT_COUNT; text++)
        if (reason->texts[text])
            detail_lines_add_broken(&intents_of(shell)->detail, INDENTED[text], reason->texts[text]);
}

static void detail_lines_add_field(struct shell *shell, const struct intent *intent, enum intent_field field) {
    struct detail *detail = &intents_of(shell)->detail;
    const char *value;
    enum value_state state = intent_field_text(intent, field, &value);
    const struct value_time *time = intent_field_time(intent, field);
    const struct value_number *number = intent_field_number(intent, field);
    enum role role = ROLE_TEXT;
    const struct money_rule rule = profile_money(shell_profile(shell));
    struct str text;
    str_init(&text, TEXT_MAX);
    if (state == VALUE_ABSENT || state == VALUE_NULL) {
        str_add(&text, state == VALUE_NULL ? "null" : sign(SIGN_ABSENT));
        role = ROLE_DIM;
    } else if (state == VALUE_ODD) {
        str_addf(&text, "%s%s%s", sign(SIGN_ODD_FROM), value, sign(SIGN_ODD_TO));
        role = ROLE_UNKNOWN;
    } else {
        str_add(&text, value);
    }
    if (time)
        detail_lines_add_time(&text, shell, time);
    else if (number)
        detail_add_money(&text, &rule, number, intent->currency.text);
    else if (field == INTENT_FIELD_STATUS && state == VALUE_OK)
        role = intents_status_role(value);
    if (detail_lines_is_changed(shell, intent, field)) {
        str_addf(&text, "  %s", sign(SIGN_CHANGED));
        role = ROLE_CHANGED;
    }
    detail_add(detail, label_of(field), text.s, role);
    if (time)
        detail_lines_add_ahead(shell, time);
    if (field == INTENT_FIELD_DECLINE_CATEGORY)
        detail_lines_add_reason(shell, intent);
    str_clear(&text);
}

/* What an operator reads first, then the ids. */
static const enum transaction_field TRANSACTION_COLUMNS[TRANSACTION_FIELD_COUNT] = {
#define TRANSACTION_FIELD(code, name, kind, member, place) [place] = TRANSACTION_FIELD_##code,
#include "model/fields.def"
};

static void detail_lines_add_cell(const struct transaction *transaction, enum transaction_field field,
                                  const struct money_rule *rule, struct str *out) {
    const char *text;
    enum value_state state = transaction_field_text(transaction, field, &text);
    if (field == TRANSACTION_FIELD_AMOUNT && text)
        detail_transaction_amount(out, rule, transaction);
    else
        str_add(out, state == VALUE_NULL ? "null" : text ? text : sign(SIGN_ABSENT));
}

static int cell_width(const struct intent *intent, enum transaction_field field, const struct money_rule *rule) {
    int width = utf8_cells(transaction_field_path(field), strlen(transaction_field_path(field)));
    struct str cell;
    str_init(&cell, TEXT_MAX);
    for (size_t i = 0; i < intent->n_transactions; i++) {
        str_reset(&cell);
        detail_lines_add_cell(&intent->transactions[i], field, rule, &cell);
        int cells = utf8_cells(cell.s, cell.len);
        width = cells > width ? cells : width;
    }
    str_clear(&cell);
    enum { WIDTH_MAX = 48 };
    return width < WIDTH_MAX ? width : WIDTH_MAX;
}

/* row -1 is the header. */
static void add_transaction_row(struct detail *detail, const struct intent *intent, int row, const int *widths,
                                const struct money_rule *rule) {
    struct str text, cell;
    str_init(&text, TEXT_MAX);
    str_init(&cell, TEXT_MAX);
    for (size_t i = 0; i < COUNT_OF(TRANSACTION_COLUMNS); i++) {
        enum transaction_field field = TRANSACTION_COLUMNS[i];
        str_reset(&cell);
        if (row >= 0)
            detail_lines_add_cell(&intent->transactions[row], field, rule, &cell);
        else
            str_add(&cell, transaction_field_path(field));
        utf8_fit(&text, cell.s, cell.len, widths[field], field == TRANSACTION_FIELD_AMOUNT, sign(SIGN_CUT));
        str_add(&text, "  ");
    }
    str_clear(&cell);
    detail_add(detail, NULL, text.s, row < 0 ? ROLE_DIM : ROLE_TEXT);
    str_clear(&text);
}

static void detail_lines_add_no_transactions(struct shell *shell, const struct intent *intent) {
    struct str text;
    str_init(&text, 128);
    if (intent->transactions_state == VALUE_ODD)
        str_addf(&text, "not a list: %s shows what was served", shell_key_of(shell, ACTION_JSON));
    else
        str_add(&text, intent->transactions_state == VALUE_OK ? "none" : sign(SIGN_ABSENT));
    detail_add(&intents_of(shell)->detail, NULL, text.s, ROLE_DIM);
    str_clear(&text);
}

static void detail_lines_add_transactions(struct shell *shell, const struct intent *intent,
                                          const struct money_rule *rule) {
    struct detail *detail = &intents_of(shell)->detail;
    struct str title;
    str_init(&title, 128);
    str_addf(&title, "transactions (%zu)", intent->n_transactions);
    add_heading(detail, title.s);
    str_clear(&title);
    if (intent->n_transactions == 0) {
        detail_lines_add_no_transactions(shell, intent);
        return;
    }
    int widths[TRANSACTION_FIELD_COUNT];
    for (enum transaction_field field = 0; field < TRANSACTION_FIELD_COUNT; field++)
        widths[field] = cell_width(intent, field, rule);
    for (int row = -1; row < (int)intent->n_transactions; row++)
        add_transaction_row(detail, intent, row, widths, rule);
    detail_sum(shell, intent);
}

static void add_tree(struct detail *detail, const struct intent *intent, const char *path, enum value_state state,
                     const struct detail_units *units) {
    add_heading(detail, path);
    if (!intent_has_record(state)) {
        detail_add(detail, NULL, state == VALUE_NULL ? "none" : sign(SIGN_ABSENT), ROLE_DIM);
        return;
    }
    struct tree tree;
    tree_init(&tree);
    inspect_tree(intent, path, &tree);
    detail_tree(detail, &tree, path, units);
    tree_clear(&tree);
}

/* What is known of it beside its record. */
static void detail_others(struct shell *shell, const struct intent *intent) {
    detail_user(shell, intent);
    detail_events(shell, intent);
}

static void detail_lines_add_fields(struct shell *shell, const struct intent *intent) {
    struct detail *detail = &intents_of(shell)->detail;
    const struct detail_units units = {profile_money(shell_profile(shell)), intent->currency.text};
    detail_findings(shell, intent);
    detail_lines_add_noted(shell, intent);
    for (enum intent_field field = 0; field < INTENT_FIELD_COUNT; field++) {
        const char *heading = heading_of(field);
        const char *before = field > 0 ? heading_of(field - 1) : NULL;
        bool begins = heading && heading != before;
        if (begins && !before) /* behind the intent's own fields */
            detail_others(shell, intent);
        if (begins)
            add_heading(detail, heading);
        detail_lines_add_field(shell, intent, field);
    }
    detail_lines_add_transactions(shell, intent, &units.rule);
    add_tree(detail, intent, "dispute", intent->dispute, &units);
    add_tree(detail, intent, "refund", intent->refund, &units);
    if (intent->unknown) {
        struct str text;
        str_init(&text, 128);
        str_addf(&text, "%zu field%s the interface does not name: %s shows %s", intent->unknown,
                 plural_s(intent->unknown), shell_key_of(shell, ACTION_JSON), intent->unknown == 1 ? "it" : "them");
        detail_add(detail, NULL, "", ROLE_TEXT);
        detail_add(detail, NULL, text.s, ROLE_UNKNOWN);
        str_clear(&text);
    }
}

static void detail_lines_add_json(struct detail *detail, const struct intent *intent) {
    struct str text;
    str_init(&text, REPLY_BODY_MAX);
    inspect_json(intent, &text);
    for (char *line = text.s; *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        detail_add(detail, NULL, line, ROLE_TEXT);
        line = end ? end + 1 : line + strlen(line);
    }
    str_clear(&text);
}

void detail_lines(struct shell *shell, const struct intent *intent) {
    struct detail *detail = &intents_of(shell)->detail;
    if (intent->broken) {
        detail_add(detail, "broken row", intent->broken, ROLE_ERROR);
        detail_add(detail, NULL, "", ROLE_TEXT);
        detail_lines_add_json(detail, intent);
    } else if (intents_of(shell)->mode == DETAIL_JSON) {
        detail_lines_add_json(detail, intent);
    } else {
        detail_lines_add_fields(shell, intent);
        detail_fold(shell);
    }
}
