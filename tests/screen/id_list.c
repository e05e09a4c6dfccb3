/* Lists of ids in a filter: out of a file, or pasted; their order, and what is said of those that are not there. */
#include "app/id_list.h"
#include "app/file.h"
#include "base/mem.h"
#include "support/looker.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define INTENT(id, day, user)                                                             \
    "{\"id\":\"" id "\",\"created_at\":\"2026-11-" day "T10:00:00.000Z\",\"amount\":" day \
    "00,\"currency\":\"EUR\",\"status\":\"approved\",\"user_id\":\"" user "\"}"
static const char HERE[] =
    "{\"data\":[" INTENT("int-0005", "25", "usr-0001") "," INTENT("int-0004", "24", "usr-0002") "," INTENT(
        "int-0003", "23", "usr-0001") "," INTENT("int-0002", "22", "usr-0003") "," INTENT("int-0001", "21",
                                                                                          "usr-0002") "]}";

static void open_here(struct driver *driver, int rows, int cols) {
    driver_open_cached(driver, rows, cols);
    driver_cached(driver, HERE, true);
    driver_answer(driver, HERE);
    driver_forget(driver);
}

/* The lane's answer to the list that was asked for, and the index's to what follows. */
static void answer_list(struct driver *driver, const char *name, const char *text, const char *failure) {
    const struct effect *effect = driver_effect(driver, EFFECT_FILE);
    assert_non_null(effect);
    assert_string_equal(effect_get(effect, file_ask)->path, name);
    assert_int_equal(effect_get(effect, file_ask)->task, FILE_IDS);
    struct file_answer *answer = file_answer_new(FILE_IDS);
    struct event event = {.kind = EVENT_FILE, .ticket = effect->ticket, .payload = payload_of(file_answer, answer)};
    str_add(&answer->text, text);
    if (failure)
        (void)error_set(&answer->error, ERR_FILE, "%s", failure);
    driver_forget(driver);
    driver_event(driver, &event);
    looker_settle(driver, HERE, true);
}

/* In the order from the top. */
static void list_is(struct driver *driver, const char *first, const char *second) {
    char *screen = driver_dump(driver), *at = strstr(screen, first), *then = strstr(screen, second);
    bool good = at && then && at < then;
    free(screen);
    if (!good)
        driver_shows(driver, first, "above", second);
}

static void type_list(struct driver *driver, const char *keys) {
    driver_keys(driver, "/ Ctrl-U 'id:@'");
    driver_forget(driver);
    driver_paste(driver, "ids.txt");
    driver_keys(driver, keys);
}

static void open_listed(struct driver *driver, int rows, int cols) {
    open_here(driver, rows, cols);
    type_list(driver, "");
    answer_list(driver, "ids.txt", "int-0002, gone-01\n\"int-0005\" int-0003 int-0002", NULL);
    looker_press(driver, HERE, "Enter");
}

static void the_list_at_every_size(void **state) {
    (void)state;
    driver_check_sizes("id-list", "80x24 120x40 200x50", open_listed, "");
}

static void rows_stand_in_the_order_of_the_list(void **state) {
    struct driver *driver = *state;
    type_list(driver, "");
    answer_list(driver, "ids.txt", "int-0002, gone-01\n\"int-0005\" int-0003 int-0002", NULL);
    looker_press(driver, HERE, "Enter");
    driver_shows(driver, "W 3 of 4 of @ids.txt found; not found among 5", "gone-01", "order: of the list");
    list_is(driver, "2026-11-22", "2026-11-25");
    list_is(driver, "2026-11-25", "2026-11-23");
}

static void users_have_all_their_intents_newest_first(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/ 'user:@'");
    driver_forget(driver);
    driver_paste(driver, "users.txt");
    answer_list(driver, "users.txt", "usr-0002;usr-0001", NULL);
    looker_press(driver, HERE, "Enter");
    driver_shows(driver, "I 2 of 2 of @users.txt found");
    list_is(driver, "2026-11-24", "2026-11-21");
    list_is(driver, "2026-11-21", "2026-11-25");
    list_is(driver, "2026-11-25", "2026-11-23");
}

static void enter_before_the_list_is_read_applies_it_then(void **state) {
    struct driver *driver = *state;
    type_list(driver, "Enter");
    driver_shows(driver, "the list @ids.txt is being read");
    answer_list(driver, "ids.txt", "int-0002", NULL);
    driver_shows(driver, "local[id:@ids.txt]", "1 of 1 of @ids.txt found");
}

static void a_list_that_cannot_be_read_is_a_fault_of_the_filter(void **state) {
    struct driver *driver = *state;
    type_list(driver, "Enter");
    answer_list(driver, "ids.txt", "", "ids.txt: No such file or directory");
    driver_shows(driver, "E at 3: ids.txt: No such file or directory", "/id:@ids.txt");
    driver_keys(driver, "Ctrl-C");
    type_list(driver, "");
    answer_list(driver, "ids.txt", " \n,", NULL);
    driver_shows(driver, "E at 3: ids.txt: holds no id");
}

static void a_list_that_changed_is_read_again_with_its_filter(void **state) {
    struct driver *driver = *state;
    type_list(driver, "");
    answer_list(driver, "ids.txt", "int-0002", NULL);
    looker_press(driver, HERE, "Enter");
    driver_forget(driver);
    driver_keys(driver, "/ Enter");
    answer_list(driver, "ids.txt", "int-0001 int-0002", NULL);
    driver_shows(driver, "2 of 2 of @ids.txt found");
}

static void with_other_terms_what_is_missing_may_be_there(void **state) {
    struct driver *driver = *state;
    type_list(driver, "");
    answer_list(driver, "ids.txt", "int-0002 int-0001", NULL);
    looker_press(driver, HERE, "' amount>=2200' Enter");
    driver_shows(driver, "W 1 of 2 of @ids.txt match the filter; not there, or no match, among 5", "int-0001");
}

static void several_ids_pasted_become_a_list(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/");
    driver_paste(driver, "\"int-0001\",\n'int-0004'\t int-0009\n");
    driver_shows(driver, "/id:@pasted");
    looker_press(driver, HERE, "Enter");
    driver_shows(driver, "2 of 3 of @pasted found", "int-0009");
    list_is(driver, "2026-11-21", "2026-11-24");
    driver_keys(driver, "/ Ctrl-U 'user:'");
    driver_paste(driver, "usr-0003 usr-0002");
    driver_shows(driver, "/user:@pasted2");
    looker_press(driver, HERE, "Enter");
    driver_shows(driver, "2 of 2 of @pasted2 found");
}

static void pasted_where_a_place_is_typed_they_are_a_filter(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "@");
    driver_paste(driver, "int-0001\nint-0004\n");
    driver_shows(driver, "/id:@pasted");
    looker_press(driver, HERE, "Enter");
    driver_shows(driver, "2 of 2 of @pasted found");
}

static void one_id_and_a_filter_are_pasted_as_they_are(void **state) {
    struct driver *driver = *state;
    driver_keys(driver, "/");
    driver_paste(driver, "int-0001");
    driver_shows(driver, "/int-0001");
    driver_keys(driver, "Ctrl-U");
    driver_paste(driver, "status:declined amount>=2200");
    driver_shows(driver, "/status:declined amount>=2200");
    assert_false(id_list_is("declined approved", 17));
    assert_false(id_list_is("2026-11-01..2026-11-02", 22));
    assert_true(id_list_is("a1b2c3,d4e5f6", 13));
}

static void standard_input_is_no_list_here(void **state) {
    struct driver *driver = *state;
    driver_try(driver, "/ 'id:@-'", "@- is for the command line: paste the ids here");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_at_every_size),
        DRIVER_TEST_IN(rows_stand_in_the_order_of_the_list, open_here, 24, 120),
        DRIVER_TEST_IN(users_have_all_their_intents_newest_first, open_here, 24, 80),
        DRIVER_TEST_IN(enter_before_the_list_is_read_applies_it_then, open_here, 24, 80),
        DRIVER_TEST_IN(a_list_that_cannot_be_read_is_a_fault_of_the_filter, open_here, 24, 80),
        DRIVER_TEST_IN(a_list_that_changed_is_read_again_with_its_filter, open_here, 24, 80),
        DRIVER_TEST_IN(with_other_terms_what_is_missing_may_be_there, open_here, 24, 80),
        DRIVER_TEST_IN(several_ids_pasted_become_a_list, open_here, 24, 80),
        DRIVER_TEST_IN(pasted_where_a_place_is_typed_they_are_a_filter, open_here, 24, 80),
        DRIVER_TEST_IN(one_id_and_a_filter_are_pasted_as_they_are, open_here, 24, 80),
        DRIVER_TEST_IN(standard_input_is_no_list_here, open_here, 24, 80),
    };
    (void)setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
