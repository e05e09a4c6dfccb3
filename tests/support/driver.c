#include "support/driver.h"

#include "app/actions.h"
#include "app/copy.h"
#include "app/observed.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "support/effects.h"
#include "support/golden.h"
#include "support/proc.h"
#include "wire/page.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void put_walked(struct walked_rows *to, const struct walked_rows *from, size_t i) {
    struct walked_row row = from->items[i];
    size_t at = 0;
    while (at < to->n && to->items[at].key < row.key)
        at++;
    bool there = at < to->n && to->items[at].key == row.key;
    if (there)
        memmove(to->items + at, to->items + at + 1, (--to->n - at) * sizeof *to->items);
    if (row.len > 0) {
        (void)vec_add(to);
        memmove(to->items + at + 1, to->items + at, (to->n - 1 - at) * sizeof *to->items);
        to->items[at] = row;
        to->items[at].from = to->cells.len;
        str_add_n(&to->cells, from->cells.s + row.from, row.len);
    }
}

static void take_walked(struct driver *driver, const struct walked_rows *rows) {
    driver->walked = driver->walked ? driver->walked : walked_rows_new();
    driver->walked->n = rows->anew ? 0 : driver->walked->n;
    driver->walked->alone = rows->alone;
    for (size_t i = 0; i < rows->n; i++)
        put_walked(driver->walked, rows, i);
}

static void take_effects(struct driver *driver, size_t from) {
    for (size_t i = from; i < driver->effects.n; i++) {
        if (driver->effects.items[i].kind == EFFECT_WALKED) {
            take_walked(driver, effect_get(&driver->effects.items[i], walked_rows));
        } else if (driver->effects.items[i].kind == EFFECT_FETCH) {
            driver->ticket = driver->effects.items[i].ticket;
            driver->fetches++;
            driver->walk = effect_get(&driver->effects.items[i], list_ask)->walk;
            driver->walk.counts =
                driver->walk.counts && server_filter_is_empty(&effect_get(&driver->effects.items[i], list_ask)->filter);
        } else if (driver->effects.items[i].kind == EFFECT_CACHE_ROWS) {
            driver->cache_ticket = driver->effects.items[i].ticket;
        } else if (driver->effects.items[i].kind == EFFECT_JOURNAL) {
            driver->journal_ticket = driver->effects.items[i].ticket;
        } else if (driver->effects.items[i].kind == EFFECT_WRITE) {
            driver->write_ticket = driver->effects.items[i].ticket;
            driver->writes++;
        } else if (driver->effects.items[i].kind == EFFECT_WEBHOOK) {
            driver->webhook_ticket = driver->effects.items[i].ticket;
        } else if (driver->effects.items[i].kind == EFFECT_PROBE) {
            driver->probe_ticket = driver->effects.items[i].ticket;
        }
    }
}

const struct reasons *driver_reasons;
const struct own_actions *driver_own_actions;
bool driver_read_only;
const char *driver_demo_folder;

static void open_shell(struct driver *driver, struct profile *profile, struct keymap *keymap, int rows, int cols) {
    *driver = (struct driver){
        .profile = profile, .keymap = keymap, .now = DRIVER_NOW, .quota_left = -1, .coverage = {.as_of = CLOCK_NONE}};
    struct shell_options options = {.profile = profile,
                                    .zone = CLOCK_UTC,
                                    .keymap = keymap,
                                    .folder = "~/exports",
                                    .reasons = driver_reasons,
                                    .own_actions = driver_own_actions,
                                    .read_only = driver_read_only,
                                    .demo_folder = driver_demo_folder};
    driver->shell = shell_new(&options);
    driver->canvas = canvas_new(rows, cols);
    driver_resize(driver, rows, cols);
    size_t from = driver->effects.n;
    shell_start(driver->shell, driver->now, &driver->effects);
    take_effects(driver, from);
}

void driver_open_profile(struct driver *driver, struct profile *profile, int rows, int cols) {
    open_shell(driver, profile, NULL, rows, cols);
    driver_no_cache(driver);
}

void driver_open_cached(struct driver *driver, int rows, int cols) {
    driver_open_profile_cached(driver, profile_new("acme-eu", "sandbox", "http://127.0.0.1:1"), rows, cols);
}

void driver_open_profile_cached(struct driver *driver, struct profile *profile, int rows, int cols) {
    open_shell(driver, profile, NULL, rows, cols);
    struct event event = {.kind = EVENT_CACHE_STATE,
                          .payload = payload_of(cache_told, &(struct cache_told){.state = CACHE_STATE_READY})};
    driver_event(driver, &event);
}

void driver_open(struct driver *driver, int rows, int cols) {
    driver_open_profile(driver, profile_new("acme-eu", "sandbox", "http://127.0.0.1:1"), rows, cols);
}

void driver_open_keys(struct driver *driver, int rows, int cols, const char *keys) {
    struct str report;
    str_init(&report, 4096);
    struct keymap *keymap = keymap_load(action_table(), keys, strlen(keys), "keys", &report);
    if (report.len > 0)
        abort();
    str_clear(&report);
    open_shell(driver, profile_new("acme-eu", "sandbox", "http://127.0.0.1:1"), keymap, rows, cols);
    driver_no_cache(driver);
}

void driver_close(struct driver *driver) {
    shell_free(driver->shell);
    canvas_free(driver->canvas);
    effects_clear(&driver->effects);
    profile_free(driver->profile);
    keymap_free(driver->keymap);
    walked_rows_free(driver->walked);
}

struct driver *driver_begin(void **state) {
    return *state = mem_new(sizeof(struct driver));
}

int driver_set_up(void **state) {
    const struct driver_start *start = *state;
    start->open(driver_begin(state), start->rows, start->cols);
    return 0;
}

int driver_end(void **state) {
    driver_close(*state);
    free(*state);
    return 0;
}

void driver_resize(struct driver *driver, int rows, int cols) {
    canvas_resize(driver->canvas, rows, cols);
    shell_resize(driver->shell, rows, cols, &driver->effects);
    shell_draw(driver->shell, driver->canvas);
}

void driver_no_cache(struct driver *driver) {
    struct event event = {.kind = EVENT_CACHE_STATE,
                          .payload = payload_of(cache_told, &(struct cache_told){.state = CACHE_STATE_OFF})};
    driver_event(driver, &event);
    driver_cached(driver, NULL, true);
}

void driver_cached(struct driver *driver, const char *body, bool done) {
    struct wire_shape shape = {.data = "data"};
    struct event event = {.kind = EVENT_CACHE_ROWS,
                          .ticket = driver->cache_ticket,
                          .payload = payload_of(cached_rows, cached_rows_new())};
    if (body && wire_page(body, strlen(body), &shape, &event_get(&event, cached_rows)->page, NULL) != ERR_OK)
        abort();
    event_get(&event, cached_rows)->confirmed =
        mem_new_array(event_get(&event, cached_rows)->page.n + 1, sizeof *event_get(&event, cached_rows)->confirmed);
    for (size_t i = 0; i < event_get(&event, cached_rows)->page.n; i++)
        event_get(&event, cached_rows)->confirmed[i] = driver->now - DRIVER_CACHE_AGE;
    event_get(&event, cached_rows)->done = done;
    event_get(&event, cached_rows)->first_visit = driver->first_visit;
    event_get(&event, cached_rows)->coverage = driver->coverage;
    driver_event(driver, &event);
}

static void input(struct driver *driver, struct input *given) {
    size_t from = driver->effects.n;
    shell_input(driver->shell, given, driver->now, &driver->effects);
    take_effects(driver, from);
    shell_draw(driver->shell, driver->canvas);
}

void driver_key(struct driver *driver, const char *name) {
    struct input given = {.kind = INPUT_KEY};
    if (!input_key_parse(name, &given.key))
        abort();
    input(driver, &given);
}

void driver_text(struct driver *driver, const char *text) {
    for (size_t at = 0, len = strlen(text); at < len;) {
        struct input given = {.kind = INPUT_KEY};
        at += utf8_decode(text + at, len - at, &given.key);
        input(driver, &given);
    }
}

const char *driver_step(struct driver *driver, const char *names) {
    char name[256];
    bool quoted = *names == '\'';
    size_t len = quoted ? strcspn(++names, "'") : strcspn(names, " ");
    if (len >= sizeof name)
        abort();
    memcpy(name, names, len);
    name[len] = '\0';
    (quoted ? driver_text : driver_key)(driver, name);
    names += len + quoted;
    return names + (*names == ' ');
}

void driver_keys(struct driver *driver, const char *names) {
    while (*names)
        names = driver_step(driver, names);
}

void driver_paste(struct driver *driver, const char *text) {
    struct input given = {.kind = INPUT_PASTE, .paste = mem_dup(text)};
    input(driver, &given);
    input_clear(&given);
}

void driver_event(struct driver *driver, struct event *event) {
    size_t from = driver->effects.n;
    event->now = driver->now;
    shell_event(driver->shell, event, &driver->effects);
    take_effects(driver, from);
    payload_clear(&event->payload);
    shell_draw(driver->shell, driver->canvas);
}

static struct event list_event(const struct driver *driver) {
    struct event event = {
        .kind = EVENT_LIST, .ticket = driver->ticket, .payload = payload_of(list_result, list_result_new())};
    event_get(&event, list_result)->answer.retry_at = CLOCK_NONE;
    event_get(&event, list_result)->answer.quota_left = driver->quota_left;
    event_get(&event, list_result)->status = driver->status;
    return event;
}

void driver_answer(struct driver *driver, const char *body) {
    struct wire_shape shape = {.data = "data", .next = "next_cursor", .has_more = "has_more"};
    struct event event = list_event(driver);
    if (wire_page(body, strlen(body), &shape, &event_get(&event, list_result)->page, NULL) != ERR_OK)
        abort();
    api_list_count(&driver->walk, &(struct list_query){0}, &event_get(&event, list_result)->page);
    event_get(&event, list_result)->stored = driver->stored;
    driver_event(driver, &event);
}

void driver_fail(struct driver *driver, enum err err, const char *line, int64_t retry_at) {
    struct event event = list_event(driver);
    event_get(&event, list_result)->answer.code = err;
    event_get(&event, list_result)->answer.line = mem_dup(line);
    event_get(&event, list_result)->answer.retry_at = retry_at;
    driver_event(driver, &event);
}

void driver_refuse_cursor(struct driver *driver, const char *line) {
    struct event event = list_event(driver);
    event_get(&event, list_result)->answer.code = ERR_REFUSED;
    event_get(&event, list_result)->answer.line = mem_dup(line);
    event_get(&event, list_result)->answer.cursor_refused = true;
    driver_event(driver, &event);
}

void driver_timer(struct driver *driver, enum timer timer, int64_t later_ms) {
    struct event event = {.kind = EVENT_TIMER, .payload = payload_of(timer_fired, &(struct timer_fired){timer})};
    driver->now += later_ms;
    driver_event(driver, &event);
}

void driver_journal(struct driver *driver, struct journal_answer *answer) {
    struct event event = {
        .kind = EVENT_JOURNAL, .ticket = driver->journal_ticket, .payload = payload_of(journal_answer, answer)};
    driver_event(driver, &event);
}

void driver_written(struct driver *driver, struct write_result *result) {
    struct event event = {
        .kind = EVENT_WRITE, .ticket = driver->write_ticket, .payload = payload_of(write_result, result)};
    driver_event(driver, &event);
}

void driver_webhook(struct driver *driver, struct webhook_answer *answer) {
    struct event event = {
        .kind = EVENT_WEBHOOK, .ticket = driver->webhook_ticket, .payload = payload_of(webhook_answer, answer)};
    driver_event(driver, &event);
}

void driver_probed(struct driver *driver, const struct probe_result *result) {
    struct event event = {.kind = EVENT_PROBED,
                          .ticket = driver->probe_ticket,
                          .payload = payload_of(probe_result, mem_new(sizeof *result))};
    *event_get(&event, probe_result) = *result;
    driver_event(driver, &event);
}

const struct effect *driver_effect(const struct driver *driver, enum effect_kind kind) {
    return effects_last(&driver->effects, kind);
}

const struct write_ask *driver_write(const struct driver *driver) {
    const struct effect *effect = driver_effect(driver, EFFECT_WRITE);
    return effect ? effect_get(effect, write_ask) : NULL;
}

const struct list_ask *driver_ask(const struct driver *driver) {
    const struct effect *effect = driver_effect(driver, EFFECT_FETCH);
    return effect ? effect_get(effect, list_ask) : NULL;
}

const struct copy_ask *driver_copy(const struct driver *driver) {
    const struct effect *effect = driver_effect(driver, EFFECT_COPY);
    return effect ? effect_get(effect, copy_ask) : NULL;
}

void driver_copied(struct driver *driver) {
    const struct copy_ask *ask = driver_copy(driver);
    struct copied copied = {.way = COPY_TERMINAL, .what = ask->what, .bytes = strlen(ask->text)};
    struct event event = {.kind = EVENT_COPIED, .payload = payload_of(copied, &copied)};
    driver_event(driver, &event);
}

void driver_forget(struct driver *driver) {
    effects_clear(&driver->effects);
}

char *driver_dump(struct driver *driver) {
    struct str text;
    str_init(&text, 4 << 20);
    canvas_dump(driver->canvas, &text);
    return str_take(&text);
}

bool driver_sees(struct driver *driver, const char *text) {
    char *dump = driver_dump(driver);
    char *end = strstr(dump, "\n---\n");
    if (end)
        *end = '\0';
    bool sees = strstr(dump, text) != NULL;
    free(dump);
    return sees;
}

void driver_expect(struct driver *driver, bool shown, const char *const texts[], const char *file, int line) {
    for (size_t i = 0; texts[i]; i++)
        if (driver_sees(driver, texts[i]) != shown) {
            char *screen = driver_dump(driver);
            print_error("%s \"%s\" on the screen:\n%s\n", shown ? "no" : "there is", texts[i], screen);
            free(screen);
            _fail(file, line);
        }
}

char *driver_cursor_row(struct driver *driver) {
    int y, x;
    struct str text;
    str_init(&text, 64 << 10);
    (void)canvas_cursor_at(driver->canvas, &y, &x);
    for (int i = 0; i < canvas_cols(driver->canvas); i++)
        str_add(&text, canvas_cell(driver->canvas, y, i).text);
    return str_take(&text);
}

void driver_cursor_at(struct driver *driver, const char *text) {
    char *row = driver_cursor_row(driver);
    if (!strstr(row, text))
        fail_msg("the cursor is not at %s but at %s", text, row);
    free(row);
}

void driver_cursor_row_is(struct driver *driver, const char *text) {
    char *row = driver_cursor_row(driver);
    size_t len = strlen(row);
    while (len > 0 && row[len - 1] == ' ')
        row[--len] = '\0';
    assert_string_equal(row, text);
    free(row);
}

void driver_check(struct driver *driver, const char *name) {
    char *dump = driver_dump(driver);
    golden_check(name, dump, getenv("BURSAR_OUT"));
    free(dump);
}

void driver_check_sizes(const char *name, const char *sizes, driver_opener *open, const char *keys) {
    int rows, cols, len;
    for (const char *at = sizes; sscanf(at, "%dx%d%n", &cols, &rows, &len) == 2; at += len) {
        struct driver driver;
        char golden[64];
        open(&driver, rows, cols);
        driver_keys(&driver, keys);
        (void)snprintf(golden, sizeof golden, "%s-%dx%d", name, cols, rows);
        driver_check(&driver, golden);
        driver_close(&driver);
    }
}

char *driver_page;

int driver_page_read(void **state) {
    char path[4096];
    const char *tests = getenv("BURSAR_TESTS");
    (void)state;
    (void)snprintf(path, sizeof path, "%s/fixtures/page.json", tests ? tests : "tests");
    driver_page = proc_read_file(path);
    return driver_page && setlocale(LC_ALL, "C.UTF-8") ? 0 : -1;
}

int driver_page_drop(void **state) {
    (void)state;
    free(driver_page);
    return 0;
}

void driver_open_page_cached(struct driver *driver, int rows, int cols) {
    driver_open_cached(driver, rows, cols);
    driver_cached(driver, driver_page, true);
    driver_answer(driver, driver_page);
    driver_forget(driver);
}
