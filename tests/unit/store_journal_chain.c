/* The journal's chain, head and locks: damage stops writes wherever it is, and what is sound is still read. */
#include "store_journal_make.h"

#include "base/digest.h"
#include "base/str.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <time.h>

/* ---- F5 ---- */

/* Of the damaged journal: no handle to write with, `sound` records still listed, and words that say what to do. */
static void check_stopped(struct place *place, size_t sound) {
    int64_t n = 0;
    struct error error = {0};
    assert_null(open_it(place));
    assert_int_equal(place->opening.state, JOURNAL_DAMAGED);
    assert_non_null(strstr(place->opening.error.text, "Nothing is sent"));
    assert_non_null(strstr(place->opening.error.text, "bursar activity"));
    struct journal *journal = journal_open_reading(place->folder, MADE_NOW, &place->opening);
    assert_non_null(journal);
    assert_int_equal(place->opening.state, JOURNAL_DAMAGED);
    size_t seen = listed(journal);
    if (seen < sound)
        fail_msg("%zu of %zu sound records were listed", seen, sound);
    assert_int_not_equal(begin(journal, 900, &n, &error), ERR_OK);
    journal_close(journal);
    struct journal_health health;
    assert_int_equal(journal_verify(place->folder, MADE_NOW, &health, NULL), ERR_CHECK_FAILED);
    assert_true(health.n_faults > 0);
    journal_health_clear(&health);
}

static void flip(struct place *place, size_t at, int bit) {
    struct bytes bytes = read_bytes(place, "journal.db");
    bytes.s[at] = (char)(bytes.s[at] ^ 1 << bit);
    write_bytes(place, "journal.db", &bytes);
    free(bytes.s);
}

/* In a record of every age. */
static void f5_a_flipped_bit_stops_every_write(void **state) {
    struct place *place = *state;
    make_records(place, 30);
    struct bytes bytes = read_bytes(place, "journal.db");
    const char *at = bytes.s;
    int hits = 0;
    while ((at = memmem(at, bytes.len - (size_t)(at - bytes.s), "annalive", 8)) != NULL) {
        flip(place, (size_t)(at - bytes.s) + 2, hits % 8);
        check_stopped(place, 29);
        write_bytes(place, "journal.db", &bytes);
        at += 8;
        hits++;
    }
    assert_int_equal(hits, 30);
    free(bytes.s);
    check_sound(place, 30);
}

static void f5_a_flipped_bit_of_an_outcome_does_too(void **state) {
    struct place *place = *state;
    make_records(place, 30);
    struct bytes bytes = read_bytes(place, "journal.db");
    flip(place, find_bytes(&bytes, "usr_7") + 4, 0);
    check_stopped(place, 29);
    free(bytes.s);
}

/* ---- F6 ---- */

static void run_sql(struct place *place, const char *sql) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* There is no index whose damage could hide a record: one that was added is a changed file. */
static void f6_no_index_is_believed(void **state) {
    struct place *place = *state;
    make_records(place, 30);
    run_sql(place, "CREATE INDEX by_draft ON writes(draft)");
    check_stopped(place, 30);
}

enum { PAGE = 4096 };

static void f6_no_overwritten_page_lets_a_body_go_twice(void **state) {
    struct place *place = *state;
    make_records(place, 60);
    struct bytes sound = read_bytes(place, "journal.db");
    assert_true(sound.len / PAGE > 8);
    for (size_t page = 0; page < sound.len / PAGE; page++)
        for (int fill = 0; fill < 2; fill++) {
            struct bytes bytes = read_bytes(place, "journal.db");
            if (fill)
                memcpy(bytes.s + page * PAGE, sound.s + (page + 1) % (sound.len / PAGE) * PAGE, PAGE);
            else
                memset(bytes.s + page * PAGE, 0, PAGE);
            write_bytes(place, "journal.db", &bytes);
            struct journal *journal = open_it(place);
            if (journal)
                fail_msg("page %zu was not missed", page);
            assert_int_equal(place->opening.state, JOURNAL_DAMAGED);
            free(bytes.s);
            write_bytes(place, "journal.db", &sound);
        }
    free(sound.s);
    check_sound(place, 60);
}

/* ---- F7 ---- */

/* A console that ended without closing; the last of its records, if open, is in the log alone. */
static void add_and_die(struct place *place, int first, int n, bool open) {
    pid_t pid = fork();
    if (pid == 0) {
        int64_t number;
        struct journal *journal = must_open(place);
        add_records(journal, first, n - open);
        if (open)
            assert_int_equal(begin(journal, first + n - 1, &number, NULL), ERR_OK);
        raise(SIGKILL);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
}

static void f7_the_loss_of_the_log_stops_writes(void **state) {
    struct place *place = *state;
    char path[4300];
    make_records(place, 10);
    add_and_die(place, 10, 80, true);
    struct bytes log = read_bytes(place, "journal.db-wal");
    assert_true(log.len > 0);
    assert_int_equal(unlink(made_path(place, "journal.db-wal", path)), 0);
    check_stopped(place, 10);
    assert_non_null(strstr(place->opening.error.text, "gone"));
    write_bytes(place, "journal.db-wal", &log);
    free(log.s);
    check_sound(place, 90);
}

/* Each outcome is carried over into the file itself. */
static void f7_finished_records_do_not_need_the_log(void **state) {
    struct place *place = *state;
    char path[4300];
    make_records(place, 10);
    add_and_die(place, 10, 80, false);
    assert_int_equal(unlink(made_path(place, "journal.db-wal", path)), 0);
    check_sound(place, 90);
}

static void f7_a_damaged_log_stops_writes(void **state) {
    struct place *place = *state;
    make_records(place, 10);
    add_and_die(place, 10, 20, true);
    struct bytes log = read_bytes(place, "journal.db-wal");
    memset(log.s + 64, 0x5a, log.len - 64);
    write_bytes(place, "journal.db-wal", &log);
    free(log.s);
    check_stopped(place, 10);
}

static void f7_an_older_copy_stops_writes(void **state) {
    struct place *place = *state;
    make_records(place, 10);
    struct bytes older = read_bytes(place, "journal.db");
    struct journal *journal = must_open(place);
    add_records(journal, 10, 1);
    journal_close(journal);
    write_bytes(place, "journal.db", &older);
    free(older.s);
    check_stopped(place, 10);
    assert_non_null(strstr(place->opening.error.text, "11"));
}

static void f7_a_cut_file_stops_writes(void **state) {
    struct place *place = *state;
    make_records(place, 60);
    struct bytes bytes = read_bytes(place, "journal.db");
    for (size_t cut = 1; cut < bytes.len; cut += 5 * PAGE / 2) {
        struct bytes less = bytes;
        /* SQLite fills a page that ends too early with zeros: one that ended in them lost nothing. */
        while (bytes.s[bytes.len - cut] == '\0')
            cut++;
        less.len = bytes.len - cut;
        write_bytes(place, "journal.db", &less);
        assert_null(open_it(place));
        assert_int_equal(place->opening.state, JOURNAL_DAMAGED);
    }
    free(bytes.s);
}

static void f7_a_removed_journal_is_not_begun_anew(void **state) {
    struct place *place = *state;
    make_records(place, 10);
    assert_int_equal(unlink(place->path), 0);
    assert_null(open_it(place));
    assert_int_equal(place->opening.state, JOURNAL_DAMAGED);
    assert_non_null(strstr(place->opening.error.text, "10 records"));
    assert_int_not_equal(access(place->path, F_OK), 0);
}

static void f7_a_removed_or_damaged_head_stops_writes(void **state) {
    struct place *place = *state;
    make_records(place, 10);
    struct bytes head = read_bytes(place, "journal.head");
    write_bytes(place, "journal.head", &(struct bytes){0});
    check_stopped(place, 10);
    memset(head.s, 'x', head.len);
    write_bytes(place, "journal.head", &head);
    check_stopped(place, 10);
    free(head.s);
}

/* ---- F9 ---- */

static void f9_an_id_is_never_redacted(void **state) {
    struct place *place = *state;
    static const char BODY[] = "{\"ssn\":\"1234\"}";
    static const struct journal_value FIELD = {"ssn", "1234"};
    static const struct journal_write WRITE = {.now = MADE_NOW,
                                               .who = "anna",
                                               .scope = {MADE_ORIGIN, "live", ""},
                                               .environment = "production",
                                               .operation = JOURNAL_USER,
                                               .body = BODY,
                                               .body_len = sizeof BODY - 1,
                                               .fields = &FIELD,
                                               .n_fields = 1};
    const struct journal_mark mark = {.now = MADE_NOW,
                                      .outcome = JOURNAL_OUTCOME_DONE,
                                      .status = 201,
                                      .response_id = "usr-1234c0ffee01",
                                      .message = "the number 1234 was taken; request id req-1234-9. Outcome: not done"};
    int64_t n;
    struct journal *journal = must_open(place);
    struct journal_records records;
    journal_records_init(&records);
    assert_int_equal(journal_begin(journal, &WRITE, &n, NULL), ERR_OK);
    assert_int_equal(journal_mark(journal, n, &mark, NULL), ERR_OK);
    assert_int_equal(journal_get(journal, n, &records, NULL), ERR_OK);
    assert_string_equal(records.items[0].last.response_id, "usr-1234c0ffee01");
    assert_string_equal(records.items[0].last.message,
                        "the number [...] was taken; request id req-1234-9. Outcome: not done");
    journal_records_clear(&records);
    journal_close(journal);
}

/* ---- F11 ---- */

static enum journal_outcome outcome_of(struct journal *journal, int64_t n) {
    struct journal_records records;
    journal_records_init(&records);
    assert_int_equal(journal_get(journal, n, &records, NULL), ERR_OK);
    assert_int_equal(records.n, 1);
    enum journal_outcome outcome = records.items[0].last.outcome;
    journal_records_clear(&records);
    return outcome;
}

/* What the record names is a lock and no process, so that no /proc is asked: the owner's text says so. */
static void f11_a_live_program_keeps_its_record_and_a_dead_one_does_not(void **state) {
    struct place *place = *state;
    int ready[2], end[2], status = 0;
    char byte;
    int64_t n = 0;
    make_records(place, 1);
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(end), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(end[1]);
        struct journal *journal = open_it(place);
        byte = journal && begin(journal, 1, &n, NULL) == ERR_OK ? 'y' : 'n';
        _exit(write(ready[1], &byte, 1) == 1 && read(end[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(end[0]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    struct journal *journal = must_open(place);
    assert_int_equal(place->opening.swept, 0);
    assert_int_equal(outcome_of(journal, 2), JOURNAL_OUTCOME_SENDING);
    assert_int_equal(begin(journal, 1, &n, NULL), ERR_INVALID);
    /* Long after, too. */
    size_t swept = 0;
    assert_int_equal(journal_sweep(journal, MADE_NOW + 86400000, &swept, NULL), ERR_OK);
    assert_int_equal(swept, 0);
    close(end[1]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(journal_sweep(journal, MADE_NOW, &swept, NULL), ERR_OK);
    assert_int_equal(swept, 1);
    assert_int_equal(outcome_of(journal, 2), JOURNAL_OUTCOME_UNKNOWN);
    journal_close(journal);
    struct bytes bytes = read_bytes(place, "journal.db");
    (void)find_bytes(&bytes, "live:");
    free(bytes.s);
    close(ready[0]);
    close(ready[1]);
}

/* ---- F65 and F66 ---- */

/* Found before the C library's. What is waited for on purpose is counted, not what a busy machine adds to it. */
static int64_t waited_ns;

int nanosleep(const struct timespec *wanted, struct timespec *left) {
    waited_ns += wanted->tv_sec * INT64_C(1000000000) + wanted->tv_nsec;
    return clock_nanosleep(CLOCK_MONOTONIC, 0, wanted, left) == 0 ? 0 : -1;
}

int usleep(useconds_t us) {
    const struct timespec wanted = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    return nanosleep(&wanted, NULL);
}

static void f65_a_journal_held_by_another_program_is_said_soon(void **state) {
    struct place *place = *state;
    sqlite3 *db = NULL;
    make_records(place, 3);
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    pid_t pid = fork();
    if (pid == 0) {
        struct journal *journal = open_it(place);
        bool soon = waited_ns > 0 && waited_ns < INT64_C(10000000000);
        bool said = strstr(place->opening.error.text, "is held by process") != NULL;
        if (journal || !said || !soon || place->opening.state != JOURNAL_BUSY)
            print_error("%lld ns: %s\n", (long long)waited_ns, place->opening.error.text);
        _exit(!journal && said && soon && place->opening.state == JOURNAL_BUSY ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    sqlite3_close(db);
    assert_int_equal(status, 0);
    check_sound(place, 3);
}

/* As another user where this one may do anything. */
static int in_folder_of_mode(struct place *place, mode_t folder, mode_t file, const char *words) {
    pid_t pid = fork();
    if (pid == 0) {
        char head[4300], key[4300];
        made_path(place, "journal.head", head);
        made_path(place, "machine.key", key);
        bool ready = chmod(place->path, file) == 0 && chmod(place->folder, folder) == 0;
        if (geteuid() == 0)
            ready = ready && chown(place->folder, 65534, 65534) == 0 && chown(place->path, 65534, 65534) == 0 &&
                    chown(head, 65534, 65534) == 0 && chown(key, 65534, 65534) == 0 && setgid(65534) == 0 &&
                    setuid(65534) == 0;
        struct journal *journal = open_it(place);
        bool said = !journal && place->opening.state == JOURNAL_READ_ONLY && strstr(place->opening.error.text, words) &&
                    strstr(place->opening.error.text, "othing is sent");
        struct journal *reading = journal_open_reading(place->folder, MADE_NOW, &place->opening);
        bool read = reading && listed(reading) == 3;
        if (!ready || !said || !read)
            print_error("%d %d %d: %s\n", ready, said, read, place->opening.error.text);
        _exit(ready && said && read ? 0 : 1);
    }
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(chmod(place->folder, 0700), 0);
    return status;
}

static void f66_a_read_only_folder_says_its_reason_and_is_read(void **state) {
    struct place *place = *state;
    make_records(place, 3);
    assert_int_equal(in_folder_of_mode(place, 0500, 0600, "the mode of"), 0);
}

static void f66_a_read_only_file_says_its_reason_and_is_read(void **state) {
    struct place *place = *state;
    make_records(place, 3);
    assert_int_equal(in_folder_of_mode(place, 0700, 0400, "chmod 600 opens it"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(f5_a_flipped_bit_stops_every_write),
        IN_FOLDER(f5_a_flipped_bit_of_an_outcome_does_too),
        IN_FOLDER(f6_no_index_is_believed),
        IN_FOLDER(f6_no_overwritten_page_lets_a_body_go_twice),
        IN_FOLDER(f7_the_loss_of_the_log_stops_writes),
        IN_FOLDER(f7_finished_records_do_not_need_the_log),
        IN_FOLDER(f7_a_damaged_log_stops_writes),
        IN_FOLDER(f7_an_older_copy_stops_writes),
        IN_FOLDER(f7_a_cut_file_stops_writes),
        IN_FOLDER(f7_a_removed_journal_is_not_begun_anew),
        IN_FOLDER(f7_a_removed_or_damaged_head_stops_writes),
        IN_FOLDER(f9_an_id_is_never_redacted),
        IN_FOLDER(f11_a_live_program_keeps_its_record_and_a_dead_one_does_not),
        IN_FOLDER(f65_a_journal_held_by_another_program_is_said_soon),
        IN_FOLDER(f66_a_read_only_folder_says_its_reason_and_is_read),
        IN_FOLDER(f66_a_read_only_file_says_its_reason_and_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
