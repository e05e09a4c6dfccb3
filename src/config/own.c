#include "config/own.h"

#include "config/keys.h"

#include "base/path.h"
#include "base/utf8.h"

#include <string.h>
#include <sys/stat.h>

enum { REASON_MAX = 1024, LINE_MAX_BYTES = 8192 };

bool own_read(const char *name, struct str *text, struct str *report) {
    struct error error = {0};
    struct stat info; /* a link that leads nowhere is there, and cannot be read */
    struct str path;
    str_init(&path, OWN_PATH_MAX);
    bool there = path_home(PATH_CONFIG, name, &path, NULL) == ERR_OK && lstat(path.s, &info) == 0;
    if (there) {
        enum err err = path_check_unwritable(path.s, &error);
        if (err == ERR_OK)
            err = path_read(path.s, OWN_FILE_MAX, false, text, &error);
        if (err == ERR_OK && memchr(text->s, '\0', text->len))
            err = error_set(&error, ERR_CONFIG, "%s: the file holds NUL bytes; it is damaged", name);
        if (err != ERR_OK) {
            str_reset(text);
            str_addf(report, "%s\n", error.text);
        }
    }
    str_clear(&path);
    return there;
}

void own_fault(struct str *report, const char *name, int line, const char *reason) {
    str_addf(report, "%s:%d: ", name, line);
    utf8_sanitise(report, reason, strlen(reason));
    str_add_char(report, '\n');
}

struct own_reader {
    const char *name;
    own_take_fn *take;
    void *context;
    struct str *report;
    char section[LINE_MAX_BYTES];
    bool begun, skipping; /* skipping: its section was refused */
    bool good;
};

static char *own_trim(char *text) {
    text += strspn(text, " \t");
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t\r", text[len - 1]))
        text[--len] = '\0';
    return text;
}

static bool own_begin_section(struct own_reader *reader, char *line, struct str *reason) {
    size_t len = strlen(line);
    if (line[len - 1] != ']') {
        str_add(reason, "a section begins with [ and ends with ]");
        return false;
    }
    line[len - 1] = '\0';
    char *section = own_trim(line + 1);
    if (!*section) {
        str_add(reason, "the section has no name");
        return false;
    }
    memmove(reader->section, section, strlen(section) + 1);
    return true;
}

static bool own_take_line(struct own_reader *reader, char *line, int number, struct str *reason) {
    struct own_line taken = {.number = number, .section = reader->section};
    if (*line == '[') /* until it is taken: lines of a section that is refused are not those of the one before */
        reader->begun = reader->skipping = true;
    if (!check_line(line, reason))
        return false;
    if (*line == '[') {
        reader->skipping = !own_begin_section(reader, line, reason) || !reader->take(reader->context, &taken, reason);
        return !reader->skipping;
    }
    char *equals = strchr(line, '=');
    if (!reader->begun || !equals) {
        str_add(reason, reader->begun ? "a line is NAME = VALUE" : "a line stands before the first [section]");
        return false;
    }
    *equals = '\0';
    taken.name = own_trim(line);
    taken.value = own_trim(equals + 1);
    if (!*taken.value)
        str_addf(reason, "%s has no value", taken.name);
    return *taken.value && (reader->skipping || reader->take(reader->context, &taken, reason));
}

bool own_sections(const char *name, const char *text, own_take_fn *take, void *context, struct str *report) {
    struct own_reader reader = {.name = name, .take = take, .context = context, .report = report, .good = true};
    struct str reason;
    str_init(&reason, REASON_MAX);
    if (str_starts(text, "\xEF\xBB\xBF")) /* an editor's byte order mark is no text */
        text += 3;
    for (int number = 1; *text; number++) {
        size_t len = strcspn(text, "\n");
        char buffer[LINE_MAX_BYTES];
        str_reset(&reason);
        (void)memcpy(buffer, text, len < sizeof buffer ? len : sizeof buffer - 1);
        buffer[len < sizeof buffer ? len : sizeof buffer - 1] = '\0';
        char *line = own_trim(buffer);
        if (*line && *line != '#' && !own_take_line(&reader, line, number, &reason)) {
            own_fault(report, name, number, reason.s);
            reader.good = false;
            if (reader.begun && !reader.skipping) {
                const struct own_line faulty = {.number = number, .section = reader.section, .faulty = true};
                (void)take(context, &faulty, &reason);
            }
        }
        text += len + (text[len] == '\n');
    }
    str_clear(&reason);
    return reader.good;
}
