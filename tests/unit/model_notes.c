/* Notes and tags in memory and as lines: what is kept, what is refused, and that damage costs its line. */
#include "model/notes.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_go_on_and_off),      cmocka_unit_test(tags_in_use_are_given_most_used_first),
        cmocka_unit_test(many_ids_are_each_found), cmocka_unit_test(lines_come_back_as_they_were),
        cmocka_unit_test(damage_costs_its_line),   cmocka_unit_test(a_note_is_one_clean_line),
        cmocka_unit_test(a_tag_has_one_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
