#include "query/field.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/utf8.h"
#include "scan.h"

#include <string.h>

static const struct query_field fields[QUERY_FIELD_COUNT] = {
#define OPEN false
#define PERSONAL true
#define FILTER(code, field, rank, name, type, sense, ops, cell, privacy, help) \
    {name, QUERY_##type, QUERY_##sense, QUERY_OPS_##ops, CELLS_##cell, INTENT_FIELD_##field, privacy, help},
#include "model/fields.def"
#undef OPEN
#undef PERSONAL
};

/* By rank: the field plus 1; 0: no field has this rank. */
static const unsigned char ranked[] = {
#define FILTER(code, field, rank, name, type, sense, ops, cell, privacy, help) [rank] = QUERY_##code##_FIELD + 1,
#include "model/fields.def"
};

_Static_assert(QUERY_FLAG_COUNT <= 64, "the flags of a test are the bits of 64");
static const struct query_flag_info flags[QUERY_FLAG_COUNT] = {
#define X(code, field, name, help) {QUERY_##field##_FIELD, name, help},
    QUERY_FLAG_TABLE(X)
#undef X
};

static const struct {
    const char *text, *help;
} ops[QUERY_OP_COUNT] = {
#define X(code, text, help) {text, help},
    QUERY_OP_TABLE(X)
#undef X
};

const struct query_field *query_field(enum query_field_code code) {
    return &fields[code];
}

bool query_field_next(unsigned *rank, enum query_field_code *out) {
    while (*rank < COUNT_OF(ranked) && ranked[*rank] == 0)
        ++*rank;
    if (*rank >= COUNT_OF(ranked))
        return false;
    *out = (enum query_field_code)(ranked[(*rank)++] - 1);
    return true;
}

const struct query_flag_info *query_flag_info(enum query_flag flag) {
    return &flags[flag];
}

unsigned query_flag_findings(enum query_flag flag) {
    if (flag == QUERY_HAS_FINDING)
        return FINDING_BIT(FINDING_COUNT) - 1;
    return flag < QUERY_FINDING_SUM || flag >= QUERY_FLAG_COUNT ? 0 : FINDING_BIT(flag - QUERY_FINDING_SUM);
}

bool query_field_is_of_events(enum query_field_code code) {
    static const enum query_field_code CODES[] = {
        QUERY_ID_FIELD,   QUERY_STATUS_FIELD,  QUERY_TYPE_FIELD, QUERY_USER_FIELD, QUERY_CREATED_FIELD,
        QUERY_HOUR_FIELD, QUERY_WEEKDAY_FIELD, QUERY_AGE_FIELD,  QUERY_HAS_FIELD,  QUERY_IS_FIELD};
    for (size_t i = 0; i < COUNT_OF(CODES); i++)
        if (CODES[i] == code)
            return true;
    return false;
}

bool query_flag_is_of_events(enum query_flag flag) {
    return flag == QUERY_IS_VERIFIED || flag == QUERY_HAS_STATUS || flag == QUERY_HAS_TYPE || flag == QUERY_HAS_USER;
}

enum cells_text query_flag_text(enum query_flag flag) {
    static const unsigned char TEXTS[QUERY_FLAG_COUNT] = {
        [QUERY_HAS_DECLINE] = CELLS_DECLINE + 1,   [QUERY_HAS_STATUS] = CELLS_STATUS + 1,
        [QUERY_HAS_TYPE] = CELLS_TYPE + 1,         [QUERY_HAS_RAIL] = CELLS_RAIL + 1,
        [QUERY_HAS_CURRENCY] = CELLS_CURRENCY + 1, [QUERY_HAS_BRAND] = CELLS_BRAND + 1,
        [QUERY_HAS_BANK] = CELLS_BANK + 1,         [QUERY_HAS_USER] = CELLS_USER + 1,
    };
    return TEXTS[flag] > 0 ? (enum cells_text)(TEXTS[flag] - 1) : CELLS_TEXT_COUNT;
}

const char *query_op_text(enum query_op op) {
    return ops[op].text;
}

const char *query_op_help(enum query_op op) {
    return ops[op].help;
}

static bool query_field_same(const char *name, const char *text, size_t len) {
    return strlen(name) == len && ascii_compare_n(name, text, len) == 0;
}

/* Other names of a field, on the screen, in a CSV's header or in the interface document. */
static const struct {
    const char *name;
    enum query_field_code code;
} aliases[] = {
#define ALIAS(filter, name) {name, QUERY_##filter##_FIELD},
#include "model/fields.def"
};

static bool is_path_of(const struct query_field *field, const char *name, size_t len) {
    return field->field != INTENT_FIELD_COUNT && query_field_same(intent_field_path(field->field), name, len);
}

enum query_field_code query_field_find(const char *name, size_t len) {
    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++)
        if (query_field_same(fields[i].name, name, len))
            return (enum query_field_code)i;
    for (size_t i = 0; i < COUNT_OF(aliases); i++)
        if (query_field_same(aliases[i].name, name, len))
            return aliases[i].code;
    for (unsigned i = 0; i < QUERY_FIELD_COUNT; i++)
        if (is_path_of(&fields[i], name, len))
            return (enum query_field_code)i;
    return QUERY_FIELD_COUNT;
}

enum query_flag query_flag_find(enum query_field_code field, const char *name, size_t len) {
    for (unsigned i = 0; i < QUERY_FLAG_COUNT; i++)
        if (flags[i].field == field && query_field_same(flags[i].name, name, len))
            return (enum query_flag)i;
    return QUERY_FLAG_COUNT;
}

static const char *known_flag(enum query_field_code code, size_t i) {
    for (size_t at = 0; at < QUERY_FLAG_COUNT; at++)
        if (flags[at].field == code && i-- == 0)
            return flags[at].name;
    return NULL;
}

static const char *known_time(size_t i) {
    static const char *const times[] = {"today", "yesterday", "-24h", "-7d"};
    size_t n = COUNT_OF(times);
    return i < n ? times[i] : i - n < VALUE_WEEKDAYS ? value_weekdays[i - n] : NULL;
}

static const char *known_age(size_t i) {
    static const char *const ages[] = {"1h", "24h", "3d", "7d", "30d"};
    return i < COUNT_OF(ages) ? ages[i] : NULL;
}

const char *query_field_known(enum query_field_code code, size_t i) {
    if (code == QUERY_STATUS_FIELD)
        return i < INTENT_STATUS_COUNT ? intent_status_name((enum intent_status)i) : NULL;
    if (code == QUERY_TYPE_FIELD)
        return intent_type_name(i);
    if (fields[code].type == QUERY_TIME)
        return known_time(i);
    if (fields[code].type == QUERY_SPAN)
        return known_age(i);
    if (code == QUERY_TRANSITION_FIELD)
        return i < TRANSITION_COUNT ? transition_name((unsigned)i) : NULL;
    if (code == QUERY_WEEKDAY_FIELD)
        return i < VALUE_WEEKDAYS ? value_weekdays[i] : NULL;
    return fields[code].type == QUERY_FLAG ? known_flag(code, i) : NULL;
}

const char *query_field_named(enum query_field_code code, const char *value) {
    enum { FOLDED_MAX = 1 << 15 };
    const char *name = NULL;
    struct str folded;
    str_init(&folded, FOLDED_MAX);
    utf8_fold(&folded, value, strlen(value));
    for (size_t i = 0; (name = query_field_known(code, i)) && strcmp(name, folded.s) != 0; i++)
        continue;
    str_clear(&folded);
    return name;
}

const char *query_field_shown(enum query_field_code code, size_t i, const char **served) {
    static const char *const words[][2] = {{"in", "cash_in"}, {"out", "cash_out"}};
    if (code != QUERY_DIRECTION_FIELD || i >= COUNT_OF(words))
        return NULL;
    *served = words[i][1];
    return words[i][0];
}

struct near {
    const char **names;
    size_t n, scores[QUERY_NEAR_MAX];
};

/* A name that begins or ends with what is typed is similar, whatever is missing. */
static size_t score(const char *typed, size_t len, const char *name) {
    size_t name_len = strlen(name);
    if (len >= 2 && len < name_len &&
        (ascii_compare_n(name, typed, len) == 0 || ascii_compare_n(name + name_len - len, typed, len) == 0))
        return 1;
    if (name_len >= 4 && len > name_len && ascii_compare_n(name, typed, name_len) == 0)
        return 2;
    return edit_distance(typed, len, name, name_len, true);
}

static void consider(struct near *near, const char *typed, size_t len, const char *name) {
    size_t points = score(typed, len, name);
    if (points > 1 + len / 3)
        return;
    size_t at = near->n;
    while (at > 0 && near->scores[at - 1] > points)
        at--;
    if (at == QUERY_NEAR_MAX)
        return;
    if (near->n < QUERY_NEAR_MAX)
        near->n++;
    for (size_t i = near->n - 1; i > at; i--) {
        near->names[i] = near->names[i - 1];
        near->scores[i] = near->scores[i - 1];
    }
    near->names[at] = name;
    near->scores[at] = points;
}

size_t query_field_near(const char *name, size_t len, const char *near[QUERY_NEAR_MAX]) {
    struct near found = {.names = near};
    enum query_field_code code;
    for (unsigned rank = 0; len > 0 && len <= EDIT_WORD_MAX && query_field_next(&rank, &code);)
        consider(&found, name, len, fields[code].name);
    return found.n;
}

size_t query_name_near(const char *name, size_t len, const char *const *names, size_t n,
                       const char *near[QUERY_NEAR_MAX]) {
    struct near found = {.names = near};
    for (size_t i = 0; i < n && len > 0 && len <= EDIT_WORD_MAX; i++)
        if (strlen(names[i]) <= EDIT_WORD_MAX)
            consider(&found, name, len, names[i]);
    return found.n;
}

size_t query_known_near(enum query_field_code field, const char *name, size_t len, const char *near[QUERY_NEAR_MAX]) {
    struct near found = {.names = near};
    const char *known;
    for (size_t i = 0; len > 0 && len <= EDIT_WORD_MAX && (known = query_field_known(field, i)); i++)
        consider(&found, name, len, known);
    return found.n;
}
