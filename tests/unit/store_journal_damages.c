/* Random damage to the files of a journal: whatever it was, no recorded body is sent again, and no record is gone
 * without a word. BURSAR_DAMAGES: how many; BURSAR_SEED: where chance begins. */
#include "store_journal_make.h"

enum { RECORDS = 120, DAMAGES = 40, SEED = 20260615 };

enum { DB, LOG, HEAD, FILES };
static const char *const NAMES[FILES] = {"journal.db", "journal.db-wal", "journal.head"};

struct files {
    struct bytes files[FILES];
};

static struct files keep_files(const struct place *place) {
    struct files kept;
    for (int i = 0; i < FILES; i++)
        kept.files[i] = read_bytes(place, NAMES[i]);
    return kept;
}

static void put_files(const struct place *place, const struct files *kept) {
    char path[4300];
    unlink(made_path(place, "journal.db-shm", path));
    for (int i = 0; i < FILES; i++)
        write_bytes(place, NAMES[i], &kept->files[i]);
}

static void drop_files(struct files *kept) {
    for (int i = 0; i < FILES; i++)
        free(kept->files[i].s);
}

/* A handle that can write holds every record, and knows each body. */
static void check_open(struct place *place, const char *what) {
    int64_t n;
    struct error error = {0};
    struct journal *journal = open_it(place);
    if (!journal) {
        if (!*place->opening.error.text)
            fail_msg("%s: no reason was given", what);
        return;
    }
    for (int i = 0; i < 6; i++) {
        int number = i < 3 ? RECORDS - 1 - i : (int)chance_below(RECORDS);
        if (begin(journal, number, &n, &error) == ERR_OK)
            fail_msg("%s: body %d would have been sent twice", what, number);
    }
    if (!journal_is_damaged(journal) && listed(journal) != RECORDS)
        fail_msg("%s: %zu of %d records, without a word", what, listed(journal), RECORDS);
    journal_close(journal);
}

/* What may be read of it never says that all is well over fewer records. */
static void check_reading(struct place *place, const char *what) {
    struct journal_records records;
    journal_records_init(&records);
    struct journal *journal = journal_open_reading(place->folder, MADE_NOW, &place->opening);
    if (journal && place->opening.state == JOURNAL_OK &&
        (journal_list(journal, &JOURNAL_ANY, &records, NULL) != ERR_OK || records.n != RECORDS))
        fail_msg("%s: reads as sound with %zu records", what, records.n);
    journal_records_clear(&records);
    journal_close(journal);
}

static void damage_once(struct place *place, const struct files *sound, int round) {
    char what[128];
    int file = chance_below(10) < 6 ? DB : chance_below(2) ? LOG : HEAD;
    put_files(place, sound);
    struct bytes bytes = read_bytes(place, NAMES[file]);
    const char *kind = damage_do(&bytes);
    snprintf(what, sizeof what, "damage %d, %s of %s", round, kind, NAMES[file]);
    write_bytes(place, NAMES[file], &bytes);
    struct files damaged = keep_files(place);
    check_open(place, what);
    put_files(place, &damaged);
    check_reading(place, what);
    drop_files(&damaged);
    free(bytes.s);
}

/* As a killed console left it: the newest record in the log alone. */
static struct files make_sound(struct place *place) {
    int64_t n;
    make_records(place, RECORDS - 2);
    struct journal *journal = must_open(place);
    add_records(journal, RECORDS - 2, 1);
    assert_int_equal(begin(journal, RECORDS - 1, &n, NULL), ERR_OK);
    struct files sound = keep_files(place);
    journal_close(journal);
    return sound;
}

static void f5_f6_f7_no_damage_lets_a_body_go_twice(void **state) {
    struct place *place = *state;
    int n = number_or("BURSAR_DAMAGES", DAMAGES);
    chance_seed((unsigned long long)number_or("BURSAR_SEED", SEED));
    struct files sound = make_sound(place);
    for (int i = 0; i < n; i++)
        damage_once(place, &sound, i);
    drop_files(&sound);
}

/* Each file by an older one of its own, alone and with others: only all of them together may pass for a whole. */
static void f7_no_older_copy_lets_a_body_go_twice(void **state) {
    struct place *place = *state;
    make_records(place, RECORDS - 10);
    struct files older = keep_files(place);
    struct journal *journal = must_open(place);
    add_records(journal, RECORDS - 10, 10);
    struct files sound = keep_files(place);
    journal_close(journal);
    for (int which = 1; which < (1 << FILES) - 1; which++) {
        char what[64];
        struct files mixed = sound;
        for (int i = 0; i < FILES; i++)
            if (which >> i & 1)
                mixed.files[i] = older.files[i];
        snprintf(what, sizeof what, "older copies %d", which);
        if ((which >> DB & 1) && (which >> HEAD & 1))
            continue; /* with an older head beside it, it is an older journal that nothing on this disk tells from one
                       */
        put_files(place, &mixed);
        check_open(place, what);
    }
    drop_files(&older);
    drop_files(&sound);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(f5_f6_f7_no_damage_lets_a_body_go_twice),
        IN_FOLDER(f7_no_older_copy_lets_a_body_go_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
