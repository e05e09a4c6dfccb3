/* Notes that a team shares, in a store of the test's own. */
#include "team/notes.h"
#include "team/own.h"
#include "unit/team_desks.h"

static const char ORIGIN[] = "https://api.example.com:443";

static struct team_note line_of(const char *text) {
    return (struct team_note){.line = text, .len = strlen(text)};
}

static void put(struct team *team, const char *text) {
    struct team_note note = line_of(text);
    struct error error = {0};
    if (team_notes_put(team, TEAM_NOTE, ORIGIN, "acme", &note, 1, &error) != ERR_OK)
        fail_msg("%s", error.text);
}

static size_t taken(struct team *team, struct team_place_of_changes *place, struct team_notes *out) {
    struct error error = {0};
    *out = (struct team_notes){0};
    if (team_notes_since(team, TEAM_NOTE, ORIGIN, "acme", place, out, &error) != ERR_OK)
        fail_msg("%s", error.text);
    return out->n;
}

static void what_one_wrote_the_others_take_in_once(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *anna = team_of("anna", "desk-1"), *ben = team_of("ben", "desk-2");
    struct team_place_of_changes place = {0}, own = {0};
    struct team_notes notes;
    put(anna, "first");
    put(anna, "second");
    put(anna, "first"); /* asked once more, as after an answer that was lost */
    assert_sql("SELECT count(*) FROM notes", "2");
    assert_int_equal(taken(ben, &place, &notes), 2);
    assert_string_equal(notes.items[0].line, "first");
    assert_string_equal(notes.items[0].who, "anna");
    assert_string_equal(notes.items[1].host, "desk-1");
    team_notes_clear(&notes);
    assert_int_equal(taken(ben, &place, &notes), 0);
    assert_int_equal(taken(anna, &own, &notes), 0);
    put(anna, "third");
    assert_int_equal(taken(ben, &place, &notes), 1);
    team_notes_clear(&notes);
    free(place.id);
    free(own.id);
    team_free(anna);
    team_free(ben);
}

static void nothing_of_a_note_can_be_read_in_the_store(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *anna = team_of("anna", "desk-1");
    put(anna, "MARKER-of-a-note");
    char *dump = postgres_dump(&desks.postgres);
    assert_null(strstr(dump, "MARKER"));
    free(dump);
    team_free(anna);
}

static void another_accounts_notes_stay_with_it(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *anna = team_of("anna", "desk-1"), *ben = team_of("ben", "desk-2");
    struct team_place_of_changes place = {0};
    struct team_notes notes = {0};
    struct error error = {0};
    put(anna, "first");
    assert_int_equal(team_notes_since(ben, TEAM_NOTE, ORIGIN, "other", &place, &notes, &error), ERR_OK);
    assert_int_equal(notes.n, 0);
    free(place.id);
    team_free(anna);
    team_free(ben);
}

static void a_row_that_was_altered_or_moved_is_left_out(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *anna = team_of("anna", "desk-1"), *ben = team_of("ben", "desk-2");
    struct team_place_of_changes place = {0};
    struct team_notes notes;
    put(anna, "first");
    run_sql("INSERT INTO notes SELECT scope, 'moved', change, console, who, host, stored, kind, sealed FROM notes");
    assert_int_equal(taken(ben, &place, &notes), 1);
    team_notes_clear(&notes);
    free(place.id);
    team_free(anna);
    team_free(ben);
}

/* Each console takes in its own views too: their order is the store's. */
static void views_are_taken_in_by_all_and_kinds_stay_apart(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *anna = team_of("anna", "desk-1"), *ben = team_of("ben", "desk-2");
    struct team_note view = line_of("a view");
    struct team_notes found = {0};
    struct error error = {0};
    int64_t last = 0;
    put(anna, "a note");
    assert_int_equal(team_notes_put(anna, TEAM_VIEW, ORIGIN, "acme", &view, 1, &error), ERR_OK);
    for (int i = 0; i < 2; i++) {
        struct team_place_of_changes place = {0};
        assert_int_equal(team_notes_since(i ? ben : anna, TEAM_VIEW, ORIGIN, "acme", &place, &found, &error), ERR_OK);
        assert_int_equal(found.n, 1);
        assert_string_equal(found.items[0].line, "a view");
        assert_int_equal(found.items[0].change, 2);
        assert_true(found.items[0].stored > 0);
        team_notes_clear(&found);
        free(place.id);
    }
    assert_int_equal(team_notes_last(ben, ORIGIN, "acme", &last, &error), ERR_OK);
    assert_int_equal(last, 2);
    team_free(anna);
    team_free(ben);
}

static void a_row_of_another_kind_is_left_out(void **state) {
    (void)state;
    skip_without_postgres();
    struct team *anna = team_of("anna", "desk-1"), *ben = team_of("ben", "desk-2");
    struct team_place_of_changes place = {0};
    struct team_notes found = {0};
    struct error error = {0};
    put(anna, "a note");
    run_sql("UPDATE notes SET kind = 'view'");
    assert_int_equal(team_notes_since(ben, TEAM_VIEW, ORIGIN, "acme", &place, &found, &error), ERR_OK);
    assert_int_equal(found.n, 0);
    team_notes_clear(&found);
    free(place.id);
    team_free(anna);
    team_free(ben);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DESKS(what_one_wrote_the_others_take_in_once),
        WITH_DESKS(nothing_of_a_note_can_be_read_in_the_store),
        WITH_DESKS(another_accounts_notes_stay_with_it),
        WITH_DESKS(a_row_that_was_altered_or_moved_is_left_out),
        WITH_DESKS(views_are_taken_in_by_all_and_kinds_stay_apart),
        WITH_DESKS(a_row_of_another_kind_is_left_out),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
