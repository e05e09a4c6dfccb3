#include "team/own.h"
#include "team/question.h"
#include "unit/index_make.h"
#include "unit/team_desks.h"

#include <pthread.h>

enum { ROWS = 300, FILTERS = 1500 };

static const char ORIGIN[] = "https://api.example.com:443";

struct shared {
    struct dice dice;
    struct rows rows;
    struct team_intent *items;
    size_t n;
    int64_t scope;
    struct team *a, *b;
    atomic_bool dropped; /* the question of ask_slowly */
};

static void close_shared(struct shared *shared) {
    free(shared->items);
    rows_clear(&shared->rows);
    team_free(shared->a);
    team_free(shared->b);
}

/* Rows with ids, each known to be of one time alone, as a service has them. */
static bool is_new_id(const struct shared *shared, const struct kept *row) {
    const struct cells_slice *id = &row->cells.text[CELLS_ID];
    if (!id->s || id->len == 0)
        return false;
    for (size_t i = 0; i < shared->n; i++) {
        const struct cells_slice *other = &shared->items[i].cells.text[CELLS_ID];
        if (other->len == id->len && memcmp(other->s, id->s, id->len) == 0)
            return false;
    }
    return true;
}

static void open_shared(struct shared *shared, uint64_t seed) {
    struct error error = {0};
    *shared = (struct shared){.dice = {seed}, .rows = {.index = index_new()}};
    shared->items = mem_new_array(ROWS, sizeof *shared->items);
    for (int64_t i = 0; i < ROWS; i++)
        rows_put(&shared->rows, &shared->dice, i, false);
    for (size_t i = 0; i < shared->rows.n; i++) {
        const struct kept *row = &shared->rows.items[i];
        if (is_new_id(shared, row))
            shared->items[shared->n++] = (struct team_intent){row->blob.s, row->blob.len, 0, row->cells};
    }
    shared->a = team_of("anna", "desk-1");
    shared->b = team_of("ben", "desk-2");
    if (team_use(shared->a, false, &error) != ERR_OK || team_use(shared->b, false, &error) != ERR_OK)
        fail_msg("%s", error.text);
    shared->scope = team_scope(shared->a, ORIGIN, "acme");
    assert_true(shared->scope == team_scope(shared->b, ORIGIN, "acme"));
    assert_true(shared->scope != team_scope(shared->b, ORIGIN, "other"));
}

static void put(struct shared *shared, struct team *team, size_t from, size_t n) {
    struct error error = {0};
    if (team_intents_put(team, shared->scope, shared->items + from, n, NULL, &error) != ERR_OK)
        fail_msg("%s", error.text);
}

/* How many rows come behind a place; all of them are read. */
static size_t taken(struct shared *shared, struct team *team, struct team_place_of_changes *place) {
    size_t n = 0;
    bool more = true;
    while (more) {
        struct team_intents in;
        struct error error = {0};
        if (team_intents_since(team, shared->scope, place, &in, &error) != ERR_OK)
            fail_msg("%s", error.text);
        n += in.n;
        more = in.more;
        team_intents_clear(&in);
    }
    return n;
}

static void what_one_desk_stored_the_other_takes_in_once(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    struct team_place_of_changes place = {0};
    open_shared(&shared, 1);
    put(&shared, shared.a, 0, 100);
    assert_int_equal(taken(&shared, shared.b, &place), 100);
    assert_int_equal(taken(&shared, shared.b, &place), 0);
    put(&shared, shared.b, 100, 50);
    assert_int_equal(taken(&shared, shared.b, &place), 50);
    put(&shared, shared.a, 0, 150); /* the same again: nothing changed */
    assert_int_equal(taken(&shared, shared.b, &place), 0);
    free(place.id);
    close_shared(&shared);
}

static void a_row_comes_back_as_it_was_served(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    struct team_place_of_changes place = {0};
    struct team_intents in;
    struct error error = {0};
    static const char RAW[] = "{\"id\":\"int_1\", \"x\":\"caf\xC3\xA9 \\u0000 \\\"\"}";
    open_shared(&shared, 2);
    shared.items[0].raw = RAW;
    shared.items[0].raw_len = strlen(RAW);
    shared.items[0].age_ms = 5000;
    put(&shared, shared.a, 0, 1);
    assert_int_equal(team_intents_since(shared.b, shared.scope, &place, &in, &error), ERR_OK);
    assert_int_equal(in.n, 1);
    assert_int_equal(in.items[0].raw_len, strlen(RAW));
    assert_memory_equal(in.items[0].raw, RAW, strlen(RAW));
    assert_true(in.items[0].age_ms >= 5000 && in.items[0].age_ms < 60000);
    team_intents_clear(&in);
    free(place.id);
    close_shared(&shared);
}

static void what_was_confirmed_later_stays(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    struct team_place_of_changes place = {0};
    open_shared(&shared, 3);
    put(&shared, shared.a, 0, 1);
    assert_int_equal(taken(&shared, shared.b, &place), 1);
    shared.items[0].raw = "{\"older\":1}";
    shared.items[0].raw_len = strlen(shared.items[0].raw);
    shared.items[0].age_ms = 3600000;
    put(&shared, shared.b, 0, 1);
    assert_int_equal(taken(&shared, shared.a, &place), 0);
    shared.items[0].age_ms = 0;
    put(&shared, shared.b, 0, 1);
    assert_int_equal(taken(&shared, shared.a, &place), 1);
    free(place.id);
    close_shared(&shared);
}

/* A text that no index takes stands in no column, and a row that is refused leaves the others as they are. */
static void a_row_that_is_refused_does_not_stop_the_others(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    struct team_place_of_changes place = {0};
    struct team_put result;
    struct error error = {0};
    char text[8000];
    open_shared(&shared, 11);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + (int)below(&shared.dice, 26));
    shared.items[3].cells.text[CELLS_BANK] = shared.items[4].cells.text[CELLS_ID] =
        (struct cells_slice){text, sizeof text};
    run_sql("ALTER TABLE intents ADD CHECK (flags <> 12345)");
    shared.items[40].cells.flags = 12345;
    enum err err = team_intents_put(shared.a, shared.scope, shared.items, 100, &result, &error);
    if (err != ERR_OK)
        fail_msg("%s", error.text);
    assert_int_equal(result.left_out, 3); /* of which one is there, and not by its bank */
    assert_int_equal(result.change, 0);
    assert_int_equal(taken(&shared, shared.b, &place), 98);
    assert_sql("SELECT count(*) FROM words WHERE length(word) > 500", "0");
    free(place.id);
    close_shared(&shared);
}

static void of_two_with_one_id_the_later_is_put(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    struct team_place_of_changes place = {0};
    struct team_intents in;
    struct error error = {0};
    open_shared(&shared, 12);
    shared.items[1].cells.text[CELLS_ID] = shared.items[0].cells.text[CELLS_ID];
    shared.items[0].age_ms = 5000;
    put(&shared, shared.a, 0, 2);
    assert_int_equal(team_intents_since(shared.b, shared.scope, &place, &in, &error), ERR_OK);
    assert_int_equal(in.n, 1);
    assert_int_equal(in.items[0].raw_len, shared.items[1].raw_len);
    assert_memory_equal(in.items[0].raw, shared.items[1].raw, in.items[0].raw_len);
    team_intents_clear(&in);
    free(place.id);
    close_shared(&shared);
}

static void nothing_of_the_sealed_text_can_be_read_in_the_store(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    struct team_intents in;
    struct error error = {0};
    struct team_place_of_changes place = {0};
    open_shared(&shared, 4);
    shared.items[0].raw = "{\"name\":\"Quentin Marker\",\"again\":\"Quentin Marker\"}";
    shared.items[0].raw_len = strlen(shared.items[0].raw);
    put(&shared, shared.a, 0, 1);
    assert_sql("SELECT count(*) FROM intents WHERE position('uentin' in encode(raw, 'escape')) > 0", "0");
    run_sql("UPDATE intents SET raw = set_byte(raw, 59, get_byte(raw, 59) # 1)");
    assert_int_equal(team_intents_since(shared.b, shared.scope, &place, &in, &error), ERR_OK);
    assert_int_equal(in.n, 0);
    assert_int_equal(in.sealed, 1);
    team_intents_clear(&in);
    free(place.id);
    close_shared(&shared);
}

struct putter {
    struct shared *shared;
    struct team *team;
    size_t from;
};

static void *put_ones(void *context) {
    struct putter *putter = context;
    for (size_t i = 0; i < 20; i++) {
        struct error error = {0};
        if (team_intents_put(putter->team, putter->shared->scope, putter->shared->items + putter->from + i, 1, NULL,
                             &error) != ERR_OK)
            return "it failed";
    }
    return NULL;
}

/* One takes in all the while: were a number given before its rows are seen, it would miss them. */
static void changes_are_seen_in_the_order_of_their_numbers(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    pthread_t threads[4];
    struct putter putters[4];
    struct team_place_of_changes place = {0};
    size_t n = 0;
    open_shared(&shared, 5);
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        putters[i] = (struct putter){&shared, team_of("carl", "desk-3"), 20 * i};
        assert_int_equal(pthread_create(&threads[i], NULL, put_ones, &putters[i]), 0);
    }
    for (int look = 0; look < 30; look++)
        n += taken(&shared, shared.b, &place);
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        void *fault = NULL;
        assert_int_equal(pthread_join(threads[i], &fault), 0);
        assert_null(fault);
        team_free(putters[i].team);
    }
    n += taken(&shared, shared.b, &place);
    assert_int_equal(n, 80);
    free(place.id);
    close_shared(&shared);
}

/* ---- questions ---- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Ids of all pages of a question, sorted; NULL where the store cannot be asked. The texts are of the rows. */
static char **asked(struct shared *shared, const struct query_plan *plan, size_t *n, struct error *refusal) {
    struct team_question question = {.scope = shared->scope, .plan = plan, .limit = 7};
    char **ids = mem_new_array(ROWS + 1, sizeof *ids);
    bool more = true;
    char *after = NULL;
    int64_t before = INT64_MAX;
    for (*n = 0; more;) {
        struct team_intents in;
        enum err err = team_question_rows(shared->b, &question, &in, refusal);
        if (err == ERR_INVALID) {
            free(ids);
            return NULL;
        }
        assert_int_equal(err, ERR_OK);
        for (size_t i = 0; i < in.n; i++) {
            struct cells cells;
            assert_true(cells_read(in.items[i].raw, in.items[i].raw_len, &cells));
            int64_t created = cells.flags & CELLS_CREATED_OK ? cells.created_ms : -1;
            assert_true(created <= before);
            before = created;
            assert_true(*n < ROWS);
            ids[(*n)++] = mem_dup_n(cells.text[CELLS_ID].s, cells.text[CELLS_ID].len);
        }
        more = in.more;
        free(after);
        after = in.last_id ? mem_dup(in.last_id) : NULL;
        question.after_id = after;
        question.after_created = in.last_created;
        team_intents_clear(&in);
    }
    free(after);
    qsort(ids, *n, sizeof *ids, by_text);
    return ids;
}

static char **expected(const struct shared *shared, const struct query_plan *plan, size_t *n) {
    char **ids = mem_new_array(ROWS + 1, sizeof *ids);
    *n = 0;
    for (size_t i = 0; i < shared->n; i++) {
        const struct cells *cells = &shared->items[i].cells;
        struct query_row row = {
            .cells = cells, .first_seen = CLOCK_NONE, .confirmed = CLOCK_NONE, .changed = CLOCK_NONE};
        if (query_match(plan, &row))
            ids[(*n)++] = mem_dup_n(cells->text[CELLS_ID].s, cells->text[CELLS_ID].len);
    }
    qsort(ids, *n, sizeof *ids, by_text);
    return ids;
}

static void free_ids(char **ids, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(ids[i]);
    free(ids);
}

/* How often the store had what the evaluator here has. */
static bool answers_alike(struct shared *shared, const char *filter, struct error *refusal) {
    struct query_plan *plan = must_plan(filter);
    size_t n, n_wanted;
    char **ids = asked(shared, plan, &n, refusal);
    if (ids) {
        char **wanted = expected(shared, plan, &n_wanted);
        if (n != n_wanted)
            fail_msg("%s: %zu of the store, %zu here", filter, n, n_wanted);
        for (size_t i = 0; i < n; i++)
            assert_string_equal(ids[i], wanted[i]);
        free_ids(wanted, n_wanted);
        free_ids(ids, n);
    }
    query_plan_free(plan);
    return ids != NULL;
}

static void the_store_answers_as_the_evaluator_here(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    size_t n = 0;
    open_shared(&shared, 6);
    put(&shared, shared.a, 0, shared.n);
    for (int i = 0; i < FILTERS; i++) {
        struct str filter;
        struct query *query = NULL;
        str_init(&filter, QUERY_TEXT_MAX);
        add_filter(&shared.dice, &filter, 3);
        if (query_parse(filter.s, &(struct query_options){.unit = MONEY_MINOR, .console = true}, &query, NULL, NULL) ==
            ERR_OK)
            n += answers_alike(&shared, filter.s, NULL);
        query_free(query);
        str_clear(&filter);
    }
    print_message("%zu of %d filters were asked of the store\n", n, FILTERS);
    assert_true(n > 100);
    close_shared(&shared);
}

static void fields_that_the_store_knows_are_asked_and_others_named(void **state) {
    (void)state;
    skip_without_postgres();
    static const char *const known[] = {
        "",
        "status:declined",
        "status!=declined",
        "bank:nord",
        "bank:\"sparkasse münster\" status:approved,pending",
        "-bank:nord -status:declined",
        "amount>=50.10",
        "amount:0..99",
        "amount!=50",
        "created:2026-11",
        "created<2026-11-01",
        "age>3d",
        "user:usr_8F",
        "id:int_0,INT_",
        "has:dispute,refund",
        "has:bank -has:decline",
        "is:archived",
        "(status:approved | currency:eur) -type:wallet",
        "currency:eur,jpy guarantee>5",
        "credential:usr_ account.id:int_",
        "direction:out",
    };
    static const struct {
        const char *filter, *named;
    } refused[] = {
        {"mask:1234", "`mask`"},
        {"routing:99", "`routing`"},
        {"account.name:nord", "`account.name`"},
        {"tx.status:settled", "`tx.status`"},
        {"is:new", "`is:new`"},
        {"hour:10", "`hour`"},
        {"nord", "bare word"},
        {"has:note", "`has:note`"},
        {"has:handover", "`has:handover`"},
        {"handed:me", "`handed`"},
    };
    struct shared shared;
    open_shared(&shared, 7);
    put(&shared, shared.a, 0, shared.n);
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        struct error refusal = {0};
        if (!answers_alike(&shared, known[i], &refusal))
            fail_msg("%s: %s", known[i], refusal.text);
    }
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        struct query_plan *plan = must_plan(refused[i].filter);
        struct team_question question = {.scope = shared.scope, .plan = plan, .limit = 5};
        struct team_intents in;
        struct error error = {0};
        assert_int_equal(team_question_rows(shared.b, &question, &in, &error), ERR_INVALID);
        assert_non_null(strstr(error.text, refused[i].named));
        team_intents_clear(&in);
        query_plan_free(plan);
    }
    close_shared(&shared);
}

static int64_t counted(struct shared *shared, const char *filter, const char *by, const char *value,
                       const char *currency, const char **sum) {
    struct query_plan *plan = must_plan(filter);
    struct team_question question = {.scope = shared->scope, .plan = plan};
    struct team_counts counts;
    struct error error = {0};
    static char kept[64];
    int64_t n = 0;
    if (team_question_counts(shared->b, &question, by, &counts, &error) != ERR_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < counts.n; i++) {
        if (!str_equal(counts.items[i].currency, currency) || !str_equal(counts.items[i].value, value))
            continue;
        n = counts.items[i].intents;
        snprintf(kept, sizeof kept, "%s", counts.items[i].sum ? counts.items[i].sum : "");
        *sum = kept;
    }
    team_counts_clear(&counts);
    query_plan_free(plan);
    return n;
}

static void counts_and_sums_are_of_each_currency_and_exact(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    const char *sum = NULL;
    open_shared(&shared, 8);
    for (size_t i = 0; i < 4; i++) {
        struct cells *cells = &shared.items[i].cells;
        cells->text[CELLS_CURRENCY] = (struct cells_slice){i < 3 ? "EUR" : "JPY", 3};
        cells->text[CELLS_STATUS] = (struct cells_slice){i < 2 ? "declined" : "approved", 8};
        cells->flags |= CELLS_AMOUNT_OK;
        cells->amount = INT64_MAX;
    }
    put(&shared, shared.a, 0, 4);
    assert_int_equal(counted(&shared, "", NULL, NULL, "EUR", &sum), 3);
    assert_string_equal(sum, "27670116110564327421");
    assert_int_equal(counted(&shared, "", "status", "declined", "EUR", &sum), 2);
    assert_int_equal(counted(&shared, "status:approved", "status", "approved", "JPY", &sum), 1);
    assert_string_equal(sum, "9223372036854775807");
    close_shared(&shared);
}

/* Whoever may write there may write anything there. */
static void a_value_out_of_the_store_cannot_act_on_a_terminal(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    struct team_counts counts;
    struct error error = {0};
    open_shared(&shared, 11);
    put(&shared, shared.a, 0, 3);
    run_sql("UPDATE intents SET status = E'\\x1b[2Jgone'");
    struct team_question question = {.scope = shared.scope};
    assert_int_equal(team_question_counts(shared.b, &question, "status", &counts, &error), ERR_OK);
    assert_true(counts.n > 0);
    for (size_t i = 0; i < counts.n; i++) {
        assert_null(strchr(counts.items[i].value, '\x1b'));
        assert_non_null(strstr(counts.items[i].value, "gone"));
    }
    team_counts_clear(&counts);
    close_shared(&shared);
}

static void *ask_slowly(void *context) {
    struct shared *shared = context;
    struct team_question question = {.scope = shared->scope, .limit = 5, .dropped = &shared->dropped};
    struct team_intents in;
    struct error error = {0};
    enum err err = team_question_rows(shared->b, &question, &in, &error);
    team_intents_clear(&in);
    return err == ERR_CANCELLED ? NULL : "it was not cancelled";
}

static const char *ask_again(struct shared *shared) {
    struct team_question question = {.scope = shared->scope, .limit = 5};
    struct team_intents in;
    struct error error = {0};
    enum err err = team_question_rows(shared->b, &question, &in, &error);
    bool five = in.n == 5;
    team_intents_clear(&in);
    return err == ERR_OK && five ? NULL : "it was not answered";
}

static void wait_for_waiting(const char *n) {
    char *said = NULL;
    int64_t until = clock_mono() + 20000;
    do {
        free(said);
        said = sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    } while (strncmp(said, n, strlen(n)) != 0 && clock_mono() < until);
    assert_memory_equal(said, n, strlen(n));
    free(said);
}

/* The table is held by another, and the question waits for it until it is given up. */
static void a_question_that_is_given_up_ends_there_too(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    pthread_t thread;
    void *fault = NULL;
    struct error error = {0};
    open_shared(&shared, 9);
    put(&shared, shared.a, 0, 5);
    struct team_connection *holder = &shared.a->connection;
    assert_int_equal(team_run_schema(holder, "BEGIN", &error), ERR_OK);
    assert_int_equal(team_run_schema(holder, "LOCK TABLE intents IN ACCESS EXCLUSIVE MODE", &error), ERR_OK);
    assert_int_equal(pthread_create(&thread, NULL, ask_slowly, &shared), 0);
    wait_for_waiting("1");
    atomic_store(&shared.dropped, true);
    assert_int_equal(pthread_join(thread, &fault), 0);
    assert_null(fault);
    wait_for_waiting("0");
    assert_int_equal(team_run_schema(holder, "ROLLBACK", &error), ERR_OK);
    assert_null(ask_again(&shared));
    close_shared(&shared);
}

static void what_is_whole_is_told_with_its_age(void **state) {
    (void)state;
    skip_without_postgres();
    struct shared shared;
    struct team_spans spans;
    struct error error = {0};
    open_shared(&shared, 10);
    assert_int_equal(team_span_add(shared.a, shared.scope, 1000, 2000, 60000, &error), ERR_OK);
    assert_int_equal(team_span_add(shared.b, shared.scope, 0, 5000, 0, &error), ERR_OK);
    assert_int_equal(team_span_add(shared.b, shared.scope, 4000, 9000, 0, &error), ERR_OK);
    assert_int_equal(team_spans(shared.a, shared.scope, &spans, &error), ERR_OK);
    assert_int_equal(spans.n, 2);
    assert_int_equal(spans.items[0].high, 5000);
    assert_string_equal(spans.items[0].who, "ben");
    assert_true(spans.items[0].age_ms >= 0 && spans.items[0].age_ms < 60000);
    team_spans_clear(&spans);
    close_shared(&shared);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_DESKS(what_one_desk_stored_the_other_takes_in_once),
        WITH_DESKS(a_row_comes_back_as_it_was_served),
        WITH_DESKS(what_was_confirmed_later_stays),
        WITH_DESKS(a_row_that_is_refused_does_not_stop_the_others),
        WITH_DESKS(of_two_with_one_id_the_later_is_put),
        WITH_DESKS(nothing_of_the_sealed_text_can_be_read_in_the_store),
        WITH_DESKS(changes_are_seen_in_the_order_of_their_numbers),
        WITH_DESKS(the_store_answers_as_the_evaluator_here),
        WITH_DESKS(fields_that_the_store_knows_are_asked_and_others_named),
        WITH_DESKS(counts_and_sums_are_of_each_currency_and_exact),
        WITH_DESKS(a_value_out_of_the_store_cannot_act_on_a_terminal),
        WITH_DESKS(a_question_that_is_given_up_ends_there_too),
        WITH_DESKS(what_is_whole_is_told_with_its_age),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
