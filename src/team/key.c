#include "own.h"

#include "base/path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

enum err team_key_path(const char *key_file, struct str *out, struct error *error) {
    if (key_file && *key_file) {
        str_add(out, key_file);
        return ERR_OK;
    }
    return path_home(PATH_CONFIG, "team.key", out, error);
}

enum err team_key_make(const char *key_file, bool *made, struct error *error) {
    unsigned char key[sizeof(struct machine_key)];
    struct str path, folder;
    str_init(&path, PATH_BYTES);
    str_init(&folder, PATH_BYTES);
    *made = false;
    enum err err = team_key_path(key_file, &path, error);
    const char *slash = err == ERR_OK ? strrchr(path.s, '/') : NULL;
    str_add_n(&folder, path.s, slash ? (size_t)(slash - path.s) : 0);
    if (err == ERR_OK && access(path.s, F_OK) != 0) {
        secret_random(key, sizeof key);
        err = folder.len && access(folder.s, F_OK) != 0 ? path_make_private(folder.s, error) : ERR_OK;
        if (err == ERR_OK)
            err = path_write_new(path.s, (const char *)key, sizeof key, error);
        secret_wipe(key, sizeof key);
        *made = err == ERR_OK;
    }
    str_clear(&folder);
    str_clear(&path);
    return err;
}

enum err team_key_use(struct team *team, struct error *error) {
    struct str path, bytes;
    struct error fault = {0};
    if (team->has_key)
        return ERR_OK;
    str_init(&path, PATH_BYTES);
    str_init(&bytes, sizeof team->key.bytes + 1);
    enum err err = team_key_path(team->place.key_file, &path, error);
    if (err == ERR_OK && access(path.s, F_OK) != 0)
        err = error_set(error, ERR_CONFIG,
                        "there is no team key at %s: a colleague has it and gives you a copy (mode 0600); who begins "
                        "the team makes it with bursar team init",
                        path.s);
    else if (err == ERR_OK && path_read(path.s, sizeof team->key.bytes, true, &bytes, &fault) != ERR_OK)
        err = error_set(error, ERR_CONFIG, "the team key: %s", fault.text);
    else if (err == ERR_OK && bytes.len != sizeof team->key.bytes)
        err = error_set(error, ERR_CONFIG, "the team key %s is not one of %zu bytes", path.s, sizeof team->key.bytes);
    if (err == ERR_OK) {
        memcpy(team->key.bytes, bytes.s, sizeof team->key.bytes);
        team->has_key = true;
    }
    secret_clear_str(&bytes);
    str_clear(&path);
    return err;
}

static void team_hex(const unsigned char digest[DIGEST_LEN], struct team_digest *out) {
    for (size_t i = 0; i < DIGEST_LEN; i++)
        snprintf(out->hex + 2 * i, 3, "%02x", digest[i]);
}

static void add_digest_part(struct str *in, const char *text, size_t len) {
    str_addf(in, "%zu:", len);
    str_add_n(in, text, len);
}

void team_digest_of(struct team *team, const char *kind, const char *origin, const char *account, const char *name,
                    const char *text, size_t len, struct team_digest *out) {
    unsigned char digest[DIGEST_LEN];
    const char *const parts[] = {kind, origin ? origin : "", account ? account : "", name};
    struct str *in = &team->scratch;
    str_reset(in);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        add_digest_part(in, parts[i], strlen(parts[i]));
    add_digest_part(in, text, len);
    digest_keyed(digest, team->key.bytes, sizeof team->key.bytes, in->s, in->len);
    team_hex(digest, out);
    secret_wipe(in->s, in->len);
    str_reset(in);
}

void team_key_check_value(struct team *team, struct team_digest *out) {
    team_digest_of(team, "check", "", "", "key", "", 0, out);
}

void team_chain_link(struct team *team, const char *before, const char *kind, const char *const *values, int n,
                     int link, struct team_digest *out) {
    unsigned char digest[DIGEST_LEN];
    struct str *in = &team->scratch;
    str_reset(in);
    add_digest_part(in, kind, strlen(kind));
    add_digest_part(in, before, strlen(before));
    for (int i = 0; i < n; i++) {
        if (i == link)
            continue;
        str_add_char(in, values[i] ? '+' : '-');
        if (values[i])
            add_digest_part(in, values[i], strlen(values[i]));
    }
    digest_keyed(digest, team->key.bytes, sizeof team->key.bytes, in->s, in->len);
    team_hex(digest, out);
    str_reset(in);
}

void team_id_new(unsigned char id[TEAM_ID_BYTES]) {
    secret_random(id, TEAM_ID_BYTES);
}
