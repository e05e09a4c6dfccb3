#include "own.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 1024, SKEW_MS = 5000 };

static void add_team_finding(struct team_findings *out, const char *name, enum team_verdict verdict, const char *format,
                             ...) PRINTF_LIKE(4, 5);
static void add_team_finding(struct team_findings *out, const char *name, enum team_verdict verdict, const char *format,
                             ...) {
    struct str text, clean;
    va_list args;
    str_init(&text, TEXT_BYTES);
    str_init(&clean, TEXT_BYTES * 2);
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    utf8_sanitise(&clean, text.s, text.len);
    str_clear(&text);
    *(struct team_finding *)vec_add(out) = (struct team_finding){name, verdict, str_take(&clean)};
}

/* The one value of a statement; the caller frees. NULL with the error. */
static char *one_value(struct team *team, enum team_statement statement, const struct team_values *values,
                       struct error *error) {
    struct team_rows rows;
    char *text = NULL;
    if (team_run(&team->connection, statement, values, &rows, error) == ERR_OK && rows.n > 0)
        text = mem_dup(team_text(&rows, 0, 0) ? team_text(&rows, 0, 0) : "");
    team_rows_clear(&rows);
    return text;
}

static void check_value(struct team *team, const char *name, enum team_statement statement, struct team_findings *out) {
    struct error error = {0};
    char *text = one_value(team, statement, NULL, &error);
    add_team_finding(out, name, text ? TEAM_GOOD : TEAM_BAD, "%s", text ? text : error.text);
    free(text);
}

static void check_encryption(struct team *team, struct team_findings *out) {
    bool encrypted = team_connection_is_encrypted(&team->connection);
    add_team_finding(out, "connection", TEAM_GOOD, "%s",
                     encrypted ? "encrypted, and the store's certificate names it" : "within this machine");
}

static void check_replica(struct team *team, struct team_findings *out) {
    struct error error = {0};
    char *text = one_value(team, TSQL_IS_READ_ONLY, NULL, &error);
    bool writes = text && strcmp(text, "off") == 0;
    add_team_finding(out, "writing", writes ? TEAM_GOOD : TEAM_BAD, "%s",
                     writes ? "it takes records"
                     : text
                         ? "it can only be read, a replica or set so: team_store has to name the one that takes records"
                         : error.text);
    free(text);
}

static bool check_tables(struct team *team, struct team_findings *out) {
    bool all = true;
    for (size_t i = 0; i < TEAM_TABLES_N; i++) {
        struct team_values values = {0};
        struct error error = {0};
        team_value(&values, TEAM_TABLES[i]);
        char *count = one_value(team, TSQL_HAS_TABLE, &values, &error);
        bool there = count && strcmp(count, "0") != 0;
        if (!there)
            add_team_finding(out, "table", TEAM_BAD, "%s is not there, or not for this role: bursar team init",
                             TEAM_TABLES[i]);
        all = all && there;
        free(count);
    }
    if (all)
        add_team_finding(out, "tables", TEAM_GOOD, "all %zu are there", TEAM_TABLES_N);
    return all;
}

static bool role_has_right(struct team *team, const struct team_right *right) {
    struct team_values values = {0};
    struct error error = {0};
    team_value(&values, right->table);
    team_value(&values, right->right);
    char *text = one_value(team, TSQL_HAS_RIGHT, &values, &error);
    bool has = text && (strcmp(text, "t") == 0 || strcmp(text, "true") == 0);
    free(text);
    return has;
}

static void check_rights(struct team *team, struct team_findings *out) {
    bool all = true;
    for (size_t i = 0; i < TEAM_GRANTS_N; i++) {
        const struct team_right *right = &TEAM_GRANTS[i];
        if (strcmp(right->role, TEAM_OPERATOR) != 0 || role_has_right(team, right))
            continue;
        all = false;
        add_team_finding(out, "right", TEAM_BAD,
                         "this role lacks %s on %s: the database's owner runs GRANT " TEAM_OPERATOR, right->right,
                         right->table);
    }
    if (all)
        add_team_finding(out, "rights", TEAM_GOOD, "this role may do what an operator does");
    for (size_t i = 0; i < TEAM_UNWANTED_N; i++)
        if (role_has_right(team, &TEAM_UNWANTED[i]))
            add_team_finding(out, "right", TEAM_NOTICE,
                             "this role may %s %s, so that a record proves less: a role that is a member of "
                             "bursar_operator alone may not",
                             TEAM_UNWANTED[i].right, TEAM_UNWANTED[i].table);
}

static void check_clock(struct team *team, int64_t now, struct team_findings *out) {
    struct error error = {0};
    struct str span;
    long long there = 0;
    char *text = one_value(team, TSQL_NOW, NULL, &error);
    bool read = text && str_to_int64(text, strlen(text), &there);
    int64_t ahead = now - there;
    str_init(&span, TEXT_BYTES);
    clock_format_span(&span, ahead < 0 ? -ahead : ahead);
    if (!read)
        add_team_finding(out, "clock", TEAM_BAD, "%s", error.text);
    else if (ahead > SKEW_MS || ahead < -SKEW_MS)
        add_team_finding(out, "clock", TEAM_NOTICE, "this machine's clock is %s %s the store's; the store's counts",
                         span.s, ahead > 0 ? "ahead of" : "behind");
    else
        add_team_finding(out, "clock", TEAM_GOOD, "within seconds of the store's");
    str_clear(&span);
    free(text);
}

static void check_meta(struct team *team, struct team_findings *out) {
    struct error error = {0};
    if (team_look_at_meta(team, &error) == ERR_OK)
        add_team_finding(out, "schema and key", TEAM_GOOD, "version %d, and the key is the team's", TEAM_SCHEMA);
    else
        add_team_finding(out, "schema and key", TEAM_BAD, "%s", error.text);
}

void team_check(struct team *team, int64_t now, struct team_findings *out) {
    struct error error = {0};
    bool key = team_key_use(team, &error) == ERR_OK;
    add_team_finding(out, "team key", key ? TEAM_GOOD : TEAM_BAD, "%s",
                     key ? "read, and closed to others" : error.text);
    error_clear(&error);
    if (team_connect(&team->connection, &error) != ERR_OK) {
        add_team_finding(out, "store", TEAM_BAD, "%s", error.text);
        return;
    }
    check_value(team, "engine", TSQL_VERSION, out);
    check_value(team, "role", TSQL_ROLE, out);
    check_encryption(team, out);
    check_replica(team, out);
    if (check_tables(team, out)) {
        if (key)
            check_meta(team, out);
        check_rights(team, out);
    }
    check_clock(team, now, out);
}

enum err team_status(struct team *team, struct team_status *out, struct error *error) {
    struct team_rows rows = {0};
    enum err err = team_use(team, false, error);
    *out = (struct team_status){0};
    if (err == ERR_OK)
        err = team_run(&team->connection, TSQL_COUNTS, NULL, &rows, error);
    if (err == ERR_OK && rows.n > 0) {
        out->records = team_number(&rows, 0, 0);
        out->open = team_number(&rows, 0, 1);
        out->engine = one_value(team, TSQL_VERSION, NULL, error);
        out->role = one_value(team, TSQL_ROLE, NULL, error);
    }
    team_rows_clear(&rows);
    return err;
}
