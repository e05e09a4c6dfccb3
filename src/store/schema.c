#include "schema.h"

#include "base/mem.h"
#include "base/str.h"

#include <string.h>

enum err schema_peek(struct db *db, const struct schema *schema, enum schema_state *out, struct error *error) {
    struct db_header header;
    enum err err = db_header(db, &header, error);
    if (err != ERR_OK)
        return err;
    /* Both are zero where the program ended in the middle of making the file; schema_look then tells. */
    bool foreign = header.identity != schema->application && (header.identity != 0 || header.version != 0);
    *out = header.size == 0                   ? SCHEMA_EMPTY
           : !header.is_database || foreign   ? SCHEMA_OTHER
           : header.version > schema->version ? SCHEMA_NEWER
                                              : SCHEMA_OURS;
    return ERR_OK;
}

static bool schema_is_known(const struct schema *schema, const char *sql) {
    for (size_t i = 0; i < schema->n; i++)
        if (sql && strcmp(sql, schema->texts[i]) == 0)
            return true;
    return false;
}

static enum err count_texts(struct db *db, const struct schema *schema, size_t *known, size_t *others,
                            struct error *error) {
    static const char SQL[] = "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_autoindex%' ESCAPE '\\'";
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db->handle, SQL, -1, &stmt, NULL);
    enum err err = rc == SQLITE_OK ? ERR_OK : db_fail(db, rc, error);
    for (bool row = true; err == ERR_OK && row;) {
        err = db_step(db, stmt, &row, error);
        if (row)
            ++*(schema_is_known(schema, (const char *)sqlite3_column_text(stmt, 0)) ? known : others);
    }
    sqlite3_finalize(stmt);
    return err;
}

enum err schema_look(struct db *db, const struct schema *schema, enum schema_state *out, struct error *error) {
    int64_t version = 0, identity = 0;
    size_t known = 0, others = 0;
    enum err err = db_int(db, "PRAGMA user_version", &version, error);
    if (err == ERR_OK)
        err = db_int(db, "PRAGMA application_id", &identity, error);
    if (err == ERR_OK)
        err = count_texts(db, schema, &known, &others, error);
    if (identity == schema->application && version > schema->version)
        *out = SCHEMA_NEWER;
    else if (known + others == 0 && version == 0)
        *out = SCHEMA_EMPTY;
    else if (identity == schema->application && schema->added > 0 && version == schema->version - 1 &&
             known == schema->n - schema->added && others == 0)
        *out = SCHEMA_BEFORE;
    else
        *out = identity == schema->application && version == schema->version && known == schema->n && others == 0
                   ? SCHEMA_OURS
                   : SCHEMA_OTHER;
    return err;
}

static enum err schema_make(struct db *db, const struct schema *schema, struct error *error) {
    struct str head;
    str_init(&head, 256);
    str_addf(&head, "PRAGMA application_id = %u; PRAGMA user_version = %u", schema->application, schema->version);
    enum err err = db_exec(db, head.s, error);
    str_clear(&head);
    for (size_t i = 0; i < schema->n && err == ERR_OK; i++)
        err = db_exec(db, schema->texts[i], error);
    return err == ERR_OK && schema->rows ? db_exec(db, schema->rows, error) : err;
}

static enum err upgrade(struct db *db, const struct schema *schema, struct error *error) {
    struct str head;
    str_init(&head, 256);
    str_addf(&head, "PRAGMA user_version = %u", schema->version);
    enum err err = db_exec(db, head.s, error);
    str_clear(&head);
    for (size_t i = schema->n - schema->added; i < schema->n && err == ERR_OK; i++)
        err = db_exec(db, schema->texts[i], error);
    return err == ERR_OK && schema->upgrade ? db_exec(db, schema->upgrade, error) : err;
}

enum err schema_ready(struct db *db, const struct schema *schema, enum schema_state *out, struct error *error) {
    enum err err = schema_look(db, schema, out, error);
    if (err != ERR_OK || (*out != SCHEMA_EMPTY && *out != SCHEMA_BEFORE))
        return err;
    if (*out == SCHEMA_EMPTY && schema->before)
        err = db_exec(db, schema->before, error);
    if (err == ERR_OK)
        err = db_exec(db, "BEGIN EXCLUSIVE", error);
    if (err != ERR_OK)
        return err;
    /* Another console may have made them since. */
    err = schema_look(db, schema, out, error);
    if (err == ERR_OK && *out == SCHEMA_EMPTY)
        err = schema_make(db, schema, error);
    else if (err == ERR_OK && *out == SCHEMA_BEFORE)
        err = upgrade(db, schema, error);
    *out = *out == SCHEMA_EMPTY || *out == SCHEMA_BEFORE ? SCHEMA_OURS : *out;
    return db_end(db, err, error);
}

enum err schema_use_wal(struct db *db, bool *got, struct error *error) {
    *got = false;
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db->handle, "PRAGMA journal_mode = WAL", -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        *got = strcmp((const char *)sqlite3_column_text(stmt, 0), "wal") == 0;
    sqlite3_finalize(stmt);
    return rc == SQLITE_ROW ? ERR_OK : db_fail(db, rc, error);
}
