/* The naughty strings pasted into the form of the real program: what the service received is what was confirmed, byte
 * for byte. */
#include "../unit/base_corpora.h"
#include "base/mem.h"
#include "support/console.h"
#include "wire/body.h"

#include <string.h>

enum { SECONDS = 30, FIELDS = 6, REGISTRATIONS = 24, TEXT_MAX = 300 };
/* Pasted into, in the order of the form; no string for a name holds what would be offered to be split. */
static const char *const PATHS[FIELDS] = {
    "name.first",         "name.last", "address.address_line_1", "address.locality", "address.administrative_area",
    "address.postal_code"};

struct corpus {
    struct str text;
    struct body *tree;
    size_t at;
};

static void corpus_open(struct corpus *corpus) {
    corpora_read("text/naughty-strings.json", &corpus->text);
    corpus->at = 0;
    assert_int_equal(body_read(corpus->text.s, corpus->text.len, &corpus->tree, NULL), ERR_OK);
}

static void corpus_close(struct corpus *corpus) {
    body_free(corpus->tree);
    str_clear(&corpus->text);
}

static bool is_usable(const char *text, size_t len) {
    bool usable = len > 0 && len <= TEXT_MAX && strlen(text) == len && !strpbrk(text, " ,");
    for (size_t i = 0; usable && i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        /* C1 characters are blocked like other controls; in UTF-8 they begin with C2. */
        usable = c >= 0x20 && c != 0x7F && !(c == 0xC2 && (unsigned char)text[i + 1] < 0xA0);
        usable = usable && strncmp(text + i, "\xE2\x80\xA8", 3) != 0 && strncmp(text + i, "\xE2\x80\xA9", 3) != 0;
    }
    return usable;
}

/* As many as time allows: all of them go through every field without a terminal (screen/people.c). */
static const char *corpus_next(struct corpus *corpus) {
    const struct body_value *all = body_root(corpus->tree);
    for (;;) {
        size_t len;
        const char *text = body_string(body_item(all, corpus->at), &len);
        assert_true(corpus->at < body_count(all));
        corpus->at++;
        if (text && is_usable(text, len))
            return text;
    }
}

static void paste(struct pty *pty, const char *text) {
    struct str bytes;
    str_init(&bytes, 4096);
    str_addf(&bytes, "\x1b[200~%s\x1b[201~\t", text);
    pty_feed_n(pty, bytes.s, bytes.len);
    str_clear(&bytes);
}

/* From the first field to the receipt. */
static void register_one(struct pty *pty, const char *const texts[FIELDS], int n) {
    char rest[128];
    pty_feed(pty, "\r");
    for (int i = 0; i < FIELDS; i++) {
        paste(pty, texts[i]);
        if (i == 1)
            pty_feed(pty, "\t"); /* no country */
    }
    (void)snprintf(rest, sizeof rest, "ann@a.example\t\t\t\t\tkey-%03d\ty", n);
    pty_feed(pty, rest);
    assert_true(pty_expect(pty, "yes, verified", SECONDS));
    pty_feed(pty, "\r");
    assert_true(pty_expect(pty, "[ Send it ]", SECONDS));
    pty_settle(pty, 700); /* stray keys are waited for as long */
    console_read_review(pty);
    pty_feed(pty, "\x1b[C\r");
    assert_true(pty_expect(pty, "Registered as usr_", SECONDS));
    pty_feed(pty, "n");
    assert_true(pty_expect(pty, "nothing is sent before the review", SECONDS));
}

static const char *text_at(const struct body_value *user, const char *path) {
    const char *dot = strchr(path, '.');
    char *group = mem_dup_n(path, (size_t)(dot - path));
    const char *text = body_string(body_member(body_member(user, group), dot + 1), NULL);
    free(group);
    return text;
}

static const struct body_value *user_of(const struct body_value *users, int n) {
    char tag[16];
    (void)snprintf(tag, sizeof tag, "key-%03d", n);
    for (size_t i = 0; i < body_count(users); i++) {
        const struct body_value *user = body_member(body_item(users, i), "body");
        const char *own = body_string(body_member(user, "tag"), NULL);
        if (own && strcmp(own, tag) == 0)
            return user;
    }
    fail_msg("%s did not arrive", tag);
    return NULL;
}

static void arrived(struct service *service, const char *texts[REGISTRATIONS][FIELDS]) {
    struct http_reply reply;
    struct body *tree = NULL;
    assert_true(service_control(service, "GET", "/control/users", NULL, &reply));
    assert_int_equal(body_read(reply.body.s, reply.body.len, &tree, NULL), ERR_OK);
    const struct body_value *users = body_root(tree);
    for (int n = 0; n < REGISTRATIONS; n++) {
        const struct body_value *user = user_of(users, n);
        for (int i = 0; i < FIELDS; i++) {
            const char *got = text_at(user, PATHS[i]);
            assert_non_null(got);
            assert_string_equal(got, texts[n][i]);
        }
    }
    body_free(tree);
    http_reply_clear(&reply);
}

static void naughty_strings_arrive_as_they_were_confirmed(void **state) {
    (void)state;
    struct corpus corpus;
    struct service service;
    const char *texts[REGISTRATIONS][FIELDS];
    const char *args[] = {"--intents", "20", NULL};
    corpus_open(&corpus);
    assert_true(console_serve(&service, args, ""));
    struct pty *pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "end of the list", SECONDS));
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "Identity verified", SECONDS));
    for (int n = 0; n < REGISTRATIONS; n++) {
        for (int i = 0; i < FIELDS; i++)
            texts[n][i] = corpus_next(&corpus);
        register_one(pty, texts[n], n);
    }
    arrived(&service, texts);
    pty_free(pty);
    (void)service_stop(&service);
    corpus_close(&corpus);
}

static struct pty *open_form(const struct service *service, const char *locale) {
    const char *const extra[] = {locale, NULL}, *const none[] = {NULL};
    const struct pty_options options = {.rows = 24, .cols = 80};
    struct pty *pty = console_open_env(service, none, extra, &options);
    assert_true(pty_expect(pty, "end of the list", SECONDS));
    pty_feed(pty, "2");
    assert_true(pty_expect(pty, "Identity verified", SECONDS));
    pty_feed(pty, "\r");
    return pty;
}

/* What stands in the field, borrowed until the next look. */
static const char *first_name(struct pty *pty) {
    for (int i = 0; i < 24; i++) {
        const char *label = strstr(pty_row(pty, i), "First name");
        if (label) {
            label += strlen("First name");
            return label + strspn(label, " ");
        }
    }
    return "";
}

static void f79_what_is_no_text_here_never_enters_a_field(void **state) {
    static const struct {
        const char *locale, *bytes, *says, *holds;
    } CASES[] = {
        {"LC_ALL=C.UTF-8", "Zo\xEBl", "not taken: it is not UTF-8", "Zol"},
        {"LC_ALL=C.UTF-8", "\x1b[200~M\xFCller\x1b[201~", "nothing was pasted: it is not UTF-8", ""},
        {"LC_ALL=C.UTF-8", "\x1b[200~M\xC3\x1b[201~", "nothing was pasted: it is not UTF-8", ""},
        {"LC_ALL=C.UTF-8", "\x1b[200~M\xEF\xBF\xBDller\x1b[201~", "nothing was pasted: it holds U+FFFD", ""},
        {"LC_ALL=C.UTF-8", "\x1b[200~a\x1b[31mb\x1b[201~", "nothing was pasted: it holds control characters", ""},
        {"LC_ALL=C.UTF-8", "\x1b[200~c1\xC2\x9BJx\x1b[201~", "nothing was pasted: it holds control characters", ""},
        {"LC_ALL=C.UTF-8", "Ann\xE2\x82", "not taken: it is not UTF-8", "Ann"}, /* the rest never comes */
        {"LC_ALL=C", "Zo\xC3\xAB", "not taken: no text in ANSI_X3.4-1968", "Zo"},
        {"LC_ALL=C", "\x1b[200~M\xC3\xBCller\x1b[201~", "nothing was pasted: no text in ANSI_X3.4-1968", ""},
    };
    struct service service;
    const char *args[] = {"--intents", "20", NULL};
    (void)state;
    assert_true(console_serve(&service, args, ""));
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        struct pty *pty = open_form(&service, CASES[i].locale);
        pty_feed(pty, CASES[i].bytes);
        assert_true(pty_expect(pty, CASES[i].says, SECONDS));
        assert_string_equal(first_name(pty), CASES[i].holds);
        pty_free(pty);
    }
    (void)service_stop(&service);
}

static void f79_the_filter_prompt_refuses_it_too(void **state) {
    struct service service;
    const char *args[] = {"--intents", "20", NULL};
    (void)state;
    assert_true(console_serve(&service, args, ""));
    struct pty *pty = console_open(&service, 24, 80);
    assert_true(pty_expect(pty, "end of the list", SECONDS));
    pty_feed(pty, "/M\xFC");
    assert_true(pty_expect(pty, "not taken: it is not UTF-8", SECONDS));
    pty_feed(pty, "\x1b[200~\xFCx\x1b[201~");
    assert_true(pty_expect(pty, "nothing was pasted: it is not UTF-8", SECONDS));
    pty_free(pty);
    (void)service_stop(&service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f79_what_is_no_text_here_never_enters_a_field),
        cmocka_unit_test(f79_the_filter_prompt_refuses_it_too),
        cmocka_unit_test(naughty_strings_arrive_as_they_were_confirmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
