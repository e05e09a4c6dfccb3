#ifndef APP_CREATE_H
#define APP_CREATE_H
/* The one road by which a user is registered, whoever asks for it: the form, `users create`, each row of an import, and
 * a repeat of any of them. What leaves and what is compared, the idempotency key, what the journal's look forbids and
 * what can be done about it are decided here and nowhere else. Pure. */

#include "app/journal.h"
#include "model/user.h"

/* The write. given: the operator's own JSON, sent as it is; NULL: made of the user. key: goes along where the profile
 * has a place for one; NULL: none, for a look. What is compared (write_ask.plain) is what is sent without the key, and
 * is the same for the same user by whichever road. */
struct write_ask *create_ask(const struct profile *profile, const struct user *user, const char *given,
                             const char *key);
/* The same ask, of a form and without a key until then, gets one: after the look. */
void create_add_key(struct write_ask *ask, const struct profile *profile, const struct user *user, const char *key);
/* Members of the operator's JSON that are no field of a user: the look at it says so, a line each, with a near name. */
void create_unknown(const struct profile *profile, const char *given, struct str *out);

/* What an earlier write says of this one. */
enum create_verdict {
    CREATE_FREE,
    CREATE_ALIKE,     /* one with the same tag, e-mail, phone, or name and birth date: only where told */
    CREATE_SAME,      /* the very same was registered: only where told */
    CREATE_UNKNOWN,   /* of the very same it is not known: settled, or repeated on purpose */
    CREATE_ON_ITS_WAY /* the very same is being sent by another program: waited for */
};
struct create_finding {
    enum create_verdict verdict;
    const struct outcome_record *record; /* of the look; NULL where it is free */
};
/* repeats: number of the record that is repeated on purpose, which is no hindrance; 0. */
struct create_finding create_judge(const struct journal_answer *look, int64_t repeats);
/* "the very same as record 4, unknown", "the same email as record 2, done as usr_7", for the operator. */
void create_tell(const struct outcome_record *record, struct str *out);

/* Another profile of the same service and account wrote the same: said once. False: none did. */
bool create_tell_others(const struct journal_answer *look, struct str *out);

/* Key of the write after a look: of the record that is repeated, else the one that was made before for the same content
 * (mine; NULL: none), else a fresh one. NULL: the profile has no place for one. Borrowed. */
const char *create_key(const struct profile *profile, const struct journal_answer *look, int64_t repeats,
                       const char *mine);

/* What is typed to confirm it: the environment's word where one is wanted, and for a repeat that it is meant: "repeat
 * 12". Nothing: no word is wanted. */
void create_word(const struct profile *profile, int64_t repeats, struct str *out);

#endif
