#include "views.h"
#include "run/lanes/job.h"
#include "run/lanes/journal_lane.h"
#include "run/lanes/team_side.h"
#include "session.h"
#include "shared_file.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"

#include <stdlib.h>

enum { PATH_BYTES = 4096, WHO_BYTES = 256, NONCE_BYTES = 8 };
static const char FOLDER[] = "views";

static void files_views_read_text(const char *folder, const char *profile, struct str *out) {
    struct str path;
    str_init(&path, PATH_BYTES);
    if (session_place(folder, FOLDER, profile, &path, NULL) != ERR_OK ||
        path_read(path.s, SAVED_BYTES_MAX, true, out, NULL) != ERR_OK)
        str_reset(out); /* there is no file yet, or it is not safe */
    str_clear(&path);
}

static const char *text_of(const struct str *text) {
    return text->s ? text->s : "";
}

void views_read(const char *folder, const struct profile *profile, struct saved_views *out,
                struct shared_views *shared) {
    const struct shared_place place = {folder, profile};
    struct str text;
    str_init(&text, SHARED_BYTES_MAX);
    files_views_read_text(folder, profile->name, &text);
    saved_views_parse(text_of(&text), out);
    str_reset(&text);
    shared_file_text(&place, &text);
    shared_views_parse(text_of(&text), profile, shared);
    out->shared = shared;
    str_clear(&text);
}

/* ---- a view of one's own ---- */

static enum err put_views(const char *text, struct saved_views *views, struct error *error) {
    struct saved_views one;
    enum err err = ERR_OK;
    saved_views_parse(text, &one);
    if (one.has_list) {
        views->has_list = true;
        views->list = one.list;
    }
    for (size_t i = 0; i < one.n && err == ERR_OK; i++)
        err = saved_views_put(views, &one.items[i], error);
    saved_views_clear(&one);
    return err;
}

static enum err files_views_change(const struct views_wish *wish, const struct shared_views *shared,
                                   struct saved_views *views, struct error *error) {
    if (wish->act == VIEWS_PUT)
        return put_views(wish->text, views, error);
    if (wish->act == VIEWS_COPY)
        return shared_views_keep(shared, wish->text, wish->as, views, views, error);
    saved_views_remove(views, wish->text);
    return ERR_OK;
}

static enum err files_views_write_text(const char *state, const char *profile, const struct str *text,
                                       struct error *error) {
    struct str folder, path;
    str_init(&folder, PATH_BYTES);
    str_init(&path, PATH_BYTES);
    enum err err = session_place(state, FOLDER, NULL, &folder, error);
    err = err == ERR_OK ? session_place(state, FOLDER, profile, &path, error) : err;
    err = err == ERR_OK ? path_make_private(folder.s, error) : err;
    err = err == ERR_OK ? path_replace(path.s, text->s, text->len, error) : err;
    str_clear(&folder);
    str_clear(&path);
    return err;
}

static void files_views_put_change(const char *folder, const struct profile *profile, const struct views_wish *wish,
                                   struct views_kept *out) {
    struct saved_views views;
    struct shared_views shared;
    struct str text;
    str_init(&text, SAVED_BYTES_MAX);
    views_read(folder, profile, &views, &shared);
    enum err err = files_views_change(wish, &shared, &views, &out->error);
    saved_views_print(&views, &text);
    if (err == ERR_OK)
        err = files_views_write_text(folder, profile->name, &text, &out->error);
    (void)err; /* kept in out */
    str_clear(&text);
    saved_views_clear(&views);
    shared_views_clear(&shared);
}

/* ---- one that is shared ---- */

struct sharing {
    const struct views_wish *wish;
    const struct profile *profile;
    const struct saved_views *own;
    struct shared_by by;
};

static enum err share_or_take_back(void *context, struct shared_views *views, struct error *error) {
    const struct sharing *sharing = context;
    if (sharing->wish->act == VIEWS_UNSHARE)
        return shared_views_unshare(views, sharing->wish->text, sharing->profile, &sharing->by, error);
    return shared_views_share(views, sharing->own, sharing->wish->text, sharing->profile, &sharing->by, error);
}

static void put_shared(const char *folder, const struct profile *profile, const struct views_wish *wish,
                       struct views_kept *out) {
    const struct shared_place place = {folder, profile};
    struct saved_views views;
    struct shared_views shared;
    struct str nonce, host;
    str_init(&nonce, 2 * NONCE_BYTES);
    str_init(&host, WHO_BYTES);
    secret_random_hex(&nonce, NONCE_BYTES);
    team_host(&host);
    views_read(folder, profile, &views, &shared);
    struct sharing sharing = {wish, profile, &views, {out->who.s, host.s, nonce.s, clock_now()}};
    enum err err = shared_views_check(profile, &out->error);
    if (err == ERR_OK)
        err = shared_file_change(&place, share_or_take_back, &sharing, &out->error);
    (void)err; /* kept in out */
    saved_views_clear(&views);
    shared_views_clear(&shared);
    str_clear(&nonce);
    str_clear(&host);
}

void views_do(const char *folder, const struct profile *profile, const struct views_wish *wish,
              struct views_kept *out) {
    const struct shared_place place = {folder, profile};
    *out = (struct views_kept){0};
    str_init(&out->own, SAVED_BYTES_MAX);
    str_init(&out->shared, SHARED_BYTES_MAX);
    str_init(&out->who, WHO_BYTES);
    journal_who(&out->who);
    if (wish->act == VIEWS_SHARE || wish->act == VIEWS_UNSHARE)
        put_shared(folder, profile, wish, out);
    else if (wish->act != VIEWS_READ)
        files_views_put_change(folder, profile, wish, out);
    files_views_read_text(folder, profile->name, &out->own);
    shared_file_text(&place, &out->shared);
}

/* ---- as effects ---- */

struct views_work {
    struct views_wish wish;
    char *folder;
    const struct profile *profile; /* of the program's whole life */
    struct view_ask *ask;          /* the change; NULL: they are read */
    struct views_kept kept;        /* the answer */
    struct views_read read;        /* of the above */
};
PAYLOAD_TYPE(views_work)

static void views_work_free(struct views_work *work) {
    free(work->folder);
    view_ask_free(work->ask);
    views_kept_clear(&work->kept);
    free(work);
}
PAYLOAD_OWNED(views_work, views_work_free);

static void files_views_run(struct job *job, void *lane_state) {
    struct views_work *work = job_work(job, views_work);
    (void)lane_state;
    views_do(work->folder, work->profile, &work->wish, &work->kept);
    work->read = (struct views_read){.text = text_of(&work->kept.own),
                                     .shared = text_of(&work->kept.shared),
                                     .who = text_of(&work->kept.who),
                                     .failure = &work->kept.error};
    job_answer(job, EVENT_VIEWS, payload_of(views_read, &work->read));
}

static enum views_act views_act_of(enum effect_kind kind) {
    switch (kind) {
    case EFFECT_VIEW_KEEP:
        return VIEWS_PUT;
    case EFFECT_VIEW_DROP:
        return VIEWS_DROP;
    case EFFECT_VIEW_SHARE:
        return VIEWS_SHARE;
    case EFFECT_VIEW_UNSHARE:
        return VIEWS_UNSHARE;
    default:
        return VIEWS_READ;
    }
}

void perform_views(struct performer *performer, struct effect *effect) {
    struct views_work *work = mem_new(sizeof *work);
    *work = (struct views_work){.folder = mem_dup(performer->options->folder),
                                .profile = performer->options->profile,
                                .ask = effect_take(effect, view_ask)};
    work->wish = (struct views_wish){.act = views_act_of(effect->kind), .text = work->ask ? work->ask->text : NULL};
    lane_push(performer->pages, job_of(files_views_run, 0, payload_of(views_work, work), performer->tell));
}

int views_purge(const char *folder, struct error *error) {
    return session_purge(folder, FOLDER, error);
}
