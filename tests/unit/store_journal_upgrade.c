/* A journal of version 1, made as that version made it, is taken over whole. */
#include "store_journal_make.h"

#include "base/digest.h"
#include "base/str.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char OLD_TABLES[] =
    "PRAGMA application_id = 1112691530; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;"
    "CREATE TABLE writes(n INTEGER PRIMARY KEY, at INTEGER, who TEXT, profile TEXT, origin TEXT, environment TEXT,"
    " operation TEXT, owner TEXT, idempotency TEXT, draft TEXT, import TEXT, line INTEGER, repeats INTEGER, url TEXT,"
    " fingerprint TEXT, digest INTEGER);"
    "CREATE TABLE marks(m INTEGER PRIMARY KEY, n INTEGER, at INTEGER, outcome INTEGER, status INTEGER,"
    " response_id TEXT, message TEXT, who TEXT, note TEXT, digest INTEGER);"
    "CREATE TABLE digests(n INTEGER, kind TEXT, name TEXT, digest BLOB, PRIMARY KEY(n, kind, name)) WITHOUT ROWID;"
    "CREATE INDEX marks_by_write ON marks(n, m);"
    "CREATE INDEX digests_by_value ON digests(digest);"
    "CREATE INDEX writes_by_draft ON writes(draft);"
    "CREATE INDEX writes_by_import ON writes(import);";

struct old {
    sqlite3 *db;
    struct machine_key key;
    struct str in;
    int64_t m;
};

static void must_sql(const struct old *old, const char *sql) {
    if (sqlite3_exec(old->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(old->db));
}

static void add_number(struct str *in, int64_t number) {
    str_add_n(in, (const char *)&number, sizeof number);
}

static void add_text(struct str *in, const char *text) {
    add_number(in, text ? (int64_t)strlen(text) : -1);
    if (text)
        str_add(in, text);
}

/* A row of numbers and texts in the columns named, its short digest over the numbers and then the texts. */
static void add_row(struct old *old, const char *sql, const int64_t *numbers, const int *at_numbers, size_t n_numbers,
                    const char *const *texts, const int *at_texts, size_t n_texts) {
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(old->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(old->db));
    str_reset(&old->in);
    for (size_t i = 0; i < n_numbers; i++) {
        add_number(&old->in, numbers[i]);
        sqlite3_bind_int64(stmt, at_numbers[i], numbers[i]);
    }
    for (size_t i = 0; i < n_texts; i++) {
        add_text(&old->in, texts[i]);
        sqlite3_bind_text(stmt, at_texts[i], texts[i], -1, SQLITE_TRANSIENT);
    }
    sqlite3_bind_int64(stmt, (int)(n_numbers + n_texts) + 1, (int64_t)digest_short(old->in.s, old->in.len));
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_finalize(stmt);
}

static void add_write(struct old *old, int64_t n, const char *draft) {
    static const int at_numbers[] = {1, 2, 12, 13}, at_texts[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15};
    const int64_t numbers[] = {n, MADE_NOW - 500000 + n, n, 0};
    const char *const texts[] = {"anna",         "live",       MADE_ORIGIN,
                                 "production",   JOURNAL_USER, "host:1:2",
                                 "0123456789ab", draft,        draft ? NULL : "import-1",
                                 NULL,           NULL};
    add_row(old, "INSERT INTO writes VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)", numbers,
            at_numbers, COUNT_OF(numbers), texts, at_texts, COUNT_OF(texts));
}

static void add_mark(struct old *old, int64_t n, enum journal_outcome outcome, const char *id, const char *message) {
    static const int at_numbers[] = {1, 2, 3, 4, 5}, at_texts[] = {6, 7, 8, 9};
    const int64_t numbers[] = {++old->m, n, MADE_NOW - 400000 + n, outcome, id ? 201 : 0};
    const char *const texts[] = {id, message, NULL, NULL};
    add_row(old, "INSERT INTO marks VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)", numbers, at_numbers, COUNT_OF(numbers),
            texts, at_texts, COUNT_OF(texts));
}

static void add_digest(struct old *old, int64_t n, const char *kind, const char *name, const char *value) {
    unsigned char digest[DIGEST_LEN];
    sqlite3_stmt *stmt = NULL;
    str_reset(&old->in);
    add_text(&old->in, kind);
    add_text(&old->in, name);
    str_add(&old->in, value);
    digest_keyed(digest, old->key.bytes, sizeof old->key.bytes, old->in.s, old->in.len);
    assert_int_equal(sqlite3_prepare_v2(old->db, "INSERT INTO digests VALUES(?1,?2,?3,?4)", -1, &stmt, NULL),
                     SQLITE_OK);
    sqlite3_bind_int64(stmt, 1, n);
    sqlite3_bind_text(stmt, 2, kind, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(stmt, 3, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_blob(stmt, 4, digest, DIGEST_LEN, SQLITE_TRANSIENT);
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    sqlite3_finalize(stmt);
}

static void add_record(struct old *old, int number) {
    char body[64], id[32];
    made_body(number, body);
    int64_t n = number + 1;
    snprintf(id, sizeof id, "usr_%d", number);
    add_write(old, n, number % 7 == 3 ? "draft-1" : NULL);
    add_digest(old, n, "body", "", body);
    add_digest(old, n, "field", "tag", body + 8);
    add_digest(old, n, "match", "tag", body + 8);
    add_mark(old, n, JOURNAL_OUTCOME_SENDING, NULL, NULL);
    if (number % 5 == 4) /* an answer that never came */
        add_mark(old, n, JOURNAL_OUTCOME_UNKNOWN, NULL, "no answer came");
    else
        add_mark(old, n, JOURNAL_OUTCOME_DONE, id, NULL);
}

static void make_old(struct place *place, int records) {
    struct old old = {0};
    bool made;
    str_init(&old.in, 1 << 16);
    assert_int_equal(machine_key_load(place->folder, &old.key, &made, NULL), ERR_OK);
    assert_int_equal(sqlite3_open(place->path, &old.db), SQLITE_OK);
    assert_int_equal(chmod(place->path, 0600), 0);
    must_sql(&old, OLD_TABLES);
    must_sql(&old, "BEGIN");
    add_digest(&old, 0, "key", "", "");
    for (int i = 0; i < records; i++)
        add_record(&old, i);
    must_sql(&old, "COMMIT");
    assert_int_equal(sqlite3_close(old.db), SQLITE_OK);
    str_clear(&old.in);
}

static void check_record(struct journal *journal, int number) {
    struct journal_records records;
    char id[32];
    journal_records_init(&records);
    assert_int_equal(journal_get(journal, number + 1, &records, NULL), ERR_OK);
    assert_int_equal(records.n, 1);
    const struct journal_record *record = &records.items[0];
    snprintf(id, sizeof id, "usr_%d", number);
    assert_int_equal(record->at, MADE_NOW - 500000 + number + 1);
    assert_string_equal(record->who, "anna");
    assert_string_equal(record->idempotency, "0123456789ab");
    assert_int_equal(record->line, number + 1);
    assert_int_equal(record->n_events, 2);
    assert_int_equal(record->n_fields, 1);
    assert_null(record->account);
    if (number % 5 == 4) {
        assert_int_equal(record->last.outcome, JOURNAL_OUTCOME_UNKNOWN);
        assert_string_equal(record->last.message, "no answer came");
    } else {
        assert_int_equal(record->last.outcome, JOURNAL_OUTCOME_DONE);
        assert_string_equal(record->last.response_id, id);
    }
    if (number % 7 == 3)
        assert_string_equal(record->draft, "draft-1");
    else
        assert_string_equal(record->import, "import-1");
    journal_records_clear(&records);
}

static void check_taken_over(struct place *place, int records) {
    struct journal *journal = must_open(place);
    assert_false(place->opening.key_is_new);
    assert_int_equal(place->opening.swept, 0);
    assert_int_equal(listed(journal), records);
    for (int i = 0; i < records; i += 1 + records / 200) {
        int64_t n = 0;
        check_record(journal, i);
        assert_int_equal(same_bodies(journal, i), 1);
        assert_int_equal(begin(journal, i, &n, NULL), ERR_INVALID);
        assert_int_equal(n, i + 1);
    }
    journal_close(journal);
    check_sound(place, records);
}

static void f7_a_journal_of_version_1_is_taken_over_whole(void **state) {
    struct place *place = *state;
    make_old(place, 40);
    check_taken_over(place, 40);
    check_taken_over(place, 40);
    struct journal *journal = must_open(place);
    add_records(journal, 40, 3);
    assert_int_equal(listed(journal), 43);
    journal_close(journal);
    check_sound(place, 43);
}

static void f7_three_thousand_old_records_too(void **state) {
    struct place *place = *state;
    make_old(place, 3000);
    check_taken_over(place, 3000);
    check_taken_over(place, 3000);
}

static void f7_an_empty_one_too(void **state) {
    struct place *place = *state;
    make_old(place, 0);
    check_taken_over(place, 0);
    make_records(place, 2);
    check_sound(place, 2);
}

/* Ended before its commit: the old file and a new head stand there. */
static void f7_an_upgrade_that_was_cut_off_is_done_again(void **state) {
    struct place *place = *state;
    make_old(place, 20);
    struct bytes old = read_bytes(place, "journal.db");
    journal_close(must_open(place));
    char head[4300];
    unlink(made_path(place, "journal.head", head));
    write_bytes(place, "journal.db", &old);
    check_taken_over(place, 20);
    free(old.s);
}

/* Killed at the first byte beyond so many: in mid-upgrade, its pages half in the log. */
static void f7_an_upgrade_killed_in_the_middle_loses_nothing(void **state) {
    struct place *place = *state;
    int killed = 0;
    make_old(place, 600);
    for (rlim_t most = 8192; most < (1 << 22); most *= 2) {
        pid_t pid = fork();
        if (pid == 0) {
            const struct rlimit no_core = {0, 0}, size = {most, most};
            if (setrlimit(RLIMIT_CORE, &no_core) == 0 && setrlimit(RLIMIT_FSIZE, &size) == 0)
                journal_close(open_it(place));
            _exit(0);
        }
        int status = 0;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ;
    }
    assert_true(killed > 2);
    check_taken_over(place, 600);
}

/* The old file put back over a journal that went on: what came since is missed, and nothing is sent. */
static void f7_the_old_file_put_back_stops_writes(void **state) {
    struct place *place = *state;
    make_old(place, 20);
    struct bytes old = read_bytes(place, "journal.db");
    struct journal *journal = must_open(place);
    add_records(journal, 20, 2);
    journal_close(journal);
    write_bytes(place, "journal.db", &old);
    free(old.s);
    assert_null(open_it(place));
    assert_int_equal(place->opening.state, JOURNAL_DAMAGED);
}

static void f5_a_damaged_journal_of_version_1_is_not_taken_over(void **state) {
    struct place *place = *state;
    make_old(place, 20);
    struct bytes old = read_bytes(place, "journal.db");
    size_t at = find_bytes(&old, "usr_7");
    old.s[at + 4] ^= 1;
    write_bytes(place, "journal.db", &old);
    assert_null(open_it(place));
    assert_int_equal(place->opening.state, JOURNAL_DAMAGED);
    struct bytes after = read_bytes(place, "journal.db");
    assert_int_equal(after.len, old.len);
    assert_memory_equal(after.s, old.s, old.len);
    free(old.s);
    free(after.s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(f7_a_journal_of_version_1_is_taken_over_whole),
        IN_FOLDER(f7_three_thousand_old_records_too),
        IN_FOLDER(f7_an_empty_one_too),
        IN_FOLDER(f7_an_upgrade_that_was_cut_off_is_done_again),
        IN_FOLDER(f7_an_upgrade_killed_in_the_middle_loses_nothing),
        IN_FOLDER(f7_the_old_file_put_back_stops_writes),
        IN_FOLDER(f5_a_damaged_journal_of_version_1_is_not_taken_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
