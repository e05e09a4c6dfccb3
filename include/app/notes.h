#ifndef APP_NOTES_H
#define APP_NOTES_H
/* Notes and tags of the operators on intents and users: what is asked of the file and what it answers. The console
 * sends the effect, a command asks app/local_store.h; both build the same ask. They stay on this machine. */

#include "app/effect.h"
#include "model/notes.h"

/* Notes to be added; none: the file is read. who is filled in by who performs it. */
struct notes_ask {
    struct arena arena;
    struct note *items;
    size_t n, cap;
};
struct notes_ask *notes_ask_new(void);
void notes_ask_free(struct notes_ask *ask);
PAYLOAD_TYPE(notes_ask)
/* A copy of it. notes_check_id: whether something could be kept under its id, ERR_USAGE. */
void notes_ask_add(struct notes_ask *ask, const struct note *note);
enum err notes_check_id(const struct note *where, struct error *error) MUST_CHECK;
/* ERR_USAGE where the text cannot be a note, or a word no tag; then nothing was added. */
enum err notes_ask_text(struct notes_ask *ask, const struct note *where, const char *text,
                        struct error *error) MUST_CHECK;
/* Words `name` or `+name` put a tag on, `-name` takes it off. */
enum err notes_ask_tags(struct notes_ask *ask, const struct note *where, const char *words,
                        struct error *error) MUST_CHECK;

struct notes_answer {
    struct notes *notes; /* all there are; NULL: they could not be read */
    size_t damaged;      /* lines that were left out */
    size_t added;
    struct error error;
    struct error unshared; /* it is kept here, but the team's store did not get it yet */
};
struct notes_answer *notes_answer_new(void);
void notes_answer_free(struct notes_answer *answer);
PAYLOAD_TYPE(notes_answer)
/* Appends what an operator has to know of an answer; nothing where all is well. */
void notes_answer_text(const struct notes_answer *answer, struct str *out);

uint64_t effects_notes(struct effects *effects, struct notes_ask *ask); /* takes ask; EVENT_NOTES has the ticket */

/* The tags on an intent and on its user, `chargeback vip`, each once. */
void notes_add_tags(const struct notes *notes, const struct intent *intent, struct str *out);
/* How many notes; the newest as text, with how many there are besides it. */
size_t notes_add_newest(const struct notes *notes, const struct intent *intent, struct str *out);
const struct notes_subject *notes_of(const struct notes *notes, const struct intent *intent, enum note_about about);

#endif
