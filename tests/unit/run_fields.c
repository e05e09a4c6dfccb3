/* Each line of model/fields.def keeps what it promises, through every part of the program that is made from it: a value
 * is put into the JSON of an intent at its path and must come out of the decoder, cells, filter, sort, counts, columns,
 * table, CSV and sightings. A line that is added is walked as the others are. */
#include "app/record.h"
#include "base/clock.h"
#include "cli/output.h"
#include "index/index.h"
#include "store/cache.h"
#include "support/proc.h"
#include "wire/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_MAX = 1 << 16, PARTS_MAX = 8 };

/* What stands in each kind of place; nothing of one is in the other. */
static const char *const WORDS[] = {"northern_1111", "southern_2222"};
static const char *const DATES[] = {"2027-03-04", "2028-05-06"};
static const char *const TIMES[] = {"2027-03-04T05:06:07Z", "2028-05-06T07:08:09Z"};
static const char *const AMOUNTS[] = {"1234561111", "7654322222"};
static const char *const FLAGS[] = {"true", "false"};

static bool is_date(enum intent_field field) {
    for (enum query_field_code i = 0; i < QUERY_FIELD_COUNT; i++)
        if (query_field(i)->field == field && query_field(i)->type == QUERY_TIME)
            return true;
    return false;
}

static const char *value_of(enum intent_field field, int which) {
    switch (INTENT_FIELDS[field].kind) {
    case FIELD_TIME:
        return TIMES[which];
    case FIELD_FLAG:
        return FLAGS[which];
    case FIELD_MONEY:
    case FIELD_MONEY_BESIDE:
        return AMOUNTS[which];
    default:
        return is_date(field) ? DATES[which] : WORDS[which];
    }
}

static bool is_quoted(enum intent_field field) {
    enum field_kind kind = INTENT_FIELDS[field].kind;
    return kind != FIELD_FLAG && kind != FIELD_MONEY && kind != FIELD_MONEY_BESIDE;
}

/* An intent with this field alone beside its id; value NULL: without it. */
static struct intent *intent_with(enum intent_field field, const char *value) {
    struct str raw;
    str_init(&raw, TEXT_MAX);
    str_add_char(&raw, '{');
    if (field != INTENT_FIELD_ID)
        str_add(&raw, "\"id\":\"int_1\",");
    const char *quote = is_quoted(field) ? "\"" : "", *name = INTENT_FIELDS[field].path;
    size_t level = 1;
    for (const char *dot; value && (dot = strchr(name, '.')) != NULL; name = dot + 1, level++)
        str_addf(&raw, "\"%.*s\":{", (int)(dot - name), name);
    if (value)
        str_addf(&raw, "\"%s\":%s%s%s", name, quote, value, quote);
    else
        str_add(&raw, "\"type\":null");
    while (level-- > 0)
        str_add_char(&raw, '}');
    struct intent *intent = wire_intent(raw.s, raw.len);
    assert_null(intent->broken);
    str_clear(&raw);
    return intent;
}

static struct intent *intent_of(enum intent_field field, int which) {
    return intent_with(field, value_of(field, which));
}

static void a_field_is_decoded_from_its_path_alone(void **state) {
    (void)state;
    for (enum intent_field field = 0; field < INTENT_FIELD_COUNT; field++) {
        struct intent *intent = intent_of(field, 0);
        assert_int_equal(intent->unknown, 0);
        for (enum intent_field i = 0; i < INTENT_FIELD_COUNT; i++) {
            const char *text = "unset";
            enum value_state is = intent_field_text(intent, i, &text);
            assert_int_equal(is, i == field || i == INTENT_FIELD_ID ? VALUE_OK : VALUE_ABSENT);
            if (i == field)
                assert_string_equal(text, value_of(field, 0));
        }
        assert_int_equal(intent_field_find(intent_field_path(field)), field);
        intent_free(intent);
    }
}

/* Cells of an intent, and what they point into. */
struct packed {
    struct str blob;
    struct cells cells;
};

static void pack(struct packed *packed, enum intent_field field, int which) {
    struct intent *intent = intent_of(field, which);
    str_init(&packed->blob, TEXT_MAX);
    cells_pack(intent, &packed->blob);
    assert_true(cells_read(packed->blob.s, packed->blob.len, &packed->cells));
    intent_free(intent);
}

static void a_cell_holds_its_field_alone(void **state) {
    (void)state;
    for (int text = 0; text < CELLS_TEXT_COUNT; text++) {
        struct packed packed;
        enum intent_field field = cells_text_info((enum cells_text)text)->field;
        pack(&packed, field, 0);
        for (int i = 0; i < CELLS_TEXT_COUNT; i++)
            if (i != CELLS_ID || i == text)
                assert_int_equal(packed.cells.text[i].s != NULL, i == text);
        assert_int_equal(packed.cells.text[text].len, strlen(value_of(field, 0)));
        assert_memory_equal(packed.cells.text[text].s, value_of(field, 0), packed.cells.text[text].len);
        assert_int_equal(cells_text_of(field), text);
        str_clear(&packed.blob);
    }
}

/* What came later stands behind, so that older cells end before it. */
static void versions_of_cells_grow_with_their_place(void **state) {
    (void)state;
    unsigned greatest = 2; /* a transaction's currency */
    for (int text = 0; text < CELLS_TEXT_COUNT; text++) {
        unsigned version = cells_text_info((enum cells_text)text)->version;
        assert_in_range(version, text > 0 ? cells_text_info((enum cells_text)(text - 1))->version : 1, CELLS_VERSION);
        greatest = version > greatest ? version : greatest;
    }
    assert_int_equal(CELLS_VERSION, greatest);
}

static struct query_plan *plan_of(const char *name, const char *value, struct query **query) {
    struct str text;
    struct error error = {0};
    str_init(&text, TEXT_MAX);
    str_addf(&text, "%s:%s", name, value);
    if (query_parse(text.s, &(struct query_options){.unit = MONEY_MINOR}, query, NULL, &error) != ERR_OK)
        fail_msg("%s: %s", text.s, error.text);
    str_clear(&text);
    return query_plan_new(*query, &(struct query_context){.unit = MONEY_MINOR, .last_visit = CLOCK_NONE});
}

/* The first of two rows alone, for each by itself and for the index. */
static void expect_first(struct index *index, const struct query_row rows[2], const char *name, const char *value) {
    struct query *query;
    struct query_plan *plan = plan_of(name, value, &query);
    struct index_result result;
    struct error error = {0};
    struct index_query asked = {.plan = plan, .sort = {INDEX_UNSORTED, INDEX_UNSORTED}, .facet = QUERY_FIELD_COUNT};
    assert_true(query_match(plan, &rows[0]));
    assert_false(query_match(plan, &rows[1]));
    assert_int_equal(index_run(index, &asked, &result, &error), ERR_OK);
    assert_int_equal(result.n, 1);
    assert_int_equal(result.keys[0], rows[0].key);
    index_result_clear(&result);
    query_plan_free(plan);
    query_free(query);
}

static void expect_order(struct index *index, enum query_field_code code, bool descending) {
    struct index_result result;
    struct error error = {0};
    struct index_query asked = {.sort = {{code, descending}, INDEX_UNSORTED}, .facet = QUERY_FIELD_COUNT};
    assert_true(index_can_sort(code));
    assert_int_equal(index_run(index, &asked, &result, &error), ERR_OK);
    assert_int_equal(result.n, 2);
    assert_int_equal(result.keys[0], descending ? 3 : 5);
    index_result_clear(&result);
}

static void expect_count(struct index *index, enum query_field_code code, const char *value) {
    struct index_result result;
    struct error error = {0};
    struct index_query asked = {.sort = {INDEX_UNSORTED, INDEX_UNSORTED}, .facet = code};
    assert_true(index_can_count(code));
    assert_int_equal(index_run(index, &asked, &result, &error), ERR_OK);
    assert_int_equal(result.n_values, 2);
    assert_string_equal(result.values[0].value, value);
    assert_int_equal(result.values[0].rows, 1);
    index_result_clear(&result);
}

/* Rows 5 and 3, of which the first has the lower value: an order that their keys do not have. */
static void check_filter(enum query_field_code code) {
    const struct query_field *filter = query_field(code);
    struct packed packed[2];
    struct query_row rows[2];
    struct index *index = index_new();
    for (int i = 0; i < 2; i++) {
        pack(&packed[i], filter->field, i);
        rows[i] = (struct query_row){i == 0 ? 5 : 3, &packed[i].cells, 1, 1, CLOCK_NONE, 0, 0, false};
        index_put(index, &rows[i]);
    }
    expect_first(index, rows, filter->name, value_of(filter->field, 0));
    expect_first(index, rows, intent_field_path(filter->field), value_of(filter->field, 0));
    expect_order(index, code, false);
    expect_order(index, code, true);
    if (filter->column < CELLS_TEXT_COUNT && code != QUERY_ID_FIELD)
        expect_count(index, code, value_of(filter->field, 0));
    index_free(index);
    for (int i = 0; i < 2; i++)
        str_clear(&packed[i].blob);
}

static void a_filter_finds_sorts_and_counts_its_field(void **state) {
    (void)state;
    for (enum query_field_code code = 0; code < QUERY_FIELD_COUNT; code++)
        if (query_field(code)->field != INTENT_FIELD_COUNT)
            check_filter(code);
}

static void a_filter_has_its_name_and_other_names_to_itself(void **state) {
    (void)state;
    static const struct {
        const char *name;
        enum query_field_code code;
    } names[] = {
#define FILTER(code, field, rank, name, type, sense, ops, cell, privacy, help) {name, QUERY_##code##_FIELD},
#define ALIAS(filter, name) {name, QUERY_##filter##_FIELD},
#include "model/fields.def"
    };
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(query_field_find(names[i].name, strlen(names[i].name)), names[i].code);
}

static void ranks_give_each_filter_once(void **state) {
    (void)state;
    static const unsigned ranks[] = {
#define FILTER(code, field, rank, name, type, sense, ops, cell, privacy, help) [QUERY_##code##_FIELD] = (rank),
#include "model/fields.def"
    };
    bool seen[QUERY_FIELD_COUNT] = {false};
    unsigned rank = 0, n = 0;
    int before = -1;
    for (enum query_field_code code; query_field_next(&rank, &code); n++) {
        assert_false(seen[code]);
        assert_true((int)ranks[code] > before);
        before = (int)ranks[code];
        seen[code] = true;
    }
    assert_int_equal(n, QUERY_FIELD_COUNT);
}

/* Lines that are met while the table is walked, by column. */
static void a_column_has_one_line_for_the_console_and_one_for_the_command_line(void **state) {
    (void)state;
    int list[COLUMN_COUNT] = {0}, table[COLUMN_COUNT] = {0}, ranked[COLUMN_COUNT] = {0}, usual[COLUMN_COUNT + 1] = {0};
    int priorities[UINT8_MAX + 1] = {0};
#define LIST_COLUMN(column, title, least, wanted, most, priority, share, draws) \
    list[COLUMN_##column]++;                                                    \
    priorities[priority]++;                                                     \
    assert_true((least) > 0 && (least) <= (wanted) && ((most) == 0 || (most) >= (wanted)));
#define TABLE_COLUMN(column, title, rank, most, shown, draws) \
    table[COLUMN_##column]++;                                 \
    ranked[rank]++;                                           \
    usual[shown]++;
#include "model/fields.def"
    for (int i = 0; i < COLUMN_COUNT; i++) {
        assert_int_equal(list[i], 1);
        assert_int_equal(table[i], 1);
        assert_int_equal(ranked[i], 1);
        assert_true(i == 0 || (usual[i] <= 1 && usual[i] <= (i == 1 ? 1 : usual[i - 1])));
    }
    for (int i = 1; i <= UINT8_MAX; i++)
        assert_true(priorities[i] <= 1);
}

/* What the command line prints of one intent and column. */
static char *print(enum output_format format, int column, const struct intent *intent) {
    char *text;
    size_t len;
    struct error error = {0};
    struct output_options options = {.format = format, .out = open_memstream(&text, &len), .utf8 = true};
    assert_int_equal(columns_parse(column_info(column)->name, &options.columns_named, &error), ERR_OK);
    assert_int_equal(options.columns_named.items[0], column);
    struct output *output = output_new(&options);
    assert_int_equal(output_intent(output, intent, &error), ERR_OK);
    assert_int_equal(output_end(output, &error), ERR_OK);
    output_free(output);
    assert_int_equal(fclose(options.out), 0);
    return text;
}

static const char *title_of(int column) {
    static const char *const titles[] = {
#define TABLE_COLUMN(column, title, rank, most, usual, draws) [COLUMN_##column] = title,
#include "model/fields.def"
    };
    return titles[column] ? titles[column] : column_info(column)->name;
}

static void check_column(int column) {
    enum intent_field field = column_info(column)->field;
    const char *value = value_of(field, 0);
    struct intent *intent = intent_of(field, 0);
    struct str expected;
    str_init(&expected, TEXT_MAX);
    assert_int_equal(column_field(intent, column), field);
    assert_int_equal(query_field(column_info(column)->query)->field, field);
    assert_string_equal(column_text(intent, column), value);
    char *csv = print(OUTPUT_CSV, column, intent), *table = print(OUTPUT_TABLE, column, intent);
    str_add(&expected, intent_field_path(field));
    assert_true(str_starts(csv, expected.s));
    assert_non_null(strstr(csv, value));
    assert_true(str_starts(table, title_of(column)) || *table == ' ');
    assert_non_null(strstr(table, INTENT_FIELDS[field].kind == FIELD_TIME ? "2027-03-04 05:06:07" : value));
    str_clear(&expected);
    free(csv);
    free(table);
    intent_free(intent);
}

static void a_column_shows_its_field_in_table_and_csv(void **state) {
    (void)state;
    for (int column = 0; column < COLUMN_COUNT; column++)
        if (column_info(column)->field != INTENT_FIELD_COUNT)
            check_column(column);
}

static void a_table_has_the_mask_of_a_card_and_else_of_an_account(void **state) {
    (void)state;
    static const char *const raws[] = {
        "{\"id\":\"a\",\"rail\":\"ach\",\"payment_credential\":{\"account\":{\"number_mask\":\"0815\"},"
        "\"card\":{\"primary_account_number_mask\":\"4242\"}}}",
        "{\"id\":\"a\",\"rail\":\"card\",\"payment_credential\":{\"account\":{\"number_mask\":\"0815\"}}}"};
    static const char *const masks[] = {"4242", "0815"};
    for (size_t i = 0; i < COUNT_OF(raws); i++) {
        struct intent *intent = wire_intent(raws[i], strlen(raws[i]));
        char *table = print(OUTPUT_TABLE, COLUMN_MASK, intent);
        assert_non_null(strstr(table, masks[i]));
        assert_null(strstr(table, masks[1 - i]));
        free(table);
        intent_free(intent);
    }
}

static void csv_of_all_fields_has_each_once(void **state) {
    (void)state;
    for (enum intent_field field = 0; field < INTENT_FIELD_COUNT; field++) {
        struct record_style style = {.format = RECORD_CSV};
        struct intent *intent = intent_of(field, 0);
        struct str text;
        str_init(&text, TEXT_MAX);
        record_head(&style, &text);
        assert_non_null(strstr(text.s, intent_field_path(field)));
        str_reset(&text);
        record_row(&style, intent, true, &text);
        const char *found = strstr(text.s, value_of(field, 0));
        assert_non_null(found);
        assert_null(strstr(found + 1, value_of(field, 0)));
        str_clear(&text);
        intent_free(intent);
    }
}

static void what_is_counted_on_the_screen_can_be(void **state) {
    (void)state;
#define COUNTED(counted, filter, place)           \
    assert_true(index_can_count(QUERY_##filter)); \
    assert_int_equal(query_field(QUERY_##filter)->field, INTENT_FIELD_##counted);
#include "model/fields.def"
}

static const char *by_its_line(enum intent_field field) {
    static char tail[] = "***1111";
    const char *value = value_of(field, 0);
    memcpy(tail + 3, value + strlen(value) - 4, 4);
    switch (INTENT_FIELDS[field].handover) {
    case HANDOVER_WHOLE:
        return value;
    case HANDOVER_HIDDEN:
        return "***";
    default:
        return tail;
    }
}

/* What leaves the program in a text for a ticket. That of people is said a second time, so that no slip shows it. */
static const char *masked_as(enum intent_field field) {
    switch (field) {
    case INTENT_FIELD_USER_ID:
    case INTENT_FIELD_CREDENTIAL_ID:
    case INTENT_FIELD_NUMBER_MASK:
    case INTENT_FIELD_PAN_MASK:
        return "***1111";
    case INTENT_FIELD_ROUTING:
    case INTENT_FIELD_EXPIRATION:
    case INTENT_FIELD_ACCOUNT_NAME:
        return "***";
    default:
        return by_its_line(field);
    }
}

static void expect_masked(enum record_format format, enum intent_field field, const struct intent *intent) {
    struct record_style style = {.format = format, .masked = true};
    struct str text;
    str_init(&text, TEXT_MAX);
    record_row(&style, intent, true, &text);
    bool whole = strcmp(masked_as(field), value_of(field, 0)) == 0;
    assert_non_null(strstr(text.s, masked_as(field)));
    assert_int_equal(strstr(text.s, value_of(field, 0)) != NULL, whole);
    str_clear(&text);
}

static void a_hand_over_has_of_a_field_what_its_line_says(void **state) {
    (void)state;
    for (enum intent_field field = 0; field < INTENT_FIELD_COUNT; field++) {
        struct intent *intent = intent_of(field, 0);
        struct str text;
        str_init(&text, TEXT_MAX);
        assert_true(record_masked(intent, field, &text));
        assert_string_equal(text.s, masked_as(field));
        for (enum record_format format = RECORD_CSV; format <= RECORD_NDJSON; format++)
            expect_masked(format, field, intent);
        str_reset(&text);
        record_hand_over(&(struct record_summary){"live", "acme-eu", .seen = CLOCK_NONE}, intent, &text);
        if (strcmp(masked_as(field), value_of(field, 0)) != 0)
            assert_null(strstr(text.s, value_of(field, 0)));
        str_clear(&text);
        intent_free(intent);
    }
}

/* A mask may be short as a whole, an id may not. */
static void short_values_are_hidden_but_for_masks(void **state) {
    (void)state;
    for (enum intent_field field = 0; field < INTENT_FIELD_COUNT; field++) {
        enum field_handover handover = INTENT_FIELDS[field].handover;
        if (handover == HANDOVER_WHOLE)
            continue;
        struct intent *intent = intent_with(field, "4321");
        struct str text;
        str_init(&text, TEXT_MAX);
        assert_true(record_masked(intent, field, &text));
        assert_string_equal(text.s, handover == HANDOVER_MASK ? "***4321" : "***");
        str_clear(&text);
        intent_free(intent);
    }
}

static const struct cache_binding BINDING = {"https://api.example.com:443", "live", "acme-eu", "aaaaaaaaaaaa"};

static int64_t serve(struct cache *cache, struct intent *intent, int64_t now) {
    struct page page;
    struct cache_put_result result;
    struct error error = {0};
    page_init(&page);
    *vec_add(&page) = intent;
    if (cache_put_page(cache, "", "", &page, now, &result, &error) != ERR_OK)
        fail_msg("%s", error.text);
    int64_t key = result.items[0].key;
    cache_put_result_clear(&result);
    page_clear(&page);
    return key;
}

static void check_sighting(struct cache *cache, const struct cells_text_info *info) {
    const char *path = intent_field_path(info->field);
    struct cache_sightings sightings;
    struct error error = {0};
    size_t n = 0;
    cache_sightings_init(&sightings);
    (void)serve(cache, intent_of(info->field, 0), 1000);
    int64_t key = serve(cache, intent_of(info->field, 1), 2000);
    assert_int_equal(cache_sightings(cache, key, &sightings, &error), ERR_OK);
    for (size_t i = 0; i < sightings.n; i++)
        if (strcmp(sightings.items[i].field, path) == 0 && sightings.items[i].old &&
            strcmp(sightings.items[i].old, value_of(info->field, 0)) == 0 && sightings.items[i].now)
            n += strcmp(sightings.items[i].now, value_of(info->field, 1)) == 0;
    assert_int_equal(n, info->sighted ? 1 : 0);
    cache_sightings_clear(&sightings);
}

static void what_is_sighted_is_kept_with_both_values(void **state) {
    (void)state;
    char *folder = proc_folder_new();
    struct cache_opening opening;
    struct cache *cache = cache_open(folder, &BINDING, &opening);
    assert_non_null(cache);
    for (int text = 0; text < CELLS_TEXT_COUNT; text++)
        check_sighting(cache, cells_text_info((enum cells_text)text));
    cache_close(cache);
    proc_folder_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_is_decoded_from_its_path_alone),
        cmocka_unit_test(a_cell_holds_its_field_alone),
        cmocka_unit_test(versions_of_cells_grow_with_their_place),
        cmocka_unit_test(a_filter_finds_sorts_and_counts_its_field),
        cmocka_unit_test(a_filter_has_its_name_and_other_names_to_itself),
        cmocka_unit_test(ranks_give_each_filter_once),
        cmocka_unit_test(a_column_has_one_line_for_the_console_and_one_for_the_command_line),
        cmocka_unit_test(a_column_shows_its_field_in_table_and_csv),
        cmocka_unit_test(a_table_has_the_mask_of_a_card_and_else_of_an_account),
        cmocka_unit_test(csv_of_all_fields_has_each_once),
        cmocka_unit_test(what_is_counted_on_the_screen_can_be),
        cmocka_unit_test(a_hand_over_has_of_a_field_what_its_line_says),
        cmocka_unit_test(short_values_are_hidden_but_for_masks),
        cmocka_unit_test(what_is_sighted_is_kept_with_both_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
