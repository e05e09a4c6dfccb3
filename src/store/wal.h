#ifndef STORE_WAL_H
#define STORE_WAL_H
/* What a program that was killed left of a database's log. SQLite takes such a log up to the first frame that is not as
 * it was written; where frames behind it were carried over into the file already, the file then shows some pages as
 * they are and others as they were. The log's index, which outlives a program but not the next opening, knows how far
 * the log was whole. */

#include <stdbool.h>

/* Whether the log of this database lacks frames that its index has. False where there is nothing to judge by: no log,
 * no index, an index of another log. It opens the index, which undoes every lock that this process holds on it: not
 * while this process has the database open. */
bool wal_is_damaged(const char *path);

#endif
