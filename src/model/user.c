#include "model/user.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *path, *label;
} FIELDS[USER_FIELD_COUNT] = {
#define X(code, path, label) {path, label},
    USER_FIELD_TABLE(X)
#undef X
};

void user_clear(struct user *user) {
    for (int i = 0; i < USER_FIELD_COUNT; i++)
        secret_free_text(user->text[i]);
    *user = (struct user){0};
}

void user_set(struct user *user, enum user_field field, const char *text) {
    char *copy = text && *text ? mem_dup(text) : NULL;
    secret_free_text(user->text[field]);
    user->text[field] = copy;
}

bool user_has(const struct user *user, enum user_field field) {
    return user->text[field] && *user->text[field];
}

bool user_is_empty(const struct user *user) {
    for (int i = 0; i < USER_FIELD_COUNT; i++)
        if (user_has(user, (enum user_field)i))
            return false;
    return true;
}

const char *user_path(enum user_field field) {
    return FIELDS[field].path;
}

const char *user_label(enum user_field field) {
    return FIELDS[field].label;
}

int user_find(const char *path) {
    for (int i = 0; path && i < USER_FIELD_COUNT; i++) {
        const char *last = strrchr(FIELDS[i].path, '.');
        if (str_equal(FIELDS[i].path, path) || (last && str_equal(last + 1, path)))
            return i;
    }
    return -1;
}

bool user_is_kept(enum user_field field) {
    return field != USER_BIRTH && field != USER_ID_TYPE && field != USER_ID_LAST4 && field != USER_ID_STATE;
}

bool user_is_sensitive(enum user_field field) {
    return field == USER_BIRTH || field == USER_ID_LAST4 || field == USER_EMAIL || field == USER_PHONE;
}

/* ---- Comparing ---- */

const char *user_match_name(enum user_match match) {
    static const char *const NAMES[USER_MATCH_COUNT] = {"tag", "email", "phone", "name+birth"};
    return NAMES[match];
}

/* Value of a decimal digit of any script in common use, or -1: the ten digits of a script are consecutive. */
static int digit_of(int32_t cp) {
    static const int32_t ZEROS[] = {'0',   0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66,  0xAE6,  0xB66,  0xBE6,
                                    0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0xF20, 0x1040, 0x17E0, 0x1810, 0xFF10};
    for (size_t i = 0; i < COUNT_OF(ZEROS); i++)
        if (cp >= ZEROS[i] && cp < ZEROS[i] + 10)
            return (int)(cp - ZEROS[i]);
    return -1;
}

/* Bytes of a zero in brackets, which is dialled only within the country. */
static size_t inner_zero(const char *s) {
    size_t n = strspn(s + 1, " ");
    if (*s != '(' || s[1 + n] != '0')
        return 0;
    n += 2 + strspn(s + 2 + n, " ");
    return s[n] == ')' ? n + 1 : 0;
}

/* 00 stands for the + in most countries, and no national number begins with it. */
static void put_plus(struct str *out, size_t from) {
    enum { ZEROS = 2, LEAST = 7 };
    if (strncmp(out->s + from, "00", ZEROS) == 0 && out->len - from >= ZEROS + LEAST) {
        str_delete(out, from, 1);
        out->s[from] = '+';
    }
}

void user_phone_normal(const char *phone, struct str *out) {
    size_t len = strlen(phone), from = out->len;
    for (size_t at = 0; at < len;) {
        int32_t cp;
        size_t zero = inner_zero(phone + at);
        if (zero > 0 && (out->s[from] == '+' || strncmp(out->s + from, "00", 2) == 0)) {
            at += zero;
            continue;
        }
        at += utf8_decode(phone + at, len - at, &cp);
        int digit = digit_of(cp);
        if (digit >= 0)
            str_add_char(out, (char)('0' + digit));
        else if ((cp == '+' || cp == 0xFF0B) && out->len == from)
            str_add_char(out, '+');
    }
    put_plus(out, from);
}

bool user_phone_earlier(const char *normal, size_t index, struct str *out) {
    enum { CODE_DIGITS = 3 };
    static const char *const PLUS[] = {"+", "00"};
    size_t code = (index + 1) / 2; /* digits of the country code before an inner zero; 0: there is none */
    if (normal[0] != '+' || code > CODE_DIGITS || strlen(normal + 1) <= code)
        return false;
    str_add(out, PLUS[index % 2 == 0]);
    str_addf(out, "%.*s%s%s", (int)code, normal + 1, code > 0 ? "0" : "", normal + 1 + code);
    return true;
}

/* For comparing: folded, runs of blanks as one, none at the ends, no invisible characters, so that keys that look alike
 * match. */
static void model_user_add_folded(struct str *out, const char *text) {
    struct str folded;
    str_init(&folded, USER_TEXT_MAX * 4);
    utf8_fold(&folded, text, strlen(text));
    utf8_squeeze(out, folded.s, folded.len);
    secret_clear_str(&folded);
}

bool user_tag_normal(const char *tag, struct str *out) {
    model_user_add_folded(out, tag);
    return out->len > 0;
}

bool user_match_text(const struct user *user, enum user_match match, struct str *out) {
    static const enum user_field ONE[] = {USER_TAG, USER_EMAIL, USER_PHONE};
    if (match == USER_MATCH_NAME_BIRTH) {
        if (!user_has(user, USER_BIRTH) || !(user_has(user, USER_FIRST) || user_has(user, USER_LAST)))
            return false;
        model_user_add_folded(out, user_has(user, USER_FIRST) ? user->text[USER_FIRST] : "");
        str_add_char(out, '\n');
        model_user_add_folded(out, user_has(user, USER_LAST) ? user->text[USER_LAST] : "");
        str_add_char(out, '\n');
        str_add(out, user->text[USER_BIRTH]);
        return true;
    }
    if (!user_has(user, ONE[match]))
        return false;
    if (match == USER_MATCH_PHONE)
        user_phone_normal(user->text[USER_PHONE], out);
    else
        model_user_add_folded(out, user->text[ONE[match]]);
    return out->len > 0;
}

/* ---- Dates ---- */

bool user_date_dashes(const char *text, struct str *out) {
    enum { DIGITS = 8, MONTH_AT = 4, DAY_AT = 6 };
    if (strlen(text) != DIGITS || strspn(text, "0123456789") != DIGITS)
        return false;
    str_addf(out, "%.4s-%.2s-%.2s", text, text + MONTH_AT, text + DAY_AT);
    return true;
}

/* `1980-01-02 00:00:00`, as spreadsheets and databases write a day. With any other hour, the time may belong to another
 * day in another zone. */
bool user_date_midnight(const char *text, struct str *out) {
    enum { DAY_LEN = 10 };
    size_t start = utf8_trim_start(text, strlen(text)), end = utf8_trim_end(text, strlen(text));
    const char *time = text + start + DAY_LEN;
    if (end < start + DAY_LEN)
        return false;
    if (end > start + DAY_LEN) {
        bool parted = *time == 'T' || *time == 't' || *time == ' ';
        size_t len = end - start - DAY_LEN, zeros = 0, colons = 0;
        len -= len > 1 && (time[len - 1] == 'Z' || time[len - 1] == 'z');
        for (size_t i = 1; i < len; i++) {
            zeros += time[i] == '0';
            colons += time[i] == ':';
            parted = parted && strchr("0:.,", time[i]);
        }
        if (!parted || zeros < 4 || colons < 1)
            return false;
    }
    int date[3];
    str_addf(out, "%.*s", DAY_LEN, text + start);
    return user_date(out->s, date);
}

bool user_date(const char *text, int out[3]) {
    enum { LEN = 10, DASH_1 = 4, DASH_2 = 7, NUMBERS = 10 };
    if (strlen(text) != LEN || text[DASH_1] != '-' || text[DASH_2] != '-')
        return false;
    out[0] = out[1] = out[2] = 0;
    for (int i = 0, part = 0; i < LEN; i++)
        if (i == DASH_1 || i == DASH_2)
            part++;
        else if (text[i] < '0' || text[i] > '9')
            return false;
        else
            out[part] = out[part] * NUMBERS + (text[i] - '0');
    return out[1] >= 1 && out[1] <= 12 && out[2] >= 1 && out[2] <= clock_month_days(out[0], out[1]);
}

bool user_date_words(const char *text, struct str *out) {
    int date[3];
    if (!user_date(text, date))
        return false;
    str_addf(out, "%d %s %04d", date[2], clock_month_name(date[1]), date[0]);
    return true;
}
