#include "state.h"

#include "base/mem.h"

static bool act_none(struct shell *shell, int action, struct effects *effects) {
    (void)shell;
    (void)action;
    (void)effects;
    return false;
}

static bool back_none(struct shell *shell, struct effects *effects) {
    (void)shell;
    (void)effects;
    return false;
}

static void draw_coming(struct shell *shell, struct canvas *canvas, struct rect area) {
    canvas_textf(canvas, area, 1, 2, ROLE_TEXT, "%s is not in this version yet; 1 goes back to Intents.",
                 pane(shell->pane)->title);
}

static const struct pane COMING[PANE_COUNT] = {
    [PANE_OVERVIEW] =
        {.title = "Overview", .views = {"overview"}, .draw = draw_coming, .act = act_none, .back = back_none},
};

const struct pane *pane(enum pane_id id) {
    static const struct pane *const PANES[PANE_COUNT] = {[PANE_INTENTS] = &intents_pane,
                                                         [PANE_REGISTER] = &register_pane,
                                                         [PANE_WEBHOOK] = &webhook_pane,
                                                         [PANE_ACTIVITY] = &activity_pane};
    return PANES[id] ? PANES[id] : &COMING[id];
}

const struct overlay_pane *overlay(enum overlay id) {
    static const struct overlay_pane OVERLAYS[OVERLAY_COUNT] = {
        [OVERLAY_PROMPT] = {prompt_key, prompt_draw, prompt_paste},
        [OVERLAY_FACETS] = {facets_key, facets_draw, NULL},
        [OVERLAY_FACET_OTHER] = {facets_key, facets_draw, facets_paste},
        [OVERLAY_HELP] = {help_key, help_draw, NULL},
        [OVERLAY_ASK] = {ask_key, ask_draw, NULL},
        [OVERLAY_COUNTS] = {counts_key, counts_draw, NULL},
        [OVERLAY_PARTS] = {parts_key, parts_draw, NULL},
        [OVERLAY_READER] = {reader_key, reader_draw, NULL},
        [OVERLAY_MENU] = {menu_key, menu_draw, NULL},
        [OVERLAY_VIEWS] = {views_key, views_draw, views_paste},
        [OVERLAY_COLUMNS] = {columns_key, columns_draw, NULL},
        [OVERLAY_EXPORT] = {export_key, export_draw, export_paste},
        [OVERLAY_REQUESTS] = {requests_key, requests_draw, NULL},
        [OVERLAY_PALETTE] = {palette_key, palette_draw, palette_paste},
    };
    return &OVERLAYS[id];
}
