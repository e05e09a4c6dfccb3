#include "since_place.h"

#include "session.h"

#include "base/digest.h"
#include "base/path.h"
#include "store/machine_key.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, PLACE_MAX = 4 << 20, NAME_BYTES = 16 };

static const char FOLDER[] = "since";

/* A name has no such colon, so that no two are of one file. */
static enum err since_place_path(const struct profile *profile, const char *name, const char *ending, struct str *path,
                                 struct error *error) {
    struct str all;
    str_init(&all, PATH_BYTES);
    str_addf(&all, "%s:%s%s", profile->name, name, ending);
    enum err err = session_place(NULL, FOLDER, all.s, path, error);
    str_clear(&all);
    return err;
}

static enum err since_place_make_folder(struct error *error) {
    struct str folder;
    str_init(&folder, PATH_BYTES);
    enum err err = session_place(NULL, FOLDER, NULL, &folder, error);
    if (err == ERR_OK)
        err = path_make_private(folder.s, error);
    str_clear(&folder);
    return err;
}

/* A purge may remove the file between opening and locking it: then the lock would be nobody's. */
static enum err since_place_lock_file(const char *path, int *lock, struct error *error) {
    struct stat info;
    *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
    if (*lock < 0)
        return error_set(error, ERR_FILE, "%s: %s", path, strerrordesc_np(errno));
    if (!path_lock(*lock, LOCK_EX)) {
        return errno == EWOULDBLOCK
                   ? error_set(error, ERR_FILE, "another run has this place of --since-last; run it again after that")
                   : error_set(error, ERR_FILE, "%s: cannot be locked: %s", path, strerrordesc_np(errno));
    }
    return path_is_ours(*lock, path, &info) ? ERR_OK : error_set(error, ERR_FILE, "%s is not a file of your own", path);
}

static enum err since_place_lock(const struct profile *profile, const char *name, int *lock, struct error *error) {
    struct str path;
    str_init(&path, PATH_BYTES);
    enum err err = since_place_make_folder(error);
    if (err == ERR_OK)
        err = since_place_path(profile, name, ":lock", &path, error);
    if (err == ERR_OK)
        err = since_place_lock_file(path.s, lock, error);
    str_clear(&path);
    return err;
}

enum err since_place_open(const struct profile *profile, const char *name, struct since_place *out,
                          struct error *error) {
    *out = (struct since_place){.lock = -1};
    str_init(&out->path, PATH_BYTES);
    str_init(&out->text, PLACE_MAX);
    enum err err = since_place_path(profile, name, "", &out->path, error);
    if (err == ERR_OK)
        err = since_place_lock(profile, name, &out->lock, error);
    if (err != ERR_OK)
        return err;
    out->there = faccessat(AT_FDCWD, out->path.s, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
    return out->there ? path_read(out->path.s, PLACE_MAX, true, &out->text, error) : ERR_OK;
}

enum err since_place_write(const struct since_place *place, const struct str *text, struct error *error) {
    return path_replace(place->path.s, text->s, text->len, error);
}

void since_place_close(struct since_place *place) {
    if (place->lock >= 0)
        (void)close(place->lock);
    str_clear(&place->path);
    str_clear(&place->text);
    *place = (struct since_place){.lock = -1};
}

enum err since_place_name_question(const char *text, struct str *out, struct error *error) {
    static const char KIND[] = "since ";
    unsigned char digest[DIGEST_LEN];
    struct machine_key key;
    struct str whole;
    bool made;
    enum err err = machine_key_load(NULL, &key, &made, error);
    if (err != ERR_OK)
        return err;
    str_init(&whole, PLACE_MAX);
    str_addf(&whole, "%s%s", KIND, text);
    digest_keyed(digest, key.bytes, sizeof key.bytes, whole.s, whole.len);
    digest_hex(out, digest, NAME_BYTES);
    secret_wipe(&key, sizeof key);
    secret_clear_str(&whole);
    return ERR_OK;
}
