#include "dataset.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"
#include "db.h"
#include "json_writer.h"
#include "life.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES_PER_TICK = 4, RECENT = 200, TICK_SALT = 0x7469636B, USERS_MAX = 1000000 };

struct dataset {
    pthread_rwlock_t lock;
    struct gen gen;
    bool fixed;
    int64_t fixed_at, head, ticks;
    struct changes changes;
    struct db_users users;
    char *url, *secret; /* the registration; url NULL: none yet */
    struct db *db;      /* NULL: memory only */
    dataset_changed *changed;
    void *watcher;
};

static void lock_write(struct dataset *dataset) {
    (void)pthread_rwlock_wrlock(&dataset->lock);
}

void dataset_lock_read(struct dataset *dataset) {
    (void)pthread_rwlock_rdlock(&dataset->lock);
}

void dataset_unlock(struct dataset *dataset) {
    (void)pthread_rwlock_unlock(&dataset->lock);
}

static int64_t now(const struct dataset *dataset) {
    return dataset->fixed ? dataset->fixed_at + dataset->ticks * 1000 : clock_now();
}

/* ---- database: what was chosen at its first start holds for it ---- */

static enum err save_number(struct dataset *dataset, const char *name, int64_t value, struct error *error) {
    if (!dataset->db)
        return ERR_OK;
    struct str text;
    str_init(&text, 32);
    str_addf(&text, "%lld", (long long)value);
    enum err err = db_set(dataset->db, name, text.s, error);
    str_clear(&text);
    return err;
}

/* The database's number counts where it has one; another one on the command line is refused. */
static enum err load_number(struct dataset *dataset, const char *name, bool given, int64_t *value,
                            struct error *error) {
    char *text = NULL;
    enum err err = db_get(dataset->db, name, &text, error);
    if (err != ERR_OK)
        return err;
    if (!text)
        return save_number(dataset, name, *value, error);
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

static enum err dataset_load(struct dataset *dataset, const struct dataset_setup *setup, struct error *error) {
    int64_t seed = (int64_t)dataset->gen.seed;
    int64_t plain = dataset->gen.plain;
    const struct {
        const char *name;
        bool given;
        int64_t *value;
    } numbers[] = {
        {"seed", setup->seed_given, &seed},    {"intents", setup->count_given, &dataset->gen.count},
        {"plain", setup->plain_given, &plain}, {"epoch", false, &dataset->gen.epoch},
        {"head", false, &dataset->head},       {"ticks", false, &dataset->ticks},
    };
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        enum err err = load_number(dataset, numbers[i].name, numbers[i].given, numbers[i].value, error);
        if (err != ERR_OK)
            return err;
    }
    dataset->gen.seed = (uint64_t)seed;
    dataset->gen.plain = plain != 0;
    enum err err = db_get(dataset->db, "url", &dataset->url, error);
    if (err == ERR_OK)
        err = db_get(dataset->db, "secret", &dataset->secret, error);
    return err != ERR_OK ? err : db_load(dataset->db, &dataset->changes, &dataset->users, error);
}

enum err dataset_open(const struct dataset_setup *setup, struct dataset **out, struct error *error) {
    struct dataset *dataset = mem_new(sizeof *dataset);
    (void)pthread_rwlock_init(&dataset->lock, NULL);
    dataset->gen = setup->gen;
    dataset->fixed = setup->fixed;
    dataset->fixed_at = setup->fixed_at;
    dataset->gen.epoch = now(dataset);
    enum err err = ERR_OK;
    if (setup->db_path)
        err = db_open(setup->db_path, &dataset->db, error);
    if (dataset->db)
        err = dataset_load(dataset, setup, error);
    if (err != ERR_OK) {
        dataset_free(dataset);
        return err;
    }
    *out = dataset;
    return ERR_OK;
}

void dataset_free(struct dataset *dataset) {
    if (!dataset)
        return;
    db_close(dataset->db);
    changes_clear(&dataset->changes);
    for (size_t i = 0; i < dataset->users.n; i++) {
        free(dataset->users.items[i].id);
        free(dataset->users.items[i].json);
        free(dataset->users.items[i].key);
    }
    free(dataset->users.items);
    free(dataset->url);
    secret_free_text(dataset->secret);
    (void)pthread_rwlock_destroy(&dataset->lock);
    free(dataset);
}

/* ---- reading ---- */

int64_t dataset_head(const struct dataset *dataset) {
    return dataset->head;
}

int64_t dataset_tail(const struct dataset *dataset) {
    return 1 - dataset->gen.count;
}

const struct gen *dataset_gen(const struct dataset *dataset) {
    return &dataset->gen;
}

static void life_at(const struct dataset *dataset, int64_t place, struct gen_life *out) {
    const struct change *change = changes_find(&dataset->changes, place);
    if (change)
        *out = change->life;
    else
        gen_life(&dataset->gen, place, out);
}

static bool among(const struct dataset_filter *filter, const char *status) {
    for (size_t i = 0; i < filter->status_word_count; i++)
        if (strcmp(filter->status_words[i], status) == 0)
            return true;
    return false;
}

static bool element_matches(const struct change *change, const struct dataset_filter *filter) {
    if (filter->by_status && change->status && !among(filter, change->status))
        return false;
    return !filter->by_type || !change->type || strcmp(change->type, filter->type_word) == 0;
}

static bool in_time(const struct dataset *dataset, int64_t place, const struct change *change,
                    const struct dataset_filter *filter) {
    int64_t at = change ? change->life.created_at : gen_time(&dataset->gen, place);
    return at >= filter->after && at < filter->before;
}

bool dataset_matches(const struct dataset *dataset, int64_t place, const struct dataset_filter *filter) {
    const struct change *change = changes_find(&dataset->changes, place);
    if (filter->by_time && !in_time(dataset, place, change, filter))
        return false;
    if (change && change->json)
        return element_matches(change, filter);
    enum gen_status status = change ? change->life.status : gen_status(&dataset->gen, place);
    if (filter->by_status && (filter->statuses >> status & 1) == 0)
        return false;
    return !filter->by_type || (filter->types >> gen_type(&dataset->gen, place) & 1) != 0;
}

void dataset_render(const struct dataset *dataset, int64_t place, struct str *out) {
    const struct change *change = changes_find(&dataset->changes, place);
    if (change && change->json) {
        str_add_n(out, change->json, change->json_len);
        return;
    }
    struct gen_life life;
    life_at(dataset, place, &life);
    gen_render(&dataset->gen, place, &life, out);
}

/* ---- changing ---- */

static enum err save_change(struct dataset *dataset, const struct change *change, bool is_new, struct error *error) {
    if (dataset->changed && dataset->url)
        dataset->changed(dataset->watcher, dataset, change->place, is_new);
    return !dataset->db ? ERR_OK : db_put_change(dataset->db, change, error);
}

static struct change *change_at(struct dataset *dataset, int64_t place) {
    struct gen_life life;
    life_at(dataset, place, &life);
    struct change *change = changes_put(&dataset->changes, place);
    change->life = life;
    return change;
}

static struct change *arrive(struct dataset *dataset) {
    struct change *change = changes_put(&dataset->changes, ++dataset->head);
    change->life = (struct gen_life){.created_at = now(dataset), .status = GEN_created};
    return change;
}

static enum err move_one(struct dataset *dataset, uint64_t bits, struct error *error) {
    int64_t total = dataset->head - dataset_tail(dataset) + 1;
    int64_t reach = total < RECENT ? total : RECENT;
    if (reach <= 0)
        return ERR_OK;
    int64_t place = dataset->head - (int64_t)(bits % (uint64_t)reach);
    const struct change *known = changes_find(&dataset->changes, place);
    struct gen_life life;
    life_at(dataset, place, &life);
    if ((known && known->json) || !life_step(&life, gen_mix(bits, 3), now(dataset)))
        return ERR_OK;
    struct change *change = change_at(dataset, place);
    change->life = life;
    return save_change(dataset, change, false, error);
}

static enum err tick_once(struct dataset *dataset, struct error *error) {
    dataset->ticks++;
    uint64_t bits = gen_mix(dataset->gen.seed ^ TICK_SALT, (uint64_t)dataset->ticks);
    enum err err = ERR_OK;
    for (uint64_t i = 0; err == ERR_OK && i < MOVES_PER_TICK; i++)
        err = move_one(dataset, gen_mix(bits, i), error);
    int arrivals = (int)(bits >> 60) < 8 ? 1 : (int)(bits >> 60) < 10 ? 2 : 0;
    for (int i = 0; err == ERR_OK && i < arrivals; i++)
        err = save_change(dataset, arrive(dataset), true, error);
    return err;
}

static enum err save_place(struct dataset *dataset, struct error *error) {
    enum err err = save_number(dataset, "head", dataset->head, error);
    return err != ERR_OK ? err : save_number(dataset, "ticks", dataset->ticks, error);
}

enum err dataset_tick(struct dataset *dataset, int ticks, struct error *error) {
    lock_write(dataset);
    enum err err = !dataset->db ? ERR_OK : db_begin(dataset->db, error);
    bool begun = err == ERR_OK && dataset->db;
    for (int i = 0; err == ERR_OK && i < ticks; i++)
        err = tick_once(dataset, error);
    if (err == ERR_OK)
        err = save_place(dataset, error);
    if (begun) {
        enum err end = db_commit(dataset->db, error);
        err = err != ERR_OK ? err : end;
    }
    dataset_unlock(dataset);
    return err;
}

enum err dataset_insert(struct dataset *dataset, const struct dataset_element *element, int64_t *place,
                        struct error *error) {
    lock_write(dataset);
    struct change *change = arrive(dataset);
    if (element->json)
        change_set_json(change, element->json, element->len, element->status, element->type);
    *place = change->place;
    enum err err = save_change(dataset, change, true, error);
    if (err == ERR_OK)
        err = save_place(dataset, error);
    dataset_unlock(dataset);
    return err;
}

/* Ids are hashes, so the place is found by trying each: newest first, since tests ask for those. */
static bool dataset_find_id(const struct dataset *dataset, const char *id, int64_t *place) {
    char made[GEN_ID_LEN + 1];
    for (int64_t at = dataset->head; at >= dataset_tail(dataset); at--) {
        gen_id(&dataset->gen, at, made);
        if (strcmp(made, id) == 0) {
            *place = at;
            return true;
        }
    }
    return false;
}

enum err dataset_replace(struct dataset *dataset, const char *id, const struct dataset_element *element,
                         struct error *error) {
    lock_write(dataset);
    int64_t place = 0;
    enum err err = ERR_OK;
    if (dataset_find_id(dataset, id, &place)) {
        struct change *change = change_at(dataset, place);
        change_set_json(change, element->json, element->len, element->status, element->type);
        err = save_change(dataset, change, false, error);
    } else {
        err = error_set(error, ERR_NOT_FOUND, "no intent has this id");
    }
    dataset_unlock(dataset);
    return err;
}

enum err dataset_preview(struct dataset *dataset, const char *id, struct str *out, struct error *error) {
    dataset_lock_read(dataset);
    enum err err = ERR_OK;
    int64_t place = dataset->head + 1;
    if (!id) {
        struct gen_life life = {.created_at = now(dataset), .status = GEN_created};
        gen_render(&dataset->gen, place, &life, out);
    } else if (dataset_find_id(dataset, id, &place)) {
        dataset_render(dataset, place, out);
    } else {
        err = error_set(error, ERR_NOT_FOUND, "no intent has this id");
    }
    dataset_unlock(dataset);
    return err;
}

static const struct db_user *user_by_key(const struct dataset *dataset, const char *key) {
    for (size_t i = 0; key && i < dataset->users.n; i++)
        if (str_equal(dataset->users.items[i].key, key))
            return &dataset->users.items[i];
    return NULL;
}

static enum err new_user(struct dataset *dataset, const char *json, const char *key, struct str *id,
                         struct error *error) {
    if (dataset->users.n >= USERS_MAX)
        return error_set(error, ERR_LIMIT, "the sandbox holds at most %d users", USERS_MAX);
    struct str made;
    str_init(&made, 64);
    str_addf(&made, "usr_%016llx",
             (unsigned long long)gen_mix(dataset->gen.seed ^ 0x6E657775, (uint64_t)dataset->users.n));
    struct db_user user = {
        .id = mem_dup(made.s), .json = mem_dup(json), .key = mem_dup(key), .created_at = now(dataset)};
    str_add_n(id, made.s, made.len);
    str_clear(&made);
    *vec_add(&dataset->users) = user;
    return !dataset->db ? ERR_OK : db_put_user(dataset->db, &user, error);
}

enum err dataset_add_user(struct dataset *dataset, const char *json, const char *key, struct str *id,
                          enum dataset_known *known, struct error *error) {
    lock_write(dataset);
    enum err err = ERR_OK;
    const struct db_user *same = user_by_key(dataset, key);
    if (!same) {
        *known = BOOKS_NEW;
        err = new_user(dataset, json, key, id, error);
    } else if (strcmp(same->json, json) == 0) {
        *known = BOOKS_SAME;
        str_add(id, same->id);
    } else {
        *known = BOOKS_OTHER;
    }
    dataset_unlock(dataset);
    return err;
}

enum err dataset_register(struct dataset *dataset, const char *url, const char *secret, bool *replaced,
                          struct error *error) {
    lock_write(dataset);
    *replaced = dataset->url != NULL;
    free(dataset->url);
    secret_free_text(dataset->secret);
    dataset->url = mem_dup(url);
    dataset->secret = mem_dup(secret);
    enum err err = ERR_OK;
    if (dataset->db) {
        err = db_set(dataset->db, "url", url, error);
        err = err != ERR_OK ? err : db_set(dataset->db, "secret", secret, error);
    }
    dataset_unlock(dataset);
    return err;
}

void dataset_registration(struct dataset *dataset, char **url, char **secret) {
    dataset_lock_read(dataset);
    *url = mem_dup(dataset->url);
    *secret = mem_dup(dataset->secret);
    dataset_unlock(dataset);
}

bool dataset_is_registered(const struct dataset *dataset) {
    return dataset->url != NULL;
}

int64_t dataset_now(const struct dataset *dataset) {
    return now(dataset);
}

void dataset_watch(struct dataset *dataset, dataset_changed *changed, void *context) {
    lock_write(dataset);
    dataset->changed = changed;
    dataset->watcher = context;
    dataset_unlock(dataset);
}

/* ---- for the control path ---- */

void dataset_print_users(struct dataset *dataset, struct str *out) {
    dataset_lock_read(dataset);
    json_write_open(out, NULL, '[');
    for (size_t i = 0; i < dataset->users.n; i++) {
        const struct db_user *user = &dataset->users.items[i];
        json_write_open(out, NULL, '{');
        json_write_string(out, "id", user->id);
        json_write_int(out, "created_at", user->created_at);
        json_write_string(out, "idempotency_key", user->key);
        json_write_raw(out, "body", user->json);
        json_write_close(out, '}');
    }
    json_write_close(out, ']');
    dataset_unlock(dataset);
}

void dataset_print_registration(struct dataset *dataset, struct str *out) {
    dataset_lock_read(dataset);
    if (!dataset->url) {
        str_add(out, "null");
    } else {
        json_write_open(out, NULL, '{');
        json_write_string(out, "url", dataset->url);
        json_write_bool(out, "signed", dataset->secret != NULL);
        if (dataset->secret) {
            unsigned char sum[DIGEST_LEN];
            digest_sha256(sum, dataset->secret, strlen(dataset->secret));
            json_write_int(out, "secret_bytes", (long long)strlen(dataset->secret));
            json_write_open(out, "secret_sha256", '"');
            digest_hex(out, sum, sizeof sum);
            str_add_char(out, '"');
        }
        json_write_close(out, '}');
    }
    dataset_unlock(dataset);
}

void dataset_print_figures(struct dataset *dataset, struct str *out) {
    dataset_lock_read(dataset);
    json_write_open(out, NULL, '{');
    json_write_int(out, "seed", (long long)dataset->gen.seed);
    json_write_int(out, "intents", dataset->head - dataset_tail(dataset) + 1);
    json_write_int(out, "arrived", dataset->head);
    json_write_int(out, "changed", (long long)dataset->changes.n);
    json_write_int(out, "users", (long long)dataset->users.n);
    json_write_int(out, "ticks", dataset->ticks);
    json_write_int(out, "now", now(dataset));
    json_write_close(out, '}');
    dataset_unlock(dataset);
}
