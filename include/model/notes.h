#ifndef MODEL_NOTES_H
#define MODEL_NOTES_H
/* Notes and tags that operators put on intents and users, who and when; they are never sent. In memory one immutable
 * table, counted, so that threads share it; on disk a line each, which proves itself: damage costs its line. */

#include "base/str.h"

#include <stdint.h>

enum note_kind { NOTE_TEXT, NOTE_TAG, NOTE_UNTAG };
enum note_about { NOTE_OF_INTENT, NOTE_OF_USER, NOTE_ABOUT_COUNT };
enum { NOTE_TEXT_MAX = 1000, NOTE_TAG_MAX = 40, NOTE_ID_MAX = 1024, NOTE_WHO_MAX = 256, NOTES_FILE_MAX = 64 << 20 };

struct note {
    enum note_kind kind;
    enum note_about about;
    const char *id; /* of the intent or user */
    int64_t at;     /* ms */
    const char *who;
    const char *text; /* the note, or the tag */
};

/* Whether a text can be a note: one clean line, not empty. reason: why not. */
bool note_check_text(const char *text, struct str *reason);
/* Appends the tag in its one spelling, in small letters; false: it cannot be one. */
bool note_tag(const char *text, size_t len, struct str *out);

/* What is known of one intent or user, oldest first. */
struct notes_subject {
    const char *id;
    enum note_about about;
    struct note *notes; /* texts alone */
    size_t n_notes, notes_cap;
    struct note *tags; /* that are on it now, by whom and since when */
    size_t n_tags, tags_cap;
};

struct notes;
struct notes *notes_new(void);
/* Applies one more; only before the table is shared. Copies. */
void notes_add(struct notes *notes, const struct note *note);
struct notes *notes_share(const struct notes *notes); /* NULL of NULL; freed like the table itself */
void notes_free(struct notes *notes);
size_t notes_count(const struct notes *notes);  /* notes and tags that are there now */
bool notes_is_empty(const struct notes *notes); /* NULL is */

/* NULL: nothing is known of it. id NULL: none. */
const struct notes_subject *notes_find(const struct notes *notes, enum note_about about, const char *id, size_t len);

/* The tags that are in use, those on most intents and users first; fills so many at most, and gives how many there are.
 */
size_t notes_tags(const struct notes *notes, const char **out, size_t most);

/* Lines of the file: appends one, or reads all into the table and gives how many were no good. Lines are applied in the
 * order of their own times, whatever the order in which they came: what is known is the same on every machine that has
 * the same lines. */
void notes_print(const struct note *note, struct str *out);
size_t notes_parse(struct notes *notes, const char *text, size_t len);
/* The time by which one more note holds against the lines of a text: its own, or, of a tag, at least one after the last
 * that was said of it, for the clock that wrote that may have been ahead. */
int64_t notes_time_after(const char *text, size_t len, const struct note *note);
/* One line without its end, in memory that ends with a NUL and is written to; out borrows of it. false: it is damaged,
 * or not harmless on a terminal. */
bool note_read(char *line, size_t len, struct note *out);

#endif
