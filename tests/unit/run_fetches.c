/* Fetching a page that the cache may hold: looked for there first, then asked of the service, unless it was cancelled.
 */
#include "run/transfers/fetches.h"

#include "api_profile.h"
#include "support/proc.h"
#include "unit/run_unnoted.h"

#include <semaphore.h>
#include <stdlib.h>

enum { TICKET = 7 };

struct fixture {
    char *folder;
    struct cache_place place;
    struct cache_lane state;
    struct loop_options options;
    struct fetches fetches;
    struct performer performer;
    sem_t answered;
};

static void wake(void *context) {
    sem_post(&((struct fixture *)context)->answered);
}

static void tell(void *owner, struct event *event) {
    (void)owner;
    fail_msg("event %d was told", (int)event->kind);
}

static int set_up(void **state) {
    struct fixture *f = mem_new(sizeof *f);
    sem_init(&f->answered, 0, 0);
    f->folder = proc_folder_new();
    f->place =
        (struct cache_place){.folder = f->folder, .binding = {"http://127.0.0.1:8731", "t", "acme-eu", "aaaaaaaaaaaa"}};
    f->state.place = &f->place;
    f->options.profile = profile_with("sandbox", "");
    f->performer = (struct performer){.options = &f->options,
                                      .fetches = &f->fetches,
                                      .noter = &NOTER,
                                      .tell = tell,
                                      .pages = lane_new("pages", &f->state, wake, f)};
    *state = f;
    return net_new(&(struct net_options){0}, &f->performer.net, NULL) == ERR_OK ? 0 : -1;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    lane_free(f->performer.pages, false);
    fetches_clear(&f->fetches);
    net_free(f->performer.net);
    cache_lane_end(&f->state);
    proc_folder_remove(f->folder);
    sem_destroy(&f->answered);
    free(f);
    return profile_teardown(state);
}

static void fetch_what_may_be_cached(struct fixture *f) {
    struct list_ask *ask = list_ask_new(&(struct server_filter){0}, NULL, false);
    ask->resumes = true;
    struct effect effect = {.kind = EFFECT_FETCH, .ticket = TICKET, .payload = payload_of(list_ask, ask)};
    perform_fetch(&f->performer, &effect);
}

static void finish_looking(struct fixture *f) {
    sem_wait(&f->answered);
    assert_int_equal(lane_finish(f->performer.pages, &f->performer), 1);
}

static void a_page_that_is_not_cached_is_asked_of_the_service(void **state) {
    struct fixture *f = *state;
    fetch_what_may_be_cached(f);
    assert_int_equal(net_running(f->performer.net), 0);
    finish_looking(f);
    assert_int_equal(net_running(f->performer.net), 1);
    assert_true(fetches_cancel(&f->performer, TICKET));
}

static void cancelled_while_it_is_looked_for_no_request_is_sent(void **state) {
    struct fixture *f = *state;
    fetch_what_may_be_cached(f);
    assert_true(fetches_cancel(&f->performer, TICKET));
    finish_looking(f);
    assert_int_equal(net_running(f->performer.net), 0);
    assert_false(fetches_cancel(&f->performer, TICKET));
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH(a_page_that_is_not_cached_is_asked_of_the_service),
        WITH(cancelled_while_it_is_looked_for_no_request_is_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
