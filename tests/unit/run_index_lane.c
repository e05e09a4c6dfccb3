/* The column index over a cache on disk: filled in slices, caught up with what others write, asked by filter. The jobs
 * are run here, on one thread, in the order that a lane would. */
#include "index_lane_make.h"
#include "model/change.h"
#include "support/newer_cells.h"

enum { ROWS = 300, MANY = 90 };

static int set_up(void **state) {
    return set_up_rows(state, ROWS);
}

static void answers_over_what_it_holds_while_it_fills(void **state) {
    struct fixture *f = *state;
    const struct lookup_result *found = ask(f, lookup_of("status:declined"));
    assert_int_equal(found->error.code, ERR_OK);
    assert_false(found->whole);
    assert_int_equal(found->n, 0);
    fill_whole(f);
    assert_true(f->changed);
    found = ask(f, lookup_of("status:declined"));
    assert_true(found->whole);
    assert_int_equal(found->n, ROWS / 5);
    assert_int_equal(found->rows_scanned, ROWS);
    assert_string_equal(id_at(found, 0), "pay_000002");
    assert_int_equal(found->rows.n, WINDOW);
    int64_t sum = 0;
    for (int i = 2; i < ROWS; i += 5)
        sum += 100 + i;
    assert_int_equal(found->n_totals, 1);
    assert_int_equal(found->totals[0].sum, sum);
}

static void a_command_without_a_screen_waits_for_all_of_it(void **state) {
    struct fixture *f = *state;
    struct lookup *lookup = lookup_of("status:declined");
    lookup->whole = true;
    assert_true(ask(f, lookup)->whole);
    assert_int_equal(f->found->n, ROWS / 5);
}

/* The key of a made row: the cache's own. */
static int64_t key_of_made(int number) {
    char id[32];
    (void)snprintf(id, sizeof id, "pay_%06d", number);
    return cache_key_of(id, MADE_NEWEST - (int64_t)number * MADE_STEP);
}

static void assert_says(const struct lookup_result *found, const char *words) {
    struct str text;
    str_init(&text, 1000);
    coverage_text(&found->coverage, COVERAGE_FULL, MADE_NEWEST, &text);
    if (!strstr(text.s, words))
        fail_msg("\"%s\" is not in \"%s\"", words, text.s);
    str_clear(&text);
}

static void rows_of_a_newer_version_are_counted_until_they_are_read_again(void **state) {
    struct fixture *f = *state;
    assert_true(newer_cells_make(f->writer, key_of_made(2)));
    assert_true(newer_cells_make(f->writer, key_of_made(3)));
    fill_whole(f);
    const struct lookup_result *found = ask(f, lookup_of("status:declined"));
    assert_int_equal(found->n, ROWS / 5 - 1);
    assert_int_equal(found->coverage.newer, 2);
    assert_says(found, "this is not all; 2 rows of the cache were written by a newer version of bursar");
    put_one(f, 2, "declined", 102, MADE_NEWEST + 1000);
    found = ask(f, lookup_of("status:declined"));
    assert_int_equal(found->n, ROWS / 5);
    assert_int_equal(found->coverage.newer, 1);
    put_one(f, 3, "approved", 103, MADE_NEWEST + 1000);
    found = ask(f, lookup_of("status:declined"));
    assert_int_equal(found->coverage.newer, 0);
    assert_int_equal(cache_take_damaged(f->writer), 0);
    assert_says(found, "that is all of them");
}

static void what_another_console_writes_is_caught_up(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    assert_int_equal(ask(f, lookup_of("status:declined"))->n, ROWS / 5);
    put_one(f, 2, "approved", 102, MADE_NEWEST + 1000);  /* one no longer */
    put_one(f, -1, "declined", 500, MADE_NEWEST + 1000); /* a new one */
    const struct lookup_result *found = ask(f, lookup_of("status:declined"));
    assert_int_equal(found->n, ROWS / 5);
    assert_string_equal(id_at(found, 0), "pay_-00001");
    assert_string_equal(id_at(found, 1), "pay_000007");
    run(f, index_fill_job(moved));
    assert_false(f->changed);
    put_one(f, -2, "declined", 500, MADE_NEWEST + 1000);
    run(f, index_fill_job(moved));
    assert_true(f->changed);
    assert_false(f->more);
}

static void assert_one_of_each(struct fixture *f, int64_t amount) {
    const struct lookup_result *found = ask(f, lookup_of("id:pay_000007"));
    assert_int_equal(found->rows_scanned, ROWS);
    assert_int_equal(found->n, 1);
    assert_int_equal(found->totals[0].sum, amount);
}

static size_t hits(struct fixture *f, const char *filter) {
    struct lookup *lookup = lookup_of(filter);
    lookup->whole = true;
    return ask(f, lookup)->n;
}

/* F81 takes rows for gone that a complete walk did not confirm: another console's walk confirms them for this one too.
 */
static void f81_rows_that_another_console_confirmed_are_hits(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    assert_int_equal(hits(f, "status:declined"), ROWS / 5);
    put_at(f, "", 0, ROWS, NULL, MADE_NEWEST + 5000);
    assert_int_equal(hits(f, "status:declined"), ROWS / 5);
    put_at(f, "", 0, ROWS / 2, NULL, MADE_NEWEST + 9000);
    assert_int_equal(hits(f, "status:declined"), ROWS / 10);
}

/* The id is the identity, and the row served last is the one that stays. */
static void a_row_whose_created_at_changed_is_counted_once(void **state) {
    struct fixture *f = *state;
    struct made moved_row = {.id = "pay_000007", .status = "declined", .created_ms = MADE_NEWEST + 500, .amount = 7001};
    put_made(f, &moved_row, MADE_NEWEST + 1000);
    fill_whole(f);
    assert_one_of_each(f, 7001);
    moved_row.created_ms = MADE_NEWEST - 500; /* it is met again by what another console wrote */
    moved_row.amount = 7002;
    put_made(f, &moved_row, MADE_NEWEST + 2000);
    assert_one_of_each(f, 7002);
    moved_row.created_ms += MADE_DAY;
    moved_row.amount = 7003;
    put_made(f, &moved_row, MADE_NEWEST + 3000);
    assert_one_of_each(f, 7003);
    int64_t rows;
    assert_int_equal(cache_count(f->writer, &rows, NULL), ERR_OK);
    assert_int_equal(rows, ROWS);
}

static void rows_confirmed_by_the_page_lane_are_noted(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    assert_int_equal(ask(f, lookup_of("is:stale"))->n, 0);
    struct lookup *later = lookup_of("is:stale");
    later->context.now = clock_now() + QUERY_STALE_MS / 2;
    assert_int_equal(ask(f, later)->n, ROWS); /* served in 2026-06, by the test's clock */
    int64_t *keys = mem_new_array(1, sizeof *keys);
    keys[0] = f->found->keys[5];
    run(f, index_put_job(keys, 1, moved));
    assert_true(f->changed);
    later = lookup_of("is:stale");
    later->context.now = clock_now() + QUERY_STALE_MS / 2;
    assert_int_equal(ask(f, later)->n, ROWS - 1);
}

/* By the index, and by whoever reads the cache without one. */
static void changes_of_status_that_were_observed_are_found(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    assert_int_equal(hits(f, "transition:*-*"), 0);
    put_one(f, 7, "approved", 107, MADE_NEWEST + 1000);
    put_one(f, 12, "approved", 112, MADE_NEWEST + 1000);
    put_one(f, 12, "canceled", 112, MADE_NEWEST + 2000);
    assert_int_equal(hits(f, "transition:declined-approved"), 2);
    assert_int_equal(hits(f, "transition:approved-canceled"), 1);
    assert_int_equal(hits(f, "transition:declined-canceled"), 0);
    assert_int_equal(hits(f, "transition:*-*"), 2);
    struct lookup *counts = lookup_of("");
    counts->facet = QUERY_TRANSITION_FIELD;
    const struct lookup_result *found = ask(f, counts);
    assert_int_equal(found->n_values, 3);
    assert_null(found->values[0].value);
    assert_int_equal(found->values[0].rows, ROWS - 2);
    assert_string_equal(found->values[1].value, "declined-approved");
    assert_int_equal(found->values[1].rows, 2);
    assert_string_equal(found->values[2].value, "approved-canceled");
}

/* Row 2 is declined without a category; so are all that are declined here. */
static void rows_of_before_the_rules_have_their_findings(void **state) {
    struct fixture *f = *state;
    for (int i = 2; i < ROWS; i += 5)
        assert_true(unjudged_cells_make(f->writer, key_of_made(i)));
    fill_whole(f);
    assert_int_equal(hits(f, "finding:decline"), ROWS / 5);
    assert_int_equal(hits(f, "has:finding status:declined"), ROWS / 5);
}

static void rows_on_show_stay_and_the_rest_waits(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    const struct lookup_result *before = ask(f, lookup_of("status:declined"));
    struct lookup *follow = lookup_of("status:declined");
    follow->n_shown = before->n;
    follow->shown = mem_new_array(before->n, sizeof *follow->shown);
    memcpy(follow->shown, before->keys, before->n * sizeof *follow->shown);
    follow->anchor.key = before->keys[3];
    put_one(f, 7, "approved", 107, MADE_NEWEST + 1000);
    put_one(f, -1, "declined", 500, MADE_NEWEST + 1000);
    put_one(f, 0, "declined", 100, MADE_NEWEST + 1000);
    const struct lookup_result *after = ask(f, follow);
    assert_int_equal(after->n, ROWS / 5);
    assert_int_equal(after->n_waiting, 2);
    assert_int_equal(after->n_gone, 1);
    assert_false(after->gone[0]);
    assert_true(after->gone[1]);
    assert_int_equal(after->at, 3);
    assert_string_equal(id_at(after, 1), "pay_000007");
    assert_string_equal(after->rows.items[1 - after->rows.first].intent->status.text, "approved");
    assert_int_equal(after->totals[0].rows, ROWS / 5 + 1); /* what matches, whether it is on show or waits */
}

static void a_sorted_list_stays_in_its_order(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    struct lookup *lookup = lookup_of("status:declined");
    lookup->sort[0] = (struct lookup_sort){QUERY_AMOUNT_FIELD, true};
    const struct lookup_result *before = ask(f, lookup);
    assert_string_equal(id_at(before, 0), "pay_000297");
    struct lookup *follow = lookup_of("status:declined");
    follow->sort[0] = (struct lookup_sort){QUERY_AMOUNT_FIELD, true};
    follow->n_shown = before->n;
    follow->shown = mem_new_array(before->n, sizeof *follow->shown);
    memcpy(follow->shown, before->keys, before->n * sizeof *follow->shown);
    follow->anchor.key = before->keys[4];
    put_one(f, 2, "declined", 100000, MADE_NEWEST + 1000); /* would be first */
    const struct lookup_result *after = ask(f, follow);
    assert_string_equal(id_at(after, 0), "pay_000297");
    assert_int_equal(after->at, 4);
    assert_int_equal(after->n_gone, 0);
    assert_int_equal(after->n_waiting, 0);
}

static void many_changes_are_taken_in_slices_until_none_is_left(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    for (int i = 0; i < MANY; i++)
        put_one(f, i, "canceled", 7000, MADE_NEWEST + 1000);
    (void)ask(f, lookup_of("status:canceled")); /* as far as it came */
    fill_whole(f);
    assert_int_equal(f->lane.n_taken, MANY);
    assert_int_equal(ask(f, lookup_of("status:canceled amount:7000"))->n, MANY);
    assert_int_equal(ask(f, lookup_of(""))->n, ROWS);
    for (int i = 0; i < MANY; i++)
        put_one(f, i, "declined", 8000, MADE_NEWEST + 2000);
    struct lookup *lookup = lookup_of("status:declined amount:8000");
    lookup->whole = true;
    assert_int_equal(ask(f, lookup)->n, MANY);
}

static void changes_since_the_visit_before_are_marked(void **state) {
    struct fixture *f = *state;
    put_one(f, 12, "approved", 112, MADE_NEWEST + 1000); /* before anybody looked: not marked */
    fill_whole(f);
    struct lookup *visit = lookup_of("amount>=0");
    visit->visit = true;
    assert_int_equal(ask(f, visit)->rows.items[12].changed, 0);
    put_one(f, 3, "canceled", 999, clock_now() + 1000);
    const struct lookup_result *found = ask(f, lookup_of("amount>=0"));
    assert_int_equal(found->rows.items[3].changed,
                     INTENT_CHANGE_BIT(INTENT_FIELD_STATUS) | INTENT_CHANGE_BIT(INTENT_FIELD_AMOUNT));
    assert_int_equal(found->rows.items[2].changed, 0);
    struct lookup_keys *rows = mem_new(sizeof *rows);
    *rows = (struct lookup_keys){.keys = mem_new_array(2, sizeof *rows->keys), .n = 2, .first = 40};
    rows->keys[0] = found->keys[3];
    rows->keys[1] = 12345; /* never held */
    run(f, index_rows_job(9, rows, take));
    assert_int_equal(f->ticket, 9);
    assert_int_equal(f->found->rows.first, 40);
    assert_int_equal(f->found->rows.n, 2);
    assert_true(f->found->rows.items[0].changed & INTENT_CHANGE_BIT(INTENT_FIELD_STATUS));
    assert_null(f->found->rows.items[1].intent);
}

static void a_question_nobody_waits_for_ends_early(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    struct lane_job *job = index_lookup_job(7, lookup_of("status:declined"), take);
    atomic_store(&job->dropped, true);
    run(f, job);
    assert_int_equal(f->found->error.code, ERR_CANCELLED);
    assert_int_equal(f->found->n, 0);
    assert_int_equal(f->found->rows.n, 0);
    struct lookup *lookup = lookup_of("status:declined");
    assert_int_equal(ask(f, lookup)->n, ROWS / 5); /* the next one is not hurt */
}

static void a_dropped_filling_goes_on_later(void **state) {
    struct fixture *f = *state;
    struct lookup *lookup = lookup_of("status:declined");
    lookup->whole = true;
    struct lane_job *job = index_lookup_job(7, lookup, take);
    atomic_store(&job->dropped, true);
    run(f, job);
    assert_false(f->lane.whole);
    fill_whole(f);
    assert_int_equal(ask(f, lookup_of(""))->n, ROWS);
}

static void a_find_gives_places_in_the_result(void **state) {
    struct fixture *f = *state;
    struct query_options options = {.unit = MONEY_RAW, .console = true};
    fill_whole(f);
    struct lookup *lookup = lookup_of("status:declined");
    assert_int_equal(query_parse("amount:107 | amount:112", &options, &lookup->find, NULL, NULL), ERR_OK);
    const struct lookup_result *found = ask(f, lookup);
    assert_int_equal(found->n_hits, 2);
    assert_int_equal(found->hits[0], 1);
    assert_int_equal(found->hits[1], 2);
}

static void marks_are_known_by_id_and_time(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    struct lookup *lookup = lookup_of("is:marked");
    lookup->marks = mem_new_array(2, sizeof *lookup->marks);
    lookup->marks[0] = (struct lookup_name){mem_dup("pay_000042"), MADE_NEWEST - 42 * (int64_t)MADE_STEP, 0};
    lookup->marks[1] = (struct lookup_name){mem_dup("pay_999999"), MADE_NEWEST, 0};
    lookup->n_marks = 2;
    const struct lookup_result *found = ask(f, lookup);
    assert_int_equal(found->n, 1);
    assert_string_equal(id_at(found, 0), "pay_000042");
}

static void values_are_counted_most_frequent_first(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    struct lookup *lookup = lookup_of("amount:100..110");
    lookup->facet = QUERY_STATUS_FIELD;
    lookup->facet_limit = 2;
    const struct lookup_result *found = ask(f, lookup);
    assert_int_equal(found->n_distinct, 5);
    assert_int_equal(found->n_values, 2);
    assert_string_equal(found->values[0].value, "approved");
    assert_int_equal(found->values[0].rows, 3);
}

/* The filter of a word that no row has is doubted; one that a row has is not, though other terms leave none. */
static void a_word_like_a_known_one_is_doubted_until_a_row_has_it(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    assert_non_null(strstr(ask(f, lookup_of("status:aproved"))->doubt, "no status \"aproved\" among "));
    assert_null(ask(f, lookup_of("status:approved amount<0"))->doubt);
    put_one(f, 9000, "aproved", 5, MADE_NEWEST);
    const struct lookup_result *found = ask(f, lookup_of("status:aproved amount<0"));
    assert_int_equal(found->n, 0);
    assert_null(found->doubt);
}

static void f44_a_number_with_commas_that_is_none_is_told_from_a_list(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    const char *said = ask(f, lookup_of("amount:100,107"))->doubt;
    assert_non_null(said);
    assert_string_equal(said,
                        "commas part the groups of one number; as a list, amount:\"100\",\"107\" would find some");
    assert_null(ask(f, lookup_of("amount:100,107 has:refund"))->doubt);
    assert_null(ask(f, lookup_of("amount:1,007"))->doubt);
}

static void rows_around_the_anchor_are_decoded(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    struct lookup *lookup = lookup_of("");
    lookup->anchor = (struct lookup_name){mem_dup("pay_000150"), MADE_NEWEST - 150 * (int64_t)MADE_STEP, 0};
    const struct lookup_result *found = ask(f, lookup);
    assert_int_equal(found->at, 150);
    assert_int_equal(found->rows.first, 150 - WINDOW / 2);
    assert_string_equal(id_at(found, 150), "pay_000150");
}

static void a_cache_begun_anew_is_read_anew(void **state) {
    struct fixture *f = *state;
    int64_t change;
    fill_whole(f);
    /* Of another console's log this one's place is not known: as after a purge. */
    assert_int_equal(cache_change_last(f->writer, &change, NULL), ERR_OK);
    f->lane.change = change + 1000;
    put_one(f, -1, "declined", 500, MADE_NEWEST + 1000);
    run(f, index_fill_job(moved));
    assert_true(f->changed);
    fill_whole(f);
    const struct lookup_result *found = ask(f, lookup_of(""));
    assert_true(found->whole);
    assert_int_equal(found->n, ROWS + 1);
}

static void told(void *owner, struct event *event) {
    (void)owner;
    assert_int_equal(event->kind, EVENT_INDEX);
    assert_true(event_get(event, index_filled) != NULL);
}

/* Rows numbered from `first` on, as the console gives them: no cache has them. */
static void give(struct fixture *f, bool anew, bool alone, int first, int n) {
    struct walked_rows *rows = walked_rows_new();
    rows->anew = anew;
    rows->alone = alone;
    for (int i = 0; i < n; i++) {
        struct intent *intent = make_intent(
            &(struct made){.id = "walked", .status = "walked", .created_ms = MADE_NEWEST, .amount = first + i});
        size_t from = rows->cells.len;
        cells_pack(intent, &rows->cells);
        *vec_add(rows) = (struct walked_row){LOOKUP_WALK_KEYS + first + i, MADE_NEWEST, from, rows->cells.len - from};
        intent_free(intent);
    }
    run(f, index_walked_job(rows, told));
}

static void rows_of_the_walk_are_among_those_of_the_cache(void **state) {
    struct fixture *f = *state;
    give(f, true, false, 1, 3);
    fill_whole(f);
    assert_int_equal(ask(f, lookup_of(""))->n, ROWS + 3);
    assert_int_equal(ask(f, lookup_of("status:walked amount>=2"))->n, 2);
    struct walked_rows *gone = walked_rows_new();
    *vec_add(gone) = (struct walked_row){.key = LOOKUP_WALK_KEYS + 2};
    run(f, index_walked_job(gone, told));
    assert_int_equal(ask(f, lookup_of("status:walked"))->n, 2);
    give(f, true, false, 7, 1); /* another walk */
    assert_int_equal(ask(f, lookup_of("status:walked"))->n, 1);
    assert_int_equal(f->found->keys[0], LOOKUP_WALK_KEYS + 7);
}

/* The cache is begun anew under the console: what the walk gave stays. */
static void rows_of_the_walk_outlive_the_cache(void **state) {
    struct fixture *f = *state;
    give(f, true, false, 1, 3);
    fill_whole(f);
    f->lane.of = NULL;
    f->lane.whole = false;
    assert_int_equal(ask(f, lookup_of("status:walked"))->n, 3);
    fill_whole(f);
    assert_int_equal(ask(f, lookup_of(""))->n, ROWS + 3);
}

/* A disk that fails, and works again. */
static void without_a_cache_rows_of_the_walk_alone_are_looked_into(void **state) {
    struct fixture *f = *state;
    fill_whole(f);
    give(f, true, true, 1, 5);
    const struct lookup_result *found = ask(f, lookup_of("amount>=2"));
    assert_int_equal(found->error.code, ERR_OK);
    assert_true(found->whole);
    assert_int_equal(found->n, 4);
    assert_int_equal(found->rows_scanned, 5);
    assert_int_equal(found->rows.n, 0); /* who asks has them */
    run(f, index_fill_job(moved));      /* does not bring the cache's rows in */
    assert_false(f->changed || f->more);
    struct lookup *sorted = lookup_of("");
    sorted->sort[0] = (struct lookup_sort){QUERY_AMOUNT_FIELD, true};
    sorted->left = mem_new_array(1, sizeof *sorted->left);
    sorted->left[0] = (struct lookup_left){.at = INT64_MAX, .key = LOOKUP_WALK_KEYS + 5};
    sorted->n_left = 1;
    found = ask(f, sorted);
    assert_int_equal(found->n, 4);
    assert_int_equal(found->keys[0], LOOKUP_WALK_KEYS + 4);
    give(f, true, false, 1, 1);
    fill_whole(f);
    assert_int_equal(ask(f, lookup_of(""))->n, ROWS + 1);
}

static void without_a_cache_it_says_so(void **state) {
    struct fixture *f = *state;
    struct index_lane lane = {.cache = {.place = &f->place, .tried = true, .hopeless = true}};
    struct lane_job *job = index_lookup_job(7, lookup_of(""), take);
    job->run(job, &lane);
    job->done(job, f);
    job->free(job);
    assert_int_equal(f->found->error.code, ERR_STORE);
    job = index_rows_job(8, mem_new(sizeof(struct lookup_keys)), take);
    job->run(job, &lane);
    job->done(job, f);
    job->free(job);
    assert_int_equal(f->found->rows.n, 0);
    running = f;
    job = index_fill_job(moved);
    f->changed = true;
    job->run(job, &lane);
    job->done(job, f);
    job->free(job);
    assert_false(f->more);
    assert_false(f->changed);
    index_lane_close(&lane);
}

static void a_job_is_known_by_its_ticket(void **state) {
    (void)state;
    uint64_t ticket = 7, other = 8;
    struct lane_job *lookup = index_lookup_job(7, lookup_of(""), take), *fill = index_fill_job(moved);
    assert_true(index_is_of(lookup, &ticket));
    assert_false(index_is_of(lookup, &other));
    assert_false(index_is_of(fill, &ticket));
    lookup->free(lookup);
    fill->free(fill);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(answers_over_what_it_holds_while_it_fills),
        TEST(a_command_without_a_screen_waits_for_all_of_it),
        TEST(rows_of_a_newer_version_are_counted_until_they_are_read_again),
        TEST(what_another_console_writes_is_caught_up),
        TEST(f81_rows_that_another_console_confirmed_are_hits),
        TEST(a_row_whose_created_at_changed_is_counted_once),
        TEST(rows_confirmed_by_the_page_lane_are_noted),
        TEST(changes_of_status_that_were_observed_are_found),
        TEST(rows_of_before_the_rules_have_their_findings),
        TEST(rows_on_show_stay_and_the_rest_waits),
        TEST(a_sorted_list_stays_in_its_order),
        TEST(many_changes_are_taken_in_slices_until_none_is_left),
        TEST(changes_since_the_visit_before_are_marked),
        TEST(a_question_nobody_waits_for_ends_early),
        TEST(a_dropped_filling_goes_on_later),
        TEST(a_find_gives_places_in_the_result),
        TEST(marks_are_known_by_id_and_time),
        TEST(values_are_counted_most_frequent_first),
        TEST(a_word_like_a_known_one_is_doubted_until_a_row_has_it),
        TEST(f44_a_number_with_commas_that_is_none_is_told_from_a_list),
        TEST(rows_around_the_anchor_are_decoded),
        TEST(a_cache_begun_anew_is_read_anew),
        TEST(without_a_cache_it_says_so),
        TEST(rows_of_the_walk_are_among_those_of_the_cache),
        TEST(rows_of_the_walk_outlive_the_cache),
        TEST(without_a_cache_rows_of_the_walk_alone_are_looked_into),
        cmocka_unit_test(a_job_is_known_by_its_ticket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
