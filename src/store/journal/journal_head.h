#ifndef STORE_JOURNAL_HEAD_H
#define STORE_JOURNAL_HEAD_H
/* journal.head beside the journal: the number and link of its newest confirmed entry, so that a lost end of the journal
 * shows, and the locks by which programs show that they live. It is made before the first entry and written in place,
 * into the older of two slots and only ever forwards, after the entry is durable: it may be behind the journal, after a
 * kill, and is never ahead of it. Locks are byte ranges far beyond its end, held by the open file (OFD), so that they
 * end with their program, whatever /proc shows, and hold across containers that share the folder. */

#include "base/digest.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct journal_head_note {
    int64_t seq, n;
    unsigned char link[DIGEST_LEN];
};

struct journal_head {
    int fd; /* 0: not open; never stdin's */
    char path[4096];
};

enum head_state { HEAD_SOUND, HEAD_ABSENT, HEAD_DAMAGED, HEAD_UNSAFE, HEAD_UNREADABLE };

/* Without following a link; a file of ours alone. */
enum head_state head_open(struct journal_head *head, const char *path, bool reading, struct journal_head_note *out,
                          struct error *error);
/* Of an empty journal, unless there is one. */
enum err head_make(const char *path, struct error *error) MUST_CHECK;
/* Synced; a note that is not newer changes nothing. */
enum err head_raise(struct journal_head *head, const struct journal_head_note *note, struct error *error) MUST_CHECK;
bool head_is_in_place(const struct journal_head *head); /* the path still names this file */
void head_close(struct journal_head *head);

/* Takes a place of its own and gives its name. */
enum err head_live(struct journal_head *head, struct str *owner, struct error *error) MUST_CHECK;
/* Whether the program that wrote `owner` has ended. Owners of older journals name a process, which cannot be asked for
 * safely: they count as ended ten minutes after `began`, longer than any write may take. */
bool head_has_ended(const struct journal_head *head, const char *owner, int64_t began, int64_t now);

#endif
