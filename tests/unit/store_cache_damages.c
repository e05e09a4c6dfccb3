/* F26: random damage to the files of a cache, as the store meets it: no row that was never stored, nothing is whole
 * over a hole, and a walk to its end makes it whole again. BURSAR_DAMAGES: how many; BURSAR_SEED: where chance begins.
 */
#include "store/cache.h"

#include "store_make.h"
#include "support/damage.h"
#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct cache_binding BINDING = {"https://api.example.com:443", "live", "acme-eu", ""};
enum { PAGE = 50, PAGES = 8, ROWS = PAGE * PAGES, DAMAGES = 60, SEED = 20261129, FILES = 2 };
static const char *const NAMES[FILES] = {"live.db", "live.db-wal"};

static char *folder;
static char what[128];
static int told, holes;

static const char *path_of(const char *name) {
    static char path[4200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* One page, whatever happens to the file meanwhile. */
static enum err put(struct cache *cache, int p, int64_t now) {
    char cursor[32] = "", next[32];
    struct page page;
    struct cache_put_result result = {0};
    if (p > 0)
        (void)snprintf(cursor, sizeof cursor, "c%d", p);
    (void)snprintf(next, sizeof next, "c%d", p + 1);
    make_page(&page, p * PAGE, PAGE, p + 1 < PAGES ? next : NULL);
    enum err err = cache_put_page(cache, "", cursor, &page, now, &result, NULL);
    cache_put_result_clear(&result);
    page_clear(&page);
    return err;
}

static bool put_all(struct cache *cache, int64_t now) {
    for (int p = 0; p < PAGES; p++)
        if (put(cache, p, now + p) != ERR_OK)
            return false;
    return true;
}

/* As the page lane does: a file that was found damaged meanwhile is begun anew, and gets all pages again. */
static struct cache *walk(struct cache *cache, int64_t now) {
    struct cache_opening opening;
    for (int i = 0; i < 3 && cache && !put_all(cache, now); i++) {
        if (!cache_must_reopen(cache))
            fail_msg("%s: a page cannot be stored, and nothing is said of damage", what);
        cache = cache_reopen(cache, &opening);
        told++;
    }
    return cache;
}

struct seen {
    int n;
    char ids[ROWS];
};

/* The row says of itself which it is; what else it holds follows from that. */
static void take(struct seen *seen, const struct cache_row *row) {
    int number = -1;
    if (row->missing || row->key == CACHE_KEY_NONE)
        return;
    if (sscanf(row->raw, "{\"id\":\"pay_%d\"", &number) != 1 || number < 0 || number >= ROWS || seen->ids[number])
        fail_msg("%s: a row that was never stored, or one twice: %.80s", what, row->raw);
    struct page page;
    make_page(&page, number, 1, NULL);
    if (strcmp(page.items[0]->raw, row->raw) != 0)
        fail_msg("%s: a wrong row: %.80s", what, row->raw);
    page_clear(&page);
    seen->ids[number] = 1;
    seen->n++;
}

static bool count_row(void *context, const struct cache_row *row) {
    *(int *)context += !row->missing;
    return true;
}

/* Rows by both ways of reading; what is claimed of them must not be more than there is. True: all of them. */
static bool look(struct cache *cache) {
    struct seen seen = {0};
    struct cache_rows rows;
    struct cache_whole whole = {0};
    int streamed = 0;
    cache_rows_init(&rows);
    bool good = cache_stream_rows(cache, CACHE_KEY_NEWEST, count_row, &streamed, NULL) == ERR_OK;
    good = cache_older(cache, CACHE_KEY_NEWEST, SIZE_MAX, &rows, NULL) == ERR_OK && good;
    for (size_t i = 0; i < rows.n; i++)
        take(&seen, &rows.items[i]);
    cache_rows_clear(&rows);
    good = cache_whole(cache, "", &whole, NULL) == ERR_OK && good;
    bool claimed = good && whole.known && whole.damaged == 0 && whole.removed == 0;
    if (claimed && (seen.n < ROWS || streamed < ROWS))
        fail_msg("%s: whole, with %d and %d of %d rows", what, seen.n, streamed, ROWS);
    told += !good || cache_take_damaged(cache) > 0;
    holes += seen.n < ROWS;
    return claimed;
}

static void damage_once(const struct bytes sound[FILES], int round, int64_t now) {
    struct cache_opening opening;
    int file = chance_below(10) < 7 ? 0 : 1;
    proc_folder_remove(folder);
    folder = proc_folder_new();
    for (int i = 0; i < FILES; i++)
        bytes_write(path_of(NAMES[i]), &sound[i]);
    struct bytes bytes = bytes_read(path_of(NAMES[file]));
    (void)snprintf(what, sizeof what, "damage %d, %s of %s", round, damage_do(&bytes), NAMES[file]);
    bytes_write(path_of(NAMES[file]), &bytes);
    free(bytes.s);
    struct cache *cache = cache_open(folder, &BINDING, &opening);
    if (cache)
        (void)look(cache);
    cache_close(cache);
    cache = cache_open(folder, &BINDING, &opening);
    cache = cache ? walk(cache, now) : NULL;
    if (!cache && opening.outcome != CACHE_NEWER && opening.outcome != CACHE_FOREIGN)
        fail_msg("%s: no cache any more: %s", what, opening.error.text);
    if (cache && !look(cache))
        fail_msg("%s: not whole after a walk to its end", what);
    cache_close(cache);
}

/* closed: as a program that ended leaves it, else with a log that holds the second walk. */
static void make_sound(bool closed, struct bytes sound[FILES]) {
    struct cache_opening opening;
    struct cache *cache = cache_open(folder, &BINDING, &opening);
    assert_non_null(cache);
    assert_true(put_all(cache, MADE_NEWEST) && put_all(cache, MADE_NEWEST + MADE_STEP));
    if (closed)
        cache_close(cache);
    for (int i = 0; i < FILES; i++)
        sound[i] = bytes_read(path_of(NAMES[i]));
    if (!closed)
        cache_close(cache);
}

static void f26_no_damage_gives_a_wrong_row_or_a_whole_with_a_hole(void **state) {
    (void)state;
    int n = number_or("BURSAR_DAMAGES", DAMAGES);
    chance_seed((unsigned long long)number_or("BURSAR_SEED", SEED));
    for (int closed = 0; closed < 2; closed++) {
        struct bytes sound[FILES];
        folder = proc_folder_new();
        make_sound(closed, sound);
        for (int i = closed; i < n; i += 2)
            damage_once(sound, i, MADE_NEWEST + MADE_DAY);
        for (int i = 0; i < FILES; i++)
            free(sound[i].s);
        proc_folder_remove(folder);
    }
    print_message("%d damages: told %d times, rows missing %d times\n", n, told, holes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(f26_no_damage_gives_a_wrong_row_or_a_whole_with_a_hole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
