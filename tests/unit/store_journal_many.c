/* What a look at the journal costs does not grow with what it holds. */
#include "store_journal_make.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <time.h>

/* CHECKED_AT_ONCE: of a long journal, before its opening returns. */
enum { FEW = 50, MANY = 400, LOOKS = 20, CHECKED_AT_ONCE = 10000, MORE = 600 };

/* The disk is not what is tried here: nothing of these journals outlives the test. Found before the C library's. */
int fsync(int fd) {
    (void)fd;
    return 0;
}
int fdatasync(int fd) {
    (void)fd;
    return 0;
}

/* Every row that any statement of this program gives is counted. */
static long rows;

static int count_row(unsigned type, void *context, void *statement, void *more) {
    (void)type, (void)context, (void)statement, (void)more;
    rows++;
    return 0;
}

static int watch(sqlite3 *db, char **problem, const void *api) {
    (void)problem, (void)api;
    return sqlite3_trace_v2(db, SQLITE_TRACE_ROW, count_row, NULL);
}

/* A row of an import of one office: every one has the same number. */
static enum err begin_shared(struct journal *journal, int number, int64_t *n) {
    static const struct journal_value MATCH = {"phone+birth", "00491701111111 1990-01-02"};
    char body[64];
    struct journal_value field;
    struct journal_write write = made_write(number, body, &field);
    write.fields = NULL;
    write.n_fields = 0;
    write.matches = &MATCH;
    write.lock_body = true;
    return journal_begin(journal, &write, n, NULL);
}

/* As a resumed import looks: each row for its body and for whom it shares a text with. */
static long rows_of_looks(struct journal *journal, int records) {
    static const struct journal_value MATCH = {"phone+birth", "00491701111111 1990-01-02"};
    rows = 0;
    for (int i = 0; i < LOOKS; i++) {
        struct journal_duplicates duplicates;
        journal_duplicates_init(&duplicates);
        assert_int_equal(same_bodies(journal, i), 1);
        assert_int_equal(journal_duplicates(journal, &MADE_SCOPE, &MATCH, 1, &duplicates, NULL), ERR_OK);
        assert_int_equal(duplicates.found, records);
        assert_int_equal(duplicates.records.n, JOURNAL_ALIKE_MAX);
        journal_duplicates_clear(&duplicates);
    }
    return rows;
}

static void f12_a_look_reads_no_more_of_many_that_share_a_text(void **state) {
    struct place *place = *state;
    int64_t n;
    assert_int_equal(sqlite3_auto_extension((void (*)(void))watch), SQLITE_OK);
    struct journal *journal = must_open(place);
    for (int i = 0; i < FEW; i++)
        assert_true(begin_shared(journal, i, &n) == ERR_OK && finish(journal, n, NULL) == ERR_OK);
    long few = rows_of_looks(journal, FEW);
    for (int i = FEW; i < MANY; i++)
        assert_true(begin_shared(journal, i, &n) == ERR_OK && finish(journal, n, NULL) == ERR_OK);
    assert_int_equal(rows_of_looks(journal, MANY), few);
    assert_true(few > 0);
    /* And a row refused since it is done costs the same. */
    rows = 0;
    assert_int_equal(begin_shared(journal, 1, &n), ERR_INVALID);
    long refused = rows;
    assert_int_equal(begin_shared(journal, MANY - 1, &n), ERR_INVALID);
    assert_int_equal(rows, 2 * refused);
    journal_close(journal);
    sqlite3_cancel_auto_extension((void (*)(void))watch);
}

/* A long list comes in portions, each record once. */
static void f40_a_list_in_portions_has_each_record_once(void **state) {
    struct place *place = *state;
    make_records(place, 100);
    struct journal *journal = must_open(place);
    struct journal_filter filter = JOURNAL_ANY;
    int64_t next = 100;
    filter.limit = 7;
    for (bool more = true; more;) {
        struct journal_records records;
        journal_records_init(&records);
        assert_int_equal(journal_list(journal, &filter, &records, NULL), ERR_OK);
        for (size_t i = 0; i < records.n; i++)
            assert_int_equal(records.items[i].n, next--);
        more = records.n == filter.limit;
        filter.before = next + 1;
        journal_records_clear(&records);
    }
    assert_int_equal(next, 0);
    journal_close(journal);
}

/* Of rows read, not of time: a busy machine opens slowly. *ms: of the processor, to be told. */
static long rows_of_opening(struct place *place, long *ms) {
    enum { MILLI = 1000 };
    clock_t began = clock();
    rows = 0;
    struct journal *journal = must_open(place);
    *ms = (long)((clock() - began) / (CLOCKS_PER_SEC / MILLI));
    long read_rows = rows;
    assert_false(journal_is_checked(journal));
    journal_close(journal);
    return read_rows;
}

/* A program with a write on its way, until its end of the pipe is closed. */
static pid_t child_begins(const struct place *place, int number, int *end) {
    int64_t n = 0;
    int ends[2];
    char byte = 'y';
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid != 0) {
        (void)close(ends[1]);
        assert_int_equal(read(ends[0], &byte, 1), 1); /* it has begun */
        assert_int_equal(byte, 'y');
        *end = ends[0];
        return pid;
    }
    struct journal_opening opening;
    struct journal *journal = journal_open(place->folder, MADE_NOW, &opening);
    byte = journal && begin(journal, number, &n, NULL) == ERR_OK ? 'y' : 'n';
    while (write(ends[1], &byte, 1) == 1) /* a full pipe holds it here */
        continue;
    _exit(1);
}

/* An opening looks at the newest; a write that its program left behind them is met when it is settled or asked for. */
static void an_old_write_of_an_ended_program_is_settled(struct place *place, pid_t pid, int end) {
    struct error error = {0};
    struct journal_records records;
    int64_t n;
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    (void)close(end);
    struct journal *journal = must_open(place);
    const struct journal_settle settle = {
        .now = MADE_NOW, .outcome = JOURNAL_OUTCOME_DONE, .who = "anna", .note = "seen there"};
    assert_int_equal(begin(journal, -1, &n, NULL), ERR_INVALID); /* unknown: not again */
    if (journal_settle(journal, 1, &settle, &error) != ERR_OK)
        fail_msg("%s", error.text);
    journal_records_init(&records);
    assert_int_equal(journal_get(journal, 1, &records, NULL), ERR_OK);
    assert_true(records.items[0].settled);
    journal_records_clear(&records);
    journal_close(journal);
}

/* BURSAR_RECORDS: how many, for the time that it takes. */
static void an_opening_reads_the_newest_records_and_no_more_however_long_the_journal(void **state) {
    struct place *place = *state;
    int many = number_or("BURSAR_RECORDS", CHECKED_AT_ONCE + 3 * MORE);
    long ms_few, ms_many;
    int end;
    pid_t pid = child_begins(place, -1, &end);
    assert_int_equal(sqlite3_auto_extension((void (*)(void))watch), SQLITE_OK);
    make_records(place, CHECKED_AT_ONCE + MORE);
    long few = rows_of_opening(place, &ms_few);
    struct journal *journal = must_open(place);
    add_records(journal, CHECKED_AT_ONCE + MORE, many - CHECKED_AT_ONCE - MORE);
    journal_close(journal);
    long read = rows_of_opening(place, &ms_many);
    print_message("%d records: %ld rows, %ld ms; %d records: %ld rows, %ld ms\n", CHECKED_AT_ONCE + MORE, few, ms_few,
                  many, read, ms_many);
    assert_true(few >= CHECKED_AT_ONCE);
    assert_in_range(read, few - FEW, few + FEW);
    sqlite3_cancel_auto_extension((void (*)(void))watch);
    an_old_write_of_an_ended_program_is_settled(place, pid, end);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(f12_a_look_reads_no_more_of_many_that_share_a_text),
        IN_FOLDER(f40_a_list_in_portions_has_each_record_once),
        IN_FOLDER(an_opening_reads_the_newest_records_and_no_more_however_long_the_journal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
