#ifndef MODEL_HANDOVER_H
#define MODEL_HANDOVER_H
/* An intent that one operator handed to another. It is handed over by a line of the notes and done by another one: by
 * whom it was handed to, or by who handed it over, who takes it back with it. What is known follows from the set of the
 * lines, in whatever order they came. */

#include "base/str.h"

#include <stdint.h>

enum { HANDOVER_NAME_MAX = 64 };

struct handover {
    const char *id;      /* of the intent */
    const char *from;    /* as a note's `who`: a colleague's name, ` at ` and a machine */
    const char *to;      /* a name */
    const char *text;    /* may be "" */
    int64_t at;          /* ms */
    const char *done_by; /* as from; NULL: it is open */
    int64_t done_at;     /* ms */
};

/* Whether both name the same person, whatever the machine and the size of letters. */
bool handover_is_same_person(const char *who, const char *other);
/* Bytes of the person's name in a `who`. */
size_t handover_person(const char *who);
/* Appends the name as it is kept, without blanks around it; false: nobody can have it, and why not. */
bool handover_name(const char *typed, struct str *out, struct str *reason);
/* As a text of a note, but that it may be empty. */
bool handover_check_text(const char *text, struct str *reason);

#endif
