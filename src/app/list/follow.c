#include "app/follow.h"

#include "app/idset.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY_HOURS = 24 };
enum { FAILURES_COUNTED = 8, LONGEST_PAUSE = 5 * MINUTE, CELLS_MAX = 64 << 20 };

bool follow_period(const char *text, int64_t *out) {
    size_t digits = ascii_digits(text);
    long long n;
    if (digits == 0 || !str_to_int64(text, digits, &n) || strlen(text + digits) != 1)
        return false;
    int64_t unit = text[digits] == 's' ? SECOND : text[digits] == 'm' ? MINUTE : text[digits] == 'h' ? HOUR : 0;
    if (unit == 0 || n < 1 || n > DAY_HOURS * (int64_t)HOUR / unit)
        return false;
    *out = n * unit;
    return true;
}

void follow_init(struct follow *follow, const struct profile *profile, int64_t period) {
    *follow = (struct follow){.period = period, .oldest = CLOCK_NONE, .waits_until = CLOCK_NONE, .known = idset_new()};
    browse_init(&follow->browse, profile);
    follow->browse.patient = true;
    follow->budget.hourly = profile->requests_per_hour;
}

void follow_clear(struct follow *follow) {
    browse_clear(&follow->browse);
    idset_free(follow->known);
    for (size_t i = 0; i < follow->rows.n; i++)
        free(follow->rows.items[i].cells);
    free(follow->rows.items);
    *follow = (struct follow){0};
}

/* ---- Asking ---- */

/* False: it waits until some of the hour's requests are free again. */
static bool can_spend(struct follow *follow, int64_t now, struct effects *effects) {
    follow->spent = mirror_budget_left(&follow->budget, now) == 0;
    if (follow->spent) {
        follow->waits_until = mirror_budget_next(&follow->budget);
        effects_timer(effects, TIMER_LIVE, follow->waits_until);
    }
    return !follow->spent;
}

void follow_start(struct follow *follow, int64_t now, struct effects *effects) {
    if (can_spend(follow, now, effects))
        browse_start(&follow->browse, effects);
}

/* A row without an id is known by the whole of its text, behind a byte that no id has: the text may be another's id.
 * Not by idset_bytes_key, which is another in each run: this is stored. */
static uint64_t follow_digest(const struct intent *intent) {
    struct str text;
    if (intent->id.state == VALUE_OK && *intent->id.text)
        return digest_short(intent->id.text, strlen(intent->id.text));
    str_init(&text, intent->raw_len + 2);
    str_add_char(&text, '\0');
    str_add_n(&text, intent->raw, intent->raw_len);
    uint64_t digest = digest_short(text.s, text.len);
    str_clear(&text);
    return digest;
}

static struct follow_row *known_row(const struct follow *follow, const struct intent *intent) {
    uint64_t digest = follow_digest(intent);
    size_t at = idset_find(follow->known, (const char *)&digest, sizeof digest);
    return at < follow->rows.n ? &follow->rows.items[at] : NULL;
}

/* The last row read was there at the look before, or is older than all that it knew. */
static bool met_known_ground(const struct follow *follow) {
    const struct browse *browse = &follow->browse;
    const struct intent *last = browse->n > 0 ? browse->items[browse->n - 1].intent : NULL;
    if (!last)
        return false;
    bool older =
        follow->oldest != CLOCK_NONE && last->created_at.state == VALUE_OK && last->created_at.ms < follow->oldest;
    return older || known_row(follow, last);
}

/* A look without any row says nothing of what is there, unless the list is empty. */
static bool is_deep_enough(const struct follow *follow) {
    size_t rows = browse_read_rows(&follow->browse);
    return rows > 0 && rows >= follow->depth;
}

static bool wants_more(const struct follow *follow) {
    if (follow->browse.end != BROWSE_OPEN)
        return false;
    return !is_deep_enough(follow) || (follow->begun && !met_known_ground(follow));
}

bool follow_is_whole(const struct follow *follow) {
    if (follow->browse.end == BROWSE_END)
        return true;
    return follow->begun ? met_known_ground(follow) : is_deep_enough(follow);
}

static enum follow_step follow_read_on(struct follow *follow, int64_t now, struct effects *effects) {
    if (!wants_more(follow))
        return FOLLOW_LOOKED;
    if (!can_spend(follow, now, effects))
        return FOLLOW_SPENT;
    return browse_more(&follow->browse, effects) ? FOLLOW_ON : FOLLOW_LOOKED;
}

void follow_ask(struct follow *follow, int64_t now, struct effects *effects) {
    if (can_spend(follow, now, effects) && !browse_more(&follow->browse, effects))
        browse_start(&follow->browse, effects);
}

static enum follow_step take_timer(struct follow *follow, int64_t now, struct effects *effects) {
    const struct browse *browse = &follow->browse;
    bool in_look = follow->spent && browse->pages.n > 0 && wants_more(follow);
    if (browse_is_busy(browse) || browse_retries(browse))
        return FOLLOW_ON;
    if (in_look)
        return follow_read_on(follow, now, effects);
    follow_start(follow, now, effects);
    return follow->spent ? FOLLOW_SPENT : FOLLOW_ON;
}

enum follow_step follow_update(struct follow *follow, struct event *event, struct effects *effects) {
    struct browse *browse = &follow->browse;
    int64_t now = event->now;
    bool answer = event->kind == EVENT_LIST;
    if (event_is_timer(event, TIMER_LIVE))
        return take_timer(follow, now, effects);
    if (!browse_update(browse, event, effects))
        return FOLLOW_ON;
    if (answer)
        mirror_budget_spend(&follow->budget, now);
    if (browse_is_busy(browse))
        return FOLLOW_ON;
    if (browse->code == ERR_OK)
        return follow_read_on(follow, now, effects);
    follow->waits_until = browse->retry_at;
    return browse_retries(browse) ? FOLLOW_WAITS : FOLLOW_FAILED;
}

/* Not before the service allows it, and after failures less and less often. */
void follow_rest(struct follow *follow, bool failed, int64_t now, struct effects *effects) {
    int64_t wait = follow->period, longest = wait > LONGEST_PAUSE ? wait : LONGEST_PAUSE;
    follow->failures = !failed ? 0 : follow->failures < FAILURES_COUNTED ? follow->failures + 1 : follow->failures;
    for (unsigned i = 0; i < follow->failures && wait < longest; i++)
        wait *= 2;
    follow->spent = false;
    follow->waits_until = now + (wait < longest ? wait : longest);
    int64_t allowed = follow->browse.retry_at; /* a wait that is too long for a look */
    if (failed && allowed != CLOCK_NONE && allowed > follow->waits_until)
        follow->waits_until = allowed;
    effects_timer(effects, TIMER_LIVE, follow->waits_until);
}

/* ---- Telling ---- */

static struct follow_row *follow_add_row(struct follow *follow, uint64_t digest, bool told, int64_t created) {
    size_t at = follow->rows.n;
    struct follow_row *row = vec_add(&follow->rows);
    *row = (struct follow_row){.digest = digest, .told = told, .created = created};
    (void)idset_put(follow->known, (const char *)&digest, sizeof digest, at);
    return row;
}

static const char *cell_value(const char *cell) {
    return *cell == RECORD_CELL_NULL ? NULL : cell + 1;
}

/* Both have the same columns. */
static size_t tell_differences(const struct follow_row *row, const struct str *now, const struct record_style *style,
                               const struct intent *intent, const struct follow_hearer *hearer) {
    struct str names;
    size_t n = 0;
    str_init(&names, CELLS_MAX);
    record_head(style, &names);
    const char *name = names.s, *old = row->cells, *new = now->s;
    for (; name < names.s + names.len && old < row->cells + row->len; name += strlen(name) + 1) {
        if (strcmp(old, new) != 0) {
            const struct follow_change change = {.field = name + 1,
                                                 .old = cell_value(old),
                                                 .now = cell_value(new),
                                                 .old_is_number = *old == RECORD_CELL_INTEGER,
                                                 .now_is_number = *new == RECORD_CELL_INTEGER};
            hearer->changed(hearer->context, intent, &change);
            n++;
        }
        old += strlen(old) + 1;
        new += strlen(new) + 1;
    }
    str_clear(&names);
    return n;
}

static void follow_watch(struct follow *follow, struct follow_row *row, const struct intent *intent, bool concerns,
                         const struct follow_hearer *hearer) {
    const struct record_style style = {.format = RECORD_CELLS};
    struct str cells;
    str_init(&cells, CELLS_MAX);
    record_row(&style, intent, true, &cells);
    bool same = row->cells && row->len == cells.len && memcmp(row->cells, cells.s, cells.len) == 0;
    if (row->cells && !same && concerns)
        follow->changed += tell_differences(row, &cells, &style, intent, hearer) > 0;
    free(row->cells);
    row->len = cells.len;
    row->cells = str_take(&cells);
}

/* Of the baseline, or older than it: it was there, only deeper than what was read. */
static bool is_of_baseline(const struct follow *follow, int64_t created) {
    return !follow->begun || (follow->oldest != CLOCK_NONE && created != CLOCK_NONE && created < follow->oldest);
}

static void tell_row(struct follow *follow, const struct browse_row *listed, const struct follow_hearer *hearer) {
    const struct intent *intent = listed->intent;
    bool matches = hearer->matches(hearer->context, listed);
    int64_t created = intent->created_at.state == VALUE_OK ? intent->created_at.ms : CLOCK_NONE;
    struct follow_row *row = known_row(follow, intent);
    bool concerns = matches || (row && row->told);
    bool is_new = !row && !is_of_baseline(follow, created);
    if (!row)
        row = follow_add_row(follow, follow_digest(intent), matches, created);
    else if (!hearer->changed && matches && !row->told)
        is_new = true;
    if (is_new && matches) {
        hearer->came(hearer->context, intent);
        follow->came++;
    }
    row->told = hearer->changed ? matches : row->told || matches;
    row->met = true;
    if (hearer->changed)
        follow_watch(follow, row, intent, concerns, hearer);
}

/* What the look did not reach is not watched: a change there would be told too late or never. */
static void forget_unmet(struct follow *follow) {
    for (size_t i = 0; i < follow->rows.n; i++) {
        struct follow_row *row = &follow->rows.items[i];
        if (!row->met) {
            free(row->cells);
            row->cells = NULL;
        }
        row->met = false;
    }
}

/* Of a list that was read to its end every row is known, and any other one is new, however old it is. */
static void note_oldest(struct follow *follow) {
    const struct browse *browse = &follow->browse;
    if (browse->end == BROWSE_END)
        return;
    for (size_t i = 0; i < browse->n; i++) {
        const struct value_time *created = &browse->items[i].intent->created_at;
        if (created->state == VALUE_OK && (follow->oldest == CLOCK_NONE || created->ms < follow->oldest))
            follow->oldest = created->ms;
    }
}

size_t follow_tell(struct follow *follow, const struct follow_hearer *hearer) {
    struct browse *browse = &follow->browse;
    follow->came = follow->changed = 0;
    for (size_t i = browse->n; i-- > 0;)
        tell_row(follow, &browse->items[i], hearer);
    forget_unmet(follow);
    if (!follow->begun)
        note_oldest(follow);
    follow->begun = true;
    return browse->n;
}

/* ---- For a later run ---- */

static const char HEAD[] = "bursar since 1\n";
enum { KEPT_MAX = 20000, LINE_BYTES = 64, HEXADECIMAL = 16 };

/* Those without a time first, then the newest. */
static int newer(const void *a, const void *b) {
    const struct follow_row *left = *(const struct follow_row *const *)a, *right = *(const struct follow_row *const *)b;
    bool left_timed = left->created != CLOCK_NONE, right_timed = right->created != CLOCK_NONE;
    if (left_timed != right_timed)
        return left_timed ? 1 : -1;
    return (left->created < right->created) - (left->created > right->created);
}

/* What is older than the last row kept is known by its age, so those without a time are all kept, and all of one time
 * or none. */
static size_t count_kept(const struct follow_row *const *rows, size_t n) {
    size_t kept = 0;
    while (kept < n && rows[kept]->created == CLOCK_NONE)
        kept++;
    kept = n - kept < KEPT_MAX ? n : kept + KEPT_MAX;
    while (kept < n && rows[kept]->created == rows[kept - 1]->created)
        kept++;
    return kept;
}

static int64_t oldest_known(const struct follow *follow, const struct follow_row *const *rows, size_t kept) {
    int64_t last = kept < follow->rows.n ? rows[kept - 1]->created : CLOCK_NONE;
    return last > follow->oldest ? last : follow->oldest; /* CLOCK_NONE is below every time */
}

void follow_text(const struct follow *follow, const char *label, int64_t now, struct str *out) {
    size_t n = follow->rows.n, from = out->len;
    const struct follow_row **rows = mem_new_array(n + 1, sizeof *rows);
    for (size_t i = 0; i < n; i++)
        rows[i] = &follow->rows.items[i];
    qsort(rows, n, sizeof *rows, newer);
    size_t kept = count_kept(rows, n);
    str_addf(out, "%sof %s\nat %lld\n", HEAD, label, (long long)now);
    str_addf(out, "oldest %lld\n", (long long)oldest_known(follow, rows, kept));
    for (size_t i = 0; i < kept; i++)
        str_addf(out, "%c%016llx %lld\n", rows[i]->told ? '+' : '-', (unsigned long long)rows[i]->digest,
                 (long long)rows[i]->created);
    str_addf(out, "end %016llx\n", (unsigned long long)digest_short(out->s + from, out->len - from));
    free(rows);
}

/* Whether the last line is the digest of all before it. */
static bool follow_is_sound(const char *text, size_t len) {
    static const char END[] = "\nend ";
    char expected[LINE_BYTES];
    const char *end = NULL;
    for (const char *at = text; (at = strstr(at, END)) != NULL; at++)
        end = at + 1;
    if (strlen(text) != len || !str_starts(text, HEAD) || !end)
        return false;
    (void)snprintf(expected, sizeof expected, "end %016llx\n",
                   (unsigned long long)digest_short(text, (size_t)(end - text)));
    return strcmp(end, expected) == 0;
}

static void read_rows(struct follow *follow, const char *text) {
    for (const char *at = text; at && (*at == '+' || *at == '-'); at = strchr(at, '\n') + 1) {
        char *created;
        uint64_t digest = strtoull(at + 1, &created, HEXADECIMAL);
        (void)follow_add_row(follow, digest, *at == '+', strtoll(created, NULL, 10));
    }
}

enum err follow_read(struct follow *follow, const char *text, size_t len, const char *label, struct error *error) {
    if (!follow_is_sound(text, len))
        return error_set(error, ERR_INVALID, "it is damaged");
    static const char OF[] = "of ", OLDEST[] = "\noldest ";
    const char *of = text + sizeof HEAD - 1 + sizeof OF - 1, *oldest = strstr(text, OLDEST);
    size_t of_len = strcspn(of, "\n");
    if (strlen(label) != of_len || memcmp(of, label, of_len) != 0)
        return error_set(error, ERR_USAGE, "it belongs to %.*s", (int)of_len, of);
    follow->oldest = oldest ? strtoll(oldest + sizeof OLDEST - 1, NULL, 10) : CLOCK_NONE;
    follow->begun = true;
    read_rows(follow, oldest ? strchr(oldest + 1, '\n') + 1 : NULL);
    return ERR_OK;
}
