#include "export_lane.h"
#include "job.h"

#include "base/mem.h"
#include "base/path.h"
#include "store/table_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

struct export_work {
    struct export_ask *ask;
    struct error error; /* the answer */
};
PAYLOAD_TYPE(export_work)

static void export_work_free(struct export_work *work) {
    export_ask_free(work->ask);
    free(work);
}
PAYLOAD_OWNED(export_work, export_work_free);

static void close_file(struct export_file *file, bool keep) {
    if (file->fd >= 0) {
        (void)close(file->fd);
        if (!keep)
            (void)unlink(file->path);
    }
    file->fd = -1;
    table_file_drop(file->table);
    file->table = NULL;
    free(file->path);
    file->path = NULL;
}

static enum err export_lane_add(struct export_file *file, const struct export_ask *ask, struct error *error) {
    if (file->table) {
        enum err err = table_file_add(file->table, ask->text, ask->len, error);
        if (err != ERR_OK)
            close_file(file, false);
        return err;
    }
    if (!path_write_all(file->fd, ask->text, ask->len)) {
        enum err err = error_set(error, ERR_FILE, "%s: cannot write: %s", file->path, strerrordesc_np(errno));
        close_file(file, false);
        return err;
    }
    return ERR_OK;
}

static enum err export_lane_begin(struct export_file *file, const struct export_ask *ask, struct error *error) {
    if (ask->database)
        return table_file_begin(ask->path, ask->text, ask->len, &file->table, error);
    char *path = path_expand(ask->path);
    enum err err = path_create_new(path, &file->fd, error);
    if (err == ERR_OK) {
        file->path = mem_dup(path);
        err = export_lane_add(file, ask, error);
    }
    free(path);
    return err;
}

/* Data is not kept without the file beside it that says what it is. */
static enum err write_about(const struct export_file *file, const struct export_ask *ask, struct error *error) {
    struct str path;
    int fd = -1;
    str_init(&path, PATH_BYTES);
    str_addf(&path, "%s.about", file->path);
    enum err err = path_create_new(path.s, &fd, error);
    if (err == ERR_OK) {
        bool done = path_write_all(fd, ask->text, ask->len);
        if (close(fd) != 0 || !done) {
            err = error_set(error, ERR_FILE, "%s: cannot write: %s", path.s, strerrordesc_np(errno));
            (void)unlink(path.s);
        }
    }
    str_clear(&path);
    return err;
}

static enum err export_lane_end(struct export_file *file, const struct export_ask *ask, struct error *error) {
    if (file->table) {
        struct table_file *table = file->table;
        file->table = NULL;
        return table_file_end(table, ask->text, error);
    }
    enum err err = ERR_OK;
    if (fsync(file->fd) != 0 && errno != EINVAL) /* a pipe or the like cannot be synced */
        err = error_set(error, ERR_FILE, "%s: cannot write: %s", file->path, strerrordesc_np(errno));
    if (err == ERR_OK)
        err = write_about(file, ask, error);
    close_file(file, err == ERR_OK);
    return err;
}

static void export_lane_run(struct job *job, void *lane_state) {
    struct export_work *work = job_work(job, export_work);
    struct export_file *file = lane_state;
    enum err err = ERR_OK;
    if (work->ask->step == EXPORT_BEGIN)
        err = export_lane_begin(file, work->ask, &work->error);
    else if (work->ask->step == EXPORT_DROP)
        close_file(file, false);
    else if (file->fd < 0 && !file->table)
        err = error_set(&work->error, ERR_FILE, "%s: the file is gone", work->ask->path);
    else if (work->ask->step == EXPORT_ADD)
        err = export_lane_add(file, work->ask, &work->error);
    else
        err = export_lane_end(file, work->ask, &work->error);
    work->error.code = err;
    if (work->ask->step != EXPORT_DROP)
        job_answer(job, EVENT_EXPORTED, payload_of(error, &work->error));
}

void perform_export(struct performer *performer, struct effect *effect) {
    struct export_lane *lane = performer->exports;
    struct export_work *work = mem_new(sizeof *work);
    work->ask = effect_take(effect, export_ask);
    if (!lane->lane) {
        lane->file = (struct export_file){.fd = -1};
        lane->lane = lane_new("export", &lane->file, performer->wake, performer);
    }
    lane_push(lane->lane, job_of(export_lane_run, effect->ticket, payload_of(export_work, work), performer->tell));
}

void export_lane_close(struct export_lane *lane) {
    if (lane->lane) {
        lane_free(lane->lane, false);
        close_file(&lane->file, false);
        lane->lane = NULL;
    }
}
