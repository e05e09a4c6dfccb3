/* Random damage to the files of a journal: whatever it was, no recorded body is sent again, and no record is gone
 * without a word. BURSAR_DAMAGES: how many. */
#include "store_journal_make.h"

enum { RECORDS = 120, PAGE = 4096, DAMAGES = 40 };

static uint64_t seed = 20260615;

static size_t any(size_t below) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return below ? (size_t)(seed >> 33) % below : 0;
}

enum { DB, LOG, HEAD, FILES };
static const char *const NAMES[FILES] = {"journal.db", "journal.db-wal", "journal.head"};

typedef void damage_fn(struct bytes *bytes);

static void flip_bit(struct bytes *bytes) {
    size_t at = any(bytes->len);
    bytes->s[at] = (char)(bytes->s[at] ^ 1 << any(8));
}

static void flip_bits(struct bytes *bytes) {
    for (int i = 0; i < 8; i++)
        flip_bit(bytes);
}

static void zero_range(struct bytes *bytes) {
    size_t at = any(bytes->len), len = any(3000);
    memset(bytes->s + at, 0, len < bytes->len - at ? len : bytes->len - at);
}

static void fill_page(struct bytes *bytes) {
    size_t at = any(bytes->len / PAGE) * PAGE;
    for (size_t i = at; i < at + PAGE && i < bytes->len; i++)
        bytes->s[i] = (char)any(256);
}

static void swap_pages(struct bytes *bytes) {
    char page[PAGE];
    size_t pages = bytes->len / PAGE, a = any(pages) * PAGE, b = any(pages) * PAGE;
    if (!pages)
        return;
    memcpy(page, bytes->s + a, PAGE);
    memcpy(bytes->s + a, bytes->s + b, PAGE);
    memcpy(bytes->s + b, page, PAGE);
}

static void copy_page(struct bytes *bytes) {
    size_t pages = bytes->len / PAGE, a = any(pages) * PAGE, b = any(pages) * PAGE;
    if (pages)
        memmove(bytes->s + a, bytes->s + b, PAGE);
}

static void cut(struct bytes *bytes) {
    bytes->len = any(bytes->len);
}

static void take_away(struct bytes *bytes) {
    bytes->there = false;
}

static const struct {
    const char *name;
    damage_fn *damage;
} DAMAGE[] = {
    {"a bit", flip_bit},   {"eight bits", flip_bits},     {"a zeroed range", zero_range},
    {"a page", fill_page}, {"swapped pages", swap_pages}, {"a copied page", copy_page},
    {"cut", cut},          {"removed", take_away},
};

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
        int number = i < 3 ? RECORDS - 1 - i : (int)any(RECORDS);
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
    size_t kind = any(COUNT_OF(DAMAGE));
    int file = any(10) < 6 ? DB : any(2) ? LOG : HEAD;
    put_files(place, sound);
    struct bytes bytes = read_bytes(place, NAMES[file]);
    snprintf(what, sizeof what, "damage %d, %s of %s", round, DAMAGE[kind].name, NAMES[file]);
    if (bytes.len > 0)
        DAMAGE[kind].damage(&bytes);
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
    const char *wanted = getenv("BURSAR_DAMAGES");
    int n = wanted ? atoi(wanted) : DAMAGES;
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
