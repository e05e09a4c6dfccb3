#include "schema.h"
#include "own.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 4096, YEAR_FIRST = 2018, YEAR_LAST = 2035 };

const char *const TEAM_TABLES[] = {
#define X(table) table,
    TEAM_NAME_TABLE(X)
#undef X
};
const size_t TEAM_TABLES_N = COUNT_OF(TEAM_TABLES);

static const struct {
    int version;
    const char *text;
} STEPS[] = {
#define X(version, text) {version, text},
    TEAM_SCHEMA_TABLE(X)
#undef X
};

static const struct {
    const char *name, *purpose;
} ROLES[] = {
#define X(name, purpose) {name, purpose},
    TEAM_ROLE_TABLE(X)
#undef X
};

const struct team_right TEAM_GRANTS[] = {
#define X(table, right, role) {table, right, role},
    TEAM_GRANT_TABLE(X)
#undef X
};
const size_t TEAM_GRANTS_N = COUNT_OF(TEAM_GRANTS);

/* A record that an operator may alter proves nothing. */
const struct team_right TEAM_UNWANTED[] = {
    {"writes", "UPDATE", TEAM_OPERATOR},    {"writes", "DELETE", TEAM_OPERATOR},
    {"marks", "UPDATE", TEAM_OPERATOR},     {"marks", "DELETE", TEAM_OPERATOR},
    {"proposals", "UPDATE", TEAM_OPERATOR}, {"proposals", "DELETE", TEAM_OPERATOR},
    {"decisions", "UPDATE", TEAM_OPERATOR}, {"decisions", "DELETE", TEAM_OPERATOR}};
const size_t TEAM_UNWANTED_N = COUNT_OF(TEAM_UNWANTED);

/* ---- what the store says of itself ---- */

static bool schema_is_at_least(const char *text, int wanted) {
    long long version = 0;
    return text && str_to_int64(text, strlen(text), &version) && version >= wanted;
}

static enum err check_team_schema(const char *text, struct error *error) {
    long long version = 0;
    if (!text || !str_to_int64(text, strlen(text), &version) || version < 1)
        return error_set(error, ERR_STORE,
                         "the team's store has no tables of bursar yet: bursar team init makes them, or prints with "
                         "--print-sql what its owner runs");
    if (version > TEAM_SCHEMA)
        return error_set(error, ERR_STORE,
                         "the team's store was made by a newer bursar (its tables are of version %lld, this one knows "
                         "%d): nothing of it is read; update bursar here",
                         version, TEAM_SCHEMA);
    if (version < TEAM_SCHEMA)
        return error_set(error, ERR_STORE,
                         "the tables of the team's store are of version %lld and this bursar needs %d: its owner runs "
                         "what bursar team init --print-sql prints",
                         version, TEAM_SCHEMA);
    return ERR_OK;
}

static enum err check_key(struct team *team, const char *text, struct error *error) {
    struct team_digest own;
    team_key_check_value(team, &own);
    if (!text)
        return error_set(error, ERR_STORE, "the team's store is not set up to its end: bursar team init goes on");
    if (strcmp(text, own.hex) != 0)
        return error_set(error, ERR_CONFIG,
                         "the team key of this machine is not the one of the team's store, so that nothing would be "
                         "recognised: get team.key from a colleague");
    return ERR_OK;
}

static const char *meta_value(const struct team_rows *rows, const char *name) {
    for (int i = 0; i < rows->n; i++)
        if (str_equal(team_text(rows, i, 0), name))
            return team_text(rows, i, 1);
    return NULL;
}

enum err team_look_at_meta(struct team *team, struct error *error) {
    struct team_rows rows;
    enum err err = team_run(&team->connection, TSQL_META, NULL, &rows, error);
    if (err != ERR_OK)
        return err;
    err = check_team_schema(meta_value(&rows, "schema"), error);
    if (err == ERR_OK)
        err = check_key(team, meta_value(&rows, "key"), error);
    team_rows_clear(&rows);
    return err;
}

/* ---- beginning ---- */

static enum err add_meta(struct team *team, const char *name, const char *value, struct error *error) {
    struct team_values values = {0};
    team_value(&values, name);
    team_value(&values, value);
    return team_run(&team->connection, TSQL_META_ADD, &values, NULL, error);
}

static enum err set_schema_version(struct team *team, const char *version, struct error *error) {
    struct team_values values = {0};
    team_value(&values, version);
    return team_run(&team->connection, TSQL_SCHEMA_IS, &values, NULL, error);
}

/* CockroachDB has the protocol and another way to part a table; it parts by itself. */
static bool engine_partitions(struct team *team) {
    struct team_rows rows;
    bool does = team_run(&team->connection, TSQL_VERSION, NULL, &rows, NULL) == ERR_OK && rows.n > 0 &&
                !strstr(team_text(&rows, 0, 0), "Cockroach");
    team_rows_clear(&rows);
    return does;
}

static long long year_start(int year) {
    struct civil civil = {.year = year, .month = 1, .day = 1};
    int64_t ms = 0;
    (void)clock_from_civil(&civil, &ms);
    return ms;
}

/* The i-th of the tables that the intents are parted into: a year each, and one for what is of none; false past the
 * last. */
static bool partition_text(int i, struct str *name, struct str *text) {
    int year = YEAR_FIRST + i;
    if (year > YEAR_LAST + 1)
        return false;
    if (year > YEAR_LAST) {
        str_add(name, "intents_other");
        str_add(text, "CREATE TABLE IF NOT EXISTS intents_other PARTITION OF intents DEFAULT");
        return true;
    }
    str_addf(name, "intents_%d", year);
    str_addf(text, "CREATE TABLE IF NOT EXISTS %s PARTITION OF intents FOR VALUES FROM (%lld) TO (%lld)", name->s,
             year_start(year), year_start(year + 1));
    return true;
}

static enum err make_partitions(struct team *team, struct error *error) {
    enum err err = ERR_OK;
    struct str name, text;
    str_init(&name, TEXT_MAX);
    str_init(&text, TEXT_MAX);
    for (int i = 0; err == ERR_OK && partition_text(i, &name, &text); i++) {
        err = team_run_schema(&team->connection, text.s, error);
        str_reset(&name);
        str_reset(&text);
    }
    str_clear(&name);
    str_clear(&text);
    return err;
}

static enum err make_table(struct team *team, const char *step, bool partitions, struct error *error) {
    const char *parted = strstr(step, TEAM_PARTITIONED);
    struct str text;
    str_init(&text, TEXT_MAX);
    str_add_n(&text, step, parted && !partitions ? (size_t)(parted - step) : strlen(step));
    enum err err = team_run_schema(&team->connection, text.s, error);
    str_clear(&text);
    return err == ERR_OK && parted && partitions ? make_partitions(team, error) : err;
}

/* Each statement by itself, since not every engine makes tables within a transaction; the version comes last. What is
 * there already is left as it is, so that an older store gets what it lacks. */
static enum err make_team_tables(struct team *team, struct error *error) {
    struct team_digest check;
    char version[16];
    enum err err = ERR_OK;
    team_key_check_value(team, &check);
    snprintf(version, sizeof version, "%d", TEAM_SCHEMA);
    bool partitions = engine_partitions(team);
    for (size_t i = 0; i < COUNT_OF(STEPS) && err == ERR_OK; i++)
        err = make_table(team, STEPS[i].text, partitions, error);
    if (err == ERR_OK)
        err = add_meta(team, "key", check.hex, error);
    return err == ERR_OK ? set_schema_version(team, version, error) : err;
}

enum err team_init(struct team *team, bool *there, struct error *error) {
    struct team_rows rows;
    struct error fault = {0};
    *there = false;
    enum err err = team_key_use(team, error);
    if (err == ERR_OK)
        err = team_connect(&team->connection, error);
    if (err != ERR_OK)
        return err;
    if (team_run(&team->connection, TSQL_META, NULL, &rows, &fault) == ERR_OK) {
        *there = schema_is_at_least(meta_value(&rows, "schema"), TEAM_SCHEMA);
        team_rows_clear(&rows);
    } else if (!team_state_is(&team->connection, "42P01")) {
        return error_set(error, fault.code, "%s", fault.text);
    }
    error_clear(&fault);
    if (!*there && make_team_tables(team, &fault) != ERR_OK)
        return error_set(error, fault.code,
                         "%s. Nothing was made with rights that this role lacks: bursar team init --print-sql prints "
                         "what the database's owner runs",
                         fault.text);
    return team_look_at_meta(team, error);
}

static void print_grants(struct str *out, const char *role) {
    for (size_t i = 0; i < TEAM_GRANTS_N; i++)
        if (strcmp(TEAM_GRANTS[i].role, role) == 0)
            str_addf(out, "GRANT %s ON %s TO %s;\n", TEAM_GRANTS[i].right, TEAM_GRANTS[i].table, role);
}

static void print_owner(struct str *out, const char *table) {
    str_addf(out, "ALTER TABLE %s OWNER TO bursar_owner;\n", table);
}

static void print_partitions(struct str *out, bool making) {
    struct str name, text;
    str_init(&name, TEXT_MAX);
    str_init(&text, TEXT_MAX);
    for (int i = 0; partition_text(i, &name, &text); i++) {
        if (making)
            str_addf(out, "%s;\n", text.s);
        else
            print_owner(out, name.s);
        str_reset(&name);
        str_reset(&text);
    }
    str_clear(&name);
    str_clear(&text);
}

static void print_table(struct str *out, const char *step) {
    bool parted = strstr(step, TEAM_PARTITIONED) != NULL;
    if (parted)
        str_add(out, "-- CockroachDB parts tables by itself: there, leave PARTITION BY and the next lines away.\n");
    str_addf(out, "%s;\n", step);
    if (parted)
        print_partitions(out, true);
}

enum err team_print_sql(struct team *team, struct str *out, struct error *error) {
    struct team_digest check;
    enum err err = team_key_use(team, error);
    if (err != ERR_OK)
        return err;
    team_key_check_value(team, &check);
    str_add(out,
            "-- What the owner of the database runs once, in the team's own database; bursar runs none of it.\n"
            "-- It can be run again after an update of bursar; that a role is there already is no fault then.\n\n");
    for (size_t i = 0; i < COUNT_OF(STEPS); i++)
        print_table(out, STEPS[i].text);
    str_addf(out, "INSERT INTO meta (name, value) VALUES ('key', '%s') ON CONFLICT (name) DO NOTHING;\n", check.hex);
    str_addf(out,
             "INSERT INTO meta (name, value) VALUES ('schema', '%d') ON CONFLICT (name) DO UPDATE SET value = "
             "EXCLUDED.value;\n",
             TEAM_SCHEMA);
    str_add(out, "\n-- Roles that nobody logs in with; each person has a role of their own that is a member of one.\n");
    for (size_t i = 0; i < COUNT_OF(ROLES); i++) {
        str_addf(out, "\n-- %s: %s\nCREATE ROLE %s NOLOGIN;\n", ROLES[i].name, ROLES[i].purpose, ROLES[i].name);
        print_grants(out, ROLES[i].name);
    }
    for (size_t i = 0; i < TEAM_TABLES_N; i++)
        print_owner(out, TEAM_TABLES[i]);
    print_partitions(out, false);
    str_add(out, "\n-- For each operator, under the name of their login:\n"
                 "-- CREATE ROLE anna LOGIN; GRANT bursar_operator TO anna;\n");
    return ERR_OK;
}
