#include "app/actions.h"

#include "base/mem.h"

static const struct action ITEMS[] = {
#define X(code, view, name, keys, hint, help) {ACTION_##code, view, name, keys, hint, help},
    ACTION_TABLE(X)
#undef X
};

static const struct action_table TABLE = {ITEMS, COUNT_OF(ITEMS), ACTION_CANCEL, actions_preset};

const struct action_table *action_table(void) {
    return &TABLE;
}

const struct action *actions(size_t *n) {
    *n = TABLE.n;
    return TABLE.items;
}

const char *action_name(int action) {
    return ITEMS[action].name;
}

static const struct {
    const char *job, *words;
} USES[ACTION_COUNT] = {
#define X(code, job, words) [ACTION_##code] = {job, words},
    ACTION_USES(X)
#undef X
};

const char *const *action_jobs(size_t *n) {
    static const char *const JOBS[] = {"find", "look", "hand over", "count", "watch"};
    *n = COUNT_OF(JOBS);
    return JOBS;
}

const char *action_job(int action) {
    return USES[action].job;
}

const char *action_words(int action) {
    return USES[action].words ? USES[action].words : "";
}
