#include "store/cache.h"
#include "store/cache_care.h"

#include "store_make.h"
#include "store_place.h"
#include "support/proc.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct cache *open_as(struct place *place, const struct cache_binding *as) {
    return cache_open(place->folder, as, &place->opening);
}

static void put_rows(struct cache *cache, int n) {
    struct page page;
    struct cache_put_result result;
    struct error error = {0};
    make_page(&page, 0, n, NULL);
    must(cache_put_page(cache, "", NULL, &page, MADE_NEWEST, &result, &error), &error);
    cache_put_result_clear(&result);
    page_clear(&page);
}

static void make_cache(struct place *place, int rows) {
    struct cache *cache = open_it(place);
    assert_non_null(cache);
    assert_int_equal(place->opening.outcome, CACHE_OK);
    put_rows(cache, rows);
    cache_close(cache);
}

static int64_t count(struct cache *cache) {
    int64_t rows = -1;
    struct error error = {0};
    must(cache_count(cache, &rows, &error), &error);
    return rows;
}

struct bytes {
    char *s;
    size_t len;
};

static struct bytes read_bytes(const char *path) {
    FILE *file = fopen(path, "rb");
    struct stat st;
    struct bytes bytes = {NULL, 0};
    if (!file || fstat(fileno(file), &st) != 0)
        fail_msg("%s", path);
    bytes.s = mem_new((size_t)st.st_size + 1);
    bytes.len = fread(bytes.s, 1, (size_t)st.st_size, file);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const char *s, size_t len) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(s, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void check_same(const char *path, struct bytes before) {
    struct bytes after = read_bytes(path);
    assert_int_equal(after.len, before.len);
    assert_memory_equal(after.s, before.s, before.len);
    free(after.s);
}

static void outside_sql(const char *path, const char *sql) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    sqlite3_close(db);
}

static int mode_of(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 ? (int)(st.st_mode & 0777) : -1;
}

static void files_are_private_whatever_the_umask(void **state) {
    struct place *place = *state;
    mode_t old = umask(0);
    char folder[4200], path[4400];
    snprintf(folder, sizeof folder, "%s/deep/cache", place->folder);
    const struct cache_binding as = BINDING;
    struct cache *cache = cache_open(folder, &as, &place->opening);
    assert_non_null(cache);
    put_rows(cache, 10);
    static const char *const names[] = {"live.db", "live.db-wal", "live.db-shm"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(mode_of(path), 0600);
    }
    assert_int_equal(mode_of(folder), 0700);
    cache_close(cache);
    umask(old);
}

static void a_file_open_to_others_is_closed_to_them(void **state) {
    struct place *place = *state;
    make_cache(place, 3);
    assert_int_equal(chmod(place->path, 0644), 0);
    struct cache *cache = open_it(place);
    assert_non_null(cache);
    assert_int_equal(mode_of(place->path), 0600);
    cache_close(cache);
}

static void it_opens_again_with_what_it_held(void **state) {
    struct place *place = *state;
    make_cache(place, 7);
    struct cache *cache = open_it(place);
    assert_int_equal(place->opening.outcome, CACHE_OK);
    assert_int_equal(count(cache), 7);
    cache_close(cache);
}

static void a_foreign_cache_is_left_as_it_is(void **state) {
    struct place *place = *state;
    make_cache(place, 7);
    struct bytes before = read_bytes(place->path);
    struct cache_binding others[] = {BINDING, BINDING};
    others[0].origin = "https://other.example:443";
    others[1].account = "acme-us";
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        assert_null(open_as(place, &others[i]));
        assert_int_equal(place->opening.outcome, CACHE_FOREIGN);
        check_same(place->path, before);
        char log[4300];
        struct stat st;
        snprintf(log, sizeof log, "%s-wal", place->path);
        assert_true(stat(log, &st) != 0 || st.st_size == 0);
    }
    free(before.s);
}

static void profiles_have_files_of_their_own(void **state) {
    struct place *place = *state;
    make_cache(place, 7);
    struct cache_binding as = BINDING;
    as.profile = "../live";
    struct cache *cache = open_as(place, &as);
    assert_non_null(cache);
    assert_int_equal(count(cache), 0);
    assert_non_null(strstr(place->opening.path, "/%2E.%2Flive.db"));
    cache_close(cache);
}

static void a_changed_token_is_asked_until_a_page_was_served_for_it(void **state) {
    struct place *place = *state;
    make_cache(place, 7);
    struct cache_binding as = BINDING;
    as.token = "bbbbbbbbbbbb";
    struct cache *cache = open_as(place, &as);
    assert_non_null(cache);
    assert_int_equal(place->opening.outcome, CACHE_TOKEN_CHANGED);
    cache_close(cache);
    cache = open_as(place, &as); /* the service may have refused it */
    assert_int_equal(place->opening.outcome, CACHE_TOKEN_CHANGED);
    put_rows(cache, 7);
    cache_close(cache);
    cache = open_as(place, &as);
    assert_int_equal(place->opening.outcome, CACHE_OK);
    assert_int_equal(count(cache), 7);
    cache_close(cache);
    as.token = "";
    cache = open_as(place, &as);
    assert_int_equal(place->opening.outcome, CACHE_OK);
    cache_close(cache);
}

static void a_token_that_was_never_served_binds_nothing(void **state) {
    struct place *place = *state;
    struct cache_binding as = BINDING;
    as.token = "bbbbbbbbbbbb";
    cache_close(open_as(place, &as));
    assert_int_equal(place->opening.outcome, CACHE_OK);
    cache_close(open_it(place));
    assert_int_equal(place->opening.outcome, CACHE_OK);
    make_cache(place, 7);
    cache_close(open_as(place, &as));
    assert_int_equal(place->opening.outcome, CACHE_TOKEN_CHANGED);
}

static void a_newer_cache_stays_byte_for_byte(void **state) {
    struct place *place = *state;
    make_cache(place, 7);
    outside_sql(place->path, "PRAGMA user_version = 99; CREATE TABLE later(x)");
    struct bytes before = read_bytes(place->path);
    assert_null(open_it(place));
    assert_int_equal(place->opening.outcome, CACHE_NEWER);
    check_same(place->path, before);
    free(before.s);
}

/* The newer version stands in the log alone, as after a crash of the newer program. */
static void a_newer_version_in_the_log_is_left_too(void **state) {
    struct place *place = *state;
    make_cache(place, 7);
    pid_t pid = fork();
    if (pid == 0) {
        sqlite3 *db = NULL;
        bool ok = sqlite3_open(place->path, &db) == SQLITE_OK &&
                  sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL) == SQLITE_OK;
        _exit(ok ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    char log[4300];
    snprintf(log, sizeof log, "%s-wal", place->path);
    struct bytes before = read_bytes(place->path), before_log = read_bytes(log);
    assert_true(before_log.len > 0);
    assert_null(open_it(place));
    assert_int_equal(place->opening.outcome, CACHE_NEWER);
    check_same(place->path, before);
    check_same(log, before_log);
    free(before.s);
    free(before_log.s);
}

static void check_set_aside(struct place *place, struct bytes damaged) {
    struct cache *cache = open_it(place);
    assert_non_null(cache);
    assert_int_equal(place->opening.outcome, CACHE_SET_ASIDE);
    check_same(place->opening.aside, damaged);
    assert_int_equal(count(cache), 0);
    put_rows(cache, 3);
    assert_int_equal(count(cache), 3);
    cache_close(cache);
    free(damaged.s);
}

static void overwritten_bytes_set_the_file_aside(void **state) {
    struct place *place = *state;
    make_cache(place, 200);
    for (int round = 1; round <= 2; round++) {
        struct bytes bytes = read_bytes(place->path);
        memset(bytes.s + 100, 0x5a, 500);
        write_bytes(place->path, bytes.s, bytes.len);
        check_set_aside(place, bytes);
        char expected[4300];
        snprintf(expected, sizeof expected, "%s.damaged-%d", place->path, round);
        assert_string_equal(place->opening.aside, expected);
    }
}

static void what_is_no_database_is_set_aside(void **state) {
    struct place *place = *state;
    static const char TEXT[] = "this is not a database, but long enough to be looked at as one: "
                               "0123456789 0123456789 0123456789 0123456789";
    write_bytes(place->path, TEXT, sizeof TEXT);
    check_set_aside(place, read_bytes(place->path));
    write_bytes(place->path, "xy", 2);
    check_set_aside(place, read_bytes(place->path));
}

static void a_truncated_cache_is_set_aside(void **state) {
    struct place *place = *state;
    make_cache(place, 200);
    struct bytes bytes = read_bytes(place->path);
    bytes.len = 4096 + 7;
    write_bytes(place->path, bytes.s, bytes.len);
    struct cache *cache = open_it(place);
    if (cache && place->opening.outcome == CACHE_OK) {
        struct cache_rows rows;
        cache_rows_init(&rows);
        assert_int_equal(cache_older(cache, CACHE_KEY_NEWEST, 500, &rows, NULL), ERR_STORE);
        cache_rows_clear(&rows);
        assert_true(cache_must_reopen(cache));
        cache = cache_reopen(cache, &place->opening);
    }
    assert_non_null(cache);
    assert_int_equal(place->opening.outcome, CACHE_SET_ASIDE);
    cache_close(cache);
    free(bytes.s);
}

static void an_empty_file_is_an_empty_cache(void **state) {
    struct place *place = *state;
    write_bytes(place->path, "", 0);
    make_cache(place, 5);
}

static void another_programs_database_is_set_aside(void **state) {
    struct place *place = *state;
    outside_sql(place->path, "CREATE TABLE theirs(x); PRAGMA application_id = 77");
    check_set_aside(place, read_bytes(place->path));
}

static void a_trigger_or_view_is_set_aside(void **state) {
    struct place *place = *state;
    static const char *const hostile[] = {
        "CREATE TRIGGER t AFTER INSERT ON intents BEGIN DELETE FROM pages; END",
        "CREATE VIEW v AS SELECT * FROM intents",
        "ALTER TABLE intents ADD COLUMN extra",
    };
    for (size_t i = 0; i < COUNT_OF(hostile); i++) {
        make_cache(place, 5);
        outside_sql(place->path, hostile[i]);
        check_set_aside(place, read_bytes(place->path));
        assert_int_equal(unlink(place->path), 0);
    }
}

static void a_changed_binding_row_is_damage(void **state) {
    struct place *place = *state;
    make_cache(place, 5);
    outside_sql(place->path, "UPDATE binding SET account = 'acme-us'; PRAGMA wal_checkpoint(TRUNCATE)");
    check_set_aside(place, read_bytes(place->path));
}

static void links_are_refused(void **state) {
    struct place *place = *state;
    make_cache(place, 5);
    char other[4300];
    snprintf(other, sizeof other, "%s/other.db", place->folder);
    assert_int_equal(link(place->path, other), 0);
    assert_null(open_it(place));
    assert_int_equal(place->opening.outcome, CACHE_UNSAFE);
    assert_int_equal(unlink(place->path), 0);
    assert_int_equal(symlink(other, place->path), 0);
    assert_null(open_it(place));
    assert_int_equal(place->opening.outcome, CACHE_UNSAFE);
}

static void unsafe_and_impossible_folders_are_told_apart(void **state) {
    struct place *place = *state;
    char folder[4300];
    const struct cache_binding as = BINDING;
    snprintf(folder, sizeof folder, "%s/open", place->folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_null(cache_open(folder, &as, &place->opening));
    assert_int_equal(place->opening.outcome, CACHE_UNSAFE);
    snprintf(folder, sizeof folder, "%s/file", place->folder);
    write_bytes(folder, "x", 1);
    snprintf(folder, sizeof folder, "%s/file/cache", place->folder);
    assert_null(cache_open(folder, &as, &place->opening));
    assert_int_equal(place->opening.outcome, CACHE_NO_FOLDER);
}

/* In a child that is an ordinary user: the superuser may write anywhere. */
static enum cache_outcome outcome_in_read_only_folder(struct place *place) {
    pid_t pid = fork();
    if (pid == 0) {
        bool ready = chmod(place->folder, 0500) == 0;
        if (geteuid() == 0)
            ready = ready && chown(place->folder, 65534, 65534) == 0 && setgid(65534) == 0 && setuid(65534) == 0;
        struct cache *cache = open_it(place);
        _exit(ready && (!cache || cache_is_read_only(cache)) ? (int)place->opening.outcome : 100);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(chmod(place->folder, 0700), 0);
    return (enum cache_outcome)WEXITSTATUS(status);
}

static void f66_a_sound_cache_on_a_read_only_disk_is_read(void **state) {
    struct place *place = *state;
    assert_int_equal(outcome_in_read_only_folder(place), CACHE_READ_ONLY);
    assert_int_equal(chown(place->folder, geteuid(), getegid()), 0);
    make_cache(place, 5);
    if (geteuid() == 0)
        assert_int_equal(chown(place->path, 65534, 65534), 0);
    assert_int_equal(outcome_in_read_only_folder(place), CACHE_READING);
}

/* A file layer under SQLite that refuses to lock, as some network file systems do (K51). */
static int refusal = SQLITE_OK;
static bool refuse_shm;
static const sqlite3_io_methods *real_methods;
static sqlite3_io_methods refusing_methods;

static int refuse_lock(sqlite3_file *file, int level) {
    return refusal != SQLITE_OK ? refusal : real_methods->xLock(file, level);
}

static int refuse_map(sqlite3_file *file, int page, int size, int extend, void volatile **out) {
    return refuse_shm ? SQLITE_IOERR_SHMMAP : real_methods->xShmMap(file, page, size, extend, out);
}

static sqlite3_vfs *real_vfs;

static int refusing_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    int rc = real_vfs->xOpen(real_vfs, name, file, flags, out);
    if (rc == SQLITE_OK && file->pMethods && (flags & SQLITE_OPEN_MAIN_DB) != 0) {
        real_methods = file->pMethods;
        refusing_methods = *real_methods;
        refusing_methods.xLock = refuse_lock;
        refusing_methods.xShmMap = refuse_map;
        file->pMethods = &refusing_methods;
    }
    return rc;
}

static void a_file_system_that_does_not_lock_is_said(void **state) {
    struct place *place = *state;
    real_vfs = sqlite3_vfs_find(NULL);
    sqlite3_vfs refusing = *real_vfs;
    refusing.zName = "refusing";
    refusing.xOpen = refusing_open;
    assert_int_equal(sqlite3_vfs_register(&refusing, 1), SQLITE_OK);
    static const int refusals[] = {SQLITE_PROTOCOL, SQLITE_IOERR_LOCK, SQLITE_IOERR_RDLOCK};
    struct cache *opened = NULL;
    enum cache_outcome outcomes[COUNT_OF(refusals) + 1];
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        refusal = refusals[i];
        opened = open_it(place);
        outcomes[i] = opened ? CACHE_OK : place->opening.outcome;
        cache_close(opened);
    }
    refusal = SQLITE_OK;
    refuse_shm = true;
    opened = open_it(place);
    outcomes[COUNT_OF(refusals)] = opened ? CACHE_OK : place->opening.outcome;
    cache_close(opened);
    refuse_shm = false;
    sqlite3_vfs_unregister(&refusing);
    sqlite3_vfs_register(real_vfs, 1);
    for (size_t i = 0; i < COUNT_OF(outcomes); i++)
        assert_int_equal(outcomes[i], CACHE_LOCK_REFUSED);
}

static void a_replaced_file_is_noticed_and_opened_again(void **state) {
    struct place *place = *state;
    struct cache *cache = open_it(place);
    assert_non_null(cache);
    put_rows(cache, 5);
    bool removed = false;
    struct error error = {0};
    must(cache_remove(place->folder, "live", &removed, &error), &error);
    assert_true(removed);
    int64_t rows = 0;
    struct cache_rows read;
    cache_rows_init(&read);
    assert_int_equal(cache_older(cache, CACHE_KEY_NEWEST, 5, &read, NULL), ERR_STORE);
    assert_true(cache_must_reopen(cache));
    cache = cache_reopen(cache, &place->opening);
    assert_non_null(cache);
    assert_int_equal(place->opening.outcome, CACHE_OK);
    must(cache_count(cache, &rows, &error), &error);
    assert_int_equal(rows, 0);
    put_rows(cache, 2);
    assert_int_equal(count(cache), 2);
    cache_close(cache);
}

/* Each of eight children opens, puts and reads; gives how many failed. */
static int eight_at_once(struct place *place) {
    pid_t pids[8];
    for (int i = 0; i < 8; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            struct cache *cache = open_it(place);
            if (!cache)
                _exit(1);
            put_rows(cache, 50);
            struct cache_rows rows;
            cache_rows_init(&rows);
            bool ok = cache_older(cache, CACHE_KEY_NEWEST, 100, &rows, NULL) == ERR_OK && rows.n == 50;
            cache_rows_clear(&rows);
            cache_close(cache);
            _exit(ok ? 0 : 2);
        }
    }
    int failed = 0;
    for (int i = 0; i < 8; i++) {
        int status = 1;
        if (waitpid(pids[i], &status, 0) != pids[i] || status != 0)
            failed++;
    }
    return failed;
}

static void eight_consoles_start_at_once(void **state) {
    struct place *place = *state;
    for (int round = 0; round < 3; round++) {
        assert_int_equal(eight_at_once(place), 0);
        bool removed;
        assert_int_equal(cache_remove(place->folder, "live", &removed, NULL), ERR_OK);
    }
}

static void eight_consoles_set_a_damaged_file_aside_once(void **state) {
    struct place *place = *state;
    make_cache(place, 50);
    struct bytes bytes = read_bytes(place->path);
    memset(bytes.s + 100, 0x5a, 500);
    write_bytes(place->path, bytes.s, bytes.len);
    assert_int_equal(eight_at_once(place), 0);
    char aside[4300];
    snprintf(aside, sizeof aside, "%s.damaged-1", place->path);
    check_same(aside, bytes);
    snprintf(aside, sizeof aside, "%s.damaged-2", place->path);
    assert_int_equal(access(aside, F_OK), -1);
    free(bytes.s);
}

static void outcomes_have_names(void **state) {
    (void)state;
    assert_string_equal(cache_outcome_name(CACHE_SET_ASIDE), "set-aside");
    assert_string_equal(cache_outcome_name(CACHE_UNUSABLE), "unusable");
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(files_are_private_whatever_the_umask),
        IN_FOLDER(a_file_open_to_others_is_closed_to_them),
        IN_FOLDER(it_opens_again_with_what_it_held),
        IN_FOLDER(a_foreign_cache_is_left_as_it_is),
        IN_FOLDER(profiles_have_files_of_their_own),
        IN_FOLDER(a_changed_token_is_asked_until_a_page_was_served_for_it),
        IN_FOLDER(a_token_that_was_never_served_binds_nothing),
        IN_FOLDER(a_newer_cache_stays_byte_for_byte),
        IN_FOLDER(a_newer_version_in_the_log_is_left_too),
        IN_FOLDER(overwritten_bytes_set_the_file_aside),
        IN_FOLDER(what_is_no_database_is_set_aside),
        IN_FOLDER(a_truncated_cache_is_set_aside),
        IN_FOLDER(an_empty_file_is_an_empty_cache),
        IN_FOLDER(another_programs_database_is_set_aside),
        IN_FOLDER(a_trigger_or_view_is_set_aside),
        IN_FOLDER(a_changed_binding_row_is_damage),
        IN_FOLDER(links_are_refused),
        IN_FOLDER(unsafe_and_impossible_folders_are_told_apart),
        IN_FOLDER(f66_a_sound_cache_on_a_read_only_disk_is_read),
        IN_FOLDER(a_file_system_that_does_not_lock_is_said),
        IN_FOLDER(a_replaced_file_is_noticed_and_opened_again),
        IN_FOLDER(eight_consoles_start_at_once),
        IN_FOLDER(eight_consoles_set_a_damaged_file_aside_once),
        cmocka_unit_test(outcomes_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
