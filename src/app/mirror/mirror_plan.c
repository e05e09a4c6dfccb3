/* The parts of a mirror: as text for the cache, so that it goes on with the same ones, and as questions to it. */
#include "mirror_own.h"

#include "app/idset.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PLAN_MAX = 1 << 20, WORD_MAX = 128 };

static const char HEAD[] = "bursar mirror 1 ";

char *mirror_time(int64_t ms) {
    struct str text;
    if (ms == CLOCK_NONE)
        return NULL;
    str_init(&text, 64);
    clock_format_iso(&text, ms);
    return str_take(&text);
}

static struct mirror_part *add_part(struct mirror *mirror) {
    struct mirror_part *part = vec_add(&mirror->parts);
    *part = (struct mirror_part){
        .retry_at = CLOCK_NONE, .newest = CLOCK_NONE, .oldest = CLOCK_NONE, .newest_first = true, .last = CLOCK_NONE};
    chain_init(&part->chain);
    return part;
}

struct mirror_part *mirror_part_add(struct mirror *mirror, int64_t after, int64_t before, const char *type) {
    enum { WIDER = 1000 };
    struct mirror_part *part = add_part(mirror);
    part->filter.after = mirror_time(after == CLOCK_NONE ? after : after - WIDER);
    part->filter.before = mirror_time(before == CLOCK_NONE ? before : before + WIDER);
    server_filter_set_type(&part->filter, type);
    return part;
}

void mirror_part_clear(struct mirror_part *part) {
    server_filter_clear(&part->filter);
    chain_clear(&part->chain);
    free(part->next);
}

void mirror_parts_clear(struct mirror *mirror) {
    for (size_t i = 0; i < mirror->parts.n; i++)
        mirror_part_clear(&mirror->parts.items[i]);
    mirror->parts.n = 0;
}

void mirror_part_restart(struct mirror *mirror, struct mirror_part *part) {
    size_t place = (size_t)(part - mirror->parts.items);
    part->number = ++mirror->numbers * MIRROR_PARTS_MAX + place % MIRROR_PARTS_MAX;
    part->newest_first = true;
    part->last = CLOCK_NONE;
    chain_restart(&part->chain);
    free(part->next);
    part->next = NULL;
    part->end = BROWSE_OPEN;
    part->partly = false;
}

bool mirror_part_is_open(const struct mirror_part *part) {
    return part->end == BROWSE_OPEN;
}

static void add_word(struct str *out, const char *word, char end) {
    str_add(out, word ? word : "-");
    str_add_char(out, end);
}

void mirror_plan_text(const struct mirror *mirror, struct str *out) {
    str_addf(out, "%s%lld\n", HEAD, (long long)mirror->split.newest);
    for (size_t i = 0; i < mirror->parts.n; i++) {
        const struct server_filter *filter = &mirror->parts.items[i].filter;
        add_word(out, filter->after, ' ');
        add_word(out, filter->before, ' ');
        add_word(out, filter->type, '\n');
    }
}

/* One word up to `end`: heap text, NULL for "-". False: there is none. */
static bool read_word(const char **at, char end, char **out) {
    size_t len = strcspn(*at, " \n");
    *out = NULL;
    if (len == 0 || len > WORD_MAX || (*at)[len] != end)
        return false;
    if (len != 1 || **at != '-')
        *out = mem_dup_n(*at, len);
    *at += len + 1;
    return true;
}

static bool read_plan_part(struct mirror *mirror, const char **at) {
    struct server_filter *filter = &add_part(mirror)->filter;
    return read_word(at, ' ', &filter->after) && read_word(at, ' ', &filter->before) &&
           read_word(at, '\n', &filter->type);
}

bool mirror_plan_read(struct mirror *mirror, const char *text) {
    bool sound = text && str_starts(text, HEAD);
    const char *at = sound ? text + sizeof HEAD - 1 : "";
    size_t len = strcspn(at, "\n");
    long long newest = 0;
    mirror_parts_clear(mirror);
    sound = sound && at[len] && str_to_int64(at, len, &newest);
    mirror->split.newest = newest;
    for (at += sound ? len + 1 : 0; sound && *at;)
        sound = read_plan_part(mirror, &at);
    sound = sound && mirror->parts.n > 0 && server_filter_is_empty(&mirror->parts.items[0].filter);
    if (!sound)
        mirror_parts_clear(mirror);
    return sound;
}

struct mirror_ask *mirror_ask_new(const struct mirror *mirror, enum mirror_task task) {
    struct mirror_ask *ask = mem_new(sizeof *ask);
    ask->task = task;
    for (size_t i = 0; i < mirror->parts.n; i++) {
        struct list_query query = server_filter_query(&mirror->parts.items[i].filter, NULL, false);
        struct str text;
        str_init(&text, 64 << 10);
        api_query_text(&query, &text);
        ask->filters = vec_grow(ask->filters, ask->n, &ask->cap, sizeof *ask->filters);
        ask->filters[ask->n++] = str_take(&text);
    }
    ask->joined = ask->n;
    ask->from = mirror->since;
    ask->until = mirror->started;
    ask->pages = mirror->listed;
    ask->ground = mirror->ground;
    if (task == MIRROR_PLAN && !mirror->catching) { /* catching up is begun again: it is short */
        struct str plan;
        str_init(&plan, PLAN_MAX);
        mirror_plan_text(mirror, &plan);
        ask->plan = str_take(&plan);
    }
    return ask;
}

void mirror_ask_cache(struct mirror *mirror, struct mirror_ask *ask, struct effects *effects) {
    mirror->ticket = effects_ask(effects, EFFECT_MIRROR, payload_of(mirror_ask, ask));
}

void mirror_ask_free(struct mirror_ask *ask) {
    for (size_t i = 0; i < ask->n; i++)
        free(ask->filters[i]);
    free(ask->filters);
    free(ask->plan);

    free(ask);
}
PAYLOAD_OWNED(mirror_ask, mirror_ask_free);

void mirror_held_free(struct mirror_held *held) {
    for (size_t i = 0; i < held->n; i++)
        free(held->items[i].next);
    free(held->items);
    free(held->plan);
    free(held->spent);
    free(held->whole);
    free(held);
}
PAYLOAD_OWNED(mirror_held, mirror_held_free);
