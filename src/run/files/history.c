#include "history.h"
#include "session.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };
static const char FOLDER[] = "history";

struct job {
    struct lane_job job;
    history_event_fn *hand_over;
    char *folder, *profile, *line;
    struct str text;
};

static enum err place(const char *folder, const char *profile, struct str *out, struct error *error) {
    return session_place(folder, FOLDER, profile, out, error);
}

/* Of the lines that are there, those that are kept beside the new one: not its equal, not the oldest beyond the
 * bounds. */
static const char *first_kept(const char *text, size_t room) {
    size_t lines = 0;
    const char *at = text + strlen(text);
    while (at > text) {
        const char *start = at - 1;
        while (start > text && start[-1] != '\n') {
            start--;
        }
        lines++;
        if (lines >= HISTORY_LINES || (size_t)(text + strlen(text) - start) > room) {
            break;
        }
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

static void keep_run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct str folder, path, held, text;
    (void)lane_state;
    str_init(&folder, PATH_BYTES);
    str_init(&path, PATH_BYTES);
    str_init(&held, HISTORY_BYTES);
    str_init(&text, 2 * HISTORY_BYTES);
    enum err code = place(own->folder, NULL, &folder, NULL);
    code = code == ERR_OK ? place(own->folder, own->profile, &path, NULL) : code;
    code = code == ERR_OK ? path_make_private(folder.s, NULL) : code;
    if (code == ERR_OK && path_read(path.s, HISTORY_BYTES, true, &held, NULL) != ERR_OK) {
        str_reset(&held); /* none yet, or not ours to trust: begun anew */
    }
    if (code == ERR_OK) {
        size_t len = strlen(own->line) + 1;
        add_others(&text, first_kept(held.s, len < HISTORY_BYTES ? HISTORY_BYTES - len : 0), own->line);
        str_addf(&text, "%s\n", own->line);
        code = path_replace(path.s, text.s, text.len, NULL);
    }
    (void)code; /* a history that cannot be kept costs itself alone */
    str_clear(&folder);
    str_clear(&path);
    str_clear(&held);
    str_clear(&text);
}

static void read_run(struct lane_job *job, void *lane_state) {
    struct job *own = (struct job *)job;
    struct str path;
    (void)lane_state;
    str_init(&path, PATH_BYTES);
    if (place(own->folder, own->profile, &path, NULL) != ERR_OK ||
        path_read(path.s, HISTORY_BYTES, true, &own->text, NULL) != ERR_OK) {
        str_reset(&own->text);
    }
    str_clear(&path);
}

static void read_done(struct lane_job *job, void *owner) {
    struct job *own = (struct job *)job;
    struct event event = {.kind = EVENT_HISTORY,
                          .payload = payload_of(history_read, &(struct history_read){own->text.s})};
    own->hand_over(owner, &event);
}

static void free_job(struct lane_job *job) {
    struct job *own = (struct job *)job;
    free(own->folder);
    free(own->profile);
    free(own->line);
    str_clear(&own->text);
    free(own);
}

static struct job *new_job(const char *folder, const char *profile) {
    struct job *job = mem_new(sizeof *job);
    job->job.free = free_job;
    job->folder = mem_dup(folder);
    job->profile = mem_dup(profile);
    str_init(&job->text, HISTORY_BYTES);
    return job;
}

struct lane_job *history_keep_job(const char *folder, const char *profile, const char *line) {
    struct job *job = new_job(folder, profile);
    job->job.run = keep_run;
    job->line = mem_dup(line);
    return &job->job;
}

struct lane_job *history_read_job(const char *folder, const char *profile, history_event_fn *hand_over) {
    struct job *job = new_job(folder, profile);
    job->job.run = read_run;
    job->job.done = read_done;
    job->hand_over = hand_over;
    return &job->job;
}

int history_purge(const char *folder, struct error *error) {
    return session_purge(folder, FOLDER, error);
}
