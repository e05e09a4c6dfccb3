#include "webhook_lane.h"

#include "base/mem.h"
#include "base/path.h"
#include "journal_lane.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANDOM_BYTES = 32, SECRET_TEXT_MAX = WEBHOOK_SECRET_MAX + 1, PRINT_MAX = 64 };

struct job {
    struct lane_job job;
    webhook_answered_fn *answered;
    uint64_t ticket;
    struct webhook_ask *ask;
    struct webhook_answer *answer;
};

/* ---- main thread: secrets and the key ---- */

static void make_secret(struct job *job) {
    unsigned char bytes[RANDOM_BYTES];
    struct str text;
    str_init(&text, SECRET_TEXT_MAX);
    secret_random(bytes, sizeof bytes);
    webhook_secret_make(job->ask->format, bytes, &text);
    secret_wipe(bytes, sizeof bytes);
    job->answer->secret = str_take(&text);
}

static void print_secret(struct job *job, const char *text, const char *folder) {
    struct machine_key key;
    bool made = false;
    struct str print;
    if (machine_key_load(folder, &key, &made, &job->answer->error) != ERR_OK) {
        return;
    }
    struct secret *secret = secret_new(text, strlen(text));
    str_init(&print, PRINT_MAX);
    secret_fingerprint(secret, &key, &print);
    job->answer->fingerprint = str_take(&print);
    secret_free(secret);
    secret_wipe(&key, sizeof key);
}

/* ---- the lane ---- */

static enum err write_new(const char *name, const char *text, struct error *error) {
    char *path = path_expand(name);
    enum err code = path_write_new(path, text, strlen(text), error);
    free(path);
    return code;
}

static void find_shared(struct journal *journal, const char *fingerprint, const struct journal_lane *lane,
                        struct webhook_answer *answer) {
    struct journal_records records;
    journal_records_init(&records);
    if (journal && fingerprint && journal_secret_shared(journal, &lane->scope, fingerprint, &records, NULL) == ERR_OK &&
        records.n > 0) {
        answer->shared_with = mem_dup(records.items[0].profile);
    }
    journal_records_clear(&records);
}

static void find_known(struct journal_lane *lane, struct webhook_answer *answer) {
    struct journal *journal = journal_lane_use(lane, &answer->error);
    struct journal_webhook last = {0};
    if (!journal) {
        return;
    }
    if (journal_webhook_last(journal, &lane->scope, &last, &answer->error) == ERR_OK) {
        journal_copy_records(&last.records, &answer->last);
        answer->unknown_since = last.unknown_since;
        answer->unknown_url = mem_dup(last.unknown_url);
        answer->unknown_fingerprint = mem_dup(last.unknown_fingerprint);
        answer->unknown_ended = last.unknown_ended;
        answer->other_profile = mem_dup(last.others.profile);
        if (answer->last.n > 0) {
            find_shared(journal, answer->last.items[0].fingerprint, lane, answer);
        }
    }
    journal_webhook_clear(&last);
}

static void job_run(struct lane_job *base, void *lane_state) {
    struct job *job = (struct job *)base;
    struct journal_lane *lane = lane_state;
    struct webhook_answer *answer = job->answer;
    if (answer->error.code != ERR_OK) {
        return;
    }
    if (job->ask->task == WEBHOOK_KNOWN) {
        find_known(lane, answer);
    } else if (job->ask->task != WEBHOOK_SAVE) {
        find_shared(journal_lane_use(lane, NULL), answer->fingerprint, lane, answer);
    }
    const char *text = job->ask->task == WEBHOOK_MAKE ? answer->secret : job->ask->text;
    if (job->ask->path && text) {
        enum err code = write_new(job->ask->path, text, &answer->error);
        (void)code; /* it is in the answer */
    }
}

static void job_done(struct lane_job *base, void *owner) {
    struct job *job = (struct job *)base;
    struct webhook_answer *answer = job->answer;
    job->answer = NULL;
    job->answered(owner, job->ticket, answer);
}

static void job_free(struct lane_job *base) {
    struct job *job = (struct job *)base;
    webhook_ask_free(job->ask);
    webhook_answer_free(job->answer);
    free(job);
}

struct lane_job *webhook_job(uint64_t ticket, struct webhook_ask *ask, const char *folder,
                             webhook_answered_fn *answered) {
    struct job *job = mem_new(sizeof *job);
    *job = (struct job){.job = {.run = job_run, .done = job_done, .free = job_free},
                        .answered = answered,
                        .ticket = ticket,
                        .ask = ask,
                        .answer = webhook_answer_new(ask->task)};
    if (ask->task == WEBHOOK_MAKE) {
        make_secret(job);
        print_secret(job, job->answer->secret, folder);
    } else if (ask->task == WEBHOOK_PRINT) {
        print_secret(job, ask->secret, folder);
    }
    return &job->job;
}
