#include "team_desk.h"

#include "base/clock.h"
#include "base/mem.h"
#include "run/lanes/team_side.h"

enum { PATH_BYTES = 4096, SQL_BYTES = 1 << 20 };

void team_begun_clear(struct team_begun *begun) {
    str_clear(&begun->key_path);
}

/* The key is made where there is none: whoever begins the team does that, and colleagues have it before. */
static enum err begin_team(const struct profile *profile, struct team_side **side, struct team_begun *begun,
                           struct error *error) {
    *begun = (struct team_begun){0};
    str_init(&begun->key_path, PATH_BYTES);
    enum err err = team_side_open(profile, side, error);
    if (err == ERR_OK)
        err = team_key_path(profile->team_key_file, &begun->key_path, error);
    return err == ERR_OK ? team_key_make(profile->team_key_file, &begun->key_made, error) : err;
}

static enum err desk_init(const struct profile *profile, struct team_begun *begun, struct error *error) {
    struct team_side *side = NULL;
    enum err err = begin_team(profile, &side, begun, error);
    if (err == ERR_OK)
        err = team_init(side->team, &begun->there, error);
    team_side_free(side);
    return err;
}

static enum err desk_print_sql(const struct profile *profile, struct team_begun *begun, struct str *out,
                               struct error *error) {
    struct team_side *side = NULL;
    enum err err = begin_team(profile, &side, begun, error);
    if (err == ERR_OK)
        err = team_print_sql(side->team, out, error);
    team_side_free(side);
    return err;
}

static enum err desk_check(const struct profile *profile, struct team_findings *out, struct error *error) {
    struct team_side *side = NULL;
    enum err err = team_side_open(profile, &side, error);
    if (err == ERR_OK)
        team_check(side->team, clock_now(), out);
    team_side_free(side);
    return err;
}

static enum err desk_status(const struct profile *profile, struct team_status *out, struct error *error) {
    struct team_side *side = NULL;
    enum err err = team_side_open(profile, &side, error);
    if (err == ERR_OK)
        err = team_status(side->team, out, error);
    team_side_free(side);
    return err;
}

static enum err desk_members(const struct profile *profile, struct team_members *out, struct error *error) {
    struct team_side *side = NULL;
    enum err err = team_side_open(profile, &side, error);
    if (err == ERR_OK)
        err = team_members(side->team, out, error);
    team_side_free(side);
    return err;
}

const struct team_desk team_desk = {
    .init = desk_init,
    .print_sql = desk_print_sql,
    .check = desk_check,
    .status = desk_status,
    .members = desk_members,
};
