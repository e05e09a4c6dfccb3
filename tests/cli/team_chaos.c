/* Importers of overlapping files, single creates and two consoles on four homes, killed and cut off from the store at
 * random, over a store that is killed and started anew: in the end each person is registered once, every record is in
 * the team's journal, and its chains are whole. TEAM_CHAOS_RUNS: how often; TEAM_CHAOS_SEED: of the first of them. */
#include "support/office.h"

#include "base/clock.h"
#include "base/mem.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    HOMES = 4,
    IMPORTERS = 8,
    CREATORS = 2,
    CLERKS = 2,
    CLERK_LIVES = 8, /* one that does not send is spared so often */
    WORKERS = IMPORTERS + CREATORS,
    ROWS = 6, /* of a file; the next begins half a file further on */
    PEOPLE = ROWS / 2 * (IMPORTERS - 1) + ROWS,
    STEPS = 35,
    ROUNDS = 15,
    STEP_MS = 120,
    KILLED = 4, /* at once */
    SCREEN_ROWS = 50,
    SCREEN_COLS = 150,
    PATH_CAP = OFFICE_PATH + 32
};

struct worker {
    struct desk *desk;
    char file[PATH_CAP];
    bool creates, running, done;
    int starts;
    struct proc proc;
};

/* Who imports a file at a console, the importers' first or last one; a command ends what was begun there. */
struct clerk {
    struct desk *desk;
    const char *file;
    struct pty *pty;
    double acted;
    int runs;
    bool runs_now;
};

struct chaos {
    struct office *office;
    struct cutter *cutters[HOMES];
    struct worker workers[WORKERS];
    struct clerk clerks[CLERKS];
    uint64_t random;
    int kills, settled;
};

static uint64_t roll(struct chaos *chaos, uint64_t below) {
    chaos->random = chaos->random * 6364136223846793005U + 1442695040888963407U;
    return (chaos->random >> 33) % below;
}

/* ---- workers ---- */

static void write_rows(const char *path, int first) {
    struct str csv;
    str_init(&csv, 1 << 16);
    str_add(&csv, "name.first,name.last,email,tag,identity_verified\n");
    for (int i = first; i < first + ROWS; i++)
        str_addf(&csv, "P%c,Sample,p%d@a.example,tag-%d.,true\n", 'a' + i % 26, i, i);
    assert_true(proc_write_file(path, csv.s));
    str_clear(&csv);
}

static void set_up_worker(struct chaos *chaos, int n) {
    struct worker *worker = &chaos->workers[n];
    worker->creates = n >= IMPORTERS;
    worker->desk = &chaos->office->desks[n % HOMES];
    if (worker->creates) {
        snprintf(worker->file, sizeof worker->file, "%s", chaos->office->file);
    } else {
        snprintf(worker->file, sizeof worker->file, "%s/people%d.csv", worker->desk->home, n);
        write_rows(worker->file, n * ROWS / 2);
    }
}

static void start_worker(struct worker *worker) {
    const char *const create[] = {"users", "create", "--file", worker->file, "--yes", NULL};
    const char *const import[] = {"users", "import", worker->file, "--yes", worker->starts > 0 ? "--resume" : NULL,
                                  NULL};
    start_at_home(worker->desk->home, &worker->proc, worker->creates ? create : import);
    worker->running = true;
    worker->starts++;
}

/* Somebody registered them: that is what was wanted, by whomever. */
static bool is_registered_already(const struct worker *worker) {
    return worker->creates && worker->proc.status == 2 && strstr(worker->proc.err.s, ", done");
}

static void look_at_worker(struct worker *worker, int wait) {
    if (!worker->running || !proc_wait(&worker->proc, wait))
        return;
    worker->running = false;
    worker->done = worker->proc.status == 0 || is_registered_already(worker);
}

static void kill_worker(struct chaos *chaos, struct worker *worker) {
    if (!worker->running || kill(worker->proc.pid, SIGKILL) != 0)
        return;
    assert_true(proc_wait(&worker->proc, PROC_DEADLINE));
    worker->running = false;
    chaos->kills++;
}

/* ---- consoles ---- */

/* What a clerk does about what the screen shows, the first that it shows: none of it is done twice within a moment.
 * Keys that come before a review is awake answer nothing, and a file's path (keys NULL) replaces what stands in its
 * field. */
static const struct {
    const char *shown, *keys;
    double after; /* seconds */
} REFLEXES[] = {
    {": PgDn shows more", "\x1b[6~", 0.2},
    {"[ Send it ]", "\x1b[C\r", 0.8},
    {"column of the file", "\r", 0.3},
    {"checked:", "s", 0.5},
    {"CSV file", NULL, 0.3},
    {"Identity verified", "i", 0.3},
    {" SANDBOX ", "2", 0.3},
};

static void start_clerk(struct chaos *chaos, struct clerk *clerk) {
    clerk->pty = console_at(chaos->office, clerk->desk, SCREEN_ROWS, SCREEN_COLS);
    clerk->acted = pty_now();
    clerk->runs_now = false;
}

static void look_at_clerk(struct clerk *clerk) {
    pty_read(clerk->pty, 0);
    bool runs = pty_shows(clerk->pty, "running:");
    clerk->runs += runs && !clerk->runs_now;
    clerk->runs_now = runs;
    for (size_t i = 0; i < COUNT_OF(REFLEXES) && !runs; i++) {
        if (!pty_shows(clerk->pty, REFLEXES[i].shown))
            continue;
        if (pty_now() - clerk->acted < REFLEXES[i].after)
            return;
        if (!REFLEXES[i].keys) {
            pty_feed(clerk->pty, "\x15"); /* Ctrl-U */
            pty_feed(clerk->pty, clerk->file);
        }
        pty_feed(clerk->pty, REFLEXES[i].keys ? REFLEXES[i].keys : "\r");
        clerk->acted = pty_now();
        return;
    }
}

/* So far that one key more sends the first row. */
static void make_ready(struct chaos *chaos, struct clerk *clerk) {
    start_clerk(chaos, clerk);
    for (double begun = pty_now(); !pty_shows(clerk->pty, "checked:"); pty_read(clerk->pty, STEP_MS)) {
        assert_true(pty_now() - begun < PROC_DEADLINE / 1000.0);
        look_at_clerk(clerk);
    }
}

static void kill_clerk(struct chaos *chaos, struct clerk *clerk) {
    int status;
    assert_int_equal(kill(pty_pid(clerk->pty), SIGKILL), 0);
    assert_true(pty_wait(clerk->pty, PROC_DEADLINE / 1000.0, &status));
    pty_free(clerk->pty);
    chaos->kills++;
    start_clerk(chaos, clerk);
}

/* ---- the storm ---- */

static void cut_somewhere(struct chaos *chaos) {
    static const char *const WORDS[] = {
        "COMMIT", "INSERT INTO marks",      "INSERT INTO writes", "INSERT INTO open_writes",
        "SELECT", "DELETE FROM open_writes"};
    cutter_cut(chaos->cutters[roll(chaos, HOMES)], WORDS[roll(chaos, COUNT_OF(WORDS))],
               roll(chaos, 2) ? CUT_BEHIND : CUT_BEFORE);
}

static void storm(struct chaos *chaos) {
    for (int step = 0; step < STEPS; step++) {
        struct worker *worker = &chaos->workers[roll(chaos, WORKERS)];
        if (step == STEPS / 2) {
            assert_true(postgres_halt(&office_postgres, true));
            assert_true(postgres_resume(&office_postgres));
        } else if (roll(chaos, 3)) {
            cut_somewhere(chaos);
        } else {
            for (int i = 0; i < KILLED; i++)
                kill_worker(chaos, &chaos->workers[roll(chaos, WORKERS)]);
            struct clerk *clerk = &chaos->clerks[roll(chaos, CLERKS)];
            if (clerk->runs_now || roll(chaos, CLERK_LIVES) == 0)
                kill_clerk(chaos, clerk);
        }
        for (int i = 0; i < CLERKS; i++)
            look_at_clerk(&chaos->clerks[i]);
        look_at_worker(worker, (int)roll(chaos, STEP_MS));
        for (int i = 0; i < WORKERS; i++) {
            look_at_worker(&chaos->workers[i], 0);
            if (!chaos->workers[i].running && !chaos->workers[i].done)
                start_worker(&chaos->workers[i]);
        }
    }
    for (int i = 0; i < WORKERS; i++)
        look_at_worker(&chaos->workers[i], PROC_DEADLINE);
}

/* ---- afterwards ---- */

/* What became of an open record is known by its key: the service has it, or has not. */
static void settle_record(struct chaos *chaos, char *row) {
    char *users = service_users(&chaos->office->service);
    const char *id = strsep(&row, "|");
    bool there = row && *row && strstr(users, row);
    struct desk *desk = &chaos->office->desks[roll(chaos, HOMES)];
    (void)at_desk(desk, (const char *const[]){"team", "resolve", id, "--outcome", there ? "done" : "not-sent", "--note",
                                              "looked at the service", NULL});
    free(users);
    chaos->settled += desk->status == 0;
}

static void settle_open(struct chaos *chaos) {
    for (int i = 0; i < HOMES; i++)
        (void)at_desk(&chaos->office->desks[i], (const char *const[]){"activity", "--team", NULL});
    char *rows = postgres_sql(&office_postgres,
                              "SELECT substr(w.id, 1, 16) || '|' || COALESCE(w.idempotency, '') FROM open_writes o "
                              "JOIN writes w ON w.id = o.id");
    char *at = rows;
    for (char *row; (row = strsep(&at, "\n")) != NULL;)
        if (*row)
            settle_record(chaos, row);
    free(rows);
}

static bool all_done(const struct chaos *chaos) {
    for (int i = 0; i < WORKERS; i++)
        if (!chaos->workers[i].done)
            return false;
    return true;
}

static void resume_to_the_end(struct chaos *chaos) {
    for (int round = 0; round < ROUNDS && !all_done(chaos); round++) {
        settle_open(chaos);
        for (int i = 0; i < WORKERS; i++)
            if (!chaos->workers[i].done)
                start_worker(&chaos->workers[i]);
        for (int i = 0; i < WORKERS; i++)
            look_at_worker(&chaos->workers[i], PROC_DEADLINE);
    }
    settle_open(chaos);
    for (int i = 0; i < WORKERS; i++)
        if (!chaos->workers[i].done)
            fail_msg("worker %d: %d: %s%s", i, chaos->workers[i].proc.status, chaos->workers[i].proc.out.s,
                     chaos->workers[i].proc.err.s);
}

static void assert_each_once(struct chaos *chaos) {
    char *users = service_users(&chaos->office->service);
    for (int i = 0; i < PEOPLE; i++) {
        char tag[32];
        snprintf(tag, sizeof tag, "\"tag-%d.\"", i);
        if (text_times(users, tag) != 1)
            fail_msg("%s is registered %d times", tag, text_times(users, tag));
    }
    assert_int_equal(text_times(users, "\"key-ann\""), 1);
    free(users);
}

static void assert_journal_is_whole(struct chaos *chaos) {
    char expected[16];
    assert_sql("SELECT count(*) FROM open_writes", "0");
    snprintf(expected, sizeof expected, "%d", PEOPLE + 1);
    assert_sql("SELECT count(*) FROM writes w JOIN marks m ON m.id = w.id AND m.outcome = 'done' AND m.k = "
               "(SELECT max(k) FROM marks l WHERE l.id = w.id)",
               expected);
    for (int i = 0; i < HOMES; i++)
        if (at_desk(&chaos->office->desks[i], (const char *const[]){"team", "verify", NULL}) != 0)
            fail_msg("%s%s", chaos->office->desks[i].proc.out.s, chaos->office->desks[i].proc.err.s);
}

static void tell_how_it_went(struct chaos *chaos, uint64_t seed) {
    size_t cuts = 0;
    for (int i = 0; i < HOMES; i++)
        cuts += cutter_cuts(chaos->cutters[i]);
    print_message("seed %llu: %d kills, %zu cuts, %d settled by hand, %d imports begun at consoles\n",
                  (unsigned long long)seed, chaos->kills, cuts, chaos->settled,
                  chaos->clerks[0].runs + chaos->clerks[1].runs);
}

static void run_chaos(uint64_t seed) {
    struct chaos chaos = {.random = seed};
    static const char profile[] = " api { user_idempotency = 'header:Idempotency-Key' }\n";
    print_message("seed %llu begins\n", (unsigned long long)seed);
    chaos.office = office_of(HOMES,
                             (const char *const[]){"--intents", "5", "--style", "idempotency=header:Idempotency-Key",
                                                   "--fault", "path=/user delay=150", NULL},
                             profile);
    write_person(chaos.office, "ann");
    for (int i = 0; i < HOMES; i++) {
        chaos.cutters[i] = cutter_new(&office_postgres);
        char *address = cutter_store(chaos.cutters[i], "bursar");
        configure(chaos.office, &chaos.office->desks[i], address, profile);
        free(address);
    }
    for (int i = 0; i < WORKERS; i++)
        set_up_worker(&chaos, i);
    for (int i = 0; i < CLERKS; i++) {
        const struct worker *like = &chaos.workers[i * (IMPORTERS - 1)];
        chaos.clerks[i] = (struct clerk){.desk = like->desk, .file = like->file};
        make_ready(&chaos, &chaos.clerks[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        start_worker(&chaos.workers[i]);
    storm(&chaos);
    for (int i = 0; i < CLERKS; i++)
        pty_free(chaos.clerks[i].pty);
    for (int i = 0; i < HOMES; i++) {
        cutter_cut(chaos.cutters[i], "", CUT_BEFORE);
        configure(chaos.office, &chaos.office->desks[i], office_store, profile);
    }
    resume_to_the_end(&chaos);
    tell_how_it_went(&chaos, seed);
    assert_each_once(&chaos);
    assert_journal_is_whole(&chaos);
    for (int i = 0; i < WORKERS; i++)
        (void)proc_end(&chaos.workers[i].proc);
    for (int i = 0; i < HOMES; i++)
        cutter_free(chaos.cutters[i]);
    office_free(chaos.office);
}

static void each_person_is_registered_once_whatever_breaks(void **state) {
    (void)state;
    skip_without_postgres();
    const char *wish = getenv("TEAM_CHAOS_RUNS"), *from = getenv("TEAM_CHAOS_SEED");
    long runs = wish ? strtol(wish, NULL, 10) : 1;
    uint64_t seed = from ? strtoull(from, NULL, 10) : (uint64_t)clock_now();
    for (long run = 0; run < runs; run++)
        run_chaos(seed + (uint64_t)run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_person_is_registered_once_whatever_breaks),
    };
    return cmocka_run_group_tests(tests, office_start_postgres, office_stop_postgres);
}
