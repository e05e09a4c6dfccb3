#ifndef TESTS_TEAM_DESKS_H
#define TESTS_TEAM_DESKS_H
/* A team's store of the test's own, and desks at it. */

#include "support/postgres.h"
#include "team/team.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct desks {
    struct postgres postgres;
    char *folder, *key, *store;
};

static struct desks desks;

static inline struct team *team_at(const char *store, const char *key, const char *who, const char *host) {
    struct team_place place = {.store = store, .key_file = key, .console = host, .who = who, .host = host};
    return team_new(&place);
}

static inline struct team *team_of(const char *who, const char *host) {
    return team_at(desks.store, desks.key, who, host);
}

static inline char *sql(const char *text) {
    char *said = postgres_sql(&desks.postgres, text);
    assert_non_null(said);
    return said;
}

static inline void run_sql(const char *text) {
    free(sql(text));
}

static inline void assert_sql(const char *text, const char *expected) {
    char *said = sql(text);
    said[strcspn(said, "\n")] = '\0';
    assert_string_equal(said, expected);
    free(said);
}

/* Empty tables, made by the role that owns the database. */
static inline int make_tables(void **state) {
    bool there = false, made = false;
    struct error error = {0};
    (void)state;
    if (postgres_missing())
        return 0;
    postgres_empty(&desks.postgres);
    assert_int_equal(team_key_make(desks.key, &made, &error), ERR_OK);
    struct team *team = team_of("anna", "desk-1");
    if (team_init(team, &there, &error) != ERR_OK)
        fail_msg("%s", error.text);
    team_free(team);
    postgres_made(&desks.postgres);
    return 0;
}

static inline void skip_without_postgres(void) {
    if (postgres_missing()) {
        print_message("skipped: %s\n", postgres_missing());
        skip();
    }
}

static inline int start_all(void **state) {
    (void)state;
    struct error error = {0};
    assert_int_equal(secret_init(&error), ERR_OK);
    if (postgres_missing())
        return 0;
    struct str key;
    desks.folder = proc_folder_new();
    str_init(&key, 4096);
    str_addf(&key, "%s/team.key", desks.folder);
    desks.key = str_take(&key);
    if (!postgres_start(&desks.postgres))
        return -1;
    desks.store = postgres_store(&desks.postgres, "bursar");
    return 0;
}

static inline int stop_all(void **state) {
    (void)state;
    if (!desks.folder)
        return 0;
    postgres_stop(&desks.postgres);
    proc_folder_remove(desks.folder);
    free(desks.key);
    free(desks.store);
    return 0;
}

#define WITH_DESKS(name) cmocka_unit_test_setup(name, make_tables)

#endif
