/* The cache as lanes use it: opened, asked for rows newest first, put into. The jobs are run here, on one thread. */
#include "run/lanes/cache_lane.h"

#include "base/clock.h"
#include "query/query.h"
#include "store_make.h"
#include "support/newer_cells.h"
#include "support/proc.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 250, PORTION = 100 };

static const struct cache_binding BINDING = {"https://api.example.com:443", "live", "acme-eu", "aaaaaaaaaaaa"};

struct fixture {
    char *folder;
    struct cache_place place;
    struct cache_lane lane;
    struct cached_rows *rows;
    enum cache_state state;
    char *said;
    size_t keys;
};

static void take(void *owner, struct event *event) {
    struct fixture *f = owner;
    cached_rows_free(f->rows);
    f->rows = event->kind == EVENT_CACHE_ROWS ? event_take(event, cached_rows) : NULL;
    const struct cache_told *told = event->kind == EVENT_CACHE_STATE ? event_get(event, cache_told) : NULL;
    f->state = told ? told->state : CACHE_STATE_OFF;
    free(f->said);
    f->said = mem_dup(told ? told->text : NULL);
}

static void take_keys(void *owner, int64_t *keys, size_t n) {
    ((struct fixture *)owner)->keys += n;
    free(keys);
}

static void run(struct fixture *f, struct lane_job *job) {
    job->run(job, &f->lane);
    job->done(job, f);
    job->free(job);
}

static struct lane_job *rows_job(struct list_ask *ask, int64_t from) {
    ask->from = from;
    return cache_rows_job(5, ask, take);
}

static void put(struct fixture *f, const char *cursor, struct page *page, int64_t now) {
    run(f, cache_put_job(cache_batch_new("", cursor, page, now), NULL, take_keys, take));
    page_clear(page);
}

static int set_up(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    f->folder = proc_folder_new();
    f->place = (struct cache_place){.folder = f->folder, .binding = BINDING};
    f->lane.place = &f->place;
    *state = f;
    run(f, cache_open_job(take));
    for (int i = 0; i < ROWS; i += 50) {
        struct page page;
        char cursor[16], next[16];
        (void)snprintf(cursor, sizeof cursor, i ? "c%d" : "", i);
        (void)snprintf(next, sizeof next, "c%d", i + 50);
        make_page(&page, i, 50, i + 50 < ROWS ? next : NULL);
        put(f, cursor, &page, MADE_NEWEST);
    }
    return f->state == CACHE_STATE_READY ? 0 : 1;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    cached_rows_free(f->rows);
    cache_lane_end(&f->lane);
    proc_folder_remove(f->folder);
    free(f->said);
    free(f);
    return 0;
}

static struct list_ask *ask_for(const char *query, size_t wanted) {
    struct list_ask *ask = list_ask_new(&(struct server_filter){0}, NULL, false);
    struct query_options options = {.unit = MONEY_RAW};
    if (query)
        assert_int_equal(query_parse(query, &options, &ask->query, NULL, NULL), ERR_OK);
    ask->context = (struct query_context){.now = MADE_NEWEST, .last_visit = MADE_NEWEST + 1};
    ask->wanted = wanted;
    return ask;
}

static const struct cached_rows *rows(struct fixture *f, struct list_ask *ask, int64_t from) {
    run(f, rows_job(ask, from));
    return f->rows;
}

static const char *id_at(const struct fixture *f, size_t row) {
    return f->rows->page.items[row]->id.text;
}

static void what_was_put_is_told_by_its_keys(void **state) {
    struct fixture *f = *state;
    assert_int_equal(f->keys, ROWS);
}

static void rows_come_newest_first_in_portions_to_the_end(void **state) {
    struct fixture *f = *state;
    size_t seen = 0;
    int64_t from = CACHED_FROM_NEWEST;
    do {
        const struct cached_rows *got = rows(f, ask_for(NULL, 0), from);
        assert_true(got->page.n <= PORTION);
        for (size_t i = 0; i < got->page.n; i++, seen++) {
            char id[32];
            (void)snprintf(id, sizeof id, "pay_%06zu", seen);
            assert_string_equal(id_at(f, i), id);
            assert_int_equal(got->confirmed[i], MADE_NEWEST);
        }
        from = got->next;
    } while (!f->rows->done);
    assert_int_equal(seen, ROWS);
}

static void the_services_filter_is_applied_here(void **state) {
    struct fixture *f = *state;
    struct list_ask *ask = ask_for(NULL, 0);
    server_filter_add_status(&ask->filter, "declined");
    server_filter_add_status(&ask->filter, "pending");
    const struct cached_rows *got = rows(f, ask, CACHED_FROM_NEWEST);
    assert_int_equal(got->page.n, PORTION);
    assert_string_equal(id_at(f, 0), "pay_000002");
    assert_string_equal(id_at(f, 1), "pay_000003");
    assert_string_equal(id_at(f, 2), "pay_000007");
    ask = ask_for(NULL, 0);
    server_filter_set_type(&ask->filter, "card_only");
    assert_int_equal(rows(f, ask, CACHED_FROM_NEWEST)->page.n, 0);
    assert_true(f->rows->done);
}

static void a_query_stops_at_what_is_wanted(void **state) {
    struct fixture *f = *state;
    const struct cached_rows *got = rows(f, ask_for("status:declined amount>=110", 3), CACHED_FROM_NEWEST);
    assert_int_equal(got->page.n, 3);
    assert_string_equal(id_at(f, 0), "pay_000012");
    assert_int_equal(got->rows_scanned, 23); /* to pay_000022 and no further */
    assert_false(got->done);
    int64_t next = got->next;
    got = rows(f, ask_for("status:declined amount>=110", 1), next);
    assert_string_equal(id_at(f, 0), "pay_000027");
    got = rows(f, ask_for("amount>=100000", 3), CACHED_FROM_NEWEST);
    assert_int_equal(got->page.n, 0);
    assert_int_equal(got->rows_scanned, ROWS);
    assert_true(got->done);
}

static void rows_of_a_newer_version_are_counted_and_not_among_the_rows(void **state) {
    struct fixture *f = *state;
    for (int i = 0; i < 3; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "pay_%06d", i);
        assert_true(
            newer_cells_make(cache_lane_usable(&f->lane), cache_key_of(id, MADE_NEWEST - (int64_t)i * MADE_STEP)));
    }
    const struct cached_rows *got = rows(f, ask_for(NULL, 0), CACHED_FROM_NEWEST);
    assert_string_equal(id_at(f, 0), "pay_000003");
    assert_int_equal(got->coverage.newer, 3);
    assert_false(coverage_is_whole(&got->coverage));
}

static void what_was_seen_to_change_can_be_asked_for(void **state) {
    struct fixture *f = *state;
    struct page page;
    page_init(&page);
    *vec_add(&page) = make_intent(&(struct made){
        .id = "pay_000004", .status = "approved", .created_ms = MADE_NEWEST - 4 * (int64_t)MADE_STEP, .amount = 104});
    put(f, "elsewhere", &page, MADE_NEWEST + 5000);
    const struct cached_rows *got = rows(f, ask_for("(is:changed | amount:100000)", 0), CACHED_FROM_NEWEST);
    assert_int_equal(got->page.n, 1);
    assert_string_equal(id_at(f, 0), "pay_000004");
}

static void a_question_nobody_waits_for_ends_early(void **state) {
    struct fixture *f = *state;
    struct lane_job *job = rows_job(ask_for("amount>=100000", 0), CACHED_FROM_NEWEST);
    atomic_store(&job->dropped, true);
    run(f, job);
    assert_int_equal(f->rows->rows_scanned, 1);
    assert_false(f->rows->done);
}

static void another_token_asks_first_and_is_accepted(void **state) {
    struct fixture *f = *state;
    cache_lane_close(&f->lane);
    f->lane.tried = false;
    f->place.binding.token = "bbbbbbbbbbbb";
    run(f, cache_open_job(take));
    assert_int_equal(f->state, CACHE_STATE_ASK);
    assert_null(cache_lane_usable(&f->lane));
    atomic_store(&f->place.accepted, true);
    run(f, cache_accept_job(take));
    assert_int_equal(f->state, CACHE_STATE_READY);
    assert_int_equal(rows(f, ask_for(NULL, 2), CACHED_FROM_NEWEST)->page.n, 2);
}

static void a_cache_of_another_account_is_left_alone_and_says_so(void **state) {
    struct fixture *f = *state;
    cache_lane_close(&f->lane);
    f->lane.tried = false;
    f->place.binding.account = "another";
    run(f, cache_open_job(take));
    assert_int_equal(f->state, CACHE_STATE_OFF);
    assert_non_null(f->said);
    assert_non_null(strstr(f->said, "another origin or account"));
    assert_true(rows(f, ask_for(NULL, 0), CACHED_FROM_NEWEST)->done);
    assert_int_equal(f->rows->page.n, 0);
    run(f, cache_accept_job(take));
    assert_int_equal(f->state, CACHE_STATE_OFF);
    assert_non_null(f->said);
}

/* ---- F43: the disk fills up, the folder goes, in the middle of a walk ---- */

static void hear_nothing(struct fixture *f) {
    free(f->said);
    f->said = NULL;
}

static void put_at(struct fixture *f, int from, bool last) {
    struct page page;
    char cursor[16], next[16];
    (void)snprintf(cursor, sizeof cursor, "c%d", from);
    (void)snprintf(next, sizeof next, "c%d", from + 50);
    make_page(&page, from, 50, last ? NULL : next);
    put(f, cursor, &page, MADE_NEWEST);
}

static size_t rows_held(struct fixture *f) {
    size_t n = 0;
    int64_t from = INT64_MIN;
    do {
        const struct cached_rows *found = rows(f, ask_for(NULL, 0), from);
        n += found->page.n;
        from = found->next;
    } while (!f->rows->done);
    return n;
}

static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void f43_a_disk_that_fills_up_is_said_once_and_what_was_read_is_stored_after(void **state) {
    struct fixture *f = *state;
    (void)signal(SIGXFSZ, SIG_IGN);
    hear_nothing(f);
    limit_files(4096);
    put_at(f, 1000, false);
    assert_non_null(f->said);
    assert_non_null(strstr(f->said, "pages are not stored (cache: no space left on the disk"));
    assert_int_equal(f->state, CACHE_STATE_OFF);
    for (int i = 1; i < 4; i++) {
        hear_nothing(f);
        put_at(f, 1000 + 50 * i, false);
        assert_null(f->said);
    }
    limit_files(RLIM_INFINITY);
    put_at(f, 1200, true);
    assert_non_null(f->said);
    assert_non_null(strstr(f->said, "pages are stored again"));
    assert_int_equal(f->state, CACHE_STATE_READY);
    assert_int_equal(rows_held(f), ROWS + 250);
}

/* Found full at the start: what it holds is read, and as soon as there is room it is written too. */
static void f43_a_cache_read_alone_since_the_disk_was_full_is_written_when_it_can_be(void **state) {
    struct fixture *f = *state;
    (void)signal(SIGXFSZ, SIG_IGN);
    cache_lane_close(&f->lane);
    hear_nothing(f);
    limit_files(0);
    run(f, cache_open_job(take));
    assert_int_equal(f->state, CACHE_STATE_READY);
    assert_non_null(strstr(f->said, "what it holds is read, nothing is stored"));
    hear_nothing(f);
    put_at(f, 1000, false);
    assert_int_equal(rows_held(f), ROWS);
    f->lane.again_at = 0; /* its time came: there is still no room */
    hear_nothing(f);
    put_at(f, 1050, false);
    assert_null(f->said);
    assert_int_equal(rows_held(f), ROWS);
    limit_files(RLIM_INFINITY);
    f->lane.again_at = 0;
    put_at(f, 1100, true);
    assert_non_null(f->said);
    assert_non_null(strstr(f->said, "the cache can be written again"));
    assert_int_equal(f->state, CACHE_STATE_READY);
    assert_int_equal(rows_held(f), ROWS + 150);
}

/* The moment at which it is tried to write again may be one at which another program opens the same cache. */
static void f43_a_cache_that_is_read_stays_open_while_another_holds_its_lock(void **state) {
    struct fixture *f = *state;
    (void)signal(SIGXFSZ, SIG_IGN);
    cache_lane_close(&f->lane);
    limit_files(0);
    run(f, cache_open_job(take));
    limit_files(RLIM_INFINITY);
    int folder = open(f->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(flock(folder, LOCK_EX | LOCK_NB), 0);
    f->lane.again_at = 0;
    assert_int_equal(rows_held(f), ROWS);
    assert_true(cache_is_read_only(f->lane.cache));
    (void)close(folder);
    f->lane.again_at = 0;
    hear_nothing(f);
    put_at(f, 1000, true);
    assert_non_null(f->said);
    assert_non_null(strstr(f->said, "the cache can be written again"));
    assert_int_equal(rows_held(f), ROWS + 50);
}

static void f43_a_folder_that_goes_is_begun_anew_with_all_that_was_read(void **state) {
    struct fixture *f = *state;
    hear_nothing(f);
    char *same = mem_dup(f->folder);
    proc_folder_remove(f->folder);
    f->place.folder = f->folder = same;
    put_at(f, 1000, false);
    assert_non_null(f->said);
    assert_non_null(strstr(f->said, "the cache was removed or replaced"));
    assert_int_equal(f->state, CACHE_STATE_READY);
    hear_nothing(f);
    put_at(f, 1050, true);
    assert_null(f->said);
    assert_int_equal(rows_held(f), ROWS + 100);
}

/* A file, or a link, where the folder was: said as what it is, and once that is put right all is stored. */
static void f43_what_stands_where_the_folder_was_is_named(void **state) {
    static const char *const SAID[] = {"is not a folder", "is a link"};
    struct fixture *f = *state;
    for (int kind = 0; kind < 2; kind++) {
        char *same = mem_dup(f->folder);
        hear_nothing(f);
        proc_folder_remove(f->folder);
        f->place.folder = f->folder = same;
        if (kind == 0)
            assert_true(proc_write_file(same, "not a folder"));
        else
            assert_int_equal(symlink("/nonexistent", same), 0);
        put_at(f, 1000, false);
        assert_non_null(f->said);
        assert_non_null(strstr(f->said, SAID[kind]));
        assert_null(strstr(f->said, "locks"));
        assert_int_equal(unlink(same), 0);
        hear_nothing(f);
        f->lane.again_at = 0;
        put_at(f, 1050, true);
        assert_non_null(f->said);
        assert_non_null(strstr(f->said, "pages are stored again"));
        assert_int_equal(rows_held(f), ROWS + 100);
    }
}

static void f66_a_folder_that_cannot_be_made_is_named_with_the_reason(void **state) {
    struct fixture *f = *state;
    char file[4096], folder[4200];
    (void)snprintf(file, sizeof file, "%s/a-file", f->folder);
    (void)snprintf(folder, sizeof folder, "%s/bursar", file);
    assert_true(proc_write_file(file, ""));
    cache_lane_close(&f->lane);
    const char *kept = f->place.folder;
    f->place.folder = folder;
    hear_nothing(f);
    run(f, cache_open_job(take));
    assert_int_equal(f->state, CACHE_STATE_OFF);
    assert_non_null(strstr(f->said, "no folder for it"));
    assert_non_null(strstr(f->said, "Not a directory"));
    f->place.folder = kept;
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_was_put_is_told_by_its_keys),
        TEST(rows_come_newest_first_in_portions_to_the_end),
        TEST(the_services_filter_is_applied_here),
        TEST(a_query_stops_at_what_is_wanted),
        TEST(rows_of_a_newer_version_are_counted_and_not_among_the_rows),
        TEST(what_was_seen_to_change_can_be_asked_for),
        TEST(a_question_nobody_waits_for_ends_early),
        TEST(f43_a_disk_that_fills_up_is_said_once_and_what_was_read_is_stored_after),
        TEST(f43_a_cache_read_alone_since_the_disk_was_full_is_written_when_it_can_be),
        TEST(f43_a_cache_that_is_read_stays_open_while_another_holds_its_lock),
        TEST(f43_a_folder_that_goes_is_begun_anew_with_all_that_was_read),
        TEST(f43_what_stands_where_the_folder_was_is_named),
        TEST(f66_a_folder_that_cannot_be_made_is_named_with_the_reason),
        TEST(another_token_asks_first_and_is_accepted),
        TEST(a_cache_of_another_account_is_left_alone_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
