/* Notes and tags from the command line: kept beside the cache, found by every kind of listing, lost by nobody. */
#include "base/ascii.h"
#include "base/mem.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_CAP = 4096, WRITERS = 12 };
static char id[64], user[64], other[64]; /* of the first intent that is listed; and the id of the second */

static void run(int status, const char *const args[], struct proc *proc) {
    int got = console_run(&service, args, proc);
    if (got != status)
        print_error("exit %d, printed: %s\nsaid: %s\n", got, proc->out.s, proc->err.s);
    assert_int_equal(got, status);
}

/* Heap text of what it printed. */
static char *printed(int status, const char *const args[]) {
    struct proc proc;
    run(status, args, &proc);
    char *text = mem_dup(proc.out.s);
    (void)proc_end(&proc);
    return text;
}

static void said(int status, const char *const args[], const char *text) {
    struct proc proc;
    run(status, args, &proc);
    if (!strstr(proc.err.s, text))
        fail_msg("\"%s\" is not in: %s", text, proc.err.s);
    (void)proc_end(&proc);
}

static void take(const char *line, const char *name, char out[64]) {
    const char *at = strstr(line, name);
    assert_non_null(at);
    (void)snprintf(out, 64, "%.36s", at + strlen(name));
}

static int start(void **state) {
    (void)state;
    if (serve_intents("60") != 0)
        return -1;
    char *all = printed(0, (const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL});
    take(all, "\"id\":\"", id);
    take(all, "\"user_id\":\"", user);
    take(strchr(all, '\n'), "\"id\":\"", other);
    free(all);
    return 0;
}

static const char *notes_file(void) {
    static char path[PATH_CAP];
    (void)snprintf(path, sizeof path, "%s/state/bursar/notes/test", service.folder);
    return path;
}

static int forget(void **state) {
    (void)state;
    free(printed(0, (const char *const[]){"purge", "--notes", NULL}));
    return 0;
}

/* The same rows by the walk, by the walk to its end, out of the cache and out of the index. */
static void expect_rows(const char *filter, const char *rows) {
    const char *const ways[][6] = {{"--all", NULL},
                                   {"--all", "--cached", NULL},
                                   {"--all", "--cached", "--sort", "id", NULL},
                                   {"--all", "--sort", "id", NULL}};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        const char *args[16] = {"intents", "list", filter, "--columns", "id,tags,notes", "--format", "csv"};
        for (size_t k = 0; ways[i][k]; k++)
            args[7 + k] = ways[i][k];
        char *text = printed(0, args);
        if (strcmp(text, rows) != 0)
            fail_msg("%s, way %zu: expected\n%sgot\n%s", filter, i, rows, text);
        free(text);
    }
}

static void what_is_noted_is_found_by_every_way(void **state) {
    char rows[512];
    (void)state;
    said(0, (const char *const[]){"intents", "note", id, "called back, =1+1", NULL}, "kept on this machine");
    said(0, (const char *const[]){"intents", "tag", id, "Chargeback", "+late", NULL}, "kept on this machine");
    (void)snprintf(rows, sizeof rows, "id,tags,notes\r\n%s,chargeback late,\"called back, =1+1\"\r\n", id);
    expect_rows("has:note", rows);
    expect_rows("tag:chargeback", rows);
    expect_rows("tag:char* has:note", rows);
    expect_rows("tag:nobody", "id,tags,notes\r\n");
    char *by_tag = printed(0, (const char *const[]){"intents", "stats", "--by", "tag", "--format", "json", NULL});
    assert_non_null(strstr(by_tag, "\"value\":\"chargeback\",\"intents\":1"));
    assert_non_null(strstr(by_tag, "\"value\":\"late\",\"intents\":1"));
    free(by_tag);
    char *by_has = printed(0, (const char *const[]){"intents", "stats", "--by", "has", "--format", "json", NULL});
    assert_non_null(strstr(by_has, "\"value\":\"note\",\"intents\":1"));
    free(by_has);
    said(0, (const char *const[]){"intents", "untag", id, "late", "chargeback", NULL}, "kept");
    expect_rows("tag:chargeback", "id,tags,notes\r\n");
    char *counted =
        printed(0, (const char *const[]){"intents", "stats", "has:note", "--by", "status", "--format", "csv", NULL});
    assert_int_equal(text_times(counted, "\r\n"), 2);
    assert_non_null(strstr(counted, ",1,"));
    free(counted);
}

static void a_note_on_a_user_is_on_all_intents_of_it(void **state) {
    (void)state;
    said(0, (const char *const[]){"intents", "tag", "--user", user, "vip", NULL}, "kept");
    char *tagged = printed(
        0, (const char *const[]){"intents", "list", "--all", "--cached", "tag:vip", "--format", "ndjson", NULL});
    char *theirs[] = {"user=", user};
    char filter[128];
    (void)snprintf(filter, sizeof filter, "%s%s", theirs[0], theirs[1]);
    char *all =
        printed(0, (const char *const[]){"intents", "list", "--all", "--cached", filter, "--format", "ndjson", NULL});
    assert_string_equal(tagged, all);
    assert_true(strlen(all) > 0);
    free(tagged);
    free(all);
}

static void without_being_asked_for_it_is_in_no_export(void **state) {
    (void)state;
    said(0, (const char *const[]){"intents", "note", id, "nowhere-else", NULL}, "kept");
    static const char *const FORMATS[] = {"table", "json", "ndjson", "csv"};
    for (size_t i = 0; i < COUNT_OF(FORMATS); i++) {
        char *text =
            printed(0, (const char *const[]){"intents", "list", "--all", "--format", FORMATS[i], "has:note", NULL});
        assert_null(strstr(text, "nowhere-else"));
        free(text);
    }
    assert_int_equal(service_journal_count(&service, "nowhere-else", ""), 0); /* nor was it sent */
}

static void the_file_is_private_and_says_who_and_when(void **state) {
    struct stat info;
    (void)state;
    mode_t old = umask(0);
    said(0, (const char *const[]){"intents", "note", id, "x", NULL}, "kept");
    (void)umask(old);
    assert_int_equal(stat(notes_file(), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0600);
    char *text = proc_read_file(notes_file());
    const char *name = getenv("USER") ? getenv("USER") : "root";
    assert_non_null(strstr(text, name));
    free(text);
}

static void what_cannot_be_a_note_is_refused(void **state) {
    (void)state;
    said(2, (const char *const[]){"intents", "note", id, "a\nb", NULL}, "control or invisible characters");
    said(2, (const char *const[]){"intents", "note", id, service.token, NULL}, "contains the profile's token");
    said(2, (const char *const[]){"intents", "tag", id, service.token, NULL}, "contains the profile's token");
    said(2, (const char *const[]){"intents", "note", id, NULL},
         "the note is empty"); /* nothing came on standard input */
    said(2, (const char *const[]){"intents", "tag", id, "a b,c", NULL}, "is no tag");
    said(2, (const char *const[]){"intents", "note", "", "x", NULL}, "no id");
    assert_int_equal(access(notes_file(), F_OK), -1);
}

/* What is kept under an id that nothing has would never be seen again. */
static void f46_an_id_that_no_intent_has_is_said(void **state) {
    (void)state;
    char typed[64];
    size_t n = 0;
    for (; id[n]; n++)
        typed[n] = ascii_upper(id[n]);
    typed[n] = '\0';
    said(0, (const char *const[]){"intents", "tag", id, "good", NULL}, "kept on this machine");
    said(2, (const char *const[]){"intents", "untag", typed, "good", NULL}, "has no such tag: nothing was taken off");
    said(0, (const char *const[]){"intents", "tag", typed, "other", NULL}, "; of those that are like it:");
    said(0, (const char *const[]){"intents", "note", "nonsense id", "x", NULL},
         "no cached intent has the id nonsense id: this is for it as it stands");
    said(0, (const char *const[]){"intents", "untag", id, "good", NULL}, "kept on this machine");
    said(2, (const char *const[]){"intents", "untag", id, "good", NULL}, "nothing was taken off");
    said(0, (const char *const[]){"intents", "untag", typed, "other", NULL}, "kept on this machine");
}

static void f80_an_id_is_taken_as_served_and_as_shown(void **state) {
    (void)state;
    said(0, (const char *const[]){"intents", "tag", "pay_2\u200b", "odd", NULL}, "kept on this machine");
    said(0, (const char *const[]){"intents", "untag", "pay_2<200B>", "odd", NULL}, "kept on this machine");
}

static void many_writers_at_once_lose_nothing(void **state) {
    struct proc procs[WRITERS];
    (void)state;
    char *program = proc_program("bursar");
    const char *const *env = console_env(&service);
    for (int i = 0; i < WRITERS; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "note %d", i);
        const char *argv[] = {program, "intents", "note", other, text, NULL};
        assert_true(proc_start(&procs[i], argv, env));
    }
    for (int i = 0; i < WRITERS; i++) {
        assert_true(proc_wait(&procs[i], PROC_DEADLINE));
        assert_int_equal(procs[i].status, 0);
        (void)proc_end(&procs[i]);
    }
    free(program);
    char *text = proc_read_file(notes_file());
    assert_int_equal(text_times(text, "\n"), WRITERS + 1);
    free(text);
    said(0, (const char *const[]){"intents", "list", "--all", "--cached", "has:note", NULL}, "");
    char *rows = printed(0, (const char *const[]){"intents", "list", "--all", "--cached", "has:note", "--columns",
                                                  "notes", "--format", "csv", NULL});
    assert_non_null(strstr(rows, "(+11)"));
    free(rows);
}

/* None found among notes that nobody could read is no answer. */
static void what_rests_on_unread_notes_is_refused(void) {
    static const char *const FILTERS[] = {"has:note", "-has:note", "status:approved (tag:vip or amount>5)"};
    for (size_t i = 0; i < COUNT_OF(FILTERS); i++) {
        said(1, (const char *const[]){"intents", "list", FILTERS[i], NULL}, "notes and tags could not be read");
        said(1, (const char *const[]){"intents", "list", "--cached", FILTERS[i], NULL}, "could not be read");
        said(1, (const char *const[]){"intents", "stats", "--by", "status", FILTERS[i], NULL}, "could not be read");
    }
    said(1, (const char *const[]){"intents", "list", "--cached", "--columns", "id,tags", NULL}, "could not be read");
}

static void damage_costs_notes_alone_and_is_told(void **state) {
    (void)state;
    said(0, (const char *const[]){"intents", "note", id, "one", NULL}, "kept");
    said(0, (const char *const[]){"intents", "note", other, "two", NULL}, "kept");
    char *text = proc_read_file(notes_file());
    char *at = strstr(text, "one");
    *at = 'O';
    assert_true(proc_write_file(notes_file(), text));
    said(0, (const char *const[]){"intents", "list", "--cached", "has:note", NULL},
         "1 line of the file of notes is damaged");
    char *rows = printed(0, (const char *const[]){"intents", "list", "--all", "--cached", "has:note", "--columns", "id",
                                                  "--format", "csv", NULL});
    assert_non_null(strstr(rows, other));
    assert_null(strstr(rows, id));
    free(rows);
    text[0] = 'X'; /* the line that says whose they are */
    assert_true(proc_write_file(notes_file(), text));
    said(0, (const char *const[]){"intents", "list", "--limit", "1", NULL}, "notes and tags are not at hand");
    what_rests_on_unread_notes_is_refused();
    said(1, (const char *const[]){"intents", "note", id, "x", NULL}, "purge --notes");
    free(text);
    (void)unlink(notes_file());
    assert_int_equal(mkdir(notes_file(), S_IRWXU), 0);
    said(0, (const char *const[]){"intents", "list", "--limit", "1", NULL}, "notes and tags are not at hand");
    assert_int_equal(rmdir(notes_file()), 0);
}

static void another_account_has_notes_of_its_own(void **state) {
    (void)state;
    said(0, (const char *const[]){"intents", "note", id, "of the first", NULL}, "kept");
    assert_true(console_configure(&service, service.url, "account = \"other\""));
    said(0, (const char *const[]){"intents", "list", "--limit", "1", NULL}, "another origin or account");
    said(1, (const char *const[]){"intents", "note", id, "x", NULL}, "another origin or account");
    assert_true(console_configure(&service, service.url, ""));
    char *text = proc_read_file(notes_file());
    assert_non_null(strstr(text, "of the first"));
    free(text);
}

static void purge_names_them_and_removes_them(void **state) {
    (void)state;
    said(0, (const char *const[]){"intents", "note", id, "x", NULL}, "kept");
    said(0, (const char *const[]){"intents", "tag", id, "y", NULL}, "kept");
    char *text = printed(0, (const char *const[]){"cache", "purge", NULL});
    assert_non_null(strstr(text, "2 notes and tags stay: bursar purge --notes removes them\n"));
    free(text);
    assert_int_equal(access(notes_file(), F_OK), 0);
    text = printed(0, (const char *const[]){"purge", "--notes", "--profile", "nobody", NULL});
    assert_string_equal(text, "there were no notes or tags to remove\n");
    free(text);
    text = printed(0, (const char *const[]){"purge", "--notes", "--profile", "test", NULL});
    assert_string_equal(text, "notes and tags of 1 profile removed\n");
    free(text);
    assert_int_equal(access(notes_file(), F_OK), -1);
    free(printed(0, (const char *const[]){"intents", "list", "--all", NULL})); /* back in the cache */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_noted_is_found_by_every_way, forget),
        cmocka_unit_test_teardown(a_note_on_a_user_is_on_all_intents_of_it, forget),
        cmocka_unit_test_teardown(without_being_asked_for_it_is_in_no_export, forget),
        cmocka_unit_test_teardown(the_file_is_private_and_says_who_and_when, forget),
        cmocka_unit_test_teardown(what_cannot_be_a_note_is_refused, forget),
        cmocka_unit_test_teardown(f46_an_id_that_no_intent_has_is_said, forget),
        cmocka_unit_test_teardown(f80_an_id_is_taken_as_served_and_as_shown, forget),
        cmocka_unit_test_teardown(many_writers_at_once_lose_nothing, forget),
        cmocka_unit_test_teardown(damage_costs_notes_alone_and_is_told, forget),
        cmocka_unit_test_teardown(another_account_has_notes_of_its_own, forget),
        cmocka_unit_test_teardown(purge_names_them_and_removes_them, forget),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
