#include "app/team_walk.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

void team_wish_free(struct team_wish *wish) {
    free(wish->live);
    free(wish->mirror);
    free(wish);
}
PAYLOAD_OWNED(team_wish, team_wish_free);

static void turn_clear(struct team_turn *turn) {
    free(turn->who);
    free(turn->host);
}

void team_told_free(struct team_told *told) {
    if (!told)
        return;
    turn_clear(&told->live);
    turn_clear(&told->mirror);
    free(told->fault);
    free(told->spent);
    free(told);
}
PAYLOAD_OWNED(team_told, team_told_free);

static bool turn_equal(const struct team_turn *a, const struct team_turn *b) {
    return a->known == b->known && a->mine == b->mine && a->until == b->until && str_equal(a->who, b->who) &&
           str_equal(a->host, b->host);
}

bool team_told_equal(const struct team_told *a, const struct team_told *b) {
    return a && b && a->wish == b->wish && a->reached == b->reached && a->sealed == b->sealed &&
           a->flushed == b->flushed && a->behind == b->behind && a->unreported == b->unreported &&
           str_equal(a->spent, b->spent) && str_equal(a->fault, b->fault) && turn_equal(&a->live, &b->live) &&
           turn_equal(&a->mirror, &b->mirror);
}

static struct team_turn turn_dup(const struct team_turn *turn) {
    return (struct team_turn){turn->known, turn->mine, mem_dup(turn->who), mem_dup(turn->host), turn->until};
}

struct team_told *team_told_dup(const struct team_told *told) {
    struct team_told *copy = mem_new(sizeof *copy);
    *copy = *told;
    copy->fault = mem_dup(told->fault);
    copy->spent = mem_dup(told->spent);
    copy->live = turn_dup(&told->live);
    copy->mirror = turn_dup(&told->mirror);
    return copy;
}

void team_rows_taken_free(struct team_rows_taken *taken) {
    page_clear(&taken->page);
    free(taken->confirmed);
    free(taken);
}
PAYLOAD_OWNED(team_rows_taken, team_rows_taken_free);

void sharing_told_free(struct sharing_told *told) {
    free(told->why);
    free(told);
}
PAYLOAD_OWNED(sharing_told, sharing_told_free);

void team_walk_init(struct team_walk *walk, const struct profile *profile) {
    *walk = (struct team_walk){.on = profile_has_team(profile)};
}

void team_walk_clear(struct team_walk *walk) {
    free(walk->wish.live);
    free(walk->wish.mirror);
    team_told_free(walk->told);
    *walk = (struct team_walk){0};
}

struct team_wish *team_wish_dup(const struct team_wish *wish) {
    struct team_wish *copy = mem_new(sizeof *copy);
    *copy = *wish;
    copy->live = mem_dup(wish->live);
    copy->mirror = mem_dup(wish->mirror);
    return copy;
}

static void team_walk_say(struct team_walk *walk, struct effects *effects) {
    walk->wish.n++;
    (void)effects_ask(effects, EFFECT_TEAM_WISH, payload_of(team_wish, team_wish_dup(&walk->wish)));
}

/* Rows without an id, or broken ones, are not in the store: then nothing is said of all. */
void team_walk_note_mirror(struct team_walk *walk, const struct mirror *mirror, struct effects *effects) {
    bool whole = coverage_is_whole(&mirror->coverage) && mirror->no_id == 0 && mirror->broken == 0;
    if (!walk->on)
        return;
    walk->wish.flush++;
    walk->wish.high = whole ? mirror->ground : 0;
    walk->wish.as_of = mirror->coverage.as_of;
    team_walk_say(walk, effects);
}

bool team_walk_is_flushed(const struct team_walk *walk) {
    return !walk->on || team_walk_is_away(walk) || (walk->told && walk->told->flushed == walk->wish.flush);
}

static void team_walk_want(struct team_walk *walk, char **wish, const char *part, struct effects *effects) {
    if (!walk->on || str_equal(*wish, part))
        return;
    free(*wish);
    *wish = mem_dup(part);
    team_walk_say(walk, effects);
}

void team_walk_want_live(struct team_walk *walk, const char *part, struct effects *effects) {
    team_walk_want(walk, &walk->wish.live, part, effects);
}

void team_walk_want_mirror(struct team_walk *walk, const char *part, struct effects *effects) {
    team_walk_want(walk, &walk->wish.mirror, part, effects);
}

bool team_walk_event(struct team_walk *walk, struct event *event) {
    if (event->kind == EVENT_CLOCK_SET)
        clock_shift(&walk->heard, event_get(event, clock_shifted)->shift);
    if (event->kind != EVENT_TEAM_TOLD)
        return false;
    team_told_free(walk->told);
    walk->told = event_take(event, team_told);
    walk->heard = event->now;
    return true;
}

/* A turn that could not be renewed in time is somebody else's by now, or nobody's. */
static enum team_may team_walk_may(const struct team_walk *walk, const struct team_turn *turn, int64_t now) {
    if (!walk->on || (walk->told && !walk->told->reached))
        return TEAM_MAY;
    if (!walk->told || walk->told->wish != walk->wish.n || !turn->known)
        return TEAM_MAY_NOT_YET;
    if (!turn->mine)
        return TEAM_MAY_NOT;
    return now - walk->heard < turn->until - walk->told->at ? TEAM_MAY : TEAM_MAY_NOT_YET;
}

enum team_may team_walk_may_live(const struct team_walk *walk, int64_t now) {
    return team_walk_may(walk, walk->told ? &walk->told->live : NULL, now);
}

enum team_may team_walk_may_mirror(const struct team_walk *walk, int64_t now) {
    return team_walk_may(walk, walk->told ? &walk->told->mirror : NULL, now);
}

bool team_walk_is_away(const struct team_walk *walk) {
    return walk->on && walk->told && !walk->told->reached;
}

void team_turn_text(const struct team_turn *turn, struct str *out) {
    str_addf(out, "%s at %s", turn->who ? turn->who : "?", turn->host ? turn->host : "?");
}
