#ifndef WIRE_DECODE_H
#define WIRE_DECODE_H
/* jansson behind our own scanner. The scanner judges the syntax first and hands over every number that is not an int64
 * in its usual spelling as text, so that nothing is rounded and no number costs its row. Such a number arrives as
 * a string that begins with a NUL: no string of the document can, because \u0000 is refused before. */

#include "scan.h"

#include "base/mem.h"

#include <jansson.h>

enum { WIRE_VALUES_MAX = 100000 }; /* events of one walk: bounds memory by the text's parts */

struct wire_fault {
    const char *reason; /* static, our own words */
    size_t at;          /* byte, from 0 */
    bool limit;         /* the fault is a limit of this program, not one of the text */
};

/* Any JSON value. NULL with *fault. `repeats`: a repeated name is accepted (the last one counts). */
json_t *wire_decode(struct wire_slice text, bool repeats, struct wire_fault *fault);

/* The number as served where it is not an int64, else NULL. */
const char *wire_literal(const json_t *value);
/* True for a string of the document. */
bool wire_is_string(const json_t *value);

/* A member at a dotted path, "" the value itself; NULL where it is not there. */
json_t *wire_member(json_t *value, const char *path);

/* Text for people, at most max bytes of it, cut with a mark at a character's end. */
const char *wire_clean(struct arena *arena, const char *s, size_t len, size_t max);
/* The same for an identity: different bytes always give different texts. A token of the sanitiser, `<200B>`, is told
 * apart from such letters as served, and where something is left out or cut a digest follows. */
const char *wire_clean_id(struct arena *arena, const char *s, size_t len);
/* The same on the heap, without live secrets. */
char *wire_clean_redacted(const char *s, size_t len, size_t max);
size_t wire_cut(const char *s, size_t len, size_t max); /* the longest prefix of whole code points within max bytes */

#endif
