#include "drafts.h"
#include "run/lanes/job.h"
#include "run/lanes/journal_lane.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, NAME_BYTES = 80 };

struct draft {
    char *name, *text;
    int64_t changed; /* seconds */
};

struct draft_work {
    char *folder;
    struct draft_ask *ask; /* to be kept or dropped; NULL: they are read */
    struct error error;
    struct draft_kept kept; /* the answer of the first two */
    struct {
        struct draft *items;
        size_t n, cap;
    } found;
};
PAYLOAD_TYPE(draft_work)

static void draft_work_free(struct draft_work *work) {
    for (size_t i = 0; i < work->found.n; i++) {
        free(work->found.items[i].name);
        free(work->found.items[i].text);
    }
    free(work->found.items);
    free(work->folder);
    draft_ask_free(work->ask);
    free(work);
}
PAYLOAD_OWNED(draft_work, draft_work_free);

/* Only names that the console makes: no other file in the folder is touched. */
static bool drafts_is_name(const char *name) {
    size_t len = strspn(name, "0123456789abcdefghijklmnopqrstuvwxyz-");
    return len > 0 && len < NAME_BYTES && name[len] == '\0';
}

static enum err drafts_place(const char *folder, const char *name, struct str *out, struct error *error) {
    enum err err = ERR_OK;
    if (folder)
        str_addf(out, "%s/drafts", folder);
    else
        err = path_home(PATH_STATE, "drafts", out, error);
    if (err == ERR_OK && name)
        str_addf(out, "/%s.json", name);
    return err;
}

static void drafts_keep_run(struct job *job, void *lane_state) {
    struct draft_work *work = job_work(job, draft_work);
    const struct draft_ask *ask = work->ask;
    struct str path;
    (void)lane_state;
    str_init(&path, PATH_BYTES);
    enum err err = drafts_place(work->folder, NULL, &path, &work->error);
    if (err == ERR_OK && drafts_is_name(ask->name)) {
        err = ask->text ? path_make_private(path.s, &work->error) : ERR_OK;
        str_addf(&path, "/%s.json", ask->name);
        if (!ask->text)
            (void)unlink(path.s);
        else if (err == ERR_OK)
            err = path_replace(path.s, ask->text, strlen(ask->text), &work->error);
    }
    (void)err; /* it is in the error */
    if (ask->text) {
        work->kept = (struct draft_kept){ask->name, &work->error};
        job_answer(job, EVENT_DRAFT_KEPT, payload_of(draft_kept, &work->kept));
    }
    str_clear(&path);
}

/* ---- What the journal says of a form, since a mark in its file may be older, or missing ---- */

enum standing { STANDS_FREE, STANDS_OPEN, STANDS_DONE };

static enum standing standing_of(struct journal *journal, const char *name) {
    struct journal_filter filter = JOURNAL_ANY;
    struct journal_records records;
    enum standing standing = STANDS_FREE;
    filter.draft = name;
    journal_records_init(&records);
    if (!journal || journal_list(journal, &filter, &records, NULL) != ERR_OK)
        standing = STANDS_OPEN; /* nothing proves that it is settled */
    for (size_t i = 0; i < records.n; i++) {
        enum journal_outcome outcome = records.items[i].last.outcome;
        bool open = outcome == JOURNAL_OUTCOME_UNKNOWN || outcome == JOURNAL_OUTCOME_SENDING;
        standing = open                                                         ? STANDS_OPEN
                   : outcome == JOURNAL_OUTCOME_DONE && standing == STANDS_FREE ? STANDS_DONE
                                                                                : standing;
    }
    journal_records_clear(&records);
    return standing;
}

static bool drafts_name_of(const struct dirent *entry, char out[NAME_BYTES]) {
    size_t len = strlen(entry->d_name);
    if (len < sizeof ".json" || len >= NAME_BYTES || strcmp(entry->d_name + len - 5, ".json") != 0)
        return false;
    memcpy(out, entry->d_name, len - 5);
    out[len - 5] = '\0';
    return drafts_is_name(out);
}

static void drafts_read_one(struct draft_work *work, struct journal *journal, const char *folder, const char *name) {
    enum { DAY = 24 * 3600 };
    struct str path, text;
    struct stat state;
    str_init(&path, PATH_BYTES);
    str_init(&text, DRAFT_MAX);
    str_addf(&path, "%s/%s.json", folder, name);
    if (lstat(path.s, &state) == 0 && path_read(path.s, DRAFT_MAX, true, &text, NULL) == ERR_OK) {
        bool old = clock_now() / 1000 - state.st_mtime > (int64_t)DRAFTS_DAYS * DAY;
        enum standing standing = standing_of(journal, name);
        if (standing == STANDS_DONE || (old && standing == STANDS_FREE)) {
            (void)unlink(path.s);
        } else {
            struct draft *draft = vec_add(&work->found);
            *draft = (struct draft){.name = mem_dup(name), .text = str_take(&text), .changed = state.st_mtime};
            str_init(&text, 1);
        }
    }
    str_clear(&path);
    str_clear(&text);
}

static int by_time(const void *a, const void *b) {
    const struct draft *left = a, *right = b;
    return (left->changed > right->changed) - (left->changed < right->changed);
}

static void drafts_read_run(struct job *job, void *lane_state) {
    struct draft_work *work = job_work(job, draft_work);
    struct journal *journal = journal_lane_use(lane_state, NULL);
    struct str folder;
    str_init(&folder, PATH_BYTES);
    DIR *dir = drafts_place(work->folder, NULL, &folder, NULL) == ERR_OK ? opendir(folder.s) : NULL;
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        char name[NAME_BYTES];
        if (drafts_name_of(entry, name))
            drafts_read_one(work, journal, folder.s, name);
    }
    if (dir)
        (void)closedir(dir);
    if (work->found.n > 1)
        qsort(work->found.items, work->found.n, sizeof *work->found.items, by_time);
    str_clear(&folder);
}

static void read_done(struct job *job, void *owner) {
    struct draft_work *work = job_work(job, draft_work);
    for (size_t i = 0; i <= work->found.n; i++) {
        bool last = i == work->found.n;
        struct draft_read read = {last ? NULL : work->found.items[i].name, last ? NULL : work->found.items[i].text};
        struct event event = {.kind = EVENT_DRAFT, .payload = payload_of(draft_read, &read)};
        job->tell(owner, &event);
    }
}

/* Runs on the journal's lane, so that a form is on the disk before the record of its write. */
static void drafts_push(struct performer *performer, job_fn *run, job_fn *done, struct draft_ask *ask) {
    struct draft_work *work = mem_new(sizeof *work);
    work->folder = mem_dup(performer->options->folder);
    work->ask = ask;
    struct job *job = job_new(run, 0, payload_of(draft_work, work), performer->tell);
    job->done = done;
    lane_push(performer->journals, &job->lane);
}

void perform_draft(struct performer *performer, struct effect *effect) {
    drafts_push(performer, drafts_keep_run, NULL, effect_take(effect, draft_ask));
}

void perform_drafts(struct performer *performer, struct effect *effect) {
    (void)effect;
    drafts_push(performer, drafts_read_run, read_done, NULL);
}

static void purge_each(DIR *dir, struct journal *journal, struct str *path, int *removed, int *kept) {
    size_t len = path->len;
    struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        char name[NAME_BYTES];
        path->s[path->len = len] = '\0';
        if (!drafts_name_of(entry, name))
            continue;
        str_addf(path, "/%s.json", name);
        bool open = standing_of(journal, name) == STANDS_OPEN;
        *kept += open;
        *removed += !open && unlink(path->s) == 0;
    }
}

int drafts_purge(const char *folder, int *kept, struct error *error) {
    struct journal_opening opening;
    struct str path;
    int removed = 0;
    str_init(&path, PATH_BYTES);
    enum err err = drafts_place(folder, NULL, &path, error);
    DIR *dir = err == ERR_OK ? opendir(path.s) : NULL;
    if (dir) {
        struct journal *journal = journal_open(folder, clock_now(), &opening);
        if (journal) {
            purge_each(dir, journal, &path, &removed, kept);
        } else {
            err = error_set(error, ERR_STORE,
                            "%s. Which forms still wait for the outcome of their write cannot be told: none was "
                            "removed",
                            opening.error.text);
        }
        journal_close(journal);
        (void)closedir(dir);
    }
    str_clear(&path);
    return err == ERR_OK ? removed : -1;
}
