#include "app/inspect.h"
#include "base/mem.h"
#include "panes/intents/list.h"
#include "panes/shell/reader.h"
#include "ui/dialog.h"

#include <stdlib.h>
#include <string.h>

/* The parts of an intent that can be looked at by themselves, and what it has in common with other intents. */

enum { NOTE_MAX = 1 << 20, PARTS_MAX = 16 };

enum part_kind { PART_TRANSACTIONS, PART_CREDENTIAL, PART_ACCOUNT, PART_DISPUTE, PART_REFUND, PART_COUNT };

/* Parts of one intent, as it was when the box was opened. */
struct parts {
    struct picker picker;
    const char *id, *currency;
    struct tree trees[PART_COUNT];
    struct choices choices;
    int codes[PARTS_MAX];
};

static struct parts *parts_of(const struct shell *shell) {
    return shell_state(shell, OVERLAY_PARTS);
}

static const char GROUP_LOOK[] = "look into";
static const char GROUP_SAME[] = "all cached intents with the same";

static const struct {
    const char *label, *path;
} PARTS[PART_COUNT] = {
    [PART_TRANSACTIONS] = {"transactions", "transactions"},
    [PART_CREDENTIAL] = {"payment credential", "payment_credential"},
    [PART_ACCOUNT] = {"ledger account", "account"},
    [PART_DISPUTE] = {"dispute", "dispute"},
    [PART_REFUND] = {"refund", "refund"},
};

/* What the filter language can ask about other intents. */
static const struct {
    const char *label;
    enum intent_field field;
    enum query_field_code query;
} SHARED[] = {
    {"user", INTENT_FIELD_USER_ID, QUERY_USER_FIELD},
    {"payment credential", INTENT_FIELD_CREDENTIAL_ID, QUERY_CREDENTIAL_FIELD},
    {"bank", INTENT_FIELD_BANK_NAME, QUERY_BANK_FIELD},
    {"card mask", INTENT_FIELD_PAN_MASK, QUERY_MASK_FIELD},
    {"account mask", INTENT_FIELD_NUMBER_MASK, QUERY_MASK_FIELD},
    {"routing number", INTENT_FIELD_ROUTING, QUERY_ROUTING_FIELD},
    {"name of the ledger account", INTENT_FIELD_ACCOUNT_NAME, QUERY_ACCOUNT_NAME_FIELD},
};

static void parts_clear(struct shell *shell) {
    struct parts *parts = parts_of(shell);
    picker_clear(&parts->picker);
    choices_clear(&parts->choices);
    for (int part = 0; part < PART_COUNT; part++)
        tree_clear(&parts->trees[part]);
    *parts = (struct parts){0};
}

static const char *parts_keep(struct parts *parts, const char *text) {
    return text ? arena_dup_n(&parts->choices.arena, text, strlen(text)) : NULL;
}

static void parts_add(struct parts *parts, const char *group, const char *label, const char *note, int code) {
    struct choice *choice = vec_add(&parts->choices);
    *choice = (struct choice){.group = group, .label = label, .note = parts_keep(parts, note), .role = ROLE_TEXT};
    parts->codes[parts->choices.n - 1] = code;
}

static bool has_part(const struct intent *intent, enum part_kind part, struct str *note) {
    const char *text = NULL;
    switch (part) {
    case PART_TRANSACTIONS:
        str_addf(note, "%zu", intent->n_transactions);
        return intent->n_transactions > 0;
    case PART_CREDENTIAL:
    case PART_ACCOUNT:
        (void)intent_field_text(intent, part == PART_CREDENTIAL ? INTENT_FIELD_CREDENTIAL_ID : INTENT_FIELD_ACCOUNT_ID,
                                &text);
        str_add(note, text ? text : "");
        return text != NULL;
    default:
        return intent_has_record(part == PART_DISPUTE ? intent->dispute : intent->refund);
    }
}

/* Copied, since the list may change while the box is open. */
static void parts_fill(struct parts *parts, const struct intent *intent) {
    struct str note;
    str_init(&note, NOTE_MAX);
    parts->id = parts_keep(parts, intent->id.text);
    parts->currency = parts_keep(parts, intent->currency.text);
    for (int part = 0; part < PART_COUNT; part++) {
        str_reset(&note);
        if (has_part(intent, (enum part_kind)part, &note)) {
            inspect_tree(intent, PARTS[part].path, &parts->trees[part]);
            parts_add(parts, GROUP_LOOK, PARTS[part].label, note.s, part);
        }
    }
    str_clear(&note);
    for (size_t i = 0; i < COUNT_OF(SHARED); i++) {
        const char *text;
        if (intent_field_text(intent, SHARED[i].field, &text) == VALUE_OK && *text)
            parts_add(parts, GROUP_SAME, SHARED[i].label, text, PART_COUNT + (int)i);
    }
}

static bool open_parts(struct shell *shell, const void *argument, struct effects *effects) {
    struct parts *parts = parts_of(shell);
    const struct intent *intent = intents_current(shell);
    (void)argument;
    (void)effects;
    if (!intent || intent->broken) {
        shell_message(shell, ROLE_WARN, "there is no intent under the cursor that could be looked into");
        return false;
    }
    parts_clear(shell);
    parts_fill(parts, intent);
    picker_init(&parts->picker, "Parts of this intent", parts->choices.items, parts->choices.n, false);
    return true;
}

static void look_into(struct shell *shell, enum part_kind part) {
    struct parts *parts = parts_of(shell);
    struct str title;
    str_init(&title, NOTE_MAX);
    str_addf(&title, "%s of %s", PARTS[part].label, parts->id ? parts->id : "this intent");
    struct detail *body = reader_open(shell, title.s, OVERLAY_PARTS, OVERLAY_PARTS);
    str_clear(&title);
    const struct detail_units units = {profile_money(shell_profile(shell)), parts->currency};
    detail_tree(body, &parts->trees[part], PARTS[part].path, &units);
    reader_fill(shell);
}

/* Shows the list of intents with the same value; a detail over it is closed. */
static void list_same(struct shell *shell, size_t shared, const char *value, struct effects *effects) {
    struct str text;
    str_init(&text, QUERY_TEXT_MAX);
    query_narrow(&text, NULL, SHARED[shared].query, value, false);
    shell_close(shell);
    intents_close_detail(shell);
    intents_apply(shell, text.s, effects);
    str_clear(&text);
}

static void parts_every_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct parts *parts = parts_of(shell);
    enum dialog_result result = picker_key(&parts->picker, key);
    if (result == DIALOG_DONE) {
        int code = parts->codes[parts->picker.cursor];
        if (code < PART_COUNT)
            look_into(shell, (enum part_kind)code);
        else
            list_same(shell, (size_t)(code - PART_COUNT), parts->choices.items[parts->picker.cursor].note, effects);
    } else if (result == DIALOG_CANCELLED || result == DIALOG_IGNORED) {
        shell_close(shell);
    }
}

static void parts_draw(struct shell *shell, struct canvas *canvas, struct rect within) {
    picker_draw(&parts_of(shell)->picker, canvas, within);
}

const struct pane parts_overlay = {.size = sizeof(struct parts),
                                   .clear = parts_clear,
                                   .open = open_parts,
                                   .draw = parts_draw,
                                   .every_key = parts_every_key};
