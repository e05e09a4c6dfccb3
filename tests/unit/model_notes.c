/* Notes and tags in memory and as lines: what is kept, what is refused, and that damage costs its line. */
#include "model/notes.h"

#include "base/digest.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct notes_subject *find(const struct notes *notes, enum note_about about, const char *id) {
    return notes_find(notes, about, id, strlen(id));
}

static void tags_go_on_and_off(void **state) {
    struct notes *notes = notes_new();
    (void)state;
    assert_true(notes_is_empty(notes) && notes_is_empty(NULL));
    assert_null(find(notes, NOTE_OF_INTENT, "i"));
    notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_INTENT, "i", 1, "kim", "vip"});
    notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_INTENT, "i", 2, "lee", "vip"});
    notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_USER, "i", 3, "lee", "other"});
    const struct notes_subject *subject = find(notes, NOTE_OF_INTENT, "i");
    assert_int_equal(subject->n_tags, 1);
    assert_string_equal(subject->tags[0].who, "kim"); /* who put it on first */
    notes_add(notes, &(struct note){NOTE_UNTAG, NOTE_OF_INTENT, "i", 4, "lee", "vip"});
    notes_add(notes, &(struct note){NOTE_UNTAG, NOTE_OF_INTENT, "i", 5, "lee", "never"});
    assert_int_equal(find(notes, NOTE_OF_INTENT, "i")->n_tags, 0);
    assert_int_equal(notes_count(notes), 1);
    struct notes *share = notes_share(notes);
    notes_free(notes);
    assert_int_equal(find(share, NOTE_OF_USER, "i")->n_tags, 1);
    notes_free(share);
}

static void tags_in_use_are_given_most_used_first(void **state) {
    struct notes *notes = notes_new();
    const char *tags[2];
    (void)state;
    assert_int_equal(notes_tags(NULL, tags, 2), 0);
    notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_INTENT, "i", 1, "kim", "late"});
    notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_INTENT, "j", 2, "kim", "vip"});
    notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_USER, "u", 3, "kim", "vip"});
    notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_USER, "v", 4, "kim", "gone"});
    notes_add(notes, &(struct note){NOTE_UNTAG, NOTE_OF_USER, "v", 5, "kim", "gone"});
    notes_add(notes, &(struct note){NOTE_TAG, NOTE_OF_INTENT, "j", 6, "kim", "early"});
    assert_int_equal(notes_tags(notes, tags, 2), 3);
    assert_string_equal(tags[0], "vip");
    assert_string_equal(tags[1], "early");
    notes_free(notes);
}

static void many_ids_are_each_found(void **state) {
    struct notes *notes = notes_new();
    char id[32];
    (void)state;
    for (int i = 0; i < 5000; i++) {
        (void)snprintf(id, sizeof id, "%x-same-end", (unsigned)i * 2654435761U);
        notes_add(notes, &(struct note){NOTE_TEXT, i % 2 ? NOTE_OF_USER : NOTE_OF_INTENT, id, i, "kim", "x"});
    }
    for (int i = 0; i < 5000; i++) {
        (void)snprintf(id, sizeof id, "%x-same-end", (unsigned)i * 2654435761U);
        assert_int_equal(find(notes, i % 2 ? NOTE_OF_USER : NOTE_OF_INTENT, id)->notes[0].at, i);
        assert_null(find(notes, i % 2 ? NOTE_OF_INTENT : NOTE_OF_USER, id));
    }
    notes_free(notes);
}

static void lines_come_back_as_they_were(void **state) {
    struct str text;
    struct notes *notes = notes_new();
    (void)state;
    str_init(&text, 4096);
    notes_print(&(struct note){NOTE_TEXT, NOTE_OF_INTENT, "i", 7, "uid 12", "called back; a \"b\""}, &text);
    notes_print(&(struct note){NOTE_TAG, NOTE_OF_USER, "u", 8, "kim", "vip"}, &text);
    assert_int_equal(notes_parse(notes, text.s, text.len), 0);
    assert_string_equal(find(notes, NOTE_OF_INTENT, "i")->notes[0].text, "called back; a \"b\"");
    assert_string_equal(find(notes, NOTE_OF_INTENT, "i")->notes[0].who, "uid 12");
    assert_int_equal(find(notes, NOTE_OF_USER, "u")->tags[0].at, 8);
    notes_free(notes);
    str_clear(&text);
}

/* Any byte changed, removed or added costs the lines that it touches and no other. */
static struct notes *read_in_order(const struct note *lines, const int *order, size_t n) {
    struct notes *notes = notes_new();
    struct str text;
    str_init(&text, 1 << 16);
    for (size_t i = 0; i < n; i++)
        notes_print(&lines[order[i]], &text);
    assert_int_equal(notes_parse(notes, text.s, text.len), 0);
    str_clear(&text);
    return notes;
}

/* The one machine has them in one order, the other in another: each has its own before what it took in. */
static void what_holds_does_not_depend_on_the_order_of_arrival(void **state) {
    static const struct note LINES[] = {{NOTE_TAG, NOTE_OF_INTENT, "i", 10, "anna", "vip"},
                                        {NOTE_UNTAG, NOTE_OF_INTENT, "i", 20, "anna", "vip"},
                                        {NOTE_TAG, NOTE_OF_INTENT, "i", 30, "ben at desk-2", "vip"},
                                        {NOTE_TEXT, NOTE_OF_INTENT, "i", 15, "ben at desk-2", "first"},
                                        {NOTE_TEXT, NOTE_OF_INTENT, "i", 25, "anna", "second"},
                                        {NOTE_TAG, NOTE_OF_INTENT, "i", 40, "anna", "gone"},
                                        {NOTE_UNTAG, NOTE_OF_INTENT, "i", 40, "ben at desk-2", "gone"}};
    static const int ORDERS[][COUNT_OF(LINES)] = {
        {0, 1, 2, 3, 4, 5, 6}, {0, 2, 1, 4, 3, 6, 5}, {6, 5, 4, 3, 2, 1, 0}, {2, 6, 0, 4, 1, 5, 3}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ORDERS); i++) {
        struct notes *notes = read_in_order(LINES, ORDERS[i], COUNT_OF(LINES));
        const struct notes_subject *subject = find(notes, NOTE_OF_INTENT, "i");
        assert_int_equal(subject->n_tags, 1);
        assert_string_equal(subject->tags[0].text, "vip");
        assert_int_equal(subject->tags[0].at, 30);
        assert_string_equal(subject->notes[0].text, "first");
        assert_string_equal(subject->notes[1].text, "second");
        notes_free(notes);
    }
}

/* Each is "anna" on the own machine and "anna at ..." on the other one. */
static void one_person_at_two_machines_ends_alike_on_both(void **state) {
    static const struct note HERE[] = {{NOTE_TAG, NOTE_OF_INTENT, "i", 10, "anna", "vip"},
                                       {NOTE_UNTAG, NOTE_OF_INTENT, "i", 10, "anna at desk-2", "vip"}};
    static const struct note THERE[] = {{NOTE_UNTAG, NOTE_OF_INTENT, "i", 10, "anna", "vip"},
                                        {NOTE_TAG, NOTE_OF_INTENT, "i", 10, "anna at desk-1", "vip"}};
    static const int ORDER[] = {0, 1};
    (void)state;
    struct notes *here = read_in_order(HERE, ORDER, 2), *there = read_in_order(THERE, ORDER, 2);
    assert_int_equal(find(here, NOTE_OF_INTENT, "i")->n_tags, 0);
    assert_int_equal(find(there, NOTE_OF_INTENT, "i")->n_tags, 0);
    notes_free(here);
    notes_free(there);
}

/* A colleague's clock is ahead: what is said now holds all the same. */
static void a_tag_is_said_after_all_that_was_said_of_it(void **state) {
    static const struct note LINES[] = {{NOTE_TAG, NOTE_OF_INTENT, "i", 9000, "ben at desk-2", "vip"},
                                        {NOTE_TAG, NOTE_OF_INTENT, "j", 9500, "ben at desk-2", "vip"},
                                        {NOTE_TAG, NOTE_OF_USER, "i", 9600, "ben at desk-2", "vip"},
                                        {NOTE_TAG, NOTE_OF_INTENT, "i", 9700, "ben at desk-2", "other"},
                                        {NOTE_TAG, NOTE_OF_INTENT, "k", INT64_MAX, "eve at desk-6", "vip"}};
    struct str text;
    (void)state;
    str_init(&text, 1 << 16);
    for (size_t i = 0; i < COUNT_OF(LINES); i++)
        notes_print(&LINES[i], &text);
    const struct note off = {NOTE_UNTAG, NOTE_OF_INTENT, "i", 100, "anna", "vip"};
    const struct note late = {NOTE_UNTAG, NOTE_OF_INTENT, "i", 9800, "anna", "vip"};
    const struct note note = {NOTE_TEXT, NOTE_OF_INTENT, "i", 100, "anna", "vip"};
    const struct note end = {NOTE_UNTAG, NOTE_OF_INTENT, "k", 100, "anna", "vip"};
    assert_int_equal(notes_time_after(text.s, text.len, &off), 9001);
    assert_int_equal(notes_time_after(text.s, text.len, &late), 9800);
    assert_int_equal(notes_time_after(text.s, text.len, &note), 100);
    assert_int_equal(notes_time_after(text.s, text.len, &end), INT64_MAX);
    assert_int_equal(notes_time_after(NULL, 0, &off), 100);
    str_clear(&text);
}

static void damage_costs_its_line(void **state) {
    struct str text, bad;
    (void)state;
    str_init(&text, 4096);
    str_init(&bad, 8192);
    notes_print(&(struct note){NOTE_TEXT, NOTE_OF_INTENT, "a", 1, "kim", "one"}, &text);
    size_t first = text.len;
    notes_print(&(struct note){NOTE_TEXT, NOTE_OF_INTENT, "b", 2, "kim", "two"}, &text);
    size_t second = text.len;
    notes_print(&(struct note){NOTE_TEXT, NOTE_OF_INTENT, "c", 3, "kim", "three"}, &text);
    for (size_t at = first; at + 1 < second; at++) {
        static const char BYTES[] = {'\0', '\n', '\t', 'x', '\x1b', '\xff'};
        for (size_t i = 0; i < sizeof BYTES; i++) {
            struct notes *notes = notes_new();
            str_reset(&bad);
            str_add_n(&bad, text.s, text.len);
            if (bad.s[at] == BYTES[i])
                bad.s[at] = 'y';
            else
                bad.s[at] = BYTES[i];
            assert_true(notes_parse(notes, bad.s, bad.len) >= 1);
            assert_non_null(find(notes, NOTE_OF_INTENT, "a"));
            assert_null(find(notes, NOTE_OF_INTENT, "b"));
            assert_non_null(find(notes, NOTE_OF_INTENT, "c"));
            notes_free(notes);
        }
    }
    for (size_t len = second; len < text.len; len++) {
        struct notes *notes = notes_new();
        assert_int_equal(notes_parse(notes, text.s, len), len > second);
        assert_int_equal(notes_count(notes), 2);
        notes_free(notes);
    }
    str_clear(&text);
    str_clear(&bad);
}

static void a_note_is_one_clean_line(void **state) {
    static const char *const BAD[] = {"", "   ", "a\nb", "\x1b[2J", "\xff", "a\tb", "x\xE2\x80\xAEy"};
    struct str reason;
    char *longest = malloc(NOTE_TEXT_MAX + 2);
    (void)state;
    str_init(&reason, 256);
    for (size_t i = 0; i < COUNT_OF(BAD); i++)
        assert_false(note_check_text(BAD[i], &reason));
    assert_true(note_check_text("called back, 青松", &reason));
    memset(longest, 'x', NOTE_TEXT_MAX + 1);
    longest[NOTE_TEXT_MAX + 1] = '\0';
    assert_false(note_check_text(longest, &reason));
    longest[NOTE_TEXT_MAX] = '\0';
    assert_true(note_check_text(longest, &reason));
    free(longest);
    str_clear(&reason);
}

static void a_tag_has_one_spelling(void **state) {
    static const char *const BAD[] = {"", "-x", ".x", "a b", "a:b", "é", "a,b", "\"x\""};
    struct str tag;
    (void)state;
    str_init(&tag, 64);
    for (size_t i = 0; i < COUNT_OF(BAD); i++)
        assert_false(note_tag(BAD[i], strlen(BAD[i]), &tag));
    assert_true(note_tag("Charge-Back_2.x", 15, &tag));
    assert_string_equal(tag.s, "charge-back_2.x");
    str_clear(&tag);
}

enum { HANDED = 5, WAYS = 120 };
static const struct note HANDED_LINES[HANDED] = {
    {NOTE_HANDOVER, NOTE_OF_INTENT, "i", 10, "anna at desk-1", "ben\tlook at this"},
    {NOTE_HANDOVER, NOTE_OF_INTENT, "i", 20, "anna at desk-1", "ben\t"},
    {NOTE_DONE, NOTE_OF_INTENT, "i", 30, "Ben", "anna\t10"},
    {NOTE_DONE, NOTE_OF_INTENT, "i", 25, "carla at desk-3", "anna\t20"}, /* it was never carla's */
    {NOTE_HANDOVER, NOTE_OF_INTENT, "j", 15, "ben", "anna\tback to you"},
};

/* The n-th order of the lines. */
static void order_lines(int n, int order[HANDED]) {
    bool used[HANDED] = {false};
    for (int i = 0, base = WAYS; i < HANDED; i++) {
        base /= HANDED - i;
        int skip = n / base % (HANDED - i), at = 0;
        while (used[at] || skip-- > 0)
            at++;
        used[at] = true;
        order[i] = at;
    }
}

static void expect_handed(const struct notes *notes) {
    size_t n;
    const struct handover *of = notes_handed(notes, find(notes, NOTE_OF_INTENT, "i"), &n);
    assert_int_equal(n, 2);
    assert_string_equal(of[0].text, "look at this");
    assert_string_equal(of[0].done_by, "Ben");
    assert_int_equal(of[0].done_at, 30);
    assert_string_equal(of[1].text, "");
    assert_null(of[1].done_by);
    const struct handover *const *all = notes_handovers(notes, &n);
    assert_int_equal(n, 3);
    assert_int_equal(all[0]->at, 20);
    assert_string_equal(all[1]->id, "j");
    assert_int_equal(all[2]->at, 10);
    assert_int_equal(notes_inbox(notes), 1);
    assert_true(notes_is_to_me(notes, all[0]) && !notes_is_by_me(notes, all[0]));
    assert_true(notes_is_by_me(notes, all[1]));
    assert_int_equal(notes_count(notes), 3);
    assert_false(notes_is_empty(notes));
}

static void what_was_handed_over_is_the_same_in_any_order_of_its_lines(void **state) {
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        struct notes *notes = notes_new();
        struct str text;
        int order[HANDED];
        str_init(&text, 1 << 16);
        order_lines(way, order);
        for (int i = 0; i < HANDED; i++)
            notes_print(&HANDED_LINES[order[i]], &text);
        notes_print(&HANDED_LINES[order[0]], &text); /* one came twice */
        assert_int_equal(notes_parse(notes, text.s, text.len), 0);
        notes_set_me(notes, "BEN");
        expect_handed(notes);
        notes_free(notes);
        str_clear(&text);
    }
}

static void who_handed_it_over_takes_it_back(void **state) {
    struct notes *notes = notes_new();
    size_t n;
    (void)state;
    notes_add(notes, &HANDED_LINES[0]);
    notes_add(notes, &(struct note){NOTE_DONE, NOTE_OF_INTENT, "i", 40, "anna at another", "anna\t10"});
    notes_add(notes, &(struct note){NOTE_DONE, NOTE_OF_USER, "i", 30, "ben", "anna\t10"}); /* of another thing */
    notes_join(notes);
    assert_string_equal(notes_handovers(notes, &n)[0]->done_by, "anna at another");
    notes_free(notes);
}

static void a_person_is_the_same_at_each_machine(void **state) {
    struct str name, reason;
    (void)state;
    assert_true(handover_is_same_person("anna at desk-1", "Anna"));
    assert_true(handover_is_same_person("anna at desk-1", "anna at desk-2 at home"));
    assert_false(handover_is_same_person("anna", "annabel"));
    assert_false(handover_is_same_person("", ""));
    assert_false(handover_is_same_person("anna", NULL));
    str_init(&name, 256);
    str_init(&reason, 256);
    static const char *const BAD[] = {"",
                                      "  ",
                                      "a\tb",
                                      "\x1b[2J",
                                      "anna at desk-1",
                                      "0123456789012345678901234567890123456789012345678901234567890123x"};
    for (size_t i = 0; i < COUNT_OF(BAD); i++)
        assert_false(handover_name(BAD[i], &name, &reason));
    str_reset(&name);
    assert_true(handover_name("  ben ", &name, &reason));
    assert_string_equal(name.s, "ben");
    assert_true(handover_check_text("", &reason) && handover_check_text("青松", &reason));
    assert_false(handover_check_text("a\nb", &reason));
    str_clear(&name);
    str_clear(&reason);
}

static void add_raw_line(struct str *text, const char *line) {
    str_addf(text, "%016llx\t%s\n", (unsigned long long)digest_short(line, strlen(line)), line);
}

/* As a program of before sees a hand-over: the line is left out, the others are read. */
static void a_line_of_a_later_program_is_left_out_and_is_no_damage(void **state) {
    struct notes *notes = notes_new();
    struct str text;
    (void)state;
    str_init(&text, 4096);
    notes_print(&(struct note){NOTE_TEXT, NOTE_OF_INTENT, "a", 1, "kim", "one"}, &text);
    add_raw_line(&text, "zi\t1\tkim\ta\tof a kind that is not known here\tand more");
    notes_print(&(struct note){NOTE_TEXT, NOTE_OF_INTENT, "b", 2, "kim", "two"}, &text);
    assert_int_equal(notes_parse(notes, text.s, text.len), 0);
    assert_int_equal(notes_later(notes), 1);
    assert_int_equal(notes_count(notes), 2);
    add_raw_line(&text, "hi\t1\tkim\ta\tno tab");
    add_raw_line(&text, "hi\t1\tkim\ta\t\tnobody");
    add_raw_line(&text, "hi\t1\tkim\ta\tben\ta\tb");
    add_raw_line(&text, "hi\t1\tkim\ta\tben\t\x1b[2J");
    add_raw_line(&text, "hi\t1\tkim\ta\tb\x1b\tx");
    add_raw_line(&text, "di\t1\tkim\ta\tben\tnever");
    add_raw_line(&text, "hu\t1\tkim\ta\tben\tof a user");
    add_raw_line(&text, "du\t1\tkim\ta\tben\t1");
    struct notes *more = notes_new();
    assert_int_equal(notes_parse(more, text.s, text.len), 8);
    assert_int_equal(notes_count(more), 2);
    notes_free(more);
    notes_free(notes);
    str_clear(&text);
}

/* A file that somebody filled costs no more than reading it. */
static void many_lines_about_one_intent_are_joined_at_once(void **state) {
    enum { MANY = 100000 };
    struct notes *notes = notes_new();
    char text[32];
    size_t n;
    (void)state;
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(text, sizeof text, "ben\t%d", i);
        notes_add(notes, &(struct note){NOTE_HANDOVER, NOTE_OF_INTENT, "i", 1, "kim", text});
        notes_add(notes, &(struct note){NOTE_DONE, NOTE_OF_INTENT, "i", i, "nobody", "kim\t1"});
    }
    notes_add(notes, &(struct note){NOTE_DONE, NOTE_OF_INTENT, "i", MANY, "ben at desk-2", "kim\t1"});
    notes_add(notes, &(struct note){NOTE_DONE, NOTE_OF_INTENT, "i", MANY + 1, "kim", "kim\t1"});
    notes_join(notes);
    const struct handover *handed = notes_handed(notes, find(notes, NOTE_OF_INTENT, "i"), &n);
    assert_int_equal(n, MANY);
    for (int i = 0; i < MANY; i++) {
        assert_string_equal(handed[i].done_by, "ben at desk-2"); /* however many said so whom it does not concern */
        assert_true(notes_has_handover(notes, &handed[i]));
    }
    assert_false(
        notes_has_handover(notes, &(struct handover){.id = "i", .from = "kim", .to = "ben", .text = "?", .at = 1}));
    assert_false(
        notes_has_handover(notes, &(struct handover){.id = "j", .from = "kim", .to = "ben", .text = "1", .at = 1}));
    notes_free(notes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_go_on_and_off),
        cmocka_unit_test(tags_in_use_are_given_most_used_first),
        cmocka_unit_test(many_ids_are_each_found),
        cmocka_unit_test(lines_come_back_as_they_were),
        cmocka_unit_test(what_holds_does_not_depend_on_the_order_of_arrival),
        cmocka_unit_test(one_person_at_two_machines_ends_alike_on_both),
        cmocka_unit_test(a_tag_is_said_after_all_that_was_said_of_it),
        cmocka_unit_test(damage_costs_its_line),
        cmocka_unit_test(a_note_is_one_clean_line),
        cmocka_unit_test(a_tag_has_one_spelling),
        cmocka_unit_test(what_was_handed_over_is_the_same_in_any_order_of_its_lines),
        cmocka_unit_test(who_handed_it_over_takes_it_back),
        cmocka_unit_test(a_person_is_the_same_at_each_machine),
        cmocka_unit_test(a_line_of_a_later_program_is_left_out_and_is_no_damage),
        cmocka_unit_test(many_lines_about_one_intent_are_joined_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
