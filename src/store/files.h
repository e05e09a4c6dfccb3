#ifndef STORE_FILES_H
#define STORE_FILES_H
/* The database files as files: who may open them, one console at a time while one is made or set aside, and setting
 * aside. No SQLite here. */

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* FILE_OPEN: ours, but others may read it, and that cannot be changed: good for reading. */
enum file_state { FILE_ABSENT, FILE_THERE, FILE_UNSAFE, FILE_OPEN, FILE_UNREADABLE };

struct file_look {
    enum file_state state;
    dev_t dev;
    ino_t ino;
    const char *why; /* static: of UNSAFE, OPEN and UNREADABLE, to follow the path; "" */
};
/* Looks at a path without following a link: a regular file of ours with one name, made private. The file
 * is not opened: closing it again would drop the locks that SQLite holds for this process. */
void files_look(const char *path, struct file_look *out);

/* Another process that holds a lock on the database at path, as far as this machine tells; 0: none is known. name gets
 * what it is called, "" where that is not known. */
long files_holder(const char *path, char *name, size_t size);
/* Whether this folder's file system refuses locks altogether. */
bool files_lock_refused(const char *folder);

/* Lock on a folder, held only while a file is opened, made or set aside; -1 with errno where refused in time. */
int files_lock(const char *folder);
void files_unlock(int fd);

/* Moves the file with -wal and -shm to `path.damaged-<n>`; heap text of the new name, NULL on failure. */
char *files_set_aside(const char *path);
/* Removes path, -wal, -shm, -journal and the index where there; false if any remains. */
bool files_remove(const char *path);
/* What is made of the database, and holds what it does. */
#define FILES_INDEX "-index"
bool files_remove_index(const char *path);
/* Removes every `path.damaged-*`; gives how many, and false in *whole where one remains. */
size_t files_remove_aside(const char *path, bool *whole);
/* Gives a finished file its name, unless one is there already (then true as well); false: neither. */
bool files_publish(const char *from, const char *path);
int64_t files_size(const char *path, const char *suffix); /* 0: not there */

#endif
