#include "shared_file.h"

#include "session.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };
static const char SHARED_FOLDER[] = "team-views";

enum err shared_file_folder(const char *folder, struct str *out, struct error *error) {
    enum err err = session_place(folder, SHARED_FOLDER, NULL, out, error);
    return err == ERR_OK ? path_make_private(out->s, error) : err;
}

enum err shared_file_path(const struct shared_place *place, struct str *out, struct error *error) {
    return session_place(place->folder, SHARED_FOLDER, place->profile->name, out, error);
}

void shared_file_text(const struct shared_place *place, struct str *out) {
    struct str path;
    str_init(&path, PATH_BYTES);
    if (!shared_views_wanted(place->profile) || shared_file_path(place, &path, NULL) != ERR_OK ||
        path_read(path.s, SHARED_BYTES_MAX, true, out, NULL) != ERR_OK)
        str_reset(out); /* there is no file yet, or it is not safe */
    str_clear(&path);
}

/* The file is exchanged for another, so it is the folder that is locked. */
static enum err lock_folder(const struct shared_place *place, int *out, struct error *error) {
    struct str folder;
    str_init(&folder, PATH_BYTES);
    enum err err = shared_file_folder(place->folder, &folder, error);
    *out = err == ERR_OK ? open(folder.s, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (err == ERR_OK && *out < 0)
        err = error_set(error, ERR_FILE, "%s: %s", folder.s, strerrordesc_np(errno));
    if (err == ERR_OK && !path_lock(*out, LOCK_EX))
        err = error_set(error, ERR_FILE, "%s cannot be locked: %s", folder.s, strerrordesc_np(errno));
    str_clear(&folder);
    return err;
}

static enum err change_locked(const struct shared_place *place, shared_change_fn *change, void *context,
                              struct error *error) {
    struct str path, before, after;
    struct shared_views views;
    str_init(&path, PATH_BYTES);
    str_init(&before, SHARED_BYTES_MAX);
    str_init(&after, SHARED_BYTES_MAX);
    shared_file_text(place, &before);
    shared_views_parse(before.s ? before.s : "", place->profile, &views);
    enum err err = change(context, &views, error);
    if (err == ERR_OK)
        shared_views_print(&views, &after);
    if (err == ERR_OK && after.truncated)
        err = error_set(error, ERR_LIMIT, "the file of shared views is full");
    if (err == ERR_OK)
        err = shared_file_path(place, &path, error);
    if (err == ERR_OK && !str_equal(before.s, after.s))
        err = path_replace(path.s, after.s, after.len, error);
    shared_views_clear(&views);
    str_clear(&after);
    str_clear(&before);
    str_clear(&path);
    return err;
}

enum err shared_file_change(const struct shared_place *place, shared_change_fn *change, void *context,
                            struct error *error) {
    int fd = -1;
    enum err err = lock_folder(place, &fd, error);
    if (err == ERR_OK)
        err = change_locked(place, change, context, error);
    if (fd >= 0)
        (void)close(fd);
    return err;
}

int shared_file_purge(const char *folder, struct error *error) {
    return session_purge(folder, SHARED_FOLDER, error);
}
