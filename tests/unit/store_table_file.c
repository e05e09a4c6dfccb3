/* A database of rows: whole or not at all, private, and exact. */
#include "base/mem.h"
#include "base/path.h"
#include "base/str.h"
#include "store/table_file.h"
#include "store_place.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char NAMES[] = "tid\0tamount\0ta \"name\"";
#define CELLS(text) (text), sizeof(text) /* with the last NUL */

static long long number_of(const char *path, const char *sql) {
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(db), sql);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    long long number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    return number;
}

static struct table_file *begin(const struct place *place) {
    struct table_file *file;
    struct error error = {0};
    if (table_file_begin(place->path, CELLS(NAMES), &file, &error) != ERR_OK)
        fail_msg("%s", error.text);
    return file;
}

static int names_in(const char *folder) {
    struct str names, completed, place;
    str_init(&names, 4096);
    str_init(&completed, 4096);
    str_init(&place, 4096);
    str_addf(&place, "%s/", folder);
    int n = (int)path_complete(place.s, &completed, &names);
    str_clear(&names);
    str_clear(&completed);
    str_clear(&place);
    return n;
}

static void values_are_exact_and_never_a_floating_point_number(void **state) {
    struct place *place = *state;
    struct table_file *file = begin(place);
    assert_int_equal(table_file_add(file, CELLS("ta\0i9223372036854775807\0t1234.50"), NULL), ERR_OK);
    assert_int_equal(table_file_add(file, CELLS("tb\0t99999999999999999999\0-\0tc\0i-5\0t"), NULL), ERR_OK);
    assert_int_equal(table_file_end(file, "filter: a: b\nrows: 3\n", NULL), ERR_OK);
    assert_int_equal(number_of(place->path, "SELECT count(*) FROM intents"), 3);
    assert_true(number_of(place->path, "SELECT amount FROM intents WHERE id = 'a'") == INT64_MAX);
    assert_int_equal(number_of(place->path, "SELECT count(*) FROM intents WHERE typeof(amount) = 'integer'"), 2);
    assert_int_equal(number_of(place->path, "SELECT count(*) FROM intents WHERE amount = '99999999999999999999'"), 1);
    assert_int_equal(number_of(place->path, "SELECT count(*) FROM intents WHERE \"a \"\"name\"\"\" = '1234.50'"), 1);
    assert_int_equal(number_of(place->path, "SELECT count(*) FROM intents WHERE \"a \"\"name\"\"\" IS NULL"), 1);
    assert_int_equal(number_of(place->path, "SELECT count(*) FROM about WHERE value IN ('a: b', '3')"), 2);
}

/* P5, P10 */
static void it_is_private_and_has_its_name_only_when_whole(void **state) {
    struct place *place = *state;
    struct stat info;
    mode_t before = umask(0);
    struct table_file *file = begin(place);
    assert_int_equal(access(place->path, F_OK), -1);
    assert_int_equal(table_file_end(file, "", NULL), ERR_OK);
    (void)umask(before);
    assert_int_equal(stat(place->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(names_in(place->folder), 1);
}

static void what_is_dropped_leaves_nothing(void **state) {
    struct place *place = *state;
    struct table_file *file = begin(place);
    assert_int_equal(table_file_add(file, CELLS("ta\0i1\0t"), NULL), ERR_OK);
    assert_int_equal(names_in(place->folder), 1);
    table_file_drop(file);
    assert_int_equal(names_in(place->folder), 0);
}

/* Also one that came while it was written, and a link. */
static void a_file_that_is_there_is_never_replaced(void **state) {
    struct place *place = *state;
    struct table_file *file = begin(place);
    struct error error = {0};
    assert_int_equal(symlink("/nowhere", place->path), 0);
    assert_int_equal(table_file_end(file, "", &error), ERR_FILE);
    assert_non_null(strstr(error.text, "is already there"));
    error = (struct error){0};
    assert_int_equal(table_file_begin(place->path, CELLS(NAMES), &file, &error), ERR_FILE);
    assert_non_null(strstr(error.text, "is already there"));
    assert_null(file);
    assert_int_equal(names_in(place->folder), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)
        T(values_are_exact_and_never_a_floating_point_number),
        T(it_is_private_and_has_its_name_only_when_whole),
        T(what_is_dropped_leaves_nothing),
        T(a_file_that_is_there_is_never_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
