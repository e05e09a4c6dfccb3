#include "base/redact.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "redact_find.h"
#include "redact_numbers.h"
#include "redact_written.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_MIN = 3, DIGITS_MIN = 6, BASE64_MIN = 8, BASE64_WHOLE_MIN = 6, FORM_BYTES = 1 << 20 };
enum { KEY_MIN = 16, PREFIX_MAX = 12, DATE_LEN = 10 };

enum fate {
    STAYS,
    /* Whether a byte belongs to a value; GONE_FIRST: two values side by side are two marks. */
    GONE,
    GONE_FIRST
};
enum exemption { NONE, OWN_WORDS, ID, REQUEST_FIRST, REQUEST };

struct redaction {
    const struct str *text;
    struct unit_reader reader;
    struct finder finder;
    struct {
        struct lane exact, grouped; /* grouped: digits only, without the signs that group them */
        struct numbers numbers;
        bool is_read;
        int32_t before; /* the last unit of the text */
    } readings[READINGS];
    enum reading reading;        /* the reading of the text that is in progress */
    unsigned char *gone;         /* one enum fate for each byte of the text */
    const unsigned char *exempt; /* one enum exemption for each byte of the text */
    size_t from, to, kept;       /* the range that was taken last, and a byte of an exempt id that was met */
};

/* ---- The forms of a value ---- */

static bool redact_is_digit(int32_t cp) {
    return cp >= '0' && cp <= '9';
}

static bool is_grouping(int32_t cp) {
    return cp == ' ' || cp == '-' || cp == '.' || cp == '/' || cp == '(' || cp == ')';
}

/* A number of a person: its digits, however they are grouped. False: it is no such number. */
static bool keep_digits(const struct units *value, struct units *out) {
    for (size_t i = 0; i < value->n; i++) {
        int32_t cp = value->items[i].cp;
        if (redact_is_digit(cp))
            *vec_add(out) = value->items[i];
        else if (!is_grouping(cp))
            return false;
    }
    return out->n >= DIGITS_MIN;
}

static bool redact_is_blank(const struct units *value) {
    size_t n = 0;
    while (n < value->n && value->items[n].cp == ' ')
        n++;
    return n == value->n;
}

static void redact_put_unit(void *context, struct unit unit) {
    struct units *units = context;
    if (unit.cp != ' ' || units->n == 0 || units->items[units->n - 1].cp != ' ')
        *vec_add(units) = unit;
}

/* Adds a value as it is written, and its digits however they are grouped, to one reading of the text. */
static void add_as_read(struct redaction *redaction, const char *value, size_t len, enum reading as,
                        enum reading reading) {
    struct units units = {0}, digits = {0};
    units_each(&redaction->reader, value, len, as, redact_put_unit, &units);
    if (keep_digits(&units, &digits)) {
        numbers_add(&redaction->readings[reading].numbers, &digits);
        lane_add(&redaction->readings[reading].grouped, &digits, false);
    }
    if (!redact_is_blank(&units))
        lane_add(&redaction->readings[reading].exact, &units, false);
    units_clear(&units);
    units_clear(&digits);
}

/* Where escapes are resolved, a value that has a backslash or & of its own is looked for both with and without them
 * resolved: the service may have escaped it or not. */
static void redact_add_text(struct redaction *redaction, const char *value, size_t len) {
    bool has_signs = written_has_escapes(value) || written_has_nested(value);
    for (enum reading reading = AS_MEANT; reading <= AS_IT_STANDS; reading++) {
        if (!redaction->readings[reading].is_read)
            continue;
        add_as_read(redaction, value, len, reading, reading);
        if (has_signs && reading != AS_IT_STANDS)
            add_as_read(redaction, value, len, AS_IT_STANDS, reading);
    }
}

static void redact_add_bytes(struct redaction *redaction, const char *form, size_t len) {
    struct units units = {0};
    units_each(&redaction->reader, form, len, AS_BYTES, redact_put_unit, &units);
    lane_add(&redaction->readings[AS_BYTES].exact, &units, true);
}

/* In both base64 alphabets. */
static void add_base64_form(struct redaction *redaction, struct str *form, size_t least) {
    if (form->len >= least) {
        redact_add_bytes(redaction, form->s, form->len);
        for (size_t i = 0; i < form->len; i++)
            form->s[i] = form->s[i] == '+' ? '-' : form->s[i] == '/' ? '_' : form->s[i];
        redact_add_bytes(redaction, form->s, form->len);
    }
    secret_clear_str(form);
}

/* By itself, and at each of the three positions in a group. */
static void add_base64(struct redaction *redaction, const char *value) {
    size_t len = strlen(value);
    struct str form;
    str_init(&form, 2 * FORM_BYTES);
    digest_base64(&form, value, len);
    size_t whole = strcspn(form.s, "=");
    str_delete(&form, whole, form.len - whole);
    add_base64_form(redaction, &form, BASE64_WHOLE_MIN);
    for (size_t before = 0; before < 3; before++) {
        str_init(&form, 2 * FORM_BYTES);
        digest_base64_within(&form, value, len, before);
        add_base64_form(redaction, &form, BASE64_MIN);
    }
}

static void add_hex(struct redaction *redaction, const char *value, size_t len) {
    struct str hex;
    str_init(&hex, 2 * FORM_BYTES);
    digest_hex(&hex, value, len);
    redact_add_text(redaction, hex.s, hex.len);
    secret_clear_str(&hex);
}

/* Y, M and D with all their digits, m and d without a zero in front, N the month's name, n its first letters. */
static void put_written_date(struct str *out, const char *form, const struct civil *date) {
    for (; *form; form++) {
        bool day = *form == 'D' || *form == 'd';
        if (*form == 'Y')
            str_addf(out, "%04d", date->year);
        else if (*form == 'N' || *form == 'n')
            str_addf(out, "%.*s", *form == 'n' ? 3 : 9, clock_month_name(date->month));
        else if (*form == 'D' || *form == 'M')
            str_addf(out, "%02d", day ? date->day : date->month);
        else if (*form == 'd' || *form == 'm')
            str_addf(out, "%d", day ? date->day : date->month);
        else
            str_add_char(out, *form);
    }
}

/* Digits are found however they are grouped: DMY is 23.07.1984 as well. */
static void add_dates(struct redaction *redaction, const char *value, size_t len) {
    static const char *const FORMS[] = {"DMY",   "MDY",   "dmY",   "mdY",    "Ymd",    "d N Y",
                                        "D N Y", "N d Y", "N D Y", "N d, Y", "N D, Y", "d n Y",
                                        "D n Y", "n d Y", "n D Y", "n d, Y", "n D, Y", "N d,Y"};
    struct civil date;
    int64_t ms;
    if (len != DATE_LEN || !clock_parse(value, len, &ms))
        return;
    clock_civil(ms, &date);
    for (size_t i = 0; i < COUNT_OF(FORMS); i++) {
        struct str form;
        str_init(&form, 64);
        put_written_date(&form, FORMS[i], &date);
        redact_add_text(redaction, form.s, form.len);
        secret_clear_str(&form);
    }
    secret_wipe(&date, sizeof date);
}

/* The secret part of whsec_...==: a service may quote it without the prefix and the padding. */
static void add_key(struct redaction *redaction, const char *value, size_t len) {
    size_t start = 0;
    for (size_t i = 0; i < len && i < PREFIX_MAX; i++)
        if (value[i] == '_')
            start = i + 1;
    while (len > start && value[len - 1] == '=')
        len--;
    if (len - start >= KEY_MIN)
        redact_add_text(redaction, value + start, len - start);
}

static void redact_add_value(struct redaction *redaction, const char *value) {
    size_t len = strlen(value), start = utf8_trim_start(value, len), end = utf8_trim_end(value, len);
    if (start >= end)
        return;
    redact_add_text(redaction, value + start, end - start);
    add_dates(redaction, value + start, end - start);
    add_key(redaction, value + start, end - start);
    if (end - start >= VALUE_MIN) {
        add_hex(redaction, value + start, end - start);
        add_base64(redaction, value);
    }
}

/* ---- Taking out ---- */

/* Part of a request's id, which is one by chance; all of it was quoted. */
static bool is_in_request(const struct redaction *redaction, size_t start, size_t end) {
    const unsigned char *exempt = redaction->exempt;
    bool begins = exempt[start] == REQUEST_FIRST;
    for (size_t i = begins ? start + 1 : start; i < end; i++)
        if (exempt[i] != REQUEST)
            return false;
    return !begins || (end < redaction->text->len && exempt[end] == REQUEST);
}

/* An id stays whole. This program's own words stay where they happen to look like a value; a value that reaches beyond
 * them was quoted by the service, words included. */
static bool redact_is_exempt(struct redaction *redaction, size_t from, size_t start, size_t end) {
    if (redaction->kept >= start && redaction->kept < end)
        return true;
    if (start < end && redaction->exempt[start] >= REQUEST_FIRST)
        return is_in_request(redaction, start, end);
    for (size_t i = from; i < end; i++)
        if (redaction->exempt[i] == ID) {
            redaction->kept = i;
            return true;
        }
    return start < end && !memchr(redaction->exempt + start, NONE, end - start);
}

/* A range that begins inside the last one extends it: a repetitive value matches again at each of its characters. */
static bool redact_take(void *context, size_t start, size_t end) {
    struct redaction *redaction = context;
    bool goes_on = start >= redaction->from && start < redaction->to;
    size_t from = goes_on ? redaction->to : start;
    if (redact_is_exempt(redaction, from, start, end))
        return false;
    if (from == start && start < end)
        redaction->gone[from++] = redaction->gone[start] == STAYS ? GONE_FIRST : redaction->gone[start];
    for (size_t i = from; i < end; i++)
        redaction->gone[i] = GONE;
    redaction->from = goes_on ? redaction->from : start;
    redaction->to = goes_on && redaction->to > end ? redaction->to : end;
    return true;
}

static void redact_feed(void *context, struct unit unit) {
    struct redaction *redaction = context;
    struct lane *grouped = &redaction->readings[redaction->reading].grouped;
    int32_t *before = &redaction->readings[redaction->reading].before;
    lane_feed(&redaction->readings[redaction->reading].exact, &redaction->finder, unit);
    numbers_feed(&redaction->readings[redaction->reading].numbers, &redaction->finder, unit, is_grouping(unit.cp));
    if (!is_grouping(unit.cp))
        lane_feed(grouped, &redaction->finder, unit);
    else if (unit.cp == '.' && *before == '.')
        lane_cut(grouped);
    *before = unit.cp;
}

static void redact_find(struct redaction *redaction, enum reading reading) {
    struct lane *lanes[] = {&redaction->readings[reading].exact, &redaction->readings[reading].grouped};
    if (lanes[0]->n + lanes[1]->n > 0) {
        redaction->reading = reading;
        redaction->from = redaction->to = 0;
        lane_start(lanes[0]);
        lane_start(lanes[1]);
        units_each(&redaction->reader, redaction->text->s, redaction->text->len, reading, redact_feed, redaction);
        lane_end(lanes[0], &redaction->finder);
        lane_end(lanes[1], &redaction->finder);
        numbers_end(&redaction->readings[reading].numbers, &redaction->finder);
    }
    numbers_clear(&redaction->readings[reading].numbers);
    lane_clear(lanes[0]);
    lane_clear(lanes[1]);
}

static void put_together(struct str *text, const unsigned char *gone, const char *mark) {
    struct str out;
    str_init(&out, text->max);
    for (size_t i = 0, n; i < text->len; i += n) {
        for (n = 1; i + n < text->len && gone[i] == STAYS && gone[i + n] == STAYS; n++)
            continue;
        if (gone[i] == STAYS)
            str_add_n(&out, text->s + i, n);
        else if (gone[i] == GONE_FIRST || i == 0 || gone[i - 1] == STAYS)
            str_add(&out, mark);
    }
    secret_clear_str(text);
    *text = out;
}

/* How this program reports the end of a write, behind the service's text: it holds nobody's data and has to stay
 * readable. Otherwise values of a person named Not would give "Outcome: [...] done", and of one named One "was d[...]".
 */
static const char *const own_words[] = {
    "Outcome: nothing was sent",
    "Outcome: not done",
    "Outcome: not known whether it was done",
};

static void redact_keep(const struct str *text, const char *words, enum exemption as, unsigned char *kept) {
    size_t len = strlen(words);
    for (const char *at = text->s; (at = strstr(at, words)) != NULL; at += len)
        memset(kept + (at - text->s), (int)as, len);
}

static bool is_of_id(char c) {
    return ascii_is_word((unsigned char)c) || c == '_' || c == '-';
}

static bool is_word(const char *id) {
    enum { WORD_MAX = 200 };
    size_t n = 0;
    while (n <= WORD_MAX && (is_of_id(id[n]) || id[n] == '.' || id[n] == ':'))
        n++;
    return n > 0 && n <= WORD_MAX && id[n] == '\0';
}

/* The next place from `at` on where an id stands by itself: a short one occurs in other words too. NULL: none. */
static const char *next_id(const struct str *text, const char *at, const char *id) {
    size_t len = strlen(id);
    for (; len > 0 && (at = strstr(at, id)) != NULL; at++)
        if (!(at > text->s && is_of_id(at[-1]) && is_of_id(*id)) && !(is_of_id(at[len]) && is_of_id(id[len - 1])))
            return at;
    return NULL;
}

static void keep_id(const struct str *text, const char *id, enum exemption first, enum exemption rest,
                    unsigned char *kept) {
    size_t len = strlen(id);
    for (const char *at = text->s; (at = next_id(text, at, id)) != NULL; at += len) {
        memset(kept + (at - text->s), (int)rest, len);
        kept[at - text->s] = (unsigned char)first;
    }
}

void redact(struct str *text, const char *const *values, size_t n, const struct redact_ids *ids) {
    enum { CUT_MIN = 4 };
    redact_as(text, values, n, ids, &(struct redact_style){"[...]", CUT_MIN});
}

void redact_as(struct str *text, const char *const *values, size_t n, const struct redact_ids *ids,
               const struct redact_style *style) {
    if (text->len == 0 || n == 0)
        return;
    unsigned char *gone = mem_new(text->len);
    unsigned char *kept = mem_new(text->len);
    struct redaction *redaction = mem_new(sizeof *redaction);
    *redaction = (struct redaction){.text = text, .gone = gone, .exempt = kept, .kept = SIZE_MAX};
    redaction->finder = (struct finder){style->cut_min, redact_take, redaction};
    unit_reader_init(&redaction->reader);
    redaction->readings[AS_MEANT].is_read = true;
    bool has_nul = strlen(text->s) < text->len;
    redaction->readings[AS_NESTED].is_read = has_nul || written_has_nested(text->s);
    redaction->readings[AS_IT_STANDS].is_read = has_nul || written_has_escapes(text->s);
    for (size_t i = 0; i < COUNT_OF(own_words); i++)
        redact_keep(text, own_words[i], OWN_WORDS, kept);
    if (ids && ids->request && is_word(ids->request))
        keep_id(text, ids->request, REQUEST_FIRST, REQUEST, kept);
    if (ids && ids->made)
        keep_id(text, ids->made, ID, ID, kept);
    for (size_t i = 0; i < n; i++)
        if (values[i])
            redact_add_value(redaction, values[i]);
    for (enum reading reading = 0; reading < READINGS; reading++)
        redact_find(redaction, reading);
    if (memchr(gone, GONE_FIRST, text->len))
        put_together(text, gone, style->mark);
    unit_reader_clear(&redaction->reader);
    free(redaction);
    free(gone);
    free(kept);
}
