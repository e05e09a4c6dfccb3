/* Text that would act on a terminal, in every place where a service can put it. Each is served twice, once as it is and
 * once as the harmless tokens it must become: what the emulator shows must be equal cell by cell, and so must the
 * escape sequences in the record. */
#include "base/mem.h"
#include "base/utf8.h"
#include "support/one_service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

enum {
    ROWS = 50,
    COLS = 200,
    BODY_MAX = 1 << 20,
    TEXT_MAX = 1 << 16,
    NARROW_ROWS = 24,
    NARROW_COLS = 80,
    QUIET_MS = 20,
    BODY_LEN = 2048,
    EVERY = 3
};

/* Cases K1 to K8 and faults T1 to T7. */
static const char *const HOSTILE[] = {
    "First\x1b[2J\x1b[1;1HBank",
    "none\rapproved",
    "\x1b]52;c;QUJD\a\x1b]0;own title\a",
    "North\xE2\x80\xAEknab",
    "A\xE2\x81\xA0\xE2\x81\xA0l\xE2\x81\xA0\xE2\x81\xA0p\xE2\x81\xA0h\xE2\x80\x8D\xE2\x80\x8B\xC2\xADz\xEF\xBB\xBF",
    "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\xF0\x9F\x87\xAB\xF0\x9F\x87\xB7\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7",
    "%s%s%s%n%p",
    "https://ok.example/\x1b]8;;https://evil.example\x1b\\x",
    "[bold]x[/bold]",
    "one\ntwo\ttab\bback\vvt\fff\x7f"
    "del",
    "\xC2\x9B"
    "2J\xC2\x9D"
    "0;t\xC2\x9C\xC2\x90q\xC2\x84\xC2\x85",
    "\x1bP+q\x1b\\\x1b_apc\x1b\\\x1b^pm\x1b\\\x1b"
    "c\x1b#8\x0e\x0f",
    "a\xCC\x81\xCC\x82\xCC\x83\xCC\x84\xCC\x85\xCC\x86\xCC\x87\xCC\x88\xCC\x89\xCC\x8A\xCC\x8B z",
    "\xCC\x81mark first \xEF\xB8\x8F \xE2\x81\xA6iso\xE2\x81\xA9 \xF3\xA0\x81\xA5tag",
    "\a\a\a\a\a\x1b[5m\x1b[8mhidden\x1b[?1049l\x1b[?25l\x1b[999B",
    "\xE2\x80\xA8line\xE2\x80\xA9para",
};

/* Every text field of an intent but its own id, which is another one where other bytes were served (F104) and is never
 * shown alike; @ stands for the text. */
static const char INTENT[] =
    "{\"id\":\"int %02zu\",\"created_at\":\"2026-06-%02zuT10:00:00.000Z\",\"direction\":\"@\",\"user_id\":\"@\","
    "\"amount\":12500,\"guarantee_amount\":7,\"currency\":\"@\",\"status\":\"@\",\"decline_category\":\"@\","
    "\"rail\":\"@\",\"type\":\"@\",\"payment_credential\":{\"id\":\"@\",\"bank_name\":\"@\",\"is_archived\":false,"
    "\"account\":{\"number_mask\":\"@\",\"routing\":\"@\"},\"card\":{\"primary_account_number_mask\":\"@\","
    "\"expiration\":\"@\",\"brand\":\"@\"}},\"account\":{\"id\":\"@\",\"type\":\"@\",\"name\":\"@\",\"created_at\":\"@"
    "\"},"
    "\"transactions\":[{\"id\":\"@\",\"created_at\":\"@\",\"date\":\"@\",\"type\":\"@\",\"status\":\"@\","
    "\"direction\":\"@\",\"currency\":\"@\",\"amount\":1,\"source_id\":\"@\",\"account_id\":\"@\"}],"
    "\"dispute\":{\"status\":\"@\",\"@ reason\":\"@\"},\"refund\":{\"status\":\"@\",\"list\":[\"@\",{\"@\":\"@\"}]},"
    "\"@ unknown\":\"@\"}";

static const char HOSTILE_ID[] = "{\"id\":\"@ %02zu\",\"created_at\":\"2026-06-%02zuT10:00:00.000Z\",\"amount\":12500,"
                                 "\"decline_category\":\"@\",\"status\":\"declined\",\"user_id\":\"u\"}";

static int start(void **state) {
    (void)state;
    return console_serve(&service, (const char *const[]){"--intents", "0", "--style", "request_id=", NULL},
                         "  read_only = true\n")
               ? 0
               : -1;
}

/* The text, or the tokens that it must be shown as. */
static void spell(struct str *out, const char *text, bool hostile) {
    if (hostile)
        str_add(out, text);
    else
        utf8_sanitise(out, text, strlen(text));
}

static void add_json(struct str *out, const char *text) {
    for (const char *s = text; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == '"' || *s == '\\' || *s == 0x7F)
            str_addf(out, "\\u%04x", (unsigned)*s);
        else
            str_add_char(out, *s);
}

static void fill(struct str *out, const char *pattern, const char *text, bool hostile) {
    struct str spelled;
    str_init(&spelled, TEXT_MAX);
    spell(&spelled, text, hostile);
    for (const char *s = pattern; *s; s++)
        if (*s == '@')
            add_json(out, spelled.s);
        else
            str_add_char(out, *s);
    str_clear(&spelled);
}

static void control(struct service *to, const char *method, const char *target, const char *body) {
    struct http_reply reply;
    assert_true(service_control(to, method, target, body, &reply));
    if (reply.status >= 300)
        fail_msg("%s %s: %d %s", method, target, reply.status, reply.body.s);
    http_reply_clear(&reply);
}

static void put_intents(struct service *to, bool ids, bool hostile) {
    struct str body;
    str_init(&body, BODY_MAX);
    for (size_t i = 0; i < COUNT_OF(HOSTILE); i++) {
        char pattern[sizeof INTENT + 64];
        if (ids)
            (void)snprintf(pattern, sizeof pattern, HOSTILE_ID, i, i + 1);
        else
            (void)snprintf(pattern, sizeof pattern, INTENT, i, i + 1);
        str_reset(&body);
        fill(&body, pattern, HOSTILE[i], hostile);
        control(to, "POST", "/control/intents?raw=1", body.s);
    }
    str_clear(&body);
}

/* A picture: every cell with its looks, and the escape sequences written since the last mark. Digits of the title row
 * are times of day and of the run. */
struct shot {
    struct str cells, sequences;
};

static void add_sequences(struct str *out, const char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != '\x1b')
            continue;
        str_add(out, "ESC");
        for (i++; i < len; i++) {
            str_add_char(out, bytes[i]);
            if (bytes[i] != '[' && (bytes[i] >= '@' && bytes[i] <= '~'))
                break;
        }
        str_add_char(out, '\n');
    }
}

static void add_cell(struct str *out, const struct pty_cell *cell, bool hide_digit) {
    bool digit = cell->text[0] >= '0' && cell->text[0] <= '9';
    str_addf(out, "%s.%d.%d.%d.%d%d%d%d%d ", hide_digit && digit ? "0" : cell->text, cell->width, cell->fg, cell->bg,
             cell->bold, cell->underline, cell->italic, cell->reverse, cell->blink);
}

static void take(struct pty *pty, int rows, int cols, struct shot *out) {
    size_t len;
    pty_settle(pty, QUIET_MS);
    pty_mark(pty);
    pty_feed(pty, "\x0c");
    pty_settle(pty, QUIET_MS);
    str_init(&out->cells, BODY_MAX);
    str_init(&out->sequences, BODY_MAX);
    const char *bytes = pty_bytes_since(pty, &len);
    assert_true(len > 0);
    add_sequences(&out->sequences, bytes, len);
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            struct pty_cell cell = pty_cell(pty, row, col);
            add_cell(&out->cells, &cell, row == 0);
        }
        str_add_char(&out->cells, '\n');
    }
}

static void shot_clear(struct shot *shot) {
    str_clear(&shot->cells);
    str_clear(&shot->sequences);
}

static void print_text(const char *cells) {
    for (const char *s = cells; *s && *s != '\n'; s = strchr(s, ' ') + 1)
        print_error("%.*s", *s == '.' ? 1 : (int)strcspn(s + 1, ".") + 1, *s == '.' ? " " : s);
    print_error("\n");
}

/* Ends the test at the first row that differs, with both on stderr. */
static void same(const struct shot *hostile, const struct shot *harmless, const char *what) {
    const char *a = hostile->cells.s, *b = harmless->cells.s;
    for (int row = 0; *a && *b; row++) {
        size_t len = strcspn(a, "\n") + 1;
        if (strncmp(a, b, len) != 0) {
            print_text(a);
            print_text(b);
            fail_msg("%s: row %d differs", what, row);
        }
        a += len;
        b += len;
    }
    assert_int_equal(*a, *b);
    if (strcmp(hostile->sequences.s, harmless->sequences.s) != 0)
        fail_msg("%s: sequences differ:\n%s\nand\n%s", what, hostile->sequences.s, harmless->sequences.s);
}

/* Over the whole record: no title, clipboard, hyperlink, string, C1 or bell. */
static void quiet(struct pty *pty) {
    static const char *const never[] = {"\x1b]", "\x1bP", "\x1b_",   "\x1b^",  "\x1bX",
                                        "\x1b#", "\a",    "\x1b[5m", "\x1b[8m"};
    size_t len;
    const unsigned char *bytes = (const unsigned char *)pty_bytes(pty, &len);
    for (size_t i = 0; i < COUNT_OF(never); i++)
        if (memmem(bytes, len, never[i], strlen(never[i])))
            fail_msg("the record holds forbidden sequence %zu", i);
    for (size_t i = 0; i + 1 < len; i++)
        if (bytes[i] == 0xC2 && bytes[i + 1] >= 0x80 && bytes[i + 1] < 0xA0)
            fail_msg("the record holds a C1 character at %zu", i);
    assert_int_equal(pty_bells(pty), 0);
    assert_string_equal(pty_title(pty), "");
}

static void leave(struct pty *pty) {
    int status;
    quiet(pty);
    pty_feed(pty, "Q");
    assert_true(pty_wait(pty, 20, &status));
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    quiet(pty);
    pty_free(pty);
}

/* The list, then the detail of each row from its top and from its end. */
enum { LOOKS = 1 + 2 * COUNT_OF(HOSTILE) };
static void browse(bool ids, bool hostile, int rows, int cols, struct shot shots[LOOKS]) {
    struct service own;
    size_t n = 0;
    assert_true(console_serve(&own, (const char *const[]){"--intents", "0", NULL}, ""));
    put_intents(&own, ids, hostile);
    struct pty *pty = console_open(&own, rows, cols);
    assert_true(pty_expect(pty, "end of the list seen", 20));
    take(pty, rows, cols, &shots[n++]);
    for (size_t i = 0; i < COUNT_OF(HOSTILE); i++) {
        pty_feed(pty, "\r");
        assert_true(pty_expect(pty, "decline_category", 20));
        take(pty, rows, cols, &shots[n++]);
        pty_feed(pty, "G");
        take(pty, rows, cols, &shots[n++]);
        pty_feed(pty, "J");
        assert_true(pty_expect(pty, "\"amount\": 12500", 20));
        pty_feed(pty, "J");
        pty_settle(pty, 100);
        pty_feed(pty, "\x1b");
        assert_true(pty_expect(pty, "created UTC", 20));
        pty_feed(pty, "j");
    }
    leave(pty);
    (void)service_stop(&own);
}

static void browse_both(int rows, int cols) {
    struct shot hostile[LOOKS], harmless[LOOKS];
    browse(false, true, rows, cols, hostile);
    browse(false, false, rows, cols, harmless);
    for (size_t i = 0; i < LOOKS; i++) {
        char what[64];
        (void)snprintf(what, sizeof what, "%dx%d, look %zu", rows, cols, i);
        same(&hostile[i], &harmless[i], what);
        shot_clear(&hostile[i]);
        shot_clear(&harmless[i]);
    }
}

static void k1_to_k8_every_field_of_an_intent_is_text_on_a_wide_screen(void **state) {
    (void)state;
    browse_both(ROWS, COLS);
}

static void k1_to_k8_every_field_of_an_intent_is_text_on_a_narrow_screen(void **state) {
    (void)state;
    browse_both(NARROW_ROWS, NARROW_COLS);
}

/* Nothing of it acts on the terminal: browse looks at all that was written. */
static void k1_to_k8_an_id_is_text(void **state) {
    struct shot shots[LOOKS];
    (void)state;
    browse(true, true, ROWS, COLS, shots);
    for (size_t i = 0; i < LOOKS; i++)
        shot_clear(&shots[i]);
}

/* Where a failing answer carries text. The rule's %s is its place. */
static const struct {
    const char *name, *rule, *body;
    bool header;
} FAILURES[] = {
    {"error text", "path=/intent/list status=400 body_file=%s", "{\"error\":\"@\"}", false},
    {"error object", "path=/intent/list status=422 body_file=%s",
     "{\"error\":{\"code\":\"@\",\"message\":\"@\",\"@ param\":\"@\"}}", false},
    {"field errors", "path=/intent/list status=400 body_file=%s", "{\"errors\":{\"@ f\":[\"@\",\"@\"]}}", false},
    {"plain text", "path=/intent/list status=502 type=text/plain body_file=%s", "@", false},
    {"page of html", "path=/intent/list status=502 type=text/html body_file=%s", "<html><title>@</title>@", false},
    {"redirect", "path=/intent/list status=307 header=\"Location: https://else.example/%s\"", NULL, true},
    {"retry", "path=/intent/list status=400 header=\"Retry-After: %s\"", NULL, true},
    {"request id", "path=/intent/list status=400 header=\"Request-Id: %s\" header=\"X-Request-Id: %s\"", NULL, true},
    {"content type", "path=/intent/list status=400 type=\"text/%s\"", NULL, true},
    {"cursor", "path=/intent/list cursor_text=\"%s\"", NULL, true},
};

/* In a rule's double quotes. */
static void add_quoted(struct str *out, const char *text) {
    for (const char *s = text; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == '"' || *s == '\\' || (unsigned char)*s >= 0x7F)
            str_addf(out, "\\x%02X", (unsigned)(unsigned char)*s);
        else
            str_add_char(out, *s);
}

static void set_rule(size_t which, const char *text, bool hostile) {
    struct str rule, place, spelled;
    str_init(&rule, TEXT_MAX);
    str_init(&place, TEXT_MAX);
    str_init(&spelled, TEXT_MAX);
    spell(&spelled, text, hostile);
    if (FAILURES[which].header) {
        add_quoted(&place, spelled.s);
    } else {
        struct str body;
        str_init(&body, TEXT_MAX);
        str_addf(&place, "%s/bait", service.folder);
        if (FAILURES[which].body[0] == '{')
            fill(&body, FAILURES[which].body, text, hostile);
        else
            for (const char *s = FAILURES[which].body; *s; s++)
                str_add_n(&body, *s == '@' ? spelled.s : s, *s == '@' ? spelled.len : 1);
        while (body.len < BODY_LEN) /* the size is told */
            str_add_char(&body, '\n');
        assert_true(proc_write_file(place.s, body.s));
        str_clear(&body);
    }
    for (const char *s = FAILURES[which].rule; *s; s++)
        if (s[0] == '%')
            str_add(&rule, place.s), s++;
        else
            str_add_char(&rule, *s);
    control(&service, "DELETE", "/control/rules", NULL);
    control(&service, "POST", "/control/rules", rule.s);
    str_clear(&rule);
    str_clear(&place);
    str_clear(&spelled);
}

static void fail_once(struct pty *pty, size_t which, const char *text, bool hostile, struct shot *shot) {
    int before = service_journal_count(&service, "/intent/list", "");
    set_rule(which, text, hostile);
    pty_feed(pty, "r");
    assert_true(console_asks(pty, &service, "/intent/list", "", before)); /* by hand it works once a second */
    take(pty, ROWS, COLS, shot);
}

static bool can_be_header(const char *text) {
    return !strpbrk(text, "\r\n");
}

/* An excerpt of a page has blanks where text of JSON has tokens: what is around it counts. */
static bool is_page(size_t which) {
    return FAILURES[which].body && FAILURES[which].body[0] != '{';
}

static void forget_message(struct shot *shot) {
    for (int lines = 0; shot->cells.len > 0; shot->cells.len--) {
        lines += shot->cells.s[shot->cells.len - 1] == '\n';
        if (lines == 2)
            break;
    }
    shot->cells.s[shot->cells.len] = '\0';
    str_reset(&shot->sequences);
}

static void t1_t8_failures_on_the_screen_are_text(void **state) {
    (void)state;
    struct pty *pty = console_open(&service, ROWS, COLS);
    assert_true(pty_expect(pty, "end of the list seen", 20));
    for (size_t which = 0; which < COUNT_OF(FAILURES); which++) {
        for (size_t i = which % EVERY; i < COUNT_OF(HOSTILE); i += EVERY) { /* all of them, over the places */
            struct shot hostile, harmless;
            char what[128];
            if (FAILURES[which].header && !can_be_header(HOSTILE[i]))
                continue;
            fail_once(pty, which, HOSTILE[i], true, &hostile);
            fail_once(pty, which, HOSTILE[i], false, &harmless);
            if (is_page(which)) {
                forget_message(&hostile);
                forget_message(&harmless);
            }
            (void)snprintf(what, sizeof what, "%s, text %zu", FAILURES[which].name, i);
            same(&hostile, &harmless, what);
            shot_clear(&hostile);
            shot_clear(&harmless);
            quiet(pty);
        }
    }
    control(&service, "DELETE", "/control/rules", NULL);
    leave(pty);
}

/* Ours alone: a column behind a cluster that terminals draw otherwise (F56), further right than the line's edge, never
 * beyond the window's, and the cluster before it. */
static void only_columns_are_addressed(const char *bytes, size_t len) {
    for (const char *at = bytes; (at = memchr(at, '\x1b', len - (size_t)(at - bytes))) != NULL; at++) {
        char *end;
        bool opens = at > bytes && (unsigned char)at[-1] >= 0x80 && at[1] == '[' && at[2] >= '1' && at[2] <= '9';
        long column = opens ? strtol(at + 2, &end, 10) : 0;
        if (column < 2 || column > COLS || *end != 'G')
            fail_msg("%.*s", 20, at);
    }
}

/* What a command writes to a terminal, in any format. */
static void t8_the_command_line_on_a_terminal_is_quiet(void **state) {
    (void)state;
    static const char *const formats[] = {"table", "csv", "json", "ndjson"};
    struct service own;
    assert_true(console_serve(&own, (const char *const[]){"--intents", "0", NULL}, ""));
    put_intents(&own, true, true);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        const char *const args[] = {"intents", "list", "--format", formats[i], NULL};
        const struct pty_options options = {.rows = ROWS, .cols = COLS};
        size_t len;
        int status;
        struct pty *pty = console_open_args(&own, args, &options);
        assert_true(pty_wait(pty, 20, &status));
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        quiet(pty);
        const char *bytes = pty_bytes(pty, &len);
        assert_non_null(memmem(bytes, len, "evil.example", strlen("evil.example")));
        only_columns_are_addressed(bytes, len);
        pty_free(pty);
    }
    (void)service_stop(&own);
}

/* K24 and K30: files that other programs would obey, at home and in the folder of the run. */
static void k24_k30_files_of_other_programs_are_not_obeyed(void **state) {
    (void)state;
    static const char *const names[] = {".netrc", ".curlrc", ".env", "config.toml", "bursar.conf", ".bursar"};
    const struct pty_options options = {.rows = ROWS, .cols = COLS, .folder = service.folder};
    const char *const args[] = {"intents", "list", "--format", "ndjson", NULL};
    int status, before = service_journal_count(&service, "/intent/list", "\"status\":200");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct str path;
        str_init(&path, TEXT_MAX);
        str_addf(&path, "%s/%s", service.folder, names[i]);
        assert_true(proc_write_file(path.s, "machine 127.0.0.1 login else password else\n"
                                            "url = http://127.0.0.1:1/\nbase_url = 'http://127.0.0.1:1'\n"
                                            "BURSAR_PROFILE=else\n"));
        str_clear(&path);
    }
    struct pty *pty = console_open_args(&service, args, &options);
    assert_true(pty_wait(pty, 20, &status));
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pty_free(pty);
    assert_int_equal(service_journal_count(&service, "/intent/list", "\"status\":200"), before + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k1_to_k8_every_field_of_an_intent_is_text_on_a_wide_screen),
        cmocka_unit_test(k1_to_k8_every_field_of_an_intent_is_text_on_a_narrow_screen),
        cmocka_unit_test(k1_to_k8_an_id_is_text),
        cmocka_unit_test(t1_t8_failures_on_the_screen_are_text),
        cmocka_unit_test(t8_the_command_line_on_a_terminal_is_quiet),
        cmocka_unit_test(k24_k30_files_of_other_programs_are_not_obeyed),
    };
    return cmocka_run_group_tests(tests, start, stop_service);
}
