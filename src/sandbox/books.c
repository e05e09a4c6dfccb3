#include "books.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"
#include "db.h"
#include "jout.h"
#include "life.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES_PER_TICK = 4, RECENT = 200, TICK_SALT = 0x7469636B, USERS_MAX = 1000000 };

struct books {
    pthread_rwlock_t lock;
    struct gen gen;
    bool fixed;
    int64_t fixed_at, head, ticks;
    struct changes changes;
    struct db_users users;
    char *url, *secret; /* the registration; url NULL: none yet */
    struct db *db;      /* NULL: memory only */
    books_changed *changed;
    void *watcher;
};

static void lock_write(struct books *books) {
    (void)pthread_rwlock_wrlock(&books->lock);
}

void books_lock_read(struct books *books) {
    (void)pthread_rwlock_rdlock(&books->lock);
}

void books_unlock(struct books *books) {
    (void)pthread_rwlock_unlock(&books->lock);
}

static int64_t now(const struct books *books) {
    return books->fixed ? books->fixed_at + books->ticks * 1000 : clock_now();
}

/* ---- database: what was chosen at its first start holds for it ---- */

static enum err save_number(struct books *books, const char *name, int64_t value, struct error *error) {
    if (books->db == NULL) {
        return ERR_OK;
    }
    struct str text;
    str_init(&text, 32);
    str_addf(&text, "%lld", (long long)value);
    enum err err = db_set(books->db, name, text.s, error);
    str_clear(&text);
    return err;
}

/* Takes the database's number where it has one; one given otherwise on the command line is refused. */
static enum err load_number(struct books *books, const char *name, bool given, int64_t *value, struct error *error) {
    char *text = NULL;
    enum err err = db_get(books->db, name, &text, error);
    if (err != ERR_OK) {
        return err;
    }
    if (text == NULL) {
        return save_number(books, name, *value, error);
    }
    long long stored = 0;
    if (!str_to_int64(text, strlen(text), &stored)) {
        err = error_set(error, ERR_STORE, "the database's %s is damaged", name);
    } else if (given && stored != *value) {
        err = error_set(error, ERR_USAGE, "the database was made with %s %lld, not %lld", name, stored,
                        (long long)*value);
    }
    *value = stored;
    free(text);
    return err;
}

static enum err load(struct books *books, const struct books_setup *setup, struct error *error) {
    int64_t seed = (int64_t)books->gen.seed;
    int64_t plain = books->gen.plain;
    const struct {
        const char *name;
        bool given;
        int64_t *value;
    } numbers[] = {
        {"seed", setup->seed_given, &seed},    {"intents", setup->count_given, &books->gen.count},
        {"plain", setup->plain_given, &plain}, {"epoch", false, &books->gen.epoch},
        {"head", false, &books->head},         {"ticks", false, &books->ticks},
    };
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        enum err err = load_number(books, numbers[i].name, numbers[i].given, numbers[i].value, error);
        if (err != ERR_OK) {
            return err;
        }
    }
    books->gen.seed = (uint64_t)seed;
    books->gen.plain = plain != 0;
    enum err err = db_get(books->db, "url", &books->url, error);
    if (err == ERR_OK) {
        err = db_get(books->db, "secret", &books->secret, error);
    }
    return err != ERR_OK ? err : db_load(books->db, &books->changes, &books->users, error);
}

enum err books_open(const struct books_setup *setup, struct books **out, struct error *error) {
    struct books *books = mem_new(sizeof *books);
    (void)pthread_rwlock_init(&books->lock, NULL);
    books->gen = setup->gen;
    books->fixed = setup->fixed;
    books->fixed_at = setup->fixed_at;
    books->gen.epoch = now(books);
    enum err err = ERR_OK;
    if (setup->db_path != NULL) {
        err = db_open(setup->db_path, &books->db, error);
    }
    if (books->db != NULL) {
        err = load(books, setup, error);
    }
    if (err != ERR_OK) {
        books_free(books);
        return err;
    }
    *out = books;
    return ERR_OK;
}

void books_free(struct books *books) {
    if (books == NULL) {
        return;
    }
    db_close(books->db);
    changes_clear(&books->changes);
    for (size_t i = 0; i < books->users.n; i++) {
        free(books->users.items[i].id);
        free(books->users.items[i].json);
        free(books->users.items[i].key);
    }
    free(books->users.items);
    free(books->url);
    secret_free_text(books->secret);
    (void)pthread_rwlock_destroy(&books->lock);
    free(books);
}

/* ---- reading ---- */

int64_t books_head(const struct books *books) {
    return books->head;
}

int64_t books_tail(const struct books *books) {
    return 1 - books->gen.count;
}

const struct gen *books_gen(const struct books *books) {
    return &books->gen;
}

static void life_at(const struct books *books, int64_t place, struct gen_life *out) {
    const struct change *change = changes_find(&books->changes, place);
    if (change != NULL) {
        *out = change->life;
    } else {
        gen_life(&books->gen, place, out);
    }
}

static bool among(const struct books_filter *filter, const char *status) {
    for (size_t i = 0; i < filter->status_word_count; i++) {
        if (strcmp(filter->status_words[i], status) == 0) {
            return true;
        }
    }
    return false;
}

static bool element_matches(const struct change *change, const struct books_filter *filter) {
    if (filter->by_status && change->status != NULL && !among(filter, change->status)) {
        return false;
    }
    return !filter->by_type || change->type == NULL || strcmp(change->type, filter->type_word) == 0;
}

static bool in_time(const struct books *books, int64_t place, const struct change *change,
                    const struct books_filter *filter) {
    int64_t at = change != NULL ? change->life.created_at : gen_time(&books->gen, place);
    return at >= filter->after && at < filter->before;
}

bool books_matches(const struct books *books, int64_t place, const struct books_filter *filter) {
    const struct change *change = changes_find(&books->changes, place);
    if (filter->by_time && !in_time(books, place, change, filter)) {
        return false;
    }
    if (change != NULL && change->json != NULL) {
        return element_matches(change, filter);
    }
    enum gen_status status = change != NULL ? change->life.status : gen_status(&books->gen, place);
    if (filter->by_status && (filter->statuses >> status & 1) == 0) {
        return false;
    }
    return !filter->by_type || (filter->types >> gen_type(&books->gen, place) & 1) != 0;
}

void books_render(const struct books *books, int64_t place, struct str *out) {
    const struct change *change = changes_find(&books->changes, place);
    if (change != NULL && change->json != NULL) {
        str_add_n(out, change->json, change->json_len);
        return;
    }
    struct gen_life life;
    life_at(books, place, &life);
    gen_render(&books->gen, place, &life, out);
}

/* ---- changing ---- */

static enum err save_change(struct books *books, const struct change *change, bool is_new, struct error *error) {
    if (books->changed != NULL && books->url != NULL) {
        books->changed(books->watcher, books, change->place, is_new);
    }
    return books->db == NULL ? ERR_OK : db_put_change(books->db, change, error);
}

static struct change *change_at(struct books *books, int64_t place) {
    struct gen_life life;
    life_at(books, place, &life);
    struct change *change = changes_put(&books->changes, place);
    change->life = life;
    return change;
}

static struct change *arrive(struct books *books) {
    struct change *change = changes_put(&books->changes, ++books->head);
    change->life = (struct gen_life){.created_at = now(books), .status = GEN_created};
    return change;
}

static enum err move_one(struct books *books, uint64_t bits, struct error *error) {
    int64_t total = books->head - books_tail(books) + 1;
    int64_t reach = total < RECENT ? total : RECENT;
    if (reach <= 0) {
        return ERR_OK;
    }
    int64_t place = books->head - (int64_t)(bits % (uint64_t)reach);
    const struct change *known = changes_find(&books->changes, place);
    struct gen_life life;
    life_at(books, place, &life);
    if ((known != NULL && known->json != NULL) || !life_step(&life, gen_mix(bits, 3), now(books))) {
        return ERR_OK;
    }
    struct change *change = change_at(books, place);
    change->life = life;
    return save_change(books, change, false, error);
}

static enum err tick_once(struct books *books, struct error *error) {
    books->ticks++;
    uint64_t bits = gen_mix(books->gen.seed ^ TICK_SALT, (uint64_t)books->ticks);
    enum err err = ERR_OK;
    for (uint64_t i = 0; err == ERR_OK && i < MOVES_PER_TICK; i++) {
        err = move_one(books, gen_mix(bits, i), error);
    }
    int arrivals = (int)(bits >> 60) < 8 ? 1 : (int)(bits >> 60) < 10 ? 2 : 0;
    for (int i = 0; err == ERR_OK && i < arrivals; i++) {
        err = save_change(books, arrive(books), true, error);
    }
    return err;
}

static enum err save_place(struct books *books, struct error *error) {
    enum err err = save_number(books, "head", books->head, error);
    return err != ERR_OK ? err : save_number(books, "ticks", books->ticks, error);
}

enum err books_tick(struct books *books, int ticks, struct error *error) {
    lock_write(books);
    enum err err = books->db == NULL ? ERR_OK : db_begin(books->db, error);
    bool begun = err == ERR_OK && books->db != NULL;
    for (int i = 0; err == ERR_OK && i < ticks; i++) {
        err = tick_once(books, error);
    }
    if (err == ERR_OK) {
        err = save_place(books, error);
    }
    if (begun) {
        enum err end = db_commit(books->db, error);
        err = err != ERR_OK ? err : end;
    }
    books_unlock(books);
    return err;
}

enum err books_insert(struct books *books, const struct books_element *element, int64_t *place, struct error *error) {
    lock_write(books);
    struct change *change = arrive(books);
    if (element->json != NULL) {
        change_set_json(change, element->json, element->len, element->status, element->type);
    }
    *place = change->place;
    enum err err = save_change(books, change, true, error);
    if (err == ERR_OK) {
        err = save_place(books, error);
    }
    books_unlock(books);
    return err;
}

/* Ids are hashes, so the place is found by walking: newest first, as tests look at those. */
static bool find_id(const struct books *books, const char *id, int64_t *place) {
    char made[GEN_ID_LEN + 1];
    for (int64_t at = books->head; at >= books_tail(books); at--) {
        gen_id(&books->gen, at, made);
        if (strcmp(made, id) == 0) {
            *place = at;
            return true;
        }
    }
    return false;
}

enum err books_replace(struct books *books, const char *id, const struct books_element *element, struct error *error) {
    lock_write(books);
    int64_t place = 0;
    enum err err = ERR_OK;
    if (find_id(books, id, &place)) {
        struct change *change = change_at(books, place);
        change_set_json(change, element->json, element->len, element->status, element->type);
        err = save_change(books, change, false, error);
    } else {
        err = error_set(error, ERR_NOT_FOUND, "no intent has this id");
    }
    books_unlock(books);
    return err;
}

enum err books_preview(struct books *books, const char *id, struct str *out, struct error *error) {
    books_lock_read(books);
    enum err err = ERR_OK;
    int64_t place = books->head + 1;
    if (id == NULL) {
        struct gen_life life = {.created_at = now(books), .status = GEN_created};
        gen_render(&books->gen, place, &life, out);
    } else if (find_id(books, id, &place)) {
        books_render(books, place, out);
    } else {
        err = error_set(error, ERR_NOT_FOUND, "no intent has this id");
    }
    books_unlock(books);
    return err;
}

static const struct db_user *user_by_key(const struct books *books, const char *key) {
    for (size_t i = 0; key != NULL && i < books->users.n; i++) {
        if (str_equal(books->users.items[i].key, key)) {
            return &books->users.items[i];
        }
    }
    return NULL;
}

static enum err new_user(struct books *books, const char *json, const char *key, struct str *id, struct error *error) {
    if (books->users.n >= USERS_MAX) {
        return error_set(error, ERR_LIMIT, "the sandbox holds at most %d users", USERS_MAX);
    }
    struct str made;
    str_init(&made, 64);
    str_addf(&made, "usr_%016llx", (unsigned long long)gen_mix(books->gen.seed ^ 0x6E657775, (uint64_t)books->users.n));
    struct db_user user = {.id = mem_dup(made.s), .json = mem_dup(json), .key = mem_dup(key), .created_at = now(books)};
    str_add_n(id, made.s, made.len);
    str_clear(&made);
    *vec_add(&books->users) = user;
    return books->db == NULL ? ERR_OK : db_put_user(books->db, &user, error);
}

enum err books_add_user(struct books *books, const char *json, const char *key, struct str *id, enum books_known *known,
                        struct error *error) {
    lock_write(books);
    enum err err = ERR_OK;
    const struct db_user *same = user_by_key(books, key);
    if (same == NULL) {
        *known = BOOKS_NEW;
        err = new_user(books, json, key, id, error);
    } else if (strcmp(same->json, json) == 0) {
        *known = BOOKS_SAME;
        str_add(id, same->id);
    } else {
        *known = BOOKS_OTHER;
    }
    books_unlock(books);
    return err;
}

enum err books_register(struct books *books, const char *url, const char *secret, bool *replaced, struct error *error) {
    lock_write(books);
    *replaced = books->url != NULL;
    free(books->url);
    secret_free_text(books->secret);
    books->url = mem_dup(url);
    books->secret = mem_dup(secret);
    enum err err = ERR_OK;
    if (books->db != NULL) {
        err = db_set(books->db, "url", url, error);
        err = err != ERR_OK ? err : db_set(books->db, "secret", secret, error);
    }
    books_unlock(books);
    return err;
}

void books_registration(struct books *books, char **url, char **secret) {
    books_lock_read(books);
    *url = mem_dup(books->url);
    *secret = mem_dup(books->secret);
    books_unlock(books);
}

bool books_is_registered(const struct books *books) {
    return books->url != NULL;
}

int64_t books_now(const struct books *books) {
    return now(books);
}

void books_watch(struct books *books, books_changed *changed, void *context) {
    lock_write(books);
    books->changed = changed;
    books->watcher = context;
    books_unlock(books);
}

/* ---- for the control path ---- */

void books_print_users(struct books *books, struct str *out) {
    books_lock_read(books);
    jout_open(out, NULL, '[');
    for (size_t i = 0; i < books->users.n; i++) {
        const struct db_user *user = &books->users.items[i];
        jout_open(out, NULL, '{');
        jout_string(out, "id", user->id);
        jout_int(out, "created_at", user->created_at);
        jout_string(out, "idempotency_key", user->key);
        jout_raw(out, "body", user->json);
        jout_close(out, '}');
    }
    jout_close(out, ']');
    books_unlock(books);
}

void books_print_registration(struct books *books, struct str *out) {
    books_lock_read(books);
    if (books->url == NULL) {
        str_add(out, "null");
    } else {
        jout_open(out, NULL, '{');
        jout_string(out, "url", books->url);
        jout_bool(out, "signed", books->secret != NULL);
        if (books->secret != NULL) {
            unsigned char sum[DIGEST_LEN];
            digest_sha256(sum, books->secret, strlen(books->secret));
            jout_int(out, "secret_bytes", (long long)strlen(books->secret));
            jout_open(out, "secret_sha256", '"');
            digest_hex(out, sum, sizeof sum);
            str_add_char(out, '"');
        }
        jout_close(out, '}');
    }
    books_unlock(books);
}

void books_print_figures(struct books *books, struct str *out) {
    books_lock_read(books);
    jout_open(out, NULL, '{');
    jout_int(out, "seed", (long long)books->gen.seed);
    jout_int(out, "intents", books->head - books_tail(books) + 1);
    jout_int(out, "arrived", books->head);
    jout_int(out, "changed", (long long)books->changes.n);
    jout_int(out, "users", (long long)books->users.n);
    jout_int(out, "ticks", books->ticks);
    jout_int(out, "now", now(books));
    jout_close(out, '}');
    books_unlock(books);
}
