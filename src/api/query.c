#include "api/api.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <string.h>

static void query_fold(struct cells_slice word, struct str *out) {
    str_init(out, 32 * word.len + 32);
    utf8_fold(out, word.s, word.len);
}

static bool query_is_ascii(struct cells_slice word) {
    for (size_t i = 0; i < word.len; i++)
        if ((unsigned char)word.s[i] >= 0x80)
            return false;
    return true;
}

/* Compares as the filter language compares words: otherwise a row that it finds could be taken for one that the service
 * should not have sent. */
static bool is_same_word(const char *asked, struct cells_slice served) {
    struct cells_slice wanted = {asked, strlen(asked)};
    struct str a, b;
    if (!served.s)
        return false;
    /* In a cache of a million rows, folding each would take too long. */
    if (query_is_ascii(wanted) && query_is_ascii(served))
        return wanted.len == served.len && ascii_compare_n(wanted.s, served.s, wanted.len) == 0;
    query_fold(wanted, &a);
    query_fold(served, &b);
    bool same = str_equal(a.s, b.s);
    str_clear(&a);
    str_clear(&b);
    return same;
}

static bool query_is_one_of(const struct list_query *query, struct cells_slice status) {
    size_t set = 0;
    for (size_t i = 0; i < query->n_statuses; i++) {
        if (!query->statuses[i] || !*query->statuses[i])
            continue;
        if (is_same_word(query->statuses[i], status))
            return true;
        set++;
    }
    return set == 0;
}

/* The document does not say whether the ends are included, so a row at one of them fits either way. So does a row whose
 * time names no zone: which day that is, the local part of the filter decides. */
static bool query_is_within(const struct list_query *query, const struct cells *row) {
    int64_t end;
    if (row->flags & CELLS_CREATED_BARE)
        return true;
    bool known = row->flags & CELLS_CREATED_OK;
    if (query->after && clock_parse(query->after, strlen(query->after), &end) && (!known || row->created_ms < end))
        return false;
    return !query->before || !clock_parse(query->before, strlen(query->before), &end) ||
           (known && row->created_ms <= end);
}

bool api_row_matches(const struct list_query *query, const struct cells *row) {
    bool typed = query->type && *query->type;
    return (!typed || is_same_word(query->type, row->text[CELLS_TYPE])) &&
           query_is_one_of(query, row->text[CELLS_STATUS]) && query_is_within(query, row);
}

static struct cells_slice slice_of(const struct value_text *value) {
    bool there = value->state == VALUE_OK || value->state == VALUE_ODD;
    return there ? (struct cells_slice){value->text, strlen(value->text)} : (struct cells_slice){0};
}

static struct cells query_cells_of(const struct intent *row) {
    const struct value_time *created = &row->created_at;
    bool dated = created->state == VALUE_OK;
    return (struct cells){.created_ms = dated ? created->ms : 0,
                          .flags = (dated ? CELLS_CREATED_OK : 0U) | (cells_is_bare(created) ? CELLS_CREATED_BARE : 0U),
                          .text = {[CELLS_TYPE] = slice_of(&row->type), [CELLS_STATUS] = slice_of(&row->status)}};
}

bool api_intent_matches(const struct list_query *query, const struct intent *intent) {
    struct cells cells = query_cells_of(intent);
    return intent->broken || api_row_matches(query, &cells);
}

bool api_page_matches(const struct list_query *query, const struct page *page, size_t *index) {
    for (size_t i = 0; i < page->n; i++) {
        if (page->items[i] && !api_intent_matches(query, page->items[i])) {
            *index = i;
            return false;
        }
    }
    return true;
}

static void add_term(struct str *out, const char *name, const char *value) {
    if (!value || !*value)
        return;
    if (out->len)
        str_add_char(out, ' ');
    str_addf(out, "%s:%s", name, value);
}

void api_query_text(const struct list_query *query, struct str *out) {
    struct str statuses;
    str_init(&statuses, out->max);
    for (size_t i = 0; i < query->n_statuses; i++) {
        if (!query->statuses[i] || !*query->statuses[i])
            continue;
        if (statuses.len)
            str_add_char(&statuses, ',');
        str_add(&statuses, query->statuses[i]);
    }
    add_term(out, "status", statuses.s);
    add_term(out, "type", query->type);
    const char *after = query->after ? query->after : "", *before = query->before ? query->before : "";
    if (*after || *before)
        str_addf(out, "%screated:%s..%s", out->len ? " " : "", after, before);
    str_clear(&statuses);
}
