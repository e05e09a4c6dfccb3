#include "import_own.h"

#include "base/ascii.h"

#include <string.h>

enum { LAST4 = 4 };

static size_t import_spreadsheet_damage_digits(const char *text) {
    size_t n = 0;
    while (ascii_is_digit((unsigned char)text[n]))
        n++;
    return n;
}

/* 4.47E+11: the sign and a two-digit exponent are what spreadsheets write, and hardly anyone else. Where only a number
 * makes sense, 4.47e11 counts too. */
static bool is_scientific(const char *text, bool number) {
    text += *text == '-' || *text == '+';
    size_t n = import_spreadsheet_damage_digits(text);
    if (n == 0)
        return false;
    text += n;
    if (*text == '.' || *text == ',')
        text += 1 + import_spreadsheet_damage_digits(text + 1);
    if (*text != 'E' && *text != 'e')
        return false;
    bool has_sign = text[1] == '+' || text[1] == '-';
    text += 1 + has_sign;
    n = import_spreadsheet_damage_digits(text);
    return n >= (number ? 1 : 2) && n <= 3 && text[n] == '\0' && (has_sign || number);
}

/* 447700900123.0: digits that a program took for a number with a fraction. */
static bool has_no_fraction(const char *text) {
    text += *text == '+';
    size_t n = import_spreadsheet_damage_digits(text);
    return n > 0 && (text[n] == '.' || text[n] == ',') && text[n + 1] == '0' && text[n + 2] == '\0';
}

/* 1/2/80, 01.02.80, 1-2-80 */
static bool has_short_year(const char *text) {
    for (int part = 0; part < 3; part++) {
        size_t n = import_spreadsheet_damage_digits(text);
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
    return *text && import_spreadsheet_damage_digits(text) == strlen(text);
}

/* One or two characters shorter than the region's postal codes, which are digits and can begin with zeros. */
static bool lost_zeros(const struct user *user, const char *code) {
    const char *name = user->text[USER_COUNTRY];
    const struct country *country = name ? country_find(name) : NULL;
    if (!country || !country->postal_example || !all_digits(code))
        return false;
    size_t usual = import_spreadsheet_damage_digits(country->postal_example), n = strlen(code);
    char after = country->postal_example[usual];
    return usual >= 3 && (after == '\0' || after == ',' || after == '-') && n < usual && n + 2 >= usual;
}

static bool is_formula_error(const char *text) {
    static const char *const ERRORS[] = {"#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!"};
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
        if (strcmp(text, ERRORS[i]) == 0)
            return true;
    return *text == '#' && text[strspn(text, "#")] == '\0';
}

const char *import_spreadsheet_damage(const struct user *user, enum user_field field) {
    const char *text = user->text[field];
    if (!text || !*text)
        return NULL;
    bool number = field == USER_PHONE || field == USER_POSTAL || field == USER_ID_LAST4;
    if (is_scientific(text, number))
        return "is in scientific notation: a spreadsheet has cut its digits";
    if (number && has_no_fraction(text))
        return "ends in a fraction of zero: a program has taken it for a number";
    if (*text == '=' && (text[1] == '"' || strchr(text, '(')))
        return "is a spreadsheet's formula: save its value";
    if (is_formula_error(text))
        return "is a spreadsheet's error, not a value";
    if (*text == '\'' && text[1] && strchr("=+-@", text[1]))
        return "begins with an apostrophe that a spreadsheet has put there";
    if (field == USER_BIRTH && has_short_year(text))
        return "has a year of two digits: write YYYY-MM-DD";
    if (field == USER_POSTAL && lost_zeros(user, text))
        return "is too short for its country: a spreadsheet has dropped leading zeros";
    if (field == USER_ID_LAST4 && all_digits(text) && strlen(text) < LAST4)
        return "has fewer than four digits: a spreadsheet has dropped leading zeros";
    return NULL;
}
