#include "store_journal_make.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Not locked: the same body may be sent again. */
static enum err begin_row(struct journal *journal, int number, int64_t *n, struct error *error) {
    char body[64];
    struct journal_value field;
    const struct journal_write write = made_write(number, body, &field);
    return journal_begin(journal, &write, n, error);
}

static void check_refused(struct place *place, enum journal_state state, const char *words) {
    struct bytes before = read_bytes(place, "journal.db");
    assert_null(open_it(place));
    assert_int_equal(place->opening.state, state);
    assert_non_null(strstr(place->opening.error.text, words));
    struct bytes after = read_bytes(place, "journal.db");
    assert_int_equal(after.len, before.len);
    assert_memory_equal(after.s, before.s, before.len);
    free(before.s);
    free(after.s);
}

/* records -1: any number of them. */
static int mode_of(const char *folder, const char *name) {
    char path[4300];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &st) == 0 ? (int)(st.st_mode & 0777) : -1;
}

static void files_are_private_whatever_the_umask(void **state) {
    struct place *place = *state;
    mode_t old = umask(0);
    struct journal *journal = open_it(place);
    assert_non_null(journal);
    int64_t n;
    assert_int_equal(begin_row(journal, 1, &n, NULL), ERR_OK);
    static const char *const names[] = {"journal.db", "journal.db-wal", "journal.db-shm", "machine.key"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(mode_of(place->folder, names[i]), 0600);
    journal_close(journal);
    umask(old);
}

static void a_damaged_journal_stops_writes_and_is_left_alone(void **state) {
    struct place *place = *state;
    make_records(place, 30);
    struct bytes bytes = read_bytes(place, "journal.db");
    memset(bytes.s + 100, 0x5a, 500);
    write_bytes(place, "journal.db", &bytes);
    free(bytes.s);
    check_refused(place, JOURNAL_DAMAGED, "never replaced");
}

static void an_emptied_or_foreign_journal_stops_writes(void **state) {
    struct place *place = *state;
    make_records(place, 3);
    write_bytes(place, "journal.db", &(struct bytes){"", 0, true});
    check_refused(place, JOURNAL_DAMAGED, "othing is sent");
    char text[] = "some text where the journal was, long enough to be looked at by anyone who opens it as a database";
    write_bytes(place, "journal.db", &(struct bytes){text, sizeof text, true});
    check_refused(place, JOURNAL_DAMAGED, "othing is sent");
}

static void a_newer_journal_stops_writes(void **state) {
    struct place *place = *state;
    make_records(place, 3);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    check_refused(place, JOURNAL_NEWER, "newer version");
}

static void a_changed_record_is_noticed(void **state) {
    struct place *place = *state;
    make_records(place, 3);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE marks SET outcome = 2 WHERE n = 2", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_null(open_it(place));
    assert_int_equal(place->opening.state, JOURNAL_DAMAGED);
    struct journal_health health;
    assert_int_equal(journal_verify(place->folder, MADE_NOW, &health, NULL), ERR_CHECK_FAILED);
    assert_int_equal(health.records, 3);
    assert_true(health.n_faults > 0);
    journal_health_clear(&health);
}

static void a_key_of_the_wrong_size_is_not_replaced(void **state) {
    struct place *place = *state;
    make_records(place, 1);
    write_bytes(place, "machine.key", &(struct bytes){"short", 5, true});
    check_refused(place, JOURNAL_NO_KEY, "machine.key");
    struct bytes key = read_bytes(place, "machine.key");
    assert_int_equal(key.len, 5);
    free(key.s);
}

static void a_read_only_folder_stops_writes(void **state) {
    struct place *place = *state;
    make_records(place, 1);
    pid_t pid = fork();
    if (pid == 0) {
        bool ready = chmod(place->folder, 0500) == 0 && chmod(place->path, 0400) == 0;
        if (geteuid() == 0)
            ready = ready && chown(place->folder, 65534, 65534) == 0 && chown(place->path, 65534, 65534) == 0 &&
                    setgid(65534) == 0 && setuid(65534) == 0;
        struct journal *journal = open_it(place);
        bool said = strstr(place->opening.error.text, "othing is sent") != NULL;
        _exit(ready && !journal && said ? (int)place->opening.state : 100);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(chmod(place->folder, 0700), 0);
    assert_int_equal(WEXITSTATUS(status), JOURNAL_READ_ONLY);
}

static void without_room_no_write_is_begun(void **state) {
    struct place *place = *state;
    make_records(place, 1);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGXFSZ, SIG_IGN);
        struct journal *journal = open_it(place);
        struct rlimit limit;
        struct error error = {0};
        if (!journal || getrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(1);
        limit.rlim_cur = 200000;
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(2);
        int64_t n = 0;
        int i = 1;
        while (i < 10000 && begin_row(journal, i, &n, &error) == ERR_OK)
            i++;
        /* What was recorded stays readable; what was not has no number. */
        int64_t counts[JOURNAL_OUTCOME_COUNT];
        bool ok = i < 10000 && n == 0 && strstr(error.text, "no space") &&
                  journal_counts(journal, counts, NULL) == ERR_OK && counts[JOURNAL_OUTCOME_SENDING] == i - 1;
        _exit(ok ? 0 : 3);
    }
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    struct journal *journal = open_it(place);
    assert_non_null(journal);
    assert_true(place->opening.swept > 0);
    journal_close(journal);
    check_sound(place, -1);
}

/* ---- The kill matrix: a child stands in for a console, a pipe for the service ---- */

/* Begins a write; only then "sends" its number; then records the answer. */
static void console(struct place *place, int first, int service) {
    struct journal *journal = journal_open(place->folder, MADE_NOW, &place->opening);
    for (int i = first; journal && i < first + 5; i++) {
        int64_t n;
        if (begin_row(journal, i, &n, NULL) != ERR_OK || write(service, &n, sizeof n) != sizeof n ||
            finish(journal, n, NULL) != ERR_OK)
            break;
    }
    _exit(0);
}

static int64_t take_requests(int fd, int64_t *requests, int n) {
    while (n < 5 && read(fd, &requests[n], sizeof *requests) == sizeof *requests)
        n++;
    return n;
}

/* Every request that the service saw has a record, which after a restart is done or unknown, never "sending". */
static void check_invariant(struct place *place, const int64_t *requests, int64_t n) {
    struct journal *journal = open_it(place);
    assert_non_null(journal);
    for (int64_t i = 0; i < n; i++) {
        struct journal_records records;
        journal_records_init(&records);
        assert_int_equal(journal_get(journal, requests[i], &records, NULL), ERR_OK);
        assert_int_equal(records.n, 1);
        enum journal_outcome outcome = records.items[0].last.outcome;
        assert_true(outcome == JOURNAL_OUTCOME_DONE || outcome == JOURNAL_OUTCOME_UNKNOWN);
        journal_records_clear(&records);
    }
    int64_t counts[JOURNAL_OUTCOME_COUNT];
    assert_int_equal(journal_counts(journal, counts, NULL), ERR_OK);
    assert_int_equal(counts[JOURNAL_OUTCOME_SENDING], 0);
    journal_close(journal);
}

/* Lets the child run to its `stop`th system call boundary and ends it there; false: it ended before. */
static bool run_to_call(pid_t pid, int stop) {
    int status;
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
        return false;
    for (int i = 0; i < stop; i++)
        if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) != 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
            return false;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return true;
}

static void killed_at_every_few_calls_a_request_has_its_record(void **state) {
    struct place *place = *state;
    make_records(place, 1);
    bool alive = true;
    int rounds = 0;
    for (int stop = 1; alive && stop < 6000; stop += 1 + stop / 24, rounds++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t pid = fork();
        if (pid == 0) {
            if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
                _exit(77);
            raise(SIGSTOP);
            console(place, rounds * 5, ends[1]);
        }
        close(ends[1]);
        alive = run_to_call(pid, stop);
        int64_t requests[5], n = take_requests(ends[0], requests, 0);
        close(ends[0]);
        check_invariant(place, requests, n);
    }
    assert_false(alive);
    assert_true(rounds > 40);
}

static void eight_consoles_share_one_journal_and_one_key(void **state) {
    struct place *place = *state;
    pid_t pids[8];
    for (int i = 0; i < 8; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            struct journal *journal = open_it(place);
            struct error error = {0};
            bool ok = journal && !place->opening.key_is_new;
            for (int j = 0; ok && j < 5; j++) {
                int64_t n;
                ok = begin_row(journal, i * 100 + j, &n, &error) == ERR_OK && finish(journal, n, &error) == ERR_OK;
            }
            if (!ok)
                print_error("console %d: open %d, new key %d, %s %s\n", i, journal != NULL, place->opening.key_is_new,
                            place->opening.error.text, error.text);
            journal_close(journal);
            _exit(ok ? 0 : 1);
        }
    }
    int failed = 0;
    for (int i = 0; i < 8; i++) {
        int status = 1;
        if (waitpid(pids[i], &status, 0) != pids[i] || status != 0)
            failed++;
    }
    assert_int_equal(failed, 0);
    struct journal *journal = open_it(place);
    assert_non_null(journal);
    for (int i = 0; i < 8; i++) {
        struct journal_records records;
        journal_records_init(&records);
        char body[64];
        snprintf(body, sizeof body, "{\"tag\":\"row-%d\"}", i * 100 + 4);
        assert_int_equal(journal_same_body(journal, &(struct journal_scope){"https://api.example.com:443", "live", ""},
                                           body, strlen(body), &records, NULL, NULL),
                         ERR_OK);
        assert_int_equal(records.n, 1);
        assert_int_equal(records.items[0].last.outcome, JOURNAL_OUTCOME_DONE);
        journal_records_clear(&records);
    }
    journal_close(journal);
    check_sound(place, 40);
}

static void no_flipped_bit_gives_a_wrong_record(void **state) {
    struct place *place = *state;
    make_records(place, 20);
    struct bytes bytes = read_bytes(place, "journal.db");
    uint64_t seed = 300;
    int sound = 0;
    for (int i = 0; i < 300; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        size_t at = (size_t)(seed >> 33) % bytes.len;
        char bit = (char)(1 << (seed >> 20 & 7));
        bytes.s[at] ^= bit;
        write_bytes(place, "journal.db", &bytes);
        bytes.s[at] ^= bit;
        struct journal *journal = open_it(place);
        if (!journal)
            continue;
        struct journal_records records;
        journal_records_init(&records);
        enum err err = journal_list(journal, &JOURNAL_ANY, &records, NULL);
        sound += err == ERR_OK && records.n == 20;
        for (size_t r = 0; r < records.n; r++) {
            const struct journal_record *record = &records.items[r];
            assert_string_equal(record->who, "anna");
            assert_int_equal(record->line, record->n - 1);
            /* A lost mark leaves an earlier one or a sweep's: never a wrong outcome. */
            assert_true(record->last.outcome == JOURNAL_OUTCOME_DONE ||
                        record->last.outcome == JOURNAL_OUTCOME_UNKNOWN ||
                        record->last.outcome == JOURNAL_OUTCOME_SENDING);
        }
        journal_records_clear(&records);
        journal_close(journal);
    }
    free(bytes.s);
    assert_true(sound > 50);
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(files_are_private_whatever_the_umask),
        IN_FOLDER(a_damaged_journal_stops_writes_and_is_left_alone),
        IN_FOLDER(an_emptied_or_foreign_journal_stops_writes),
        IN_FOLDER(a_newer_journal_stops_writes),
        IN_FOLDER(a_changed_record_is_noticed),
        IN_FOLDER(a_key_of_the_wrong_size_is_not_replaced),
        IN_FOLDER(a_read_only_folder_stops_writes),
        IN_FOLDER(without_room_no_write_is_begun),
        IN_FOLDER(killed_at_every_few_calls_a_request_has_its_record),
        IN_FOLDER(eight_consoles_share_one_journal_and_one_key),
        IN_FOLDER(no_flipped_bit_gives_a_wrong_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
