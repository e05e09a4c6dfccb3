#include "app/journal.h"

#include "base/mem.h"

#include <stdlib.h>

struct journal_ask *journal_ask_new(enum journal_task task) {
    struct journal_ask *ask = mem_new(sizeof *ask);
    ask->task = task;
    ask->only = -1;
    return ask;
}

void journal_ask_free(struct journal_ask *ask) {
    if (ask) {
        write_ask_free(ask->write);
        free(ask->tag);
        free(ask->note);
        free(ask->response_id);
        free(ask);
    }
}
PAYLOAD_OWNED(journal_ask, journal_ask_free);

uint64_t effects_journal(struct effects *effects, struct journal_ask *ask) {
    return effects_ask(effects, EFFECT_JOURNAL, payload_of(journal_ask, ask));
}

struct journal_answer *journal_answer_new(enum journal_task task) {
    struct journal_answer *answer = mem_new(sizeof *answer);
    answer->task = task;
    return answer;
}

void journal_answer_free(struct journal_answer *answer) {
    if (answer) {
        outcome_records_clear(&answer->records);
        free(answer->fields);
        free(answer->notice);
        free(answer->idempotency);
        free(answer->name);
        free(answer->other_profile);
        free(answer);
    }
}
PAYLOAD_OWNED(journal_answer, journal_answer_free);
