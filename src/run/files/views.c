#include "views.h"
#include "run/lanes/job.h"
#include "session.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>

enum { PATH_BYTES = 4096 };
static const char FOLDER[] = "views";

struct views_work {
    enum effect_kind kind;
    char *folder, *profile;
    struct view_ask *ask; /* the change; NULL: they are read */
    struct str text;      /* as the file has it, at the end */
    struct error error;
    struct views_read read; /* the answer: of the two above */
};
PAYLOAD_TYPE(views_work)

static void views_work_free(struct views_work *work) {
    free(work->folder);
    free(work->profile);
    view_ask_free(work->ask);
    str_clear(&work->text);
    free(work);
}
PAYLOAD_OWNED(views_work, views_work_free);

static void files_views_read_text(const char *folder, const char *profile, struct str *out) {
    struct str path;
    str_init(&path, PATH_BYTES);
    if (session_place(folder, FOLDER, profile, &path, NULL) != ERR_OK ||
        path_read(path.s, SAVED_BYTES_MAX, true, out, NULL) != ERR_OK)
        str_reset(out); /* there is no file yet, or it is not safe */
    str_clear(&path);
}

void views_read(const char *folder, const char *profile, struct saved_views *out) {
    struct str text;
    str_init(&text, SAVED_BYTES_MAX);
    files_views_read_text(folder, profile, &text);
    saved_views_parse(text.s, out);
    str_clear(&text);
}

static enum err files_views_change(const struct views_work *work, struct saved_views *views, struct error *error) {
    struct saved_views one;
    enum err err = ERR_OK;
    if (work->kind == EFFECT_VIEW_DROP) {
        saved_views_remove(views, work->ask->text);
        return ERR_OK;
    }
    saved_views_parse(work->ask->text, &one);
    if (one.has_list) {
        views->has_list = true;
        views->list = one.list;
    }
    for (size_t i = 0; i < one.n && err == ERR_OK; i++)
        err = saved_views_put(views, &one.items[i], error);
    saved_views_clear(&one);
    return err;
}

static enum err files_views_write_text(const struct views_work *work, struct error *error) {
    struct str folder, path;
    str_init(&folder, PATH_BYTES);
    str_init(&path, PATH_BYTES);
    enum err err = session_place(work->folder, FOLDER, NULL, &folder, error);
    err = err == ERR_OK ? session_place(work->folder, FOLDER, work->profile, &path, error) : err;
    err = err == ERR_OK ? path_make_private(folder.s, error) : err;
    err = err == ERR_OK ? path_replace(path.s, work->text.s, work->text.len, error) : err;
    str_clear(&folder);
    str_clear(&path);
    return err;
}

static void files_views_put_change(struct views_work *work) {
    struct saved_views views;
    saved_views_parse(work->text.s, &views);
    work->error.code = files_views_change(work, &views, &work->error);
    if (work->error.code == ERR_OK) {
        str_reset(&work->text);
        saved_views_print(&views, &work->text);
        work->error.code = files_views_write_text(work, &work->error);
    }
    saved_views_clear(&views);
}

static void files_views_run(struct job *job, void *lane_state) {
    struct views_work *work = job_work(job, views_work);
    (void)lane_state;
    files_views_read_text(work->folder, work->profile, &work->text);
    if (work->ask)
        files_views_put_change(work);
    work->read = (struct views_read){work->text.s, &work->error};
    job_answer(job, EVENT_VIEWS, payload_of(views_read, &work->read));
}

void perform_views(struct performer *performer, struct effect *effect) {
    struct views_work *work = mem_new(sizeof *work);
    *work = (struct views_work){.kind = effect->kind,
                                .folder = mem_dup(performer->options->folder),
                                .profile = mem_dup(performer->options->profile->name),
                                .ask = effect_take(effect, view_ask)};
    str_init(&work->text, SAVED_BYTES_MAX);
    lane_push(performer->pages, job_of(files_views_run, 0, payload_of(views_work, work), performer->tell));
}

int views_purge(const char *folder, struct error *error) {
    return session_purge(folder, FOLDER, error);
}
