#include "notes_lane.h"

#include "job.h"
#include "run/files/notes_file.h"
#include "run/files/shared_file.h"
#include "run/perform.h"

#include "app/team_walk.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096, EVERY_MS = 4000 };

/* ---- what is exchanged ---- */

static enum err path_of_notes(const char *folder, const struct profile *profile, struct str *out, struct error *error) {
    const struct notes_place place = notes_place_of(folder, profile);
    return notes_file_path(&place, out, error);
}

static enum err path_of_views(const char *folder, const struct profile *profile, struct str *out, struct error *error) {
    return shared_file_path(&(struct shared_place){folder, profile}, out, error);
}

static const struct {
    bool (*is_wanted)(const struct profile *profile);
    enum err (*path)(const char *folder, const struct profile *profile, struct str *out, struct error *error);
    exchange_fn *exchange;
} SOURCES[] = {[EXCHANGE_NOTES] = {profile_shares_notes, path_of_notes, exchange_notes},
               [EXCHANGE_VIEWS] = {shared_views_wanted, path_of_views, exchange_views}};

bool notes_lane_is_wanted(const struct profile *profile) {
    for (int i = 0; i < EXCHANGE_COUNT; i++)
        if (SOURCES[i].is_wanted(profile))
            return true;
    return false;
}

bool notes_exchange_is_wanted(const struct profile *profile, enum notes_exchange_kind kind) {
    return SOURCES[kind].is_wanted(profile);
}

/* ---- an exchange ---- */

static void look_at_file(const struct team_side *side, const char *folder, enum notes_exchange_kind kind,
                         struct stat *out) {
    struct str path;
    str_init(&path, PATH_BYTES);
    if (SOURCES[kind].path(folder, side->profile, &path, NULL) != ERR_OK || stat(path.s, out) != 0)
        *out = (struct stat){0};
    str_clear(&path);
}

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

enum err notes_exchange(struct team_side *side, const char *folder, enum notes_exchange_kind kind, int64_t news,
                        struct exchange_memory *memory, struct error *error) {
    struct stat file;
    if (side->fault.code != ERR_OK)
        return error_set(error, side->fault.code, "%s", side->fault.text);
    look_at_file(side, folder, kind, &file);
    bool changed = !memory->done || !is_same_file(&file, &memory->file);
    if (!changed && news >= 0 && news == memory->news)
        return ERR_OK;
    enum err err = team_use(side->team, true, error);
    memory->reached = err == ERR_OK;
    if (err == ERR_OK)
        err = SOURCES[kind].exchange(side, folder, memory, changed, error);
    memory->done = err == ERR_OK;
    memory->file = file;
    memory->news = news;
    return err;
}

/* ---- the lane ---- */

struct notes_turn {
    struct notes_lane *lane; /* lives as long as its lane */
    int64_t news;
};
PAYLOAD_TYPE(notes_turn)

static void notes_turn_free(struct notes_turn *turn) {
    free(turn);
}
PAYLOAD_OWNED(notes_turn, notes_turn_free);

static const char *const WHAT[] = {[EXCHANGE_NOTES] = "notes", [EXCHANGE_VIEWS] = "saved views"};

/* That a store is away is told by the team walk. */
static void notes_went(struct job *job, enum notes_exchange_kind kind, const char *fault) {
    if (!job_work(job, notes_turn)->lane->memories[kind].reached)
        return;
    struct notes_going *going = &job_work(job, notes_turn)->lane->going[kind];
    bool again = !*fault || str_equal(going->last, fault);
    (void)snprintf(going->last, sizeof going->last, "%s", fault);
    if (!again || str_equal(going->told, fault) || job->answer.kind == EVENT_SHARING)
        return;
    (void)snprintf(going->told, sizeof going->told, "%s", fault);
    struct sharing_told *told = mem_new(sizeof *told);
    *told = (struct sharing_told){WHAT[kind], *fault ? mem_dup(fault) : NULL};
    job_answer(job, EVENT_SHARING, payload_of(sharing_told, told));
}

static void notes_turn_run(struct job *job, void *lane_state) {
    const struct notes_turn *turn = job_work(job, notes_turn);
    struct notes_lane *lane = turn->lane;
    (void)lane_state;
    team_give_up_when(lane->team->team, &job->lane.dropped);
    for (int i = 0; i < EXCHANGE_COUNT; i++) {
        struct error error = {0};
        enum err err = SOURCES[i].is_wanted(lane->team->profile)
                           ? notes_exchange(lane->team, lane->folder, (enum notes_exchange_kind)i, turn->news,
                                            &lane->memories[i], &error)
                           : ERR_OK;
        notes_went(job, (enum notes_exchange_kind)i, err == ERR_OK ? "" : error.text); /* another time */
    }
    team_give_up_when(lane->team->team, NULL);
    team_rest(lane->team->team);
}

void notes_lane_tick(struct notes_lane *lane, int64_t now, int64_t news, struct performer *performer) {
    bool fresh = news >= 0 && news != lane->news;
    if (lane->at == CLOCK_NONE || (lane->at > now && !fresh))
        return;
    if (!lane->lane)
        lane->lane = lane_new("notes", lane, performer->wake, performer);
    lane->at = now + EVERY_MS;
    lane->news = news;
    if (lane_waiting(lane->lane) > 0)
        return;
    struct notes_turn *turn = mem_new(sizeof *turn);
    *turn = (struct notes_turn){lane, news};
    lane_push(lane->lane, job_of(notes_turn_run, 0, payload_of(notes_turn, turn), performer->tell));
}

void notes_lane_close(struct notes_lane *lane) {
    if (lane->lane)
        lane_free(lane->lane, false);
    lane->lane = NULL;
    team_side_free(lane->team);
    lane->team = NULL;
}
