#ifndef BASE_PATH_H
#define BASE_PATH_H
/* Places on disk: XDG folders, private files. Folders are made 0700, files 0600, whatever the umask; a folder that is
 * not ours or open to others, or a file that is a link, is refused. */

#include "base/str.h"

#include <stdio.h>

enum path_home { PATH_CONFIG, PATH_CACHE, PATH_STATE };

/* `<home>/bursar[/name]`; honours XDG_*_HOME (absolute only) and HOME. Appends to out. */
enum err path_home(enum path_home home, const char *name, struct str *out, struct error *error) MUST_CHECK;

/* Replaces a leading "~/" by the operator's home; where that is not known the text stays and cannot be opened. On the
 * heap; NULL of NULL. */
char *path_expand(const char *path);

/* Completes a typed path: appends to completed as much as all names with that beginning share (a folder's ends in '/'),
 * and to names those names, separated by two blanks; returns how many there are. Hidden ones only where the point is
 * typed. */
size_t path_complete(const char *typed, struct str *completed, struct str *names);

/* Appends the working folder, with "~" for the operator's home; nothing where it does not exist any more. */
void path_here(struct str *out);

/* Appends the name of a file made from any text: letters, digits, '-', '_' and '.' stay; all else, and a leading point,
 * is written as %XX, so that it can name no other file. */
void path_add_name(struct str *out, const char *text);

/* Makes the folder (and its parents) private; ERR_FILE with the reason where it is unsafe. */
enum err path_make_private(const char *folder, struct error *error) MUST_CHECK;

/* New file only (O_EXCL, O_NOFOLLOW), 0600. *out is a descriptor owned by the caller. */
enum err path_create_new(const char *path, int *out, struct error *error) MUST_CHECK;

/* Writes through a temporary file, fsync and rename; 0600. */
enum err path_replace(const char *path, const char *bytes, size_t len, struct error *error) MUST_CHECK;

/* A new file, whole or not at all: a file of that name that is there stays as it is; 0600. */
enum err path_write_new(const char *path, const char *bytes, size_t len, struct error *error) MUST_CHECK;

/* Gives a finished file its name unless a file of that name exists: 0, or the error number (EEXIST: it exists). Not
 * every file system can do that in one step; there the file is linked to the new name and unlinked from the old one,
 * which never replaces a file either. */
int path_rename_new(const char *from, const char *path);

/* Every byte, however often write(2) takes a part; false with errno set. */
bool path_write_all(int fd, const char *bytes, size_t len);

/* An open file that is a regular one of this user, under one name; with `path` this is its name still. */
struct stat;
bool path_is_ours(int fd, const char *path, struct stat *info);

/* Takes a lock of flock(2), and waits a second for who has it; false with errno set. */
bool path_lock(int fd, int how);

/* Whole regular file, at most max bytes. With private_only it must be ours, no link, and closed to others (0600 or
 * stricter); without it a link is followed, as people keep their settings. */
enum err path_read(const char *path, size_t max, bool private_only, struct str *out, struct error *error) MUST_CHECK;

/* Refuses a file or folder that others may write (configuration). */
enum err path_check_unwritable(const char *path, struct error *error) MUST_CHECK;

/* The same for the file that path leads to and for its folder: a file that decides whom this program trusts
 * (configuration, certificates) must not be one that another user can change or exchange. */
enum err path_check_trusted(const char *path, struct error *error) MUST_CHECK;

#endif
