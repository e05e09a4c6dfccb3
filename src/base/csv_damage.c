#include "base/csv_table.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <string.h>

/* 4.47E+11: the sign and a two-digit exponent are what spreadsheets write, and hardly anyone else. Where only a number
 * makes sense, 4.47e11 counts too. */
static bool is_scientific(const char *text, bool number) {
    text += *text == '-' || *text == '+';
    size_t n = ascii_digits(text);
    if (n == 0)
        return false;
    text += n;
    if (*text == '.' || *text == ',')
        text += 1 + ascii_digits(text + 1);
    if (*text != 'E' && *text != 'e')
        return false;
    bool has_sign = text[1] == '+' || text[1] == '-';
    text += 1 + has_sign;
    n = ascii_digits(text);
    return n >= (number ? 1 : 2) && n <= 3 && text[n] == '\0' && (has_sign || number);
}

/* 447700900123.0: digits that a program took for a number with a fraction. */
static bool has_no_fraction(const char *text) {
    text += *text == '+';
    size_t n = ascii_digits(text);
    return n > 0 && (text[n] == '.' || text[n] == ',') && text[n + 1] == '0' && text[n + 2] == '\0';
}

static bool is_formula_error(const char *text) {
    static const char *const ERRORS[] = {"#REF!", "#N/A", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!"};
    for (size_t i = 0; i < COUNT_OF(ERRORS); i++)
        if (strcmp(text, ERRORS[i]) == 0)
            return true;
    return *text == '#' && text[strspn(text, "#")] == '\0';
}

const char *csv_damage(const char *text, bool number) {
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
    return NULL;
}
