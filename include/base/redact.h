#ifndef BASE_REDACT_H
#define BASE_REDACT_H
/* The one way to remove sent values from text that comes back: a service may quote them, and messages go to screens,
 * journals and files. Called on the text as it came, before it is cut, sanitised or folded. Any thread. */

#include "base/str.h"

/* Each occurrence of a value becomes "[...]", in whatever form it is written: raw, escaped as in JSON (\uXXXX, \/, \")
 * or C (\x40), percent-encoded, as HTML entities, all of these twice, quoted-printable, in base64, in Latin-1, composed
 * or decomposed, in other case, with or without accents, with other blanks, with the sanitiser's tokens in it or with
 * invisible characters, and cut at the end; digits grouped in other ways, and the last 7 or more of a number. Values
 * under 3 characters are left (under 2 that fill two cells): they occur everywhere. What stands in one of the ids is
 * not removed; ids may be NULL, and must be where the values are secrets. */
struct redact_ids {
    const char *made;    /* of the created object; NULL: none */
    const char *request; /* of the request: as one word that is no value as a whole; NULL: none */
};
void redact(struct str *text, const char *const *values, size_t n, const struct redact_ids *ids);

/* The same with another mark. cut_min: how many of a value's first characters, at the end of the text or before an
 * ellipsis, are enough to be taken for the value cut off. */
struct redact_style {
    const char *mark;
    size_t cut_min;
};
void redact_as(struct str *text, const char *const *values, size_t n, const struct redact_ids *ids,
               const struct redact_style *style);

#endif
