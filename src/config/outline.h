#ifndef CONFIG_OUTLINE_H
#define CONFIG_OUTLINE_H
/* The outline of a configuration file: which key is on which line of which profile. Read before libconfuse, which takes
 * the end of the file inside a block for the block's end, expands ${NAME} and forgets lines; here each of these is a
 * fault. The grammar that is accepted is the part of libconfuse's in which the two cannot differ. */

#include "config/keys.h"

#include "base/mem.h"

struct outline_entry {
    size_t profile; /* 1 is the first; 0: top level */
    enum key_section section;
    const struct key *key; /* NULL: the block itself */
    int line;
};

struct faults {
    const char *name; /* of the file, sanitised */
    struct str *report;
    size_t n;
};
/* One line "name:line: reason" of the report; line 0 is left out. */
void fault_add(struct faults *faults, int line, const char *format, ...) PRINTF_LIKE(3, 4);

struct outline {
    struct outline_entry *items;
    size_t n, cap;
    struct string_list names; /* of the profiles */
    size_t profiles;
    struct faults *faults;
};

/* False: the text has no readable outline, and reading values makes no sense. Unknown and repeated keys are only
 * faults. */
bool outline_read(struct outline *outline, const char *text);
void outline_clear(struct outline *outline);
/* Line of a key, or of the block where key is NULL; 0: not there. */
int outline_line(const struct outline *outline, size_t profile, enum key_section section, const struct key *key);

#endif
