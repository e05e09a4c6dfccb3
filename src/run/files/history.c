#include "history.h"
#include "run/lanes/job.h"
#include "session.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };
static const char FOLDER[] = "history";

struct history_work {
    char *folder, *profile;
    struct history_line *line; /* to be kept; NULL: they are read */
    struct str text;
    struct history_read read; /* the answer: of text */
};
PAYLOAD_TYPE(history_work)

static void history_work_free(struct history_work *work) {
    free(work->folder);
    free(work->profile);
    history_line_free(work->line);
    str_clear(&work->text);
    free(work);
}
PAYLOAD_OWNED(history_work, history_work_free);

static enum err history_place(const char *folder, const char *profile, struct str *out, struct error *error) {
    return session_place(folder, FOLDER, profile, out, error);
}

/* The lines of the file that are kept with the new one: without an equal line, and without the oldest where there is no
 * room. */
static const char *first_kept(const char *text, size_t room) {
    size_t lines = 0;
    const char *at = text + strlen(text);
    while (at > text) {
        const char *start = at - 1;
        while (start > text && start[-1] != '\n')
            start--;
        lines++;
        if (lines >= HISTORY_LINES || (size_t)(text + strlen(text) - start) > room)
            break;
        at = start;
    }
    return at;
}

static void add_others(struct str *out, const char *text, const char *line) {
    size_t len = strlen(line);
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (n != len || memcmp(text, line, n) != 0) {
            str_add_n(out, text, n);
            str_add_char(out, '\n');
        }
        text += n + (text[n] == '\n');
    }
}

static void history_keep_run(struct job *job, void *lane_state) {
    struct history_work *work = job_work(job, history_work);
    struct str folder, path, held, text;
    (void)lane_state;
    str_init(&folder, PATH_BYTES);
    str_init(&path, PATH_BYTES);
    str_init(&held, HISTORY_BYTES);
    str_init(&text, 2 * HISTORY_BYTES);
    enum err err = history_place(work->folder, NULL, &folder, NULL);
    err = err == ERR_OK ? history_place(work->folder, work->profile, &path, NULL) : err;
    err = err == ERR_OK ? path_make_private(folder.s, NULL) : err;
    if (err == ERR_OK && path_read(path.s, HISTORY_BYTES, true, &held, NULL) != ERR_OK)
        str_reset(&held); /* there is no file yet, or it is not safe: begins a new one */
    if (err == ERR_OK) {
        size_t len = strlen(work->line->text) + 1;
        add_others(&text, first_kept(held.s, len < HISTORY_BYTES ? HISTORY_BYTES - len : 0), work->line->text);
        str_addf(&text, "%s\n", work->line->text);
        err = path_replace(path.s, text.s, text.len, NULL);
    }
    (void)err; /* a history that cannot be stored costs nothing else */
    str_clear(&folder);
    str_clear(&path);
    str_clear(&held);
    str_clear(&text);
}

static void history_read_run(struct job *job, void *lane_state) {
    struct history_work *work = job_work(job, history_work);
    struct str path;
    (void)lane_state;
    str_init(&path, PATH_BYTES);
    if (history_place(work->folder, work->profile, &path, NULL) != ERR_OK ||
        path_read(path.s, HISTORY_BYTES, true, &work->text, NULL) != ERR_OK)
        str_reset(&work->text);
    str_clear(&path);
    work->read = (struct history_read){work->text.s};
    job_answer(job, EVENT_HISTORY, payload_of(history_read, &work->read));
}

static void history_push(struct performer *performer, job_fn *run, struct history_line *line) {
    struct history_work *work = mem_new(sizeof *work);
    *work = (struct history_work){.folder = mem_dup(performer->options->folder),
                                  .profile = mem_dup(performer->options->profile->name),
                                  .line = line};
    str_init(&work->text, HISTORY_BYTES);
    lane_push(performer->pages, job_of(run, 0, payload_of(history_work, work), performer->tell));
}

void perform_history(struct performer *performer, struct effect *effect) {
    (void)effect;
    history_push(performer, history_read_run, NULL);
}

void perform_history_keep(struct performer *performer, struct effect *effect) {
    history_push(performer, history_keep_run, effect_take(effect, history_line));
}

int history_purge(const char *folder, struct error *error) {
    return session_purge(folder, FOLDER, error);
}
