#include "model/user.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

struct check {
    const struct user *user;
    const struct user_rules *rules;
    struct user_findings *out;
};

void user_findings_clear(struct user_findings *findings) {
    for (size_t i = 0; i < findings->n; i++)
        free(findings->items[i].text);
    free(findings->items);
    *findings = (struct user_findings){0};
}

const struct user_finding *user_finding_of(const struct user_findings *findings, enum user_field field) {
    const struct user_finding *found = NULL;
    for (size_t i = 0; i < findings->n; i++) {
        const struct user_finding *item = &findings->items[i];
        if (item->field == field && (!found || (item->blocks && !found->blocks)))
            found = item;
    }
    return found;
}

static void user_check_add(struct check *check, enum user_field field, bool blocks, const char *text) {
    struct user_finding *finding = vec_add(check->out);
    *finding = (struct user_finding){.field = field, .blocks = blocks, .text = mem_dup(text)};
    check->out->blocks += blocks;
}

static void block(struct check *check, enum user_field field, const char *text) {
    user_check_add(check, field, true, text);
}

static void warn(struct check *check, enum user_field field, const char *text) {
    user_check_add(check, field, false, text);
}

static const char *user_check_text_of(const struct check *check, enum user_field field) {
    return user_has(check->user, field) ? check->user->text[field] : NULL;
}

/* Characters that no field can have, and those that are easily overlooked. */
struct marks {
    bool control, lost, digit, doubled, letter, beyond_ascii, of_key;
    int32_t outer, blank, invisible; /* the first of them; 0: none */
    bool latin, cyrillic, greek, mixed, beyond_latin;
};

/* A letter of another script; marks that combine and punctuation belong to none. */
static bool is_beyond_latin(int32_t cp) {
    static const struct {
        int32_t first, last;
    } LATIN[] = {{0, 0x36F}, {0x1D00, 0x1EFF}, {0x2000, 0x2BFF}, {0x2C60, 0x2C7F}, {0xA720, 0xA7FF}, {0xAB30, 0xAB6F}};
    for (size_t i = 0; i < COUNT_OF(LATIN); i++)
        if (cp >= LATIN[i].first && cp <= LATIN[i].last)
            return false;
    return true;
}

static void see_script(struct marks *marks, int32_t cp) {
    enum { GREEK = 0x370, CYRILLIC = 0x400, CYRILLIC_END = 0x530, LATIN_END = 0x250 };
    bool latin = (cp < 0x80 && ascii_is_letter((int)cp)) || (cp >= 0xC0 && cp < LATIN_END);
    marks->latin |= latin;
    marks->greek |= cp >= GREEK && cp < CYRILLIC;
    marks->cyrillic |= cp >= CYRILLIC && cp < CYRILLIC_END;
    marks->letter |= latin || cp >= LATIN_END;
    if (cp == ' ' || cp == '-')
        marks->latin = marks->greek = marks->cyrillic = false;
    marks->mixed |= marks->latin + marks->greek + marks->cyrillic > 1;
}

/* A variation selector belongs to the character before it (an emoji, an ideograph in a name). Letters and digits have
 * none. */
static bool is_selector(int32_t cp, int32_t before) {
    enum {
        COPYRIGHT = 0xA9,
        REGISTERED = 0xAE,
        FIRST = 0x1000 /* scripts, symbols and ideographs with listed forms */
    };
    bool takes = before == COPYRIGHT || before == REGISTERED || before >= FIRST;
    return takes && ((cp >= 0xFE00 && cp <= 0xFE0F) || (cp >= 0xE0100 && cp <= 0xE01EF));
}

static void user_check_keep_first(int32_t *mark, bool is, int32_t cp) {
    *mark = is && *mark == 0 ? cp : *mark;
}

/* Blanks and fillers of every kind, and invisible characters: two texts that differ by one look the same. */
static void see_blank(struct marks *marks, int32_t cp, int32_t before, bool ends) {
    bool blank = utf8_is_blank(cp) && !(is_selector(cp, before) && !marks->of_key);
    bool invisible = blank && utf8_is_invisible(cp);
    user_check_keep_first(&marks->outer, blank && (before == 0 || ends), cp);
    user_check_keep_first(&marks->invisible, invisible, cp);
    user_check_keep_first(&marks->blank, blank && !invisible && cp != ' ', cp);
    marks->doubled |= blank && !invisible && before != 0 && utf8_is_blank(before) && !utf8_is_invisible(before);
}

static struct marks marks_of_key(const char *text, bool is_key) {
    struct marks marks = {.of_key = is_key};
    size_t len = strlen(text), end = utf8_trim_end(text, len);
    int32_t before = 0;
    for (size_t at = 0; at < len;) {
        int32_t cp;
        size_t from = at;
        at += utf8_decode(text + at, len - at, &cp);
        see_blank(&marks, cp, before, from >= end);
        before = cp;
        bool control = cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0x2028 || cp == 0x2029;
        marks.control |= control;
        marks.lost |= cp == UTF8_REPLACEMENT;
        marks.digit |= cp >= '0' && cp <= '9';
        marks.beyond_ascii |= cp >= 0x80;
        marks.beyond_latin |= is_beyond_latin(cp);
        see_script(&marks, cp);
    }
    return marks;
}

static struct marks marks_of(const char *text) {
    return marks_of_key(text, false);
}

/* A field that programs compare, rather than people read. */
static bool user_check_is_key(enum user_field field) {
    return field == USER_TAG || field == USER_EMAIL || field == USER_PHONE || field == USER_POSTAL ||
           field == USER_COUNTRY || field == USER_ID_LAST4 || field == USER_ID_TYPE || field == USER_ID_STATE;
}

static void warn_blanks(struct check *check, enum user_field field, const struct marks *marks) {
    int32_t odd = marks->invisible                      ? marks->invisible
                  : marks->outer && marks->outer != ' ' ? marks->outer
                                                        : marks->blank;
    struct str line;
    str_init(&line, 256);
    if (marks->invisible)
        str_add(&line, "holds invisible or direction characters");
    else if (marks->outer || marks->doubled)
        str_add(&line, "has a blank at an end, or two in a row");
    else if (marks->blank)
        str_add(&line, "holds a blank that is no usual space");
    if (odd)
        str_addf(&line, " (U+%04X%s)", (unsigned)odd, marks->outer ? ", at an end" : "");
    if (line.len > 0)
        warn(check, field, line.s);
    str_clear(&line);
}

static void check_every(struct check *check) {
    for (int i = 0; i < USER_FIELD_COUNT; i++) {
        const char *text = user_check_text_of(check, (enum user_field)i);
        if (!text)
            continue;
        struct marks marks = marks_of_key(text, user_check_is_key((enum user_field)i));
        if (!utf8_is_valid(text, strlen(text)))
            block(check, (enum user_field)i, "is not valid UTF-8");
        else if (marks.control)
            block(check, (enum user_field)i, "holds a control character");
        else if (marks.lost)
            block(check, (enum user_field)i, "holds U+FFFD, where a character was lost before: type it again");
        else
            warn_blanks(check, (enum user_field)i, &marks);
    }
}

static void check_required(struct check *check) {
    for (size_t i = 0; i < check->rules->n_required; i++) {
        int field = user_find(check->rules->required[i]);
        if (field >= 0 && field != USER_VERIFIED && !user_check_text_of(check, (enum user_field)field))
            block(check, (enum user_field)field, "is required by this profile");
    }
}

static void user_check_check_names(struct check *check) {
    static const enum user_field NAMES[] = {USER_FIRST, USER_LAST};
    const char *first = user_check_text_of(check, USER_FIRST), *last = user_check_text_of(check, USER_LAST);
    if (!first && !last)
        block(check, USER_FIRST, "a first or a last name is needed");
    else if (!first || !last)
        warn(check, first ? USER_LAST : USER_FIRST, "empty: a person with one name?");
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        const char *text = user_check_text_of(check, NAMES[i]);
        struct marks marks = text ? marks_of(text) : (struct marks){0};
        if (marks.digit)
            warn(check, NAMES[i], "holds digits");
        if (marks.mixed)
            warn(check, NAMES[i], "mixes alphabets within a word");
    }
}

static void check_latin(struct check *check) {
    static const enum user_field WRITTEN[] = {USER_FIRST, USER_LAST, USER_STREET, USER_LOCALITY, USER_AREA};
    for (size_t i = 0; check->rules->latin_only && i < COUNT_OF(WRITTEN); i++) {
        const char *text = user_check_text_of(check, WRITTEN[i]);
        if (text && marks_of(text).beyond_latin)
            warn(check, WRITTEN[i], "holds letters beyond Latin; this profile's rails take Latin only");
    }
}

static bool holds_word(const char *text, const char *word) {
    size_t len = strlen(word);
    for (; *text; text++)
        if (ascii_compare_n(text, word, len) == 0)
            return true;
    return false;
}

static void check_street(struct check *check) {
    static const char *const BOXES[] = {"po box", "p.o. box", "p. o. box", "postfach", "apartado", "caixa postal"};
    const char *text = user_check_text_of(check, USER_STREET);
    for (size_t i = 0; text && i < COUNT_OF(BOXES); i++) {
        if (holds_word(text, BOXES[i])) {
            warn(check, USER_STREET, "looks like a post box; some services want a street");
            return;
        }
    }
}

static void check_country(struct check *check, const struct country *country) {
    const char *text = user_check_text_of(check, USER_COUNTRY);
    const struct country *named = country_named(text);
    if (text && !country && named) {
        struct str line;
        str_init(&line, 256);
        str_addf(&line, "is not a country code: %s is %s", named->name,
                 check->rules->alpha3 ? named->alpha3 : named->alpha2);
        warn(check, USER_COUNTRY, line.s);
        str_clear(&line);
    } else if (text && !country) {
        warn(check, USER_COUNTRY, "is not a country code of the table");
    } else if (country && !str_equal(text, check->rules->alpha3 ? country->alpha3 : country->alpha2)) {
        warn(check, USER_COUNTRY,
             check->rules->alpha3 ? "this profile sends three letters" : "this profile sends two letters");
    }
}

static void check_address(struct check *check) {
    static const struct {
        enum user_field field;
        char letter;
    } PARTS[] = {{USER_STREET, 'A'}, {USER_LOCALITY, 'C'}, {USER_AREA, 'S'}, {USER_POSTAL, 'Z'}};
    const struct country *country = country_find(user_check_text_of(check, USER_COUNTRY));
    size_t n;
    struct str line;
    str_init(&line, 256);
    check_country(check, country);
    check_street(check);
    for (size_t i = 0; country && i < COUNT_OF(PARTS); i++) {
        const char *text = user_check_text_of(check, PARTS[i].field);
        str_reset(&line);
        if (text && !country_uses(country, PARTS[i].letter))
            str_addf(&line, "not used in %s; sent if you keep it", country->name);
        else if (!text && country_requires(country, PARTS[i].letter))
            str_addf(&line, "usually needed in %s", country->name);
        if (line.len > 0)
            warn(check, PARTS[i].field, line.s);
    }
    const char *area = user_check_text_of(check, USER_AREA);
    if (country_areas(country, &n) && area && !country_area_find(country, area)) {
        const struct country_area *named = country_area_named(country, area);
        str_reset(&line);
        if (named)
            str_addf(&line, "is usually sent by its code, %s", named->code);
        else
            str_add(&line, "is not a code of this country's list");
        warn(check, USER_AREA, line.s);
    }
    str_clear(&line);
}

static bool is_typo_domain(const char *domain) {
    static const char *const TYPOS[] = {"gmial.com",   "gmai.com",    "gamil.com",   "gmail.con", "gmail.co",
                                        "hotmial.com", "hotmai.com",  "hotmail.con", "yaho.com",  "yahoo.con",
                                        "outlok.com",  "outlook.con", "iclod.com",   "icloud.con"};
    for (size_t i = 0; i < COUNT_OF(TYPOS); i++)
        if (ascii_compare(domain, TYPOS[i]) == 0)
            return true;
    return false;
}

static void check_email(struct check *check) {
    enum { EMAIL_MAX = 254 };
    const char *text = user_check_text_of(check, USER_EMAIL);
    if (!text)
        return;
    const char *at = strrchr(text, '@');
    if (!at || at == text || !at[1])
        block(check, USER_EMAIL, "needs something on both sides of an @");
    else if (strchr(text, ' ') || strchr(text, '\t'))
        block(check, USER_EMAIL, "holds a blank");
    else if (strlen(text) > EMAIL_MAX)
        block(check, USER_EMAIL, "is longer than 254 bytes");
    else if (strchr(text, '@') != at)
        warn(check, USER_EMAIL, "holds more than one @");
    else if (!strchr(at, '.'))
        warn(check, USER_EMAIL, "has no dot after the @");
    else if (is_typo_domain(at + 1))
        warn(check, USER_EMAIL, "looks like a slip in a well-known domain");
    else if (marks_of(text).beyond_ascii)
        warn(check, USER_EMAIL, "holds letters beyond ASCII");
}

static int years_between(const int date[3], const struct civil *today) {
    int years = today->year - date[0];
    bool before = today->month < date[1] || (today->month == date[1] && today->day < date[2]);
    return years - before;
}

static void check_birth(struct check *check) {
    enum { DAY_MS = 86400000, ADULT = 18, OLD = 110 };
    const char *text = user_check_text_of(check, USER_BIRTH);
    struct civil today, tomorrow;
    int date[3];
    if (!text)
        return;
    if (!user_date(text, date)) {
        block(check, USER_BIRTH, "is not a calendar day as YYYY-MM-DD");
        return;
    }
    clock_civil(check->rules->now, &today);
    clock_civil(check->rules->now + DAY_MS, &tomorrow);
    int years = years_between(date, &today);
    if (years_between(date, &tomorrow) < 0) {
        block(check, USER_BIRTH, "lies in the future");
    } else if (years < ADULT) {
        bool now = date[0] == today.year && date[1] == today.month && date[2] == today.day;
        warn(check, USER_BIRTH,
             now         ? "is today"
             : years < 1 ? "is within the last year"
                         : "makes the user younger than 18");
    } else if (years > OLD) {
        warn(check, USER_BIRTH, "makes the user older than 110");
    } else if (date[1] == 1 && date[2] == 1) {
        warn(check, USER_BIRTH, "is 1 January: often a placeholder");
    }
}

static void check_id(struct check *check) {
    enum { LAST4 = 4 };
    const char *type = user_check_text_of(check, USER_ID_TYPE), *last4 = user_check_text_of(check, USER_ID_LAST4);
    const char *state = user_check_text_of(check, USER_ID_STATE);
    if (!type && (last4 || state))
        block(check, USER_ID_TYPE, "is needed beside the other parts of the id");
    else if (type && !str_equal(type, "passport") && !str_equal(type, "drivers_license"))
        warn(check, USER_ID_TYPE, "is neither passport nor drivers_license");
    if (last4 && utf8_count(last4, strlen(last4)) != LAST4)
        block(check, USER_ID_LAST4, "needs exactly four characters");
    for (const char *s = last4; s && *s; s++) {
        if (!ascii_is_word((unsigned char)*s)) {
            warn(check, USER_ID_LAST4, "holds something other than letters and digits");
            break;
        }
    }
    const char *home = user_check_text_of(check, USER_COUNTRY);
    const struct country *country = country_find(home ? home : "US");
    bool in_us = country && str_equal(country->alpha2, "US");
    if (state && str_equal(type, "passport"))
        warn(check, USER_ID_STATE, "a passport has no state");
    else if (!state && str_equal(type, "drivers_license"))
        warn(check, USER_ID_STATE, "is usual for a licence");
    else if (state && in_us && !country_area_find(country, state))
        warn(check, USER_ID_STATE, "is not the code of a US state");
}

/* A number of another country is legal, so this is only a hint: people keep their numbers when they move. */
static void hint_calling(struct check *check, const char *digits) {
    const struct country *country = country_find(user_check_text_of(check, USER_COUNTRY));
    struct str line;
    if (!country || strncmp(digits, country->calling, strlen(country->calling)) == 0)
        return;
    str_init(&line, 256);
    str_addf(&line, "is not of %s, whose numbers begin with +%s", country->name, country->calling);
    warn(check, USER_PHONE, line.s);
    str_clear(&line);
}

static void check_phone(struct check *check) {
    enum { MOST = 15, LEAST = 7 };
    static const char FULL_WIDTH_PLUS[] = "\xEF\xBC\x8B";
    const char *text = user_check_text_of(check, USER_PHONE);
    struct str normal;
    if (!text)
        return;
    str_init(&normal, USER_TEXT_MAX);
    user_phone_normal(text, &normal);
    size_t digits = normal.len - (normal.s[0] == '+');
    if (digits == 0)
        block(check, USER_PHONE, "holds no digit");
    else if (marks_of(text).letter)
        warn(check, USER_PHONE, "holds letters");
    else if (normal.s[0] != '+')
        warn(check, USER_PHONE, "has no + and country code");
    else if (!strchr(text, '+') && !strstr(text, FULL_WIDTH_PLUS))
        warn(check, USER_PHONE, "has no + and country code: 00 stands for the + in some countries only");
    else if (normal.s[1] == '0')
        warn(check, USER_PHONE, "no country code begins with 0");
    else if (digits > MOST)
        warn(check, USER_PHONE, "has more than 15 digits");
    else if (digits < LEAST)
        warn(check, USER_PHONE, "has fewer than 7 digits");
    else
        hint_calling(check, normal.s + 1);
    str_clear(&normal);
}

/* Nine digits, plain or as 3-2-4: a tag is stored and shown in the clear. */
static bool is_id_number(const char *text) {
    enum { DIGITS = 9, DASHED = 11, DASH_1 = 3, DASH_2 = 6 };
    size_t len = strlen(text), digits = 0;
    for (size_t i = 0; i < len; i++)
        digits += text[i] >= '0' && text[i] <= '9';
    return digits == DIGITS && (len == DIGITS || (len == DASHED && text[DASH_1] == '-' && text[DASH_2] == '-'));
}

static void check_tag(struct check *check) {
    const char *text = user_check_text_of(check, USER_TAG);
    if (text && strchr(text, '@'))
        warn(check, USER_TAG, "looks like an e-mail address");
    else if (text && is_id_number(text))
        warn(check, USER_TAG, "looks like the number of an id");
}

static void check_verified(struct check *check) {
    const char *text = user_check_text_of(check, USER_VERIFIED);
    if (!text && check->rules->ask_verified)
        block(check, USER_VERIFIED, "choose yes or no: there is no default");
    else if (check->rules->kyc && !str_equal(text, "true"))
        block(check, USER_VERIFIED, "this profile asks for a verified identity");
    else if (str_equal(text, "true") &&
             (!user_check_text_of(check, USER_BIRTH) || !user_check_text_of(check, USER_ID_TYPE) ||
              !user_check_text_of(check, USER_STREET)))
        warn(check, USER_VERIFIED, "yes, but birth date, id or address is empty");
}

void user_check(const struct user *user, const struct user_rules *rules, struct user_findings *out) {
    struct check check = {.user = user, .rules = rules, .out = out};
    user_findings_clear(out);
    check_every(&check);
    check_required(&check);
    user_check_check_names(&check);
    check_latin(&check);
    check_address(&check);
    check_email(&check);
    check_birth(&check);
    check_id(&check);
    check_phone(&check);
    check_tag(&check);
    check_verified(&check);
}
