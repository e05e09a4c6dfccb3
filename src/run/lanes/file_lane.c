#include "file_lane.h"
#include "job.h"

#include "app/id_list.h"
#include "base/mem.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct file_work {
    struct file_ask *ask;
    struct file_lane *lane;
};
PAYLOAD_TYPE(file_work)

static void file_work_free(struct file_work *work) {
    file_ask_free(work->ask);
    free(work);
}
PAYLOAD_OWNED(file_work, file_work_free);

static void close_one(int *fd) {
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

void file_lane_close(struct file_lane *lane) {
    close_one(&lane->results);
    close_one(&lane->held);
}

static enum err read_import(const struct file_ask *ask, struct file_answer *answer) {
    enum err err = path_read(ask->path, FILE_IMPORT_MAX, false, &answer->text, &answer->error);
    if (err == ERR_OK && ask->beside)
        err = path_read(ask->beside, FILE_IMPORT_MAX, false, &answer->beside, &answer->error);
    answer->has_results = access(ask->results, F_OK) == 0;
    /* Rows that the result file calls done are not sent, so nobody else may be able to write it. */
    if (err == ERR_OK && answer->has_results)
        err = path_check_trusted(ask->results, &answer->error);
    if (err == ERR_OK && answer->has_results)
        err = path_read(ask->results, FILE_IMPORT_MAX, false, &answer->results, &answer->error);
    return err;
}

/* Two imports of one file at the same time would write into each other's result file. */
static enum err file_lane_hold(struct file_lane *lane, const char *path, struct error *error) {
    if (lane->held >= 0)
        return ERR_OK;
    lane->held = open(path, O_RDONLY | O_CLOEXEC);
    if (lane->held < 0)
        return error_set(error, ERR_FILE, "%s: %s", path, strerror(errno));
    if (flock(lane->held, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return ERR_OK; /* without locks the journal still lets no row be sent twice */
    close_one(&lane->held);
    return error_set(error, ERR_FILE, "%s is being imported by another program", path);
}

static enum err start_results(struct file_lane *lane, const struct file_ask *ask, struct error *error) {
    close_one(&lane->results);
    enum err err = file_lane_hold(lane, ask->path, error);
    if (err == ERR_OK)
        err = path_replace(ask->results, ask->text, strlen(ask->text), error);
    if (err == ERR_OK) {
        lane->results = open(ask->results, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
        if (lane->results < 0)
            err = error_set(error, ERR_FILE, "%s: %s", ask->results, strerror(errno));
    }
    if (err != ERR_OK || ask->task == FILE_RESULT_END)
        file_lane_close(lane);
    return err;
}

static enum err file_lane_add_line(const struct file_lane *lane, const struct file_ask *ask, struct error *error) {
    if (path_write_all(lane->results, ask->text, strlen(ask->text)) && fdatasync(lane->results) == 0)
        return ERR_OK;
    return error_set(error, ERR_FILE, "the result file could not be written: %s", strerror(errno));
}

static enum err file_lane_write_new(const struct file_ask *ask, struct error *error) {
    return path_write_new(ask->path, ask->text, strlen(ask->text), error);
}

static void expand(char **path) {
    char *whole = path_expand(*path);
    free(*path);
    *path = whole;
}

/* A typed path that is being completed keeps its tilde, since it is not opened. */
static void expand_all(struct file_ask *ask) {
    if (ask->task != FILE_COMPLETE) {
        expand(&ask->path);
        expand(&ask->beside);
        expand(&ask->results);
    }
}

static void file_lane_run(struct job *job, void *lane_state) {
    struct file_work *work = job_work(job, file_work);
    struct file_answer *answer = file_answer_new(work->ask->task);
    struct error *error;
    enum err err = ERR_OK;
    (void)lane_state;
    job_answer(job, EVENT_FILE, payload_of(file_answer, answer));
    error = &answer->error;
    expand_all(work->ask);
    switch (work->ask->task) {
    case FILE_IMPORT:
        err = read_import(work->ask, answer);
        break;
    case FILE_RESULTS:
    case FILE_RESULT_END:
        err = start_results(work->lane, work->ask, error);
        break;
    case FILE_NEW:
        err = file_lane_write_new(work->ask, error);
        break;
    case FILE_RESULT_ADD:
        err = file_lane_add_line(work->lane, work->ask, error);
        break;
    case FILE_IDS:
        err = path_read(work->ask->path, ID_LIST_MAX, false, &answer->text, error);
        break;
    case FILE_COMPLETE:
        answer->n_names = path_complete(work->ask->path, &answer->text, &answer->names);
        break;
    }
    (void)err; /* kept in the answer's error */
}

void perform_file(struct performer *performer, struct effect *effect) {
    struct file_work *work = mem_new(sizeof *work);
    *work = (struct file_work){effect_take(effect, file_ask), performer->files};
    lane_push(performer->pages, job_of(file_lane_run, effect->ticket, payload_of(file_work, work), performer->tell));
}
