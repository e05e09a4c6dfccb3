/* The naughty strings and the grapheme corpus through every field of the form: what leaves is what stood there, byte
 * for byte, or the field refused it. */
#include "../unit/base_corpora.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "support/driver.h"
#include "wire/body.h"
#include "wire/user.h"

#include <locale.h>
#include <string.h>

enum { CALM = 1000, FIELDS = 14 };

/* From top to bottom, where no country is chosen and the kind of id is typed. */
static const enum user_field ORDER[FIELDS] = {USER_FIRST,   USER_LAST,     USER_COUNTRY,  USER_STREET, USER_LOCALITY,
                                              USER_AREA,    USER_POSTAL,   USER_EMAIL,    USER_PHONE,  USER_BIRTH,
                                              USER_ID_TYPE, USER_ID_LAST4, USER_ID_STATE, USER_TAG};

static struct journal_answer *answer_of(enum journal_task task) {
    struct journal_answer *answer = journal_answer_new(task);
    memcpy(answer->nonce, "00112233445566778899aabbccddeeff", sizeof answer->nonce);
    return answer;
}

static void open_form(struct driver *driver) {
    struct profile *profile = profile_new("acme-eu", "sandbox", "https://api.example.com");
    while (profile->user_required.n > 0) {
        free(profile->user_required.items[--profile->user_required.n]);
        profile->user_required.items[profile->user_required.n] = NULL;
    }
    driver_open_profile(driver, profile, 24, 80);
    driver_journal(driver, answer_of(JOURNAL_COUNTS));
    driver_keys(driver, "2 Enter");
}

typedef void put_fn(struct driver *driver, const char *text);

/* A question about what was pasted is answered with its first button: no splitting, no cutting. */
static void put_pasted(struct driver *driver, const char *text) {
    driver_paste(driver, text);
    if (driver_sees(driver, "What was pasted"))
        driver_key(driver, "Enter");
}

static void put_typed(struct driver *driver, const char *text) {
    driver_text(driver, text);
}

/* The same text into every field but the country, which is chosen. */
static void fill(struct driver *driver, const char *text, put_fn *put) {
    for (int i = 0; i < FIELDS; i++) {
        if (ORDER[i] == USER_ID_TYPE) {
            driver_text(driver, "other");
            driver_key(driver, "Enter"); /* other: type it */
        }
        if (ORDER[i] != USER_COUNTRY)
            put(driver, text);
        driver_key(driver, "Tab");
    }
    driver_text(driver, "y");
}

static bool starts_line(const char *text) {
    return strchr(text, '\n') && strchr(text, '\n')[1];
}

/* What the form should hold: several lines are refused at once, as is the end of a longer id without a yes; an e-mail
 * loses the blanks at its ends, a date gets its dashes. */
static void expect_user(struct user *user, const char *text, put_fn *put) {
    *user = (struct user){0};
    char *one = mem_dup(text);
    size_t len = strlen(one);
    if (len > 0 && one[len - 1] == '\n')
        one[len - 1] = '\0';
    for (int i = 0; i < FIELDS && !starts_line(text); i++) {
        bool cut = ORDER[i] == USER_ID_LAST4 && put == put_pasted && utf8_count(one, strlen(one)) > 4;
        if (ORDER[i] != USER_COUNTRY && !cut)
            user_set(user, ORDER[i], one);
    }
    const char *email = user->text[USER_EMAIL];
    if (email) {
        size_t from = strspn(email, " "), to = strlen(email);
        while (to > from && email[to - 1] == ' ')
            to--;
        char *trimmed = mem_dup_n(email + from, to - from);
        user_set(user, USER_EMAIL, trimmed);
        free(trimmed);
    }
    struct str date;
    str_init(&date, 32);
    if (user->text[USER_BIRTH] && user_date_dashes(user->text[USER_BIRTH], &date))
        user_set(user, USER_BIRTH, date.s);
    str_clear(&date);
    user_set(user, USER_VERIFIED, "true");
    free(one);
}

/* Fields that are refused as they are. */
static size_t blocked(const struct user *user, bool out[USER_FIELD_COUNT]) {
    const struct user_rules rules = {.now = DRIVER_NOW, .ask_verified = true};
    struct user_findings findings = {0};
    user_check(user, &rules, &findings);
    memset(out, 0, USER_FIELD_COUNT * sizeof *out);
    size_t blocks = findings.blocks;
    for (size_t i = 0; i < findings.n; i++)
        out[findings.items[i].field] |= findings.items[i].blocks;
    user_findings_clear(&findings);
    return blocks;
}

/* Takes away what was refused; a last name has to be there. */
static void mend(struct driver *driver, struct user *user, const bool wrong[USER_FIELD_COUNT]) {
    driver_keys(driver, "g Enter");
    for (int i = 0; i < FIELDS; i++) {
        bool name = ORDER[i] == USER_LAST && (wrong[USER_FIRST] || wrong[USER_LAST]);
        if (wrong[ORDER[i]] || name) {
            driver_key(driver, "Ctrl-U");
            user_set(user, ORDER[i], NULL);
        }
        if (name) {
            driver_text(driver, "Sample");
            user_set(user, USER_LAST, "Sample");
        }
        driver_key(driver, "Tab");
    }
    driver_key(driver, "Esc");
}

static void left_as(const struct driver *driver, const struct user *user, const char *text) {
    const struct write_ask *ask = driver_write(driver);
    struct user sent;
    if (!ask)
        fail_msg("\"%s\" was not sent", text);
    assert_int_equal(wire_user_read(ask->body, strlen(ask->body), &sent, NULL), ERR_OK);
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        if (!str_equal(sent.text[i] ? sent.text[i] : "", user->text[i] ? user->text[i] : "")) {
            fail_msg("%s: \"%s\" left as \"%s\"", user_label((enum user_field)i), user->text[i] ? user->text[i] : "",
                     sent.text[i] ? sent.text[i] : "");
        }
    }
    user_clear(&sent);
}

/* To the last line of the review, each page drawn. */
static void read_whole(struct driver *driver) {
    for (int i = 0; i < 1000 && driver_sees(driver, "PgDn shows more"); i++)
        driver_key(driver, "PgDn");
}

static void through_every_field(const char *text, put_fn *put) {
    struct driver driver;
    struct user user;
    bool wrong[USER_FIELD_COUNT];
    open_form(&driver);
    fill(&driver, text, put);
    expect_user(&user, text, put);
    driver_keys(&driver, "Esc s");
    if (blocked(&user, wrong) > 0) {
        driver_shows(&driver, "must be put right first");
        mend(&driver, &user, wrong);
        assert_int_equal(blocked(&user, wrong), 0);
        driver_key(&driver, "s");
    }
    driver_journal(&driver, answer_of(JOURNAL_LOOK));
    read_whole(&driver);
    driver.now += CALM;
    driver_keys(&driver, "Right Enter");
    left_as(&driver, &user, text);
    user_clear(&user);
    driver_close(&driver);
}

static void naughty_strings_leave_as_they_were_pasted_or_are_refused(void **state) {
    (void)state;
    struct str text;
    struct body *tree = NULL;
    size_t n = 0;
    corpora_read("text/naughty-strings.json", &text);
    assert_int_equal(body_read(text.s, text.len, &tree, NULL), ERR_OK);
    for (size_t i = 0; i < body_count(body_root(tree)); i++) {
        size_t len;
        const char *given = body_string(body_item(body_root(tree), i), &len);
        if (given && len > 0 && strlen(given) == len && len <= USER_TEXT_MAX) {
            through_every_field(given, put_pasted);
            n++;
        }
    }
    assert_true(n > 400);
    body_free(tree);
    str_clear(&text);
}

/* One line of the corpus as text; false where it holds what is no text to a keyboard. */
static bool graphemes_of(const char *line, struct str *out) {
    str_reset(out);
    for (const char *s = line; *s && *s != '#' && *s != '\n'; s++) {
        if (strchr("0123456789ABCDEF", *s)) {
            char *end;
            unsigned long cp = strtoul(s, &end, 16);
            if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || (cp >= 0xD800 && cp < 0xE000))
                return false;
            char bytes[4];
            str_add_n(out, bytes, utf8_encode((int32_t)cp, bytes));
            s = end - 1;
        }
    }
    return out->len > 0;
}

static void grapheme_clusters_leave_as_they_were_typed(void **state) {
    (void)state;
    enum { EVERY = 1 }; /* the lines are pairs of a few characters each */
    struct str text, one;
    size_t n = 0, seen = 0;
    corpora_read("text/GraphemeBreakTest.txt", &text);
    str_init(&one, 1024);
    for (const char *line = text.s; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (graphemes_of(line, &one) && seen++ % EVERY == 0) {
            through_every_field(one.s, put_typed);
            n++;
        }
    }
    assert_true(n > 50);
    str_clear(&one);
    str_clear(&text);
}

int main(void) {
    (void)setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naughty_strings_leave_as_they_were_pasted_or_are_refused),
        cmocka_unit_test(grapheme_clusters_leave_as_they_were_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
