#include "state.h"

#include "base/mem.h"

enum { TEXT_MAX = 64 << 10 };

static void add_known(struct shell *shell, struct sheet *sheet) {
    const struct webhook *state = &shell->hook.state;
    struct str text;
    str_init(&text, TEXT_MAX);
    webhook_tell_known(state, shell->now, &text);
    webhook_add_lines(sheet, state->known && state->known->error.code != ERR_OK ? ROLE_ERROR : ROLE_TEXT, &text);
    str_clear(&text);
}

void webhook_known_draw(struct shell *shell, struct canvas *canvas, struct rect area) {
    struct webhook_pane *own = &shell->hook;
    review_badge(shell, canvas, rect_take_rows(&area, 1), "the webhook");
    struct sheet sheet = webhook_sheet(own, canvas, area);
    add_known(shell, &sheet);
    if (own->state.known && own->state.known->error.code == ERR_OK) {
        bool empty = !webhook_last(&own->state) && !own->state.known->unknown_since;
        sheet_line(&sheet, ROLE_TEXT, "", NULL);
        sheet_wrapped(&sheet, ROLE_DIM,
                      shell->read_only ? "This profile is read-only: c checks the endpoint, nothing can be registered."
                      : empty          ? "Enter opens the form. Looking here sends nothing."
                                       : "Enter opens the form, c checks the endpoint. Looking here sends nothing.");
    }
    webhook_sheet_end(own, &sheet);
}
