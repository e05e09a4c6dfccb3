/* Handing over without a screen: what is asked of the notes, what is refused, and the words. */
#include "app/handovers.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add(struct notes *notes, int64_t at, const char *who, const char *text) {
    notes_add(notes, &(struct note){NOTE_HANDOVER, NOTE_OF_INTENT, "i", at, who, text});
}

static struct notes *joined(struct notes *notes) {
    notes_join(notes);
    notes_set_me(notes, "ben");
    return notes;
}

static void it_needs_a_team_that_shares_its_notes(void **state) {
    struct profile *profile = profile_new("acme", "sandbox", "http://127.0.0.1:1");
    struct error error = {0};
    (void)state;
    profile->team_notes = true;
    assert_int_equal(handover_check_team(profile, &error), ERR_CONFIG);
    assert_non_null(strstr(error.text, "set team_store and team_notes = true in profile acme"));
    free(profile->team_store);
    profile->team_store = mem_dup("postgresql:///bursar");
    assert_int_equal(handover_check_team(profile, NULL), ERR_OK);
    profile->team_notes = false;
    assert_int_equal(handover_check_team(profile, NULL), ERR_CONFIG);
    profile_free(profile);
}

static void what_is_refused_adds_nothing(void **state) {
    static const struct {
        const char *to, *text, *id, *why;
    } REFUSED[] = {{"", "", "i", "a name is missing"},
                   {"Ben", "", "i", "Ben is you"},
                   {"ME", "", "i", "ME is you"},
                   {"anna at desk-1", "", "i", "a login name alone"},
                   {"an\tna", "", "i", "control"},
                   {"anna", "two\nlines", "i", "control"},
                   {"anna", "\xE2\x80\xAEx", "i", "invisible"},
                   {"anna", "", "", "no id"},
                   {"anna", "", "  ", "no id"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(REFUSED); i++) {
        struct notes_ask *ask = notes_ask_new();
        struct error error = {0};
        const struct handing handing = {REFUSED[i].to, REFUSED[i].text, "ben", 1};
        assert_int_equal(notes_ask_handover(ask, &handing, REFUSED[i].id, &error), ERR_USAGE);
        if (!strstr(error.text, REFUSED[i].why))
            fail_msg("\"%s\" is not in: %s", REFUSED[i].why, error.text);
        assert_int_equal(ask->n, 0);
        notes_ask_free(ask);
    }
}

static void so_many_go_at_once_and_no_more(void **state) {
    struct notes_ask *ask = notes_ask_new();
    const struct handing handing = {" anna ", "  ", "ben", 1};
    struct error error = {0};
    (void)state;
    for (int i = 0; i < HANDOVERS_AT_ONCE; i++)
        assert_int_equal(notes_ask_handover(ask, &handing, "i", &error), ERR_OK);
    assert_string_equal(ask->items[0].text, "anna\t");
    assert_int_equal(notes_ask_handover(ask, &handing, "i", &error), ERR_LIMIT);
    assert_int_equal(ask->n, HANDOVERS_AT_ONCE);
    notes_ask_free(ask);
}

/* As it is asked, printed and read again by another machine. */
static void what_is_marked_as_done_is_the_one_that_was_meant(void **state) {
    struct notes *notes = notes_new();
    struct notes_ask *ask = notes_ask_new();
    size_t n;
    (void)state;
    add(notes, 10, "anna at desk-1", "ben\tone");
    add(notes, 20, "anna at desk-1", "ben\ttwo");
    (void)joined(notes);
    notes_ask_done(ask, notes_handovers(notes, &n)[0], 30);
    struct note line = ask->items[0];
    line.who = "ben at desk-2";
    struct str text;
    str_init(&text, 1 << 16);
    notes_print(&line, &text);
    notes_print(&(struct note){NOTE_HANDOVER, NOTE_OF_INTENT, "i", 10, "anna", "ben\tone"}, &text);
    notes_print(&(struct note){NOTE_HANDOVER, NOTE_OF_INTENT, "i", 20, "anna", "ben\ttwo"}, &text);
    struct notes *other = notes_new();
    assert_int_equal(notes_parse(other, text.s, text.len), 0);
    const struct handover *const *all = notes_handovers(other, &n);
    assert_int_equal(n, 2);
    assert_string_equal(all[0]->text, "two");
    assert_string_equal(all[0]->done_by, "ben at desk-2");
    assert_null(all[1]->done_by);
    str_clear(&text);
    notes_free(other);
    notes_free(notes);
    notes_ask_free(ask);
}

static size_t news(struct notes *before, struct notes *notes, const char *said) {
    struct str text;
    str_init(&text, 4096);
    size_t n = handover_tell_news(before, notes, &text);
    assert_string_equal(text.len > 0 ? text.s : "", said);
    str_clear(&text);
    notes_free(before);
    notes_free(notes);
    return n;
}

static struct notes *of(const char *first, const char *second) {
    struct notes *notes = notes_new();
    add(notes, 10, "anna at desk-1", "ben\told");
    add(notes, 10, "anna at desk-1", "carla\tnot mine");
    if (first)
        add(notes, 20, first, "ben\tsee this");
    if (second)
        add(notes, 30, second, "ben\t");
    return joined(notes);
}

static void news_is_what_came_to_the_operator_here(void **state) {
    (void)state;
    assert_int_equal(news(NULL, of("anna", NULL), ""), 0);
    assert_int_equal(news(of(NULL, NULL), of(NULL, NULL), ""), 0);
    assert_int_equal(news(of(NULL, NULL), of("anna at x", NULL), "anna handed over 1 intent: see this"), 1);
    assert_int_equal(news(of(NULL, NULL), of("anna at x", "anna at y"), "anna handed over 2 intents"), 2);
    assert_int_equal(news(of(NULL, NULL), of("anna at x", "carla"), "colleagues handed over 2 intents"), 2);
    assert_int_equal(news(of("anna at x", NULL), of("anna at y", NULL), ""), 0);
    struct notes *others = notes_new();
    add(others, 40, "anna at x", "carla\tnot mine either");
    add(others, 50, "anna at x", "ben\tdone before it was seen");
    notes_add(others, &(struct note){NOTE_DONE, NOTE_OF_INTENT, "i", 60, "ben", "anna\t50"});
    assert_int_equal(news(of(NULL, NULL), joined(others), ""), 0);
}

static void names_are_those_seen_last_first_without_the_operator(void **state) {
    struct notes *notes = notes_new();
    struct handover_names names = {0};
    (void)state;
    notes_add(notes, &(struct note){NOTE_TEXT, NOTE_OF_USER, "u", 5, "dora at desk-4", "x"});
    notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_USER, "u", 50, "Dora", "x"});
    add(notes, 10, "anna at desk-1", "ben\told");
    add(notes, 20, "ben", "carla\t");
    handover_names_of(joined(notes), &names);
    assert_int_equal(names.n, 3);
    assert_string_equal(names.items[0], "Dora");
    assert_string_equal(names.items[1], "carla");
    assert_string_equal(names.items[2], "anna");
    assert_string_equal(handover_name_like(&names, "CA", 0), "carla");
    assert_null(handover_name_like(&names, "CA", 1));
    assert_string_equal(handover_name_like(&names, "", 2), "anna");
    handover_names_clear(&names);
    notes_free(notes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_needs_a_team_that_shares_its_notes),
        cmocka_unit_test(what_is_refused_adds_nothing),
        cmocka_unit_test(so_many_go_at_once_and_no_more),
        cmocka_unit_test(what_is_marked_as_done_is_the_one_that_was_meant),
        cmocka_unit_test(news_is_what_came_to_the_operator_here),
        cmocka_unit_test(names_are_those_seen_last_first_without_the_operator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
