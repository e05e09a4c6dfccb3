#include "cache_own.h"
#include "cache_schema.h"
#include "store/files.h"
#include "store/wal.h"

#include "base/path.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Caches that this process has open. They are opened under their folder's lock, one after the other. */
static atomic_int open_here;

static void count_open(struct cache *cache, bool is_open) {
    if (cache->counted != is_open)
        atomic_fetch_add(&open_here, is_open ? 1 : -1);
    cache->counted = is_open;
}

/* The log of a cache that this process has open is checked by SQLite itself. */
static bool has_damaged_log(const struct cache *cache) {
    /* SQLite takes an empty file for a new one, and drops the log beside it. */
    bool emptied = files_size(cache->path, "") == 0 && files_size(cache->path, "-wal") > 0;
    return atomic_load(&open_here) == 0 && (emptied || wal_is_damaged(cache->path));
}

static enum cache_outcome cache_open_find_folder(const char *folder, struct str *out, struct error *error) {
    if (folder)
        str_add(out, folder);
    else if (path_home(PATH_CACHE, NULL, out, error) != ERR_OK)
        return CACHE_NO_FOLDER;
    if (path_make_private(out->s, error) == ERR_OK)
        return CACHE_OK;
    /* A cache that others may read is no place to store in, but what it holds is read. */
    struct stat st;
    if (lstat(out->s, &st) != 0)
        return CACHE_NO_FOLDER;
    bool readable = S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 022) == 0;
    return readable ? CACHE_READ_ONLY : CACHE_UNSAFE;
}

static enum cache_outcome cache_open_outcome_of(const struct cache *cache) {
    const struct db *db = &cache->db;
    int plain = db->rc & 0xff;
    if (db->damaged)
        return CACHE_SET_ASIDE;
    if (db->full)
        return CACHE_DISK_FULL;
    if (plain == SQLITE_READONLY || plain == SQLITE_PERM ||
        (plain == SQLITE_CANTOPEN && access(cache->folder, W_OK) != 0))
        return CACHE_READ_ONLY;
    if (plain == SQLITE_BUSY || plain == SQLITE_LOCKED)
        return files_lock_refused(cache->folder) ? CACHE_LOCK_REFUSED : CACHE_LOCKED;
    if (plain == SQLITE_PROTOCOL || db->rc == SQLITE_IOERR_LOCK || db->rc == SQLITE_IOERR_RDLOCK ||
        db->rc == SQLITE_IOERR_UNLOCK || db->rc == SQLITE_IOERR_CHECKRESERVEDLOCK || db->rc == SQLITE_IOERR_SHMOPEN ||
        db->rc == SQLITE_IOERR_SHMLOCK || db->rc == SQLITE_IOERR_SHMMAP)
        return CACHE_LOCK_REFUSED;
    return CACHE_UNUSABLE;
}

static enum cache_outcome cache_open_make_file(struct cache *cache, struct error *error) {
    int fd;
    if (path_create_new(cache->path, &fd, error) == ERR_OK) {
        close(fd);
        return CACHE_OK;
    }
    return access(cache->folder, W_OK) != 0 ? CACHE_READ_ONLY : CACHE_UNUSABLE;
}

static enum cache_outcome cache_open_find_file(struct cache *cache, struct error *error) {
    struct file_look look;
    files_look(cache->path, &look);
    if (look.state == FILE_ABSENT) {
        enum cache_outcome outcome = cache_open_make_file(cache, error);
        if (outcome != CACHE_OK)
            return outcome;
        files_look(cache->path, &look);
    }
    cache->dev = look.dev;
    cache->ino = look.ino;
    if (look.state != FILE_THERE)
        error_set(error, ERR_STORE, "%s", look.why);
    return look.state == FILE_THERE    ? CACHE_OK
           : look.state == FILE_UNSAFE ? CACHE_UNSAFE
           : look.state == FILE_OPEN   ? CACHE_READ_ONLY
                                       : CACHE_UNUSABLE;
}

static enum cache_outcome outcome_of_state(enum schema_state state) {
    return state == SCHEMA_NEWER ? CACHE_NEWER : state == SCHEMA_OTHER ? CACHE_SET_ASIDE : CACHE_OK;
}

/* A newer or foreign file is not even locked. */
static enum cache_outcome check_schema(struct cache *cache, struct error *error) {
    enum schema_state state;
    if (schema_peek(&cache->db, &cache_schema, &state, error) != ERR_OK)
        return cache_open_outcome_of(cache);
    if (outcome_of_state(state) != CACHE_OK)
        return outcome_of_state(state);
    if (sqlite3_db_readonly(cache->db.handle, "main") == 1)
        return CACHE_READ_ONLY;
    if (cache_configure(&cache->db, error) != ERR_OK ||
        schema_ready(&cache->db, &cache_schema, &state, error) != ERR_OK)
        return cache_open_outcome_of(cache);
    return outcome_of_state(state);
}

static enum cache_outcome switch_to_log(struct cache *cache, struct error *error) {
    bool got;
    if (schema_use_wal(&cache->db, &got, error) != ERR_OK)
        return cache_open_outcome_of(cache);
    /* Only now: a cache that is just being made need not survive a power failure. */
    if (got)
        return db_exec(&cache->db, "PRAGMA synchronous = NORMAL", error) == ERR_OK ? CACHE_OK
                                                                                   : cache_open_outcome_of(cache);
    error_set(error, ERR_STORE, "cache: this file system cannot share it between consoles");
    return CACHE_LOCK_REFUSED;
}

static int64_t binding_digest(struct cache *cache, const char *const parts[4]) {
    cache_digest_begin(cache);
    for (int i = 0; i < 4; i++)
        cache_digest_bytes(cache, parts[i] ? parts[i] : "", parts[i] ? strlen(parts[i]) : 0);
    return cache_digest_end(cache);
}

enum err cache_bind(struct cache *cache, const char *token, struct error *error) {
    const char *const parts[4] = {cache->origin, cache->profile, cache->account, token};
    int64_t digest = binding_digest(cache, parts);
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_BINDING_SET);
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(stmt, i + 1, parts[i], -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 5, digest);
    return db_run(&cache->db, stmt, error);
}

static enum cache_outcome compare_binding(struct cache *cache, sqlite3_stmt *stmt) {
    const char *parts[4];
    for (int i = 0; i < 4; i++) {
        const char *text = (const char *)sqlite3_column_text(stmt, i);
        parts[i] = text ? text : "";
    }
    if (binding_digest(cache, parts) != sqlite3_column_int64(stmt, 4))
        return CACHE_SET_ASIDE;
    if (strcmp(parts[0], cache->origin) != 0 || strcmp(parts[1], cache->profile) != 0 ||
        strcmp(parts[2], cache->account) != 0)
        return CACHE_FOREIGN;
    bool same = !*cache->token || strcmp(parts[3], cache->token) == 0;
    cache->unproven = !same;
    return same || !*parts[3] ? CACHE_OK : CACHE_TOKEN_CHANGED;
}

/* Bound in the same step in which it is made: a cache with rows and no binding could be anybody's. */
static enum cache_outcome bind_new(struct cache *cache, struct error *error) {
    int64_t held = 0;
    enum err err =
        db_int(&cache->db, "SELECT EXISTS(SELECT 1 FROM intents) OR EXISTS(SELECT 1 FROM pages)", &held, error);
    if (err == ERR_OK && held)
        return CACHE_SET_ASIDE;
    cache->unproven = *cache->token != '\0';
    if (err == ERR_OK && !cache->read_only)
        err = cache_bind(cache, "", error);
    return err == ERR_OK ? CACHE_OK : cache_open_outcome_of(cache);
}

static enum cache_outcome check_binding(struct cache *cache, struct error *error) {
    sqlite3_stmt *stmt = cache_stmt(cache, SQL_BINDING_GET);
    bool row = false;
    enum err err = db_step(&cache->db, stmt, &row, error);
    enum cache_outcome outcome = row ? compare_binding(cache, stmt) : CACHE_OK;
    sqlite3_reset(stmt);
    if (err == ERR_OK && !row)
        return bind_new(cache, error);
    return err != ERR_OK ? cache_open_outcome_of(cache) : outcome;
}

static enum cache_outcome cache_open_try_open(struct cache *cache, struct error *error) {
    enum cache_outcome outcome = cache_open_find_file(cache, error);
    if (outcome != CACHE_OK)
        return outcome;
    if (has_damaged_log(cache))
        return CACHE_SET_ASIDE;
    if (db_open(&cache->db, cache->path, "cache", error) != ERR_OK)
        return cache_open_outcome_of(cache);
    db_be_brief(&cache->db);
    outcome = check_schema(cache, error);
    if (outcome == CACHE_OK)
        outcome = switch_to_log(cache, error);
    if (outcome == CACHE_OK) {
        db_statements(&cache->db, cache_sql, SQL_COUNT);
        outcome = check_binding(cache, error);
    }
    return outcome;
}

/* Under the folder's lock, and only the very file that was found damaged: another console may have replaced it. */
static bool set_aside(struct cache *cache, struct cache_opening *opening) {
    struct file_look look;
    files_look(cache->path, &look);
    bool same = look.dev == cache->dev && look.ino == cache->ino;
    db_close(&cache->db, true);
    if (look.state != FILE_THERE || !same)
        return true;
    char *aside = files_set_aside(cache->path);
    if (!aside) {
        error_set(&opening->error, ERR_STORE, "%s is damaged and cannot be moved away", cache->path);
        return false;
    }
    (void)files_remove_index(cache->path); /* of rows that are not trusted any more */
    snprintf(opening->aside, sizeof opening->aside, "%s", aside);
    free(aside);
    return true;
}

static enum cache_outcome check_reading(struct cache *cache, struct error *error) {
    enum schema_state state;
    if (schema_peek(&cache->db, &cache_schema, &state, error) != ERR_OK)
        return cache_open_outcome_of(cache);
    if (state == SCHEMA_OURS && schema_look(&cache->db, &cache_schema, &state, error) != ERR_OK)
        return cache_open_outcome_of(cache);
    if (state != SCHEMA_OURS) {
        error_set(error, ERR_STORE, "it is not a cache of this version, and cannot be made one without writing");
        return state == SCHEMA_NEWER ? CACHE_NEWER : CACHE_READ_ONLY;
    }
    db_statements(&cache->db, cache_sql, SQL_COUNT);
    enum cache_outcome outcome = check_binding(cache, error);
    return outcome == CACHE_OK ? CACHE_READING : outcome;
}

/* A cache that cannot be written can still be sound, and is read. Without a log nobody else writes to it either. `why`
 * keeps the reason. */
static enum cache_outcome cache_open_open_reading(struct cache *cache, enum cache_outcome why, struct error *error) {
    struct file_look look;
    struct error ignored = {0};
    files_look(cache->path, &look);
    if (look.state != FILE_THERE && look.state != FILE_OPEN)
        return why;
    cache->dev = look.dev;
    cache->ino = look.ino;
    cache->read_only = true;
    db_close(&cache->db, true);
    if (has_damaged_log(cache)) {
        error_clear(error);
        error_set(error, ERR_STORE, "its log is damaged");
        return why;
    }
    bool alone = files_size(cache->path, "-wal") == 0;
    if (db_open_reading(&cache->db, cache->path, "cache", alone, &ignored) != ERR_OK)
        return why;
    db_be_brief(&cache->db);
    enum cache_outcome outcome = check_reading(cache, &ignored);
    if (outcome == CACHE_READING || outcome == CACHE_TOKEN_CHANGED || outcome == CACHE_FOREIGN ||
        outcome == CACHE_NEWER)
        return outcome;
    if (!alone) {
        error_clear(error);
        error_set(error, ERR_STORE, "its log has to be written back first");
    } else if (*ignored.text) {
        *error = ignored;
    }
    return why;
}

static enum cache_outcome open_locked(struct cache *cache, struct cache_opening *opening) {
    enum cache_outcome outcome = cache->read_only ? CACHE_READ_ONLY : cache_open_try_open(cache, &opening->error);
    if (outcome == CACHE_READ_ONLY || outcome == CACHE_DISK_FULL)
        return cache_open_open_reading(cache, outcome, &opening->error);
    if (outcome != CACHE_SET_ASIDE)
        return outcome;
    error_clear(&opening->error);
    if (!set_aside(cache, opening))
        return CACHE_UNUSABLE;
    outcome = cache_open_try_open(cache, &opening->error);
    if (outcome == CACHE_OK && opening->aside[0])
        cache_note_aside(cache);
    return outcome == CACHE_SET_ASIDE                 ? CACHE_UNUSABLE
           : outcome == CACHE_OK && opening->aside[0] ? CACHE_SET_ASIDE
                                                      : outcome;
}

static bool has_handle(enum cache_outcome outcome) {
    static const bool usable[] = {
#define X(code, name, with_handle) with_handle,
        CACHE_OUTCOME_TABLE(X)
#undef X
    };
    return usable[outcome];
}

static enum cache_outcome outcome_of_lock(int why) {
    switch (why) {
    case EWOULDBLOCK:
        return CACHE_LOCKED;
    case EACCES:
    case ENOENT:
        return CACHE_NO_FOLDER;
    case ENOLCK:
    case ENOTSUP:
    case ENOSYS:
    case EINVAL:
        return CACHE_LOCK_REFUSED;
    default:
        return CACHE_UNUSABLE;
    }
}

/* `suspect` is closed and its file set aside before anything else. `reads`: the handle could only read, and goes on
 * reading while another program holds a lock. */
static struct cache *open_with_lock(struct cache *cache, bool suspect, bool reads, struct cache_opening *opening) {
    int lock = files_lock(cache->folder);
    if (lock < 0) {
        opening->outcome = outcome_of_lock(errno);
        error_set(&opening->error, ERR_STORE, "%s",
                  errno == EWOULDBLOCK ? "another program is opening it" : strerror(errno));
    } else if (suspect && !set_aside(cache, opening)) {
        opening->outcome = CACHE_UNUSABLE;
    } else {
        opening->outcome = open_locked(cache, opening);
        if (opening->outcome == CACHE_OK && opening->aside[0]) {
            cache_note_aside(cache);
            opening->outcome = CACHE_SET_ASIDE;
        }
    }
    if (opening->outcome == CACHE_LOCKED && reads)
        opening->outcome = cache_open_open_reading(cache, CACHE_LOCKED, &opening->error);
    if (opening->outcome == CACHE_LOCKED)
        opening->holder =
            files_holder(lock < 0 ? cache->folder : cache->path, opening->holder_name, sizeof opening->holder_name);
    if (!has_handle(opening->outcome)) {
        db_close(&cache->db, true);
        files_unlock(lock);
        cache_close(cache);
        return NULL;
    }
    count_open(cache, true);
    files_unlock(lock);
    return cache;
}

enum cache_outcome cache_path(const char *folder, const char *profile, struct str *folder_out, struct str *path_out,
                              struct error *error) {
    enum cache_outcome outcome = cache_open_find_folder(folder, folder_out, error);
    str_addf(path_out, "%s/", folder_out->s);
    path_add_name(path_out, profile);
    str_add(path_out, ".db");
    return outcome;
}

static struct cache *cache_open_new_handle(const struct cache_binding *binding, const char *folder, const char *path) {
    struct cache *cache = mem_new(sizeof *cache);
    cache->folder = mem_dup(folder);
    cache->path = mem_dup(path);
    cache->origin = mem_dup(binding->origin);
    cache->profile = mem_dup(binding->profile);
    cache->account = mem_dup(binding->account);
    cache->token = mem_dup(binding->token ? binding->token : "");
    cache->codec = codec_new();
    str_init(&cache->scratch, (size_t)CODEC_ROW_MAX * 2);
    return cache;
}

struct cache *cache_open(const char *folder, const struct cache_binding *binding, struct cache_opening *opening) {
    *opening = (struct cache_opening){0};
    struct str place, path;
    str_init(&place, sizeof opening->path - 512);
    str_init(&path, sizeof opening->path - 1);
    opening->outcome = cache_path(folder, binding->profile, &place, &path, &opening->error);
    /* Where no home is known there is no path to show, and the reason stands in its place. */
    bool homeless = opening->outcome == CACHE_NO_FOLDER && place.len == 0;
    snprintf(opening->path, sizeof opening->path, "%s", homeless ? opening->error.text : path.s);
    if (opening->outcome == CACHE_OK && path.truncated)
        opening->outcome = CACHE_UNUSABLE;
    struct cache *cache = NULL;
    if (opening->outcome == CACHE_OK || opening->outcome == CACHE_READ_ONLY) {
        cache = cache_open_new_handle(binding, place.s, path.s);
        cache->read_only = opening->outcome == CACHE_READ_ONLY;
        cache = open_with_lock(cache, false, false, opening);
    }
    str_clear(&place);
    str_clear(&path);
    return cache;
}

void cache_close(struct cache *cache) {
    if (!cache)
        return;
    db_close(&cache->db, false);
    count_open(cache, false);
    codec_free(cache->codec);
    str_clear(&cache->scratch);
    char *const texts[] = {cache->folder,  cache->path,  cache->origin,   cache->profile,
                           cache->account, cache->token, cache->memo.next};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        free(texts[i]);
    free(cache->bad.items);
    free(cache);
}

bool cache_is_read_only(const struct cache *cache) {
    return cache->read_only;
}

bool cache_must_reopen(const struct cache *cache) {
    return cache->db.damaged || cache->db.moved;
}

struct cache *cache_reopen(struct cache *cache, struct cache_opening *opening) {
    *opening = (struct cache_opening){0};
    snprintf(opening->path, sizeof opening->path, "%s", cache->path);
    bool damaged = cache->db.damaged && !cache->db.moved && !cache->read_only;
    bool reads = cache->read_only && !cache_must_reopen(cache);
    opening->moved = cache->db.moved;
    if (!damaged)
        db_close(&cache->db, true);
    count_open(cache, false);
    free(cache->memo.next);
    cache->memo.next = NULL;
    cache->bad.n = 0;
    /* The folder may have been removed, or something else put in its place. */
    struct str folder;
    str_init(&folder, sizeof opening->path);
    enum cache_outcome place = cache_open_find_folder(cache->folder, &folder, &opening->error);
    str_clear(&folder);
    if (place == CACHE_UNSAFE || place == CACHE_NO_FOLDER) {
        opening->outcome = place;
        db_close(&cache->db, true);
        cache_close(cache);
        return NULL;
    }
    cache->read_only = cache->read_only && place != CACHE_OK;
    return open_with_lock(cache, damaged, reads, opening);
}

enum err cache_accept_token(struct cache *cache, struct error *error) {
    enum err err = db_begin(&cache->db, error);
    if (err == ERR_OK)
        err = db_end(&cache->db, cache_bind(cache, cache->token, error), error);
    cache->unproven = cache->unproven && err != ERR_OK;
    return err;
}
