#ifndef MODEL_HANDOVERS_H
#define MODEL_HANDOVERS_H
/* The hand-overs among the notes: lines are added, then joined. Texts are the table's. */

#include "base/mem.h"
#include "model/notes.h"

/* One line: that it is handed over, or that it is done. */
struct handover_line {
    size_t subject; /* in the table of notes */
    struct handover handover;
};
struct handovers {
    struct {
        struct handover_line *items;
        size_t n, cap;
    } handed, done;       /* of one that is done: from and at of what it is about, done_by and done_at */
    struct handover *all; /* by subject, oldest first, once they are joined */
    size_t n;
    const struct handover **newest; /* the same, newest first */
};
/* Each once, with whether it is done. */
void handovers_join(struct handovers *handovers);
/* After a join: the subject's, oldest first. */
const struct handover *handovers_of(const struct handovers *handovers, size_t subject, size_t *n);
bool handovers_has(const struct handovers *handovers, const struct handover_line *line); /* after a join */
void handovers_add_people(const struct handovers *handovers, struct notes_people *out);
void handovers_join_people(struct notes_people *people); /* each person once */
void handovers_clear(struct handovers *handovers);

#endif
