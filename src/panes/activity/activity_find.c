#include "panes/activity/activity.h"

#include "base/mem.h"
#include "model/user.h"

enum { NUMBERS_TOLD = 5, BOX_COLS = 64, BOX_ROWS = 3 };

void activity_find_open(struct shell *shell) {
    struct activity_pane *pane = activity_of(shell);
    edit_set(&pane->find.tag, "");
    pane->find.open = true;
    shell_message_clear(shell);
}

static void activity_find_look(struct shell *shell, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    struct str tag;
    str_init(&tag, USER_TEXT_MAX * 4);
    if (user_tag_normal(pane->find.tag.text.s, &tag)) {
        struct journal_ask *ask = journal_ask_new(JOURNAL_LIST);
        ask->tag = mem_dup(tag.s);
        pane->find.ticket = effects_journal(effects, ask);
    }
    str_clear(&tag);
}

void activity_find_key(struct shell *shell, int32_t key, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    if (key == INPUT_ENTER)
        activity_find_look(shell, effects);
    if (key == INPUT_ENTER || key == INPUT_ESCAPE || key == KEY_CTRL('C')) {
        pane->find.open = false;
        edit_set(&pane->find.tag, "");
    } else {
        (void)shell_edit_key(shell, &pane->find.tag, key);
    }
    shell_redraw(shell);
}

/* A tag may have several records: a refused one and its successor, or duplicates. */
static void activity_find_tell(struct shell *shell, const struct outcome_records *records) {
    struct str text;
    str_init(&text, 256);
    str_addf(&text, "record %lld is the %s of this tag", (long long)records->items[0].n,
             records->n > 1 ? "newest" : "one");
    for (size_t i = 1; i < records->n && i <= NUMBERS_TOLD; i++)
        str_addf(&text, "%s %lld", i == 1 ? "; earlier:" : ",", (long long)records->items[i].n);
    str_add(&text, records->n > NUMBERS_TOLD + 1 ? " and others" : "");
    shell_message(shell, ROLE_INFO, "%s", text.s);
    str_clear(&text);
}

/* False: the list does not hold it. */
static bool activity_find_go_to(struct shell *shell, int64_t n) {
    struct activity_pane *pane = activity_of(shell);
    size_t rows = pane->list ? pane->list->records.n : 0;
    for (size_t i = 0; i < rows; i++) {
        if (pane->list->records.items[i].n == n) {
            pane->open = false;
            table_move(&pane->table, rows, (long)i - (long)pane->table.cursor);
            return true;
        }
    }
    return false;
}

bool activity_find_event(struct shell *shell, const struct event *event, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    if (event->kind != EVENT_JOURNAL || pane->find.ticket == 0 || event->ticket != pane->find.ticket)
        return false;
    const struct journal_answer *answer = event_get(event, journal_answer);
    if (!answer)
        return false;
    const struct outcome_records *records = &answer->records;
    pane->find.ticket = 0;
    if (answer->error.code != ERR_OK) {
        shell_message(shell, ROLE_ERROR, "%s", answer->error.text);
    } else if (records->n == 0) {
        shell_message(shell, ROLE_WARN, "no record has this tag; purged records have lost theirs and may be missing");
    } else {
        activity_find_tell(shell, records);
        if (!activity_find_go_to(shell, records->items[0].n)) {
            pane->find.wanted = records->items[0].n;
            pane->only = -1;
            activity_reload(shell, effects);
        }
    }
    return true;
}

/* A record older than the list is shown by itself. */
void activity_find_listed(struct shell *shell, struct effects *effects) {
    struct activity_pane *pane = activity_of(shell);
    int64_t wanted = pane->find.wanted;
    pane->find.wanted = 0;
    if (wanted > 0 && !activity_find_go_to(shell, wanted))
        activity_show(shell, wanted, effects);
}

void activity_find_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct activity_pane *pane = activity_of(shell);
    if (pane->find.open) {
        struct rect box = dialog_box(canvas, area, BOX_ROWS, BOX_COLS, "Whose tag? Enter finds its record", ROLE_TITLE);
        canvas_text(canvas, box, 1, 0, ROLE_DIM, "The journal holds no tag in clear; this one is compared.");
        edit_draw(&pane->find.tag, canvas, rect_take_rows(&box, 1), ROLE_FIELD, true);
    }
}
