#include "app/notes.h"
#include "app/record.h"
#include "app/related.h"
#include "app/text.h"

#include "base/clock.h"

#include <string.h>

enum { VALUE_MAX = 4096 };

static void handover_add_value(const struct intent *intent, enum intent_field field, struct str *out) {
    struct str text;
    str_init(&text, VALUE_MAX);
    str_add(out, record_masked(intent, field, &text) && text.len > 0 ? text.s : "-");
    str_clear(&text);
}

static void handover_begin(const char *label, struct str *out) {
    str_add(out, label);
    str_add_repeat(out, ' ', strlen(label) < 14 ? 14 - strlen(label) : 1);
}

/* `, word value` where there is one. */
static void handover_add_more(const struct intent *intent, enum intent_field field, const char *word, struct str *out) {
    const char *text;
    if (intent_field_text(intent, field, &text) >= VALUE_OK && text && *text) {
        str_addf(out, ", %s ", word);
        handover_add_value(intent, field, out);
    }
}

static void handover_add_amount(const struct record_summary *summary, const struct intent *intent, struct str *out) {
    handover_begin("amount", out);
    handover_add_value(intent, INTENT_FIELD_AMOUNT, out);
    str_add_char(out, ' ');
    handover_add_value(intent, INTENT_FIELD_CURRENCY, out);
    if (summary->money.unit == MONEY_RAW) {
        str_add(out, " (the integer as served)");
    } else if (intent->amount.state == VALUE_OK) {
        str_add(out, " = ");
        money_format(out, intent->amount.number, intent->currency.text, &summary->money);
    }
    str_add_char(out, '\n');
}

static void add_credential(const struct intent *intent, struct str *out) {
    handover_begin("credential", out);
    handover_add_value(intent, INTENT_FIELD_CREDENTIAL_ID, out);
    handover_add_more(intent, INTENT_FIELD_BANK_NAME, "bank", out);
    handover_add_more(intent, INTENT_FIELD_BRAND, "card", out);
    handover_add_more(intent, INTENT_FIELD_PAN_MASK, "mask", out);
    handover_add_more(intent, INTENT_FIELD_NUMBER_MASK, "account", out);
    if (intent->credential.is_archived.state == VALUE_OK && intent->credential.is_archived.on)
        str_add(out, ", archived");
    str_add_char(out, '\n');
}

static void handover_add_transactions(const struct intent *intent, struct str *out) {
    static const enum transaction_field FIELDS[] = {TRANSACTION_FIELD_TYPE, TRANSACTION_FIELD_STATUS,
                                                    TRANSACTION_FIELD_AMOUNT, TRANSACTION_FIELD_CURRENCY,
                                                    TRANSACTION_FIELD_DATE};
    enum { SHOWN_MAX = 5 };
    handover_begin("transactions", out);
    str_addf(out, "%zu\n", intent->n_transactions);
    for (size_t i = 0; i < intent->n_transactions && i < SHOWN_MAX; i++) {
        str_add(out, "             ");
        for (size_t k = 0; k < COUNT_OF(FIELDS); k++) {
            const char *text = NULL;
            (void)transaction_field_text(&intent->transactions[i], FIELDS[k], &text);
            str_addf(out, " %s", text ? text : "-");
        }
        str_add_char(out, '\n');
    }
}

const struct reason *record_reason(const struct reasons *reasons, const struct intent *intent) {
    const char *code;
    enum value_state state = intent_field_text(intent, INTENT_FIELD_DECLINE_CATEGORY, &code);
    return state == VALUE_OK ? reasons_find(reasons, code) : NULL;
}

/* What the operator's own file says of the decline. */
static void handover_add_reason(const struct reasons *reasons, const struct intent *intent, struct str *out) {
    const struct reason *reason = record_reason(reasons, intent);
    for (int text = 0; reason && text < REASON_TEXT_COUNT; text++) {
        if (reason->texts[text]) {
            handover_begin(reason_label((enum reason_text)text), out);
            str_addf(out, "%s\n", reason->texts[text]);
        }
    }
}

static void handover_add_findings(const struct record_summary *summary, const struct intent *intent, struct str *out) {
    const struct related *related = summary->related;
    const struct finding_telling telling = {.money = &summary->money,
                                            .outside = true,
                                            .others = related ? related->items : NULL,
                                            .n_others = related ? related->n : 0};
    unsigned found = finding_of_intent(intent, summary->now) | related_findings(related);
    for (unsigned i = 0; i < FINDING_COUNT; i++) {
        if (!(found & FINDING_BIT(i)))
            continue;
        handover_begin("hint", out);
        str_addf(out, "%s (", finding_rule((enum finding)i)->hint);
        finding_evidence(intent, (enum finding)i, &telling, out);
        str_add(out, ")\n");
    }
}

static void handover_add_note(const char *label, const struct note *note, struct str *out) {
    handover_begin(label, out);
    text_time(out, note->at);
    str_addf(out, " %s: %s\n", note->who, note->text);
}

static void handover_add_noted(const struct notes *notes, const struct intent *intent, struct str *out) {
    struct str tags;
    str_init(&tags, VALUE_MAX);
    notes_add_tags(notes, intent, &tags);
    if (tags.len > 0) {
        handover_begin("tags", out);
        str_addf(out, "%s\n", tags.s);
    }
    str_clear(&tags);
    for (enum note_about about = 0; about < NOTE_ABOUT_COUNT; about++) {
        const struct notes_subject *subject = notes_of(notes, intent, about);
        for (size_t i = 0; subject && i < subject->n_notes; i++)
            handover_add_note(about == NOTE_OF_USER ? "note on user" : "note", &subject->notes[i], out);
    }
}

static const char *handover_there(enum value_state state) {
    return intent_has_record(state) ? "yes" : "none";
}

void record_hand_over(const struct record_summary *summary, const struct intent *intent, struct str *out) {
    str_add(out, "Intent ");
    handover_add_value(intent, INTENT_FIELD_ID, out);
    str_addf(out, " (%s, %s)\n", summary->environment, summary->profile);
    if (intent->broken) {
        str_addf(out, "broken row: %s\n", intent->broken);
        return;
    }
    handover_begin("status", out);
    handover_add_value(intent, INTENT_FIELD_STATUS, out);
    handover_add_more(intent, INTENT_FIELD_DECLINE_CATEGORY, "decline", out);
    str_add_char(out, '\n');
    handover_add_reason(summary->reasons, intent, out);
    handover_begin("created", out);
    handover_add_value(intent, INTENT_FIELD_CREATED_AT, out);
    str_add_char(out, '\n');
    handover_add_amount(summary, intent, out);
    handover_begin("flow", out);
    handover_add_value(intent, INTENT_FIELD_DIRECTION, out);
    handover_add_more(intent, INTENT_FIELD_TYPE, "type", out);
    handover_add_more(intent, INTENT_FIELD_RAIL, "rail", out);
    str_add_char(out, '\n');
    handover_begin("user", out);
    handover_add_value(intent, INTENT_FIELD_USER_ID, out);
    str_add_char(out, '\n');
    add_credential(intent, out);
    handover_add_transactions(intent, out);
    handover_begin("dispute", out);
    str_addf(out, "%s, refund %s\n", handover_there(intent->dispute), handover_there(intent->refund));
    handover_add_findings(summary, intent, out);
    handover_add_noted(summary->notes, intent, out);
    if (summary->seen != CLOCK_NONE) {
        handover_begin("served at", out);
        text_time(out, summary->seen);
        str_add_char(out, '\n');
    }
}
