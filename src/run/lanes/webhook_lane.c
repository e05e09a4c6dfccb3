/* What a registration needs besides its write: the journal's record, a secret's fingerprint, a new secret, a new file.
 * Made on the main thread, run on the journal lane. */

#include "app/webhook.h"
#include "job.h"

#include "base/mem.h"
#include "base/path.h"
#include "journal_lane.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANDOM_BYTES = 32, SECRET_TEXT_MAX = WEBHOOK_SECRET_MAX + 1, PRINT_MAX = 64 };

/* ---- main thread: secrets and the key ---- */

static void make_secret(const struct webhook_ask *ask, struct webhook_answer *answer) {
    unsigned char bytes[RANDOM_BYTES];
    struct str text;
    str_init(&text, SECRET_TEXT_MAX);
    secret_random(bytes, sizeof bytes);
    webhook_secret_make(ask->format, bytes, &text);
    secret_wipe(bytes, sizeof bytes);
    answer->secret = str_take(&text);
}

static void print_secret(const char *text, const char *folder, struct webhook_answer *answer) {
    struct machine_key key;
    bool made = false;
    struct str print;
    if (machine_key_load(folder, &key, &made, &answer->error) != ERR_OK)
        return;
    struct secret *secret = secret_new(text, strlen(text));
    str_init(&print, PRINT_MAX);
    secret_fingerprint(secret, &key, &print);
    answer->fingerprint = str_take(&print);
    secret_free(secret);
    secret_wipe(&key, sizeof key);
}

/* ---- the lane ---- */

static enum err webhook_lane_write_new(const char *name, const char *text, struct error *error) {
    char *path = path_expand(name);
    enum err err = path_write_new(path, text, strlen(text), error);
    free(path);
    return err;
}

static void find_shared(struct journal *journal, const char *fingerprint, const struct journal_lane *lane,
                        struct webhook_answer *answer) {
    struct journal_records records;
    journal_records_init(&records);
    if (journal && fingerprint && journal_secret_shared(journal, &lane->scope, fingerprint, &records, NULL) == ERR_OK &&
        records.n > 0)
        answer->shared_with = mem_dup(records.items[0].profile);
    journal_records_clear(&records);
}

static void find_known(struct journal_lane *lane, struct webhook_answer *answer) {
    struct journal *journal = journal_lane_use(lane, &answer->error);
    struct journal_webhook last = {0};
    if (!journal)
        return;
    if (journal_webhook_last(journal, &lane->scope, &last, &answer->error) == ERR_OK) {
        journal_copy_records(&last.records, &answer->last);
        answer->unknown_since = last.unknown_since;
        answer->unknown_url = mem_dup(last.unknown_url);
        answer->unknown_fingerprint = mem_dup(last.unknown_fingerprint);
        answer->unknown_ended = last.unknown_ended;
        answer->other_profile = mem_dup(last.others.profile);
        answer->other_signed = last.others.is_signed;
        if (answer->last.n > 0)
            find_shared(journal, answer->last.items[0].fingerprint, lane, answer);
    }
    journal_webhook_clear(&last);
}

static void webhook_lane_run(struct job *job, void *lane_state) {
    const struct webhook_ask *ask = job_work(job, webhook_ask);
    struct webhook_answer *answer = event_get(&job->answer, webhook_answer);
    struct journal_lane *lane = lane_state;
    if (answer->error.code != ERR_OK)
        return;
    if (ask->task == WEBHOOK_KNOWN)
        find_known(lane, answer);
    else if (ask->task != WEBHOOK_SAVE)
        find_shared(journal_lane_use(lane, NULL), answer->fingerprint, lane, answer);
    const char *text = ask->task == WEBHOOK_MAKE ? answer->secret : ask->text;
    if (ask->path && text) {
        enum err err = webhook_lane_write_new(ask->path, text, &answer->error);
        (void)err; /* it is in the answer */
    }
}

/* A part of the answer is made before the lane has it, since only the main thread may read secrets and the key. */
void perform_webhook(struct performer *performer, struct effect *effect) {
    struct webhook_ask *ask = effect_take(effect, webhook_ask);
    struct webhook_answer *answer = webhook_answer_new(ask->task);
    struct job *job = job_new(webhook_lane_run, effect->ticket, payload_of(webhook_ask, ask), performer->tell);
    job_answer(job, EVENT_WEBHOOK, payload_of(webhook_answer, answer));
    if (ask->task == WEBHOOK_MAKE) {
        make_secret(ask, answer);
        print_secret(answer->secret, performer->options->folder, answer);
    } else if (ask->task == WEBHOOK_PRINT) {
        print_secret(ask->secret, performer->options->folder, answer);
    }
    lane_push(performer->journals, &job->lane);
}
