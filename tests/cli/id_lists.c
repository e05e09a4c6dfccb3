/* Ids out of a file or standard input, in every FILTER of the command line: the same rows by walk and by cache. */
#include "base/ascii.h"
#include "base/mem.h"
#include "support/listing.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PATH_BYTES = 4096, WANTED = 5, ID_BYTES = 64 };

static char path[PATH_BYTES + 16], list[PATH_BYTES + 32];
static char ids[WANTED][ID_BYTES]; /* of intents far apart, in an order that is not the service's */

static void expect(const char *const args[], int status, struct proc *proc) {
    int got = console_run(&service, args, proc);
    if (got != status)
        fail_msg("exit %d, not %d: %s", got, status, proc->err.s);
}

static void take_ids(const char *body) {
    static const size_t PLACES[WANTED] = {900, 3, 450, 1100, 20};
    for (size_t i = 0; i < WANTED; i++) {
        char *id = listing_id(body, PLACES[i]);
        assert_non_null(id);
        (void)snprintf(ids[i], sizeof ids[i], "%s", id);
        free(id);
    }
}

/* As it comes out of a mail: quotes, commas, blanks and new lines, one id twice, and two that nobody has. */
static int start(void **state) {
    (void)state;
    struct proc proc;
    char text[WANTED * ID_BYTES + 200];
    if (!console_serve(&service, (const char *const[]){"--intents", "1200", NULL}, ""))
        return -1;
    expect((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, 0, &proc);
    take_ids(proc.out.s);
    (void)proc_end(&proc);
    (void)snprintf(path, sizeof path, "%s/ids.txt", service.folder);
    (void)snprintf(list, sizeof list, "id:@%s", path);
    (void)snprintf(text, sizeof text, "\xEF\xBB\xBF\"%s\", '%s';\r\n%s\n\nnobody\t%s,%s %s\nnone,", ids[0], ids[1],
                   ids[2], ids[3], ids[4], ids[0]);
    return proc_write_file(path, text) ? 0 : -1;
}

static void assert_ids(const char *out, bool in_order) {
    const char *before = out;
    assert_int_equal(text_count(out, "\n"), WANTED);
    for (size_t i = 0; i < WANTED; i++) {
        const char *at = strstr(in_order ? before : out, ids[i]);
        if (!at)
            fail_msg("%s is not in its place in\n%s", ids[i], out);
        before = at;
    }
}

static void walk_and_cache_find_the_ids_and_name_the_others(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"intents", "list", list, "--all", "--format", "ndjson", NULL}, 0, &proc);
    assert_ids(proc.out.s, false);
    assert_non_null(strstr(proc.err.s, "5 of 7 of @"));
    assert_non_null(strstr(proc.err.s, " found; not found among 1,200 intents, all there are: nobody, none\n"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", list, "--cached", "--format", "ndjson", NULL}, 0, &proc);
    assert_ids(proc.out.s, true);
    assert_non_null(strstr(proc.err.s, "5 of 7 of @"));
    assert_non_null(strstr(proc.err.s, " found; not found among 1,200 intents, all there are"));
    assert_non_null(strstr(proc.err.s, ": nobody, none\n"));
    (void)proc_end(&proc);
}

static void part_of_the_service_says_that_it_is_part(void **state) {
    (void)state;
    struct proc proc;
    expect((const char *const[]){"intents", "list", list, "--format", "ndjson", NULL}, 0, &proc);
    assert_non_null(strstr(proc.err.s, "2 of 7 of @"));
    assert_non_null(strstr(proc.err.s, "intents, so far: "));
    (void)proc_end(&proc);
}

static void other_terms_and_commands_take_a_list_too(void **state) {
    (void)state;
    struct proc all, approved, rest, counted;
    char filter[PATH_BYTES + 64];
    expect((const char *const[]){"intents", "list", list, "--cached", "--format", "ndjson", NULL}, 0, &all);
    (void)snprintf(filter, sizeof filter, "%s status:approved", list);
    expect((const char *const[]){"intents", "list", filter, "--cached", "--format", "ndjson", NULL}, 0, &approved);
    (void)snprintf(filter, sizeof filter, "%s -status:approved", list);
    expect((const char *const[]){"intents", "list", filter, "--cached", "--format", "ndjson", NULL}, 0, &rest);
    assert_int_equal(text_count(approved.out.s, "\n") + text_count(rest.out.s, "\n"), WANTED);
    assert_non_null(strstr(rest.err.s, " of 7 of @"));
    assert_non_null(strstr(rest.err.s, " match the filter; not there, or no match, among "));
    expect((const char *const[]){"intents", "stats", list, "--by", "status", NULL}, 0, &counted);
    assert_non_null(strstr(counted.err.s, "5 matches in 1,200 cached intents"));
    (void)proc_end(&all);
    (void)proc_end(&approved);
    (void)proc_end(&rest);
    (void)proc_end(&counted);
}

/* Bar: "which of these 200 ids are not approved" in one command. Said a second time by looking at each of the lines. */
static void which_of_200_ids_are_not_approved_is_one_command(void **state) {
    (void)state;
    enum { IDS = 200 };
    struct proc all, answer;
    char many[PATH_BYTES + 16], filter[PATH_BYTES + 64];
    struct str text;
    size_t n = 0, open = 0;
    (void)snprintf(many, sizeof many, "%s/many.txt", service.folder);
    (void)snprintf(filter, sizeof filter, "id:@%s -status:approved", many);
    expect((const char *const[]){"intents", "list", "--all", "--format", "ndjson", NULL}, 0, &all);
    str_init(&text, 1 << 16);
    for (size_t i = 0; i < IDS; i++) {
        char *id = listing_id(all.out.s, 3 * i);
        str_addf(&text, "%s\n", id);
        free(id);
    }
    assert_true(proc_write_file(many, text.s));
    expect((const char *const[]){"intents", "list", filter, "--cached", "--limit", "200", "--format", "ndjson", NULL},
           0, &answer);
    for (char *line = all.out.s, *end; (end = strchr(line, '\n')) != NULL; line = end + 1, n++) {
        *end = '\0';
        bool wanted = n % 3 == 0 && n < 3 * IDS && !strstr(line, "\"status\":\"approved\"");
        char *id = wanted ? listing_id(line, 0) : NULL;
        open += wanted;
        if (wanted && text_count(answer.out.s, id) == 0)
            fail_msg("%s is not approved, and not in the answer", id);
        free(id);
    }
    assert_in_range(open, 1, IDS - 1);
    assert_int_equal(text_count(answer.out.s, "\n"), open);
    str_clear(&text);
    (void)proc_end(&all);
    (void)proc_end(&answer);
}

/* Users of the first intents: all that they have, also where the column index is not at hand. */
static void users_of_a_list_are_found_without_an_index(void **state) {
    (void)state;
    struct proc proc;
    char index[2 * PATH_BYTES], filter[PATH_BYTES + 32], users[PATH_BYTES + 16], text[ID_BYTES];
    (void)snprintf(users, sizeof users, "%s/users.txt", service.folder);
    (void)snprintf(filter, sizeof filter, "user:@%s", users);
    expect((const char *const[]){"intents", "list", "--cached", "--limit", "1", "--format", "csv", "--columns", "user",
                                 NULL},
           0, &proc);
    (void)snprintf(text, sizeof text, "%.36s\n", strchr(proc.out.s, '\n') + 1);
    (void)proc_end(&proc);
    assert_true(proc_write_file(users, text));
    for (int i = 0; i < 2; i++) {
        expect((const char *const[]){"intents", "list", filter, "--cached", "--format", "ndjson", NULL}, 0, &proc);
        assert_non_null(strstr(proc.err.s, "1 of 1 of @"));
        (void)proc_end(&proc);
        expect((const char *const[]){"cache", "stats", NULL}, 0, &proc);
        assert_non_null(strstr(proc.out.s, "/"));
        (void)snprintf(index, sizeof index, "%.*s-index", (int)strcspn(strchr(proc.out.s, '/'), "\n"),
                       strchr(proc.out.s, '/'));
        (void)remove(index);
        (void)proc_end(&proc);
    }
}

/* Of a list every id is whole: the beginning of one finds nothing. */
static void a_beginning_is_no_id_of_a_list(void **state) {
    (void)state;
    struct proc proc;
    char part[PATH_BYTES + 16], filter[PATH_BYTES + 32], text[ID_BYTES];
    (void)snprintf(part, sizeof part, "%s/part.txt", service.folder);
    (void)snprintf(filter, sizeof filter, "id:@%s", part);
    (void)snprintf(text, sizeof text, "%.12s\n", ids[0]);
    assert_true(proc_write_file(part, text));
    expect((const char *const[]){"intents", "list", filter, "--cached", "--format", "ndjson", NULL}, 0, &proc);
    assert_int_equal(proc.out.len, 0);
    assert_non_null(strstr(proc.err.s, "0 of 1 of @"));
    (void)proc_end(&proc);
}

static void a_list_that_cannot_be_used_is_refused(void **state) {
    (void)state;
    struct proc proc;
    char empty[PATH_BYTES + 16], filter[PATH_BYTES + 32];
    (void)snprintf(empty, sizeof empty, "%s/empty.txt", service.folder);
    (void)snprintf(filter, sizeof filter, "id:@%s", empty);
    assert_true(proc_write_file(empty, " ,\n\"\"\n"));
    expect((const char *const[]){"intents", "list", filter, "--cached", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "holds no id"));
    (void)proc_end(&proc);
    expect((const char *const[]){"intents", "list", "user:@/nowhere.txt", "--cached", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "/nowhere.txt"));
    (void)proc_end(&proc);
}

static void more_ids_than_a_list_may_have_are_refused(void **state) {
    (void)state;
    enum { TOO_MANY = 100001 };
    struct proc proc;
    char many[PATH_BYTES + 16], filter[PATH_BYTES + 32];
    (void)snprintf(many, sizeof many, "%s/many.txt", service.folder);
    (void)snprintf(filter, sizeof filter, "id:@%s", many);
    FILE *to = fopen(many, "w");
    assert_non_null(to);
    for (int i = 0; i < TOO_MANY; i++)
        (void)fprintf(to, "id%d\n", i);
    assert_int_equal(fclose(to), 0);
    expect((const char *const[]){"intents", "list", filter, "--cached", NULL}, 2, &proc);
    assert_non_null(strstr(proc.err.s, "more than 100000 ids in a list"));
    (void)proc_end(&proc);
}

static const char *capitals(const char *id) {
    static char out[ID_BYTES];
    size_t n = 0;
    for (; id[n]; n++)
        out[n] = ascii_upper(id[n]);
    out[n] = '\0';
    return out;
}

/* As another program writes it, or as a narrow column shows it. */
static void f46_an_id_in_other_letters_or_cut_is_met_or_said(void **state) {
    (void)state;
    struct proc proc;
    char cut[ID_BYTES + 4], braced[ID_BYTES + 4], table[PATH_BYTES + 16], text[2 * ID_BYTES];
    (void)snprintf(cut, sizeof cut, "\u2026%s", ids[0] + strlen(ids[0]) - 7);
    (void)snprintf(braced, sizeof braced, "{%s}", ids[0]);
    const char *const spellings[] = {capitals(ids[0]), cut, braced};
    for (size_t i = 0; i < COUNT_OF(spellings); i++) {
        expect((const char *const[]){"intents", "show", spellings[i], NULL}, 0, &proc);
        assert_non_null(strstr(proc.out.s, ids[0]));
        bool whole = spellings[i][0] == '{'; /* what is between them is the id itself */
        assert_int_equal(strstr(proc.err.s, "the one cached intent whose id is like this") != NULL, !whole);
        (void)proc_end(&proc);
    }
    expect((const char *const[]){"intents", "show", "nobody-at-all", NULL}, 8, &proc);
    (void)proc_end(&proc);
    (void)snprintf(table, sizeof table, "%s/near.csv", service.folder);
    (void)snprintf(text, sizeof text, "id\n%s\n", capitals(ids[0]));
    assert_true(proc_write_file(table, text));
    expect((const char *const[]){"intents", "match", table, "--on", "id", NULL}, 9, &proc);
    assert_non_null(strstr(proc.err.s, "capitals and small letters are not the same in an id"));
    (void)proc_end(&proc);
    (void)snprintf(table, sizeof table, "id:@%s/near.txt", service.folder);
    assert_true(proc_write_file(table + strlen("id:@"), capitals(ids[0])));
    expect((const char *const[]){"intents", "list", table, "--cached", NULL}, 0, &proc);
    assert_non_null(strstr(proc.err.s, "capitals and small letters are not the same in an id"));
    (void)proc_end(&proc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walk_and_cache_find_the_ids_and_name_the_others),
        cmocka_unit_test(part_of_the_service_says_that_it_is_part),
        cmocka_unit_test(other_terms_and_commands_take_a_list_too),
        cmocka_unit_test(which_of_200_ids_are_not_approved_is_one_command),
        cmocka_unit_test(users_of_a_list_are_found_without_an_index),
        cmocka_unit_test(a_beginning_is_no_id_of_a_list),
        cmocka_unit_test(a_list_that_cannot_be_used_is_refused),
        cmocka_unit_test(f46_an_id_in_other_letters_or_cut_is_met_or_said),
        cmocka_unit_test(more_ids_than_a_list_may_have_are_refused),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
