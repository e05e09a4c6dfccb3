#ifndef MODEL_OUTCOME_H
#define MODEL_OUTCOME_H
/* What became of a write, and the journal's record of it as the rest of the program sees it. A list owns all its text
 * in one arena. Any thread, one list one thread. */

#include "base/mem.h"
#include "base/str.h"

#include <stdint.h>

/* In the order of the journal's own table. */
enum outcome {
    OUTCOME_SENDING, /* being sent; becomes unknown where its program ends before the answer */
    OUTCOME_DONE,
    OUTCOME_REFUSED,
    OUTCOME_UNKNOWN,
    OUTCOME_NOT_SENT,
    OUTCOME_COUNT
};
const char *outcome_name(enum outcome outcome);     /* "sending", "done" ..., "not-sent" */
int outcome_find(const char *name);                 /* -1: none */
const char *outcome_sentence(enum outcome outcome); /* for people */

struct outcome_event {
    int64_t at;
    enum outcome outcome;
    int status; /* 0: no answer */
    const char *response_id, *message, *who, *note;
};

/* Strings are NULL where absent. n: below 0 for a record that only the team's store has, made of its name there. */
struct outcome_record {
    int64_t n, at;
    const char *who, *profile, *account, *origin, *environment, *operation; /* account NULL: not kept then */
    const char *idempotency, *draft, *import, *url, *fingerprint;
    int64_t line, repeats;
    struct outcome_event last;
    bool settled; /* by the operator's statement */
    struct outcome_event *events;
    size_t n_events;
    const char **fields; /* names of what was sent */
    size_t n_fields;
    const char *match; /* of a search for duplicates: which text is the same, "email" */
    /* Of a team's record. */
    const char *team;     /* its name in the team's store; NULL: it is in none */
    const char *host;     /* NULL: of this machine */
    const char *twice;    /* who else registered the same, while the store was away; NULL: nobody */
    bool late;            /* it came into the store afterwards */
    const char *released; /* who proposed and who released it, where two had to; NULL: nobody */
};

struct outcome_records {
    struct arena arena;
    struct outcome_record *items;
    size_t n, cap;
    int64_t back_to; /* of a list of the team's that ended before all was looked at: how far it looked; 0: all */
};
/* The number of a team's record, of the first digits of its name; and those digits again, enough to find it by. */
enum { OUTCOME_TEAM_DIGITS = 15 };
int64_t outcome_team_number(const char *name);
void outcome_team_digits(int64_t n, char out[OUTCOME_TEAM_DIGITS + 1]);
/* "record 4", or "team record 3f9a1c20"; gives out. */
enum { OUTCOME_NUMBER_MAX = 32 };
const char *outcome_number_text(int64_t n, char out[OUTCOME_NUMBER_MAX]);
void outcome_add_number(struct str *out, int64_t n);
/* "anna", or "anna at desk-2"; "?" where nobody is named. */
void outcome_add_person(struct str *out, const struct outcome_record *record);

void outcome_records_clear(struct outcome_records *records);
char *outcome_dup(struct outcome_records *records, const char *text); /* in the arena; NULL gives NULL */

#endif
