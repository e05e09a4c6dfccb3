/* What the screen makes of bytes from a terminal: keys, pastes, the mouse. */
#include "ui_console.h"

static void keys_arrive_by_name(void **state) {
    static const struct {
        const char *bytes, *name;
    } cases[] = {
        {"\033[A", "Up"},      {"\033OB", "Down"},         {"\033[5~", "PgUp"},     {"\033[1;5C", "Right"},
        {"\033OH", "Home"},    {"\033[8~", "End"},         {"\033[Z", "Shift-Tab"}, {"\033OP", "F1"},
        {"\033[24~", "F12"},   {"\033[[B", "F2"},          {"\r", "Enter"},         {"\n", "Enter"},
        {"\177", "Backspace"}, {"\b", "Backspace"},        {"\t", "Tab"},           {"\004", "Ctrl-D"},
        {"\037", "Ctrl-_"},    {"\003", "Ctrl-C"},         {"\032", "Ctrl-Z"},      {"\xc3\xa9", "\u00e9"},
        {" ", "Space"},        {"\xe6\x97\xa5", "\u65e5"}, {"\033[3~", "Del"},      {"\033Op", "0"},
    };
    struct pty *pty = start();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char want[64];
        (void)snprintf(want, sizeof want, "#%zu key %s", i + 1, cases[i].name);
        pty_feed(pty, cases[i].bytes);
        assert_true(pty_expect(pty, want, PATIENCE));
    }
    quit(pty);
}

static void a_lone_escape_arrives_without_another_key(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033");
    assert_true(pty_expect(pty, "#1 key Esc", PATIENCE));
    pty_feed(pty, "k");
    assert_true(pty_expect(pty, "#2 key k", PATIENCE));
    quit(pty);
}

/* kitty's and xterm's reports, as a dead program leaves them on. */
static void f54_keys_of_an_enhanced_protocol_are_read_as_what_they_are(void **state) {
    static const struct {
        const char *bytes, *name;
    } cases[] = {
        {"\033[27u", "Esc"},
        {"\033[27;1:1u", "Esc"},
        {"\033[99;5u", "Ctrl-C"},
        {"\033[27;5;99~", "Ctrl-C"},
        {"\033[99;69u", "Ctrl-C"},
        {"\033[122;5u", "Ctrl-Z"},
        {"\033[106u", "j"},
        {"\033[106;1:2u", "j"},
        {"\033[103:71;2u", "G"},
        {"\033[103;2u", "G"},
        {"\033[27;2;71~", "G"},
        {"\033[13u", "Enter"},
        {"\033[9u", "Tab"},
        {"\033[9;2u", "Shift-Tab"},
        {"\033[127u", "Backspace"},
        {"\033[27;1;13~", "Enter"},
        {"\033[32u", "Space"},
        {"\033[57414u", "Enter"},
        {"\033[57400u", "1"},
        {"\033[49:33;2;33u", "!"},
        {"\033[233u", "\u00e9"},
        {"\033[1;1:1A", "Up"},
        {"\033[5;1:2~", "PgUp"},
        {"\033[106;3u", "Alt with a key"},
        {"\033[27;3;106~", "Alt with a key"},
        {"\033[109;5u", "Enter"},
        {"\033[91;5u", "Esc"},
    };
    struct pty *pty = start();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char want[64];
        (void)snprintf(want, sizeof want, "#%zu key %s", i + 1, cases[i].name);
        /* A release, a modifier by itself and an answer about the protocol are no keys. */
        pty_feed(pty, "\033[106;1:3u\033[1;1:3A\033[5;1:3~\033[57441;2u\033[?1u");
        pty_feed(pty, cases[i].bytes);
        assert_true(pty_expect(pty, want, PATIENCE));
    }
    assert_true(pty_wrote(pty, "\033[<u", 4) && pty_wrote(pty, "\033[=0u", 5) && pty_wrote(pty, "\033[>4;0m", 7));
    quit(pty);
}

static void f55_alt_with_a_key_is_one_key(void **state) {
    static const char *const cases[] = {
        "\0331",      "\033R", "\033\r", "\033\t", "\033\177", "\033\003", "\033]", "\033\xc3\xa9", "\033\xe6\x97\xa5",
        "\033\033[A", "\033[", "\033O",  "\033P",  "\033_",    "\033 "};
    struct pty *pty = start();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char want[64];
        (void)snprintf(want, sizeof want, "#%zu key Alt with a key", i + 1);
        pty_feed(pty, cases[i]);
        assert_true(pty_expect(pty, want, PATIENCE));
    }
    /* Pressed twice it is pressed twice. */
    pty_feed(pty, "\033\033");
    assert_true(pty_expect(pty, "#17 key Esc", PATIENCE));
    quit(pty);
}

static void unknown_sequences_are_swallowed_whole(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033[99;99x\033[?1;2c\033[I\033[57~\xff\xc3(k");
    assert_true(pty_expect(pty, "#2 key k", PATIENCE));
    quit(pty);
}

/* Answers to queries of some earlier program, and the mouse in its old way. */
static void what_a_terminal_answers_is_nobodys_key(void **state) {
    static const char *const ANSWERS[] = {
        "\033]11;rgb:0000/0000/0000\a",
        "\033]11;rgb:1/2/3\033\\",
        "\033P1$r0m\033\\",
        "\033P>|kind 1.0\033\\",
        "\033_Gi=1;OK\033\\",
        "\033[24;80R",
        "\033[?1A",
        "\033[5 A",
        "\033[M !!",
        "\033[8;24;80t",
        "\033[?62;22c",
        "\033[?2026;2$y",
    };
    struct pty *pty = start();

    (void)state;
    for (size_t i = 0; i < COUNT_OF(ANSWERS); i++) {
        char told[32];
        pty_feed(pty, ANSWERS[i]);
        pty_feed(pty, "k");
        (void)snprintf(told, sizeof told, "#%zu key k", i + 1);
        assert_true(pty_expect(pty, told, PATIENCE));
    }
    pty_feed(pty, "\033");
    assert_true(pty_expect(pty, "#13 key Esc", PATIENCE));
    pty_feed(pty, "]11;rgb:1/2/3\ak");
    assert_true(pty_expect(pty, "#14 key k", PATIENCE));
    quit(pty);
}

static void what_only_begins_like_an_answer_are_keys(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033]");
    assert_true(pty_expect(pty, "#1 key Alt with a key", PATIENCE));
    pty_feed(pty, "\033Pk");
    assert_true(pty_expect(pty, "#3 key k", PATIENCE));
    pty_feed(pty, "\033]1;never ended");
    for (int i = 0; i < 100 && !pty_shows(pty, "key j"); i++) { /* it takes a while to be given up */
        pty_settle(pty, 300);
        pty_feed(pty, "j");
        pty_settle(pty, 50);
    }
    assert_true(pty_shows(pty, "key j"));
    quit(pty);
}

/* Bytes one at a time, each after the program has looked at the last: as a slow line delivers them. */
static void feed_split(struct pty *pty, const char *bytes) {
    for (; *bytes != '\0'; bytes++) {
        pty_feed_n(pty, bytes, 1);
        assert_true(pty_taken(pty, PATIENCE));
    }
}

static void a_key_split_over_reads_is_one_key(void **state) {
    struct pty *pty = start();

    (void)state;
    feed_split(pty, "\033[6~");
    assert_true(pty_expect(pty, "#1 key PgDn", PATIENCE));
    feed_split(pty, "\xe6\x97\xa5");
    assert_true(pty_expect(pty, "#2 key \u65e5", PATIENCE));
    quit(pty);
}

static void the_rest_of_a_key_after_its_escape_is_not_text(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033");
    assert_true(pty_expect(pty, "#1 key Esc", PATIENCE));
    pty_feed(pty, "[A");
    assert_true(pty_expect(pty, "#2 key Up", PATIENCE));
    pty_feed(pty, "[");
    assert_true(pty_expect(pty, "#3 key [", PATIENCE));
    quit(pty);
}

static void a_paste_is_one_piece_of_text(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033[200~abc\r\nqyd\rw\tx\033[201~");
    assert_true(pty_expect(pty, "#1 paste 11 cut 0 [abc/qyd/w x]", PATIENCE));
    feed_split(pty, "\033[200~qq\033[201~");
    assert_true(pty_expect(pty, "#2 paste 2 cut 0 [qq]", PATIENCE));
    quit(pty);
}

static void escapes_in_a_paste_are_no_keys(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033[200~a\033q\003\x9b\xff"
                  "b\033[201~");
    assert_true(pty_expect(pty, "#1 paste", PATIENCE));
    assert_true(pty_shows(pty, "[aq"));
    quit(pty);
}

static void a_paste_without_its_end_mark_recovers(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "\033[200~lost end");
    assert_true(pty_expect(pty, "#1 paste 8 cut 1 [lost end]", PATIENCE));
    pty_feed(pty, "k");
    assert_true(pty_expect(pty, "#2 key k", PATIENCE));
    quit(pty);
}

static void a_paste_beyond_the_cap_is_cut_and_its_rest_is_no_key(void **state) {
    size_t len = INPUT_PASTE_MAX + 5000;
    char *text = malloc(len + 1);
    struct pty *pty = start();

    (void)state;
    assert_non_null(text);
    memset(text, 'q', len);
    text[len] = '\0';
    pty_feed(pty, "\033[200~");
    pty_feed_n(pty, text, len);
    pty_feed(pty, "\033[201~");
    assert_true(pty_expect(pty, "#1 paste 65536 cut 1", PATIENCE));
    pty_feed(pty, "k");
    assert_true(pty_expect(pty, "#2 key k", PATIENCE));
    free(text);
    quit(pty);
}

static void a_paste_of_the_cap_without_end_recovers(void **state) {
    char *text = malloc(INPUT_PASTE_MAX + 1);
    struct pty *pty = start();

    (void)state;
    assert_non_null(text);
    memset(text, 'q', INPUT_PASTE_MAX);
    pty_feed(pty, "\033[200~");
    pty_feed_n(pty, text, INPUT_PASTE_MAX);
    assert_true(pty_expect(pty, "#1 paste 65536 cut 1", PATIENCE));
    pty_feed(pty, "\033");
    assert_true(pty_expect(pty, "key Esc", PATIENCE));
    free(text);
    quit(pty);
}

static void a_burst_with_lines_is_a_paste_where_none_is_marked(void **state) {
    struct pty *pty = start();

    (void)state;
    pty_feed(pty, "first line of a text that somebody pasted\rqqq second line of the same text, with words");
    assert_true(pty_expect(pty, "#1 paste 86 cut 0 [first line", PATIENCE));
    quit(pty);
}

static void a_flood_of_one_key_is_not_a_paste(void **state) {
    char flood[3001];
    struct pty *pty = start();

    (void)state;
    memset(flood, 'j', 3000);
    flood[3000] = '\0';
    pty_feed(pty, flood);
    assert_true(pty_expect(pty, "#3000 key j", PATIENCE));
    quit(pty);
}

static void the_mouse_speaks_only_when_asked(void **state) {
    struct pty *pty = start();

    (void)state;
    assert_int_equal(pty_mouse(pty), 0);
    pty_feed(pty, "m");
    assert_true(pty_expect_bytes(pty, "\033[?1006h", PATIENCE));
    pty_feed(pty, "\033[<0;5;3M");
    assert_true(pty_expect(pty, "#2 mouse 1 at 2,4", PATIENCE));
    pty_feed(pty, "\033[<0;5;3m\033[<65;1;1M");
    assert_true(pty_expect(pty, "#3 mouse 5 at 0,0", PATIENCE));
    quit(pty);
}

static void noise_leaves_a_working_keyboard(void **state) {
    struct pty *pty = start();
    unsigned seed = 4711;

    (void)state;
    for (int round = 0; round < 200; round++) {
        static const char alphabet[] = "\033\033\033[[O<;0123456789~MmAZ\xe6\x97\xa5\xff\x9b k\r";
        char noise[40];
        for (size_t i = 0; i < sizeof noise; i++) {
            seed = seed * 1103515245 + 12345;
            noise[i] = alphabet[seed / 65536 % (sizeof alphabet - 1)];
        }
        pty_feed_n(pty, noise, sizeof noise);
    }
    pty_feed(pty, "\033[201~");
    pty_settle(pty, 600); /* the longest that torn sequences and a paste without end are waited for */
    pty_feed(pty, "k");
    assert_true(pty_expect(pty, "key k", PATIENCE));
    quit(pty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_arrive_by_name),
        cmocka_unit_test(a_lone_escape_arrives_without_another_key),
        cmocka_unit_test(f54_keys_of_an_enhanced_protocol_are_read_as_what_they_are),
        cmocka_unit_test(f55_alt_with_a_key_is_one_key),
        cmocka_unit_test(unknown_sequences_are_swallowed_whole),
        cmocka_unit_test(what_a_terminal_answers_is_nobodys_key),
        cmocka_unit_test(what_only_begins_like_an_answer_are_keys),
        cmocka_unit_test(a_key_split_over_reads_is_one_key),
        cmocka_unit_test(the_rest_of_a_key_after_its_escape_is_not_text),
        cmocka_unit_test(a_paste_is_one_piece_of_text),
        cmocka_unit_test(escapes_in_a_paste_are_no_keys),
        cmocka_unit_test(a_paste_without_its_end_mark_recovers),
        cmocka_unit_test(a_paste_beyond_the_cap_is_cut_and_its_rest_is_no_key),
        cmocka_unit_test(a_paste_of_the_cap_without_end_recovers),
        cmocka_unit_test(a_burst_with_lines_is_a_paste_where_none_is_marked),
        cmocka_unit_test(a_flood_of_one_key_is_not_a_paste),
        cmocka_unit_test(the_mouse_speaks_only_when_asked),
        cmocka_unit_test(noise_leaves_a_working_keyboard),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
