#ifndef APP_CREATE_H
#define APP_CREATE_H
/* The one way in which a user is registered, whoever asks for it: the form, `users create`, each row of an import, and
 * a repeat of any of them. Decided here and nowhere else: the body that is sent, the text that is compared with earlier
 * writes, the idempotency key, what an earlier write forbids, and how the operator can go on. Pure. */

#include "app/journal.h"
#include "model/user.h"

/* The write. given: JSON of the operator's own, sent as it is; NULL: the body is made of the user. key: added where the
 * profile has a place for one; NULL: none, for looking only. What is compared with earlier writes (write_ask.plain) is
 * the body without the key, and is the same for the same user whichever way it comes. */
struct write_ask *create_ask(const struct profile *profile, const struct user *user, const char *given,
                             const char *key);
/* Adds a key to the ask of a form, which had none while the journal was asked. */
void create_add_key(struct write_ask *ask, const struct profile *profile, const struct user *user, const char *key);
/* Appends a line for each member of the operator's JSON that is no field of a user, with a similar name where there is
 * one. */
void create_unknown(const struct profile *profile, const char *given, struct str *out);

/* What an earlier write says of this one. */
enum create_verdict {
    CREATE_FREE,
    CREATE_ALIKE, /* one with the same tag, e-mail, phone, or name and birth date: sent only where the operator says so
                   */
    CREATE_SAME,  /* the very same was registered: sent only where the operator says so */
    CREATE_UNKNOWN,   /* the very same was sent with unknown outcome: it has to be settled, or repeated on purpose */
    CREATE_ON_ITS_WAY /* the very same is being sent by another program: wait for it */
};
struct create_finding {
    enum create_verdict verdict;
    const struct outcome_record *record; /* the earlier write that stands in the way; NULL: none does */
};
/* repeats: number of the record that is repeated on purpose; 0: none. It does not stand in the way, and neither do
 * earlier repeats of it that ended unknown too. */
struct create_finding create_judge(const struct journal_answer *look, int64_t repeats);
/* "the very same as record 4, unknown", "the same email as record 2, done as usr_7", for the operator. */
void create_tell(const struct outcome_record *record, struct str *out);

/* Which command settles that record: this machine's, or a colleague's. */
void create_tell_settling(const struct outcome_record *record, struct str *out);
/* Appends that another profile of the same service and account sent the same; false where none did. */
bool create_tell_others(const struct journal_answer *look, struct str *out);

/* The idempotency key after the journal was asked: that of the record that is repeated, or of a repeat of it; else the
 * key made earlier for the same content (mine; NULL: none); else a new one. NULL: the profile has no place for one.
 * Borrowed. */
const char *create_key(const struct profile *profile, const struct journal_answer *look, int64_t repeats,
                       const char *mine);

/* Appends what the operator has to type to confirm it: the environment's word where one is required, and for a repeat
 * "repeat 12". Nothing: no word is required. */
void create_word(const struct profile *profile, int64_t repeats, struct str *out);

#endif
