#include "handovers.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char AT[] = " at ";

size_t handover_person(const char *who) {
    const char *at = strstr(who, AT);
    return at ? (size_t)(at - who) : strlen(who);
}

static int by_person(const char *who, const char *other) {
    size_t n = handover_person(who), m = handover_person(other);
    int order = ascii_compare_n(who, other, n < m ? n : m);
    return order != 0 ? order : (n > m) - (n < m);
}

bool handover_is_same_person(const char *who, const char *other) {
    return who && other && *who && by_person(who, other) == 0;
}

static bool handover_fail(struct str *reason, const char *text) {
    str_add(reason, text);
    return false;
}

bool handover_name(const char *typed, struct str *out, struct str *reason) {
    size_t start = strspn(typed, " "), end = strlen(typed);
    while (end > start && typed[end - 1] == ' ')
        end--;
    size_t len = end - start, before = out->len;
    str_add_n(out, typed + start, len);
    if (len == 0)
        return handover_fail(reason, "a name is missing: whom is it handed to?");
    if (len > HANDOVER_NAME_MAX)
        return handover_fail(reason, "the name is longer than 64 bytes");
    if (!utf8_is_valid(typed + start, len) || !utf8_is_clean(typed + start, len))
        return handover_fail(reason, "the name holds control or invisible characters");
    if (strstr(out->s + before, AT))
        return handover_fail(reason, "a login name alone, without a machine: a person is the same at each");
    return true;
}

bool handover_check_text(const char *text, struct str *reason) {
    return text[strspn(text, " ")] == '\0' || note_check_text(text, reason);
}

static int by_number(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

/* By what makes two of them the same matter. */
static int by_matter(const struct handover_line *x, const struct handover_line *y) {
    int order = (x->subject > y->subject) - (x->subject < y->subject);
    order = order != 0 ? order : by_number(x->handover.at, y->handover.at);
    return order != 0 ? order : by_person(x->handover.from, y->handover.from);
}

static int by_name(const struct handover_line *x, const struct handover_line *y) {
    int order = by_matter(x, y);
    order = order != 0 ? order : ascii_compare(x->handover.to, y->handover.to);
    return order != 0 ? order : strcmp(x->handover.text, y->handover.text);
}

static int by_line_name(const void *a, const void *b) {
    return by_name(a, b);
}

static int by_line(const void *a, const void *b) {
    const struct handover_line *x = a, *y = b;
    int order = by_name(x, y);
    order = order != 0 ? order : strcmp(x->handover.to, y->handover.to);
    return order != 0 ? order : strcmp(x->handover.from, y->handover.from);
}

static int by_done(const struct handover_line *x, const struct handover_line *y) {
    int order = by_number(x->handover.done_at, y->handover.done_at);
    return order != 0 ? order : strcmp(x->handover.done_by, y->handover.done_by);
}

static int by_word(const void *a, const void *b) {
    const struct handover_line *x = a, *y = b;
    int order = by_matter(x, y);
    order = order != 0 ? order : by_person(x->handover.done_by, y->handover.done_by);
    return order != 0 ? order : by_done(x, y);
}

static int by_newest(const void *a, const void *b) {
    const struct handover *x = *(const struct handover *const *)a, *y = *(const struct handover *const *)b;
    int order = by_number(y->at, x->at);
    order = order != 0 ? order : strcmp(x->id, y->id);
    order = order != 0 ? order : strcmp(x->from, y->from);
    return order != 0 ? order : strcmp(x->text, y->text);
}

static void handovers_sort(void *items, size_t n, size_t size, int (*order)(const void *, const void *)) {
    if (n > 1)
        qsort(items, n, size, order);
}

/* The person's first word about the matter; NULL: none. */
static const struct handover_line *handover_word(const struct handovers *handovers, const struct handover_line *line,
                                                 const char *person) {
    const struct handover_line *words = handovers->done.items;
    size_t low = 0, high = handovers->done.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = by_matter(&words[middle], line);
        order = order != 0 ? order : by_person(words[middle].handover.done_by, person);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < handovers->done.n && by_matter(&words[low], line) == 0 &&
                 handover_is_same_person(words[low].handover.done_by, person);
    return found ? &words[low] : NULL;
}

/* The first word of the two whom it concerns counts. */
static void handovers_settle(struct handovers *handovers) {
    for (size_t i = 0; i < handovers->handed.n; i++) {
        struct handover_line *line = &handovers->handed.items[i];
        const struct handover_line *word = handover_word(handovers, line, line->handover.to);
        const struct handover_line *back = handover_word(handovers, line, line->handover.from);
        word = !word || (back && by_done(back, word) < 0) ? back : word;
        line->handover.done_by = word ? word->handover.done_by : NULL;
        line->handover.done_at = word ? word->handover.done_at : 0;
    }
}

void handovers_join(struct handovers *handovers) {
    size_t kept = 0;
    handovers_sort(handovers->handed.items, handovers->handed.n, sizeof *handovers->handed.items, by_line);
    handovers_sort(handovers->done.items, handovers->done.n, sizeof *handovers->done.items, by_word);
    for (size_t i = 0; i < handovers->handed.n; i++)
        if (kept == 0 || by_name(&handovers->handed.items[kept - 1], &handovers->handed.items[i]) != 0)
            handovers->handed.items[kept++] = handovers->handed.items[i];
    handovers->handed.n = handovers->n = kept;
    handovers_settle(handovers);
    free(handovers->all);
    free(handovers->newest);
    handovers->all = kept ? mem_new_array(kept, sizeof *handovers->all) : NULL;
    handovers->newest = kept ? mem_new_array(kept, sizeof(const struct handover *)) : NULL;
    for (size_t i = 0; i < kept; i++) {
        handovers->all[i] = handovers->handed.items[i].handover;
        handovers->newest[i] = &handovers->all[i];
    }
    handovers_sort(handovers->newest, kept, sizeof(const struct handover *), by_newest);
}

const struct handover *handovers_of(const struct handovers *handovers, size_t subject, size_t *n) {
    const struct handover_line *items = handovers->handed.items;
    size_t low = 0, high = handovers->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle].subject < subject)
            low = middle + 1;
        else
            high = middle;
    }
    *n = 0;
    while (low + *n < handovers->n && items[low + *n].subject == subject)
        ++*n;
    return *n > 0 ? &handovers->all[low] : NULL;
}

bool handovers_has(const struct handovers *handovers, const struct handover_line *line) {
    const struct handover_line *items = handovers->handed.items;
    return handovers->n > 0 && bsearch(line, items, handovers->n, sizeof *items, by_line_name);
}

void handovers_add_people(const struct handovers *handovers, struct notes_people *out) {
    for (size_t i = 0; i < handovers->n; i++) {
        const struct handover *handover = &handovers->all[i];
        *vec_add(out) = (struct notes_person){handover->from, handover->at};
        *vec_add(out) = (struct notes_person){handover->to, handover->at};
    }
}

/* Of one person the last first. */
static int by_who(const void *a, const void *b) {
    const struct notes_person *x = a, *y = b;
    int order = by_person(x->who, y->who);
    return order != 0 ? order : by_number(y->seen, x->seen);
}

static int by_seen(const void *a, const void *b) {
    const struct notes_person *x = a, *y = b;
    int order = by_number(y->seen, x->seen);
    return order != 0 ? order : by_person(x->who, y->who);
}

void handovers_join_people(struct notes_people *people) {
    size_t kept = 0;
    handovers_sort(people->items, people->n, sizeof *people->items, by_who);
    for (size_t i = 0; i < people->n; i++)
        if (kept == 0 || by_person(people->items[kept - 1].who, people->items[i].who) != 0)
            people->items[kept++] = people->items[i];
    people->n = kept;
    handovers_sort(people->items, kept, sizeof *people->items, by_seen);
}

void handovers_clear(struct handovers *handovers) {
    free(handovers->handed.items);
    free(handovers->done.items);
    free(handovers->all);
    free(handovers->newest);
    *handovers = (struct handovers){0};
}
