#include "exchange_sources.h"

#include "run/files/shared_file.h"
#include "team/notes.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- sending ---- */

static size_t waiting_rows(const struct shared_views *views, struct str *texts, struct team_note *notes) {
    size_t n = 0;
    for (size_t i = 0; i < views->n && n < TEAM_NOTES_MAX; i++) {
        if (!shared_view_waits(&views->items[i]))
            continue;
        str_init(&texts[n], 5 * SHARED_ROW_MAX);
        shared_view_print(&views->items[i], &texts[n]);
        notes[n] = (struct team_note){.line = texts[n].s, .len = texts[n].len};
        n++;
    }
    return n;
}

/* They wait until they are taken in, as rows of the store. */
static enum err send_waiting(struct team_side *side, const struct shared_views *views, struct error *error) {
    struct str texts[TEAM_NOTES_MAX];
    struct team_note notes[TEAM_NOTES_MAX] = {0};
    const struct profile *profile = side->profile;
    size_t n = waiting_rows(views, texts, notes);
    enum err err = team_notes_put(side->team, TEAM_VIEW, profile->origin, profile->account ? profile->account : "",
                                  notes, n, error);
    for (size_t i = 0; i < n; i++)
        str_clear(&texts[i]);
    return err;
}

/* ---- taking in ---- */

struct taking_views {
    const struct profile *profile;
    const struct team_notes *found;
    const struct team_place_of_changes *place;
};

/* Its author is sealed in it: nobody else can have written it, and who the row says it is has to be the same. */
static void take_view_row(const struct taking_views *taking, const struct team_note *note, struct shared_views *views) {
    struct shared_view row;
    if (!shared_view_read(note->line, note->len, taking->profile, &row))
        return;
    if (!str_equal(row.who, note->who) || note->change <= SHARED_WAITING) {
        shared_view_clear(&row);
        return;
    }
    free(row.id);
    row.id = mem_dup(note->id);
    row.change = note->change;
    row.at = note->stored;
    shared_views_take(views, &row);
}

static enum err take_view_rows(void *context, struct shared_views *views, struct error *error) {
    const struct taking_views *taking = context;
    (void)error;
    for (size_t i = 0; i < taking->found->n; i++)
        take_view_row(taking, &taking->found->items[i], views);
    if (taking->place->change >= views->change) {
        views->change = taking->place->change;
        free(views->id);
        views->id = mem_dup(taking->place->id);
    }
    return ERR_OK;
}

static enum err take_views_in(struct team_side *side, const struct shared_place *file, struct shared_views *views,
                              struct error *error) {
    const struct profile *profile = side->profile;
    struct team_place_of_changes place = {.change = views->change, .id = mem_dup(views->id)};
    struct team_notes found = {0};
    enum err err = ERR_OK;
    do {
        team_notes_clear(&found);
        err = team_notes_since(side->team, TEAM_VIEW, profile->origin, profile->account ? profile->account : "", &place,
                               &found, error);
        struct taking_views taking = {profile, &found, &place};
        if (err == ERR_OK && place.change > 0)
            err = shared_file_change(file, take_view_rows, &taking, error);
    } while (err == ERR_OK && found.more);
    team_notes_clear(&found);
    free(place.id);
    return err;
}

/* The file says itself how far the store was taken in, so it is read at each exchange; it is small. */
enum err exchange_views(struct team_side *side, const char *folder, struct exchange_memory *memory, bool changed,
                        struct error *error) {
    const struct shared_place file = {folder, side->profile};
    struct shared_views views;
    struct str text;
    str_init(&text, SHARED_BYTES_MAX);
    shared_file_text(&file, &text);
    shared_views_parse(text.s ? text.s : "", side->profile, &views);
    enum err err = changed ? send_waiting(side, &views, error) : ERR_OK;
    enum err taken = take_views_in(side, &file, &views, err == ERR_OK ? error : NULL);
    memory->taken = taken == ERR_OK;
    shared_views_clear(&views);
    str_clear(&text);
    return err == ERR_OK ? taken : err;
}
