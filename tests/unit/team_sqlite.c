/* The SQL of the team's store before an engine that is not PostgreSQL: SQLite parses every statement over its own
 * tables and finds each column. Pieces that it spells otherwise are replaced first; what is beyond it all the same
 * stands in a list with the reason, and nothing stands there that it parses. */
#include "team/schema.h"
#include "team/statements.h"

#include "base/mem.h"
#include "base/str.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_BYTES = 16384 };

static const char *const NAMES[] = {
#define X(name, n, text) #name,
    TEAM_STATEMENTS(X)
#undef X
};

static const char *const TABLES[] = {
#define X(version, text) text,
    TEAM_SCHEMA_TABLE(X)
#undef X
};

/* The same in other words. */
static const struct {
    const char *piece, *here;
} SPELLED[] = {
    {"LEFT(", "start_of("},
    {"EXTRACT(EPOCH FROM now())", "now()"}, /* a function of ours */
    {" PARTITION BY RANGE (created)", ""},  /* left away for CockroachDB too */
    {" INCLUDE (currency, amount)", ""},    /* columns beside an index */
    {"BEGIN ISOLATION LEVEL SERIALIZABLE", "BEGIN"} /* it has no other */,
    {"current_user", "'a role'"},
};

static const struct {
    const char *name, *why;
} BEYOND[] = {
    {"BEGIN_READING", "it has one isolation level, and no READ ONLY"},
    {"NO_IDLING", "it has no settings of a transaction"},
    {"NO_DELAY", "it has no settings of a transaction"},
    {"IS_READ_ONLY", "SHOW is of servers"},
    {"HAS_TABLE", "it has no information_schema"},
    {"HEAD", "it knows no ORDER BY within a part of a UNION"},
    {"WRITES_THERE", "it has no arrays"},
    {"INTENTS_PUT", "it has no arrays"},
    {"WORDS_PUT", "it has no arrays"},
};

static void nothing_of_it(sqlite3_context *context, int n, sqlite3_value **values) {
    (void)n;
    (void)values;
    sqlite3_result_int(context, 0);
}

static int by_bytes(void *context, int a_len, const void *a, int b_len, const void *b) {
    (void)context;
    int order = memcmp(a, b, (size_t)(a_len < b_len ? a_len : b_len));
    return order ? order : a_len - b_len;
}

static char *spelled_here(const char *text) {
    struct str out;
    str_init(&out, TEXT_BYTES);
    while (*text) {
        size_t i = 0;
        while (i < COUNT_OF(SPELLED) && strncmp(text, SPELLED[i].piece, strlen(SPELLED[i].piece)) != 0)
            i++;
        if (i < COUNT_OF(SPELLED)) {
            str_add(&out, SPELLED[i].here);
            text += strlen(SPELLED[i].piece);
        } else {
            str_add_char(&out, *text++);
        }
    }
    return str_take(&out);
}

static sqlite3 *open_engine(void) {
    static const struct {
        const char *name;
        int n;
    } FUNCTIONS[] = {{"now", 0},
                     {"version", 0},
                     {"encode", 2},
                     {"decode", 2},
                     {"start_of", 2},
                     {"char_length", 1},
                     {"has_table_privilege", 2}};
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_create_collation(db, "C", SQLITE_UTF8, NULL, by_bytes), SQLITE_OK);
    for (size_t i = 0; i < COUNT_OF(FUNCTIONS); i++)
        assert_int_equal(sqlite3_create_function(db, FUNCTIONS[i].name, FUNCTIONS[i].n, SQLITE_UTF8, NULL,
                                                 nothing_of_it, NULL, NULL),
                         SQLITE_OK);
    return db;
}

static void make_tables(sqlite3 *db) {
    for (size_t i = 0; i < COUNT_OF(TABLES); i++) {
        char *text = spelled_here(TABLES[i]);
        if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
            fail_msg("%s: %s", sqlite3_errmsg(db), text);
        free(text);
    }
}

static const char *why_beyond(const char *name) {
    for (size_t i = 0; i < COUNT_OF(BEYOND); i++)
        if (strcmp(BEYOND[i].name, name) == 0)
            return BEYOND[i].why;
    return NULL;
}

/* All of it is one statement with the parameters that the table says. */
static bool is_parsed(sqlite3 *db, const struct team_sql *sql) {
    sqlite3_stmt *statement = NULL;
    const char *rest = "";
    char *text = spelled_here(sql->text);
    bool parsed = sqlite3_prepare_v2(db, text, -1, &statement, &rest) == SQLITE_OK && statement && !*rest &&
                  sqlite3_bind_parameter_count(statement) == sql->n;
    (void)sqlite3_finalize(statement);
    free(text);
    return parsed;
}

static void another_engine_parses_what_is_not_known_to_be_beyond_it(void **state) {
    (void)state;
    sqlite3 *db = open_engine();
    make_tables(db);
    for (int i = 0; i < TSQL_COUNT; i++) {
        bool parsed = is_parsed(db, &TEAM_SQL[i]);
        if (!parsed && !why_beyond(NAMES[i]))
            fail_msg("%s: %s: %s", NAMES[i], sqlite3_errmsg(db), TEAM_SQL[i].text);
        if (parsed && why_beyond(NAMES[i]))
            fail_msg("%s is parsed, though: %s", NAMES[i], why_beyond(NAMES[i]));
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Each is a statement that there is. */
static void the_list_of_what_is_beyond_it_is_true(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(BEYOND); i++) {
        int found = 0;
        for (int k = 0; k < TSQL_COUNT; k++)
            found += strcmp(BEYOND[i].name, NAMES[k]) == 0;
        assert_int_equal(found, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_engine_parses_what_is_not_known_to_be_beyond_it),
        cmocka_unit_test(the_list_of_what_is_beyond_it_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
