#include "next.h"
#include "service.h"

#include "base/clock.h"
#include "base/mem.h"
#include "json_writer.h"
#include "wire/body.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_MAX = 10000, WORDS_MAX = 1000 };

struct words {
    char **items;
    size_t n, cap;
};

struct wanted {
    struct dataset_filter filter;
    struct words statuses;
    long long limit;
    const char *bad; /* parameter whose value is refused, NULL: none */
};

struct page {
    int64_t places[PAGE_MAX];
    size_t n;
    struct next_from from;
};

static void sandbox_list_add_word(struct words *words, const char *text, size_t len) {
    if (words->n < WORDS_MAX)
        *vec_add(words) = mem_dup_n(text, len);
}

static void clear_words(struct words *words) {
    for (size_t i = 0; i < words->n; i++)
        free(words->items[i]);
    free(words->items);
}

/* ---- the status filter in its styles ---- */

static void add_commas(struct words *words, const char *text) {
    for (;;) {
        size_t len = strcspn(text, ",");
        sandbox_list_add_word(words, text, len);
        if (text[len] == '\0')
            return;
        text += len + 1;
    }
}

static bool sandbox_list_add_json(struct words *words, const char *text) {
    struct body *body = NULL;
    if (body_read(text, strlen(text), &body, NULL) != ERR_OK)
        return false;
    size_t n = body_count(body_root(body));
    bool ok = body_kind(body_root(body)) == BODY_ARRAY;
    for (size_t i = 0; i < n; i++) {
        const char *word = body_string(body_item(body_root(body), i), NULL);
        ok = ok && word;
        sandbox_list_add_word(words, !word ? "" : word, !word ? 0 : strlen(word));
    }
    body_free(body);
    return ok;
}

/* `name[]` or `name[12]`. */
static bool has_brackets(const char *name, const char *param, bool digits) {
    size_t len = strlen(param);
    if (strncmp(name, param, len) != 0 || name[len] != '[')
        return false;
    const char *at = name + len + 1;
    size_t n = strspn(at, "0123456789");
    return (n > 0) == digits && strcmp(at + n, "]") == 0;
}

static void read_statuses(const struct style *style, const struct call *call, struct wanted *wanted) {
    const char *param = style_text(style, STYLE_STATUS_PARAM);
    bool brackets = style_is(style, STYLE_FILTER, "brackets");
    bool indexed = style_is(style, STYLE_FILTER, "indexed");
    for (size_t i = 0; i < call->query.n; i++) {
        const struct call_pair *pair = &call->query.items[i];
        bool named = brackets || indexed ? has_brackets(pair->name, param, indexed) : strcmp(pair->name, param) == 0;
        if (!named)
            continue;
        wanted->filter.by_status = true;
        if (style_is(style, STYLE_FILTER, "comma"))
            add_commas(&wanted->statuses, pair->value);
        else if (style_is(style, STYLE_FILTER, "json"))
            wanted->bad = sandbox_list_add_json(&wanted->statuses, pair->value) ? wanted->bad : param;
        else
            sandbox_list_add_word(&wanted->statuses, pair->value, strlen(pair->value));
    }
}

/* ---- all filters ---- */

static void know_statuses(const struct style *style, struct wanted *wanted) {
    for (size_t i = 0; i < wanted->statuses.n; i++) {
        enum gen_status status;
        if (gen_status_find(wanted->statuses.items[i], &status))
            wanted->filter.statuses |= 1u << status;
        else if (style_is(style, STYLE_UNKNOWN, "refuse"))
            wanted->bad = style_text(style, STYLE_STATUS_PARAM);
        else if (style_is(style, STYLE_UNKNOWN, "ignore"))
            wanted->filter.by_status = false;
    }
    wanted->filter.status_words = (const char *const *)wanted->statuses.items;
    wanted->filter.status_word_count = wanted->statuses.n;
}

static void read_type(const struct style *style, const struct call *call, struct wanted *wanted) {
    const char *param = style_text(style, STYLE_TYPE_PARAM);
    const char *text = call_find(&call->query, param);
    enum gen_type type;
    if (!text)
        return;
    wanted->filter.by_type = true;
    wanted->filter.type_word = text;
    if (gen_type_find(text, &type))
        wanted->filter.types = 1u << type;
    else if (style_is(style, STYLE_UNKNOWN, "refuse"))
        wanted->bad = param;
    else if (style_is(style, STYLE_UNKNOWN, "ignore"))
        wanted->filter.by_type = false;
}

static void sandbox_list_read_time(const struct call *call, const char *param, int64_t *out, struct wanted *wanted) {
    const char *text = param[0] == '\0' ? NULL : call_find(&call->query, param);
    if (!text)
        return;
    wanted->filter.by_time = true;
    long long number = 0;
    bool ok = str_to_int64(text, strlen(text), &number) ? clock_from_epoch(number, out)
                                                        : clock_parse(text, strlen(text), out);
    wanted->bad = ok ? wanted->bad : param;
}

static void read_limit(const struct service *service, const struct call *call, struct wanted *wanted) {
    const char *param = style_text(&service->style, STYLE_LIMIT_PARAM);
    const char *text = param[0] == '\0' ? NULL : call_find(&call->query, param);
    wanted->limit = service->page_size;
    if (!text)
        return;
    if (!str_to_int64(text, strlen(text), &wanted->limit) || wanted->limit < 1) {
        wanted->bad = param;
        wanted->limit = 1;
    }
    wanted->limit = wanted->limit > PAGE_MAX ? PAGE_MAX : wanted->limit;
}

static void read_wanted(const struct service *service, const struct call *call, struct wanted *wanted) {
    const struct style *style = &service->style;
    wanted->filter.after = INT64_MIN;
    wanted->filter.before = INT64_MAX;
    read_limit(service, call, wanted);
    if ((call->hit.flags & RULE_IGNORE_FILTER) != 0)
        return;
    read_statuses(style, call, wanted);
    know_statuses(style, wanted);
    read_type(style, call, wanted);
    sandbox_list_read_time(call, style_text(style, STYLE_AFTER_PARAM), &wanted->filter.after, wanted);
    sandbox_list_read_time(call, style_text(style, STYLE_BEFORE_PARAM), &wanted->filter.before, wanted);
}

/* ---- one page ---- */

/* Looks for one match beyond the page, so that a cursor is given only where it leads to rows. */
static void sandbox_list_collect(struct service *service, const struct wanted *wanted, int step, struct page *page) {
    int64_t place = page->from.start;
    while (place != page->from.beyond && !page->from.more) {
        if (!dataset_matches(service->dataset, place, &wanted->filter)) {
            place += step;
        } else if (page->n == (size_t)wanted->limit) {
            page->from.more = true;
            page->from.at = place;
        } else {
            page->places[page->n++] = place;
            place += step;
        }
    }
}

static void find_page(struct service *service, const struct call *call, const struct wanted *wanted, struct page *page,
                      const int64_t *cursor) {
    bool oldest = style_is(&service->style, STYLE_ORDER, "oldest");
    int64_t head = dataset_head(service->dataset);
    int64_t tail = dataset_tail(service->dataset);
    page->from.first = oldest ? tail : head;
    page->from.beyond = oldest ? head + 1 : tail - 1;
    page->from.start = !cursor || call->hit.cursor == RULE_CURSOR_FRESH ? page->from.first : *cursor;
    if (page->from.start < tail - 1)
        page->from.start = tail - 1;
    if (page->from.start > head + 1)
        page->from.start = head + 1;
    /* Beyond the other end there is nothing yet: begins at the end that exists. */
    if (page->from.start == (oldest ? tail - 1 : head + 1))
        page->from.start = page->from.first;
    if (tail > head)
        page->from.start = page->from.beyond;
    sandbox_list_collect(service, wanted, oldest ? 1 : -1, page);
    if (call->hit.cursor == RULE_CURSOR_BLANK) {
        page->from.more = page->from.more || page->n > 0;
        page->from.at = page->n > 0 ? page->places[0] : page->from.at;
        page->n = 0;
    }
}

static void render_rows(struct service *service, const struct page *page, struct str *rows) {
    str_add_char(rows, '[');
    for (size_t i = 0; i < page->n; i++) {
        if (i > 0)
            str_add_char(rows, ',');
        struct str one;
        str_init(&one, CALL_ANSWER_MAX);
        dataset_render(service->dataset, page->places[i], &one);
        str_add_n(rows, one.s, one.len);
        str_clear(&one);
    }
    str_add_char(rows, ']');
}

static void put_next_header(const struct service *service, struct call *call, const struct next *next) {
    const char *where = style_text(&service->style, STYLE_NEXT);
    if (next->text.len == 0)
        return;
    if (str_starts(where, "header:")) {
        call_add(&call->answer_headers, where + 7, next->text.s);
    } else if (strcmp(where, "link") == 0) {
        struct str link;
        str_init(&link, 1 << 20);
        str_addf(&link, "<%s>; rel=\"next\"", next->text.s);
        call_add(&call->answer_headers, "Link", link.s);
        str_clear(&link);
    }
}

static void assemble(const struct service *service, struct call *call, const struct page *page, const struct str *rows,
                     const struct next *next) {
    const struct style *style = &service->style;
    const char *where = style_text(style, STYLE_NEXT);
    bool in_header = str_starts(where, "header:") || strcmp(where, "link") == 0;
    struct json_write_field fields[3];
    size_t n = 0;
    put_next_header(service, call, next);
    if (style_text(style, STYLE_DATA)[0] == '\0') {
        str_add_n(&call->answer, rows->s, rows->len);
        return;
    }
    fields[n++] = (struct json_write_field){style_text(style, STYLE_DATA), rows->s};
    if (!in_header && next->json.len > 0)
        fields[n++] = (struct json_write_field){where, next->json.s};
    if (style_text(style, STYLE_HAS_MORE)[0] != '\0')
        fields[n++] = (struct json_write_field){style_text(style, STYLE_HAS_MORE), page->from.more ? "true" : "false"};
    json_write_nested(&call->answer, fields, n);
}

static void answer_page(struct service *service, struct call *call, const struct wanted *wanted,
                        const int64_t *cursor) {
    struct page *page = mem_new(sizeof *page);
    struct next next;
    struct str rows;
    str_init(&rows, CALL_ANSWER_MAX);
    dataset_lock_read(service->dataset);
    find_page(service, call, wanted, page, cursor);
    render_rows(service, page, &rows);
    dataset_unlock(service->dataset);
    next_make(service, call, &page->from, &next);
    call->status = 200;
    call->type = "application/json";
    assemble(service, call, page, &rows, &next);
    next_clear(&next);
    str_clear(&rows);
    free(page);
}

void service_list(struct service *service, struct call *call) {
    struct wanted wanted = {0};
    struct error error = {0};
    int64_t cursor = 0;
    bool given = false;
    read_wanted(service, call, &wanted);
    if (wanted.bad) {
        const struct fault fault = {400, "invalid_parameter", "The value of this parameter is not known.", wanted.bad};
        service_error(service, call, &fault);
    } else if (next_read(service, call, &given, &cursor, &error) != ERR_OK) {
        const struct fault fault = {400, "invalid_cursor", error.text, style_text(&service->style, STYLE_CURSOR_PARAM)};
        service_error(service, call, &fault);
    } else {
        answer_page(service, call, &wanted, given ? &cursor : NULL);
    }
    clear_words(&wanted.statuses);
}
