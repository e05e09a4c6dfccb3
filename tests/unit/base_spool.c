/* Bytes that are put away and read back, with a file, without one, and where the disk takes no more. */
#include "base/mem.h"
#include "base/spool.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { RECORDS = 4000, LEN_MAX = 3000, MEMORY = 64 << 10 };

static char folder[] = "/tmp/bursar-test-spool-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) && setenv("XDG_CACHE_HOME", folder, 1) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    char inner[sizeof folder + 8];
    (void)state;
    (void)snprintf(inner, sizeof inner, "%s/bursar", folder);
    (void)rmdir(inner);
    return rmdir(folder);
}

static size_t len_of(size_t i) {
    return i * 7919 % LEN_MAX;
}

static void add_record(struct spool *spool, size_t i) {
    char bytes[LEN_MAX];
    memset(bytes, (int)('a' + i % 26), sizeof bytes);
    spool_add(spool, bytes, len_of(i));
}

static bool is_record(const char *bytes, size_t i) {
    bool same = bytes != NULL;
    for (size_t k = 0; same && k < len_of(i); k++)
        same = bytes[k] == (char)('a' + i % 26);
    return same;
}

/* In order, and backwards. */
static void check(const struct spool *spool, const uint64_t *places, size_t n) {
    struct spool_window window = {0};
    for (size_t i = 0; i < n; i++)
        assert_true(is_record(spool_see(spool, &window, places[i], len_of(i)), i));
    for (size_t i = n; i > 0; i--)
        assert_true(is_record(spool_see(spool, &window, places[i - 1], len_of(i - 1)), i - 1));
    assert_null(spool_see(spool, &window, spool_len(spool), 1));
    spool_window_clear(&window);
}

static size_t fill(struct spool *spool, uint64_t *places, size_t most) {
    size_t n = 0;
    for (; n < most && !spool_is_full(spool); n++) {
        places[n] = spool_len(spool);
        add_record(spool, n);
    }
    return n;
}

static size_t names_in(const char *path) {
    size_t n = 0;
    DIR *dir = opendir(path);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir))
        n += entry->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return n;
}

static void what_was_put_is_read_from_anywhere(void **state) {
    uint64_t *places = mem_new_array(RECORDS, sizeof *places);
    char inner[sizeof folder + 8];
    (void)state;
    struct spool *spool = spool_new(MEMORY);
    assert_int_equal(fill(spool, places, RECORDS), RECORDS); /* far more than the memory that it may take */
    check(spool, places, RECORDS);
    (void)snprintf(inner, sizeof inner, "%s/bursar", folder);
    assert_int_equal(names_in(inner), 0);
    spool_reset(spool);
    assert_int_equal(spool_len(spool), 0);
    assert_int_equal(fill(spool, places, RECORDS), RECORDS);
    check(spool, places, RECORDS);
    spool_free(spool);
    free(places);
}

static void without_a_folder_it_stays_in_memory_up_to_its_bound(void **state) {
    uint64_t *places = mem_new_array(RECORDS, sizeof *places);
    (void)state;
    assert_int_equal(setenv("XDG_CACHE_HOME", "/dev/null", 1), 0);
    struct spool *spool = spool_new(MEMORY);
    size_t n = fill(spool, places, RECORDS);
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    assert_true(n > 0 && n < RECORDS);
    check(spool, places, n);
    spool_free(spool);
    free(places);
}

/* A file that may not grow any further is what a full disk is. */
static void what_a_full_disk_does_not_take_is_there_all_the_same(void **state) {
    uint64_t *places = mem_new_array(RECORDS, sizeof *places);
    struct rlimit before, small;
    (void)state;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){1000000, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct spool *spool = spool_new(MEMORY);
    size_t n = fill(spool, places, RECORDS);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(n > 0 && n < RECORDS);
    check(spool, places, n);
    spool_reset(spool);
    assert_false(spool_is_full(spool));
    assert_int_equal(fill(spool, places, RECORDS), RECORDS);
    check(spool, places, RECORDS);
    spool_free(spool);
    free(places);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_put_is_read_from_anywhere),
        cmocka_unit_test(without_a_folder_it_stays_in_memory_up_to_its_bound),
        cmocka_unit_test(what_a_full_disk_does_not_take_is_there_all_the_same),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
