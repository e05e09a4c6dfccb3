#include "model/transition.h"
#include "store/cache.h"

#include "base/clock.h"
#include "store_make.h"
#include "store_place.h"
#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct cache_put_result put(struct cache *cache, const char *cursor, struct page *page, int64_t now) {
    struct cache_put_result result;
    struct error error = {0};
    must(cache_put_page(cache, "status=declined", cursor, page, now, &result, &error), &error);
    page_clear(page);
    return result;
}

static void put_run(struct cache *cache, const char *cursor, int first, int n, const char *next) {
    struct page page;
    make_page(&page, first, n, next);
    struct cache_put_result result = put(cache, cursor, &page, MADE_NEWEST);
    assert_int_equal(result.n, n);
    cache_put_result_clear(&result);
}

static struct cache_put_result put_one(struct cache *cache, const struct made *made, int64_t now) {
    struct page page;
    page_init(&page);
    *vec_add(&page) = make_intent(made);
    return put(cache, "", &page, now);
}

static struct cache_rows older(struct cache *cache, int64_t from, size_t limit) {
    struct cache_rows rows;
    struct error error = {0};
    cache_rows_init(&rows);
    must(cache_older(cache, from, limit, &rows, &error), &error);
    return rows;
}

static void check_id(const struct cache_row *row, const char *id) {
    struct cells cells;
    assert_true(cells_read(row->cells, row->cells_len, &cells));
    assert_int_equal(cells.text[CELLS_ID].len, strlen(id));
    assert_memory_equal(cells.text[CELLS_ID].s, id, strlen(id));
}

static void raw_comes_back_byte_for_byte(void **state) {
    struct place *place = *state;
    struct made made = {.id = "pay_x", .status = "approved", .created_ms = MADE_NEWEST, .amount = 5};
    made.tail = ",  \"odd\" : [1.50, 1e400, \"\xff\xc0\xaf\\u001b\", 123456789012345678901234567890]";
    struct intent *intent = make_intent(&made);
    struct cache_put_result result = put_one(place->cache, &made, 1);
    cache_put_result_clear(&result);
    struct cache_rows rows = older(place->cache, CACHE_KEY_NEWEST, 10);
    assert_int_equal(rows.n, 1);
    assert_int_equal(rows.items[0].raw_len, intent->raw_len);
    assert_memory_equal(rows.items[0].raw, intent->raw, intent->raw_len);
    struct str cells;
    str_init(&cells, 4096);
    cells_pack(intent, &cells);
    assert_int_equal(rows.items[0].cells_len, cells.len);
    assert_memory_equal(rows.items[0].cells, cells.s, cells.len);
    str_clear(&cells);
    cache_rows_clear(&rows);
    intent_free(intent);
}

static void newest_come_first_and_page_by_key(void **state) {
    struct place *place = *state;
    put_run(place->cache, "", 0, 100, "c1");
    put_run(place->cache, "c1", 100, 100, NULL);
    int64_t from = CACHE_KEY_NEWEST;
    int seen = 0;
    for (;;) {
        struct cache_rows rows = older(place->cache, from, 33);
        for (size_t i = 0; i < rows.n; i++, seen++) {
            char id[32];
            snprintf(id, sizeof id, "pay_%06d", seen);
            check_id(&rows.items[i], id);
            assert_int_equal(cache_key_ms(rows.items[i].key), MADE_NEWEST - (int64_t)seen * MADE_STEP);
            from = rows.items[i].key;
        }
        size_t n = rows.n;
        cache_rows_clear(&rows);
        if (n < 33)
            break;
    }
    assert_int_equal(seen, 200);
}

static void rows_newer_than_a_key_come_nearest_first(void **state) {
    struct place *place = *state;
    put_run(place->cache, "", 0, 50, NULL);
    struct cache_rows rows;
    struct error error = {0};
    cache_rows_init(&rows);
    must(cache_newer(place->cache, CACHE_KEY_OLDEST, 2, &rows, &error), &error);
    assert_int_equal(rows.n, 2);
    check_id(&rows.items[0], "pay_000049");
    check_id(&rows.items[1], "pay_000048");
    int64_t from = rows.items[1].key;
    must(cache_newer(place->cache, from, 1, &rows, &error), &error);
    assert_int_equal(rows.n, 3);
    check_id(&rows.items[2], "pay_000047");
    cache_rows_clear(&rows);
}

static void a_row_is_found_by_id_and_by_keys(void **state) {
    struct place *place = *state;
    put_run(place->cache, "", 0, 500, NULL);
    struct cache_rows rows;
    struct error error = {0};
    cache_rows_init(&rows);
    must(cache_find(place->cache, "pay_000321", &rows, &error), &error);
    assert_int_equal(rows.n, 1);
    check_id(&rows.items[0], "pay_000321");
    must(cache_find(place->cache, "pay_none", &rows, &error), &error);
    assert_int_equal(rows.n, 1);
    const int64_t keys[] = {cache_key_of("pay_000009", MADE_NEWEST - 9 * (int64_t)MADE_STEP), -77,
                            cache_key_of("pay_000003", MADE_NEWEST - 3 * (int64_t)MADE_STEP)};
    must(cache_get(place->cache, keys, 3, &rows, &error), &error);
    assert_int_equal(rows.n, 4);
    check_id(&rows.items[1], "pay_000009");
    assert_true(rows.items[2].missing);
    assert_null(rows.items[2].raw);
    check_id(&rows.items[3], "pay_000003");
    cache_rows_clear(&rows);
}

struct given {
    int64_t keys[4];
    bool missing[4];
    size_t n, cells;
};

static bool note_given(void *context, const struct cache_row *row) {
    struct given *given = context;
    given->keys[given->n] = row->key;
    given->missing[given->n++] = row->missing;
    given->cells += row->cells_len;
    assert_null(row->raw);
    return true;
}

static void cells_of_keys_come_in_their_order(void **state) {
    struct place *place = *state;
    put_run(place->cache, "", 0, 500, NULL);
    struct error error = {0};
    struct given given = {.n = 0};
    const int64_t keys[] = {cache_key_of("pay_000009", MADE_NEWEST - 9 * (int64_t)MADE_STEP), -77,
                            cache_key_of("pay_000003", MADE_NEWEST - 3 * (int64_t)MADE_STEP)};
    must(cache_stream_keys(place->cache, keys, 3, note_given, &given, &error), &error);
    assert_int_equal(given.n, 3);
    assert_memory_equal(given.keys, keys, sizeof keys);
    assert_false(given.missing[0]);
    assert_true(given.missing[1]);
    assert_false(given.missing[2]);
    assert_true(given.cells > 0);
    put_run(place->cache, "", 500, 1, NULL); /* nothing is left open that would keep a writer out */
}

static void a_page_keeps_order_and_rows_without_id(void **state) {
    struct place *place = *state;
    struct page page;
    make_page(&page, 5, 2, "next=1&x");
    *vec_add(&page) = make_broken("[\"not\", 1]");
    struct made late = {.id = "pay_late", .status = "created", .created_ms = MADE_NEWEST + 5, .amount = 1};
    *vec_add(&page) = make_intent(&late);
    struct cache_put_result result = put(place->cache, "", &page, 777);
    assert_true(result.in_walk);
    assert_int_equal(result.fresh, 3);
    assert_int_equal(result.loose, 1);
    assert_int_equal(result.items[2].key, CACHE_KEY_NONE);
    cache_put_result_clear(&result);
    struct cache_page out;
    struct error error = {0};
    cache_page_init(&out);
    must(cache_page(place->cache, "status=declined", 0, &out, &error), &error);
    assert_true(out.there);
    assert_int_equal(out.fetched, 777);
    assert_null(out.cursor);
    assert_string_equal(out.next, "next=1&x");
    assert_int_equal(out.rows.n, 4);
    check_id(&out.rows.items[0], "pay_000005");
    check_id(&out.rows.items[1], "pay_000006");
    assert_string_equal(out.rows.items[2].raw, "[\"not\", 1]");
    assert_int_equal(out.rows.items[2].cells_len, 0);
    check_id(&out.rows.items[3], "pay_late");
    cache_page_clear(&out);
}

static bool has_page(struct cache *cache, const char *filter, size_t index) {
    struct cache_page page;
    struct error error = {0};
    cache_page_init(&page);
    must(cache_page(cache, filter, index, &page, &error), &error);
    bool there = page.there;
    cache_page_clear(&page);
    return there;
}

static void a_walk_reads_in_order_and_ends(void **state) {
    struct place *place = *state;
    put_run(place->cache, "", 0, 3, "c1");
    put_run(place->cache, "c1", 3, 3, "c2");
    put_run(place->cache, "c2", 6, 3, NULL);
    assert_true(has_page(place->cache, "status=declined", 2));
    assert_false(has_page(place->cache, "status=declined", 3));
    assert_false(has_page(place->cache, "", 0));
}

static void a_replaced_walk_loses_its_later_pages(void **state) {
    struct place *place = *state;
    put_run(place->cache, "", 0, 3, "c1");
    put_run(place->cache, "c1", 3, 3, "c2");
    put_run(place->cache, "c2", 6, 3, NULL);
    put_run(place->cache, "", 0, 3, "c1");
    assert_true(has_page(place->cache, "status=declined", 2));
    put_run(place->cache, "", 0, 3, "other");
    assert_true(has_page(place->cache, "status=declined", 0));
    assert_false(has_page(place->cache, "status=declined", 1));
    assert_false(has_page(place->cache, "status=declined", 2));
    int64_t rows = 0;
    struct error error = {0};
    must(cache_count(place->cache, &rows, &error), &error);
    assert_int_equal(rows, 9);
}

static void a_page_that_follows_none_is_not_in_the_walk(void **state) {
    struct place *place = *state;
    struct page page;
    make_page(&page, 0, 3, "c9");
    struct cache_put_result result = put(place->cache, "c8", &page, 1);
    assert_false(result.in_walk);
    assert_int_equal(result.fresh, 3);
    cache_put_result_clear(&result);
}

static void another_connection_continues_the_walk(void **state) {
    struct place *place = *state;
    put_run(place->cache, "", 0, 3, "c1");
    struct cache_opening opening;
    struct cache *second = cache_open(place->folder, &BINDING, &opening);
    assert_non_null(second);
    put_run(second, "c1", 3, 3, "c2");
    cache_close(second);
    put_run(place->cache, "c2", 6, 3, NULL);
    assert_true(has_page(place->cache, "status=declined", 2));
}

static void serving_the_same_again_only_confirms(void **state) {
    struct place *place = *state;
    const struct made made = {.id = "pay_a", .status = "pending", .created_ms = MADE_NEWEST, .amount = 5};
    struct cache_put_result result = put_one(place->cache, &made, 1000);
    assert_int_equal(result.fresh, 1);
    assert_int_not_equal(result.change, 0);
    cache_put_result_clear(&result);
    result = put_one(place->cache, &made, 2000);
    assert_int_equal(result.same, 1);
    assert_int_equal(result.change, 0);
    cache_put_result_clear(&result);
    struct cache_rows rows = older(place->cache, CACHE_KEY_NEWEST, 5);
    assert_int_equal(rows.n, 1);
    assert_int_equal(rows.items[0].seen, 1000);
    assert_int_equal(rows.items[0].confirmed, 2000);
    cache_rows_clear(&rows);
}

static void a_material_change_is_sighted(void **state) {
    struct place *place = *state;
    struct made made = {.id = "pay_a", .status = "pending", .created_ms = MADE_NEWEST, .amount = 5};
    struct cache_put_result result = put_one(place->cache, &made, 1000);
    int64_t key = result.items[0].key;
    cache_put_result_clear(&result);
    made.status = "approved";
    made.amount = -7;
    result = put_one(place->cache, &made, 2000);
    assert_int_equal(result.changed, 1);
    assert_true(result.items[0].material);
    cache_put_result_clear(&result);
    struct cache_sightings sightings;
    struct error error = {0};
    cache_sightings_init(&sightings);
    must(cache_sightings(place->cache, key, &sightings, &error), &error);
    assert_int_equal(sightings.n, 2);
    assert_string_equal(sightings.items[0].field, "status");
    assert_string_equal(sightings.items[0].old, "pending");
    assert_string_equal(sightings.items[0].now, "approved");
    assert_int_equal(sightings.items[0].seen, 2000);
    assert_string_equal(sightings.items[1].field, "amount");
    assert_string_equal(sightings.items[1].old, "5");
    assert_string_equal(sightings.items[1].now, "-7");
    cache_sightings_clear(&sightings);
    struct cache_rows rows = older(place->cache, CACHE_KEY_NEWEST, 5);
    assert_int_equal(rows.items[0].seen, 1000);
    cache_rows_clear(&rows);
}

static struct cache_put_result put_if_later(struct cache *cache, const struct made *made, int64_t confirmed) {
    struct page page;
    struct cache_put_result result;
    struct error error = {0};
    page_init(&page);
    *vec_add(&page) = make_intent(made);
    struct cache_batch *batch = cache_batch_new("", NULL, &page, confirmed);
    cache_batch_if_later(batch);
    must(cache_put(cache, batch, &result, &error), &error);
    cache_batch_free(batch);
    page_clear(&page);
    return result;
}

/* A colleague's reading is no page, and never makes a row older. */
static void rows_taken_in_stay_where_they_are_held_as_of_later(void **state) {
    struct place *place = *state;
    struct made made = {.id = "pay_a", .status = "pending", .created_ms = MADE_NEWEST, .amount = 5};
    struct cache_put_result result = put_one(place->cache, &made, 2000);
    cache_put_result_clear(&result);
    made.status = "created";
    result = put_if_later(place->cache, &made, 1000);
    assert_int_equal(result.changed + result.same + result.fresh, 0);
    assert_int_equal(result.change, 0);
    cache_put_result_clear(&result);
    struct cache_rows rows = older(place->cache, CACHE_KEY_NEWEST, 10);
    assert_int_equal(rows.items[0].confirmed, 2000);
    assert_non_null(strstr(rows.items[0].raw, "pending"));
    cache_rows_clear(&rows);
    made.status = "approved";
    result = put_if_later(place->cache, &made, 3000);
    assert_int_equal(result.changed, 1);
    cache_put_result_clear(&result);
    made.id = "pay_b";
    result = put_if_later(place->cache, &made, 1000);
    assert_int_equal(result.fresh, 1);
    assert_false(result.in_walk);
    cache_put_result_clear(&result);
    result = put_one(place->cache, &made, clock_now() + MADE_DAY); /* by a clock that was wrong then */
    cache_put_result_clear(&result);
    made.status = "declined";
    result = put_if_later(place->cache, &made, 4000);
    assert_int_equal(result.changed, 1);
    cache_put_result_clear(&result);
}

static void other_bytes_with_the_same_meaning_are_no_sighting(void **state) {
    struct place *place = *state;
    struct made made = {.id = "pay_a", .status = "pending", .created_ms = MADE_NEWEST, .amount = 5};
    struct cache_put_result result = put_one(place->cache, &made, 1000);
    int64_t key = result.items[0].key;
    cache_put_result_clear(&result);
    made.tail = ",\"fetched_at\":1";
    result = put_one(place->cache, &made, 2000);
    assert_int_equal(result.changed, 1);
    assert_false(result.items[0].material);
    cache_put_result_clear(&result);
    struct cache_sightings sightings;
    struct error error = {0};
    cache_sightings_init(&sightings);
    must(cache_sightings(place->cache, key, &sightings, &error), &error);
    assert_int_equal(sightings.n, 0);
}

static struct intent *with_transaction(const char *status, bool dispute) {
    struct intent *intent = make_intent(&(struct made){.id = "pay_t",
                                                       .status = "approved",
                                                       .created_ms = MADE_NEWEST,
                                                       .amount = 9,
                                                       .tail = dispute ? ",\"dispute\":{}" : NULL});
    intent->n_transactions = 1;
    intent->transactions = arena_new(&intent->arena, sizeof *intent->transactions);
    intent->transactions[0].id = made_text(intent, "tx_1");
    intent->transactions[0].status = made_text(intent, status);
    intent->dispute = dispute ? VALUE_OK : VALUE_NULL;
    free(intent->raw);
    intent->raw = mem_dup(status);
    intent->raw_len = strlen(status);
    return intent;
}

static void disputes_and_transactions_are_sighted(void **state) {
    struct place *place = *state;
    struct page page;
    page_init(&page);
    *vec_add(&page) = with_transaction("pending", false);
    struct cache_put_result result = put(place->cache, "", &page, 1);
    cache_put_result_clear(&result);
    page_init(&page);
    *vec_add(&page) = with_transaction("settled", true);
    result = put(place->cache, "", &page, 2);
    struct cache_sightings sightings;
    struct error error = {0};
    cache_sightings_init(&sightings);
    must(cache_sightings(place->cache, result.items[0].key, &sightings, &error), &error);
    assert_int_equal(sightings.n, 2);
    assert_string_equal(sightings.items[0].field, "dispute");
    assert_string_equal(sightings.items[0].now, "present");
    assert_string_equal(sightings.items[1].field, "transactions[tx_1].status");
    assert_string_equal(sightings.items[1].old, "pending");
    cache_sightings_clear(&sightings);
    cache_put_result_clear(&result);
}

/* Two ids whose keys are the same: found by trying, as their digests share 20 bits. */
static void find_clash(char a[32], char b[32]) {
    enum { TRIES = 20000 };
    int64_t *keys = mem_new_array(TRIES, sizeof *keys);
    for (int i = 0; i < TRIES; i++) {
        snprintf(b, 32, "clash_%d", i);
        keys[i] = cache_key_of(b, MADE_NEWEST);
        for (int j = 0; j < i; j++) {
            if (keys[j] == keys[i]) {
                snprintf(a, 32, "clash_%d", j);
                free(keys);
                return;
            }
        }
    }
    fail_msg("no clash among %d ids", TRIES);
}

static void clashing_keys_take_two_slots(void **state) {
    struct place *place = *state;
    char a[32], b[32];
    find_clash(a, b);
    for (int round = 0; round < 2; round++) {
        const char *const ids[2] = {a, b};
        for (int i = 0; i < 2; i++) {
            struct cache_put_result result = put_one(
                place->cache, &(struct made){.id = ids[i], .status = "created", .created_ms = MADE_NEWEST, .amount = i},
                round + 1);
            assert_int_equal(round == 0 ? result.fresh : result.same, 1);
            cache_put_result_clear(&result);
        }
    }
    struct cache_rows rows;
    struct error error = {0};
    cache_rows_init(&rows);
    must(cache_find(place->cache, b, &rows, &error), &error);
    assert_int_equal(rows.n, 1);
    check_id(&rows.items[0], b);
    cache_rows_clear(&rows);
}

/* The first was stored while the clock stood a year ahead; it is the second that holds now. */
static void f41_a_time_ahead_of_the_clock_does_not_choose_between_twins(void **state) {
    struct place *place = *state;
    struct made made = {.id = "pay_a", .status = "pending", .created_ms = MADE_NEWEST, .amount = 5};
    struct cache_put_result result = put_one(place->cache, &made, 90000000);
    int64_t keys[2] = {result.items[0].key, 0}, kept = 0;
    cache_put_result_clear(&result);
    made.created_ms += 1;
    made.status = "approved";
    result = put_one(place->cache, &made, 2000);
    keys[1] = result.items[0].key;
    cache_put_result_clear(&result);
    struct error error = {0};
    must(cache_reconcile(place->cache, keys[0], keys[1], 3000, &kept, &error), &error);
    assert_int_equal(kept, keys[1]);
}

/* In one page, both confirmed at the same moment: the later of the page holds, whichever time it names. */
static void f30_an_id_twice_in_a_page_is_kept_as_it_was_served_last(void **state) {
    struct place *place = *state;
    static const char *const IDS[] = {"pay_a", "pay_b"};
    for (int later = 0; later < 2; later++) {
        struct made first = {.id = IDS[later], .status = "pending", .created_ms = MADE_NEWEST + later, .amount = 5};
        struct made last = {.id = IDS[later], .status = "approved", .created_ms = MADE_NEWEST + 1 - later, .amount = 7};
        struct page page;
        page_init(&page);
        *vec_add(&page) = make_intent(&first);
        *vec_add(&page) = make_intent(&last);
        struct cache_put_result result = put(place->cache, "", &page, 1000);
        assert_int_equal(result.items[0].key, result.items[1].key);
        cache_put_result_clear(&result);
        struct cache_rows left = older(place->cache, CACHE_KEY_NEWEST, 5);
        assert_int_equal(left.n, 1 + later);
        for (size_t i = 0; i < left.n; i++)
            assert_non_null(strstr(left.items[i].raw, "approved"));
        cache_rows_clear(&left);
    }
}

/* Two ids of one digest by turns: each is kept as it was served last, and the time for it grows with the page alone. */
static int64_t put_two_often(void *context) {
    enum { ROWS = 8000 };
    const struct place *place = context;
    char ids[2][32];
    struct page page;
    find_clash(ids[0], ids[1]);
    page_init(&page);
    for (int i = 0; i < ROWS; i++)
        *vec_add(&page) = make_intent(&(struct made){.id = ids[i % 2],
                                                     .status = i < ROWS - 2 ? "pending" : "approved",
                                                     .created_ms = MADE_NEWEST + i,
                                                     .amount = i});
    int64_t start = proc_clock(0);
    struct cache_put_result result = put(place->cache, "", &page, 1000);
    int64_t took = proc_clock(0) - start;
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(result.items[i].key, result.items[ROWS - 2 + i % 2].key);
    cache_put_result_clear(&result);
    return took;
}

static void f30_ids_very_often_in_a_page_take_linear_time(void **state) {
    enum { BAR_MS = 1000 };
    struct place *place = *state;
    assert_true(proc_best_of(put_two_often, place, proc_bar(BAR_MS - 1)) < proc_bar(BAR_MS));
    struct cache_rows left = older(place->cache, CACHE_KEY_NEWEST, 5);
    assert_int_equal(left.n, 2);
    for (size_t i = 0; i < left.n; i++)
        assert_non_null(strstr(left.items[i].raw, "approved"));
    cache_rows_clear(&left);
}

static void a_changed_created_at_is_reconciled(void **state) {
    struct place *place = *state;
    struct made made = {.id = "pay_a", .status = "pending", .created_ms = MADE_NEWEST, .amount = 5};
    struct cache_put_result result = put_one(place->cache, &made, 1000);
    int64_t first = result.items[0].key;
    cache_put_result_clear(&result);
    made.created_ms += 1;
    made.status = "approved";
    result = put_one(place->cache, &made, 2000);
    int64_t second = result.items[0].key;
    assert_int_equal(result.fresh, 1);
    cache_put_result_clear(&result);
    assert_true(second < first);
    int64_t kept = 0, rows = 0;
    struct error error = {0};
    must(cache_reconcile(place->cache, first, second, 3000, &kept, &error), &error);
    assert_int_equal(kept, second);
    must(cache_count(place->cache, &rows, &error), &error);
    assert_int_equal(rows, 1);
    struct cache_rows left = older(place->cache, CACHE_KEY_NEWEST, 5);
    assert_int_equal(left.n, 1);
    assert_int_equal(left.items[0].seen, 1000);
    cache_rows_clear(&left);
    struct cache_sightings sightings;
    cache_sightings_init(&sightings);
    must(cache_sightings(place->cache, second, &sightings, &error), &error);
    assert_int_equal(sightings.n, 2);
    assert_string_equal(sightings.items[0].field, "created_at");
    assert_string_equal(sightings.items[0].old, "2026-06-15T12:00:00.000Z");
    assert_string_equal(sightings.items[0].now, "2026-06-15T12:00:00.001Z");
    assert_string_equal(sightings.items[1].field, "status");
    cache_sightings_clear(&sightings);
}

static void different_intents_are_not_reconciled(void **state) {
    struct place *place = *state;
    put_run(place->cache, "", 0, 2, NULL);
    struct cache_rows rows = older(place->cache, CACHE_KEY_NEWEST, 2);
    int64_t kept;
    struct error error = {0};
    assert_int_equal(cache_reconcile(place->cache, rows.items[0].key, rows.items[1].key, 1, &kept, &error),
                     ERR_INVALID);
    cache_rows_clear(&rows);
    int64_t n = 0;
    error_clear(&error);
    must(cache_count(place->cache, &n, &error), &error);
    assert_int_equal(n, 2);
}

struct counted {
    int64_t last;
    int n, stop_at;
};

static bool count_each(void *context, int64_t key, const void *cells, size_t len) {
    struct counted *counted = context;
    struct cells view;
    assert_true(cells_read(cells, len, &view));
    assert_true(key > counted->last);
    counted->last = key;
    return ++counted->n != counted->stop_at;
}

static void streaming_gives_every_row_once_and_stops_when_told(void **state) {
    struct place *place = *state;
    char cursor[16] = "", next[16];
    for (int i = 0; i < 50; i++) {
        snprintf(next, sizeof next, "c%d", i);
        put_run(place->cache, cursor, i * 100, 100, next);
        memcpy(cursor, next, sizeof cursor);
    }
    struct counted counted = {.last = CACHE_KEY_NEWEST};
    struct error error = {0};
    must(cache_stream(place->cache, CACHE_KEY_NEWEST, count_each, &counted, &error), &error);
    assert_int_equal(counted.n, 5000);
    int64_t middle = cache_key_of("pay_002499", MADE_NEWEST - 2499 * (int64_t)MADE_STEP);
    counted = (struct counted){.last = middle, .stop_at = 7};
    must(cache_stream(place->cache, middle, count_each, &counted, &error), &error);
    assert_int_equal(counted.n, 7);
}

struct timed {
    struct cache *cache;
    int64_t seen, confirmed, changed;
    uint64_t transitions;
    int n;
};

static bool take_times(void *context, const struct cache_row *row) {
    struct timed *timed = context;
    assert_non_null(strstr(row->raw, "\"pay_a\""));
    timed->seen = row->seen;
    timed->confirmed = row->confirmed;
    timed->n++;
    return cache_changed_at(timed->cache, row->key, &timed->changed, NULL) == ERR_OK &&
           cache_transitions(timed->cache, row->key, &timed->transitions, NULL) == ERR_OK;
}

static void streamed_rows_carry_their_times(void **state) {
    struct place *place = *state;
    struct made made = {.id = "pay_a", .status = "pending", .created_ms = MADE_NEWEST, .amount = 5};
    struct timed timed = {.cache = place->cache};
    struct error error = {0};
    for (int64_t now = 1000; now <= 3000; now += 1000) {
        made.status = now == 1000 ? "pending" : "approved";
        struct cache_put_result result = put_one(place->cache, &made, now);
        cache_put_result_clear(&result);
        must(cache_stream_rows(place->cache, CACHE_KEY_NEWEST, take_times, &timed, &error), &error);
        assert_int_equal(timed.seen, 1000);
        assert_int_equal(timed.confirmed, now);
        assert_int_equal(timed.changed, now == 1000 ? CLOCK_NONE : 2000);
        assert_int_equal(timed.transitions, now == 1000 ? 0 : TRANSITION_BIT(transition_of("pending", "approved")));
    }
    assert_int_equal(timed.n, 3);
}

static void another_console_is_caught_up_from_the_log(void **state) {
    struct place *place = *state;
    struct cache_opening opening;
    struct error error = {0};
    struct cache *other = cache_open(place->folder, &BINDING, &opening);
    assert_non_null(other);
    int64_t before = 0, after = 0, last = 0;
    must(cache_data_version(place->cache, &before, &error), &error);
    must(cache_change_last(place->cache, &last, &error), &error);
    put_run(other, "", 0, 3, NULL);
    must(cache_data_version(place->cache, &after, &error), &error);
    assert_int_not_equal(before, after);
    struct cache_changes changes;
    cache_changes_init(&changes);
    must(cache_changes(place->cache, last, &changes, &error), &error);
    assert_false(changes.rebuild);
    assert_int_equal(changes.n, 3);
    assert_false(changes.items[0].gone);
    last = changes.last;
    cache_changes_clear(&changes);
    must(cache_changes(place->cache, last, &changes, &error), &error);
    assert_int_equal(changes.n, 0);
    must(cache_changes(place->cache, last + 5, &changes, &error), &error);
    assert_true(changes.rebuild);
    cache_changes_clear(&changes);
    cache_close(other);
}

static void a_note_is_stored_with_its_page(void **state) {
    struct place *place = *state;
    struct page page;
    struct error error = {0};
    make_page(&page, 0, 3, "c1");
    struct cache_batch *batch = cache_batch_new("", NULL, &page, 1);
    page_clear(&page);
    cache_batch_note(batch, "mirror", "c1");
    struct cache_put_result result;
    must(cache_put(place->cache, batch, &result, &error), &error);
    cache_batch_free(batch);
    cache_put_result_clear(&result);
    char *text;
    must(cache_note(place->cache, "mirror", &text, &error), &error);
    assert_string_equal(text, "c1");
    free(text);
    must(cache_set_note(place->cache, "mirror", NULL, &error), &error);
    must(cache_note(place->cache, "mirror", &text, &error), &error);
    assert_null(text);
}

static void keys_hold_their_time_and_order(void **state) {
    (void)state;
    assert_int_equal(cache_key_ms(cache_key_of("a", MADE_NEWEST)), MADE_NEWEST);
    assert_true(cache_key_of("a", MADE_NEWEST + 1) < cache_key_of("b", MADE_NEWEST));
    assert_int_equal(cache_key_ms(cache_key_of("a", CLOCK_NONE)), 0);
    assert_int_equal(cache_key_ms(cache_key_of("a", -5)), 0);
    assert_int_equal(cache_key_ms(cache_key_of("a", INT64_MAX)), (INT64_C(1) << 43) - 1);
    assert_true(cache_key_of("a", INT64_MAX) > CACHE_KEY_NEWEST);
    assert_true(cache_key_of("a", 0) < CACHE_KEY_NONE);
}

static void what_comes_from_the_future_is_expired(void **state) {
    (void)state;
    assert_int_equal(cache_age(1000, 5000), 4000);
    assert_int_equal(cache_age(5000, 1000), 0);
    assert_int_equal(cache_age(MADE_NEWEST + 10 * (int64_t)MADE_DAY, MADE_NEWEST), -1);
}

#define WITH_CACHE(name) cmocka_unit_test_setup_teardown(name, place_set_up_open, place_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_CACHE(raw_comes_back_byte_for_byte),
        WITH_CACHE(newest_come_first_and_page_by_key),
        WITH_CACHE(rows_newer_than_a_key_come_nearest_first),
        WITH_CACHE(a_row_is_found_by_id_and_by_keys),
        WITH_CACHE(cells_of_keys_come_in_their_order),
        WITH_CACHE(a_page_keeps_order_and_rows_without_id),
        WITH_CACHE(a_walk_reads_in_order_and_ends),
        WITH_CACHE(a_replaced_walk_loses_its_later_pages),
        WITH_CACHE(a_page_that_follows_none_is_not_in_the_walk),
        WITH_CACHE(another_connection_continues_the_walk),
        WITH_CACHE(serving_the_same_again_only_confirms),
        WITH_CACHE(a_material_change_is_sighted),
        WITH_CACHE(rows_taken_in_stay_where_they_are_held_as_of_later),
        WITH_CACHE(other_bytes_with_the_same_meaning_are_no_sighting),
        WITH_CACHE(disputes_and_transactions_are_sighted),
        WITH_CACHE(clashing_keys_take_two_slots),
        WITH_CACHE(f41_a_time_ahead_of_the_clock_does_not_choose_between_twins),
        WITH_CACHE(f30_an_id_twice_in_a_page_is_kept_as_it_was_served_last),
        WITH_CACHE(f30_ids_very_often_in_a_page_take_linear_time),
        WITH_CACHE(a_changed_created_at_is_reconciled),
        WITH_CACHE(different_intents_are_not_reconciled),
        WITH_CACHE(streaming_gives_every_row_once_and_stops_when_told),
        WITH_CACHE(streamed_rows_carry_their_times),
        WITH_CACHE(another_console_is_caught_up_from_the_log),
        WITH_CACHE(a_note_is_stored_with_its_page),
        cmocka_unit_test(keys_hold_their_time_and_order),
        cmocka_unit_test(what_comes_from_the_future_is_expired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
