/* The file of writes that were recorded while the team's store was away: no line is lost or glued to another, and one
 * that cannot be merged keeps none behind it. */
#include "run/lanes/team_away.h"

#include "base/path.h"
#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 512, NAMES_MAX = 8, NAME_BYTES = 64 };

struct place {
    char folder[PATH_BYTES], file[PATH_BYTES + 32];
    char names[NAMES_MAX][NAME_BYTES];
    size_t n;
    const char *refused, *kept; /* of these names one fails, the other is not merged yet */
};

static int make_place(void **state) {
    struct place *place = calloc(1, sizeof *place);
    (void)snprintf(place->folder, sizeof place->folder, "/tmp/bursar-away-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    (void)snprintf(place->file, sizeof place->file, "%s/team-away-test", place->folder);
    *state = place;
    return 0;
}

static int remove_place(void **state) {
    struct place *place = *state;
    (void)unlink(place->file);
    assert_int_equal(rmdir(place->folder), 0);
    free(place);
    return 0;
}

static enum err take(void *context, const char *name, const char *prints, bool *merged, struct error *error) {
    struct place *place = context;
    assert_true(place->n < NAMES_MAX && strncmp(prints, "digest", 6) == 0);
    (void)snprintf(place->names[place->n++], NAME_BYTES, "%s", name);
    *merged = !str_equal(name, place->refused) && !str_equal(name, place->kept);
    return str_equal(name, place->refused) ? error_set(error, ERR_STORE, "not this one") : ERR_OK;
}

static void add(const struct place *place, const char *name) {
    assert_int_equal(team_away_add(place->folder, "test", name, "digest tag=digest", NULL), ERR_OK);
}

static enum err each(struct place *place, struct error *error) {
    place->n = 0;
    return team_away_each(place->folder, "test", take, place, error);
}

static void the_file_goes_when_all_is_merged(void **state) {
    struct place *place = *state;
    add(place, "one");
    add(place, "two");
    assert_int_equal(each(place, NULL), ERR_OK);
    assert_int_equal(place->n, 2);
    assert_int_not_equal(access(place->file, F_OK), 0);
    assert_int_equal(each(place, NULL), ERR_OK);
    assert_int_equal(place->n, 0);
}

static void a_line_that_was_cut_short_is_not_glued_to_the_next(void **state) {
    struct place *place = *state;
    assert_true(proc_write_file(place->file, "torn"));
    add(place, "two");
    assert_int_equal(each(place, NULL), ERR_OK);
    assert_int_equal(place->n, 1);
    assert_string_equal(place->names[0], "two");
}

static void one_that_fails_keeps_none_behind_it(void **state) {
    struct place *place = *state;
    struct error error = {0};
    add(place, "one");
    add(place, "two");
    add(place, "three");
    place->refused = "one";
    place->kept = "three";
    assert_int_equal(each(place, &error), ERR_STORE);
    assert_string_equal(error.text, "not this one");
    assert_int_equal(place->n, 3);
    place->refused = place->kept = NULL;
    assert_int_equal(each(place, NULL), ERR_OK);
    assert_int_equal(place->n, 2);
    assert_string_equal(place->names[1], "three");
}

static void what_was_not_sent_is_taken_back(void **state) {
    struct place *place = *state;
    add(place, "one");
    add(place, "two");
    assert_int_equal(team_away_drop(place->folder, "test", "one", NULL), ERR_OK);
    assert_int_equal(each(place, NULL), ERR_OK);
    assert_int_equal(place->n, 1);
    assert_string_equal(place->names[0], "two");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_file_goes_when_all_is_merged, make_place, remove_place),
        cmocka_unit_test_setup_teardown(a_line_that_was_cut_short_is_not_glued_to_the_next, make_place, remove_place),
        cmocka_unit_test_setup_teardown(one_that_fails_keeps_none_behind_it, make_place, remove_place),
        cmocka_unit_test_setup_teardown(what_was_not_sent_is_taken_back, make_place, remove_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
