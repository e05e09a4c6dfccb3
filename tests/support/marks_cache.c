/* Rows of a cache are packed: what is searched is what they hold. Nothing of store but its dictionary is used. */
#include "support/marks.h"

#include "store/dictionary.h"

#include "base/mem.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

enum { ROW_MAX = 16 << 20 };

/* The frame may stand behind a few bytes of ours. */
static bool look_into_frame(const struct marks *marks, const char *where, const char *bytes, size_t len) {
    static const char MAGIC[] = "\x28\xB5\x2F\xFD";
    const char *frame = memmem(bytes, len, MAGIC, 4);
    if (!frame)
        return false;
    len -= (size_t)(frame - bytes);
    unsigned long long size = ZSTD_getFrameContentSize(frame, len);
    assert_true(size < ROW_MAX);
    char *plain = mem_new((size_t)size + 1);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    size_t got =
        ZSTD_decompress_usingDict(context, plain, (size_t)size, frame, len, dictionary_bytes, dictionary_len());
    assert_false(ZSTD_isError(got));
    marks_none_in(marks, where, plain, got);
    (void)ZSTD_freeDCtx(context);
    free(plain);
    return true;
}

static size_t look_into_table(const struct marks *marks, sqlite3 *db, const char *path, const char *table) {
    struct str text;
    sqlite3_stmt *rows = NULL;
    size_t unpacked = 0;
    str_init(&text, 4096);
    str_addf(&text, "SELECT * FROM \"%s\"", table);
    assert_int_equal(sqlite3_prepare_v2(db, text.s, -1, &rows, NULL), SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            const char *bytes = sqlite3_column_blob(rows, i);
            size_t len = (size_t)sqlite3_column_bytes(rows, i);
            if (!bytes || look_into_frame(marks, path, bytes, len))
                unpacked += bytes != NULL;
            else
                marks_none_in(marks, path, bytes, len);
        }
    (void)sqlite3_finalize(rows);
    str_clear(&text);
    return unpacked;
}

size_t marks_none_in_cache(const struct marks *marks, const char *path) {
    sqlite3 *db = NULL;
    sqlite3_stmt *tables = NULL;
    size_t unpacked = 0;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type='table'", -1, &tables, NULL),
                     SQLITE_OK);
    while (sqlite3_step(tables) == SQLITE_ROW)
        unpacked += look_into_table(marks, db, path, (const char *)sqlite3_column_text(tables, 0));
    (void)sqlite3_finalize(tables);
    (void)sqlite3_close(db);
    return unpacked;
}
