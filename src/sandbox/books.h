#ifndef SANDBOX_BOOKS_H
#define SANDBOX_BOOKS_H
/* All that the service remembers: the generator, changed intents, users, the webhook registration, its clock. In
 * memory, and written through to a database where one was given, so that a restart goes on. Any thread: functions
 * lock for themselves, except those that say they want books_lock_read held. */

#include "changes.h"

struct books;

struct books_setup {
    struct gen gen;                            /* epoch is filled in from the clock */
    bool seed_given, count_given, plain_given; /* these must agree with the database's */
    bool fixed;                                /* the clock stands at fixed_at and moves one second per tick */
    int64_t fixed_at;
    const char *db_path; /* NULL: memory only */
};

enum err books_open(const struct books_setup *setup, struct books **out, struct error *error) MUST_CHECK;
void books_free(struct books *books);

/* Which intents a listing wants. A value outside the known set matches only elements that a test put there. */
struct books_filter {
    bool by_status, by_type, by_time;
    unsigned statuses, types; /* bit per enum value */
    const char *const *status_words;
    size_t status_word_count;
    const char *type_word;
    int64_t after, before; /* ms, after <= created_at < before */
};

void books_lock_read(struct books *books);
void books_unlock(struct books *books);

/* With the lock held: places run from head down to tail. */
int64_t books_head(const struct books *books);
int64_t books_tail(const struct books *books);
const struct gen *books_gen(const struct books *books);
bool books_matches(const struct books *books, int64_t place, const struct books_filter *filter);
void books_render(const struct books *books, int64_t place, struct str *out);

/* Time passes: some intents move on, some arrive. */
enum err books_tick(struct books *books, int ticks, struct error *error) MUST_CHECK;

/* One intent at the head. `element` is put there as it is; NULL makes one. status and type are what filters see. */
struct books_element {
    const char *json;
    size_t len;
    const char *status, *type;
};
enum err books_insert(struct books *books, const struct books_element *element, int64_t *place,
                      struct error *error) MUST_CHECK;
/* Puts an element in the place of the intent with this id (as the generator named it); ERR_NOT_FOUND. */
enum err books_replace(struct books *books, const char *id, const struct books_element *element,
                       struct error *error) MUST_CHECK;
/* Appends what a new intent at the head would be, or what the one with this id is. */
enum err books_preview(struct books *books, const char *id, struct str *out, struct error *error) MUST_CHECK;

enum books_known { BOOKS_NEW, BOOKS_SAME, BOOKS_OTHER };
/* key NULL: no idempotency. BOOKS_SAME: a user was made with this key and body; BOOKS_OTHER: with another body. Appends
 * the user's id unless BOOKS_OTHER. */
enum err books_add_user(struct books *books, const char *json, const char *key, struct str *id, enum books_known *known,
                        struct error *error) MUST_CHECK;
/* secret NULL: events go unsigned. */
enum err books_register(struct books *books, const char *url, const char *secret, bool *replaced,
                        struct error *error) MUST_CHECK;

/* The registration as copies for the caller to free (and wipe); NULL where there is none, or no secret. */
void books_registration(struct books *books, char **url, char **secret);
/* With the lock held. */
bool books_is_registered(const struct books *books);
int64_t books_now(const struct books *books);

/* Called with the write lock held when an intent came or changed while an endpoint is registered; one watcher, NULL
 * for none. It may read the books as under books_lock_read. */
typedef void books_changed(void *context, const struct books *books, int64_t place, bool is_new);
void books_watch(struct books *books, books_changed *changed, void *context);

/* For the control path: JSON texts appended. The secret is shown as a digest and its length. */
void books_print_users(struct books *books, struct str *out);
void books_print_registration(struct books *books, struct str *out);
void books_print_figures(struct books *books, struct str *out);

#endif
