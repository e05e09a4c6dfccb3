#ifndef SUPPORT_MARKS_H
#define SUPPORT_MARKS_H
/* Values that must be found nowhere, in the forms that a service may write them back in, and the search for them that
 * reads all those forms by itself: nothing here is shared with the redactor that is tested. One thread. */

#include "base/str.h"

enum {
    MARKS_RAW,
    MARKS_JSON,      /* each character as \uXXXX */
    MARKS_PERCENT,   /* each byte as %XX */
    MARKS_BASE64,    /* of the value alone */
    MARKS_HTML,      /* each character as a numeric entity */
    MARKS_UPPER,     /* ASCII letters in the other case */
    MARKS_INVISIBLE, /* U+200C between the characters */
    MARKS_CUT,       /* three quarters of it and an ellipsis */
    MARKS_APART,     /* letters and their accents apart */
    MARKS_GROUPED,   /* digits in groups of three, where it is nothing but digits */
    MARKS_FORMS
};

/* Appends the value, of ASCII and the letters U+00E9 and U+017E, in a form; json: inside a JSON string, where a
 * backslash is one of the text. */
void marks_write(struct str *out, const char *value, int form, bool json);
/* Whether the value, or three quarters of it from its beginning, stands in the bytes in any form. */
bool marks_hold(const char *bytes, size_t len, const char *value);

/* Every form with every answer is asked for (BURSAR_MARKERS), not a few of each. */
bool marks_of_all(void);

/* Whether a header can hold the form as it is; else the raw value goes there. */
int marks_header_form(int form);

/* Marks that must be nowhere: in the text, in any file under a folder but those at the paths that are exempt (the
 * operator's own). The test fails where one is. */
struct marks {
    const char *const *values;
    size_t n;
    const char *exempt[4];
};
void marks_none_in(const struct marks *marks, const char *where, const char *bytes, size_t len);
size_t marks_none_under(const struct marks *marks, const char *folder); /* gives the files that it read */

/* The same in every value of a cache's tables, rows unpacked; for a test that is linked with store. Gives the rows that
 * were unpacked. */
size_t marks_none_in_cache(const struct marks *marks, const char *path);

#endif
