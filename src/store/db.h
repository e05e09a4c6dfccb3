#ifndef STORE_DB_H
#define STORE_DB_H
/* A SQLite connection with its statements, each prepared at first use. Errors come out in our own words: SQLite's text
 * may quote data. One thread at a time. */

#include "base/error.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct db {
    sqlite3 *handle;
    const char *what;       /* "cache" or "journal", for messages */
    const char *const *sql; /* n_sql texts, borrowed */
    struct db_slot {
        sqlite3_stmt *stmt; /* NULL: not needed yet */
    } * slots;
    size_t n_sql;
    bool damaged;             /* a statement met a damaged file */
    bool full;                /* the last failure was a full disk */
    int rc;                   /* of the last failure, extended */
    int errno_then;           /* the system's reason for it; 0: none */
    bool brief;               /* waits for another's lock a second in all, then not at all until it got one */
    bool refused;             /* a wait was in vain: until one got it, later ones are short */
    int64_t locks_fail_until; /* no lock is asked for before; monotonic ms, 0: none was refused for good */
    bool moved;               /* the path names another file now */
};

/* Opens an existing file read-write; nothing is read from it yet. */
enum err db_open(struct db *db, const char *path, const char *what, struct error *error) MUST_CHECK;
/* The same without writing, whatever SQLite would like to. immutable: nobody else writes, no lock and no log is looked
 * for. */
enum err db_open_reading(struct db *db, const char *path, const char *what, bool immutable,
                         struct error *error) MUST_CHECK;
void db_be_brief(struct db *db);
/* The file's own header, read through SQLite's descriptor: no lock, no recovery, no side file. */
struct db_header {
    int64_t size;
    bool is_database;  /* begins as a SQLite file does */
    uint32_t version;  /* PRAGMA user_version as in the file */
    uint32_t identity; /* PRAGMA application_id */
};
enum err db_header(struct db *db, struct db_header *out, struct error *error) MUST_CHECK;
void db_statements(struct db *db, const char *const *sql, size_t n);
/* With keep the WAL is neither written back nor removed: the file stays as it is. */
void db_close(struct db *db, bool keep);

enum err db_exec(struct db *db, const char *sql, struct error *error) MUST_CHECK;
/* First column of the first row; *out unchanged where there is none. */
enum err db_int(struct db *db, const char *sql, int64_t *out, struct error *error) MUST_CHECK;

/* Statement number `index`, reset and ready to bind; NULL: could not be prepared, db_fail tells why. */
sqlite3_stmt *db_stmt(struct db *db, size_t index);
/* Steps to the end and resets; rows are ignored. */
enum err db_run(struct db *db, sqlite3_stmt *stmt, struct error *error) MUST_CHECK;
/* One step: *row tells whether there is one; resets at the end and on failure. */
enum err db_step(struct db *db, sqlite3_stmt *stmt, bool *row, struct error *error) MUST_CHECK;
/* Turns the connection's last failure into an error. */
enum err db_fail(struct db *db, int rc, struct error *error);

/* BEGIN IMMEDIATE, and only while the path still names this file. */
enum err db_begin(struct db *db, struct error *error) MUST_CHECK;
/* Statements until db_end see one moment, and take the locks once. */
enum err db_begin_reading(struct db *db, struct error *error) MUST_CHECK;
/* Commits where *rc is ERR_OK, else rolls back; a failed commit is rolled back too. */
enum err db_end(struct db *db, enum err err, struct error *error) MUST_CHECK;
/* Writes the log back and empties it; *left: a reader somewhere keeps it from being emptied. */
enum err db_truncate_log(struct db *db, bool *left, struct error *error) MUST_CHECK;
/* The whole file; quick: without what indexes hold. *problem: heap text of the first fault found, NULL: sound. */
enum err db_integrity(struct db *db, bool quick, char **problem, struct error *error) MUST_CHECK;
/* Fails where the file was moved or replaced. */
enum err db_check_place(struct db *db, struct error *error) MUST_CHECK;

#endif
