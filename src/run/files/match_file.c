/* The table of a match, read and parsed on a lane. */
#include "run/lanes/job.h"

#include "app/match_file.h"
#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>

static enum err match_file_input(const char *path, struct str *out, struct error *error) {
    char *whole = path_expand(path);
    enum err err = path_read(whole, out->max, false, out, error);
    free(whole);
    return err;
}

static void match_file_run(struct job *job, void *lane_state) {
    struct match_file_ask *ask = job_work(job, match_file_ask);
    struct match_file_answer *answer = match_file_answer_new(ask->match);
    (void)lane_state;
    ask->match = NULL;
    enum err err = match_load(answer->match, ask->map, ask->path, match_file_input, &answer->error);
    (void)err; /* kept in the answer's error */
    job_answer(job, EVENT_MATCH_FILE, payload_of(match_file_answer, answer));
}

void perform_match_file(struct performer *performer, struct effect *effect) {
    struct payload ask = payload_of(match_file_ask, effect_take(effect, match_file_ask));
    lane_push(performer->pages, job_of(match_file_run, effect->ticket, ask, performer->tell));
}
