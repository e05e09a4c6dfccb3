#include "own.h"

#include "arrays.h"
#include "columns.h"
#include "team/intents.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/seal.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { LEVEL = 3, RAW_MAX = 16 << 20, PUT_MAX = 64 << 20, SINCE_LIMIT = 500 };

int64_t team_scope_of(struct team *team, const char *kind, const char *origin, const char *account) {
    struct team_digest digest;
    team_digest_of(team, kind, origin, account, "", "", 0, &digest);
    digest.hex[15] = '\0';
    return strtoll(digest.hex, NULL, 16);
}

int64_t team_scope(struct team *team, const char *origin, const char *account) {
    return team_scope_of(team, "scope", origin, account);
}

/* ---- one row ---- */

void team_seal_intent(struct team *team, const char *raw, size_t len, struct str *out) {
    size_t room = ZSTD_compressBound(len);
    char *packed = mem_new_array(room, 1);
    size_t used = ZSTD_compress(packed, room, raw, len, LEVEL);
    if (ZSTD_isError(used))
        mem_fatal("an intent cannot be compressed");
    seal_make(out, &team->key, packed, used);
    free(packed);
}

/* false: of another key, or damaged. */
static bool unseal_raw(struct team *team, const char *sealed, size_t len, struct str *out) {
    struct str packed;
    str_init(&packed, RAW_MAX);
    bool whole = seal_open(&packed, &team->key, sealed, len);
    unsigned long long size = whole ? ZSTD_getFrameContentSize(packed.s, packed.len) : 0;
    whole = whole && size > 0 && size < RAW_MAX;
    char *raw = whole ? mem_new_array(size, 1) : NULL;
    whole = whole && ZSTD_decompress(raw, size, packed.s, packed.len) == size;
    if (whole)
        str_add_n(out, raw, size);
    free(raw);
    str_clear(&packed);
    return whole;
}

/* ---- storing ---- */

/* PostgreSQL's texts hold no NUL. */
static bool fits_column(const struct cells_slice *slice) {
    return slice->s && slice->len <= TEAM_TEXT_MAX && !memchr(slice->s, '\0', slice->len);
}

static void add_array_slice(struct str *array, const struct cells_slice *slice) {
    if (fits_column(slice))
        array_add_text(array, slice->s, slice->len);
    else
        array_add_null(array);
}

static void add_array_number(struct str *array, bool there, int64_t number) {
    if (there)
        array_add_number(array, number);
    else
        array_add_null(array);
}

/* The arrays of INTENTS_PUT, from its third value on. */
enum {
    ARRAY_CREATED,
    ARRAY_ID,
    ARRAY_CONFIRMED,
    ARRAY_WORDS,
    ARRAY_AMOUNT = ARRAY_WORDS + TEAM_WORDS,
    ARRAY_GUARANTEE,
    ARRAY_IDS,
    ARRAY_FLAGS = ARRAY_IDS + TEAM_IDS,
    ARRAY_RAW,
    ARRAYS
};

struct put_steps {
    struct team *team;
    int64_t scope, change;
    int64_t began; /* monotonic ms: the ages of the rows are as of then */
    const struct team_intent *rows;
    size_t n;
    struct str arrays[ARRAYS], fields, words;
    bool too_large, halved;
};

static void add_put_row(struct put_steps *steps, const struct team_intent *row, int64_t now) {
    const struct cells *cells = &row->cells;
    struct str *arrays = steps->arrays, sealed;
    add_array_number(&arrays[ARRAY_CREATED], true, cells->flags & CELLS_CREATED_OK ? cells->created_ms : TEAM_UNDATED);
    add_array_slice(&arrays[ARRAY_ID], &cells->text[CELLS_ID]);
    add_array_number(&arrays[ARRAY_CONFIRMED], true, now - row->age_ms);
    for (size_t i = 0; i < TEAM_WORDS; i++)
        add_array_slice(&arrays[ARRAY_WORDS + i], &cells->text[TEAM_WORD_COLUMNS[i].text]);
    add_array_number(&arrays[ARRAY_AMOUNT], cells->flags & CELLS_AMOUNT_OK, cells->amount);
    add_array_number(&arrays[ARRAY_GUARANTEE], cells->flags & CELLS_GUARANTEE_OK, cells->guarantee);
    for (size_t i = 0; i < TEAM_IDS; i++)
        add_array_slice(&arrays[ARRAY_IDS + i], &cells->text[TEAM_ID_COLUMNS[i].text]);
    add_array_number(&arrays[ARRAY_FLAGS], true, cells->flags);
    str_init(&sealed, RAW_MAX);
    team_seal_intent(steps->team, row->raw, row->raw_len, &sealed);
    steps->too_large = steps->too_large || sealed.truncated;
    array_add_bytes(&arrays[ARRAY_RAW], &sealed);
    str_clear(&sealed);
}

static bool text_is_listed(const struct str *array, const struct str *one) {
    return memmem(array->s, array->len, one->s, one->len) != NULL;
}

/* A word with its field, once: both arrays grow together. */
static void note_word(struct put_steps *steps, struct str *known, const char *field, const struct cells_slice *word) {
    struct str one;
    if (!fits_column(word))
        return;
    str_init(&one, RAW_MAX);
    str_addf(&one, "\n%s ", field);
    str_add_n(&one, word->s, word->len);
    str_add_char(&one, '\n');
    if (!text_is_listed(known, &one)) {
        str_add_n(known, one.s, one.len);
        array_add_text(&steps->fields, field, strlen(field));
        array_add_text(&steps->words, word->s, word->len);
    }
    str_clear(&one);
}

static void add_put_words(struct put_steps *steps) {
    struct str known;
    str_init(&known, PUT_MAX);
    array_begin(&steps->fields);
    array_begin(&steps->words);
    for (size_t i = 0; i < steps->n; i++)
        for (size_t w = 0; w < TEAM_WORDS; w++)
            note_word(steps, &known, TEAM_WORD_COLUMNS[w].name, &steps->rows[i].cells.text[TEAM_WORD_COLUMNS[w].text]);
    array_end(&steps->fields);
    array_end(&steps->words);
    str_clear(&known);
}

static bool has_that_id(const struct team_intent *row, const struct team_intent *other) {
    const struct cells_slice *a = &row->cells.text[CELLS_ID], *b = &other->cells.text[CELLS_ID];
    return a->len == b->len && memcmp(a->s, b->s, a->len) == 0;
}

/* A row without an id has nothing to be known by. */
static bool has_fit_id(const struct team_intent *row) {
    const struct cells_slice *id = &row->cells.text[CELLS_ID];
    return fits_column(id) && id->len > 0;
}

/* All that a question can be about is in its column. */
static bool can_be_asked_for(const struct team_intent *row) {
    const struct cells_slice *text = row->cells.text;
    bool fits = has_fit_id(row);
    for (size_t i = 0; i < TEAM_WORDS && fits; i++)
        fits = !text[TEAM_WORD_COLUMNS[i].text].s || fits_column(&text[TEAM_WORD_COLUMNS[i].text]);
    for (size_t i = 0; i < TEAM_IDS && fits; i++)
        fits = !text[TEAM_ID_COLUMNS[i].text].s || fits_column(&text[TEAM_ID_COLUMNS[i].text]);
    return fits;
}

/* One statement must not meet a row twice: the one confirmed last is put, of several the first. */
static bool is_to_be_put(const struct put_steps *steps, size_t i) {
    const struct team_intent *row = &steps->rows[i];
    bool put = has_fit_id(row);
    for (size_t at = 0; at < steps->n && put; at++) {
        const struct team_intent *other = &steps->rows[at];
        bool later = at < i ? other->age_ms <= row->age_ms : other->age_ms < row->age_ms;
        put = at == i || !later || !has_fit_id(other) || !has_that_id(row, other);
    }
    return put;
}

static enum err make_put_arrays(struct put_steps *steps, int64_t now, struct error *error) {
    steps->too_large = steps->fields.truncated || steps->words.truncated;
    for (size_t i = 0; i < ARRAYS; i++)
        array_begin(&steps->arrays[i]);
    for (size_t i = 0; i < steps->n; i++)
        if (is_to_be_put(steps, i))
            add_put_row(steps, &steps->rows[i], now);
    for (size_t i = 0; i < ARRAYS; i++) {
        array_end(&steps->arrays[i]);
        steps->too_large = steps->too_large || steps->arrays[i].truncated;
    }
    return steps->too_large ? error_set(error, ERR_LIMIT, "rows are too large for the team's store") : ERR_OK;
}

static enum err take_next_change(struct put_steps *steps, int64_t *now, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows;
    team_value_number(&values, steps->scope);
    enum err err = team_run(&steps->team->connection, TSQL_CHANGE_NEXT, &values, &rows, error);
    if (err == ERR_OK && rows.n == 1) {
        steps->change = team_number(&rows, 0, 0);
        *now = team_number(&rows, 0, 1);
    }
    team_rows_clear(&rows);
    return err;
}

static enum err put_words(struct put_steps *steps, struct error *error) {
    struct team_values values = {0};
    team_value_number(&values, steps->scope);
    team_value(&values, steps->fields.s);
    team_value(&values, steps->words.s);
    return team_run(&steps->team->connection, TSQL_WORDS_PUT, &values, NULL, error);
}

static enum err put_intent_rows(void *context, struct error *error) {
    struct put_steps *steps = context;
    struct team_values values = {0};
    int64_t now = 0, passed = clock_mono() - steps->began;
    enum err err = take_next_change(steps, &now, error);
    if (err == ERR_OK)
        err = make_put_arrays(steps, now - passed, error);
    if (err != ERR_OK)
        return err;
    team_value_number(&values, steps->scope);
    team_value_number(&values, steps->change);
    for (size_t i = 0; i < ARRAYS; i++)
        team_value(&values, steps->arrays[i].s);
    err = team_run(&steps->team->connection, TSQL_INTENTS_PUT, &values, NULL, error);
    return err == ERR_OK ? put_words(steps, error) : err;
}

/* It is what the rows hold, and neither the connection nor the store: a value that does not fit (22), a rule of a
 * column (23), a limit of the engine (54). */
static bool rows_are_refused(const struct team_connection *connection, enum err err) {
    static const char *const CLASSES[] = {"22", "23", "54"};
    bool refused = err == ERR_LIMIT;
    if (!connection->conn || team_state_is(connection, "23505")) /* others took the same number, again and again */
        return false;
    for (size_t i = 0; i < COUNT_OF(CLASSES); i++)
        refused = refused || strncmp(connection->sqlstate, CLASSES[i], strlen(CLASSES[i])) == 0;
    return refused;
}

/* Where rows are refused, one half after the other, down to the row that is. */
static enum err put_or_halve(struct put_steps *steps, const struct team_intent *rows, size_t n, struct team_put *out,
                             struct error *error) {
    struct team_connection *connection = &steps->team->connection;
    struct error fault = {0};
    steps->rows = rows;
    steps->n = n;
    add_put_words(steps);
    enum err err = team_transaction(connection, put_intent_rows, steps, &fault);
    if (err == ERR_OK)
        return err;
    if (!rows_are_refused(connection, err))
        return error_set(error, err, "%s", fault.text);
    steps->halved = true;
    out->left_out += n == 1 && can_be_asked_for(rows);
    err = n > 1 ? put_or_halve(steps, rows, n / 2, out, error) : ERR_OK;
    return err == ERR_OK && n > 1 ? put_or_halve(steps, rows + n / 2, n - n / 2, out, error) : err;
}

enum err team_intents_put(struct team *team, int64_t scope, const struct team_intent *rows, size_t n,
                          struct team_put *out, struct error *error) {
    struct put_steps steps = {.team = team, .scope = scope, .began = clock_mono()};
    struct team_put put = {0};
    enum err err = team_use(team, true, error);
    if (err != ERR_OK || n == 0)
        return err;
    for (size_t i = 0; i < ARRAYS; i++)
        str_init(&steps.arrays[i], PUT_MAX);
    str_init(&steps.fields, PUT_MAX);
    str_init(&steps.words, PUT_MAX);
    for (size_t i = 0; i < n; i++)
        put.left_out += !can_be_asked_for(&rows[i]);
    err = put_or_halve(&steps, rows, n, &put, error);
    put.change = steps.halved ? 0 : steps.change;
    if (out)
        *out = put;
    for (size_t i = 0; i < ARRAYS; i++)
        str_clear(&steps.arrays[i]);
    str_clear(&steps.fields);
    str_clear(&steps.words);
    return err;
}

/* ---- taking in ---- */

/* Columns of INTENTS_SINCE. */
enum { SINCE_CHANGE, SINCE_ID, SINCE_CONFIRMED, SINCE_NOW, SINCE_RAW };

bool team_take_intent(struct team *team, struct arena *arena, const char *hex, int64_t age, struct team_intent *out) {
    struct str sealed, raw;
    str_init(&sealed, RAW_MAX);
    str_init(&raw, RAW_MAX);
    bool whole = hex && digest_from_hex(&sealed, hex, strlen(hex)) && unseal_raw(team, sealed.s, sealed.len, &raw);
    if (whole)
        *out = (struct team_intent){arena_dup_n(arena, raw.s, raw.len), raw.len, age < 0 ? 0 : age, {0}};
    str_clear(&sealed);
    str_clear(&raw);
    return whole;
}

static void take_since(struct team *team, const struct team_rows *rows, struct team_intents *out) {
    out->items = mem_new_array((size_t)rows->n + 1, sizeof *out->items);
    for (int i = 0; i < rows->n; i++) {
        int64_t age = team_number(rows, i, SINCE_NOW) - team_number(rows, i, SINCE_CONFIRMED);
        if (team_take_intent(team, &out->arena, team_text(rows, i, SINCE_RAW), age, &out->items[out->n]))
            out->n++;
        else
            out->sealed++;
    }
    out->more = rows->n == SINCE_LIMIT;
}

static void move_place(struct team_place_of_changes *place, const struct team_rows *rows) {
    if (rows->n == 0)
        return;
    free(place->id);
    place->change = team_number(rows, rows->n - 1, SINCE_CHANGE);
    place->id = mem_dup(team_text(rows, rows->n - 1, SINCE_ID));
}

enum err team_change_last(struct team *team, int64_t scope, int64_t *change, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows = {0};
    *change = 0;
    enum err err = team_use(team, true, error);
    team_value_number(&values, scope);
    if (err == ERR_OK)
        err = team_run(&team->connection, TSQL_CHANGE_LAST, &values, &rows, error);
    if (err == ERR_OK && rows.n == 1)
        *change = team_number(&rows, 0, 0);
    team_rows_clear(&rows);
    return err;
}

enum err team_intents_since(struct team *team, int64_t scope, struct team_place_of_changes *place,
                            struct team_intents *out, struct error *error) {
    struct team_values values = {0};
    struct team_rows rows = {0};
    *out = (struct team_intents){0};
    enum err err = team_use(team, true, error);
    team_value_number(&values, scope);
    team_value_number(&values, place->change);
    team_value(&values, place->id ? place->id : "");
    team_value_number(&values, place->oldest);
    if (err == ERR_OK)
        err = team_run(&team->connection, TSQL_INTENTS_SINCE, &values, &rows, error);
    if (err == ERR_OK) {
        take_since(team, &rows, out);
        move_place(place, &rows);
    }
    team_rows_clear(&rows);
    return err;
}

void team_intents_clear(struct team_intents *intents) {
    free(intents->items);
    arena_clear(&intents->arena);
    *intents = (struct team_intents){0};
}

/* ---- what the store has whole ---- */

struct span_steps {
    struct team *team;
    int64_t scope, low, high, age;
    int64_t began; /* monotonic ms: the age is as of then */
};

static void span_values(const struct span_steps *steps, struct team_values *values) {
    team_value_number(values, steps->scope);
    team_value_number(values, steps->low);
    team_value_number(values, steps->high);
}

static enum err store_span(void *context, struct error *error) {
    struct span_steps *steps = context;
    struct team *team = steps->team;
    struct team_values within = {0}, values = {0};
    span_values(steps, &within);
    enum err err = team_run(&team->connection, TSQL_SPANS_WITHIN_DROP, &within, NULL, error);
    span_values(steps, &values);
    team_value_number(&values, steps->age + clock_mono() - steps->began);
    team_value(&values, team->place.who);
    team_value(&values, team->place.host);
    return err == ERR_OK ? team_run(&team->connection, TSQL_SPAN_ADD, &values, NULL, error) : err;
}

enum err team_span_add(struct team *team, int64_t scope, int64_t low, int64_t high, int64_t age_ms,
                       struct error *error) {
    struct span_steps steps = {team, scope, low, high, age_ms, clock_mono()};
    enum err err = team_use(team, true, error);
    return err == ERR_OK ? team_transaction(&team->connection, store_span, &steps, error) : err;
}
