#ifndef SANDBOX_DB_H
#define SANDBOX_DB_H
/* The books on disk (SQLite, 0600): changed intents, users, the registration and a few named numbers and texts.
 * Called with the books' write lock held. */

#include "changes.h"

struct db;

struct db_user {
    char *id, *json, *key; /* key NULL: none */
    int64_t created_at;
};

struct db_users {
    struct db_user *items;
    size_t n, cap;
};

enum err db_open(const char *path, struct db **out, struct error *error) MUST_CHECK;
void db_close(struct db *db);

enum err db_begin(struct db *db, struct error *error) MUST_CHECK;
enum err db_commit(struct db *db, struct error *error) MUST_CHECK;

/* Text by name; *out is NULL where there is none, else heap text. NULL text removes. */
enum err db_get(struct db *db, const char *name, char **out, struct error *error) MUST_CHECK;
enum err db_set(struct db *db, const char *name, const char *text, struct error *error) MUST_CHECK;

enum err db_put_change(struct db *db, const struct change *change, struct error *error) MUST_CHECK;
enum err db_put_user(struct db *db, const struct db_user *user, struct error *error) MUST_CHECK;
enum err db_load(struct db *db, struct changes *changes, struct db_users *users, struct error *error) MUST_CHECK;

#endif
