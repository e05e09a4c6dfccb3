#include "store/machine_key.h"

#include "files.h"

#include "base/path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static enum err machine_key_make_key(const char *path, struct error *error) {
    struct str temp;
    str_init(&temp, PATH_BYTES);
    str_addf(&temp, "%s.new-", path);
    secret_random_hex(&temp, 8);
    unsigned char key[sizeof(struct machine_key)];
    secret_random(key, sizeof key);
    enum err err = path_replace(temp.s, (const char *)key, sizeof key, error);
    secret_wipe(key, sizeof key);
    if (err == ERR_OK && !files_publish(temp.s, path))
        err = error_set(error, ERR_FILE, "%s: cannot be made", path);
    unlink(temp.s);
    str_clear(&temp);
    return err;
}

enum err machine_key_load(const char *folder, struct machine_key *out, bool *made, struct error *error) {
    struct str path, bytes;
    str_init(&path, PATH_BYTES);
    str_init(&bytes, sizeof out->bytes + 1);
    *made = false;
    enum err err = ERR_OK;
    if (folder)
        str_add(&path, folder);
    else
        err = path_home(PATH_STATE, NULL, &path, error);
    if (err == ERR_OK)
        err = path_make_private(path.s, error);
    str_add(&path, "/machine.key");
    if (err == ERR_OK && access(path.s, F_OK) != 0) {
        err = machine_key_make_key(path.s, error);
        *made = err == ERR_OK;
    }
    if (err == ERR_OK)
        err = path_read(path.s, sizeof out->bytes, true, &bytes, error);
    if (err == ERR_OK && bytes.len != sizeof out->bytes)
        err = error_set(error, ERR_FILE, "%s: is not a key of %zu bytes", path.s, sizeof out->bytes);
    if (err == ERR_OK)
        memcpy(out->bytes, bytes.s, sizeof out->bytes);
    secret_clear_str(&bytes);
    str_clear(&path);
    return err;
}
