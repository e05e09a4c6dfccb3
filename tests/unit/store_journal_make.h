#ifndef STORE_JOURNAL_MAKE_H
#define STORE_JOURNAL_MAKE_H
/* A journal of invented writes in a folder of its own, its files as bytes, and damage done to them. */

#include "base/mem.h"
#include "store/journal.h"
#include "support/damage.h"
#include "support/proc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { MADE_NOW = 1000000 };
#define MADE_ORIGIN "https://api.example.com:443"
static const struct journal_scope MADE_SCOPE = {MADE_ORIGIN, "live", ""};

struct place {
    char *folder;
    char path[4200];         /* of the journal */
    struct journal *journal; /* NULL: closed */
    struct journal_opening opening;
};

static inline int place_set_up(void **state) {
    struct place *place = mem_new(sizeof *place);
    place->folder = proc_folder_new();
    snprintf(place->path, sizeof place->path, "%s/journal.db", place->folder);
    *state = place;
    return 0;
}

static inline struct journal *open_it(struct place *place) {
    return journal_open(place->folder, MADE_NOW, &place->opening);
}

static inline int place_set_up_open(void **state) {
    (void)place_set_up(state);
    struct place *place = *state;
    place->journal = open_it(place);
    return place->journal ? 0 : 1;
}

static inline int place_tear_down(void **state) {
    struct place *place = *state;
    journal_close(place->journal);
    proc_folder_remove(place->folder);
    free(place);
    return 0;
}

static inline struct journal *must_open(struct place *place) {
    struct journal *journal = open_it(place);
    if (!journal)
        fail_msg("%s", place->opening.error.text);
    return journal;
}

static inline void made_body(int number, char out[64]) {
    snprintf(out, 64, "{\"tag\":\"row-%d\"}", number);
}

/* The row of that number in an import; body and field belong to the caller and stay as long as it. */
static inline struct journal_write made_write(int number, char body[64], struct journal_value *field) {
    made_body(number, body);
    *field = (struct journal_value){"tag", body + 8};
    return (struct journal_write){.now = MADE_NOW,
                                  .who = "anna",
                                  .scope = MADE_SCOPE,
                                  .environment = "production",
                                  .operation = JOURNAL_USER,
                                  .body = body,
                                  .body_len = strlen(body),
                                  .fields = field,
                                  .n_fields = 1,
                                  .matches = field,
                                  .n_matches = 1,
                                  .import = "import-1",
                                  .line = number};
}

/* A locked body, as an import and `users create` send it: the very same again is refused. */
static inline enum err begin(struct journal *journal, int number, int64_t *n, struct error *error) {
    char body[64];
    struct journal_value field;
    struct journal_write write = made_write(number, body, &field);
    write.lock_body = true;
    return journal_begin(journal, &write, n, error);
}

static inline enum err finish(struct journal *journal, int64_t n, struct error *error) {
    char id[32];
    snprintf(id, sizeof id, "usr_%lld", (long long)n);
    const struct journal_mark mark = {
        .now = MADE_NOW, .outcome = JOURNAL_OUTCOME_DONE, .status = 201, .response_id = id};
    return journal_mark(journal, n, &mark, error);
}

static inline void add_records(struct journal *journal, int first, int n) {
    struct error error = {0};
    for (int i = first; i < first + n; i++) {
        int64_t number;
        if (begin(journal, i, &number, &error) != ERR_OK || finish(journal, number, &error) != ERR_OK)
            fail_msg("%s", error.text);
    }
}

static inline void make_records(struct place *place, int n) {
    struct journal *journal = must_open(place);
    add_records(journal, 0, n);
    journal_close(journal);
}

static inline const char *made_path(const struct place *place, const char *name, char out[4300]) {
    snprintf(out, 4300, "%s/%s", place->folder, name);
    return out;
}

static inline struct bytes read_bytes(const struct place *place, const char *name) {
    char path[4300];
    return bytes_read(made_path(place, name, path));
}

static inline void write_bytes(const struct place *place, const char *name, const struct bytes *bytes) {
    char path[4300];
    bytes_write(made_path(place, name, path), bytes);
}

/* Where a text stands in the file; it must. */
static inline size_t find_bytes(const struct bytes *bytes, const char *text) {
    const char *at = memmem(bytes->s, bytes->len, text, strlen(text));
    if (!at)
        fail_msg("%s is not in the file", text);
    return (size_t)(at - bytes->s);
}

static inline size_t listed(struct journal *journal) {
    struct journal_records records;
    struct error error = {0};
    journal_records_init(&records);
    if (journal_list(journal, &JOURNAL_ANY, &records, &error) != ERR_OK)
        fail_msg("%s", error.text);
    size_t n = records.n;
    journal_records_clear(&records);
    return n;
}

static inline size_t same_bodies(struct journal *journal, int number) {
    struct journal_records records;
    struct error error = {0};
    char body[64];
    made_body(number, body);
    journal_records_init(&records);
    if (journal_same_body(journal, &MADE_SCOPE, body, strlen(body), &records, NULL, &error) != ERR_OK)
        fail_msg("%s", error.text);
    size_t n = records.n;
    journal_records_clear(&records);
    return n;
}

/* records -1: any number of them. */
static inline void check_sound(struct place *place, int64_t records) {
    struct journal_health health;
    struct error error = {0};
    if (journal_verify(place->folder, MADE_NOW, &health, &error) != ERR_OK)
        fail_msg("%s", error.text);
    assert_true(records < 0 || health.records == records);
    journal_health_clear(&health);
}

#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, place_set_up, place_tear_down)

#endif
