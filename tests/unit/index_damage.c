/* Whatever is done to the file of an index, an answer is the same or there is none. */
#include "unit/index_file_make.h"

static const char *const QUESTIONS[] = {"",
                                        "status:approved",
                                        "amount>=50",
                                        "id:a",
                                        "has:refund",
                                        "xyz",
                                        "tx.amount>5",
                                        "tx.status:settled or source:a",
                                        "created>=2020 user:a",
                                        "is:stale"};

static void ask_all(struct index *index, struct str *out, bool *answered) {
    for (size_t i = 0; i < COUNT_OF(QUESTIONS); i++)
        for (size_t round = 0; round < 5; round++)
            *answered = ask(index, QUESTIONS[i], i * 5 + round, out) && *answered;
}

/* Each answer by itself: some are given before the damage is met. */
static void assert_sound_or_none(const char *path, const char *expected, size_t place) {
    struct index_stamp stamp;
    struct index *index = index_open(path, STAMP.identity, &stamp);
    struct str got;
    str_init(&got, 1 << 22);
    const char *at = expected;
    for (size_t i = 0; index && i < COUNT_OF(QUESTIONS) * 5; i++) {
        size_t len = strcspn(at, "\n") + 1;
        str_reset(&got);
        bool answered = ask(index, QUESTIONS[i / 5], i, &got);
        if (answered && (got.len != len || memcmp(got.s, at, len) != 0))
            fail_msg("byte %zu: %.200s not %.200s", place, got.s, at);
        if (!answered)
            assert_true(index_is_damaged(index));
        at += len;
    }
    str_clear(&got);
    index_free(index);
}

static char *copy_of(const char *path, size_t *size) {
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    *size = (size_t)st.st_size;
    char *bytes = mem_new(*size);
    int fd = open(path, O_RDONLY);
    assert_int_equal(read(fd, bytes, *size), st.st_size);
    close(fd);
    return bytes;
}

static void write_at(const char *path, const char *bytes, size_t len, size_t at) {
    int fd = open(path, O_WRONLY);
    assert_int_equal(pwrite(fd, bytes, len, (off_t)at), (ssize_t)len);
    close(fd);
}

static struct rows saved_rows(struct fixture *f, size_t n, struct str *expected) {
    struct rows rows = mixed_rows(n, 21);
    bool answered = true;
    assert_true(save(rows.index, f->path, INT64_MAX));
    str_init(expected, 1 << 22);
    ask_all(rows.index, expected, &answered);
    assert_true(answered);
    return rows;
}

static void flip(const char *path, const char *bytes, size_t at, int bit) {
    char changed = (char)(bytes[at] ^ 1 << bit);
    write_at(path, &changed, 1, at);
}

/* Every part of the file is met: a bit at its beginning, its end and in between. */
static void no_flipped_bit_gives_another_answer(void **state) {
    struct fixture *f = *state;
    struct str expected;
    struct rows rows = saved_rows(f, 400, &expected);
    size_t size;
    char *bytes = copy_of(f->path, &size);
    struct dice dice = {77};
    for (size_t i = 0; i < 1500; i++) {
        size_t at = i < 400 ? i * sizeof(struct file_head) / 400 : below(&dice, size);
        int bit = (int)below(&dice, 8);
        flip(f->path, bytes, at, bit);
        assert_sound_or_none(f->path, expected.s, at);
        write_at(f->path, bytes + at, 1, at);
    }
    free(bytes);
    str_clear(&expected);
    rows_clear(&rows);
}

static void each_part_flipped_is_met_by_some_question(void **state) {
    struct fixture *f = *state;
    struct str expected, got;
    struct rows rows = saved_rows(f, 400, &expected);
    size_t size;
    char *bytes = copy_of(f->path, &size);
    const struct file_head *head = (const void *)bytes;
    const struct file_block *block = (const void *)(bytes + head->directory.at);
    str_init(&got, 1 << 22);
    for (unsigned part = 0; part < PART_COUNT; part++) {
        const struct extent *extent = &block->parts[part];
        for (size_t i = 0; i < 3 && extent->len > 0; i++) {
            size_t at = (size_t)(extent->at + (i == 0 ? 0 : i == 1 ? extent->len / 2 : extent->len - 1));
            flip(f->path, bytes, at, (int)part % 8);
            assert_sound_or_none(f->path, expected.s, at);
            struct index *index = opened(f->path);
            assert_false(index && index_check(index, index->blocks[0], PARTS_ALL));
            index_free(index);
            write_at(f->path, bytes + at, 1, at);
        }
    }
    for (unsigned column = 0; column < COLUMN_COUNT; column++)
        for (unsigned part = 0; part < DICT_PARTS; part++) {
            const struct extent *extent = &head->dicts[column].parts[part];
            if (extent->len == 0)
                continue;
            flip(f->path, bytes, (size_t)extent->at, 3);
            struct index *index = opened(f->path);
            assert_false(index_check_dicts(index, PARTS_ALL));
            index_free(index);
            assert_sound_or_none(f->path, expected.s, (size_t)extent->at);
            write_at(f->path, bytes + extent->at, 1, (size_t)extent->at);
        }
    free(bytes);
    str_clear(&got);
    str_clear(&expected);
    rows_clear(&rows);
}

/* What a sum lets through is looked at all the same: written with sums that hold. */
static void a_forged_part_leads_nowhere(void **state) {
    struct fixture *f = *state;
    struct str expected;
    struct rows rows = saved_rows(f, 400, &expected);
    size_t size;
    struct dice dice = {5};
    char *bytes = copy_of(f->path, &size), *forged = mem_new(size);
    for (unsigned part = 0; part < PART_COUNT * 8; part++) {
        memcpy(forged, bytes, size);
        struct file_head *head = (void *)forged;
        struct file_block *block = (void *)(forged + head->directory.at);
        struct extent *extent = &block->parts[part % PART_COUNT];
        if (extent->len == 0)
            continue;
        for (int i = 0; i < 20; i++)
            forged[extent->at + below(&dice, extent->len)] = (char)below(&dice, 256);
        extent->sum = file_sum(forged + extent->at, extent->len, file_seed(0, part % PART_COUNT));
        head->directory.sum = file_sum(block, head->directory.len, FILE_VERSION);
        head->sum = file_sum(head, offsetof(struct file_head, sum), FILE_VERSION);
        write_at(f->path, forged, size, 0);
        struct str got;
        str_init(&got, 1 << 22);
        bool answered = true;
        struct index *index = opened(f->path);
        if (index)
            ask_all(index, &got, &answered); /* any answer, and nothing read outside: the sanitizers look */
        index_free(index);
        str_clear(&got);
    }
    free(bytes);
    free(forged);
    str_clear(&expected);
    rows_clear(&rows);
}

static void a_forged_directory_is_not_opened_or_leads_nowhere(void **state) {
    struct fixture *f = *state;
    struct str expected;
    struct rows rows = saved_rows(f, 200, &expected);
    size_t size;
    struct dice dice = {6};
    char *bytes = copy_of(f->path, &size), *forged = mem_new(size);
    for (int round = 0; round < 3000; round++) {
        memcpy(forged, bytes, size);
        struct file_head *head = (void *)forged;
        char *from = round % 2 ? forged + head->directory.at : forged;
        size_t len = round % 2 ? (size_t)head->directory.len : offsetof(struct file_head, sum);
        from[below(&dice, len)] = (char)below(&dice, 256);
        if (round % 2)
            head->directory.sum = file_sum(from, len, FILE_VERSION);
        head->sum = file_sum(head, offsetof(struct file_head, sum), FILE_VERSION);
        write_at(f->path, forged, size, 0);
        struct index_stamp stamp;
        struct str got;
        bool answered = true;
        str_init(&got, 1 << 22);
        struct index *index = index_open(f->path, STAMP.identity, &stamp);
        if (index)
            ask_all(index, &got, &answered);
        str_clear(&got);
        index_free(index);
    }
    free(bytes);
    free(forged);
    str_clear(&expected);
    rows_clear(&rows);
}

static void two_parts_that_changed_places_are_met(void **state) {
    struct fixture *f = *state;
    struct rows rows = mixed_rows(20000, 4);
    assert_true(save(rows.index, f->path, INT64_MAX));
    size_t size;
    char *bytes = copy_of(f->path, &size);
    const struct file_head *head = (const void *)bytes;
    const struct file_block *blocks = (const void *)(bytes + head->directory.at);
    assert_true(head->n_blocks >= 2);
    for (unsigned part = 0; part < PART_COUNT; part++) {
        const struct extent *a = &blocks[0].parts[part], *b = &blocks[1].parts[part];
        size_t len = (size_t)(a->len < b->len ? a->len : b->len);
        if (len == 0 || memcmp(bytes + a->at, bytes + b->at, len) == 0)
            continue;
        write_at(f->path, bytes + b->at, len, (size_t)a->at);
        write_at(f->path, bytes + a->at, len, (size_t)b->at);
        struct index *index = opened(f->path);
        assert_false(index && index_check(index, index->blocks[0], PARTS_ALL));
        index_free(index);
        write_at(f->path, bytes, size, 0);
    }
    free(bytes);
    rows_clear(&rows);
}

static void a_file_that_was_cut_is_not_opened(void **state) {
    struct fixture *f = *state;
    struct str expected;
    struct rows rows = saved_rows(f, 200, &expected);
    size_t size;
    char *bytes = copy_of(f->path, &size);
    struct index_stamp stamp;
    for (size_t len = 0; len < size; len += len < 4096 ? 61 : 4096) {
        assert_int_equal(truncate(f->path, (off_t)len), 0);
        assert_null(index_open(f->path, STAMP.identity, &stamp));
        write_at(f->path, bytes, size, 0);
    }
    write_at(f->path, "more", 4, size);
    assert_null(index_open(f->path, STAMP.identity, &stamp));
    free(bytes);
    str_clear(&expected);
    rows_clear(&rows);
}

static void a_file_that_is_cut_while_it_is_open_ends_no_program(void **state) {
    struct fixture *f = *state;
    struct str expected;
    struct rows rows = saved_rows(f, 400, &expected);
    struct index *index = opened(f->path);
    struct str got;
    str_init(&got, 1 << 22);
    assert_true(ask(index, "", 0, &got));
    assert_int_equal(truncate(f->path, 100), 0);
    assert_false(ask(index, "xyz", 0, &got));
    assert_true(index_is_damaged(index));
    index_free(index);
    str_clear(&got);
    str_clear(&expected);
    rows_clear(&rows);
}

static void a_file_of_another_cache_or_open_to_others_is_not_opened(void **state) {
    struct fixture *f = *state;
    struct rows rows = mixed_rows(100, 2);
    struct index_stamp stamp;
    char other[600];
    (void)snprintf(other, sizeof other, "%s/other", f->folder);
    assert_true(save(rows.index, f->path, INT64_MAX));
    assert_null(index_open(f->path, "fedcba9876543210", &stamp));
    assert_null(index_open(f->path, "", &stamp));
    struct stat st;
    assert_int_equal(stat(f->path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(chmod(f->path, 0640), 0);
    assert_null(index_open(f->path, STAMP.identity, &stamp));
    assert_int_equal(chmod(f->path, 0600), 0);
    assert_int_equal(link(f->path, other), 0);
    assert_null(index_open(f->path, STAMP.identity, &stamp));
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(symlink(other, f->path), 0);
    assert_null(index_open(f->path, STAMP.identity, &stamp));
    rows_clear(&rows);
}

/* Each field and flag, as a filter, and what can be sorted by or counted. */
static const char *const LOOKS[] = {"status:approved",
                                    "type:primary",
                                    "direction:cash_in",
                                    "rail:card",
                                    "currency:EUR",
                                    "decline:risk",
                                    "brand:visa",
                                    "account:settlement",
                                    "user:u",
                                    "credential:c",
                                    "bank:b",
                                    "account.name:a",
                                    "mask:1",
                                    "routing:1",
                                    "expires>=2020",
                                    "account.id:a",
                                    "id:a",
                                    "created>=2020",
                                    "amount>=50",
                                    "guarantee>5",
                                    "tx.id:a",
                                    "tx.date>=2020",
                                    "tx.type:fee",
                                    "tx.status:settled",
                                    "tx.amount>5",
                                    "source:a",
                                    "has:dispute",
                                    "has:refund",
                                    "has:decline",
                                    "has:transactions",
                                    "has:credential",
                                    "has:unknown",
                                    "has:finding",
                                    "finding:sum",
                                    "finding:unsettled",
                                    "finding:source",
                                    "finding:twice",
                                    "is:new",
                                    "is:changed",
                                    "is:stale",
                                    "is:archived",
                                    "is:marked",
                                    "xyz",
                                    ""};

/* All but what the question needs is made noise: the answer is the same, or it would have looked at it. */
static void scramble_all_but(const char *path, const char *bytes, size_t size, uint64_t needs, struct dice *dice) {
    char *noise = mem_new(size);
    memcpy(noise, bytes, size);
    const struct file_head *head = (const void *)bytes;
    const struct file_block *blocks = (const void *)(bytes + head->directory.at);
    for (size_t i = 0; i < head->n_blocks * PART_COUNT; i++) {
        const struct extent *extent = &blocks[i / PART_COUNT].parts[i % PART_COUNT];
        for (size_t at = 0; !(needs & PART_BIT(i % PART_COUNT)) && at < extent->len; at++)
            noise[extent->at + at] = (char)below(dice, 256);
    }
    for (unsigned i = 0; i < COLUMN_COUNT * DICT_PARTS; i++) {
        const struct extent *extent = &head->dicts[i / DICT_PARTS].parts[i % DICT_PARTS];
        for (size_t at = 0; !(index_needs_dicts(needs) & PART_BIT(PART_CODES + i / DICT_PARTS)) && at < extent->len;
             at++)
            noise[extent->at + at] = (char)below(dice, 256);
    }
    write_at(path, noise, size, 0);
    free(noise);
}

static void a_question_looks_at_nothing_that_it_did_not_check(void **state) {
    struct fixture *f = *state;
    struct str expected, got;
    struct dice dice = {8};
    struct rows rows = saved_rows(f, 250, &expected);
    size_t size;
    char *bytes = copy_of(f->path, &size);
    str_init(&got, 1 << 22);
    for (size_t i = 0; i < COUNT_OF(LOOKS) * 8; i++) {
        struct query_plan *plan = *LOOKS[i / 8] ? must_plan(LOOKS[i / 8]) : NULL;
        struct index_query query = everything();
        query.plan = plan;
        (void)sort_of(i % 8, query.sort);
        query.totals = i % 3 == 0;
        query.facet = i % 2 ? facet_of(i) : QUERY_FIELD_COUNT;
        uint64_t needs = index_needs(&query) | index_needs_across(&query);
        if (needs & PART_BIT(PART_TEXT)) /* whoever walks the texts walks their starts */
            needs |= PART_BIT(PART_TEXT_START) | PART_BIT(PART_TX_START);
        scramble_all_but(f->path, bytes, size, needs, &dice);
        struct index *index = opened(f->path);
        str_reset(&expected);
        str_reset(&got);
        assert_true(add_answer(rows.index, &query, &expected));
        assert_true(add_answer(index, &query, &got));
        assert_string_equal(got.s, expected.s);
        index_free(index);
        query_plan_free(plan);
    }
    free(bytes);
    str_clear(&got);
    str_clear(&expected);
    rows_clear(&rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_flipped_bit_gives_another_answer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_part_flipped_is_met_by_some_question, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_forged_part_leads_nowhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_forged_directory_is_not_opened_or_leads_nowhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_parts_that_changed_places_are_met, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_was_cut_is_not_opened, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_is_cut_while_it_is_open_ends_no_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_of_another_cache_or_open_to_others_is_not_opened, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_question_looks_at_nothing_that_it_did_not_check, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
