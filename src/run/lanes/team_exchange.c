#include "team_exchange.h"

#include "judged_cells.h"

#include "base/clock.h"
#include "base/mem.h"
#include "wire/page.h"

#include <stdlib.h>
#include <string.h>

enum { NOTE_BYTES = 512, BATCHES_A_TURN = 4 };

static const int64_t EXCHANGE_DAY_MS = 86400000;

/* ---- places, noted in the cache ---- */

static void place_name(const struct team_lane *lane, const char *what, struct str *out) {
    str_init(out, NOTE_BYTES);
    str_addf(out, "%s %s", what, lane->store.s);
}

static int64_t exchange_place(const struct team_lane *lane, struct cache *cache, const char *what, int64_t otherwise) {
    struct str name;
    char *text = NULL;
    place_name(lane, what, &name);
    enum err err = cache_note(cache, name.s, &text, NULL);
    int64_t place = err == ERR_OK && text ? strtoll(text, NULL, 10) : otherwise;
    free(text);
    str_clear(&name);
    return place;
}

static enum err note_place(const struct team_lane *lane, struct cache *cache, const char *what, int64_t place,
                           struct error *error) {
    struct str name, text;
    place_name(lane, what, &name);
    str_init(&text, NOTE_BYTES);
    str_addf(&text, "%lld", (long long)place);
    enum err err = cache_set_note(cache, name.s, text.s, error);
    str_clear(&text);
    str_clear(&name);
    return err;
}

static void exchange_note_place(const struct team_lane *lane, struct cache *cache, const char *what, int64_t place) {
    enum err err = note_place(lane, cache, what, place, NULL);
    (void)err; /* costs that the same is sent or taken in once more */
}

static void forget_sending(struct team_sending *sending) {
    free(sending->keys);
    *sending = (struct team_sending){0};
}

/* Places belong to a cache: one that was begun anew has its own. */
static void exchange_begin(struct team_lane *lane, struct cache *cache) {
    const struct profile *profile = lane->side->profile;
    if (lane->files == lane->cache.files)
        return;
    lane->files = lane->cache.files;
    forget_sending(&lane->sending);
    lane->sent = exchange_place(lane, cache, "team-sent", -1);
    lane->left_out = exchange_place(lane, cache, "team-left-out", 0);
    free(lane->place.id);
    lane->noted = exchange_place(lane, cache, "team-taken", 0);
    lane->place = (struct team_place_of_changes){.change = lane->noted};
    if (profile->team_window_days > 0 && lane->noted == 0)
        lane->place.oldest = clock_now() - profile->team_window_days * EXCHANGE_DAY_MS;
}

/* ---- sending ---- */

static int exchange_compare(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct all_keys {
    int64_t *items;
    size_t n, cap;
};

static bool exchange_add_key(void *context, int64_t key, const void *cells, size_t len) {
    (void)cells;
    (void)len;
    *vec_add((struct all_keys *)context) = key;
    return true;
}

/* The changed ones, each once. Rows that came as they were are in the store already. */
static void add_changed_keys(const struct cache_changes *changes, struct all_keys *keys) {
    size_t n = 0;
    for (size_t i = 0; i < changes->n; i++)
        if (!changes->items[i].gone && changes->items[i].confirmed == CLOCK_NONE)
            *vec_add(keys) = changes->items[i].key;
    if (keys->n > 0)
        qsort(keys->items, keys->n, sizeof *keys->items, exchange_compare);
    for (size_t i = 0; i < keys->n; i++)
        if (i == 0 || keys->items[i] != keys->items[n - 1])
            keys->items[n++] = keys->items[i];
    keys->n = n;
}

static enum err look_for_unsent(struct team_lane *lane, struct cache *cache, struct error *error) {
    struct cache_changes changes;
    struct all_keys keys = {0};
    cache_changes_init(&changes);
    enum err err = lane->sent < 0 ? cache_change_last(cache, &changes.last, error)
                                  : cache_changes(cache, lane->sent, &changes, error);
    bool whole = lane->sent < 0 || changes.rebuild;
    if (err == ERR_OK && whole)
        err = cache_stream(cache, CACHE_KEY_NEWEST, exchange_add_key, &keys, error);
    else if (err == ERR_OK)
        add_changed_keys(&changes, &keys);
    forget_sending(&lane->sending);
    if (err == ERR_OK && changes.last != lane->sent)
        lane->sending = (struct team_sending){.keys = keys.items,
                                              .n = keys.n,
                                              .last = changes.last,
                                              .left_out = whole ? 0 : lane->left_out,
                                              .open = true};
    else
        free(keys.items);
    cache_changes_clear(&changes);
    return err;
}

/* What is missing by now was removed, or is read again where it was damaged: the coverage of a mirror knows of it. */
static size_t rows_to_put(const struct cache_rows *rows, struct team_intent *out, int64_t *left_out) {
    int64_t now = clock_now();
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct cache_row *row = &rows->items[i];
        if (row->missing || !row->raw)
            continue;
        if (cells_is_newer(row->cells, row->cells_len) || !judged_cells_read(row, &out[n].cells)) {
            (*left_out)++;
            continue;
        }
        int64_t age = now - row->confirmed;
        out[n].raw = row->raw;
        out[n].raw_len = row->raw_len;
        out[n++].age_ms = age > 0 ? age : 0;
    }
    return n;
}

static enum err send_batch(struct team_lane *lane, struct cache *cache, struct error *error) {
    struct team_sending *sending = &lane->sending;
    struct cache_rows rows;
    struct team_put result = {0};
    int64_t left_out = 0;
    size_t left = sending->n - sending->at, n = left < TEAM_PUT_MAX ? left : TEAM_PUT_MAX;
    struct team_intent *put = mem_new_array(n + 1, sizeof *put);
    cache_rows_init(&rows);
    enum err err = n > 0 ? cache_get(cache, sending->keys + sending->at, n, &rows, error) : ERR_OK;
    size_t n_put = err == ERR_OK ? rows_to_put(&rows, put, &left_out) : 0;
    if (err == ERR_OK && n_put > 0)
        err = team_intents_put(lane->side->team, lane->scope, put, n_put, &result, error);
    if (err == ERR_OK) {
        sending->at += n;
        sending->left_out += left_out + (int64_t)result.left_out;
    }
    /* Where nobody else stored anything in between, what was just sent need not be taken in. */
    if (err == ERR_OK && result.change > 0 && !lane->place.id && result.change == lane->place.change)
        lane->place.change = result.change + 1;
    cache_rows_clear(&rows);
    free(put);
    return err;
}

/* What was left out first: with the place alone, the store would be said to have all. */
static enum err note_sent(struct team_lane *lane, struct cache *cache, struct error *error) {
    const struct team_sending *sending = &lane->sending;
    enum err err = ERR_OK;
    if (sending->left_out != lane->left_out)
        err = note_place(lane, cache, "team-left-out", sending->left_out, error);
    if (err != ERR_OK)
        return err;
    lane->left_out = sending->left_out;
    lane->sent = sending->last;
    exchange_note_place(lane, cache, "team-sent", lane->sent);
    return ERR_OK;
}

enum err team_exchange_send(struct team_lane *lane, struct cache *cache, bool *more, struct error *error) {
    exchange_begin(lane, cache);
    enum err err = lane->sending.open ? ERR_OK : look_for_unsent(lane, cache, error);
    for (int i = 0; i < BATCHES_A_TURN && err == ERR_OK && lane->sending.at < lane->sending.n; i++)
        err = send_batch(lane, cache, error);
    bool done = err == ERR_OK && lane->sending.at == lane->sending.n;
    if (done && lane->sending.open)
        err = note_sent(lane, cache, error);
    if (done && err == ERR_OK)
        forget_sending(&lane->sending);
    *more = err == ERR_OK && !done;
    return err;
}

/* ---- taking in ---- */

/* now: before the store was asked, so that no row counts as confirmed later than it was. */
static void decode_taken(const struct team_intents *in, int64_t now, struct team_rows_taken *out) {
    out->confirmed = mem_new_array(in->n + 1, sizeof *out->confirmed);
    for (size_t i = 0; i < in->n; i++) {
        struct intent **slot = vec_add(&out->page);
        *slot = wire_intent(in->items[i].raw, in->items[i].raw_len);
        out->confirmed[i] = now - in->items[i].age_ms;
    }
}

/* Those confirmed at one time, from `from` on; *to: behind the last. */
static struct cache_batch *batch_of_one_time(const struct team_rows_taken *taken, size_t from, size_t *to) {
    struct page page = {.items = taken->page.items + from};
    while (from + page.n < taken->page.n && taken->confirmed[from + page.n] == taken->confirmed[from])
        page.n++;
    *to = from + page.n;
    struct cache_batch *batch = cache_batch_new("", NULL, &page, taken->confirmed[from]);
    cache_batch_if_later(batch);
    return batch;
}

/* What a colleague's console read is not sent back: where everything before it was sent, so is this. */
static void count_as_sent(struct team_lane *lane, struct cache *cache, int64_t before,
                          const struct cache_put_result *result) {
    int64_t last = 0, own = (result->change > 0) + (result->same > 0);
    if (lane->sent == before && cache_change_last(cache, &last, NULL) == ERR_OK && last == before + own && own > 0) {
        lane->sent = last;
        exchange_note_place(lane, cache, "team-sent", last);
    }
}

enum err team_exchange_store(struct team_lane *lane, struct cache *cache, const struct team_rows_taken *taken,
                             bool *stored, struct error *error) {
    enum err err = ERR_OK;
    for (size_t from = 0, to; from < taken->page.n && err == ERR_OK; from = to) {
        struct cache_put_result result = {0};
        int64_t before = 0;
        struct cache_batch *batch = batch_of_one_time(taken, from, &to);
        err = cache_change_last(cache, &before, error);
        if (err == ERR_OK)
            err = cache_put(cache, batch, &result, error);
        if (err == ERR_OK && lane)
            count_as_sent(lane, cache, before, &result);
        *stored = *stored || result.fresh + result.changed > 0;
        cache_put_result_clear(&result);
        cache_batch_free(batch);
    }
    return err;
}

/* A store that was begun anew under the same name counts from the start. That all is to be sent again is noted before
 * any place in it is. */
static enum err follow_new_store(struct team_lane *lane, struct cache *cache, int64_t last, struct error *error) {
    if (last + 1 >= lane->place.change)
        return ERR_OK;
    enum err err = note_place(lane, cache, "team-sent", -1, error);
    if (err != ERR_OK)
        return err;
    free(lane->place.id);
    lane->place.id = NULL;
    lane->place.change = 0;
    lane->sent = -1;
    forget_sending(&lane->sending);
    return ERR_OK;
}

/* The window is for what was there before: what comes from then on is taken in, however old its row. */
static void move_behind(struct team_lane *lane, struct cache *cache, int64_t last, bool more) {
    if (!more) {
        free(lane->place.id);
        lane->place.id = NULL;
        lane->place.change = last + 1 > lane->place.change ? last + 1 : lane->place.change;
        lane->place.oldest = 0;
    }
    if (lane->place.oldest == 0 && lane->noted != lane->place.change) {
        lane->noted = lane->place.change;
        exchange_note_place(lane, cache, "team-taken", lane->noted);
    }
}

static void swap_places(struct team_place_of_changes *a, struct team_place_of_changes *b) {
    struct team_place_of_changes was = *a;
    *a = *b;
    *b = was;
}

enum err team_exchange_take(struct team_lane *lane, struct cache *cache, struct team_turn_done *out,
                            struct error *error) {
    int64_t last = 0, now = clock_now();
    struct team_intents in = {0};
    exchange_begin(lane, cache);
    enum err err = team_change_last(lane->side->team, lane->scope, &last, error);
    if (err == ERR_OK)
        err = follow_new_store(lane, cache, last, error);
    if (err != ERR_OK || last < lane->place.change)
        return err;
    struct team_place_of_changes place = lane->place; /* that of the lane stays until the rows are stored */
    place.id = mem_dup(place.id);
    err = team_intents_since(lane->side->team, lane->scope, &place, &in, error);
    struct team_rows_taken *taken = mem_new(sizeof *taken);
    if (err == ERR_OK && in.n > 0) {
        decode_taken(&in, now, taken);
        err = team_exchange_store(lane, cache, taken, &out->stored, error);
    }
    if (err == ERR_OK) {
        swap_places(&lane->place, &place);
        move_behind(lane, cache, last, in.more);
        lane->sealed += in.sealed;
        out->more = out->more || in.more;
        out->taken = taken->page.n > 0 ? taken : NULL;
    }
    if (!out->taken)
        team_rows_taken_free(taken);
    free(place.id);
    team_intents_clear(&in);
    return err;
}
