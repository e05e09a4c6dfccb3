#include "model/outcome.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *sentence;
} OUTCOMES[OUTCOME_COUNT] = {
    [OUTCOME_SENDING] = {"sending", "on its way, or its program has ended"},
    [OUTCOME_DONE] = {"done", "the service did it"},
    [OUTCOME_REFUSED] = {"refused", "the service refused it"},
    [OUTCOME_UNKNOWN] = {"unknown", "it is not known whether the service did it"},
    [OUTCOME_NOT_SENT] = {"not-sent", "nothing left this machine"},
};

const char *outcome_name(enum outcome outcome) {
    return OUTCOMES[outcome].name;
}

int outcome_find(const char *name) {
    for (int i = 0; i < OUTCOME_COUNT; i++)
        if (str_equal(OUTCOMES[i].name, name))
            return i;
    return -1;
}

const char *outcome_sentence(enum outcome outcome) {
    return OUTCOMES[outcome].sentence;
}

void outcome_records_clear(struct outcome_records *records) {
    arena_clear(&records->arena);
    free(records->items);
    *records = (struct outcome_records){0};
}

char *outcome_dup(struct outcome_records *records, const char *text) {
    return text ? arena_dup_n(&records->arena, text, strlen(text)) : NULL;
}
