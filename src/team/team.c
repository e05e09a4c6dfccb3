#include "own.h"

#include "base/mem.h"

#include <stdlib.h>

struct team *team_new(const struct team_place *place) {
    struct team *team = mem_new(sizeof *team);
    team->place = *place;
    team->connection.store = place->store;
    team->connection.password = place->password;
    str_init(&team->scratch, TEAM_SCRATCH_MAX);
    return team;
}

void team_free(struct team *team) {
    if (!team)
        return;
    team_disconnect(&team->connection);
    secret_wipe(&team->key, sizeof team->key);
    secret_clear_str(&team->scratch);
    free(team);
}

bool team_is_away(const struct team *team) {
    return team->connection.away && !team->connection.reached;
}

bool team_is_out_of_reach(const struct team *team) {
    return team->connection.away;
}

void team_rest(struct team *team) {
    team_disconnect(&team->connection);
}

void team_give_up_when(struct team *team, const atomic_bool *dropped) {
    team->connection.dropped = dropped;
}

/* A store that was replaced meanwhile is another one: each connection looks anew. */
enum err team_use(struct team *team, bool gently, struct error *error) {
    bool open = team->connection.conn != NULL;
    enum err err = team_key_use(team, error);
    if (err == ERR_OK)
        err = gently ? team_connect_gently(&team->connection, error) : team_connect(&team->connection, error);
    if (err == ERR_OK && !(open && team->looked)) {
        err = team_look_at_meta(team, error);
        team->looked = err == ERR_OK;
    }
    return err;
}
