#include "panes/shell/state.h"

const struct pane *pane(enum pane_id id) {
    static const struct pane *const PANES[PANE_COUNT] = {[PANE_INTENTS] = &intents_pane,
                                                         [PANE_REGISTER] = &register_pane,
                                                         [PANE_WEBHOOK] = &webhook_pane,
                                                         [PANE_ACTIVITY] = &activity_pane};
    return PANES[id];
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
