/* What is said of a user's fields, and how whole names and addresses come apart. */
#include "base/mem.h"
#include "model/user_split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NOW INT64_C(1795867200000) /* 2026-11-28 12:00:00 UTC */

/* Fields by path, "path=value", up to NULL. */
static void fill(struct user *user, const char *const fields[]) {
    *user = (struct user){0};
    for (size_t i = 0; fields[i]; i++) {
        const char *value = strchr(fields[i], '=') + 1;
        char *path = mem_dup_n(fields[i], (size_t)(value - 1 - fields[i]));
        int field = user_find(path);
        assert_true(field >= 0);
        user_set(user, (enum user_field)field, value);
        free(path);
    }
}

struct said {
    const char *fields[8];
    enum user_field field;
    bool blocks;
    const char *text; /* NULL: nothing is said of the field */
};

static void said_is(const struct said *said, const struct user_rules *rules) {
    struct user user;
    struct user_findings findings = {0};
    fill(&user, said->fields);
    user_check(&user, rules, &findings);
    const struct user_finding *found = user_finding_of(&findings, said->field);
    if (!said->text && found)
        fail_msg("%s: %s %s", said->fields[0], user_label(said->field), found->text);
    else if (said->text && (!found || !strstr(found->text, said->text) || found->blocks != said->blocks))
        fail_msg("%s: wanted \"%s\", found \"%s\"", said->fields[0], said->text, found ? found->text : "nothing");
    user_findings_clear(&findings);
    user_clear(&user);
}

#define NAMED "name.first=Ann", "name.last=Sample"

static void every_line_of_the_table_is_said_at_its_field(void **state) {
    (void)state;
    static const struct said SAID[] = {
        {{"tag=x"}, USER_FIRST, true, "a first or a last name is needed"},
        {{"name.first=Ann\nB"}, USER_FIRST, true, "control character"},
        {{"name.first=A\xFFn"}, USER_FIRST, true, "not valid UTF-8"},
        {{"name.first=Suharto"}, USER_LAST, false, "one name?"},
        {{"name.last=O"}, USER_LAST, false, NULL},
        {{"name.first=Ann", "name.last=O'Sample"}, USER_LAST, false, NULL},
        {{"name.first=Ann2"}, USER_FIRST, false, "digits"},
        {{"name.first= Ann"}, USER_FIRST, false, "blank at an end"},
        {{"name.first=Ann  Marie"}, USER_FIRST, false, "two in a row"},
        {{"name.first=A\u200bnn"}, USER_FIRST, false, "invisible"},
        {{"name.first=A\u202enn"}, USER_FIRST, false, "invisible or direction"},
        {{"name.first=\u0410nn"}, USER_FIRST, false, "mixes alphabets"},
        {{"name.first=\u0410\u043d\u043d\u0430"}, USER_FIRST, false, NULL},
        {{NAMED, "email=ann"}, USER_EMAIL, true, "both sides of an @"},
        {{NAMED, "email=@a.example"}, USER_EMAIL, true, "both sides of an @"},
        {{NAMED, "email=ann@"}, USER_EMAIL, true, "both sides of an @"},
        {{NAMED, "email=an n@a.example"}, USER_EMAIL, true, "blank"},
        {{NAMED, "email=ann@local"}, USER_EMAIL, false, "no dot"},
        {{NAMED, "email=a@b@a.example"}, USER_EMAIL, false, "more than one @"},
        {{NAMED, "email=\u00e4@a.example"}, USER_EMAIL, false, "beyond ASCII"},
        {{NAMED, "email=ann@gmial.com"}, USER_EMAIL, false, "slip"},
        {{NAMED, "date_of_birth=2023-02-29"}, USER_BIRTH, true, "not a calendar day"},
        {{NAMED, "date_of_birth=1900-02-29"}, USER_BIRTH, true, "not a calendar day"},
        {{NAMED, "date_of_birth=29.02.2000"}, USER_BIRTH, true, "not a calendar day"},
        {{NAMED, "date_of_birth=2000-02-29"}, USER_BIRTH, false, NULL},
        {{NAMED, "date_of_birth=2026-11-30"}, USER_BIRTH, true, "future"},
        {{NAMED, "date_of_birth=2026-11-28"}, USER_BIRTH, false, "is today"},
        {{NAMED, "date_of_birth=2026-11-01"}, USER_BIRTH, false, "within the last year"},
        {{NAMED, "date_of_birth=2008-11-29"}, USER_BIRTH, false, "younger than 18"},
        {{NAMED, "date_of_birth=2008-11-28"}, USER_BIRTH, false, NULL},
        {{NAMED, "date_of_birth=1900-03-01"}, USER_BIRTH, false, "older than 110"},
        {{NAMED, "date_of_birth=1970-01-01"}, USER_BIRTH, false, "1 January"},
        {{NAMED, "phone_number=none"}, USER_PHONE, true, "no digit"},
        {{NAMED, "phone_number=555 0100"}, USER_PHONE, false, "no +"},
        {{NAMED, "phone_number=+1234567890123456"}, USER_PHONE, false, "more than 15"},
        {{NAMED, "phone_number=+0123456789"}, USER_PHONE, false, "begins with 0"},
        {{NAMED, "phone_number=00 49 171 1434816"}, USER_PHONE, false, "no + and country code"},
        {{NAMED, "phone_number=+1 555"}, USER_PHONE, false, "fewer than 7"},
        {{NAMED, "phone_number=+1 555 CALL 100"}, USER_PHONE, false, "letters"},
        {{NAMED, "phone_number=+49 171 1434816", "address.country=DE"}, USER_PHONE, false, NULL},
        {{NAMED, "phone_number=+49 171 1434816", "address.country=AT"}, USER_PHONE, false, "is not of Austria"},
        {{NAMED, "phone_number=+1 555 010 0100", "address.country=CA"}, USER_PHONE, false, NULL},
        {{NAMED, "government_id.last4=1234"}, USER_ID_TYPE, true, "is needed"},
        {{NAMED, "government_id.type=passport", "government_id.last4=123"}, USER_ID_LAST4, true, "four characters"},
        {{NAMED, "government_id.type=passport", "government_id.last4=12A4"}, USER_ID_LAST4, false, NULL},
        {{NAMED, "government_id.type=passport", "government_id.last4=12-4"}, USER_ID_LAST4, false, "other than"},
        {{NAMED, "government_id.type=library_card"}, USER_ID_TYPE, false, "neither"},
        {{NAMED, "government_id.type=passport", "government_id.state=IL"}, USER_ID_STATE, false, "no state"},
        {{NAMED, "government_id.type=drivers_license"}, USER_ID_STATE, false, "usual"},
        {{NAMED, "government_id.type=drivers_license", "government_id.state=ZZ"}, USER_ID_STATE, false, "US state"},
        {{NAMED, "government_id.type=drivers_license", "government_id.state=il"}, USER_ID_STATE, false, NULL},
        {{NAMED, "government_id.type=drivers_license", "government_id.state=ZZ", "address.country=DE"},
         USER_ID_STATE,
         false,
         NULL},
        {{NAMED, "tag=a\tb"}, USER_TAG, true, "control character"},
        {{NAMED, "tag=ann@a.example"}, USER_TAG, false, "e-mail"},
        {{NAMED, "tag=123-45-6789"}, USER_TAG, false, "number of an id"},
        {{NAMED, "tag=123456789"}, USER_TAG, false, "number of an id"},
        {{NAMED, "tag=key-123456789"}, USER_TAG, false, NULL},
        {{NAMED, "identity_verified=true"}, USER_VERIFIED, false, "birth date, id or address is empty"},
        {{NAMED, "identity_verified=false"}, USER_VERIFIED, false, NULL},
        {{NAMED, "address.country=QQ"}, USER_COUNTRY, false, "not a country code"},
        {{NAMED, "address.country=USA"}, USER_COUNTRY, false, "two letters"},
        {{NAMED, "address.country=US", "address.administrative_area=Illinois"}, USER_AREA, false, "its code, IL"},
        {{NAMED, "address.country=US", "address.administrative_area=QQ"}, USER_AREA, false, "not a code"},
        {{NAMED, "address.address_line_1=PO Box 7"}, USER_STREET, false, "post box"},
        /* Codes are not asked for where there are none, and their form is nowhere a reason to refuse. */
        {{NAMED, "address.country=BS"}, USER_POSTAL, false, NULL},
        {{NAMED, "address.country=BW"}, USER_POSTAL, false, NULL},
        {{NAMED, "address.country=HK"}, USER_POSTAL, false, NULL},
        {{NAMED, "address.country=HK", "address.postal_code=999077"}, USER_POSTAL, false, "not used in Hong Kong"},
        {{NAMED, "address.country=US"}, USER_POSTAL, false, "usually needed in United States"},
        {{NAMED, "address.country=KR", "address.postal_code=110-110"}, USER_POSTAL, false, NULL},
        {{NAMED, "address.country=US", "address.postal_code=02138"}, USER_POSTAL, false, NULL},
    };
    const struct user_rules rules = {.now = NOW};
    for (size_t i = 0; i < COUNT_OF(SAID); i++)
        said_is(&SAID[i], &rules);
}

static void letters_beyond_latin_are_warned_of_where_the_rails_take_none(void **state) {
    (void)state;
    static const struct said SAID[] = {
        {{"name.first=\u0410\u043d\u043d\u0430"}, USER_FIRST, false, "beyond Latin"},
        {{"name.first=\u5b89"}, USER_FIRST, false, "beyond Latin"},
        {{"name.first=Zo\u00eb", "name.last=\u0141\u00f3\u017a"}, USER_LAST, false, NULL},
        {{"name.first=Nguye\u0302\u0303n", "name.last=Nguy\u1ec5n"}, USER_FIRST, false, NULL},
        {{NAMED, "address.locality=\u4eac\u90fd"}, USER_LOCALITY, false, "beyond Latin"},
        {{NAMED, "tag=\u4eac"}, USER_TAG, false, NULL},
    };
    const struct user_rules rules = {.now = NOW, .latin_only = true};
    for (size_t i = 0; i < COUNT_OF(SAID); i++)
        said_is(&SAID[i], &rules);
}

/* The table in one string per region: used fields in their order, required ones, calling code. */
static void regions_are_as_their_sources_say(void **state) {
    (void)state;
    static const char *const REGIONS[][4] = {
        {"US", "ACSZ", "ACSZ", "1"}, {"DE", "AZC", "ACZ", "49"}, {"JP", "ZSA", "ASZ", "81"},
        {"AE", "AS", "AS", "971"},   {"GB", "ACZ", "ACZ", "44"}, {"BW", "AC", "", "267"},
        {"MX", "AZCSD", NULL, "52"}, {"HK", "SCA", "AS", "852"}, {"FR", "AZC", "ACZ", "33"},
    };
    size_t n;
    const struct country *all = countries(&n);
    assert_int_equal(n, 252);
    for (size_t i = 0; i < COUNT_OF(REGIONS); i++) {
        const struct country *country = country_find(REGIONS[i][0]);
        assert_string_equal(country->used, REGIONS[i][1]);
        if (REGIONS[i][2])
            assert_string_equal(country->required, REGIONS[i][2]);
        assert_string_equal(country->calling, REGIONS[i][3]);
    }
    for (size_t i = 0; i < n; i++) {
        assert_true(*all[i].calling);
        assert_int_equal(strspn(all[i].calling, "0123456789"), strlen(all[i].calling));
        for (const char *letter = all[i].required; *letter; letter++)
            assert_true(country_uses(&all[i], *letter));
    }
}

/* ---- Coming apart ---- */

static void name_is(const char *text, const char *first, const char *last) {
    struct user user = {0};
    assert_int_equal(user_split_name(text, &user), first != NULL);
    if (first) {
        assert_string_equal(user.text[USER_FIRST], first);
        assert_string_equal(user.text[USER_LAST], last);
    }
    user_clear(&user);
}

static void a_whole_name_comes_apart_at_its_last_word(void **state) {
    (void)state;
    name_is("Ann Sample", "Ann", "Sample");
    name_is("  Ann Marie O'Sample\n", NULL, NULL);
    name_is("  Ann Marie O'Sample ", "Ann Marie", "O'Sample");
    name_is("Sample, Ann Marie", "Ann Marie", "Sample");
    name_is("Suharto", NULL, NULL);
    name_is("Sample, Ann, Dr", NULL, NULL);
    name_is(",", NULL, NULL);
    name_is(" ", NULL, NULL);
}

struct apart {
    const char *text;
    const char *street, *city, *area, *code, *country; /* NULL: empty */
};

static void field_is(const struct user *user, enum user_field field, const char *wanted, const char *text) {
    if (!str_equal(user->text[field], wanted))
        fail_msg("%s: %s is %s", text, user_label(field), user->text[field] ? user->text[field] : "empty");
}

static void a_whole_address_comes_apart_in_every_order_in_use(void **state) {
    (void)state;
    static const struct apart APART[] = {
        {"Musterweg 7\n10115 Berlin\nGermany", "Musterweg 7", "Berlin", NULL, "10115", "DE"},
        {"1 Main Street\nSpringfield, IL 62704\nUnited States", "1 Main Street", "Springfield", "IL", "62704", "US"},
        {"1 Main Street, Springfield, IL 62704, USA", "1 Main Street", "Springfield", "IL", "62704", "US"},
        {"1 Main Street, San Francisco, CA", "1 Main Street", "San Francisco", "CA", NULL, NULL},
        {"1 Main Street\nApt 4\nSpringfield IL 62704", "1 Main Street, Apt 4", "Springfield", "IL", "62704", "US"},
        {"1 Main St, Springfield, Illinois 62704-1234", "1 Main St", "Springfield", "IL", "62704-1234", "US"},
        {"1 Main St, Springfield IL 62704", "1 Main St", "Springfield", "IL", "62704", "US"},
        {"1 Main St, Springfield, IL, 62704", "1 Main St", "Springfield", "IL", "62704", "US"},
        {"1 Main St, Los Angeles, CA 90012", "1 Main St", "Los Angeles", "CA", "90012", "US"},
        {"1 Main St, Los Angeles, CA 90012, US", "1 Main St", "Los Angeles", "CA", "90012", "US"},
        {"5 King Street, Toronto ON M5H 1J9, CA", "5 King Street", "Toronto", "ON", "M5H 1J9", "CA"},
        {"5 King Street, Toronto ON M5H 1J9", "5 King Street", "Toronto", "ON", "M5H 1J9", "CA"},
        {"1 High Street, Sydney NSW 2000", "1 High Street", "Sydney", "NSW", "2000", "AU"},
        {"1 Long Road, Somewhere ZZ 12345", "1 Long Road", "Somewhere", "ZZ", "12345", NULL},
        {"Musterweg 7, 10115 Berlin, DE", "Musterweg 7", "Berlin", NULL, "10115", "DE"},
        {"Flat 3\n12 High Street\nLondon\nSW1A 1AA\nUK", "Flat 3, 12 High Street", "London", NULL, "SW1A 1AA", "GB"},
        {"12 High Street\nLondon SW1A 1AA\nUnited Kingdom", "12 High Street", "London", NULL, "SW1A 1AA", "GB"},
        {"Via Roma 1\n00184 Roma\nITA", "Via Roma 1", "Roma", NULL, "00184", "IT"},
        {"1 Rue Longue\r\n75001 Paris\r\nFrance\r\n", "1 Rue Longue", "Paris", NULL, "75001", "FR"},
    };
    for (size_t i = 0; i < COUNT_OF(APART); i++) {
        const struct apart *apart = &APART[i];
        struct user user = {0};
        assert_true(user_split_address(apart->text, false, &user));
        field_is(&user, USER_STREET, apart->street, apart->text);
        field_is(&user, USER_LOCALITY, apart->city, apart->text);
        field_is(&user, USER_AREA, apart->area, apart->text);
        field_is(&user, USER_POSTAL, apart->code, apart->text);
        field_is(&user, USER_COUNTRY, apart->country, apart->text);
        user_clear(&user);
    }
}

static void what_is_no_whole_address_stays_whole(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"", "\n\n", "1 Main Street", "a,b,c,d,e,f,g,h,i,j,k,l,m", ",,,"};
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        struct user user = {0};
        assert_false(user_split_address(TEXTS[i], false, &user));
        user_clear(&user);
    }
}

static void a_date_is_three_integers(void **state) {
    (void)state;
    struct str words;
    int date[3];
    str_init(&words, 64);
    assert_true(user_date_dashes("20000229", &words));
    assert_string_equal(words.s, "2000-02-29");
    assert_true(user_date(words.s, date));
    str_reset(&words);
    assert_true(user_date_words("2000-02-29", &words));
    assert_string_equal(words.s, "29 February 2000");
    assert_false(user_date("2001-02-29", date));
    assert_false(user_date_dashes("2000-2-29", &words));
    str_clear(&words);
}

static void f61_blanks_and_fillers_are_pointed_out_and_fold_away(void **state) {
    static const char *const ODD[] = {"\xC2\xA0",     "\xE3\x80\x80", "\xE2\x80\x89", "\xE3\x85\xA4",    "\xE2\x80\x8B",
                                      "\xE2\xA0\x80", "\xEF\xBE\xA0", "\xE1\x85\x9F", "\xEF\xBB\xBF",    "\xCD\x8F",
                                      "\xE1\x9A\x80", "\xEF\xB8\x8F", "\xEF\xB8\x80", "\xF3\xA0\x84\x80"};
    static const enum user_field FIELDS[] = {USER_FIRST,  USER_LAST,  USER_STREET, USER_LOCALITY, USER_AREA,
                                             USER_POSTAL, USER_EMAIL, USER_PHONE,  USER_TAG};
    const struct user_rules rules = {.now = NOW};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ODD); i++) {
        for (size_t j = 0; j < COUNT_OF(FIELDS) * 2; j++) {
            enum user_field field = FIELDS[j / 2];
            const char *plain = field == USER_EMAIL ? "a@b.example" : field == USER_PHONE ? "+15550100001" : "key";
            struct user user = {0}, other = {0};
            struct user_findings findings = {0};
            struct str text, one, two;
            bool said = false;
            str_init(&text, 256);
            str_init(&one, 256);
            str_init(&two, 256);
            str_addf(&text, "%s%s%s", j % 2 ? ODD[i] : "", plain, j % 2 ? "" : ODD[i]);
            user_set(&user, field, text.s);
            user_set(&other, field, plain);
            user_check(&user, &rules, &findings);
            for (size_t n = 0; n < findings.n; n++)
                said = said || (findings.items[n].field == field && strstr(findings.items[n].text, "at an end"));
            assert_true(said);
            enum user_match match = field == USER_EMAIL ? USER_MATCH_EMAIL : USER_MATCH_TAG;
            if (field == USER_EMAIL || field == USER_TAG) {
                assert_true(user_match_text(&user, match, &one));
                assert_true(user_match_text(&other, match, &two));
                assert_string_equal(one.s, two.s);
            }
            user_findings_clear(&findings);
            user_clear(&user);
            user_clear(&other);
            str_clear(&text);
            str_clear(&one);
            str_clear(&two);
        }
    }
}

/* In a name it belongs to its ideograph or emoji; a key with it and one without look the same. */
static void f61_a_selector_is_pointed_out_in_keys_alone(void **state) {
    static const char *const HEART = "x\xE2\x9D\xA4\xEF\xB8\x8F";
    const struct user_rules rules = {.now = NOW};
    struct user user = {0};
    struct user_findings findings = {0};
    bool tag = false, name = false;
    (void)state;
    user_set(&user, USER_TAG, HEART);
    user_set(&user, USER_LAST, HEART);
    user_check(&user, &rules, &findings);
    for (size_t n = 0; n < findings.n; n++) {
        bool said = strstr(findings.items[n].text, "U+FE0F") != NULL;
        tag = tag || (said && findings.items[n].field == USER_TAG);
        name = name || (said && findings.items[n].field == USER_LAST);
    }
    assert_true(tag);
    assert_false(name);
    user_findings_clear(&findings);
    user_clear(&user);
}

static void assert_phone(const char *phone, const char *normal) {
    struct str out;
    str_init(&out, 256);
    user_phone_normal(phone, &out);
    assert_string_equal(out.s, normal);
    str_clear(&out);
}

/* 00 is dialled for the + in most countries, and (0) is dialled from within alone: the same number is compared. */
static void f61_a_phone_is_compared_as_the_number_it_is(void **state) {
    (void)state;
    assert_phone("+49 171 1434816", "+491711434816");
    assert_phone("00 49 171 1434816", "+491711434816");
    assert_phone("0049-171/1434816", "+491711434816");
    assert_phone("+49 (0) 171 1434816", "+491711434816");
    assert_phone("0049 (0)171 1434816", "+491711434816");
    assert_phone("(00 49) 171 1434816", "+491711434816");
    assert_phone("\xEF\xBC\x90\xEF\xBC\x90"
                 "49 171 1434816",
                 "+491711434816");
    assert_phone("(0) 171 1434816", "01711434816");
    assert_phone("0171 1434816", "01711434816");
    assert_phone("+0123456789", "+0123456789");
    assert_phone("+1 (010) 100-0000", "+10101000000");
    assert_phone("00", "00");
    assert_phone("no", "");
}

static void f90_a_country_by_its_usual_words_is_proposed(void **state) {
    static const char *const CASES[][2] = {{"uk", "GB"},      {"USA", "US"},     {"holland", "NL"},
                                           {"Germany", "DE"}, {"GERMANY", "DE"}, {"Scotland", "GB"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        assert_non_null(country_named(CASES[i][0]));
        assert_string_equal(country_named(CASES[i][0])->alpha2, CASES[i][1]);
    }
    assert_null(country_named("Nowhere"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_of_the_table_is_said_at_its_field),
        cmocka_unit_test(letters_beyond_latin_are_warned_of_where_the_rails_take_none),
        cmocka_unit_test(regions_are_as_their_sources_say),
        cmocka_unit_test(f61_blanks_and_fillers_are_pointed_out_and_fold_away),
        cmocka_unit_test(f61_a_selector_is_pointed_out_in_keys_alone),
        cmocka_unit_test(f61_a_phone_is_compared_as_the_number_it_is),
        cmocka_unit_test(f90_a_country_by_its_usual_words_is_proposed),
        cmocka_unit_test(a_whole_name_comes_apart_at_its_last_word),
        cmocka_unit_test(a_whole_address_comes_apart_in_every_order_in_use),
        cmocka_unit_test(what_is_no_whole_address_stays_whole),
        cmocka_unit_test(a_date_is_three_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
