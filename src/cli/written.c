#include "written.h"

const char *written_word(const struct write_result *result) {
    static const char *const WORDS[OUTCOME_COUNT] = {[OUTCOME_DONE] = "done",
                                                     [OUTCOME_REFUSED] = "refused",
                                                     [OUTCOME_UNKNOWN] = "unknown",
                                                     [OUTCOME_NOT_SENT] = "not_sent"};
    return WORDS[write_outcome(result)];
}

void written_add_record(struct str *out, const struct write_result *result) {
    if (result->n)
        str_addf(out, "\"journal\":%lld", (long long)result->n);
    else
        str_add(out, "\"journal\":null");
}

static enum err not_noted(const struct write_result *result, struct error *error) {
    return error_set(error, ERR_STORE,
                     "the outcome could not be noted in the journal (%s): record %lld will be shown as unknown, though "
                     "the answer came: %s. bursar activity resolve %lld notes it, once the journal can be written",
                     result->trouble, (long long)result->n, result->receipt.line, (long long)result->n);
}

enum err written_end(struct cli *cli, const struct write_result *result, enum err printed, const char *advice,
                     struct error *error) {
    enum outcome outcome = write_outcome(result);
    if (outcome == OUTCOME_UNKNOWN) {
        cli->signal = 0; /* an unknown outcome is more important than the signal */
        *error = (struct error){0};
        return error_set(error, result->receipt.code, "%s. %s (record %lld)%s%s", result->receipt.line, advice,
                         (long long)result->n, result->trouble ? "; it could not be noted in the journal: " : "",
                         result->trouble ? result->trouble : "");
    }
    if (result->trouble) {
        *error = (struct error){0};
        return not_noted(result, error);
    }
    if (outcome == OUTCOME_DONE)
        return printed;
    *error = (struct error){0};
    return error_set(error, result->receipt.code, "%s", result->receipt.line);
}
