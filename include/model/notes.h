#ifndef MODEL_NOTES_H
#define MODEL_NOTES_H
/* Notes and tags that operators put on intents and users, and hand-overs of intents, who and when; the service never
 * gets them. In memory one immutable table, counted, so that threads share it; on disk a line each, which proves
 * itself: damage costs its line. */

#include "model/handover.h"

enum note_kind { NOTE_TEXT, NOTE_TAG, NOTE_UNTAG, NOTE_HANDOVER, NOTE_DONE };
enum note_about { NOTE_OF_INTENT, NOTE_OF_USER, NOTE_ABOUT_COUNT };
enum { NOTE_TEXT_MAX = 1000, NOTE_TAG_MAX = 40, NOTE_ID_MAX = 1024, NOTE_WHO_MAX = 256, NOTES_FILE_MAX = 64 << 20 };

struct note {
    enum note_kind kind;
    enum note_about about;
    const char *id; /* of the intent or user */
    int64_t at;     /* ms */
    const char *who;
    const char *text; /* the note, or the tag; of a hand-over `to TAB text`, of one that is done `from TAB ms` */
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
/* After the last of them, where hand-overs are among them; notes_parse does it. */
void notes_join(struct notes *notes);
struct notes *notes_share(const struct notes *notes); /* NULL of NULL; freed like the table itself */
void notes_free(struct notes *notes);
size_t notes_count(const struct notes *notes);  /* notes, tags and hand-overs that are there now */
bool notes_is_empty(const struct notes *notes); /* NULL is */

/* NULL: nothing is known of it. id NULL: none. */
const struct notes_subject *notes_find(const struct notes *notes, enum note_about about, const char *id, size_t len);

/* The tags that are in use, those on most intents and users first; fills so many at most, and gives how many there are.
 */
size_t notes_tags(const struct notes *notes, const char **out, size_t most);

/* Whose table it is: the login name of the operator here; NULL: not known. */
void notes_set_me(struct notes *notes, const char *login);
const char *notes_me(const struct notes *notes);
/* All hand-overs, newest first; of one intent or user, oldest first. NULL: none. */
const struct handover *const *notes_handovers(const struct notes *notes, size_t *n);
const struct handover *notes_handed(const struct notes *notes, const struct notes_subject *subject, size_t *n);
bool notes_has_handover(const struct notes *notes, const struct handover *handover); /* the same, of any table */
bool notes_is_to_me(const struct notes *notes, const struct handover *handover);     /* done or not */
bool notes_is_by_me(const struct notes *notes, const struct handover *handover);
size_t notes_inbox(const struct notes *notes); /* how many were handed to the operator here and are not done */

/* Everybody who wrote a line, or was handed something; each once, whoever was seen last first. Borrows. */
struct notes_people {
    struct notes_person {
        const char *who;
        int64_t seen; /* ms */
    } * items;
    size_t n, cap;
};
void notes_people_of(const struct notes *notes, struct notes_people *out);

size_t notes_later(const struct notes *notes); /* how many lines were a later program's */
/* Lines of the file: appends one, or reads all into the table and gives how many were no good. Lines are applied in the
 * order of their own times, whatever the order in which they came: what is known is the same on every machine that has
 * the same lines. A whole line of a kind that is not known here is a later program's: it is left out, and no damage. */
void notes_print(const struct note *note, struct str *out);
size_t notes_parse(struct notes *notes, const char *text, size_t len);
/* The time by which one more note holds against the lines of a text: its own, or, of a tag, at least one after the last
 * that was said of it, for the clock that wrote that may have been ahead. */
int64_t notes_time_after(const char *text, size_t len, const struct note *note);
/* One line without its end, in memory that ends with a NUL and is written to; out borrows of it. false: it is damaged,
 * or not harmless on a terminal. */
bool note_read(char *line, size_t len, struct note *out);
const char *notes_format(void); /* names the kinds of lines that are known here: another program's is another */

#endif
