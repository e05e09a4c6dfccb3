#ifndef CONFIG_OWN_H
#define CONFIG_OWN_H
/* Files of the operator's own beside the configuration (keys, reasons, actions): where they are and how they are read.
 * A fault costs its line and is told with file, line and reason. */

#include "base/mem.h"
#include "base/str.h"

enum { OWN_FILE_MAX = 256 << 10, OWN_PATH_MAX = 4096 };

/* Appends the text of `<configuration folder>/name`; nothing where there is no such file. One that cannot be read, or
 * that others may write, is a line of report, and appends nothing. False: there is none. */
bool own_read(const char *name, struct str *text, struct str *report);

/* A file of sections: `[section]`, then lines `name = value`; a line that begins with # is a comment. */
struct own_line {
    int number;
    const char *section;
    const char *name, *value; /* NULL: the line begins the section, or is faulty */
    bool faulty;              /* a line of the section that could not be used, and was told */
};
/* False: the line cannot be used, and reason says why. */
typedef bool own_take_fn(void *context, const struct own_line *line, struct str *reason);
/* Hands on each line that can be read, in order; every text is one line of clean UTF-8 and at most 4096 bytes. Lines of
 * a section that was refused are left out. True: there was no fault. */
bool own_sections(const char *name, const char *text, own_take_fn *take, void *context, struct str *report);
/* `name:line: reason`, with what is invisible as tokens. */
void own_fault(struct str *report, const char *name, int line, const char *reason);

#endif
