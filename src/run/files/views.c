#include "views.h"
#include "session.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>

enum { PATH_BYTES = 4096 };
static const char FOLDER[] = "views";

struct job {
    struct lane_job job;
    views_event_fn *hand_over;
    enum effect_kind kind;
    char *folder, *profile, *change;
    struct str text; /* as the file has it, at the end */
    struct error error;
};

static void read_text(const char *folder, const char *profile, struct str *out) {
    struct str path;
    str_init(&path, PATH_BYTES);
    if (session_place(folder, FOLDER, profile, &path, NULL) != ERR_OK ||
        path_read(path.s, SAVED_BYTES_MAX, true, out, NULL) != ERR_OK) {
        str_reset(out); /* none yet, or not ours to trust */
    }
    str_clear(&path);
}

void views_read(const char *folder, const char *profile, struct saved_views *out) {
    struct str text;
    str_init(&text, SAVED_BYTES_MAX);
    read_text(folder, profile, &text);
    saved_views_parse(text.s, out);
    str_clear(&text);
}

static enum err change(const struct job *own, struct saved_views *views, struct error *error) {
    struct saved_views one;
    enum err code = ERR_OK;
    if (own->kind == EFFECT_VIEW_DROP) {
        saved_views_remove(views, own->change);
        return ERR_OK;
    }
    saved_views_parse(own->change, &one);
    if (one.has_list) {
        views->has_list = true;
        views->list = one.list;
    }
    for (size_t i = 0; i < one.n && code == ERR_OK; i++) {
        code = saved_views_put(views, &one.items[i], error);
    }
    saved_views_clear(&one);
    return code;
}

static enum err write_text(const struct job *own, struct error *error) {
    struct str folder, path;
    str_init(&folder, PATH_BYTES);
    str_init(&path, PATH_BYTES);
    enum err code = session_place(own->folder, FOLDER, NULL, &folder, error);
    code = code == ERR_OK ? session_place(own->folder, FOLDER, own->profile, &path, error) : code;
    code = code == ERR_OK ? path_make_private(folder.s, error) : code;
    code = code == ERR_OK ? path_replace(path.s, own->text.s, own->text.len, error) : code;
    str_clear(&folder);
    str_clear(&path);
    return code;
}

static void run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct saved_views views;
    (void)lane_state;
    read_text(own->folder, own->profile, &own->text);
    if (own->kind == EFFECT_VIEWS) {
        return;
    }
    saved_views_parse(own->text.s, &views);
    own->error.code = change(own, &views, &own->error);
    if (own->error.code == ERR_OK) {
        str_reset(&own->text);
        saved_views_print(&views, &own->text);
        own->error.code = write_text(own, &own->error);
    }
    saved_views_clear(&views);
}

static void done(struct lane_job *job, void *owner) {
    struct job *own = (struct job *)job;
    struct views_read read = {own->text.s, &own->error};
    struct event event = {.kind = EVENT_VIEWS, .payload = payload_of(views_read, &read)};
    own->hand_over(owner, &event);
}

static void free_job(struct lane_job *job) {
    struct job *own = (struct job *)job;
    free(own->folder);
    free(own->profile);
    free(own->change);
    str_clear(&own->text);
    free(own);
}

struct lane_job *views_job(const char *folder, const char *profile, const struct effect *effect,
                           views_event_fn *hand_over) {
    struct job *job = mem_new(sizeof *job);
    *job = (struct job){.job = {.run = run, .done = done, .free = free_job},
                        .hand_over = hand_over,
                        .kind = effect->kind,
                        .folder = mem_dup(folder),
                        .profile = mem_dup(profile),
                        .change = mem_dup(effect->text)};
    str_init(&job->text, SAVED_BYTES_MAX);
    return &job->job;
}

int views_purge(const char *folder, struct error *error) {
    return session_purge(folder, FOLDER, error);
}
