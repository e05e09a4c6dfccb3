#include "import_own.h"

#include "base/ascii.h"
#include "base/csv_table.h"

#include <string.h>

enum { LAST4 = 4 };

/* 1/2/80, 01.02.80, 1-2-80 */
static bool has_short_year(const char *text) {
    for (int part = 0; part < 3; part++) {
        size_t n = ascii_digits(text);
        if (n < 1 || n > 2)
            return false;
        text += n;
        if (part < 2 && !strchr("/.-", *text))
            return false;
        text += part < 2 && *text;
    }
    return *text == '\0';
}

static bool all_digits(const char *text) {
    return *text && ascii_digits(text) == strlen(text);
}

/* One or two characters shorter than the region's postal codes, which are digits and can begin with zeros. */
static bool lost_zeros(const struct user *user, const char *code) {
    const char *name = user->text[USER_COUNTRY];
    const struct country *country = name ? country_find(name) : NULL;
    if (!country || !country->postal_example || !all_digits(code))
        return false;
    size_t usual = ascii_digits(country->postal_example), n = strlen(code);
    char after = country->postal_example[usual];
    return usual >= 3 && (after == '\0' || after == ',' || after == '-') && n < usual && n + 2 >= usual;
}

const char *import_spreadsheet_damage(const struct user *user, enum user_field field) {
    const char *text = user->text[field];
    if (!text || !*text)
        return NULL;
    bool number = field == USER_PHONE || field == USER_POSTAL || field == USER_ID_LAST4;
    const char *why = csv_damage(text, number);
    if (why)
        return why;
    if (field == USER_BIRTH && has_short_year(text))
        return "has a year of two digits: write YYYY-MM-DD";
    if (field == USER_POSTAL && lost_zeros(user, text))
        return "is too short for its country: a spreadsheet has dropped leading zeros";
    if (field == USER_ID_LAST4 && all_digits(text) && strlen(text) < LAST4)
        return "has fewer than four digits: a spreadsheet has dropped leading zeros";
    return NULL;
}
