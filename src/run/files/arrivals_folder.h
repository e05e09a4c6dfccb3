#ifndef RUN_ARRIVALS_FOLDER_H
#define RUN_ARRIVALS_FOLDER_H
/* The files of stored events in the folder of a profile, by their names alone: `000000000012`, and
 * `000000000013.refused` of an event that did not verify, which is the first to make room. Any thread. */

#include "base/str.h"

#include <stdint.h>

/* Of an event that did not verify no more of its body is kept. */
enum { ARRIVALS_REFUSED_BODY_MAX = 64 << 10 };

struct stored {
    int64_t n, bytes, written; /* written: ms */
    bool refused;              /* it did not verify */
    bool gone;                 /* it made room */
};
struct stored_list { /* by number */
    struct stored *items;
    size_t n, cap;
    int64_t stamp; /* of the folder as they were read; 0: not known */
    int64_t given; /* the last number that was given, as far as it is known */
};

void arrivals_folder_path(const char *folder, int64_t n, bool refused, struct str *out);
/* What is added or removed is so under this lock, so that several programs can receive. *fd: its owner closes it. */
enum err arrivals_folder_lock(const char *folder, int *fd, struct error *error) MUST_CHECK;
/* Nothing where there is no folder. The items are the caller's, and may be those of an earlier reading: only files that
 * are not among them are looked at. */
enum err arrivals_folder_read(const char *folder, struct stored_list *out, struct error *error) MUST_CHECK;
/* Changes when a file comes or goes; 0: there is no folder. */
int64_t arrivals_folder_stamp(const char *folder);
/* Under the lock: reads it where it is not as list knows it. Afterwards whoever adds a file keeps the list true by
 * arrivals_folder_added. */
enum err arrivals_folder_refresh(const char *folder, int lock, struct stored_list *list,
                                 struct error *error) MUST_CHECK;
void arrivals_folder_added(const char *folder, const struct stored *stored, struct stored_list *list);
/* Reads it as by arrivals_folder_read, with the last number that was given, of files that are gone too: both under the
 * lock, so that none is missing that is only being added. Where it cannot be locked what may be so is left out. */
enum err arrivals_folder_survey(const char *folder, struct stored_list *list, int64_t *given,
                                struct error *error) MUST_CHECK;
bool arrivals_folder_remove(const char *folder, const struct stored *stored);
/* Removes what a program left that was killed while it wrote, before this time in ms. */
void arrivals_folder_clean(const char *folder, int64_t before);
/* The next number: none is given twice, also where the events that had it are gone. It is kept in the lock's file. */
enum err arrivals_folder_number(int lock, struct stored_list *list, int64_t *n, struct error *error) MUST_CHECK;
/* Under the same lock: its file could not be written. */
void arrivals_folder_number_back(const char *folder, int lock, const struct stored *stored);
/* Removes the oldest until there is room for one more, those that did not verify first. They have a tenth of all room,
 * and nothing else gives way to one of them: ERR_LIMIT. limit_mb 0: only the number of files has a limit. */
enum err arrivals_folder_make_room(const char *folder, int limit_mb, const struct stored *more,
                                   struct stored_list *list, struct error *error) MUST_CHECK;

#endif
