/* Key map files: what a line does, what is refused, and with which words. */
#include "app/actions.h"
#include "base/mem.h"
#include "ui/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct map {
    struct keymap *keymap;
    struct str report;
};

static void load(struct map *map, const char *text) {
    str_init(&map->report, 64 << 10);
    map->keymap = keymap_load(action_table(), text, strlen(text), "keys", &map->report);
}

static void end(struct map *map) {
    keymap_free(map->keymap);
    str_clear(&map->report);
}

static int find(const struct map *map, const char *section, const char *name) {
    int32_t key;
    assert_true(input_key_parse(name, &key));
    return keymap_find(map->keymap, section, key);
}

static void refused(const char *text, const char *words) {
    struct map map;
    load(&map, text);
    assert_string_equal(map.report.s, words);
    end(&map);
}

static void a_line_gives_its_keys_and_takes_the_old_ones(void **state) {
    struct map map;
    (void)state;
    load(&map, "# mine\n[keys.intents]\nfilter = Ctrl-T  F3\r\n\n[keys.global]\nquit=Ctrl-X\n");
    assert_string_equal(map.report.s, "");
    assert_int_equal(find(&map, "intents", "Ctrl-T"), ACTION_FILTER);
    assert_int_equal(find(&map, "intents", "F3"), ACTION_FILTER);
    assert_int_equal(find(&map, "intents", "/"), -1);
    assert_int_equal(find(&map, "webhook", "Ctrl-X"), ACTION_QUIT);
    assert_int_equal(find(&map, "webhook", "Q"), -1);
    end(&map);
}

static void a_key_given_is_taken_from_who_has_it_by_default(void **state) {
    struct map map;
    (void)state;
    load(&map, "[keys.intents]\nfilter = s\n");
    assert_string_equal(map.report.s, "");
    assert_int_equal(find(&map, "intents", "s"), ACTION_FILTER);
    struct str keys;
    str_init(&keys, 64);
    keymap_keys(map.keymap, ACTION_SORT, &keys);
    assert_string_equal(keys.s, "");
    str_clear(&keys);
    end(&map);
}

/* Else the operator's own key would be hidden in some views by a default that was not asked for. */
static void a_key_given_everywhere_holds_everywhere(void **state) {
    struct map map;
    (void)state;
    load(&map, "[keys.global]\nhelp = s\n[keys.list]\ndown = n\n");
    assert_string_equal(map.report.s, "");
    assert_int_equal(find(&map, "intents", "s"), ACTION_HELP);
    assert_int_equal(find(&map, "register", "s"), ACTION_HELP);
    assert_int_equal(find(&map, "list", "n"), ACTION_DOWN);
    assert_int_equal(find(&map, "intents", "n"), -1);
    end(&map);
}

static void none_unbinds(void **state) {
    struct map map;
    (void)state;
    load(&map, "[keys.intents]\ncrawl = none\n");
    assert_string_equal(map.report.s, "");
    assert_int_equal(find(&map, "intents", "R"), -1);
    end(&map);
}

static void a_clash_names_both_lines_and_the_first_holds(void **state) {
    struct map map;
    (void)state;
    load(&map, "[keys.intents]\nfilter = K\nsort = s\nfind = K \\\n");
    assert_string_equal(map.report.s, "keys:4: K is given to find, and on line 2 to filter\n");
    assert_int_equal(find(&map, "intents", "K"), ACTION_FILTER);
    assert_int_equal(find(&map, "intents", "\\"), ACTION_FIND);
    end(&map);
    load(&map, "[keys.global]\nhelp = K\n[keys.intents]\nfilter = K\n");
    assert_string_equal(map.report.s, ""); /* a view's own key goes before one for everywhere */
    assert_int_equal(find(&map, "intents", "K"), ACTION_FILTER);
    assert_int_equal(find(&map, "activity", "K"), ACTION_HELP);
    end(&map);
}

static void a_refused_line_leaves_the_keys_as_they_were(void **state) {
    struct map map;
    (void)state;
    load(&map, "[keys.intents]\ncopy = b\ncounts = b\ncrawl = Nokey\nsort = Ctrl-C\n");
    assert_non_null(strstr(map.report.s, "keys:3: b is given to counts, and on line 2 to copy\n"));
    assert_int_equal(find(&map, "intents", "b"), ACTION_COPY);
    assert_int_equal(find(&map, "intents", "F"), ACTION_COUNTS);
    assert_int_equal(find(&map, "intents", "R"), ACTION_CRAWL);
    assert_int_equal(find(&map, "intents", "s"), ACTION_SORT);
    end(&map);
    load(&map, "[keys.intents]\ncounts = Nokey b\nfind = F\n"); /* what holds of a line replaces them */
    assert_int_equal(find(&map, "intents", "b"), ACTION_COUNTS);
    assert_int_equal(find(&map, "intents", "F"), ACTION_FIND);
    end(&map);
}

static void faults_say_line_and_reason(void **state) {
    (void)state;
    refused("[keys.intents]\nfliter = /\n", "keys:2: no such action: fliter; bursar keys list names them\n");
    refused("[keys.intents]\nhelp = /\n", "keys:2: help belongs into [keys.global]\n");
    refused("[keys.intents]\nfilter = Ctrl-I\n", "keys:2: no such key: Ctrl-I\n");
    refused("[keys.intents]\nfilter =\n", "keys:2: filter has no key; none unbinds it\n");
    refused("[keys.intents]\nfilter\n",
            "keys:2: not understood: a line is ACTION = KEY KEY, or a section such as [keys.intents]\n");
    refused("[keys.intnts]\nfilter = /\n",
            "keys:1: no such section: [keys.intnts]; they are called as in [keys.intents]\n");
    refused("filter = /\n", "keys:1: filter stands before the first section, such as [keys.intents]\n");
    refused("[keys.intents]\nfilter = /\n\nfilter = K\n", "keys:4: a second line for filter, the first is on line 2\n");
    refused("preset = emacs\n", "keys:1: no such preset: emacs\n");
    refused("[keys.intents]\nfilter = \033[2J\n", "keys:2: no such key: <1B>[2J\n");
}

static void the_way_out_stays(void **state) {
    struct map map;
    (void)state;
    load(&map, "[keys.global]\ncancel = none\nquit = none\nclose = none\nhelp = Ctrl-C\n");
    assert_string_equal(map.report.s, "keys:5: Ctrl-C cannot be given away: it always cancels, and leaves\n");
    assert_int_equal(find(&map, "intents", "Ctrl-C"), ACTION_CANCEL);
    end(&map);
}

static void presets_are_clean_and_leave_no_action_without_a_key(void **state) {
    static const char *const NAMES[] = {"vim", "arrows", "mutt"};
    (void)state;
    for (size_t p = 0; p < COUNT_OF(NAMES); p++) {
        struct map map, plain;
        struct str text;
        size_t n;
        str_init(&text, 64);
        str_addf(&text, "preset = %s\n", NAMES[p]);
        load(&map, text.s);
        load(&plain, "");
        assert_string_equal(map.report.s, "");
        const struct action *table = keymap_actions(map.keymap, &n);
        for (size_t i = 0; i < n; i++) {
            struct str keys, before;
            str_init(&keys, 256);
            str_init(&before, 256);
            keymap_key(map.keymap, table[i].id, &keys);
            keymap_key(plain.keymap, table[i].id, &before);
            if (before.len > 0 && keys.len == 0)
                fail_msg("%s: %s %s lost its key", NAMES[p], table[i].section, table[i].name);
            str_clear(&keys);
            str_clear(&before);
        }
        str_clear(&text);
        end(&map);
        end(&plain);
    }
}

static void a_file_goes_on_from_its_preset(void **state) {
    struct map map;
    (void)state;
    load(&map, "preset = mutt\n[keys.intents]\nfilter = L\n");
    assert_string_equal(map.report.s, "");
    assert_int_equal(find(&map, "list", "*"), ACTION_LAST);
    assert_int_equal(find(&map, "intents", "L"), ACTION_FILTER);
    assert_int_equal(find(&map, "intents", "l"), -1);
    end(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_gives_its_keys_and_takes_the_old_ones),
        cmocka_unit_test(a_key_given_is_taken_from_who_has_it_by_default),
        cmocka_unit_test(a_key_given_everywhere_holds_everywhere),
        cmocka_unit_test(none_unbinds),
        cmocka_unit_test(a_clash_names_both_lines_and_the_first_holds),
        cmocka_unit_test(a_refused_line_leaves_the_keys_as_they_were),
        cmocka_unit_test(faults_say_line_and_reason),
        cmocka_unit_test(the_way_out_stays),
        cmocka_unit_test(presets_are_clean_and_leave_no_action_without_a_key),
        cmocka_unit_test(a_file_goes_on_from_its_preset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
