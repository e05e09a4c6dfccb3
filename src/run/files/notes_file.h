#ifndef RUN_NOTES_FILE_H
#define RUN_NOTES_FILE_H
/* Notes and tags on the disk: one private file a profile, bound to its origin and account, to which lines are added
 * under a lock, so that several programs lose nothing. A file of another account is left as it is. Any thread. */

#include "app/notes.h"

struct notes_place {
    const char *folder; /* NULL: the operator's own */
    const char *profile, *origin, *account;
};
struct notes_place notes_place_of(const char *folder, const struct profile *profile); /* borrows */

/* Adds what the ask has (NULL: nothing) with who did it, then reads all. */
void notes_file_answer(const struct notes_place *place, const struct notes_ask *ask, const char *who,
                       struct notes_answer *out);
enum err notes_file_path(const struct notes_place *place, struct str *out, struct error *error) MUST_CHECK;
/* Its lines, with the first one; "" where there is none. */
enum err notes_file_text(const struct notes_place *place, struct str *text, struct error *error) MUST_CHECK;
/* Adds lines that a colleague wrote, as notes_print gives them, without those that are there already. */
enum err notes_file_take(const struct notes_place *place, const char *lines, struct error *error) MUST_CHECK;
/* Of one profile, or of all where it is NULL: how many files were removed, -1 and the error. */
int notes_file_purge(const char *folder, const char *profile, struct error *error);
/* The folder that a console watches for what others write; made where it is missing. */
enum err notes_file_folder(const char *folder, struct str *out, struct error *error) MUST_CHECK;

#endif
