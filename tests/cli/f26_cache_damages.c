/* F26: random damage to the files of a cache, and to its tables: never a wrong row, never "all" over a hole, and what
 * changed what is shown is told each time. BURSAR_DAMAGES: how many; BURSAR_RUNS: how often each command is run over
 * the very same damage, since what is told must not be a matter of threads; BURSAR_SEED: where chance begins. */
#include "base/mem.h"
#include "support/console.h"
#include "support/damage.h"
#include "support/listing.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, INTENTS = 2000, DAMAGES = 2, RUNS = 2, SEED = 102, PROGRESS = 20 };

enum { DB, LOG, SHARED, INDEX, FILES };
static const char *const NAMES[FILES] = {"test.db", "test.db-wal", "test.db-shm", "test.db-index"};

/* As a closed cache is, and as a killed program leaves one: the log not carried over, carried over and still there, or
 * holding nearly all rows; or with the column index beside it, which has all rows whatever became of them. */
enum { CLOSED, LOGGED, CARRIED, BEGUN, INDEXED, BASES };
static const char *const BASE_NAMES[BASES] = {"closed", "with a log", "with a log carried over", "begun",
                                              "with its index"};

struct files {
    struct bytes files[FILES];
};

#define LIST_ALL "intents", "list", "--all", "--format", "ndjson"
enum { CACHED, DECLINED, SORTED, STATS, SHOW, CACHE_COMMANDS };
static const char *const COMMANDS[CACHE_COMMANDS][9] = {
    [CACHED] = {LIST_ALL, "--cached"},
    [DECLINED] = {LIST_ALL, "--cached", "status:declined"},
    [SORTED] = {LIST_ALL, "--cached", "--sort", "amount"},
    [STATS] = {"intents", "stats", "--by", "status", "--format", "ndjson"},
    [SHOW] = {"intents", "show", NULL /* an id of the list */, "--format", "ndjson"},
};

static struct service service;
static struct files bases[BASES];
static char *truth[CACHE_COMMANDS]; /* what each prints while all is sound; of SHOW every row */
static char what[160];              /* the damage being tried, for the words of a failure */
static bool older;                  /* it may be an older state of the cache and no damage: its log was lost */
static struct proc proc;
static int told_runs, hole_runs, faults;

static const char *path_of(int file) {
    static char path[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/cache/bursar/%s", service.folder, NAMES[file]);
    return path;
}

static struct files keep_files(void) {
    struct files kept;
    for (int i = 0; i < FILES; i++)
        kept.files[i] = bytes_read(path_of(i));
    return kept;
}

static void put_files(const struct files *files) {
    for (int i = 0; i < FILES; i++)
        bytes_write(path_of(i), &files->files[i]);
}

static void drop_files(struct files *files) {
    for (int i = 0; i < FILES; i++)
        free(files->files[i].s);
}

static int run(const char *const args[]) {
    (void)proc_end(&proc);
    memset(&proc, 0, sizeof proc);
    return console_run(&service, args, &proc);
}

static bool says(const char *words) {
    return strstr(proc.err.s, words) != NULL;
}

static void wrong(const char *why) {
    print_error("%s: %s\nexit %d, %zu lines\n%s", what, why, proc.status, text_count(proc.out.s, "\n"), proc.err.s);
    faults++;
}

/* ---- What must hold of one run ---- */

/* Rows of `whole` that `part` lacks; what `part` has must be there byte for byte, once and in that order. */
static size_t count_missing(const char *whole, const char *part) {
    size_t missing = 0;
    while (*whole) {
        size_t len = strcspn(whole, "\n") + 1;
        if (strncmp(whole, part, len) == 0)
            part += len;
        else
            missing++;
        whole += len;
    }
    if (*part)
        wrong("a row that was never served, or one twice or out of order");
    return missing;
}

static size_t count_untallied(void) {
    size_t sum = 0;
    for (const char *at = proc.out.s; (at = strstr(at, "\"intents\":")) != NULL; at++)
        sum += (size_t)atoi(at + strlen("\"intents\":"));
    if (sum > INTENTS)
        wrong("more rows are counted than were served");
    return INTENTS - sum;
}

static bool is_told(void) {
    return says("damage") || says("set aside");
}

static size_t missing_of(int command, const char *row) {
    if (command == STATS)
        return count_untallied();
    return count_missing(command == SHOW ? row : truth[command], proc.out.s);
}

/* Whether damage was told. again: it was told before, and the rows that were met then are dropped. */
static bool check(int command, const char *row, bool again) {
    size_t missing = missing_of(command, row);
    bool told = is_told();
    told_runs += told;
    hole_runs += missing > 0;
    if (proc.status != 0 && proc.status != 1 && proc.status != 8)
        wrong("no such exit status");
    if (missing > 0 && says("all of them"))
        wrong("all is said over a hole");
    if (missing > 0 && !told && !older)
        wrong("rows are missing, and no damage is told");
    if (missing > 0 && told && !again && proc.status == 0)
        wrong("rows are missing and the status says that all is well");
    return told;
}

/* ---- The commands over one damage ---- */

static bool try_cached(const struct files *damaged, int runs) {
    bool any = false;
    for (int command = 0; command < CACHE_COMMANDS; command++) {
        const char *args[COUNT_OF(COMMANDS[0])];
        size_t n = chance_below(INTENTS);
        char *id = listing_id(truth[CACHED], n), *row = mem_dup(truth[CACHED]);
        memcpy(args, COMMANDS[command], sizeof args);
        for (size_t i = 0; i < n; i++)
            memmove(row, strchr(row, '\n') + 1, strlen(strchr(row, '\n')));
        strchr(row, '\n')[1] = '\0';
        if (command == SHOW)
            args[2] = id;
        bool told = false;
        for (int i = 0; i < runs; i++) {
            put_files(damaged);
            (void)run(args);
            bool now = check(command, row, false);
            if (i > 0 && now != told)
                wrong("damage is told at one time and not at another");
            told = now;
        }
        (void)run(args);
        if (!check(command, row, told) && told && missing_of(command, row) > 0)
            wrong("what was told is not told again");
        if (told && !any)
            (void)snprintf(what + strlen(what), sizeof what - strlen(what), " (told by %s %s)", args[1],
                           args[5] ? args[5] : "");
        any = any || told;
        free(id);
        free(row);
    }
    return any;
}

/* The service has all of it: what was lost comes back, and that it was lost is said. */
static void try_walk(const struct files *damaged, const char *const args[], bool must_tell, int runs) {
    bool told = false;
    for (int i = 0; i < runs; i++) {
        put_files(damaged);
        if (run(args) != 0)
            wrong("a walk over a damaged cache fails");
        if (count_missing(truth[CACHED], proc.out.s) > 0)
            wrong("a walk lacks rows");
        bool now = is_told();
        if (i > 0 && now != told)
            wrong("a walk tells damage at one time and not at another");
        told = now;
    }
    if (must_tell && !told)
        wrong("a walk replaced what was damaged without a word");
}

/* A walk to its end leaves nothing of the damage behind. */
static void check_healed(void) {
    for (int command = 0; command < STATS; command++)
        if (run(COMMANDS[command]) != 0 || missing_of(command, NULL) > 0 || !says("all of them"))
            wrong("after a walk to its end the cache does not have all");
}

/* What checking found and dropped stays told. */
static void check_honest(void) {
    (void)run(COMMANDS[CACHED]);
    (void)check(CACHED, NULL, true);
}

static void try_verify(const struct files *damaged, bool must_find) {
    put_files(damaged);
    int status = run((const char *const[]){"cache", "verify", NULL});
    if (must_find && status == 0)
        wrong("cache verify finds nothing");
    check_honest();
}

static void try_all(const struct files *damaged, int runs) {
    bool told = try_cached(damaged, runs);
    try_walk(damaged, (const char *const[]){LIST_ALL, NULL}, told, runs);
    check_healed();
    try_walk(damaged, (const char *const[]){LIST_ALL, "--resume", NULL}, false, 1);
    check_honest();
    try_verify(damaged, told);
}

/* ---- The damages ---- */

static sqlite3 *open_outside(void) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path_of(DB), &db), SQLITE_OK);
    return db;
}

static const char *const STATEMENTS[] = {
    "DELETE FROM intents WHERE key IN (SELECT key FROM intents ORDER BY random() LIMIT %d)",
    "DELETE FROM intents",
    "UPDATE intents SET data = (SELECT data FROM intents ORDER BY random() LIMIT 1), seen = seen + %d WHERE key ="
    " (SELECT key FROM intents ORDER BY random() LIMIT 1)",
    "UPDATE intents SET confirmed = confirmed - %d WHERE key IN (SELECT key FROM intents ORDER BY random() LIMIT 9)",
    "UPDATE intents SET key = key + %d WHERE key = (SELECT key FROM intents ORDER BY random() LIMIT 1)",
    "INSERT INTO intents SELECT key + %d, seen, confirmed, digest, data FROM intents ORDER BY random() LIMIT 1",
    "UPDATE intents SET data = NULL, digest = %d WHERE key IN (SELECT key FROM intents ORDER BY random() LIMIT 2)",
    "DELETE FROM wholes",
    "UPDATE wholes SET rows = rows + %d",
    "DELETE FROM pages WHERE place IN (SELECT place FROM pages ORDER BY random() LIMIT %d)",
    "UPDATE pages SET rows = (SELECT rows FROM pages ORDER BY random() LIMIT 1)",
    "UPDATE pages SET next = NULL WHERE place %% 3 = %d %% 3",
    "DELETE FROM walks",
    "UPDATE walks SET filter = filter || 'x'",
    "DELETE FROM counts",
    "UPDATE counts SET value = value + %d WHERE name = 'rows'",
    "UPDATE counts SET value = value - %d WHERE name = 'dropped'",
    "DELETE FROM changes",
    "DELETE FROM notes",
    "DELETE FROM sightings",
    "UPDATE binding SET token = 'x'",
    "DELETE FROM binding",
    "DROP TABLE pages",
    "DELETE FROM intents; DELETE FROM pages",
};

static void damage_tables(const struct files *sound, struct files *damaged) {
    const char *statement = STATEMENTS[chance_below(COUNT_OF(STATEMENTS))];
    char *sql = sqlite3_mprintf(statement, (int)chance_below(3) + 1);
    put_files(sound);
    sqlite3 *db = open_outside();
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK && !strstr(sql, "INSERT"))
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    (void)snprintf(what + strlen(what), sizeof what - strlen(what), "%s", sql);
    sqlite3_close(db);
    sqlite3_free(sql);
    *damaged = keep_files();
}

static void damage_files(const struct files *sound, struct files *damaged) {
    put_files(sound);
    *damaged = keep_files();
    int file = chance_below(10) < 7 ? DB : chance_below(4) < 3 ? LOG : SHARED;
    const char *kind = damage_do(&damaged->files[file]);
    older = file == LOG || !damaged->files[file].there; /* or there is none any more, as may be at any time */
    if (chance_below(8) == 0) {                         /* as after `rm test.db-*` */
        damaged->files[LOG].there = damaged->files[SHARED].there = false;
        older = true;
    }
    (void)snprintf(what + strlen(what), sizeof what - strlen(what), "%s of %s%s", kind, NAMES[file],
                   damaged->files[LOG].there ? "" : ", no log");
}

static void damage_once(int round, int runs) {
    enum { OF_TEN_IN_TABLES = 3 };
    struct files damaged;
    int base = (int)chance_below(BASES);
    older = false;
    (void)snprintf(what, sizeof what, "damage %d, %s, ", round, BASE_NAMES[base]);
    if (chance_below(10) < OF_TEN_IN_TABLES && base != BEGUN)
        damage_tables(&bases[base], &damaged);
    else
        damage_files(&bases[base], &damaged);
    try_all(&damaged, runs);
    drop_files(&damaged);
}

/* ---- The sound caches ---- */

static char *must_print(const char *const args[]) {
    if (run(args) != 0)
        wrong("a sound cache is not read");
    return mem_dup(proc.out.s);
}

static void walk(const char *filter) {
    free(must_print((const char *const[]){LIST_ALL, filter, NULL}));
}

/* While it is open nobody's log is carried over by closing. */
static void make_logged(void) {
    sqlite3 *db = open_outside();
    assert_int_equal(sqlite3_exec(db, "BEGIN; SELECT count(*) FROM intents", NULL, NULL, NULL), SQLITE_OK);
    walk(NULL);
    bases[LOGGED] = keep_files();
    assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL), SQLITE_OK);
    bases[CARRIED] = keep_files();
    sqlite3_close(db);
}

static void make_begun(void) {
    free(must_print((const char *const[]){"cache", "purge", NULL}));
    free(must_print((const char *const[]){"intents", "list", "--limit", "50", NULL}));
    sqlite3 *db = open_outside();
    assert_int_equal(sqlite3_exec(db, "BEGIN; SELECT count(*) FROM intents", NULL, NULL, NULL), SQLITE_OK);
    walk(NULL);
    bases[BEGUN] = keep_files();
    sqlite3_close(db);
}

static int set_up(void **state) {
    (void)state;
    const char *const args[] = {"--intents", "2000", "--page-size", "50", NULL};
    if (!console_serve(&service, args, ""))
        return -1;
    walk(NULL);
    walk("status:declined");
    bases[CLOSED] = keep_files();
    for (int i = 0; i < STATS; i++)
        truth[i] = must_print(COMMANDS[i]);
    assert_int_equal(text_count(truth[CACHED], "\n"), INTENTS);
    bases[INDEXED] = keep_files();
    assert_true(bases[INDEXED].files[INDEX].there);
    make_logged();
    make_begun();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    for (int i = 0; i < BASES; i++)
        drop_files(&bases[i]);
    for (int i = 0; i < CACHE_COMMANDS; i++)
        free(truth[i]);
    (void)proc_end(&proc);
    (void)service_stop(&service);
    return 0;
}

static void f26_no_damage_shows_a_wrong_row_or_hides_a_hole(void **state) {
    (void)state;
    int n = number_or("BURSAR_DAMAGES", DAMAGES), runs = number_or("BURSAR_RUNS", RUNS);
    chance_seed((unsigned long long)number_or("BURSAR_SEED", SEED));
    for (int i = 0; i < n; i++) {
        damage_once(i, runs);
        if ((i + 1) % PROGRESS == 0)
            print_message("%d damages so far, %d faults\n", i + 1, faults);
    }
    assert_int_equal(faults, 0);
    print_message("%d damages, told in %d runs, rows missing in %d\n", n, told_runs, hole_runs);
}

static size_t rows_printed(int command, const struct files *damaged) {
    put_files(damaged);
    assert_int_equal(run(COMMANDS[command]), 8);
    assert_true(says("what could be read was printed"));
    return text_count(proc.out.s, "\n");
}

/* A page of the table is lost: the rows before it are sound, in whichever order they are asked for. */
static void f26_what_can_be_read_is_printed_in_any_order(void **state) {
    enum { PAGE = 4096 };
    (void)state;
    struct files damaged = bases[CLOSED];
    struct bytes *db = &damaged.files[DB];
    const struct bytes sound = *db;
    size_t read = 0;
    db->s = mem_dup_n(sound.s, sound.len);
    (void)snprintf(what, sizeof what, "a page of the table is lost");
    for (size_t page = sound.len / PAGE / 2; read == 0; page++) {
        assert_true((page + 1) * PAGE < sound.len);
        memset(db->s + page * PAGE, 0, PAGE);
        put_files(&damaged);
        read = run(COMMANDS[CACHED]) == 8 && says("could not be read to its end") ? text_count(proc.out.s, "\n") : 0;
        if (read == 0)
            memcpy(db->s + page * PAGE, sound.s + page * PAGE, PAGE);
    }
    assert_int_equal(rows_printed(SORTED, &damaged), read);
    assert_int_equal(rows_printed(CACHED, &damaged), read);
    free(db->s);
    assert_int_equal(faults, 0);
}

/* One whose head is lost is set aside before anything of it could be looked at. */
static void f26_verify_does_not_end_well_where_all_is_lost(void **state) {
    (void)state;
    struct files damaged = bases[CLOSED];
    const struct bytes sound = damaged.files[DB];
    damaged.files[DB].s = mem_dup_n(sound.s, sound.len);
    memset(damaged.files[DB].s, 'x', 100);
    put_files(&damaged);
    assert_int_equal(run((const char *const[]){"cache", "verify", NULL}), 9);
    assert_true(says("the cache was damaged, and nothing of it could be checked"));
    free(damaged.files[DB].s);
}

/* By each question, whatever else is read meanwhile: the column index is filled beside a list in portions. */
static void f26_rows_that_are_silently_gone_are_told_each_time(void **state) {
    (void)state;
    for (int base = 0; base < BASES; base += proc_starts(1, 2)) {
        if (base == BEGUN)
            continue;
        (void)snprintf(what, sizeof what, "old rows gone, %s", BASE_NAMES[base]);
        older = false;
        put_files(&bases[base]);
        sqlite3 *db = open_outside();
        static const char SQL[] =
            "DELETE FROM intents WHERE key IN (SELECT key FROM intents ORDER BY key DESC LIMIT 40)";
        assert_int_equal(sqlite3_exec(db, SQL, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        struct files damaged = keep_files();
        if (!try_cached(&damaged, 1))
            wrong("not told");
        drop_files(&damaged);
    }
    assert_int_equal(faults, 0);
}

/* One that is sound is never called damaged, in whatever state a program left it. */
static void f26_a_sound_cache_is_never_called_damaged(void **state) {
    (void)state;
    for (int base = CARRIED; base < BASES; base++) {
        (void)snprintf(what, sizeof what, "sound, %s", BASE_NAMES[base]);
        older = false;
        if (try_cached(&bases[base], 1))
            wrong("called damaged");
    }
    assert_int_equal(faults, 0);
}

/* Frames that were carried over and are then lost would show some pages as they were. */
static void f26_a_log_that_lost_frames_is_damage(void **state) {
    (void)state;
    enum { FRAME = 24 + 4096, HEAD = 32 };
    struct files damaged = bases[CARRIED];
    const struct bytes sound = damaged.files[LOG];
    size_t frames = (sound.len - HEAD) / FRAME;
    assert_true(frames > 4);
    for (size_t frame = 1; frame < frames; frame += frames / 4) {
        struct bytes *log = &damaged.files[LOG];
        log->s = mem_dup_n(sound.s, sound.len);
        log->s[HEAD + frame * FRAME + FRAME / 2] ^= 1;
        older = false;
        (void)snprintf(what, sizeof what, "frame %zu of a log", frame);
        put_files(&damaged);
        (void)run(COMMANDS[DECLINED]);
        if (!check(DECLINED, NULL, false))
            wrong("not told");
        free(log->s);
    }
    assert_int_equal(faults, 0);
}

static void f26_an_emptied_file_beside_its_log_is_damage(void **state) {
    (void)state;
    struct files damaged = bases[BEGUN];
    damaged.files[DB].len = 0;
    older = false;
    (void)snprintf(what, sizeof what, "an emptied file");
    for (int command = 0; command < STATS; command++) {
        put_files(&damaged);
        (void)run(COMMANDS[command]);
        if (!check(command, NULL, false))
            wrong("not told");
    }
    assert_int_equal(faults, 0);
}

/* The first key of the first inner page of the rows' tree is made one less: its row is met by a reading, and is not
 * found by its key. */
static void mislead(char *db, int64_t page) {
    unsigned char *inner = (unsigned char *)db + (page - 1) * 4096;
    assert_int_equal(inner[0], 0x05);
    unsigned char *varint = inner + (inner[12] << 8 | inner[13]) + 4;
    size_t last = 0;
    while (last < 8 && varint[last] & 0x80)
        last++;
    assert_true((varint[last] & 0x7F) > 0);
    varint[last]--;
}

static void f26_a_row_that_its_key_does_not_lead_to_is_told(void **state) {
    (void)state;
    put_files(&bases[CLOSED]);
    sqlite3 *db = open_outside();
    sqlite3_stmt *stmt = NULL;
    (void)sqlite3_prepare_v2(db, "SELECT rootpage FROM sqlite_master WHERE name = 'intents'", -1, &stmt, NULL);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    int64_t page = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    struct files damaged = bases[CLOSED];
    damaged.files[DB].s = mem_dup_n(bases[CLOSED].files[DB].s, bases[CLOSED].files[DB].len);
    mislead(damaged.files[DB].s, page);
    older = false;
    (void)snprintf(what, sizeof what, "a key of an inner page");
    put_files(&damaged);
    (void)run(COMMANDS[SORTED]);
    if (!check(SORTED, NULL, false))
        wrong("not told");
    assert_true(hole_runs > 0);
    free(damaged.files[DB].s);
    assert_int_equal(faults, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f26_what_can_be_read_is_printed_in_any_order),
        cmocka_unit_test(f26_verify_does_not_end_well_where_all_is_lost),
        cmocka_unit_test(f26_a_sound_cache_is_never_called_damaged),
        cmocka_unit_test(f26_rows_that_are_silently_gone_are_told_each_time),
        cmocka_unit_test(f26_a_log_that_lost_frames_is_damage),
        cmocka_unit_test(f26_an_emptied_file_beside_its_log_is_damage),
        cmocka_unit_test(f26_a_row_that_its_key_does_not_lead_to_is_told),
        cmocka_unit_test(f26_no_damage_shows_a_wrong_row_or_hides_a_hole),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
