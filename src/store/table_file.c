#include "store/table_file.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "base/str.h"
#include "db.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SQL_BYTES = 64 << 10, SUFFIX_BYTES = 6 };
enum { INSERT_ROW, INSERT_ABOUT, STATEMENTS };

struct table_file {
    struct db db;
    char *path, *temporary;
    int fd; /* of the temporary file */
    int columns;
    char *insert;
    const char *sql[STATEMENTS];
};

void table_file_drop(struct table_file *file) {
    if (!file)
        return;
    if (file->db.handle)
        db_close(&file->db, false);
    if (file->fd >= 0)
        (void)close(file->fd);
    if (file->temporary)
        (void)unlink(file->temporary);
    free(file->path);
    free(file->temporary);
    free(file->insert);
    free(file);
}

static void add_identifier(struct str *sql, const char *name) {
    str_add_char(sql, '"');
    for (; *name; name++)
        str_addf(sql, *name == '"' ? "\"\"" : "%c", *name);
    str_add_char(sql, '"');
}

/* Without a type a column takes every value as it is given. */
static enum err table_file_make_tables(struct table_file *file, const char *names, size_t len, struct error *error) {
    struct str create, insert;
    str_init(&create, SQL_BYTES);
    str_init(&insert, SQL_BYTES);
    str_add(&create, "CREATE TABLE intents (");
    str_add(&insert, "INSERT INTO intents VALUES (");
    for (const char *at = names; at < names + len; at += strlen(at) + 1, file->columns++) {
        str_add(&create, file->columns > 0 ? ", " : "");
        add_identifier(&create, at + 1);
        str_add(&insert, file->columns > 0 ? ", ?" : "?");
    }
    str_add(&create, ")");
    str_add(&insert, ")");
    file->insert = str_take(&insert);
    enum err err = db_exec(&file->db, create.s, error);
    str_clear(&create);
    return err == ERR_OK ? db_exec(&file->db, "CREATE TABLE about (name TEXT, value TEXT)", error) : err;
}

/* Nobody else sees the file, and it has no name until it is synced. */
static enum err open_tables(struct table_file *file, const char *names, size_t len, struct error *error) {
    enum err err = db_open(&file->db, file->temporary, file->path, error);
    if (err == ERR_OK)
        err = db_exec(&file->db, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF", error);
    if (err == ERR_OK)
        err = db_exec(&file->db, "BEGIN", error);
    if (err == ERR_OK)
        err = table_file_make_tables(file, names, len, error);
    file->sql[INSERT_ROW] = file->insert;
    file->sql[INSERT_ABOUT] = "INSERT INTO about VALUES (?, ?)";
    if (err == ERR_OK)
        db_statements(&file->db, file->sql, STATEMENTS);
    return err;
}

static enum err refuse_existing(const char *path, struct error *error) {
    struct stat info;
    return lstat(path, &info) != 0 ? ERR_OK : error_set(error, ERR_FILE, "%s is already there", path);
}

enum err table_file_begin(const char *path, const char *names, size_t len, struct table_file **out,
                          struct error *error) {
    struct table_file *file = mem_new(sizeof *file);
    struct str temporary;
    *out = NULL;
    file->fd = -1;
    file->path = path_expand(path);
    str_init(&temporary, strlen(file->path) + 32);
    str_addf(&temporary, "%s.", file->path);
    secret_random_hex(&temporary, SUFFIX_BYTES);
    str_add(&temporary, ".tmp");
    enum err err = refuse_existing(file->path, error);
    if (err == ERR_OK)
        err = path_create_new(temporary.s, &file->fd, error);
    if (err == ERR_OK) {
        file->temporary = str_take(&temporary);
        err = open_tables(file, names, len, error);
    }
    str_clear(&temporary);
    if (err == ERR_OK)
        *out = file;
    else
        table_file_drop(file);
    return err;
}

static int bind_cell(sqlite3_stmt *stmt, int column, const char *cell) {
    if (*cell == '-')
        return sqlite3_bind_null(stmt, column);
    if (*cell == 'i')
        return sqlite3_bind_int64(stmt, column, strtoll(cell + 1, NULL, 10));
    return sqlite3_bind_text(stmt, column, cell + 1, -1, SQLITE_STATIC);
}

enum err table_file_add(struct table_file *file, const char *cells, size_t len, struct error *error) {
    enum err err = ERR_OK;
    for (const char *at = cells; at < cells + len && err == ERR_OK;) {
        sqlite3_stmt *stmt = db_stmt(&file->db, INSERT_ROW);
        int rc = stmt ? SQLITE_OK : SQLITE_ERROR;
        for (int i = 1; i <= file->columns && rc == SQLITE_OK; i++, at += strlen(at) + 1)
            rc = bind_cell(stmt, i, at);
        err = rc == SQLITE_OK ? db_run(&file->db, stmt, error) : db_fail(&file->db, rc, error);
    }
    return err;
}

static enum err table_file_add_about(struct table_file *file, const char *about, struct error *error) {
    enum err err = ERR_OK;
    for (const char *at = about; *at && err == ERR_OK;) {
        size_t len = strcspn(at, "\n"), name = strcspn(at, ":\n");
        size_t from = name + 2 < len ? name + 2 : len;
        sqlite3_stmt *stmt = db_stmt(&file->db, INSERT_ABOUT);
        int rc = stmt ? sqlite3_bind_text(stmt, 1, at, (int)name, SQLITE_STATIC) : SQLITE_ERROR;
        if (rc == SQLITE_OK)
            rc = sqlite3_bind_text(stmt, 2, at + from, (int)(len - from), SQLITE_STATIC);
        err = rc == SQLITE_OK ? db_run(&file->db, stmt, error) : db_fail(&file->db, rc, error);
        at += len + (at[len] == '\n');
    }
    return err;
}

static enum err name_it(struct table_file *file, struct error *error) {
    if (fsync(file->fd) != 0)
        return error_set(error, ERR_FILE, "%s: cannot write: %s", file->path, strerrordesc_np(errno));
    int failed = path_rename_new(file->temporary, file->path);
    if (failed == EEXIST)
        return error_set(error, ERR_FILE, "%s is already there", file->path);
    if (failed != 0)
        return error_set(error, ERR_FILE, "%s: cannot make the file: %s", file->path, strerrordesc_np(failed));
    free(file->temporary);
    file->temporary = NULL;
    return ERR_OK;
}

enum err table_file_end(struct table_file *file, const char *about, struct error *error) {
    enum err err = table_file_add_about(file, about, error);
    if (err == ERR_OK)
        err = db_exec(&file->db, "COMMIT", error);
    if (err == ERR_OK) {
        db_close(&file->db, false);
        err = name_it(file, error);
    }
    table_file_drop(file);
    return err;
}
