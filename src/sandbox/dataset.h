#ifndef SANDBOX_DATASET_H
#define SANDBOX_DATASET_H
/* All that the service remembers: the generator, changed intents, users, the webhook registration, its clock. In
 * memory, and written through to a database where one was given, so that a restart goes on. Any thread: functions
 * lock for themselves, except those that say they want dataset_lock_read held. */

#include "changes.h"

struct dataset;

struct dataset_setup {
    struct gen gen;                            /* epoch is filled in from the clock */
    bool seed_given, count_given, plain_given; /* these must agree with the database's */
    bool fixed;                                /* the clock stands at fixed_at and moves one second per tick */
    int64_t fixed_at;
    const char *db_path; /* NULL: memory only */
};

enum err dataset_open(const struct dataset_setup *setup, struct dataset **out, struct error *error) MUST_CHECK;
void dataset_free(struct dataset *dataset);

/* Which intents a listing wants. A value outside the known set matches only elements that a test put there. */
struct dataset_filter {
    bool by_status, by_type, by_time;
    unsigned statuses, types; /* bit per enum value */
    const char *const *status_words;
    size_t status_word_count;
    const char *type_word;
    int64_t after, before; /* ms, after <= created_at < before */
};

void dataset_lock_read(struct dataset *dataset);
void dataset_unlock(struct dataset *dataset);

/* With the lock held: places run from head down to tail. */
int64_t dataset_head(const struct dataset *dataset);
int64_t dataset_tail(const struct dataset *dataset);
const struct gen *dataset_gen(const struct dataset *dataset);
bool dataset_matches(const struct dataset *dataset, int64_t place, const struct dataset_filter *filter);
void dataset_render(const struct dataset *dataset, int64_t place, struct str *out);

/* Time passes: some intents move on, some arrive. */
enum err dataset_tick(struct dataset *dataset, int ticks, struct error *error) MUST_CHECK;

/* One intent at the head. `element` is put there as it is; NULL makes one. status and type are what filters see. */
struct dataset_element {
    const char *json;
    size_t len;
    const char *status, *type;
};
enum err dataset_insert(struct dataset *dataset, const struct dataset_element *element, int64_t *place,
                        struct error *error) MUST_CHECK;
/* Puts an element in the place of the intent with this id (as the generator named it); ERR_NOT_FOUND. */
enum err dataset_replace(struct dataset *dataset, const char *id, const struct dataset_element *element,
                         struct error *error) MUST_CHECK;
/* Appends what a new intent at the head would be, or what the one with this id is. */
enum err dataset_preview(struct dataset *dataset, const char *id, struct str *out, struct error *error) MUST_CHECK;

enum dataset_known { BOOKS_NEW, BOOKS_SAME, BOOKS_OTHER };
/* key NULL: no idempotency. BOOKS_SAME: a user was made with this key and body; BOOKS_OTHER: with another body. Appends
 * the user's id unless BOOKS_OTHER. */
enum err dataset_add_user(struct dataset *dataset, const char *json, const char *key, struct str *id,
                          enum dataset_known *known, struct error *error) MUST_CHECK;
/* secret NULL: events go unsigned. */
enum err dataset_register(struct dataset *dataset, const char *url, const char *secret, bool *replaced,
                          struct error *error) MUST_CHECK;

/* The registration as copies for the caller to free (and wipe); NULL where there is none, or no secret. */
void dataset_registration(struct dataset *dataset, char **url, char **secret);
/* With the lock held. */
bool dataset_is_registered(const struct dataset *dataset);
int64_t dataset_now(const struct dataset *dataset);

/* Called with the write lock held when an intent came or changed while an endpoint is registered; one watcher, NULL
 * for none. It may read the books as under dataset_lock_read. */
typedef void dataset_changed(void *context, const struct dataset *dataset, int64_t place, bool is_new);
void dataset_watch(struct dataset *dataset, dataset_changed *changed, void *context);

/* For the control path: JSON texts appended. The secret is shown as a digest and its length. */
void dataset_print_users(struct dataset *dataset, struct str *out);
void dataset_print_registration(struct dataset *dataset, struct str *out);
void dataset_print_figures(struct dataset *dataset, struct str *out);

#endif
