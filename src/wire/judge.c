/* How an answer is judged, for lists, users and webhooks alike: whether it says that it failed or that it is not whole,
 * or has its rows in another place. */

#include "judge.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "says.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 2048, ENVELOPES_MAX = 3, LIST_DEPTH_MAX = 4, PATH_MAX_BYTES = 100, RANK_ROWS = 4 };

static void judge_member(unsigned roles, const json_t *value, struct wire_verdict *out) {
    enum says_word word = roles & FAILS_WORD ? says_word(value) : WORD_FINE;
    out->failed = out->failed || word == WORD_FAILURE || (roles & FAILS_FILLED && says_anything(value)) ||
                  (roles & FAILS_FALSE && says_no(value)) || (roles & FAILS_TRUE && says_yes(value));
    out->denied = out->denied || word == WORD_DENIAL;
    out->doubtful = out->doubtful || word == WORD_STATE || (roles & DOUBTS_FALSE && says_no(value));
    out->partial = out->partial || word == WORD_PART || (roles & PART_TRUE && says_yes(value)) ||
                   (roles & PART_FALSE && json_is_false(value));
}

bool judge_is_row(const json_t *value) {
    return json_object_get(value, "id") && (json_object_get(value, "amount") || json_object_get(value, "created_at") ||
                                            json_object_get(value, "currency"));
}

static void judge_object(json_t *object, int depth, struct wire_verdict *out) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        unsigned roles = says_roles(name);
        judge_member(roles, value, out);
        if (!(roles & SAYS_ENVELOPE) || depth == ENVELOPES_MAX)
            continue;
        judge_object(value, depth + 1, out); /* does nothing where the value is no object */
        for (size_t i = 0; i < json_array_size(value); i++)
            if (!judge_is_row(json_array_get(value, i)))
                judge_object(json_array_get(value, i), depth + 1, out);
    }
}

void judge_value(json_t *top, struct wire_verdict *out) {
    *out = (struct wire_verdict){0};
    if (json_is_object(top))
        judge_object(top, 0, out);
}

static long long smaller(long long a, long long b) {
    return a == 0 || (b > 0 && b < a) ? b : a;
}

static bool speaks_of_money(json_t *object) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        if (says_roles(name) & SAYS_MONEY)
            return true;
    }
    return false;
}

static long long total_within(json_t *object, int depth) {
    const char *name;
    json_t *value;
    long long total = 0;
    json_object_foreach(object, name, value) {
        unsigned roles = says_roles(name);
        if (roles & COUNTS_ALL || (roles & COUNTS_BARE && !speaks_of_money(object)))
            total = smaller(total, says_count(value));
        if (roles & (SAYS_ENVELOPE | COUNTS_WITHIN) && depth < ENVELOPES_MAX)
            total = smaller(total, total_within(value, depth + 1)); /* 0 where the value is no object */
    }
    return total;
}

long long judge_total(json_t *top) {
    return total_within(top, 0);
}

/* An escape that is no character: NUL, or of a surrogate. */
static bool is_odd_escape(const char *s, size_t len) {
    static const char digits[] = "0123456789abcdefABCDEF";
    if (len < 6 || s[1] != 'u')
        return false;
    for (size_t i = 2; i < 6; i++)
        if (!s[i] || !strchr(digits, s[i]))
            return false;
    return strncmp(s + 2, "0000", 4) == 0 || ((s[2] == 'd' || s[2] == 'D') && strchr("89abcdefABCDEF", s[3]));
}

/* The same document with unreadable parts of its strings replaced, so that it can be judged all the same. */
static void repair(const char *body, size_t len, struct str *out) {
    for (size_t at = 0, n; at < len; at += n) {
        int32_t cp;
        n = body[at] == '\\' && len - at >= 2 ? 2 : utf8_decode(body + at, len - at, &cp);
        if (body[at] == '\\' && is_odd_escape(body + at, len - at)) {
            n = 6;
            str_add(out, "\\ufffd");
        } else if (utf8_is_valid(body + at, n)) {
            str_add_n(out, body + at, n);
        } else {
            str_add_char(out, '?');
        }
    }
}

static bool has_extra(json_t *top, const char *const *extra) {
    for (; extra && *extra; extra++)
        if (says_anything(wire_member(top, *extra)))
            return true;
    return false;
}

void wire_judge(const char *body, size_t len, const char *const *extra, struct wire_verdict *out) {
    struct wire_fault fault = {0};
    struct str fixed;
    const char *unreadable = NULL;
    *out = (struct wire_verdict){0};
    if (wire_kind_of(body, len) != WIRE_OBJECT)
        return;
    str_init(&fixed, 2 * len + 16);
    repair(body, len, &fixed);
    json_t *top = wire_decode((struct wire_slice){fixed.s, fixed.len}, false, &fault);
    if (!top) { /* a repeated name: nobody knows which of its values counts */
        unreadable = strcmp(fault.reason, "duplicate key") == 0 ? "the answer names a member twice"
                                                                : "the answer cannot be read";
        top = wire_decode((struct wire_slice){fixed.s, fixed.len}, true, &fault);
    }
    judge_value(top, out);
    out->text = wire_has_error_text(fixed.s, fixed.len) || has_extra(top, extra);
    out->unreadable = unreadable;
    json_decref(top);
    str_clear(&fixed);
}

/* ---- Where rows stand ---- */

/* How much a value looks like the list of intents: rows, objects, an empty list, any other list. */
static int rank_of(const json_t *list) {
    const json_t *first = json_array_get(list, 0);
    if (!json_is_array(list))
        return 0;
    return judge_is_row(first) ? RANK_ROWS : json_is_object(first) ? 3 : !first ? 2 : 1;
}

struct finding {
    struct str path, best;
    int rank, deep;
};

static void wire_judge_look(json_t *object, int depth, struct finding *finding) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        size_t start = finding->path.len;
        int rank = rank_of(value);
        str_addf(&finding->path, "%s%s", depth > 0 ? "." : "", name);
        if (rank > finding->rank || (rank > 0 && rank == finding->rank && depth < finding->deep)) {
            finding->rank = rank;
            finding->deep = depth;
            str_reset(&finding->best);
            str_add(&finding->best, finding->path.s);
        }
        if (depth < LIST_DEPTH_MAX)
            wire_judge_look(value, depth + 1, finding);
        str_delete(&finding->path, start, finding->path.len - start);
    }
}

char *judge_find_list(json_t *top, bool rows) {
    struct finding finding = {0};
    char *found = NULL;
    str_init(&finding.path, LINE_MAX_BYTES);
    str_init(&finding.best, LINE_MAX_BYTES);
    wire_judge_look(top, 0, &finding);
    if (finding.rank >= (rows ? RANK_ROWS : 1))
        found = wire_clean_redacted(finding.best.s, finding.best.len, PATH_MAX_BYTES);
    str_clear(&finding.path);
    str_clear(&finding.best);
    return found;
}

static bool says_more(unsigned roles, const json_t *value) {
    return (roles & MORE_TRUE && says_yes(value)) || (roles & MORE_FALSE && json_is_false(value)) ||
           (roles & MORE_FILLED && says_anything(value));
}

static bool judge_look_for_more(json_t *object, const struct wire_shape *shape, int depth, struct str *path) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        size_t start = path->len;
        unsigned roles = says_roles(name);
        str_addf(path, "%s%s", depth > 0 ? "." : "", name);
        bool own = (shape->next && strcmp(path->s, shape->next) == 0) ||
                   (shape->has_more && strcmp(path->s, shape->has_more) == 0);
        if (says_more(roles, value) && !own)
            return true;
        if (roles & (SAYS_ENVELOPE | COUNTS_WITHIN) && depth < ENVELOPES_MAX &&
            judge_look_for_more(value, shape, depth + 1, path))
            return true;
        str_delete(path, start, path->len - start);
    }
    return false;
}

char *judge_find_more(json_t *top, const struct wire_shape *shape) {
    struct str path;
    char *found = NULL;
    bool flag = shape->has_more && *shape->has_more && says_yes(wire_member(top, shape->has_more));
    str_init(&path, LINE_MAX_BYTES);
    if (flag || judge_look_for_more(top, shape, 0, &path))
        found = flag ? mem_dup(shape->has_more) : wire_clean_redacted(path.s, path.len, PATH_MAX_BYTES);
    str_clear(&path);
    return found;
}

bool judge_is_listing(json_t *top, const struct wire_shape *shape) {
    char *first = mem_dup_n(shape->data, strcspn(shape->data, "."));
    bool alike = json_object_size(top) == 0 || json_object_get(top, first) || json_object_get(top, "has_more") ||
                 (shape->next && *shape->next && wire_member(top, shape->next)) ||
                 (shape->has_more && *shape->has_more && wire_member(top, shape->has_more));
    free(first);
    return alike;
}

char *judge_text(const char *skeleton, size_t len) {
    struct service_error error;
    struct str line;
    if (!wire_has_error_text(skeleton, len))
        return NULL;
    wire_service_error(skeleton, len, NULL, NULL, &error);
    str_init(&line, LINE_MAX_BYTES);
    service_error_line(&error, &line);
    service_error_clear(&error);
    if (line.len > 0)
        return str_take(&line);
    str_clear(&line);
    return NULL;
}
