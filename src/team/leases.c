#include "own.h"

#include "team/leases.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { HOLDER_BYTES = (TEAM_HOLDER - 1) / 2, NAME_MAX_BYTES = 1024 };

/* Columns of LEASE_OF. */
enum { LEASE_HOLDER, LEASE_WHO, LEASE_HOST, LEASE_LEFT };

/* ---- leases ---- */

struct lease_steps {
    struct team *team;
    int64_t scope, length;
    struct team_digest part;
    struct team_lease *out;
};

/* Of this handle, and of no other: two programs of one home walk apart. */
static const char *lease_holder(struct team *team) {
    struct str name;
    if (!*team->holder) {
        str_init(&name, sizeof team->holder);
        secret_random_hex(&name, HOLDER_BYTES);
        memcpy(team->holder, name.s, name.len + 1);
        str_clear(&name);
    }
    return team->holder;
}

static struct lease_steps lease_steps_of(struct team *team, int64_t scope, const char *part) {
    struct lease_steps steps = {.team = team, .scope = scope};
    team_digest_of(team, "lease", "", "", "", part, strlen(part), &steps.part);
    return steps;
}

static void lease_values(const struct lease_steps *steps, struct team_values *values) {
    *values = (struct team_values){0};
    team_value_number(values, steps->scope);
    team_value(values, steps->part.hex);
}

static char *lease_name_of(const char *text) {
    struct str clean;
    str_init(&clean, NAME_MAX_BYTES);
    utf8_sanitise(&clean, text ? text : "?", text ? strlen(text) : 1);
    return str_take(&clean);
}

/* Fills an empty one. */
static void take_lease_row(struct team *team, const struct team_rows *rows, struct team_lease *out) {
    if (rows->n == 0)
        return;
    out->mine = str_equal(team_text(rows, 0, LEASE_HOLDER), lease_holder(team));
    out->who = lease_name_of(team_text(rows, 0, LEASE_WHO));
    out->host = lease_name_of(team_text(rows, 0, LEASE_HOST));
    out->left_ms = team_number(rows, 0, LEASE_LEFT);
}

static enum err read_lease(const struct lease_steps *steps, struct team_lease *out, struct error *error) {
    struct team_values values;
    struct team_rows rows;
    lease_values(steps, &values);
    enum err err = team_run(&steps->team->connection, TSQL_LEASE_OF, &values, &rows, error);
    if (err == ERR_OK)
        take_lease_row(steps->team, &rows, out);
    team_rows_clear(&rows);
    return err;
}

/* Looked at first: whoever does not get it writes nothing. */
static enum err take_lease(void *context, struct error *error) {
    const struct lease_steps *steps = context;
    struct team *team = steps->team;
    struct team_values values;
    struct team_lease held = {0};
    enum err err = read_lease(steps, &held, error);
    team_lease_clear(steps->out); /* of an attempt before */
    if (err != ERR_OK || (held.left_ms > 0 && !held.mine)) {
        *steps->out = held;
        return err;
    }
    team_lease_clear(&held);
    lease_values(steps, &values);
    team_value(&values, lease_holder(team));
    team_value(&values, team->place.who);
    team_value(&values, team->place.host);
    team_value_number(&values, steps->length);
    err = team_run(&team->connection, TSQL_LEASE_TAKE, &values, NULL, error);
    return err == ERR_OK ? read_lease(steps, steps->out, error) : err;
}

enum err team_lease_take(struct team *team, int64_t scope, const char *part, int64_t length_ms, struct team_lease *out,
                         struct error *error) {
    *out = (struct team_lease){0};
    enum err err = team_use(team, true, error);
    if (err != ERR_OK)
        return err;
    struct lease_steps steps = lease_steps_of(team, scope, part);
    steps.length = length_ms;
    steps.out = out;
    return team_transaction(&team->connection, take_lease, &steps, error);
}

enum err team_lease_drop(struct team *team, int64_t scope, const char *part, struct error *error) {
    struct team_values values;
    enum err err = team_use(team, true, error);
    if (err != ERR_OK)
        return err;
    struct lease_steps steps = lease_steps_of(team, scope, part);
    lease_values(&steps, &values);
    team_value(&values, lease_holder(team));
    return team_run(&team->connection, TSQL_LEASE_DROP, &values, NULL, error);
}

void team_lease_clear(struct team_lease *lease) {
    free(lease->who);
    free(lease->host);
    *lease = (struct team_lease){0};
}

/* ---- what was spent ---- */

struct spend_steps {
    struct team *team;
    int64_t scope, requests;
    struct team_spent *out;
};

static enum err add_spent(const struct spend_steps *steps, struct error *error) {
    struct team_values values = {0};
    team_value_number(&values, steps->scope);
    enum err err = team_run(&steps->team->connection, TSQL_SPENT_FORGET, &values, NULL, error);
    team_value_number(&values, steps->requests);
    return err == ERR_OK ? team_run(&steps->team->connection, TSQL_SPENT_ADD, &values, NULL, error) : err;
}

static enum err spend(void *context, struct error *error) {
    const struct spend_steps *steps = context;
    struct team_values values = {0};
    struct team_rows rows;
    enum err err = steps->requests > 0 ? add_spent(steps, error) : ERR_OK;
    if (err != ERR_OK)
        return err;
    team_value_number(&values, steps->scope);
    err = team_run(&steps->team->connection, TSQL_SPENT_OF, &values, &rows, error);
    *steps->out = (struct team_spent){0};
    for (int i = 0; i < rows.n && steps->out->n < TEAM_SPENT_MINUTES; i++)
        steps->out->items[steps->out->n++] =
            (struct team_spent_minute){team_number(&rows, i, 0), team_number(&rows, i, 1)};
    team_rows_clear(&rows);
    return err;
}

enum err team_spend(struct team *team, int64_t scope, int64_t requests, struct team_spent *out, struct error *error) {
    struct spend_steps steps = {team, scope, requests, out};
    *out = (struct team_spent){0};
    enum err err = team_use(team, true, error);
    return err == ERR_OK ? team_transaction(&team->connection, spend, &steps, error) : err;
}
