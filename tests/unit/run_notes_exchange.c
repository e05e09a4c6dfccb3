/* What the notes lane exchanges with a team's store, in a PostgreSQL of the test's own: once, and only when there is
 * something to exchange. */
#include "app/notes.h"
#include "base/digest.h"
#include "base/path.h"
#include "run/files/notes_file.h"
#include "run/files/views.h"
#include "run/lanes/journal_lane.h"
#include "run/lanes/notes_lane.h"
#include "unit/team_desks.h"

#include <inttypes.h>

struct home {
    struct profile *profile;
    char *folder;
    struct team_side *side;
    struct exchange_memory memories[EXCHANGE_COUNT];
};

/* Of one person, at several machines. */
static void open_home(struct home *home) {
    struct str who;
    str_init(&who, NOTE_WHO_MAX);
    journal_who(&who);
    *home = (struct home){.profile = profile_new("acme", "sandbox", "https://api.example.com"),
                          .folder = proc_folder_new()};
    free(home->profile->team_store);
    free(home->profile->team_key_file);
    home->profile->team_store = mem_dup(desks.store);
    home->profile->team_key_file = mem_dup(desks.key);
    home->side = team_side_new(home->profile, home->folder, who.s);
    str_clear(&who);
}

static void close_home(struct home *home) {
    team_side_free(home->side);
    profile_free(home->profile);
    proc_folder_remove(home->folder);
}

static enum err exchange(struct home *home, enum notes_exchange_kind kind, int64_t news) {
    struct error error = {0};
    enum err err = notes_exchange(home->side, home->folder, kind, news, &home->memories[kind], &error);
    team_rest(home->side->team);
    return err;
}

static void tag(const struct home *home, enum note_kind kind, const char *text, int64_t at) {
    const struct notes_place place = notes_place_of(home->folder, home->profile);
    struct notes_ask *ask = notes_ask_new();
    struct notes_answer answer = {0};
    const struct note where = {.id = "int_1", .at = at};
    struct error error = {0};
    assert_int_equal(notes_ask_tags(ask, &where, text, &error), ERR_OK);
    ask->items[0].kind = kind;
    notes_file_answer(&place, ask, home->side->who.s, &answer);
    assert_int_equal(answer.error.code, ERR_OK);
    notes_free(answer.notes);
    notes_ask_free(ask);
}

static size_t tags_of(const struct home *home) {
    const struct notes_place place = notes_place_of(home->folder, home->profile);
    struct notes_answer answer = {0};
    notes_file_answer(&place, NULL, NULL, &answer);
    assert_int_equal(answer.error.code, ERR_OK);
    const struct notes_subject *subject = notes_find(answer.notes, NOTE_OF_INTENT, "int_1", 5);
    size_t n = subject ? subject->n_tags : 0;
    notes_free(answer.notes);
    return n;
}

/* A store that is away would say so, were it asked. */
static void where_nothing_changed_nothing_is_asked(void **state) {
    (void)state;
    skip_without_postgres();
    struct home anna;
    open_home(&anna);
    tag(&anna, NOTE_TAG, "vip", 10);
    assert_int_equal(exchange(&anna, EXCHANGE_NOTES, 7), ERR_OK);
    assert_int_equal(exchange(&anna, EXCHANGE_VIEWS, 7), ERR_OK);
    assert_true(postgres_halt(&desks.postgres, true));
    assert_int_equal(exchange(&anna, EXCHANGE_NOTES, 7), ERR_OK);
    assert_int_equal(exchange(&anna, EXCHANGE_VIEWS, 7), ERR_OK);
    assert_int_equal(exchange(&anna, EXCHANGE_VIEWS, 8), ERR_STORE);  /* there is news */
    assert_int_equal(exchange(&anna, EXCHANGE_VIEWS, 8), ERR_STORE);  /* and it was not taken in */
    assert_int_equal(exchange(&anna, EXCHANGE_NOTES, -1), ERR_STORE); /* nobody knows */
    assert_true(postgres_resume(&desks.postgres));
    close_home(&anna);
    open_home(&anna);
    assert_int_equal(exchange(&anna, EXCHANGE_NOTES, 7), ERR_OK);
    assert_true(postgres_halt(&desks.postgres, true));
    tag(&anna, NOTE_TAG, "vip", 10);
    assert_int_equal(exchange(&anna, EXCHANGE_NOTES, 7), ERR_STORE); /* there is something to send */
    assert_true(postgres_resume(&desks.postgres));
    close_home(&anna);
}

static void change_views(struct home *home, enum views_act act, const char *text) {
    struct views_kept kept;
    views_do(home->folder, home->profile, &(struct views_wish){.act = act, .text = text}, &kept);
    if (kept.error.code != ERR_OK)
        fail_msg("%s", kept.error.text);
    views_kept_clear(&kept);
}

/* Each kind has a place of its own: one that is far ahead hides nothing of the other. */
static void kinds_are_exchanged_apart(void **state) {
    (void)state;
    skip_without_postgres();
    struct home anna, ben;
    struct saved_views own;
    struct shared_views shared;
    open_home(&anna);
    open_home(&ben);
    change_views(&anna, VIEWS_PUT, "view lost\nfilter bank:one\n");
    change_views(&anna, VIEWS_SHARE, "lost");
    assert_int_equal(exchange(&anna, EXCHANGE_VIEWS, -1), ERR_OK);
    for (int i = 0; i < 3; i++)
        tag(&anna, i % 2 ? NOTE_UNTAG : NOTE_TAG, "vip", 10 + i);
    assert_int_equal(exchange(&anna, EXCHANGE_NOTES, -1), ERR_OK);
    assert_sql("SELECT string_agg(kind || ' ' || n, ',') FROM (SELECT kind, count(*) AS n FROM notes GROUP BY kind "
               "ORDER BY kind) AS k",
               "note 3,view 1");
    assert_int_equal(exchange(&ben, EXCHANGE_NOTES, -1), ERR_OK);
    assert_int_equal(tags_of(&ben), 1);
    views_read(ben.folder, ben.profile, &own, &shared);
    assert_int_equal(shared_views_count(&shared), 0);
    shared_views_clear(&shared);
    saved_views_clear(&own);
    assert_int_equal(exchange(&ben, EXCHANGE_VIEWS, -1), ERR_OK);
    views_read(ben.folder, ben.profile, &own, &shared);
    assert_int_equal(shared_views_count(&shared), 1);
    shared_views_clear(&shared);
    saved_views_clear(&own);
    close_home(&anna);
    close_home(&ben);
}

/* Taken off at one machine and put on later at another, both away from the store: whoever comes back first. */
static void a_tag_ends_alike_on_both_machines(void **state) {
    (void)state;
    skip_without_postgres();
    for (int first = 0; first < 2; first++) {
        struct home homes[2];
        (void)make_tables(NULL);
        open_home(&homes[0]);
        open_home(&homes[1]);
        tag(&homes[0], NOTE_TAG, "vip", 10);
        for (int i = 0; i < 2; i++)
            assert_int_equal(exchange(&homes[i], EXCHANGE_NOTES, -1), ERR_OK);
        tag(&homes[0], NOTE_UNTAG, "vip", 20);
        tag(&homes[1], NOTE_TAG, "vip", 30);
        for (int i = 0; i < 4; i++)
            assert_int_equal(exchange(&homes[(i + first) % 2], EXCHANGE_NOTES, -1), ERR_OK);
        assert_int_equal(tags_of(&homes[0]), 1);
        assert_int_equal(tags_of(&homes[1]), 1);
        close_home(&homes[0]);
        close_home(&homes[1]);
    }
}

static void what_is_said_now_holds_though_a_clock_was_ahead(void **state) {
    (void)state;
    skip_without_postgres();
    struct home home;
    open_home(&home);
    tag(&home, NOTE_TAG, "vip", 5000);
    tag(&home, NOTE_UNTAG, "vip", 20);
    assert_int_equal(tags_of(&home), 0);
    tag(&home, NOTE_TAG, "vip", 20);
    assert_int_equal(tags_of(&home), 1);
    close_home(&home);
}

/* What a program of before that knew fewer kinds has read is behind its place; here it is asked for again. */
static void another_format_is_asked_for_from_the_start(void **state) {
    (void)state;
    skip_without_postgres();
    struct home anna, ben;
    struct str path, name, text;
    open_home(&anna);
    open_home(&ben);
    tag(&anna, NOTE_TAG, "vip", 10);
    assert_int_equal(exchange(&anna, EXCHANGE_NOTES, -1), ERR_OK);
    str_init(&path, 4096);
    str_init(&name, 4096);
    str_init(&text, 4096);
    assert_int_equal(team_file_path(ben.folder, "team-notes-", "acme", &path, NULL), ERR_OK);
    str_addf(&name, "%s\n%s\n%s\n", desks.store, ben.profile->origin, "");
    str_addf(&text, "%016" PRIx64 " 0 1000 %s\n", digest_short(name.s, name.len), "ff");
    assert_int_equal(path_replace(path.s, text.s, text.len, NULL), ERR_OK);
    assert_int_equal(exchange(&ben, EXCHANGE_NOTES, -1), ERR_OK);
    assert_int_equal(tags_of(&ben), 1);
    str_clear(&path);
    str_clear(&name);
    str_clear(&text);
    close_home(&anna);
    close_home(&ben);
}

static void what_the_store_refuses_keeps_nobody_from_taking_in(void **state) {
    (void)state;
    skip_without_postgres();
    struct home anna, ben;
    open_home(&anna);
    open_home(&ben);
    tag(&anna, NOTE_TAG, "vip", 10);
    assert_int_equal(exchange(&anna, EXCHANGE_NOTES, -1), ERR_OK);
    run_sql("ALTER TABLE notes ADD CONSTRAINT refused CHECK (kind = '') NOT VALID");
    tag(&ben, NOTE_TAG, "late", 20);
    assert_int_not_equal(exchange(&ben, EXCHANGE_NOTES, -1), ERR_OK);
    assert_int_equal(tags_of(&ben), 2);
    run_sql("ALTER TABLE notes DROP CONSTRAINT refused");
    assert_int_equal(exchange(&ben, EXCHANGE_NOTES, -1), ERR_OK);
    assert_sql("SELECT count(*) FROM notes", "2");
    close_home(&anna);
    close_home(&ben);
}

/* Lines that came are added once, whether they are in the file or came twice. */
static void what_is_there_is_not_added_again(void **state) {
    (void)state;
    struct home home = {.profile = profile_new("acme", "sandbox", "https://api.example.com"),
                        .folder = proc_folder_new()};
    const struct notes_place place = notes_place_of(home.folder, home.profile);
    struct str lines, text;
    str_init(&lines, 4096);
    str_init(&text, 1 << 16);
    for (int i = 0; i < 3; i++)
        notes_print(&(struct note){NOTE_TEXT, NOTE_OF_INTENT, "i", i, "kim at desk-1", "one"}, &lines);
    notes_print(&(struct note){NOTE_TEXT, NOTE_OF_INTENT, "i", 1, "kim at desk-1", "one"}, &lines);
    for (int i = 0; i < 2; i++)
        assert_int_equal(notes_file_take(&place, lines.s, NULL), ERR_OK);
    notes_print(&(struct note){NOTE_TEXT, NOTE_OF_INTENT, "i", 9, "kim at desk-1", "one"}, &lines);
    assert_int_equal(notes_file_take(&place, lines.s, NULL), ERR_OK);
    assert_int_equal(notes_file_text(&place, &text, NULL), ERR_OK);
    assert_int_equal(text_times(text.s, "one"), 4);
    str_clear(&lines);
    str_clear(&text);
    profile_free(home.profile);
    proc_folder_remove(home.folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DESKS(where_nothing_changed_nothing_is_asked),
        WITH_DESKS(kinds_are_exchanged_apart),
        WITH_DESKS(a_tag_ends_alike_on_both_machines),
        WITH_DESKS(another_format_is_asked_for_from_the_start),
        WITH_DESKS(what_the_store_refuses_keeps_nobody_from_taking_in),
        cmocka_unit_test(what_is_there_is_not_added_again),
        WITH_DESKS(what_is_said_now_holds_though_a_clock_was_ahead),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
