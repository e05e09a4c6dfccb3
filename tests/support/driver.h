#ifndef SUPPORT_DRIVER_H
#define SUPPORT_DRIVER_H
/* Drives the console's shell without a terminal, a loop or a service: keys and answers in, screens and effects out. One
 * instant of time that moves only when told to. For tests of flow and screen. */

#include "app/doctor.h"
#include "app/journal.h"
#include "app/webhook.h"
#include "base/clock.h"
#include "panes/shell.h"

struct driver {
    struct profile *profile;
    struct keymap *keymap; /* NULL: the keys to begin with */
    struct shell *shell;
    struct canvas *canvas;
    struct effects effects;     /* since the last driver_forget */
    uint64_t ticket;            /* of the last fetch asked for */
    size_t fetches;             /* in all */
    struct api_walk walk;       /* of the last */
    uint64_t cache_ticket;      /* of the last cached rows asked for */
    uint64_t journal_ticket;    /* of the last question to the journal */
    uint64_t write_ticket;      /* of the last write */
    size_t writes;              /* in all */
    uint64_t webhook_ticket;    /* of the last question about the webhook */
    uint64_t probe_ticket;      /* of the last measurement */
    struct walked_rows *walked; /* rows of the walk that the column index was given and still has, by key */
    int64_t now;
    bool stored;              /* what is answered from now on goes to the cache, and the index is on its way to it */
    bool first_visit;         /* cached rows from now on say that nobody looked before */
    struct coverage coverage; /* what the index's answers from now on say that the cache knows of their query */
    int status;               /* of HTTP, of answers from now on; 0: not told */
    int64_t quota_left;       /* what answers from now on say is left; -1: nothing */
};

/* 2026-11-28 12:00:00 UTC: the drivers' now. */
#define DRIVER_NOW INT64_C(1795867200000)

/* What drivers that are opened from now on know of declines; NULL: nothing. */
extern const struct reasons *driver_reasons;
extern const struct own_actions *driver_own_actions;
extern bool driver_read_only;
extern const char *driver_demo_folder;
void driver_open(struct driver *driver, int rows, int cols);
void driver_open_keys(struct driver *driver, int rows, int cols, const char *keys); /* under a key map file's text */
/* With a profile of the caller's making; takes it. */
void driver_open_profile(struct driver *driver, struct profile *profile, int rows, int cols);
/* Cached rows as the answer to what was last asked of the cache: NULL for none. driver_open says that there is no
 * cache; driver_open_cached leaves that to the test. */
enum { DRIVER_CACHE_AGE = 3 * 3600 * 1000 };
void driver_open_cached(struct driver *driver, int rows, int cols);
void driver_open_profile_cached(struct driver *driver, struct profile *profile, int rows, int cols); /* takes it */
void driver_cached(struct driver *driver, const char *body, bool done);
void driver_no_cache(struct driver *driver);
void driver_close(struct driver *driver);
/* A driver that a test, or its set-up, opens: in *state, for driver_end as the tear-down. */
struct driver *driver_begin(void **state);
int driver_end(void **state);
/* The line in the list of tests of one that begins its driver itself, and of one for which it is opened. */
#define DRIVER_TEST(test) cmocka_unit_test_teardown(test, driver_end)
#define DRIVER_TEST_IN(test, open, rows, cols)                           \
    {                                                                    \
#test, test, driver_set_up, driver_end, &(struct driver_start) { \
            open, rows, cols                                             \
        }                                                                \
    }
typedef void driver_opener(struct driver *driver, int rows, int cols);
struct driver_start {
    driver_opener *open;
    int rows, cols;
};
int driver_set_up(void **state);
void driver_resize(struct driver *driver, int rows, int cols);
void driver_key(struct driver *driver, const char *name); /* "j", "Enter", "Ctrl-D" */
/* Several, separated by blanks; what stands in quotes is typed: "/ 'rail:card' Enter". */
void driver_keys(struct driver *driver, const char *names);
const char *driver_step(struct driver *driver, const char *names); /* the first of them; gives the rest */
void driver_text(struct driver *driver, const char *text);         /* each character a key */
void driver_paste(struct driver *driver, const char *text);
/* The answer to the last fetch: a listing's body, or a failure. */
void driver_answer(struct driver *driver, const char *body);
void driver_fail(struct driver *driver, enum err err, const char *line, int64_t retry_at);
/* A failure with a cursor under way that the service no longer takes. */
void driver_refuse_cursor(struct driver *driver, const char *line);
/* Any event; what it brings is freed where it is not taken. */
void driver_event(struct driver *driver, struct event *event);
void driver_timer(struct driver *driver, enum timer timer, int64_t later_ms);
/* The answers to the last question to the journal and to the last write; taken. */
void driver_journal(struct driver *driver, struct journal_answer *answer);
void driver_written(struct driver *driver, struct write_result *result);
/* The same for the webhook's questions and the doctor's measurements; taken. */
void driver_webhook(struct driver *driver, struct webhook_answer *answer);
void driver_probed(struct driver *driver, const struct probe_result *result);
/* Last effect of a kind; NULL where none since driver_forget. */
const struct effect *driver_effect(const struct driver *driver, enum effect_kind kind);
/* The last write asked for; NULL where none since driver_forget. */
const struct write_ask *driver_write(const struct driver *driver);
/* The last text to be copied; NULL where none since driver_forget. driver_copied: it was, as the loop tells it. */
const struct copy_ask *driver_copy(const struct driver *driver);
void driver_copied(struct driver *driver);
/* Last fetch asked for; NULL where none since driver_forget. */
const struct list_ask *driver_ask(const struct driver *driver);
void driver_forget(struct driver *driver);

/* The screen as characters and roles; the caller frees. */
char *driver_dump(struct driver *driver);
bool driver_sees(struct driver *driver, const char *text); /* anywhere in the characters */
/* Each of the texts stands on the screen, or none does; else the test fails and prints the screen. */
#define driver_shows(driver, ...) \
    driver_expect((driver), true, (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)
#define driver_hides(driver, ...) \
    driver_expect((driver), false, (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)
/* What the keys lead to: driver_keys, then driver_shows. */
#define driver_try(driver, keys, ...) (driver_keys((driver), (keys)), driver_shows((driver), __VA_ARGS__))
void driver_expect(struct driver *driver, bool shown, const char *const texts[], const char *file, int line);
/* Row of the terminal's parked cursor, as text; the caller frees. */
char *driver_cursor_row(struct driver *driver);
/* The text is somewhere in that row, or is all of it but for blanks at its end; else the test fails. */
void driver_cursor_at(struct driver *driver, const char *text);
void driver_cursor_row_is(struct driver *driver, const char *text);
/* The screen as it is against tests/screen/golden/<name>.txt (support/golden.h). */
void driver_check(struct driver *driver, const char *name);
/* The same in a driver of its own at each of the sizes ("80x24 40x8", columns first), once `open` has opened it and the
 * keys were pressed, against tests/screen/golden/<name>-<size>.txt. */
void driver_check_sizes(const char *name, const char *sizes, driver_opener *open, const char *keys);
/* The listing of tests/fixtures/page.json, for a group of tests: set-up and tear-down. */
extern char *driver_page;
int driver_page_read(void **state);
int driver_page_drop(void **state);
/* It in the cache and served as the first page; nothing is asked of the driver yet. */
void driver_open_page_cached(struct driver *driver, int rows, int cols);

/* A line in a table of tests, of a program that says what its struct scene is and how one is played. */
#define SCENE(test, ...)                           \
    {                                              \
#test, play, NULL, NULL, &(struct scene) { \
            __VA_ARGS__                            \
        }                                          \
    }

#endif
