#include "model/outcome.h"

#include <inttypes.h>
#include <stdio.h>
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

enum { DIGITS_SHOWN = 8 };

int64_t outcome_team_number(const char *name) {
    char digits[OUTCOME_TEAM_DIGITS + 1];
    (void)snprintf(digits, sizeof digits, "%s", name);
    return -(int64_t)strtoll(digits, NULL, 16);
}

void outcome_team_digits(int64_t n, char out[OUTCOME_TEAM_DIGITS + 1]) {
    (void)snprintf(out, OUTCOME_TEAM_DIGITS + 1, "%015" PRIx64, (uint64_t)-n & 0xfffffffffffffff);
}

const char *outcome_number_text(int64_t n, char out[OUTCOME_NUMBER_MAX]) {
    char digits[OUTCOME_TEAM_DIGITS + 1];
    outcome_team_digits(n, digits);
    if (n >= 0)
        (void)snprintf(out, OUTCOME_NUMBER_MAX, "record %" PRId64, n);
    else
        (void)snprintf(out, OUTCOME_NUMBER_MAX, "team record %.*s", DIGITS_SHOWN, digits);
    return out;
}

void outcome_add_number(struct str *out, int64_t n) {
    char text[OUTCOME_NUMBER_MAX];
    str_add(out, outcome_number_text(n, text));
}

void outcome_add_person(struct str *out, const struct outcome_record *record) {
    str_add(out, record->who && *record->who ? record->who : "?");
    if (record->host)
        str_addf(out, " at %s", record->host);
}

void outcome_records_clear(struct outcome_records *records) {
    arena_clear(&records->arena);
    free(records->items);
    *records = (struct outcome_records){0};
}

char *outcome_dup(struct outcome_records *records, const char *text) {
    return text ? arena_dup_n(&records->arena, text, strlen(text)) : NULL;
}
