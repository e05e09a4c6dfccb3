#include "store/cache.h"
#include "store/cache_care.h"

#include "store_make.h"
#include "store_place.h"
#include "support/proc.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static uint32_t below(uint64_t *seed, uint32_t n) {
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)((*seed >> 33) * n >> 31);
}

/* What page number p holds: `n` rows, and one without an id. */
static enum err put_page(struct cache *cache, int p, int n, struct error *error) {
    char cursor[32] = "", next[32];
    if (p > 0)
        snprintf(cursor, sizeof cursor, "c%d", p);
    snprintf(next, sizeof next, "c%d", p + 1);
    struct page page;
    make_page(&page, p * n, n, next);
    char loose[64];
    snprintf(loose, sizeof loose, "[\"row without an id\",%d]", p);
    *vec_add(&page) = make_broken(loose);
    struct cache_put_result result = {0};
    enum err err = cache_put_page(cache, "", cursor, &page, MADE_NEWEST, &result, error);
    cache_put_result_clear(&result);
    page_clear(&page);
    return err;
}

static int number_of(const struct cache_row *row) {
    struct cells cells;
    assert_true(cells_read(row->cells, row->cells_len, &cells));
    char id[32] = "";
    assert_true(cells.text[CELLS_ID].len == 10);
    memcpy(id, cells.text[CELLS_ID].s, 10);
    return (int)strtol(id + 4, NULL, 10);
}

/* A row must be exactly what was served for its number. */
static void check_row(const struct cache_row *row) {
    struct page made;
    make_page(&made, number_of(row), 1, NULL);
    assert_int_equal(row->raw_len, made.items[0]->raw_len);
    assert_memory_equal(row->raw, made.items[0]->raw, row->raw_len);
    assert_int_equal(cache_key_ms(row->key), made.items[0]->created_at.ms);
    page_clear(&made);
}

/* ---- Killed while it writes ---- */

enum { KILL_ROWS = 20 };

static void write_until_killed(struct place *place, int first, int out) {
    struct cache *cache = open_it(place);
    for (int p = first; cache && put_page(cache, p, KILL_ROWS, NULL) == ERR_OK; p++)
        if (write(out, &p, sizeof p) != sizeof p)
            break;
    _exit(1);
}

static bool take_ack(int fd, int ms, int *last) {
    struct pollfd fds = {.fd = fd, .events = POLLIN};
    return poll(&fds, 1, ms) > 0 && read(fd, last, sizeof *last) == sizeof *last;
}

/* Some pages, and then a moment more, so that the end comes in the middle of whatever is next. */
static int await_moment(int fd, uint64_t *seed, int last) {
    for (int pages = (int)below(seed, 6); pages > 0; pages--)
        if (!take_ack(fd, PROC_DEADLINE, &last))
            return last;
    take_ack(fd, (int)below(seed, 5), &last);
    return last;
}

static int drain(int fd, int last) {
    int p;
    while (read(fd, &p, sizeof p) == sizeof p)
        last = p;
    return last;
}

/* Opened, and found whole; report says what it holds. */
static struct cache *open_sound(struct place *place, struct cache_report *report) {
    struct cache *cache = open_it(place);
    struct error error = {0};
    assert_non_null(cache);
    assert_int_equal(place->opening.outcome, CACHE_OK);
    if (cache_verify(cache, NULL, NULL, report, &error) != ERR_OK)
        fail_msg("%s: %s", error.text, report->problem);
    return cache;
}

static void check_held(struct place *place, int last) {
    struct cache_report report;
    struct cache *cache = open_sound(place, &report);
    assert_true(report.rows >= (int64_t)(last + 1) * KILL_ROWS);
    if (last >= 0) {
        struct cache_page page;
        cache_page_init(&page);
        assert_int_equal(cache_page(cache, "", (size_t)last, &page, NULL), ERR_OK);
        assert_true(page.there);
        assert_int_equal(page.rows.n, KILL_ROWS + 1);
        for (size_t i = 0; i < KILL_ROWS; i++)
            check_row(&page.rows.items[i]);
        cache_page_clear(&page);
    }
    cache_close(cache);
}

static void no_acknowledged_row_is_lost_to_a_kill(void **state) {
    struct place *place = *state;
    uint64_t seed = 50;
    int last = -1;
    for (int round = 0; round < 50; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t pid = fork();
        if (pid == 0)
            write_until_killed(place, last + 1, ends[1]);
        close(ends[1]);
        last = await_moment(ends[0], &seed, last);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        last = drain(ends[0], last);
        close(ends[0]);
        check_held(place, last);
    }
    assert_true(last > 0);
}

/* ---- Flipped bits ---- */

enum { FLIP_ROWS = 60, FLIP_PAGES = 5, FLIPS = 1000 };

struct image {
    unsigned char *bytes;
    size_t len;
};

static struct image load(const char *path) {
    struct image image = {0};
    struct stat st;
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &st), 0);
    image.len = (size_t)st.st_size;
    image.bytes = mem_new(image.len);
    assert_int_equal(read(fd, image.bytes, image.len), (ssize_t)image.len);
    close(fd);
    return image;
}

static void store(const char *path, const struct image *image) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, image->bytes, image->len), (ssize_t)image->len);
    close(fd);
}

struct seen {
    int n;
    int64_t last;
};

static bool see(void *context, int64_t key, const void *cells, size_t len) {
    struct seen *seen = context;
    struct cells view;
    assert_true(cells_read(cells, len, &view));
    assert_true(key > seen->last);
    seen->last = key;
    seen->n++;
    return true;
}

/* Whatever a damaged cache gives is right; gives how many rows that were. */
static int read_everything(struct cache *cache) {
    struct cache_rows rows;
    cache_rows_init(&rows);
    bool through = cache_older(cache, CACHE_KEY_NEWEST, 10000, &rows, NULL) == ERR_OK;
    assert_true(rows.n <= FLIP_ROWS * FLIP_PAGES);
    int n = (int)rows.n;
    for (size_t i = 0; i < rows.n; i++)
        check_row(&rows.items[i]);
    cache_rows_clear(&rows);
    for (size_t p = 0; p < FLIP_PAGES && !cache_must_reopen(cache); p++) {
        struct cache_page page;
        cache_page_init(&page);
        if (cache_page(cache, "", p, &page, NULL) == ERR_OK && page.there) {
            assert_int_equal(page.rows.n, FLIP_ROWS + 1);
            for (size_t i = 0; i < FLIP_ROWS; i++) {
                if (page.rows.items[i].missing)
                    continue;
                check_row(&page.rows.items[i]);
                assert_int_equal(number_of(&page.rows.items[i]), (int)p * FLIP_ROWS + (int)i);
            }
            char loose[64];
            snprintf(loose, sizeof loose, "[\"row without an id\",%zu]", p);
            assert_string_equal(page.rows.items[FLIP_ROWS].raw, loose);
        }
        cache_page_clear(&page);
    }
    struct seen seen = {.last = CACHE_KEY_NEWEST};
    if (cache_stream(cache, CACHE_KEY_NEWEST, see, &seen, NULL) == ERR_OK && through)
        assert_true(seen.n <= n);
    return n;
}

static void no_flipped_bit_gives_a_wrong_row(void **state) {
    struct place *place = *state;
    struct cache *cache = open_it(place);
    assert_non_null(cache);
    for (int p = 0; p < FLIP_PAGES; p++)
        assert_int_equal(put_page(cache, p, FLIP_ROWS, NULL), ERR_OK);
    cache_close(cache);
    struct image image = load(place->path);
    uint64_t seed = 1000;
    int whole = 0, given = 0;
    for (int i = 0; i < FLIPS; i++) {
        size_t at = below(&seed, (uint32_t)image.len);
        unsigned char bit = (unsigned char)(1U << below(&seed, 8));
        image.bytes[at] ^= bit;
        store(place->path, &image);
        image.bytes[at] ^= bit;
        cache = open_it(place);
        if (!cache)
            continue;
        bool begun_anew = place->opening.outcome == CACHE_SET_ASIDE;
        int n = read_everything(cache);
        given += n;
        whole += n == FLIP_ROWS * FLIP_PAGES;
        if (cache_must_reopen(cache)) {
            cache = cache_reopen(cache, &place->opening);
            assert_non_null(cache);
            begun_anew = true;
            assert_int_equal(put_page(cache, 0, FLIP_ROWS, NULL), ERR_OK);
        }
        cache_close(cache);
        if (begun_anew)
            unlink(place->opening.aside);
    }
    free(image.bytes);
    /* Most flips cost a row or nothing: the tests above would prove nothing on an ever empty cache. */
    assert_true(whole > FLIPS / 10);
    assert_true(given > FLIPS * FLIP_ROWS * FLIP_PAGES / 2);
}

/* K9: bytes that are no UTF-8, put into a row by another tool, count as damage. */
static void check_damaged(struct place *place, const unsigned char *bytes, size_t len) {
    struct cache *cache = open_it(place);
    assert_int_equal(put_page(cache, 0, 5, NULL), ERR_OK);
    cache_close(cache);
    struct image image = load(place->path);
    unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd};
    unsigned char *at = memmem(image.bytes, image.len, frame, sizeof frame);
    assert_non_null(at);
    memcpy(at + 20, bytes, len);
    store(place->path, &image);
    free(image.bytes);
    cache = open_it(place);
    struct cache_rows rows;
    cache_rows_init(&rows);
    assert_int_equal(cache_older(cache, CACHE_KEY_NEWEST, 10, &rows, NULL), ERR_OK);
    assert_int_equal(rows.n, 4);
    assert_int_equal(rows.damaged, 1);
    cache_rows_clear(&rows);
    struct cache_stats stats;
    assert_int_equal(cache_stats(cache, &stats, NULL), ERR_OK);
    assert_int_equal(stats.rows, 4);
    assert_int_equal(stats.dropped, 1);
    assert_int_equal(put_page(cache, 0, 5, NULL), ERR_OK);
    assert_int_equal(cache_older(cache, CACHE_KEY_NEWEST, 10, &rows, NULL), ERR_OK);
    assert_int_equal(rows.n, 5);
    assert_int_equal(rows.damaged, 0);
    cache_rows_clear(&rows);
    cache_close(cache);
}

static void a_damaged_row_is_dropped_counted_and_put_again(void **state) {
    check_damaged(*state, (const unsigned char *)"\x01\xfe", 2);
}

static void k9_bytes_that_are_no_text_in_a_row_are_dropped_and_said(void **state) {
    check_damaged(*state, (const unsigned char *)"\xff\xc0\xaf", 3);
}

/* ---- No room ---- */

/* Writes until the file may not grow; gives the pages that were acknowledged, and checks that reading goes on. */
static void fill_up(struct place *place, int out) {
    struct rlimit limit;
    struct cache *cache = open_it(place);
    signal(SIGXFSZ, SIG_IGN);
    if (!cache || getrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(1);
    limit.rlim_cur = 600000;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(2);
    struct error error = {0};
    int p = 0;
    while (p < 10000 && put_page(cache, p, 50, &error) == ERR_OK)
        p++;
    if (p == 0 || p == 10000 || !strstr(error.text, "no space"))
        _exit(3);
    struct cache_rows rows;
    cache_rows_init(&rows);
    if (cache_older(cache, CACHE_KEY_NEWEST, 100000, &rows, NULL) != ERR_OK || rows.n != (size_t)p * 50)
        _exit(4);
    if (cache_must_reopen(cache) || write(out, &p, sizeof p) != sizeof p)
        _exit(5);
    _exit(0);
}

static void a_full_disk_costs_what_did_not_fit_and_nothing_else(void **state) {
    struct place *place = *state;
    int ends[2], status = 1, pages = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0)
        fill_up(place, ends[1]);
    close(ends[1]);
    pages = drain(ends[0], 0);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    struct cache_report report;
    struct error error = {0};
    struct cache *cache = open_sound(place, &report);
    assert_int_equal(report.rows, (int64_t)pages * 50);
    assert_int_equal(put_page(cache, pages, 50, &error), ERR_OK);
    cache_close(cache);
}

/* ---- Two at once ---- */

struct worker {
    struct place *place;
    int first;
    bool writes, failed;
};

static void *work(void *arg) {
    struct worker *worker = arg;
    struct cache_opening opening;
    struct cache *cache = cache_open(worker->place->folder, &BINDING, &opening);
    for (int i = 0; cache && i < 40 && !worker->failed; i++) {
        struct cache_rows rows;
        cache_rows_init(&rows);
        if (worker->writes)
            worker->failed = put_page(cache, worker->first + i, 20, NULL) != ERR_OK;
        else
            worker->failed = cache_older(cache, CACHE_KEY_NEWEST, 50, &rows, NULL) != ERR_OK || rows.damaged > 0;
        cache_rows_clear(&rows);
    }
    worker->failed = worker->failed || !cache;
    cache_close(cache);
    return NULL;
}

static void lanes_with_handles_of_their_own_do_not_disturb_each_other(void **state) {
    struct place *place = *state;
    struct worker workers[4] = {
        {place, 0, true, false}, {place, 1000, true, false}, {place, 0, false, false}, {place, 0, false, false}};
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < 4; i++)
        assert_false(workers[i].failed);
    struct cache *cache = open_it(place);
    int64_t rows = 0;
    assert_int_equal(cache_count(cache, &rows, NULL), ERR_OK);
    assert_int_equal(rows, 2 * 40 * 20);
    cache_close(cache);
}

static void two_consoles_write_and_read_the_same_pages(void **state) {
    struct place *place = *state;
    pid_t pids[2];
    for (int i = 0; i < 2; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            struct worker writes = {place, 0, true, false}, reads = {place, 0, false, false};
            work(&writes);
            work(&reads);
            _exit(writes.failed || reads.failed);
        }
    }
    for (int i = 0; i < 2; i++) {
        int status = 1;
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    struct cache *cache = open_it(place);
    struct cache_report report;
    assert_int_equal(cache_verify(cache, NULL, NULL, &report, NULL), ERR_OK);
    assert_int_equal(report.rows, 40 * 20);
    cache_close(cache);
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(no_acknowledged_row_is_lost_to_a_kill),
        IN_FOLDER(no_flipped_bit_gives_a_wrong_row),
        IN_FOLDER(a_damaged_row_is_dropped_counted_and_put_again),
        IN_FOLDER(k9_bytes_that_are_no_text_in_a_row_are_dropped_and_said),
        IN_FOLDER(a_full_disk_costs_what_did_not_fit_and_nothing_else),
        IN_FOLDER(lanes_with_handles_of_their_own_do_not_disturb_each_other),
        IN_FOLDER(two_consoles_write_and_read_the_same_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
