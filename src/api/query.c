#include "api/api.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <string.h>

static void fold(const char *word, struct str *out) {
    str_init(out, 32 * strlen(word) + 32);
    utf8_fold(out, word, strlen(word));
}

/* As the filter language compares words: a row that it finds must not be taken for one that was not asked for. */
static bool is_same_word(const char *asked, const char *served) {
    struct str a, b;
    if (!served || str_equal(asked, served))
        return served != NULL;
    fold(asked, &a);
    fold(served, &b);
    bool same = str_equal(a.s, b.s);
    str_clear(&a);
    str_clear(&b);
    return same;
}

static bool is_one_of(const struct list_query *query, const char *status) {
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

/* Whether the ends are included is not shown: a row at one of them fits either way. */
static bool is_within(const struct list_query *query, const struct value_time *created) {
    int64_t end;
    bool known = created->state == VALUE_OK;
    if (query->after && clock_parse(query->after, strlen(query->after), &end) && (!known || created->ms < end))
        return false;
    return !query->before || !clock_parse(query->before, strlen(query->before), &end) || (known && created->ms <= end);
}

static bool row_matches(const struct list_query *query, const struct intent *row) {
    bool typed = query->type && *query->type;
    return (!typed || (row->type.state == VALUE_OK && is_same_word(query->type, row->type.text))) &&
           is_one_of(query, row->status.state == VALUE_OK ? row->status.text : NULL) &&
           is_within(query, &row->created_at);
}

bool api_page_matches(const struct list_query *query, const struct page *page, size_t *index) {
    for (size_t i = 0; i < page->n; i++) {
        const struct intent *row = page->items[i];
        if (!row || row->broken || row_matches(query, row))
            continue;
        *index = i;
        return false;
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
