#include "app/shared_views.h"

#include "base/digest.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_FIELDS = 5, FILE_FIELDS = 4, ROW_META_FIELDS = 4, NONCE_MAX = 64, LABEL_MAX = 600, ADDRESS_MAX = 16 << 10 };
static const char HEAD[] = "bursar shared views 1", ROW[] = "row\t", UNIT[] = "unit ";
static const char *const UNITS[] = {[MONEY_RAW] = "raw", [MONEY_MINOR] = "minor", [MONEY_MAJOR] = "major"};

bool shared_views_wanted(const struct profile *profile) {
    return profile_has_team(profile) && profile->team_views;
}

enum err shared_views_check(const struct profile *profile, struct error *error) {
    if (shared_views_wanted(profile))
        return ERR_OK;
    return error_set(error, ERR_CONFIG, "views are shared with a team: %s in the configuration",
                     profile_has_team(profile) ? "the profile has team_views = false"
                                               : "the profile needs a team_store");
}

void shared_view_clear(struct shared_view *view) {
    free(view->id);
    free(view->nonce);
    free(view->who);
    free(view->host);
    free(view->name);
    free(view->lines);
    free(view->view.name);
    free(view->view.filter);
    free(view->fault);
    *view = (struct shared_view){0};
}

void shared_views_clear(struct shared_views *views) {
    for (size_t i = 0; i < views->n; i++)
        shared_view_clear(&views->items[i]);
    free(views->items);
    free(views->id);
    *views = (struct shared_views){0};
}

static void name_shared_place(const struct profile *profile, char of[SHARED_OF_HEX + 1]) {
    struct str text;
    str_init(&text, ADDRESS_MAX);
    str_addf(&text, "%s\n%s\n%s", profile->team_store ? profile->team_store : "",
             profile->origin ? profile->origin : "", profile->account ? profile->account : "");
    (void)snprintf(of, SHARED_OF_HEX + 1, "%016" PRIx64, digest_short(text.s, text.len));
    str_clear(&text);
}

/* ---- what a row says ---- */

/* Cuts a line at its tabs, in place; false: it has not so many fields. */
static bool cut_fields(char *line, char **fields, int n) {
    for (int i = 0; i < n; i++) {
        fields[i] = line;
        line = i < n - 1 ? strchr(line, '\t') : NULL;
        if (!line && i < n - 1)
            return false;
        if (line)
            *line++ = '\0';
    }
    return !strchr(fields[n - 1], '\t');
}

/* A number means what the profile's unit makes of it; a list of ids is a file of another machine. */
static enum err check_terms(const struct query_node *node, bool *numbers, struct error *error) {
    enum err err = ERR_OK;
    if (!node)
        return ERR_OK;
    if (node->kind == QUERY_TERM) {
        enum query_type type = query_field(node->field)->type;
        *numbers = *numbers || type == QUERY_NUMBER;
        for (size_t i = 0; i < node->n_values && type == QUERY_ID && err == ERR_OK; i++)
            if (node->values[i].text && node->values[i].text[0] == '@')
                err = error_set(error, ERR_USAGE, "its filter names a list of ids, which is on one machine alone");
        return err;
    }
    for (const struct query_node *child = node->first; child && err == ERR_OK; child = child->next)
        err = check_terms(child, numbers, error);
    return err;
}

/* By nothing of this operator's: what a colleague calls @big is not what is called so here. */
static enum err check_filter(const char *filter, enum money_unit unit, bool *numbers, struct error *error) {
    struct query_options options = {.unit = unit, .console = true};
    struct query *query = NULL;
    *numbers = false;
    enum err err = query_parse(filter, &options, &query, NULL, error);
    if (err == ERR_OK)
        err = check_terms(query->root, numbers, error);
    query_free(query);
    return err;
}

static enum err check_unit(const char *unit, bool numbers, enum money_unit ours, struct error *error) {
    if (!numbers || (unit && str_equal(unit, UNITS[ours])))
        return ERR_OK;
    return error_set(error, ERR_USAGE, "its amounts are of a profile with amount_unit = %s, and this one has %s",
                     unit ? unit : "?", UNITS[ours]);
}

static enum err understand_lines(struct shared_view *shared, enum money_unit ours, struct error *error) {
    char *copy = mem_dup(shared->lines), *unit = NULL;
    bool numbers = false;
    enum err err = ERR_OK;
    for (char *line = copy, *next; *line && err == ERR_OK; line = next) {
        size_t len = strcspn(line, "\n");
        next = line + len + (line[len] == '\n');
        line[len] = '\0';
        if (str_starts(line, UNIT))
            unit = line + strlen(UNIT);
        else
            err = saved_view_take_line(&shared->view, line, error);
    }
    if (err == ERR_OK)
        err = check_filter(shared->view.filter, ours, &numbers, error);
    if (err == ERR_OK)
        err = check_unit(unit, numbers, ours, error);
    free(copy);
    return err;
}

static void understand(struct shared_view *shared, enum money_unit ours) {
    struct error error = {0};
    struct str label, fault;
    str_init(&label, LABEL_MAX);
    str_init(&fault, ERROR_TEXT_MAX);
    str_addf(&label, "%s/%s", shared->who, shared->name);
    shared->view = (struct saved_view){
        .name = str_take(&label), .filter = mem_dup(""), .sort = {LOOKUP_UNSORTED, LOOKUP_UNSORTED}};
    if (!shared->dropped && understand_lines(shared, ours, &error) != ERR_OK) {
        utf8_sanitise(&fault, error.text, strlen(error.text));
        shared->fault = str_take(&fault);
    }
    str_clear(&fault);
}

static void clean_lines(const char *text, struct str *out) {
    while (*text) {
        size_t len = strcspn(text, "\n");
        utf8_sanitise(out, text, len);
        str_add(out, utf8_is_clean(text, len) ? "\n" : "\nnot as it came\n"); /* which nobody understands */
        text += len + (text[len] == '\n');
    }
}

static bool is_good_head(char *const fields[HEAD_FIELDS]) {
    for (int i = 0; i < HEAD_FIELDS; i++)
        if (!*fields[i] || !utf8_is_clean(fields[i], strlen(fields[i])) || strlen(fields[i]) >= LABEL_MAX / 2)
            return false;
    return (str_equal(fields[0], "+") || str_equal(fields[0], "-")) && strlen(fields[1]) <= NONCE_MAX &&
           saved_view_check(fields[4], NULL) == ERR_OK;
}

/* `+ nonce who host name`, - where it is no longer shared, with tabs between them; then what the view is. */
bool shared_view_read(const char *text, size_t len, const struct profile *profile, struct shared_view *out) {
    char *fields[HEAD_FIELDS], *copy = mem_dup_n(text, len);
    size_t head = strcspn(copy, "\n");
    struct str lines;
    bool good = len <= SHARED_ROW_MAX && strlen(copy) == len && copy[head] == '\n';
    if (good)
        copy[head] = '\0';
    good = good && cut_fields(copy, fields, HEAD_FIELDS) && is_good_head(fields);
    *out = (struct shared_view){0};
    if (good) {
        str_init(&lines, 4 * SHARED_ROW_MAX);
        clean_lines(copy + head + 1, &lines);
        *out = (struct shared_view){.id = mem_dup(""),
                                    .dropped = *fields[0] == '-',
                                    .nonce = mem_dup(fields[1]),
                                    .who = mem_dup(fields[2]),
                                    .host = mem_dup(fields[3]),
                                    .name = mem_dup(fields[4]),
                                    .lines = lines.len > 0 ? str_take(&lines) : mem_dup("")};
        str_clear(&lines);
        understand(out, profile->amount_unit);
    }
    free(copy);
    return good;
}

void shared_view_print(const struct shared_view *view, struct str *out) {
    str_addf(out, "%s\t%s\t%s\t%s\t%s\n%s", view->dropped ? "-" : "+", view->nonce, view->who, view->host, view->name,
             view->lines);
}

/* ---- all of them ---- */

bool shared_view_waits(const struct shared_view *view) {
    return view->change == SHARED_WAITING;
}

static int by_who_and_name(const struct shared_view *a, const struct shared_view *b) {
    int order = strcmp(a->who, b->who);
    order = order != 0 ? order : strcmp(a->name, b->name);
    return order != 0 ? order : shared_view_waits(a) - shared_view_waits(b);
}

/* In the order of the store. */
static bool is_later(const struct shared_view *a, const struct shared_view *b) {
    return a->change != b->change ? a->change > b->change : strcmp(a->id, b->id) > 0;
}

static void remove_row(struct shared_views *views, size_t i) {
    shared_view_clear(&views->items[i]);
    views->n--;
    for (size_t at = i; at < views->n; at++)
        views->items[at] = views->items[at + 1];
}

static void remove_waiting(struct shared_views *views, const struct shared_view *stored) {
    for (size_t i = 0; i < views->n; i++) {
        const struct shared_view *row = &views->items[i];
        if (shared_view_waits(row) && str_equal(row->who, stored->who) && str_equal(row->nonce, stored->nonce)) {
            remove_row(views, i);
            return;
        }
    }
}

/* Which rows are the latest does not change by what comes later: every machine drops the same ones. */
static void shared_views_drop_oldest(struct shared_views *views) {
    while (views->n > SHARED_ROWS_MAX) {
        size_t oldest = views->n;
        for (size_t i = 0; i < views->n; i++)
            if (!shared_view_waits(&views->items[i]) &&
                (oldest == views->n || is_later(&views->items[oldest], &views->items[i])))
                oldest = i;
        if (oldest == views->n)
            return;
        remove_row(views, oldest);
    }
}

void shared_views_take(struct shared_views *views, struct shared_view *row) {
    size_t i = 0;
    if (!shared_view_waits(row))
        remove_waiting(views, row);
    while (i < views->n && by_who_and_name(&views->items[i], row) < 0)
        i++;
    bool there = i < views->n && by_who_and_name(&views->items[i], row) == 0;
    if (there && !shared_view_waits(row) && !is_later(row, &views->items[i])) {
        shared_view_clear(row);
        return;
    }
    if (there)
        remove_row(views, i);
    (void)vec_add(views);
    memmove(views->items + i + 1, views->items + i, (views->n - 1 - i) * sizeof *views->items);
    views->items[i] = *row;
    *row = (struct shared_view){0};
    shared_views_drop_oldest(views);
}

/* Shared now, and not replaced by one that waits. */
static bool is_shared_now(const struct shared_views *views, size_t i) {
    const struct shared_view *row = &views->items[i];
    bool replaced = i + 1 < views->n && shared_view_waits(row + 1) && str_equal(row[1].who, row->who) &&
                    str_equal(row[1].name, row->name);
    return !row->dropped && !replaced;
}

const struct shared_view *shared_views_at(const struct shared_views *views, size_t place) {
    for (size_t i = 0; i < views->n; i++)
        if (is_shared_now(views, i) && place-- == 0)
            return &views->items[i];
    return NULL;
}

size_t shared_views_count(const struct shared_views *views) {
    size_t n = 0;
    for (size_t i = 0; i < views->n; i++)
        n += is_shared_now(views, i);
    return n;
}

const struct shared_view *shared_views_of(const struct shared_views *views, const char *who, const char *name) {
    for (size_t i = 0; i < views->n; i++)
        if (is_shared_now(views, i) && str_equal(views->items[i].who, who) && str_equal(views->items[i].name, name))
            return &views->items[i];
    return NULL;
}

const struct shared_view *shared_views_find(const struct shared_views *views, const char *label) {
    for (size_t i = 0; i < views->n; i++)
        if (is_shared_now(views, i) && str_equal(views->items[i].view.name, label))
            return &views->items[i];
    return NULL;
}

const char *shared_views_named(const struct shared_views *views, size_t i, const char **filter) {
    const struct shared_view *view = shared_views_at(views, i);
    if (view)
        *filter = view->fault ? NULL : view->view.filter;
    return view ? view->view.name : NULL;
}

bool shared_view_equals(const struct shared_view *shared, const struct saved_view *view) {
    const struct layout a = {{shared->view.sort[0], shared->view.sort[1]}, shared->view.columns};
    const struct layout b = {{view->sort[0], view->sort[1]}, view->columns};
    return !shared->fault && str_equal(shared->view.filter, view->filter) && layout_equal(&a, &b);
}

void shared_view_add_by(const struct shared_view *view, enum clock_zone zone, int64_t now, struct str *out) {
    str_addf(out, "by %s at %s, ", view->who, view->host);
    clock_format_today(out, view->at, zone, now);
}

/* ---- the file ---- */

/* The lines of a row stand behind a tab each, so that none of them can be taken for the beginning of another. */
static void print_shared_row(const struct shared_view *view, struct str *out) {
    struct str text;
    str_init(&text, 5 * SHARED_ROW_MAX);
    shared_view_print(view, &text);
    str_addf(out, "%s%" PRId64 "\t%s\t%" PRId64 "\n", ROW, view->change, view->id, view->at);
    for (const char *line = text.s, *stop; (stop = strchr(line, '\n')) != NULL; line = stop + 1) {
        str_add_char(out, '\t');
        str_add_n(out, line, (size_t)(stop - line) + 1);
    }
    str_clear(&text);
}

void shared_views_print(const struct shared_views *views, struct str *out) {
    str_addf(out, "%s\t%s\t%" PRId64 "\t%s\n", HEAD, views->of, views->change, views->id ? views->id : "");
    for (size_t i = 0; i < views->n; i++)
        print_shared_row(&views->items[i], out);
}

static bool take_head(char *line, struct shared_views *out) {
    char *fields[FILE_FIELDS];
    long long change;
    if (!cut_fields(line, fields, FILE_FIELDS) || !str_equal(fields[0], HEAD) || !str_equal(fields[1], out->of) ||
        !str_to_int64(fields[2], strlen(fields[2]), &change) || change < 0)
        return false;
    out->change = change;
    out->id = *fields[3] ? mem_dup(fields[3]) : NULL;
    return true;
}

static void take_file_row(char *meta, const struct str *text, const struct profile *profile, struct shared_views *out) {
    char *fields[ROW_META_FIELDS];
    long long change, at;
    struct shared_view row;
    if (!cut_fields(meta, fields, ROW_META_FIELDS) || !str_to_int64(fields[1], strlen(fields[1]), &change) ||
        !str_to_int64(fields[3], strlen(fields[3]), &at) || change < 0 || !text->s ||
        !shared_view_read(text->s, text->len, profile, &row))
        return;
    row.change = change;
    free(row.id);
    row.id = mem_dup(fields[2]);
    row.at = at;
    shared_views_take(out, &row);
}

static char *next_shared_line(char **at) {
    char *line = *at, *stop = strchr(line, '\n');
    if (!stop)
        return NULL;
    *stop = '\0';
    *at = stop + 1;
    return line;
}

static void take_shared_rows(char *at, const struct profile *profile, struct shared_views *out) {
    struct str text;
    char *meta = NULL, *line;
    str_init(&text, SHARED_ROW_MAX);
    while ((line = next_shared_line(&at)) != NULL) {
        if (str_starts(line, ROW)) {
            if (meta)
                take_file_row(meta, &text, profile, out);
            meta = line;
            str_reset(&text);
        } else if (*line == '\t') {
            str_addf(&text, "%s\n", line + 1);
        }
    }
    if (meta)
        take_file_row(meta, &text, profile, out);
    str_clear(&text);
}

void shared_views_parse(const char *text, const struct profile *profile, struct shared_views *out) {
    char *copy = mem_dup(text), *at = copy, *head = next_shared_line(&at);
    *out = (struct shared_views){0};
    name_shared_place(profile, out->of);
    if (head && take_head(head, out))
        take_shared_rows(at, profile, out);
    free(copy);
}

/* ---- sharing ---- */

static void add_waiting(struct shared_views *views, const char *name, const char *lines, bool dropped,
                        const struct profile *profile, const struct shared_by *by) {
    struct shared_view row = {.id = mem_dup(""),
                              .at = by->now,
                              .dropped = dropped,
                              .nonce = mem_dup(by->nonce),
                              .who = mem_dup(by->who),
                              .host = mem_dup(by->host),
                              .name = mem_dup(name),
                              .lines = mem_dup(lines)};
    understand(&row, profile->amount_unit);
    shared_views_take(views, &row);
}

static size_t shared_by_one(const struct shared_views *views, const char *who) {
    size_t n = 0;
    for (size_t i = 0; i < views->n; i++)
        n += is_shared_now(views, i) && str_equal(views->items[i].who, who);
    return n;
}

/* As text that means the same to everybody. */
static enum err write_out(const struct saved_view *saved, const struct saved_views *own, enum money_unit unit,
                          struct str *filter, struct error *error) {
    struct query_options options = {.unit = unit, .console = true, .views = saved_views_named(own)};
    struct query *query = NULL;
    bool numbers = false;
    enum err err = query_parse(saved->filter, &options, &query, NULL, error);
    if (err == ERR_OK)
        err = check_terms(query->root, &numbers, error);
    if (err == ERR_OK)
        query_print(query, filter);
    query_free(query);
    if (err == ERR_OK && filter->s && (!utf8_is_clean(filter->s, filter->len) || filter->truncated))
        err = error_set(error, ERR_USAGE, "its filter is too long, or holds control or invisible characters");
    if (err == ERR_OK && filter->s && secret_stands_in(filter->s))
        err = error_set(error, ERR_USAGE, "its filter contains the profile's token");
    return err;
}

static void share_lines(struct shared_views *views, const struct saved_view *saved, const char *filter,
                        const struct profile *profile, const struct shared_by *by) {
    struct saved_view written = *saved;
    const struct shared_view *before = shared_views_of(views, by->who, saved->name);
    struct str lines;
    str_init(&lines, SHARED_ROW_MAX);
    written.filter = mem_dup(filter);
    str_addf(&lines, "%s%s\n", UNIT, UNITS[profile->amount_unit]);
    saved_view_print_lines(&written, &lines);
    if (!before || !str_equal(before->lines, lines.s))
        add_waiting(views, saved->name, lines.s, false, profile, by);
    free(written.filter);
    str_clear(&lines);
}

static void prefix_name(const char *name, struct error *error) {
    char text[SAVED_NAME_MAX + sizeof "view  is not shared"];
    (void)snprintf(text, sizeof text, "view %s is not shared", name);
    error_prefix(error, text);
}

enum err shared_views_share(struct shared_views *views, const struct saved_views *own, const char *name,
                            const struct profile *profile, const struct shared_by *by, struct error *error) {
    const struct saved_view *saved = saved_views_find(own, name);
    struct str filter;
    enum err err = shared_views_check(profile, error);
    if (err != ERR_OK)
        return err;
    if (!saved)
        return error_set(error, ERR_INVALID, "no view is saved as \"%s\"", name);
    if (!shared_views_of(views, by->who, name) && shared_by_one(views, by->who) >= SHARED_OWN_MAX)
        return error_set(error, ERR_LIMIT, "you share %d views already: take one back", SHARED_OWN_MAX);
    str_init(&filter, QUERY_TEXT_MAX);
    err = write_out(saved, own, profile->amount_unit, &filter, error);
    if (err == ERR_OK)
        share_lines(views, saved, filter.s ? filter.s : "", profile, by);
    else
        prefix_name(name, error);
    str_clear(&filter);
    return err;
}

enum err shared_views_unshare(struct shared_views *views, const char *name, const struct profile *profile,
                              const struct shared_by *by, struct error *error) {
    const struct shared_view *named = shared_views_find(views, name);
    const struct shared_view *shared = named ? named : shared_views_of(views, by->who, name);
    enum err err = shared_views_check(profile, error);
    if (err != ERR_OK)
        return err;
    if (!shared)
        return error_set(error, ERR_INVALID, "you share no view \"%s\"", name);
    if (!str_equal(shared->who, by->who))
        return error_set(error, ERR_INVALID, "%s shares it, and nobody else takes it back", shared->who);
    char *copy = mem_dup(shared->name);
    add_waiting(views, copy, "", true, profile, by);
    free(copy);
    return ERR_OK;
}

enum err shared_views_keep(const struct shared_views *views, const char *label, const char *as,
                           const struct saved_views *own, struct saved_views *change, struct error *error) {
    const struct shared_view *shared = shared_views_find(views, label);
    if (!shared)
        return error_set(error, ERR_INVALID, "nobody shares a view \"%s\"", label);
    if (shared->fault)
        return error_set(error, ERR_INVALID, "%s cannot be used here: %s", label, shared->fault);
    struct saved_view copy = shared->view;
    const char *name = as && *as ? as : shared->name;
    if (own && saved_views_find(own, name))
        return error_set(error, ERR_INVALID, "a view of yours is called %s: give the copy another name", name);
    copy.name = mem_dup(name);
    enum err err = saved_views_put(change, &copy, error);
    free(copy.name);
    return err;
}

void views_kept_clear(struct views_kept *kept) {
    str_clear(&kept->own);
    str_clear(&kept->shared);
    str_clear(&kept->who);
}
