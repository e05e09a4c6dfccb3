/* `bursar users import` against the sandbox: every row once or never, whatever stops the run, and its result beside it.
 */
#include "base/clock.h"
#include "base/csv.h"
#include "base/mem.h"
#include "support/console.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, BYTES_MAX = 1 << 20, LONG_MS = 240000 };

struct world {
    struct service service;
    char file[PATH_CAP], results[PATH_CAP];
    struct proc proc;
};

static struct world *world_new(const char *fault, const char *more) {
    struct world *world = mem_new(sizeof *world);
    const char *args[] = {"--intents", "5", "--style", "user_required=email", fault ? "--fault" : NULL, fault, NULL};
    assert_true(console_serve(&world->service, args, more));
    (void)snprintf(world->file, sizeof world->file, "%s/users.csv", world->service.folder);
    (void)snprintf(world->results, sizeof world->results, "%s/users.result.csv", world->service.folder);
    return world;
}

static void world_free(struct world *world) {
    (void)proc_end(&world->proc);
    (void)service_stop(&world->service);
    free(world);
}

static void write_rows(const struct world *world, const char *rows) {
    struct str text;
    str_init(&text, BYTES_MAX);
    str_addf(&text, "first name,last name,e-mail,date of birth,zip,country,phone,tag\r\n%s", rows);
    assert_true(proc_write_file(world->file, text.s));
    str_clear(&text);
}

static const char THREE[] = "Ann,O'Sample,ann@a.example,1980-02-29,02138,US,+15550100001,k1\r\n"
                            "Bea,\"Sample, Jr\",bea@a.example,,,,,k2\r\n"
                            "\xD0\x96\xD0\xB0\xD0\xBD,,zhan@a.example,,,,,k3\r\n";

static int run(struct world *world, const char *const args[]) {
    (void)proc_end(&world->proc);
    memset(&world->proc, 0, sizeof world->proc);
    return console_run(&world->service, args, &world->proc);
}

/* `users import FILE` and up to three options. */
static int import(struct world *world, const char *a, const char *b, const char *c) {
    return run(world, (const char *const[]){"users", "import", world->file, a, b, c, NULL});
}

static int posts(const struct world *world) {
    return service_journal_count(&world->service, "\"POST\"", "/user");
}

/* ---- The result file ---- */

struct results {
    char *text;
    size_t rows, done, refused, unknown, others;
};

static void count_result(struct results *results, const char *outcome) {
    size_t *const places[] = {&results->done, &results->refused, &results->unknown, &results->others};
    static const char *const WORDS[] = {"done", "refused", "unknown"};
    size_t i = 0;
    while (i < COUNT_OF(WORDS) && strcmp(outcome, WORDS[i]) != 0)
        i++;
    ++*places[i];
    results->rows++;
}

static struct results read_results(const struct world *world) {
    struct results results = {.text = proc_read_file(world->results)};
    struct csv_reader csv;
    bool more = true;
    assert_non_null(results.text);
    csv_reader_init(&csv, results.text, strlen(results.text));
    assert_int_equal(csv_read(&csv, &more, NULL), ERR_OK);
    for (;;) {
        assert_int_equal(csv_read(&csv, &more, NULL), ERR_OK);
        if (!more)
            break;
        assert_int_equal(csv.n, 7);
        count_result(&results, csv_cell(&csv, 2, NULL));
    }
    csv_reader_clear(&csv);
    return results;
}

static void result_is(const struct world *world, size_t done, size_t refused, size_t unknown) {
    struct results results = read_results(world);
    assert_int_equal(results.done, done);
    assert_int_equal(results.refused, refused);
    assert_int_equal(results.unknown, unknown);
    free(results.text);
}

static void result_has(const struct world *world, const char *text) {
    char *results = proc_read_file(world->results);
    assert_non_null(results);
    if (!strstr(results, text))
        print_error("%s\n", results);
    assert_non_null(strstr(results, text));
    free(results);
}

/* ---- What becomes of the rows ---- */

static void each_row_becomes_a_user(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    struct stat info;
    write_rows(world, THREE);
    assert_int_equal(import(world, "--yes", NULL, NULL), 0);
    assert_int_equal(posts(world), 3);
    result_is(world, 3, 0, 0);
    result_has(world, "1,2,done,usr_");
    assert_int_equal(stat(world->results, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    struct http_reply reply;
    assert_true(service_control(&world->service, "GET", "/control/users", NULL, &reply));
    assert_non_null(strstr(reply.body.s, "\"02138\""));
    assert_non_null(strstr(reply.body.s, "Sample, Jr"));
    assert_non_null(strstr(reply.body.s, "1980-02-29"));
    assert_null(strstr(reply.body.s, "identity_verified"));
    http_reply_clear(&reply);
    world_free(world);
}

static void a_dry_run_reports_each_line_and_sends_nothing(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_rows(world, "Ann,B,ann@a.example,1980-02-29,02138,US,+15550100001,k1\r\n"
                      "Bea,B,bea@a.example,1/2/80,02138,US,+15550100002,k2\r\n"
                      "Cay,B,ann@a.example,,,,,k3\r\n");
    assert_int_equal(import(world, "--dry-run", NULL, NULL), 9);
    assert_non_null(strstr(world->proc.out.s, "line 2: to be sent\n"));
    assert_non_null(strstr(world->proc.out.s, "line 3: refused: column 4 (date_of_birth): "));
    assert_non_null(strstr(world->proc.out.s, "line 4: to be sent, warning: the same email as line 2\n"));
    assert_non_null(strstr(world->proc.err.s, "2 of 3 rows would be sent"));
    assert_int_equal(posts(world), 0);
    assert_int_equal(access(world->results, F_OK), -1);
    world_free(world);
}

static void a_tag_that_stands_twice_is_sent_once(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_rows(world, "Ann,B,ann@a.example,,,,,k1\r\n"
                      "Bea,B,bea@a.example,,,,,k2\r\n"
                      "Cay,B,cay@a.example,,,,,K1\r\n" /* as it is compared */
                      "Dee,B,dee@a.example,,,,,\r\n"
                      "Eve,B,eve@a.example,,,,,\r\n"); /* none is no tag */
    assert_int_equal(import(world, "--dry-run", NULL, NULL), 9);
    assert_non_null(strstr(world->proc.out.s, "line 2: to be sent\n"));
    assert_non_null(strstr(world->proc.out.s, "line 4: refused: column 8 (tag): the same tag as line 2\n"));
    assert_int_equal(import(world, "--yes", NULL, NULL), 2);
    assert_non_null(strstr(world->proc.err.s, "the same tag as line 2"));
    assert_int_equal(posts(world), 4);
    result_is(world, 4, 1, 0);
    result_has(world, "3,4,refused,,");
    world_free(world);
}

static void a_tag_that_stands_twice_is_sent_where_told(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_rows(world, "Ann,B,ann@a.example,,,,,k1\r\nBea,B,bea@a.example,,,,,k1\r\n");
    assert_int_equal(import(world, "--dry-run", "--again", NULL), 0);
    assert_non_null(strstr(world->proc.out.s, "line 3: to be sent, warning: the same tag as line 2\n"));
    world_free(world);
}

static void spoilt_cells_are_refused_with_their_column(void **state) {
    (void)state;
    static const struct {
        const char *row, *said;
    } CASES[] = {
        {"A,B,a1@a.example,1/2/80,,,,", "column 4 (date_of_birth): has a year of two digits"},
        {"A,B,a2@a.example,29.02.1980,,,,", "column 4 (date_of_birth): is not a calendar day"},
        {"A,B,a3@a.example,1981-02-29,,,,", "column 4 (date_of_birth): is not a calendar day"},
        {"A,B,a4@a.example,,2138,US,,", "column 5 (address.postal_code): is too short"},
        {"A,B,a5@a.example,,,,4.47E+11,", "column 7 (phone_number): is in scientific notation"},
        {"A,B,a6@a.example,,,,,1.2E+15", "column 8 (tag): is in scientific notation"},
        {"A,B,a7@a.example,,,,,#REF!", "column 8 (tag): is a spreadsheet's error"},
        {"A,B,no-at,,,,,", "column 3 (email): needs something on both sides"},
        {",,a8@a.example,,,,,", "column 1 (name.first): a first or a last name is needed"},
        {"A,B,a9@a.example,,,,,,x", "column 9: a value stands under no heading"},
        {"A,B,b1@a.example,,,,4.47e11,", "column 7 (phone_number): is in scientific notation"},
        {"A,B,b2@a.example,,,,4.47e+11,", "column 7 (phone_number): is in scientific notation"},
        {"A,B,b3@a.example,,,,447700900123.0,", "column 7 (phone_number): ends in a fraction of zero"},
        {"A,B,b4@a.example,,2138.0,US,,", "column 5 (address.postal_code): ends in a fraction of zero"},
        {"A,B,b5@a.example,,\"=\"\"02138\"\"\",,,", "column 5 (address.postal_code): is a spreadsheet's formula"},
        {"A,B,b6@a.example,,,,,=ROW()", "column 8 (tag): is a spreadsheet's formula"},
    };
    struct world *world = world_new(NULL, "");
    struct str rows;
    str_init(&rows, BYTES_MAX);
    for (size_t i = 0; i < COUNT_OF(CASES); i++)
        str_addf(&rows, "%s\r\n", CASES[i].row);
    str_add(&rows, "Ann,B,ann@a.example,,,,,\r\nAnn,B,ann@a.example,,,,,\r\n");
    write_rows(world, rows.s);
    str_clear(&rows);
    assert_int_equal(import(world, "--yes", NULL, NULL), 2);
    for (size_t i = 0; i < COUNT_OF(CASES); i++)
        result_has(world, CASES[i].said);
    result_has(world, "the same user as line 18");
    result_is(world, 1, COUNT_OF(CASES) + 1, 0);
    assert_int_equal(posts(world), 1);
    world_free(world);
}

static void a_file_that_is_none_is_refused_whole(void **state) {
    (void)state;
    static const struct {
        const char *text, *said;
    } CASES[] = {
        {"", "the file is empty"},
        {"Ann,B,ann@a.example\r\n",
         "a header with the fields' names is needed, and none of the 3 cells is one: bursar help users import"},
        {"email,nonsense\r\na@a.example,k\r\n", "line 1, column 2: no field is called \"nonsense\""},
        {"email,e-mail\r\na@a.example,k\r\n", "columns 1 and 2 are both email"},
        {"email,tag\r\n", "there is a header and no row"},
        {"email,tag\r\na@a.example,\"k\r\n", "line 2, column 13: the quote that opens here is never closed"},
        {"\xFF\xFE"
         "e",
         "the file is UTF-16"},
    };
    struct world *world = world_new(NULL, "");
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        assert_true(proc_write_file(world->file, CASES[i].text));
        assert_int_equal(import(world, "--yes", NULL, NULL), 2);
        if (!strstr(world->proc.err.s, CASES[i].said))
            print_error("%zu: %s\n", i, world->proc.err.s);
        assert_non_null(strstr(world->proc.err.s, CASES[i].said));
    }
    assert_null(strstr(world->proc.err.s, "ann@"));
    assert_int_equal(posts(world), 0);
    world_free(world);
}

/* Whatever way a spreadsheet wrote it, the same two people come out, and what was done to read it is said. */
static void f75_tables_as_spreadsheets_write_them(void **state) {
    static const struct {
        const char *text, *said;
    } CASES[] = {
        {"first name;e-mail;born\r\nAnn;ann@a.example;1980-01-02\r\nBea;bea@a.example;\r\n", "separated by semicolons"},
        {"first name\te-mail\tborn\nAnn\tann@a.example\t1980-01-02\nBea\tbea@a.example\t\n", "separated by TABs"},
        {"first name|e-mail|born\r\nAnn|ann@a.example|1980-01-02\r\nBea|bea@a.example|\r\n",
         "separated by vertical bars"},
        {"sep=;\r\nfirst name;e-mail;born\r\nAnn;ann@a.example;1980-01-02\r\nBea;bea@a.example;\r\n", "semicolons"},
        {"first name,e-mail,born,,,\r\nAnn,ann@a.example,1980-01-02,,,\r\nBea,bea@a.example,,,,\r\n,,,,,\r\n",
         "3 empty columns after the last heading"},
        {"first name,e-mail,born\r\nAnn,ann@a.example,1980-01-02\r\nBea,bea@a.example\r\n",
         "2 cells of 3: those that are missing are read as empty"},
        {"\xEF\xBB\xBF"
         "FIRST\xC2\xA0NAME\xC2\xA0,\xE3\x80\x80"
         "E-MAIL,BORN\xE2\x80\x8B\r\nAnn,ann@a.example,1980-01-02\r\nBea,bea@a.example,\xC2\xA0\r\n",
         "2 of 2 rows"},
        {"first name,e-mail,born\r\nAnn,ann@a.example,1980-01-02 00:00:00\r\nBea,bea@a.example,\r\n",
         "read as 1980-01-02"},
        {"first name;e-mail;born;\"notes, "
         "private\"\r\nAnn;ann@a.example;1980-01-02T00:00:00Z;\r\nBea;bea@a.example;;\r\n",
         "read as 1980-01-02"},
    };
    struct world *world = world_new(NULL, "");
    char map[PATH_CAP];
    (void)state;
    (void)snprintf(map, sizeof map, "%s/map", world->service.folder);
    assert_true(proc_write_file(map, "\xEF\xBB\xBF"
                                     "NOTES PRIVATE = -\n"));
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        assert_true(proc_write_file(world->file, CASES[i].text));
        assert_int_equal(import(world, "--dry-run", "--map", map), 0);
        if (!strstr(world->proc.out.s, CASES[i].said) && !strstr(world->proc.err.s, CASES[i].said))
            fail_msg("%zu: %s%s", i, world->proc.out.s, world->proc.err.s);
        assert_non_null(strstr(world->proc.err.s, "2 of 2 rows would be sent"));
    }
    assert_int_equal(posts(world), 0);
    world_free(world);
}

static void f75_what_cannot_be_read_is_said_with_line_and_cell(void **state) {
    static const struct {
        const char *text, *said;
        int status;
    } CASES[] = {
        {"first name,e-mail,,\r\nAnn,ann@a.example,,\r\nBea,bea@a.example,,x\r\n",
         "line 3: refused: column 4: a value stands under no heading", 9},
        {"first name,,e-mail\r\nAnn,,ann@a.example\r\nBea,x,bea@a.example\r\n",
         "line 3: refused: column 2: a value stands under no heading", 9},
        {"first name;e-mail\r\nJ\xFCrg;ann@a.example\r\nBea;bea@a.example\r\n",
         "line 2: refused: column 1 (name.first): is not valid UTF-8", 9},
        {"first name;stra\xDF"
         "e;e-mail\r\nAnn;x;ann@a.example\r\n",
         "line 1, column 2: a heading is not UTF-8", 2},
        {"first name,born\r\nAnn,1980-01-02\r\nBea,1980-01-02 23:00:00\r\n",
         "line 3: refused: column 2 (date_of_birth): is not a calendar day", 9},
    };
    struct world *world = world_new(NULL, "");
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        assert_true(proc_write_file(world->file, CASES[i].text));
        assert_int_equal(import(world, "--dry-run", NULL, NULL), CASES[i].status);
        if (!strstr(world->proc.out.s, CASES[i].said) && !strstr(world->proc.err.s, CASES[i].said))
            fail_msg("%zu: %s%s", i, world->proc.out.s, world->proc.err.s);
    }
    static const char WIDE[] = "e\0m\0a\0i\0l\0";
    FILE *file = fopen(world->file, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(WIDE, 1, sizeof WIDE - 1, file), sizeof WIDE - 1);
    (void)fclose(file);
    assert_int_equal(import(world, "--dry-run", NULL, NULL), 2);
    assert_non_null(strstr(world->proc.err.s, "the file is UTF-16"));
    world_free(world);
}

static void f96_all_unknown_headings_are_told_at_once_with_a_mapping(void **state) {
    struct world *world = world_new(NULL, "");
    (void)state;
    assert_true(proc_write_file(world->file, "e-mail,Mobile Number,Vermerk,Frist Name\r\na@a.example,+1,x,Ann\r\n"));
    assert_int_equal(import(world, "--yes", NULL, NULL), 2);
    assert_non_null(strstr(world->proc.err.s, "3 headings are no field's name (columns 2, 3, 4)"));
    assert_non_null(strstr(world->proc.err.s, "Mobile Number = phone_number"));
    assert_non_null(strstr(world->proc.err.s, "Vermerk = -"));
    assert_non_null(strstr(world->proc.err.s, "Frist Name = name.first"));
    /* The proposals are the lines of a mapping file. */
    char map[PATH_CAP];
    (void)snprintf(map, sizeof map, "%s/map", world->service.folder);
    char *lines = mem_dup(strstr(world->proc.err.s, "proposed: ") + strlen("proposed: "));
    for (char *at = lines; *at; at++)
        *at = *at == ';' ? '\n' : *at;
    assert_true(proc_write_file(map, lines));
    free(lines);
    assert_int_equal(import(world, "--yes", "--map", map), 0);
    assert_int_equal(posts(world), 1);
    world_free(world);
}

static void a_mapping_file_names_the_columns(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    char map[PATH_CAP];
    (void)snprintf(map, sizeof map, "%s/map", world->service.folder);
    assert_true(proc_write_file(map, "# ours\nWho = name.last\nNotes = -\n"));
    assert_true(proc_write_file(world->file, "\xEF\xBB\xBFWho,Notes,Mail\nSample,call back,s@a.example\n"));
    assert_int_equal(import(world, "--yes", NULL, NULL), 2);
    assert_int_equal(import(world, "--yes", "--map", map), 0);
    assert_int_equal(posts(world), 1);
    world_free(world);
}

/* ---- Confirmation ---- */

static void without_a_terminal_it_has_to_be_confirmed(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_rows(world, THREE);
    assert_int_equal(import(world, NULL, NULL, NULL), 2);
    assert_int_equal(import(world, "--yes=production", NULL, NULL), 2);
    assert_int_equal(import(world, "--yes", "--read-only", NULL), 2);
    assert_int_equal(posts(world), 0);
    world_free(world);
}

/* ---- Stops and going on ---- */

static void a_second_run_has_to_say_that_it_goes_on(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_rows(world, THREE);
    assert_int_equal(import(world, "--yes", NULL, NULL), 0);
    assert_int_equal(import(world, "--yes", NULL, NULL), 2);
    assert_non_null(strstr(world->proc.err.s, "3 rows were sent before"));
    assert_int_equal(unlink(world->results), 0);
    assert_int_equal(import(world, "--yes", "--again", NULL), 2);
    assert_int_equal(import(world, "--yes", "--resume", NULL), 0);
    assert_int_equal(posts(world), 3);
    result_is(world, 3, 0, 0);
    world_free(world);
}

static void it_stops_at_the_first_unknown_and_goes_on_when_told(void **state) {
    (void)state;
    struct world *world = world_new("path=/user nth=2 drop_after_read=1", "");
    write_rows(world, THREE);
    assert_int_equal(import(world, "--yes", NULL, NULL), 6);
    assert_non_null(strstr(world->proc.err.s, "line 3: not known whether it was created (record 2)"));
    assert_int_equal(posts(world), 2);
    assert_non_null(strstr(world->proc.err.s, "bursar activity resolve 2 settles it"));
    assert_int_equal(import(world, "--yes", "--resume", NULL), 6);
    assert_non_null(strstr(world->proc.err.s, "line 3: sent before, outcome unknown (record 2)"));
    assert_non_null(strstr(world->proc.err.s, "bursar activity resolve 2 settles it, --skip-unknown goes on"));
    assert_int_equal(posts(world), 2);
    assert_int_equal(import(world, "--yes", "--resume", "--skip-unknown"), 6);
    assert_int_equal(posts(world), 3);
    result_is(world, 2, 0, 1);
    assert_int_equal(run(world, (const char *const[]){"activity", "resolve", "2", "--outcome", "not-sent", "--note",
                                                      "not there by its tag", NULL}),
                     0);
    assert_int_equal(import(world, "--yes", "--resume", NULL), 0);
    assert_int_equal(posts(world), 4);
    result_is(world, 3, 0, 0);
    world_free(world);
}

static void what_was_sent_is_not_sent_in_another_form(void **state) {
    (void)state;
    struct world *world = world_new("path=/user nth=2 drop_after_read=1", "");
    write_rows(world, "Bea,B,bea@a.example,,,,,\r\nAnn,B,ann@a.example,,,,,\r\n");
    assert_int_equal(import(world, "--yes", NULL, NULL), 6);
    /* With the same address it may be the same person, corrected. */
    write_rows(world, "Bea,B,bea@a.example,,,,,\r\nAnne,B,ann@a.example,,,,,\r\n");
    assert_int_equal(import(world, "--yes", "--resume", NULL), 6);
    assert_non_null(strstr(world->proc.err.s, "record 2 (unknown) is of a row that is not in the file any more"));
    assert_int_equal(import(world, "--yes", "--resume", "--skip-unknown"), 6);
    assert_int_equal(posts(world), 2);
    result_has(world, "the same email as record 2, unknown; its row is not in the file any more");
    /* Someone else is someone else, and the record is not forgotten. */
    write_rows(world, "Bea,B,bea@a.example,,,,,\r\nCay,B,cay@a.example,,,,,\r\n");
    assert_int_equal(import(world, "--yes", "--resume", "--skip-unknown"), 6);
    assert_int_equal(posts(world), 3);
    result_is(world, 2, 0, 1);
    assert_int_equal(run(world, (const char *const[]){"activity", "resolve", "2", "--outcome", "done", "--note",
                                                      "there by its address", NULL}),
                     0);
    assert_int_equal(import(world, "--yes", "--resume", NULL), 0);
    assert_int_equal(posts(world), 3);
    result_is(world, 3, 0, 0);
    world_free(world);
}

static void a_refusal_that_says_nothing_of_the_row_stops(void **state) {
    (void)state;
    static const char *const FAULTS[] = {"path=/user nth=2 status=401", "path=/user nth=2 status=403",
                                         "path=/user nth=2 status=307 header=\"Location: /elsewhere\"",
                                         "path=/user nth=2 status=404"};
    for (size_t i = 0; i < COUNT_OF(FAULTS); i++) {
        struct world *world = world_new(FAULTS[i], "");
        write_rows(world, THREE);
        assert_int_equal(import(world, "--yes", NULL, NULL), 8);
        assert_non_null(strstr(world->proc.err.s, "stopped at line 3"));
        assert_int_equal(posts(world), 2);
        result_has(world, "2,3,not_sent,");
        assert_int_equal(import(world, "--yes", "--resume", NULL), 0);
        assert_int_equal(posts(world), 4);
        result_is(world, 3, 0, 0);
        world_free(world);
    }
}

static void refusals_are_counted_and_others_go_on(void **state) {
    (void)state;
    static const char ROWS[] = "Ann,B,,,,,,\r\nBea,B,,,,,,\r\nCay,B,cay@a.example,,,,,\r\nDee,B,,,,,,\r\n";
    struct world *world = world_new(NULL, "");
    write_rows(world, ROWS);
    assert_int_equal(import(world, "--yes", "--max-failures", "2"), 8);
    assert_int_equal(posts(world), 2);
    assert_int_equal(import(world, "--yes", "--resume", NULL), 4);
    assert_int_equal(posts(world), 4);
    result_is(world, 1, 3, 0);
    world_free(world);
}

static void no_connection_stops_before_anything_was_sent(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    assert_true(console_configure(&world->service, "http://127.0.0.1:1", ""));
    write_rows(world, THREE);
    assert_int_equal(import(world, "--yes", NULL, NULL), 8);
    result_has(world, "1,2,not_sent,");
    assert_true(console_configure(&world->service, world->service.url, ""));
    assert_int_equal(import(world, "--yes", "--resume", NULL), 0);
    assert_int_equal(posts(world), 3);
    world_free(world);
}

static void who_was_registered_otherwise_is_asked_about(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    char body[PATH_CAP];
    (void)snprintf(body, sizeof body, "%s/user.json", world->service.folder);
    assert_true(proc_write_file(body, "{\"name\":{\"first\":\"Bea\"},\"email\":\"BEA@a.example\"}"));
    assert_int_equal(run(world, (const char *const[]){"users", "create", "--file", body, "--yes", NULL}), 0);
    write_rows(world, THREE);
    assert_int_equal(import(world, "--yes", NULL, NULL), 2);
    result_has(world, "the same email as record 1, done as usr_");
    assert_int_equal(posts(world), 3);
    assert_int_equal(import(world, "--yes", "--resume", "--again"), 0);
    assert_int_equal(posts(world), 4);
    world_free(world);
}

static void a_key_in_the_body_does_not_hide_what_was_sent(void **state) {
    (void)state;
    struct world *world = world_new("path=/user nth=2 status=502", "api { user_idempotency = 'body:request_key' }");
    write_rows(world, THREE);
    assert_int_equal(import(world, "--yes", NULL, NULL), 6);
    assert_int_equal(import(world, "--yes", "--resume", "--skip-unknown"), 6);
    assert_int_equal(posts(world), 3);
    result_is(world, 2, 0, 1);
    world_free(world);
}

static void start(struct world *world, const char *const args[]) {
    const char *argv[16];
    size_t n = 0;
    char *program = proc_program("bursar");
    argv[n++] = program;
    for (size_t i = 0; args[i]; i++)
        argv[n++] = args[i];
    argv[n] = NULL;
    (void)proc_end(&world->proc);
    world->proc = (struct proc){0};
    assert_true(proc_start(&world->proc, argv, console_env(&world->service)));
    free(program);
}

/* Collects output until so many requests were seen; false: the program ended before. */
static bool wait_posts(struct world *world, int n) {
    int64_t end = clock_mono() + LONG_MS;
    while (posts(world) < n) {
        assert_true(clock_mono() < end);
        if (proc_wait(&world->proc, 5))
            return false;
    }
    return true;
}

static void an_interrupt_waits_for_the_row_on_its_way(void **state) {
    (void)state;
    struct world *world = world_new("path=/user count=100 delay=300", "");
    write_rows(world, THREE);
    start(world, (const char *const[]){"users", "import", world->file, "--yes", NULL});
    assert_true(proc_wait_file(world->results, PROC_DEADLINE));
    assert_int_equal(kill(world->proc.pid, SIGINT), 0);
    assert_true(proc_wait(&world->proc, PROC_DEADLINE));
    assert_int_equal(world->proc.status, 8);
    struct results results = read_results(world);
    assert_int_equal(results.unknown, 0);
    assert_true(results.done < 3);
    free(results.text);
    assert_int_equal(import(world, "--yes", "--resume", NULL), 0);
    assert_int_equal(posts(world), 3);
    world_free(world);
}

static void what_a_killed_run_left_unknown_is_in_the_result_file_before_it_is_passed(void **state) {
    (void)state;
    struct world *world = world_new("path=/user hang=1", "");
    write_rows(world, THREE);
    start(world, (const char *const[]){"users", "import", world->file, "--yes", NULL});
    assert_true(wait_posts(world, 1));
    assert_int_equal(kill(world->proc.pid, SIGKILL), 0);
    assert_true(proc_wait(&world->proc, PROC_DEADLINE));
    assert_int_equal(import(world, "--yes", "--resume", NULL), 6);
    assert_non_null(strstr(world->proc.err.s, "--skip-unknown"));
    result_is(world, 0, 0, 1);
    assert_int_equal(posts(world), 1);
    world_free(world);
}

/* Separators are another matter here: the file is this program's own, and a spreadsheet may have changed its values. */
static void f75_results_saved_by_a_spreadsheet_are_refused_with_advice(void **state) {
    (void)state;
    static const char *const HEADS[] = {
        "row;line;outcome;id;error;journal;digest\r\n", "\xEF\xBB\xBFrow,line,outcome,id,error,journal,digest\n",
        "\"row\"\t\"line\"\t\"outcome\"\t\"id\"\t\"error\"\t\"journal\"\t\"digest\"\r\n"};
    for (size_t i = 0; i < COUNT_OF(HEADS); i++) {
        struct world *world = world_new(NULL, "");
        write_rows(world, THREE);
        assert_true(proc_write_file(world->results, HEADS[i]));
        assert_int_equal(import(world, "--yes", "--resume", NULL), 2);
        assert_non_null(strstr(world->proc.err.s, "saved again by a spreadsheet"));
        assert_int_equal(posts(world), 0);
        world_free(world);
    }
}

static void nothing_personal_is_in_the_results(void **state) {
    (void)state;
    struct world *world = world_new(
        "path=/user nth=1 status=422 body=\"{\\\"error\\\":\\\"MARKLAST has no markmail@a.example\\\"}\"", "");
    write_rows(world, "MARKFIRST,MARKLAST,markmail@a.example,1971-03-04,,,+15550109876,MARKTAG\r\n"
                      "MARKFIRST,MARKLAST,mark mail,1971-03-04,,,+15550109876,MARKTAG\r\n");
    assert_int_equal(import(world, "--yes", NULL, NULL), 4);
    char *text = proc_read_file(world->results);
    assert_non_null(text);
    assert_null(strcasestr(text, "mark"));
    assert_null(strstr(text, "5550109876"));
    assert_null(strcasestr(world->proc.err.s, "mark"));
    free(text);
    world_free(world);
}

/* ---- A thousand rows ---- */

enum { KILLS = 10 };

/* Every 80th is refused here, and of the others eight at most have no e-mail, which this service wants. */
struct load {
    int rows, spoilt, without;
};

static struct load load(void) {
    return proc_build() == PROC_PLAIN ? (struct load){.rows = 1000, .spoilt = 12, .without = 8}
                                      : (struct load){.rows = 300, .spoilt = 4, .without = 3};
}

static void write_thousand(const struct world *world) {
    const struct load wanted = load();
    struct str rows;
    int is_damaged = 0, without = 0;
    str_init(&rows, BYTES_MAX);
    for (int i = 0; i < wanted.rows; i++) {
        bool bad = i % 80 == 40 && is_damaged < wanted.spoilt, none = i % 100 == 77 && without < wanted.without;
        is_damaged += bad;
        without += none && !bad;
        str_addf(&rows, "Ann,Sample%d,", i);
        str_addf(&rows, none && !bad ? "," : "u%d@a.example,", i);
        str_addf(&rows, "%s,02138,US,+1555%07d,key-%d\r\n", bad ? "1/2/80" : "1980-02-29", i, i);
    }
    assert_int_equal(is_damaged, wanted.spoilt);
    assert_int_equal(without, wanted.without);
    write_rows(world, rows.s);
    str_clear(&rows);
}

static size_t users_of(struct world *world, const struct results *results) {
    struct http_reply reply;
    size_t users = 0;
    assert_true(service_control(&world->service, "GET", "/control/users", NULL, &reply));
    for (const char *s = reply.body.s; (s = strstr(s, "\"usr_")) != NULL; s++)
        users++;
    /* Every id of a row that is done exists. */
    for (const char *s = results->text; (s = strstr(s, "done,usr_")) != NULL; s++) {
        char id[64];
        (void)snprintf(id, sizeof id, "\"%.*s\"", (int)strcspn(s + 5, ","), s + 5);
        assert_non_null(strstr(reply.body.s, id));
    }
    /* And no key is there twice. */
    for (int i = 0, n = load().rows; i < n; i++) {
        char tag[32];
        (void)snprintf(tag, sizeof tag, "\"key-%d\"", i);
        const char *first = strstr(reply.body.s, tag);
        assert_null(first ? strstr(first + 1, tag) : NULL);
    }
    http_reply_clear(&reply);
    return users;
}

static void a_thousand_rows_make_980_users(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    write_thousand(world);
    start(world, (const char *const[]){"users", "import", world->file, "--yes", NULL});
    assert_true(proc_wait(&world->proc, LONG_MS));
    assert_int_equal(world->proc.status, 4);
    struct results results = read_results(world);
    const struct load sent = load();
    assert_int_equal(results.done, sent.rows - sent.spoilt - sent.without);
    assert_int_equal(results.refused, sent.spoilt + sent.without);
    assert_int_equal(users_of(world, &results), sent.rows - sent.spoilt - sent.without);
    assert_int_equal(posts(world), sent.rows - sent.spoilt);
    free(results.text);
    world_free(world);
}

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The sandbox notes a digest of each body: none of a row may be there twice. */
static void no_body_was_seen_twice(const struct world *world) {
    static const char MARK[] = "\"body\":\"sha256:";
    struct {
        char **items;
        size_t n, cap;
    } bodies = {0};
    char *text = proc_read_file(world->service.journal);
    assert_non_null(text);
    for (char *s = text; (s = strstr(s, MARK)) != NULL; s += sizeof MARK)
        *vec_add(&bodies) = s + sizeof MARK - 1;
    for (size_t i = 0; i < bodies.n; i++)
        bodies.items[i][64] = '\0';
    assert_true(bodies.n > 0);
    qsort(bodies.items, bodies.n, sizeof *bodies.items, compare_lines);
    for (size_t i = 1; i < bodies.n; i++)
        assert_string_not_equal(bodies.items[i - 1], bodies.items[i]);
    free(bodies.items);
    free(text);
}

static void killed_ten_times_no_row_is_sent_twice(void **state) {
    (void)state;
    struct world *world = world_new(NULL, "");
    int kills = 0;
    const int rows = load().rows;
    write_thousand(world);
    for (int i = 0; i < KILLS; i++) {
        start(world,
              (const char *const[]){"users", "import", world->file, "--yes", "--resume", "--skip-unknown", NULL});
        /* Not at the same point of a row each time. */
        if (wait_posts(world, 40 + i * (rows / 11)) && !proc_wait(&world->proc, i)) {
            assert_int_equal(kill(world->proc.pid, SIGKILL), 0);
            assert_true(proc_wait(&world->proc, PROC_DEADLINE));
            kills++;
        }
    }
    assert_int_equal(kills, KILLS);
    start(world, (const char *const[]){"users", "import", world->file, "--yes", "--resume", "--skip-unknown", NULL});
    assert_true(proc_wait(&world->proc, LONG_MS));
    struct results results = read_results(world);
    assert_int_equal(world->proc.status, results.unknown > 0 ? 6 : 4);
    assert_int_equal(results.rows, rows);
    assert_int_equal(results.others, 0);
    assert_true(results.unknown <= KILLS);
    assert_int_equal(results.done + results.refused + results.unknown, rows);
    for (const char *s = results.text; (s = strstr(s, ",unknown,")) != NULL; s++)
        assert_non_null(strstr(s, "record"));
    (void)users_of(world, &results);
    no_body_was_seen_twice(world);
    free(results.text);
    world_free(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_becomes_a_user),
        cmocka_unit_test(a_dry_run_reports_each_line_and_sends_nothing),
        cmocka_unit_test(a_tag_that_stands_twice_is_sent_once),
        cmocka_unit_test(a_tag_that_stands_twice_is_sent_where_told),
        cmocka_unit_test(spoilt_cells_are_refused_with_their_column),
        cmocka_unit_test(f75_tables_as_spreadsheets_write_them),
        cmocka_unit_test(f75_what_cannot_be_read_is_said_with_line_and_cell),
        cmocka_unit_test(f96_all_unknown_headings_are_told_at_once_with_a_mapping),
        cmocka_unit_test(a_file_that_is_none_is_refused_whole),
        cmocka_unit_test(a_mapping_file_names_the_columns),
        cmocka_unit_test(without_a_terminal_it_has_to_be_confirmed),
        cmocka_unit_test(a_second_run_has_to_say_that_it_goes_on),
        cmocka_unit_test(it_stops_at_the_first_unknown_and_goes_on_when_told),
        cmocka_unit_test(what_was_sent_is_not_sent_in_another_form),
        cmocka_unit_test(a_refusal_that_says_nothing_of_the_row_stops),
        cmocka_unit_test(refusals_are_counted_and_others_go_on),
        cmocka_unit_test(no_connection_stops_before_anything_was_sent),
        cmocka_unit_test(who_was_registered_otherwise_is_asked_about),
        cmocka_unit_test(a_key_in_the_body_does_not_hide_what_was_sent),
        cmocka_unit_test(an_interrupt_waits_for_the_row_on_its_way),
        cmocka_unit_test(what_a_killed_run_left_unknown_is_in_the_result_file_before_it_is_passed),
        cmocka_unit_test(f75_results_saved_by_a_spreadsheet_are_refused_with_advice),
        cmocka_unit_test(nothing_personal_is_in_the_results),
        cmocka_unit_test(a_thousand_rows_make_980_users),
        cmocka_unit_test(killed_ten_times_no_row_is_sent_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
